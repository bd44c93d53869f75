//! The leaf of each key, by slot.
//!
//! ```text
//! leaves      leaf │ leaf │ – │ …        by slot
//! positions   –    │ 17   │ – │ …        by slot: where in its leaf, of the keys of long leaves only
//! far         key, leaf, position │ …    of slots far beyond the number of keys
//! ```
//! **Invariant.** A slot is in `leaves` if it is below their number, otherwise in `far`. `positions` is as long as `leaves`
//! if there was ever a long leaf, and empty otherwise.

use alloc::vec::Vec;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::maps::SparseSecondaryMap;
use crate::scratch::reserve;

/// No leaf, and no node.
pub(super) const NONE: u32 = u32::MAX;

/// The array grows to at most this many slots a key; doubling may make it twice as many.
const SPARSEST: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Place {
    leaf: u32,
    position: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Places<K: Key> {
    leaves: Vec<u32>,
    positions: Vec<u32>,
    has_positions: bool,
    far: SparseSecondaryMap<K, Place>,
}

impl<K: Key> Places<K> {
    pub(super) const fn new() -> Self {
        Self {
            leaves: Vec::new(),
            positions: Vec::new(),
            has_positions: false,
            far: SparseSecondaryMap::new(),
        }
    }

    /// The leaf of the key in a slot, or [`NONE`].
    #[inline]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        match self.leaves.get(slot as usize) {
            Some(&leaf) => leaf,
            None => self.far_place(slot).map_or(NONE, |place| place.leaf),
        }
    }

    /// The position of the key in a slot, if it is in a long leaf.
    pub(super) fn position(&self, slot: u32) -> usize {
        match self.positions.get(slot as usize) {
            Some(&position) => position as usize,
            None => self.far_place(slot).map_or(0, |place| place.position as usize),
        }
    }

    #[cold]
    fn far_place(&self, slot: u32) -> Option<Place> {
        self.far.get(self.far.key_of_slot(slot)?).copied()
    }

    /// Sets the leaf of a key for which there is room, or which has one.
    #[inline]
    pub(super) fn set_leaf(&mut self, key: K, leaf: u32) {
        match self.leaves.get_mut(key.slot() as usize) {
            Some(place) => *place = leaf,
            None => self.set_far(key, leaf),
        }
    }

    #[cold]
    fn set_far(&mut self, key: K, leaf: u32) {
        match self.far.get_mut(key) {
            Some(place) => place.leaf = leaf,
            // Nothing is refused: there is room.
            None => drop(self.far.try_insert(key, Place { leaf, position: 0 })),
        }
    }

    /// Sets where in its long leaf a key is.
    pub(super) fn set_position(&mut self, key: K, position: usize) {
        if let Some(place) = self.positions.get_mut(key.slot() as usize) {
            *place = position as u32;
        } else if let Some(place) = self.far.get_mut(key) {
            place.position = position as u32;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, key: K) {
        match self.leaves.get_mut(key.slot() as usize) {
            Some(place) => *place = NONE,
            None => drop(self.far.remove(key)),
        }
    }

    pub(super) fn clear(&mut self) {
        self.leaves.fill(NONE);
        self.far.clear();
    }

    /// Makes room for a key beside so many others. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room(&mut self, key: K, others: usize) -> Result<(), TryReserveError> {
        let slot = key.slot() as usize;
        if slot < self.leaves.len() { Ok(()) } else { self.make_room_beyond(slot, others) }
    }

    #[inline(never)]
    fn make_room_beyond(&mut self, slot: usize, others: usize) -> Result<(), TryReserveError> {
        if slot / SPARSEST > others {
            return self.far.try_set_capacity(self.far.len() + 1);
        }
        self.grow(slot + 1)
    }

    /// Makes room for so many keys, if their slots are side by side. On an error nothing visible has changed.
    pub(super) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        let max = K::MAX_SLOTS as usize;
        if keys > max {
            return Err(TryReserveError::CapacityOverflow { requested: keys, max });
        }
        if keys > self.leaves.len() { self.grow(keys) } else { Ok(()) }
    }

    /// Has at least so many slots in the array, which has fewer.
    fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let additional = slots - self.leaves.len();
        reserve(&mut self.leaves, additional)?;
        let slots = self.leaves.capacity();
        if self.has_positions {
            let additional = slots - self.positions.len();
            reserve(&mut self.positions, additional)?;
            self.positions.resize(slots, 0);
        }
        self.leaves.resize(slots, NONE);
        for (key, place) in self.far.extract_if(|key, _| (key.slot() as usize) < slots) {
            self.leaves[key.slot() as usize] = place.leaf;
            if let Some(position) = self.positions.get_mut(key.slot() as usize) {
                *position = place.position;
            }
        }
        if self.far.is_empty() {
            self.far = SparseSecondaryMap::new();
        }
        Ok(())
    }

    /// Makes room for positions. On an error nothing has changed.
    pub(super) fn keep_positions(&mut self) -> Result<(), TryReserveError> {
        let slots = self.leaves.len();
        let additional = slots - self.positions.len();
        reserve(&mut self.positions, additional)?;
        self.positions.resize(slots, 0);
        self.has_positions = true;
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        let words = self.leaves.capacity() + self.positions.capacity();
        words * size_of::<u32>() + self.far.stats().memory.committed
    }

    /// How many keys have a leaf.
    pub(super) fn count(&self) -> usize {
        self.leaves.iter().filter(|&&leaf| leaf != NONE).count() + self.far.len()
    }
}
