//! Slots inside their owner: what [`InlineArena`](crate::InlineArena) is made of, rows and a book that
//! point nowhere, so that they can be moved.
//!
//! **Invariant** of [`Book`]:
//! - `slots <= N`. Bits from `slots` on are clear.
//! - A bit of the first half is set if and only if the slot has a value; of the second, if it is detached
//!   or retired. No slot has both. `holes` slots below `slots` have neither.
//! - No word below `lowest` has a hole.
//! - All zero is an empty book; and all zero with rows of any content an empty store.
//!
//! [`Inside`] has room for `N` elements, and no more. What is written to them is written by an address
//! that was made of an exclusive borrow.

#[cfg(test)]
mod tests;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::join::Words;
use crate::raw::occupancy::{WORD, low};
#[cfg(feature = "alloc")]
use crate::raw::rewind::RewindBook;
use crate::raw::rows::{Rooms, RowOf};
use crate::raw::slots::{self, Growth};
use crate::raw::storage::Room;
use crate::raw::store::Store;
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// `N` slots of values.
pub(crate) type Inline<T, K, const N: usize> = Store<T, K, Inside<RowOf<T, K>, N>, Book<N>>;

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    pub(crate) const fn inside() -> Self {
        const { assert!(N <= K::MAX_SLOTS as usize, "more slots than keys can name") };
        Self::made_of(Inside::EMPTY, Book::EMPTY, Growth::Fixed)
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.book().len()
    }
}

/// Room for `N` elements.
pub(crate) struct Inside<E, const N: usize>([MaybeUninit<E>; N]);

impl<E, const N: usize> Room for Inside<E, N> {
    const EMPTY: Self = Self([const { MaybeUninit::uninit() }; N]);

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

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn space(&self) -> usize {
        size_of::<Self>()
    }
}

// SAFETY: an array has an element for each number below its length.
unsafe impl<E, const N: usize> Rooms<E> for Inside<E, N> {
    const STAYS: bool = true;

    const INSIDE: bool = true;

    type Elements = NonNull<E>;

    #[inline(always)]
    fn elements(&self) -> NonNull<E> {
        NonNull::from(&self.0).cast()
    }

    #[inline(always)]
    unsafe fn at_mut(&mut self, index: usize) -> NonNull<E> {
        // SAFETY: there are `N` elements.
        unsafe { self.elements_mut().add(index) }
    }

    #[inline(always)]
    fn elements_mut(&mut self) -> NonNull<E> {
        NonNull::from(&mut self.0).cast()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        let offset = address.checked_sub(self.0.as_ptr().addr())?;
        let index = offset.checked_div(size_of::<E>())?;
        (offset % size_of::<E>() == 0 && index < N).then_some(index)
    }
}

/// Which of at most `N` slots are live, free and taken. Unlike
/// [`Occupancy`](crate::raw::occupancy::Occupancy) it has no summaries and no hand: there are few slots, and
/// the lowest hole is taken first.
#[derive(Clone, Copy)]
pub(crate) struct Book<const N: usize> {
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

/// Which half of the bits.
#[derive(Clone, Copy)]
enum Half {
    Live = 0,
    Taken = 1,
}

impl<const N: usize> Book<N> {
    const EMPTY: Self = {
        assert!(2 * Self::WORDS * 8 <= size_of::<Bits<N>>(), "the words fit");
        let bits = Bits { head: [0; 2], tail: [0; N] };
        Self { slots: 0, holes: 0, detached: 0, retired: 0, lowest: 0, bits }
    };

    /// How many words half of the bits has.
    const WORDS: usize = N.div_ceil(WORD);

    #[inline]
    const fn len(&self) -> usize {
        self.slots - self.holes - self.detached - self.retired
    }

    #[inline]
    fn words(&self, half: Half) -> &[u64] {
        let first = NonNull::from(&self.bits).cast::<u64>();
        // SAFETY: the words fit into the bits, which are aligned as their first field is, initialised, and
        // borrowed as `self` is.
        unsafe {
            let first = first.add(half as usize * Self::WORDS);
            NonNull::slice_from_raw_parts(first, Self::WORDS).as_ref()
        }
    }

    #[inline]
    fn words_mut(&mut self, half: Half) -> &mut [u64] {
        let first = NonNull::from(&mut self.bits).cast::<u64>();
        // SAFETY: as for `words`.
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

    /// So many slots of a word become free.
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

    /// The first live slot at or after `slot`.
    pub(crate) fn next_live(&self, slot: usize) -> Option<usize> {
        let mut mask = !0 << (slot % WORD);
        for (word, live) in self.words(Half::Live).iter().enumerate().skip(slot / WORD) {
            if live & mask != 0 {
                return Some(word * WORD + (live & mask).trailing_zeros() as usize);
            }
            mask = !0;
        }
        None
    }
}

// SAFETY: by the invariant; all `N` slots are covered.
unsafe impl<const N: usize> slots::Book for Book<N> {
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

    fn live_words(&self) -> Words<'_> {
        Words::new(self.words(Half::Live), None, self.slots)
    }

    #[inline]
    unsafe fn walk(&self) -> Walk {
        let words = NonNull::from(&self.bits).cast();
        // SAFETY: the words of live slots are the first of the bits; those are in use.
        unsafe { Walk::new(words, None, 0..self.slots, 0, self.len()) }
    }

    #[inline(always)]
    fn find_again(&self, walk: &mut Walk) {
        // SAFETY: there the words of live slots are, borrowed while the walk is used.
        unsafe { walk.read_from(NonNull::from(&self.bits).cast()) };
    }

    #[inline]
    fn at_hand(&self) -> Option<usize> {
        if self.holes == 0 { None } else { Some(self.lowest_hole()) }
    }

    #[inline]
    unsafe fn take_at_hand(&mut self, slot: usize) {
        self.holes -= 1;
        self.lowest = slot / WORD;
        self.set(Half::Live, slot);
    }

    fn hole(&self) -> usize {
        self.lowest_hole()
    }

    unsafe fn fill(&mut self, slot: usize) {
        // SAFETY: the contract is the same.
        unsafe { self.take_at_hand(slot) };
    }

    #[inline]
    unsafe fn append_many(&mut self, count: usize) {
        for slot in self.slots..self.slots + count {
            self.set(Half::Live, slot);
        }
        self.slots += count;
    }

    #[inline]
    unsafe fn vacate(&mut self, slot: usize) {
        self.clear(Half::Live, slot);
        self.add_holes(slot / WORD, 1);
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

    fn memory(&self) -> Option<(usize, usize)> {
        None
    }

    fn reuse(&self) -> Reuse {
        Reuse::Packed
    }

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

/// The lowest hole is taken first, so there is no order to be saved.
#[cfg(feature = "alloc")]
impl<const N: usize> RewindBook for Book<N> {
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
