//! Every walk, by every method that has its own code, over every kind of occupancy.

use larder::{Arena, DenseArena, DenseSoaArena, Handle, PagedArena, Reuse, SoaArena};
use larder_testing::subject::{Config, Subject, Walk};

type Number = Handle<u32>;

/// An item of a walk, as the number of its slot: values are made to hold it.
trait Shown {
    fn shown(self) -> u32;
}

impl Shown for u32 {
    fn shown(self) -> u32 {
        self
    }
}

impl Shown for &u32 {
    fn shown(self) -> u32 {
        *self
    }
}

impl Shown for &mut u32 {
    fn shown(self) -> u32 {
        *self
    }
}

impl Shown for Number {
    fn shown(self) -> u32 {
        self.slot()
    }
}

impl<V: Shown> Shown for (Number, V) {
    fn shown(self) -> u32 {
        let (key, value) = self;
        let number = value.shown();
        assert_eq!(key.slot(), number, "a key beside another one's value");
        number
    }
}

fn shown<T: Shown>(item: Option<T>) -> Option<u32> {
    item.map(Shown::shown)
}

fn has_len(walk: &impl ExactSizeIterator, len: usize) {
    assert_eq!((walk.len(), walk.size_hint()), (len, (len, Some(len))));
}

// One way through a walk each.

fn by_next<I: Walk<Item: Shown>>(mut walk: I, expected: &[u32]) {
    for (position, &number) in expected.iter().enumerate() {
        has_len(&walk, expected.len() - position);
        assert_eq!(shown(walk.next()), Some(number));
    }
    is_over(walk);
}

fn by_next_back<I: Walk<Item: Shown>>(mut walk: I, expected: &[u32]) {
    for (left, &number) in expected.iter().enumerate().rev() {
        has_len(&walk, left + 1);
        assert_eq!(shown(walk.next_back()), Some(number));
    }
    is_over(walk);
}

/// A walk that is over stays over.
fn is_over<I: Walk<Item: Shown>>(mut walk: I) {
    for _ in 0..2 {
        has_len(&walk, 0);
        assert!(walk.next().is_none() && walk.next_back().is_none());
        assert!(walk.nth(1).is_none() && walk.nth(5).is_none() && walk.nth_back(3).is_none());
    }
    assert_eq!(walk.fold(0, |count, _| count + 1), 0, "a walk came back to life");
}

/// Takes some from both ends, then the rest at once.
fn by_fold<I: Walk<Item: Shown>>(mut walk: I, expected: &[u32], ends: [usize; 2]) {
    let rest = cut(&mut walk, expected, ends);
    let seen = walk.fold(Vec::new(), |mut seen, item| {
        seen.push(item.shown());
        seen
    });
    assert_eq!(seen, rest);
}

fn by_rfold<I: Walk<Item: Shown>>(mut walk: I, expected: &[u32], ends: [usize; 2]) {
    let rest = cut(&mut walk, expected, ends);
    let seen = walk.rfold(Vec::new(), |mut seen, item| {
        seen.push(item.shown());
        seen
    });
    assert!(seen.iter().eq(rest.iter().rev()));
}

/// Takes so many from the front and from the back, in turns; says what must be left.
fn cut<'e, I: Walk<Item: Shown>>(walk: &mut I, all: &'e [u32], ends: [usize; 2]) -> &'e [u32] {
    let mut rest = all;
    for turn in 0..ends[0].max(ends[1]) {
        if turn < ends[0] && !rest.is_empty() {
            assert_eq!(shown(walk.next()), rest.first().copied());
            rest = &rest[1..];
        }
        if turn < ends[1] && !rest.is_empty() {
            assert_eq!(shown(walk.next_back()), rest.last().copied());
            rest = &rest[..rest.len() - 1];
        }
    }
    has_len(walk, rest.len());
    rest
}

fn by_count_and_last<I: Walk<Item: Shown>>(make: [I; 2], expected: &[u32], ends: [usize; 2]) {
    let [mut counted, mut last] = make;
    let rest = cut(&mut counted, expected, ends);
    assert_eq!(counted.count(), rest.len());
    let rest = cut(&mut last, expected, ends);
    assert_eq!(shown(last.last()), rest.last().copied());
}

/// Leaps forward and backward by turns.
fn by_nth<I: Walk<Item: Shown>>(mut walk: I, expected: &[u32], leap: usize) {
    let mut rest = expected.iter();
    loop {
        let (forward, backward) = (shown(walk.nth(leap)), shown(walk.nth_back(leap / 3)));
        let both = (rest.nth(leap).copied(), rest.nth_back(leap / 3).copied());
        assert_eq!((forward, backward), both, "leaps of {leap}");
        has_len(&walk, rest.len());
        if forward.is_none() && backward.is_none() {
            return is_over(walk);
        }
        assert_eq!(shown(walk.next()), rest.next().copied());
    }
}

/// A copy made half way goes on from there, and leaves the original alone.
fn by_copies<I: Walk<Item: Shown> + Clone>(mut walk: I, expected: &[u32], ends: [usize; 2]) {
    let rest = cut(&mut walk, expected, ends);
    by_next(walk.clone(), rest);
    by_fold(walk.clone(), rest, [1, 1]);
    by_next_back(walk, rest);
}

/// Every way through a walk that an expression makes anew each time.
macro_rules! by_all_ways {
    ($expected:expr, $make:expr) => {
        by_next($make, $expected);
        by_next_back($make, $expected);
        for ends in ends($expected.len()) {
            by_fold($make, $expected, ends);
            by_rfold($make, $expected, ends);
        }
        for &leap in LEAPS {
            by_nth($make, $expected, leap);
        }
    };
}

/// Returns the numbers of items taken from the front and from the back before the rest.
fn ends(len: usize) -> Vec<[usize; 2]> {
    let mut ends = vec![[3, 70], [0, 0], [1, 0], [0, 1], [len / 2, len / 3], [len, len]];
    ends.truncate(if cfg!(miri) { 2 } else { 6 });
    ends
}

/// The numbers of values that are leapt over at once.
const LEAPS: &[usize] = if cfg!(miri) { &[9] } else { &[0, 1, 7, 64, 100, 5_000] };

/// A container of numbers, each borrowed as one.
trait Numbers:
    for<'a> Subject<Value = u32, Key = Number, Ref<'a> = &'a u32, RefMut<'a> = &'a mut u32>
{
}

impl<S> Numbers for S where
    S: for<'a> Subject<Value = u32, Key = Number, Ref<'a> = &'a u32, RefMut<'a> = &'a mut u32>
{
}

fn shared_walks<S: Numbers>(subject: &S, expected: &[u32]) {
    by_all_ways!(expected, subject.iter());
    by_all_ways!(expected, subject.keys());
    by_all_ways!(expected, subject.values());
    for ends in ends(expected.len()) {
        by_copies(subject.iter(), expected, ends);
        by_copies(subject.keys(), expected, ends);
        by_copies(subject.values(), expected, ends);
        by_count_and_last([subject.iter(), subject.iter()], expected, ends);
        by_count_and_last([subject.values(), subject.values()], expected, ends);
    }
}

fn other_walks<S: Numbers>(subject: &mut S, expected: &[u32]) {
    by_all_ways!(expected, subject.iter_mut());
    by_all_ways!(expected, subject.values_mut());
    by_all_ways!(expected, subject.clone().into_iter());
    by_all_ways!(expected, subject.clone().into_values());
    let original = subject.clone();
    by_all_ways!(expected, {
        subject.clone_from(&original);
        subject.drain()
    });
}

/// A container of so many slots, of which those are live that `keep` says.
fn occupied<S: Numbers>(slots: u32, keep: &dyn Fn(u32) -> bool) -> S {
    let mut subject = S::build(Config::new(Reuse::Packed, None));
    let keys: Vec<_> = subject.insert_many(0..slots).collect();
    for key in keys {
        if !keep(key.slot()) {
            assert_eq!(subject.remove(key), Some(key.slot()));
        }
    }
    subject
}

/// The numbers in the order of a walk, found without one.
fn order_of<S: Numbers>(subject: &S) -> Vec<u32> {
    let keys = core::iter::successors(subject.keys().next(), |&key| subject.next_key(key));
    keys.map(|key| key.slot()).collect()
}

/// A bit that has no pattern: set for about `percent` of the slots.
fn scattered(slot: u32, percent: u32) -> bool {
    let mixed = (u64::from(slot) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> 40) as u32 ^ slot) % 100 < percent
}

const SLOTS: u32 = if cfg!(miri) { 135 } else { 4_300 };

fn all_occupancies<S: Numbers>() {
    let patterns: [&dyn Fn(u32) -> bool; 12] = [
        &|_| true,
        &|_| false,
        &|slot| slot % 2 == 1,
        &|slot| slot % 64 == 63,
        &|slot| slot / 64 % 2 == 0,
        &|slot| slot / 64 % 3 == 1 || slot % 64 == 0,
        &|slot| scattered(slot, 90),
        &|slot| scattered(slot, 50),
        &|slot| scattered(slot, 10),
        &|slot| scattered(slot, 1),
        &|slot| slot == SLOTS - 1,
        &|slot| !(65..SLOTS - 70).contains(&slot),
    ];
    let patterns = if cfg!(miri) { &patterns[5..7] } else { &patterns[..] };
    for keep in patterns {
        let mut subject: S = occupied(SLOTS, keep);
        let expected = if S::DENSE {
            order_of(&subject)
        } else {
            (0..SLOTS).filter(|&slot| keep(slot)).collect()
        };
        assert_eq!(order_of(&subject), expected);
        shared_walks(&subject, &expected);
        other_walks(&mut subject, &expected);
    }
}

#[test]
fn every_walk_of_an_arena() {
    all_occupancies::<Arena<u32>>();
}

/// With a border every two slots.
#[test]
fn every_walk_of_a_paged_arena() {
    all_occupancies::<PagedArena<u32>>();
}

#[test]
fn every_walk_of_a_dense_arena() {
    all_occupancies::<DenseArena<u32>>();
}

/// Slots that hold nothing for other reasons than being free: detached, retired.
#[test]
fn walks_pass_over_slots_without_values() {
    let mut arena: Arena<u32> = occupied(200, &|slot| slot % 5 != 0);
    let keys: Vec<_> = arena.keys().collect();
    for key in keys.iter().step_by(3) {
        assert_eq!(arena.detach(*key), Some(key.slot()));
    }
    let kept: Vec<u32> = (0..200).filter(|slot| slot % 5 != 0).collect();
    let expected: Vec<u32> = (0..kept.len()).filter(|at| at % 3 != 0).map(|at| kept[at]).collect();
    assert!(order_of(&arena).iter().eq(&expected));
    shared_walks(&arena, &expected);
    by_all_ways!(&expected, arena.iter_mut());
    by_all_ways!(&expected, arena.clone().into_values());
}

/// More than two levels of summary, walked from both ends.
#[test]
#[cfg_attr(miri, ignore = "too many slots to interpret")]
fn a_few_values_among_very_many_slots() {
    let slots = 300_000;
    let live = [0, 4_095, 4_096, 262_143, 262_144, 299_999];
    let mut arena: Arena<u32> = occupied(slots, &|slot| live.contains(&slot));
    shared_walks(&arena, &live);
    by_all_ways!(&live, arena.iter_mut());
    let mut seen = Vec::new();
    arena.retain(|key, _| {
        seen.push(key.slot());
        key.slot() != 4_096
    });
    assert_eq!(seen, live);
    let extracted: Vec<_> = arena.extract_if(|_, &mut value| value > 4_000).collect();
    assert!(extracted.into_iter().map(Shown::shown).eq([4_095, 262_143, 262_144, 299_999]));
    assert!(arena.drain().rev().map(Shown::shown).eq([0]));
    arena.validate();
    // Holes are found again over as many levels.
    assert_eq!(arena.insert_many(0..slots).count(), slots as usize);
    arena.retain(|key, _| !live.contains(&key.slot()));
    let mut refilled: Vec<_> = arena.insert_many(0..6).map(|key| key.slot()).collect();
    refilled.sort_unstable();
    assert_eq!(refilled, live);
    assert_eq!(arena.insert(0).slot(), slots);
    arena.validate();
}

#[test]
fn every_walk_of_columns() {
    all_occupancies::<SoaArena<u32>>();
    all_occupancies::<DenseSoaArena<u32>>();
}

/// Every summary is full, and the last word is empty: each walk still ends where values do.
#[test]
#[cfg_attr(miri, ignore = "too many slots to interpret")]
fn walks_of_262144_slots_end_with_the_last_value() {
    let slots = 1 << 18;
    let mut arena = Arena::with_capacity(slots as usize);
    let keys: Vec<_> = arena.insert_many(0..slots).collect();
    keys[..64].iter().for_each(|&key| assert!(arena.remove(key).is_some()));
    assert_eq!(
        (arena.keys().next(), arena.keys().next_back()),
        (Some(keys[64]), keys.last().copied())
    );
    assert!(arena.values().copied().eq(64..slots));
    assert!(arena.values().rev().copied().eq((64..slots).rev()));
    let copy = arena.clone();
    assert!(copy.into_values().eq(64..slots));
    assert_eq!(arena.drain().len(), slots as usize - 64);
}

/// A loop that removes some values and goes on with the next key visits every value once.
macro_rules! removed_in_a_loop {
    ($make:expr) => {{
        for chosen in [
            |_| true,
            |_| false,
            |value| value % 3 == 0,
            |value| value % 3 > 0,
            |value| value >= 70,
        ] {
            let chosen: fn(u32) -> bool = chosen;
            let mut subject = $make;
            Extend::<u32>::extend(&mut subject, 0..100);
            let values: Vec<u32> = subject.keys().map(|key| *subject.get(key).unwrap()).collect();
            let (mut seen, mut next) = (Vec::new(), subject.keys().next());
            while let Some(key) = next {
                let value = *subject.get(key).expect("the key to visit next has a value");
                seen.push(value);
                if chosen(value) {
                    let removed;
                    (removed, next) = subject.remove_and_next(key);
                    assert_eq!(removed, Some(value));
                    assert!(!subject.contains_key(key));
                } else {
                    next = subject.next_key(key);
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, values, "each is visited, and once");
            subject.validate();
            let mut left: Vec<u32> = subject.keys().map(|key| *subject.get(key).unwrap()).collect();
            left.sort_unstable();
            assert!(left.into_iter().eq((0..100).filter(|&value| !chosen(value))));
            assert_eq!(subject.remove_and_next(larder::Key::DANGLING), (None, None));
        }
    }};
}

#[test]
fn a_loop_that_removes_visits_every_value_once() {
    removed_in_a_loop!(Arena::<u32>::new());
    removed_in_a_loop!(PagedArena::<u32>::new());
    removed_in_a_loop!(larder::InlineArena::<u32, 100>::new());
    removed_in_a_loop!(DenseArena::<u32>::new());
    removed_in_a_loop!(larder::Pool::new(|| 0_u32));
    removed_in_a_loop!(SoaArena::<u32>::new());
    removed_in_a_loop!(DenseSoaArena::<u32>::new());
}
