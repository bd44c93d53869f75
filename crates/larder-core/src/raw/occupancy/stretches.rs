//! Runs of live slots, and groups with live slots.
//!
//! **Invariant.** That of [`occupancy`](super), which is borrowed, so that it does not change between two
//! steps. A word is read only if it begins below `slots`, and its bits from `slots` on are masked out.

use core::ops::Range;

use super::{Occupancy, WORD, low};
use crate::raw::book::Book;

/// Stretches of live slots, as long as they can be, in ascending order.
#[derive(Clone)]
pub(crate) struct Runs<'a> {
    book: &'a Occupancy,
    next: usize,
    /// Slots from here on are not yielded: `slots`, or a multiple of 64.
    end: usize,
    /// The number of slots that were live in all that was left when it was made or divided: what it is divided by.
    #[cfg(feature = "rayon")]
    live: usize,
}

/// Groups of `L` slots that have a live one, in ascending order: the first slot of each.
#[derive(Clone)]
pub(crate) struct Groups<'a, const L: usize> {
    book: &'a Occupancy,
    /// Slots of the word of `bits` that are live, and in no group that was yielded.
    bits: u64,
    word: usize,
    next: usize,
    /// The end, as that of [`Runs`], a multiple of `L`.
    end: usize,
    /// The same as in [`Runs`].
    #[cfg(feature = "rayon")]
    live: usize,
}

impl Occupancy {
    #[inline]
    pub(crate) fn runs(&self) -> Runs<'_> {
        Runs {
            book: self,
            next: 0,
            end: self.slots(),
            #[cfg(feature = "rayon")]
            live: self.len(),
        }
    }

    /// `L` divides 64, or 64 divides it.
    #[inline]
    pub(crate) fn groups<const L: usize>(&self) -> Groups<'_, L> {
        const { assert!(L > 0 && (WORD % L == 0 || L % WORD == 0), "groups fill words") };
        Groups {
            book: self,
            bits: 0,
            word: 0,
            next: 0,
            end: self.slots(),
            #[cfg(feature = "rayon")]
            live: self.len(),
        }
    }

    /// The first slot from `slot` on that is not live.
    fn next_dead(&self, mut slot: usize) -> usize {
        loop {
            let ones = (!(self.live_word(slot / WORD) >> (slot % WORD))).trailing_zeros() as usize;
            slot += ones;
            if slot % WORD != 0 || ones == 0 {
                return slot;
            }
        }
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.book.next_live(self.next).filter(|&slot| slot < self.end)?;
        self.next = self.book.next_dead(start).min(self.end);
        Some(start..self.next)
    }

    /// Like [`next`](Self::next), but what is left of a word stays in a register between its runs.
    #[inline]
    fn fold<B, F: FnMut(B, Range<usize>) -> B>(self, init: B, mut f: F) -> B {
        let Self { book, next, end, .. } = self;
        if next >= end {
            return init;
        }
        let (mut folded, mut word) = (init, next / WORD);
        let mut bits = book.live_word(word) & (!0 << (next % WORD));
        loop {
            if bits == 0 {
                if (word + 1) * WORD >= end {
                    return folded;
                }
                (word, bits) = (word + 1, book.live_word(word + 1));
            }
            if bits == 0 {
                let slot = book.next_live(word * WORD).filter(|&slot| slot < end);
                let Some(slot) = slot else { return folded };
                (word, bits) = (slot / WORD, book.live_word(slot / WORD));
            }
            let first = bits.trailing_zeros() as usize;
            let start = word * WORD + first;
            let mut stop = start + (bits >> first).trailing_ones() as usize;
            bits &= bits.wrapping_add(1 << first);
            // At the end of a word the run may go on in the next one.
            while stop == (word + 1) * WORD && stop < end {
                (word, bits) = (word + 1, book.live_word(word + 1));
                stop += bits.trailing_ones() as usize;
                bits &= bits.wrapping_add(1);
            }
            folded = f(folded, start..stop);
        }
    }
}

impl<const L: usize> Groups<'_, L> {
    /// Goes to the next word with live slots, and says whether there is one. (Most often that is the
    /// next one: what a loop over groups does beside its work.)
    #[inline(always)]
    fn next_word(&mut self) -> bool {
        if self.next >= self.end {
            return false;
        }
        self.word = self.next / WORD;
        self.bits = self.book.live_word(self.word);
        if self.bits == 0 {
            let slot = self.book.next_live(self.next).filter(|&slot| slot < self.end);
            let Some(slot) = slot else { return false };
            self.word = slot / WORD;
            self.bits = self.book.live_word(self.word);
        }
        self.next = (self.word + 1) * WORD;
        true
    }

    /// The next group of the word, which has one.
    #[inline(always)]
    fn next_of_word(&mut self) -> usize {
        if L == WORD {
            self.bits = 0;
            return self.word * WORD;
        }
        let first = self.bits.trailing_zeros() as usize / L * L;
        self.bits &= !(low(L) << first);
        self.word * WORD + first
    }
}

impl<const L: usize> Iterator for Groups<'_, L> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if L > WORD {
            let first = self.book.next_live(self.next).filter(|&slot| slot < self.end)? / L * L;
            self.next = first + L;
            return Some(first);
        }
        if self.bits == 0 && !self.next_word() {
            return None;
        }
        Some(self.next_of_word())
    }

    /// Visits the groups of a word, one after the other: a loop that calls nothing but `f`, and that in one
    /// place, so that what `f` does becomes part of it.
    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        if L > WORD {
            for first in self {
                folded = f(folded, first);
            }
            return folded;
        }
        while self.bits != 0 || self.next_word() {
            folded = f(folded, self.next_of_word());
        }
        folded
    }
}

#[cfg(feature = "rayon")]
impl Occupancy {
    /// A multiple of `grain`, which is one of 64, between the slots, such that about half of the `live` ones among them
    /// lie below it, and how many do. There is none where there are too few. (These are counted, and not the others:
    /// to count bits takes longer than to walk over them.)
    fn middle(&self, slots: Range<usize>, live: usize, grain: usize) -> Option<(usize, usize)> {
        let (mut below, mut word) = (0, slots.start / WORD);
        while below < live / 2 && word * WORD < slots.end {
            below += self.live_word(word).count_ones() as usize;
            word += 1;
        }
        let middle = (word * WORD).next_multiple_of(grain);
        (below > 0 && middle < slots.end).then_some((middle, below))
    }
}

#[cfg(feature = "rayon")]
impl Runs<'_> {
    /// Two parts with about as many live slots each; a run may be divided.
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        match self.book.middle(self.next..self.end, self.live, WORD) {
            Some((middle, live)) => {
                let above = Self { next: middle, live: self.live.saturating_sub(live), ..self };
                (Self { end: middle, live, ..self }, Some(above))
            }
            None => (self, None),
        }
    }
}

#[cfg(feature = "rayon")]
impl<const L: usize> Groups<'_, L> {
    /// Two parts with about as many live slots each.
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let grain = if L > WORD { L } else { WORD };
        match self.book.middle(self.next..self.end, self.live, grain) {
            Some((middle, live)) => {
                let above =
                    Self { bits: 0, next: middle, live: self.live.saturating_sub(live), ..self };
                (Self { end: middle, live, ..self }, Some(above))
            }
            None => (self, None),
        }
    }
}

#[cfg(test)]
#[cfg(feature = "rayon")]
mod tests {
    use alloc::vec::Vec;

    use super::super::tests::{full, vacate_bits};
    use super::*;

    /// Books of many sizes and patterns, some with empty words at all places.
    fn books() -> Vec<Occupancy> {
        let mut books = Vec::new();
        for slots in [1, 64, 65, 130, 1_000, 4_096] {
            let patterns: [&dyn Fn(usize) -> bool; 6] = [
                &|_| true,
                &|_| false,
                &|slot| slot % 97 == 0,
                &|slot| slot < 300 || slot + 100 > slots,
                &|slot| slot / WORD % 3 == 0,
                &|slot| slot / WORD * 5 % 17 < 9 && slot % 5 != 0,
            ];
            for is_live in patterns {
                let mut book = full(slots);
                for word in 0..slots.div_ceil(WORD) {
                    let of_word = word * WORD..slots.min((word + 1) * WORD);
                    let dead = of_word.filter(|&slot| !is_live(slot));
                    let dead = dead.fold(0, |dead, slot| dead | 1 << (slot % WORD));
                    vacate_bits(&mut book, word, dead);
                }
                books.push(book);
            }
        }
        books
    }

    fn live_of(book: &Occupancy, slots: Range<usize>) -> usize {
        slots.filter(|&slot| book.is_live(slot)).count()
    }

    #[test]
    fn the_middle_is_at_the_first_word_with_half_of_the_live_below() {
        for book in books() {
            for (start, grain) in [(0, 64), (128, 64), (0, 128), (256, 128), (0, 256)] {
                let slots = start.min(book.slots())..book.slots();
                let live = live_of(&book, slots.clone());
                let words = (start + WORD..book.slots() + WORD).step_by(WORD);
                let found = words.map(|end| (end, live_of(&book, start..end.min(slots.end))));
                let expected = found.filter(|found| found.1 > 0).find(|found| found.1 >= live / 2);
                let expected = expected.filter(|_| live > 1);
                let expected = expected.map(|(end, below)| (end.next_multiple_of(grain), below));
                let expected = expected.filter(|found| found.0 < slots.end);
                assert_eq!(book.middle(slots, live, grain), expected, "from {start} by {grain}");
            }
        }
    }

    /// Divides until nothing can be divided, and puts the parts together.
    fn parts<I>(whole: I, divide: fn(I) -> (I, Option<I>), parts_of: &mut Vec<I>) {
        match divide(whole) {
            (below, Some(above)) => {
                parts(below, divide, parts_of);
                parts(above, divide, parts_of);
            }
            (part, None) => parts_of.push(part),
        }
    }

    /// Those of a book, some of which were yielded before.
    fn check<I: Iterator<Item = T> + Clone, T>(
        (book, yielded, grain): (&Occupancy, usize, usize),
        mut whole: I,
        divide: fn(I) -> (I, Option<I>),
        slots_of: impl Fn(T) -> Range<usize>,
    ) {
        whole.by_ref().take(yielded).for_each(drop);
        let slots = |mut part: I| {
            let add = |mut all: Vec<_>, one| {
                all.extend(slots_of(one));
                all
            };
            let folded = part.clone().fold(Vec::new(), add);
            let stepped = core::iter::from_fn(|| part.next()).fold(Vec::new(), add);
            assert_eq!(folded, stepped, "steps lead to the same slots");
            assert!(part.fold(Vec::new(), add).is_empty(), "nothing is left");
            stepped
        };
        let mut found = Vec::new();
        parts(whole.clone(), divide, &mut found);
        let found: Vec<Vec<usize>> = found.into_iter().map(&slots).collect();
        for part in &found {
            let live = part.iter().filter(|&&slot| book.is_live(slot)).count();
            assert!(yielded > 0 || live <= 2 * grain, "{live} live ones could be divided");
        }
        assert_eq!(found.concat(), slots(whole), "parts are the whole");
    }

    fn check_groups<const L: usize>(book: &Occupancy, yielded: usize) {
        let whole = (book, yielded, L.max(WORD));
        check(whole, book.groups::<L>(), Groups::divide, |first| first..first + L);
    }

    #[test]
    fn parts_of_runs_and_groups_are_the_whole_and_halves_of_halves() {
        for book in books() {
            for yielded in [0, 1, 3, 9] {
                check((&book, yielded, WORD), book.runs(), Runs::divide, |run| run);
                check_groups::<8>(&book, yielded);
                check_groups::<64>(&book, yielded);
                check_groups::<128>(&book, yielded);
                check_groups::<256>(&book, yielded);
            }
        }
    }
}
