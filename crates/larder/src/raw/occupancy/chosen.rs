//! Holes that are chosen by whoever fills them, not by the book. The invariant is that of
//! [`occupancy`](super).

use super::{Occupancy, WORD};

impl Occupancy {
    /// The lowest hole at or after `slot`.
    pub(crate) fn next_hole(&self, slot: usize) -> Option<usize> {
        let mut mask = !0 << (slot % WORD);
        for word in slot / WORD..self.slots.div_ceil(WORD) {
            // SAFETY: the word begins below `slots`.
            let used = unsafe { self.live_word(word) } | self.taken_word(word);
            if !used & mask != 0 {
                let hole = word * WORD + (!used & mask).trailing_zeros() as usize;
                return (hole < self.slots).then_some(hole);
            }
            mask = !0;
        }
        None
    }

    /// Takes a hole; it is live. With another order of reuse than the packed one it stays in the list
    /// of the free until [`relink_in_order`](Self::relink_in_order) is called, which must be before the
    /// next insertion.
    ///
    /// # Safety
    /// The slot is a hole.
    pub(crate) unsafe fn fill_hole(&mut self, slot: usize) {
        self.put_all_back();
        self.stored -= 1;
        // SAFETY: a hole is below `slots`.
        unsafe { self.set_live(slot) };
    }
}
