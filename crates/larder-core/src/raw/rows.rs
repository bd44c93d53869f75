//! The layouts of rows, in which a value and its generation lie side by side: one block, or many.
//!
//! A lookup touches one row and the fields of the container, nothing else: so a value and the
//! proof that it is the right one come with one cache line. Holes are uninitialised.
//!
//! **Invariant.** Each row below `capacity` of a [`Rooms`] is the store's alone; its address is that of
//! its value, which it begins with (`repr(C)`).

mod blocks;
mod by_block;
#[cfg(target_has_atomic = "ptr")]
mod claims;
mod pinned;
mod walk;

use core::mem::{self, MaybeUninit};
use core::ptr::NonNull;
#[cfg(target_has_atomic = "ptr")]
use core::sync::atomic;

pub(crate) use blocks::BlockSize;
pub use blocks::Blocks;
use blocks::InBlocks;
pub use by_block::ByBlock;
pub(crate) use pinned::InPlace;
#[cfg(target_has_atomic = "ptr")]
pub(crate) use pinned::SharedClaims;
pub(crate) use walk::RowWalk;

use crate::error::TryReserveError;
use crate::key::generation::{Generation, Mark};
use crate::key::{Handle, Key};
use crate::memory::Extent;
use crate::memory::OnDrop;
use crate::memory::block::{Block, BlockLayout};
use crate::memory::buffer::Buffer;
use crate::memory::source::{Memory, MemorySource};
use crate::memory::storage::{CloneAt, EmptyRoom, Numbered, Room, Spot};
use crate::raw::book::Book;
use crate::raw::occupancy::Occupancy;
pub(crate) use crate::raw::slots::{ErasedSlots, GenerationOf, SlotStore};
use crate::raw::slots::{InMemory, MarkOf, Plan, check_slots, most_slots};
pub(crate) use crate::raw::store;
use crate::raw::store::{Address, Choose, Finder, Layout, Refill, Store};
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// A value, or room for one, and its generation.
#[repr(C)]
#[expect(missing_debug_implementations, reason = "nobody has one: a layout is made of them")]
pub struct Row<T, K: Key = Handle<T>> {
    pub(crate) value: MaybeUninit<T>,
    pub(crate) generation: GenerationOf<K>,
}

/// A layout whose values lie whole, so that they are lent as `&T`: in rows of this kind of room.
#[repr(transparent)]
pub struct Whole<R>(pub(super) R);

impl<R: EmptyRoom> EmptyRoom for Whole<R> {
    const EMPTY: Self = Self(R::EMPTY);
}

impl<R: Room> Room for Whole<R> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        self.0.alike().map(Self)
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.0.resize(capacity)
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        self.0.check(capacity)
    }

    unsafe fn block_with_tail(&mut self) -> Option<(&mut Block, BlockLayout)> {
        // SAFETY: the caller (1) resizes it so, and (2) keeps the elements.
        unsafe { self.0.block_with_tail() }
    }

    fn covering(&self, capacity: usize, covered: usize) -> usize {
        self.0.covering(capacity, covered)
    }

    fn roomy(&self, needed: usize, least: usize) -> usize {
        self.0.roomy(needed, least)
    }

    fn memory(&self) -> Extent {
        self.0.memory()
    }
}

/// One block of rows.
pub(crate) type Contiguous<T, K> = Buffer<Row<T, K>>;

/// Many blocks of rows.
pub(crate) type Paged<T, K> = Blocks<Row<T, K>>;

/// The finders of rows in one block, and in many. (Not written as the trait's associated type, so that they vary
/// with `T`.)
pub(crate) type InBlock<T, K> = NonNull<Row<T, K>>;
pub(crate) type InPages<T, K> = InBlocks<Row<T, K>>;

/// Values in rows.
pub(crate) type Rows<T, K, S = Contiguous<T, K>, B = Occupancy> = Store<T, K, Whole<S>, B>;

pub(crate) type Iter<'a, T, K, F = InBlock<T, K>> = store::Iter<'a, T, K, RowWalk<T, K, F>>;
pub(crate) type IterMut<'a, T, K, F = InBlock<T, K>> = store::IterMut<'a, T, K, RowWalk<T, K, F>>;

/// Room for rows: in one block, or in many.
///
/// Bounds that a pool's layout does not meet name [`Room`], too: of a trait without parameters the compiler knows that
/// no other crate implements it.
///
/// # Safety
/// Each slot below `capacity()` has a row of its own, which nothing else uses; it stays the same until the room is
/// resized or moved. Resized, the rows that fit are the same bytes still.
pub unsafe trait Rooms<T, K: Key>: EmptyRoom {
    /// The name by which users know an arena whose rows have this room.
    const NAME: &'static str;

    /// True if rows stay where they are when it grows, wherever its memory comes from. (Of reserved
    /// memory the container knows.)
    const STAYS: bool;

    /// True if the rows are inside it.
    const INSIDE: bool = false;

    type Finder: RowFinder<T, K>;

    /// # Safety
    /// `slot < capacity()`.
    unsafe fn at(&self, slot: usize) -> NonNull<Row<T, K>>;

    /// Like [`at`](Self::at), to change the row. (A room that is inside its owner lends no more than it
    /// is lent.)
    ///
    /// # Safety
    /// `slot < capacity()`.
    #[inline(always)]
    unsafe fn at_mut(&mut self, slot: usize) -> NonNull<Row<T, K>> {
        // SAFETY: the slot is below the capacity.
        unsafe { self.at(slot) }
    }

    /// Returns a finder of the rows, which does not borrow the room.
    fn finder(&self) -> Self::Finder;

    /// Like [`finder`](Self::finder), to change them.
    #[inline(always)]
    fn finder_mut(&mut self) -> Self::Finder {
        self.finder()
    }

    /// The slot whose row has this address.
    fn index_of(&self, address: usize) -> Option<usize>;
}

/// Finds rows one after the other, as far as they lie side by side.
///
/// # Safety
/// It returns the place of the row in the room, on whatever thread it is asked.
pub unsafe trait RowFinder<T, K: Key>: Finder<T, K, At = NonNull<T>> {
    /// In no room.
    const NOWHERE: Self;

    /// True if all rows lie side by side. Then one past the last may be asked for, too.
    const CONTIGUOUS: bool;

    /// Makes the row and those beside it known to [`left`](Self::left) and
    /// [`beside`](Self::beside).
    ///
    /// # Safety
    /// `slot` is below the capacity.
    unsafe fn enter(&mut self, slot: usize);

    /// Returns the number of rows from `slot` on that lie side by side with the one that was entered last.
    ///
    /// # Safety
    /// The row that was entered last is not before `slot`.
    unsafe fn left(&self, slot: usize) -> usize;

    /// Returns the place that the row has, or would have, side by side with the one that was entered last.
    fn beside(&self, slot: usize) -> *const Row<T, K>;
}

// SAFETY: a buffer is a block of `capacity` rows, side by side, that is its own.
unsafe impl<T, K: Key> Rooms<T, K> for Contiguous<T, K> {
    const NAME: &'static str = "Arena";

    const STAYS: bool = false;

    type Finder = InBlock<T, K>;

    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> NonNull<Row<T, K>> {
        // SAFETY: the slot is below the capacity, so its row lies within the block.
        unsafe { self.start().add(slot) }
    }

    #[inline(always)]
    fn finder(&self) -> InBlock<T, K> {
        self.start()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        self.index_of(address)
    }
}

// SAFETY: the rows lie side by side from the first on, as `Buffer::at` says.
unsafe impl<T, K: Key> Finder<T, K> for InBlock<T, K> {
    type At = NonNull<T>;

    #[inline(always)]
    unsafe fn find(&mut self, slot: usize) -> Address<T, K, NonNull<T>> {
        // SAFETY: the row lies within the block, and is the slot's.
        unsafe { address(slot, self.add(slot)) }
    }
}

// SAFETY: the rows lie side by side from the first on, as `Buffer::at` says.
unsafe impl<T, K: Key> RowFinder<T, K> for InBlock<T, K> {
    const NOWHERE: Self = Self::dangling();

    const CONTIGUOUS: bool = true;

    #[inline(always)]
    unsafe fn enter(&mut self, _slot: usize) {}

    #[inline(always)]
    unsafe fn left(&self, _slot: usize) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn beside(&self, slot: usize) -> *const Row<T, K> {
        self.as_ptr().cast_const().wrapping_add(slot)
    }
}

/// Returns the number of rows of this size in a first block.
const fn first_rows(size: usize) -> usize {
    if size <= 1024 { 4 } else { 1 }
}

/// Returns the address of a row.
///
/// # Safety
/// It is the row of the slot, in its room.
#[inline(always)]
unsafe fn address<T, K: Key>(slot: usize, row: NonNull<Row<T, K>>) -> Address<T, K, NonNull<T>> {
    // SAFETY: the field lies in the row, and its address is not null.
    let generation = unsafe { NonNull::new_unchecked(&raw mut (*row.as_ptr()).generation) };
    Address::new(slot, Numbered::new(row.cast(), 0), generation)
}

// SAFETY: each row has room for a value and its generation, and lies apart from the others.
unsafe impl<T, K: Key, S: Room + Rooms<T, K>> Layout<T, K> for Whole<S> {
    const NAME: &'static str = S::NAME;

    type At = NonNull<T>;

    type Finder = S::Finder;

    type Places = RowWalk<T, K, S::Finder>;

    type Spare = ();

    const STRIDE: usize = size_of::<Row<T, K>>();

    const VALUE: usize = size_of::<T>();

    /// Small rows by fours: growing takes longer than filling them. Three need one block, ten two, a hundred
    /// four, a thousand seven.
    const FIRST: [usize; 3] = match size_of::<Row<T, K>>() {
        0..=256 => [4, 16, 64],
        size => [first_rows(size); 3],
    };

    const FILLS_IN_PLACE: bool = true;

    const SPACING: Option<usize> = match <S::Finder as RowFinder<T, K>>::CONTIGUOUS {
        true => Some(size_of::<Row<T, K>>()),
        false => None,
    };

    #[inline(always)]
    unsafe fn address(&self, slot: usize) -> Address<T, K, NonNull<T>> {
        // SAFETY: the slot is below the capacity.
        unsafe { address(slot, self.0.at(slot)) }
    }

    #[inline(always)]
    unsafe fn address_mut(&mut self, slot: usize) -> Address<T, K, NonNull<T>> {
        // SAFETY: the slot is below the capacity.
        unsafe { address(slot, self.0.at_mut(slot)) }
    }

    #[inline(always)]
    unsafe fn renewed(&mut self, found: Address<T, K, NonNull<T>>) -> Address<T, K, NonNull<T>> {
        // SAFETY: a slot that has an address is below the capacity.
        if S::INSIDE { unsafe { self.address_mut(found.slot) } } else { found }
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        self.0.index_of(address)
    }

    #[inline(always)]
    fn finder(&self) -> S::Finder {
        self.0.finder()
    }

    #[inline(always)]
    fn finder_mut(&mut self) -> S::Finder {
        self.0.finder_mut()
    }

    #[inline]
    unsafe fn places(finder: S::Finder, walk: Walk) -> RowWalk<T, K, S::Finder> {
        // SAFETY: the walk yields slots below the capacity, so within the rows, as
        // long as it is used.
        unsafe { RowWalk::new(walk, finder) }
    }

    /// The value first, and then its generation, which lies behind it: memory is best written in
    /// ascending order (the other order took up to 1.2 times as long). The value goes straight to its
    /// place: a row built elsewhere would be copied by halves.
    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        // SAFETY: (1) the slot is below the capacity, and the row ours; (2) it has no value.
        unsafe {
            let row = self.0.at_mut(slot);
            row.cast::<T>().write(value);
            (&raw mut (*row.as_ptr()).generation).write(generation);
        }
    }

    #[cfg(feature = "alloc")]
    unsafe fn begin(&mut self, slot: usize, generation: GenerationOf<K>, (): ()) -> Option<()> {
        // SAFETY: the slot is below the capacity, and borrowed exclusively.
        unsafe { Layout::<T, K>::address_mut(self, slot).generation.write(generation) };
        None
    }

    #[inline(always)]
    unsafe fn take(address: Address<T, K, NonNull<T>>, (): ()) -> T {
        // SAFETY: (1) the value is initialised, and (2) not used again.
        unsafe { address.value.at.read() }
    }

    unsafe fn carry(&mut self, from: usize, to: usize, generation: GenerationOf<K>) {
        // SAFETY: (1) both are below the capacity; (2) the one has a value, which is read once;
        // (3) the other has none.
        unsafe {
            let value = self.0.at(from).cast::<T>().read();
            Layout::<T, K>::fill(self, to, generation, value);
        }
    }

    #[inline]
    fn extend<B: Book>(
        rows: &mut Rows<T, K, S, B>,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), TryReserveError> {
        rows.extend_rows(values)
    }

    unsafe fn drop_values(&mut self, live: impl FnOnce() -> Walk) {
        if mem::needs_drop::<T>() {
            let mut rows = self.0.finder_mut();
            // SAFETY: (1) the slot has a value, (2) which is not used again.
            let mut drop = |slot| unsafe { rows.find(slot).value.at.drop_in_place() };
            each_slot(live(), &mut drop);
        }
    }

    unsafe fn clone_values(&mut self, source: &Self, live: Walk)
    where
        NonNull<T>: CloneAt<T>,
    {
        let rows = self.0.finder_mut();
        let mut copies = rows;
        // SAFETY: (1) the slot is live in the source, (2) has room here, and (3) no value.
        let mut copy = |slot| unsafe {
            let copy = source.0.at(slot).cast::<T>().clone_value(0);
            copies.find(slot).value.at.write(copy);
        };
        if !mem::needs_drop::<T>() {
            return live.for_each(copy);
        }
        let mut rows = rows;
        // SAFETY: the slot has a copy, which is not used again.
        let mut undo = |slot| unsafe { rows.find(slot).value.at.drop_in_place() };
        each_or_none(live, &mut copy, &mut undo);
    }
}

impl<T, K: Key, S: Room + Rooms<T, K>> Refill<T, K> for Whole<S> {
    const DISCARDS: bool = mem::needs_drop::<T>();

    #[inline(always)]
    fn spare(&mut self) {}

    #[inline(always)]
    unsafe fn discard(&mut self, address: Address<T, K, NonNull<T>>) {
        // SAFETY: (1) the value is initialised, and (2) not used again; the layout did not change since.
        unsafe { Layout::<T, K>::renewed(self, address).value.at.drop_in_place() };
    }
}

impl<T, K: Key> InMemory<K> for Rows<T, K> {
    const BLOCKS: &'static [BlockLayout] = &[Buffer::<Row<T, K>>::LAYOUT];

    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Store::within(Whole(Buffer::within(memory)?), reuse, memory)
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool> Choose<T, K, NonNull<T>> for F {
    #[inline]
    fn choose(&mut self, key: K, value: Spot<'_, T, NonNull<T>>) -> bool {
        self(key, value.into_mut())
    }
}

/// Shows each slot that a walk yields; if that panics, the others too. (What becomes of a value is a call,
/// so that this is compiled once for all element types.)
#[inline(never)]
fn each_slot(walk: Walk, each: &mut dyn FnMut(usize)) {
    let mut rest = OnDrop::new((walk, each), |(walk, each)| {
        let walk = mem::replace(walk, Walk::empty());
        if walk.len() > 0 {
            each_slot(walk, *each);
        }
    });
    let (walk, each) = &mut rest.held;
    for slot in walk {
        each(slot);
    }
}

/// Shows each slot that a walk yields; if that panics, undoes what was done with those before. (As
/// [`each_slot`], compiled once.)
#[inline(never)]
fn each_or_none(walk: Walk, each: &mut dyn FnMut(usize), undo: &mut dyn FnMut(usize)) {
    let mut done = OnDrop::new(0, |&mut done| walk.clone().take(done).for_each(&mut *undo));
    for slot in walk.clone() {
        each(slot);
        done.held += 1;
    }
    mem::forget(done);
}

impl<T, K: Key> Rows<T, K, Paged<T, K>> {
    /// An empty container as planned, with blocks of that size.
    pub(crate) fn make_blocks(plan: Plan, size: BlockSize) -> Result<Self, TryReserveError> {
        let wants_huge = matches!(plan.source, MemorySource::Heap { huge: true });
        let blocks = Blocks::new(size, wants_huge);
        let book = |slots| Occupancy::end(0, slots, plan.reuse);
        let slots =
            plan.bytes.map_or(plan.slots, |bytes| blocks.fitting(bytes, K::MAX_SLOTS, book));
        check_slots(slots, most_slots::<K>())?;
        Self::of(Whole(blocks), plan.reuse).furnish(slots, plan.growth)
    }

    pub(crate) fn blocks(&self) -> ByBlock<Iter<'_, T, K, InPages<T, K>>> {
        ByBlock::new(self.iter(), self.layout.0.shape())
    }

    pub(crate) fn blocks_mut(&mut self) -> ByBlock<IterMut<'_, T, K, InPages<T, K>>> {
        let shape = self.layout.0.shape();
        ByBlock::new(self.iter_mut(), shape)
    }
}

impl<T, K: Key, S: Rooms<T, K>, B: Book> Rows<T, K, S, B> {
    /// Becomes a copy of `source`, in the memory that is there if it suffices.
    pub(crate) fn try_clone_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        T: Clone,
    {
        if !self.has_room_for(source) {
            *self = source.try_clone()?;
            return Ok(());
        }
        self.clear();
        self.copy_from(source)
    }

    /// Inserts values until the iterator ends or no memory is left.
    ///
    /// On an error, the values so far are in. If the iterator panics, too.
    #[inline]
    fn extend_rows(&mut self, values: impl IntoIterator<Item = T>) -> Result<(), TryReserveError> {
        let mut values = values.into_iter();
        self.try_expect(values.size_hint().0)?;
        loop {
            while self.book().holes() > 0 || self.book().slots() == self.slot_capacity() {
                let Some(value) = values.next() else {
                    return Ok(());
                };
                self.vacancy()?.fill(value);
            }
            if !self.append_from(&mut values) {
                return Ok(());
            }
        }
    }

    /// Appends values until the iterator ends, which is answered with `false`, or the room does.
    #[inline]
    fn append_from(&mut self, values: &mut impl Iterator<Item = T>) -> bool {
        /// Counts the new rows in, also while the iterator's panic unwinds.
        struct Append<'a, T, K: Key, S: Rooms<T, K>, B: Book> {
            rows: &'a mut Rows<T, K, S, B>,
            count: usize,
        }

        impl<T, K: Key, S: Rooms<T, K>, B: Book> Drop for Append<'_, T, K, S, B> {
            fn drop(&mut self) {
                // SAFETY: `count` rows above the mark were written, within the capacity.
                unsafe { self.rows.ledger.book.append_many(self.count) };
            }
        }

        debug_assert_eq!(self.book().holes(), 0, "holes are filled first");
        let slots = self.book().slots();
        let room = self.slot_capacity() - slots;
        let mut mark = self.ledger.mark;
        let mut append = Append { rows: self, count: 0 };
        let mut rows = append.rows.layout.0.finder_mut();
        // Written where it will lie: nothing but the count is kept up to date meanwhile.
        values.by_ref().take(room).for_each(|value| {
            let generation = GenerationOf::<K>::fresh(mark).occupied(&mut mark);
            // SAFETY: `take` stops where the room ends; the row is ours, and has no value.
            unsafe {
                let row = rows.find(slots + append.count).value.at.cast::<Row<T, K>>();
                row.write(Row { value: MaybeUninit::new(value), generation });
            }
            append.count += 1;
            if MarkOf::<K>::COUNTS {
                append.rows.ledger.mark = mark;
            }
        });
        append.count == room
    }
}
