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
//! Nothing here points into itself, so that it can be moved. So it cannot be a
//! [`Store`](crate::raw::store::Store), whose book has its words in blocks that stay where they are and
//! whose walks point to them; it shares rows, their addresses and the iterators that lend.

mod book;
mod bulk;
mod iter;

use core::mem::MaybeUninit;
use core::ptr::NonNull;

pub(crate) use iter::{Drain, ExtractIf, IntoIter, Iter, IterMut};

use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::explain::Found;
use crate::key::Key;
use crate::raw::disjoint;
use crate::raw::generation::{Generation, Mark};
use crate::raw::join::{Exclusive, Shared};
use crate::raw::rows::{InBlock, Row, RowsView};
pub(crate) use crate::raw::slots::GenerationOf;
use crate::raw::slots::MarkOf;
use crate::raw::store::{Address, Finder};
use crate::stats::{MemoryUsage, Stats};
use book::Book;

/// `N` slots of values.
pub(crate) struct Inline<T, K: Key, const N: usize> {
    mark: MarkOf<K>,
    book: Book<N>,
    rows: [MaybeUninit<Row<T, GenerationOf<K>>>; N],
}

/// What a join knows of them.
pub(crate) type InlineView<T, K> = RowsView<T, K, InBlock<T, K>>;

/// Where a slot lies.
type At<T, K> = Address<T, K, NonNull<T>>;

/// Where the next value goes. Nothing has changed yet; the borrow keeps it so.
///
/// **Invariant.** The slot is the book's next, and `mark` is that of the arena once it is live.
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
        // SAFETY: the slot is below `N`, and has no value; it gets one, which is borrowed exclusively for
        // `'a`. Nothing can panic in between.
        unsafe {
            let at = inline.at_mut(slot);
            at.values.write(value);
            at.generation.write(generation);
            at.lend_mut()
        }
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

    /// The first row, to be read.
    #[inline]
    fn rows(&self) -> InBlock<T, K> {
        NonNull::from(&self.rows).cast()
    }

    /// The first row.
    #[inline]
    fn rows_mut(&mut self) -> InBlock<T, K> {
        NonNull::from(&mut self.rows).cast()
    }

    /// Where a slot lies, to be read.
    ///
    /// # Safety
    /// `slot < N`.
    #[inline]
    unsafe fn at(&self, slot: usize) -> At<T, K> {
        // SAFETY: there are `N` rows.
        unsafe { Finder::<T, K>::find(&mut self.rows(), slot) }
    }

    /// Where a slot lies.
    ///
    /// # Safety
    /// `slot < N`.
    #[inline]
    unsafe fn at_mut(&mut self, slot: usize) -> At<T, K> {
        // SAFETY: there are `N` rows.
        unsafe { Finder::<T, K>::find(&mut self.rows_mut(), slot) }
    }

    /// What a slot remembers.
    ///
    /// # Safety
    /// `slot < book.slots()`.
    #[inline]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: that is at most `N`, and the generation of a row below is initialised.
        unsafe { self.at(slot).generation.read() }
    }

    /// # Safety
    /// `slot < book.slots()`, and the generation says what the book says of it, or is about to.
    #[inline]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: that is at most `N`.
        unsafe { self.at_mut(slot).generation.write(generation) };
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
        // SAFETY: the slot is live, and borrowed as `self` is.
        Some(unsafe { self.at(slot).lend() })
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let slot = self.find(key)?;
        // SAFETY: the slot is live, and borrowed exclusively as `self` is.
        Some(unsafe { self.at_mut(slot).lend_mut() })
    }

    pub(crate) fn get_disjoint_mut<const M: usize>(
        &mut self,
        keys: [K; M],
    ) -> Result<[&mut T; M], GetDisjointMutError> {
        let slots = disjoint::find_disjoint(keys, |key| self.find(key))?;
        let mut rows = self.rows_mut();
        // SAFETY: all slots are live and no two are the same, and `self` is borrowed exclusively.
        Ok(slots.map(|slot| unsafe { Finder::<T, K>::find(&mut rows, slot).lend_mut() }))
    }

    /// The key of a live slot.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        // SAFETY: a live slot is in use.
        self.book.is_live(slot).then(|| unsafe { self.at(slot).key() })
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
        Some(unsafe { self.take(slot) }.1)
    }

    /// Moves the value of a live slot out; the slot becomes free, or is retired after its last
    /// generation.
    ///
    /// # Safety
    /// The slot is live.
    #[inline]
    unsafe fn take(&mut self, slot: usize) -> (K, T) {
        // SAFETY: the slot is in use, and has a value, which is read once: nothing can panic before the
        // book knows.
        let (key, value, at) = unsafe {
            let at = self.at_mut(slot);
            (at.key(), at.values.read(), at)
        };
        let generation = key.generation();
        let is_last = generation.is_last();
        let free = if is_last { Generation::RETIRED } else { generation.vacated() };
        // SAFETY: the row is still borrowed.
        unsafe { at.generation.write(free) };
        if is_last {
            self.book.park(slot);
            self.book.retire();
        } else {
            self.book.vacate(slot);
        }
        (key, value)
    }

    /// Moves the value out, but keeps the slot for its key.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        let Some(slot) = self.find(key) else { return Ok(None) };
        self.book.park(slot);
        // SAFETY: the slot was live, and is in use; its value is read once, since it is parked.
        unsafe {
            let at = self.at_mut(slot);
            at.generation.write(key.generation().parked());
            Ok(Some(at.values.read()))
        }
    }

    pub(crate) fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        let Some(slot) = self.find_detached(key) else { return Err(ReattachError { value }) };
        self.book.unpark(slot);
        // SAFETY: the slot was detached, so it is in use, without a value.
        unsafe {
            let at = self.at_mut(slot);
            at.values.write(value);
            at.generation.write(key.generation());
        }
        Ok(())
    }

    /// What a slot remembers that is kept for a detached key, not retired.
    fn parked(&self, slot: usize) -> Option<GenerationOf<K>> {
        // SAFETY: a taken slot is in use.
        let stored = self.book.is_taken(slot).then(|| unsafe { self.stored(slot) })?;
        (!GenerationOf::<K>::VERSIONED || stored != Generation::RETIRED).then_some(stored)
    }

    fn find_detached(&self, key: K) -> Option<usize> {
        let slot = key.slot() as usize;
        self.parked(slot).is_some_and(|parked| parked.waits_for(key.generation())).then_some(slot)
    }

    /// Gives a detached key's slot back. Says whether there was one.
    pub(crate) fn release(&mut self, key: K) -> bool {
        let slot = self.find_detached(key);
        slot.inspect(|&slot| self.release_slot(slot)).is_some()
    }

    /// Where the slot is detached, it becomes free, or is retired.
    fn release_slot(&mut self, slot: usize) {
        let Some(parked) = self.parked(slot) else { return };
        let free = parked.released();
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
        } else if let Some(parked) = self.parked(slot) {
            (parked.awaited(), Found::Detached(K::compose(slot as u32, parked.awaited())))
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

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, InlineView<T, K>> {
        // SAFETY: the words are those of live slots; words and rows are borrowed.
        unsafe { Shared::new(RowsView::new(self.book.live_words(), self.rows())) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, InlineView<T, K>> {
        let rows = self.rows_mut();
        // SAFETY: the words are those of live slots; they lie apart from the rows, which are borrowed
        // exclusively.
        unsafe { Exclusive::new(RowsView::new(self.book.live_words(), rows)) }
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
