//! Where each key's point lies: an array by slot, and a hash table for slots far from all others.
//!
//! **Invariant.** The keys of `far` have slots past the array. Each key has one place at most.
//!
//! The array has no generations: the key beside the point at a place is the whole check.

use alloc::vec::Vec;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::maps::sparse_secondary::SparseSecondaryMap;
use crate::scratch::reserve_exact;

/// A cell, and a position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) cell: u32,
    pub(super) index: u32,
}

impl Place {
    /// No cell has this number.
    const NOWHERE: Self = Self { cell: u32::MAX, index: 0 };
}

/// The array grows to at most this many slots for each key, so that memory follows the keys, whatever slots they name.
const SPARSEST: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Places<K: Key> {
    near: Vec<Place>,
    far: SparseSecondaryMap<K, Place>,
}

impl<K: Key> Places<K> {
    pub(super) const fn new() -> Self {
        Self { near: Vec::new(), far: SparseSecondaryMap::new() }
    }

    /// The place of the key that has a slot.
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<Place> {
        match self.near.get(slot as usize) {
            Some(&place) => (place != Place::NOWHERE).then_some(place),
            None => self.get_far(slot),
        }
    }

    #[inline(never)]
    fn get_far(&self, slot: u32) -> Option<Place> {
        self.far.get(self.far.key_of_slot(slot)?).copied()
    }

    /// Sets the place of a key; room was made for it.
    #[inline]
    pub(super) fn set(&mut self, key: K, place: Place) {
        match self.near.get_mut(key.slot() as usize) {
            Some(there) => *there = place,
            None => self.set_far(key, place),
        }
    }

    #[inline(never)]
    fn set_far(&mut self, key: K, place: Place) {
        // Nothing is refused: there is room.
        let _ = self.far.try_insert(key, place);
    }

    #[inline]
    pub(super) fn remove(&mut self, key: K) {
        match self.near.get_mut(key.slot() as usize) {
            Some(there) => *there = Place::NOWHERE,
            None => drop(self.far.remove(key)),
        }
    }

    /// Makes room for a key's place, beside those of so many keys. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room(&mut self, key: K, keys: usize) -> Result<(), TryReserveError> {
        if (key.slot() as usize) < self.near.len() { Ok(()) } else { self.grow(key, keys) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, key: K, keys: usize) -> Result<(), TryReserveError> {
        let (slot, slots) = (key.slot() as usize, self.near.len());
        if slot >= self.near.capacity() {
            if slot / SPARSEST > keys {
                return self.far.try_set_capacity(self.far.len() + 1);
            }
            reserve_exact(&mut self.near, (slot + 1 - slots).max(slots / 4))?;
        }
        self.near.resize(self.near.capacity(), Place::NOWHERE);
        let near = self.near.len();
        for (key, place) in self.far.extract_if(|key, _| (key.slot() as usize) < near) {
            self.near[key.slot() as usize] = place;
        }
        Ok(())
    }

    /// Makes room for so many keys in all, if their slots are side by side.
    pub(super) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        let more = keys.saturating_sub(self.near.len());
        reserve_exact(&mut self.near, more)
    }

    /// O(slots of the array).
    pub(super) fn clear(&mut self) {
        self.near.clear();
        self.far.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.near.capacity() * size_of::<Place>() + self.far.stats().memory.committed
    }

    /// How many keys have a place.
    pub(super) fn count(&self) -> usize {
        self.far.len() + self.near.iter().filter(|&&place| place != Place::NOWHERE).count()
    }
}
