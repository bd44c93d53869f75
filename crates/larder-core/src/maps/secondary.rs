//! Side data: the map, whatever layout its entries have.

pub(super) mod entry;
mod walk;

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use entry::{Entry, OccupiedEntry, VacantEntry};
pub use walk::{Drain, ExtractIf, IntoIter, IntoValues, Iter, IterMut, Keys, Values, ValuesMut};

use crate::containers::container::Container;
use crate::containers::{LinkStore, LinkStoreMut};
use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::explain;
use crate::key::Key;
use crate::maps::raw::side::Array;
use crate::maps::side_layout::SideLayout;
use crate::room;
use crate::stats::Stats;

/// Hidden lines of the examples: two keys with values in a map.
macro_rules! example {
    () => {
        "# use larder::{Arena, Handle, SecondaryMap};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut ages = SecondaryMap::from_iter([(wren, 2), (kite, 5)]);"
    };
}

/// Values under the keys of a container, in one of two layouts: a [`SecondaryMap`] or a `SparseSecondaryMap`.
///
/// Use these names. All methods are here; `L` says how the entries lie.
///
/// # Layouts
/// | | [`SecondaryMap`] | `SparseSecondaryMap` |
/// |---|---|---|
/// | entries lie | in an array, by slot | side by side, found by hash |
/// | order of walks | in slot order | in order of insertion, except that the last entry fills the gap of a removed one |
/// | cost of a walk | O(entries + capacity / 64) | O(entries) |
/// | the capacity counts | slots of the array | entries |
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap, maps::SparseSecondaryMap};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
/// let weights = SecondaryMap::from_iter([(wren, 9), (kite, 900)]); // of every bird
/// let rings = SparseSecondaryMap::from_iter([(kite, "GB 4711")]); // of few
/// assert_eq!((weights[wren], rings.get(wren), rings[kite]), (9, None, "GB 4711"));
/// ```
pub struct SideMap<K: Key, V, L = Array<K, V>> {
    pub(crate) map: L,
    of: PhantomData<(fn() -> K, V)>,
}

/// Values under the keys of a container: side data for its objects, by slot.
///
/// The container is not linked to the map: when an object is removed, its entry stays, and is *stale*. A
/// stale entry is never returned for the next object in the slot, since the keys differ. It is replaced when
/// a value is inserted for that object, and [`retain_live`](SideMap::retain_live) drops all stale entries.
/// [`join`](crate::join()) walks maps and containers together and skips stale entries.
///
/// Use `SparseSecondaryMap` (feature `hashbrown`) if few of the objects have an entry. With values of type `()` a map
/// is a set of keys.
///
/// # Layout
/// ```text
/// array      ┌ value 0 │ gen ┬ value 1 │ gen ┬ …     by slot
/// occupancy  1 0 1 1 …                               one bit a slot
/// ```
/// A value lies beside its generation, in the slot that its key names, like in an [`Arena`](crate::Arena).
///
/// # Memory
/// That of a value, its generation (4 bytes, padded to the value's alignment) and a bit for each slot up to
/// the largest that has had an entry; while the map grows, up to twice that, and up to 8 times that for the
/// bits, or 512 bytes. The keys of a container name slots of objects that it has or had, so the map is never
/// much larger than the container was. A key from a file, the network or another container can name any slot:
/// as with `Vec::resize`, inserting under it asks the allocator for all slots below it at once. Beyond 4 MiB
/// only the pages of used slots take memory, where these are few and the allocator has pages that the system
/// provides on first use. If allocation fails, [`try_insert`](SideMap::try_insert) returns an error,
/// [`insert`](SideMap::insert) panics, and nothing has changed. `SparseSecondaryMap` takes memory for its
/// entries only, whatever slots keys name.
///
/// A map that is loaded, with serde or from a snapshot, must not be much larger than its file: its array may have 16
/// KiB, and for each entry 2 KiB or 8 slots. A file whose slots are farther apart is an error, also if it is a map's
/// that had so few entries; it can be loaded as a `SparseSecondaryMap`, or with serde as a `Vec<(K, V)>`, and
/// [collected](SideMap::from_iter) into a map, which has no limit.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1) amortised |
/// | `get`, `remove` | O(1): one cache line |
/// | walk | O(entries + capacity / 64): 64 slots at a time |
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
///
/// let mut speeds = SecondaryMap::new();
/// speeds.insert(wren, 8.5);
/// speeds.insert(kite, 12.0);
/// birds.remove(wren);
///
/// let robin = birds.insert("robin"); // in the wren's slot
/// assert_eq!(speeds.get(robin), None);
/// assert_eq!(speeds[kite], 12.0);
/// ```
#[doc(alias("side table", "component", "column", "EntityMap", "ArenaMap", "sparse set"))]
pub type SecondaryMap<K, V> = SideMap<K, V>;

/// Making.
impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Makes an empty map. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, SecondaryMap};
    ///
    /// struct Bird;
    ///
    /// static SPEEDS: SecondaryMap<Handle<Bird>, f32> = SecondaryMap::new();
    /// assert!(SPEEDS.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { map: L::NEW, of: PhantomData }
    }
}

/// Capacity and memory.
impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Makes an empty map with this [capacity](SideMap#layouts) at least. O(capacity).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let weights = SecondaryMap::<Handle<&str>, u8>::with_capacity(100);
    /// assert!(weights.is_empty() && weights.capacity() >= 100);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut this = Self::new();
        this.set_capacity(capacity);
        this
    }

    /// Returns how many entries there are, stale ones included. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// birds.remove(wren);
    /// assert_eq!(ages.len(), 2); // the map was not told
    /// ages.retain_live(&birds);
    /// assert_eq!(ages.len(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns whether there are no entries. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(!ages.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the capacity: of slots, or of entries (see [Layouts](SideMap#layouts)). O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.capacity() >= 2);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.map.capacity()
    }

    /// Grows to at least this [capacity](SideMap#layouts). O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.set_capacity(100);
    /// assert!(ages.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn set_capacity(&mut self, capacity: usize) {
        room::granted::<L::Shown, _>(self.try_set_capacity(capacity));
    }

    /// Like [`set_capacity`](Self::set_capacity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.try_set_capacity(100).is_ok());
    /// assert!(ages.try_set_capacity(usize::MAX).is_err());
    /// ```
    pub fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.map.try_set_capacity(capacity)
    }

    /// Makes room for at least `additional` entries more: that many are inserted, and removed and inserted again,
    /// without allocating. O(capacity).
    ///
    /// In a [`SecondaryMap`] the slots of their keys have to be below the capacity, as those of a container of this
    /// capacity are; in a `SparseSecondaryMap` they may be any.
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.reserve(100);
    /// assert!(ages.capacity() >= 102);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<L::Shown, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.try_reserve(100).is_ok());
    /// assert!(ages.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.map.try_set_capacity(self.len().saturating_add(additional))
    }

    /// Frees unused memory, as far as the allocator agrees. O(entries + capacity).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.set_capacity(1_000);
    /// ages.shrink_to_fit();
    /// assert!(ages.capacity() < 1_000);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.map.shrink_to_fit();
    }

    /// Returns its length, and where its memory goes. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.stats().memory.values, 2 * size_of::<i32>());
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::beside(self.len(), self.map.memory_usage())
    }
}

/// Inserting.
impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Inserts a value under a key, and returns the value that this key had. O(1) amortised.
    ///
    /// The value of an *earlier* key of the slot is stale, and is dropped. If the slot has the value of a
    /// *later* key, this key is stale: the value is dropped, nothing changes, and the result is `None`, as
    /// with `slotmap`. The same holds for a dangling key. [`try_insert`](Self::try_insert) returns an
    /// error instead. (A `BareHandle` is never stale, since it has no generation.)
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.insert(wren, 3), Some(2));
    ///
    /// birds.remove(wren);
    /// let owl = birds.insert("owl"); // in the same slot
    /// assert_eq!(ages.insert(owl, 1), None);
    /// assert_eq!(ages.insert(wren, 4), None); // too late: nothing changes
    /// assert_eq!(ages.get(wren), None);
    /// ```
    #[inline(always)] // A call, and a result in memory, would take as long as the insertion.
    #[track_caller]
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.map.try_insert(key, value) {
            Ok(before) => before,
            Err(refused) => Self::not_inserted(refused.reason),
        }
    }

    /// Like [`insert`](Self::insert), but returns the value in the error. O(1) amortised.
    ///
    /// # Errors
    /// If the key is stale or dangling, or allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// birds.remove(wren);
    /// let owl = birds.insert("owl");
    /// ages.insert(owl, 1);
    /// let refused = ages.try_insert(wren, 2).unwrap_err();
    /// assert_eq!(refused.reason, larder::maps::SecondaryInsertErrorKind::Stale { tenant: owl });
    /// ```
    #[inline]
    pub fn try_insert(
        &mut self,
        key: K,
        value: V,
    ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        self.map.try_insert(key, value)
    }

    /// Returns the entry of a key, for inserting, changing or removing its value. `None` if the key
    /// cannot have a value: it is dangling, or its slot has the value of a later key. O(1).
    ///
    /// A stale value of an earlier key stays until a value is inserted.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// for _ in 0..3 {
    ///     *ages.entry(wren).unwrap().or_insert(0) += 1;
    /// }
    /// assert_eq!(ages[wren], 5);
    /// ```
    #[inline]
    pub fn entry(&mut self, key: K) -> Option<Entry<'_, K, V, L>> {
        if self.contains_key(key) {
            return Some(Entry::Occupied(OccupiedEntry { map: self, key }));
        }
        let reason = SecondaryInsertErrorKind::of(key, self.map.key_at(key.slot()));
        reason.is_none().then_some(Entry::Vacant(VacantEntry { map: self, key }))
    }
}

/// Looking up.
impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Returns the value of a key, if it has one. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.get(wren), Some(&2));
    ///
    /// birds.remove(wren);
    /// let owl = birds.insert("owl"); // in the same slot
    /// assert_eq!(ages.get(owl), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        self.map.get(key)
    }

    /// Returns the value of a key for mutation. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// *ages.get_mut(wren).unwrap() += 1;
    /// assert_eq!(ages[wren], 3);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.map.get_mut(key)
    }

    /// Returns whether a key has a value. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.remove(kite);
    /// assert!(ages.contains_key(wren) && !ages.contains_key(kite));
    /// ```
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// Returns several values at once for mutation. O(n²) for n keys.
    ///
    /// # Errors
    /// If a key has no value, or two keys name the same slot.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let [a, b] = ages.get_disjoint_mut([wren, kite]).unwrap();
    /// core::mem::swap(a, b);
    /// assert_eq!((ages[wren], ages[kite]), (5, 2));
    /// assert!(ages.get_disjoint_mut([wren, wren]).is_err());
    /// ```
    pub fn get_disjoint_mut<const KEYS: usize>(
        &mut self,
        keys: [K; KEYS],
    ) -> Result<[&mut V; KEYS], GetDisjointMutError> {
        self.map.get_disjoint_mut(keys)
    }

    /// Returns the key, stale or not, that has a value in a slot. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.key_of_slot(kite.slot()), Some(kite));
    /// assert_eq!(ages.key_of_slot(2), None);
    /// ```
    #[doc(alias = "key_at")]
    #[inline]
    #[must_use]
    pub fn key_of_slot(&self, slot: u32) -> Option<K> {
        self.map.key_at(slot)
    }
}

/// Panics if the key has no value, and says what its slot has.
impl<K: Key, V, L: SideLayout<K, V>> Index<K> for SideMap<K, V, L> {
    type Output = V;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.map.get(key) {
            Some(value) => value,
            None => self.no_entry(key),
        }
    }
}

/// Panics if the key has no value, and says what its slot has.
impl<K: Key, V, L: SideLayout<K, V>> IndexMut<K> for SideMap<K, V, L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        if !self.contains_key(key) {
            self.no_entry(key);
        }
        match self.map.get_mut(key) {
            Some(value) => value,
            None => unreachable!(),
        }
    }
}

/// Removing.
impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Removes the value of a key and returns it, if it has one. O(1), without memory.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.remove(wren), Some(2));
    /// assert_eq!(ages.remove(wren), None);
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<V> {
        self.map.remove(key)
    }

    /// Drops the values for which `keep` returns `false`. If `keep` or a value's `Drop` panics, the entries visited
    /// before the panic are kept or removed as requested. O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.retain(|_, age| *age > 3);
    /// assert!(ages.keys().eq([kite]));
    /// ```
    #[inline]
    pub fn retain(&mut self, keep: impl FnMut(K, &mut V) -> bool) {
        self.map.retain(keep);
    }

    /// Drops the values of stale keys: those that a container, or another map, does not have. If a
    /// value's `Drop` panics, the entries visited before the panic are kept or removed as requested.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// birds.remove(wren);
    /// assert_eq!(ages.get(wren), Some(&2));
    /// ages.retain_live(&birds);
    /// assert!(ages.iter().eq([(kite, &5)]));
    /// ```
    #[doc(alias("flush", "remove_stale"))]
    pub fn retain_live(&mut self, of: &impl Container<Key = K>) {
        self.retain(|key, _| of.contains_key(key));
    }

    /// Drops all values and keeps the memory.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.clear();
    /// assert!(ages.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.map.clear();
    }

    /// Removes and returns all entries. Entries not pulled are removed when the iterator is dropped, even if a value's
    /// `Drop` panics. O(1) an entry.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.drain().eq([(wren, 2), (kite, 5)]));
    /// assert!(ages.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, K, V, L::Drain<'_>> {
        Drain::of(self.map.drain())
    }

    /// Removes and returns the entries for which `choose` returns `true`. Unvisited entries remain. O(1) a
    /// visited entry.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.extract_if(|_, age| *age > 3).eq([(kite, 5)]));
    /// assert_eq!(ages.len(), 1);
    /// ```
    pub fn extract_if<F: FnMut(K, &mut V) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, K, V, F, L::ExtractIf<'_, F>> {
        ExtractIf(self.map.extract_if(choose), PhantomData)
    }
}

/// Iterating in the [order of the layout](SideMap#layouts), over stale entries too.
impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Walks keys and values.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.iter().eq([(wren, &2), (kite, &5)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V, L::Iter<'_>> {
        Iter::of(self.map.iter())
    }

    /// Walks keys and values, for changing the values.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// for (bird, age) in ages.iter_mut() {
    ///     *age += bird.slot() as i32;
    /// }
    /// assert!(ages.values().eq(&[2, 6]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V, L::IterMut<'_>> {
        IterMut::of(self.map.iter_mut())
    }

    /// Walks the keys.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.keys().eq([wren, kite]));
    /// ```
    #[inline]
    pub fn keys(&self) -> Keys<'_, K, V, L::Iter<'_>> {
        Keys::of(self.iter())
    }

    /// Walks the values.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.values().sum::<i32>(), 7);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<'_, K, V, L::Iter<'_>> {
        Values::of(self.iter())
    }

    /// Walks the values, for changing them.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// ages.values_mut().for_each(|age| *age += 1);
    /// assert_eq!(ages[wren], 3);
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V, L::IterMut<'_>> {
        ValuesMut::of(self.iter_mut())
    }

    /// Turns the map into its values.
    /// O(a [walk](SideMap#layouts)).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(ages.into_values().eq([2, 5]));
    /// ```
    #[inline]
    pub fn into_values(self) -> IntoValues<K, V, L::IntoIter> {
        IntoValues::of(self.into_iter())
    }
}

impl<K: Key, V, L: SideLayout<K, V>> Default for SideMap<K, V, L> {
    /// An empty map.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, V: fmt::Debug, L: SideLayout<K, V>> fmt::Debug for SideMap<K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Key, V, L: SideLayout<K, V>> Container for SideMap<K, V, L> {
    type Key = K;
    type Removed = V;

    #[inline]
    fn contains_key(&self, key: K) -> bool {
        self.contains_key(key)
    }

    #[inline]
    fn remove(&mut self, key: K) -> Option<V> {
        self.remove(key)
    }
}

/// Links beside the objects, which a [`Replica`](crate::track::Replica) lends where a hierarchy is sent.
#[diagnostic::do_not_recommend]
impl<K: Key, V: AsRef<L>, L> LinkStore<L> for SecondaryMap<K, V> {
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&L> {
        self.get(key).map(AsRef::as_ref)
    }
}

#[diagnostic::do_not_recommend]
impl<K: Key, V: AsRef<L> + AsMut<L>, L> LinkStoreMut<L> for SecondaryMap<K, V> {
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut L> {
        self.get_mut(key).map(AsMut::as_mut)
    }
}

/// A clone has clones of the values under the same keys.
impl<K: Key, V: Clone, L: SideLayout<K, V>> Clone for SideMap<K, V, L> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        Self { map: room::granted::<L::Shown, _>(self.map.try_clone()), of: PhantomData }
    }
}

/// Maps are equal if the same keys have equal values, in any order.
impl<K: Key, V: PartialEq, L: SideLayout<K, V>> PartialEq for SideMap<K, V, L> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Key, V: Eq, L: SideLayout<K, V>> Eq for SideMap<K, V, L> {}

/// Inserts entries one after the other, as [`insert`](Self::insert) does.
impl<K: Key, V, L: SideLayout<K, V>> Extend<(K, V)> for SideMap<K, V, L> {
    /// # Panics
    /// Panics as [`insert`](Self::insert) does. The entries before are inserted.
    #[track_caller]
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<'a, K: Key, V: Copy + 'a, L: SideLayout<K, V>> Extend<(K, &'a V)> for SideMap<K, V, L> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = (K, &'a V)>>(&mut self, entries: I) {
        self.extend(entries.into_iter().map(|(key, value)| (key, *value)));
    }
}

impl<K: Key, V, L: SideLayout<K, V>> FromIterator<(K, V)> for SideMap<K, V, L> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Key, V, L: SideLayout<K, V>> IntoIterator for SideMap<K, V, L> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V, L::IntoIter>;

    #[inline]
    fn into_iter(self) -> IntoIter<K, V, L::IntoIter> {
        IntoIter::of(self.map.into_iter())
    }
}

impl<'a, K: Key, V, L: SideLayout<K, V>> IntoIterator for &'a SideMap<K, V, L> {
    type Item = (K, &'a V);
    type IntoIter = Iter<'a, K, V, L::Iter<'a>>;

    #[inline]
    fn into_iter(self) -> Iter<'a, K, V, L::Iter<'a>> {
        self.iter()
    }
}

impl<'a, K: Key, V, L: SideLayout<K, V>> IntoIterator for &'a mut SideMap<K, V, L> {
    type Item = (K, &'a mut V);
    type IntoIter = IterMut<'a, K, V, L::IterMut<'a>>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, K, V, L::IterMut<'a>> {
        self.iter_mut()
    }
}

impl<K: Key, V, L: SideLayout<K, V>> SideMap<K, V, L> {
    /// Panics if the map is inconsistent, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.map.validate();
    }

    /// Panics with the message of `Index` for a key that has no value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn no_entry(&self, key: K) -> ! {
        explain::no_entry::<L::Shown, K>(key, self.key_of_slot(key.slot()))
    }

    /// Panics if allocation failed; a key that is not inserted for another reason has no value to return.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn not_inserted(reason: SecondaryInsertErrorKind<K>) -> Option<V> {
        if let SecondaryInsertErrorKind::Memory(reason) = reason {
            room::refused::<L::Shown>(&reason);
        }
        None
    }
}
