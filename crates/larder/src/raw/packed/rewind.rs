//! Putting slots of packed values into states that they had. The invariant is that of [`packed`](super).
//!
//! A record has the position of its value, too, and values that were moved by a removal have one. So those without a
//! record are where they were, and it is enough to move those with one.

use core::mem;

use super::Packed;
use crate::key::Key;
use crate::raw::generation::Generation;
use crate::raw::rewind::{Move, Placed, Record, Rewind, RewindBook, Saved, Scratch};
use crate::raw::slots::{Book, ErasedSlots, GenerationOf};
use crate::raw::storage::Storage;

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    /// The position of the value of a live slot.
    pub(crate) fn place_of(&self, slot: usize) -> usize {
        debug_assert!(self.key_at(slot).is_some(), "slot {slot} is live");
        self.position_in(slot).unwrap_or(0)
    }

    /// The key of the value at a position.
    #[cfg(feature = "snapshot")]
    pub(crate) fn key_in(&self, position: usize) -> Option<K> {
        self.keys().get(position).copied()
    }

    /// The slot of the last value, which a removal moves, if it is not this slot's.
    pub(crate) fn moves_with(&self, slot: usize) -> Option<usize> {
        let last = self.keys().last().map(|key| key.slot() as usize);
        last.filter(|&last| last != slot)
    }

    /// Puts in what has a value, where its slot has one, or at the end, and says where it was.
    ///
    /// # Safety
    /// As [`Rewind::exchange_all`], of one record.
    unsafe fn put_in(&mut self, record: &mut Record<K, Placed<T>>) -> Move {
        let slot = record.slot as usize;
        let was_live = self.ledger.book.is_live(slot);
        let before = if was_live { self.place_of(slot) } else { 0 };
        let mut target = None;
        if let Saved::Live(then, placed) = &mut record.saved {
            target = Some(mem::replace(&mut placed.at, before as u32));
            if was_live {
                let key = K::compose(record.slot, *then);
                *then = mem::replace(&mut self.keys_mut()[before], key).generation();
                self.spot(before).expect("it has a key").exchange(&mut placed.value);
            }
        }
        if !was_live {
            // SAFETY: the slot is in use, and has no value. First it becomes a hole, then what the record says: there is a place
            // in the `taken` words, and room for a value for each slot in use; and the key is the slot's.
            unsafe {
                let was = self.open(slot).without_value();
                match mem::replace(&mut record.saved, was) {
                    Saved::Live(generation, Placed { value, .. }) => {
                        self.ledger.book.fill_hole(slot);
                        self.push(slot, K::compose(record.slot, generation), value);
                    }
                    then => self.close(slot, &then),
                }
            }
        }
        (target, before as u32)
    }
}

impl<T, K: Key, S: Storage<T>> Rewind<K> for Packed<T, K, S> {
    type Kept = Placed<T>;

    type Spare = ();

    const PLACED: bool = true;

    unsafe fn stored_live(&self, slot: usize) -> GenerationOf<K> {
        match self.key_at(slot) {
            Some(key) => key.generation(),
            // SAFETY: the slot is in use, and not live, as it has no key.
            None => unsafe { self.stored(slot) },
        }
    }

    /// What is put in comes first, at the end; then each of it goes where it was, so that what has to go is at the end.
    unsafe fn exchange_all(
        &mut self,
        records: &mut [Record<K, Placed<T>>],
        with: &mut Scratch<()>,
    ) {
        let moves = &mut with.moves;
        for record in &mut *records {
            // SAFETY: it is one of the records, for which the caller answers.
            moves.push(unsafe { self.put_in(record) });
        }
        for (record, (target, _)) in records.iter().zip(&*moves) {
            let target = target.map(|at| at as usize).filter(|&at| at < self.len);
            let both = target.map(|target| (self.place_of(record.slot as usize), target));
            if let Some((now, target)) = both.filter(|(now, target)| now != target) {
                self.swap_positions(now, target);
            }
        }
        for (record, &(target, before)) in records.iter_mut().zip(&*moves) {
            let slot = record.slot as usize;
            if target.is_some() || !self.ledger.book.is_live(slot) {
                continue;
            }
            // SAFETY: the slot is live: its value is moved out, and it becomes a hole, then what the record says.
            unsafe {
                let (key, value) = self.swap_out(self.place_of(slot));
                self.ledger.book.open(slot, false);
                self.close(slot, &record.saved);
                let was = Placed { at: before, value };
                record.saved = Saved::Live(key.generation(), was);
            }
        }
    }

    unsafe fn append_free(&mut self, (): ()) {
        let (slot, generation) = (self.ledger.book.slots(), Generation::fresh(self.ledger.mark));
        // SAFETY: there is room for the slot, which has a generation before the book knows it; then it becomes a
        // hole at once.
        unsafe {
            self.store(slot, generation);
            self.ledger.book.append_many(1);
            self.ledger.book.open(slot, false);
        }
    }
}
