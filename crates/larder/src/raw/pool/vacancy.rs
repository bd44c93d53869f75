//! A free slot that is about to be used. The invariant is that of [`pool`](super).

use super::{Slots, Stock};
use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::slots::Place;
use crate::raw::storage::{RefMut, Storage};

/// Where the next value goes. Nothing has changed yet; the borrow keeps it so.
///
/// **Invariant.** `place` is the ledger's; so its slot is at most `made`, and there is room for it.
pub(crate) struct Vacancy<'a, T, K: Key, S: Storage<T> = Buffer<T>> {
    pub(super) stock: &'a mut Stock<T, K, S>,
    pub(super) place: Place<K>,
}

impl<'a, T, K: Key, S: Storage<T>> Vacancy<'a, T, K, S> {
    #[inline(always)]
    pub(super) fn new(stock: &'a mut Stock<T, K, S>, place: Place<K>) -> Self {
        Self { stock, place }
    }

    #[inline(always)]
    pub(crate) fn key(&self) -> K {
        self.place.key()
    }

    #[inline(always)]
    pub(crate) fn fill(self, value: T) -> K {
        let key = self.key();
        self.fill_and_get(value);
        key
    }

    /// As [`fill`](Self::fill), and gives the value out. What lay in the slot is dropped last.
    #[inline(always)]
    pub(crate) fn fill_and_get(self, value: T) -> RefMut<'a, T, S> {
        let Self { stock, place } = self;
        // SAFETY: the place is the ledger's, `stock` was borrowed since; its generation follows.
        unsafe { stock.ledger.settle(&place) };
        // SAFETY: a place lies below the capacity.
        unsafe { stock.store(place.slot, place.generation) };
        // SAFETY: by the invariant.
        unsafe { stock.put(place.slot, value) };
        // SAFETY: the slot's value was made.
        unsafe { stock.value_mut(place.slot) }
    }
}
