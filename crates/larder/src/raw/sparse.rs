//! Pairs of keys and values side by side, found by slot through a table of hashes: what
//! [`SparseSecondaryMap`](crate::maps::SparseSecondaryMap) is made of, and where a
//! [`SecondaryMap`](crate::SecondaryMap) keeps what is far from all the rest.
//!
//! **Invariant.** Each entry, and nothing else, has a cell in the index, under the slot of its key; no
//! two entries have the same slot. (There is no unsafe operation here; but a join hands out `&mut` to what it
//! finds, so that it matters that a slot is found once.)

// (Safe code, and long loops.)
#[cfg(all(test, not(miri)))]
mod tests;

use alloc::vec::{self, Vec};
use core::iter::FusedIterator;
use core::{mem, slice};

use crate::error::TryReserveError;
use crate::key::{Key, spread};
use crate::macros::half::half_of_pairs;
use crate::raw::filled::Filled;
use crate::raw::keyed::Keyed;
use crate::stats::MemoryUsage;

/// Entries in the order in which they came, but that the last one fills a gap.
pub(crate) struct Sparse<K: Key, V> {
    entries: Vec<(K, V)>,
    index: Index,
}

/// At which position the entry of a slot is: an open table of slots and positions, probed in order.
///
/// **Invariant.** `cells` is empty, or a power of two of them, of which a quarter at least is free. Each
/// of the others can be reached from where its hash says, over cells that are not free.
///
/// The hash multiplies with an odd number that depends on where the cells lie. So keys that someone
/// chose to meet in one cell do not meet there in another run of the program. What is found, and in
/// which order a walk goes, does not depend on it.
struct Index {
    cells: Filled<u64>,
    multiplier: u64,
}

/// What is in no cell that is used: no position is so large.
const FREE: u64 = u64::MAX;

#[inline]
const fn cell(slot: u32, position: usize) -> u64 {
    (slot as u64) << 32 | position as u64
}

#[inline]
const fn slot_in(cell: u64) -> u32 {
    (cell >> 32) as u32
}

/// An odd number by which slots in a row, which most are, get homes far from each other, and chosen ones
/// others in each run of the program. Of all odd numbers many bring slots in a row together.
const fn multiplier_for(address: usize, cells: usize) -> u64 {
    let (mut candidate, mut tries) = (spread(address as u64) | 1, 0);
    while !keeps_apart(candidate, cells as u64) && tries < 1_000 {
        candidate = spread(candidate.wrapping_add(2)) | 1;
        tries += 1;
    }
    candidate
}

/// Whether the first multiples of a number, modulo 2⁶⁴, are about evenly far apart, for so many cells: they
/// are where the quotients of its continued fraction are small, as those of the golden ratio are.
const fn keeps_apart(number: u64, cells: u64) -> bool {
    // Euclid's algorithm on 2⁶⁴ and the number, which is odd.
    let mut quotient = u64::MAX / number;
    let (mut dividend, mut divisor) = (number, (quotient * number).wrapping_neg());
    let (mut before, mut multiples) = (0, 1);
    while quotient <= 4 {
        (before, multiples) = (multiples, quotient * multiples + before);
        if multiples >= cells {
            return true;
        }
        quotient = dividend / divisor;
        (dividend, divisor) = (divisor, dividend % divisor);
    }
    false
}

/// Where a slot's cell is looked for first. `cells`, a power of two, is at least 2.
#[inline]
const fn home(slot: u32, multiplier: u64, cells: usize) -> usize {
    (multiplier.wrapping_mul(slot as u64 + 1) >> (64 - cells.trailing_zeros())) as usize
}

/// The cell of a slot.
#[inline]
pub(crate) fn probe(cells: &[u64], multiplier: u64, slot: u32) -> Option<usize> {
    if cells.is_empty() {
        return None;
    }
    let mut at = home(slot, multiplier, cells.len());
    loop {
        let found = cells[at & (cells.len() - 1)];
        if slot_in(found) == slot && found != FREE {
            return Some(at & (cells.len() - 1));
        }
        if found == FREE {
            return None;
        }
        at += 1;
    }
}

impl Index {
    /// A small one has so many cells.
    const LEAST: usize = 4;

    const fn new() -> Self {
        Self { cells: Filled::new(), multiplier: 1 }
    }

    /// How many entries find their place.
    const fn room(cells: usize) -> usize {
        cells - cells / 4
    }

    /// One with room for so many entries, and none yet.
    fn with_room(entries: usize) -> Result<Self, TryReserveError> {
        let mut index = Self::new();
        if entries > 0 {
            let cells = (entries + entries.div_ceil(3)).next_power_of_two().max(Self::LEAST);
            index.cells.resize(cells, FREE)?;
            index.multiplier = multiplier_for(index.cells.start().addr().get(), cells);
        }
        Ok(index)
    }

    fn find(&self, slot: u32) -> Option<usize> {
        let at = probe(&self.cells, self.multiplier, slot)?;
        Some(self.cells[at] as u32 as usize)
    }

    /// The slot has no cell yet, and there is room.
    fn insert(&mut self, slot: u32, position: usize) {
        let (last, mut at) = (self.cells.len() - 1, home(slot, self.multiplier, self.cells.len()));
        while self.cells[at] != FREE {
            at = (at + 1) & last;
        }
        self.cells[at] = cell(slot, position);
    }

    /// The slot has a cell.
    fn set(&mut self, slot: u32, position: usize) {
        if let Some(at) = probe(&self.cells, self.multiplier, slot) {
            self.cells[at] = cell(slot, position);
        }
    }

    /// Frees the cell of a slot, and moves those that were past it for its sake.
    fn remove(&mut self, slot: u32) {
        let Some(mut gap) = probe(&self.cells, self.multiplier, slot) else { return };
        let last = self.cells.len() - 1;
        let mut at = gap;
        loop {
            at = (at + 1) & last;
            let moved = self.cells[at];
            if moved == FREE {
                break;
            }
            let home = home(slot_in(moved), self.multiplier, self.cells.len());
            // It may move if the gap is not before its home.
            if (at.wrapping_sub(home) & last) >= (at.wrapping_sub(gap) & last) {
                self.cells[gap] = moved;
                gap = at;
            }
        }
        self.cells[gap] = FREE;
    }

    fn clear(&mut self) {
        self.cells.fill(FREE);
    }
}

/// What a vector of that many more elements would be refused for.
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

impl<K: Key, V> Sparse<K, V> {
    pub(crate) const fn new() -> Self {
        Self { entries: Vec::new(), index: Index::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many entries there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity().min(Index::room(self.index.cells.len()))
    }

    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let entries = if size_of::<(K, V)>() == 0 { 0 } else { self.entries.capacity() };
        let committed = entries * size_of::<(K, V)>() + self.index.cells.bytes();
        let values = self.len() * size_of::<V>();
        let unused = (entries - self.len()) * size_of::<(K, V)>();
        let bookkeeping = committed - values - unused;
        MemoryUsage { values, holes: 0, unused, bookkeeping, committed, reserved: committed }
    }

    /// Makes room for so many entries.
    pub(crate) fn try_set_capacity(&mut self, entries: usize) -> Result<(), TryReserveError> {
        self.try_reserve(entries.saturating_sub(self.len()))
    }

    /// Gives back what memory the entries do not need.
    pub(crate) fn shrink_to_fit(&mut self) {
        // Where the allocator refuses, the memory stays: nothing is lost. (`Vec` would end the program.)
        let (mut entries, spare) = (Vec::new(), self.entries.capacity() - self.len());
        if spare > 0 && entries.try_reserve_exact(self.len()).is_ok() {
            entries.append(&mut self.entries);
            self.entries = entries;
        }
        if let Ok(index) = Index::with_room(self.len()) {
            if index.cells.len() < self.index.cells.len() {
                self.reindex(index);
            }
        }
    }

    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.entries.iter())
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.entries.iter_mut())
    }

    /// Makes room for so many entries more. On an error nothing has changed.
    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let length = self.entries.len();
        self.entries.try_reserve(additional).map_err(|_| refused::<(K, V)>(length, additional))?;
        let needed = length + additional;
        if needed > Index::room(self.index.cells.len()) {
            let index = Index::with_room(needed.max(2 * length))?;
            self.reindex(index);
        }
        Ok(())
    }

    /// Fills an empty index with room for all.
    fn reindex(&mut self, mut index: Index) {
        for (position, (key, _)) in self.entries.iter().enumerate() {
            index.insert(key.slot(), position);
        }
        self.index = index;
    }

    /// The position of a key's entry.
    #[inline]
    fn find(&self, key: K) -> Option<usize> {
        let position = self.index.find(key.slot())?;
        (self.entries[position].0 == key).then_some(position)
    }

    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        Some(&self.entries[self.find(key)?].1)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let position = self.find(key)?;
        Some(&mut self.entries[position].1)
    }

    /// Puts a value into the slot of a key, and gives out what was there. On an error nothing has
    /// changed.
    pub(crate) fn try_put(&mut self, key: K, value: V) -> Result<Option<V>, (V, TryReserveError)> {
        if let Some(position) = self.index.find(key.slot()) {
            return Ok(Some(mem::replace(&mut self.entries[position], (key, value)).1));
        }
        if let Err(reason) = self.try_reserve(1) {
            return Err((value, reason));
        }
        self.index.insert(key.slot(), self.entries.len());
        self.entries.push((key, value));
        Ok(None)
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        let position = self.find(key)?;
        Some(self.take(position).1)
    }

    /// Takes the entry at a position out; the last one fills the gap.
    pub(crate) fn take(&mut self, position: usize) -> (K, V) {
        let (key, value) = self.entries.swap_remove(position);
        self.index.remove(key.slot());
        if let Some((moved, _)) = self.entries.get(position) {
            self.index.set(moved.slot(), position);
        }
        (key, value)
    }

    #[inline]
    pub(crate) fn entries(&self) -> &[(K, V)] {
        &self.entries
    }

    /// Whose keys are not to be changed.
    #[inline]
    pub(crate) fn entries_mut(&mut self) -> &mut [(K, V)] {
        &mut self.entries
    }

    /// The cells of the index, and by what it multiplies.
    pub(crate) fn index(&self) -> (&[u64], u64) {
        (&self.index.cells, self.index.multiplier)
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, &mut V) -> bool) {
        /// Finds what is left, also while a panic unwinds.
        struct Reindex<'a, K: Key, V>(&'a mut Sparse<K, V>);

        impl<K: Key, V> Drop for Reindex<'_, K, V> {
            fn drop(&mut self) {
                let mut index = mem::replace(&mut self.0.index, Index::new());
                index.clear();
                self.0.reindex(index);
            }
        }

        let before = self.len();
        let reindex = Reindex(self);
        reindex.0.entries.retain_mut(|(key, value)| keep(*key, value));
        if reindex.0.len() == before {
            mem::forget(reindex);
        }
    }

    /// It is empty at once; the entries are the iterator's.
    pub(crate) fn drain(&mut self) -> Drain<'_, K, V> {
        self.index.clear();
        self.entries.drain(..)
    }

    pub(crate) fn clear(&mut self) {
        self.index.clear();
        self.entries.clear();
    }

    pub(crate) fn into_iter(self) -> IntoIter<K, V> {
        self.entries.into_iter()
    }

    /// A copy in which the same keys have equal values.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        V: Clone,
    {
        let mut copy = Self::new();
        copy.try_reserve(self.len())?;
        for (key, value) in &self.entries {
            // Nothing is refused: there is room.
            let _ = copy.try_put(*key, value.clone());
        }
        Ok(copy)
    }

    /// Panics where the index contradicts the entries.
    pub(crate) fn validate(&self) {
        for (position, (key, _)) in self.entries.iter().enumerate() {
            assert_eq!(self.index.find(key.slot()), Some(position), "{key:?} is found");
        }
        let used = self.index.cells.iter().filter(|&&cell| cell != FREE).count();
        assert_eq!(used, self.len(), "every cell leads to an entry");
        assert!(used <= Index::room(self.index.cells.len()), "there is room");
    }

    /// How far from its home the farthest cell lies.
    pub(crate) fn longest_probe(&self) -> usize {
        let Index { cells, multiplier } = &self.index;
        let used = cells.iter().enumerate().filter(|(_, cell)| **cell != FREE);
        let far = used.map(|(at, &cell)| {
            at.wrapping_sub(home(slot_in(cell), *multiplier, cells.len())) & (cells.len() - 1)
        });
        far.max().unwrap_or(0)
    }
}

impl<K: Key, V> Keyed<K, V> for Sparse<K, V> {
    #[inline]
    fn key_at(&self, slot: u32) -> Option<K> {
        Some(self.entries[self.index.find(slot)?].0)
    }

    unsafe fn put(&mut self, key: K, value: V) -> Result<Option<V>, (V, TryReserveError)> {
        self.try_put(key, value)
    }
}

/// Keys and owned values.
pub(crate) type IntoIter<K, V> = vec::IntoIter<(K, V)>;

/// All that was there.
pub(crate) type Drain<'a, K, V> = vec::Drain<'a, (K, V)>;

/// Keys and values.
pub(crate) struct Iter<'a, K, V>(slice::Iter<'a, (K, V)>);

/// Keys and mutable values.
pub(crate) struct IterMut<'a, K, V>(slice::IterMut<'a, (K, V)>);

impl<K, V> Clone for Iter<'_, K, V> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Default for Iter<'_, K, V> {
    fn default() -> Self {
        Self(Default::default())
    }
}

half_of_pairs!(impl['a, K: Key, V] Iter<'a, K, V>, (K, &'a V), |pair| (pair.0, &pair.1));
half_of_pairs!(impl['a, K: Key, V] IterMut<'a, K, V>, (K, &'a mut V), |pair| (pair.0, &mut pair.1));

/// Removes what a closure chooses.
pub(crate) struct ExtractIf<'a, K: Key, V, F> {
    sparse: &'a mut Sparse<K, V>,
    /// The entries before this one stay.
    position: usize,
    choose: F,
}

impl<K: Key, V> Sparse<K, V> {
    pub(crate) const fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, K, V, F> {
        ExtractIf { sparse: self, position: 0, choose }
    }
}

impl<K: Key, V, F> ExtractIf<'_, K, V, F> {
    /// How many values are yet to be looked at.
    pub(crate) fn len(&self) -> usize {
        self.sparse.len() - self.position
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> ExtractIf<'_, K, V, F> {
    pub(crate) fn chooses(&mut self, key: K, value: &mut V) -> bool {
        (self.choose)(key, value)
    }
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
        (0, Some(self.len()))
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> FusedIterator for ExtractIf<'_, K, V, F> {}
