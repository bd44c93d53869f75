//! What most containers never need: slots that are taken without a value, and other orders of
//! reuse than the packed one.
//!
//! **Invariant.** That of [`occupancy`](super), and of [`Links`]. A taken slot is below `slots` and not
//! live. `taken` is empty, or has at least a word for each word of the book; with another order of reuse
//! than the packed one there is at least a link for each slot that the book covers.

use super::words::{Parts, bit, largest_hand};
use super::{Book, Occupancy, SPAN, WORD, hand_for};
use crate::error::TryReserveError;
use crate::raw::buffer::Filled;
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

    pub(super) fn resize_taken(&mut self, words: usize) -> Result<(), TryReserveError> {
        self.taken.resize(words, 0)
    }

    pub(super) fn untake(&mut self, slot: usize) {
        self.taken[slot / WORD] &= !(1 << (slot % WORD));
        self.detached -= 1;
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
