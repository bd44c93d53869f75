//! Putting slots back into a state that they had, and the order in which free slots come. The invariant is
//! that of [`occupancy`](super).
//!
//! Between [`begin_rewind`](RewindBook::begin_rewind) and what ends it no slot is at hand, and the holes of
//! other orders of reuse than the packed one are in no list.

use alloc::vec::Vec;

use super::words::largest_hand;
use super::{Book, Occupancy, WORD};
use crate::error::TryReserveError;
use crate::raw::rewind::RewindBook;
use crate::scratch::reserve;
use crate::stats::Reuse;

impl Occupancy {
    /// The free slots that are taken first, in order: those at hand, or all where they are linked.
    #[cfg(feature = "alloc")]
    pub(crate) fn free_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.parts().hand.iter().rev().copied().chain(self.links.iter())
    }

    /// How many [`free_order`](Self::free_order) has.
    pub(crate) fn ordered(&self) -> usize {
        if self.reuse == Reuse::Packed { self.words.held() } else { self.stored as usize }
    }

    /// The word that a search for free slots begins with.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor as usize
    }

    /// Takes over the order in which free slots were going to be taken. Says whether it could be.
    pub(crate) fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool {
        self.put_all_back();
        let packed = self.reuse == Reuse::Packed;
        let fits = match packed {
            true => free.len() <= largest_hand(self.slots() / WORD),
            false => free.len() == self.stored as usize,
        };
        let last = if packed { self.slots() } else { 0 };
        if !fits || cursor > last / WORD || !self.are_holes(free) {
            return false;
        }
        self.cursor = cursor as u32;
        if packed {
            self.stored -= free.len() as u32;
            free.iter().for_each(|&slot| self.words.note_present(slot as usize / WORD, true));
            self.words.put_at_hand(free.iter().rev().copied());
        } else {
            self.links.clear();
            free.iter().for_each(|&slot| self.links.push_back(slot));
        }
        true
    }

    /// Whether all of these are holes, and none is named twice. (Each is noted as live while the others
    /// are looked at.)
    fn are_holes(&mut self, slots: &[u32]) -> bool {
        let mut seen = 0;
        for &slot in slots {
            if !self.is_hole(slot as usize) {
                break;
            }
            self.flip(slot as usize);
            seen += 1;
        }
        slots[..seen].iter().for_each(|&slot| self.flip(slot as usize));
        seen == slots.len()
    }

    /// Inverts the bit of a slot in use.
    fn flip(&mut self, slot: usize) {
        debug_assert!(slot < self.slots(), "a slot in use");
        self.words.parts_mut().words[slot / WORD] ^= 1 << (slot % WORD);
    }
}

impl RewindBook for Occupancy {
    fn save_order(&self, free: &mut Vec<u32>) -> Result<usize, TryReserveError> {
        reserve(free, self.ordered())?;
        free.extend(self.free_order());
        Ok(self.cursor())
    }

    fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool {
        self.restore_order(free, cursor)
    }

    fn relink_in_order(&mut self) {
        self.relink_in_order();
    }

    fn begin_rewind(&mut self) {
        self.put_all_back();
        self.links.clear();
    }

    unsafe fn open(&mut self, slot: usize, retired: bool) {
        let word = slot / WORD;
        if self.is_taken(slot) {
            (self.detached, self.retired) =
                (self.detached + u32::from(retired), self.retired - u32::from(retired));
            self.untake(slot);
        } else {
            self.flip(slot);
            self.note_cleared(word);
        }
        self.stored += 1;
        if self.reuse == Reuse::Packed {
            self.note_room(word);
        }
    }

    unsafe fn close(&mut self, slot: usize) {
        self.stored -= 1;
        self.taken[slot / WORD] |= 1 << (slot % WORD);
        self.detached += 1;
    }

    unsafe fn fill_hole(&mut self, slot: usize) {
        if self.words.held() == 0 {
            // While slots are put into other states nothing has to be put back.
            self.stored -= 1;
            return self.set_live(slot);
        }
        // SAFETY: the slot is a hole, as the caller says.
        unsafe { self.fill_hole(slot) };
    }

    unsafe fn truncate(&mut self, slots: usize) {
        // SAFETY: the slots from there on are holes, as the caller says.
        unsafe { self.truncate(slots) };
    }
}
