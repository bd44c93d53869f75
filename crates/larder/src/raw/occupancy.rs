//! Which slots are live, which are free, and which is taken next: one book for every container.
//!
//! One bit a slot, in 64-bit words: set is live. The free slots are that same book, there is no
//! free list: an insertion takes the lowest free bit of the *current word*; when that is full, the
//! lowest word that has room becomes current, of the same group of 64 words if one has. A removal from a full container makes its word
//! current. Two summaries have one bit a word: `room` (the word has free slots) and `present` (the
//! word may have live ones); a third, `groups_with_room`, has one bit for 64 words of `room`.
//!
//! The only hole of a full container, the *lone* hole, is kept as a number while its bit stays set:
//! so a program that removes one and inserts one, again and again, touches no word at all.
//!
//! **Invariant.**
//! - The book covers 64 slots with each of `words`; `slots`, the high-water mark, is at most that.
//!   The summaries, and whatever else there is, cover at least as much.
//! - A bit below `slots` is set if and only if the slot is live, or is the lone hole. The bits from
//!   `slots` on are all set: so appending a slot changes no word, and a word of all ones has no room.
//! - `next` is [`Next::Unusual`] while slots are taken or the order of reuse is not the packed one.
//!   Else it is [`Next::Fresh`] if there is no hole, and [`Next::Lone`] if `lone` is the only one and
//!   its bit is set.
//! - `holes` slots below `slots` are free. Each but a lone one is found through the `room` bit of its
//!   word, in a group (64 words), and that through the group's bit, in a word not below `lowest`. A
//!   word, and a group, may have a bit too many; whoever meets it takes it away. A group has its bit
//!   if a word of it has; only groups and words of the book have one.
//! - `current` is a word of the book while there are holes, else that or 0.
//! - Every word that has a live slot, and the word that `slots` lies within, has its `present` bit.
//! - A slot that is taken but has no value (detached, retired) has its bit in `taken`, and no
//!   other; `taken` exists once [`Occupancy::prepare_taken`] was called.
//! - With `Reuse::LastFreed` and `Reuse::Oldest` the holes are linked through `links`.
//!
//! Nothing here knows about values or generations, and every word is read and written by the
//! functions of this module and of [`walk`](crate::raw::walk) alone.

mod chosen;
mod cover;
mod side;
mod stretches;
mod summaries;
mod words;

use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::filled::Filled;
use crate::raw::join as joined;
use crate::raw::memory::Memory;
use crate::raw::walk::Walk;
use crate::stats::Reuse;
use side::Links;
pub(crate) use stretches::{Groups, Runs, low};
use words::Words;

/// How many slots a word of the book describes.
pub(crate) const WORD: usize = 64;

/// Where the next insertion finds its slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Above the high-water mark: there is no hole.
    Fresh,
    /// In the lone hole.
    Lone,
    /// In the lowest zero of the current word, or of the next word that has room.
    Lowest,
    /// Some slots are taken without a value, or the order of reuse is another: it must be asked.
    Unusual,
}

/// The book of a container's slots. (What insertions and removals read comes first.)
#[repr(C)]
pub(crate) struct Occupancy {
    slots: usize,
    holes: usize,
    lone: usize,
    /// The word that the next insertion looks at first.
    current: usize,
    /// No word of `groups_with_room` below this has a bit.
    lowest: usize,
    next: Next,
    reuse: Reuse,
    words: Words,
    taken: Filled<u64>,
    detached: usize,
    retired: usize,
    links: Links,
}

impl Occupancy {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self {
            words: Words::new(),
            slots: 0,
            holes: 0,
            lone: 0,
            current: 0,
            lowest: 0,
            next: if matches!(reuse, Reuse::Packed) { Next::Fresh } else { Next::Unusual },
            reuse,
            taken: Filled::new(),
            detached: 0,
            retired: 0,
            links: Links::new(),
        }
    }

    /// An empty book for the slots of a container in that memory.
    pub(crate) fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let taken = Filled::within(memory.scaled(|slots| slots.div_ceil(WORD)))?;
        let links = if reuse == Reuse::Packed { Links::new() } else { Links::within(memory)? };
        Ok(Self { words: Words::within(memory)?, taken, links, ..Self::new(reuse) })
    }

    /// Where a book of so many slots ends that begins after the address `at`, in lent memory.
    pub(crate) const fn end(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        let Some(at) = Buffer::<u64>::end(at, slots.div_ceil(WORD)) else { return None };
        let links = if matches!(reuse, Reuse::Packed) { 0 } else { slots.next_multiple_of(WORD) };
        let Some(at) = Buffer::<u32>::end(at, links) else { return None };
        Words::end(at, slots)
    }

    /// How many slots were ever in use: all below are live, free or taken, none above is.
    #[inline]
    pub(crate) const fn slots(&self) -> usize {
        self.slots
    }

    #[inline]
    pub(crate) const fn holes(&self) -> usize {
        self.holes
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.slots - self.holes - self.detached - self.retired
    }

    pub(crate) const fn detached(&self) -> usize {
        self.detached
    }

    pub(crate) const fn retired(&self) -> usize {
        self.retired
    }

    pub(crate) const fn reuse(&self) -> Reuse {
        self.reuse
    }

    pub(crate) fn space(&self) -> usize {
        self.words.space() + self.taken.space() + self.links.space()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.bytes() + self.taken.bytes() + self.links.bytes()
    }

    /// Whether the slot holds a value. Any number may be asked about.
    #[inline]
    pub(crate) fn is_live(&self, slot: usize) -> bool {
        // SAFETY: a slot below `slots` is covered by the book.
        slot < self.slots && unsafe { self.is_set(slot) } && self.lone() != Some(slot)
    }

    /// Whether the slot's bit is set: it is live, or the lone hole.
    ///
    /// # Safety
    /// `slot < slots`.
    #[inline]
    pub(crate) unsafe fn is_set(&self, slot: usize) -> bool {
        // SAFETY: by the contract.
        unsafe { self.words.word(slot / WORD) >> (slot % WORD) & 1 == 1 }
    }

    /// Whether the slot is detached or retired. Any number may be asked about.
    pub(crate) fn is_taken(&self, slot: usize) -> bool {
        slot < self.slots && self.taken_word(slot / WORD) >> (slot % WORD) & 1 == 1
    }

    /// Whether the slot is below the high-water mark and free.
    pub(crate) fn is_hole(&self, slot: usize) -> bool {
        slot < self.slots && !self.is_live(slot) && !self.is_taken(slot)
    }

    /// The live slots, in ascending order.
    ///
    /// # Safety
    /// While the walk is used, the book must live; no slot that the walk has yet to yield may stop
    /// being live (those that it has yielded may), and none may become live.
    #[inline]
    pub(crate) unsafe fn walk(&self) -> Walk {
        let summaries = self.words.summaries();
        // SAFETY: the words cover `slots` slots, whose bits say what is live, but for the lone hole.
        unsafe { Walk::new(self.words.start(), summaries, self.slots, self.len(), self.lone()) }
    }

    /// Which slots are live, for a join.
    pub(crate) fn live_words(&self) -> joined::Words {
        let [words, _, _] = self.words.parts();
        joined::Words::new(words, Some(self.words.summaries()), self.slots, self.lone())
    }

    /// The live slots of one word, as bits.
    ///
    /// # Safety
    /// `word * WORD < slots`.
    #[inline]
    pub(crate) unsafe fn live_word(&self, word: usize) -> u64 {
        let rest = self.slots - word * WORD;
        let mut mask = if rest < WORD { (1 << rest) - 1 } else { !0 };
        if let Some(lone) = self.lone().filter(|lone| lone / WORD == word) {
            mask &= !(1 << (lone % WORD));
        }
        // SAFETY: the word lies below `slots`.
        unsafe { self.words.word(word) & mask }
    }

    /// The first live slot at or after `slot`.
    pub(crate) fn next_live(&self, slot: usize) -> Option<usize> {
        let mut word = slot / WORD;
        let mut mask = !0 << (slot % WORD);
        while word * WORD < self.slots {
            if word % WORD == 0 && self.is_group_empty(word / WORD) {
                word += WORD;
                mask = !0;
                continue;
            }
            // SAFETY: checked by the loop.
            let live = unsafe { self.live_word(word) } & mask;
            if live != 0 {
                return Some(word * WORD + live.trailing_zeros() as usize);
            }
            mask = !0;
            word += 1;
        }
        None
    }

    /// The last live slot before `slot`.
    pub(crate) fn previous_live(&self, slot: usize) -> Option<usize> {
        let end = slot.min(self.slots);
        let mut word = end / WORD;
        let mut mask = (1 << (end % WORD)) - 1;
        loop {
            // SAFETY: the word is only looked at where it begins below `slots`.
            let live = if mask == 0 { 0 } else { mask & unsafe { self.live_word(word) } };
            if live != 0 {
                return Some(word * WORD + live.ilog2() as usize);
            }
            mask = !0;
            word = word.checked_sub(1)?;
            // From the end of a group: is there anything in it?
            while word % WORD == WORD - 1 && self.is_group_empty(word / WORD) {
                word = word.checked_sub(WORD)?;
            }
        }
    }

    /// Takes the first slot above the high-water mark; it is live.
    ///
    /// # Safety
    /// The book must cover `slots() + 1` slots.
    #[inline(always)]
    pub(crate) unsafe fn append(&mut self) -> usize {
        let slot = self.slots;
        self.slots += 1;
        if slot % WORD == 0 {
            // SAFETY: the caller covers the slot. Its bit is set already.
            unsafe { *self.words.present_mut(slot / WORD / WORD) |= 1 << (slot / WORD % WORD) };
        }
        slot
    }

    /// Takes `count` slots above the high-water mark; they are live.
    ///
    /// # Safety
    /// The book must cover `slots() + count` slots.
    pub(crate) unsafe fn append_many(&mut self, count: usize) {
        let first = self.slots.div_ceil(WORD);
        self.slots += count;
        for word in first..self.slots.div_ceil(WORD) {
            // SAFETY: the caller covers the word.
            unsafe { *self.words.present_mut(word / WORD) |= 1 << (word % WORD) };
        }
    }

    #[inline(always)]
    pub(crate) fn next(&self) -> Next {
        self.next
    }

    /// The lone hole.
    #[inline(always)]
    pub(crate) fn lone(&self) -> Option<usize> {
        if self.next == Next::Lone { Some(self.lone) } else { None }
    }

    /// The slot that is the lone hole while there is one.
    #[inline(always)]
    pub(crate) fn lone_slot(&self) -> usize {
        self.lone
    }

    /// Takes the lone hole; it is live.
    ///
    /// # Safety
    /// There is one.
    #[inline(always)]
    pub(crate) unsafe fn fill_lone(&mut self) {
        self.holes = 0;
        self.next = Next::Fresh;
    }

    /// Makes a lone hole one like any other.
    #[inline]
    pub(crate) fn settle_lone(&mut self) {
        if self.next == Next::Lone {
            (self.holes, self.next) = (0, Next::Fresh);
            // SAFETY: a hole is below `slots`.
            unsafe { self.set_dead(self.lone) };
            // SAFETY: as above.
            unsafe { self.add_hole(self.lone) };
        }
    }

    /// The free slot that the next insertion takes. Asking changes nothing that can be seen.
    ///
    /// # Safety
    /// `next()` is [`Next::Lowest`].
    #[inline(always)]
    pub(crate) unsafe fn hole(&mut self) -> usize {
        // SAFETY: `current` is a word of the book, as there are holes at all.
        let mut word = unsafe { self.words.word(self.current) };
        while word == !0 {
            // SAFETY: the caller says that there is a hole.
            word = unsafe { self.next_word() };
        }
        self.current * WORD + word.trailing_ones() as usize
    }

    /// Takes the free slot that [`hole`](Self::hole) just answered; it is live.
    ///
    /// It is the lowest zero of the current word, and need not be numbered to be set: in churn the
    /// next removal may need this word at once.
    ///
    /// # Safety
    /// `hole` was just called.
    #[inline(always)]
    pub(crate) unsafe fn fill(&mut self) {
        let many = self.holes > self.slots / 8;
        self.holes -= 1;
        let word = self.current;
        // SAFETY: the hole lies in the current word, which is covered.
        let bits = unsafe { self.words.word_mut(word) };
        let before = *bits;
        let after = before | before.wrapping_add(1);
        *bits = after;
        if before == 0 {
            // SAFETY: as above.
            unsafe { *self.words.present_mut(word / WORD) |= 1 << (word % WORD) };
        }
        // Where holes are many, a word is seldom full, and the branch of `hole` is well foretold.
        if !many {
            // SAFETY: as above.
            unsafe { self.advance(after == !0) };
        }
        if self.holes == 0 {
            self.next = Next::Fresh;
        }
    }

    /// A live slot becomes free. Until something else is done with it, it may be the lone hole.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    pub(crate) unsafe fn vacate(&mut self, slot: usize) {
        if self.next == Next::Lowest {
            self.holes += 1;
            // SAFETY: by the contract.
            unsafe { self.clear(slot) };
        } else if self.next == Next::Fresh {
            (self.lone, self.holes, self.next) = (slot, 1, Next::Lone);
        } else {
            // SAFETY: by the contract.
            unsafe { self.vacate_specially(slot) };
        }
    }

    /// Clears the bit of a slot that becomes a hole, and notes that its word has room: whether that
    /// was noted already is not asked, as no branch could be told in advance.
    ///
    /// (Both places are found before either is written: the compiler need not look twice.)
    ///
    /// # Safety
    /// `slot < slots`.
    #[inline(always)]
    unsafe fn clear(&mut self, slot: usize) {
        let word = slot / WORD;
        // SAFETY: the caller's slot is covered by a word.
        let bits = unsafe { self.words.word_at(word) };
        // SAFETY: as above.
        let room = unsafe { self.words.room_at(word / WORD) };
        // SAFETY: the words and summaries are initialised, and no reference to them exists.
        let left = unsafe { bits.read() } & !(1 << (slot % WORD));
        // SAFETY: as above.
        let before = unsafe { room.read() };
        // SAFETY: as above.
        unsafe { bits.write(left) };
        // SAFETY: as above.
        unsafe { room.write(before | 1 << (word % WORD)) };
        if left == 0 || before == 0 {
            // SAFETY: by the contract.
            unsafe { self.note_extremes(word) };
        }
    }

    /// As [`vacate`](Self::vacate), but the slot's bit is cleared in any case.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    pub(crate) unsafe fn vacate_at_once(&mut self, slot: usize) {
        if self.next == Next::Fresh {
            // SAFETY: by the contract.
            unsafe { self.vacate_specially(slot) };
        } else {
            // SAFETY: by the contract.
            unsafe { self.vacate(slot) };
        }
    }

    /// # Safety
    /// The slot is live.
    #[cold]
    #[inline(never)]
    unsafe fn vacate_specially(&mut self, slot: usize) {
        self.settle_lone();
        // SAFETY: a live slot is below `slots`.
        unsafe { self.set_dead(slot) };
        // SAFETY: by the contract.
        unsafe { self.add_hole(slot) };
    }

    /// The live slots of `word` that are set in `dead` become free, in ascending order.
    ///
    /// # Safety
    /// All of them are live.
    pub(crate) unsafe fn vacate_word(&mut self, word: usize, dead: u64) {
        if dead == 0 {
            return;
        }
        self.settle_lone();
        if self.reuse != Reuse::Packed {
            for slot in crate::raw::walk::bits(dead) {
                // SAFETY: the caller says that it is live.
                unsafe { self.vacate(word * WORD + slot) };
            }
            return;
        }
        if self.holes == 0 {
            self.make_current(word);
        }
        self.holes += dead.count_ones() as usize;
        self.choose_next();
        let bit = 1 << (word % WORD);
        // SAFETY: a word with a live slot is covered.
        let left = unsafe { self.words.word(word) } & !dead;
        // SAFETY: as above.
        unsafe { *self.words.word_mut(word) = left };
        // SAFETY: as above.
        unsafe { self.note_room(word) };
        if left == 0 {
            // SAFETY: as above.
            unsafe { *self.words.present_mut(word / WORD) &= !bit };
        }
    }

    /// Notes that the slot, which is neither live nor taken, is free.
    ///
    /// # Safety
    /// `slot < slots`.
    #[inline(always)]
    unsafe fn add_hole(&mut self, slot: usize) {
        let word = slot / WORD;
        if self.holes == 0 {
            self.make_current(word);
        }
        // SAFETY: the caller's slot is covered.
        unsafe { self.note_room(word) };
        self.holes += 1;
        if self.next == Next::Fresh {
            self.next = Next::Lowest;
        }
        self.link_last(slot);
    }

    /// # Safety
    /// `slot < slots`.
    #[inline(always)]
    unsafe fn set_live(&mut self, slot: usize) {
        let word = slot / WORD;
        // SAFETY: the caller's slot is covered.
        let bits = unsafe { self.words.word_mut(word) };
        let before = *bits;
        *bits = before | 1 << (slot % WORD);
        if before == 0 {
            // SAFETY: as above.
            unsafe { *self.words.present_mut(word / WORD) |= 1 << (word % WORD) };
        }
    }

    /// Clears the slot's bit.
    ///
    /// # Safety
    /// `slot < slots`.
    #[inline(always)]
    unsafe fn set_dead(&mut self, slot: usize) {
        let word = slot / WORD;
        // SAFETY: the caller's slot is covered.
        let bits = unsafe { self.words.word_mut(word) };
        let left = *bits & !(1 << (slot % WORD));
        *bits = left;
        if left == 0 {
            // SAFETY: as above.
            unsafe { *self.words.present_mut(word / WORD) &= !(1 << (word % WORD)) };
        }
    }
}
