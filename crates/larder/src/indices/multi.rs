//! An index of properties that any number of keys have.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use hashbrown::DefaultHashBuilder;

use super::IndexError;
use super::by_hash::{ByHash, Leftover, Ticket};
use super::methods::{hashed, methods, properties};
use super::row_index::IndexBy;
use super::row_index::TwoPhase;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::explain;
use crate::hashing::table::{Entries, Entry};
use crate::key::Key;
use crate::raw::groups::Groups;
use crate::stats::Stats;

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::MultiIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = MultiIndex::new();"
    };
}

/// All objects with a property. Needs the feature `hashbrown`.
///
/// It lies beside a container and has to be told of changes. If it is not told of a removal, the stale key stays filed
/// until the next object in its slot is, or [`retain_live`](Self::retain_live) is called. An
/// [`Indexed`](crate::indices::Indexed) owns a container and its indices, and updates them.
///
/// [`BareHandle`](crate::key::BareHandle) keys cannot be stale: an entry of a removed object is taken for one of the next
/// object in its slot. Then tell the index of every removal, or use an `Indexed`.
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
    inner: ByHash<Q, K, S, Groups<Q, K>>,
}

hashed! { MultiIndex }

methods! {
    MultiIndex, [Q, K: Key, S], [Q, K, S], of Q, example: example, "17", "18",
    insert where [Q: Hash + Eq, S: BuildHasher,], cost: "O(1) amortised.",
    errors: "If the key is stale or dangling, or memory is refused.",
    panics: "# Panics\nIf `Hash` or `Eq` of the property panics. Then nothing has changed.\n",
    extend: "O(keys)."
}

properties! {
    MultiIndex, [Q, K: Key, S], [Q, K, S], example: example, by where [Hash + Eq]
}

/// Finding.
impl<Q: Hash + Eq, K: Key, S: BuildHasher> MultiIndex<Q, K, S> {
    /// The keys with a property. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
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
    #[doc = example!()]
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
    /// Removes a key and returns whether it was filed. O(1), without memory; runs no code of the property but its `Drop`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, "brown").unwrap();
    /// assert!(index.remove(wren) && !index.remove(wren));
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        self.inner.remove(key).is_some()
    }

    /// How many different properties there are. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert_eq!(index.property_count(), 1);
    /// ```
    #[must_use]
    pub fn property_count(&self) -> usize {
        self.inner.entries.table().len()
    }

    /// Walks the properties and their keys, in no order. O(properties that there is room for) in all.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, "red"), (kite, "red")]).unwrap();
    /// assert!(index.iter().eq([(&"red", &[wren, kite][..])]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, &[K])> + Clone {
        self.inner.entries.table().iter().map(Entry::get)
    }
}
