//! Inserting from many threads at once, without a lock.
//!
//! **Invariant** of [`Shared`]: the rows are borrowed exclusively for `'a`, by it alone, and nothing
//! of the container but rows above the high-water mark changes before it is dropped. There are `room`
//! of those within the capacity. Each number below `room` is [claimed](Claims) once; who claimed it writes the
//! row of that number above the mark, and no other, before doing anything else: so when no claimer is
//! left, the first `claimed` rows, but at most `room`, are written.
//!
//! Values lie behind a pointer: a reference to the rows, of which every thread has one, is none to the
//! memory that is written.
//!
//! While it lives, the ledger's mark is beyond every generation that any inserter could hand out here:
//! how much room there is depends on the size of a value and on the platform, keys do not. If it is
//! leaked, its rows are forgotten, and slots that are begun anew have other generations.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::claims::Claims;
use super::{ErasedSlots, GenerationOf, Rooms, RowOf, Rows, Slots};
use crate::error::{InsertError, TryReserveError};
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::slots::{Book, MarkOf};

/// Rows above the mark, to be claimed one by one.
pub(crate) struct Shared<'a, T, K: Key, S: Rooms<RowOf<T, K>>> {
    rows: NonNull<Rows<T, K, S>>,
    claims: Claims,
    /// What the ledger's mark was.
    mark: MarkOf<K>,
    borrows: PhantomData<&'a mut Rows<T, K, S>>,
}

// SAFETY: it inserts values, which the owner of the container then drops (`T: Send`), and lends, by
// `get`, values to which there may be references on the thread that it came from (`T: Sync`).
unsafe impl<T: Send + Sync, K: Key, S: Rooms<RowOf<T, K>>> Send for Shared<'_, T, K, S> {}
// SAFETY: values come from all threads to that of the container (`T: Send`), and are lent to all
// (`T: Sync`). Claiming is atomic, and no two claimers write the same row; the rows that are read by
// `get` were there before.
unsafe impl<T: Send + Sync, K: Key, S: Rooms<RowOf<T, K>>> Sync for Shared<'_, T, K, S> {}

impl<'a, T, K: Key, S: Rooms<RowOf<T, K>>> Shared<'a, T, K, S> {
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
        // As many as there can be slots, however many fit here.
        let beyond = mark.beyond(K::MAX_SLOTS as usize);
        rows.ledger.mark = beyond.ok_or(TryReserveError::GenerationsUsedUp)?;
        Ok(Self { rows: NonNull::from(rows), claims, mark, borrows: PhantomData })
    }

    #[inline(always)]
    fn rows(&self) -> &Rows<T, K, S> {
        // SAFETY: they are borrowed for `'a`; until this is dropped there are only such references.
        unsafe { self.rows.as_ref() }
    }

    /// How many values were inserted, by now at least.
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
        // SAFETY: the slot is live, and its value is not removed, moved or lent exclusively for `'a`.
        Some(unsafe { self.rows().layout.at(slot).cast().as_ref() })
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
        // SAFETY: the room lies within the capacity; the row is this claimer's alone, and has no value. It
        // is not moved, removed or lent exclusively for `'a`: even if this is leaked, the rows are borrowed
        // for as long.
        let value = unsafe {
            let row = self.rows().layout.at(slot);
            row.cast::<T>().write(value);
            (&raw mut (*row.as_ptr()).generation).write(generation);
            row.cast::<T>().as_ref()
        };
        Ok((K::compose(slot as u32, generation), value))
    }
}

impl<T, K: Key, S: Rooms<RowOf<T, K>>> Drop for Shared<'_, T, K, S> {
    /// Publishes what was inserted.
    fn drop(&mut self) {
        let count = self.len();
        // SAFETY: they are borrowed exclusively, and there is no other reference to this any more. Those that claimed a row
        // gave theirs up before, which the owner of this has seen: so the first `count` rows above the mark, within the
        // capacity, were written.
        unsafe {
            let ledger = &mut self.rows.as_mut().ledger;
            ledger.mark = self.mark.after(count);
            ledger.book.append_many(count);
        }
    }
}
