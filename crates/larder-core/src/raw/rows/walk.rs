//! The walk over rows: live slots, and the rows that belong to them. The invariant is that of
//! [`RowWalk`].

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

use super::{Address, Row, RowFinder, address};
use crate::key::Key;
use crate::memory::bits::WORD;
use crate::memory::bits::bits;
use crate::memory::cold_path;
use crate::raw::store::Places;
use crate::raw::walk::{LivePart, Visit, Walk};

/// The address of a slot of rows.
type At<T, K> = Address<T, K, NonNull<T>>;

/// A walk that yields rows, and steps through runs from row to row: a counted slot would have to be
/// multiplied at every step.
///
/// It takes from the walk a run, or the slots of a word, as far as they lie in one block. A slot of a
/// word is a run of one row. So there is one place where a row is yielded, and a `for` loop compiles to
/// a short loop over a run inside a loop over runs. The slot is counted beside the row: where no key is
/// asked for, nothing needs it, and it is not counted at all.
///
/// **Invariant.** The rows from `next` to `end` lie side by side, and `slot` is the number of the first;
/// or there are none. The live slots that follow are those of `mask`, a word that begins with slot
/// `start`, whose row would be `origin` if it lay in the same block as the others; then those of the
/// walk. What is in the run or in `mask` was of the part that was taken from the walk last. Rows
/// without a size are alone in their run, and `end` is the address after `next`.
pub struct RowWalk<T, K: Key, F> {
    next: NonNull<Row<T, K>>,
    end: NonNull<Row<T, K>>,
    slot: usize,
    mask: u64,
    origin: *const Row<T, K>,
    start: usize,
    walk: Walk,
    rows: F,
}

impl<T, K: Key, F: RowFinder<T, K>> RowWalk<T, K, F> {
    const HAS_SIZE: bool = size_of::<Row<T, K>>() != 0;

    /// # Safety
    /// The slots that the walk yields lie within the rows, as long as it is used.
    #[inline]
    pub(crate) unsafe fn new(walk: Walk, rows: F) -> Self {
        Self { walk, rows, ..Self::default() }
    }

    /// Begins the next run, when this one is at its end.
    #[inline(always)]
    fn begin_run(&mut self) -> Option<()> {
        if self.mask == 0 {
            self.take_part()?;
        }
        if self.mask != 0 {
            let bit = self.mask.trailing_zeros() as usize;
            self.mask &= self.mask - 1;
            self.slot = self.start + bit;
            // SAFETY: by the invariant that is the address of a row, and so not null.
            unsafe {
                self.next = NonNull::new_unchecked(self.origin.wrapping_add(bit).cast_mut());
                self.end = Self::after(self.next, 1);
            }
        }
        Some(())
    }

    /// Takes a part from the walk, as much of it as lies in one block.
    #[inline(always)]
    fn take_part(&mut self) -> Option<()> {
        let part = self.walk.take_part()?;
        // SAFETY: the slot lies within the rows; once its row is entered, that is not before
        // where the part begins.
        let left = unsafe {
            self.rows.enter(part.first());
            self.rows.left(part.start())
        };
        match part {
            LivePart::Run { start, count } => {
                let found = if Self::HAS_SIZE { left.min(count) } else { 1 };
                if found != count {
                    let (start, count) = (start + found, count - found);
                    self.walk.give_back(LivePart::Run { start, count });
                }
                self.slot = start;
                // SAFETY: the row was just entered, so its address is not null, and so
                // many lie side by side.
                unsafe {
                    self.next = NonNull::new_unchecked(self.rows.beside(start).cast_mut());
                    self.end = Self::after(self.next, found);
                }
            }
            LivePart::Word { start, live } => {
                self.mask = live & first_bits(left);
                if self.mask != live {
                    self.walk.give_back(LivePart::Word { start, live: live ^ self.mask });
                }
                (self.start, self.origin) = (start, self.rows.beside(start));
            }
        }
        Some(())
    }

    /// The end of `count` rows.
    ///
    /// # Safety
    /// 1. They lie side by side.
    /// 2. There is one at least.
    #[inline(always)]
    unsafe fn after(first: NonNull<Row<T, K>>, count: usize) -> NonNull<Row<T, K>> {
        if Self::HAS_SIZE {
            // SAFETY: `count` of them lie side by side.
            return unsafe { first.add(count) };
        }
        // (An address that values can have is not the last.)
        first.map_addr(|address| address.saturating_add(1))
    }

    /// Returns the number of rows in the run.
    #[inline]
    fn in_run(&self) -> usize {
        if !Self::HAS_SIZE {
            return usize::from(self.next != self.end);
        }
        // SAFETY: they lie side by side, or there are none.
        unsafe { self.end.offset_from(self.next) as usize }
    }

    /// Gives what was taken back to the walk.
    #[inline]
    fn give_back(&mut self) {
        if self.mask != 0 {
            self.walk.give_back(LivePart::Word { start: self.start, live: self.mask });
            self.mask = 0;
        }
        if self.next != self.end {
            self.walk.give_back(LivePart::Run { start: self.slot, count: self.in_run() });
            self.next = self.end;
        }
    }
}

impl<T, K: Key, F: RowFinder<T, K>> Iterator for RowWalk<T, K, F> {
    type Item = At<T, K>;

    /// Always inlined, as all that leads here from a loop: left out of line, it would keep all of its
    /// state in memory at each step.
    #[inline(always)]
    fn next(&mut self) -> Option<At<T, K>> {
        if self.next == self.end {
            cold_path();
            self.begin_run()?;
        }
        let (slot, row) = (self.slot, self.next);
        self.slot = slot + 1;
        // SAFETY: there is a row between `next` and `end`, that of the slot.
        unsafe {
            self.next = Self::after(row, 1);
            Some(address(slot, row))
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.in_run() + self.mask.count_ones() as usize + self.walk.len();
        (left, Some(left))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<At<T, K>> {
        self.give_back();
        self.walk.pass_over(n);
        self.next()
    }

    #[inline]
    fn fold<B, V: FnMut(B, At<T, K>) -> B>(mut self, init: B, f: V) -> B {
        self.give_back();
        self.walk.visit(init, &mut RowVisitor { rows: self.rows, f, of: PhantomData })
    }
}

impl<T, K: Key, F: RowFinder<T, K>> DoubleEndedIterator for RowWalk<T, K, F> {
    #[inline]
    fn next_back(&mut self) -> Option<At<T, K>> {
        self.give_back();
        let slot = self.walk.next_back()?;
        // The copy keeps what is known of the rows in front.
        let mut rows = self.rows;
        // SAFETY: the slot lies within the rows.
        Some(unsafe { rows.find(slot) })
    }
}

impl<T, K: Key, F: RowFinder<T, K>> ExactSizeIterator for RowWalk<T, K, F> {}

impl<T, K: Key, F: RowFinder<T, K>> Places<T, K> for RowWalk<T, K, F> {
    type At = NonNull<T>;

    fn split_off_below(&mut self, slot: usize) -> Self {
        self.give_back();
        // By the invariant: each part yields a part of what the whole walk would have.
        Self { walk: self.walk.split_off_below(slot), rows: self.rows, ..Self::default() }
    }

    #[cfg(feature = "rayon")]
    fn middle(&mut self) -> Option<usize> {
        self.give_back();
        self.walk.middle()
    }
}

impl<T, K: Key, F: RowFinder<T, K>> Default for RowWalk<T, K, F> {
    /// It yields nothing.
    #[inline]
    fn default() -> Self {
        let (next, end) = (NonNull::dangling(), NonNull::dangling());
        let (origin, walk) = (core::ptr::null(), Walk::empty());
        Self { next, end, slot: 0, mask: 0, origin, start: 0, walk, rows: F::NOWHERE }
    }
}

/// The lowest `count` bits of a word, or all.
#[inline(always)]
fn first_bits(count: usize) -> u64 {
    if count >= WORD {
        return !0;
    }
    cold_path();
    !(!0 << count)
}

/// Shows a function the rows of slots.
///
/// **Invariant.** It is called with slots within the rows only.
struct RowVisitor<T, K: Key, F, V> {
    rows: F,
    f: V,
    of: PhantomData<NonNull<Row<T, K>>>,
}

impl<T, K: Key, F: RowFinder<T, K>, B, V: FnMut(B, At<T, K>) -> B> Visit<B>
    for RowVisitor<T, K, F, V>
{
    #[inline]
    fn slot(&mut self, folded: B, slot: usize) -> B {
        // SAFETY: by the invariant the slot lies within the rows.
        let at = unsafe { self.rows.find(slot) };
        (self.f)(folded, at)
    }

    /// Folds a word. If rows lie in blocks, the block is looked up once, or as often as the word is divided.
    #[inline]
    fn word(&mut self, mut folded: B, start: usize, mut word: u64) -> B {
        while word != 0 {
            // SAFETY: by the invariant; then a row of the word was just entered.
            let found = unsafe {
                self.rows.enter(start + word.trailing_zeros() as usize);
                word & first_bits(self.rows.left(start))
            };
            let origin = self.rows.beside(start);
            folded = bits(found).fold(folded, |folded, bit| {
                // SAFETY: the row lies side by side with those of the other bits, so its
                // address is not null.
                let at = unsafe {
                    let row = NonNull::new_unchecked(origin.wrapping_add(bit).cast_mut());
                    address(start + bit, row)
                };
                (self.f)(folded, at)
            });
            word ^= found;
        }
        folded
    }

    /// Folds a run. If rows lie in blocks, it is a plain loop over those of each block.
    #[inline]
    fn run(&mut self, mut folded: B, mut run: Range<usize>) -> B {
        if F::CONTIGUOUS {
            for slot in run {
                folded = self.slot(folded, slot);
            }
            return folded;
        }
        while !run.is_empty() {
            // SAFETY: by the invariant the run's slots lie within the rows. Its first row is
            // entered when it was found, and as many lie side by side with it.
            unsafe {
                self.rows.enter(run.start);
                let first = NonNull::new_unchecked(self.rows.beside(run.start).cast_mut());
                let count = self.rows.left(run.start).min(run.len());
                for place in 0..count {
                    folded = (self.f)(folded, address(run.start + place, first.add(place)));
                }
                run.start += count;
            }
        }
        folded
    }
}

impl<T, K: Key, F: Copy> Clone for RowWalk<T, K, F> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), ..*self }
    }
}
