//! Keys sorted by what their values are, against the standard library's stable sort.

use core::cmp::{Ordering, Reverse};
use larder::indices::RadixKey;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, PagedArena, Pool, SecondaryMap,
    SoaArena, indices::SortedKeys, key::Serial, maps::SparseSecondaryMap,
};

use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::caught::{attempt, panicking_after, step};
use larder_testing::common::{SplitMix, scaled};

/// Sizes around those at which another way of sorting is taken, which is told by the last.
const SIZES: [usize; 9] =
    [0, 1, 2, 63, 64, 65, scaled(1_000, 140), scaled(5_000, 150), scaled(40_000, 160)];

/// Numbers that differ in all bits, in few, in the lowest only, in the highest only, not at all.
fn numbers(random: &mut SplitMix, shape: usize) -> u64 {
    match shape {
        0 => random.next(),
        1 => random.next() % 3,
        2 => random.next() % 70_000,
        3 => random.next() & 0xff00_0000_0000_0001,
        4 => 7,
        _ => random.next() >> (random.next() % 64),
    }
}

/// The order of so many values. (Not of a type of values, for each of which a sort would be compiled.)
fn sorted_places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

fn sorts_as_std<R: RadixKey>(make: impl Fn(u64) -> R, compare: impl Fn(&R, &R) -> Ordering) {
    let (mut random, mut order) = (SplitMix::new(1), SortedKeys::new());
    for size in SIZES {
        for shape in 0..6 {
            let values = (0..size).map(|_| numbers(&mut random, shape));
            let arena = DenseArena::<u64>::from_iter(values);
            let (keys, values) = (arena.keys_as_slice(), arena.as_slice());
            let expected = sorted_places(size, &|a, b| compare(&make(values[a]), &make(values[b])));
            let sorted = order.by_key(&arena, |value| make(*value));
            assert!(
                sorted.iter().eq(expected.into_iter().map(|place| &keys[place])),
                "{size} values of shape {shape}"
            );
        }
    }
}

#[test]
fn integers() {
    macro_rules! sort {
        ($($type:ty)*) => {$(
            // The upper bits of a number of 64 bits matter, too.
            sorts_as_std(|bits| (bits ^ bits >> 32) as $type, <$type>::cmp);
        )*};
    }
    sort!(u8 u32 usize i16 i64);
}

/// Any bits: infinities, both zeros, subnormal numbers and all kinds of NaN are among them.
#[test]
fn floats_of_32_bits() {
    let make = |bits: u64| match bits % 8 {
        0 => [f32::NAN, -f32::NAN, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1e-45, -1e-45]
            [(bits >> 8) as usize % 8],
        _ => f32::from_bits((bits ^ bits >> 32) as u32),
    };
    sorts_as_std(make, f32::total_cmp);
}

#[test]
fn floats_of_64_bits() {
    sorts_as_std(f64::from_bits, f64::total_cmp);
    sorts_as_std(|bits| bits as f64 - 1e5, f64::total_cmp);
}

#[test]
fn truths_and_letters() {
    sorts_as_std(|bits| bits % 2 == 0, bool::cmp);
    sorts_as_std(|bits| char::from_u32(bits as u32 % 0xd800).expect("no surrogate"), char::cmp);
}

/// The largest first, and still equal ones in the order of the walk.
#[test]
fn reversed() {
    sorts_as_std(|bits| Reverse(bits as u8), Ord::cmp);
    sorts_as_std(
        |bits| Reverse(f32::from_bits(bits as u32)),
        |a: &Reverse<f32>, b| b.0.total_cmp(&a.0),
    );
}

#[test]
fn comparison_keeps_equal_values_in_the_order_of_the_walk() {
    let (mut random, mut order) = (SplitMix::new(2), SortedKeys::new());
    for size in [0, 1, 2, 30, scaled(1_000, 60)] {
        let words = (0..size).map(|_| format!("word {}", random.below(20)));
        let arena = Arena::<String>::from_iter(words);
        let mut expected: Vec<_> = arena.iter().collect();
        expected.sort_by_key(|&(_, word)| word);
        let expected: Vec<_> = expected.into_iter().map(|(key, _)| key).collect();
        assert_eq!(order.by(arena.keys(), |a, b| arena[a].cmp(&arena[b])), expected);
        assert_eq!(order.by_cached_key(&arena, |word| word.clone()), expected);
        assert_eq!(order.by_cached_key(&arena, |word| word.as_str()), expected);
        assert_eq!(order.keys().len(), size);
    }
}

/// Whatever can be walked with its keys.
#[test]
fn every_container_has_views() {
    macro_rules! check {
        ($container:expr) => {{
            let mut container = $container;
            let keys = [2, 3, 1].map(|number| container.insert(number));
            let mut order = SortedKeys::new();
            assert_eq!(order.by_key(&container, |number| *number), [keys[2], keys[0], keys[1]]);
            container.remove(keys[0]);
            assert_eq!(order.by_key(&container, |number| *number), [keys[2], keys[1]]);
            (container, order, keys)
        }};
    }
    let (arena, order, [_, b, c]) = check!(Arena::new());
    assert!(order.iter(&arena).eq([(c, &1), (b, &3)]));
    check!(DenseArena::new());
    check!(InlineArena::<i32, 4>::new());
    check!(PagedArena::new());
    check!(Pool::new(|| 0));
    check!(SoaArena::<i32>::new());
    check!(DenseSoaArena::<i32>::new());

    let mut side = SecondaryMap::new();
    side.insert(b, 9);
    side.insert(c, 4);
    let mut order = SortedKeys::new();
    assert_eq!(order.by_key(&side, |number| *number), [c, b]);
    let sparse = SparseSecondaryMap::from_iter([(b, 1), (c, 2)]);
    assert_eq!(order.by_key(&sparse, |number| *number), [b, c]);
}

#[test]
fn keys_of_removed_values_are_passed_over() {
    let mut arena = Arena::from_iter([3, 1, 2]);
    let mut order = SortedKeys::new();
    order.by_key(&arena, |number| *number);
    let [one, two, three] = order.keys().try_into().expect("there are three");
    arena.remove(two);
    let four = arena.insert(4);
    assert_eq!(four.slot(), Handle::slot(two), "in its place");
    assert!(order.iter(&arena).eq([(one, &1), (three, &3)]));
    assert!(order.iter(&arena).rev().eq([(three, &3), (one, &1)]));
}

#[test]
fn sorting_again_asks_for_no_memory() {
    let mut order = SortedKeys::new();
    let mut random = SplitMix::new(3);
    for size in SIZES {
        let arena = Arena::<u64>::from_iter((0..size).map(|_| random.next()));
        order.by_key(&arena, |number| *number);
        for values in [arena.iter(), arena.iter()] {
            let (requests, _) = requests_of(|| order.by_key(values, |number| *number).len());
            assert_eq!(requests, 0, "{size} values");
        }
        let (requests, _) = requests_of(|| order.by_key(&arena, |number| *number as u16).len());
        assert_eq!(requests, 0, "{size} values by 16 bits");
        let compare = |a, b| arena[a].cmp(&arena[b]);
        let (requests, _) = requests_of(|| order.by(arena.keys(), compare).len());
        assert_eq!(requests, 0, "{size} values by comparison");
    }
}

/// Keys of every size sort few values without memory.
#[test]
fn no_key_is_so_large_that_few_values_need_memory() {
    let mut order = SortedKeys::new();
    let mut arena = Arena::<u32, Serial<u32>>::with_key();
    arena.extend((0..128).map(|number| number * 77 % 128));
    order.by_key(&arena, |number| *number);
    let (requests, _) = requests_of(|| order.by_key(&arena, |number| *number).len());
    assert_eq!(requests, 0);
}

#[test]
fn user_code_that_panics_leaves_the_scratch_empty() {
    let arena = Arena::from_iter([2, 3, 1, 5, 4]);
    let mut order = SortedKeys::new();
    let sorted = order.by_key(&arena, |number| *number).to_vec();
    let mut panicked = 0;
    for steps in 0.. {
        let by_key = panicking_after(steps, || {
            order.by_key(&arena, |number| (step(), *number).1);
        });
        assert_eq!(order.keys(), if by_key { &[][..] } else { &sorted });
        let by_cached_key = panicking_after(steps, || {
            order.by_cached_key(&arena, |number| (step(), *number).1);
        });
        assert_eq!(order.keys(), if by_cached_key { &[][..] } else { &sorted });
        let by = panicking_after(steps, || {
            order.by(arena.keys(), |a, b| {
                step();
                arena[a].cmp(&arena[b])
            });
        });
        assert_eq!(order.keys(), if by { &[][..] } else { &sorted });
        panicked += u32::from(by_key) + u32::from(by_cached_key) + u32::from(by);
        if !(by_key || by_cached_key || by) {
            break;
        }
    }
    assert!(panicked > 12, "{panicked}");
}

/// An order that contradicts itself: all keys are there, or the sort has noticed and none is.
#[test]
fn a_comparison_that_lies_loses_no_key() {
    let arena = Arena::<u32>::from_iter(0..scaled(500, 60) as u32);
    let (mut random, mut order) = (SplitMix::new(4), SortedKeys::new());
    for _ in 0..scaled(50, 5) {
        let lie = |_, _| [Ordering::Less, Ordering::Equal, Ordering::Greater][random.below(3)];
        match attempt(|| order.by(arena.keys(), lie).len()) {
            Ok(len) => assert_eq!(len, arena.len()),
            Err(_) => assert!(order.keys().is_empty()),
        }
        let mut keys = order.keys().to_vec();
        keys.sort_unstable();
        assert!(keys.is_empty() || keys.into_iter().eq(arena.keys()));
    }
}

#[test]
fn refused_memory_is_told_at_the_callers_line_and_leaves_no_keys() {
    let arena = Arena::from_iter((0..200).map(|number| number * 31 % 200));
    type Sort = fn(&mut SortedKeys<Handle<i32>>, &Arena<i32>) -> usize;
    let ways: [Sort; 4] = [
        |order, arena| order.by_key(arena, |number| *number * 1_000).len(),
        |order, arena| order.by_key(arena, |number| *number).len(), // differ in one byte
        |order, arena| order.by(arena.keys(), |a, b| arena[a].cmp(&arena[b])).len(),
        |order, arena| order.by_cached_key(arena, |number| *number).len(),
    ];
    for (way, least) in ways.into_iter().zip([3, 2, 2, 2]) {
        let mut refusals = 0;
        loop {
            let mut order = SortedKeys::new();
            let (refused, outcome) =
                refusing_after(refusals, false, || attempt(|| way(&mut order, &arena)));
            if !refused {
                assert!(outcome.is_ok() && order.iter(&arena).map(|(_, n)| *n).eq(0..200));
                break;
            }
            let caught = outcome.expect_err("memory was refused");
            assert!(caught.message.starts_with("SortedKeys"), "{caught:?}");
            assert_eq!(caught.file, file!());
            assert!(order.keys().is_empty());
            assert_eq!((way(&mut order, &arena), order.keys().len()), (200, 200));
            refusals += 1;
        }
        assert!(refusals >= least, "{refusals} requests");
    }
}

/// A walk that does not know how long it is: memory as it comes.
#[test]
fn walks_of_unknown_length() {
    let arena = Arena::<usize>::from_iter(0..300);
    let mut order = SortedKeys::new();
    let odd = || arena.iter().filter(|(_, number)| **number % 2 == 1);
    let sorted = order.by_key(odd(), |number| Reverse(*number)).to_vec();
    assert!(sorted.iter().map(|&key| arena[key]).eq((0..300).rev().filter(|n| n % 2 == 1)));
    let (requests, _) = requests_of(|| order.by_key(odd(), |number| *number).len());
    assert_eq!(requests, 0);
}

#[test]
fn what_a_scratch_shows() {
    let arena = Arena::from_iter(["b", "a"]);
    let mut order = SortedKeys::default();
    order.by_cached_key(&arena, |word| *word);
    assert_eq!(format!("{order:?}"), "[1v1, 0v1]");
    assert_eq!(order.clone().keys(), order.keys());
    assert_eq!(format!("{:?}", SortedKeys::<Handle<u8>>::new()), "[]");
}

#[test]
fn room_for_a_sort_is_reserved_and_given_back() {
    let numbers = Arena::from_iter((0..1_000_u32).map(|number| number.wrapping_mul(0x9E37_79B1)));
    let mut order = SortedKeys::new();
    order.reserve(numbers.len());
    assert!(order.capacity() >= numbers.len());
    let (requests, ()) = requests_of(|| {
        order.by_key(&numbers, |number| *number);
        order.by_key(&numbers, |number| number % 7);
        order.by(numbers.keys(), |a, b| numbers[b].cmp(&numbers[a]));
    });
    assert_eq!(requests, 0);
    let sorted = order.keys().to_vec();
    // Room that is there already counts.
    assert_eq!(requests_of(|| order.reserve(numbers.len())).0, 0);

    order.shrink_to_fit();
    assert_eq!((order.keys(), order.capacity()), (&sorted[..], 0));
    let (refused, outcome) = refusing_after(1, true, || order.try_reserve(2_000));
    assert!(refused && outcome.is_err());
    assert_eq!(order.keys(), sorted);
    order.by_key(&numbers, |number| *number);
    assert!(order.iter(&numbers).map(|(_, number)| *number).is_sorted());
}
