//! Room that was reserved is enough: a program that must not allocate after its start can use every index.

use core::hash::Hash;

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::{Arena, Handle, track::Table};
use larder_testing::common::{SplitMix, allocations_of, amount, scaled};

type Key = Handle<u32>;

/// An index, which is told of objects.
trait Index {
    type Property;
    /// True if the oldest objects are exchanged, so that each property has about as many as before.
    const BY_AGE: bool;
    fn make_room(&mut self, keys: usize);
    fn file(&mut self, key: Key, property: Self::Property);
    fn unfile(&mut self, key: Key);
    fn reset(&mut self);
    fn checked_len(&self) -> usize;
}

macro_rules! index {
    ($([$($generics:tt)*] $index:ty, $property:ty, $by_age:literal;)*) => {$(
        impl<$($generics)*> Index for $index {
            type Property = $property;
            const BY_AGE: bool = $by_age;

            fn make_room(&mut self, keys: usize) {
                self.reserve(keys);
            }

            fn file(&mut self, key: Key, property: $property) {
                self.insert(key, property).unwrap();
            }

            fn unfile(&mut self, key: Key) {
                self.remove(key);
            }

            fn reset(&mut self) {
                self.clear();
            }

            fn checked_len(&self) -> usize {
                self.validate();
                self.len()
            }
        }
    )*};
}

index! {
    [Q: Hash + Eq + Clone] UniqueIndex<Q, Key>, Q, false;
    [Q: Hash + Eq + Clone] MultiIndex<Q, Key>, Q, true;
    [Q: Ord + Clone] SortedIndex<Q, Key>, Q, false;
    [] GridIndex<Key, 2>, [f32; 2], false;
    [] GridIndex<Key, 3>, [f32; 3], false;
}

/// Files as many objects as there is room for, each under the property that it is given for its number; then others
/// instead, if they are `exchanged`; and all again after a `clear`. Returns how often that allocated.
fn allocations<I: Index>(
    mut index: I,
    room: usize,
    exchanged: usize,
    mut property: impl FnMut(u32) -> I::Property,
) -> usize {
    index.make_room(room);
    let mut objects = Arena::with_capacity(room);
    let mut keys = Vec::with_capacity(room);
    let mut random = SplitMix::new(room as u64);
    let mut numbers = 0..;
    let mut file = |index: &mut I, objects: &mut Arena<u32>| {
        let number = numbers.next().unwrap();
        let key = objects.insert(number);
        index.file(key, property(number));
        key
    };
    let mut requests = allocations_of(|| {
        keys.extend((0..room).map(|_| file(&mut index, &mut objects)));
    });
    assert_eq!(index.checked_len(), room);
    for _ in 0..4 {
        requests += allocations_of(|| {
            for step in 0..exchanged {
                let at = if I::BY_AGE { step % room } else { random.below(room) };
                index.unfile(keys[at]);
                objects.remove(keys[at]);
                keys[at] = file(&mut index, &mut objects);
            }
        });
        assert_eq!(index.checked_len(), room);
    }
    requests += allocations_of(|| {
        index.reset();
        objects.clear();
        (0..room).for_each(|_| _ = file(&mut index, &mut objects));
    });
    assert_eq!(index.checked_len(), room);
    requests
}

const ROOM: usize = if cfg!(miri) { 60 } else { 1_000 };

/// Numbers in no order, none of them twice.
fn mixed(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1).rotate_left(9)
}

#[test]
fn a_reserved_unique_index_does_not_allocate() {
    for room in [1, 7, 28, ROOM] {
        let requests = allocations(UniqueIndex::new(), room, amount(20_000, 3_000, 100), mixed);
        assert_eq!(requests, 0, "{room}");
    }
}

/// Groups of every size: one of all keys, and one of each.
#[test]
fn a_reserved_index_of_groups_does_not_allocate() {
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
                let requests = allocations(MultiIndex::new(), room, exchanged, order);
                assert_eq!(requests, 0, "{groups} groups of {room}, {at}");
            }
        }
    }
    let sizes = |number: u32| number.checked_ilog2().unwrap_or(0);
    assert_eq!(allocations(MultiIndex::new(), ROOM, 0, sizes), 0);
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
            let requests = allocations(SortedIndex::new(), room, amount(20_000, 3_000, 100), order);
            assert_eq!(requests, 0, "{at}: {room}");
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
            let point = |number| [place(number), place(number / 7)];
            let plane = GridIndex::<Key, 2>::new(10.0);
            assert_eq!(
                allocations(plane, room, amount(20_000, 3_000, 100), point),
                0,
                "{at}: {room}"
            );
            let point = |number| [place(number / 7), place(number), place(number / 3)];
            let space = GridIndex::<Key, 3>::new(10.0);
            assert_eq!(
                allocations(space, room, amount(20_000, 3_000, 100), point),
                0,
                "{at}: {room}"
            );
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
    let mut objects = Arena::with_capacity(2 * ROOM);
    let (mut unique, mut groups) = (UniqueIndex::new(), MultiIndex::new());
    let (mut sorted, mut grid) = (SortedIndex::new(), GridIndex::new(4.0));
    let mut file = |number: u32, unique: &mut UniqueIndex<_, _>, groups: &mut MultiIndex<_, _>| {
        let key = objects.insert(number);
        unique.insert(key, number).unwrap();
        groups.insert(key, number % 5).unwrap();
        sorted.insert(key, mixed(number)).unwrap();
        grid.insert(key, [number as f32, (mixed(number) % 100) as f32]).unwrap();
        if number as usize + 1 == ROOM {
            sorted.reserve(ROOM);
            grid.reserve(ROOM);
        }
    };
    (0..ROOM as u32).for_each(|number| file(number, &mut unique, &mut groups));
    unique.reserve(ROOM);
    groups.reserve(ROOM);
    let requests = allocations_of(|| {
        (ROOM as u32..2 * ROOM as u32).for_each(|number| file(number, &mut unique, &mut groups));
    });
    assert_eq!(requests, 0);
}
