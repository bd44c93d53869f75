//! Indices that find by hash: of properties that at most one key has, and of properties that any number of keys have.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};
use core::slice;

use hashbrown::{DefaultHashBuilder, hash_table};

use super::IndexError;
use super::by_hash::{ByHash, Leftover, Ticket};
use super::row_index::{IndexBy, TwoPhase};
use super::{methods, properties};
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::raw::groups::Groups;
use crate::raw::hashing::{self, Entries, Entry, NoRoom, Number, Removed, Table};
use crate::stats::{MemoryUsage, Stats};

/// What both have, as each is a [`ByHash`].
macro_rules! hashed {
    ($index:ident) => {
        impl<Q, K: Key> $index<Q, K> {
            /// Makes an empty index with the hasher of `hashbrown`. O(1): allocates nothing.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("let index = ", stringify!($index), "::<u32, Handle<&str>>::new();")]
            /// assert!(index.is_empty());
            /// ```
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
        }

        impl<Q, K: Key, S: Default> Default for $index<Q, K, S> {
            /// An empty index.
            fn default() -> Self {
                Self::with_hasher(S::default())
            }
        }

        impl<Q, K: Key, S> $index<Q, K, S> {
            /// Makes an empty index with another hasher. O(1): allocates nothing.
            ///
            /// If a hasher returns different results for the same property, keys are not found. Without a seed that
            /// nobody knows, properties can be chosen so that their hashes meet, as in a file that is loaded: it takes
            /// time that grows with the square of its length. The hasher of `hashbrown` has a seed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            /// use std::hash::RandomState;
            ///
            #[doc = concat!("let mut index = ", stringify!($index), "::with_hasher(RandomState::new());")]
            /// assert!(index.insert(Arena::new().insert("wren"), 17).is_ok());
            /// ```
            #[must_use]
            pub const fn with_hasher(hasher: S) -> Self {
                Self { inner: ByHash::new(hasher) }
            }
        }

        impl<Q: Clone, K: Key, S: Clone> Clone for $index<Q, K, S> {
            /// # Panics
            /// If memory is refused.
            #[track_caller]
            fn clone(&self) -> Self {
                Self { inner: explain::granted::<Self, _>(self.inner.try_clone()) }
            }
        }

        impl<Q: fmt::Debug, K: Key, S> fmt::Debug for $index<Q, K, S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_map().entries(self.iter()).finish()
            }
        }

        impl<Q: Hash + Eq, K: Key, S: BuildHasher> TwoPhase for $index<Q, K, S> {
            type Key = K;
            type Property = Q;
            type Ticket = Ticket<Q, K>;
            type Leftover = Leftover<Q>;

            #[inline]
            fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
                self.inner.prepare(key, property)
            }

            #[inline]
            fn file(&mut self, ticket: Ticket<Q, K>) -> Leftover<Q> {
                self.inner.file(ticket)
            }

            #[inline]
            fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
                self.inner.insert(key, property)
            }

            fn unfile(&mut self, key: K) -> Leftover<Q> {
                [None, self.inner.remove(key).flatten()]
            }

            fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
                self.inner.try_reserve(keys)
            }

            fn expect(&mut self, keys: usize) -> Result<(), TryReserveError> {
                self.inner.expect(keys)
            }

            fn len(&self) -> usize {
                self.inner.len()
            }

            fn clear(&mut self) {
                self.inner.clear();
            }
        }
    };
}

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! unique_example {
    () => {
        "# use larder::{Arena, indices::UniqueIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = UniqueIndex::new();"
    };
}

/// Maps each property to at most one object. Needs the feature `hashbrown`.
///
/// It is separate from its container and has to be told of changes. If it is not told of a removal, the stale
/// key stays filed until the next object in its slot is, or [`retain_live`](Self::retain_live) is called. An
/// [`Indexed`](crate::indices::Indexed) owns a container and its indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use an `Indexed`.
///
/// # Layout
/// ```text
/// table     property, key │ …     found by hash
/// hashes    hash │ hash │ …       4 bytes by slot: where in the table the key's entry is
/// ```
/// A removal runs no code of the property but its `Drop`.
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
pub struct UniqueIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: ByHash<Q, K, S, Pairs<Q, K>, u32>,
}

hashed! { UniqueIndex }

methods! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S], of Q, example: unique_example, "17", "18",
    insert where [Q: Hash + Eq, S: BuildHasher,], cost: "O(1) amortised.",
    errors: "If another key has the property, the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Hash` or `Eq` of the property panics. Then nothing has changed.\n",
    extend: "O(keys).",
    reserve: "The same is true of keys that are removed and others that are filed instead: the table has room for twice as \
              many. O(keys)."
}

properties! {
    UniqueIndex, [Q, K: Key, S], [Q, K, S], example: unique_example, by where [Hash + Eq]
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> UniqueIndex<Q, K, S> {
    /// Returns the key with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = unique_example!()]
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
        self.inner.find(property).map(|&(_, key)| key)
    }
}

/// Removing and walking.
impl<Q, K: Key, S> UniqueIndex<Q, K, S> {
    /// Removes a key and returns its property. O(1), without memory; runs no code of the property.
    ///
    /// # Examples
    /// ```
    #[doc = unique_example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert_eq!((index.remove(wren), index.remove(wren)), (Some(17), None));
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<Q> {
        self.inner.remove(key).flatten()
    }

    /// Walks the properties and their keys, in no order. O(keys that there is room for) in all.
    ///
    /// # Examples
    /// ```
    #[doc = unique_example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert!(index.iter().eq([(&17, wren)]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, K)> + Clone {
        self.inner.entries.0.iter().map(|(property, key)| (property, *key))
    }
}

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! multi_example {
    () => {
        "# use larder::{Arena, indices::MultiIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = MultiIndex::new();"
    };
}

/// All objects with a property. Needs the feature `hashbrown`.
///
/// It is separate from its container and has to be told of changes. If it is not told of a removal, the stale
/// key stays filed until the next object in its slot is, or [`retain_live`](Self::retain_live) is called. An
/// [`Indexed`](crate::indices::Indexed) owns a container and its indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use an `Indexed`.
///
/// # Layout
/// ```text
/// table     property, hash, keys, len, room │ …     a group, found by hash
/// pieces    key key key · │ …                       its keys: a slice, in memory that does not move
/// places    hash, position │ …                      by slot: where a key lies
/// ```
/// A removal moves the last key of the group into the gap, so it is O(1), and the order of a group's keys is
/// unspecified. It runs no code of the property but its `Drop`, when the last of its keys is removed.
///
/// # Costs
/// | | |
/// |---|---|
/// | `get` | O(1): a hash, then one slice |
/// | `insert` | O(1) amortised, for large groups too |
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
/// by_colour.insert(kite, "brown")?; // instead
/// assert_eq!(by_colour.get("red"), [robin]);
/// by_colour.remove(robin);
/// assert_eq!(by_colour.get("red"), []);
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("multimap", "secondary index", "inverted index", "group by"))]
pub struct MultiIndex<Q, K: Key, S = DefaultHashBuilder> {
    inner: ByHash<Q, K, S, Groups<Q, K>, (u32, u32)>,
}

hashed! { MultiIndex }

methods! {
    MultiIndex, [Q, K: Key, S], [Q, K, S], of Q, example: multi_example, "17", "18",
    insert where [Q: Hash + Eq, S: BuildHasher,], cost: "O(1) amortised.",
    errors: "If the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Hash` or `Eq` of the property panics. Then nothing has changed.\n",
    extend: "O(keys).",
    reserve: "They may have any properties. When keys are removed and others are filed instead, nothing is allocated either, \
              unless properties have had more than twice as many keys as they have: a list of keys keeps its room until it \
              is empty. A key takes about 130 bytes for that, with a property of 4. O(keys)."
}

properties! {
    MultiIndex, [Q, K: Key, S], [Q, K, S], example: multi_example, by where [Hash + Eq]
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> MultiIndex<Q, K, S> {
    /// Returns the keys with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = multi_example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert_eq!(index.get("red"), [wren, kite]);
    /// assert!(index.get("green").is_empty());
    /// ```
    #[doc(alias("find", "equal_range", "len_of", "count"))]
    #[inline]
    #[must_use]
    pub fn get<B: Hash + Eq + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        self.inner.find(property).map_or(&[], |group| group.get().1)
    }

    /// Removes all keys with a property, the last one first, and passes each to `each`. O(keys with the property). If
    /// `each` panics, the keys that it was passed are removed.
    ///
    /// # Examples
    /// ```
    #[doc = multi_example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// index.remove_all_of("red", |bird| drop(birds.remove(bird)));
    /// assert!(index.is_empty() && birds.is_empty());
    /// ```
    pub fn remove_all_of<B: Hash + Eq + ?Sized>(&mut self, property: &B, mut each: impl FnMut(K))
    where
        Q: Borrow<B>,
    {
        let Some(group) = self.inner.number_of(property) else { return };
        for position in (0..self.inner.keys(group).len() as u32).rev() {
            let (last, _property) = self.inner.remove_last(group, position);
            each(last);
        }
    }
}

/// Removing and walking.
impl<Q, K: Key, S> MultiIndex<Q, K, S> {
    /// Removes a key and returns whether it was filed. O(1), without memory; runs no code of the property but
    /// its `Drop`.
    ///
    /// # Examples
    /// ```
    #[doc = multi_example!()]
    /// index.insert(wren, "brown").unwrap();
    /// assert!(index.remove(wren) && !index.remove(wren));
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        self.inner.remove(key).is_some()
    }

    /// Walks the properties and their keys, in no order. O(properties that there is room for) in all.
    ///
    /// # Examples
    /// ```
    #[doc = multi_example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert_eq!(index.iter().len(), 1); // how many properties there are
    /// assert!(index.iter().eq([(&"red", &[wren, kite][..])]));
    /// ```
    #[doc(alias = "property_count")]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, &[K])> + Clone {
        self.inner.entries.table().iter().map(Entry::get)
    }
}

/// Properties with one key each. By slot is what is kept of the property's hash.
struct Pairs<Q, K>(Table<(Q, K)>);

impl<Q, K> Entry<Q, K> for (Q, K) {
    #[inline]
    fn get(&self) -> (&Q, &[K]) {
        (&self.0, slice::from_ref(&self.1))
    }
}

impl<Q, K: Key> Entries<Q, K> for Pairs<Q, K> {
    type Entry = (Q, K);
    type Place = u32;

    const ONE_EACH: bool = true;

    const NEW: Self = Self(Table::new());

    #[inline]
    fn table(&self) -> &Table<(Q, K)> {
        &self.0
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.0.has_room()
    }

    #[inline]
    fn add(&mut self, hash: u64, property: Q, key: K) -> Result<(u32, Option<Q>), NoRoom<K>>
    where
        Q: Eq,
    {
        let position = self.0.position_of(hash);
        let is_it = |other: &(Q, K)| other.0 == property;
        match self.0.entry(position, is_it, |_| unreachable!("there is room")) {
            hash_table::Entry::Occupied(entry) => Err(NoRoom::Unique(entry.get().1)),
            hash_table::Entry::Vacant(entry) => {
                entry.insert((property, key));
                Ok((hashing::kept(hash), None))
            }
        }
    }

    #[inline]
    fn make_room(
        &mut self,
        entry: Option<Number>,
        kept: impl Fn(K) -> u32,
    ) -> Result<(), NoRoom<K>> {
        match entry.and_then(|entry| self.0.get_bucket(entry)) {
            Some(&(_, holder)) => Err(NoRoom::Unique(holder)),
            None => Ok(self.0.make_room(1, |&(_, key)| kept(key))?),
        }
    }

    fn begin(&mut self, hash: u64, property: Q, key: K) -> u32 {
        let kept = hashing::kept(hash);
        self.0.insert(kept, (property, key));
        kept
    }

    fn push(&mut self, _: Number, _: K) -> u32 {
        unreachable!("there is no room")
    }

    fn set(&mut self, entry: Number, _: u32, key: K) {
        if let Some(entry) = self.0.get_bucket_mut(entry) {
            entry.1 = key;
        }
    }

    fn remove(&mut self, entry: Number, _: u32) -> Removed<Q, K> {
        let Ok(entry) = self.0.get_bucket_entry(entry) else { unreachable!("it was found") };
        let ((property, _), _) = entry.remove();
        Removed::Entry(property)
    }

    #[inline]
    fn remove_at(
        &mut self,
        kept: u32,
        _: u32,
        is_it: impl Fn(&(Q, K)) -> bool,
    ) -> Option<Removed<Q, K>> {
        let position = self.0.position_of_kept(kept);
        let entry = self.0.find_entry(position, is_it).ok()?;
        Some(Removed::Entry(entry.remove().0.0))
    }

    fn retain(
        &mut self,
        mut keep: impl FnMut(K) -> bool,
        mut removed: impl FnMut(K, Option<(K, u32)>),
    ) {
        self.0.retain(|&mut (_, key)| {
            let is_kept = keep(key);
            if !is_kept {
                removed(key, None);
            }
            is_kept
        });
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn try_reserve(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        self.0.try_reserve(keys, |&(_, key)| kept(key))
    }

    fn expect(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        self.0.make_room(keys, |&(_, key)| kept(key))
    }

    fn try_clone(&self, kept: impl Fn(K) -> u32) -> Result<Self, TryReserveError>
    where
        Q: Clone,
    {
        let mut copy = Table::new();
        copy.make_room(self.0.len(), |_| unreachable!("it is empty"))?;
        for (property, key) in self.0.iter() {
            copy.insert(kept(*key), (property.clone(), *key));
        }
        Ok(Self(copy))
    }

    fn memory_usage(&self) -> MemoryUsage {
        let (values, committed) = (self.0.len() * size_of::<K>(), self.0.allocation_size());
        let bookkeeping = committed - values;
        MemoryUsage {
            values,
            bookkeeping,
            committed,
            reserved: committed,
            ..MemoryUsage::default()
        }
    }
}
