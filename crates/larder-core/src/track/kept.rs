//! The marks of slots that the last step has a record of, and those of the steps before it.
//!
//! ```text
//! words   step, marks │ step, marks │ …        for 64 slots each, and the step whose marks these are
//! log     word, what it was before │ …         of each step, the words that it was the first to mark
//! ```
//! **Invariant.** A word's marks are those of the last step that has any there. No step has the number 0, and words of
//! that number have no marks. A step's log has each word once; while the step is undone, what it has there.
//!
//! So a step that begins has nothing to clear, and one that is undone gives back the words that it changed, not those
//! of the step below it.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::error::TryReserveError;
use crate::memory::bits::WORD;
use crate::memory::buffer::Filled;
use crate::room::reserve;

/// Words that a step has changed, and what they were.
pub(super) type Log = Vec<(u32, [u64; 2])>;

/// A mark for each slot that has a record.
pub(super) struct Kept {
    words: Filled<[u64; 2]>,
    /// The number of the step whose marks count.
    step: u64,
}

impl Kept {
    pub(super) const fn new() -> Self {
        Self { words: Filled::new(), step: 0 }
    }

    /// Makes the marks of this step count from now on, or none if it is 0.
    pub(super) const fn go_on_with(&mut self, step: u64) {
        self.step = step;
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

    /// Returns whether the slot is covered.
    #[inline]
    pub(super) fn covers(&self, slot: usize) -> bool {
        slot / WORD < self.words.len()
    }

    /// Covers at least `slots` slots. On an error nothing has changed.
    pub(super) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        if words > self.words.len() {
            let mut fresh = Filled::<[u64; 2]>::zeroed(words)?;
            // (Memory that was never written to is not written to.)
            let written = self.words.iter().zip(&mut *fresh).filter(|(old, _)| **old != [0; 2]);
            written.for_each(|(old, new)| *new = *old);
            self.words = fresh;
        }
        Ok(())
    }

    /// Marks a slot that is covered; the log has room for one more.
    #[inline]
    pub(super) fn insert(&mut self, slot: usize, log: &mut Log) {
        self.insert_all(slot / WORD, 1 << (slot % WORD), log);
    }

    #[inline]
    fn insert_all(&mut self, word: usize, slots: u64, log: &mut Log) {
        let there = &mut self.words[word];
        if there[0] != self.step {
            log.push((word as u32, mem::replace(there, [self.step, 0])));
        }
        there[1] |= slots;
    }

    /// Makes room to mark all these slots. On an error nothing visible has changed.
    pub(super) fn make_room(
        &mut self,
        slots: &Range<u32>,
        log: &mut Log,
    ) -> Result<(), TryReserveError> {
        self.cover(slots.end as usize)?;
        reserve(log, slots.len().div_ceil(WORD) + 1)
    }

    /// Marks all these slots, for which [room was made](Self::make_room).
    pub(super) fn insert_range(&mut self, slots: &Range<u32>, log: &mut Log) {
        let (mut slot, end) = (slots.start as usize, slots.end as usize);
        while slot < end {
            let (word, first) = (slot / WORD, slot % WORD);
            let count = (end - slot).min(WORD - first);
            self.insert_all(word, !0 >> (WORD - count) << first, log);
            slot += count;
        }
    }

    /// Exchanges the marks of a step that is undone, or redone, and those in its log.
    pub(super) fn exchange(&mut self, log: &mut Log) {
        for (word, then) in log {
            mem::swap(&mut self.words[*word as usize], then);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Log};
    use alloc::vec::Vec;

    fn marked(kept: &Kept) -> Vec<usize> {
        (0..400).filter(|&slot| kept.contains(slot)).collect()
    }

    #[test]
    fn marks_of_a_step_come_back_when_the_next_one_is_undone() {
        let (mut kept, mut logs) = (Kept::new(), [const { Log::new() }; 2]);
        let [first, second] = &mut logs;
        kept.go_on_with(1);
        for slots in [3..4, 63..64, 64..200, 255..257] {
            kept.make_room(&slots, first).expect("there is memory");
            kept.insert_range(&slots, first);
        }
        let before = marked(&kept);
        let all = [3..4, 63..64, 64..200, 255..257].into_iter().flatten();
        assert!(before.iter().copied().eq(all));
        assert_eq!(first.len(), 5, "a word each");
        kept.go_on_with(2);
        assert!(marked(&kept).is_empty());
        kept.make_room(&(380..381), second).expect("there is memory");
        kept.insert(380, second);
        kept.insert(70, second);
        assert_eq!((marked(&kept), second.len()), ([70, 380].into(), 2));
        for _ in 0..2 {
            kept.exchange(second);
            kept.go_on_with(0);
            assert!(marked(&kept).is_empty(), "none has a mark of no step");
            kept.go_on_with(1);
            assert_eq!(marked(&kept), before);
            kept.exchange(second);
            kept.go_on_with(2);
            assert_eq!(marked(&kept), [70, 380]);
        }
    }

    #[test]
    fn marks_stay_when_more_slots_are_covered() {
        let (mut kept, mut log) = (Kept::new(), Log::new());
        kept.go_on_with(7);
        for slots in [0, 1, 64, 65, 1_000] {
            kept.cover(slots).expect("there is memory");
            assert!(slots == 0 || kept.covers(slots - 1) && !kept.covers(slots + 63));
            if slots == 65 {
                log.reserve(1);
                kept.insert(64, &mut log);
            }
        }
        assert_eq!((marked(&kept), kept.word(1), kept.word(99)), ([64].into(), 1, 0));
    }
}
