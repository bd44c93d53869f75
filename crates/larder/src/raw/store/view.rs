//! A store as a join sees it. The invariant is that of [`store`](super).

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{At, Finder, Layout, Store};
use crate::key::Key;
use crate::raw::join::{Exclusive, Numbered, Shared, View, Words};
use crate::raw::slots::GenerationOf;

/// Which slots are live, and what finds them.
pub struct StoreView<T, K: Key, F, A> {
    words: Words,
    finder: F,
    values: PhantomData<(NonNull<T>, A)>,
    keys: PhantomData<fn() -> K>,
}

impl<T, K: Key, F, A> StoreView<T, K, F, A> {
    /// # Safety
    /// The words are those of live slots that the finder finds.
    pub(crate) const unsafe fn new(words: Words, finder: F) -> Self {
        Self { words, finder, values: PhantomData, keys: PhantomData }
    }
}

// SAFETY: a live slot has its value and generation, at an address of its own.
unsafe impl<T, K: Key, A: At<T>, F: Finder<T, K, At = A>> View for StoreView<T, K, F, A> {
    type Key = K;
    type Place = Numbered<T, A>;

    #[inline]
    fn words(&self) -> Words {
        self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Numbered<T, A>) {
        // SAFETY: a live slot is below the capacity, and its generation is initialised.
        unsafe {
            let address = self.finder.find(slot);
            (address.generation.read(), address.value())
        }
    }
}

impl<T, K: Key, L: Layout<T, K>> Store<T, K, L> {
    fn view(&self) -> StoreView<T, K, L::Finder, L::At> {
        // SAFETY: the words are the book's.
        unsafe { StoreView::new(self.ledger.book.live_words(), self.layout.finder()) }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, StoreView<T, K, L::Finder, L::At>> {
        // SAFETY: the values are borrowed.
        unsafe { Shared::new(self.view()) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, StoreView<T, K, L::Finder, L::At>> {
        // SAFETY: the values are borrowed exclusively.
        unsafe { Exclusive::new(self.view()) }
    }
}
