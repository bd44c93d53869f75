//! The book of slots, one for every container: it knows which are live, which are free, and which is taken next.
//!
//! One bit a slot, in 64-bit words: set is live. The free slots are that same book, there is no free
//! list. The slots that were freed last are *at hand*, too, from where insertions take them first, the
//! last one first. When none is at hand, a search through the words takes some to hand; when too many
//! are, they are put back, which is to note where there are holes ([`search`]). So a removal, and an
//! insertion after it, touch one word and the hand.
//!
//! Three summaries make searches and walks pass over words: `present` has a bit for each word (it has
//! a set bit, or had one lately), `crowds` a bit for each 64 words (`present` has a bit for one of them),
//! and `room` a byte for each *span* of 16 words (one of them may have a hole).
//!
//! **Invariant.**
//! - The book covers 64 slots with each of `words`; `slots`, the high-water mark, is at most that.
//!   The summaries, and whatever else there is, cover at least as much.
//! - A bit below `slots` is set if and only if the slot is live. The bits from `slots` on are all set:
//!   so appending a slot changes no word, and a word of all ones has no hole.
//! - A word that is not zero has its `present` bit, and so has the word of a slot at hand; no other has. In a book of at
//!   most 64 words all have it, since there the words themselves are asked. A group of words has its `crowds` bit if
//!   and only if its `present` is not zero.
//! - The slots at hand are holes, each once. With [`Reuse::Fifo`] there are none.
//! - `stored` holes are not at hand. With `Reuse::Packed` the span of each is noted in `room`, and is not
//!   below `lowest`; a span may be noted without a hole, and is cleared lazily. Otherwise they are
//!   in the list of the `freed`: with [`Reuse::Lifo`] those at hand were freed later, and are taken first.
//! - A slot that is taken but has no value (detached, retired) has its bit in `taken`, and no
//!   other; `taken` exists once [`Occupancy::prepare_taken`] was called ([`rare`]).
//!
//! The order of the next slots follows from `slots`, the bits, `taken`, the slots at hand and `cursor` alone,
//! since a container that was saved has these and no more: the summaries, and how much room there is
//! for slots at hand, only make finding them quick.
//!
//! Nothing here knows about values or generations, and every word is read and written by the
//! functions of this module and of [`walk`](crate::raw::walk) alone.

mod cold;
mod rare;
mod search;
mod stretches;
mod words;

use core::mem::ManuallyDrop;
use core::ops::Range;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::bits::{LiveWords, WORD, bits, low};
use crate::memory::block::{Block, BlockLayout};
use crate::memory::buffer::Buffer;
use crate::memory::cold_path;
use crate::memory::source::Memory;
use crate::memory::storage::Room;
use crate::raw::book::Book;
use crate::raw::walk::Walk;
use crate::stats::Reuse;
use rare::Lazy;
pub(crate) use search::{FOUND, next_bit};
pub(crate) use stretches::{Groups, Runs};
use words::{BETWEEN, Words, largest_hand};

/// No slot.
const NONE: u32 = u32::MAX;

/// The number of words in a span.
const SPAN: usize = 16;

/// The book of a container's slots. (What insertions and removals read comes first.)
#[repr(C)]
pub struct Occupancy {
    slots: u32,
    /// The number of holes that are not at hand.
    stored: u32,
    words: Words,
    rare: Lazy,
}

impl Occupancy {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self { slots: 0, stored: 0, words: Words::new(reuse), rare: Lazy::new() }
    }

    /// An empty book for the slots of a container in that memory.
    #[inline]
    pub(crate) fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let rare = Lazy::within(reuse, memory)?;
        let words = Words::within(reuse, memory, &rare.in_place);
        Ok(Self { words, rare, ..Self::new(reuse) })
    }

    /// Returns the end of a book of `slots` slots that begins after the address `at`, in lent memory.
    /// (Its blocks are of whole numbers, so nothing lies between them.)
    pub(crate) const fn end(at: usize, slots: usize, reuse: Reuse) -> Option<usize> {
        let words = slots.div_ceil(WORD);
        if words == 0 {
            return Some(at);
        }
        let numbers = Lazy::numbers_for(words, reuse) + Words::numbers_for(words, reuse);
        Buffer::<u64>::end(at, numbers)
    }

    /// Returns the number of slots that are live.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        let valueless = self.rare.get().valueless as usize;
        self.slots as usize - self.stored as usize - self.words.held() - valueless
    }

    /// Returns the number of slots that are at hand.
    #[cfg(any(test, feature = "__test"))]
    pub(crate) const fn held(&self) -> usize {
        self.words.held()
    }

    /// A range that contains all live slots, the words from its start on that have one, as bits, if
    /// the book has at most 64 (the range then starts at 0), and the summary of words that are present, if not: what is
    /// empty is passed over here, since a walk does not have all the summaries, and the one it has knows a word as
    /// present while one of its slots is at hand.
    #[cold]
    #[inline(never)]
    fn live_range(&self) -> (Range<usize>, u64, Option<NonNull<u64>>) {
        let words = &self.words.words()[..self.slots().div_ceil(WORD)];
        if words.len() <= WORD {
            let mut present = 0;
            for &word in words.iter().rev() {
                present = present << 1 | u64::from(word != 0);
            }
            let end = (WORD - present.leading_zeros() as usize) * WORD;
            return (0..end.min(self.slots()), present, None);
        }
        let ends = self.next_live(0).zip(self.previous_live(self.slots()));
        debug_assert_eq!(ends.is_some(), self.len() > 0, "what is live is found");
        let summary = NonNull::from(self.words.parts().present).cast();
        (ends.map_or(0..0, |(first, last)| first..last + 1), 0, Some(summary))
    }

    /// The first live slot at or after `slot`.
    pub(crate) fn next_live(&self, slot: usize) -> Option<usize> {
        let mut word = slot / WORD;
        let mut mask = !0 << (slot % WORD);
        while word * WORD < self.slots() {
            let live = self.live_word(word) & mask;
            if live != 0 {
                return Some(word * WORD + live.trailing_zeros() as usize);
            }
            mask = !0;
            word = self.next_present(word + 1)?;
        }
        None
    }

    /// The last live slot before `slot`.
    pub(crate) fn previous_live(&self, slot: usize) -> Option<usize> {
        let end = slot.min(self.slots());
        let mut word = end / WORD;
        let mut mask = (1 << (end % WORD)) - 1;
        loop {
            let live = self.live_word(word) & mask;
            if live != 0 {
                return Some(word * WORD + live.ilog2() as usize);
            }
            mask = !0;
            word = self.previous_present(word)?;
        }
    }

    /// Makes room in a hand that holds one too many: twice as much of it, up to a share of all slots; then it goes
    /// back into the book.
    fn settle_hand(&mut self) {
        match self.reuse() {
            Reuse::Fifo => self.put_one_back(),
            // (Not what there is room for, which a copy may have less of.)
            _ if self.words.hand() < largest_hand(self.slots() / WORD) => self.words.enlarge_hand(),
            _ => self.put_all_back(),
        }
    }

    /// Sets the bit of a slot in use that is not at hand.
    fn set_live(&mut self, slot: usize) {
        let (word, words) = (slot / WORD, self.words.words_mut());
        let was_zero = words[word] == 0;
        words[word] |= 1 << (slot % WORD);
        if was_zero {
            self.words.note_present(word, true);
        }
    }

    /// Bits of a word were cleared, and their slots are not at hand: the word may have to be forgotten.
    fn note_cleared(&mut self, word: usize) {
        if self.words.words()[word] == 0 {
            // (Another of its slots may be at hand.)
            self.put_all_back();
            self.words.note_present(word, false);
        }
    }

    /// A live slot loses its value, but is not free.
    fn park_live(&mut self, slot: usize) {
        self.words.words_mut()[slot / WORD] &= !(1 << (slot % WORD));
        self.note_cleared(slot / WORD);
        self.rare.expect().take(slot);
    }

    /// Notes that the span of a word has a hole.
    fn note_room(&mut self, word: usize) {
        let span = word / SPAN;
        self.words.parts_mut().room[span] = 1;
        if let Some(head) = self.words.head_mut() {
            head.lowest = head.lowest.min(span as u32);
        }
    }
}

/// A book of few slots lies in the elements' own block, so that a small container needs one block. (Out of
/// line, and compiled once for all element types.)
#[inline(never)]
fn resize_slots(
    block: &mut Block,
    layout: BlockLayout,
    capacity: usize,
    book: &mut Occupancy,
) -> Result<(), TryReserveError> {
    // (There can be a tail if elements lie side by side, and have a size.)
    let can_have_tail = matches!(layout, BlockLayout::Whole { size: 1.., .. });
    if block.grows_in_place() || !can_have_tail || !book.can_be_moved(capacity) {
        layout.check(capacity)?;
        book.cover(capacity)?;
        return block.resize(layout, capacity);
    }
    if capacity == 0 {
        book.uncover();
        return block.resize(layout, 0);
    }
    // SAFETY: (1) just checked; (2) a block with a tail is resized here only, so with the book.
    unsafe { book.move_to(capacity, |numbers| block.resize_with_tail(layout, capacity, numbers)) }
}

/// Fields that fit into a register.
struct WordsFields {
    count: u32,
    floor: i16,
    flags: u8,
    place: words::WordsPlace,
}

/// Does the work of [`Book::settle`], given the fields of a book. Returns the new `top`, and `floor`, `flags` and
/// `stored`.
#[cold]
#[inline(never)]
fn settle(
    start: NonNull<u64>,
    top: isize,
    WordsFields { count, floor, flags, place }: WordsFields,
    retired: u32,
    [slots, stored]: [u32; 2],
    rare: NonNull<rare::Rare>,
) -> (isize, u64) {
    let words = Words { top, start, count, floor, flags, place };
    // (The block is the book's.)
    let mut book = ManuallyDrop::new(Occupancy { slots, stored, words, rare: Lazy(rare) });
    if retired == NONE {
        book.settle_hand();
    } else {
        book.park_live(retired as usize);
        book.retire();
    }
    let Words { top, floor, flags, .. } = book.words;
    let others = u64::from(flags) << 16 | u64::from(floor as u16);
    (top, u64::from(book.stored) << 32 | others)
}

// SAFETY: by the invariant a bit below `slots` says whether the slot is live, `taken` whether it
// has no value, and holes are what is left.
unsafe impl Book for Occupancy {
    const EMPTY: Self = Self::new(Reuse::Packed);

    fn resize_layout(
        &mut self,
        layout: &mut impl Room,
        capacity: usize,
    ) -> Result<(), TryReserveError> {
        assert!(capacity >= self.slots(), "no slot in use is cut off");
        // SAFETY: (1) it is resized with its layout, (2) to no fewer than are in use, as was just checked.
        if let Some((block, of)) = unsafe { layout.block_with_tail() } {
            return resize_slots(block, of, capacity, self);
        }
        layout.check(capacity)?;
        self.cover(layout.covering(capacity, self.covered()))?;
        layout.resize(capacity)
    }

    #[inline]
    fn slots(&self) -> usize {
        self.slots as usize
    }

    #[inline]
    fn holes(&self) -> usize {
        self.stored as usize + self.words.held()
    }

    #[inline(always)]
    fn has(&self, slot: u32) -> bool {
        slot < self.slots
    }

    #[inline(always)]
    fn has_holes(&self) -> bool {
        self.words.held() != 0 || self.stored != 0
    }

    #[inline(always)]
    fn has_stored(&self) -> bool {
        self.stored != 0
    }

    #[inline]
    fn detached(&self) -> usize {
        (self.rare.valueless - self.rare.retired) as usize
    }

    #[inline]
    fn retired(&self) -> usize {
        self.rare.retired as usize
    }

    #[inline]
    fn is_live(&self, slot: usize) -> bool {
        let word = self.words.words().get(slot / WORD);
        slot < self.slots() && word.is_some_and(|word| word >> (slot % WORD) & 1 == 1)
    }

    fn next_live(&self, slot: usize) -> Option<usize> {
        Self::next_live(self, slot)
    }

    #[inline]
    unsafe fn is_set(&self, slot: usize) -> bool {
        // SAFETY: the slot is below `slots`, all of which have their word.
        unsafe { self.words.word(slot / WORD) >> (slot % WORD) & 1 == 1 }
    }

    fn is_taken(&self, slot: usize) -> bool {
        // (None from `slots` on is.)
        self.taken_word(slot / WORD) >> (slot % WORD) & 1 == 1
    }

    #[inline]
    fn live_word(&self, word: usize) -> u64 {
        if word >= self.slots().div_ceil(WORD) {
            return 0;
        }
        let rest = self.slots() - word * WORD;
        let mask = if rest < WORD { (1 << rest) - 1 } else { !0 };
        // SAFETY: the word begins below `slots`, as was just checked, and the
        // words cover all slots.
        unsafe { self.words.word(word) & mask }
    }

    #[inline]
    fn live_words(&self) -> LiveWords<'_> {
        let parts = self.words.parts();
        let present = (!self.words.are_few()).then_some(parts.present);
        LiveWords::new(parts.words, present, self.slots())
    }

    #[inline]
    unsafe fn walk(&self) -> Walk {
        // (If no word is zero, there is nothing that a summary could pass over.)
        let (range, present, summary) =
            if self.words.has_zeros() { self.live_range() } else { (0..self.slots(), !0, None) };
        // SAFETY: (1) the words cover `slots` slots, whose bits say what is live; (2) the caller
        // clears no others; (3, 4) the summary, and `present`, are those of the words.
        unsafe { Walk::new(self.words.start(), summary, range, present, self.len()) }
    }

    #[inline(always)]
    fn at_hand(&self) -> Option<usize> {
        // (Never less. With `==` the compiler lays this path out behind a jump, which each
        // insertion took: 1.04 of SlotMap's time per event of a recording, and 1.01 so.)
        if self.words.top as i16 > self.words.floor {
            let last = self.words.top - 1 - BETWEEN;
            // SAFETY: before `top` lies a slot at hand.
            return Some(unsafe { self.words.start.cast::<u32>().offset(last).read() } as usize);
        }
        None
    }

    #[inline(always)]
    unsafe fn take_at_hand(&mut self, slot: usize) {
        self.words.top -= 1;
        // SAFETY: a hole is below `slots`, all of which have their word, and the word is present.
        unsafe { *self.words.start.add(slot / WORD).as_mut() |= 1 << (slot % WORD) };
    }

    #[inline]
    fn fetch(&mut self) {
        if self.words.held() == 0 && self.stored > 0 {
            match self.reuse() {
                Reuse::Packed => self.search(),
                Reuse::Lifo => self.fetch_last(),
                Reuse::Fifo => {}
            }
        }
    }

    fn hole(&self) -> usize {
        self.at_hand().unwrap_or_else(|| match self.reuse() {
            Reuse::Packed => self.first_found(),
            reuse => self.rare.freed.iter(reuse).next().expect("there is a hole") as usize,
        })
    }

    unsafe fn fill(&mut self, slot: usize) {
        self.fetch();
        debug_assert_eq!(self.hole(), slot, "the hole that was asked for");
        if self.reuse() != Reuse::Fifo {
            // SAFETY: the book answered the slot, which is taken to hand last,
            // so that it is next.
            return unsafe { self.take_at_hand(slot) };
        }
        self.rare.expect().freed.pop_first();
        self.stored -= 1;
        self.set_live(slot);
    }

    #[inline(always)]
    unsafe fn append_many(&mut self, count: usize) {
        self.slots += count as u32;
    }

    #[inline(always)]
    unsafe fn free(&mut self, slot: usize) -> bool {
        let words = &mut self.words;
        // (Kept, since the compiler believes that what is written may be where `start` lies.)
        let start = words.start;
        // SAFETY: a live slot is below `slots`, all of which have their word; and since `top` is negative, there
        // is room for a slot more.
        unsafe {
            let word = start.add(slot / WORD).as_mut();
            *word &= !(1 << (slot % WORD));
            if *word == 0 {
                cold_path();
                words.flags |= Words::AT_HAND;
            }
            start.cast::<u32>().offset(words.top - BETWEEN).write(slot as u32);
        }
        words.top += 1;
        words.top == 0
    }

    /// It is done with copies of the fields. Given the book itself, a call would have the compiler believe that what is
    /// written to the block may be one of the fields, and load all of them anew for each removal of a loop.
    #[inline(always)]
    unsafe fn settle(&mut self, retired: Option<usize>) {
        let Words { top, start, count, floor, flags, place } = self.words;
        let shape = WordsFields { count, floor, flags, place };
        // SAFETY: it begins with two of them. (Read one by one, `slots` would take a register in each loop.)
        let counts = unsafe { (&raw const *self).cast::<[u32; 2]>().read() };
        let retired = retired.map_or(NONE, |slot| slot as u32);
        let (top, others) = settle(start, top, shape, retired, counts, self.rare.0);
        self.words.top = top;
        (self.words.floor, self.words.flags) = (others as i16, (others >> 16) as u8);
        self.stored = (others >> 32) as u32;
    }

    unsafe fn vacate_word(&mut self, word: usize, dead: u64) {
        if dead == 0 {
            return;
        }
        self.words.words_mut()[word] &= !dead;
        self.note_cleared(word);
        if self.reuse() == Reuse::Packed {
            self.note_room(word);
        } else {
            self.put_all_back();
            let freed = &mut self.rare.expect().freed;
            bits(dead).for_each(|bit| freed.push(word * WORD + bit));
        }
        self.stored += dead.count_ones();
    }

    fn prepare_taken(&mut self) -> Result<(), TryReserveError> {
        let words = self.words.len();
        if words == 0 || !self.rare.taken.is_empty() {
            return Ok(());
        }
        self.rare.make()?.taken.resize(words, 0)
    }

    unsafe fn park(&mut self, slot: usize) {
        self.park_live(slot);
    }

    #[inline]
    unsafe fn unpark(&mut self, slot: usize) {
        self.rare.expect().untake(slot);
        self.set_live(slot);
    }

    #[inline]
    unsafe fn release(&mut self, slot: usize) {
        // SAFETY: to unpark: the slot is detached. To vacate: it is live since.
        unsafe {
            self.unpark(slot);
            self.vacate(slot);
        }
    }

    fn retire(&mut self) {
        self.rare.expect().retired += 1;
    }

    #[inline(always)]
    fn reuse(&self) -> Reuse {
        self.words.reuse()
    }

    #[cfg(feature = "reserved")]
    fn reserved(&self) -> usize {
        self.rare.reserved as usize
    }

    fn vacate_all(&mut self) {
        self.vacate_all();
    }

    #[inline]
    fn copied(&self, capacity: usize, fixed: bool) -> Result<Self, TryReserveError> {
        let mut copy = self.try_clone()?;
        copy.cover(capacity)?;
        if fixed {
            copy.prepare_taken()?;
        }
        Ok(copy)
    }

    fn memory(&self) -> Option<Extent> {
        let bytes = self.words.bytes();
        Some(Extent { bytes, space: bytes } + self.rare.memory(self.words.len()))
    }

    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    #[inline]
    fn validate(&self) {
        self.validate();
    }
}

#[cfg(test)]
mod tests {
    //! The book as a whole: what it covers, which orders it takes over, and what its check notices.

    use crate::memory::Extent;
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::panic::AssertUnwindSafe;
    use core::ptr::NonNull;
    use std::panic::catch_unwind;

    use super::{Memory, Occupancy, SPAN, WORD, largest_hand, low};
    use crate::raw::book::Book;
    use crate::stats::Reuse;

    /// A book of `slots` slots, all live.
    pub(super) fn full(slots: usize) -> Occupancy {
        let mut book = Occupancy::new(Reuse::Packed);
        book.cover(slots).expect("there is memory");
        // SAFETY: that many are covered.
        unsafe { book.append_many(slots) };
        book
    }

    /// The live slots, in ascending order.
    pub(super) fn live(book: &Occupancy) -> impl DoubleEndedIterator<Item = usize> {
        // SAFETY: (1, 2) the book, which is borrowed as long as what comes of it, lives
        // and does not change.
        unsafe { book.walk() }
    }

    /// Frees these slots, one after the other.
    pub(super) fn vacate(book: &mut Occupancy, slots: impl IntoIterator<Item = usize>) {
        for slot in slots {
            assert!(book.is_live(slot), "slot {slot} is live");
            // SAFETY: just checked.
            unsafe { book.vacate(slot) };
        }
    }

    /// Frees these slots of a word at once.
    pub(super) fn vacate_bits(book: &mut Occupancy, word: usize, dead: u64) {
        assert_eq!(book.live_word(word) & dead, dead, "slots of word {word} are live");
        // SAFETY: just checked.
        unsafe { book.vacate_word(word, dead) };
    }

    /// Frees the slots of these words.
    pub(super) fn vacate_words(book: &mut Occupancy, words: impl IntoIterator<Item = usize>) {
        for word in words {
            vacate_bits(book, word, book.live_word(word));
        }
    }

    /// A book of up to 1,024 slots, and no other, lies in the slots' own block, as `storage` says.
    #[test]
    fn a_small_book_may_lie_in_memory_of_another_owner_and_forgets_it() {
        const MOST: usize = SPAN * WORD;
        let mut book = Occupancy::new(Reuse::Packed);
        let may = |book: &Occupancy| [1, 80, MOST, MOST + 1].map(|slots| book.can_be_moved(slots));
        assert_eq!((may(&book), book.covered()), ([true, true, true, false], 0));
        let mut tail = [0_u64; 64];
        // SAFETY: (1) it has no slots yet; (2) the array is not used until the book has left it.
        unsafe { book.move_to(130, |_| Ok(NonNull::from(&mut tail).cast())) }.expect("it fits");
        assert_eq!((may(&book), book.covered()), ([true, true, true, false], 192));
        book.uncover();
        assert_eq!(
            (may(&book), book.covered(), book.memory()),
            ([true, true, true, false], 0, Some(Extent::default()))
        );
        book.validate();
        assert_eq!(may(&full(1)), [false; 4], "it has memory of its own");
    }

    #[test]
    #[cfg(feature = "alloc")]
    fn a_book_that_forgets_its_memory_knows_which_it_wants() {
        for huge in [false, true] {
            let book = Occupancy::within(Reuse::Packed, Memory::Heap { huge });
            let mut book = book.expect("no memory is asked for");
            assert_eq!(book.words.wants_huge(), huge);
            book.uncover();
            assert_eq!(book.words.wants_huge(), huge);
        }
    }

    /// Slots that were cut off are in no summary.
    #[test]
    fn nothing_is_found_beyond_the_end_of_a_book_that_shrank() {
        const GROUP: usize = WORD * WORD;
        let mut book = full(3 * GROUP);
        vacate_words(&mut book, 60..3 * WORD);
        // SAFETY: what was freed reaches to the end.
        unsafe { book.truncate(GROUP) };
        book.shrink(GROUP);
        assert_eq!((book.covered(), book.next_live(60 * WORD)), (GROUP, None));
        assert_eq!(book.previous_live(GROUP), Some(60 * WORD - 1));
        book.validate();
        book.cover(2 * GROUP).expect("there is memory");
        book.validate();
    }

    /// The summary of few words says nothing, so it is made when there are more, on the heap and in place.
    #[test]
    fn words_are_summarised_once_they_are_more_than_a_few() {
        const FEW: usize = WORD * WORD;
        let memories = [
            Memory::Heap { huge: false },
            #[cfg(all(feature = "reserved", not(miri)))]
            Memory::Reserved { max: 4 * FEW, huge: false, ahead: false },
        ];
        for memory in memories {
            let mut book = Occupancy::within(Reuse::Packed, memory).expect("there is memory");
            book.cover(FEW).expect("there is memory");
            // SAFETY: that many are covered.
            unsafe { book.append_many(FEW) };
            vacate_words(&mut book, [0, 3, 40, 63]);
            // The last of a word are at hand.
            vacate_bits(&mut book, 7, low(32));
            vacate(&mut book, 7 * WORD + 32..8 * WORD);
            for covered in [2 * FEW, FEW, FEW + 1, FEW] {
                let before: Vec<usize> = live(&book).collect();
                book.cover(covered).expect("there is memory");
                book.shrink(covered);
                book.validate();
                assert!(live(&book).eq(before), "{covered} slots are covered");
                assert_eq!(book.words.are_few(), covered <= FEW);
                let absent = [0, 3, 7, 40, 63].map(|word| book.live_words().present(0) >> word & 1);
                assert_eq!(absent, if covered > FEW { [0, 0, 1, 0, 0] } else { [1; 5] });
            }
        }
    }

    /// A file may say that more is at hand than there is room for.
    #[test]
    #[cfg(feature = "alloc")]
    fn an_order_of_more_than_can_be_at_hand_is_refused() {
        for slots in [100, 600, 20_000] {
            let mut book = full(slots);
            vacate_words(&mut book, 0..slots.min(2_000) / WORD);
            let most = largest_hand(slots / WORD);
            let order: Vec<u32> = (0..=most as u32).rev().collect();
            assert!(!book.restore_order(&order, 0), "of {slots} slots");
            assert!(book.restore_order(&order[1..], 0), "of {slots} slots");
            book.validate();
            assert!(book.free_order().eq(order[1..].iter().copied()) && book.ordered() == most);
        }
    }

    #[test]
    fn a_book_that_contradicts_itself_is_noticed() {
        type Spoil = fn(&mut Occupancy);
        let wrong: [(&str, Spoil); 11] = [
            ("the book covers all slots", |book| book.slots = 641),
            ("live slots are counted", |book| book.words.words_mut()[0] &= !1),
            ("taken slots are counted", |book| {
                book.rare.make().expect("there is memory").valueless = 1;
                book.stored = 0;
            }),
            ("words that are not present are counted", |book| book.words.count_empty(1, 0)),
            // (For which a larger book has room.)
            ("how much can be at hand", |book| {
                book.words.make_room(64);
                book.slots = 100;
                book.stored = 0;
                book.words.words_mut()[9] = !0;
            }),
            ("searches begin within the slots", |book| book.set_cursor(10)),
            ("bits of unused slots are set", |book| book.words.words_mut()[9] &= !(1 << 63)),
            ("which words are present", |book| {
                book.words.parts_mut().present[0] &= !8;
                book.words.count_empty(1, 0);
            }),
            ("that a word is zero is known", |book| {
                vacate_words(book, [3]);
                book.words.flags = 0;
            }),
            ("which groups are crowds", |book| book.words.parts_mut().crowds[0] = 0),
            ("a span with holes is found", |book| book.words.parts_mut().room[0] = 0),
        ];
        for (message, spoil) in wrong {
            // Slot 599 is the last, and a hole.
            let mut book = full(600);
            vacate_bits(&mut book, 9, 1 << 23);
            book.validate();
            spoil(&mut book);
            let caught = catch_unwind(AssertUnwindSafe(|| book.validate())).expect_err(message);
            let said = caught.downcast_ref::<String>().map_or("", |said| said);
            let said = caught.downcast_ref::<&str>().map_or(said, |said| said);
            assert!(said.contains(message), "{message}: {said}");
        }
    }
}
