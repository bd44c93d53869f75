//! Values that stay where they are: inserting while values are lent, from one thread and from many at once,
//! without a lock; and finding a value by the address of its row.
//!
//! **Invariant** of [`InPlace`]: the rows are borrowed exclusively for `'a`, by it alone. While it
//! lives, no value moves, is removed or is lent exclusively: so each can be lent for all of `'a`.
//! A reference to the rows themselves lives within one method only, and no code of the user runs
//! meanwhile: neither a closure nor the `Drop` of a value. Values lie behind a pointer: a reference to
//! the rows is none to a value.
//!
//! **Invariant** of [`SharedClaims`]: the rows are borrowed exclusively for `'a`, by it alone, and nothing
//! of the container but rows above the high-water mark changes before it is dropped. There are `room`
//! of those within the capacity. Each number below `room` is [claimed](Claims) once; who claimed it writes the
//! row of that number above the mark, and no other, before doing anything else: so when no claimer is
//! left, the first `claimed` rows, but at most `room`, are written. Values lie behind a pointer: a reference
//! to the rows, of which every thread has one, is none to the memory that is written.
//!
//! While it lives, the ledger's mark is beyond every generation that any inserter could hand out here:
//! how much room there is depends on the size of a value and on the platform, keys do not. If it is
//! leaked, its rows are forgotten, and slots that are begun anew have other generations.
//!
//! **Invariant** of pointer handles: one is handed out only where rows stay where they are for good. So the
//! address of a row is as good as its number: address and generation are equal to those of a live
//! row if and only if they were handed out for the value in it, as with keys. Any number may come as an
//! address. It becomes a pointer only as a part of the block: what is asked of it is that it is the beginning
//! of a row in use, whose generation then says the rest. (An odd generation, as every pointer handle has, is
//! stored in live rows alone.)

use core::marker::PhantomData;
use core::mem;
use core::ptr::NonNull;

#[cfg(target_has_atomic = "ptr")]
use super::{ErasedSlots, GenerationOf, claims::Claims};
use super::{Layout, Rooms, Row, Rows, SlotStore, Store};
use crate::error::{InsertError, TryReserveError};
#[cfg(target_has_atomic = "ptr")]
use crate::key::generation::{Generation, Mark};
use crate::key::{Handle, Key, PtrHandle};
use crate::memory::{OnDrop, cold_path};
use crate::raw::book::Book;
use crate::raw::slots::Growth;
#[cfg(target_has_atomic = "ptr")]
use crate::raw::slots::MarkOf;

/// Rows that are borrowed for inserting.
pub(crate) struct InPlace<'a, T, K: Key, S: Rooms<T, K>> {
    rows: NonNull<Rows<T, K, S>>,
    borrows: PhantomData<&'a mut Rows<T, K, S>>,
}

// SAFETY: it inserts values (`T: Send`). On the thread that it came from there may still be
// references to values, to which it lends others: so values are shared, too (`T: Sync`).
unsafe impl<T: Send + Sync, K: Key, S: Rooms<T, K>> Send for InPlace<'_, T, K, S> {}

impl<'a, T, K: Key, S: Rooms<T, K>> InPlace<'a, T, K, S> {
    #[inline]
    pub(crate) fn new(rows: &'a mut Rows<T, K, S>) -> Self {
        const { assert!(!S::INSIDE, "values lie behind a pointer") };
        Self { rows: NonNull::from(rows), borrows: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn rows(&self) -> &Rows<T, K, S> {
        // SAFETY: they are borrowed for `'a`, and no exclusive reference to them is in use: those
        // live within methods of this type that neither call this one nor run code that could.
        unsafe { self.rows.as_ref() }
    }

    /// # Safety
    /// While the answer is used,
    /// 1. no other reference to the rows is;
    /// 2. no code of the user runs.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "that is what the contract is about")]
    unsafe fn rows_mut(&self) -> &mut Rows<T, K, S> {
        // SAFETY: they are borrowed exclusively for `'a`; by (1) there is no
        // other reference in use.
        unsafe { &mut *self.rows.as_ptr() }
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<&'a T> {
        let address = self.rows().find_address(key)?;
        // SAFETY: (1) a slot that was found is live; (2) it stays so and where it is for `'a`, and
        // is not lent exclusively.
        Some(unsafe { address.value.lend() })
    }

    #[inline(always)]
    pub(crate) fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
        // SAFETY: (1) no other reference is in use; (2) nothing here runs code of the user: where
        // there is no room the value is given back. A slot that was just filled is live; it stays
        // so and where it is for `'a`.
        unsafe {
            let key = self.rows_mut().insert_in_place(value)?;
            Ok((key, self.rows().layout.0.at(key.slot() as usize).cast().as_ref()))
        }
    }

    /// The slot is kept as that of a detached key is while `make` runs, which may insert as well. If
    /// it panics, the key is given up.
    pub(crate) fn insert_with_key(
        &self,
        make: impl FnOnce(K) -> T,
    ) -> Result<(K, &'a T), TryReserveError> {
        // SAFETY: (1) no other reference is in use; (2) nothing of it runs code of the user.
        let key = unsafe { self.rows_mut() }.insert_detached()?;
        let kept = OnDrop::new(key, |&mut key| {
            // SAFETY: (1) no other reference is in use; (2) a detached slot
            // has no value to drop.
            unsafe { self.rows_mut() }.release(key);
        });
        let value = make(key);
        mem::forget(kept);
        // SAFETY: (1) no other reference is in use; (2) nothing here runs code of the user: a value
        // is given back only where the key is not detached. A slot that was just filled is live; it
        // stays so and where it is for `'a`.
        unsafe {
            let attached = self.rows_mut().reattach(key, value);
            assert!(attached.is_ok(), "an inserter releases no key but its own");
            Ok((key, self.rows().layout.0.at(key.slot() as usize).cast().as_ref()))
        }
    }
}

impl<T, K: Key, S: Rooms<T, K>> Rows<T, K, S> {
    /// Returns whether a value can be inserted without moving another.
    #[inline(always)]
    fn check_in_place(&self) -> Result<(), TryReserveError> {
        let may_move = self.ledger.growth == Growth::Moves && !S::STAYS;
        if may_move && self.remaining() == 0 {
            return Err(TryReserveError::InserterFull { capacity: self.capacity() });
        }
        Ok(())
    }

    /// Like [`try_insert`](Self::try_insert), but moves nothing.
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
        // SAFETY: to settle: (1) the place is the next one, of which `prepare_taken` changes
        // nothing; (2) the slot is parked, which writes its generation, before anything
        // looks at it. To park: (1) it is live for the book then, without a value; (2) there
        // are `taken` words.
        unsafe {
            self.ledger.commit(&place);
            self.park(place.slot, place.generation);
        }
        Ok(place.key())
    }
}

#[cfg(target_has_atomic = "ptr")]
/// Rows above the mark, to be claimed one by one.
pub(crate) struct SharedClaims<'a, T, K: Key, S: Rooms<T, K>> {
    rows: NonNull<Rows<T, K, S>>,
    claims: Claims,
    /// The ledger's mark before.
    mark: MarkOf<K>,
    borrows: PhantomData<&'a mut Rows<T, K, S>>,
}

#[cfg(target_has_atomic = "ptr")]
// SAFETY: it inserts values, which the owner of the container then drops (`T: Send`), and lends, by
// `get`, values to which there may be references on the thread that it came from (`T: Sync`).
unsafe impl<T: Send + Sync, K: Key, S: Rooms<T, K>> Send for SharedClaims<'_, T, K, S> {}
#[cfg(target_has_atomic = "ptr")]
// SAFETY: values come from all threads to that of the container (`T: Send`), and are lent to all
// (`T: Sync`). Claiming is atomic, and no two claimers write the same row; the rows that are read
// by `get` were there before.
unsafe impl<T: Send + Sync, K: Key, S: Rooms<T, K>> Sync for SharedClaims<'_, T, K, S> {}

#[cfg(target_has_atomic = "ptr")]
impl<'a, T, K: Key, S: Rooms<T, K>> SharedClaims<'a, T, K, S> {
    /// On an error nothing has changed but that free slots at the end are fresh again, and that there
    /// may be more room than before.
    pub(crate) fn new(
        rows: &'a mut Rows<T, K, S>,
        additional: usize,
    ) -> Result<Self, TryReserveError> {
        const { assert!(!S::INSIDE, "values lie behind a pointer") };
        // Holes are not filled, so those at the end are fresh slots again: else a container that is
        // filled like this and emptied, again and again, would grow each time, or be full for good.
        rows.forget_free_end(|mark| mark.beyond(0).is_some());
        let slots = rows.ledger.book.slots();
        let wanted = slots.saturating_add(additional);
        if wanted > rows.slot_capacity() {
            rows.erased_mut().grow(wanted)?;
        }
        let claims = Claims::new(rows.slot_capacity() - slots);
        let mark = rows.ledger.mark;
        // For as many as there can be slots, however many fit here.
        let beyond = mark.beyond(K::MAX_SLOTS as usize);
        rows.ledger.mark = beyond.ok_or(TryReserveError::GenerationsUsedUp)?;
        Ok(Self { rows: NonNull::from(rows), claims, mark, borrows: PhantomData })
    }

    #[inline(always)]
    fn rows(&self) -> &Rows<T, K, S> {
        // SAFETY: they are borrowed for `'a`; until this is dropped there are only such references.
        unsafe { self.rows.as_ref() }
    }

    /// Returns the number of values that were inserted, by now at least.
    pub(crate) fn len(&self) -> usize {
        self.claims.len()
    }

    pub(crate) fn remaining(&self) -> usize {
        self.claims.room() - self.len()
    }

    /// A value that was there before.
    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<&'a T> {
        let slot = self.rows().find(key)?;
        // SAFETY: the slot is live, and its value is not removed, moved or lent
        // exclusively for `'a`.
        Some(unsafe { self.rows().layout.0.at(slot).cast().as_ref() })
    }

    #[inline(always)]
    pub(crate) fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
        let Some(number) = self.claims.next() else {
            let reason = TryReserveError::InserterFull { capacity: self.claims.room() };
            return Err(InsertError { value, reason });
        };
        let slot = self.rows().ledger.book.slots() + number;
        let generation = GenerationOf::<K>::begun(self.mark, number);
        // From here to the end nothing can panic: there is no code of the user.
        // SAFETY: the room lies within the capacity; the row is this claimer's alone, and has no
        // value. It is not moved, removed or lent exclusively for `'a`: even if this is leaked, the
        // rows are borrowed for as long.
        let value = unsafe {
            let row = self.rows().layout.0.at(slot);
            row.cast::<T>().write(value);
            (&raw mut (*row.as_ptr()).generation).write(generation);
            row.cast::<T>().as_ref()
        };
        Ok((K::compose(slot as u32, generation), value))
    }
}

#[cfg(target_has_atomic = "ptr")]
impl<T, K: Key, S: Rooms<T, K>> Drop for SharedClaims<'_, T, K, S> {
    /// Publishes what was inserted.
    fn drop(&mut self) {
        let count = self.len();
        // SAFETY: they are borrowed exclusively, and there is no other reference to this any more.
        // Those that claimed a row gave theirs up before, which the owner of this has seen: so the
        // first `count` rows above the mark, within the capacity, were written.
        unsafe {
            let ledger = &mut self.rows.as_mut().ledger;
            ledger.mark = self.mark.after(count);
            ledger.book.append_many(count);
        }
    }
}

impl<T, K: Key, L: Layout<T, K>> Store<T, K, L> {
    /// Returns whether values stay where they are, whatever is inserted.
    pub(crate) fn stays(&self) -> bool {
        self.ledger.growth != Growth::Moves
    }
}

impl<T, K: Key> Rows<T, K> {
    /// No row moves any more: the container does not grow. On an error nothing has changed.
    pub(crate) fn fix(&mut self) -> Result<(), TryReserveError> {
        if !self.stays() {
            self.ledger.book.prepare_taken()?;
            self.ledger.growth = Growth::Fixed;
        }
        Ok(())
    }
}

impl<T, M> Rows<T, Handle<M>> {
    #[inline(always)]
    fn find_by_pointer(&self, pointer: PtrHandle<M>) -> Option<NonNull<T>> {
        let step = size_of::<Row<T, Handle<M>>>();
        let offset = pointer.address().get().wrapping_sub(self.layout.0.start().addr().get());
        // (All rows together are smaller than memory: nothing overflows.)
        if offset >= self.ledger.book.slots() * step || offset % step != 0 {
            return None;
        }
        let row = self.layout.0.start().with_addr(pointer.address());
        // SAFETY: it is a row in use, whose generation is initialised.
        let stored = unsafe { (*row.as_ptr()).generation };
        if stored.get() != pointer.generation().get() {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some(row.cast())
    }

    #[inline(always)]
    pub(crate) fn get_by_pointer(&self, pointer: PtrHandle<M>) -> Option<&T> {
        let value = self.find_by_pointer(pointer)?;
        // SAFETY: its generation is that of a live slot; it is borrowed as `self` is.
        Some(unsafe { value.as_ref() })
    }

    #[inline(always)]
    pub(crate) fn get_by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<&mut T> {
        let mut value = self.find_by_pointer(pointer)?;
        // SAFETY: its generation is that of a live slot; it is borrowed as `self` is.
        Some(unsafe { value.as_mut() })
    }
}
