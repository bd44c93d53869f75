//! Values in slots, each with its generation beside it: what [`Arena`](crate::Arena) is made of.
//!
//! **Invariant.**
//! - The book covers as many slots as `rows` has room for, and `rows` for all that are in use.
//! - Every row below `book.slots()` has its generation initialised; a row has its value
//!   initialised if and only if its slot is live.
//! - The generation of a live slot is live (see [`generation`](crate::raw::generation)), that of
//!   any other slot equals no key's. With keys that have no generation the book alone decides.
//! - A slot in its last generation has a place in the book's `taken` words, so that it can be
//!   retired without memory.
//!
//! A lookup touches one row and the fields of the container, nothing else: so a value and the
//! proof that it is the right one come with one cache line.

mod bulk;
mod iter;

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

pub use iter::{Drain, ExtractIf, IntoIter, Iter, IterMut};

use crate::error::{GetDisjointMutError, ReattachError, TryReserveError};
use crate::key::{Key, sealed::Compose};
use crate::raw::buffer::Buffer;
use crate::raw::disjoint;
use crate::raw::generation::{Generation, Mark};
use crate::raw::occupancy::Occupancy;
use crate::stats::{Reuse, Stats};

pub(crate) type GenerationOf<K> = <K as Compose>::Generation;
pub(crate) type MarkOf<K> = <GenerationOf<K> as Generation>::Mark;

/// A slot.
#[repr(C)]
pub(crate) struct Row<T, G> {
    value: MaybeUninit<T>,
    generation: G,
}

/// Slots of values.
pub(crate) struct Rows<T, K: Key> {
    rows: Buffer<Row<T, GenerationOf<K>>>,
    book: Occupancy,
    mark: MarkOf<K>,
    fixed: bool,
    keys: PhantomData<fn() -> K>,
}

/// Where the next value goes. Nothing has changed yet; the borrow keeps it so.
pub(crate) struct Vacancy<'a, T, K: Key> {
    rows: &'a mut Rows<T, K>,
    slot: usize,
    generation: GenerationOf<K>,
    mark: MarkOf<K>,
    fresh: bool,
}

impl<T, K: Key> Vacancy<'_, T, K> {
    #[inline]
    pub(crate) fn key(&self) -> K {
        K::compose(self.slot as u32, self.generation)
    }

    #[inline(always)]
    pub(crate) fn fill(self, value: T) -> K {
        let Self { rows, slot, generation, mark, fresh } = self;
        // SAFETY: a vacancy lies below the capacity.
        let target = unsafe { rows.row(slot) };
        // SAFETY: the row is ours, and its value, if it ever had one, was moved out.
        unsafe { target.write(Row { value: MaybeUninit::new(value), generation }) };
        if fresh {
            // SAFETY: the book covers what `rows` has room for.
            unsafe { rows.book.append() };
        } else {
            // SAFETY: the book named this hole, and has not changed since.
            unsafe { rows.book.fill(slot) };
        }
        rows.mark = mark;
        K::compose(slot as u32, generation)
    }
}

impl<'a, T, K: Key> Vacancy<'a, T, K> {
    /// As [`fill`](Self::fill), and gives the value out.
    pub(crate) fn fill_and_get(self, value: T) -> &'a mut T {
        let Self { rows, slot, generation, mark, fresh } = self;
        Vacancy { rows: &mut *rows, slot, generation, mark, fresh }.fill(value);
        // SAFETY: the slot is in use.
        let mut value = unsafe { rows.value(slot) };
        // SAFETY: it is live, and `rows` is borrowed exclusively for `'a`.
        unsafe { value.as_mut() }
    }
}

impl<T, K: Key> Rows<T, K> {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self {
            rows: Buffer::new(),
            book: Occupancy::new(reuse),
            mark: MarkOf::<K>::START,
            fixed: false,
            keys: PhantomData,
        }
    }

    /// Room for `capacity` values, now and never more. Keeping a key without a value, too, will
    /// need no memory.
    pub(crate) fn try_fixed(capacity: usize, reuse: Reuse) -> Result<Self, TryReserveError> {
        let mut rows = Self::new(reuse);
        rows.resize(capacity)?;
        rows.book.prepare_taken()?;
        rows.fixed = true;
        Ok(rows)
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.book.len()
    }

    /// How many values fit without growing.
    pub(crate) const fn capacity(&self) -> usize {
        self.rows.capacity() - self.book.retired()
    }

    pub(crate) const fn remaining(&self) -> usize {
        self.rows.capacity() - self.book.slots() + self.book.holes()
    }

    pub(crate) const fn book(&self) -> &Occupancy {
        &self.book
    }

    pub(crate) const fn stats(&self) -> Stats {
        Stats {
            live: self.len(),
            holes: self.book.holes(),
            detached: self.book.detached(),
            retired: self.book.retired(),
            slots: self.book.slots(),
            capacity: self.capacity(),
            bytes: self.rows.bytes() + self.book.bytes(),
        }
    }

    /// Makes room for `additional` values beside those that are there.
    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        if additional <= self.remaining() {
            return Ok(());
        }
        self.grow(self.book.slots().saturating_add(additional - self.book.holes()))
    }

    /// Makes room for at least `slots` slots, and for a share more so that growing stays rare.
    #[cold]
    fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let (capacity, max) = (self.rows.capacity(), K::MAX_SLOTS as usize);
        if self.fixed {
            return Err(TryReserveError::Full { capacity: self.capacity() });
        }
        if slots > max {
            return Err(TryReserveError::CapacityOverflow { requested: slots, max });
        }
        // The smallest block that an allocator gives out is worth a few small rows.
        let least = if size_of::<Row<T, GenerationOf<K>>>() <= 1024 { 4 } else { 1 };
        let doubled = capacity.saturating_mul(2).clamp(least, max);
        self.resize(slots.max(doubled))
    }

    /// Room for exactly `capacity` slots. On an error nothing has changed.
    pub(crate) fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        let max = Buffer::<Row<T, GenerationOf<K>>>::MAX.min(K::MAX_SLOTS as usize);
        if capacity > max {
            return Err(TryReserveError::CapacityOverflow { requested: capacity, max });
        }
        self.book.cover(capacity)?;
        self.rows.resize(capacity)
    }

    /// Drops the free slots at the end, and gives back what memory `capacity` values do not need.
    pub(crate) fn shrink_to(&mut self, capacity: usize) {
        if self.fixed {
            return;
        }
        let mut slots = self.book.slots();
        while slots > 0 && self.book.is_hole(slots - 1) {
            let free = self.generation(slots - 1);
            if !free.may_be_dropped() {
                break;
            }
            free.raise(&mut self.mark);
            slots -= 1;
        }
        if slots < self.book.slots() {
            // SAFETY: the loop went down over holes only.
            unsafe { self.book.truncate(slots) };
        }
        let capacity = capacity.max(slots);
        if capacity < self.rows.capacity() {
            // Where the allocator refuses, the memory stays: nothing is lost.
            let _ = self.rows.resize(capacity);
            self.book.shrink(self.rows.capacity());
        }
    }

    /// The address of a row.
    ///
    /// # Safety
    /// `slot < rows.capacity()`.
    #[inline]
    unsafe fn row(&self, slot: usize) -> NonNull<Row<T, GenerationOf<K>>> {
        // SAFETY: by the contract.
        unsafe { self.rows.at(slot) }
    }

    /// The address of the value in a row.
    ///
    /// # Safety
    /// `slot < rows.capacity()`.
    #[inline]
    unsafe fn value(&self, slot: usize) -> NonNull<T> {
        // A row begins with its value (`repr(C)`).
        // SAFETY: by the contract.
        unsafe { self.row(slot) }.cast()
    }

    /// What the slot remembers.
    ///
    /// # Safety
    /// `slot < book.slots()`.
    #[inline]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: the row lies below the mark, so below the capacity.
        let row = unsafe { self.row(slot) };
        // SAFETY: its generation is initialised.
        unsafe { (*row.as_ptr()).generation }
    }

    /// # Safety
    /// `slot < book.slots()`, and the generation says what the book says of the slot.
    #[inline]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: the row lies below the mark, so below the capacity.
        let row = unsafe { self.row(slot) };
        // SAFETY: the row is ours.
        unsafe { (*row.as_ptr()).generation = generation };
    }

    /// What the slot remembers, for messages and files.
    pub(crate) fn generation(&self, slot: usize) -> GenerationOf<K> {
        assert!(slot < self.book.slots(), "slot {slot} was never used");
        // SAFETY: just checked.
        unsafe { self.stored(slot) }
    }

    /// The slot of a key whose value is live.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        let slot = key.slot() as usize;
        if slot >= self.book.slots() {
            return None;
        }
        let answers = if GenerationOf::<K>::VERSIONED {
            // SAFETY: just checked.
            unsafe { self.stored(slot) == key.generation() }
        } else {
            self.book.is_live(slot)
        };
        answers.then_some(slot)
    }

    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<&T> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is in use.
        let value = unsafe { self.value(slot) };
        // SAFETY: it is live, and borrowed as `self` is.
        Some(unsafe { value.as_ref() })
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is in use.
        let mut value = unsafe { self.value(slot) };
        // SAFETY: it is live, and borrowed as `self` is.
        Some(unsafe { value.as_mut() })
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut T; N], GetDisjointMutError> {
        let values = disjoint::find_disjoint(keys, |key| {
            let slot = self.find(key)?;
            // SAFETY: a slot that was found is in use.
            Some(unsafe { self.value(slot) })
        })?;
        // SAFETY: all are live and of different slots, and `self` is borrowed exclusively.
        Ok(unsafe { disjoint::borrow_all(values) })
    }

    /// The key of a live slot.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        let live = self.book.is_live(slot);
        // SAFETY: a live slot is in use.
        live.then(|| K::compose(slot as u32, unsafe { self.stored(slot) }))
    }

    /// The slot that a value lies in; `None` where it lies elsewhere.
    pub(crate) fn slot_of(&self, value: &T) -> Option<usize> {
        let stride = size_of::<Row<T, GenerationOf<K>>>();
        if size_of::<T>() == 0 {
            return None;
        }
        let offset =
            core::ptr::from_ref(value).addr().checked_sub(self.rows.start().addr().get())?;
        let slot = offset / stride;
        (offset % stride == 0 && self.book.is_live(slot)).then_some(slot)
    }

    /// The next slot, where one only has to be appended: the path that inserting in a row takes.
    #[inline(always)]
    pub(crate) fn fresh_vacancy(&mut self) -> Option<Vacancy<'_, T, K>> {
        let slot = self.book.slots();
        if self.book.holes() != 0 || slot == self.rows.capacity() {
            return None;
        }
        let mut mark = self.mark;
        let generation = GenerationOf::<K>::fresh(mark).occupied(&mut mark);
        Some(Vacancy { rows: self, slot, generation, mark, fresh: true })
    }

    /// Finds the slot of the next insertion and whatever memory it needs. Changes nothing that can
    /// be seen.
    #[inline(always)]
    pub(crate) fn vacancy(&mut self) -> Result<Vacancy<'_, T, K>, TryReserveError> {
        let mut mark = self.mark;
        if self.book.holes() == 0 {
            let slot = self.book.slots();
            if slot == self.rows.capacity() {
                self.grow(slot + 1)?;
            }
            let generation = GenerationOf::<K>::fresh(mark).occupied(&mut mark);
            return Ok(Vacancy { rows: self, slot, generation, mark, fresh: true });
        }
        // SAFETY: there are holes.
        let slot = unsafe { self.book.hole() };
        // SAFETY: a hole is in use.
        let generation = unsafe { self.stored(slot) }.occupied(&mut mark);
        if generation.is_last() {
            self.book.prepare_taken()?;
        }
        Ok(Vacancy { rows: self, slot, generation, mark, fresh: false })
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: K) -> Option<T> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is live.
        Some(unsafe { self.take(slot) })
    }

    /// Moves the value of a live slot out; the slot is free.
    ///
    /// # Safety
    /// The slot is live.
    #[inline]
    unsafe fn take(&mut self, slot: usize) -> T {
        // SAFETY: a live slot is in use.
        let value = unsafe { self.value(slot) };
        // SAFETY: it is initialised; the slot is freed at once, so it is read once.
        let value = unsafe { value.read() };
        // SAFETY: the slot is live.
        let generation = unsafe { self.stored(slot) };
        if generation.is_last() {
            // SAFETY: the slot is live, in its last generation.
            unsafe { self.retire(slot) };
        } else {
            // SAFETY: the slot is vacated below.
            unsafe { self.store(slot, generation.vacated()) };
            // SAFETY: it is live.
            unsafe { self.book.vacate(slot) };
        }
        value
    }

    /// The slot, whose value is gone, is never used again.
    ///
    /// # Safety
    /// The slot is live for the book, and in its last generation.
    #[cold]
    unsafe fn retire(&mut self, slot: usize) {
        // SAFETY: a slot in its last generation has a place in the `taken` words.
        unsafe { self.book.park(slot) };
        self.book.retire(slot);
        // SAFETY: the slot is in use.
        unsafe { self.store(slot, Generation::RETIRED) };
    }

    /// Moves the value out, but keeps the slot for its key. On an error nothing has changed.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        let Some(slot) = self.find(key) else {
            return Ok(None);
        };
        self.book.prepare_taken()?;
        // SAFETY: a slot that was found is live.
        let value = unsafe { self.value(slot) };
        // SAFETY: it is initialised; the slot is parked at once, so it is read once.
        let value = unsafe { value.read() };
        // SAFETY: the slot is parked below.
        unsafe { self.store(slot, key.generation().parked()) };
        // SAFETY: it is live, and has a place in the `taken` words.
        unsafe { self.book.park(slot) };
        Ok(Some(value))
    }

    /// The slot that is kept for a detached key.
    fn find_detached(&self, key: K) -> Option<usize> {
        let slot = key.slot() as usize;
        let waits = self.book.is_taken(slot) && {
            // SAFETY: a taken slot is in use.
            unsafe { self.stored(slot) }.waits_for(key.generation())
        };
        waits.then_some(slot)
    }

    pub(crate) fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        let Some(slot) = self.find_detached(key) else {
            return Err(ReattachError { value });
        };
        // SAFETY: a detached slot is in use.
        let target = unsafe { self.value(slot) };
        // SAFETY: its value was moved out.
        unsafe { target.write(value) };
        // SAFETY: the slot becomes live below, with the generation that it had.
        unsafe { self.store(slot, key.generation()) };
        // SAFETY: it is detached.
        unsafe { self.book.unpark(slot) };
        Ok(())
    }

    /// Gives a detached key's slot back. Says whether there was one.
    pub(crate) fn release(&mut self, key: K) -> bool {
        let Some(slot) = self.find_detached(key) else {
            return false;
        };
        // SAFETY: that is what was found.
        unsafe { self.release_slot(slot) };
        true
    }

    /// # Safety
    /// The slot is detached.
    unsafe fn release_slot(&mut self, slot: usize) {
        // SAFETY: a detached slot is in use.
        let parked = unsafe { self.stored(slot) };
        let free = parked.released();
        // SAFETY: as above; the book is told below.
        unsafe { self.store(slot, free.unwrap_or(Generation::RETIRED)) };
        if free.is_some() {
            // SAFETY: the slot is detached.
            unsafe { self.book.release(slot) };
        } else {
            self.book.retire(slot);
        }
    }

    /// Gives a free slot a history.
    pub(crate) fn set_free_generation(&mut self, slot: usize, generation: GenerationOf<K>) {
        assert!(self.book.is_hole(slot), "slot {slot} is not free");
        // SAFETY: a hole is in use, and `generation` is that of a free slot.
        unsafe { self.store(slot, generation) };
    }

    /// Panics where the container contradicts itself.
    pub(crate) fn validate(&self) {
        self.book.validate();
        assert!(self.book.slots() <= self.rows.capacity(), "rows for all slots");
        if !GenerationOf::<K>::VERSIONED {
            return;
        }
        for slot in 0..self.book.slots() {
            let bits = self.generation(slot).to_u64();
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            let free = GenerationOf::<K>::free_from_u64(bits).is_some();
            if self.book.is_live(slot) {
                assert!(live, "slot {slot} is live in generation {bits}");
            } else if self.book.is_taken(slot) {
                assert!(!live, "slot {slot} is taken in generation {bits}");
            } else {
                assert!(free, "slot {slot} is free in generation {bits}");
            }
        }
    }
}

impl<T, K: Key> Drop for Rows<T, K> {
    fn drop(&mut self) {
        if core::mem::needs_drop::<T>() {
            // SAFETY: the walk yields every live slot once, and the rows are not used after it.
            unsafe { iter::drop_values(self.book.walk(), self.rows.start()) };
        }
    }
}
