//! The part of a container beside its slots: the book, the mark of what was given back, and whether
//! there may be more.
//!
//! **Invariant.** The book covers at least as many slots as the container has room for. The slot of a
//! [`NextPlace`] is the first that was never used, or a hole that the book named; as long as the book does not
//! change, settling the place makes that slot live, and no other.

use core::ops::Range;

use super::{SlotStore, check_slots, most_slots};
use crate::error::TryReserveError;
use crate::key::generation::{Generation, Mark};
use crate::key::{Key, sealed::Compose};
use crate::memory::Extent;
use crate::memory::bits::LiveWords;
use crate::memory::block::BlockLayout;
use crate::memory::source::{LentBlock, Memory, MemorySource};
use crate::memory::storage::Room;
use crate::raw::occupancy::Occupancy;
use crate::raw::walk::Walk;
use crate::stats::Reuse;

pub(crate) type GenerationOf<K> = <K as Compose>::Generation;
pub(crate) type MarkOf<K> = <GenerationOf<K> as Generation>::Mark;

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

    /// The live slots of one word, as bits; none where there is no such word.
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

/// The place of the next value, and the generation of its slot. Nothing has changed yet.
pub struct NextPlace<G: Generation> {
    pub(crate) slot: usize,
    pub(crate) generation: G,
    pub(super) mark: G::Mark,
}

impl<G: Generation> NextPlace<G> {
    #[inline(always)]
    pub(crate) fn key<K: Key + Compose<Generation = G>>(&self) -> K {
        K::compose(self.slot as u32, self.generation)
    }
}

/// The way to make room when there is none left.
#[derive(Clone, Copy, PartialEq)]
pub enum Growth {
    /// It is full. (The first: an inline arena that is all zero is empty.)
    Fixed,
    /// The container grows, and may move.
    Moves,
    /// It grows in place, up to as many slots as its book has [reserved](Book::reserved).
    #[cfg(feature = "reserved")]
    Reserved,
    /// It is a file's, and is only read.
    #[cfg(feature = "snapshot")]
    Mapped,
}

/// The plan of a container that is to be made.
pub(crate) struct Plan {
    /// The number of slots for which there is to be room: at first, or, in reserved memory, ever. In a lent
    /// block as many as fit, whatever this is.
    pub(crate) slots: usize,
    /// The number of bytes that all of it has to fit into, if that decides on the slots.
    pub(crate) bytes: Option<usize>,
    pub(crate) growth: Growth,
    pub(crate) source: MemorySource,
    pub(crate) reuse: Reuse,
}

/// A container of a few stretches of memory, each of which can come from anywhere.
pub(crate) trait InMemory<K: Key>: SlotStore<K, Book = Occupancy> + Sized {
    /// The blocks that it asks for before its book's, in this order.
    const BLOCKS: &'static [BlockLayout];

    /// An empty container in that memory.
    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError>;

    /// Makes an empty container as planned. If it is reserved, it has addresses and no memory yet.
    fn make(plan: Plan) -> Result<Self, TryReserveError> {
        let Plan { slots, bytes, growth, source, reuse } = plan;
        // The allocator's pieces are aligned, as those after address 0 are.
        let slots = bytes.map_or(slots, |bytes| Self::fitting(0, bytes, reuse));
        check_slots(slots, most_slots::<K>())?;
        match source {
            MemorySource::Heap { huge } => {
                Self::within(reuse, Memory::Heap { huge })?.furnish(slots, growth)
            }
            #[cfg(feature = "reserved")]
            MemorySource::Reserved { huge, ahead } => {
                let memory = Memory::Reserved { max: slots, huge, ahead };
                Self::within(reuse, memory)?.furnish(0, growth)
            }
            MemorySource::Lent(block) => {
                let lent = LentBlock::new(block);
                let (at, limit) = (lent.address(), lent.limit());
                let slots = Self::fitting(at, limit, reuse);
                if slots == 0 {
                    let missing =
                        end_of(Self::BLOCKS, at, 1, reuse).map_or(usize::MAX, |end| end - limit);
                    return Err(TryReserveError::BlockTooSmall { missing });
                }
                let memory = Memory::Lent { max: slots, from: &lent };
                Self::within(reuse, memory)?.furnish(slots, growth)
            }
        }
    }

    /// Returns the number of slots that fit between two addresses.
    #[inline]
    fn fitting(at: usize, limit: usize, reuse: Reuse) -> usize {
        fitting(Self::BLOCKS, most_slots::<K>(), at..limit, reuse)
    }
}

/// Returns the number of slots of such blocks and a book, `max` at most, that fit between two addresses.
/// (Compiled once for all types.)
#[inline]
fn fitting(blocks: &[BlockLayout], max: usize, between: Range<usize>, reuse: Reuse) -> usize {
    let (at, limit) = (between.start, between.end);
    let fits = |slots| end_of(blocks, at, slots, reuse).is_some_and(|end| end <= limit);
    // A slot needs a bit at least. What a number of slots needs grows with it, nearly.
    let (mut most, mut too_many) = (0, (limit - at).saturating_mul(8).saturating_add(1));
    too_many = too_many.min(max.saturating_add(1));
    while most + 1 < too_many {
        let middle = usize::midpoint(most, too_many);
        if fits(middle) { most = middle } else { too_many = middle }
    }
    // Between columns lies more or less as their number grows: a few more may fit
    // although one does not.
    let (mut more, mut bytes) = (0, 0);
    for block in blocks {
        more += block.wavers();
        bytes += block.each();
    }
    // (A book of more slots takes no less.)
    let book = Occupancy::end(0, too_many, reuse).unwrap_or(usize::MAX);
    let room = (limit - at).saturating_sub(book);
    let mut last = too_many.saturating_add(more).min(room / bytes.max(1)).min(max);
    while last >= too_many {
        if fits(last) {
            return last;
        }
        last -= 1;
    }
    most
}

/// Returns the end of a container of such blocks and a book of `slots` slots that begins after the address `at`, in
/// lent memory; `None` if no memory is so large.
#[inline]
pub(crate) const fn end_of(
    blocks: &[BlockLayout],
    at: usize,
    slots: usize,
    reuse: Reuse,
) -> Option<usize> {
    let (mut rest, mut at) = (blocks, at);
    while let [first, others @ ..] = rest {
        let Some(end) = first.end(at, slots) else { return None };
        (rest, at) = (others, end);
    }
    Occupancy::end(at, slots, reuse)
}

/// Returns the size of a lent block for a container of such blocks, wherever it begins. The first block has the largest
/// alignment.
#[inline]
pub(crate) const fn bytes_for(blocks: &[BlockLayout], slots: usize) -> usize {
    match (end_of(blocks, 0, slots, Reuse::Packed), blocks) {
        (Some(bytes), [first, ..]) => bytes.saturating_add(first.align() - 1),
        _ => usize::MAX,
    }
}

/// The book, the mark of what was given back, and whether there may be more.
#[repr(C)]
pub struct Ledger<G: Generation, B = Occupancy> {
    pub(crate) book: B,
    pub(crate) mark: G::Mark,
    pub(crate) growth: Growth,
}

impl<G: Generation> Ledger<G> {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self { book: Occupancy::new(reuse), mark: G::Mark::START, growth: Growth::Moves }
    }

    /// Like [`new`](Self::new), in that memory.
    pub(crate) fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Ok(Self { book: Occupancy::within(reuse, memory)?, ..Self::new(reuse) })
    }
}

impl<G: Generation, B: Book> Ledger<G, B> {
    /// One without slots.
    pub(crate) const EMPTY: Self =
        Self { book: B::EMPTY, mark: G::Mark::START, growth: Growth::Moves };

    /// Becomes one as `source`, covering `capacity` slots. On an error nothing has changed. (Compiled once for
    /// all types of elements, and given its place, since to move a ledger is a hundred bytes of machine
    /// code.)
    #[inline(never)]
    pub(crate) fn try_clone_from(
        &mut self,
        source: &Self,
        capacity: usize,
    ) -> Result<(), TryReserveError> {
        let book = source.book.copied(capacity, source.growth == Growth::Fixed)?;
        *self = Self { book, mark: source.mark, growth: source.growth };
        Ok(())
    }

    /// The slot above the high-water mark.
    #[inline(always)]
    pub(super) fn fresh_place(&self) -> NextPlace<G> {
        let mut mark = self.mark;
        let generation = G::fresh(mark).occupied(&mut mark);
        NextPlace { slot: self.book.slots(), generation, mark }
    }

    /// The book learns that a place was filled.
    ///
    /// # Safety
    /// 1. The place is the next one, as the ledger just said.
    /// 2. Its value and generation are written before anything can panic or look.
    #[inline(always)]
    pub(crate) unsafe fn commit(&mut self, place: &NextPlace<G>) {
        self.mark = place.mark;
        // SAFETY: by (1) the book covers the slot, as it does the container's capacity; or it named
        // this hole, and has not changed.
        unsafe {
            if place.slot == self.book.slots() {
                self.book.append_many(1);
            } else {
                self.book.fill(place.slot);
            }
        }
    }
}
