//! Walks over words, against one that asks every slot.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;
use core::ptr::NonNull;

use super::{LivePart, MOST_WORDS, Visit, WORD, Walk};

std::thread_local! {
    /// The number of words that this thread has read.
    pub(super) static READS: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of words that a function reads.
pub(crate) fn reads(f: impl FnOnce()) -> u64 {
    let before = READS.get();
    f();
    READS.get() - before
}

/// The live slots, as a book of slots knows them. (It is changed while it is walked over.)
struct Book {
    words: Vec<Cell<u64>>,
    summary: Vec<Cell<u64>>,
    slots: usize,
}

impl Book {
    fn new(slots: usize, is_live: impl Fn(usize) -> bool) -> Self {
        let mut words = vec![0; slots.div_ceil(WORD)];
        for slot in 0..words.len() * WORD {
            // The bits past the last slot are set.
            words[slot / WORD] |= u64::from(slot >= slots || is_live(slot)) << (slot % WORD);
        }
        // Behind it lie groups of nothing, so that who goes on reading them reads much.
        let mut summary = vec![0; words.len().div_ceil(WORD) + 2_000];
        for (word, &live) in words.iter().enumerate() {
            // (A word may have its bit though no slot of it is live: each seventh.)
            let present = live != 0 || word % 7 == 0 || word == slots / WORD;
            summary[word / WORD] |= u64::from(present) << (word % WORD);
        }
        let [words, summary] =
            [words, summary].map(|words: Vec<u64>| words.into_iter().map(Cell::new).collect());
        Self { words, summary, slots }
    }

    fn is_live(&self, slot: usize) -> bool {
        self.words[slot / WORD].get() >> (slot % WORD) & 1 == 1
    }

    fn live(&self) -> VecDeque<usize> {
        (0..self.slots).filter(|&slot| self.is_live(slot)).collect()
    }

    fn remove(&self, slot: usize) {
        let word = slot / WORD;
        let left = self.words[word].get() & !(1 << (slot % WORD));
        self.words[word].set(left);
        if left == 0 {
            self.forget(word);
        }
    }

    /// Takes its bit from a word.
    fn forget(&self, word: usize) {
        let summary = &self.summary[word / WORD];
        summary.set(summary.get() & !(1 << (word % WORD)));
    }

    fn walk(&self) -> Walk {
        self.walk_over(self.live().len())
    }

    /// Walks over the book, of which `live` slots are live.
    fn walk_over(&self, live: usize) -> Walk {
        let [words, summary] =
            [&self.words, &self.summary].map(|words| NonNull::from(&**words).cast());
        // SAFETY: the words cover the slots, and the summary the words; the tests use a walk while
        // its book lives, and change the book only as they may.
        unsafe { Walk::new(words, Some(summary), 0..self.slots, 0, live) }
    }
}

/// A few numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

const SIZES: &[usize] = if cfg!(miri) {
    &[0, 100, 1_300]
} else {
    &[0, 1, 63, 64, 65, 128, 1_000, 1_088, 5_000, 9_000]
};

/// Books of many sizes and patterns.
fn books() -> impl Iterator<Item = Book> {
    let scattered = |percent: u64| {
        move |slot: usize| {
            let mixed = (slot as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40 & 127 < percent
        }
    };
    SIZES.iter().flat_map(move |&slots| {
        [
            Book::new(slots, |_| true),
            Book::new(slots, |_| false),
            Book::new(slots, scattered(115)),
            Book::new(slots, scattered(64)),
            Book::new(slots, scattered(1)),
            // Full words and empty ones, in stretches of both.
            Book::new(slots, |slot| slot / WORD * 5 % 17 < 9),
            Book::new(slots, |slot| !(100..slots.saturating_sub(70)).contains(&slot)),
            Book::new(slots, |slot| slot % 3_000 != 2_999),
        ]
    })
}

/// Puts together what a walk shows, slots and runs.
struct Seen(Vec<usize>);

impl Visit<()> for Seen {
    fn slot(&mut self, (): (), slot: usize) {
        self.0.push(slot);
    }

    fn run(&mut self, (): (), run: Range<usize>) {
        self.0.extend(run);
    }
}

fn visited(walk: Walk) -> Vec<usize> {
    let mut seen = Seen(Vec::new());
    walk.visit((), &mut seen);
    seen.0
}

/// Takes a part of the walk, and gives back what is left of it after a few slots.
fn part(walk: &mut Walk, expected: &mut VecDeque<usize>, take: usize) {
    let Some(part) = walk.take_part() else {
        return assert!(expected.is_empty());
    };
    match part {
        LivePart::Run { start, count } => {
            assert!(0 < count && count <= MOST_WORDS * WORD, "a run of {count}");
            let take = take.min(count);
            assert!(expected.drain(..take).eq(start..start + take));
            if take < count {
                walk.give_back(LivePart::Run { start: start + take, count: count - take });
            }
        }
        LivePart::Word { start, mut live } => {
            for _ in 0..take.min(live.count_ones() as usize) {
                assert_eq!(expected.pop_front(), Some(start + live.trailing_zeros() as usize));
                live &= live - 1;
            }
            if live != 0 {
                walk.give_back(LivePart::Word { start, live });
            }
        }
    }
}

#[test]
fn walk_in_all_ways_at_once() {
    let mut numbers = Numbers(7);
    for round in 0..if cfg!(miri) { 1 } else { 3 } {
        for book in books() {
            let (mut walk, mut expected) = (book.walk(), book.live());
            // Some turns take few slots, others many.
            let far = [3, 90, 2_000][round % 3];
            loop {
                assert_eq!((walk.len(), walk.size_hint().0), (expected.len(), expected.len()));
                if expected.is_empty() {
                    break;
                }
                let leap = numbers.below(far);
                match numbers.below(8) {
                    0 | 1 => (0..=leap).for_each(|_| {
                        assert_eq!(walk.next(), expected.pop_front());
                    }),
                    2 | 3 => (0..=leap).for_each(|_| {
                        assert_eq!(walk.next_back(), expected.pop_back());
                    }),
                    4 => {
                        expected.drain(..leap.min(expected.len()));
                        assert_eq!(walk.nth(leap), expected.pop_front());
                    }
                    5 => assert!(visited(walk.clone()).iter().eq(&expected)),
                    6 => assert!(walk.clone().rev().eq(expected.iter().rev().copied())),
                    _ => part(&mut walk, &mut expected, leap),
                }
            }
            for _ in 0..2 {
                assert!(walk.next().is_none() && walk.next_back().is_none());
                assert!(walk.nth(2).is_none() && walk.take_part().is_none());
            }
        }
    }
}

/// Each way to pass over some, from each place that a walk may have come to.
#[test]
fn what_is_passed_over_is_as_much_as_it_says() {
    let book = Book::new(333, |slot| slot < 140 || slot > 200 && slot % 3 == 0);
    let live: Vec<usize> = book.live().into();
    for (front, back) in [(0, 0), (1, 0), (63, 2), (64, 30), (100, 1), (141, 0), (150, 20)] {
        let mut walk = book.walk();
        walk.by_ref().take(front).for_each(drop);
        walk.by_ref().rev().take(back).for_each(drop);
        let left = &live[front..live.len() - back];
        assert_eq!((walk.clone().count(), walk.clone().last()), (left.len(), left.last().copied()));
        for n in 0..left.len() + 2 {
            let mut leaping = walk.clone();
            assert_eq!(leaping.nth(n), left.get(n).copied());
            assert_eq!(leaping.len(), left.len().saturating_sub(n + 1));
            assert!(leaping.eq(left.iter().skip(n + 1).copied()), "{front}, {back}, {n}");
        }
    }
}

/// Words from the end of a walk on are none of its, and may not even be there.
#[test]
fn a_leap_reads_nothing_from_the_end_on() {
    let words: [u64; 4] = [!0, 0, !0, !0];
    // SAFETY: the walk is over the first of these words.
    let mut walk = unsafe { Walk::new(NonNull::from(&words).cast(), None, 0..WORD, 0, WORD) };
    assert!(reads(|| assert_eq!(walk.nth(WORD), None)) <= 1);
    // Nor does one that the other end has come to from far above, where that was emptied meanwhile.
    let book = Book::new(600, |slot| slot < 70 || slot == 320 || slot >= 450);
    let mut walk = book.walk();
    walk.by_ref().rev().take(150).for_each(drop);
    assert_eq!(walk.next_back(), Some(320));
    book.remove(320);
    assert_eq!((walk.nth(70), walk.next(), walk.len()), (None, None, 0));
}

/// Slots that were yielded may be removed.
#[test]
fn walk_and_remove() {
    let mut numbers = Numbers(5);
    for book in books() {
        let (mut walk, mut expected) = (book.walk(), book.live());
        while !expected.is_empty() {
            let (slot, next) = match numbers.below(2) {
                0 => (walk.next(), expected.pop_front()),
                _ => (walk.next_back(), expected.pop_back()),
            };
            assert_eq!(slot, next);
            next.into_iter().for_each(|slot| book.remove(slot));
        }
        assert_eq!((walk.next(), walk.next_back(), walk.len()), (None, None, 0));
    }
}

/// The part that is split off and the rest are walks of their own, in both directions, wherever both ends were before.
#[test]
fn a_walk_can_be_split_before_any_slot() {
    let mut numbers = Numbers(7);
    for book in books() {
        for [front, back] in [[0, 0], [1, 0], [70, 3], [3, 70], [0, 900]] {
            let (mut walk, live) = (book.walk(), book.live());
            walk.by_ref().take(front).for_each(drop);
            walk.by_ref().rev().take(back).for_each(drop);
            let back = live.len().saturating_sub(back);
            let left: Vec<_> = live.range(front.min(back)..back).copied().collect();
            for _ in 0..if cfg!(miri) { 2 } else { 10 } {
                let slot = numbers.below(book.slots + 200);
                let middle = left.partition_point(|&live| live < slot);
                let mut rest = walk.clone();
                for (part, left) in
                    [(rest.split_off_below(slot), &left[..middle]), (rest, &left[middle..])]
                {
                    assert_eq!(part.len(), left.len(), "split before {slot}");
                    assert_eq!(visited(part.clone()), left);
                    assert!(part.clone().eq(left.iter().copied()));
                    assert!(part.clone().rev().eq(left.iter().rev().copied()));
                    let nth = numbers.below(left.len() + 2);
                    assert_eq!(part.clone().nth(nth), left.get(nth).copied());
                    // And can be split again, after a step at each end.
                    let (mut above, mut left) = (part, left.to_vec());
                    above.next();
                    above.next_back();
                    left = left.get(1..left.len().max(2) - 1).unwrap_or_default().to_vec();
                    let slot = numbers.below(book.slots + 1);
                    let below = above.split_off_below(slot);
                    let middle = left.partition_point(|&live| live < slot);
                    assert!(below.eq(left[..middle].iter().copied()));
                    assert!(above.rev().eq(left[middle..].iter().rev().copied()));
                }
            }
        }
    }
}

/// Two parts of about as many slots.
#[cfg(feature = "rayon")]
fn divide(mut walk: Walk) -> (Walk, Option<Walk>) {
    match walk.middle() {
        Some(slot) => (walk.split_off_below(slot), Some(walk)),
        None => (walk, None),
    }
}

#[cfg(feature = "rayon")]
#[test]
fn parts_of_a_divided_walk_are_the_whole() {
    fn divided(walk: Walk, slots: &mut Vec<usize>) {
        let len = walk.len();
        match divide(walk) {
            (below, Some(above)) => {
                assert_eq!(below.len() + above.len(), len);
                assert!(below.len().abs_diff(above.len()) <= 2 * WORD, "halves, but for a word");
                divided(below, slots);
                divided(above, slots);
            }
            (walk, None) => {
                assert!(walk.len() <= 2 * WORD, "there is too little to divide");
                assert!(walk.clone().rev().eq(visited(walk.clone()).into_iter().rev()));
                slots.extend(walk);
            }
        }
    }

    for book in books() {
        for [front, back] in [[0, 0], [1, 0], [70, 3], [0, 900]] {
            let mut walk = book.walk();
            walk.by_ref().take(front).for_each(drop);
            walk.by_ref().rev().take(back).for_each(drop);
            let mut slots = Vec::new();
            divided(walk.clone(), &mut slots);
            assert!(slots.into_iter().eq(walk));
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn a_run_of_more_than_half_is_divided_in_its_middle() {
    let book = Book::new(3_000, |slot| slot < 1_024 || slot % 64 == 0);
    let mut walk = book.walk();
    walk.by_ref().take(65).for_each(drop); // the first word, and one of the 15 after it
    let (below, Some(above)) = divide(walk.clone()) else { panic!("there is much") };
    assert_eq!((below.len(), above.len()), (walk.len() / 2, walk.len().div_ceil(2)));
    assert!(below.chain(above).eq(walk));
    // One of a word's bits, and one behind it.
    let walk = Book::new(65, |slot| slot % 64 == 0);
    let (below, above) = divide(walk.walk());
    assert!(below.eq([0]) && above.is_some_and(|above| above.eq([64])));
}

/// The number of words read until the first slot is found, at either end, does not grow with the container, but by a
/// summary for each 4,096 empty slots.
#[test]
fn first_slots_are_found_at_once() {
    for slots in [4_000, 40_000, 400_000].map(|slots| if cfg!(miri) { slots / 10 } else { slots }) {
        let full = Book::new(slots, |_| true);
        let first = full.walk();
        assert!(reads(|| assert_eq!(first.clone().next(), Some(0))) <= MOST_WORDS as u64 + 2);
        assert!(reads(|| assert_eq!(first.clone().next_back(), Some(slots - 1))) <= 2);
        assert!(reads(|| assert!(first.clone().any(|slot| slot == 3))) <= MOST_WORDS as u64 + 2);

        let ends = Book::new(slots, |slot| slot == slots / 2);
        (0..slots / WORD).filter(|word| word % 7 == 0).for_each(|word| {
            // No word has its bit for nothing.
            if word != slots / 2 / WORD {
                ends.forget(word);
            }
        });
        let middle = ends.walk();
        let groups = slots.div_ceil(WORD * WORD) as u64;
        assert!(reads(|| assert_eq!(middle.clone().next(), Some(slots / 2))) <= groups + 3);
        assert!(reads(|| assert_eq!(middle.clone().next_back(), Some(slots / 2))) <= groups + 3);
        assert!(reads(|| assert_eq!(middle.clone().nth(1), None)) <= groups + 3);
    }
}

/// A whole walk reads each word about once.
#[test]
fn a_whole_walk_reads_words_once() {
    for book in books() {
        let most = (book.words.len() + book.words.len().div_ceil(WORD)) as u64 * 2 + 4;
        let walk = book.walk();
        let mut each = walk.clone();
        assert!(reads(|| walk.clone().for_each(drop)) <= most);
        assert!(reads(|| while each.next().is_some() {}) <= most);
        assert!(reads(|| walk.clone().rev().for_each(drop)) <= most);
    }
}

/// Removes what a new walk yields first, or last, again and again.
#[test]
fn removing_the_first_or_the_last_again_and_again_is_linear() {
    fn reads_to_empty(slots: usize, end: fn(&mut Walk) -> Option<usize>) -> u64 {
        let book = Book::new(slots, |_| true);
        reads(|| {
            for left in (1..=slots).rev() {
                let slot = end(&mut book.walk_over(left)).expect("slots are left");
                book.remove(slot);
            }
        })
    }

    let few = if cfg!(miri) { 70 } else { 3_000 };
    for end in [Walk::next, Walk::next_back] {
        let per_slot =
            [few, 2 * few, 4 * few].map(|slots| reads_to_empty(slots, end) as f64 / slots as f64);
        assert!(per_slot[2] <= per_slot[0] + 4.0, "{per_slot:?}");
    }
}
