//! Walks over live slots, a word of 64 at a time: the one set of iterators over occupancy.
//!
//! **Invariant.** `words` points to the words of an [`Occupancy`](crate::raw::occupancy::Occupancy)
//! that outlives the walk. The slots yet to be yielded are those of the front run
//! (`next..run_end`) and `remaining` more: the lowest of them in `mask` and the words from `front`
//! on, the highest in `back_mask` and the words below `back`; all are below `limit` and live.
//!
//! `summaries` points to the summaries of groups of 64 words, `room` and `present` in turn; the
//! walk looks at the second to pass over words without live slots.
//!
//! A word of all ones begins a *run*: it and the full words after it are one plain range, which a
//! loop steps through as through a slice. Other words are taken bit by bit.

use core::ptr::NonNull;

use crate::raw::occupancy::WORD;

/// A double-ended walk over the numbers of live slots.
#[derive(Clone)]
pub(crate) struct Walk {
    next: usize,
    run_end: usize,
    mask: u64,
    /// The word after the one in `mask`, or after the run.
    front: usize,
    remaining: usize,
    /// The word of `back_mask`.
    back: usize,
    back_mask: u64,
    /// No slot from here on is left.
    limit: usize,
    words: NonNull<u64>,
    summaries: NonNull<u64>,
}

// SAFETY: a walk only reads the words; that nobody writes what it has yet to read is the contract
// of its maker, whichever thread it is on.
unsafe impl Send for Walk {}
// SAFETY: as above.
unsafe impl Sync for Walk {}

impl Walk {
    /// # Safety
    /// `words` covers `slots` slots, as long as the walk is used; the `live` of them whose bits are
    /// set, but for `lone`, are to be walked. If there is a lone hole, it is the only one. Bits are
    /// cleared only of slots that were yielded. `summaries` covers the words.
    #[inline]
    pub(crate) unsafe fn new(
        words: NonNull<u64>,
        summaries: NonNull<u64>,
        slots: usize,
        live: usize,
        lone: Option<usize>,
    ) -> Self {
        let (next, run_end, mask, front) = (0, 0, 0, 0);
        let (back, back_mask) = (slots / WORD, 0);
        let limit = slots;
        let mut walk = Self {
            next,
            run_end,
            mask,
            front,
            remaining: live,
            back,
            back_mask,
            limit,
            words,
            summaries,
        };
        let rest = slots % WORD;
        if rest != 0 {
            // SAFETY: there are slots in this word.
            walk.back_mask = !(!0 << rest) & unsafe { walk.word(back) };
        }
        if let Some(lone) = lone {
            walk.begin_after(lone);
        }
        walk
    }

    /// Makes the slots before `lone` the run, and those after it what remains.
    #[cold]
    fn begin_after(&mut self, lone: usize) {
        self.run_end = lone;
        self.remaining -= lone;
        self.front = lone / WORD + 1;
        self.mask = (!0 << (lone % WORD)) << 1;
        if self.remaining == 0 {
            self.mask = 0;
        }
    }

    /// A walk over nothing.
    pub(crate) const fn empty() -> Self {
        Self {
            next: 0,
            run_end: 0,
            mask: 0,
            front: 0,
            remaining: 0,
            back: 0,
            back_mask: 0,
            limit: 0,
            words: NonNull::dangling(),
            summaries: NonNull::dangling(),
        }
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.run_end - self.next + self.remaining
    }

    /// # Safety
    /// The word is covered.
    #[inline]
    unsafe fn word(&self, word: usize) -> u64 {
        // SAFETY: by the contract.
        let word = unsafe { self.words.add(word) };
        // SAFETY: the words are initialised.
        unsafe { word.read() }
    }

    /// The first word from `word` on that may have a live slot; `end` if none before that has.
    ///
    /// # Safety
    /// The summaries cover the words before `end`, or one of them, from `word` on, is present.
    #[inline]
    unsafe fn next_present(&self, mut word: usize, end: usize) -> usize {
        while word < end {
            // SAFETY: by the contract.
            let present = unsafe { self.summaries.add(2 * (word / WORD) + 1) };
            // SAFETY: the summaries are initialised.
            let present = unsafe { present.read() } >> (word % WORD);
            if present != 0 {
                return end.min(word + present.trailing_zeros() as usize);
            }
            word = (word / WORD + 1) * WORD;
        }
        end
    }

    /// Loads words until one has a live slot, and yields the first.
    #[inline]
    fn next_in_words(&mut self) -> usize {
        loop {
            // SAFETY: a live slot is left, in this word or a later one.
            let word = unsafe { self.word(self.front) };
            let start = self.front * WORD;
            self.front += 1;
            if word == !0 {
                self.begin_run(start);
                self.next += 1;
                return start;
            }
            if word != 0 {
                self.mask = word & (word - 1);
                self.remaining -= 1;
                return start + word.trailing_zeros() as usize;
            }
            // SAFETY: a live slot is left, so a word is present.
            self.front = unsafe { self.next_present(self.front, usize::MAX) };
        }
    }

    /// A full word, from `start`, and the full words after it become the run, as far as live slots
    /// are left. (Bits past the last slot are set: what is left bounds the run, not the bits.)
    #[inline]
    fn begin_run(&mut self, start: usize) {
        let mut length = WORD;
        // SAFETY: a live slot is left past the run, so there is another word.
        while length < self.remaining && unsafe { self.word(self.front) } == !0 {
            self.front += 1;
            length += WORD;
        }
        let length = length.min(self.remaining);
        self.remaining -= length;
        self.next = start;
        self.run_end = start + length;
    }

    /// Divides a walk, between runs, in one or at a word, so that both parts have about as many
    /// live slots. The second is missing where there is too little to divide.
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        let run = self.run_end - self.next;
        if run > 0 {
            let mut above = self.clone();
            let middle = if self.remaining > 0 { self.run_end } else { self.next + run / 2 };
            (self.run_end, self.limit, self.remaining) = (middle, middle, 0);
            above.next = middle;
            return if middle == self.next { (above, None) } else { (self, Some(above)) };
        }
        let (half, mut below, mut word) =
            (self.remaining / 2, self.mask.count_ones() as usize, self.front);
        while below < half {
            // SAFETY: a live slot is left, in this word or a later one.
            below += unsafe { self.word(word) }.count_ones() as usize;
            word += 1;
        }
        // The last word may have set bits that are no slots: it is never counted before the half.
        if below == 0 || below >= self.remaining || word * WORD >= self.limit {
            return (self, None);
        }
        let mut above = self.clone();
        (above.front, above.mask) = (word, 0);
        above.remaining -= below;
        (self.remaining, self.limit) = (below, word * WORD);
        (self.back, self.back_mask) = (word, 0);
        (self, Some(above))
    }

    /// Moves past `count` slots, a word at a time.
    fn skip(&mut self, mut count: usize) {
        let in_run = count.min(self.run_end - self.next);
        self.next += in_run;
        count -= in_run;
        while count > 0 && self.remaining > 0 {
            let in_mask = (self.mask.count_ones() as usize).min(self.remaining);
            if count < in_mask {
                self.mask = (0..count).fold(self.mask, |mask, _| mask & (mask - 1));
                self.remaining -= count;
                return;
            }
            count -= in_mask;
            self.remaining -= in_mask;
            self.mask = 0;
            if self.remaining > 0 {
                // SAFETY: a live slot is left, in this word or a later one.
                self.mask = unsafe { self.word(self.front) };
                self.front += 1;
            }
        }
    }
}

impl Iterator for Walk {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.next < self.run_end {
            let slot = self.next;
            self.next += 1;
            return Some(slot);
        }
        if self.remaining == 0 {
            return None;
        }
        let mask = self.mask;
        if mask == 0 {
            return Some(self.next_in_words());
        }
        self.remaining -= 1;
        self.mask = mask & (mask - 1);
        Some((self.front - 1) * WORD + mask.trailing_zeros() as usize)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }

    #[inline]
    fn count(self) -> usize {
        self.len()
    }

    #[inline]
    fn last(mut self) -> Option<usize> {
        self.next_back()
    }

    fn nth(&mut self, n: usize) -> Option<usize> {
        self.skip(n);
        self.next()
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for slot in self.next..self.run_end {
            folded = f(folded, slot);
        }
        if self.remaining == 0 {
            return folded;
        }
        // The word that `limit` lies in is cut off there, all before it are whole.
        let (last, rest) = (self.limit / WORD, self.limit % WORD);
        let mut word = self.front;
        if self.mask != 0 {
            let mask = if word > last { self.mask & !(!0 << rest) } else { self.mask };
            folded = fold_bits(folded, (word - 1) * WORD, mask, &mut f);
        }
        while word < last {
            // SAFETY: words below `limit` are covered.
            word = unsafe { self.next_present(word, last) };
            if word == last {
                break;
            }
            // SAFETY: as above.
            let live = unsafe { self.word(word) };
            let start = word * WORD;
            word += 1;
            if live == !0 {
                // SAFETY: as above.
                while word < last && unsafe { self.word(word) } == !0 {
                    word += 1;
                }
                for slot in start..word * WORD {
                    folded = f(folded, slot);
                }
            } else {
                folded = fold_bits(folded, start, live, &mut f);
            }
        }
        if word == last && rest != 0 {
            // SAFETY: slots of this word lie below `limit`.
            let live = unsafe { self.word(last) };
            if live == !0 {
                for slot in last * WORD..self.limit {
                    folded = f(folded, slot);
                }
            } else {
                folded = fold_bits(folded, last * WORD, live & !(!0 << rest), &mut f);
            }
        }
        folded
    }
}

impl DoubleEndedIterator for Walk {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        if self.remaining == 0 {
            if self.next == self.run_end {
                return None;
            }
            self.run_end -= 1;
            self.limit = self.run_end;
            return Some(self.run_end);
        }
        while self.back_mask == 0 {
            self.back -= 1;
            // SAFETY: a live slot is left, in this word or an earlier one.
            self.back_mask = unsafe { self.word(self.back) };
        }
        self.remaining -= 1;
        let bit = self.back_mask.ilog2() as usize;
        self.back_mask ^= 1 << bit;
        self.limit = self.back * WORD + bit;
        Some(self.limit)
    }
}

impl ExactSizeIterator for Walk {}

/// Folds over the set bits of a word.
#[inline]
fn fold_bits<B>(init: B, start: usize, mut word: u64, f: &mut impl FnMut(B, usize) -> B) -> B {
    let mut folded = init;
    while word != 0 {
        folded = f(folded, start + word.trailing_zeros() as usize);
        word &= word - 1;
    }
    folded
}

/// The set bits of a word, lowest first.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}
