//! The book of a container that lies inside its owner.
//!
//! The large book, [`Occupancy`](crate::raw::occupancy::Occupancy), keeps pointers into its blocks;
//! what moves with its owner cannot point into itself. This one has no summaries either: there are
//! few slots, and a word of them is passed over in a step.
//!
//! **Invariant.**
//! - `slots <= N`. Bits from `slots` on are clear.
//! - A bit of `live` is set if and only if the slot has a value; of `taken`, if it is detached or
//!   retired. No slot has both. `holes` slots below `slots` have neither.
//! - No word below `lowest` has a hole.
//! - All zero is an empty book.

use core::ptr::NonNull;

use crate::raw::join::Words;
use crate::raw::occupancy::WORD;

/// The bits of at most `N` slots.
#[derive(Clone, Copy)]
pub(crate) struct Book<const N: usize> {
    slots: usize,
    holes: usize,
    detached: usize,
    retired: usize,
    lowest: usize,
    bits: Bits<N>,
}

/// The words of `live`, then those of `taken`: two bits a slot, in a byte a slot and 16, since the
/// length of an array cannot be computed from `N`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Bits<const N: usize> {
    head: [u64; 2],
    tail: [u8; N],
}

/// Which half of the bits.
#[derive(Clone, Copy)]
enum Half {
    Live = 0,
    Taken = 1,
}

impl<const N: usize> Book<N> {
    /// How many words half of the bits has.
    const WORDS: usize = N.div_ceil(WORD);

    pub(super) const fn new() -> Self {
        const { assert!(2 * Self::WORDS * 8 <= size_of::<Bits<N>>(), "the words fit") };
        let bits = Bits { head: [0; 2], tail: [0; N] };
        Self { slots: 0, holes: 0, detached: 0, retired: 0, lowest: 0, bits }
    }

    #[inline]
    pub(super) const fn slots(&self) -> usize {
        self.slots
    }

    #[inline]
    pub(super) const fn holes(&self) -> usize {
        self.holes
    }

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.slots - self.holes - self.detached - self.retired
    }

    pub(super) const fn detached(&self) -> usize {
        self.detached
    }

    pub(super) const fn retired(&self) -> usize {
        self.retired
    }

    /// How many words the slots in use have.
    #[inline]
    pub(super) const fn words(&self) -> usize {
        self.slots.div_ceil(WORD)
    }

    #[inline]
    fn word(&self, half: Half, word: usize) -> u64 {
        assert!(word < Self::WORDS);
        let first = (&raw const self.bits).cast::<u64>();
        // SAFETY: the words fit into the bits, which are aligned as their first field is.
        let word = unsafe { first.add(half as usize * Self::WORDS + word) };
        // SAFETY: all bits are initialised.
        unsafe { word.read() }
    }

    #[inline]
    fn word_mut(&mut self, half: Half, word: usize) -> &mut u64 {
        assert!(word < Self::WORDS);
        let first = (&raw mut self.bits).cast::<u64>();
        // SAFETY: the words fit into the bits, which are aligned as their first field is.
        let word = unsafe { first.add(half as usize * Self::WORDS + word) };
        // SAFETY: all bits are initialised, and borrowed as `self` is.
        unsafe { &mut *word }
    }

    /// Which slots are live, for a join: the words of `live` are the first of the bits.
    pub(super) fn live_words(&self) -> Words {
        let first = NonNull::from(&self.bits).cast::<u64>();
        let words = NonNull::slice_from_raw_parts(first, self.words());
        // SAFETY: the words fit into the bits, which are aligned as their first field is, initialised, and
        // borrowed as `self` is.
        Words::new(unsafe { words.as_ref() }, None, self.slots)
    }

    /// The live slots of a word, as bits.
    #[inline]
    pub(super) fn live_word(&self, word: usize) -> u64 {
        self.word(Half::Live, word)
    }

    #[inline]
    fn has(&self, half: Half, slot: usize) -> bool {
        slot < self.slots && self.word(half, slot / WORD) >> (slot % WORD) & 1 == 1
    }

    /// Whether the slot holds a value. Any number may be asked about.
    #[inline]
    pub(super) fn is_live(&self, slot: usize) -> bool {
        self.has(Half::Live, slot)
    }

    /// Whether the slot is detached or retired. Any number may be asked about.
    #[inline]
    pub(super) fn is_taken(&self, slot: usize) -> bool {
        self.has(Half::Taken, slot)
    }

    pub(super) fn is_hole(&self, slot: usize) -> bool {
        slot < self.slots && !self.is_live(slot) && !self.is_taken(slot)
    }

    /// The slot of the next insertion: the lowest free one. `None` where all are in use.
    #[inline]
    pub(super) fn next(&self) -> Option<usize> {
        if self.holes == 0 {
            return if self.slots < N { Some(self.slots) } else { None };
        }
        let mut word = self.lowest;
        loop {
            // Slots never used count as free here, but there is a hole below them.
            let free = !(self.word(Half::Live, word) | self.word(Half::Taken, word));
            if free != 0 {
                return Some(word * WORD + free.trailing_zeros() as usize);
            }
            word += 1;
        }
    }

    /// The free slot that [`next`](Self::next) answered is live.
    #[inline]
    pub(super) fn occupy(&mut self, slot: usize) {
        if slot == self.slots {
            self.slots += 1;
        } else {
            self.holes -= 1;
            self.lowest = slot / WORD;
        }
        *self.word_mut(Half::Live, slot / WORD) |= 1 << (slot % WORD);
    }

    /// The first slot never used is in use, as a detached one.
    pub(super) fn append_parked(&mut self) {
        let slot = self.slots;
        self.slots += 1;
        *self.word_mut(Half::Taken, slot / WORD) |= 1 << (slot % WORD);
        self.detached += 1;
    }

    /// A live slot is free.
    #[inline]
    pub(super) fn vacate(&mut self, slot: usize) {
        *self.word_mut(Half::Live, slot / WORD) &= !(1 << (slot % WORD));
        self.add_hole(slot);
    }

    #[inline]
    fn add_hole(&mut self, slot: usize) {
        self.lowest = if self.holes == 0 { slot / WORD } else { self.lowest.min(slot / WORD) };
        self.holes += 1;
    }

    /// A live slot loses its value, but is not free.
    pub(super) fn park(&mut self, slot: usize) {
        *self.word_mut(Half::Live, slot / WORD) &= !(1 << (slot % WORD));
        *self.word_mut(Half::Taken, slot / WORD) |= 1 << (slot % WORD);
        self.detached += 1;
    }

    fn untake(&mut self, slot: usize) {
        *self.word_mut(Half::Taken, slot / WORD) &= !(1 << (slot % WORD));
        self.detached -= 1;
    }

    /// A detached slot is live again.
    pub(super) fn unpark(&mut self, slot: usize) {
        self.untake(slot);
        *self.word_mut(Half::Live, slot / WORD) |= 1 << (slot % WORD);
    }

    /// A detached slot is free.
    pub(super) fn release(&mut self, slot: usize) {
        self.untake(slot);
        self.add_hole(slot);
    }

    /// A detached slot is never used again.
    pub(super) fn retire(&mut self) {
        self.detached -= 1;
        self.retired += 1;
    }

    /// The first live slot at or after `slot`.
    pub(crate) fn next_live(&self, slot: usize) -> Option<usize> {
        let mut mask = !0 << (slot % WORD);
        for word in slot / WORD..self.words() {
            let live = self.live_word(word) & mask;
            if live != 0 {
                return Some(word * WORD + live.trailing_zeros() as usize);
            }
            mask = !0;
        }
        None
    }

    /// The last live slot before `slot`.
    pub(crate) fn previous_live(&self, slot: usize) -> Option<usize> {
        let end = slot.min(self.slots);
        let mut mask = if end % WORD == 0 { !0 } else { !(!0 << (end % WORD)) };
        for word in (0..end.div_ceil(WORD)).rev() {
            let live = self.live_word(word) & mask;
            if live != 0 {
                return Some(word * WORD + live.ilog2() as usize);
            }
            mask = !0;
        }
        None
    }

    /// Panics where the book contradicts itself.
    pub(super) fn validate(&self) {
        assert!(self.slots <= N, "there are no more slots than room");
        let count = |is: fn(&Self, usize) -> bool| (0..self.slots).filter(|&s| is(self, s)).count();
        assert_eq!(count(Self::is_live), self.len(), "live slots are counted");
        assert_eq!(count(Self::is_taken), self.detached + self.retired, "taken ones are counted");
        assert_eq!(count(Self::is_hole), self.holes, "free ones are counted");
        let lowest = (0..self.slots).find(|&slot| self.is_hole(slot));
        assert!(lowest.is_none_or(|slot| slot / WORD >= self.lowest), "no hole is overlooked");
        for word in 0..Self::WORDS {
            let used = self.slots.saturating_sub(word * WORD);
            let unused = if used >= WORD { 0 } else { !0 << used };
            let (live, taken) = (self.live_word(word), self.word(Half::Taken, word));
            assert_eq!((live | taken) & unused, 0, "bits of unused slots are clear");
            assert_eq!(live & taken, 0, "no slot is live and taken");
        }
    }
}

/// A double-ended walk over live slots. It keeps no pointer: each step is told where the words are.
///
/// **Invariant.** While `left` is not zero, at least that many live slots lie in `mask` (of the word
/// before `front`) and the words from `front` on, and as many in `back_mask` and the words before
/// `back`: the same ones, counted from both ends.
#[derive(Clone)]
pub(super) struct Steps {
    front: usize,
    mask: u64,
    back: usize,
    back_mask: u64,
    left: usize,
}

impl Steps {
    pub(super) const fn over<const N: usize>(book: &Book<N>) -> Self {
        Self { front: 0, mask: 0, back: book.words(), back_mask: 0, left: book.len() }
    }

    pub(super) const fn none() -> Self {
        Self { front: 0, mask: 0, back: 0, back_mask: 0, left: 0 }
    }

    #[inline]
    pub(super) const fn left(&self) -> usize {
        self.left
    }

    #[inline]
    pub(super) fn next<const N: usize>(&mut self, book: &Book<N>) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        while self.mask == 0 {
            self.mask = book.live_word(self.front);
            self.front += 1;
        }
        let bit = self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        self.left -= 1;
        Some((self.front - 1) * WORD + bit)
    }

    #[inline]
    pub(super) fn next_back<const N: usize>(&mut self, book: &Book<N>) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        while self.back_mask == 0 {
            self.back -= 1;
            self.back_mask = book.live_word(self.back);
        }
        let bit = self.back_mask.ilog2() as usize;
        self.back_mask ^= 1 << bit;
        self.left -= 1;
        Some(self.back * WORD + bit)
    }

    /// All that is left, forwards.
    #[inline]
    pub(super) fn fold<B, const N: usize>(
        mut self,
        book: &Book<N>,
        init: B,
        mut f: impl FnMut(B, usize) -> B,
    ) -> B {
        let mut folded = init;
        while self.left > 0 {
            if self.mask == 0 {
                self.mask = book.live_word(self.front);
                self.front += 1;
            }
            let (first, count) = ((self.front - 1) * WORD, self.mask.count_ones() as usize);
            if self.mask == !0 && count <= self.left {
                // A plain loop, as over a slice.
                for slot in first..first + WORD {
                    folded = f(folded, slot);
                }
                self.left -= WORD;
                self.mask = 0;
                continue;
            }
            for _ in 0..count.min(self.left) {
                folded = f(folded, first + self.mask.trailing_zeros() as usize);
                self.mask &= self.mask - 1;
                self.left -= 1;
            }
        }
        folded
    }
}
