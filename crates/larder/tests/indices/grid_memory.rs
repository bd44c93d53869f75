//! The demands of a grid: memory, when points come and go or allocation fails, and work, which does not grow with the
//! points.

use larder::{
    Arena,
    indices::{GridIndex, IndexError},
};

use crate::every::{Id, keys};
use crate::grid::{Naive, nearest_is_exact, point, scattered, sorted, within_is_exact};
use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::common::{SplitMix, scaled, thorough};

/// Cells that become larger and empty give their room to others: memory follows the points.
#[test]
fn points_that_wander_take_no_more_memory() {
    let keys = keys(scaled(2_000, 60));
    let mut grid = GridIndex::<Id, 2>::new(1.0);
    let mut random = SplitMix::new(12);
    let mut most = 0;
    for round in 0..thorough(60, 4) {
        for &key in &keys {
            // Close together, or far apart.
            let scale = if round % 2 == 0 { 2.0 } else { 100.0 };
            grid.insert(key, point(scale, &mut random)).expect("it is finite");
        }
        let bytes = grid.stats().memory.committed;
        assert!(round < 4 || bytes <= 2 * most, "{bytes} after {most}");
        if round < 4 {
            most = most.max(bytes);
        }
    }
    grid.validate();
}

#[test]
fn empty_cells_take_no_memory() {
    let mut objects = Arena::<u32>::new();
    let key = objects.insert(0);
    let mut grid = GridIndex::new(1.0);
    grid.insert(key, [0.0, 0.0]).unwrap();
    let bytes = grid.stats().memory.committed;
    for step in 0..scaled(10_000, 50) {
        grid.insert(key, [step as f32, -(step as f32)]).unwrap();
        assert_eq!(grid.cell_count(), 1);
    }
    assert!(grid.stats().memory.committed <= 2 * bytes);
    grid.validate();
}

/// A query compares the same number of points, if they lie as close together, however many there are; and a grid asks
/// for memory as often for twice as many points as it did for half of them.
#[test]
fn work_does_not_grow_with_the_points() {
    let work = |count: usize| {
        let (mut random, mut compared) = (SplitMix::new(31), 0);
        let scale = 2.0 * (count as f32).sqrt();
        let points: Vec<_> = (0..count).map(|_| point(scale, &mut random)).collect();
        let keys = keys(count);
        let mut grid = GridIndex::<Id, 2>::new(8.0);
        let (requests, ()) = requests_of(|| {
            keys.iter().zip(&points).for_each(|(&key, &at)| grid.insert(key, at).unwrap());
        });
        for _ in 0..200 {
            let meant = |_| {
                compared += 1;
                true
            };
            grid.nearest_where(point(scale, &mut random), meant).unwrap();
        }
        (compared, requests)
    };
    let [one, two, four] = [1, 2, 4].map(|times| work(times * scaled(2_000, 40)));
    assert!(two.0 < one.0 * 3 / 2 && four.0 < one.0 * 3 / 2, "{one:?}, {two:?}, {four:?}");
    assert!(four.1 - two.1 < (two.1 - one.1) * 2 + 8, "{one:?}, {two:?}, {four:?}");
}

/// All points in one cell, or each in the cell after the one before: memory is asked for as seldom.
#[test]
fn a_row_that_lies_last_asks_for_memory_seldom() {
    for apart in [0.0, 0.5] {
        let requests = |count: usize| {
            let keys = keys(count);
            let mut grid = GridIndex::<Id, 2>::new(8.0);
            let add = |(at, &key)| grid.insert(key, [0.0, at as f32 * apart]).unwrap();
            let (requests, ()) = requests_of(|| keys.iter().enumerate().for_each(add));
            grid.validate();
            requests
        };
        let [one, two, four] = [1, 2, 4].map(|times| requests(times * scaled(2_000, 40)));
        assert!(four - two <= two - one + 8, "{one}, {two}, {four}");
    }
}

#[test]
fn queries_ask_for_no_memory() {
    let mut random = SplitMix::new(6);
    let (grid, _) = scattered::<3>(scaled(2_000, 30), 30.0, 4.0, &mut random);
    let mut found = Vec::new();
    let many = || grid.nearest_many([0.0; 3], 20, &mut found);
    assert!(matches!(refusing_after(0, true, many), (true, Err(IndexError::Memory(_)))));
    grid.nearest_many([0.0; 3], 600, &mut found).unwrap();
    for radius in [0.0, 3.0, 1e6, f32::INFINITY] {
        let center = point(30.0, &mut random);
        let (requests, _) = requests_of(|| {
            (
                grid.within(center, radius).unwrap().count(),
                grid.in_box(center, [radius; 3]).unwrap().count(),
                grid.nearest(center),
                grid.nearest_many(center, 20, &mut found).unwrap(),
            )
        });
        assert_eq!(requests, 0);
    }
}

/// A row of cells without points has no memory, also when all is moved side by side and what lay last is freed then.
#[test]
fn the_first_point_of_a_row_after_memory_was_gathered_and_freed() {
    for more in 0..60_u8 {
        let mut objects = Arena::new();
        let mut near = GridIndex::new(1.0);
        let mut insert = |near: &mut GridIndex<_, 2>, x: f32| {
            let key = objects.insert(0_u32);
            near.insert(key, [x, 0.5]).unwrap();
            key
        };
        let keys: Vec<_> = (0..40_u8).map(|n| insert(&mut near, f32::from(n) * 100.5)).collect();
        let [_, last] = [-1000.0, -998.0].map(|x| insert(&mut near, x + 0.5));
        for pair in keys.chunks(2) {
            near.remove(pair[0]);
        }
        let later: Vec<_> =
            (0..more).map(|n| insert(&mut near, f32::from(n) * 100.5 + 50.0)).collect();
        for key in later.into_iter().rev().chain([last]) {
            near.remove(key);
        }
        insert(&mut near, -996.5);
        near.validate();
        assert_eq!(near.len(), 22);
    }
}

/// A walk over all tiles meets few without points, where there were many (`validate` asks how many): see
/// `grid_thinned` in `tests/instructions` for what queries of them take.
#[test]
fn tiles_of_points_that_have_gone_are_forgotten() {
    let many = scaled(50_000, 200);
    let keys = keys(many);
    let mut grid = GridIndex::<Id, 2>::new(1.0);
    for (number, &key) in keys.iter().enumerate() {
        grid.insert(key, [number as f32 * 5.0, 0.0]).expect("it is finite");
    }
    keys[10..].iter().for_each(|&key| assert!(grid.remove(key).is_some()));
    grid.validate();
    assert_eq!(grid.iter().count(), 10);
    assert_eq!(grid.within([0.0; 2], 1e3).map(Iterator::count), Ok(10));
}

/// Tiles come and go in great numbers, and what is left is found.
#[test]
fn points_that_go_in_great_numbers_leave_the_others_where_they_are() {
    let mut random = SplitMix::new(44);
    let (mut objects, mut naive) = (Arena::<u32>::new(), Naive::new());
    let mut grid = GridIndex::<Id, 3>::new(1.0);
    for round in 0..thorough(60, 3) {
        for _ in 0..random.below(scaled(200, 60)) {
            let (key, at) = (objects.insert(0), point([2.0, 60.0][random.below(2)], &mut random));
            grid.insert(key, at).expect("it is finite");
            naive.insert(key, at);
        }
        let (kept, alone) = (random.below(20), round % 2 == 0);
        let mut keys: Vec<Id> = objects.keys().collect();
        while keys.len() > kept {
            let key = random.take(&mut keys);
            objects.remove(key);
            let at = naive.remove(&key);
            if alone {
                assert_eq!(grid.remove(key), at);
                grid.validate();
            }
        }
        grid.retain_live(&objects);
        grid.validate();
        assert!(sorted(grid.iter()).into_iter().eq(naive.clone()));
        within_is_exact(&grid, &naive, [0.0; 3], 30.0);
        nearest_is_exact(&grid, &naive, point(60.0, &mut random), 5);
    }
}
