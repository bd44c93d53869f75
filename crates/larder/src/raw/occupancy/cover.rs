//! How much the book covers, and what happens to all of it at once. The invariant is that of
//! [`occupancy`](super).

use super::{Occupancy, WORD};
use crate::error::TryReserveError;
use crate::stats::Reuse;

impl Occupancy {
    /// How many slots the book covers.
    pub(crate) const fn covered(&self) -> usize {
        self.words.len() * WORD
    }

    /// Makes the book cover at least `slots` slots. On an error nothing has changed.
    pub(crate) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        if words > self.words.len() { self.resize(words) } else { Ok(()) }
    }

    /// Gives memory back, but covers `slots` slots and all in use.
    pub(crate) fn shrink(&mut self, slots: usize) {
        let words = slots.max(self.slots).div_ceil(WORD);
        if words < self.words.len() {
            // A book that stays larger than it need be is no harm.
            let _ = self.resize(words);
        }
    }

    /// The words of taken slots and the links cover at least as much as the book, always: so they
    /// grow before it and shrink after it.
    fn resize(&mut self, words: usize) -> Result<(), TryReserveError> {
        if words > self.words.len() {
            self.resize_side(words)?;
        }
        self.words.resize(words)?;
        // Side memory that stays larger than it need be is no harm.
        let _ = self.resize_side(words);
        Ok(())
    }

    fn resize_side(&mut self, words: usize) -> Result<(), TryReserveError> {
        if !self.taken.is_empty() {
            self.resize_taken(words)?;
        }
        if self.reuse == Reuse::Packed { Ok(()) } else { self.links.resize(words * WORD) }
    }

    /// Forgets the highest slots, all of which are free.
    ///
    /// # Safety
    /// Every slot from `slots` to the high-water mark is a hole.
    pub(crate) unsafe fn truncate(&mut self, slots: usize) {
        self.settle_lone();
        if self.reuse != Reuse::Packed {
            self.links.forget_from(slots);
        }
        self.holes -= self.slots - slots;
        for word in slots / WORD..self.slots.div_ceil(WORD) {
            let kept = slots.saturating_sub(word * WORD).min(WORD);
            let fresh = if kept == WORD { 0 } else { !0 << kept };
            // SAFETY: the word is covered: it lies below the old mark.
            unsafe { *self.words.word_mut(word) |= fresh };
            let bit = 1 << (word % WORD);
            // SAFETY: as above.
            let present = unsafe { self.words.present_mut(word / WORD) };
            *present = if kept == 0 { *present & !bit } else { *present | bit };
            if kept == 0 {
                // SAFETY: as above.
                unsafe { self.forget_room(word) };
            }
        }
        self.slots = slots;
        self.lowest = 0;
        self.make_current(0);
        self.choose_next();
    }

    /// Every slot but the retired ones becomes free; of the free slots, the lowest is taken first.
    pub(crate) fn vacate_all(&mut self) {
        self.detached = 0;
        self.holes = self.slots - self.retired;
        self.choose_next();
        self.current = 0;
        self.lowest = 0;
        for word in 0..self.slots.div_ceil(WORD) {
            let rest = self.slots - word * WORD;
            let fresh = if rest < WORD { !0 << rest } else { 0 };
            // SAFETY: the word lies below `slots`.
            unsafe { *self.words.word_mut(word) = fresh };
            // SAFETY: as above.
            unsafe { self.note_room(word) };
            let bit = 1 << (word % WORD);
            // SAFETY: as above.
            let present = unsafe { self.words.present_mut(word / WORD) };
            *present = if fresh == 0 { *present & !bit } else { *present | bit };
        }
        self.relink_in_order();
    }
}
