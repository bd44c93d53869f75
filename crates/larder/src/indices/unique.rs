//! One key under each property.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::DefaultHashBuilder;

use super::IndexError;
use super::common::{common, hashed};
use super::filing::Filing;
use super::holders::{Holders, Ticket};
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::stats::MemoryUsage;

/// Which object has a property that only one can have. Needs the feature `hashbrown`.
///
/// Stands beside a container, and is told of changes by whoever makes them. An object that was removed
/// without telling stays, and holds its property, until somebody in its slot is filed, or
/// [`retain_live`](Self::retain_live) is called. [`Indexed`](crate::indices::Indexed) tells its indices of every
/// change.
///
/// With [`BareHandle`](crate::key::BareHandle) keys nothing is stale: an entry that nobody took out is that of the next object
/// in the slot, under what the last one was. Then tell it of every removal, or take an `Indexed`, which does.
///
/// Properties are compared, not only their hashes: two that have the same hash are told apart.
///
/// # Costs
/// | | |
/// |---|---|
/// | `get` | O(1): a hash, one cache line |
/// | `insert` | O(1) amortised |
/// | `remove`, `property` | O(1), without a hash |
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{IndexError, UniqueIndex}};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
///
/// let mut by_name = UniqueIndex::new();
/// by_name.insert(wren, String::from("wren"))?;
/// by_name.insert(kite, String::from("kite"))?;
/// assert_eq!(by_name.get("kite"), Some(kite));
///
/// let refused = by_name.insert(kite, String::from("wren"));
/// assert_eq!(refused, Err(IndexError::Duplicate { holder: wren }));
/// assert_eq!(by_name.property(kite).unwrap(), "kite"); // nothing has changed
/// # Ok::<(), IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("bimap", "primary key", "by name"))]
#[derive(Clone)]
pub struct UniqueIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: Holders<Q, K, S>,
}

hashed! { UniqueIndex, Holders }

common! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S],
    insert where [Q: Hash + Eq, S: BuildHasher,],
    cost: "O(1) amortised.",
    errors: "If another key holds the property: the error names it. If the key is stale or dangling, or memory is refused.",
    panics: "If `Hash` or `Eq` of the property does; nothing has changed then.",
    bulk: "O(keys), with room for as many as the iterator says it has.",
    room: "Filing them asks for no memory then, if their slots are side by side."
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> UniqueIndex<Q, K, S> {
    /// The key that has a property. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::UniqueIndex};
    ///
    /// let wren = Arena::new().insert("wren");
    /// let mut by_name = UniqueIndex::new();
    /// by_name.insert(wren, String::from("wren"))?;
    /// assert_eq!((by_name.get("wren"), by_name.get("kite")), (Some(wren), None));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("find"))]
    #[inline]
    #[must_use]
    pub fn get<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<K>
    where
        Q: Borrow<B>,
    {
        self.inner.find(property)
    }
}

/// Removing and walking.
impl<Q, K: Key, S> UniqueIndex<Q, K, S> {
    /// Takes a key out, and gives its property back. O(1); asks neither for a hash nor for memory.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::UniqueIndex};
    ///
    /// let wren = Arena::new().insert("wren");
    /// let mut by_ring = UniqueIndex::new();
    /// by_ring.insert(wren, 17)?;
    /// assert_eq!((by_ring.remove(wren), by_ring.remove(wren)), (Some(17), None));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key)
    }

    /// Each property and its key, in no order. O(keys) in all.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::UniqueIndex};
    ///
    /// let wren = Arena::new().insert("wren");
    /// let mut by_ring = UniqueIndex::new();
    /// by_ring.insert(wren, 17)?;
    /// assert!(by_ring.iter().eq([(&17, wren)]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, K)> + Clone {
        self.inner.iter()
    }
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher> Filing for UniqueIndex<Q, K, S> {
    type Key = K;
    type Property = Q;
    type Ticket = Ticket<Q, K>;
    type Leftover = Option<Q>;
    type Bulk = ();

    fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        self.inner.prepare(key, property)
    }

    fn file(&mut self, ticket: Ticket<Q, K>) -> Option<Q> {
        self.inner.file(ticket)
    }

    fn unfile(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key)
    }

    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.inner.try_reserve(keys)
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn clear(&mut self) {
        self.inner.clear();
    }
}

impl<Q: fmt::Debug, K: Key, S> fmt::Debug for UniqueIndex<Q, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
