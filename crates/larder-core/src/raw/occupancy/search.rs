//! Finding holes in the words, noting where there are some, and passing over words without live
//! slots. The invariant is that of [`occupancy`](super).
//!
//! And the slots at hand: those that were freed last, and are taken first. The invariant is that of [`Words`].

use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::words::{BETWEEN, HAND, Head, WordParts, Words, floor_of, largest_hand};
use super::{Occupancy, SPAN, WORD, low};
use crate::raw::book::Book;
use crate::stats::Reuse;

/// The number of holes that a search finds at most, and no more than three quarters of a hand: so not every removal
/// after it fills the hand.
pub(crate) const FOUND: usize = 64;

/// The number of holes side by side that are written at once.
const CHUNK: usize = 16;

/// The bits of a chunk.
const ALL: u64 = (1 << CHUNK) - 1;

impl Occupancy {
    /// Puts all slots at hand back into the book: that their spans have holes is noted, or they are
    /// the last that were freed.
    pub(crate) fn put_all_back(&mut self) {
        if self.words.held() == 0 {
            return;
        }
        let reuse = self.reuse();
        let WordParts { room, hand, .. } = self.words.parts_mut();
        if reuse != Reuse::Packed {
            if let Some(rare) = self.rare.made() {
                rare.freed.push_all(hand);
            }
        } else if room.len() <= hand.len() / 4 {
            // Most of them have; the others are found not to.
            room.fill(1);
        } else {
            for &slot in hand {
                room[slot as usize / (SPAN * WORD)] = 1;
            }
        }
        self.stored += self.words.held() as u32;
        self.set_lowest(0);
        self.words.empty_hand();
    }

    /// Like [`put_all_back`](Self::put_all_back), for a hand that holds one slot and no more.
    pub(super) fn put_one_back(&mut self) {
        let slot = self.at_hand().expect("a slot was just taken to hand");
        self.words.begin_hand();
        self.rare.expect().freed.push(slot);
        self.stored += 1;
        self.note_cleared(slot / WORD);
    }

    /// Takes holes to hand, of which there is one at least, where none is: from the cursor to the end
    /// of its span, lowest first, then of the lowest spans.
    #[cold]
    #[inline(never)]
    pub(super) fn search(&mut self) {
        debug_assert!(self.words.held() == 0 && self.stored > 0, "there is something to look for");
        let wanted = self.wanted();
        let first = self.words.head().cursor as usize;
        let first_span = first / SPAN;
        let mut left = self.search_span(first, (first_span + 1) * SPAN, wanted, wanted);
        while left > 0 {
            let span = noted_span(self.words.parts().room, self.words.head().lowest as usize);
            self.set_lowest(span);
            // The slots after `first` were just found.
            let end = if span == first_span { first } else { (span + 1) * SPAN };
            left = self.search_span(span * SPAN, end, wanted, left);
            if left > 0 {
                self.words.parts_mut().room[span] = 0;
            }
        }
        self.stored -= wanted as u32;
        // SAFETY: (1) none was at hand; (2) that many were found, and written.
        unsafe { self.words.set_held(wanted) };
    }

    /// Like [`search`](Self::search), for those that were freed last.
    #[cold]
    #[inline(never)]
    pub(super) fn fetch_last(&mut self) {
        let wanted = self.wanted();
        self.words.put_at_hand(self.rare.expect().freed.pop(wanted));
        self.stored -= wanted as u32;
    }

    /// Returns the number of holes to be taken to hand, for which there is room then.
    fn wanted(&mut self) -> usize {
        let wanted = FOUND.min(largest_hand(self.slots() / WORD) / 4 * 3).min(self.stored as usize);
        self.words.make_room(wanted);
        wanted
    }

    /// Finds the holes of some words of one span, and says how many of those wanted are left. They are
    /// written where slots at hand go, the first at the end, so that it is taken first.
    #[inline]
    fn search_span(&mut self, first: usize, end: usize, wanted: usize, mut left: usize) -> usize {
        let (words, head, hand) = self.words.search_space(wanted).expect("holes are in words");
        let words = &words[..self.slots.div_ceil(WORD as u32).min(end as u32) as usize];
        // Bits of those to search, and of those that are empty. A search most often goes on in a word
        // that has more, and in the one after it.
        let (mut next, mut empty) = (low(words.len().saturating_sub(first).min(2)), 0);
        let mut others = first + 2;
        loop {
            while next != 0 && left > 0 {
                let (bit, word) =
                    (next & next.wrapping_neg(), first + next.trailing_zeros() as usize);
                next -= bit;
                let holes = !words[word] & !self.rare.taken.get(word).copied().unwrap_or(0);
                if holes != 0 {
                    head.cursor = word as u32;
                    empty |= if words[word] == 0 { bit } else { 0 };
                    left = write_holes(word * WORD, holes, &mut hand[..left]);
                }
            }
            if left == 0 || others >= words.len() {
                break;
            }
            // The others that have holes are found without branches: they cannot be predicted.
            for &word in words[others..].iter().rev() {
                next = next << 1 | u64::from(word != !0);
            }
            next <<= others - first;
            others = words.len();
        }
        if empty != 0 && !self.words.are_few() {
            self.words.note_at_hand(first, empty);
        }
        left
    }

    /// No span below this is noted.
    fn set_lowest(&mut self, span: usize) {
        if let Some(head) = self.words.head_mut() {
            head.lowest = span as u32;
        }
    }

    /// The hole that a search would find first.
    pub(super) fn first_found(&self) -> usize {
        let head = self.words.head();
        let begun = head.cursor as usize;
        let (mut words, mut span) = (begun..(begun / SPAN + 1) * SPAN, head.lowest as usize);
        loop {
            for word in words {
                if let Some(hole) = self.hole_of(word) {
                    return hole;
                }
            }
            span = noted_span(self.words.parts().room, span);
            words = span * SPAN..(span + 1) * SPAN;
            span += 1;
        }
    }

    /// The lowest hole of a word. Any number may be asked about.
    #[inline]
    fn hole_of(&self, word: usize) -> Option<usize> {
        // (The bits of slots that were never used are set.)
        let holes = !(self.words.words().get(word)? | self.taken_word(word));
        (holes != 0).then(|| word * WORD + holes.trailing_zeros() as usize)
    }

    /// The lowest hole at or after `slot`.
    pub(crate) fn next_hole(&self, slot: usize) -> Option<usize> {
        let mut mask = !0 << (slot % WORD);
        for word in slot / WORD..self.slots().div_ceil(WORD) {
            let holes = !(self.words.words()[word] | self.taken_word(word)) & mask;
            if holes != 0 {
                return Some(word * WORD + holes.trailing_zeros() as usize);
            }
            mask = !0;
        }
        None
    }

    /// The first word from `word` on that is present.
    pub(super) fn next_present(&self, word: usize) -> Option<usize> {
        let WordParts { present, crowds, .. } = self.words.parts();
        let in_group = present.get(word / WORD)? >> (word % WORD);
        if in_group != 0 {
            return Some(word + in_group.trailing_zeros() as usize);
        }
        let group = next_bit(crowds, word / WORD + 1)?;
        Some(group * WORD + present[group].trailing_zeros() as usize)
    }

    /// The last word before `word` that is present.
    pub(super) fn previous_present(&self, word: usize) -> Option<usize> {
        let WordParts { present, crowds, .. } = self.words.parts();
        let group = word / WORD;
        let in_group = present.get(group).map_or(0, |group| group & ((1 << (word % WORD)) - 1));
        if in_group != 0 {
            return Some(group * WORD + in_group.ilog2() as usize);
        }
        let group = previous_bit(crowds, group)?;
        Some(group * WORD + present[group].ilog2() as usize)
    }
}

/// Writes the holes of a word, which begins with this slot, from the end of `hand` on, and says how many
/// more fit.
#[inline(always)]
fn write_holes(start: usize, mut holes: u64, mut hand: &mut [MaybeUninit<u32>]) -> usize {
    // Those that lie side by side are written at once.
    while hand.len() >= CHUNK && holes != 0 && holes >> holes.trailing_zeros() & ALL == ALL {
        let (rest, chunk) = hand.split_at_mut(hand.len() - CHUNK);
        let first = start as u32 + holes.trailing_zeros();
        for (to, after) in chunk.iter_mut().zip((0..CHUNK as u32).rev()) {
            to.write(first + after);
        }
        holes &= !(ALL << holes.trailing_zeros());
        hand = rest;
    }
    let mut left = hand.len();
    while holes != 0 && left > 0 {
        left -= 1;
        hand[left].write(start as u32 + holes.trailing_zeros());
        holes &= holes - 1;
    }
    left
}

/// The first span from `lowest` on that is noted. There is one.
fn noted_span(room: &[u8], lowest: usize) -> usize {
    let mut span = lowest;
    // Eight at a time.
    while room.get(span..).and_then(<[u8]>::first_chunk) == Some(&[0; 8]) {
        span += 8;
    }
    let noted = room[span..].iter().position(|&noted| noted != 0);
    span + noted.expect("where there are holes is noted")
}

/// The first set bit from `first` on.
pub(crate) fn next_bit(words: &[u64], first: usize) -> Option<usize> {
    let (mut word, mut mask) = (first / WORD, !0 << (first % WORD));
    while let Some(bits) = words.get(word) {
        if bits & mask != 0 {
            return Some(word * WORD + (bits & mask).trailing_zeros() as usize);
        }
        (word, mask) = (word + 1, !0);
    }
    None
}

/// The last set bit before `end`.
fn previous_bit(words: &[u64], end: usize) -> Option<usize> {
    let begun = words.get(end / WORD).map_or(0, |word| word & ((1 << (end % WORD)) - 1));
    if begun != 0 {
        return Some(end / WORD * WORD + begun.ilog2() as usize);
    }
    let mut word = words.len().min(end / WORD);
    while word > 0 {
        word -= 1;
        if words[word] != 0 {
            return Some(word * WORD + words[word].ilog2() as usize);
        }
    }
    None
}

/// The words, the head, and room for the slots that a search finds.
type SearchSpace<'a> = (&'a [u64], &'a mut Head, &'a mut [MaybeUninit<u32>]);

impl Words {
    /// Returns the number of slots that are at hand.
    #[inline(always)]
    pub(super) const fn held(&self) -> usize {
        (self.top - self.floor as isize) as usize
    }

    /// Returns the number of slots that can be at hand without more room.
    pub(super) const fn hand(&self) -> usize {
        (-1 - self.floor as isize) as usize
    }

    /// Returns the address at which the slots at hand begin.
    pub(super) fn first_at_hand(&self) -> NonNull<u32> {
        if self.count == 0 {
            return NonNull::dangling();
        }
        // SAFETY: the block has room for the hand.
        unsafe { self.start.cast().offset(self.floor as isize - BETWEEN) }
    }

    /// Nothing is at hand any more, and no more can be than at first.
    pub(super) fn begin_hand(&mut self) {
        self.set_hand(self.hand().min(HAND));
    }

    /// Nothing is at hand any more, but so much could be, at most [`largest_hand`] of the words.
    pub(super) fn set_hand(&mut self, hand: usize) {
        self.floor = floor_of(hand);
        self.top = self.floor as isize;
    }

    /// Nothing is at hand any more: words that are zero are not present.
    pub(super) fn empty_hand(&mut self) {
        if self.are_few() {
            if self.has_zeros() {
                // One that was zero may have been filled since.
                let absent = if self.words().contains(&0) { Self::ABSENT } else { 0 };
                self.flags = self.flags & !(Self::AT_HAND | Self::ABSENT) | absent;
            }
        } else if self.flags & Self::AT_HAND != 0 {
            self.flags &= !Self::AT_HAND;
            let mut parts = self.parts_mut();
            let (mut last, mut emptied) = (usize::MAX, 0);
            for &slot in parts.hand {
                let word = slot as usize / WORD;
                if word != last && parts.words[word] == 0 {
                    emptied += u32::from(parts.note_present(word, false));
                }
                last = word;
            }
            if emptied > 0 {
                self.count_empty(emptied, 0);
            }
        }
        self.top = self.floor as isize;
    }

    /// Prepares for `held` slots at hand, where none is: at most [`largest_hand`] of the words.
    pub(super) fn make_room(&mut self, held: usize) {
        if held > self.hand() {
            self.set_hand(held.next_power_of_two());
        }
    }

    /// The words, and where `held` slots go for which there is [room](Self::make_room).
    #[inline]
    pub(super) fn words_and_room(&mut self, held: usize) -> (&[u64], &mut [MaybeUninit<u32>]) {
        let room = if self.count == 0 { 0 } else { held.min(self.hand()) };
        let first = self.first_at_hand().cast();
        // SAFETY: the block has room for a hand of that size, borrowed as `self` is, and
        // the words lie apart.
        (self.words(), unsafe { NonNull::slice_from_raw_parts(first, room).as_mut() })
    }

    /// Returns the words, the head that a search changes, and room for `held` slots that it finds, for which there is
    /// [room](Self::make_room); `None` where there are no words.
    #[inline]
    fn search_space(&mut self, held: usize) -> Option<SearchSpace<'_>> {
        if self.count == 0 {
            return None;
        }
        let (words, first) =
            (NonNull::slice_from_raw_parts(self.start, self.len()), self.first_at_hand());
        let mut room = NonNull::slice_from_raw_parts(first.cast(), held.min(self.hand()));
        // SAFETY: all these words are initialised, before them lies a head, and before that room for a hand of that
        // size. They lie apart, and are borrowed as `self` is.
        unsafe { Some((words.as_ref(), self.start.cast().sub(1).as_mut(), room.as_mut())) }
    }

    /// Words that are zero have slots at hand: those of the bits, which begin with the word `first`.
    #[cold]
    #[inline(never)]
    fn note_at_hand(&mut self, first: usize, mut empty: u64) {
        let (mut parts, mut less) = (self.parts_mut(), 0);
        while empty != 0 {
            let word = first + empty.trailing_zeros() as usize;
            less += u32::from(!parts.note_present(word, true));
            empty &= empty - 1;
        }
        self.count_empty(0, less);
        self.flags |= Self::AT_HAND;
    }

    /// The words of slots at hand are present.
    #[cold]
    pub(super) fn note_hand(&mut self) {
        if self.are_few() {
            return;
        }
        let mut parts = self.parts_mut();
        let (hand, mut last, mut less) = (parts.hand, usize::MAX, 0);
        for &slot in hand {
            let word = slot as usize / WORD;
            if word != last {
                less += u32::from(!parts.note_present(word, true));
            }
            last = word;
        }
        self.count_empty(0, less);
    }

    /// Notes that `held` slots are at hand.
    ///
    /// # Safety
    /// 1. None was.
    /// 2. That many were written where there is [room](Self::words_and_room).
    pub(super) unsafe fn set_held(&mut self, held: usize) {
        self.top += held as isize;
    }

    /// These slots are at hand, the last of which is taken next; none was before.
    pub(super) fn put_at_hand(&mut self, slots: &[u32]) {
        let held = slots.len();
        self.make_room(held);
        let (_, hand) = self.words_and_room(held);
        for (to, &slot) in hand.iter_mut().zip(slots) {
            to.write(slot);
        }
        // SAFETY: (1) none is counted; (2) that many were just written.
        unsafe { self.set_held(held) };
        if self.flags & Self::ABSENT != 0 {
            self.note_hand();
        }
        if held > 0 {
            self.flags |= Self::AT_HAND;
        }
    }

    /// Makes room for twice as many slots at hand. It is full.
    pub(super) fn enlarge_hand(&mut self) {
        let hand = self.hand();
        // SAFETY: the block has room for a hand of twice the size.
        unsafe {
            let first = self.first_at_hand();
            first.copy_to(first.sub(hand), hand + 1);
        }
        self.top -= hand as isize;
        self.floor = floor_of(2 * hand);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{full, live, vacate, vacate_bits, vacate_words};
    use super::*;
    use crate::memory::bits::bits;
    use crate::raw::walk::tests::reads;
    #[cfg(feature = "alloc")]
    use alloc::collections::VecDeque;
    use alloc::vec::Vec;

    #[test]
    fn bits_are_found_from_either_side() {
        for words in [&[0, 1 << 63 | 1, 0, 0, 6, 0][..], &[1, 0, !0], &[!0], &[0]] {
            let is_set = |bit: &usize| words[bit / WORD] >> (bit % WORD) & 1 == 1;
            let set: Vec<usize> = (0..words.len() * WORD).filter(is_set).collect();
            for from in 0..=words.len() * WORD + 70 {
                let (next, previous) = (next_bit(words, from), previous_bit(words, from));
                assert_eq!(next, set.iter().copied().find(|&bit| bit >= from));
                assert_eq!(previous, set.iter().copied().rfind(|&bit| bit < from));
            }
        }
        assert_eq!((next_bit(&[], 0), previous_bit(&[], 0)), (None, None));
    }

    /// Takes the next hole.
    fn take(book: &mut Occupancy) -> usize {
        let slot = book.hole();
        // SAFETY: the book just answered it.
        unsafe { book.fill(slot) };
        slot
    }

    /// Returns the slot that a walk finds first, or from its end, and the number of words that it reads for it.
    fn found(book: &Occupancy, from_its_end: bool) -> (Option<usize>, u64) {
        let (mut walk, mut found) = (live(book), None);
        let read = reads(|| found = if from_its_end { walk.next_back() } else { walk.next() });
        (found, read)
    }

    #[test]
    fn what_was_freed_last_is_taken_first_until_the_hand_is_full() {
        for slots in [100, 300, 600, 20_000] {
            let most = largest_hand(slots / WORD);
            let freed: Vec<usize> = (0..=most).map(|number| number * 7 % slots).collect();
            let mut book = full(slots);
            vacate(&mut book, freed[..most].iter().copied());
            book.validate();
            let mut larger = book.try_clone().expect("there is memory");
            larger.cover(2 * slots).expect("there is memory");
            for mut book in [book, larger] {
                assert!(freed[..most].iter().rev().all(|&slot| take(&mut book) == slot));
                assert_eq!(book.len(), slots);
            }
            // One more, and all are put back: from then on the lowest comes first.
            let mut book = full(slots);
            vacate(&mut book, freed.iter().copied());
            book.validate();
            let mut ascending = freed.clone();
            ascending.sort_unstable();
            assert!(ascending.iter().all(|&slot| take(&mut book) == slot), "{slots} slots");
            book.validate();
        }
    }

    /// Few or many, at hand or not: also after the book has moved, and its list of the freed was turned.
    #[test]
    #[cfg(feature = "alloc")]
    fn other_orders_are_those_of_a_stack_and_of_a_queue() {
        for (reuse, slots) in [Reuse::Lifo, Reuse::Fifo].into_iter().flat_map(|reuse| {
            let sizes = if cfg!(miri) { [3, 70, 130] } else { [3, 300, 2_000] };
            sizes.map(|slots| (reuse, slots))
        }) {
            let mut book = Occupancy::new(reuse);
            book.cover(slots).expect("there is memory");
            // SAFETY: that many are covered.
            unsafe { book.append_many(slots) };
            let (mut free, mut live) = (VecDeque::new(), Vec::from_iter(0..slots));
            let mut random = 1_u64;
            for step in 0..8 * slots {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let number = (random >> 33) as usize;
                // More are freed than taken for a while, and then more taken.
                let most = if step / slots % 2 == 0 { 7 } else { 2 };
                if number % 8 < most && !live.is_empty() {
                    let slot = live.swap_remove(number / 8 % live.len());
                    vacate(&mut book, [slot]);
                    free.push_back(slot);
                } else if !free.is_empty() {
                    let next =
                        if reuse == Reuse::Lifo { free.pop_back() } else { free.pop_front() };
                    let slot = take(&mut book);
                    assert_eq!(Some(slot), next, "{reuse:?} of {slots}");
                    live.push(slot);
                }
                if step % (slots / 2) == 0 {
                    book.validate();
                    let order = book.free_order().map(|slot| slot as usize);
                    let in_order = order.eq(free.iter().copied());
                    let reversed = book.free_order().eq(free.iter().rev().map(|&slot| slot as u32));
                    assert!(if reuse == Reuse::Lifo { reversed } else { in_order });
                    book = book.try_clone().expect("there is memory");
                    book.cover(slots + step).expect("there is memory");
                }
            }
        }
    }

    #[test]
    fn holes_are_written_in_order_however_they_lie_and_many_fit() {
        const STEP: usize = if cfg!(miri) { 13 } else { 1 };
        let runs = (0..64).map(|bit| ALL.rotate_left(bit) ^ 1 << (bit / 2));
        let few = [0, 1, 1 << 63, !0, ALL, ALL << 3, ALL >> 1, 1 << CHUNK | 1, !1, !0 << 30 | 5];
        for holes in runs.step_by(STEP).chain(few) {
            let expected: Vec<u32> = bits(holes).map(|bit| 128 + bit as u32).collect();
            for room in (0..70).step_by(STEP) {
                let mut hand = [MaybeUninit::new(7); 70];
                let left = write_holes(128, holes, &mut hand[..room]);
                assert_eq!(left, room.saturating_sub(expected.len()));
                // SAFETY: all of the array was initialised.
                let written = hand[left..room].iter().rev().map(|to| unsafe { to.assume_init() });
                assert!(written.eq(expected.iter().copied().take(room)), "{holes:b} in {room}");
            }
        }
    }

    /// From the cursor to the end of its span, then in the lowest; and what is only asked for is what a search takes.
    #[test]
    fn what_would_be_found_first_is_found_first() {
        let slots = 20_000;
        let all: [&[usize]; 8] =
            [&[5], &[3, 5], &[16], &[200], &[40, 200], &[0, 311], &[17, 30], &[2, 33, 47, 300]];
        for words in all {
            let mut book = full(slots);
            vacate_words(&mut book, words.iter().copied());
            for cursor in [0, 1, 4, 6, 15, 16, 17, 31, 32, 39, 41, 47, 199, 201, 300, 312] {
                let mut book = book.try_clone().expect("there is memory");
                book.set_cursor(cursor);
                let after = |&&word: &&usize| word >= cursor && word / SPAN == cursor / SPAN;
                let first = words.iter().find(after).unwrap_or(&words[0]) * WORD;
                assert_eq!(book.hole(), first, "of {words:?} from {cursor}");
                book.fetch();
                assert_eq!(book.at_hand(), Some(first), "of {words:?} from {cursor}");
            }
        }
        // If many were put back, spans are noted that have no hole.
        let mut book = full(slots);
        vacate(&mut book, 6_400..=6_400 + largest_hand(slots / WORD));
        assert_eq!((book.words.held(), book.hole(), take(&mut book)), (0, 6_400, 6_400));
        book.validate();
    }

    #[test]
    fn a_search_takes_three_quarters_of_a_hand_and_64_at_most() {
        for (slots, most) in [(100, 12), (300, 24), (600, 48), (20_000, 64)] {
            for holes in [1_usize, most - 1, most, 100] {
                let mut book = full(slots);
                for word in 0..2_usize.min(slots / WORD) {
                    let dead = low(holes.saturating_sub(word * WORD).min(WORD));
                    vacate_bits(&mut book, word, dead);
                }
                let holes = book.holes();
                book.fetch();
                assert_eq!((book.words.held(), book.holes()), (holes.min(most), holes));
                book.validate();
            }
        }
    }

    /// Books of as many slots as fill all their summaries, and of some more and less, with a word empty
    /// at either end, or in the middle.
    #[test]
    #[cfg_attr(miri, ignore = "too many words to interpret")]
    fn the_ends_of_what_is_live_are_found_where_summaries_are_full() {
        for slots in [4_096, 1 << 18, 1 << 19, (1 << 18) - 64, (1 << 18) + 1, (1 << 18) + 4_096] {
            let last = (slots - 1) / WORD;
            for empty in [0, 1, last / 2, last] {
                let mut book = full(slots);
                vacate_words(&mut book, [empty]);
                book.validate();
                let is_live = |slot: &usize| slot / WORD != empty;
                let first = (0..slots).find(is_live);
                assert_eq!(
                    (book.next_live(0), book.previous_live(usize::MAX)),
                    (first, (0..slots).rfind(is_live))
                );
                assert!(live(&book).eq((0..slots).filter(is_live)), "{slots} slots, {empty}");
                let descending = (0..slots).rev().filter(is_live);
                assert!(live(&book).rev().eq(descending), "{slots} slots, {empty}");
            }
        }
    }

    /// The live slots on either side of any, where words are full, empty or neither.
    #[test]
    fn live_slots_are_found_on_either_side_of_any() {
        let mut book = full(700);
        let is_live = |slot: &usize| slot / WORD % 3 == 0 && slot % 7 != 3 && *slot < 700;
        vacate(&mut book, (0..700).filter(|slot| !is_live(slot)));
        book.validate();
        for slot in (0..800).chain([usize::MAX]) {
            assert_eq!(book.next_live(slot), (slot..700.max(slot)).find(is_live), "from {slot}");
            assert_eq!(book.previous_live(slot), (0..slot.min(700)).rfind(is_live), "to {slot}");
        }
    }

    /// Words that are known as present, since slots of theirs are at hand, are not read from either end.
    #[test]
    fn a_walk_begins_at_a_live_slot_though_the_words_around_it_have_slots_at_hand() {
        const WORDS: usize = 64;
        for kept in [0, 31 * WORD + 5, WORDS * WORD - 1] {
            let mut book = full(WORDS * WORD);
            for at_hand in [false, true] {
                let later =
                    (0..WORDS * WORD).filter(|&slot| slot != kept && (slot % WORD == 1) == at_hand);
                vacate(&mut book, later);
            }
            book.validate();
            for from_its_end in [false, true] {
                let (found, read) = found(&book, from_its_end);
                assert_eq!(found, Some(kept));
                assert!(read <= 4, "{kept} is kept");
            }
        }
    }

    /// The words that a walk reads until its first step do not grow in number, however much is empty before it.
    #[test]
    fn emptying_from_either_end_takes_as_long_for_each_slot_at_any_size() {
        let few = if cfg!(miri) { 500 } else { 20_000 };
        for slots in [few, 2 * few, 4 * few] {
            for from_its_end in [false, true] {
                let mut book = full(slots);
                for _ in 0..slots {
                    let (found, read) = found(&book, from_its_end);
                    assert!(read <= 20, "of {slots} slots");
                    vacate(&mut book, [found.expect("a live slot is left")]);
                }
                book.validate();
            }
        }
    }
}
