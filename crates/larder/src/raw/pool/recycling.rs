//! What only a `Pool` does: it lends all values as a slice, has them made beforehand, and leaves them
//! in free slots to be used again. The invariant is that of [`pool`](super).

use super::{Slots, Spot, Stock, Vacancy};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::storage::{RefMut, Storage};
use crate::stats::Reuse;

impl<T, K: Key> Stock<T, K> {
    /// What the address of a block is a multiple of, so that nothing in it has to be.
    pub(crate) const ALIGNMENT: usize = Buffer::<T>::ALIGNMENT;

    /// As [`end`](crate::raw::slots::InMemory::end) of any container.
    pub(crate) const fn end_of(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        let Some(at) = Buffer::<T>::end(at, slots) else { return None };
        Self::end_after(at, slots, reuse)
    }

    /// All values there are, whatever their slots are.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[T] {
        // SAFETY: `made` values are initialised, and borrowed as `self` is.
        unsafe { core::slice::from_raw_parts(self.values.start().as_ptr(), self.made) }
    }

    /// All values there are, to change them.
    #[inline(always)]
    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        // SAFETY: `made` values are initialised, and borrowed as `self` is.
        unsafe { core::slice::from_raw_parts_mut(self.values.start().as_ptr(), self.made) }
    }

    /// The slot that a value lies in, if it is live; `None` where the value lies elsewhere.
    pub(crate) fn slot_of(&self, value: &T) -> Option<usize> {
        let stride = size_of::<T>();
        let start = self.values.start().addr().get();
        let offset = core::ptr::from_ref(value).addr().checked_sub(start)?;
        let slot = offset.checked_div(stride)?;
        (offset % stride == 0 && self.ledger.book.is_live(slot)).then_some(slot)
    }
}

impl<T, K: Key, S: Storage<T>> Stock<T, K, S> {
    /// The slot of a key becomes free, then `reset` is given what lies in it.
    #[inline(always)]
    pub(crate) fn recycle(&mut self, key: K, reset: impl FnOnce(Spot<'_, T, S::At>)) -> bool {
        let Some(slot) = self.find(key) else { return false };
        // SAFETY: a slot that was found is live, in the key's generation.
        unsafe { self.free(slot, key.generation()) };
        // SAFETY: it is in use, so its value was made.
        reset(unsafe { self.spot(slot) });
        true
    }

    /// Makes room for `additional` values, and has the values made that are to lie there. If `make`
    /// panics, those that it made stay.
    pub(crate) fn try_provide(
        &mut self,
        additional: usize,
        make: impl FnMut() -> T,
    ) -> Result<(), TryReserveError> {
        self.try_reserve(additional)?;
        let book = &self.ledger.book;
        self.make_up_to(book.slots() + additional.saturating_sub(book.holes()), make);
        Ok(())
    }

    /// Has all values made that there is memory for.
    pub(crate) fn make_all(&mut self, make: impl FnMut() -> T) {
        self.make_up_to(self.values.capacity(), make);
    }

    fn make_up_to(&mut self, count: usize, mut make: impl FnMut() -> T) {
        for _ in self.made..count.min(self.values.capacity()) {
            let fresh = make();
            // SAFETY: as many as that fit, and the block does not change meanwhile.
            unsafe { self.push(fresh) };
        }
    }
}

impl<'a, T, K: Key, S: Storage<T>> Vacancy<'a, T, K, S> {
    /// Has the slot's value made, if none lies there.
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
pub(crate) struct Prepared<'a, T, K: Key, S: Storage<T> = Buffer<T>>(Vacancy<'a, T, K, S>);

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
