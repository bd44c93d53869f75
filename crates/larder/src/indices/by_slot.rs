//! A few bytes for each key that is filed, by the key's slot: in an array, and in a hash table for slots far from
//! all others.
//!
//! **Invariant.** Slots without a key have the default. The slots in the table are beyond the array.
//!
//! The array has no generations: what it leads to has the key, and that is the whole check.

use alloc::vec::Vec;
use core::mem;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::maps::sparse_secondary::SparseSecondaryMap;
use crate::scratch::reserve_exact;

/// The array grows to at most so many slots for each key, so that memory follows the keys, whatever slots they name.
const SPARSEST: usize = 8;

/// It has at least so many.
const LEAST: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct BySlot<K: Key, T> {
    near: Vec<T>,
    far: SparseSecondaryMap<K, T>,
}

impl<K: Key, T: Copy + Default + PartialEq> BySlot<K, T> {
    pub(crate) const fn new() -> Self {
        Self { near: Vec::new(), far: SparseSecondaryMap::new() }
    }

    /// What the key of a slot has; the default if there is none.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> T {
        match self.near.get(slot as usize) {
            Some(value) => *value,
            None => self.get_far(slot),
        }
    }

    /// What the key of a slot has, if there is one.
    #[inline]
    pub(crate) fn find(&self, slot: u32) -> Option<T> {
        let value = self.get(slot);
        (value != T::default()).then_some(value)
    }

    #[cold]
    #[inline(never)]
    fn get_far(&self, slot: u32) -> T {
        let value = self.far.key_of_slot(slot).and_then(|key| self.far.get(key));
        value.copied().unwrap_or_default()
    }

    /// Whether a slot has no key, and there is room for one. (Of a far slot this is not known.)
    #[inline]
    pub(crate) fn is_free(&self, slot: u32) -> bool {
        self.near.get(slot as usize).is_some_and(|value| *value == T::default())
    }

    /// Sets what a key has, for which there is room.
    #[inline]
    pub(crate) fn set(&mut self, key: K, value: T) {
        match self.near.get_mut(key.slot() as usize) {
            Some(there) => *there = value,
            None => self.set_far(key, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn set_far(&mut self, key: K, value: T) {
        // Nothing is refused: there is room.
        let _ = self.far.try_insert(key, value);
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: K) {
        match self.near.get_mut(key.slot() as usize) {
            Some(there) => drop(mem::take(there)),
            None => drop(self.far.remove(key)),
        }
    }

    /// Makes room for a key beside so many others. On an error nothing visible has changed.
    #[inline]
    pub(crate) fn make_room(&mut self, key: K, others: usize) -> Result<(), TryReserveError> {
        let slot = key.slot() as usize;
        if slot < self.near.len() { Ok(()) } else { self.make_room_beyond(slot, others) }
    }

    #[cold]
    #[inline(never)]
    fn make_room_beyond(&mut self, slot: usize, others: usize) -> Result<(), TryReserveError> {
        if slot / SPARSEST > others {
            return self.far.try_set_capacity(self.far.len() + 1);
        }
        self.grow((slot + 1).max(self.near.len() / 4 * 5).max(LEAST))
    }

    /// Makes room for so many keys in all, if their slots are side by side. On an error nothing visible has changed.
    pub(crate) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        let max = K::MAX_SLOTS as usize;
        if keys > max {
            return Err(TryReserveError::CapacityOverflow { requested: keys, max });
        }
        let slots = keys.checked_next_power_of_two().unwrap_or(keys);
        if keys > self.near.len() { self.grow(slots) } else { Ok(()) }
    }

    fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let additional = slots - self.near.len();
        reserve_exact(&mut self.near, additional)?;
        self.near.resize(self.near.capacity(), T::default());
        let near = self.near.len();
        for (key, value) in self.far.extract_if(|key, _| (key.slot() as usize) < near) {
            self.near[key.slot() as usize] = value;
        }
        Ok(())
    }

    /// Forgets all keys, and keeps the memory. O(slots of the array).
    pub(crate) fn clear(&mut self) {
        self.near.fill(T::default());
        self.far.clear();
    }

    /// Its memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.near.capacity() * size_of::<T>() + self.far.stats().memory.committed
    }

    /// How many keys there are.
    pub(crate) fn count(&self) -> usize {
        let near = self.near.iter().filter(|&&value| value != T::default());
        near.count() + self.far.len()
    }
}
