//! Memory that no key needs is given back, and every key stays filed under its property.

use core::cell::Cell;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::{Arena, Handle};
use larder_testing::allocator::{refusing_after, requests_of};

const COUNT: u32 = if cfg!(miri) { 200 } else { 4_000 };

/// One of so many keys stays.
const KEPT: usize = 100;

/// Numbers in no order, none of them twice.
fn mixed(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1)
}

/// Files many keys, removes most of them, and gives memory back, which is refused at every point first. The others are
/// still filed, more can be, and without keys there is no memory.
macro_rules! gives_back {
    ($index:expr, |$filed:ident, $key:ident| $property_of:expr, |$number:ident| $property:expr) => {{
        let keys: Vec<Handle<u32>> = Arena::from_iter(0..COUNT).keys().collect();
        let mut index = $index;
        for (&key, $number) in keys.iter().zip(0..) {
            index.insert(key, $property).unwrap();
        }
        let is_kept = |at: usize| at % KEPT == 0;
        for (at, &key) in keys.iter().enumerate().filter(|&(at, _)| !is_kept(at)) {
            index.remove(key);
            assert!(!index.contains_key(key), "{at}");
        }
        let before = index.stats().memory.committed;
        for grants in 0.. {
            let (refused, ()) = refusing_after(grants, true, || index.shrink_to_fit());
            index.validate();
            assert_eq!(index.len(), keys.len() / KEPT);
            for (at, (&$key, $number)) in keys.iter().zip(0..).enumerate() {
                let $filed = &index;
                assert_eq!($property_of, is_kept(at).then_some($property), "{at}, {grants}");
            }
            if !refused {
                assert!(grants > 1, "memory is asked for to move what stays");
                break;
            }
        }
        let after = index.stats().memory.committed;
        assert!(after < before / 3, "{before} bytes have become {after}");

        for (&key, $number) in keys.iter().zip(0..) {
            index.insert(key, $property).unwrap();
        }
        index.validate();
        assert_eq!(index.len(), keys.len());
        index.shrink_to_fit();
        index.validate();
        index.clear();
        index.shrink_to_fit();
        index.validate();
        assert_eq!(index.stats().memory.committed, 0);
        index
            .insert(keys[3], {
                let $number = 3;
                $property
            })
            .unwrap();
        index.validate();
    }};
}

#[test]
fn unique_properties_take_less_memory_again() {
    gives_back!(UniqueIndex::new(), |index, key| index.property(key).copied(), |number| number);
}

#[test]
fn groups_take_less_memory_again() {
    let order = |index: &MultiIndex<u32, _>, key| index.property(key).copied();
    gives_back!(MultiIndex::new(), |index, key| order(index, key), |number| number);
    gives_back!(MultiIndex::new(), |index, key| order(index, key), |number| number % 7);
    gives_back!(MultiIndex::new(), |index, key| order(index, key), |_any| 0);
    gives_back!(MultiIndex::new(), |index, key| order(index, key), |number| number / 60);
}

#[test]
fn a_sorted_index_takes_less_memory_again() {
    let order = |index: &SortedIndex<u32, _>, key| index.property(key).copied();
    gives_back!(SortedIndex::new(), |index, key| order(index, key), |number| number);
    gives_back!(SortedIndex::new(), |index, key| order(index, key), |number| COUNT - number);
    gives_back!(SortedIndex::new(), |index, key| order(index, key), |number| mixed(number));
    gives_back!(SortedIndex::new(), |index, key| order(index, key), |number| number / 60);
}

#[test]
fn a_grid_takes_less_memory_again() {
    let places: [fn(u32) -> [f32; 2]; 3] = [
        |number| [number as f32 * 100.0, 0.0],
        |number| [(number % 60) as f32, (number / 60) as f32],
        |_| [1.0, 2.0],
    ];
    for place in places {
        gives_back!(GridIndex::new(4.0), |index, key| index.point(key), |number| place(number));
    }
}

#[test]
fn reserved_room_is_given_back_and_counted() {
    let keys: Vec<_> = Arena::from_iter(0..30).keys().collect();
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

thread_local! {
    /// True if code of properties must not run.
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

#[derive(Debug)]
struct Property(u32);

impl Property {
    fn number(&self) -> u32 {
        assert!(!SILENT.get(), "code of a property runs");
        self.0
    }
}

impl Clone for Property {
    fn clone(&self) -> Self {
        Self(self.number())
    }
}

impl PartialEq for Property {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}

impl Eq for Property {}

impl Hash for Property {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.number().hash(to);
    }
}

impl PartialOrd for Property {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Property {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number())
    }
}

#[test]
fn no_code_of_properties_runs() {
    let keys: Vec<Handle<u32>> = Arena::from_iter(0..500).keys().collect();
    let (mut unique, mut groups, mut sorted) =
        (UniqueIndex::new(), MultiIndex::new(), SortedIndex::new());
    for &key in &keys {
        unique.insert(key, Property(key.slot())).unwrap();
        groups.insert(key, Property(key.slot() % 50)).unwrap();
        sorted.insert(key, Property(key.slot() / 3)).unwrap();
    }
    for &key in &keys[30..] {
        unique.remove(key);
        groups.remove(key);
        sorted.remove(key);
    }
    SILENT.set(true);
    unique.shrink_to_fit();
    groups.shrink_to_fit();
    sorted.shrink_to_fit();
    SILENT.set(false);
    assert_eq!(unique.get(&Property(7)), Some(keys[7]));
    assert_eq!(groups.get(&Property(7)), [keys[7]]);
    let mut third = sorted.get(&Property(2)).to_vec();
    third.sort();
    assert_eq!(third, keys[6..9]);
}
