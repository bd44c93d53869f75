//! Many keys under one property.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::DefaultHashBuilder;

use super::IndexError;
use super::common::{common, hashed};
use super::filing::Filing;
use super::groups::{Groups, Leftover, Ticket};
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::stats::MemoryUsage;

/// Makes the examples short: three birds, and an index by colour.
macro_rules! birds {
    () => {
        "# use larder::{Arena, indices::MultiIndex};\n\
         # let mut birds = Arena::from_iter([\"wren\", \"robin\", \"kite\"]);\n\
         # let keys: Vec<_> = birds.keys().collect();\n\
         # let [wren, robin, kite] = keys[..] else { unreachable!() };\n\
         # let mut by_colour = MultiIndex::new();"
    };
}

/// Which objects have a property, however many have the same. Needs the feature `hashbrown`.
///
/// Stands beside a container, and is told of changes by whoever makes them. An object that was removed
/// without telling stays under its stale key, which answers nowhere, until somebody in its slot is filed,
/// or [`retain_live`](Self::retain_live) is called. [`Indexed`](crate::indices::Indexed) tells its indices of every
/// change.
///
/// With [`BareHandle`](crate::key::BareHandle) keys nothing is stale: an entry that nobody took out is that of the next object
/// in the slot, under what the last one was. Then tell it of every removal, or take an `Indexed`, which does.
///
/// # Layout
/// ```text
/// table     property, hash, list │ …     a group, found by hash
/// lists     key key key · │ …            its keys, a slice of one block
/// places    list, position │ …           by slot: where the key lies
/// ```
/// A removal fills the gap with the group's last key, so it is O(1) whatever the number of keys; the order
/// within a group is none that means something. A property of which the last key goes is dropped.
///
/// # Costs
/// | | |
/// |---|---|
/// | `get`, `first`, `len_of` | O(1): a hash, then one slice |
/// | `insert` | O(1) amortised, the first key of a group and the hundred-thousandth |
/// | `remove` | O(1), without a hash |
/// | `remove_all_of` | O(keys with that property) |
///
/// # Examples
/// ```
/// use larder::{Arena, indices::MultiIndex};
///
/// let mut birds = Arena::new();
/// let (wren, robin, kite) = (birds.insert("wren"), birds.insert("robin"), birds.insert("kite"));
///
/// let mut by_colour = MultiIndex::new();
/// by_colour.insert(wren, "brown")?;
/// by_colour.insert(robin, "red")?;
/// by_colour.insert(kite, "red")?;
/// assert_eq!(by_colour.get("red"), [robin, kite]);
///
/// by_colour.insert(kite, "brown")?; // it is filed anew
/// assert_eq!(by_colour.get("red"), [robin]);
/// by_colour.remove(robin);
/// assert_eq!(by_colour.get("red"), []);
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("multimap", "secondary index", "inverted index", "group by"))]
#[derive(Clone)]
pub struct MultiIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: Groups<Q, K, S>,
}

hashed! { MultiIndex, Groups }

common! {
    MultiIndex, [Q, K: Key, S], [Q, K, S],
    insert where [Q: Hash + Eq, S: BuildHasher,],
    cost: "O(1) amortised.",
    errors: "If the key is stale or dangling, or memory is refused.",
    panics: "If `Hash` or `Eq` of the property does; nothing has changed then.",
    bulk: "O(keys), with room for as many as the iterator says it has.",
    room: "Properties, and groups that grow, take room as they come."
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> MultiIndex<Q, K, S> {
    /// The keys with a property, none or more. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(robin, "red")?;
    /// by_colour.insert(kite, "red")?;
    /// let names: Vec<_> = by_colour.get("red").iter().map(|&bird| birds[bird]).collect();
    /// assert_eq!(names, ["robin", "kite"]);
    /// assert!(by_colour.get("green").is_empty());
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("find", "equal_range"))]
    #[inline]
    #[must_use]
    pub fn get<B: Hash + Eq + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        self.inner.find(property)
    }

    /// One of the keys with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(robin, "red")?;
    /// assert_eq!(by_colour.first("red"), Some(robin));
    /// assert_eq!(by_colour.first("brown"), None);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn first<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<K>
    where
        Q: Borrow<B>,
    {
        self.get(property).first().copied()
    }

    /// How many keys have a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(robin, "red")?;
    /// by_colour.insert(kite, "red")?;
    /// assert_eq!(by_colour.len_of("red"), 2);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[doc(alias("count"))]
    #[inline]
    #[must_use]
    pub fn len_of<B: Hash + Eq + ?Sized>(&self, property: &B) -> usize
    where
        Q: Borrow<B>,
    {
        self.get(property).len()
    }

    /// Takes out all keys with a property, last first, and tells each. O(keys with the property). If
    /// `each` panics, the keys that it was told are out, the others stay.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(robin, "red")?;
    /// by_colour.insert(kite, "red")?;
    /// by_colour.remove_all_of("red", |bird| {
    ///     birds.remove(bird);
    /// });
    /// assert!(by_colour.is_empty() && birds.len() == 1);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove_all_of<B: Hash + Eq + ?Sized>(&mut self, property: &B, each: impl FnMut(K))
    where
        Q: Borrow<B>,
    {
        self.inner.remove_all_of(property, each);
    }
}

/// Removing and walking.
impl<Q, K: Key, S> MultiIndex<Q, K, S> {
    /// Takes a key out; whether it was filed. O(1); asks neither for a hash nor for memory.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(wren, "brown")?;
    /// assert!(by_colour.remove(wren));
    /// assert!(!by_colour.remove(wren));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn remove(&mut self, key: K) -> bool {
        self.inner.remove(key).is_some()
    }

    /// How many different properties there are. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(robin, "red")?;
    /// by_colour.insert(kite, "red")?;
    /// assert_eq!(by_colour.property_count(), 1);
    /// by_colour.clear();
    /// assert_eq!(by_colour.property_count(), 0);
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    #[must_use]
    pub fn property_count(&self) -> usize {
        self.inner.group_count()
    }

    /// Each property and its keys, in no order. O(properties) in all.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// by_colour.insert(robin, "red")?;
    /// by_colour.insert(kite, "red")?;
    /// assert!(by_colour.iter().eq([(&"red", &[robin, kite][..])]));
    /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, &[K])> + Clone {
        self.inner.iter()
    }
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher> Filing for MultiIndex<Q, K, S> {
    type Key = K;
    type Property = Q;
    type Ticket = Ticket<Q, K>;
    type Leftover = Leftover<Q>;
    type Bulk = ();

    fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        self.inner.prepare(key, property)
    }

    fn file(&mut self, ticket: Ticket<Q, K>) -> Leftover<Q> {
        self.inner.file(ticket)
    }

    fn unfile(&mut self, key: K) -> Leftover<Q> {
        [None, self.inner.remove(key).and_then(|(_, property)| property)]
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

impl<Q: fmt::Debug, K: Key, S> fmt::Debug for MultiIndex<Q, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
