//! Packed values as a join sees them: by slots, through the table. The invariant is that of
//! [`packed`](super).

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::ptr::NonNull;

use super::{CellOf, Packed};
use crate::key::{Key, sealed::Compose};
use crate::raw::generation::Generation;
use crate::raw::join::{Exclusive, Shared, View, Words};
use crate::raw::slots::GenerationOf;

/// Which slots are live, and where their values are.
pub struct PackedView<T, K: Key> {
    words: Words,
    table: NonNull<CellOf<K>>,
    keys: NonNull<K>,
    values: NonNull<T>,
}

// SAFETY: the cell of a live slot is the position of its key and value, and of no other slot's.
unsafe impl<T, K: Key> View for PackedView<T, K> {
    type Key = K;
    type Value = T;

    #[inline]
    fn words(&self) -> &Words {
        &self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, NonNull<T>) {
        // SAFETY: a live slot is in use.
        let cell = unsafe { self.table.add(slot) };
        // SAFETY: its cell is initialised.
        let position = GenerationOf::<K>::position(unsafe { cell.read() });
        // SAFETY: the cell of a live slot is a position below `len`.
        let key = unsafe { self.keys.add(position) };
        // SAFETY: the key there is initialised.
        let generation = Compose::generation(unsafe { key.read() });
        // SAFETY: as for the key.
        (generation, unsafe { self.values.add(position) })
    }
}

impl<T, K: Key> Packed<T, K> {
    fn view(&self) -> PackedView<T, K> {
        let (table, keys, values) = (self.table.start(), self.keys.start(), self.values.start());
        PackedView { words: self.ledger.book.live_words(), table, keys, values }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, PackedView<T, K>> {
        // SAFETY: the values are borrowed.
        unsafe { Shared::new(self.view()) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, PackedView<T, K>> {
        // SAFETY: the values are borrowed exclusively.
        unsafe { Exclusive::new(self.view()) }
    }
}
