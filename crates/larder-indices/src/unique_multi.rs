//! Indices that find by hash: of properties that at most one key has, and of properties that any number of keys have.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::DefaultHashBuilder;

use super::by_hash::ByHash;
use super::key_index::KeyIndex;
use crate::hashing::{Entries, Entry};
use crate::raw::groups::Groups;
use larder_core::key::Key;

impl<Q: fmt::Debug, K: Key, S> fmt::Debug for ByHash<Q, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.entries.table().iter().map(|(property, key)| (property, key)))
            .finish()
    }
}

impl<Q: fmt::Debug, K: Key, S> fmt::Debug for ByHash<Q, K, S, Groups<Q, K>, (u32, u32)> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.entries.table().iter().map(Entry::get)).finish()
    }
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
/// With the feature `track` it goes back to checkpoints, exactly but for the order of `iter`. A walk over the
/// container that asks for the [`property`](KeyIndex::property) of each key has the same order again.
///
/// It is separate from its container and has to be told of changes. If it is not told of a removal, the stale
/// key stays filed until the next object in its slot is, or [`retain_live`](KeyIndex::retain_live) is called. An
/// [`Table`](larder_core::track::Table) owns a container and its indices, and updates them.
///
/// [`BareHandle`](larder_core::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use a `Table`.
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
pub type UniqueIndex<Q, K, S = DefaultHashBuilder> = KeyIndex<ByHash<Q, K, S>>;

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
        self.layout.find(property).map(|&(_, key)| key)
    }
}

/// Capacity, removing and walking.
impl<Q, K: Key, S> UniqueIndex<Q, K, S> {
    /// Returns how many keys can be filed without allocating, those that are filed among them, if their slots are below
    /// that number. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = unique_example!()]
    /// index.insert(wren, 17).unwrap();
    /// index.reserve(100);
    /// assert!(index.capacity() >= 101);
    /// index.shrink_to_fit();
    /// assert!(index.capacity() < 101);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.layout.capacity()
    }

    /// Removes a key and returns its property. O(1), without memory; runs no code of the property.
    ///
    /// While it has checkpoints, the property is cloned before, for the record, which may need memory.
    ///
    /// # Examples
    /// ```
    #[doc = unique_example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert_eq!((index.remove(wren), index.remove(wren)), (Some(17), None));
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<Q>
    where
        Q: Clone,
    {
        if self.layout.is_recorded() {
            self.layout.note_removal(key);
        }
        self.layout.remove_unrecorded(key).flatten()
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
        self.layout.entries.table().iter().map(|(property, key)| (property, *key))
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
/// With the feature `track` it goes back to checkpoints, exactly but for the order of `iter`: keys that share
/// a property have the same order again. So has a walk over the container that asks for the
/// [`property`](KeyIndex::property) of each key.
///
/// It is separate from its container and has to be told of changes. If it is not told of a removal, the stale
/// key stays filed until the next object in its slot is, or [`retain_live`](KeyIndex::retain_live) is called. An
/// [`Table`](larder_core::track::Table) owns a container and its indices, and updates them.
///
/// [`BareHandle`](larder_core::key::BareHandle) keys cannot be stale: the entry of a removed object is returned for
/// the next object in its slot. With such keys, tell the index of every removal, or use a `Table`.
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
pub type MultiIndex<Q, K, S = DefaultHashBuilder> =
    KeyIndex<ByHash<Q, K, S, Groups<Q, K>, (u32, u32)>>;

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
        self.layout.find(property).map_or(&[], |group| group.get().1)
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
        let Some(group) = self.layout.number_of(property) else { return };
        for position in (0..self.layout.keys(group).len() as u32).rev() {
            let last = self.layout.keys(group)[position as usize];
            let _property = self.layout.remove_at(group, position);
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
        if self.layout.is_recorded() {
            return self.layout.remove_alone(key);
        }
        self.layout.remove_unrecorded(key).is_some()
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
        self.layout.entries.table().iter().map(Entry::get)
    }
}
