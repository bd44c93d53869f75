//! The split layout, in which values lie by themselves, side by side or in columns, and generations in a
//! column of their own: that of `Pool` and of [`SoaArena`](crate::SoaArena).
//!
//! Holes are filled: a value is replaced, never moved out. How values are made and reset, [`Recycling`] says for a
//! pool, and [`Fill`](crate::soa::Fill) for columns.
//!
//! **Invariant** of [`Apart`].
//! - `values[..made]` are initialised, whatever their slots are: live, free, retired, not begun. So
//!   `&[T]` and `&mut [T]` of all of them are sound at any time. `made` goes up after a value was written,
//!   and down before one is dropped.
//! - `made` is no less than the number of slots in use, and no more than `values` has room for;
//!   `generations` has room for at least as many. With keys that have no generation it takes no memory.

#[cfg(feature = "columns")]
mod lend;
#[cfg(feature = "alloc")]
mod recycling;

use core::marker::PhantomData;
use core::ptr::NonNull;

#[cfg(feature = "columns")]
pub use lend::{LendingBlocks, LendingGroups, LendingRuns};
#[cfg(feature = "alloc")]
pub(crate) use recycling::Recipe;
#[cfg(feature = "alloc")]
pub use recycling::Recycling;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::memory::Extent;
use crate::memory::block::BlockLayout;
use crate::memory::buffer::Buffer;
use crate::memory::copies;
use crate::memory::source::Memory;
use crate::memory::storage::{At, CloneAt, EmptyRoom, Numbered, Room, Spot, Storage};
use crate::raw::slots::{GenerationOf, InMemory};
use crate::raw::store::{Address, Finder, Layout, Places};
use crate::raw::store::{Store, WalkStep};
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// Values that are always valid.
pub(crate) type SplitStore<T, K, S = Buffer<T>> = Store<T, K, Apart<T, K, S>>;

/// Values, and generations beside them. (What a lookup reads comes first.)
#[repr(C)]
pub struct Apart<T, K: Key, S: Storage<T>> {
    pub(super) values: S,
    pub(super) generations: Buffer<GenerationOf<K>>,
    pub(super) made: usize,
    owns: PhantomData<T>,
}

/// The finder of values and generations.
#[expect(unnameable_types, missing_debug_implementations, reason = "no user sees it")]
pub struct InSplit<T, K: Key, A> {
    values: A,
    generations: NonNull<GenerationOf<K>>,
    of: PhantomData<NonNull<T>>,
}

copies!([T, K: Key, A: Copy] InSplit<T, K, A>);

impl<T, K: Key, A: At<T>> InSplit<T, K, A> {
    /// The finder of an empty layout.
    const NOWHERE: Self =
        Self { values: A::NOWHERE, generations: NonNull::dangling(), of: PhantomData };
}

// SAFETY: the generation at that number is the slot's, and so is the value.
unsafe impl<T, K: Key, A: At<T>> Finder<T, K> for InSplit<T, K, A> {
    type At = A;

    #[inline(always)]
    unsafe fn find(&mut self, slot: usize) -> Address<T, K, A> {
        // SAFETY: the slot is below the capacity.
        let generation = unsafe { self.generations.add(slot) };
        Address::new(slot, Numbered::new(self.values, slot), generation)
    }
}

/// A walk over slots, each with where it lies.
///
/// **Invariant.** The walk yields slots that the finder finds.
pub struct SplitWalk<T, K: Key, A> {
    walk: Walk,
    finder: InSplit<T, K, A>,
}

impl<T, K: Key, A: At<T>> SplitWalk<T, K, A> {
    #[inline(always)]
    fn step(&mut self, step: WalkStep) -> Option<Address<T, K, A>> {
        let slot = step.of(&mut self.walk)?;
        Some(Self::place(self.finder, slot))
    }

    /// Returns the address of a slot that the walk just yielded.
    #[inline(always)]
    fn place(mut finder: InSplit<T, K, A>, slot: usize) -> Address<T, K, A> {
        // SAFETY: by the invariant the slot is below the capacity.
        unsafe { finder.find(slot) }
    }
}

impl<T, K: Key, A: At<T>> Iterator for SplitWalk<T, K, A> {
    type Item = Address<T, K, A>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.step(WalkStep::Next)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.step(WalkStep::Nth(n))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let Self { walk, finder } = self;
        walk.fold(init, |folded, slot| f(folded, Self::place(finder, slot)))
    }
}

impl<T, K: Key, A: At<T>> DoubleEndedIterator for SplitWalk<T, K, A> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(WalkStep::Back)
    }
}

impl<T, K: Key, A: At<T>> ExactSizeIterator for SplitWalk<T, K, A> {}

impl<T, K: Key, A: At<T>> Places<T, K> for SplitWalk<T, K, A> {
    type At = A;

    fn split_off_below(&mut self, slot: usize) -> Self {
        Self { walk: self.walk.split_off_below(slot), finder: self.finder }
    }

    #[cfg(feature = "rayon")]
    fn middle(&mut self) -> Option<usize> {
        self.walk.middle()
    }
}

impl<T, K: Key, A: At<T>> Clone for SplitWalk<T, K, A> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), finder: self.finder }
    }
}

impl<T, K: Key, A: At<T>> Default for SplitWalk<T, K, A> {
    fn default() -> Self {
        Self { walk: Walk::empty(), finder: InSplit::NOWHERE }
    }
}

impl<T, K: Key, S: Storage<T>> Apart<T, K, S> {
    /// One value more.
    ///
    /// # Safety
    /// `made < values.capacity()`.
    #[inline(always)]
    unsafe fn push(&mut self, value: T) {
        // SAFETY: there is room, and nothing lies past the values that were made.
        unsafe { self.values.at().push(self.made, value) };
        self.made += 1;
    }

    /// Drops the values from `kept` on, all of them, even if one of them panics.
    fn drop_from(&mut self, kept: usize) {
        let surplus = self.made.saturating_sub(kept);
        self.made -= surplus;
        // SAFETY: (1) they are initialised, and (2) not counted any more.
        unsafe { self.values.at().drop_range(self.made..self.made + surplus) };
    }

    /// Makes values until there are `count` of them, or there is no room. If `make` panics, those that it made
    /// stay. (Not always inlined: a value may be too large for the stack of a caller that makes none.)
    #[cfg(feature = "alloc")]
    #[inline]
    fn make_up_to(&mut self, count: usize, mut make: impl FnMut() -> T) {
        while self.made < count.min(self.values.capacity()) {
            let fresh = make();
            // SAFETY: there is room for one more, which cannot have changed meanwhile.
            unsafe { self.push(fresh) };
        }
    }
}

/// Drops the values that were made: if the `Clone` of a value panics, those of the copy are dropped with it.
impl<T, K: Key, S: Storage<T>> Drop for Apart<T, K, S> {
    fn drop(&mut self) {
        self.drop_from(0);
    }
}

impl<T, K: Key, S: Storage<T>> EmptyRoom for Apart<T, K, S> {
    const EMPTY: Self =
        Self { values: S::EMPTY, generations: Buffer::new(), made: 0, owns: PhantomData };
}

impl<T, K: Key, S: Storage<T>> Room for Apart<T, K, S> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        let (values, generations) = (self.values.alike()?, self.generations.alike()?);
        Ok(Self { values, generations, made: 0, owns: PhantomData })
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// There is always as much room for generations as for values: it grows first and shrinks last.
    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        if capacity > self.values.capacity() {
            self.generations.resize(capacity)?;
            return self.values.resize(capacity);
        }
        self.drop_from(capacity);
        self.values.resize(capacity)?;
        self.generations.resize(capacity)
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        self.values.check(capacity)
    }

    fn memory(&self) -> Extent {
        self.values.memory() + self.generations.memory()
    }
}

// SAFETY: values lie apart from each other, and generations from them.
unsafe impl<T, K: Key, S: Storage<T>> Layout<T, K> for Apart<T, K, S> {
    const NAME: &'static str = S::NAME;

    type At = S::At;

    type Finder = InSplit<T, K, S::At>;

    type Places = SplitWalk<T, K, S::At>;

    type Spare = T;

    const STRIDE: usize = S::VALUE + size_of::<GenerationOf<K>>();

    const VALUE: usize = S::VALUE;

    const FIRST: [usize; 3] = [if S::VALUE <= 1024 { 4 } else { 1 }; 3];

    const FILLS_IN_PLACE: bool = false;

    const SPACING: Option<usize> = Some(size_of::<GenerationOf<K>>());

    #[inline(always)]
    unsafe fn address(&self, slot: usize) -> Address<T, K, S::At> {
        // SAFETY: the slot is below the capacity.
        unsafe { self.finder().find(slot) }
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        self.generations.index_of(address)
    }

    #[inline(always)]
    fn finder(&self) -> Self::Finder {
        let (values, generations) = (self.values.at(), self.generations.start());
        InSplit { values, generations, of: PhantomData }
    }

    #[inline]
    unsafe fn places(finder: Self::Finder, walk: Walk) -> Self::Places {
        SplitWalk { walk, finder }
    }

    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        // SAFETY: (1) the slot is below the capacity. If it has no value, it is by (2) the first
        // that has none; else that is (1) initialised, and (2) borrowed exclusively.
        unsafe {
            self.generations.at(slot).write(generation);
            if slot < self.made {
                drop(Spot::new(Numbered::new(self.values.at(), slot)).replace(value));
            } else {
                self.push(value);
            }
        }
    }

    #[cfg(feature = "alloc")]
    #[inline]
    unsafe fn fill_hole(
        &mut self,
        slot: usize,
        generation: GenerationOf<K>,
        value: T,
    ) -> Option<T> {
        // SAFETY: the slot is below the capacity. It is in use by (2), so its value is (1) initialised, and (2)
        // borrowed exclusively.
        unsafe {
            self.generations.at(slot).write(generation);
            Some(Spot::new(Numbered::new(self.values.at(), slot)).replace(value))
        }
    }

    #[cfg(feature = "alloc")]
    unsafe fn begin(&mut self, slot: usize, generation: GenerationOf<K>, spare: T) -> Option<T> {
        // SAFETY: the slot is below the capacity; by (2) it is the first that is not in use, and if it has no value,
        // the first that has none.
        unsafe {
            self.generations.at(slot).write(generation);
            if slot < self.made {
                return Some(spare);
            }
            self.push(spare);
        }
        None
    }

    #[inline(always)]
    unsafe fn take(address: Address<T, K, S::At>, spare: T) -> T {
        // SAFETY: (1) the value is initialised, and (2) the slot's borrow exclusive.
        unsafe { Spot::new(address.value) }.replace(spare)
    }

    /// Exchanges a value and the contents of a hole.
    unsafe fn carry(&mut self, from: usize, to: usize, generation: GenerationOf<K>) {
        // SAFETY: by (1) both are in use, so their values were made.
        unsafe {
            self.generations.at(to).write(generation);
            self.values.at().swap(from, to);
        }
    }

    unsafe fn drop_values(&mut self, _live: impl FnOnce() -> Walk) {
        self.drop_from(0);
    }

    unsafe fn clone_values(&mut self, source: &Self, _live: Walk)
    where
        S::At: CloneAt<T>,
    {
        debug_assert_eq!(self.made, 0, "no values yet");
        for number in 0..source.made {
            // SAFETY: (1) the value is initialised there, and (2) does not change; by (2) there is
            // room here for as many as were made.
            unsafe { self.push(source.values.at().clone_value(number)) };
        }
    }

    fn filled(&self, _slots: usize) -> usize {
        self.made
    }

    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    fn validate(&self, slots: usize) {
        assert!(self.made <= self.values.capacity(), "values within the block");
        assert!(slots <= self.made, "a value for every slot in use");
        assert!(self.generations.capacity() >= self.values.capacity(), "room for generations");
    }
}

impl<T, K: Key, S: Storage<T>> InMemory<K> for SplitStore<T, K, S> {
    const BLOCKS: &'static [BlockLayout] = &[S::LENT, Buffer::<GenerationOf<K>>::LAYOUT];

    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let (values, generations) = (S::within(memory)?, Buffer::within(memory)?);
        Store::within(Apart { values, generations, made: 0, owns: PhantomData }, reuse, memory)
    }
}
