//! The leaf of each key, by slot.
//!
//! ```text
//! leaves      leaf │ leaf │ – │ …        by slot
//! positions   –    │ 17   │ – │ …        by slot: where in its leaf, of the keys of long leaves only
//! far         slot, leaf, position │ …   of slots far beyond the number of keys
//! ```
//! **Invariant.** A slot is in `leaves` if it is below their number, otherwise in `far`. `positions` is as long as
//! `leaves` if there was ever a long leaf, and empty otherwise.

use alloc::vec::Vec;

use crate::by_slot::Far;
use crate::error::TryReserveError;
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

impl Default for Place {
    fn default() -> Self {
        Self { leaf: NONE, position: 0 }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Places {
    leaves: Vec<u32>,
    positions: Vec<u32>,
    has_positions: bool,
    far: Far<Place>,
}

impl Places {
    pub(super) const fn new() -> Self {
        Self { leaves: Vec::new(), positions: Vec::new(), has_positions: false, far: Far::new() }
    }

    /// The leaf of the key in a slot, or [`NONE`].
    #[inline]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        match self.leaves.get(slot as usize) {
            Some(&leaf) => leaf,
            None => self.far_leaf(slot),
        }
    }

    #[cold]
    fn far_leaf(&self, slot: u32) -> u32 {
        self.far.get(slot).leaf
    }

    /// The position of the key in a slot, which is in a long leaf.
    pub(super) fn position(&self, slot: u32) -> usize {
        let far = || self.far.get(slot).position;
        self.positions.get(slot as usize).copied().unwrap_or_else(far) as usize
    }

    /// Sets the leaf of a key for which there is room, or which has one.
    #[inline]
    pub(super) fn set_leaf(&mut self, slot: u32, leaf: u32) {
        match self.leaves.get_mut(slot as usize) {
            Some(place) => *place = leaf,
            None => self.set_far_leaf(slot, leaf),
        }
    }

    #[cold]
    fn set_far_leaf(&mut self, slot: u32, leaf: u32) {
        let position = self.far.get(slot).position;
        self.far.set(slot, Place { leaf, position });
    }

    /// Sets where in its long leaf a key is, whose leaf is set.
    pub(super) fn set_position(&mut self, slot: u32, position: usize) {
        let position = position as u32;
        if let Some(place) = self.positions.get_mut(slot as usize) {
            *place = position;
        } else {
            let leaf = self.far_leaf(slot);
            self.far.set(slot, Place { leaf, position });
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        match self.leaves.get_mut(slot as usize) {
            Some(place) => *place = NONE,
            None => drop(self.far.take(slot)),
        }
    }

    pub(super) fn clear(&mut self) {
        self.leaves.fill(NONE);
        self.far.clear();
    }

    /// Makes room for a slot beside so many others. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room(&mut self, slot: u32, others: usize) -> Result<(), TryReserveError> {
        let is_there = (slot as usize) < self.leaves.len();
        if is_there { Ok(()) } else { self.make_room_beyond(slot, others) }
    }

    #[inline(never)]
    fn make_room_beyond(&mut self, slot: u32, others: usize) -> Result<(), TryReserveError> {
        if slot as usize / SPARSEST > others {
            return self.far.make_room();
        }
        self.grow(slot as usize + 1)
    }

    /// Makes room for so many keys, of `max`, if their slots are side by side. On an error nothing visible has changed.
    pub(super) fn try_reserve(&mut self, keys: usize, max: u32) -> Result<(), TryReserveError> {
        let max = max as usize;
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
        let (leaves, positions) = (&mut self.leaves, &mut self.positions);
        self.far.drain_below(slots, |slot, place| {
            leaves[slot as usize] = place.leaf;
            if let Some(position) = positions.get_mut(slot as usize) {
                *position = place.position;
            }
        });
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
        words * size_of::<u32>() + self.far.bytes()
    }

    /// How many keys have a leaf.
    pub(super) fn count(&self) -> usize {
        self.leaves.iter().filter(|&&leaf| leaf != NONE).count() + self.far.len()
    }
}
