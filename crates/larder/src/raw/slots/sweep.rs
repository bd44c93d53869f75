//! Slots of one word of the book whose objects go at once.
//!
//! **Invariant.** That of [`Sweep`]: the slots it has noted are live for the book until it is dropped,
//! although their values are gone. It borrows the container's slots exclusively, so until then no other
//! code reaches them.

use core::marker::PhantomData;

use super::{Book, Slots};
use crate::key::Key;
use crate::raw::generation::Generation;
use crate::raw::occupancy::WORD;
use crate::raw::walk::{bits, each_bit};

/// The slots of one word whose values are gone. Their generations and the book learn of all of them
/// when it is dropped, also while a panic unwinds.
///
/// **Invariant.** The slots of `word` that are set in `dead` are live for the book, and the word
/// begins below `book.slots()`.
pub(crate) struct Sweep<'a, K: Key, S: Slots<K>> {
    pub(crate) slots: &'a mut S,
    word: usize,
    dead: u64,
    keys: PhantomData<fn() -> K>,
}

impl<'a, K: Key, S: Slots<K>> Sweep<'a, K, S> {
    /// Begins with none of a word.
    ///
    /// # Safety
    /// `word * WORD < book.slots()`, and what [`Slots::stored`] returns is right for live slots, too.
    #[inline]
    pub(crate) unsafe fn new(slots: &'a mut S, word: usize) -> Self {
        Self { slots, word, dead: 0, keys: PhantomData }
    }

    /// Notes that the slots of these bits die.
    ///
    /// # Safety
    /// They are live.
    #[inline]
    pub(crate) unsafe fn note(&mut self, dead: u64) {
        self.dead |= dead;
    }
}

impl<K: Key, S: Slots<K>> Drop for Sweep<'_, K, S> {
    #[inline]
    fn drop(&mut self) {
        let first = self.word * WORD;
        let mut last = 0;
        // SAFETY: the slots are live for the book, which hears of all of them at once; those in their last
        // generation have given up their values, too.
        unsafe {
            each_bit(self.dead, |bit| {
                let generation = self.slots.stored(first + bit);
                if generation.is_last() {
                    last |= 1 << bit;
                } else {
                    self.slots.store(first + bit, generation.vacated());
                }
            });
            self.slots.ledger_mut().book.vacate_word(self.word, self.dead & !last);
            bits(last).for_each(|bit| self.slots.retire(first + bit));
        }
    }
}
