//! What most containers never need: slots that are taken without a value, and other orders of
//! reuse than the packed one.
//!
//! **Invariant.** That of [`occupancy`](super), and of [`Links`]. A taken slot is below `slots` and not
//! live. `taken` is empty, or has at least a word for each word of the book; with another order of reuse
//! than the packed one there is at least a link for each slot that the book covers.
//!
//! And putting slots back into a state that they had, with the order in which free slots come: between
//! [`begin_rewind`](Occupancy::begin_rewind) and what ends it no slot is at hand, and the holes of other
//! orders of reuse than the packed one are in no list.

use super::words::{Parts, bit, largest_hand};
use super::{Occupancy, SPAN, WORD, hand_for};
use crate::error::TryReserveError;
use crate::raw::filled::Filled;
use crate::raw::memory::Memory;
use crate::raw::walk::bits;
use crate::stats::Reuse;

/// The end of a list of slots.
const NONE: u32 = u32::MAX;

/// The free slots as a list, from the one that is taken next.
///
/// **Invariant.** The slots on the list, from `first` through `next` to `last`, are the holes of
/// the book, each once; all are within `next`.
pub(super) struct Links {
    next: Filled<u32>,
    pub(super) first: u32,
    last: u32,
}

impl Links {
    pub(super) const fn new() -> Self {
        Self { next: Filled::new(), first: NONE, last: NONE }
    }

    /// None yet; `memory` is that of a container's slots.
    pub(super) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        // The links are made for whole words of slots.
        let next = Filled::within(memory.scaled(|slots| slots.next_multiple_of(WORD)))?;
        Ok(Self { next, ..Self::new() })
    }

    pub(super) fn space(&self) -> usize {
        self.next.space()
    }

    pub(super) fn bytes(&self) -> usize {
        self.next.bytes()
    }

    pub(super) fn resize(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.next.resize(slots, NONE)
    }

    fn push_front(&mut self, slot: u32) {
        self.next[slot as usize] = self.first;
        if self.first == NONE {
            self.last = slot;
        }
        self.first = slot;
    }

    pub(super) fn push_back(&mut self, slot: u32) {
        self.next[slot as usize] = NONE;
        match self.last {
            NONE => self.first = slot,
            last => self.next[last as usize] = slot,
        }
        self.last = slot;
    }

    /// Forgets all.
    #[cfg(feature = "alloc")]
    pub(super) fn clear(&mut self) {
        (self.first, self.last) = (NONE, NONE);
    }

    pub(super) fn pop_front(&mut self) {
        self.first = self.next[self.first as usize];
        if self.first == NONE {
            self.last = NONE;
        }
    }

    #[cfg(feature = "alloc")]
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut slot = self.first;
        core::iter::from_fn(move || {
            let found = (slot != NONE).then_some(slot)?;
            slot = self.next[found as usize];
            Some(found)
        })
    }

    /// Takes the slots from `slots` on out of the list; the others keep their order.
    pub(super) fn forget_from(&mut self, slots: usize) {
        let mut slot = core::mem::replace(&mut self.first, NONE);
        self.last = NONE;
        while slot != NONE {
            let next = self.next[slot as usize];
            if (slot as usize) < slots {
                self.push_back(slot);
            }
            slot = next;
        }
    }
}

impl Occupancy {
    /// The taken slots of a word, as bits.
    pub(crate) fn taken_word(&self, word: usize) -> u64 {
        self.taken.get(word).copied().unwrap_or(0)
    }

    /// The slots that are detached or retired, in ascending order.
    pub(crate) fn taken_slots(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.taken.iter().enumerate();
        words.flat_map(|(word, &taken)| bits(taken).map(move |bit| word * WORD + bit))
    }

    /// Provides the words in which taken slots are noted, now and whenever the book grows.
    ///
    /// On an error nothing has changed.
    pub(crate) fn prepare_taken(&mut self) -> Result<(), TryReserveError> {
        if self.taken.is_empty() { self.resize_taken(self.words.len()) } else { Ok(()) }
    }

    pub(super) fn resize_taken(&mut self, words: usize) -> Result<(), TryReserveError> {
        self.taken.resize(words, 0)
    }

    /// A live slot loses its value, but is not free.
    ///
    /// # Safety
    /// The slot is live, and [`prepare_taken`](Self::prepare_taken) was called.
    pub(crate) unsafe fn park(&mut self, slot: usize) {
        self.words.words_mut()[slot / WORD] &= !(1 << (slot % WORD));
        self.note_cleared(slot / WORD);
        self.taken[slot / WORD] |= 1 << (slot % WORD);
        self.detached += 1;
    }

    /// A detached slot is live again.
    ///
    /// # Safety
    /// The slot is detached.
    pub(crate) unsafe fn unpark(&mut self, slot: usize) {
        self.untake(slot);
        self.set_live(slot);
    }

    /// A detached slot becomes free.
    ///
    /// # Safety
    /// The slot is detached.
    pub(crate) unsafe fn release(&mut self, slot: usize) {
        self.untake(slot);
        self.words.note_present(slot / WORD, true);
        // SAFETY: a detached slot is below `slots`.
        if unsafe { self.words.push(slot) } {
            self.settle_hand();
        }
    }

    pub(super) fn untake(&mut self, slot: usize) {
        self.taken[slot / WORD] &= !(1 << (slot % WORD));
        self.detached -= 1;
    }

    /// A detached slot is never used again.
    pub(crate) fn retire(&mut self) {
        self.detached -= 1;
        self.retired += 1;
    }

    /// The slot became a hole.
    pub(super) fn link_last(&mut self, slot: usize) {
        match self.reuse {
            Reuse::Packed => {}
            Reuse::Lifo => self.links.push_front(slot as u32),
            Reuse::Fifo => self.links.push_back(slot as u32),
        }
    }

    /// Links all holes anew, in ascending order.
    pub(crate) fn relink_in_order(&mut self) {
        if self.reuse == Reuse::Packed {
            return;
        }
        self.links.forget_from(0);
        for slot in 0..self.slots() {
            if self.is_hole(slot) {
                self.links.push_back(slot as u32);
            }
        }
    }

    /// Takes a hole that is chosen by the caller; it is live. With another order of reuse than the
    /// packed one it stays in the list of the free until [`relink_in_order`](Self::relink_in_order) is
    /// called, which must be before the next insertion.
    ///
    /// # Safety
    /// The slot is a hole.
    pub(crate) unsafe fn fill_hole(&mut self, slot: usize) {
        self.put_all_back();
        self.stored -= 1;
        self.set_live(slot);
    }

    /// A copy of the whole book.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        Ok(Self {
            words: self.words.copied(self.words.len())?,
            taken: self.taken.try_clone()?,
            links: Links { next: self.links.next.try_clone()?, ..self.links },
            ..*self
        })
    }

    /// Panics where the book contradicts itself.
    pub(crate) fn validate(&self) {
        assert!(self.slots() <= self.words.len() * WORD, "the book covers all slots");
        let live = (0..self.slots()).filter(|&slot| self.is_live(slot)).count();
        let taken = self.taken_slots().count();
        assert_eq!(live, self.len(), "live slots are counted");
        assert_eq!(taken, self.detached() + self.retired(), "taken slots are counted");
        assert!(self.taken_slots().all(|slot| slot < self.slots() && !self.is_live(slot)));
        assert_eq!(live + taken + self.holes(), self.slots(), "every slot is live, taken or free");
        let Parts { present, hand, .. } = self.words.parts();
        let empty = (0..self.words.len()).filter(|&word| !bit(present, word)).count();
        assert_eq!(self.words.empty(), empty, "words that are not present are counted");
        let most = if self.reuse == Reuse::Packed { largest_hand(self.slots() / WORD) } else { 0 };
        assert!(hand.len() <= most, "what can be at hand");
        let room = hand_for(self.reuse)..=most.max(hand_for(self.reuse));
        assert!(room.contains(&self.words.hand()), "how much can be at hand");
        assert!(self.cursor as usize <= self.slots() / WORD, "searches begin within the slots");
        for word in 0..self.words.len() {
            self.validate_word(word);
        }
        #[cfg(feature = "alloc")]
        if self.reuse != Reuse::Packed {
            let stored = self.stored as usize;
            let mut linked: alloc::vec::Vec<_> = self.links.iter().collect();
            assert_eq!(linked.len(), stored, "every hole is linked");
            assert_eq!(linked.last().copied().unwrap_or(NONE), self.links.last, "last link");
            linked.sort_unstable();
            linked.dedup();
            assert_eq!(linked.len(), stored, "every hole is linked once");
            assert!(linked.iter().all(|&slot| self.is_hole(slot as usize)), "links lead to holes");
        }
    }

    fn validate_word(&self, word: usize) {
        let fresh = match self.slots().saturating_sub(word * WORD) {
            used if used >= WORD => 0,
            used => !0 << used,
        };
        let Parts { words, present, crowds, room, hand } = self.words.parts();
        let (bits, group, span) = (words[word], word / WORD, word / SPAN);
        assert_eq!(bits & fresh, fresh, "bits of unused slots are set");
        let mut at_hand = 0_u64;
        for slot in hand.iter().map(|&slot| slot as usize).filter(|slot| slot / WORD == word) {
            assert!(self.is_hole(slot), "slot {slot} at hand is free");
            assert_eq!(at_hand >> (slot % WORD) & 1, 0, "slot {slot} is at hand once");
            at_hand |= 1 << (slot % WORD);
        }
        assert_eq!(bit(present, word), bits | at_hand != 0, "which words are present");
        assert_eq!(bit(crowds, group), present[group] != 0, "which groups are crowds");
        if self.reuse == Reuse::Packed && !bits & !self.taken_word(word) & !at_hand != 0 {
            assert!(room[span] != 0 && self.lowest as usize <= span, "a span with holes is found");
        }
    }
}

impl Occupancy {
    /// The free slots that are taken first, in order: those at hand, or all where they are linked.
    #[cfg(feature = "alloc")]
    pub(crate) fn free_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.parts().hand.iter().rev().copied().chain(self.links.iter())
    }

    /// How many [`free_order`](Self::free_order) has.
    pub(crate) fn ordered(&self) -> usize {
        if self.reuse == Reuse::Packed { self.words.held() } else { self.stored as usize }
    }

    /// The word that a search for free slots begins with.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor as usize
    }

    /// Takes over the order in which free slots were going to be taken. Says whether it could be.
    pub(crate) fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool {
        self.put_all_back();
        let packed = self.reuse == Reuse::Packed;
        let fits = match packed {
            true => free.len() <= largest_hand(self.slots() / WORD),
            false => free.len() == self.stored as usize,
        };
        let last = if packed { self.slots() } else { 0 };
        if !fits || cursor > last / WORD || !self.are_holes(free) {
            return false;
        }
        self.cursor = cursor as u32;
        if packed {
            self.stored -= free.len() as u32;
            free.iter().for_each(|&slot| self.words.note_present(slot as usize / WORD, true));
            self.words.put_at_hand(free.iter().rev().copied());
        } else {
            self.links.clear();
            free.iter().for_each(|&slot| self.links.push_back(slot));
        }
        true
    }

    /// Whether all of these are holes, and none is named twice. (Each is noted as live while the others
    /// are looked at.)
    fn are_holes(&mut self, slots: &[u32]) -> bool {
        let mut seen = 0;
        for &slot in slots {
            if !self.is_hole(slot as usize) {
                break;
            }
            self.flip(slot as usize);
            seen += 1;
        }
        slots[..seen].iter().for_each(|&slot| self.flip(slot as usize));
        seen == slots.len()
    }

    /// Inverts the bit of a slot in use.
    fn flip(&mut self, slot: usize) {
        debug_assert!(slot < self.slots(), "a slot in use");
        self.words.parts_mut().words[slot / WORD] ^= 1 << (slot % WORD);
    }

    /// Slots are about to be put into other states, one by one. The order of the free slots is forgotten:
    /// [`restore_order`](Self::restore_order) or [`relink_in_order`](Self::relink_in_order) ends it.
    pub(crate) fn begin_rewind(&mut self) {
        self.put_all_back();
        self.links.clear();
    }

    /// A slot that is live or taken becomes a hole.
    ///
    /// # Safety
    /// 1. `slot < slots`, and it is no hole.
    /// 2. Its value, if any, is not used again; `retired` says whether it is retired.
    pub(crate) unsafe fn open(&mut self, slot: usize, retired: bool) {
        let word = slot / WORD;
        if self.is_taken(slot) {
            (self.detached, self.retired) =
                (self.detached + u32::from(retired), self.retired - u32::from(retired));
            self.untake(slot);
        } else {
            self.flip(slot);
            self.note_cleared(word);
        }
        self.stored += 1;
        if self.reuse == Reuse::Packed {
            self.note_room(word);
        }
    }

    /// A hole becomes a slot that is taken.
    ///
    /// # Safety
    /// The slot is a hole, and [`prepare_taken`](Self::prepare_taken) was called.
    pub(crate) unsafe fn close(&mut self, slot: usize) {
        self.stored -= 1;
        self.taken[slot / WORD] |= 1 << (slot % WORD);
        self.detached += 1;
    }

    /// Of a book whose slots are all live: those that are in neither of the two become free, those that are
    /// taken detached. Says whether the bits are such of these slots.
    #[cfg(feature = "snapshot")]
    pub(crate) fn restore_bits(&mut self, live: &[u64], taken: &[u64]) -> bool {
        debug_assert_eq!(self.len(), self.slots(), "all slots are live");
        for (word, &live) in live.iter().enumerate().take(self.slots().div_ceil(WORD)) {
            let all = super::low((self.slots() - word * WORD).min(WORD));
            let taken = taken.get(word).copied().unwrap_or(0);
            if (live | taken) & !all != 0 || live & taken != 0 {
                return false;
            }
            // SAFETY: all slots of the word are live until now; and `prepare_taken` was called.
            unsafe {
                self.vacate_word(word, all & !live & !taken);
                bits(taken).for_each(|bit| self.park(word * WORD + bit));
            }
        }
        true
    }
}
