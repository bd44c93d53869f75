//! Slots inside their owner: what [`InlineArena`](crate::InlineArena) is made of, rows and a book that
//! point nowhere, so that they can be moved.
//!
//! **Invariant** of [`InsideBook`]:
//! - `slots <= N`. Bits from `slots` on are clear.
//! - A bit of the first half is set if and only if the slot has a value; of the second, if it is detached
//!   or retired. No slot has both. `holes` slots below `slots` have neither.
//! - No word below `lowest` has a hole.
//! - All zero is an empty book; and all zero with rows of any content an empty store.
//!
//! [`Inside`] has room for `N` elements, and no more. Its elements are written through addresses that were
//! made of an exclusive borrow.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::memory::Extent;
use crate::memory::bits::LiveWords;
use crate::memory::bits::{WORD, low};
use crate::memory::buffer::index_from;
use crate::memory::storage::{EmptyRoom, Room};
use crate::raw::book::Book;
#[cfg(feature = "alloc")]
use crate::raw::book::RewindBook;
use crate::raw::occupancy::next_bit;
use crate::raw::rows::{InBlock, Rooms, Row, Rows, Whole};
use crate::raw::slots::Growth;
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// `N` slots of values.
pub(crate) type Inline<T, K, const N: usize> = Rows<T, K, Inside<Row<T, K>, N>, InsideBook<N>>;

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    pub(crate) const fn inside() -> Self {
        const { assert!(N <= K::MAX_SLOTS as usize, "more slots than keys can name") };
        Self::made_of(Whole::EMPTY, InsideBook::EMPTY, Growth::Fixed)
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.book().len()
    }
}

/// Room for `N` elements.
pub struct Inside<E, const N: usize>([MaybeUninit<E>; N]);

impl<E, const N: usize> EmptyRoom for Inside<E, N> {
    const EMPTY: Self = Self([const { MaybeUninit::uninit() }; N]);
}

impl<E, const N: usize> Room for Inside<E, N> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        Ok(Self::EMPTY)
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        N
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.check(capacity)
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        if capacity <= N { Ok(()) } else { Err(TryReserveError::Full { capacity: N }) }
    }

    fn memory(&self) -> Extent {
        Extent { bytes: size_of::<Self>(), space: size_of::<Self>() }
    }
}

// SAFETY: an array has a row for each number below its length.
unsafe impl<T, K: Key, const N: usize> Rooms<T, K> for Inside<Row<T, K>, N> {
    const NAME: &'static str = "InlineArena";

    const STAYS: bool = true;

    const INSIDE: bool = true;

    type Finder = InBlock<T, K>;

    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> InBlock<T, K> {
        // SAFETY: there are `N` rows.
        unsafe { self.finder().add(slot) }
    }

    #[inline(always)]
    unsafe fn at_mut(&mut self, slot: usize) -> InBlock<T, K> {
        // SAFETY: there are `N` rows.
        unsafe { self.finder_mut().add(slot) }
    }

    #[inline(always)]
    fn finder(&self) -> InBlock<T, K> {
        NonNull::from(&self.0).cast()
    }

    #[inline(always)]
    fn finder_mut(&mut self) -> InBlock<T, K> {
        NonNull::from(&mut self.0).cast()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        index_from(self.finder(), N, address)
    }
}

/// The live, free and taken slots of at most `N`. Unlike [`Occupancy`](crate::raw::occupancy::Occupancy) it has no
/// summaries and no hand: there are few slots, and the lowest hole is taken first.
#[derive(Clone, Copy)]
pub struct InsideBook<const N: usize> {
    slots: usize,
    holes: usize,
    detached: usize,
    retired: usize,
    lowest: usize,
    bits: Bits<N>,
}

/// The words of live slots, then those of taken ones: two bits a slot, in a byte a slot and 16, since the
/// length of an array cannot be computed from `N`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Bits<const N: usize> {
    head: [u64; 2],
    tail: [u8; N],
}

/// One half of the bits.
#[derive(Clone, Copy)]
enum Half {
    Live = 0,
    Taken = 1,
}

impl<const N: usize> InsideBook<N> {
    const EMPTY: Self = {
        assert!(2 * Self::WORDS * 8 <= size_of::<Bits<N>>(), "the words fit");
        let bits = Bits { head: [0; 2], tail: [0; N] };
        Self { slots: 0, holes: 0, detached: 0, retired: 0, lowest: 0, bits }
    };

    /// The number of words in half of the bits.
    const WORDS: usize = N.div_ceil(WORD);

    #[inline]
    const fn len(&self) -> usize {
        self.slots - self.holes - self.detached - self.retired
    }

    #[inline]
    fn words(&self, half: Half) -> &[u64] {
        let first = NonNull::from(&self.bits).cast::<u64>();
        // SAFETY: the words fit into the bits, which are aligned as their first field is,
        // initialised, and borrowed as `self` is.
        unsafe {
            let first = first.add(half as usize * Self::WORDS);
            NonNull::slice_from_raw_parts(first, Self::WORDS).as_ref()
        }
    }

    #[inline]
    fn words_mut(&mut self, half: Half) -> &mut [u64] {
        let first = NonNull::from(&mut self.bits).cast::<u64>();
        // SAFETY: the words fit into the bits, which are aligned as their first field is,
        // initialised, and borrowed exclusively as `self` is.
        unsafe {
            let first = first.add(half as usize * Self::WORDS);
            NonNull::slice_from_raw_parts(first, Self::WORDS).as_mut()
        }
    }

    #[inline]
    fn is(&self, half: Half, slot: usize) -> bool {
        slot < self.slots && self.words(half)[slot / WORD] >> (slot % WORD) & 1 == 1
    }

    #[inline]
    fn set(&mut self, half: Half, slot: usize) {
        self.words_mut(half)[slot / WORD] |= 1 << (slot % WORD);
    }

    #[inline]
    fn clear(&mut self, half: Half, slot: usize) {
        self.words_mut(half)[slot / WORD] &= !(1 << (slot % WORD));
    }

    /// Counts `count` more holes in a word.
    #[inline]
    fn add_holes(&mut self, word: usize, count: usize) {
        self.lowest = if self.holes == 0 { word } else { self.lowest.min(word) };
        self.holes += count;
    }

    /// The lowest hole. There is one.
    #[inline]
    fn lowest_hole(&self) -> usize {
        let mut word = self.lowest;
        loop {
            // Slots never used count as free here, but there is a hole below them.
            let free = !(self.words(Half::Live)[word] | self.words(Half::Taken)[word]);
            if free != 0 {
                return word * WORD + free.trailing_zeros() as usize;
            }
            word += 1;
        }
    }

    /// The [lowest hole](Self::lowest_hole) is live.
    #[inline]
    fn fill_lowest(&mut self, slot: usize) {
        self.holes -= 1;
        self.lowest = slot / WORD;
        self.set(Half::Live, slot);
    }
}

// SAFETY: by the invariant; all `N` slots are covered.
unsafe impl<const N: usize> Book for InsideBook<N> {
    const EMPTY: Self = Self::EMPTY;

    fn resize_layout(
        &mut self,
        layout: &mut impl Room,
        capacity: usize,
    ) -> Result<(), TryReserveError> {
        layout.resize(capacity)
    }

    #[inline]
    fn slots(&self) -> usize {
        self.slots
    }

    #[inline]
    fn holes(&self) -> usize {
        self.holes
    }

    #[inline]
    fn has(&self, slot: u32) -> bool {
        (slot as usize) < self.slots
    }

    #[inline]
    fn has_stored(&self) -> bool {
        false
    }

    #[inline]
    fn has_holes(&self) -> bool {
        self.holes != 0
    }

    fn detached(&self) -> usize {
        self.detached
    }

    fn retired(&self) -> usize {
        self.retired
    }

    #[inline]
    fn is_live(&self, slot: usize) -> bool {
        self.is(Half::Live, slot)
    }

    fn next_live(&self, slot: usize) -> Option<usize> {
        next_bit(self.words(Half::Live), slot)
    }

    #[inline]
    unsafe fn is_set(&self, slot: usize) -> bool {
        self.is(Half::Live, slot)
    }

    fn is_taken(&self, slot: usize) -> bool {
        self.is(Half::Taken, slot)
    }

    #[inline]
    fn live_word(&self, word: usize) -> u64 {
        self.words(Half::Live).get(word).copied().unwrap_or(0)
    }

    fn live_words(&self) -> LiveWords<'_> {
        LiveWords::new(self.words(Half::Live), None, self.slots)
    }

    #[inline]
    unsafe fn walk(&self) -> Walk {
        let words = NonNull::from(&self.bits).cast();
        // SAFETY: (1) the words of live slots are the first of the bits; those are in use. (2) The
        // caller changes no others. (3, 4) There is no summary.
        unsafe { Walk::new(words, None, 0..self.slots, 0, self.len()) }
    }

    #[inline(always)]
    fn find_again(&self, walk: &mut Walk) {
        // SAFETY: there (1) the words of live slots are, and (2) borrowed while the walk is used.
        unsafe { walk.read_from(NonNull::from(&self.bits).cast()) };
    }

    #[inline]
    fn at_hand(&self) -> Option<usize> {
        if self.holes == 0 { None } else { Some(self.lowest_hole()) }
    }

    #[inline]
    unsafe fn take_at_hand(&mut self, slot: usize) {
        self.fill_lowest(slot);
    }

    fn hole(&self) -> usize {
        self.lowest_hole()
    }

    unsafe fn fill(&mut self, slot: usize) {
        self.fill_lowest(slot);
    }

    #[inline]
    unsafe fn append_many(&mut self, count: usize) {
        for slot in self.slots..self.slots + count {
            self.set(Half::Live, slot);
        }
        self.slots += count;
    }

    #[inline]
    unsafe fn free(&mut self, slot: usize) -> bool {
        self.clear(Half::Live, slot);
        self.add_holes(slot / WORD, 1);
        false
    }

    unsafe fn settle(&mut self, retired: Option<usize>) {
        if let Some(slot) = retired {
            // SAFETY: (1) the slot is live; (2) there are always `taken` words.
            unsafe { Book::park(self, slot) };
            Book::retire(self);
        }
    }

    unsafe fn vacate_word(&mut self, word: usize, dead: u64) {
        if dead != 0 {
            self.words_mut(Half::Live)[word] &= !dead;
            self.add_holes(word, dead.count_ones() as usize);
        }
    }

    /// Nothing is live or detached where it is asked for.
    fn vacate_all(&mut self) {
        debug_assert_eq!(self.slots, self.holes + self.retired, "all slots are free or retired");
    }

    fn prepare_taken(&mut self) -> Result<(), TryReserveError> {
        Ok(())
    }

    unsafe fn park(&mut self, slot: usize) {
        self.clear(Half::Live, slot);
        self.set(Half::Taken, slot);
        self.detached += 1;
    }

    unsafe fn unpark(&mut self, slot: usize) {
        self.clear(Half::Taken, slot);
        self.set(Half::Live, slot);
        self.detached -= 1;
    }

    unsafe fn release(&mut self, slot: usize) {
        self.clear(Half::Taken, slot);
        self.add_holes(slot / WORD, 1);
        self.detached -= 1;
    }

    fn retire(&mut self) {
        self.detached -= 1;
        self.retired += 1;
    }

    fn copied(&self, _capacity: usize, _fixed: bool) -> Result<Self, TryReserveError> {
        Ok(*self)
    }

    fn memory(&self) -> Option<Extent> {
        None
    }

    fn reuse(&self) -> Reuse {
        Reuse::Packed
    }

    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    fn validate(&self) {
        assert!(self.slots <= N, "there are no more slots than room");
        let count = |is: fn(&Self, usize) -> bool| (0..self.slots).filter(|&s| is(self, s)).count();
        assert_eq!(count(Self::is_live), self.len(), "live slots are counted");
        assert_eq!(count(Self::is_taken), self.detached + self.retired, "taken ones are counted");
        assert_eq!(count(Self::is_hole), self.holes, "free ones are counted");
        let lowest = (0..self.slots).find(|&slot| self.is_hole(slot));
        assert!(lowest.is_none_or(|slot| slot / WORD >= self.lowest), "no hole is overlooked");
        for (word, live) in self.words(Half::Live).iter().enumerate() {
            let used = self.slots.saturating_sub(word * WORD).min(WORD);
            let taken = self.words(Half::Taken)[word];
            assert_eq!((live | taken) & !low(used), 0, "bits of unused slots are clear");
            assert_eq!(live & taken, 0, "no slot is live and taken");
        }
    }
}

#[cfg(feature = "alloc")]
impl<const N: usize> RewindBook for InsideBook<N> {
    const LOWEST_FIRST: bool = true;

    fn save_order(&self, _free: &mut Vec<u32>) -> Result<usize, TryReserveError> {
        Ok(0)
    }

    fn restore_order(&mut self, free: &[u32], cursor: usize) -> bool {
        free.is_empty() && cursor == 0
    }

    fn relink_in_order(&mut self) {}

    fn begin_rewind(&mut self) {}

    unsafe fn open(&mut self, slot: usize, retired: bool) {
        if self.is(Half::Taken, slot) {
            self.clear(Half::Taken, slot);
            if retired { self.retired -= 1 } else { self.detached -= 1 }
        } else {
            self.clear(Half::Live, slot);
        }
        self.add_holes(slot / WORD, 1);
    }

    unsafe fn close(&mut self, slot: usize) {
        self.set(Half::Taken, slot);
        (self.holes, self.detached) = (self.holes - 1, self.detached + 1);
    }

    unsafe fn fill_hole(&mut self, slot: usize) {
        self.set(Half::Live, slot);
        self.holes -= 1;
    }

    unsafe fn truncate(&mut self, slots: usize) {
        self.holes -= self.slots - slots;
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    //! A book inside its owner, against what is known of its slots; and the room beside it.

    use super::{EmptyRoom, Half, Inside, InsideBook, Room};
    use crate::error::TryReserveError;
    use crate::memory::Extent;
    use crate::raw::book::Book;
    #[cfg(feature = "alloc")]
    use crate::raw::book::RewindBook;

    /// Makes a book of `slots` slots, of which some are live and the others free.
    fn book<const N: usize>(slots: usize, is_live: impl Fn(usize) -> bool) -> InsideBook<N> {
        let mut book = InsideBook::EMPTY;
        // SAFETY: there is room; each slot is live until it is vacated.
        unsafe {
            book.append_many(slots);
            (0..slots).filter(|&slot| !is_live(slot)).for_each(|slot| book.vacate(slot));
        }
        Book::validate(&book);
        book
    }

    #[test]
    fn the_next_live_slot_is_found_from_anywhere() {
        for step in [1, 3, 64, 65, 129, 150, 1_000] {
            let is_live = |slot: usize| slot % step == step - 1;
            let book = book::<192>(180, is_live);
            for slot in 0..260 {
                assert_eq!(book.next_live(slot), (slot..180).find(|&slot| is_live(slot)), "{slot}");
            }
        }
    }

    #[test]
    fn any_number_may_be_asked_about() {
        let full = book::<64>(64, |_| true);
        let half = book::<128>(64, |slot| slot % 2 == 0);
        for slot in [64, 65, 128, 10_000, usize::MAX] {
            assert_eq!([full.is_live(slot), full.is_taken(slot), full.is_hole(slot)], [false; 3]);
            assert_eq!([half.is_live(slot), half.is_taken(slot), half.is_hole(slot)], [false; 3]);
        }
    }

    #[test]
    fn each_hole_is_at_hand() {
        for mut book in [book::<70>(70, |slot| slot != 68), book::<70>(60, |slot| slot != 3)] {
            let hole = book.at_hand().expect("there is one");
            assert!(book.is_hole(hole) && !book.has_stored());
            // SAFETY: it is the one at hand.
            unsafe { book.take_at_hand(hole) };
            assert!(book.at_hand().is_none() && !book.has_stored() && !book.has_holes());
        }
    }

    #[test]
    #[should_panic(expected = "bits of unused slots are clear")]
    fn bits_of_unused_slots_are_found() {
        let mut book = book::<130>(70, |_| true);
        book.set(Half::Live, 100);
        book.validate();
    }

    #[test]
    #[should_panic(expected = "taken ones are counted")]
    fn slots_that_are_two_things_are_found() {
        let mut book = book::<130>(70, |_| true);
        book.set(Half::Taken, 69);
        book.validate();
    }

    #[test]
    #[cfg(feature = "alloc")]
    fn an_order_of_free_slots_is_another_containers() {
        let mut book = book::<10>(4, |slot| slot == 0);
        let orders: [(&[u32], usize); 4] = [(&[], 0), (&[1], 0), (&[], 1), (&[1], 1)];
        let restored = orders.map(|(free, cursor)| book.restore_order(free, cursor));
        assert_eq!(restored, [true, false, false, false]);
    }

    #[test]
    fn there_is_room_for_as_many_as_are_inside() {
        let mut inside = Inside::<u32, 5>::EMPTY;
        let full = Err(TryReserveError::Full { capacity: 5 });
        assert_eq!((inside.resize(5), inside.resize(6)), (Ok(()), full.clone()));
        let mut book = book::<5>(2, |_| true);
        let resized = [5, 6].map(|capacity| book.resize_layout(&mut inside, capacity));
        assert_eq!(resized, [Ok(()), full]);
        assert_eq!(inside.memory(), Extent { bytes: 20, space: 20 });
    }
}
