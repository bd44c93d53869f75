//! Walks over live slots, a word of 64 at a time: the one set of iterators over occupancy.
//!
//! **Invariant.** `words` points to words of another owner, which cover the slots below `limit` as long as the walk is
//! used; so does `summary`, if there is one, those words. The slots yet to be yielded are those of the front run
//! (`next..run_end`), those in `mask`, which is what is left of the word before `front`, and those
//! below `limit` in the words from `front` on; all are live. `remaining` counts them, but for the
//! run. While it is not zero, the last `remaining` set bits of the words below `back` and of
//! `back_mask` are the same slots; lower bits there mean nothing. Else neither is looked at.
//!
//! `summary` points to a summary of the words, one bit for each; the walk looks at it to pass over
//! words without live slots, 64 at a time, in both directions.
//! The bits of `present` are those of the words from `front` on that have a live slot, and maybe of
//! others, up to the end of a group; or there are none, and the summary has to be asked.
//!
//! All slots come in *runs*, ranges of live slots that a loop steps through as through a slice: a word
//! of all ones begins one of it and of full words after it, and each bit of another word is a run of
//! one slot. So there is one place where a slot is yielded, whatever run it is of, and a `for` loop
//! compiles to a short loop over a run inside a loop over runs.
//!
//! A run is of at most [`MOST_WORDS`] words, one if it is the first, so that the first slot is found as soon where many
//! follow as where few do; a full word after it begins the next. [`Walk::visit`], which goes through all slots, takes
//! runs whole.

#[cfg(test)]
pub(crate) mod tests;

use core::ops::Range;
use core::ptr::NonNull;

use crate::memory::bits::WORD;
use crate::memory::cold_path;

/// The greatest number of words in a run.
const MOST_WORDS: usize = 16;

/// Live slots that follow one another in a walk, one at least.
pub(crate) enum LivePart {
    /// A run of `count` slots from `start` on.
    Run { start: usize, count: usize },
    /// Those of the word that begins with slot `start`, as bits.
    Word { start: usize, live: u64 },
}

impl LivePart {
    /// The slot that it is counted from, which need not be live.
    #[inline(always)]
    pub(crate) const fn start(&self) -> usize {
        let (Self::Run { start, .. } | Self::Word { start, .. }) = *self;
        start
    }

    /// The first live slot.
    #[inline(always)]
    pub(crate) const fn first(&self) -> usize {
        match *self {
            Self::Run { start, .. } => start,
            Self::Word { start, live } => start + live.trailing_zeros() as usize,
        }
    }
}

/// A double-ended walk over the numbers of live slots.
#[derive(Clone)]
pub struct Walk {
    next: usize,
    run_end: usize,
    mask: u64,
    /// The word after the one in `mask`, or after the run.
    front: usize,
    present: u64,
    /// Only counted: where a walk ends is said by `limit`, and asked once a word.
    remaining: usize,
    /// The word of `back_mask`.
    back: usize,
    back_mask: u64,
    /// No slot from here on is left, unless it is in `mask` or in the run.
    limit: usize,
    words: NonNull<u64>,
    summary: Option<NonNull<u64>>,
}

// SAFETY: a walk only reads the words; that what it has yet to read is not written is the contract
// of its maker, whichever thread it is on.
unsafe impl Send for Walk {}
// SAFETY: through a shared walk nothing is read or changed but its own numbers.
unsafe impl Sync for Walk {}

impl Walk {
    /// # Safety
    /// While the walk is used,
    /// 1. `words` covers the slots of the range and all below; the `live` of them whose bits are set are to be
    ///    walked, and lie within the range;
    /// 2. bits are cleared only of slots that were yielded;
    /// 3. `summary` covers the words, and has the bit of each word with a slot to be walked for as long as one is
    ///    left; where there is none, all words are looked at;
    /// 4. `present` is zero, or has, from the range's first word on, the bits of all such words up to the end of a
    ///    group.
    #[inline]
    pub(crate) unsafe fn new(
        words: NonNull<u64>,
        summary: Option<NonNull<u64>>,
        range: Range<usize>,
        present: u64,
        live: usize,
    ) -> Self {
        let (front, limit, back) = (range.start / WORD, range.end, range.end / WORD);
        let walk = Self { front, present, back, limit, words, summary, ..Self::empty() };
        let mut walk = Self { remaining: live, ..walk };
        let rest = limit % WORD;
        if rest != 0 {
            walk.back_mask = !(!0 << rest) & walk.words().word(back);
        }
        walk
    }

    /// Has the walk read the words there.
    ///
    /// # Safety
    /// 1. They are the same words.
    /// 2. From now on they are valid instead of those it read until now.
    #[inline(always)]
    pub(crate) const unsafe fn read_from(&mut self, words: NonNull<u64>) {
        self.words = words;
    }

    /// A walk over nothing.
    pub(crate) const fn empty() -> Self {
        Self {
            next: 0,
            run_end: 0,
            mask: 0,
            front: 0,
            present: 0,
            remaining: 0,
            back: 0,
            back_mask: 0,
            limit: 0,
            words: NonNull::dangling(),
            summary: None,
        }
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.run_end - self.next + self.remaining
    }

    #[inline(always)]
    const fn words(&self) -> LiveBits {
        LiveBits { first: self.words, limit: self.limit }
    }

    #[inline(always)]
    const fn summary(&self) -> Summary {
        Summary { first: self.summary, limit: self.limit }
    }

    /// The live slots of a word, without those from `limit` on.
    #[inline]
    fn word_below_limit(&self, word: usize) -> u64 {
        let bits = self.words().word(word);
        if word == self.limit / WORD { bits & !(!0 << (self.limit % WORD)) } else { bits }
    }

    /// The slots after those in `mask`, where no run is left: a run, or those of a word. They are in
    /// `remaining` still.
    #[inline(always)]
    fn load(&mut self) -> Option<LivePart> {
        loop {
            if self.present == 0 {
                (self.front, self.present) = next_present(self.summary(), self.front);
                if self.present == 0 {
                    return None;
                }
            }
            let passed = self.present.trailing_zeros();
            let word = self.front + passed as usize;
            let start = word * WORD;
            if start >= self.limit {
                return None;
            }
            (self.front, self.present) = (word + 1, self.present >> passed >> 1);
            let mut live = self.words().word(word);
            if live == !0 {
                let (end, front) = end_of_run(self.words(), word);
                // (No more are passed than it has bits.)
                self.present >>= (front - self.front) % WORD;
                self.front = front;
                return Some(LivePart::Run { start, count: end - start });
            }
            if self.limit - start < WORD {
                cold_path();
                live &= !(!0 << (self.limit - start));
            }
            if live != 0 {
                return Some(LivePart::Word { start, live });
            }
        }
    }

    /// Begins the next run, of one slot or more, after the end of the last one.
    #[inline(always)]
    fn begin_run(&mut self) -> Option<()> {
        if self.mask == 0 {
            match self.load()? {
                LivePart::Run { start, count } => {
                    self.remaining -= count;
                    (self.next, self.run_end) = (start, start + count);
                    return Some(());
                }
                LivePart::Word { live, .. } => self.mask = live,
            }
        }
        let mask = self.mask;
        let slot = (self.front - 1) * WORD + mask.trailing_zeros() as usize;
        self.mask = mask & (mask - 1);
        self.remaining -= 1;
        (self.next, self.run_end) = (slot, slot + 1);
        Some(())
    }

    /// Takes the next slots from the walk.
    #[inline(always)]
    pub(crate) fn take_part(&mut self) -> Option<LivePart> {
        if self.next != self.run_end {
            let (start, count) = (self.next, self.run_end - self.next);
            self.next = self.run_end;
            return Some(LivePart::Run { start, count });
        }
        if self.mask != 0 {
            let (start, live) = ((self.front - 1) * WORD, self.mask);
            self.mask = 0;
            self.remaining -= live.count_ones() as usize;
            return Some(LivePart::Word { start, live });
        }
        let part = self.load()?;
        self.remaining -= match part {
            LivePart::Run { count, .. } => count,
            LivePart::Word { live, .. } => live.count_ones() as usize,
        };
        Some(part)
    }

    /// Gives back what is left of the part that was taken last.
    #[inline]
    pub(crate) fn give_back(&mut self, part: LivePart) {
        match part {
            LivePart::Run { start, count } => {
                if self.next == self.run_end {
                    self.run_end = start + count;
                }
                self.next = start;
            }
            LivePart::Word { live, .. } => {
                self.mask |= live;
                self.remaining += live.count_ones() as usize;
            }
        }
    }

    /// A slot, in a run or at the start of a word, such that about half of what is left lies before it.
    /// There is none where there is too little to divide.
    #[cfg(feature = "rayon")]
    pub(crate) fn middle(&self) -> Option<usize> {
        let (run, half) = (self.run_end - self.next, self.len() / 2);
        if run > half {
            return (half > 0).then_some(self.next + half);
        }
        let (mut below, mut word) = (run + self.mask.count_ones() as usize, self.front);
        while below < half {
            // (A live slot is left, in this word or a later one.)
            below += self.words().word(word).count_ones() as usize;
            word += 1;
        }
        // (With the last word all are below, and its set bits that are no slots.)
        (below > 0 && below < self.len()).then_some(word * WORD)
    }

    /// Splits off what lies before a slot; what is left begins with it. Counts the words between.
    #[inline]
    pub(crate) fn split_off_below(&mut self, slot: usize) -> Self {
        let slot = slot.min(self.limit);
        let (word, bits) = (slot / WORD, !(!0 << (slot % WORD)));
        let mut below = self.clone();
        (below.limit, below.back) = (slot, word);
        below.back_mask = self.words().word(word) & bits;

        self.next = slot.clamp(self.next, self.run_end);
        below.run_end = self.next;

        // The words from `front` on, if it is in one of these; else what is left of the one before.
        below.remaining = 0;
        if word >= self.front {
            let passed = self.front..word;
            below.remaining = self.mask.count_ones() as usize;
            below.remaining +=
                passed.map(|word| self.words().word(word).count_ones() as usize).sum::<usize>();
            self.mask = self.word_below_limit(word);
            (self.front, self.present) = (word + 1, 0);
            below.remaining += (self.mask & bits).count_ones() as usize;
        } else {
            below.mask &= if word + 1 == self.front { bits } else { 0 };
            below.remaining = below.mask.count_ones() as usize;
        }
        self.mask &= if word + 1 == self.front { !bits } else { !0 };
        self.remaining -= below.remaining;
        below
    }

    /// All that is left, forwards: slots one by one, runs whole.
    #[inline]
    pub(crate) fn visit<B>(self, init: B, visitor: &mut impl Visit<B>) -> B {
        let mut folded = visitor.run(init, self.next..self.run_end);
        if self.mask != 0 {
            folded = visitor.word(folded, (self.front - 1) * WORD, self.mask);
        }
        let (mut front, mut known) = (self.front, self.present);
        while front * WORD < self.limit {
            // A group of words at a time.
            let group = front / WORD;
            let mut present = known << (front % WORD);
            if present == 0 {
                present = self.summary().present(group) & (!0 << (front % WORD));
            }
            (front, known) = ((group + 1) * WORD, 0);
            while present != 0 {
                let word = group * WORD + present.trailing_zeros() as usize;
                present &= present - 1;
                if word * WORD >= self.limit {
                    return folded;
                }
                if self.words().word(word) == !0 {
                    let end = end_of_full(self.words(), word, usize::MAX);
                    folded = visitor.run(folded, word * WORD..end);
                    let after = end.div_ceil(WORD);
                    if after >= front {
                        front = after;
                        break;
                    }
                    present &= !0 << (after % WORD);
                    continue;
                }
                let live = self.word_below_limit(word);
                folded = visitor.word(folded, word * WORD, live);
            }
        }
        folded
    }

    /// Moves past `count` slots, a word at a time.
    pub(crate) fn pass_over(&mut self, mut count: usize) {
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
            let (word, present) = next_present(self.summary(), self.front);
            (self.front, self.present) = (word, 0);
            if present != 0 && word * WORD < self.limit {
                self.mask = self.word_below_limit(word);
                self.front += 1;
            }
        }
    }
}

impl Iterator for Walk {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.next == self.run_end {
            cold_path();
            self.begin_run()?;
        }
        self.next += 1;
        Some(self.next - 1)
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
        self.pass_over(n);
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
            // (A live slot is left, in an earlier word.)
            self.back = previous_present(self.summary(), self.back);
            self.back_mask = self.words().word(self.back);
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

/// The words of slots below `limit`. (Two numbers, which are passed in registers.)
///
/// **Invariant.** Those that begin below it can be read as long as this is used.
#[derive(Clone, Copy)]
struct LiveBits {
    first: NonNull<u64>,
    limit: usize,
}

impl LiveBits {
    /// The live slots of a word, and bits beyond the limit; none if it begins there.
    #[inline(always)]
    fn word(self, word: usize) -> u64 {
        // SAFETY: just checked.
        if word * WORD < self.limit { unsafe { read(self.first, word) } } else { 0 }
    }
}

/// The summary of the words of slots below `limit`, if there is one.
///
/// **Invariant.** The summary, if there is one, covers the words that begin below the limit, and can be read as long as
/// this is used.
#[derive(Clone, Copy)]
struct Summary {
    first: Option<NonNull<u64>>,
    limit: usize,
}

impl Summary {
    /// Returns the words of a group that may have live slots, as bits; none if it begins at the limit or later.
    #[inline(always)]
    fn present(self, group: usize) -> u64 {
        if group * (WORD * WORD) >= self.limit {
            return 0;
        }
        // SAFETY: just checked.
        self.first.map_or(!0, |first| unsafe { read(first, group) })
    }
}

/// A word of many. (The tests count how often one is read.)
///
/// # Safety
/// 1. There are more than `number` words.
/// 2. They are initialised.
#[inline(always)]
unsafe fn read(words: NonNull<u64>, number: usize) -> u64 {
    #[cfg(test)]
    tests::READS.set(tests::READS.get() + 1);
    // SAFETY: by (1) there is the word, and by (2) it is initialised.
    unsafe { words.add(number).read() }
}

/// The first word from `word` on that may have a live slot, and which of the words from there on may,
/// as bits, as far as one summary says. There are none if there is no such word below the limit; then
/// the word is one that begins there or later.
///
/// Out of line, and with nothing lent to it, so that a loop keeps its own state in registers.
#[inline(never)]
fn next_present(summary: Summary, mut word: usize) -> (usize, u64) {
    while word * WORD < summary.limit {
        let present = summary.present(word / WORD) >> (word % WORD);
        if present != 0 {
            let passed = present.trailing_zeros();
            return (word + passed as usize, present >> passed);
        }
        word = (word / WORD + 1) * WORD;
    }
    (word, 0)
}

/// The last word before `word` that may have a live slot. There is one.
#[inline]
fn previous_present(summary: Summary, mut word: usize) -> usize {
    loop {
        let last = word - 1;
        let present = summary.present(last / WORD) << (WORD - 1 - last % WORD);
        if present != 0 {
            return last - present.leading_zeros() as usize;
        }
        word = last / WORD * WORD;
    }
}

/// Returns the slot at which the run ends that a full word begins, and the word after it.
#[inline(never)]
fn end_of_run(words: LiveBits, word: usize) -> (usize, usize) {
    // A loop that wants few of the first slots does not look for more.
    let most = if word == 0 { 1 } else { MOST_WORDS };
    let end = end_of_full(words, word, most);
    (end, end.div_ceil(WORD))
}

/// Returns the slot at which the full words end that begin with `word`, at most `most` of them.
#[inline]
fn end_of_full(words: LiveBits, word: usize, most: usize) -> usize {
    let mut end = word + 1;
    while end - word < most && end * WORD < words.limit && words.word(end) == !0 {
        end += 1;
    }
    // Bits past the last slot are set as well.
    words.limit.min(end * WORD)
}

/// A visitor of the slots of a walk: a function of each, or one that takes runs whole.
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
