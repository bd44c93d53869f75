//! Slots as bits, 64 in a word.
//!
//! **Invariant.** That of [`LiveWords`].

use core::marker::PhantomData;
use core::ptr::NonNull;

/// The number of slots that a word describes.
pub(crate) const WORD: usize = 64;

/// Returns a word whose lowest `count` bits are set, at most 64.
#[inline]
pub(crate) const fn low(count: usize) -> u64 {
    if count == 0 { 0 } else { !0 >> (WORD - count) }
}

/// Returns the numbers of the set bits of a word, lowest first.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// Calls `f` for each set bit of a word, lowest first; a full word is a plain loop.
#[inline]
pub(crate) fn each_bit(word: u64, f: impl FnMut(usize)) {
    if word == !0 {
        (0..WORD).for_each(f);
    } else {
        bits(word).for_each(f);
    }
}

/// A borrow of the words that say which slots have a value.
///
/// **Invariant.** There are as many words as the slots need, and the summary, if there is one, covers them;
/// both are borrowed.
#[derive(Clone, Copy)]
pub struct LiveWords<'a> {
    words: NonNull<u64>,
    /// A bit for each word, set if the word may have a set bit; without it any word may.
    present: Option<NonNull<u64>>,
    slots: usize,
    borrows: PhantomData<&'a [u64]>,
}

// SAFETY: it is a borrow of words, which can be sent.
unsafe impl Send for LiveWords<'_> {}
// SAFETY: it is a borrow of words, which can be shared.
unsafe impl Sync for LiveWords<'_> {}

impl<'a> LiveWords<'a> {
    /// The words, and their summary, cover the slots; bits past them mean nothing.
    #[inline]
    pub(crate) fn new(words: &'a [u64], present: Option<&'a [u64]>, slots: usize) -> Self {
        let count = slots.div_ceil(WORD);
        assert!(count <= words.len(), "the words cover the slots");
        let present = present.map(|present| {
            assert!(count.div_ceil(WORD) <= present.len(), "the summary covers the words");
            NonNull::from(present).cast()
        });
        Self { words: NonNull::from(words).cast(), present, slots, borrows: PhantomData }
    }

    #[inline]
    pub(crate) const fn count(self) -> usize {
        self.slots.div_ceil(WORD)
    }

    /// The slots of a word that have a value, as bits.
    ///
    /// # Safety
    /// `word < count()`. (A join asks for each word once: a check took a quarter of its time where few slots have all.)
    #[inline]
    pub(crate) unsafe fn word(self, word: usize) -> u64 {
        // SAFETY: by the invariant the word exists, and the borrow covers it.
        let bits = unsafe { self.words.add(word).read() };
        let rest = self.slots - word * WORD;
        let beyond = if rest < WORD { !0 << rest } else { 0 };
        bits & !beyond
    }

    /// Returns a bit for each word of a group that may have a slot with a value; none if there is no such group.
    #[inline]
    pub(crate) fn present(self, group: usize) -> u64 {
        if group * WORD >= self.count() {
            return 0;
        }
        // SAFETY: by the invariant the summary covers the words, and so has the group.
        self.present.map_or(!0, |present| unsafe { present.add(group).read() })
    }

    /// Returns the slots of a word that have a value, as bits; none if the word is past the last.
    #[inline]
    pub(crate) fn get(self, word: usize) -> u64 {
        if word >= self.count() {
            return 0;
        }
        // SAFETY: just checked.
        unsafe { self.word(word) }
    }

    /// Returns whether the slot has a value. Any number may be asked about.
    #[inline]
    pub(crate) fn has(self, slot: usize) -> bool {
        let word = slot / WORD;
        // SAFETY: just checked.
        word < self.count() && unsafe { self.word(word) } >> (slot % WORD) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::LiveWords;

    #[test]
    fn bits_past_the_slots_mean_nothing() {
        let bits = [!0, !0, 0b1011];
        for slots in [0, 1, 63, 64, 65, 128, 130, 131] {
            let words = LiveWords::new(&bits, None, slots);
            assert_eq!(words.count(), slots.div_ceil(64));
            for slot in 0..260 {
                let set = slot < 128 || [128, 129, 131].contains(&slot);
                assert_eq!(words.has(slot), set && slot < slots, "{slot} of {slots}");
            }
        }
    }

    #[test]
    fn without_a_summary_all_words_may_have_slots() {
        let (bits, summary) = ([1, 0], [0b01]);
        let words = LiveWords::new(&bits, None, 128);
        let summed = LiveWords::new(&bits, Some(&summary), 128);
        assert_eq!([words, summed].map(|words| words.present(0)), [!0, 0b01]);
        assert_eq!([words, summed].map(|words| words.present(1)), [0; 2], "there is one group");
    }

    #[test]
    fn words_past_the_last_have_no_slots() {
        let words = LiveWords::new(&[!0, !0], None, 70);
        assert_eq!([0, 1, 2, 99].map(|word| words.get(word)), [!0, 0b11_1111, 0, 0]);
    }
}
