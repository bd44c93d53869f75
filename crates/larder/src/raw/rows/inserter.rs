//! Inserting while values are lent: through a shared reference, without moving one.
//!
//! **Invariant** of [`InPlace`]: the rows are borrowed exclusively for `'a`, by it alone. While it
//! lives, no value moves, is removed or is lent exclusively: so each can be lent for all of `'a`.
//! A reference to the rows themselves lives within one method only, and no code of the user runs
//! meanwhile: neither a closure nor the `Drop` of a value. Values lie behind a pointer: a reference to
//! the rows is none to a value.

use core::marker::PhantomData;
use core::mem;
use core::ptr::NonNull;

use super::{Rooms, RowOf, Rows, Slots};
use crate::error::{InsertError, TryReserveError};
use crate::key::Key;
use crate::raw::slots::{Book, Growth};

/// Rows that are borrowed for inserting.
pub(crate) struct InPlace<'a, T, K: Key, S: Rooms<RowOf<T, K>>> {
    rows: NonNull<Rows<T, K, S>>,
    borrows: PhantomData<&'a mut Rows<T, K, S>>,
}

// SAFETY: it inserts values (`T: Send`). On the thread that it came from there may still be
// references to values, to which it lends others: so values are shared, too (`T: Sync`).
unsafe impl<T: Send + Sync, K: Key, S: Rooms<RowOf<T, K>>> Send for InPlace<'_, T, K, S> {}

impl<'a, T, K: Key, S: Rooms<RowOf<T, K>>> InPlace<'a, T, K, S> {
    #[inline]
    pub(crate) fn new(rows: &'a mut Rows<T, K, S>) -> Self {
        const { assert!(!S::INSIDE, "values lie behind a pointer") };
        Self { rows: NonNull::from(rows), borrows: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn rows(&self) -> &Rows<T, K, S> {
        // SAFETY: they are borrowed for `'a`, and no exclusive reference to them is in use: those live
        // within methods of this type that neither call this one nor run code that could.
        unsafe { self.rows.as_ref() }
    }

    /// # Safety
    /// No other reference to the rows is used while the answer is, and no code of the user runs.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "that is what the contract is about")]
    unsafe fn rows_mut(&self) -> &mut Rows<T, K, S> {
        // SAFETY: they are borrowed exclusively for `'a`, and there is no other reference in use.
        unsafe { &mut *self.rows.as_ptr() }
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<&'a T> {
        let address = self.rows().find_address(key)?;
        // SAFETY: a slot that was found is live; it stays so and where it is for `'a`, and is not lent exclusively.
        Some(unsafe { address.lend() })
    }

    #[inline(always)]
    pub(crate) fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
        // SAFETY: nothing here runs code of the user: where there is no room the value is given back. A slot that was just
        // filled is live; it stays so and where it is for `'a`.
        unsafe {
            let key = self.rows_mut().insert_in_place(value)?;
            Ok((key, self.rows().layout.at(key.slot() as usize).cast().as_ref()))
        }
    }

    /// The slot is kept as that of a detached key is while `make` runs, which may insert as well. If
    /// it panics, the key is given up.
    pub(crate) fn insert_with_key(
        &self,
        make: impl FnOnce(K) -> T,
    ) -> Result<(K, &'a T), TryReserveError> {
        /// Gives the slot back if `make` panics.
        struct Kept<'i, 'a, T, K: Key, S: Rooms<RowOf<T, K>>>(&'i InPlace<'a, T, K, S>, K);

        impl<T, K: Key, S: Rooms<RowOf<T, K>>> Drop for Kept<'_, '_, T, K, S> {
            fn drop(&mut self) {
                // SAFETY: a detached slot has no value to drop.
                unsafe { self.0.rows_mut() }.release(self.1);
            }
        }

        // SAFETY: nothing of it runs code of the user.
        let key = unsafe { self.rows_mut() }.insert_detached()?;
        let kept = Kept(self, key);
        let value = make(key);
        mem::forget(kept);
        // SAFETY: nothing here runs code of the user: a value is given back only where the key is not detached. A slot that was
        // just filled is live; it stays so and where it is for `'a`.
        unsafe {
            let attached = self.rows_mut().reattach(key, value);
            assert!(attached.is_ok(), "an inserter releases no key but its own");
            Ok((key, self.rows().layout.at(key.slot() as usize).cast().as_ref()))
        }
    }
}

impl<T, K: Key, S: Rooms<RowOf<T, K>>> Rows<T, K, S> {
    /// Whether a value can be inserted without moving another.
    #[inline(always)]
    fn check_in_place(&self) -> Result<(), TryReserveError> {
        let may_move = self.ledger.growth == Growth::Moves && !S::STAYS;
        if may_move && self.remaining() == 0 {
            return Err(TryReserveError::InserterFull { capacity: self.capacity() });
        }
        Ok(())
    }

    /// As [`try_insert`](Self::try_insert), but moves nothing.
    #[inline(always)]
    fn insert_in_place(&mut self, value: T) -> Result<K, InsertError<T>> {
        match self.check_in_place() {
            Ok(()) => self.try_insert(value),
            Err(reason) => Err(InsertError { value, reason }),
        }
    }

    /// Takes the next slot for a value that is put in by [`reattach`](Self::reattach); moves nothing.
    /// On an error nothing has changed.
    fn insert_detached(&mut self) -> Result<K, TryReserveError> {
        self.check_in_place()?;
        let place = self.place()?;
        self.ledger.book.prepare_taken()?;
        // SAFETY: the place is the next one, and `prepare_taken` changes nothing of it. The slot is live
        // for the book then, without a value, and has a place in the `taken` words; it is parked, which
        // writes its generation, before anything looks at it.
        unsafe {
            self.ledger.settle(&place);
            self.park(place.slot, place.generation);
        }
        Ok(place.key())
    }
}
