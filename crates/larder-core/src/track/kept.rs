//! The marks of slots that the last step has a record of, and those of the steps before it.
//!
//! ```text
//! words   step, marks │ step, marks │ …        for 64 slots each, and the step whose marks these are
//! log     word, what it was before │ …         of each step, the words that it was the first to mark
//! ```
//! **Invariant.** A word's marks are those of the last step that has any there. No step has the number 0, and words of
//! that number have no marks. A step's part of the log has each word once; while the step is undone, what it has there.
//!
//! So a step that begins has nothing to clear, and one that is undone gives back the words that it changed, not those
//! of the step below it.

use core::mem;
use core::ops::Range;

use crate::error::TryReserveError;
use crate::memory::bits::WORD;
use crate::memory::buffer::Filled;
use crate::memory::queue::Queue;

/// A mark for each slot that has a record.
pub(super) struct KeptSlots {
    words: Filled<[u64; 2]>,
    /// The number of the step whose marks count, or [`NO_STEP`].
    step: u64,
    log: Queue<(u32, [u64; 2])>,
}

/// The number of no step. No word has it.
const NO_STEP: u64 = u64::MAX;

impl KeptSlots {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { words: Filled::new(), step: NO_STEP, log: Queue::new() }
    }

    /// Makes the marks of this step count from now on, whose part of the log ends here.
    #[inline]
    pub(super) fn go_on_with(&mut self, step: u64, logged: usize) {
        self.step = step;
        self.log.truncate(logged);
    }

    /// Makes no marks count from now on.
    #[inline]
    pub(super) const fn pause(&mut self) {
        self.step = NO_STEP;
    }

    /// Returns whether there is no step whose marks count.
    #[inline]
    pub(super) const fn is_paused(&self) -> bool {
        self.step == NO_STEP
    }

    /// The words that steps were the first to mark, and what they were.
    #[inline]
    pub(super) const fn log(&mut self) -> &mut Queue<(u32, [u64; 2])> {
        &mut self.log
    }

    /// The marks of a word, as bits; none where it is not covered.
    #[inline]
    pub(super) fn word(&self, word: usize) -> u64 {
        match self.words.get(word) {
            Some(&[step, marks]) if step == self.step => marks,
            _ => 0,
        }
    }

    /// Returns whether the slot is marked. Any number may be asked about.
    #[inline]
    pub(super) fn contains(&self, slot: usize) -> bool {
        self.word(slot / WORD) >> (slot % WORD) & 1 == 1
    }

    /// The marks of a slot's word, which becomes the step's; `None` if that cannot be without allocating, or if no
    /// step's marks count.
    #[inline]
    pub(super) fn marks(&mut self, slot: usize) -> Option<&mut u64> {
        let word = slot / WORD;
        let there = self.words.get_mut(word)?;
        if there[0] != self.step {
            if self.step == NO_STEP || !self.log.has_room(1) {
                return None;
            }
            let before = mem::replace(there, [self.step, 0]);
            self.log.push((word as u32, before));
        }
        Some(&mut there[1])
    }

    /// Makes room for `words` more words to become the step's.
    #[inline]
    pub(super) fn reserve(&mut self, words: usize) -> Result<(), TryReserveError> {
        self.log.reserve(words)
    }

    /// Returns whether the slot is covered.
    #[inline]
    pub(super) fn covers(&self, slot: usize) -> bool {
        slot / WORD < self.words.len()
    }

    /// Covers at least `slots` slots. On an error nothing has changed.
    #[inline]
    pub(super) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let (words, before) = (slots.div_ceil(WORD), self.words.len());
        if words > before {
            // (Twice as many, so that a table that grows in each step does not copy all of them each time.)
            let mut fresh = Filled::<[u64; 2]>::zeroed(words.max(2 * before))?;
            // (Memory that was never written to is not written to.)
            let written = self.words.iter().zip(&mut *fresh).filter(|(old, _)| **old != [0; 2]);
            written.for_each(|(old, new)| *new = *old);
            self.words = fresh;
        }
        Ok(())
    }

    /// Marks all these slots, which are covered, and for whose words there is [room](Self::reserve).
    #[inline]
    pub(super) fn insert_range(&mut self, slots: &Range<u32>) {
        let (mut slot, end) = (slots.start as usize, slots.end as usize);
        while slot < end {
            let first = slot % WORD;
            let count = (end - slot).min(WORD - first);
            if let Some(marks) = self.marks(slot) {
                *marks |= !0 >> (WORD - count) << first;
            }
            slot += count;
        }
    }

    /// Exchanges the marks of a step that is undone, or redone, and those in its part of the log.
    #[inline]
    pub(super) fn exchange(&mut self, logged: &Range<usize>) {
        // (Positions wrap around, so that a part may begin above its end.)
        if logged.start == logged.end {
            return;
        }
        for (word, then) in self.log.part_mut(logged) {
            mem::swap(&mut self.words[*word as usize], then);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptSlots, Queue};
    use alloc::vec::Vec;
    use core::ops::Range;

    fn marked(kept: &KeptSlots) -> Vec<usize> {
        (0..400).filter(|&slot| kept.contains(slot)).collect()
    }

    fn mark(kept: &mut KeptSlots, slots: Range<u32>) {
        kept.cover(slots.end as usize).expect("there is memory");
        kept.reserve(slots.len().div_ceil(64) + 1).expect("there is memory");
        kept.insert_range(&slots);
    }

    #[test]
    fn marks_of_a_step_come_back_when_the_next_one_is_undone() {
        let mut kept = KeptSlots::new();
        kept.go_on_with(1, 0);
        for slots in [3..4, 63..64, 64..200, 255..257] {
            mark(&mut kept, slots);
        }
        let before = marked(&kept);
        let all = [3..4, 63..64, 64..200, 255..257].into_iter().flatten();
        assert!(before.iter().copied().eq(all));
        let first = kept.log().end();
        assert_eq!(first, 5, "a word each");
        kept.go_on_with(2, first);
        assert!(marked(&kept).is_empty());
        mark(&mut kept, 380..381);
        mark(&mut kept, 70..71);
        let second = first..kept.log().end();
        assert_eq!((marked(&kept), second.len()), ([70, 380].into(), 2));
        for _ in 0..2 {
            kept.exchange(&second);
            kept.pause();
            assert!(marked(&kept).is_empty() && kept.is_paused());
            kept.go_on_with(1, second.end);
            assert_eq!(marked(&kept), before);
            kept.exchange(&second);
            kept.go_on_with(2, second.end);
            assert_eq!(marked(&kept), [70, 380]);
        }
    }

    /// A table that lives long has more words marked than an address counts.
    #[test]
    fn marks_come_back_where_positions_wrap_around() {
        let mut kept = KeptSlots::new();
        kept.log = Queue::beginning_at(usize::MAX - 1);
        kept.go_on_with(1, usize::MAX - 1);
        mark(&mut kept, 3..4);
        let first = kept.log().end();
        kept.go_on_with(2, first);
        mark(&mut kept, 2..5);
        let second = first..kept.log().end();
        assert!(second.start > second.end);
        kept.exchange(&second);
        kept.go_on_with(1, second.end);
        assert_eq!(marked(&kept), [3]);
    }

    #[test]
    fn marks_stay_when_more_slots_are_covered() {
        let mut kept = KeptSlots::new();
        kept.go_on_with(7, 0);
        for slots in [0, 1, 64, 65, 1_000] {
            kept.cover(slots).expect("there is memory");
            assert!(kept.marks(slots + 63).is_none());
            if slots == 65 {
                mark(&mut kept, 64..65);
            }
        }
        assert_eq!((marked(&kept), kept.word(1), kept.word(99)), ([64].into(), 1, 0));
    }
}
