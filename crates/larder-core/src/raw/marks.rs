//! A set of slots, one bit each, and what walks over it: occupancy without a book of holes, for
//! containers that are told which slot a value goes into.
//!
//! **Invariant.** `present`, the summary, covers the words, and has the bit of each that is not zero; or it
//! is empty, as where there are no more words than one of its own covers. `count` is the number of set bits.

use crate::error::TryReserveError;
use crate::memory::bits::WORD;
use crate::memory::bits::bits;
use crate::memory::buffer::Filled;
use crate::memory::cold_path;
use crate::raw::walk::Walk;

/// A set of slots below a bound.
pub(crate) struct Marks {
    words: Filled<u64>,
    present: Filled<u64>,
    count: usize,
}

impl Marks {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self { words: Filled::new(), present: Filled::new(), count: 0 }
    }

    /// Returns the number of marked slots.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        (self.words.memory() + self.present.memory()).bytes
    }

    /// Covers at least `slots` slots, and no more words than they need. None of the others may be
    /// marked. On an error there are no fewer than before.
    #[inline]
    pub(crate) fn resize(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        let present = if words > WORD { words.div_ceil(WORD) } else { 0 };
        if present > self.present.len() {
            let first = self.present.is_empty();
            self.present.resize(present, 0)?;
            if first {
                let bits = (0..).zip(self.words.iter()).filter(|(_, word)| **word != 0);
                self.present[0] = bits.fold(0, |present, (bit, _)| present | 1 << bit);
            }
        }
        // Words that have few marks, or are few of all there are to be, are not worth touching the others for.
        let many = self.count >= self.words.len() * (WORD / 16) && words <= 2 * self.words.len();
        if words > self.words.len().max(WORD) && !many {
            let mut fresh = Filled::<u64>::zeroed(words)?;
            self.present_words().for_each(|word| fresh[word] = self.words[word]);
            self.words = fresh;
        }
        self.words.resize(words, 0)?;
        self.present.resize(present, 0)
    }

    /// Returns whether the slot is marked. Any number may be asked about.
    #[inline]
    pub(crate) fn contains(&self, slot: usize) -> bool {
        self.words.get(slot / WORD).is_some_and(|word| word >> (slot % WORD) & 1 == 1)
    }

    /// Marks a slot that is covered, and is not marked.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize) {
        let word = slot / WORD;
        let bits = &mut self.words[word];
        let was_empty = *bits == 0;
        *bits |= 1 << (slot % WORD);
        if was_empty {
            cold_path();
            if let Some(present) = self.present.get_mut(word / WORD) {
                *present |= 1 << (word % WORD);
            }
        }
        self.count += 1;
    }

    /// Takes away the mark of a slot that has one.
    #[inline]
    pub(crate) fn remove(&mut self, slot: usize) {
        let word = slot / WORD;
        let bits = &mut self.words[word];
        *bits &= !(1 << (slot % WORD));
        if *bits == 0 {
            if let Some(present) = self.present.get_mut(word / WORD) {
                *present &= !(1 << (word % WORD));
            }
        }
        self.count -= 1;
    }

    /// The marks of a word, as bits; none where it is not covered.
    #[inline]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or(0)
    }

    /// Marks slots of a word that is covered, whether or not they are marked.
    #[inline]
    pub(crate) fn insert_all(&mut self, word: usize, slots: u64) {
        let was = self.words[word];
        self.words[word] = was | slots;
        self.count += (slots & !was).count_ones() as usize;
        if was == 0 && slots != 0 {
            if let Some(present) = self.present.get_mut(word / WORD) {
                *present |= 1 << (word % WORD);
            }
        }
    }

    /// The marked slots, in ascending order.
    #[inline]
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.present_words()
            .flat_map(|word| bits(self.words[word]).map(move |bit| word * WORD + bit))
    }

    /// Takes away all marks. It covers as much as before.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.present.is_empty() {
            self.words.fill(0);
        }
        for (group, present) in self.present.iter_mut().enumerate() {
            for word in bits(core::mem::take(present)) {
                self.words[group * WORD + word] = 0;
            }
        }
        self.count = 0;
    }

    /// Returns whether the slot is covered.
    #[inline]
    pub(crate) fn covers(&self, slot: usize) -> bool {
        slot / WORD < self.words.len()
    }

    /// Returns the number of covered slots. (Where addresses have 32 bits, words of all slots have one more than can be
    /// counted, which no key names.)
    #[inline]
    pub(crate) fn covered(&self) -> usize {
        self.words.len().saturating_mul(WORD)
    }

    /// The last marked slot.
    #[inline]
    pub(crate) fn last(&self) -> Option<usize> {
        let word = self.present_words().last()?;
        Some(word * WORD + self.words[word].ilog2() as usize)
    }

    /// The marked slots, in ascending order.
    ///
    /// # Safety
    /// While the walk is used,
    /// 1. the marks live, and cover as much;
    /// 2. no slot that it has yet to yield loses its mark (those that it has yielded may), and none is marked.
    #[inline]
    pub(crate) unsafe fn walk(&self) -> Walk {
        // (Not by a reference: marks that are taken away while the walk is used end those.)
        let present = (!self.present.is_empty()).then(|| self.present.start());
        // SAFETY: (1) the words cover that many slots, and their bits say what is marked; (2) the caller keeps them
        // as they are. (3, 4) `present` has the bit of each word that is not zero.
        unsafe { Walk::new(self.words.start(), present, 0..self.covered(), 0, self.count) }
    }

    /// The words, and the summary of them, if there is one.
    #[inline]
    pub(crate) fn parts(&self) -> (&[u64], Option<&[u64]>) {
        (&self.words, (!self.present.is_empty()).then_some(&*self.present))
    }

    /// The words with a mark, by the summary where there is one.
    #[inline]
    pub(crate) fn present_words(&self) -> impl Iterator<Item = usize> {
        let few = if self.present.is_empty() { self.words.len() } else { 0 };
        let few = (0..few).filter(|&word| self.words[word] != 0);
        let groups = self.present.iter().enumerate();
        few.chain(
            groups.flat_map(|(group, &present)| bits(present).map(move |bit| group * WORD + bit)),
        )
    }

    /// Panics where the marks contradict themselves. (Words that the summary leaves out are not looked at: what they
    /// have is missing in the count.)
    #[cfg(any(test, feature = "__test"))]
    #[inline]
    pub(crate) fn validate(&self) {
        let bits = self.present_words().map(|word| self.words[word].count_ones() as usize);
        assert_eq!(bits.sum::<usize>(), self.count, "marks are counted");
        assert!(self.present_words().all(|word| self.words[word] != 0), "no word is empty");
    }
}

#[cfg(test)]
mod tests {
    //! Marks, their summary, and walks over them.

    use super::Marks;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    fn walked(marks: &Marks) -> Vec<usize> {
        // SAFETY: (1, 2) the marks stay as they are.
        unsafe { marks.walk() }.collect()
    }

    #[test]
    fn marks_are_what_was_marked() {
        let slots = [0, 63, 64, 127, 4_095, 4_096, 4_100, 8_191, 8_999];
        let (mut marks, mut model) = (Marks::new(), BTreeSet::new());
        assert_eq!((marks.last(), marks.contains(0)), (None, false));
        marks.resize(9_000).unwrap();
        for step in 0..slots.len() {
            let slot = slots[step * 5 % slots.len()];
            marks.insert(slot);
            model.insert(slot);
            marks.validate();
            assert_eq!((marks.len(), marks.last()), (model.len(), model.last().copied()));
            assert!(walked(&marks).into_iter().eq(model.iter().copied()));
        }
        assert!(slots.iter().all(|&slot| marks.contains(slot) && !marks.contains(slot + 2)));
        assert!(!marks.contains(usize::MAX));
        for slot in slots {
            marks.remove(slot);
            marks.validate();
            assert!(!marks.contains(slot));
        }
    }

    /// A bit a slot, and a bit a word: nothing else is allocated.
    #[test]
    fn marks_take_a_bit_each_and_a_summary() {
        let mut marks = Marks::new();
        for (slots, words) in [(1, 1), (64, 1), (65, 2), (4_096, 64), (4_097, 67), (100, 2), (0, 0)]
        {
            marks.resize(slots).unwrap();
            assert_eq!(marks.bytes(), words * 8, "{slots} slots");
        }
    }

    /// Marks are taken away in words that the walk has yet to read. An interpreter that knows which pointers may still
    /// be used tells whether the walk's may.
    #[test]
    fn marks_are_taken_away_while_they_are_walked() {
        let slots = [3, 64, 65, 190, 4095, 4096, 4_200];
        let mut marks = Marks::new();
        marks.resize(4_201).expect("there is memory");
        slots.into_iter().for_each(|slot| marks.insert(slot));
        // SAFETY: (1) the marks live as long; (2) only slots that were yielded lose theirs.
        let walk = unsafe { marks.walk() };
        let mut walked = Vec::new();
        for slot in walk {
            marks.remove(slot);
            walked.push(slot);
        }
        assert_eq!((&walked[..], marks.len()), (&slots[..], 0));
    }

    /// Marks of whole words, some of which there are: in few words, and in enough for a summary.
    #[test]
    fn marks_of_a_word_are_counted_once_and_taken_away_together() {
        for covered in [4_096, 9_000] {
            let (mut marks, mut model) = (Marks::new(), BTreeSet::new());
            marks.resize(covered).unwrap();
            for (word, slots) in [(0, 0b110), (0, 0b011), (1, 0), (63, !0), (63, 1), (0, 0)] {
                marks.insert_all(word, slots);
                model
                    .extend((0..64).filter(|bit| slots >> bit & 1 == 1).map(|bit| word * 64 + bit));
                marks.validate();
                assert_eq!((marks.len(), marks.last()), (model.len(), model.last().copied()));
                assert!(marks.slots().eq(model.iter().copied()), "in {covered}");
                assert!(walked(&marks).into_iter().eq(model.iter().copied()), "in {covered}");
            }
            let last = covered / 64 - 1;
            for (word, slots) in [(last, 0b11), (last, 0b101), (last / 2, 1 << 63)] {
                marks.insert_all(word, slots);
                marks.validate();
            }
            assert_eq!(walked(&marks).len(), marks.len());
            marks.clear();
            marks.validate();
            assert_eq!((marks.len(), marks.last(), marks.covers(covered - 1)), (0, None, true));
            assert!(!(0..covered).any(|slot| marks.contains(slot)));
        }
    }

    #[test]
    #[should_panic(expected = "marks are counted")]
    fn a_wrong_count_is_noticed() {
        let mut marks = Marks::new();
        marks.resize(9_000).unwrap();
        marks.insert(8_000);
        marks.count = 2;
        marks.validate();
    }
}
