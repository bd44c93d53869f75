//! Rows as a join sees them. The invariant is that of [`rows`](super).

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::ptr::NonNull;

use super::{Finder, GenerationOf, RowOf, Rows, Store};
use crate::key::Key;
use crate::raw::join::{Exclusive, Shared, View, Words};

/// Which slots are live, and what finds their rows.
pub struct RowsView<T, K: Key, F> {
    words: Words,
    rows: F,
    of: core::marker::PhantomData<NonNull<RowOf<T, K>>>,
}

impl<T, K: Key, F> RowsView<T, K, F> {
    /// # Safety
    /// The words are those of live slots of the rows.
    pub(crate) const unsafe fn new(words: Words, rows: F) -> Self {
        Self { words, rows, of: core::marker::PhantomData }
    }
}

// SAFETY: a live slot has its value and generation, in a row of its own.
unsafe impl<T, K: Key, F: Finder<RowOf<T, K>>> View for RowsView<T, K, F> {
    type Key = K;
    type Place = NonNull<T>;

    #[inline]
    fn words(&self) -> &Words {
        &self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, NonNull<T>) {
        // SAFETY: a live slot is in use.
        let row = unsafe { self.rows.find(slot) };
        // SAFETY: its generation is initialised.
        (unsafe { (*row.as_ptr()).generation }, row.cast())
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
    fn view(&self) -> RowsView<T, K, S::Finder> {
        // SAFETY: the words are the book's.
        unsafe { RowsView::new(self.ledger.book.live_words(), self.rows.finder()) }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, RowsView<T, K, S::Finder>> {
        // SAFETY: the rows are borrowed.
        unsafe { Shared::new(self.view()) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, RowsView<T, K, S::Finder>> {
        // SAFETY: the rows are borrowed exclusively.
        unsafe { Exclusive::new(self.view()) }
    }
}
