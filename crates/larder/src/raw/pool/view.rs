//! A pool's values as a join sees them. The invariant is that of [`pool`](super).

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{GenerationOf, Stock};
use crate::key::Key;
use crate::raw::join::{Exclusive, Numbered, Shared, View, Words};
use crate::raw::storage::{At, Storage};

/// Which slots are live, their generations, and their values.
pub struct StockView<T, K: Key, A = NonNull<T>> {
    words: Words,
    generations: NonNull<GenerationOf<K>>,
    values: A,
    of: PhantomData<NonNull<T>>,
}

// SAFETY: a live slot has its generation, and its value was made.
unsafe impl<T, K: Key, A: At<T>> View for StockView<T, K, A> {
    type Key = K;
    type Place = Numbered<T, A>;

    #[inline]
    fn words(&self) -> &Words {
        &self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Numbered<T, A>) {
        // SAFETY: a live slot is in use.
        let generation = unsafe { self.generations.add(slot) };
        // SAFETY: the generation of a slot in use is initialised.
        (unsafe { generation.read() }, Numbered::new(self.values, slot))
    }
}

impl<T, K: Key, S: Storage<T>> Stock<T, K, S> {
    fn view(&self) -> StockView<T, K, S::At> {
        let (generations, values) = (self.generations.start(), self.values.at());
        StockView { words: self.ledger.book.live_words(), generations, values, of: PhantomData }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, StockView<T, K, S::At>> {
        // SAFETY: the values are borrowed.
        unsafe { Shared::new(self.view()) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, StockView<T, K, S::At>> {
        // SAFETY: the values are borrowed exclusively.
        unsafe { Exclusive::new(self.view()) }
    }
}
