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

mod blocks;
mod bulk;
mod inserter;
mod iter;
mod pointer;
#[cfg(target_has_atomic = "ptr")]
mod shared;
mod store;
mod view;
mod walk;

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

pub(crate) use blocks::BlockSize;
use blocks::{Blocks, InBlocks};
pub(crate) use bulk::drop_values;
pub(crate) use inserter::InPlace;
pub(crate) use iter::{Drain, ExtractIf, IntoIter, Iter, IterMut};
#[cfg(target_has_atomic = "ptr")]
pub(crate) use shared::Shared;
pub(crate) use store::{Finder, Store};
pub(crate) use view::RowsView;

use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::generation::Generation;
use crate::raw::memory::{Memory, Source};
use crate::raw::occupancy::Occupancy;
use crate::raw::slots::{Compact, Ledger, Place, Plan};
pub(crate) use crate::raw::slots::{GenerationOf, InMemory, Slots};
use crate::raw::{cold_path, disjoint};
use crate::stats::Reuse;

/// A slot.
#[repr(C)]
#[expect(unnameable_types, missing_debug_implementations, reason = "a view of rows has them")]
pub struct Row<T, G> {
    pub(super) value: MaybeUninit<T>,
    pub(super) generation: G,
}

pub(crate) type RowOf<T, K> = Row<T, GenerationOf<K>>;

/// One block of rows.
pub(crate) type Contiguous<T, K> = Buffer<RowOf<T, K>>;

/// Many blocks of rows.
pub(crate) type Paged<T, K> = Blocks<RowOf<T, K>>;

/// What finds rows in one block, and in many. (Not written as what the trait says it is, so that it varies with `T`.)
pub(crate) type InBlock<T, K> = NonNull<RowOf<T, K>>;
pub(crate) type InPages<T, K> = InBlocks<RowOf<T, K>>;

/// Slots of values. (What a lookup reads comes first.)
#[repr(C)]
pub(crate) struct Rows<T, K: Key, S: Store<RowOf<T, K>> = Contiguous<T, K>> {
    rows: S,
    ledger: Ledger<K>,
    keys: PhantomData<fn() -> K>,
    owns: PhantomData<T>,
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Slots<K> for Rows<T, K, S> {
    const STRIDE: usize = size_of::<RowOf<T, K>>();

    const VALUE: usize = size_of::<T>();

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
        self.rows.capacity()
    }

    fn roomy(&self, slots: usize) -> usize {
        // A few small rows at once: growing takes longer than filling them.
        let least = match size_of::<RowOf<T, K>>() {
            0..=256 => 8,
            257..=1024 => 4,
            _ => 1,
        };
        self.rows.roomy(slots, least)
    }

    /// A book of few slots lies in the rows' own block, so that a small container needs one block.
    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.rows.check(capacity)?;
        let (rows, book) = (&mut self.rows, &mut self.ledger.book);
        if rows.has_room_for_tail() && book.can_be_moved(capacity) {
            if capacity == 0 {
                book.uncover();
                return rows.resize(0);
            }
            // SAFETY: just checked; the rows' block is resized here only, so with the book.
            return unsafe {
                book.move_to(capacity, |numbers| rows.resize_with_tail(capacity, numbers))
            };
        }
        book.cover(self.rows.book_for(capacity, book.covered()))?;
        self.rows.resize(capacity)
    }

    #[cfg(feature = "serde")]
    type Value = T;

    #[cfg(feature = "serde")]
    unsafe fn write_live(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        // SAFETY: there is room.
        let row = unsafe { self.row(slot) };
        // SAFETY: the row is ours, and has no value.
        unsafe { row.write(Row { value: MaybeUninit::new(value), generation }) };
    }

    fn own_bytes(&self) -> usize {
        self.rows.bytes()
    }

    fn own_space(&self) -> usize {
        self.rows.space()
    }

    /// Here it is right for live slots, too.
    #[inline(always)]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: the row lies below the mark, so below the capacity.
        let row = unsafe { self.row(slot) };
        // SAFETY: its generation is initialised.
        unsafe { (*row.as_ptr()).generation }
    }

    #[inline(always)]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: the row lies below the mark, so below the capacity.
        let row = unsafe { self.row(slot) };
        // SAFETY: the row is ours.
        unsafe { (*row.as_ptr()).generation = generation };
    }
}

/// Where the next value goes. Nothing has changed yet; the borrow keeps it so.
pub(crate) struct Vacancy<'a, T, K: Key, S: Store<RowOf<T, K>> = Contiguous<T, K>> {
    rows: &'a mut Rows<T, K, S>,
    place: Place<K>,
}

impl<'a, T, K: Key, S: Store<RowOf<T, K>>> Vacancy<'a, T, K, S> {
    #[inline(always)]
    pub(crate) fn key(&self) -> K {
        self.place.key()
    }

    #[inline(always)]
    pub(crate) fn fill(self, value: T) -> K {
        let key = self.key();
        self.fill_and_get(value);
        key
    }

    /// As [`fill`](Self::fill), and gives the value out.
    #[inline(always)]
    pub(crate) fn fill_and_get(self, value: T) -> &'a mut T {
        let Self { rows, place } = self;
        // The book first: what it just said is still at hand. Nothing can panic in between.
        // SAFETY: the place is the ledger's, `rows` was borrowed since, and is written below.
        unsafe { rows.ledger.settle(&place) };
        // SAFETY: a place lies below the capacity.
        let target = unsafe { rows.row(place.slot) };
        // The value goes straight to its place: a row built elsewhere would be copied by halves.
        // SAFETY: the row is ours, and its value, if it ever had one, was moved out or dropped.
        unsafe { target.cast::<T>().write(value) };
        // SAFETY: the row is ours.
        let generation = unsafe { &raw mut (*target.as_ptr()).generation };
        // SAFETY: as above.
        unsafe { generation.write(place.generation) };
        // SAFETY: the value is live, and `rows` is borrowed exclusively for `'a`.
        unsafe { target.cast::<T>().as_mut() }
    }
}

impl<T, K: Key> InMemory<K> for Rows<T, K> {
    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let (rows, ledger) = (Buffer::within(memory)?, Ledger::within(reuse, memory)?);
        Ok(Self { rows, ledger, keys: PhantomData, owns: PhantomData })
    }

    fn end(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        Self::end_of(at, slots, reuse)
    }
}

impl<T, K: Key> Rows<T, K> {
    /// What the address of a block is a multiple of, so that nothing in it has to be.
    pub(crate) const ALIGNMENT: usize = Contiguous::<T, K>::ALIGNMENT;

    /// As [`InMemory::end`].
    pub(crate) const fn end_of(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        let Some(at) = Contiguous::<T, K>::end(at, slots) else { return None };
        Occupancy::end(at, slots, reuse)
    }
}

impl<T, K: Key> Rows<T, K, Paged<T, K>> {
    /// An empty container as planned, with blocks of that size.
    pub(crate) fn make_blocks(plan: Plan, size: BlockSize) -> Result<Self, TryReserveError> {
        Self::check_slots(plan.slots)?;
        let wants_huge = matches!(plan.source, Source::Heap { huge: true });
        Self::of(Blocks::new(size, wants_huge), plan.reuse).furnish(plan.slots, plan.growth)
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Compact<K> for Rows<T, K, S> {
    unsafe fn carry(&mut self, from: usize, to: K) {
        // SAFETY: the slot is in use.
        let value = unsafe { self.value(from) };
        // SAFETY: the value is initialised still; its slot is not live, so it is read once.
        let value = unsafe { value.read() };
        // SAFETY: the slot was just taken.
        unsafe { self.fill(to.slot() as usize, to.generation(), value) };
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self::of(S::EMPTY, reuse)
    }

    /// An empty container whose rows will lie there.
    pub(crate) const fn of(rows: S, reuse: Reuse) -> Self {
        Self { rows, ledger: Ledger::new(reuse), keys: PhantomData, owns: PhantomData }
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.ledger.book.len()
    }

    #[inline]
    pub(crate) const fn book(&self) -> &Occupancy {
        &self.ledger.book
    }

    /// The address of a row.
    ///
    /// # Safety
    /// `slot < rows.capacity()`.
    #[inline(always)]
    unsafe fn row(&self, slot: usize) -> NonNull<RowOf<T, K>> {
        // SAFETY: by the contract.
        unsafe { self.rows.at(slot) }
    }

    /// The address of the value in a row.
    ///
    /// # Safety
    /// `slot < rows.capacity()`.
    #[inline(always)]
    unsafe fn value(&self, slot: usize) -> NonNull<T> {
        // A row begins with its value (`repr(C)`).
        // SAFETY: by the contract.
        unsafe { self.row(slot) }.cast()
    }

    /// The slot of a key whose value is live.
    #[inline(always)]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        self.find_row(key).map(|(slot, _)| slot)
    }

    /// The slot of a key whose value is live, and its row.
    #[inline(always)]
    fn find_row(&self, key: K) -> Option<(usize, NonNull<RowOf<T, K>>)> {
        let slot = key.slot() as usize;
        if slot >= self.ledger.book.slots() {
            return None;
        }
        // SAFETY: just checked.
        let row = unsafe { self.row(slot) };
        let answers = if GenerationOf::<K>::VERSIONED {
            // SAFETY: the generation of a slot in use is initialised.
            unsafe { (*row.as_ptr()).generation == key.generation() }
        } else {
            // SAFETY: just checked.
            unsafe { self.ledger.book.is_set(slot) }
        };
        if !answers {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some((slot, row))
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<&T> {
        let (_, row) = self.find_row(key)?;
        // SAFETY: the value is live, begins the row, and is borrowed as `self` is.
        Some(unsafe { row.cast().as_ref() })
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut T> {
        let (_, row) = self.find_row(key)?;
        // SAFETY: the value is live, begins the row, and is borrowed as `self` is.
        Some(unsafe { row.cast().as_mut() })
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut T; N], GetDisjointMutError> {
        let slots = disjoint::find_disjoint(keys, |key| self.find(key))?;
        Ok(slots.map(|slot| {
            // SAFETY: a slot that was found is in use.
            let mut value = unsafe { self.value(slot) };
            // SAFETY: all are live and of different slots, and `self` is borrowed exclusively.
            unsafe { value.as_mut() }
        }))
    }

    /// The key of a live slot.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        let live = self.ledger.book.is_live(slot);
        // SAFETY: a live slot is in use.
        live.then(|| K::compose(slot as u32, unsafe { self.stored(slot) }))
    }

    /// The slot that a value lies in; `None` where it lies elsewhere.
    pub(crate) fn slot_of(&self, value: &T) -> Option<usize> {
        if size_of::<T>() == 0 {
            return None;
        }
        let slot = self.rows.index_of(core::ptr::from_ref(value).addr())?;
        self.ledger.book.is_live(slot).then_some(slot)
    }

    /// Where there is no room the value is dropped. (Nothing here takes its address, so that it can
    /// go from registers straight to its place.)
    #[inline(always)]
    pub(crate) fn insert(&mut self, value: T) -> Result<K, TryReserveError> {
        // SAFETY: the slot is filled at once.
        if let Some((slot, generation)) = unsafe { self.claim_at_hand() } {
            // SAFETY: the slot was just claimed. (Here its row need not be found again.)
            return Ok(unsafe { self.fill(slot, generation, value) });
        }
        // SAFETY: the slot is filled at once.
        let (slot, generation) = unsafe { self.claim_elsewhere() }?;
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

    /// Writes a value and then its generation, which lies behind it: memory is best written in
    /// ascending order (the other order took up to 1.2 times as long).
    ///
    /// # Safety
    /// The slot was just claimed, for this generation.
    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) -> K {
        // SAFETY: the slot is in use.
        let row = unsafe { self.row(slot) };
        // SAFETY: the slot has no value yet.
        unsafe { row.cast::<T>().write(value) };
        // SAFETY: the row is ours.
        unsafe { (*row.as_ptr()).generation = generation };
        K::compose(slot as u32, generation)
    }

    /// Finds the slot of the next insertion and whatever memory it needs. Changes nothing that can
    /// be seen.
    #[inline(always)]
    pub(crate) fn vacancy(&mut self) -> Result<Vacancy<'_, T, K, S>, TryReserveError> {
        let place = self.place()?;
        Ok(Vacancy { rows: self, place })
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, key: K) -> Option<T> {
        let value = self.disown(key)?;
        // Read last, and by the caller, the value goes straight to where it is wanted.
        // SAFETY: the value is initialised; its slot is free now, so it is read once.
        Some(unsafe { value.read() })
    }

    /// The slot of a key becomes free; where its value lay, which is now the caller's.
    #[inline(always)]
    fn disown(&mut self, key: K) -> Option<NonNull<T>> {
        let (slot, row) = self.find_row(key)?;
        // SAFETY: it is live, in the key's generation.
        unsafe { self.free(slot, key.generation()) };
        // A row begins with its value (`repr(C)`).
        Some(row.cast())
    }

    /// Moves the value of a live slot out; the slot is free.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    unsafe fn take(&mut self, slot: usize) -> T {
        // SAFETY: the slot is in use.
        let generation = unsafe { self.stored(slot) };
        // SAFETY: it is live, in that generation.
        unsafe { self.free(slot, generation) };
        // SAFETY: the slot was live, and is in use still.
        let value = unsafe { self.value(slot) };
        // SAFETY: the value is initialised; its slot is free now, so it is read once.
        unsafe { value.read() }
    }

    /// Moves the value out, but keeps the slot for its key. On an error nothing has changed.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        let Some(slot) = self.find(key) else {
            return Ok(None);
        };
        self.ledger.book.prepare_taken()?;
        // SAFETY: a slot that was found is live.
        let value = unsafe { self.value(slot) };
        // SAFETY: it is initialised; the slot is parked at once, so it is read once.
        let value = unsafe { value.read() };
        // SAFETY: it is live, and has a place in the `taken` words.
        unsafe { self.park(slot, key.generation()) };
        Ok(Some(value))
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
        unsafe { self.ledger.book.unpark(slot) };
        Ok(())
    }

    /// Panics where the container contradicts itself.
    pub(crate) fn validate(&self) {
        self.validate_slots();
        for slot in (0..self.book().slots()).filter(|&slot| self.book().is_live(slot)) {
            // SAFETY: a live slot is in use.
            let bits = unsafe { self.stored(slot) }.to_u64();
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            assert!(live, "slot {slot} is live in generation {bits}");
        }
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Rows<T, K, S> {
    fn drop(&mut self) {
        if core::mem::needs_drop::<T>() {
            // SAFETY: the book does not change any more.
            let walk = unsafe { self.ledger.book.walk() };
            // SAFETY: the walk yields every live slot once, and the rows are not used after it.
            unsafe { drop_values(walk, self.rows.finder()) };
        }
    }
}
