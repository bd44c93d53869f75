//! What most containers never need: slots that are taken without a value, and other orders of
//! reuse than the packed one. Kept off the fast path by one test of `next`.

use super::{Next, Occupancy, WORD};
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
    first: u32,
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

    fn push_back(&mut self, slot: u32) {
        self.next[slot as usize] = NONE;
        match self.last {
            NONE => self.first = slot,
            last => self.next[last as usize] = slot,
        }
        self.last = slot;
    }

    fn pop_front(&mut self) {
        self.first = self.next[self.first as usize];
        if self.first == NONE {
            self.last = NONE;
        }
    }

    #[cfg(feature = "alloc")]
    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
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
    pub(super) fn taken_word(&self, word: usize) -> u64 {
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
        self.settle_lone();
        // SAFETY: a live slot is below `slots`.
        unsafe { self.set_dead(slot) };
        self.taken[slot / WORD] |= 1 << (slot % WORD);
        self.next = Next::Unusual;
        self.detached += 1;
    }

    /// A detached slot is live again.
    ///
    /// # Safety
    /// The slot is detached.
    pub(crate) unsafe fn unpark(&mut self, slot: usize) {
        self.untake(slot);
        // SAFETY: a detached slot is below `slots`.
        unsafe { self.set_live(slot) };
    }

    /// A detached slot becomes free.
    ///
    /// # Safety
    /// The slot is detached.
    pub(crate) unsafe fn release(&mut self, slot: usize) {
        self.untake(slot);
        // SAFETY: a detached slot is below `slots`.
        unsafe { self.add_hole(slot) };
    }

    fn untake(&mut self, slot: usize) {
        self.taken[slot / WORD] &= !(1 << (slot % WORD));
        self.detached -= 1;
        self.choose_next();
    }

    /// Says anew where the next slot is found. No hole may be lone.
    pub(super) fn choose_next(&mut self) {
        let plain = self.reuse == Reuse::Packed && self.detached + self.retired == 0;
        self.next = match (plain, self.holes) {
            (false, _) => Next::Unusual,
            (true, 0) => Next::Fresh,
            (true, _) => Next::Lowest,
        };
    }

    /// A detached slot is never used again.
    pub(crate) fn retire(&mut self) {
        self.detached -= 1;
        self.retired += 1;
    }

    /// As [`hole`](Self::hole), for any book.
    ///
    /// # Safety
    /// `holes() > 0`.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn unusual_hole(&mut self) -> usize {
        if self.reuse != Reuse::Packed {
            return self.links.first as usize;
        }
        // SAFETY: `current` is a word of the book, as there are holes at all.
        let mut room = !unsafe { self.words.word(self.current) } & !self.taken_word(self.current);
        while room == 0 {
            // SAFETY: the caller says that there is a hole.
            room = !unsafe { self.next_word() } & !self.taken_word(self.current);
        }
        self.current * WORD + room.trailing_zeros() as usize
    }

    /// Takes a free slot; it is live.
    ///
    /// # Safety
    /// `slot` is what [`unusual_hole`](Self::unusual_hole) just answered.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn fill_unusual(&mut self, slot: usize) {
        self.holes -= 1;
        // SAFETY: a hole is below `slots`.
        unsafe { self.set_live(slot) };
        if self.reuse != Reuse::Packed {
            debug_assert_eq!(self.links.first as usize, slot);
            self.links.pop_front();
        }
    }

    /// The slot became a hole.
    #[cold]
    pub(super) fn link_last(&mut self, slot: usize) {
        match self.reuse {
            Reuse::Packed => {}
            Reuse::LastFreed => self.links.push_front(slot as u32),
            Reuse::Oldest => self.links.push_back(slot as u32),
        }
    }

    /// Links all holes anew, in ascending order.
    pub(crate) fn relink_in_order(&mut self) {
        if self.reuse == Reuse::Packed {
            return;
        }
        self.links.forget_from(0);
        for slot in 0..self.slots {
            if self.is_hole(slot) {
                self.links.push_back(slot as u32);
            }
        }
    }

    /// A copy of the whole book.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        Ok(Self {
            words: self.words.try_clone()?,
            taken: self.taken.try_clone()?,
            links: Links { next: self.links.next.try_clone()?, ..self.links },
            ..*self
        })
    }

    /// The free slots in the order in which they are taken; none where that follows from the book.
    #[cfg(feature = "serde")]
    pub(crate) fn free_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.links.iter()
    }

    /// Takes over the order in which free slots were going to be taken. Says whether it could be.
    #[cfg(feature = "serde")]
    pub(crate) fn restore_order(&mut self, free: &[u32], current: usize) -> bool {
        self.settle_lone();
        if self.reuse == Reuse::Packed {
            let possible = free.is_empty() && (current == 0 || current * WORD < self.slots);
            self.make_current(if possible { current } else { 0 });
            return possible;
        }
        let mut missing: alloc::vec::Vec<bool> =
            (0..self.slots).map(|slot| self.is_hole(slot)).collect();
        let mut take = |&slot: &u32| {
            missing.get_mut(slot as usize).is_some_and(|hole| core::mem::replace(hole, false))
        };
        if current != 0 || free.len() != self.holes || !free.iter().all(&mut take) {
            return false;
        }
        self.links.forget_from(0);
        for &slot in free {
            self.links.push_back(slot);
        }
        true
    }

    /// Where the next insertion looks first; with the holes, this decides all that follow.
    #[cfg(feature = "serde")]
    pub(crate) fn current(&self) -> usize {
        if self.reuse != Reuse::Packed {
            return 0;
        }
        self.lone().map_or(self.current, |slot| slot / WORD)
    }

    /// Panics where the book contradicts itself.
    pub(crate) fn validate(&self) {
        let [words, _, groups_with_room] = self.words.parts();
        let (groups, last) = (words.len().div_ceil(WORD), groups_with_room.last());
        let beyond = if groups % WORD == 0 { 0 } else { !0 << (groups % WORD) };
        assert_eq!(last.map_or(0, |last| last & beyond), 0, "only groups of the book have a bit");
        assert!(self.slots <= self.words.len() * WORD, "the book covers all slots");
        assert!(self.current == 0 || self.current < words.len(), "the current word is one");
        let live = (0..self.slots).filter(|&slot| self.is_live(slot)).count();
        let taken = self.taken_slots().count();
        assert_eq!(live, self.len(), "live slots are counted");
        assert_eq!(taken, self.detached + self.retired, "taken slots are counted");
        assert!(self.taken_slots().all(|slot| slot < self.slots && !self.is_live(slot)));
        assert_eq!(live + taken + self.holes, self.slots, "every slot is live, taken or free");
        let plain = self.reuse == Reuse::Packed && taken == 0;
        assert_eq!(self.next != Next::Unusual, plain, "what is unusual");
        assert!(!plain || (self.next == Next::Fresh) == (self.holes == 0), "what is fresh");
        if let Some(lone) = self.lone() {
            assert!(self.holes == 1 && lone < self.slots, "the lone hole is the only one");
            assert!(words[lone / WORD] >> (lone % WORD) & 1 == 1, "its bit is set");
        }
        for word in 0..self.words.len() {
            self.validate_word(word);
        }
        #[cfg(feature = "alloc")]
        if self.reuse != Reuse::Packed {
            let mut linked: alloc::vec::Vec<_> = self.links.iter().collect();
            assert_eq!(linked.len(), self.holes, "every hole is linked");
            assert_eq!(linked.last().copied().unwrap_or(NONE), self.links.last, "last link");
            linked.sort_unstable();
            linked.dedup();
            assert_eq!(linked.len(), self.holes, "every hole is linked once");
            assert!(linked.iter().all(|&slot| self.is_hole(slot as usize)), "links lead to holes");
        }
    }

    fn validate_word(&self, word: usize) {
        let fresh = match self.slots.saturating_sub(word * WORD) {
            used if used >= WORD => 0,
            used => !0 << used,
        };
        let [words, summaries, groups_with_room] = self.words.parts();
        let bits = words[word];
        assert_eq!(bits & fresh, fresh, "bits of unused slots are set");
        let (group, bit) = (word / WORD, 1 << (word % WORD));
        let room = summaries[2 * group] & bit != 0;
        let present = summaries[2 * group + 1] & bit != 0;
        assert!(present || bits & !fresh == 0, "a word with live slots is present");
        assert!(present || fresh == 0 || fresh == !0, "the last word is present");
        let found = groups_with_room[group / WORD] >> (group % WORD) & 1 == 1;
        let lone =
            self.lone().filter(|slot| slot / WORD == word).map_or(0, |slot| 1 << (slot % WORD));
        if !bits & !self.taken_word(word) & !lone != 0 {
            assert!(found, "a group with holes is found");
            assert!(room && self.lowest <= group / WORD, "a word with holes is found");
        }
        assert!(found || summaries[2 * group] == 0, "a group with room has its bit");
    }
}
