//! What a container keeps beside its slots: the book, the mark of what was given back, and whether
//! there may be more.
//!
//! **Invariant.** The book covers at least as many slots as the container has room for. The slot of a
//! [`Place`] is the first that was never used, or a hole that the book named; as long as the book does not
//! change, settling the place makes that slot live, and no other.

use crate::error::TryReserveError;
use crate::key::{Key, sealed::Compose};
use crate::raw::generation::{Generation, Mark};
use crate::raw::memory::{Memory, Source};
use crate::raw::occupancy::Occupancy;
use crate::stats::Reuse;

pub(crate) type GenerationOf<K> = <K as Compose>::Generation;
pub(crate) type MarkOf<K> = <GenerationOf<K> as Generation>::Mark;

/// Where the next value goes, and what its slot will remember. Nothing has changed yet.
pub(crate) struct Place<K: Key> {
    pub(crate) slot: usize,
    pub(crate) generation: GenerationOf<K>,
    pub(super) mark: MarkOf<K>,
}

impl<K: Key> Place<K> {
    #[inline(always)]
    pub(crate) fn key(&self) -> K {
        K::compose(self.slot as u32, self.generation)
    }
}

/// What happens when there is no room left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// The container grows, and may move.
    Moves,
    /// It is full.
    Fixed,
    /// It grows in place, up to so many slots.
    #[cfg(feature = "reserved")]
    Reserved { max: u32 },
}

/// How a container is to be made.
pub(crate) struct Plan {
    /// How many slots there is to be room for: at first, or where it is reserved, ever. In a lent
    /// block as many as fit, whatever is said here.
    pub(crate) slots: usize,
    /// In how many bytes all of it is to fit, where that decides on the slots.
    pub(crate) bytes: Option<usize>,
    pub(crate) growth: Growth,
    pub(crate) source: Source,
    pub(crate) reuse: Reuse,
}

/// The book, the mark of what was given back, and whether there may be more.
#[repr(C)]
pub(crate) struct Ledger<K: Key> {
    pub(crate) book: Occupancy,
    pub(crate) mark: MarkOf<K>,
    pub(crate) growth: Growth,
}

impl<K: Key> Ledger<K> {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self { book: Occupancy::new(reuse), mark: MarkOf::<K>::START, growth: Growth::Moves }
    }

    /// As [`new`](Self::new), in that memory.
    pub(crate) fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Ok(Self { book: Occupancy::within(reuse, memory)?, ..Self::new(reuse) })
    }

    /// As `self`, covering `capacity` slots.
    pub(crate) fn try_clone(&self, capacity: usize) -> Result<Self, TryReserveError> {
        let mut book = self.book.try_clone()?;
        book.cover(capacity)?;
        if self.growth == Growth::Fixed {
            book.prepare_taken()?;
        }
        Ok(Self { book, mark: self.mark, growth: self.growth })
    }

    /// The slot above the high-water mark.
    #[inline(always)]
    pub(super) fn fresh_place(&self) -> Place<K> {
        let mut mark = self.mark;
        let generation = GenerationOf::<K>::fresh(mark).occupied(&mut mark);
        Place { slot: self.book.slots(), generation, mark }
    }

    /// The book learns that a place was filled.
    ///
    /// # Safety
    /// The place is the next one, as the ledger just said, and its value and generation are written
    /// before anything can panic or look.
    #[inline(always)]
    pub(crate) unsafe fn settle(&mut self, place: &Place<K>) {
        self.mark = place.mark;
        // SAFETY: the book covers the container's capacity; or it named this hole, and has not changed.
        unsafe {
            if place.slot == self.book.slots() {
                self.book.append();
            } else {
                self.book.fill(place.slot);
            }
        }
    }
}
