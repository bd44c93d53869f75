//! The leaf of each key, by slot, and where in its leaf it is, once there was a long leaf.
//!
//! **Invariant.** A slot has a position if it has a leaf and there was ever a long leaf. (Only those of keys of long leaves
//! are right.)

use crate::by_slot::BySlot;
use crate::error::TryReserveError;

/// No leaf, and no node.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
struct LeafNumber(u32);

impl Default for LeafNumber {
    fn default() -> Self {
        Self(NONE)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Places {
    leaves: BySlot<LeafNumber>,
    /// By slot, one more than the position.
    positions: Option<BySlot<u32>>,
}

impl Places {
    pub(super) const fn new() -> Self {
        Self { leaves: BySlot::new(), positions: None }
    }

    /// The leaf of the key in a slot, or [`NONE`].
    #[inline]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        self.leaves.get(slot).0
    }

    /// The position of the key in a slot, which is in a long leaf.
    pub(super) fn position(&self, slot: u32) -> usize {
        let position = self.positions.as_ref().map_or(0, |positions| positions.get(slot));
        position.saturating_sub(1) as usize
    }

    /// Sets the leaf of a key for which there is room, or which has one.
    #[inline]
    pub(super) fn set_leaf(&mut self, slot: u32, leaf: u32) {
        self.leaves.set(slot, LeafNumber(leaf));
        if let Some(positions) = &mut self.positions {
            positions.set(slot, positions.get(slot).max(1));
        }
    }

    /// Sets where in its long leaf a key is, whose leaf is set.
    pub(super) fn set_position(&mut self, slot: u32, position: usize) {
        if let Some(positions) = &mut self.positions {
            positions.set(slot, position as u32 + 1);
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        self.leaves.take(slot);
        if let Some(positions) = &mut self.positions {
            positions.take(slot);
        }
    }

    pub(super) fn clear(&mut self) {
        self.leaves.clear();
        if let Some(positions) = &mut self.positions {
            positions.clear();
        }
    }

    /// Makes room for a slot beside so many others. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room(&mut self, slot: u32, others: usize) -> Result<(), TryReserveError> {
        if let Some(positions) = &mut self.positions {
            positions.make_room(slot, others)?;
        }
        self.leaves.make_room(slot, others)
    }

    /// Makes room for so many keys more, of `max`, if their slots are side by side. On an error nothing visible has
    /// changed.
    pub(super) fn try_reserve(
        &mut self,
        additional: usize,
        used: usize,
        max: u32,
    ) -> Result<(), TryReserveError> {
        if let Some(positions) = &mut self.positions {
            positions.try_reserve(additional, used, max)?;
        }
        self.leaves.try_reserve(additional, used, max)
    }

    /// Makes room for positions. On an error nothing has changed.
    pub(super) fn keep_positions(&mut self) -> Result<(), TryReserveError> {
        if self.positions.is_none() {
            self.positions = Some(self.leaves.try_map(|_| 1)?);
        }
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.leaves.bytes() + self.positions.as_ref().map_or(0, BySlot::bytes)
    }

    /// How many keys have a leaf.
    pub(super) fn count(&self) -> usize {
        self.leaves.count()
    }
}
