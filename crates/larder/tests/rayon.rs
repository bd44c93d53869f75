//! Parallel iteration visits every value once, however the holes lie.
#![cfg(feature = "rayon")]

use larder::maps::join::Join;
use larder::maps::{Joined, SparseSecondaryMap};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, PagedArena, Pool, SecondaryMap, Soa,
    SoaArena, join,
};
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

/// Each value is in one block of one part, and each part has whole blocks.
#[test]
fn b69_blocks_are_given_to_threads_whole() {
    for builder in [PagedArena::builder().block_bytes(200), PagedArena::builder().doubling()] {
        let mut paged = builder.build();
        paged.extend(0..20_000_u64);
        paged.retain(|_, number| *number % 7 == 0 || (3_000..9_000).contains(number));
        let blocks: Vec<Vec<_>> = paged.blocks().map(Iterator::collect).collect();
        let mut seen: Vec<Vec<_>> = paged.blocks().into_par_iter().map(Iterator::collect).collect();
        seen.sort_unstable();
        assert_eq!(seen, blocks);
        let shares = shares(|| paged.blocks(), |block| block.len(), 2);
        assert_eq!(shares.iter().sum::<usize>(), paged.len());
        assert!(shares.len() > 1, "the walk was divided");
        let lengths: Vec<_> = blocks.iter().map(Vec::len).collect();
        let changed = paged.blocks_mut().into_par_iter().map(|block| {
            let len = block.len();
            block.for_each(|(_, number)| *number = len as u64);
            len
        });
        assert_eq!(changed.sum::<usize>(), lengths.iter().sum());
        let expected = lengths.into_iter().flat_map(|len| vec![len as u64; len]);
        assert!(paged.values().copied().eq(expected));
    }
}

/// Returns the number of values in each part of a parallel walk with work for `threads`; each item counts for as many
/// as `count` says.
fn shares<I: IntoParallelIterator>(
    walk: impl Fn() -> I + Sync,
    count: impl Fn(I::Item) -> usize + Sync,
    threads: usize,
) -> Vec<usize> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        walk().into_par_iter().fold(|| 0, |all, one| all + count(one)).collect::<Vec<_>>()
    })
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
        // Walks `$of`, each of which has `$count` values.
        macro_rules! is_balanced {
            ($of:expr, $count:expr, $len:expr) => {
                for (threads, percent) in [(2, 60), (8, 25)] {
                    let (shares, len) = (shares(|| $of, $count, threads), $len);
                    assert_eq!(shares.iter().sum::<usize>(), len, "{name} of {}", stringify!($of));
                    let largest = shares.iter().max().unwrap() * 100 / len;
                    let of = stringify!($of);
                    assert!(
                        largest <= percent,
                        "{of}, {name}: {largest} % in one of {threads}: {shares:?}"
                    );
                }
            };
        }
        let mut arena = Arena::from_iter(0..200_000_u64);
        arena.retain(|_, number| keep(*number));
        let len = arena.len();
        is_balanced!(&arena, |_| 1, len);
        let mut paged = PagedArena::<u64, Handle<u64>>::from_iter(0..200_000_u64);
        paged.retain(|_, number| keep(*number));
        is_balanced!(&paged, |_| 1, len);
        let mut columns = SoaArena::<u64>::from_iter(0..200_000_u64);
        columns.retain(|_, number| keep(*number));
        is_balanced!(&columns, |_| 1, len);
        is_balanced!(columns.runs(), |run| run.len(), len);
        is_balanced!(columns.groups(), |(live, _)| live.count(), len);
        let lane = |number| Lane { number, count: 1 };
        let mut lanes: SoaArena<Lane> = (0..200_000).map(lane).collect();
        lanes.retain(|_, lane| keep(*lane.number));
        is_balanced!(lanes.blocks(), |(live, _)| live.count(), len);
        let mut pool = Pool::<u64>::default();
        let keys: Vec<_> = (0..200_000).map(|number| pool.insert(number)).collect();
        keys.iter()
            .zip(0..)
            .for_each(|(&key, number)| _ = !keep(number) && pool.recycle(key).is_some());
        is_balanced!(&pool, |_| 1, len);
        let side: SecondaryMap<_, u64> = arena.iter().map(|(key, &number)| (key, number)).collect();
        is_balanced!(&side, |_| 1, len);
        // The third map has an entry for every third object, the other one for all.
        let third: SecondaryMap<_, u64> =
            arena.iter().step_by(3).map(|(key, &number)| (key, number)).collect();
        is_balanced!(join((&arena, &side)), |_| 1, len);
        is_balanced!(join((&side, &third)), |_| 1, third.len());
    }
}

/// Every item of a parallel walk comes once, as on one thread.
macro_rules! as_on_one_thread {
    ($of:expr) => {{
        let expected: Vec<_> = $of.iter().map(|(key, value)| (key, *value)).collect();
        let mut seen: Vec<_> = $of.par_iter().map(|(key, value)| (key, *value)).collect();
        seen.sort_unstable();
        let mut sorted = expected.clone();
        sorted.sort_unstable();
        assert_eq!(seen, sorted);
        $of.par_iter_mut().for_each(|(_, value)| *value += 1);
        let later = expected.into_iter().map(|(key, value)| (key, value + 1));
        assert!($of.iter().map(|(key, value)| (key, *value)).eq(later));
    }};
}

#[test]
fn all_containers_and_maps_are_walked() {
    for mut arena in arenas() {
        as_on_one_thread!(arena);
        arena.validate();
        let values = || arena.values().copied();
        let mut paged = PagedArena::builder().block_bytes(100).build();
        paged.extend(values());
        paged.retain(|_, number| *number % 7 != 0);
        as_on_one_thread!(paged);
        let mut packed: DenseArena<u64> = values().collect();
        packed.retain(|_, number| *number % 3 == 0);
        as_on_one_thread!(packed);
        let mut columns: SoaArena<u64> = values().collect();
        columns.retain(|_, number| *number % 5 != 2);
        as_on_one_thread!(columns);
        let mut dense: DenseSoaArena<u64> = values().collect();
        as_on_one_thread!(dense);
        let mut inline: Box<InlineArena<u64, 300>> = Box::new(values().take(300).collect());
        inline.retain(|_, number| *number % 3 != 0);
        as_on_one_thread!(*inline);
        let mut pool: Pool<u64> = Pool::default();
        values().take(1_000).for_each(|number| _ = pool.insert(number));
        as_on_one_thread!(pool);
        let mut side: SecondaryMap<Handle<u64>, u64> =
            arena.iter().map(|(key, &number)| (key, number)).collect();
        side.retain(|_, number| *number % 4 != 1);
        as_on_one_thread!(side);
        let mut sparse: SparseSecondaryMap<Handle<u64>, u64> =
            side.iter().map(|(key, &n)| (key, n)).collect();
        as_on_one_thread!(sparse);
    }
}

/// The keys of a join, in parallel and on one thread.
fn alike<J: Joined<Key: Ord + Send, Item: Send>>(of: impl Fn() -> J)
where
    Join<J>: Send,
{
    let expected: Vec<_> = join(of()).map(|(key, _)| key).collect();
    let mut seen: Vec<_> = join(of()).into_par_iter().map(|(key, _)| key).collect();
    seen.sort_unstable();
    let mut sorted = expected;
    sorted.sort_unstable();
    assert_eq!(seen, sorted);
}

#[test]
fn joins_are_divided() {
    for mut arena in arenas() {
        let keys: Vec<Handle<u64>> = arena.keys().collect();
        let ages: SecondaryMap<_, u64> = keys.iter().step_by(2).map(|&key| (key, 7)).collect();
        let mut names: SparseSecondaryMap<_, u64> =
            keys.iter().step_by(3).rev().map(|&key| (key, 1)).collect();
        for &key in keys.iter().step_by(5) {
            arena.remove(key);
        }
        alike(|| (&arena, &ages));
        alike(|| (&names, &arena, &ages));
        let count = join((&arena, &ages)).count() as u64;
        let before: u64 = arena.values().sum();
        join((&mut arena, &ages)).into_par_iter().for_each(|(_, (number, age))| *number += age);
        assert_eq!(arena.values().sum::<u64>(), before + 7 * count);
        let common = join((&mut names, &arena)).into_par_iter().map(|(_, (one, _))| {
            *one += 1;
            1
        });
        let common: u64 = common.sum();
        assert_eq!(names.values().sum::<u64>(), names.len() as u64 + common);
    }
}

#[derive(Soa, Clone, Copy, Debug, Default)]
#[soa(lanes = 8)]
struct Lane {
    number: u64,
    count: u32,
}

#[test]
fn columns_are_divided_in_groups_runs_and_blocks() {
    for arena in arenas() {
        let mut columns: SoaArena<u64> = SoaArena::new();
        columns.extend(0..arena.stats().slots as u64);
        columns.retain(|key, _| arena.key_of_slot(key.slot()).is_some());
        let live = columns.len();
        let sum = columns.values().sum::<u64>();
        assert_eq!(
            columns.groups().into_par_iter().map(|(live, _)| live.count()).sum::<usize>(),
            live
        );
        columns
            .groups_mut()
            .into_par_iter()
            .for_each(|(_, all)| all.iter_mut().for_each(|n| *n += 1));
        columns.runs_mut().into_par_iter().for_each(|run| run.iter_mut().for_each(|n| *n += 1));
        assert_eq!(columns.values().sum::<u64>(), sum + 2 * live as u64);
        assert_eq!(columns.runs().into_par_iter().map(|run| run.len()).sum::<usize>(), live);
        // The rest after some steps can be divided, too.
        let (mut runs, mut groups) = (columns.runs(), columns.groups());
        let before: usize = runs.by_ref().take(3).map(|run| run.len()).sum();
        assert_eq!(before + runs.into_par_iter().map(|run| run.len()).sum::<usize>(), live);
        let before: usize = groups.by_ref().take(2).map(|(live, _)| live.count()).sum();
        let after = groups.into_par_iter().map(|(live, _)| live.count()).sum::<usize>();
        assert_eq!(before + after, live);

        let lane = |number| Lane { number, count: 1 };
        let mut lanes: SoaArena<Lane> = (0..arena.stats().slots as u64).map(lane).collect();
        lanes.retain(|key, _| arena.key_of_slot(key.slot()).is_some());
        let mut dense: DenseSoaArena<Lane> = arena.values().map(|&number| lane(number)).collect();
        macro_rules! in_blocks {
            ($lanes:ident) => {
                let blocks = $lanes.blocks_mut().into_par_iter();
                blocks.for_each(|(_, lanes)| lanes.count.iter_mut().for_each(|n| *n += 1));
                assert!($lanes.values().all(|lane| *lane.count == 2));
                let counts = $lanes.blocks().into_par_iter().map(|(live, _)| live.count());
                assert_eq!(counts.sum::<usize>(), live);
            };
        }
        in_blocks!(lanes);
        in_blocks!(dense);
    }
}
