//! A pool's values as a join sees them. The invariant is that of [`pool`](super).

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::ptr::NonNull;

use super::{GenerationOf, Stock};
use crate::key::Key;
use crate::raw::join::{Exclusive, Shared, View, Words};

/// Which slots are live, their generations, and their values.
pub struct StockView<T, K: Key> {
    words: Words,
    generations: NonNull<GenerationOf<K>>,
    values: NonNull<T>,
}

// SAFETY: a live slot has its generation, and its value was made.
unsafe impl<T, K: Key> View for StockView<T, K> {
    type Key = K;
    type Value = T;

    #[inline]
    fn words(&self) -> &Words {
        &self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, NonNull<T>) {
        // SAFETY: a live slot is in use.
        let generation = unsafe { self.generations.add(slot) };
        // SAFETY: as above.
        let value = unsafe { self.values.add(slot) };
        // SAFETY: the generation of a slot in use is initialised.
        (unsafe { generation.read() }, value)
    }
}

impl<T, K: Key> Stock<T, K> {
    fn view(&self) -> StockView<T, K> {
        let (generations, values) = (self.generations.start(), self.values.start());
        StockView { words: self.ledger.book.live_words(), generations, values }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, StockView<T, K>> {
        // SAFETY: the values are borrowed.
        unsafe { Shared::new(self.view()) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, StockView<T, K>> {
        // SAFETY: the values are borrowed exclusively.
        unsafe { Exclusive::new(self.view()) }
    }
}
