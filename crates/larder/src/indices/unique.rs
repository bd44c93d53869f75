//! An index of properties that at most one key has.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::DefaultHashBuilder;

use super::error::IndexError;
use super::index_by::IndexBy;
use super::key_by_property::{KeyByProperty, Ticket};
use super::methods::{hashed, methods, properties};
use super::two_phase::TwoPhase;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::stats::Stats;

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::UniqueIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = UniqueIndex::new();"
    };
}

/// The object with a property, of which each object has another. Needs the feature `hashbrown`.
///
/// It lies beside a container and has to be told of changes. If it is not told of a removal, the stale key stays filed
/// until the next object in its slot is, or [`retain_live`](Self::retain_live) is called. An
/// [`Indexed`](crate::indices::Indexed) owns a container and its indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: an entry of a removed object is taken for one of the next
/// object in its slot. Then tell the index of every removal, or use an `Indexed`.
///
/// # Costs
/// | | |
/// |---|---|
/// | `get` | O(1): a hash and one cache line |
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
    inner: KeyByProperty<Q, K, S>,
}

hashed! { UniqueIndex, KeyByProperty }

methods! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S], of Q, example: example, "17", "18",
    insert where [Q: Hash + Eq, S: BuildHasher,], cost: "O(1) amortised.",
    errors: "If another key has the property, the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Hash` or `Eq` of the property panics. Then nothing has changed.\n",
    extend: "O(keys)."
}

properties! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S], example: example, by where [Hash + Eq]
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> UniqueIndex<Q, K, S> {
    /// The key with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, String::from("GB 17")).unwrap();
    /// assert_eq!((index.get("GB 17"), index.get("GB 18")), (Some(wren), None));
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
    /// Removes a key and returns its property. O(1), without a hash or memory.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert_eq!((index.remove(wren), index.remove(wren)), (Some(17), None));
    /// ```
    pub fn remove(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key)
    }

    /// Walks the properties and their keys, in no order. O(keys) in all.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert!(index.iter().eq([(&17, wren)]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, K)> + Clone {
        self.inner.iter()
    }
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher> TwoPhase for UniqueIndex<Q, K, S> {
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
