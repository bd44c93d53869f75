//! The work that is rare, or of few containers: the slots that the book covers, and changes of all of it at
//! once; slots that are taken without a value; other orders of reuse than the packed one; putting slots back
//! into a state that they had; and the check of it all.
//!
//! **Invariant.** That of [`occupancy`](super), and of [`Freed`]. A taken slot is below `slots` and not
//! live. `taken` is empty, or has at least a word for each word of the book; with another order of reuse
//! than the packed one the list of the freed has room for each slot that the book covers. Words that the
//! book does not cover are not read.
//!
//! Between [`begin_rewind`](RewindBook::begin_rewind) and what ends it no slot is at hand, and the holes of
//! other orders of reuse than the packed one are in no list.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ptr::NonNull;

use super::words::{WordParts, WordsInPlace, bit, hand_for, largest_hand};
use super::{Occupancy, SPAN, WORD};
use crate::error::TryReserveError;
use crate::memory::Extent;
#[cfg(feature = "serde")]
use crate::memory::bits::bits;
use crate::memory::buffer::Filled;
use crate::memory::source::Memory;
use crate::raw::book::Book;
#[cfg(feature = "alloc")]
use crate::raw::book::RewindBook;
#[cfg(feature = "alloc")]
use crate::room::reserve;
use crate::stats::Reuse;

impl Occupancy {
    /// Returns the number of slots that the book covers.
    pub(crate) const fn covered(&self) -> usize {
        self.words.len() * WORD
    }

    /// Makes the book cover at least `slots` slots. On an error nothing has changed.
    pub(crate) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        if words > self.words.len() { self.resize(words) } else { Ok(()) }
    }

    /// Returns whether a book of `slots` slots may lie in memory of another owner, from now on.
    pub(crate) const fn can_be_moved(&self, slots: usize) -> bool {
        slots <= SPAN * WORD && self.words.can_be_moved()
    }

    /// Makes the book one of at least `slots` slots, not none, in memory that `place` makes for as many
    /// numbers, which may be the end of the book's memory until now. On an error nothing has changed.
    ///
    /// # Safety
    /// 1. The book can be moved, and has no more slots in use.
    /// 2. What `place` answers is the book's alone until it is moved again, is made to cover more, or is not used any
    ///    more.
    #[inline]
    pub(crate) unsafe fn move_to(
        &mut self,
        slots: usize,
        place: impl FnOnce(usize) -> Result<NonNull<u64>, TryReserveError>,
    ) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(WORD);
        self.resize_side(words.max(self.words.len()))?;
        // SAFETY: (1) the book, and so its words, can be moved: `slots` is not none, and no
        // more than `SPAN` words describe. (2) What `place` answers is the book's alone, and so
        // that of its words.
        unsafe { self.words.move_to(slots, place) }?;
        // Side memory that stays larger than it need be is no harm.
        let _ = self.resize_side(words);
        Ok(())
    }

    /// A search begins with that word.
    pub(super) fn set_cursor(&mut self, word: usize) {
        if let Some(head) = self.words.head_mut() {
            head.cursor = word as u32;
        }
    }

    /// Forgets that the book covers any slot. None is in use.
    pub(crate) fn uncover(&mut self) {
        debug_assert_eq!(self.slots, 0, "no slot is in use");
        self.words.forget();
        let _ = self.resize_side(0);
    }

    /// Gives memory back, but covers `slots` slots and all in use.
    pub(crate) fn shrink(&mut self, slots: usize) {
        let words = slots.max(self.slots()).div_ceil(WORD);
        if words < self.words.len() {
            // A book that stays larger than it need be is no harm.
            let _ = self.resize(words);
        }
    }

    /// The words of taken slots and the list of the freed cover at least as much as the book, always: so they
    /// grow before it and shrink after it.
    fn resize(&mut self, words: usize) -> Result<(), TryReserveError> {
        if words > self.words.len() {
            self.resize_side(words)?;
        }
        let mut on_heap = WordsInPlace::none();
        let in_place = self.rare.made().map_or(&mut on_heap, |rare| &mut rare.in_place);
        self.words.resize(words, in_place)?;
        // Side memory that stays larger than it need be is no harm.
        let _ = self.resize_side(words);
        Ok(())
    }

    #[inline]
    fn resize_side(&mut self, words: usize) -> Result<(), TryReserveError> {
        if self.reuse() != Reuse::Packed && words > 0 {
            self.rare.make()?;
        }
        let reuse = self.reuse();
        let Some(rare) = self.rare.made() else { return Ok(()) };
        if !rare.taken.is_empty() {
            rare.taken.resize(words, 0)?;
        }
        if reuse == Reuse::Packed { Ok(()) } else { rare.freed.resize(words * WORD) }
    }

    /// Forgets the highest slots, all of which are free.
    ///
    /// # Safety
    /// Every slot from `slots` to the high-water mark is a hole.
    #[inline]
    pub(crate) unsafe fn truncate(&mut self, slots: usize) {
        self.put_all_back();
        // (The largest hand depends on the number of slots.)
        self.words.begin_hand();
        if let Some(rare) = self.rare.made() {
            rare.freed.forget_from(slots);
        }
        for word in slots / WORD..self.slots().div_ceil(WORD) {
            // The bits of slots that are not in use are set.
            let fresh = !0 << (slots.saturating_sub(word * WORD).min(WORD - 1));
            self.words.words_mut()[word] |= fresh;
            self.words.note_present(word, true);
        }
        self.stored -= self.slots - slots as u32;
        self.slots = slots as u32;
        self.set_cursor(0);
    }

    /// Every slot but the retired ones becomes free; of the free slots, the lowest is taken first.
    pub(crate) fn vacate_all(&mut self) {
        self.words.empty_hand();
        if let Some(rare) = self.rare.made() {
            rare.valueless = rare.retired;
        }
        self.stored = self.slots - self.rare.retired;
        self.set_cursor(0);
        for word in 0..self.slots().div_ceil(WORD) {
            let rest = self.slots() - word * WORD;
            let fresh = if rest < WORD { !0 << rest } else { 0 };
            self.words.words_mut()[word] = fresh;
            self.words.note_present(word, fresh != 0);
            self.note_room(word);
        }
        self.relink_in_order();
    }
}

/// Free slots in the order in which they were freed: a stack, of which the last is taken first, or a queue.
///
/// **Invariant.** There are `len` of them in `ring`, from `first` on, and after its end from its start on: the holes of
/// the book that are not at hand, each once. A stack has `first` at 0.
pub(super) struct Freed {
    ring: Filled<u32>,
    first: usize,
    len: usize,
}

impl Freed {
    pub(super) const fn new() -> Self {
        Self { ring: Filled::new(), first: 0, len: 0 }
    }

    /// None yet; `memory` is that of a container's slots.
    #[inline]
    pub(super) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        // There is room for whole words of slots.
        let ring = Filled::within(memory.scaled(|slots| slots.next_multiple_of(WORD)))?;
        Ok(Self { ring, ..Self::new() })
    }

    #[inline]
    pub(super) fn try_clone(&self) -> Result<Self, TryReserveError> {
        Ok(Self { ring: self.ring.try_clone()?, ..*self })
    }

    pub(super) fn memory(&self) -> Extent {
        self.ring.memory()
    }

    /// Makes room for `slots` slots, no fewer than there are.
    pub(super) fn resize(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.ring.rotate_left(self.first);
        self.first = 0;
        self.ring.resize(slots, 0)
    }

    /// After the end of the ring comes its start.
    fn around(&self, at: usize) -> usize {
        if at < self.ring.len() { at } else { at - self.ring.len() }
    }

    /// This slot became free.
    pub(super) fn push(&mut self, slot: usize) {
        let end = self.around(self.first + self.len);
        self.ring[end] = slot as u32;
        self.len += 1;
    }

    /// These became free, one after the other, of a stack.
    pub(super) fn push_all(&mut self, slots: &[u32]) {
        self.ring[self.len..][..slots.len()].copy_from_slice(slots);
        self.len += slots.len();
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }

    /// Takes the last `count` slots of a stack.
    pub(super) fn pop(&mut self, count: usize) -> &[u32] {
        self.len -= count;
        &self.ring[self.len..][..count]
    }

    /// Takes the first of a queue.
    pub(super) fn pop_first(&mut self) {
        self.first = self.around(self.first + 1);
        self.len -= 1;
    }

    /// In the order in which they are taken.
    pub(super) fn iter(&self, reuse: Reuse) -> impl Iterator<Item = u32> + '_ {
        (0..self.len).map(move |number| {
            let number = if reuse == Reuse::Lifo { self.len - 1 - number } else { number };
            self.ring[self.around(self.first + number)]
        })
    }

    /// Takes the slots from `slots` on out; the others keep their order.
    pub(super) fn forget_from(&mut self, slots: usize) {
        self.ring.rotate_left(self.first);
        let mut kept = 0;
        for at in 0..self.len {
            let slot = self.ring[at];
            self.ring[kept] = slot;
            kept += usize::from((slot as usize) < slots);
        }
        (self.first, self.len) = (0, kept);
    }
}

impl Occupancy {
    /// The taken slots of a word, as bits.
    pub(crate) fn taken_word(&self, word: usize) -> u64 {
        self.rare.taken.get(word).copied().unwrap_or(0)
    }

    /// The slots that are detached or retired, in ascending order.
    #[cfg(feature = "serde")]
    pub(crate) fn taken_slots(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.rare.taken.iter().enumerate();
        words.flat_map(|(word, &taken)| bits(taken).map(move |bit| word * WORD + bit))
    }

    /// Has all holes taken in ascending order.
    #[inline]
    pub(crate) fn relink_in_order(&mut self) {
        if self.reuse() == Reuse::Packed {
            return;
        }
        self.put_all_back();
        if let Some(rare) = self.rare.made() {
            rare.freed.clear();
        }
        for number in 0..self.slots() {
            let is_last = self.reuse() == Reuse::Lifo;
            let slot = if is_last { self.slots() - 1 - number } else { number };
            if self.is_hole(slot) {
                self.rare.expect().freed.push(slot);
            }
        }
    }

    /// Takes a hole that is chosen by the caller; it is live. With another order of reuse than the
    /// packed one it stays in the list of the free until [`relink_in_order`](Self::relink_in_order) is
    /// called, which must be before the next insertion.
    ///
    /// # Safety
    /// The slot is a hole.
    #[inline]
    pub(crate) unsafe fn fill_hole(&mut self, slot: usize) {
        self.put_all_back();
        self.stored -= 1;
        self.set_live(slot);
    }
}

#[cfg(feature = "alloc")]
impl Occupancy {
    /// Returns the free slots that are taken first, in order: those at hand, or all with another order of reuse than
    /// the packed one.
    pub(crate) fn free_order(&self) -> impl Iterator<Item = u32> + '_ {
        let at_hand = self.words.parts().hand.iter().rev().copied();
        at_hand.chain(self.rare.freed.iter(self.reuse()))
    }

    /// Returns the length of [`free_order`](Self::free_order).
    pub(crate) fn ordered(&self) -> usize {
        if self.reuse() == Reuse::Packed { self.words.held() } else { self.holes() }
    }

    /// The word that a search for free slots begins with.
    pub(crate) fn cursor(&self) -> usize {
        self.words.head().cursor as usize
    }

    /// Takes over the order in which free slots were going to be taken. Says whether it could be.
    #[inline]
    pub(crate) fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool {
        self.put_all_back();
        let packed = self.reuse() == Reuse::Packed;
        let fits = match packed {
            true => free.len() <= largest_hand(self.slots() / WORD),
            false => free.len() == self.stored as usize,
        };
        let last = if packed { self.slots() } else { 0 };
        if !fits || cursor > last / WORD || !self.are_holes(free) {
            return false;
        }
        self.set_cursor(cursor);
        if packed {
            self.stored -= free.len() as u32;
            self.words.put_at_hand(free);
            self.words.words_and_room(free.len()).1.reverse();
        } else {
            let is_stack = self.reuse() == Reuse::Lifo;
            let Some(rare) = self.rare.made() else { return free.is_empty() };
            rare.freed.clear();
            for at in 0..free.len() {
                let at = if is_stack { free.len() - 1 - at } else { at };
                rare.freed.push(free[at] as usize);
            }
        }
        true
    }

    /// Returns whether all of these are holes, and none is named twice. (Each is noted as live while the others
    /// are looked at.)
    #[inline]
    fn are_holes(&mut self, slots: &[u32]) -> bool {
        let mut seen = 0;
        for &slot in slots {
            if !self.is_hole(slot as usize) {
                break;
            }
            self.flip(slot as usize);
            seen += 1;
        }
        for &slot in &slots[..seen] {
            self.flip(slot as usize);
        }
        seen == slots.len()
    }

    /// Inverts the bit of a slot in use.
    fn flip(&mut self, slot: usize) {
        debug_assert!(slot < self.slots(), "a slot in use");
        self.words.words_mut()[slot / WORD] ^= 1 << (slot % WORD);
    }
}

#[cfg(feature = "alloc")]
impl RewindBook for Occupancy {
    #[inline]
    fn save_order(&self, free: &mut Vec<u32>) -> Result<usize, TryReserveError> {
        reserve(free, self.ordered())?;
        free.extend(self.words.parts().hand.iter().rev());
        free.extend(self.rare.freed.iter(self.reuse()));
        Ok(self.cursor())
    }

    #[inline]
    fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool {
        self.restore_order(free, cursor)
    }

    #[inline]
    fn relink_in_order(&mut self) {
        self.relink_in_order();
    }

    #[inline]
    fn begin_rewind(&mut self) {
        self.put_all_back();
        if let Some(rare) = self.rare.made() {
            rare.freed.clear();
        }
    }

    #[inline]
    unsafe fn open(&mut self, slot: usize, retired: bool) {
        let word = slot / WORD;
        if self.is_taken(slot) {
            let rare = self.rare.expect();
            rare.retired -= u32::from(retired);
            rare.untake(slot);
        } else {
            self.flip(slot);
            self.note_cleared(word);
        }
        self.stored += 1;
        if self.reuse() == Reuse::Packed {
            self.note_room(word);
        }
    }

    #[inline]
    unsafe fn close(&mut self, slot: usize) {
        self.stored -= 1;
        self.rare.expect().take(slot);
    }

    #[inline]
    unsafe fn fill_hole(&mut self, slot: usize) {
        if self.words.held() == 0 {
            // While slots are put into other states nothing has to be put back.
            self.stored -= 1;
            return self.set_live(slot);
        }
        // SAFETY: the slot is a hole, as the caller says.
        unsafe { self.fill_hole(slot) };
    }

    #[inline]
    unsafe fn truncate(&mut self, slots: usize) {
        // SAFETY: the slots from there on are holes, as the caller says.
        unsafe { self.truncate(slots) };
    }
}

impl Occupancy {
    /// A copy of the whole book.
    #[inline]
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut rare = self.rare.try_clone()?;
        let mut on_heap = WordsInPlace::none();
        let in_place = rare.made().map_or(&mut on_heap, |rare| &mut rare.in_place);
        let words = self.words.copied(self.words.len(), in_place)?;
        Ok(Self { words, rare, ..*self })
    }

    /// Panics if the book is inconsistent.
    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    #[inline]
    pub(crate) fn validate(&self) {
        assert!(self.slots() <= self.words.len() * WORD, "the book covers all slots");
        let (mut live, mut taken) = (0, 0);
        for slot in 0..self.words.len() * WORD {
            let (is_live, is_taken) = (self.is_live(slot), self.is_taken(slot));
            assert!(
                !is_taken || slot < self.slots() && !is_live,
                "slot {slot} is in use, and not live"
            );
            live += usize::from(is_live);
            taken += usize::from(is_taken);
        }
        assert_eq!(live, self.len(), "live slots are counted");
        assert_eq!(taken, self.detached() + self.retired(), "taken slots are counted");
        assert_eq!(live + taken + self.holes(), self.slots(), "every slot is live, taken or free");
        let WordParts { present, hand, .. } = self.words.parts();
        let mut empty = 0;
        for word in 0..self.words.len() {
            empty += usize::from(!bit(present, word));
        }
        assert_eq!(
            self.words.head().empty as usize,
            empty,
            "words that are not present are counted"
        );
        let most = match self.reuse() {
            Reuse::Fifo => 0,
            _ => largest_hand(self.slots() / WORD),
        };
        assert!(hand.len() <= most, "what can be at hand");
        let room = hand.len()..=most.max(hand_for(self.reuse()));
        assert!(room.contains(&self.words.hand()), "how much can be at hand");
        assert!(
            self.words.head().cursor as usize <= self.slots() / WORD,
            "searches begin within the slots"
        );
        for word in 0..self.words.len() {
            self.validate_word(word);
        }
        #[cfg(feature = "alloc")]
        if self.reuse() != Reuse::Packed {
            let stored = self.stored as usize;
            let mut freed: Vec<_> = self.free_order().collect();
            assert_eq!(freed.len(), stored + hand.len(), "every hole waits");
            freed.sort_unstable();
            freed.dedup();
            assert_eq!(freed.len(), stored + hand.len(), "every hole waits once");
            assert!(freed.iter().all(|&slot| self.is_hole(slot as usize)), "holes wait");
        }
    }

    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    #[inline]
    fn validate_word(&self, word: usize) {
        let fresh = match self.slots().saturating_sub(word * WORD) {
            used if used >= WORD => 0,
            used => !0 << used,
        };
        let WordParts { words, present, crowds, room, hand } = self.words.parts();
        let (bits, group, span) = (words[word], word / WORD, word / SPAN);
        assert_eq!(bits & fresh, fresh, "bits of unused slots are set");
        let mut at_hand = 0_u64;
        for &slot in hand {
            let slot = slot as usize;
            if slot / WORD != word {
                continue;
            }
            assert!(self.is_hole(slot), "slot {slot} at hand is free");
            assert_eq!(at_hand >> (slot % WORD) & 1, 0, "slot {slot} is at hand once");
            at_hand |= 1 << (slot % WORD);
        }
        let is_present = self.words.are_few() || bits | at_hand != 0;
        assert_eq!(bit(present, word), is_present, "which words are present");
        assert!(bits != 0 || self.words.has_zeros(), "that a word is zero is known");
        assert_eq!(bit(crowds, group), present[group] != 0, "which groups are crowds");
        if self.reuse() == Reuse::Packed && !bits & !self.taken_word(word) & !at_hand != 0 {
            assert!(
                room[span] != 0 && self.words.head().lowest as usize <= span,
                "a span with holes is found"
            );
        }
    }
}
