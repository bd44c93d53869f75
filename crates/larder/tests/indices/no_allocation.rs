//! Room that was reserved is enough: a program that must not allocate after its start can use every index.

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::{Arena, track::Table};
use larder_testing::common::{SplitMix, allocations_of, amount, scaled};

use crate::every::{Index, Places, keys, mixed, of_properties};

/// Files as many objects as there is room for, each under the number that it is given for its own; then others instead,
/// if they are `exchanged`, the oldest or any; and all again after a `clear`. Returns how often that allocated.
fn allocations(
    index: &mut dyn Index,
    room: usize,
    (exchanged, by_age): (usize, bool),
    property: &dyn Fn(u32) -> u32,
) -> usize {
    index.try_reserve(room).unwrap();
    let mut objects = Arena::with_capacity(room);
    let mut keys = Vec::with_capacity(room);
    let mut random = SplitMix::new(room as u64);
    let mut numbers = 0..;
    let mut file = |index: &mut dyn Index, objects: &mut Arena<u32>| {
        let number = numbers.next().unwrap();
        let key = objects.insert(number);
        index.file(key, property(number)).unwrap();
        key
    };
    let mut requests = allocations_of(|| {
        keys.extend((0..room).map(|_| file(index, &mut objects)));
    });
    index.validate();
    for _ in 0..4 {
        requests += allocations_of(|| {
            for step in 0..exchanged {
                let at = if by_age { step % room } else { random.below(room) };
                index.unfile(keys[at]);
                objects.remove(keys[at]);
                keys[at] = file(index, &mut objects);
            }
        });
        index.validate();
        assert_eq!(index.len(), room);
    }
    requests += allocations_of(|| {
        index.clear();
        objects.clear();
        (0..room).for_each(|_| _ = file(index, &mut objects));
    });
    index.validate();
    assert_eq!(index.len(), room);
    requests
}

const ROOM: usize = if cfg!(miri) { 60 } else { 1_000 };

const EXCHANGED: usize = if cfg!(miri) { 100 } else { 3_000 };

#[test]
fn a_reserved_unique_index_does_not_allocate() {
    for room in [1, 7, 28, ROOM] {
        let [mut unique, ..] = of_properties::<u32>();
        let exchanged = (amount(20_000, EXCHANGED, 100), false);
        assert_eq!(allocations(&mut *unique, room, exchanged, &mixed), 0, "{room}");
    }
}

/// Groups of every size: one of all keys, and one of each.
#[test]
fn a_reserved_index_of_groups_does_not_allocate() {
    let requests = |room, exchanged, order: &dyn Fn(u32) -> u32| {
        let [_, mut groups, _] = of_properties::<u32>();
        allocations(&mut *groups, room, (exchanged, true), order)
    };
    for groups in [1, 2, 3, 10, 100, 300, 1_000_000] {
        for room in [1, 5, 129, ROOM] {
            let orders: [&dyn Fn(u32) -> u32; 3] = [
                &|number| number % groups,
                &|number| number / (room as u32).div_ceil(groups),
                &|number| mixed(number) % groups,
            ];
            for (at, order) in orders.into_iter().enumerate() {
                // (Other groups may need memory when they become large.)
                let exchanged = if at == 0 { scaled(10_000, 100) } else { 0 };
                assert_eq!(requests(room, exchanged, order), 0, "{groups} groups of {room}, {at}");
            }
        }
    }
    assert_eq!(requests(ROOM, 0, &|number| number.checked_ilog2().unwrap_or(0)), 0);
}

/// Orders in which leaves are filled well, badly, and again and again.
#[test]
fn a_reserved_sorted_index_does_not_allocate() {
    let orders: [fn(u32) -> u32; 6] = [
        |number| number,
        |number| u32::MAX - number,
        mixed,
        |number| if number % 2 == 0 { number } else { u32::MAX - number },
        |number| mixed(number) % 400, // several keys with one property
        |number| number % 1_000 / 16 * 1_000 + number / 1_000,
    ];
    for (at, order) in orders.into_iter().enumerate() {
        for room in [1, 8, 33, ROOM] {
            let [.., mut sorted] = of_properties::<u32>();
            let exchanged = (amount(20_000, EXCHANGED, 100), false);
            assert_eq!(allocations(&mut *sorted, room, exchanged, &order), 0, "{at}: {room}");
        }
    }
}

/// Points that are side by side, far from each other, and on the move.
#[test]
fn a_reserved_grid_does_not_allocate() {
    let places: [fn(u32) -> f32; 5] = [
        |_| 1.0,
        |number| (number % 30) as f32,
        |number| (mixed(number) % 1_000) as f32 * 100.0,
        |number| number as f32 * 1_000.0,
        |number| if number / 3_000 % 2 == 0 { 2.0 } else { number as f32 * 90.0 },
    ];
    for (at, place) in places.into_iter().enumerate() {
        for room in [1, 9, ROOM] {
            let grids = [
                Places::boxed(10.0, move |number| [place(number), place(number / 7)]),
                Places::boxed(10.0, move |n| [place(n / 7), place(n), place(n / 3)]),
            ];
            for mut grid in grids {
                let exchanged = (amount(20_000, EXCHANGED, 100), false);
                assert_eq!(allocations(&mut *grid, room, exchanged, &|n| n), 0, "{at}: {room}");
            }
        }
    }
}

/// A row with its indices is inserted, changed and removed.
#[test]
fn reserved_rows_with_indices_do_not_allocate() {
    let indices = (
        UniqueIndex::by(|number: &u32| *number),
        MultiIndex::by(|number: &u32| number % 9),
        SortedIndex::by(|number: &u32| mixed(*number)),
        GridIndex::by(5.0, |number: &u32| [(number % 70) as f32, (number % 90) as f32]),
    );
    let mut rows = Table::with(Arena::new(), indices);
    rows.try_reserve(ROOM).unwrap();
    let mut keys = Vec::with_capacity(ROOM);
    let mut random = SplitMix::new(1);
    let requests = allocations_of(|| {
        keys.extend((0..ROOM as u32).map(|number| rows.insert(number)));
        for number in ROOM as u32..scaled(20_000, 200) as u32 {
            let at = random.below(ROOM);
            if number % 2 == 0 {
                rows.replace(keys[at], number).unwrap();
            } else {
                rows.remove(keys[at]);
                keys[at] = rows.insert(number);
            }
        }
    });
    assert_eq!(requests, 0);
}

/// Room that is reserved for more than there is room for once is enough, too.
#[test]
fn room_is_reserved_beside_what_is_there() {
    let [unique, groups, sorted] = of_properties::<u32>();
    let grid = Places::boxed(4.0, |number| [number as f32, (mixed(number) % 100) as f32]);
    let numbers: [fn(u32) -> u32; 4] = [|n| n, |n| n % 5, mixed, |n| n];
    for (mut index, number) in [unique, groups, sorted, grid].into_iter().zip(numbers) {
        let mut of = keys(2 * ROOM).into_iter().map(|key| (key, number(key.slot())));
        of.by_ref().take(ROOM).for_each(|(key, number)| index.file(key, number).unwrap());
        index.try_reserve(ROOM).unwrap();
        let rest = || of.for_each(|(key, number)| index.file(key, number).unwrap());
        assert_eq!(allocations_of(rest), 0);
    }
}
