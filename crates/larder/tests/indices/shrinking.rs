//! Memory that no key needs is given back, and every key stays filed under its property.

use larder::Arena;
use larder::indices::{MultiIndex, SortedIndex, UniqueIndex};
use larder_testing::allocator::{refusing_after, requests_of};

use crate::asked::{Asked, asked};
use crate::every::{Index, Number, Places, keys, mixed, of_properties};

const COUNT: u32 = if cfg!(miri) { 200 } else { 4_000 };

/// One of so many keys stays.
const KEPT: usize = 100;

/// Files many keys, removes most of them, and gives memory back, which is refused at every point first. The others are
/// still filed, more can be, and without keys there is no memory.
fn gives_back(mut index: Box<dyn Index>, number: Number) {
    let keys = keys(COUNT as usize);
    let file_all = |index: &mut dyn Index| {
        keys.iter().for_each(|&key| index.file(key, number(key.slot())).unwrap());
        index.validate();
        assert_eq!(index.len(), keys.len());
    };
    file_all(&mut *index);
    let is_kept = |at: usize| at % KEPT == 0;
    for (at, &key) in keys.iter().enumerate().filter(|&(at, _)| !is_kept(at)) {
        index.unfile(key);
        assert!(!index.contains(key), "{at}");
    }
    let before = index.committed();
    for grants in 0.. {
        let (refused, ()) = refusing_after(grants, true, || index.shrink_to_fit());
        index.validate();
        assert_eq!(index.len(), keys.len() / KEPT);
        for (at, &key) in keys.iter().enumerate() {
            assert_eq!(index.contains(key), is_kept(at), "{at}, {grants}");
            assert_eq!(index.has(key, number(at as u32)), is_kept(at), "{at}, {grants}");
        }
        if !refused {
            assert!(grants > 1, "memory is asked for to move what stays");
            break;
        }
    }
    let after = index.committed();
    assert!(after < before / 3, "{before} bytes have become {after}");

    file_all(&mut *index);
    index.shrink_to_fit();
    index.validate();
    index.clear();
    index.shrink_to_fit();
    index.validate();
    assert_eq!(index.committed(), 0);
    index.file(keys[3], number(3)).unwrap();
    index.validate();
}

#[test]
fn indices_take_less_memory_again() {
    let alone: Number = |number| number;
    let numbers: [&[Number]; 3] = [
        &[alone],
        &[alone, |number| number % 7, |_| 0, |number| number / 60],
        &[alone, |number| COUNT - number, mixed, |number| number / 60],
    ];
    for (of, numbers) in numbers.into_iter().enumerate() {
        for &number in numbers {
            let index = of_properties::<u32>().into_iter().nth(of).expect("there are three");
            gives_back(index, number);
        }
    }
    let places: [fn(u32) -> [f32; 2]; 3] = [
        |number| [number as f32 * 100.0, 0.0],
        |number| [(number % 60) as f32, (number / 60) as f32],
        |_| [1.0, 2.0],
    ];
    places.into_iter().for_each(|place| gives_back(Places::boxed(4.0, place), alone));
}

#[test]
fn reserved_room_is_given_back_and_counted() {
    let keys = keys(30);
    let mut index = UniqueIndex::new();
    assert_eq!(index.capacity(), 0);
    index.reserve(1_000);
    let room = index.capacity();
    assert!(room >= 1_000, "{room}");
    index.extend(keys.iter().map(|&key| (key, key.slot()))).unwrap();
    assert_eq!(index.capacity(), room);
    index.shrink_to_fit();
    let fitting = index.capacity();
    assert!((30..100).contains(&fitting), "{fitting}");
    // It is as much as it says.
    let more: Vec<_> = Arena::from_iter(0..fitting as u32).keys().skip(30).collect();
    let (requests, _) = requests_of(|| {
        more.iter().for_each(|&key| index.insert(key, key.slot()).unwrap());
    });
    assert_eq!((requests, index.len()), (0, fitting));
}

#[test]
fn no_code_of_properties_runs() {
    let keys = keys(500);
    let (mut unique, mut groups, mut sorted) =
        (UniqueIndex::new(), MultiIndex::new(), SortedIndex::new());
    for &key in &keys {
        unique.insert(key, Asked(key.slot(), ())).unwrap();
        groups.insert(key, Asked(key.slot() % 50, ())).unwrap();
        sorted.insert(key, Asked(key.slot() / 3, ())).unwrap();
    }
    for &key in &keys[30..] {
        unique.remove(key);
        groups.remove(key);
        sorted.remove(key);
    }
    let of_shrinking = asked(|| {
        unique.shrink_to_fit();
        groups.shrink_to_fit();
        sorted.shrink_to_fit();
    });
    assert_eq!(of_shrinking, (0, 0, 0));
    assert_eq!(unique.get(&Asked(7, ())), Some(keys[7]));
    assert_eq!(groups.get(&Asked(7, ())), [keys[7]]);
    let mut third = sorted.get(&Asked(2, ())).to_vec();
    third.sort();
    assert_eq!(third, keys[6..9]);
}
