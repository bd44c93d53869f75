//! Walks over live slots, a word of 64 at a time: the one set of iterators over occupancy.
//!
//! **Invariant.** `words` points to the words of an [`Occupancy`](crate::raw::occupancy::Occupancy)
//! that outlives the walk. The slots yet to be yielded are those of the front run
//! (`next..run_end`), those in `mask`, which is what is left of the word before `front`, and those
//! below `limit` in the words from `front` on; all are live. `remaining` counts them, but for the
//! run. While it is not zero, the last `remaining` set bits of the words below `back` and of
//! `back_mask` are the same slots; lower bits there mean nothing. Else neither is looked at.
//!
//! `present` points to a summary of the words, one bit for each; the walk looks at it to pass over
//! words without live slots.
//!
//! A word of all ones begins a *run*: it and the full words after it are one plain range, which a
//! loop steps through as through a slice. Other words are taken bit by bit.

use core::ops::Range;
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
    /// Only counted: where a walk ends is said by `limit`, and asked once a word.
    remaining: usize,
    /// The word of `back_mask`.
    back: usize,
    back_mask: u64,
    /// No slot from here on is left, unless it is in `mask` or in the run.
    limit: usize,
    words: NonNull<u64>,
    present: NonNull<u64>,
}

// SAFETY: a walk only reads the words; that nobody writes what it has yet to read is the contract
// of its maker, whichever thread it is on.
unsafe impl Send for Walk {}
// SAFETY: as above.
unsafe impl Sync for Walk {}

impl Walk {
    /// # Safety
    /// `words` covers `slots` slots, as long as the walk is used; the `live` of them whose bits are set
    /// are to be walked. Bits are cleared only of slots that were yielded. `present` covers the words,
    /// and has the bit of each word with a slot to be walked for as long as one is left.
    #[inline]
    pub(crate) unsafe fn new(
        words: NonNull<u64>,
        present: NonNull<u64>,
        slots: usize,
        live: usize,
    ) -> Self {
        let back = slots / WORD;
        let (limit, remaining) = (slots, live);
        let mut walk = Self { remaining, back, limit, words, present, ..Self::empty() };
        let rest = slots % WORD;
        if rest != 0 {
            // SAFETY: there are slots in this word.
            walk.back_mask = !(!0 << rest) & unsafe { walk.word(back) };
        }
        walk
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
            present: NonNull::dangling(),
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

    /// The live slots of a word, without those from `limit` on.
    ///
    /// # Safety
    /// The word begins below `limit`.
    #[inline]
    unsafe fn word_below_limit(&self, word: usize) -> u64 {
        // SAFETY: words that begin below `limit` are covered.
        let bits = unsafe { self.word(word) };
        if word == self.limit / WORD { bits & !(!0 << (self.limit % WORD)) } else { bits }
    }

    /// Which words of a group may have live slots.
    ///
    /// # Safety
    /// A word of the group is covered.
    #[inline]
    unsafe fn present(&self, group: usize) -> u64 {
        // SAFETY: the summary covers the words.
        let present = unsafe { self.present.add(group) };
        // SAFETY: it is initialised.
        unsafe { present.read() }
    }

    /// The first word from `word` on that may have a live slot, or one that begins past `limit`.
    #[inline]
    fn next_present(&self, mut word: usize) -> usize {
        while word * WORD < self.limit {
            // SAFETY: the word is covered.
            let present = unsafe { self.present(word / WORD) } >> (word % WORD);
            if present != 0 {
                return word + present.trailing_zeros() as usize;
            }
            word = (word / WORD + 1) * WORD;
        }
        word
    }

    /// Loads words until one has a live slot, and yields the first.
    #[inline]
    fn next_in_words(&mut self) -> Option<usize> {
        while self.front * WORD < self.limit {
            let word = self.front;
            let start = word * WORD;
            self.front += 1;
            // SAFETY: the word begins below `limit`.
            if unsafe { self.word(word) } == !0 {
                (self.next, self.run_end) = (start + 1, self.end_of_run(word));
                self.front = self.run_end.div_ceil(WORD);
                self.remaining -= self.run_end - start;
                return Some(start);
            }
            // SAFETY: as above.
            let live = unsafe { self.word_below_limit(word) };
            if live != 0 {
                self.mask = live & (live - 1);
                self.remaining -= 1;
                return Some(start + live.trailing_zeros() as usize);
            }
            self.front = self.next_present(self.front);
        }
        None
    }

    /// Where the run ends that a full word, which begins below `limit`, begins.
    #[inline]
    fn end_of_run(&self, mut word: usize) -> usize {
        word += 1;
        // SAFETY: words that begin below `limit` are covered.
        while word * WORD < self.limit && unsafe { self.word(word) } == !0 {
            word += 1;
        }
        // Bits past the last slot are set as well.
        self.limit.min(word * WORD)
    }

    /// As `next`, where the run is at its end. If this begins a run, it yields its first slot.
    #[inline]
    pub(crate) fn next_past_run(&mut self) -> Option<usize> {
        let mask = self.mask;
        if mask == 0 {
            return self.next_in_words();
        }
        self.remaining -= 1;
        self.mask = mask & (mask - 1);
        Some((self.front - 1) * WORD + mask.trailing_zeros() as usize)
    }

    /// Whether the next slot is one of a run.
    #[inline]
    pub(crate) const fn is_in_run(&self) -> bool {
        self.next < self.run_end
    }

    /// The next slot of the run, where there is a run.
    #[inline]
    pub(crate) const fn run_start(&self) -> usize {
        self.next
    }

    /// The next slot of the run.
    #[inline]
    pub(crate) fn next_in_run(&mut self) -> Option<usize> {
        if self.next == self.run_end {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    /// Divides a walk, between runs, in one or at a word, so that both parts have about as many
    /// live slots. The second is missing where there is too little to divide.
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        let run = self.run_end - self.next;
        if run > 0 {
            let mut above = self.clone();
            let middle = if self.remaining > 0 { self.run_end } else { self.next + run / 2 };
            (self.run_end, self.limit, self.remaining, self.mask) = (middle, middle, 0, 0);
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

    /// All that is left, forwards: slots one by one, runs whole.
    #[inline]
    pub(crate) fn visit<B>(self, init: B, visitor: &mut impl Visit<B>) -> B {
        let mut folded = visitor.run(init, self.next..self.run_end);
        if self.mask != 0 {
            folded = visitor.word(folded, (self.front - 1) * WORD, self.mask);
        }
        let mut front = self.front;
        while front * WORD < self.limit {
            // A group of words at a time.
            let group = front / WORD;
            // SAFETY: a word of the group is covered.
            let mut present = unsafe { self.present(group) } & (!0 << (front % WORD));
            front = (group + 1) * WORD;
            while present != 0 {
                let word = group * WORD + present.trailing_zeros() as usize;
                present &= present - 1;
                if word * WORD >= self.limit {
                    return folded;
                }
                // SAFETY: the word begins below `limit`.
                if unsafe { self.word(word) } == !0 {
                    let end = self.end_of_run(word);
                    folded = visitor.run(folded, word * WORD..end);
                    let after = end.div_ceil(WORD);
                    if after >= front {
                        front = after;
                        break;
                    }
                    present &= !0 << (after % WORD);
                    continue;
                }
                // SAFETY: as above.
                let live = unsafe { self.word_below_limit(word) };
                folded = visitor.word(folded, word * WORD, live);
            }
        }
        folded
    }

    /// Moves past `count` slots, a word at a time.
    fn skip(&mut self, mut count: usize) {
        let in_run = count.min(self.run_end - self.next);
        self.next += in_run;
        count = (count - in_run).min(self.remaining);
        self.remaining -= count;
        while count > 0 {
            let in_mask = self.mask.count_ones() as usize;
            if count < in_mask {
                self.mask = (0..count).fold(self.mask, |mask, _| mask & (mask - 1));
                return;
            }
            count -= in_mask;
            self.mask = 0;
            if self.front * WORD < self.limit {
                // SAFETY: just checked.
                self.mask = unsafe { self.word_below_limit(self.front) };
                self.front += 1;
            }
        }
    }
}

impl Iterator for Walk {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match self.next_in_run() {
            None => self.next_past_run(),
            slot => slot,
        }
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
        self.visit(init, &mut f)
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
        if self.back + 1 == self.front {
            // The front has begun with this word.
            self.mask &= !(1 << bit);
        }
        self.limit = self.back * WORD + bit;
        Some(self.limit)
    }
}

impl ExactSizeIterator for Walk {}

/// Who is shown the slots of a walk: a function of each, or one that takes runs whole.
pub(crate) trait Visit<B> {
    fn slot(&mut self, folded: B, slot: usize) -> B;

    /// The live slots of a word that begins with slot `start`, as bits.
    #[inline]
    fn word(&mut self, folded: B, start: usize, word: u64) -> B {
        each_slot(self, folded, start, word)
    }

    /// A range of live slots.
    #[inline]
    fn run(&mut self, folded: B, run: Range<usize>) -> B {
        let mut folded = folded;
        for slot in run {
            folded = self.slot(folded, slot);
        }
        folded
    }
}

impl<B, F: FnMut(B, usize) -> B> Visit<B> for F {
    #[inline]
    fn slot(&mut self, folded: B, slot: usize) -> B {
        self(folded, slot)
    }
}

/// Shows the set bits of a word, lowest first.
#[inline]
pub(crate) fn each_slot<B, V: Visit<B> + ?Sized>(
    visitor: &mut V,
    init: B,
    start: usize,
    mut word: u64,
) -> B {
    let mut folded = init;
    while word != 0 {
        folded = visitor.slot(folded, start + word.trailing_zeros() as usize);
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

/// Calls `f` for each set bit of a word, lowest first; a full word is a plain loop.
#[inline]
pub(crate) fn each_bit(word: u64, f: impl FnMut(usize)) {
    if word == !0 {
        (0..WORD).for_each(f);
    } else {
        bits(word).for_each(f);
    }
}
