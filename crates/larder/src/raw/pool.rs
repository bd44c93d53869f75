//! Values in slots, all of them always valid, their generations in a column of their own: what
//! `Pool` is made of, and, its values in columns, [`SoaArena`](crate::SoaArena).
//!
//! **Invariant.**
//! - `values[..made]` are initialised, whatever their slots are: live, free, retired, not begun. So
//!   `&[T]` and `&mut [T]` of all of them are sound at any time. A value is replaced, never moved out;
//!   `made` goes up after a value was written, and down before one is dropped.
//! - `book.slots() <= made <= values.capacity()`.
//! - The book covers as many slots as `values` has room for; `generations` has room for as many.
//! - Every generation below `book.slots()` is initialised. That of a live slot is live (see
//!   [`generation`](crate::raw::generation)), that of any other equals no key's. With keys that have
//!   no generation the book alone decides, and the column takes no memory.
//! - A slot in its last generation has a place in the book's `taken` words, so that it can be
//!   retired without memory.
//!
//! How values are made and reset is not known here: whoever calls says it with closures, which
//! cannot reach the container. Where one panics, the value that it was about is valid as before.

mod bulk;
mod iter;
mod lend;
#[cfg(feature = "alloc")]
mod recycling;
mod taking;
mod vacancy;
mod view;

use core::marker::PhantomData;

pub(crate) use iter::{Iter, IterMut};
pub(crate) use lend::{Groups, GroupsMut, Runs, RunsMut};
#[cfg(feature = "alloc")]
pub(crate) use recycling::Prepared;
pub(crate) use taking::{Drain, ExtractIf, IntoIter};
pub(crate) use vacancy::Vacancy;
pub(crate) use view::StockView;

use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::columns::Columns;
use crate::raw::generation::Generation;
use crate::raw::memory::Memory;
use crate::raw::occupancy::Occupancy;
use crate::raw::slots::{Compact, Ledger, doubled};
pub(crate) use crate::raw::slots::{GenerationOf, InMemory, Slots};
use crate::raw::storage::{At, Ref, RefMut, Spot, Storage};
use crate::raw::{cold_path, disjoint};
use crate::soa::Soa;
use crate::stats::Reuse;

/// Slots whose values are always valid. (What a lookup reads comes first.)
#[repr(C)]
pub(crate) struct Stock<T, K: Key, S: Storage<T> = Buffer<T>> {
    values: S,
    generations: Buffer<GenerationOf<K>>,
    ledger: Ledger<K>,
    made: usize,
    owns: PhantomData<(T, fn() -> K)>,
}

impl<T, K: Key, S: Storage<T>> Slots<K> for Stock<T, K, S> {
    const STRIDE: usize = S::VALUE + size_of::<GenerationOf<K>>();

    const VALUE: usize = S::VALUE;

    fn roomy(&self, slots: usize) -> usize {
        // The smallest block that an allocator gives out is worth a few small values.
        doubled(self.values.capacity(), slots, if S::VALUE <= 1024 { 4 } else { 1 })
    }

    #[inline(always)]
    fn ledger(&self) -> &Ledger<K> {
        &self.ledger
    }

    #[inline(always)]
    fn ledger_mut(&mut self) -> &mut Ledger<K> {
        &mut self.ledger
    }

    #[inline(always)]
    fn slot_capacity(&self) -> usize {
        self.values.capacity()
    }

    /// There is always as much room for generations as for values: it grows first and shrinks last.
    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.values.check(capacity)?;
        self.ledger.book.cover(capacity)?;
        if capacity > self.values.capacity() {
            self.generations.resize(capacity)?;
            return self.values.resize(capacity);
        }
        self.drop_from(capacity);
        self.values.resize(capacity)?;
        self.generations.resize(capacity)
    }

    #[cfg(feature = "serde")]
    type Value = T;

    #[cfg(feature = "serde")]
    unsafe fn write_live(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        // SAFETY: there is room.
        unsafe { self.store(slot, generation) };
        // SAFETY: as above; the slot is the first above the mark, so at most `made`.
        unsafe { self.put(slot, value) };
    }

    fn own_bytes(&self) -> usize {
        self.values.bytes() + self.generations.bytes()
    }

    fn own_space(&self) -> usize {
        self.values.space() + self.generations.space()
    }

    /// Here it is right for live slots, too.
    #[inline(always)]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: the slot lies below the mark, so below the capacity.
        let place = unsafe { self.generations.at(slot) };
        // SAFETY: its generation is initialised.
        unsafe { place.read() }
    }

    #[inline(always)]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: there is room for the slot.
        let place = unsafe { self.generations.at(slot) };
        // SAFETY: the column is ours.
        unsafe { place.write(generation) };
    }
}

impl<T, K: Key, S: Storage<T>> InMemory<K> for Stock<T, K, S> {
    const WAVERS: usize = S::WAVERS;

    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let (values, generations) = (S::within(memory)?, Buffer::within(memory)?);
        let ledger = Ledger::within(reuse, memory)?;
        Ok(Self { values, generations, ledger, made: 0, owns: PhantomData })
    }

    fn end(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        Self::end_after(S::end(at, slots)?, slots, reuse)
    }
}

impl<T, K: Key, S: Storage<T>> Compact<K> for Stock<T, K, S> {
    /// What lies in the hole goes where the value was.
    unsafe fn carry(&mut self, from: usize, to: K) {
        let slot = to.slot() as usize;
        // SAFETY: the slot is in use.
        unsafe { self.store(slot, to.generation()) };
        // SAFETY: both are in use, so their values were made.
        unsafe { self.values.at().swap(from, slot) };
    }
}

impl<T: Soa, K: Key> Stock<T, K, Columns<T>> {
    /// What the address of a block is a multiple of, so that nothing in it has to be.
    pub(crate) const ALIGNMENT: usize = Columns::<T>::ALIGNMENT;

    /// As [`InMemory::end`].
    pub(crate) const fn end_of(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        let Some(at) = Columns::<T>::end_of(at, slots) else { return None };
        Self::end_after(at, slots, reuse)
    }
}

impl<T, K: Key, S: Storage<T>> Stock<T, K, S> {
    /// An empty one on the heap.
    pub(crate) const fn new(reuse: Reuse) -> Self {
        let ledger = Ledger::new(reuse);
        Self { values: S::EMPTY, generations: Buffer::new(), ledger, made: 0, owns: PhantomData }
    }

    /// Where generations and book end that begin after the address `at`, in lent memory.
    const fn end_after(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        let Some(at) = Buffer::<GenerationOf<K>>::end(at, slots) else { return None };
        Occupancy::end(at, slots, reuse)
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.ledger.book.len()
    }

    #[inline]
    pub(crate) const fn book(&self) -> &Occupancy {
        &self.ledger.book
    }

    /// # Safety
    /// `slot < made`.
    #[inline(always)]
    unsafe fn value_mut(&mut self, slot: usize) -> RefMut<'_, T, S> {
        // SAFETY: by the contract; it is initialised, and borrowed as `self` is.
        unsafe { self.values.at().get_mut(slot) }
    }

    /// # Safety
    /// `slot < made`.
    #[inline(always)]
    unsafe fn spot(&mut self, slot: usize) -> Spot<'_, T, S::At> {
        // SAFETY: by the contract; it is initialised, and borrowed as `self` is.
        unsafe { Spot::new(self.values.at(), slot) }
    }

    /// One value more.
    ///
    /// # Safety
    /// `made < values.capacity()`.
    #[inline(always)]
    unsafe fn push(&mut self, value: T) {
        // SAFETY: by the contract; nothing lies past the values that were made.
        unsafe { self.values.at().push(self.made, value) };
        self.made += 1;
    }

    /// Puts a value into a slot, in the place of what may lie there, which is dropped last.
    ///
    /// # Safety
    /// `slot <= made`, and there is room for the slot.
    #[inline(always)]
    unsafe fn put(&mut self, slot: usize, value: T) {
        if slot < self.made {
            // SAFETY: just checked.
            let mut spot = unsafe { self.spot(slot) };
            drop(spot.replace(value));
        } else {
            // SAFETY: the slot is the first that has no value, and there is room for it.
            unsafe { self.push(value) };
        }
    }

    /// Drops the values from `kept` on, all of them, even if one of them panics.
    fn drop_from(&mut self, kept: usize) {
        let surplus = self.made.saturating_sub(kept);
        self.made -= surplus;
        // SAFETY: they are initialised, and nobody's any more.
        unsafe { self.values.at().drop_range(self.made..self.made + surplus) };
    }

    /// The slot of a key whose value is live.
    #[inline(always)]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        let slot = key.slot() as usize;
        if slot >= self.ledger.book.slots() {
            return None;
        }
        let answers = if GenerationOf::<K>::VERSIONED {
            // SAFETY: just checked.
            unsafe { self.stored(slot) == key.generation() }
        } else {
            // SAFETY: just checked.
            unsafe { self.ledger.book.is_set(slot) }
        };
        if !answers {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some(slot)
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<Ref<'_, T, S>> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is in use, so its value was made; it is borrowed as `self` is.
        Some(unsafe { self.values.at().get(slot) })
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<RefMut<'_, T, S>> {
        let slot = self.find(key)?;
        // SAFETY: a slot that was found is in use, so its value was made.
        Some(unsafe { self.value_mut(slot) })
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[RefMut<'_, T, S>; N], GetDisjointMutError> {
        let slots = disjoint::find_disjoint(keys, |key| self.find(key))?;
        let values = self.values.at();
        // SAFETY: all are live and of different slots, and `self` is borrowed exclusively.
        Ok(slots.map(|slot| unsafe { values.get_mut(slot) }))
    }

    /// The key of a live slot.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        let live = self.ledger.book.is_live(slot);
        // SAFETY: a live slot is in use.
        live.then(|| K::compose(slot as u32, unsafe { self.stored(slot) }))
    }

    /// Where there is no room the value is dropped. What lay in the slot is dropped in any case, when
    /// the new value is in.
    #[inline(always)]
    pub(crate) fn insert(&mut self, value: T) -> Result<K, TryReserveError> {
        // SAFETY: the slot is filled at once.
        let (slot, generation) = unsafe { self.claim() }?;
        // SAFETY: the slot was just claimed.
        Ok(unsafe { self.fill(slot, generation, value) })
    }

    /// Where there is no room the value is given back.
    #[inline(always)]
    pub(crate) fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        // SAFETY: the slot is filled at once.
        match unsafe { self.claim() } {
            // SAFETY: the slot was just claimed.
            Ok((slot, generation)) => Ok(unsafe { self.fill(slot, generation, value) }),
            Err(reason) => Err(InsertError { value, reason }),
        }
    }

    /// Stores the generation, and puts the value in, which may run a `Drop`.
    ///
    /// # Safety
    /// The slot was just claimed, for this generation.
    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) -> K {
        // SAFETY: the slot is in use.
        unsafe { self.store(slot, generation) };
        // SAFETY: there is room for it; if it was not begun before, it is the first such.
        unsafe { self.put(slot, value) };
        K::compose(slot as u32, generation)
    }

    /// Finds the slot of the next insertion and whatever memory it needs. Changes nothing that can be
    /// seen.
    #[inline(always)]
    pub(crate) fn vacancy(&mut self) -> Result<Vacancy<'_, T, K, S>, TryReserveError> {
        let place = self.place()?;
        Ok(Vacancy::new(self, place))
    }

    /// Puts a value in the place of a key's; where there is none, it is given back.
    #[inline(always)]
    pub(crate) fn replace(&mut self, key: K, value: T) -> Result<T, T> {
        match self.find(key) {
            // SAFETY: a slot that was found is in use, so its value was made.
            Some(slot) => Ok(unsafe { self.spot(slot) }.replace(value)),
            None => Err(value),
        }
    }

    /// Has the value of a key's slot replaced, and frees the slot.
    #[inline(always)]
    pub(crate) fn take(&mut self, key: K, make: impl FnOnce() -> T) -> Option<T> {
        let slot = self.find(key)?;
        let fresh = make();
        // SAFETY: a slot that was found is in use, so its value was made.
        let value = unsafe { self.spot(slot) }.replace(fresh);
        // SAFETY: the slot is live, in the key's generation.
        unsafe { self.free(slot, key.generation()) };
        Some(value)
    }

    /// Has the value of a key's slot replaced, but keeps the slot for its key. On an error nothing has
    /// changed.
    pub(super) fn try_detach_with(
        &mut self,
        key: K,
        make: impl FnOnce() -> T,
    ) -> Result<Option<T>, TryReserveError> {
        let Some(slot) = self.find(key) else {
            return Ok(None);
        };
        self.ledger.book.prepare_taken()?;
        let fresh = make();
        // SAFETY: a slot that was found is in use, so its value was made.
        let value = unsafe { self.spot(slot) }.replace(fresh);
        // SAFETY: it is live, and has a place in the `taken` words.
        unsafe { self.park(slot, key.generation()) };
        Ok(Some(value))
    }

    pub(crate) fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        let Some(slot) = self.find_detached(key) else {
            return Err(ReattachError { value });
        };
        // SAFETY: a detached slot is in use; it becomes live below, with the generation it had.
        unsafe { self.store(slot, key.generation()) };
        // SAFETY: it is detached.
        unsafe { self.ledger.book.unpark(slot) };
        // SAFETY: a slot in use has its value made.
        unsafe { self.put(slot, value) };
        Ok(())
    }

    /// Panics where the container contradicts itself.
    pub(crate) fn validate(&self) {
        self.validate_slots();
        assert!(self.made <= self.values.capacity(), "values within the block");
        assert!(self.ledger.book.slots() <= self.made, "a value for every slot in use");
        assert!(self.generations.capacity() >= self.values.capacity(), "room for generations");
        for slot in (0..self.book().slots()).filter(|&slot| self.book().is_live(slot)) {
            // SAFETY: a live slot is in use.
            let bits = unsafe { self.stored(slot) }.to_u64();
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            assert!(live, "slot {slot} is live in generation {bits}");
        }
    }
}

impl<T, K: Key, S: Storage<T>> Drop for Stock<T, K, S> {
    fn drop(&mut self) {
        self.drop_from(0);
    }
}
