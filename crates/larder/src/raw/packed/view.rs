//! Packed values as a join sees them: by slots, through the table. The invariant is that of
//! [`packed`](super).

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

// SAFETY: the cell of a live slot is the position of its key and value, and of no other slot's.
unsafe impl<T, K: Key, A: At<T>> View for PackedView<T, K, A> {
    type Key = K;
    type Place = Numbered<T, A>;

    #[inline]
    fn words(&self) -> &Words {
        &self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Numbered<T, A>) {
        // SAFETY: a live slot is in use.
        let cell = unsafe { self.table.add(slot) };
        // SAFETY: its cell is initialised.
        let position = GenerationOf::<K>::position(unsafe { cell.read() });
        // SAFETY: the cell of a live slot is a position below `len`.
        let key = unsafe { self.keys.add(position) };
        // SAFETY: the key there is initialised.
        let generation = Compose::generation(unsafe { key.read() });
        (generation, Numbered::new(self.values, position))
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
