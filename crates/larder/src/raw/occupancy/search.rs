//! Finding holes in the words, noting where there are some, and passing over words without live
//! slots. The invariant is that of [`occupancy`](super).

use core::ops::Range;

use super::words::{Parts, hands_for};
use super::{HAND, Occupancy, SPAN, WORD};

/// As many bits as slots can be at hand.
const ALL: u64 = (1 << HAND) - 1;

impl Occupancy {
    /// Makes room in a full hand: it goes on the stack, or back into the book where that is full.
    pub(super) fn put_aside(&mut self) {
        // (Not what there is room for, which a copy may have less of.)
        if self.stacked < hands_for(self.slots / WORD) {
            self.words.parts_mut().stack[self.stacked] = self.hand;
            (self.held, self.stacked, self.stored) = (0, self.stacked + 1, self.stored + HAND);
        } else {
            self.put_back(HAND);
        }
    }

    /// Puts the slots at hand back into the book: that their spans have holes is noted, and no more.
    #[inline(always)]
    fn put_back(&mut self, held: usize) {
        self.held -= held as u32;
        self.stored += held;
        self.lowest = 0;
        for &slot in &self.hand[..held] {
            // SAFETY: a hole is below `slots`.
            unsafe { self.words.note_room(slot as usize) };
        }
    }

    /// Puts all slots at hand, and on the stack, back into the book.
    pub(super) fn put_all_back(&mut self) {
        self.put_back(self.held as usize);
        while self.take_from_stack() {
            self.put_back(HAND);
        }
    }

    /// Takes a full hand from the stack, if there is one. None is held.
    fn take_from_stack(&mut self) -> bool {
        let Some(left) = self.stacked.checked_sub(1) else { return false };
        self.hand = self.words.parts().stack[left];
        (self.held, self.stacked, self.stored) = (HAND as u32, left, self.stored - HAND);
        true
    }

    /// Fills the hand: from the stack, or with holes from the cursor to the end of its span, lowest
    /// first, then of the lowest spans.
    ///
    /// There is a hole, and none is at hand.
    pub(super) fn fill_hand(&mut self) {
        debug_assert!(self.held == 0 && self.stored > 0, "there is something to look for");
        if !self.take_from_stack() {
            self.search();
        }
    }

    /// The free slot at hand once the hand is [filled](Self::fill_hand), which this does not do.
    pub(super) fn next_at_hand(&self) -> usize {
        let Parts { words, room, stack, .. } = self.words.parts();
        if let Some(&[.., next]) = stack[..self.stacked].last() {
            return next as usize;
        }
        let (first, first_span) = (self.cursor, self.cursor / SPAN);
        let find = |words_of_span: Range<usize>| {
            let used = words_of_span.start..words_of_span.end.min(self.slots.div_ceil(WORD));
            let holes = used.map(|word| (word, !words[word] & !self.taken_word(word)));
            let (word, holes) = holes.into_iter().find(|&(_, holes)| holes != 0)?;
            Some(word * WORD + holes.trailing_zeros() as usize)
        };
        // As in `search`.
        let noted = (self.lowest..room.len()).filter(|&span| room[span] != 0);
        let mut spans = noted
            .map(|span| span * SPAN..if span == first_span { first } else { (span + 1) * SPAN });
        let found = find(first..(first_span + 1) * SPAN).or_else(|| spans.find_map(find));
        found.expect("where there are holes is noted")
    }

    fn search(&mut self) {
        let (first, first_span) = (self.cursor, self.cursor / SPAN);
        let wanted = self.stored.min(HAND);
        let mut left = wanted;
        let mut done = self.search_span(first, (first_span + 1) * SPAN, &mut left);
        while !done {
            let span = self.lowest_span();
            // What comes after `first` was just found.
            let end = if span == first_span { first } else { (span + 1) * SPAN };
            done = self.search_span(span * SPAN, end, &mut left);
            if !done {
                self.words.parts_mut().room[span] = 0;
            }
        }
        (self.held, self.stored) = (wanted as u32, self.stored - wanted);
    }

    /// Takes the holes of words of one span to hand, so that the lowest is taken first, until none is
    /// `left` to find: then it says so.
    fn search_span(&mut self, first: usize, end: usize, left: &mut usize) -> bool {
        let end = end.min(self.slots.div_ceil(WORD));
        // A search most often goes on in a word that has more.
        if first >= end || self.search_word(first, left) {
            return first < end;
        }
        // Which of the others have holes is found without branches: it cannot be predicted.
        let mut with_holes = 0_u32;
        for (place, word) in self.words.parts().words[first..end].iter().enumerate().skip(1) {
            with_holes |= u32::from(*word != !0) << place;
        }
        while with_holes != 0 {
            if self.search_word(first + with_holes.trailing_zeros() as usize, left) {
                return true;
            }
            with_holes &= with_holes - 1;
        }
        false
    }

    /// As [`search_span`](Self::search_span), of one word below `slots`. Where none is left to find, the
    /// next search begins with it.
    #[inline]
    fn search_word(&mut self, word: usize, left: &mut usize) -> bool {
        let mut holes = !self.words.parts().words[word] & !self.taken_word(word);
        let (start, lowest) = ((word * WORD) as u32, holes.trailing_zeros());
        if *left == HAND && holes.checked_shr(lowest).unwrap_or(0) & ALL == ALL {
            // Side by side: they are written at once.
            let last = start + lowest + ALL.count_ones() - 1;
            self.hand = core::array::from_fn(|place| last - place as u32);
            (*left, holes) = (0, 0);
        }
        while holes != 0 && *left > 0 {
            *left -= 1;
            self.hand[*left] = start + holes.trailing_zeros();
            holes &= holes - 1;
        }
        if *left == 0 {
            self.cursor = word;
        }
        *left == 0
    }

    /// The lowest span that may have a hole.
    fn lowest_span(&mut self) -> usize {
        let room = self.words.parts().room;
        let noted = room[self.lowest..].iter().position(|&noted| noted != 0);
        self.lowest += noted.expect("where there are holes is noted");
        self.lowest
    }

    /// The first word from `word` on that is not zero.
    pub(super) fn next_present(&self, word: usize) -> Option<usize> {
        let Parts { present, crowds, .. } = self.words.parts();
        let in_group = present.get(word / WORD)? >> (word % WORD);
        if in_group != 0 {
            return Some(word + in_group.trailing_zeros() as usize);
        }
        let group = next_bit(crowds, word / WORD + 1)?;
        Some(group * WORD + present[group].trailing_zeros() as usize)
    }

    /// The last word before `word` that is not zero.
    pub(super) fn previous_present(&self, word: usize) -> Option<usize> {
        let Parts { present, crowds, .. } = self.words.parts();
        let group = word / WORD;
        let in_group = present.get(group).map_or(0, |group| group & ((1 << (word % WORD)) - 1));
        if in_group != 0 {
            return Some(group * WORD + in_group.ilog2() as usize);
        }
        let group = previous_bit(crowds, group)?;
        Some(group * WORD + present[group].ilog2() as usize)
    }
}

/// The first set bit from `first` on.
fn next_bit(words: &[u64], first: usize) -> Option<usize> {
    let mut mask = !0 << (first % WORD);
    for (word, bits) in words.iter().enumerate().skip(first / WORD) {
        if bits & mask != 0 {
            return Some(word * WORD + (bits & mask).trailing_zeros() as usize);
        }
        mask = !0;
    }
    None
}

/// The last set bit before `end`.
fn previous_bit(words: &[u64], end: usize) -> Option<usize> {
    let begun = words.get(end / WORD).map_or(0, |word| word & ((1 << (end % WORD)) - 1));
    if begun != 0 {
        return Some(end / WORD * WORD + begun.ilog2() as usize);
    }
    let word = words[..words.len().min(end / WORD)].iter().rposition(|&word| word != 0)?;
    Some(word * WORD + words[word].ilog2() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::walk::Walk;
    use crate::raw::walk::tests::reads;
    use crate::stats::Reuse;
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

    /// Books of as many slots as fill all their summaries, and of some more and less, with a word empty
    /// at either end, or in the middle.
    #[test]
    #[cfg_attr(miri, ignore = "too many words to interpret")]
    fn the_ends_of_what_is_live_are_found_where_summaries_are_full() {
        for slots in [4_096, 1 << 18, 1 << 19, (1 << 18) - 64, (1 << 18) + 1, (1 << 18) + 4_096] {
            let last = (slots - 1) / WORD;
            for empty in [0, 1, last / 2, last] {
                let mut book = Occupancy::new(Reuse::Packed);
                book.cover(slots).expect("there is memory");
                // SAFETY: that many are covered.
                unsafe { book.append_many(slots) };
                // SAFETY: the word is one of the slots'.
                let dead = unsafe { book.live_word(empty) };
                // SAFETY: they are live.
                unsafe { book.vacate_word(empty, dead) };
                book.validate();
                let is_live = |slot: &usize| slot / WORD != empty;
                let first = (0..slots).find(is_live);
                assert_eq!(
                    (book.next_live(0), book.previous_live(usize::MAX)),
                    (first, (0..slots).rfind(is_live))
                );
                // SAFETY: the book lives, and does not change.
                let walk = unsafe { book.walk() };
                assert!(walk.clone().eq((0..slots).filter(is_live)), "{slots} slots, {empty}");
                assert!(walk.rev().eq((0..slots).rev().filter(is_live)), "{slots} slots, {empty}");
            }
        }
    }

    /// What a walk reads until its first step does not grow, however much is empty before it.
    #[test]
    fn emptying_from_either_end_takes_as_long_for_each_slot_at_any_size() {
        let few = if cfg!(miri) { 500 } else { 20_000 };
        for slots in [few, 2 * few, 4 * few] {
            for end in [Walk::next, Walk::next_back] {
                let mut book = Occupancy::new(Reuse::Packed);
                book.cover(slots).expect("there is memory");
                // SAFETY: that many are covered.
                unsafe { book.append_many(slots) };
                for _ in 0..slots {
                    // SAFETY: the book lives, and does not change while the walk is used.
                    let mut walk = unsafe { book.walk() };
                    let mut found = None;
                    assert!(reads(|| found = end(&mut walk)) <= 20, "of {slots} slots");
                    // SAFETY: the walk yielded it, so it is live.
                    unsafe { book.vacate(found.expect("a live slot is left")) };
                }
                book.validate();
            }
        }
    }
}
