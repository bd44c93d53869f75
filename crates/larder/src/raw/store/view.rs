//! A store as a join sees it. The invariant is that of [`store`](super).

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{At, Finder, Layout, Store};
use crate::key::Key;
use crate::raw::join::{Exclusive, Numbered, Shared, View, Words};
use crate::raw::slots::{Book, GenerationOf};

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

impl<T, K: Key, F: Copy, A> Clone for StoreView<T, K, F, A> {
    fn clone(&self) -> Self {
        Self { ..*self }
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

impl<T, K: Key, L: Layout<T, K>, B: Book> Store<T, K, L, B> {
    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, StoreView<T, K, L::Finder, L::At>> {
        let finder = self.layout.finder();
        // SAFETY: the words are the book's, and the values are borrowed.
        unsafe { Shared::new(StoreView::new(self.ledger.book.live_words(), finder)) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, StoreView<T, K, L::Finder, L::At>> {
        let finder = self.layout.finder_mut();
        // SAFETY: the words are the book's, and the values are borrowed exclusively.
        unsafe { Exclusive::new(StoreView::new(self.ledger.book.live_words(), finder)) }
    }
}
