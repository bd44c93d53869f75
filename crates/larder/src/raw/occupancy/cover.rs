//! How much the book covers, and what happens to all of it at once. The invariant is that of
//! [`occupancy`](super).

use core::ptr::NonNull;

use super::{Book, Occupancy, SPAN, WORD, hand_for};
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

    /// Whether a book of so many slots may lie in memory of another owner, from now on.
    pub(crate) const fn can_be_moved(&self, slots: usize) -> bool {
        slots <= SPAN * WORD && self.words.can_be_moved()
    }

    /// Makes the book one of at least `slots` slots, not none, in memory that `place` makes for so many
    /// numbers, which may be the end of the book's memory until now. On an error nothing has changed.
    ///
    /// # Safety
    /// The book can be moved, and has no more slots in use. What `place` answers is the book's alone
    /// until it is moved again, is made to cover more, or is not used any more.
    #[inline]
    pub(crate) unsafe fn move_to(
        &mut self,
        slots: usize,
        place: impl FnOnce(usize) -> Result<NonNull<u64>, TryReserveError>,
    ) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        self.resize_side(words.max(self.words.len()))?;
        // SAFETY: the book, and so its words, can be moved: `slots` is not none, and no more than `SPAN` words describe. What
        // `place` answers is the book's alone, and so that of its words.
        unsafe { self.words.move_to(words, place) }?;
        // Side memory that stays larger than it need be is no harm.
        let _ = self.resize_side(words);
        Ok(())
    }

    /// Forgets that the book covers any slot. None is in use.
    pub(crate) fn uncover(&mut self) {
        debug_assert_eq!(self.slots, 0, "no slot is in use");
        self.words.forget(hand_for(self.reuse));
        let _ = self.resize_side(0);
    }

    /// Gives memory back, but covers `slots` slots and all in use.
    pub(crate) fn shrink(&mut self, slots: usize) {
        let words = slots.max(self.slots()).div_ceil(WORD);
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

    #[inline]
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
        self.put_all_back();
        // (How much can be at hand depends on how many slots there are.)
        self.words.begin_hand();
        if self.reuse != Reuse::Packed {
            self.links.forget_from(slots);
        }
        for word in slots / WORD..self.slots().div_ceil(WORD) {
            // The bits of slots that are not in use are set.
            let fresh = !0 << (slots.saturating_sub(word * WORD).min(WORD - 1));
            self.words.words_mut()[word] |= fresh;
            self.words.note_present(word, true);
        }
        self.stored -= self.slots - slots as u32;
        (self.slots, self.cursor) = (slots as u32, 0);
    }

    /// Every slot but the retired ones becomes free; of the free slots, the lowest is taken first.
    pub(crate) fn vacate_all(&mut self) {
        self.words.empty_hand();
        (self.stored, self.detached) = (self.slots - self.retired, 0);
        (self.cursor, self.lowest) = (0, 0);
        for word in 0..self.slots().div_ceil(WORD) {
            let rest = self.slots() - word * WORD;
            let fresh = if rest < WORD { !0 << rest } else { 0 };
            self.words.words_mut()[word] = fresh;
            self.words.note_present(word, fresh != 0);
            self.note_room(word);
        }
        self.relink_in_order();
    }
}
