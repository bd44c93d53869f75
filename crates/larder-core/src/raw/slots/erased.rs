//! The rare work of any container of slots: compiled once for each rule of generations, however
//! many types of keys and values a program has.
//!
//! **Invariant.** That of [`slots`](super).

use super::{Ledger, NextPlace, check_slots};
use crate::error::TryReserveError;
use crate::key::generation::Generation;
use crate::raw::book::Book;
use crate::raw::occupancy::FOUND;
use crate::raw::slots::Growth;

/// A container of slots, whatever its keys and values are.
pub trait ErasedSlots<G: Generation> {
    /// The book, which says which slots are live, and which is next.
    type Book: Book;

    fn ledger(&self) -> &Ledger<G, Self::Book>;
    fn ledger_mut(&mut self) -> &mut Ledger<G, Self::Book>;

    /// The same, its type forgotten.
    fn erased(&self) -> &dyn ErasedSlots<G, Book = Self::Book>;
    fn erased_mut(&mut self) -> &mut dyn ErasedSlots<G, Book = Self::Book>;

    /// Returns the number of slots that there is room for.
    fn slot_capacity(&self) -> usize;

    /// Returns the number of slots below which one more can be appended with its value.
    #[inline(always)]
    fn append_below(&self) -> usize {
        self.slot_capacity()
    }

    /// Returns the number of values that there is room for, which may be smaller than that of slots.
    #[inline]
    fn positions(&self) -> usize {
        self.slot_capacity()
    }

    /// Returns the largest number of values for which room is promised. There may be more, which was found when memory
    /// was given back: to give back some never raises a capacity.
    #[inline]
    fn promised(&self) -> usize {
        usize::MAX
    }

    /// Makes room for the values that are live, detached, or to come in slots at hand; values beyond the room for slots
    /// are not counted. On an error nothing has changed, or there is more room than before.
    fn admit(&mut self, _values: usize) -> Result<(), TryReserveError> {
        Ok(())
    }

    /// Returns the capacity to grow to when `slots` are needed, which there can be, and more will come.
    fn roomy(&self, slots: usize) -> usize;

    /// Returns the number of slots that there can be, and of the bytes that each takes, the book's aside.
    fn most_and_stride(&self) -> (usize, usize);

    /// Makes room for exactly `capacity` slots, at least those in use. On an error nothing has
    /// changed, or there is more room than before.
    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError>;

    /// Returns the generation that a slot stores which is not live.
    ///
    /// # Safety
    /// The slot is below `book.slots()`. (What comes for a live slot may be anything.)
    unsafe fn stored(&self, slot: usize) -> G;

    /// # Safety
    /// 1. The slot is below `book.slots()`.
    /// 2. The generation says what the book says of it, or is about to.
    unsafe fn store(&mut self, slot: usize, generation: G);
}

/// The functions of [`ErasedSlots`] that are the same everywhere.
macro_rules! erasing {
    ($key:ty, $stride:expr) => {
        #[inline(always)]
        fn ledger(&self) -> &Ledger<GenerationOf<$key>, Self::Book> {
            &self.ledger
        }

        #[inline(always)]
        fn ledger_mut(&mut self) -> &mut Ledger<GenerationOf<$key>, Self::Book> {
            &mut self.ledger
        }

        #[inline(always)]
        fn erased(&self) -> &dyn ErasedSlots<GenerationOf<$key>, Book = Self::Book> {
            self
        }

        #[inline(always)]
        fn erased_mut(&mut self) -> &mut dyn ErasedSlots<GenerationOf<$key>, Book = Self::Book> {
            self
        }

        fn most_and_stride(&self) -> (usize, usize) {
            (const { $crate::raw::slots::most_slots::<$key>() }, $stride)
        }
    };
}
pub(crate) use erasing;

/// The slot that `claim_slowly` answers where there is none.
pub(super) const REFUSED: usize = usize::MAX;

/// Returns the generation that a slot in use stores which is not live; for a live slot it may be any. (Checked, so for
/// rare work. Not a method, of which each table of a container's functions would have an entry.)
pub(crate) fn stored_at<G: Generation, S: ErasedSlots<G> + ?Sized>(slots: &S, slot: usize) -> G {
    assert!(slot < slots.ledger().book.slots(), "slot {slot} is in use");
    // SAFETY: just checked.
    unsafe { slots.stored(slot) }
}

/// Makes room for the values of the slots that the book takes to hand next, if none is.
#[inline(always)]
fn admit_next<G: Generation, S: ErasedSlots<G> + ?Sized>(
    slots: &mut S,
) -> Result<(), TryReserveError> {
    let book = &slots.ledger().book;
    if book.at_hand().is_some() || slots.positions() >= book.slots() {
        return Ok(());
    }
    let values = book.len() + book.detached() + FOUND.min(book.holes());
    slots.admit(values)
}

/// Finds the slot of the next insertion and whatever memory it needs.
#[inline(always)]
pub(super) fn place<G: Generation, S: ErasedSlots<G> + ?Sized>(
    slots: &mut S,
) -> Result<NextPlace<G>, TryReserveError> {
    let mut mark = slots.ledger().mark;
    if slots.ledger().book.has_holes() {
        admit_next(slots)?;
        let slot = slots.ledger().book.hole();
        let generation = stored_at(slots, slot).occupied(&mut mark);
        if generation.is_last() {
            slots.ledger_mut().book.prepare_taken()?;
        }
        return Ok(NextPlace { slot, generation, mark });
    }
    let next = slots.ledger().book.slots();
    if next >= slots.append_below() {
        slots.erased_mut().grow(next + 1)?;
        let capacity = slots.append_below();
        if next >= capacity {
            return Err(TryReserveError::Full { capacity });
        }
    }
    Ok(slots.ledger().fresh_place())
}

/// Takes a slot at hand, if it needs no memory: it is live for the book; and its generation, which is not stored yet.
///
/// # Safety
/// 1. The book just answered that the slot is at hand.
/// 2. It is [filled](super::SlotStore::fill) at once, before anything may panic.
#[inline(always)]
pub(crate) unsafe fn claim_at_hand<G: Generation, S: ErasedSlots<G> + ?Sized>(
    slots: &mut S,
    slot: usize,
) -> Option<(usize, G)> {
    let mut mark = slots.ledger().mark;
    // SAFETY: by (1) the slot is below the mark, and not live, and is taken as
    // the book answered it.
    unsafe {
        let generation = slots.stored(slot).occupied(&mut mark);
        if generation.is_last() {
            return None;
        }
        let ledger = slots.ledger_mut();
        ledger.mark = mark;
        ledger.book.take_at_hand(slot);
        Some((slot, generation))
    }
}

/// Returns the number of slots beyond those needed that a reserved container commits: an eighth, at least 64 KiB
/// so that small ones seldom ask, at most 1 MiB so that no insertion has much of the book to
/// write. (By then the first touches of its pages take a hundred times as long as asking.)
#[cfg(feature = "reserved")]
fn step(slots: usize, stride: usize) -> usize {
    let stride = stride.max(1);
    let bytes = (slots / 8).saturating_mul(stride).clamp(64 << 10, 1 << 20);
    (bytes / stride).max(1)
}

impl<G: Generation, B: Book> dyn ErasedSlots<G, Book = B> + '_ {
    /// Makes room for at least `slots` slots, and for a share more so that growing stays rare.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let (most, _stride) = self.most_and_stride();
        // Slots without generations are never retired.
        let full = |room: usize| match room - self.ledger().book.retired() {
            0 if room > 0 => TryReserveError::GenerationsUsedUp,
            capacity => TryReserveError::Full { capacity },
        };
        let capacity = match self.ledger().growth {
            Growth::Fixed => return Err(full(self.slot_capacity())),
            #[cfg(feature = "snapshot")]
            Growth::Mapped => return Err(full(self.slot_capacity())),
            Growth::Moves => {
                check_slots(slots, most)?;
                self.roomy(slots).min(most)
            }
            #[cfg(feature = "reserved")]
            Growth::Reserved => {
                let max = self.ledger().book.reserved();
                if slots > max {
                    return Err(full(max));
                }
                (slots + step(slots, _stride)).min(max)
            }
        };
        self.resize(capacity)
    }

    /// The next slot, whichever it is, taken: live for the book; and its generation, which is not stored
    /// yet. [`REFUSED`] where there is none. (Both come in registers: what may go wrong is written only
    /// where something does.)
    ///
    /// # Safety
    /// The slot is [filled](super::SlotStore::fill) at once, before anything may panic.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn claim_slowly(&mut self, refusal: &mut TryReserveError) -> (usize, G) {
        if let Err(reason) = admit_next(self) {
            *refusal = reason;
            return (REFUSED, G::RETIRED);
        }
        let book = &mut self.ledger_mut().book;
        book.fetch();
        let at_hand = book.at_hand();
        // SAFETY: (1) the book just answered the slot, or the ledger the place, which is next;
        // (2) the caller fills it at once.
        unsafe {
            if let Some(claimed) = at_hand.and_then(|slot| claim_at_hand(self, slot)) {
                return claimed;
            }
            match place(self) {
                Ok(place) => {
                    self.ledger_mut().commit(&place);
                    (place.slot, place.generation)
                }
                Err(reason) => {
                    *refusal = reason;
                    (REFUSED, G::RETIRED)
                }
            }
        }
    }

    /// A live slot, whose value is gone, is never used again.
    ///
    /// # Safety
    /// 1. The slot is live.
    /// 2. It is in its last generation.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn retire(&mut self, slot: usize) {
        // SAFETY: to settle: (1) the slot is live; (2) in its last generation, it has a place in the
        // `taken` words. To store: (1) it is in use, and (2) taken.
        unsafe {
            self.ledger_mut().book.settle(Some(slot));
            self.store(slot, G::RETIRED);
        }
    }

    /// Returns the generation that a slot stores which is free, detached or retired.
    #[cfg(feature = "serde")]
    pub(crate) fn remembered(&self, slot: usize) -> G {
        let book = &self.ledger().book;
        assert!(book.is_hole(slot) || book.is_taken(slot), "slot {slot} is live or was never used");
        stored_at(self, slot)
    }

    /// Returns whether a slot is kept for a detached key, not retired.
    pub(crate) fn is_detached(&self, slot: usize) -> bool {
        self.ledger().book.is_taken(slot) && !self.is_retired(slot)
    }

    /// Returns whether a slot is never used again. (Without generations none is.)
    pub(crate) fn is_retired(&self, slot: usize) -> bool {
        let is_taken = G::VERSIONED && self.ledger().book.is_taken(slot);
        is_taken && stored_at(self, slot) == G::RETIRED
    }

    /// Gives a slot back, if it is detached. Says whether it was.
    pub(super) fn release(&mut self, slot: usize) -> bool {
        if !self.is_detached(slot) {
            return false;
        }
        // SAFETY: a detached slot is not live; to store: (1) it is in use; (2) the book hears at
        // once what it is now.
        unsafe {
            let free = self.stored(slot).released();
            self.store(slot, free.unwrap_or(G::RETIRED));
            match free {
                Some(_) => self.ledger_mut().book.release(slot),
                None => self.ledger_mut().book.retire(),
            }
        }
        true
    }

    /// Gives up every detached key.
    pub(crate) fn release_all(&mut self) {
        let slots = self.ledger().book.slots();
        for slot in 0..if self.ledger().book.detached() > 0 { slots } else { 0 } {
            self.release(slot);
        }
    }

    /// Gives a free slot a history.
    pub(crate) fn set_free_generation(&mut self, slot: usize, generation: G) {
        assert!(self.ledger().book.is_hole(slot), "slot {slot} is not free");
        // SAFETY: (1) a hole is in use; (2) `generation` is that of a free slot.
        unsafe { self.store(slot, generation) };
    }

    /// Panics where the slots that are not live contradict the book.
    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    pub(crate) fn validate(&self) {
        let book = &self.ledger().book;
        book.validate();
        assert!(book.slots() <= self.slot_capacity(), "room for all slots");
        for slot in (0..book.slots()).filter(|&slot| !book.is_live(slot)) {
            let bits = stored_at(self, slot).to_u64();
            let (free, live) = (G::free_from_u64(bits).is_some(), G::live_from_u64(bits).is_some());
            let taken = book.is_taken(slot);
            assert!(taken || free, "slot {slot} is free in generation {bits}");
            assert!(!G::VERSIONED || !live, "slot {slot} has no value in generation {bits}");
        }
    }
}
