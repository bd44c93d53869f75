//! Operations on all packed values at once; and putting slots into states that they had.
//!
//! **Invariant.** That of [`packed`](super); while an operation is under way, `len` counts the values
//! that are in their places, and the others are its own, until it is dropped.

use core::mem;

use super::{At, Packed, Storage};
#[cfg(feature = "alloc")]
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
#[cfg(feature = "alloc")]
use crate::memory::OnDrop;
use crate::memory::storage::{CloneAt, Numbered, Spot};
#[cfg(feature = "alloc")]
use crate::raw::book::Book;
#[cfg(feature = "alloc")]
use crate::raw::book::RewindBook;
#[cfg(feature = "alloc")]
use crate::raw::rewind::{Batch, Ordered, Placed, Record, Rewind, Saved, Scratch};
use crate::raw::slots::{ErasedSlots, SlotStore};
#[cfg(feature = "alloc")]
use crate::raw::slots::{GenerationOf, Growth, Ledger};

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    /// The slots of all values become free, in position order; the values are the caller's to drop.
    pub(super) fn disown_each(&mut self) {
        for position in 0..mem::take(&mut self.len) as usize {
            // SAFETY: the position lies below the old `len`: its key is initialised, and live.
            unsafe {
                let key = self.keys.at(position).read();
                self.free(key.slot() as usize, key.generation());
            }
        }
    }

    /// Disowns as [`disown_each`](Self::disown_each) does, but all at once: detached keys are given up too.
    fn disown_all(&mut self) {
        for position in 0..mem::take(&mut self.len) as usize {
            // SAFETY: the position lies below the old `len`: its key is initialised. To retire:
            // (1) its slot is live, and (2) in its last generation. To store: (1) it is in use;
            // (2) the book clears it below.
            unsafe {
                let key = self.keys.at(position).read();
                let (slot, generation) = (key.slot() as usize, key.generation());
                if generation.is_last() {
                    self.erased_mut().retire(slot);
                } else {
                    self.store(slot, generation.vacated());
                }
            }
        }
        self.erased_mut().release_all();
        self.ledger.book.vacate_all();
    }

    /// Drops every value and gives up every detached key; the generations stay. If a value's `Drop`
    /// panics, the others are dropped all the same.
    pub(crate) fn clear(&mut self) {
        let len = self.len();
        self.disown_all();
        // SAFETY: the values are (1) initialised, and (2) not counted any more.
        unsafe { self.values.at().drop_range(0..len) };
    }

    /// Drops the values that `keep` refuses; the others keep their order. If `keep` or a value's
    /// `Drop` panics, what came before is done, and the rest stays.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, Spot<'_, T, S::At>) -> bool) {
        let mut shift = Shift { end: mem::take(&mut self.len) as usize, packed: self, next: 0 };
        while shift.next < shift.end {
            let (next, values) = (shift.next, shift.packed.values.at());
            // SAFETY: `next` lies below the old `len`, and was not moved yet: its key and value are
            // (1) initialised, and (2) borrowed exclusively, and where the slot is freed, left
            // behind and not used again.
            unsafe {
                let key = shift.packed.keys.at(next).read();
                if keep(key, Spot::new(Numbered::new(values, next))) {
                    shift.keep_next();
                } else {
                    shift.next += 1;
                    shift.packed.free(key.slot() as usize, key.generation());
                    values.drop_range(next..next + 1);
                }
            }
        }
    }

    /// Takes a value out; those after it move up by one. The keys stay valid.
    pub(crate) fn remove_ordered(&mut self, key: K) -> Option<T> {
        let position = self.find(key)?;
        let end = mem::replace(&mut self.len, position as u32) as usize;
        // SAFETY: what was found is (1) initialised, and its slot live; (2) it is
        // overwritten or cut off below.
        let value = unsafe {
            self.free(key.slot() as usize, key.generation());
            self.values.at().read(position)
        };
        drop(Shift { packed: self, next: position + 1, end });
        Some(value)
    }

    /// Puts the values into the order that `positions` names: first the one that is at
    /// `positions[0]` now. The keys stay valid.
    #[cfg(feature = "alloc")]
    pub(crate) fn rearrange(&mut self, positions: &mut [u32]) {
        assert_eq!(positions.len(), self.len());
        for target in 0..positions.len() {
            // The position to which earlier swaps moved the value that was here.
            let mut source = positions[target] as usize;
            while source < target {
                source = positions[source] as usize;
            }
            positions[target] = source as u32;
            self.swap_unnumbered(target, source);
        }
        for position in 0..self.len() {
            self.renumber(position);
        }
    }

    /// A clone of a key's value.
    pub(crate) fn get_cloned(&self, key: K) -> Option<T>
    where
        S::At: CloneAt<T>,
    {
        let position = self.find(key)?;
        // SAFETY: the value (1) is below `len`, and (2) borrowed as `self` is.
        Some(unsafe { self.values.at().clone_value(position) })
    }

    /// A copy in which the same keys work.
    #[cfg(feature = "alloc")]
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        S::At: CloneAt<T>,
    {
        let mut copy = Self::new(self.ledger.book.reuse());
        (copy.values, copy.keys) = (self.values.alike()?, self.keys.alike()?);
        copy.table = self.table.alike()?;
        let fixed = self.ledger.growth == Growth::Fixed;
        let slots = if fixed { self.slot_capacity() } else { self.ledger.book.slots() };
        copy.table.resize(slots)?;
        copy.resize_positions(slots.min(self.positions()))?;
        // (The book comes with the rest.)
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Becomes a copy of `source`, in the memory that is there if it suffices.
    #[cfg(feature = "alloc")]
    pub(crate) fn try_clone_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        S::At: CloneAt<T>,
    {
        if !self.has_room_for(source) {
            *self = source.try_clone()?;
            return Ok(());
        }
        self.clear();
        self.copy_from(source)
    }

    /// Copies the values, then everything else. `self` is empty, and has room.
    ///
    /// If a value's `Clone` panics, or allocation fails, `self` is as empty as it was.
    #[cfg(feature = "alloc")]
    fn copy_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        S::At: CloneAt<T>,
    {
        let slots = source.ledger.book.slots();
        debug_assert!(self.len == 0 && self.table.capacity() >= slots);
        debug_assert!(self.positions() >= slots.min(source.positions()));
        let mut ledger = const { Ledger::EMPTY };
        ledger.try_clone_from(&source.ledger, self.table.capacity())?;
        let values = self.values.at();
        // SAFETY: `count` copies (1) were written, and (2) are not counted.
        let undo = |&mut count: &mut usize| unsafe { values.drop_range(0..count) };
        let mut copied = OnDrop::new(0, undo);
        for position in 0..source.len() {
            // SAFETY: (1) the value is initialised, and (2) `source` is borrowed; there are as
            // many positions as there are slots or as `source` has, and nothing lies there.
            unsafe {
                let copy = source.values.at().clone_value(position);
                values.push(position, copy);
            }
            copied.held += 1;
        }
        mem::forget(copied);
        self.table.copy_from(&source.table, slots);
        self.keys.copy_from(&source.keys, source.len());
        self.ledger = ledger;
        self.len = source.len;
        Ok(())
    }
}

/// Values on their way to the front. Those from `next` to `end` still have to move up behind the
/// first `len`; dropping it does that, also while a panic unwinds.
struct Shift<'a, T, K: Key, S: Storage<T>> {
    packed: &'a mut Packed<T, K, S>,
    next: usize,
    end: usize,
}

impl<T, K: Key, S: Storage<T>> Shift<'_, T, K, S> {
    /// Moves the next value, if there is one.
    #[inline]
    fn keep_next(&mut self) -> bool {
        let (from, to) = (self.next, self.packed.len());
        if from >= self.end {
            return false;
        }
        self.next += 1;
        self.packed.len += 1;
        if from != to {
            // SAFETY: the value and its key have yet to move, so both are initialised, and live;
            // what lay at `to`, before, was moved or dropped. So (1) there is room at `to`, and
            // (2) the key's slot is in use.
            unsafe {
                self.packed.values.at().copy(from, to);
                let key = self.packed.keys.at(from).read();
                self.packed.set_key(to, key);
            }
        }
        true
    }
}

impl<T, K: Key, S: Storage<T>> Drop for Shift<'_, T, K, S> {
    fn drop(&mut self) {
        while self.keep_next() {}
        for position in self.packed.len()..self.end {
            // SAFETY: (1) there is room; (2) what was there has moved, or is gone.
            unsafe { self.packed.values.at().vacate(position) };
        }
    }
}

#[cfg(feature = "alloc")]
impl<T, K: Key, S: Storage<T>> Ordered<K> for Packed<T, K, S> {
    type Value = T;

    fn key_in(&self, position: usize) -> Option<K> {
        self.keys().get(position).copied()
    }

    fn position_of(&self, slot: u32) -> Option<usize> {
        let position = self.position_in(slot as usize)?;
        self.keys().get(position).filter(|key| key.slot() == slot).map(|_| position)
    }

    fn exchange_at(&mut self, position: usize, key: &mut K, value: &mut T) {
        mem::swap(&mut self.keys_mut()[position], key);
        self.spot(position).expect("it has a key").exchange(value);
    }

    fn swap_positions(&mut self, one: usize, other: usize) {
        self.swap_positions(one, other);
    }

    unsafe fn put_in(&mut self, slot: u32, saved: &mut Saved<GenerationOf<K>, Placed<T>>) {
        let slot = slot as usize;
        // SAFETY: first the slot becomes a hole: (1) it is in use, and (2) has no value. Then it
        // becomes what the record says. To fill: (1) an exchange made room for the values of all records; (2) it has
        // no value; (3) the record has a live generation. To close: (1) it is a hole; (2) there is
        // a place in the `taken` words.
        unsafe {
            let was = self.open(slot).without_value();
            match mem::replace(saved, was) {
                Saved::Live(generation, Placed { value, .. }) => {
                    self.ledger.book.fill_hole(slot);
                    self.fill(slot, generation, value);
                }
                then => self.close(slot, &then),
            }
        }
    }

    unsafe fn take_out(
        &mut self,
        position: usize,
        saved: &Saved<GenerationOf<K>, Placed<T>>,
    ) -> (K, T) {
        // SAFETY: (1) the value has a position; (2) its slot, which is live, becomes a hole at
        // once, then what the record says. To close: (1) it is a hole; (2) there is a place in
        // the `taken` words.
        unsafe {
            let (key, value) = self.swap_out(position);
            self.ledger.book.open(key.slot() as usize, false);
            self.close(key.slot() as usize, saved);
            (key, value)
        }
    }
}

#[cfg(feature = "alloc")]
impl<T, K: Key, S: Storage<T>> Rewind<K> for Packed<T, K, S> {
    type Kept = Placed<T>;

    type Spare = ();

    const PLACED: bool = true;

    #[inline]
    fn key_at(&self, slot: usize) -> Option<K> {
        self.key_at(slot)
    }

    #[inline]
    fn spare(&mut self) {}

    #[inline]
    fn remove_value(&mut self, key: K) -> Option<T> {
        self.remove(key)
    }

    #[inline]
    fn take(&mut self, key: K, (): ()) -> Option<T> {
        self.remove(key)
    }

    fn try_detach_with(&mut self, key: K, (): ()) -> Result<Option<T>, TryReserveError> {
        self.try_detach(key)
    }

    #[inline]
    fn exchange_value(&mut self, key: K, value: &mut T) {
        if let Some(mut place) = self.find(key).and_then(|position| self.spot(position)) {
            place.exchange(value);
        }
    }

    #[inline]
    fn lend_all(&mut self) -> impl Iterator<Item = (K, Self::ValueMut<'_>)> {
        self.iter_mut()
    }

    fn place_of(&self, slot: usize) -> usize {
        Ordered::place_of(self, slot)
    }

    fn placed(&self, place: usize) -> Option<K> {
        self.key_in(place)
    }

    fn placed_count(&self) -> usize {
        self.len()
    }

    unsafe fn stored_live(&self, slot: usize) -> GenerationOf<K> {
        match self.key_at(slot) {
            Some(key) => key.generation(),
            // SAFETY: the slot is in use, and not live, as it has no key.
            None => unsafe { self.stored(slot) },
        }
    }

    unsafe fn exchange_all(
        &mut self,
        records: &mut Batch<'_, Record<K, Placed<T>>>,
        with: &mut Scratch<'_, ()>,
    ) {
        // SAFETY: the caller answers for the records.
        unsafe { self.exchange_placed(records, &mut with.moves) };
    }

    unsafe fn append_free(&mut self, (): ()) -> Option<()> {
        let (slot, generation) = (self.ledger.book.slots(), Generation::fresh(self.ledger.mark));
        // SAFETY: there is room for the slot, which has a generation before the book knows it:
        // (1) it is in use then, and (2) a hole at once.
        unsafe {
            self.store(slot, generation);
            self.ledger.book.append_many(1);
            self.ledger.book.open(slot, false);
        }
        None
    }
}
