//! Every walk, by every method that has its own code, over every kind of occupancy.

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, PagedArena, Pool, Reuse, SoaArena,
};
use larder_testing::common::SplitMix;
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

/// A walk on the numbers of slots, by its own methods. (So the ways through it are compiled once, not for each walk.)
trait Way {
    /// Goes on by `next`, `next_back`, `nth` or `nth_back`.
    fn step(&mut self, how: usize, leap: usize) -> Option<u32>;
    fn left(&self) -> (usize, (usize, Option<usize>));
    /// Takes the rest by `fold`, `rfold`, `count` or `last`.
    fn rest(self: Box<Self>, how: usize) -> Vec<u32>;
}

impl<I: Walk<Item: Shown>> Way for I {
    fn step(&mut self, how: usize, leap: usize) -> Option<u32> {
        let item = match how {
            0 => self.next(),
            1 => self.next_back(),
            2 => self.nth(leap),
            _ => self.nth_back(leap),
        };
        item.map(Shown::shown)
    }

    fn left(&self) -> (usize, (usize, Option<usize>)) {
        (self.len(), self.size_hint())
    }

    fn rest(self: Box<Self>, how: usize) -> Vec<u32> {
        let seeing = |mut seen: Vec<u32>, item: I::Item| {
            seen.push(item.shown());
            seen
        };
        // (A box of a walk has its `next`, and not its `fold`.)
        let walk = *self;
        match how {
            0 => walk.fold(Vec::new(), seeing),
            1 => walk.rfold(Vec::new(), seeing),
            2 => vec![walk.count() as u32],
            _ => walk.last().map(Shown::shown).into_iter().collect(),
        }
    }
}

/// The ways through a walk: the number of steps before the rest is taken at once, and the longest leap.
const WAYS: [(usize, usize); 12] = [
    (usize::MAX, 0),
    (usize::MAX, 0),
    (0, 0),
    (0, 0),
    (0, 0),
    (0, 0),
    (1, 0),
    (7, 1),
    (70, 7),
    (usize::MAX, 64),
    (6, 1_000),
    (usize::MAX, 5_000),
];

/// Goes one of the [`WAYS`] through a walk and through a slice: the first one forwards, the second one backwards, the
/// others as it happens. What is over stays over.
fn is_alike(mut walk: Box<dyn Way + '_>, expected: &[u32], way: usize) {
    let mut slice: Box<dyn Way + '_> = Box::new(expected.iter());
    let ((most, leap), mut random) = (WAYS[way], SplitMix::new(way as u64));
    let (mut steps, mut over) = (0, 0);
    while steps < most && over < 9 {
        let how = if way < 2 && over == 0 { way } else { random.below(4) };
        let leap = random.below(leap + 1);
        assert_eq!(walk.step(how, leap), slice.step(how, leap), "step {steps} of way {way}");
        assert_eq!(walk.left(), slice.left(), "step {steps} of way {way}");
        over += usize::from(slice.left().0 == 0);
        steps += 1;
    }
    assert_eq!(walk.rest(way % 4), slice.rest(way % 4), "the rest of way {way}");
}

/// Every way through a walk that an expression makes anew each time.
macro_rules! by_all_ways {
    ($expected:expr, $make:expr) => {
        for &way in TRIED {
            is_alike(Box::new($make), $expected, way);
        }
    };
}

const TRIED: &[usize] =
    if cfg!(miri) { &[1, 2, 8] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };

/// A copy made half way goes on from there, and leaves the original alone.
fn by_copies<I: Walk<Item: Shown> + Clone>(walk: I, expected: &[u32]) {
    for (taken, &way) in [0, 1, 70, expected.len() / 2].into_iter().zip(TRIED) {
        let (mut walk, mut rest) = (walk.clone(), expected.iter());
        for turn in 0..taken {
            assert_eq!(walk.step(turn % 2, 0), rest.step(turn % 2, 0));
        }
        let rest = rest.as_slice();
        is_alike(Box::new(walk.clone()), rest, way);
        is_alike(Box::new(walk), rest, way);
    }
}

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
    by_copies(subject.iter(), expected);
    by_copies(subject.keys(), expected);
    by_copies(subject.values(), expected);
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

#[test]
fn every_walk_of_an_inline_arena() {
    all_occupancies::<InlineArena<u32, { SLOTS as usize }>>();
}

/// With a border every two slots.
#[test]
fn every_walk_of_a_paged_arena() {
    all_occupancies::<PagedArena<u32>>();
}

#[test]
fn every_walk_of_a_pool() {
    all_occupancies::<Pool<u32>>();
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
    removed_in_a_loop!(DenseArena::<u32>::new());
    removed_in_a_loop!(Pool::new(|| 0_u32));
}
