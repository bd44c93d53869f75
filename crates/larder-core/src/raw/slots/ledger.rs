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
use crate::memory::block::BlockLayout;
use crate::memory::source::{LentBlock, Memory, MemorySource};
use crate::raw::book::Book;
use crate::raw::occupancy::Occupancy;
use crate::stats::Reuse;

pub(crate) type GenerationOf<K> = <K as Compose>::Generation;
pub(crate) type MarkOf<K> = <GenerationOf<K> as Generation>::Mark;

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
