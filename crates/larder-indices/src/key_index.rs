//! The index of keys, whatever layout they have.

use core::fmt;

use super::IndexError;
use super::two_phase::{KeyLayout, TwoPhase};
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::Stats;
use larder_core::room;

/// Hidden lines of the examples: two birds, and an index by a number.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::SortedIndex};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut index = SortedIndex::new();"
    };
}

/// Keys, each filed under a property: a `UniqueIndex`, a `MultiIndex`, a [`SortedIndex`](crate::SortedIndex)
/// or a `GridIndex`.
///
/// Use these names. `L` says how keys are found by their properties; the methods here are those of all four, and each
/// has others by which it finds.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{GridIndex, SortedIndex}};
///
/// let mut birds = Arena::new();
/// let wren = birds.insert("wren");
/// let (mut by_weight, mut by_place) = (SortedIndex::new(), GridIndex::new(10.0));
/// by_weight.insert(wren, 9)?;
/// by_place.insert(wren, [3.0, 4.0])?;
/// assert!(by_weight.contains_key(wren) && by_place.contains_key(wren));
/// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
/// ```
#[derive(Clone)]
pub struct KeyIndex<L> {
    pub(crate) layout: L,
}

/// Filing keys.
impl<L: KeyLayout> KeyIndex<L> {
    /// Files a key under a property, instead of the one it was filed under. A stale key of the same slot is
    /// removed.
    /// O(log n) in a [`SortedIndex`](crate::SortedIndex), in the others O(1) amortised.
    ///
    /// # Errors
    /// If the key is stale or dangling, or allocation fails; in a `UniqueIndex` if another key has the property; in a
    /// `GridIndex` if a coordinate is infinite or not a number, or points were chosen so that the hashes of their cells
    /// meet (see [`HashesMeet`](larder_core::TryReserveError::HashesMeet)). Then nothing has changed.
    ///
    /// # Panics
    /// If `Hash`, `Eq`, `Ord` or `Clone` of a property panics: then nothing has changed. If the `Drop` of the property
    /// that the key had panics: then the key is filed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// index.insert(wren, 18).unwrap(); // instead
    /// assert_eq!(index.len(), 1);
    /// ```
    #[doc(alias("update", "move"))]
    pub fn insert(&mut self, key: L::Key, property: L::Property) -> Result<(), IndexError<L::Key>>
    where
        L: TwoPhase,
    {
        self.layout.insert(key, property)
    }

    /// Files keys under properties, as [`insert`](Self::insert), up to the first that is refused.
    /// O(keys); in a `SortedIndex` O(n log n).
    ///
    /// An empty `SortedIndex` or `GridIndex` first arranges the pairs whose slots ascend, which takes less time and
    /// memory. Then any of these may be filed if allocation fails, and none if the iterator or `Ord` panics.
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does. The pairs before are filed then; those after it are not taken from the
    /// iterator.
    ///
    /// # Panics
    /// If the iterator or code of the properties panics. The index stays consistent.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, 17), (kite, 18)]).unwrap();
    /// assert_eq!(index.len(), 2);
    /// ```
    #[doc(alias("from_iter", "build"))]
    pub fn extend(
        &mut self,
        pairs: impl IntoIterator<Item = (L::Key, L::Property)>,
    ) -> Result<(), IndexError<L::Key>>
    where
        L: TwoPhase,
    {
        self.layout.extend(pairs)
    }
}

/// The index as a whole.
impl<L: KeyLayout> KeyIndex<L> {
    /// Makes room for `additional` more keys. So many are filed then without allocating, if their slots are below
    /// the number of keys then, as those of a container of this capacity are.
    /// O(keys).
    ///
    /// The same is true of keys that are removed and others that are filed instead, with these limits:
    /// - `UniqueIndex`: none. The table has room for twice as many.
    /// - `MultiIndex`: keys may have any properties, but properties that have had more than twice as many keys as they
    ///   have may need memory: a list of keys keeps its room until it is empty. A key takes 130 to 190 bytes for
    ///   that, with a property of 4.
    /// - `SortedIndex`: more than 16 keys with one property may need memory, and more than 32 do, since they lie side
    ///   by side. For eight keys that there is room for there are two leaves.
    /// - `GridIndex`: none. Points may be anywhere, and move anywhere: a point takes some 340 bytes for that, each
    ///   being the only one of its cells.
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// # index.insert(wren, 17).unwrap();
    /// index.reserve(100);
    /// let before = index.stats().memory.committed;
    /// index.insert(kite, 18).unwrap();
    /// assert_eq!(index.stats().memory.committed, before);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<L::Shown, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing visible has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// # index.insert(wren, 17).unwrap();
    /// assert!(index.try_reserve(100).is_ok());
    /// assert!(index.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.layout.try_reserve(additional)
    }

    /// Gives back memory that the keys do not need, as far as the allocator agrees. Keys stay filed, and no code of
    /// their properties runs. O(keys that there was room for).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// # index.insert(wren, 17).unwrap();
    /// index.reserve(1_000);
    /// let before = index.stats().memory.committed;
    /// index.shrink_to_fit();
    /// assert!(index.stats().memory.committed < before / 10);
    /// assert!(index.contains_key(wren));
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.layout.shrink_to_fit();
    }

    /// Returns how many keys are filed, stale ones included. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// birds.remove(wren);
    /// assert_eq!(index.len(), 1); // the index was not told
    /// ```
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    /// Returns whether no key is filed. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(index.is_empty());
    /// index.insert(wren, 17).unwrap();
    /// assert!(!index.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether a key is filed. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// assert!(index.contains_key(wren) && !index.contains_key(kite));
    /// ```
    #[must_use]
    pub fn contains_key(&self, key: L::Key) -> bool {
        self.layout.contains_key(key)
    }

    /// Removes all keys that a container does not (or no longer) have. O(capacity). If the container
    /// or the `Drop` of a property panics, the keys visited before the panic are kept or removed as
    /// requested. (A [`BareHandle`](larder_core::key::BareHandle) stays if its slot has another object
    /// now.)
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.extend([(wren, 17), (kite, 18)]).unwrap();
    /// birds.remove(wren);
    /// index.retain_live(&birds);
    /// assert!(index.contains_key(kite) && index.len() == 1);
    /// ```
    #[doc(alias("flush", "remove_stale"))]
    pub fn retain_live(&mut self, of: &impl Container<Key = L::Key>) {
        self.layout.retain_live(of);
    }

    /// Removes all keys and keeps the memory. O(keys that there is room for).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// index.insert(wren, 17).unwrap();
    /// index.clear();
    /// assert!(index.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.layout.clear();
    }

    /// Returns its length, and where its memory goes: `values` are listed keys (and points), all else
    /// is bookkeeping. Memory that properties own is not counted. O(properties).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(index.stats().memory.committed, 0);
    /// index.insert(wren, 17).unwrap();
    /// assert!(index.stats().memory.values >= size_of_val(&wren));
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::beside(self.len(), self.layout.memory_usage())
    }
}

impl<L: KeyLayout> KeyIndex<L> {
    /// Panics if the index is inconsistent, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.layout.validate();
    }
}

impl<L: Default> Default for KeyIndex<L> {
    /// An empty index.
    fn default() -> Self {
        Self { layout: L::default() }
    }
}

/// Formats the index as a map: from properties to keys, or from keys to points.
impl<L: fmt::Debug> fmt::Debug for KeyIndex<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.layout.fmt(f)
    }
}

/// Names of indices, as panics say them.
pub(super) mod shown {
    use core::marker::PhantomData;

    #[derive(Debug)]
    #[expect(unnameable_types, reason = "panics name it")]
    pub struct SortedIndex<Q, K>(PhantomData<(Q, K)>);
    #[derive(Debug)]
    #[expect(unnameable_types, reason = "panics name it")]
    pub struct GridIndex<K, const N: usize>(PhantomData<K>);
}
