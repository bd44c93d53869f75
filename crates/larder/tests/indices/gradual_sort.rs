//! Packed values sorted a little at a time: the order is reached, whatever happens between the steps, and
//! keys stay valid.

use core::cell::Cell;
use larder::{DenseArena, DenseSoaArena, Handle, containers::GradualSort};
use std::collections::BTreeMap;

use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{SplitMix, scaled};

/// A whole round, so many comparisons at a time; answers how many there were.
fn sort(arena: &mut DenseArena<u32>, sorting: &mut GradualSort, budget: usize) -> usize {
    let comparisons = Cell::new(0);
    let compare = |a: &u32, b: &u32| {
        comparisons.set(comparisons.get() + 1);
        a.cmp(b)
    };
    loop {
        let before = comparisons.get();
        let has_ended = arena.sort_step(sorting, budget, compare);
        assert!(comparisons.get() - before <= budget);
        if has_ended {
            return comparisons.get();
        }
    }
}

#[test]
fn every_round_ends_in_order_with_any_budget() {
    let mut random = SplitMix::new(1);
    for len in [0, 1, 2, 3, 4, 7, 8, 50, scaled(1_000, 70)] {
        for budget in [1, 2, 7, 1_000_000] {
            let numbers = (0..len).map(|_| random.below(len) as u32);
            let mut arena = DenseArena::<u32>::from_iter(numbers);
            let before: BTreeMap<_, _> = arena.iter().map(|(key, value)| (key, *value)).collect();
            let mut sorting = GradualSort::new();
            sort(&mut arena, &mut sorting, budget);
            assert!(arena.as_slice().is_sorted(), "{len} values, {budget} at a time");
            arena.validate();
            assert!(before.iter().all(|(&key, value)| arena.get(key) == Some(value)));
            sort(&mut arena, &mut sorting, budget);
            assert!(arena.as_slice().is_sorted(), "in the next round");
        }
    }
}

/// All orders of few values.
#[test]
fn every_order_of_six_values() {
    let mut orders = vec![vec![]];
    for value in 0..6_u32 {
        let longer = |order: &Vec<u32>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, value);
                order
            })
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    assert_eq!(orders.len(), 720);
    for order in orders.into_iter().step_by(scaled(1, 90)) {
        let mut arena = DenseArena::<u32>::from_iter(order);
        sort(&mut arena, &mut GradualSort::new(), 1);
        assert_eq!(arena.as_slice(), [0, 1, 2, 3, 4, 5]);
    }
}

/// The number of comparisons is at most the one that the documentation promises.
#[test]
fn a_round_takes_what_is_documented() {
    let len = scaled(20_000, 200);
    let mut random = SplitMix::new(2);
    let unit = len as f64 * f64::from(len.ilog2() + 1);
    let mut arena = DenseArena::<u32>::from_iter((0..len).map(|_| random.next() as u32));
    let mut sorting = GradualSort::new();
    let shuffled = sort(&mut arena, &mut sorting, 100) as f64 / unit;
    let sorted = sort(&mut arena, &mut sorting, 100) as f64 / unit;
    assert!(shuffled < 1.8 && sorted < 0.9, "{shuffled} and {sorted} of n log n");
}

/// Each frame inserts, removes and changes some values and sorts a little, like a program.
#[test]
fn changes_between_steps_do_no_harm_and_the_order_is_reached_after_them() {
    let mut random = SplitMix::new(3);
    let mut arena = DenseArena::<u32>::new();
    let (mut sorting, mut model) = (GradualSort::new(), BTreeMap::<Handle<u32>, u32>::new());
    for _ in 0..scaled(3_000, 60) {
        let number = random.below(1_000) as u32;
        let some = model.keys().nth(random.below(model.len().max(1))).copied();
        match (random.below(5), some) {
            (0, Some(key)) => assert_eq!(arena.remove(key), model.remove(&key)),
            (1, Some(key)) => {
                arena[key] = number;
                model.insert(key, number);
            }
            (2, _) if random.below(50) == 0 => {
                arena.clear();
                model.clear();
            }
            _ => {
                model.insert(arena.insert(number), number);
            }
        }
        arena.sort_step(&mut sorting, random.below(20), |a, b| a.cmp(b));
        assert!(arena.len() == model.len());
        assert!(model.iter().all(|(&key, value)| arena.get(key) == Some(value)));
    }
    arena.validate();
    sort(&mut arena, &mut sorting, 10); // the round that is under way
    sort(&mut arena, &mut sorting, 10);
    assert!(arena.as_slice().is_sorted());
}

/// One state for two containers, or for one that has shrunk: nothing worse than an order.
#[test]
fn a_state_of_another_container_does_no_harm() {
    let mut large = DenseArena::<u32>::from_iter((0..100).rev());
    let mut small = DenseArena::<u32>::from_iter([3, 1, 2]);
    let mut sorting = GradualSort::new();
    for _ in 0..40 {
        large.sort_step(&mut sorting, 9, |a, b| a.cmp(b));
        small.sort_step(&mut sorting, 1, |a, b| a.cmp(b));
    }
    for arena in [&mut large, &mut small] {
        sort(arena, &mut sorting, 5);
        sort(arena, &mut sorting, 5);
        assert!(arena.as_slice().is_sorted());
        arena.validate();
    }
}

#[test]
fn a_comparison_that_panics_is_made_again() {
    let mut arena = DenseArena::from_iter((0..20).map(|number| number * 7 % 20));
    let mut sorting = GradualSort::new();
    let mut panics = 0;
    for frame in 0..300 {
        panics += u32::from(panicking_after(frame % 5, || {
            arena.sort_step(&mut sorting, 4, |a, b| {
                step();
                a.cmp(b)
            });
        }));
        arena.validate();
    }
    assert!(panics > 100, "{panics}");
    assert!(arena.as_slice().iter().copied().eq(0..20));
}

#[test]
fn columns_are_sorted_alike() {
    let mut random = SplitMix::new(4);
    let pairs = (0..scaled(300, 40)).map(|_| random.below(100) as u32).map(|n| (n, n as f32));
    let mut arena = DenseSoaArena::<(u32, f32)>::from_iter(pairs);
    let before: Vec<_> = arena.iter().map(|(key, (number, _))| (key, *number)).collect();
    let mut sorting = GradualSort::new();
    while !arena.sort_step(&mut sorting, 8, |(a, _), (b, _)| a.cmp(b)) {}
    let (numbers, floats) = arena.columns();
    assert!(numbers.is_sorted() && floats.is_sorted());
    assert!(before.iter().all(|(key, number)| arena.get(*key).is_some_and(|row| row.0 == number)));
    arena.validate();
}
