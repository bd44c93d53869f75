//! The places of slots, and the contents of holes: all that a [`Store`] does not know.
//!
//! **Invariant.** That of [`Address`], and the contracts of [`Layout`] and [`Finder`]: an address stays
//! right until its layout is resized or moved.

use core::ptr::NonNull;

use super::Store;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::memory::copies;
use crate::memory::storage::{At, CloneAt, Numbered, Room};
use crate::raw::book::Book;
use crate::raw::slots::{GenerationOf, SlotStore};
use crate::raw::walk::Walk;

/// The places of the value and the generation of a slot. It borrows nothing.
///
/// **Invariant.** Both are addresses in a layout that has room for the slot, valid until the layout is
/// resized or moved.
pub struct Address<T, K: Key, A> {
    pub(crate) slot: usize,
    pub(crate) value: Numbered<T, A>,
    pub(crate) generation: NonNull<GenerationOf<K>>,
    #[expect(dead_code, reason = "an `Option` reads it")]
    tag: Tag,
}

/// A byte that tells an `Option` of an address from `None`, and is known where the address is made: else
/// that would be told by what `values` holds, which is read for it.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Tag {
    Address = 1,
}

copies!([T, K: Key, A: Copy] Address<T, K, A>);

impl<T, K: Key, A: At<T>> Address<T, K, A> {
    #[inline(always)]
    pub(crate) const fn new(
        slot: usize,
        value: Numbered<T, A>,
        generation: NonNull<GenerationOf<K>>,
    ) -> Self {
        Self { slot, value, generation, tag: Tag::Address }
    }

    /// The key of a live slot. (Where its generation is not asked for, nothing is read.)
    ///
    /// # Safety
    /// 1. The slot is in use.
    /// 2. The layout is borrowed.
    #[inline(always)]
    pub(crate) unsafe fn key(self) -> K {
        // SAFETY: (1) the generation of a slot in use is initialised, and (2) borrowed.
        K::compose(self.slot as u32, unsafe { self.generation.read() })
    }
}

/// The places of values and generations, for `capacity()` slots.
///
/// Holes are uninitialised or filled. If they are filled, slots that were never used may be, too, and
/// the layout knows how many are.
///
/// # Safety
/// Each slot below the capacity has an [`address`](Self::address) of its own, which stays the same until
/// the layout is resized or moved. Resized, the slots that fit hold what they held. Nothing panics, but
/// for the `Drop` and the `Clone` of a value, and then nothing is left half done.
pub unsafe trait Layout<T, K: Key>: Room {
    /// The name by which users know a container that is laid out like this.
    const NAME: &'static str;

    type At: At<T>;

    /// The finder of slots, which does not borrow the layout.
    type Finder: Finder<T, K, At = Self::At>;

    /// The walk over slots, which says of each where it lies.
    type Places: Places<T, K, At = Self::At>;

    /// The replacement of a value that is moved out: nothing, if holes are uninitialised; a value, if
    /// they are filled.
    type Spare;

    /// The number of bytes that a slot takes, and of those that are the value's.
    const STRIDE: usize;
    const VALUE: usize;

    /// The least number of slots in each of the first blocks, in order. Each has at least twice as many as the one
    /// before.
    const FIRST: [usize; 3];

    /// True if a slot is filled by a write alone: so little code that each path of an insertion has it.
    const FILLS_IN_PLACE: bool;

    /// The number of bytes that lie between the generations of two slots in a row; `None` where it is not the same
    /// everywhere.
    const SPACING: Option<usize>;

    /// # Safety
    /// `slot < capacity()`.
    unsafe fn address(&self, slot: usize) -> Address<T, K, Self::At>;

    /// Like [`address`](Self::address), to change what lies there. (A layout that is its own memory lends no
    /// more than it is lent.)
    ///
    /// # Safety
    /// `slot < capacity()`.
    #[inline(always)]
    unsafe fn address_mut(&mut self, slot: usize) -> Address<T, K, Self::At> {
        // SAFETY: the slot is below the capacity.
        unsafe { self.address(slot) }
    }

    /// The result that [`address`](Self::address) had before, to change what lies there.
    ///
    /// # Safety
    /// The layout was neither resized nor moved since.
    #[inline(always)]
    unsafe fn renewed(&mut self, address: Address<T, K, Self::At>) -> Address<T, K, Self::At> {
        address
    }

    /// Returns the slot whose value lies at this address, or in columns its generation, if there is room for one.
    fn index_of(&self, address: usize) -> Option<usize>;

    fn finder(&self) -> Self::Finder;

    /// Like [`finder`](Self::finder), to change what it finds.
    #[inline(always)]
    fn finder_mut(&mut self) -> Self::Finder {
        self.finder()
    }

    /// # Safety
    /// The walk yields slots below the capacity of the finder's layout as long as the result is used.
    unsafe fn places(finder: Self::Finder, walk: Walk) -> Self::Places;

    /// Writes the generation and the value of a slot. What lay in a filled hole is dropped last.
    ///
    /// # Safety
    /// 1. `slot < capacity()`.
    /// 2. The slot has no live value, and is in use, or the first that is not.
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T);

    /// Like [`fill`](Self::fill), but returns what lay in a filled hole: no user code runs.
    ///
    /// # Safety
    /// 1. `slot < capacity()`.
    /// 2. The slot has no live value, and is in use.
    #[cfg(feature = "alloc")]
    #[inline]
    unsafe fn fill_hole(
        &mut self,
        slot: usize,
        generation: GenerationOf<K>,
        value: T,
    ) -> Option<Self::Spare> {
        // SAFETY: (1) the slot is below the capacity; (2) it has no live value, and is in use.
        unsafe { self.fill(slot, generation, value) };
        None
    }

    /// Writes what a slot has that is in use, and not live: it is the first that is not in use. Returns the spare if
    /// the slot has a value already: no user code runs.
    ///
    /// # Safety
    /// 1. `slot < capacity()`.
    /// 2. The slots before it are in use.
    #[cfg(feature = "alloc")]
    unsafe fn begin(
        &mut self,
        slot: usize,
        generation: GenerationOf<K>,
        spare: Self::Spare,
    ) -> Option<Self::Spare>;

    /// Moves a value out, and puts the spare in its place.
    ///
    /// # Safety
    /// 1. The value is initialised.
    /// 2. From here on it is not live any more.
    unsafe fn take(address: Address<T, K, Self::At>, spare: Self::Spare) -> T;

    /// Moves a value to another slot, of which this is the generation.
    ///
    /// # Safety
    /// 1. Both slots are in use, and not the same one.
    /// 2. The value of the first is initialised, but it is not live any more.
    /// 3. The second has no live value.
    unsafe fn carry(&mut self, from: usize, to: usize, generation: GenerationOf<K>);

    /// Drops all values, of slots that are not live, too, if holes are filled; if one of them panics,
    /// the others are dropped all the same.
    ///
    /// # Safety
    /// 1. The walk, if it is asked for, yields the live slots.
    /// 2. Their values are not used again.
    unsafe fn drop_values(&mut self, live: impl FnOnce() -> Walk);

    /// Clones the values of another layout into the same slots of this one. If a value's `Clone` panics,
    /// the copies are dropped, at once or with this.
    ///
    /// # Safety
    /// 1. The walk yields the live slots of `source`.
    /// 2. There is room for all that is [filled](Self::filled) there.
    /// 3. No slot of this one has a value, live or not.
    unsafe fn clone_values(&mut self, source: &Self, live: Walk)
    where
        Self::At: CloneAt<T>;

    /// Adds values until the iterator ends or there is no room. On an error, those before are in.
    fn extend<B: Book>(
        store: &mut Store<T, K, Self, B>,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), TryReserveError> {
        store.insert_each(values)
    }

    /// Returns the number of slots that have something to be copied: those in use, and where holes are filled, all that
    /// have a value.
    fn filled(&self, slots: usize) -> usize {
        slots
    }

    /// Panics if it is inconsistent.
    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    fn validate(&self, _slots: usize) {}
}

/// A layout that itself knows what its holes hold.
pub trait Refill<T, K: Key>: Layout<T, K> {
    /// True if something has to be done with a value that dies.
    const DISCARDS: bool;

    /// Makes the replacement of a value that is moved out: in a pool by user code.
    fn spare(&mut self) -> Self::Spare;

    /// Drops a value, after something took its place, if holes are filled; or resets it where it lies.
    ///
    /// # Safety
    /// 1. The value is initialised, and the layout was neither resized nor moved since it had this address.
    /// 2. From here on it is not live any more.
    unsafe fn discard(&mut self, address: Address<T, K, Self::At>);

    /// Makes values for the first `slots` slots, if slots have values before they are used.
    #[inline(always)]
    fn make_ahead(&mut self, _slots: usize) {}
}

/// Finds the slots of a layout until it is resized, moved or dropped; quickest in ascending order.
///
/// # Safety
/// It returns what the layout's [`address`](Layout::address) returns, on whatever thread it is
/// asked.
pub unsafe trait Finder<T, K: Key>: Copy {
    type At: At<T>;

    /// # Safety
    /// `slot` is below the layout's capacity.
    unsafe fn find(&mut self, slot: usize) -> Address<T, K, Self::At>;
}

/// The slots of a walk, each with where it lies.
pub trait Places<T, K: Key>:
    DoubleEndedIterator<Item = Address<T, K, Self::At>> + ExactSizeIterator
{
    type At: At<T>;

    /// Splits off what lies before a slot; what is left begins with it.
    fn split_off_below(&mut self, slot: usize) -> Self;

    /// A slot such that about half of what is left lies before it; there is none where there is too little.
    #[cfg(feature = "rayon")]
    fn middle(&mut self) -> Option<usize>;
}
