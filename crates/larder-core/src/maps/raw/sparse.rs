//! Pairs of keys and values side by side, found by slot through a table of hashes: what
//! [`SparseSecondaryMap`](crate::maps::SparseSecondaryMap) is made of.
//!
//! **Invariant.**
//! 1. Each entry, and nothing else, has its position in the table, under the hash of its slot. So each
//!    position there is one of an entry.
//! 2. No two entries have the same slot. (A join hands out `&mut` to what it finds.)

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

mod rewind;
#[cfg(test)]
mod tests;

use alloc::vec::{self, Vec};
use core::iter::FusedIterator;
use core::ptr::NonNull;
use core::{mem, slice};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind as Reason, TryReserveError,
};
use crate::key::Key;
use crate::maps::side_layout::{self, LentEntries, SideLayout};
use crate::memory::OnDrop;
use crate::memory::storage::Numbered;
use crate::raw::join::{JoinView, Viewed};
use crate::raw::parts::{ItemPart, ItemParts};
use crate::raw::slots::find_disjoint;
use crate::room::of_table;
use crate::stats::MemoryUsage;

/// Entries found by hash, as those of a [`SparseSecondaryMap`](crate::maps::SparseSecondaryMap).
///
/// # Examples
/// ```
/// use larder::{Handle, maps::{SideMap, SparseSecondaryMap, layout::Sparse}};
///
/// let rings: SideMap<Handle<&str>, u32, Sparse<Handle<&str>, u32>> = SparseSecondaryMap::new();
/// assert!(rings.is_empty());
/// ```
// (They are in the order in which they came, but that the last one fills a gap.)
pub struct Sparse<K: Key, V> {
    entries: Vec<(K, V)>,
    positions: HashTable<u32>,
}

/// Returns the number of entries for which the smallest table has room, since a vector grows in place more easily than
/// a table does. (A table of large entries gets the least that hashbrown makes.)
const fn least<E>() -> usize {
    if size_of::<E>() <= 64 { 14 } else { 0 }
}

/// The number of buckets that hashbrown probes together.
#[cfg(any(test, feature = "__test"))]
const GROUP: usize =
    if cfg!(all(target_feature = "sse2", not(miri))) { 16 } else { size_of::<u64>() };

/// The hash of a slot: a product whose halves change places, since tables look at the lowest bits first. The
/// factor spreads slots in a row so evenly that each is found where it is looked for first, and those at
/// other regular distances well. No other hash depends on it, and no two slots have the same: of 2³² slots,
/// 2³² divided by the number of places in the table begin at one place, so that slots chosen to meet take
/// bounded time (docs/decisions/side-data.md).
#[inline]
const fn hash_of(slot: u32) -> u64 {
    (slot as u64).wrapping_mul(0xF304_DA79_576C_855B).rotate_left(32)
}

/// Adds all positions to a table that has room for them.
fn fill<K: Key, V>(positions: &mut HashTable<u32>, entries: &[(K, V)]) {
    for (position, (key, _)) in (0..).zip(entries) {
        positions.insert_unique(hash_of(key.slot()), position, |_| 0);
    }
}

/// Gives a value back.
const fn refuse<K, V>(
    key: K,
    value: V,
    reason: Reason<K>,
) -> Result<Option<V>, SecondaryInsertError<K, V>> {
    Err(SecondaryInsertError { key, value, reason })
}

/// Returns the error of a vector that cannot have that many more elements.
fn refused<T>(length: usize, additional: usize) -> TryReserveError {
    let requested = length.saturating_add(additional);
    match requested.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize) {
        Some(bytes) => TryReserveError::AllocRefused { bytes },
        None => {
            let max = isize::MAX as usize / size_of::<T>().max(1);
            TryReserveError::CapacityOverflow { requested, max }
        }
    }
}

/// Memory.
impl<K: Key, V> Sparse<K, V> {
    /// Returns the number of positions for which the table has room, if no deleted entries take any of it.
    fn full(&self) -> usize {
        self.positions.num_buckets() / 8 * 7
    }

    /// Makes room for `additional` more entries. On an error nothing has changed.
    #[cold]
    #[inline(never)]
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let length = self.len();
        let needed = length.saturating_add(additional);
        if additional == 0 {
            return Ok(());
        }
        let refused = |_| refused::<(K, V)>(length, additional);
        self.entries.try_reserve(additional).map_err(refused)?;
        if needed <= self.positions.capacity() {
            return Ok(());
        }
        // If half of the table was deleted entries, it stays as large.
        if needed <= self.full() / 2 {
            self.find_all_again();
        } else {
            self.positions = self.table_for(needed.max(self.full() + 1).max(least::<(K, V)>()))?;
        }
        Ok(())
    }

    /// Returns a table of all positions, with room for `room` of them. (It is filled in the order of the entries, which
    /// lie side by side: the old table has them in no order.)
    fn table_for(&self, room: usize) -> Result<HashTable<u32>, TryReserveError> {
        let mut positions = HashTable::new();
        let reserved = positions.try_reserve(room, |_| 0);
        reserved.map_err(|refused| of_table(refused, room, u32::MAX as usize))?;
        fill(&mut positions, &self.entries);
        Ok(positions)
    }

    /// Fills the table anew, which has room for all positions.
    fn find_all_again(&mut self) {
        self.positions.clear();
        fill(&mut self.positions, &self.entries);
    }
}

/// Looking up.
impl<K: Key, V> Sparse<K, V> {
    /// The entry at a position that the table has. (Without a check, a lookup takes a tenth less.)
    ///
    /// # Safety
    /// The position is one of the table.
    #[inline(always)]
    unsafe fn at(&self, position: u32) -> &(K, V) {
        // SAFETY: by (1) there is an entry.
        unsafe { self.entries.get_unchecked(position as usize) }
    }

    /// The position of the entry of a slot whose key is accepted.
    #[inline(always)]
    fn find(&self, slot: u32, accepts: impl Fn(K) -> bool) -> Option<u32> {
        // SAFETY: the position is one of the table.
        self.positions.find(hash_of(slot), |&at| accepts(unsafe { self.at(at) }.0)).copied()
    }
}

/// Inserting and removing.
impl<K: Key, V> Sparse<K, V> {
    /// Replaces an entry by that of a key of the same slot, which can be live.
    fn renew(
        &mut self,
        position: u32,
        key: K,
        value: V,
    ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        let entry = &mut self.entries[position as usize];
        if key.is_older_than(entry.0) {
            return refuse(key, value, Reason::Stale { tenant: entry.0 });
        }
        let (tenant, before) = mem::replace(entry, (key, value));
        Ok((tenant == key).then_some(before))
    }

    /// Takes the entry at a position out; the last one fills the gap.
    fn take(&mut self, position: usize) -> (K, V) {
        let last = self.len() - 1;
        let hash = |position: usize| hash_of(self.entries[position].0.slot());
        let (gone, moved) = (hash(position), hash(last));
        if let Ok(gone) = self.positions.find_entry(gone, |&at| at as usize == position) {
            gone.remove();
        }
        if let Some(at) = self.positions.find_mut(moved, |&at| at as usize == last) {
            *at = position as u32;
        }
        self.entries.swap_remove(position)
    }

    /// Returns the greatest number of groups that are probed for an entry.
    #[cfg(any(test, feature = "__test"))]
    pub(crate) fn longest_probe(&self) -> usize {
        let mask = self.positions.num_buckets().saturating_sub(1);
        let probes = self.entries.iter().enumerate().filter_map(|(position, (key, _))| {
            let hash = hash_of(key.slot());
            let found = self.positions.find_bucket_index(hash, |&at| at as usize == position)?;
            // The groups are probed at triangular distances, as hashbrown does.
            let mut begins = (0..=mask).scan(hash as usize & mask, |at, group| {
                *at += group * GROUP;
                Some(*at)
            });
            begins.position(|at| found.wrapping_sub(at) & mask < GROUP)
        });
        probes.max().map_or(0, |beyond| beyond + 1)
    }
}

impl<K: Key, V> SideLayout<K, V> for Sparse<K, V> {
    type Shown = side_layout::SparseSecondaryMap<K, V>;

    const NEW: Self = Self { entries: Vec::new(), positions: HashTable::new() };
    const SLOT_BYTES: Option<usize> = None;

    const KIND: &'static str = "sparse side data";

    type Iter<'a>
        = Iter<'a, K, V>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    type IterMut<'a>
        = IterMut<'a, K, V>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    type IntoIter = vec::IntoIter<(K, V)>;
    type Drain<'a>
        = vec::Drain<'a, (K, V)>
    where
        Self: 'a,
        K: 'a,
        V: 'a;
    type ExtractIf<'a, F: FnMut(K, &mut V) -> bool>
        = ExtractIf<'a, K, V, F>
    where
        Self: 'a,
        K: 'a,
        V: 'a;

    #[inline]
    fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the number of entries for which there is room.
    fn capacity(&self) -> usize {
        self.entries.capacity().min(self.positions.capacity())
    }

    fn memory_usage(&self) -> MemoryUsage {
        let entries = if size_of::<(K, V)>() == 0 { 0 } else { self.entries.capacity() };
        let committed = entries * size_of::<(K, V)>() + self.positions.allocation_size();
        let values = self.len() * size_of::<V>();
        let unused = (entries - self.len()) * size_of::<(K, V)>();
        let bookkeeping = committed - values - unused;
        MemoryUsage { values, holes: 0, unused, bookkeeping, committed, reserved: committed }
    }

    /// Makes room for `entries` entries, which may be removed and others inserted. On an error nothing visible has
    /// changed.
    fn try_set_capacity(&mut self, entries: usize) -> Result<(), TryReserveError> {
        let length = self.len();
        let additional = entries.saturating_sub(length);
        let refused = |_| refused::<(K, V)>(length, additional);
        self.entries.try_reserve(additional).map_err(refused)?;
        // (Half of a table may be entries that are gone.)
        if entries.saturating_mul(2) > self.full() {
            self.positions = self.table_for(entries.saturating_mul(2).max(least::<(K, V)>()))?;
        }
        Ok(())
    }

    /// Gives back what memory the entries do not need.
    fn shrink_to_fit(&mut self) {
        // If allocation fails, the memory stays, and nothing is lost. (The methods of the same name would end the
        // program.)
        let (mut entries, spare) = (Vec::new(), self.entries.capacity() - self.len());
        if spare > 0 && entries.try_reserve_exact(self.len()).is_ok() {
            entries.append(&mut self.entries);
            self.entries = entries;
        }
        if let Ok(positions) = self.table_for(self.len()) {
            self.positions = positions;
        }
    }

    #[inline]
    fn get(&self, key: K) -> Option<&V> {
        let position = self.find(key.slot(), |other| other == key)?;
        // SAFETY: the position is one of the table.
        Some(&unsafe { self.at(position) }.1)
    }

    #[inline]
    fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let position = self.find(key.slot(), |other| other == key)?;
        Some(&mut self.entries[position as usize].1)
    }

    fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut V; N], GetDisjointMutError> {
        let position = |key: K| self.find(key.slot(), |other| other == key);
        let found = find_disjoint(keys, |key| position(key).map(|at| at as usize))?;
        let view = self.view_mut();
        // SAFETY: the entries are there, and different ones by (2); `self` is borrowed exclusively.
        Ok(found.map(|at| unsafe { view.numbered(at).1.lend_mut() }))
    }

    #[inline]
    fn key_at(&self, slot: u32) -> Option<K> {
        let position = self.find(slot, |key| key.slot() == slot)?;
        Some(self.entries[position as usize].0)
    }

    /// Inserts, or gives the value back. An earlier tenant's value is dropped when the new one is in. (The table is
    /// searched once.)
    #[inline]
    fn try_insert(&mut self, key: K, value: V) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        if !key.can_be_live() {
            return refuse(key, value, Reason::Dangling);
        }
        let length = self.len();
        if length == self.entries.capacity() || self.positions.len() == self.positions.capacity() {
            if let Some(position) = self.find(key.slot(), |other| other.slot() == key.slot()) {
                return self.renew(position, key, value);
            }
            if let Err(reason) = self.try_reserve(1) {
                return refuse(key, value, Reason::Memory(reason));
            }
        }
        let entries = &self.entries;
        let has_slot = |&at: &u32| entries[at as usize].0.slot() == key.slot();
        match self.positions.entry(hash_of(key.slot()), has_slot, |_| 0) {
            Entry::Occupied(there) => {
                let position = *there.get();
                self.renew(position, key, value)
            }
            Entry::Vacant(vacant) => {
                vacant.insert(length as u32);
                self.entries.push((key, value));
                Ok(None)
            }
        }
    }

    fn remove(&mut self, key: K) -> Option<V> {
        let position = self.find(key.slot(), |other| other == key)?;
        Some(self.take(position as usize).1)
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    fn retain(&mut self, mut keep: impl FnMut(K, &mut V) -> bool) {
        let left = OnDrop::new(self, |this| this.find_all_again());
        left.held.entries.retain_mut(|(key, value)| keep(*key, value));
        if left.held.len() == left.held.positions.len() {
            mem::forget(left);
        }
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.entries.clear();
    }

    #[inline]
    fn iter<'a>(&'a self) -> Iter<'a, K, V>
    where
        K: 'a,
        V: 'a,
    {
        ItemParts::of(self.entries.iter())
    }

    #[inline]
    fn iter_mut<'a>(&'a mut self) -> IterMut<'a, K, V>
    where
        K: 'a,
        V: 'a,
    {
        ItemParts::of(self.entries.iter_mut())
    }

    fn into_iter(self) -> vec::IntoIter<(K, V)> {
        self.entries.into_iter()
    }

    /// It is empty at once; the entries are the iterator's.
    fn drain<'a>(&'a mut self) -> vec::Drain<'a, (K, V)>
    where
        K: 'a,
        V: 'a,
    {
        self.positions.clear();
        self.entries.drain(..)
    }

    fn extract_if<'a, F: FnMut(K, &mut V) -> bool>(
        &'a mut self,
        choose: F,
    ) -> ExtractIf<'a, K, V, F>
    where
        K: 'a,
        V: 'a,
    {
        ExtractIf { sparse: self, position: 0, choose }
    }

    fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        V: Clone,
    {
        let mut copy = Self::NEW;
        copy.try_reserve(self.len())?;
        copy.entries.extend(self.entries.iter().map(|(key, value)| (*key, value.clone())));
        copy.find_all_again();
        Ok(copy)
    }

    /// Panics where the table contradicts the entries.
    #[cfg(feature = "__test")]
    fn validate(&self) {
        for (position, (key, _)) in self.entries.iter().enumerate() {
            let found = self.find(key.slot(), |other| other.slot() == key.slot());
            assert_eq!(found, Some(position as u32), "{key:?} is found");
        }
        assert_eq!(self.positions.len(), self.len(), "every position is that of an entry");
    }
}

/// Keys and values.
pub(crate) type Iter<'a, K, V> = ItemParts<slice::Iter<'a, (K, V)>, KeyAndValue>;

/// Keys and mutable values.
pub(crate) type IterMut<'a, K, V> = ItemParts<slice::IterMut<'a, (K, V)>, KeyAndValue>;

/// The key and the value, which are lent apart.
#[derive(Clone)]
pub struct KeyAndValue;

impl<K, V> Default for Iter<'_, K, V> {
    fn default() -> Self {
        Self::of(Default::default())
    }
}

impl<'a, K: Key, V> ItemPart<&'a (K, V)> for KeyAndValue {
    type Of = (K, &'a V);

    #[inline(always)]
    fn of((key, value): &'a (K, V)) -> (K, &'a V) {
        (*key, value)
    }
}

impl<'a, K: Key, V> ItemPart<&'a mut (K, V)> for KeyAndValue {
    type Of = (K, &'a mut V);

    #[inline(always)]
    fn of((key, value): &'a mut (K, V)) -> (K, &'a mut V) {
        (*key, value)
    }
}

impl<K: Key, V> LentEntries for Iter<'_, K, V> {
    #[cfg(feature = "rayon")]
    fn divide(self) -> (Self, Option<Self>) {
        let entries = self.0.as_slice();
        let (below, above) = entries.split_at(entries.len() / 2);
        match below {
            [] => (self, None),
            _ => (Self::of(below.iter()), Some(Self::of(above.iter()))),
        }
    }
}

impl<K: Key, V> LentEntries for IterMut<'_, K, V> {
    #[cfg(feature = "rayon")]
    fn divide(self) -> (Self, Option<Self>) {
        let entries = self.0.into_slice();
        let (below, above) = entries.split_at_mut(entries.len() / 2);
        match below {
            [] => (Self::of(above.iter_mut()), None),
            _ => (Self::of(below.iter_mut()), Some(Self::of(above.iter_mut()))),
        }
    }
}

/// Removes what a closure chooses.
pub struct ExtractIf<'a, K: Key, V, F> {
    sparse: &'a mut Sparse<K, V>,
    /// The entries before this one stay.
    position: usize,
    choose: F,
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> Iterator for ExtractIf<'_, K, V, F> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        while let Some((key, value)) = self.sparse.entries.get_mut(self.position) {
            if (self.choose)(*key, value) {
                // The last entry, which fills the gap, is looked at next.
                return Some(self.sparse.take(self.position));
            }
            self.position += 1;
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.sparse.len() - self.position))
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> FusedIterator for ExtractIf<'_, K, V, F> {}

/// The map as a join sees it: `count` entries from `entries` on, and the table of their positions.
pub struct SparseView<'a, K, V> {
    positions: &'a HashTable<u32>,
    entries: NonNull<(K, V)>,
    count: usize,
}

// SAFETY: the table and the entries are this map's; those of an exclusive borrow are borrowed so.
unsafe impl<K: Key, V> Viewed for Sparse<K, V> {
    type View<'a>
        = SparseView<'a, K, V>
    where
        Self: 'a;

    fn view(&self) -> SparseView<'_, K, V> {
        let entries = NonNull::from(self.entries.as_slice());
        SparseView { positions: &self.positions, entries: entries.cast(), count: entries.len() }
    }

    fn view_mut(&mut self) -> SparseView<'_, K, V> {
        let entries = NonNull::from(self.entries.as_mut_slice());
        SparseView { positions: &self.positions, entries: entries.cast(), count: entries.len() }
    }
}

impl<K, V> Clone for SparseView<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

// SAFETY: by (1) the positions of the table are those of entries, and by (2) a key is found once.
unsafe impl<K: Key, V> JoinView for SparseView<'_, K, V> {
    type Key = K;
    type Place = Numbered<V, NonNull<V>>;

    #[inline]
    fn entries(&self) -> Option<usize> {
        Some(self.count)
    }

    #[inline]
    unsafe fn numbered(&self, number: usize) -> (K, Self::Place) {
        // SAFETY: there is such an entry, whose key does not change; what lies in it is not at null.
        unsafe {
            let entry = self.entries.add(number).as_ptr();
            ((*entry).0, Numbered::new(NonNull::new_unchecked(&raw mut (*entry).1), 0))
        }
    }

    #[inline]
    unsafe fn find(&mut self, key: K) -> Option<Self::Place> {
        // SAFETY: by (1) there is an entry at each position.
        unsafe {
            let is_its = |at: &u32| self.numbered(*at as usize).0 == key;
            let number = *self.positions.find(hash_of(key.slot()), is_its)?;
            Some(self.numbered(number as usize).1)
        }
    }
}
