//! The questions that containers ask of the book of their slots, and the changes that they tell it of, wherever the
//! book lies: in memory of its own ([`occupancy`](super::occupancy)), or inside an inline arena.
//!
//! **Invariant** of an implementor: the contract of [`Book`].

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::bits::LiveWords;
use crate::memory::storage::Room;
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// The book of slots: which are live, free and taken (detached or retired), and which is next.
///
/// # Safety
/// The book covers a fixed number of slots, or as many as the last call that made room asked for. Each slot below
/// [`slots`](Self::slots) is in the state that the last call gave it, and every query answers by that state; none
/// above is in use. A hole that it names stays a hole until it is filled.
pub unsafe trait Book: Sized {
    /// One without slots.
    const EMPTY: Self;

    /// Makes room for `capacity` slots, and covers them: at least those in use. On an error nothing has changed.
    ///
    /// # Panics
    /// If they are fewer than are in use.
    fn resize_layout(
        &mut self,
        layout: &mut impl Room,
        capacity: usize,
    ) -> Result<(), TryReserveError>;

    /// Returns the number of slots that were ever in use: all below are live, free or taken, none above is.
    fn slots(&self) -> usize;

    fn holes(&self) -> usize;

    /// Returns whether a slot is in use. (Compared as it is counted, in 32 bits.)
    fn has(&self, slot: u32) -> bool;

    fn has_holes(&self) -> bool;

    /// Returns whether there are holes that are not [at hand](Self::at_hand).
    fn has_stored(&self) -> bool;

    fn detached(&self) -> usize;

    fn retired(&self) -> usize;

    #[inline]
    fn len(&self) -> usize {
        self.slots() - self.holes() - self.detached() - self.retired()
    }

    /// Returns whether the slot holds a value. Any number may be asked about.
    fn is_live(&self, slot: usize) -> bool;

    /// The first live slot at or after `slot`.
    fn next_live(&self, slot: usize) -> Option<usize>;

    /// Returns whether a slot in use is live.
    ///
    /// # Safety
    /// `slot < slots`.
    unsafe fn is_set(&self, slot: usize) -> bool;

    /// Returns whether the slot is detached or retired. Any number may be asked about.
    fn is_taken(&self, slot: usize) -> bool;

    /// Returns whether the slot is in use and free. Any number may be asked about.
    fn is_hole(&self, slot: usize) -> bool {
        slot < self.slots() && !self.is_live(slot) && !self.is_taken(slot)
    }

    /// Returns the live slots of a word as bits; 0 if there is no such word.
    fn live_word(&self, word: usize) -> u64;

    /// Returns the live slots as bits, for a join.
    fn live_words(&self) -> LiveWords<'_>;

    /// The live slots, in ascending order.
    ///
    /// # Safety
    /// While the walk is used,
    /// 1. the book lives, and if it moves, or is changed, is [found](Self::find_again) again;
    /// 2. no slot that the walk has yet to yield stops being live (those that it has yielded may), and none becomes
    ///    live.
    unsafe fn walk(&self) -> Walk;

    /// Has a walk read the book where it is now. (Nothing is to be done where words never move.)
    #[inline(always)]
    fn find_again(&self, _walk: &mut Walk) {}

    /// A free slot that is found without a search, and taken next.
    fn at_hand(&self) -> Option<usize>;

    /// Takes the free slot at hand; it is live.
    ///
    /// # Safety
    /// [`at_hand`](Self::at_hand) just answered it.
    unsafe fn take_at_hand(&mut self, slot: usize);

    /// The next insertion takes a hole, if there is one: has it [at hand](Self::at_hand), where that is to
    /// be found by a search. (What comes next stays the same.)
    fn fetch(&mut self) {}

    /// The free slot that the next insertion takes. There is a hole. (What is only asked for does not decide what
    /// comes after it.)
    fn hole(&self) -> usize;

    /// Takes the free slot that [`hole`](Self::hole) answered; it is live.
    ///
    /// # Safety
    /// The book has not changed since.
    unsafe fn fill(&mut self, slot: usize);

    /// Takes `count` slots above the high-water mark; they are live.
    ///
    /// # Safety
    /// The book must cover them.
    unsafe fn append_many(&mut self, count: usize);

    /// A live slot becomes free.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    unsafe fn vacate(&mut self, slot: usize) {
        // SAFETY: the slot is live, and the book is settled if it has to be.
        unsafe {
            if self.free(slot) {
                self.settle(None);
            }
        }
    }

    /// Like [`vacate`](Self::vacate), but returns whether the book has to be [settled](Self::settle) before anything
    /// else.
    ///
    /// # Safety
    /// The slot is live.
    #[must_use]
    unsafe fn free(&mut self, slot: usize) -> bool;

    /// Does what a removal does seldom: makes room for free slots, or has a live slot lose its value, and never be used
    /// again.
    ///
    /// # Safety
    /// [`free`](Self::free) asked for it, or
    /// 1. the slot is live, and
    /// 2. [`prepare_taken`](Self::prepare_taken) was called.
    unsafe fn settle(&mut self, retired: Option<usize>);

    /// The live slots of `word` that are set in `dead` become free, in ascending order.
    ///
    /// # Safety
    /// All of them are live.
    unsafe fn vacate_word(&mut self, word: usize, dead: u64);

    /// Every slot but the retired ones becomes free; of the free slots, the lowest is taken first.
    fn vacate_all(&mut self);

    /// Provides the words in which taken slots are noted, now and whenever there are more slots. On an error nothing
    /// has changed.
    fn prepare_taken(&mut self) -> Result<(), TryReserveError>;

    /// A live slot loses its value, but is not free.
    ///
    /// # Safety
    /// 1. The slot is live.
    /// 2. [`prepare_taken`](Self::prepare_taken) was called.
    unsafe fn park(&mut self, slot: usize);

    /// A detached slot is live again.
    ///
    /// # Safety
    /// The slot is detached.
    unsafe fn unpark(&mut self, slot: usize);

    /// A detached slot becomes free.
    ///
    /// # Safety
    /// The slot is detached.
    unsafe fn release(&mut self, slot: usize);

    /// A detached slot is never used again.
    fn retire(&mut self);

    /// A copy that covers `capacity` slots, and needs no memory to note taken ones if it is `fixed`.
    fn copied(&self, capacity: usize, fixed: bool) -> Result<Self, TryReserveError>;

    /// Returns the memory that it has beside itself. `None` if all of the container lies in its owner.
    fn memory(&self) -> Option<Extent>;

    /// Returns the number of slots that there can ever be in reserved memory.
    #[cfg(feature = "reserved")]
    fn reserved(&self) -> usize {
        0
    }

    /// Returns the order in which free slots are taken.
    fn reuse(&self) -> Reuse;

    /// Panics if the book is inconsistent.
    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    fn validate(&self);
}

/// A book whose slots can be put into other states one by one. Between
/// [`begin_rewind`](Self::begin_rewind) and what ends it no slot is at hand or in a list of free ones.
#[cfg(feature = "alloc")]
pub trait RewindBook: Book {
    /// True if the lowest free slot is always taken first, so that there is no order to be saved.
    const LOWEST_FIRST: bool = false;

    /// Appends the free slots that are taken first, in order, and answers the word that a search begins with.
    fn save_order(&self, free: &mut Vec<u32>) -> Result<usize, TryReserveError>;

    /// Takes over the order in which free slots were going to be taken. Says whether it could be.
    fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool;

    /// Free slots come in ascending order.
    fn relink_in_order(&mut self);

    /// Slots are about to be put into other states. The order of the free slots is forgotten:
    /// [`restore_order`](Self::restore_order) or [`relink_in_order`](Self::relink_in_order) ends it.
    fn begin_rewind(&mut self);

    /// A slot that is live or taken becomes a hole.
    ///
    /// # Safety
    /// 1. `slot < slots`, and it is no hole.
    /// 2. Its value, if any, is not used again; `retired` says whether it is retired.
    unsafe fn open(&mut self, slot: usize, retired: bool);

    /// A hole becomes a slot that is taken.
    ///
    /// # Safety
    /// 1. The slot is a hole.
    /// 2. [`prepare_taken`](Book::prepare_taken) was called.
    unsafe fn close(&mut self, slot: usize);

    /// A hole becomes live.
    ///
    /// # Safety
    /// The slot is a hole.
    unsafe fn fill_hole(&mut self, slot: usize);

    /// Forgets the slots from this number on.
    ///
    /// # Safety
    /// All of them are holes.
    unsafe fn truncate(&mut self, slots: usize);
}
