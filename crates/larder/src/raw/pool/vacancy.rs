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
    stock: &'a mut Stock<T, K, S>,
    place: Place<K>,
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

    /// Has the slot's value made, if none lies there.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn prepare(self, make: impl FnOnce() -> T) -> Prepared<'a, T, K, S> {
        if self.place.slot == self.stock.made {
            let fresh = make();
            // SAFETY: a place lies below the capacity.
            unsafe { self.stock.push(fresh) };
        }
        Prepared(self)
    }
}

/// A free slot that has a value.
///
/// **Invariant.** `place.slot < stock.made`.
#[cfg(feature = "alloc")]
pub(crate) struct Prepared<'a, T, K: Key, S: Storage<T> = Buffer<T>>(Vacancy<'a, T, K, S>);

#[cfg(feature = "alloc")]
impl<'a, T, K: Key, S: Storage<T>> Prepared<'a, T, K, S> {
    #[inline(always)]
    pub(crate) fn key(&self) -> K {
        self.0.key()
    }

    /// What lies in the slot, to be made what it is to become.
    #[inline(always)]
    pub(crate) fn value_mut(&mut self) -> RefMut<'_, T, S> {
        // SAFETY: the slot's value was made.
        unsafe { self.0.stock.value_mut(self.0.place.slot) }
    }

    /// The slot becomes live, with what lies in it.
    #[inline(always)]
    pub(crate) fn occupy(self) -> RefMut<'a, T, S> {
        let Vacancy { stock, place } = self.0;
        // SAFETY: the place is the ledger's, `stock` was borrowed since; its generation follows.
        unsafe { stock.ledger.settle(&place) };
        // SAFETY: a place lies below the capacity.
        unsafe { stock.store(place.slot, place.generation) };
        // SAFETY: the slot's value was made.
        unsafe { stock.value_mut(place.slot) }
    }
}
