//! A set of slots, one bit each, and what walks over it: occupancy without a book of holes, for
//! containers that are told which slot a value goes into.
//!
//! **Invariant.** `present` covers the words, and has the bit of each that is not zero. `count` is the
//! number of set bits.

#[cfg(test)]
mod tests;

use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::filled::Filled;
use crate::raw::occupancy::WORD;
use crate::raw::walk::Walk;

/// A set of slots below a bound.
pub(crate) struct Marks {
    words: Filled<u64>,
    present: Filled<u64>,
    count: usize,
}

impl Marks {
    pub(crate) const fn new() -> Self {
        Self { words: Filled::new(), present: Filled::new(), count: 0 }
    }

    /// How many slots are marked.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.bytes() + self.present.bytes()
    }

    /// Covers at least `slots` slots, and no more words than they need. None of the others may be
    /// marked. On an error there are no fewer than before.
    pub(crate) fn resize(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        let present = words.div_ceil(WORD);
        if present > self.present.len() {
            self.present.resize(present, 0)?;
        }
        self.words.resize(words, 0)?;
        self.present.resize(present, 0)
    }

    /// Whether the slot is marked. Any number may be asked about.
    #[inline]
    pub(crate) fn contains(&self, slot: usize) -> bool {
        self.words.get(slot / WORD).is_some_and(|word| word >> (slot % WORD) & 1 == 1)
    }

    /// Marks a slot that is covered, and is not marked.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize) {
        let word = slot / WORD;
        self.words[word] |= 1 << (slot % WORD);
        self.present[word / WORD] |= 1 << (word % WORD);
        self.count += 1;
    }

    /// Takes away the mark of a slot that has one.
    #[inline]
    pub(crate) fn remove(&mut self, slot: usize) {
        let word = slot / WORD;
        self.words[word] &= !(1 << (slot % WORD));
        if self.words[word] == 0 {
            self.present[word / WORD] &= !(1 << (word % WORD));
        }
        self.count -= 1;
    }

    /// The last marked slot.
    pub(crate) fn last(&self) -> Option<usize> {
        let word = self.words.iter().rposition(|&word| word != 0)?;
        Some(word * WORD + self.words[word].ilog2() as usize)
    }

    /// The marked slots, in ascending order.
    ///
    /// # Safety
    /// While the walk is used, the marks must live and cover as much; no slot that the walk has yet
    /// to yield may lose its mark (those that it has yielded may), and none may be marked.
    #[inline]
    pub(crate) unsafe fn walk(&self) -> Walk {
        let (slots, present) = (self.words.len() * WORD, self.present.start());
        // SAFETY: the caller keeps the marks as they are; the words cover that many slots, and their bits say what is marked.
        unsafe { Walk::new(self.words.start(), present, 0..slots, 0, self.count) }
    }

    /// The words, and the summary of them: what reads them must not outlive them.
    pub(crate) fn parts(&self) -> (&[u64], NonNull<u64>) {
        (&self.words, self.present.start())
    }

    /// Panics where the marks contradict themselves.
    pub(crate) fn validate(&self) {
        let bits = self.words.iter().map(|word| word.count_ones() as usize);
        assert_eq!(bits.sum::<usize>(), self.count, "marks are counted");
        for (word, bits) in self.words.iter().enumerate() {
            let present = self.present[word / WORD] >> (word % WORD) & 1 == 1;
            assert_eq!(present, *bits != 0, "word {word} is present");
        }
    }
}
