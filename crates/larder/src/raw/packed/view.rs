//! Packed values as a join sees them: by slots, through the table.
//!
//! **Invariant.** That of [`packed`](super): the cell of a live slot is the position of its key and
//! value. The container is borrowed as long as the view is used.

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{CellOf, Packed};
use crate::key::{Key, sealed::Compose};
use crate::raw::generation::Generation;
use crate::raw::join::{Exclusive, Numbered, Shared, View, Words};
use crate::raw::slots::GenerationOf;
use crate::raw::storage::{At, Storage};

/// Which slots are live, and where their values are.
pub struct PackedView<T, K: Key, A = NonNull<T>> {
    words: Words,
    table: NonNull<CellOf<K>>,
    keys: NonNull<K>,
    values: A,
    of: PhantomData<NonNull<T>>,
}

impl<T, K: Key, A: Copy> Clone for PackedView<T, K, A> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

// SAFETY: the cell of a live slot is the position of its key and value, and of no other slot's.
unsafe impl<T, K: Key, A: At<T>> View for PackedView<T, K, A> {
    type Key = K;
    type Place = Numbered<T, A>;

    #[inline]
    fn words(&self) -> Words {
        self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Numbered<T, A>) {
        // SAFETY: a live slot has its cell, and at the position there its key.
        let (position, key) = unsafe {
            let position = GenerationOf::<K>::position(self.table.add(slot).read());
            (position, self.keys.add(position).read())
        };
        (Compose::generation(key), Numbered::new(self.values, position))
    }
}

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    fn view(&self) -> PackedView<T, K, S::At> {
        let (table, keys, values) = (self.table.start(), self.keys.start(), self.values.at());
        let words = self.ledger.book.live_words();
        PackedView { words, table, keys, values, of: PhantomData }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, PackedView<T, K, S::At>> {
        // SAFETY: the values are borrowed.
        unsafe { Shared::new(self.view()) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, PackedView<T, K, S::At>> {
        // SAFETY: the values are borrowed exclusively.
        unsafe { Exclusive::new(self.view()) }
    }
}
