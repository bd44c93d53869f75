//! Putting slots into states that they had, here or in another container: what rollback, undo and
//! deltas have in common.
//!
//! **Invariant.** None of its own. Between [`Rewind::exchange`] taking a slot out and putting it in again no
//! user code runs, so nothing sees a live slot without its value, or a generation that contradicts the
//! book.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::{mem, ptr};

use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::occupancy::Occupancy;
pub(crate) use crate::raw::slots::Saved;
use crate::raw::slots::{ErasedSlots, GenerationOf, MarkOf, Slots};
use crate::raw::storage::CloneAt;
use crate::raw::store::{Refill, Store};

/// A slot, and a state that it had.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
#[derive(Clone)]
pub struct Record<K: Key, V> {
    pub(crate) slot: u32,
    pub(crate) saved: Saved<GenerationOf<K>, V>,
}

/// What decides on the slots that come next.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
#[derive(Clone)]
pub struct Order<K: Key> {
    pub(crate) slots: u32,
    pub(crate) cursor: u32,
    /// The free slots that come first.
    pub(crate) free: Vec<u32>,
    pub(crate) mark: MarkOf<K>,
}

/// Slots that can be put into states that they had.
pub(crate) trait Rewind<K: Key>: Slots<K, Book = Occupancy> {
    /// What a live slot holds.
    type Owned;

    /// The state of a slot in use, but for its value.
    fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
        assert!(slot < self.ledger().book.slots(), "slot {slot} is in use");
        // SAFETY: just checked. (The answer is right for live slots, too, which an implementor states.)
        let generation = unsafe { self.stored_live(slot) };
        let book = &self.ledger().book;
        if book.is_live(slot) {
            Saved::Live(generation, ())
        } else if !book.is_taken(slot) {
            Saved::Free(generation)
        } else if GenerationOf::<K>::VERSIONED && generation == Generation::RETIRED {
            Saved::Retired
        } else {
            Saved::Detached(generation.awaited())
        }
    }

    /// What a slot remembers, live or not.
    ///
    /// # Safety
    /// The slot is below `book.slots()`.
    unsafe fn stored_live(&self, slot: usize) -> GenerationOf<K>;

    /// Puts each slot into the state of its record, which then holds the state that the slot had.
    ///
    /// # Safety
    /// The book has begun to be rewound, and has `taken` words for what needs them.
    unsafe fn exchange_all(&mut self, records: &mut [Record<K, Self::Owned>]);

    /// A free slot more is in use.
    ///
    /// # Safety
    /// There is room for it.
    unsafe fn append_free(&mut self);

    /// A hole goes on in that generation, or is never used again. (A slot that is retired had its last
    /// generation, for which it has a place in the `taken` words.)
    fn pass_over(&mut self, slot: usize, next: Option<GenerationOf<K>>) {
        if let Some(next) = next {
            return self.erased_mut().set_free_generation(slot, next);
        }
        assert!(self.ledger().book.is_hole(slot), "slot {slot} is free");
        if self.ledger_mut().book.prepare_taken().is_ok() {
            // SAFETY: the slot is a hole, and has no value once it is live.
            unsafe {
                self.ledger_mut().book.fill_hole(slot);
                self.erased_mut().retire(slot);
            }
            self.ledger_mut().book.relink_in_order();
        }
    }

    /// The free slots in the order in which they come, and all else that decides on the next.
    fn order(&self) -> Result<Order<K>, TryReserveError> {
        let book = &self.ledger().book;
        let mut free = Vec::new();
        reserve(&mut free, book.ordered())?;
        free.extend(book.free_order());
        let (slots, cursor) = (book.slots() as u32, book.cursor() as u32);
        Ok(Order { slots, cursor, free, mark: self.ledger().mark })
    }

    /// Puts each slot into the state of its record, which then holds the state that the slot had; with an
    /// order, that is the next, and slots that it does not have are forgotten: what was live there is
    /// added to the records. Says whether the order was possible; if not, free slots come in another.
    ///
    /// On an error nothing has changed.
    fn exchange(
        &mut self,
        records: &mut Vec<Record<K, Self::Owned>>,
        order: Option<&Order<K>>,
    ) -> Result<bool, TryReserveError> {
        let slots = order.map_or(0, |order| order.slots as usize);
        if slots > self.slot_capacity() {
            self.erased_mut().grow(slots)?;
        }
        let surplus = slots..order.map_or(0, |_| self.ledger().book.slots()).max(slots);
        reserve(records, surplus.len())?;
        let needs_taken = |saved: &Saved<GenerationOf<K>, _>| match saved {
            Saved::Live(generation, _) => generation.is_last(),
            Saved::Free(_) => false,
            Saved::Detached(_) | Saved::Retired => true,
        };
        if records.iter().any(|record| needs_taken(&record.saved)) {
            self.ledger_mut().book.prepare_taken()?;
        }
        while self.ledger().book.slots() < slots {
            // SAFETY: there is room.
            unsafe { self.append_free() };
        }
        let fresh = |slot| Record {
            slot: slot as u32,
            saved: Saved::Free(Generation::fresh(MarkOf::<K>::START)),
        };
        let known = records.len();
        records.extend(surplus.clone().map(fresh));
        let unlinked = Unlinked(self, PhantomData);
        unlinked.0.ledger_mut().book.begin_rewind();
        // SAFETY: just done; and prepared above. (New records are of free slots.)
        unsafe { unlinked.0.exchange_all(records) };
        mem::forget(unlinked);
        let Some(order) = order else {
            self.ledger_mut().book.relink_in_order();
            return Ok(true);
        };
        debug_assert!(records[known..].iter().all(|record| record.slot as usize >= slots));
        let ledger = self.ledger_mut();
        if !surplus.is_empty() {
            // SAFETY: all of the surplus became free.
            unsafe { ledger.book.truncate(slots) };
        }
        ledger.mark = order.mark;
        let restored = ledger.book.restore_order(&order.free, order.cursor as usize);
        if !restored {
            ledger.book.relink_in_order();
        }
        Ok(restored)
    }
}

/// The holes of a book that is being rewound are linked again if a panic unwinds: that of the `Drop` of a
/// value that filled a hole.
struct Unlinked<'a, K: Key, S: Rewind<K>>(&'a mut S, PhantomData<K>);

impl<K: Key, S: Rewind<K>> Drop for Unlinked<'_, K, S> {
    fn drop(&mut self) {
        self.0.ledger_mut().book.relink_in_order();
    }
}

/// Makes room for more elements, or says how many bytes were refused.
pub(crate) fn reserve<T>(vec: &mut Vec<T>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<T>());
    vec.try_reserve(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

impl<T, K: Key, L: Refill<T, K>> Store<T, K, L> {
    /// Appends a record of a slot in use, its value cloned.
    pub(crate) fn record(&self, slot: usize, records: &mut Vec<Record<K, T>>)
    where
        L::At: CloneAt<T>,
    {
        if self.ledger.book.is_live(slot) {
            // SAFETY: the slot is live, so in use, and its value is initialised; it is borrowed.
            let (generation, value) = unsafe {
                let address = self.layout.address(slot);
                (address.generation.read(), address.clone_value())
            };
            let saved = Saved::Live(generation, value);
            return records.push(Record { slot: slot as u32, saved });
        }
        let saved = match self.state(slot) {
            Saved::Live(..) => return,
            Saved::Free(generation) => Saved::Free(generation),
            Saved::Detached(generation) => Saved::Detached(generation),
            Saved::Retired => Saved::Retired,
        };
        records.push(Record { slot: slot as u32, saved });
    }
}

impl<T, K: Key, L: Refill<T, K>> Rewind<K> for Store<T, K, L> {
    type Owned = T;

    #[inline]
    unsafe fn stored_live(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: by the contract; a store answers for live slots, too.
        unsafe { self.stored(slot) }
    }

    unsafe fn exchange_all(&mut self, records: &mut [Record<K, T>]) {
        for Record { slot, saved, .. } in records {
            let slot = *slot as usize;
            if let (Saved::Live(then, value), true) = (&mut *saved, self.ledger.book.is_live(slot))
            {
                // Most often the value alone is another, and the book has nothing to learn.
                // SAFETY: the slot is live, so in use, and borrowed exclusively; each value is moved once.
                unsafe {
                    let address = self.layout.address_mut(slot);
                    *then = address.generation.replace(*then);
                    ptr::write(value, address.spot().replace(ptr::read(value)));
                }
                continue;
            }
            let was = self.state(slot);
            // SAFETY: the slot is in use. First it becomes a hole: its value, if any, is moved out once. Then
            // it becomes what the record says; a slot that is taken or in its last generation has a
            // place in the `taken` words, which `exchange` prepared. Nothing in between can panic.
            unsafe {
                let was = match was {
                    Saved::Live(generation, ()) => {
                        self.ledger.book.open(slot, false);
                        let value = L::take(self.layout.address_mut(slot), L::spare());
                        Saved::Live(generation, value)
                    }
                    Saved::Free(generation) => Saved::Free(generation),
                    Saved::Detached(generation) => {
                        self.ledger.book.open(slot, false);
                        Saved::Detached(generation)
                    }
                    Saved::Retired => {
                        self.ledger.book.open(slot, true);
                        Saved::Retired
                    }
                };
                match mem::replace(saved, was) {
                    Saved::Live(generation, value) => {
                        self.ledger.book.fill_hole(slot);
                        self.layout.fill(slot, generation, value);
                    }
                    Saved::Free(generation) => self.store(slot, generation),
                    Saved::Detached(generation) => {
                        self.store(slot, generation.parked());
                        self.ledger.book.close(slot);
                    }
                    Saved::Retired => {
                        self.store(slot, Generation::RETIRED);
                        self.ledger.book.close(slot);
                        self.ledger.book.retire();
                    }
                }
            }
        }
    }

    unsafe fn append_free(&mut self) {
        let (slot, generation) = (self.ledger.book.slots(), Generation::fresh(self.ledger.mark));
        // SAFETY: there is room for the slot, which has a generation, and what holes have, before the book
        // knows it; then it becomes a hole at once.
        unsafe {
            L::begin(&mut self.layout, slot, generation);
            self.ledger.book.append_many(1);
            self.ledger.book.open(slot, false);
        }
    }
}
