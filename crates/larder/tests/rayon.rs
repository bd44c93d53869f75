//! Parallel iteration visits every value once, however the holes lie.
#![cfg(feature = "rayon")]

use larder::{Arena, DenseArena, PagedArena};
use rayon::prelude::*;

fn arenas() -> Vec<Arena<u64>> {
    let full = |count: u64| Arena::from_iter(0..count);
    let mut sparse = full(20_000);
    sparse.retain(|_, number| *number % 97 == 0);
    let mut lopsided = full(20_000);
    lopsided.retain(|_, number| *number < 300 || *number > 19_900);
    let mut empty = full(500);
    empty.clear();
    vec![Arena::new(), empty, full(1), full(63), full(64), full(65), full(10_000), sparse, lopsided]
}

#[test]
fn every_value_once() {
    for mut arena in arenas() {
        let expected: Vec<_> = arena.iter().map(|(key, &number)| (key, number)).collect();
        let mut seen: Vec<_> = arena.par_iter().map(|(key, &number)| (key, number)).collect();
        seen.sort_unstable();
        assert_eq!(seen, expected);
        assert_eq!(
            arena.par_iter().map(|(_, value)| value).sum::<u64>(),
            expected.iter().map(|(_, n)| n).sum()
        );
        arena.par_iter_mut().map(|(_, value)| value).for_each(|number| *number += 1);
        arena.par_iter_mut().for_each(|(_, number)| *number *= 2);
        assert!(
            arena.iter().eq(expected
                .iter()
                .map(|(key, n)| (*key, (n + 1) * 2))
                .collect::<Vec<_>>()
                .iter()
                .map(|(k, n)| (*k, n)))
        );
        arena.validate();
    }
}

#[test]
fn blocks_are_divided_as_slots_are() {
    let mut paged = PagedArena::builder().block_bytes(100).build();
    paged.extend(0..5_000_u64);
    paged.retain(|_, number| *number % 7 != 0);
    paged.par_iter_mut().for_each(|(key, number)| *number += u64::from(key.slot()));
    assert!(paged.iter().all(|(key, number)| *number == 2 * u64::from(key.slot())));
    let mut seen: Vec<_> = paged.par_iter().map(|(key, &number)| (key, number)).collect();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(paged.iter().map(|(key, &number)| (key, number))));
    paged.par_iter_mut().map(|(_, value)| value).for_each(|number| *number = 1);
    assert_eq!(paged.par_iter().map(|(_, value)| value).sum::<u64>(), paged.len() as u64);
}

#[test]
fn dense_values_are_slices() {
    let mut dense = DenseArena::from_iter(0..1_000_u64);
    dense.retain(|_, number| *number % 3 == 0);
    dense.par_iter_mut().for_each(|(key, number)| *number += u64::from(key.slot()));
    assert_eq!(dense.par_iter().map(|(_, value)| value).sum::<u64>(), dense.values().sum::<u64>());
    assert!(dense.par_iter().all(|(key, number)| *number == 2 * u64::from(key.slot())));
    dense.par_iter_mut().map(|(_, value)| value).for_each(|number| *number = 0);
    assert_eq!(dense.values().sum::<u64>(), 0);
}

/// How many values each part of a parallel walk has, where there is work for `threads`.
fn shares(arena: &Arena<u64>, threads: usize) -> Vec<usize> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let counts =
        || arena.par_iter().map(|(_, value)| value).fold(|| 0, |count, _| count + 1).collect();
    pool.install(counts)
}

/// The live values are divided, not the slots. Rayon divides at least once for each doubling of
/// threads, before anybody is free to steal; what is stolen is divided further. So whoever takes
/// how much, no part is larger than a division makes it.
#[test]
fn holes_do_not_unbalance() {
    type Pattern = fn(u64) -> bool;
    let patterns: [(&str, Pattern); 6] = [
        ("full", |_| true),
        ("the last", |number| number >= 196_000),
        ("the first", |number| number < 4_000),
        ("both ends", |number| !(2_000..198_000).contains(&number)),
        ("every 97th", |number| number % 97 == 0),
        ("a run and dust", |number| number < 2_000 || number % 90 == 0),
    ];
    for (name, keep) in patterns {
        let mut arena = Arena::from_iter(0..200_000_u64);
        arena.retain(|_, number| keep(*number));
        for (threads, percent) in [(2, 60), (8, 25)] {
            let shares = shares(&arena, threads);
            assert_eq!(shares.iter().sum::<usize>(), arena.len());
            let largest = shares.iter().max().unwrap() * 100 / arena.len();
            assert!(largest <= percent, "{name}: {largest} % in one of {threads}: {shares:?}");
        }
    }
}
