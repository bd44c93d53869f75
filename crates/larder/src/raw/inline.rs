//! Values in slots inside their owner, each with its generation beside it: what
//! [`InlineArena`](crate::InlineArena) is made of.
//!
//! **Invariant.**
//! - Every row below `book.slots()` has its generation initialised; a row has its value initialised if
//!   and only if its slot is live.
//! - The generation of a live slot is live (see [`generation`](crate::raw::generation)), that of any
//!   other slot equals no key's. With keys that have no generation the book alone decides.
//! - All zero is an empty one.
//!
//! Nothing here points into itself, so that it can be moved.

mod book;
mod bulk;
mod iter;
mod view;

use core::mem::MaybeUninit;

pub(crate) use iter::{Drain, ExtractIf, IntoIter, Iter, IterMut};
pub(crate) use view::InlineView;

use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::explain::Found;
use crate::key::Key;
use crate::raw::disjoint;
use crate::raw::generation::{Generation, Mark};
use crate::raw::rows::Row;
pub(crate) use crate::raw::slots::GenerationOf;
use crate::raw::slots::MarkOf;
use crate::stats::{MemoryUsage, Stats};
use book::Book;
use core::ptr::NonNull;

/// `N` slots of values.
pub(crate) struct Inline<T, K: Key, const N: usize> {
    mark: MarkOf<K>,
    book: Book<N>,
    rows: [MaybeUninit<Row<T, GenerationOf<K>>>; N],
}

/// Where the next value goes. Nothing has changed yet; the borrow keeps it so.
pub(crate) struct Vacancy<'a, T, K: Key, const N: usize> {
    inline: &'a mut Inline<T, K, N>,
    slot: usize,
    generation: GenerationOf<K>,
    mark: MarkOf<K>,
}

impl<'a, T, K: Key, const N: usize> Vacancy<'a, T, K, N> {
    #[inline]
    pub(crate) fn key(&self) -> K {
        K::compose(self.slot as u32, self.generation)
    }

    #[inline]
    pub(crate) fn fill(self, value: T) -> K {
        let key = self.key();
        self.fill_and_get(value);
        key
    }

    /// As [`fill`](Self::fill), and gives the value out.
    #[inline]
    pub(crate) fn fill_and_get(self, value: T) -> &'a mut T {
        let Self { inline, slot, generation, mark } = self;
        inline.mark = mark;
        inline.book.occupy(slot);
        // SAFETY: the slot is in use.
        let target = unsafe { inline.place(slot) }.cast::<T>();
        // SAFETY: it has no value; nothing can panic in between.
        unsafe { target.write(value) };
        // SAFETY: the slot is in use.
        unsafe { inline.store(slot, generation) };
        // SAFETY: the slot is live.
        unsafe { inline.value_mut(slot) }
    }
}

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    pub(crate) const fn new() -> Self {
        const { assert!(N <= K::MAX_SLOTS as usize, "more slots than keys can name") };
        Self {
            mark: MarkOf::<K>::START,
            book: Book::new(),
            rows: [const { MaybeUninit::uninit() }; N],
        }
    }

    #[inline]
    pub(crate) const fn book(&self) -> &Book<N> {
        &self.book
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.book.len()
    }

    /// How many values fit.
    #[inline]
    pub(crate) const fn capacity(&self) -> usize {
        N - self.book.retired()
    }

    /// How many values can be added.
    #[inline]
    pub(crate) const fn remaining(&self) -> usize {
        N - self.book.slots() + self.book.holes()
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            live: self.len(),
            holes: self.book.holes(),
            detached: self.book.detached(),
            retired: self.book.retired(),
            slots: self.book.slots(),
            capacity: self.capacity(),
            memory: self.memory_usage(),
        }
    }

    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let (live, slots) = (self.len(), self.book.slots());
        let (values, holes) = (live * size_of::<T>(), (slots - live) * size_of::<T>());
        let unused = (N - slots) * size_of::<Row<T, GenerationOf<K>>>();
        let committed = size_of::<Self>();
        let bookkeeping = committed - values - holes - unused;
        MemoryUsage { values, holes, unused, bookkeeping, committed, reserved: committed }
    }

    /// The address of a row.
    ///
    /// # Safety
    /// `slot < N`.
    #[inline]
    unsafe fn place(&mut self, slot: usize) -> *mut Row<T, GenerationOf<K>> {
        // SAFETY: by the contract.
        unsafe { self.rows.get_unchecked_mut(slot) }.as_mut_ptr()
    }

    /// What a slot remembers.
    ///
    /// # Safety
    /// `slot < book.slots()`.
    #[inline]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: `slots` is at most `N`.
        let row = unsafe { self.rows.get_unchecked(slot) };
        // SAFETY: the generation of a row below the mark is initialised, and nothing else is read.
        unsafe { (*row.as_ptr()).generation }
    }

    /// # Safety
    /// `slot < book.slots()`, and the generation says what the book says of it, or is about to.
    #[inline]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: `slots` is at most `N`.
        let row = unsafe { self.place(slot) };
        // SAFETY: the row is ours.
        unsafe { (*row).generation = generation };
    }

    /// The value in a live slot.
    ///
    /// # Safety
    /// The slot is live.
    #[inline]
    unsafe fn value(&self, slot: usize) -> &T {
        // SAFETY: a live slot is below `N`.
        let row = unsafe { self.rows.get_unchecked(slot) };
        // SAFETY: its value is initialised, and begins the row.
        unsafe { &*row.as_ptr().cast::<T>() }
    }

    /// The value in a live slot.
    ///
    /// # Safety
    /// The slot is live.
    #[inline]
    unsafe fn value_mut(&mut self, slot: usize) -> &mut T {
        // SAFETY: a live slot is below `N`.
        let row = unsafe { self.place(slot) };
        // SAFETY: its value is initialised, and begins the row.
        unsafe { &mut *row.cast::<T>() }
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
        if answers { Some(slot) } else { None }
    }

    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<&T> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is live.
        Some(unsafe { self.value(slot) })
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is live.
        Some(unsafe { self.value_mut(slot) })
    }

    pub(crate) fn get_disjoint_mut<const M: usize>(
        &mut self,
        keys: [K; M],
    ) -> Result<[&mut T; M], GetDisjointMutError> {
        let slots = disjoint::find_disjoint(keys, |key| self.find(key))?;
        let first = NonNull::from(&mut self.rows).cast::<Row<T, GenerationOf<K>>>();
        Ok(slots.map(|slot| {
            // SAFETY: a slot that was found is below `N`.
            let row = unsafe { first.add(slot) };
            // A row begins with its value (`repr(C)`).
            // SAFETY: all are live and of different slots, and `self` is borrowed exclusively.
            unsafe { row.cast().as_mut() }
        }))
    }

    /// The key of a live slot.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        // SAFETY: a live slot is in use.
        self.book.is_live(slot).then(|| K::compose(slot as u32, unsafe { self.stored(slot) }))
    }

    /// The slot that a value lies in; `None` where it lies elsewhere.
    pub(crate) fn slot_of(&self, value: &T) -> Option<usize> {
        let stride = size_of::<Row<T, GenerationOf<K>>>();
        if size_of::<T>() == 0 {
            return None;
        }
        let offset = core::ptr::from_ref(value).addr().checked_sub(self.rows.as_ptr().addr())?;
        let slot = offset / stride;
        (offset % stride == 0 && self.book.is_live(slot)).then_some(slot)
    }

    /// Finds the slot of the next insertion. Changes nothing.
    #[inline]
    pub(crate) fn vacancy(&mut self) -> Result<Vacancy<'_, T, K, N>, TryReserveError> {
        let Some(slot) = self.book.next() else {
            return Err(TryReserveError::Full { capacity: self.capacity() });
        };
        let mut mark = self.mark;
        let free = if slot == self.book.slots() {
            GenerationOf::<K>::fresh(mark)
        } else {
            // SAFETY: a hole is in use.
            unsafe { self.stored(slot) }
        };
        let generation = free.occupied(&mut mark);
        Ok(Vacancy { inline: self, slot, generation, mark })
    }

    /// Where there is no room the value is dropped.
    #[inline]
    pub(crate) fn insert(&mut self, value: T) -> Result<K, TryReserveError> {
        Ok(self.vacancy()?.fill(value))
    }

    /// Where there is no room the value is given back.
    #[inline]
    pub(crate) fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        match self.vacancy() {
            Ok(vacancy) => Ok(vacancy.fill(value)),
            Err(reason) => Err(InsertError { value, reason }),
        }
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
        // SAFETY: the slot is live.
        let value = core::ptr::from_ref(unsafe { self.value(slot) });
        // SAFETY: the value is read once, since the slot is freed at once.
        let value = unsafe { value.read() };
        // SAFETY: by the contract.
        unsafe { self.free(slot) };
        value
    }

    /// A live slot, whose value is gone, becomes free, or is retired after its last generation.
    ///
    /// # Safety
    /// The slot is live.
    #[inline]
    unsafe fn free(&mut self, slot: usize) {
        // SAFETY: a live slot is in use.
        let generation = unsafe { self.stored(slot) };
        if generation.is_last() {
            self.book.park(slot);
            self.book.retire();
            // SAFETY: the slot is in use, and retired.
            return unsafe { self.store(slot, Generation::RETIRED) };
        }
        self.book.vacate(slot);
        // SAFETY: the slot is in use, and free.
        unsafe { self.store(slot, generation.vacated()) };
    }

    /// Moves the value out, but keeps the slot for its key.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        let Some(slot) = self.find(key) else { return Ok(None) };
        // SAFETY: the slot is live.
        let value = core::ptr::from_ref(unsafe { self.value(slot) });
        // SAFETY: the value is read once, since the slot is parked at once.
        let value = unsafe { value.read() };
        self.book.park(slot);
        // SAFETY: the slot is in use, and detached.
        unsafe { self.store(slot, key.generation().parked()) };
        Ok(Some(value))
    }

    pub(crate) fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        let Some(slot) = self.find_detached(key) else { return Err(ReattachError { value }) };
        // SAFETY: a detached slot is in use.
        let target = unsafe { self.place(slot) }.cast::<T>();
        // SAFETY: it has no value.
        unsafe { target.write(value) };
        // SAFETY: the slot is in use, and live at once.
        unsafe { self.store(slot, key.generation()) };
        self.book.unpark(slot);
        Ok(())
    }

    /// Whether a slot is kept for a detached key, not retired.
    fn is_detached(&self, slot: usize) -> bool {
        let versioned = GenerationOf::<K>::VERSIONED;
        self.book.is_taken(slot) && {
            // SAFETY: a taken slot is in use.
            !(versioned && unsafe { self.stored(slot) } == Generation::RETIRED)
        }
    }

    fn find_detached(&self, key: K) -> Option<usize> {
        let slot = key.slot() as usize;
        let waits = self.is_detached(slot)
            // SAFETY: a taken slot is in use.
            && unsafe { self.stored(slot) }.waits_for(key.generation());
        waits.then_some(slot)
    }

    /// Gives a detached key's slot back. Says whether there was one.
    pub(crate) fn release(&mut self, key: K) -> bool {
        let slot = self.find_detached(key);
        slot.inspect(|&slot| self.release_slot(slot)).is_some()
    }

    /// The slot is detached.
    fn release_slot(&mut self, slot: usize) {
        // SAFETY: a detached slot is in use.
        let free = unsafe { self.stored(slot) }.released();
        match free {
            Some(_) => self.book.release(slot),
            None => self.book.retire(),
        }
        // SAFETY: the slot is in use, and free or retired.
        unsafe { self.store(slot, free.unwrap_or(Generation::RETIRED)) };
    }

    /// Whether a key is of a generation that its slot has not come to.
    fn is_younger(&self, key: K, now: GenerationOf<K>) -> bool {
        let generation = key.generation().to_u64();
        !self.mark.covers(generation) || (!MarkOf::<K>::COUNTS && generation > now.to_u64())
    }

    /// What is to say of a key that has no value; `tenant` is who lives in its slot.
    pub(crate) fn found(&self, key: K, tenant: Option<K>) -> Found<K> {
        let slot = key.slot() as usize;
        if slot >= self.book.slots() {
            return Found::Unused { slots: self.book.slots() };
        }
        // SAFETY: the slot is in use.
        let stored = unsafe { self.stored(slot) };
        let (now, found) = if let Some(tenant) = tenant {
            (stored, Found::Live(tenant))
        } else if !self.book.is_taken(slot) {
            (stored, Found::Free)
        } else if self.is_detached(slot) {
            (stored.awaited(), Found::Detached(K::compose(slot as u32, stored.awaited())))
        } else {
            return Found::Retired;
        };
        if self.is_younger(key, now) { Found::Younger } else { found }
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
        let versioned = GenerationOf::<K>::VERSIONED;
        for slot in 0..self.book.slots() {
            // SAFETY: the slot is in use.
            let bits = unsafe { self.stored(slot) }.to_u64();
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            let free = GenerationOf::<K>::free_from_u64(bits).is_some();
            let taken = self.book.is_taken(slot);
            assert!(!self.book.is_live(slot) || live, "slot {slot} is live in {bits}");
            assert!(!self.book.is_hole(slot) || free, "slot {slot} is free in {bits}");
            assert!(!versioned || !taken || !live, "slot {slot} has no value in {bits}");
        }
    }
}

impl<T, K: Key, const N: usize> Drop for Inline<T, K, N> {
    fn drop(&mut self) {
        self.drop_values();
    }
}
