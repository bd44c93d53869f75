//! The demands on indices, row by row.

use core::cell::Cell;
use core::hash::{Hash, Hasher};
use std::collections::BTreeSet;

use larder::{
    Arena, Container, Handle, IndexError, Indexed, ListPool, MultiIndex, RowContainer, SortedIndex,
    UniqueIndex,
};

use crate::allocator::requests_of;
use crate::common::{Drops, SplitMix, for_both, scaled};

/// Who watches whom, as in the source: several enemies may watch the same one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Watch {
    observer: u32,
    observed: u32,
}

fn watch(observer: u32, observed: u32) -> Watch {
    Watch { observer, observed }
}

thread_local! {
    static HASHES: Cell<usize> = const { Cell::new(0) };
    static COMPARISONS: Cell<usize> = const { Cell::new(0) };
}

/// A property that counts what it is asked.
#[derive(Clone, Debug)]
struct Counted(u32);

impl Hash for Counted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        HASHES.set(HASHES.get() + 1);
        self.0.hash(state);
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        COMPARISONS.set(COMPARISONS.get() + 1);
        self.0 == other.0
    }
}

impl Eq for Counted {}

/// How many hashes and comparisons `act` asks for.
fn asked(act: impl FnOnce()) -> (usize, usize) {
    HASHES.set(0);
    COMPARISONS.set(0);
    act();
    (HASHES.get(), COMPARISONS.get())
}

/// So many keys, all of them under one property.
fn crowd(count: usize) -> (Vec<Handle<usize>>, MultiIndex<Counted, Handle<usize>>) {
    let keys: Vec<_> = Arena::from_iter(0..count).keys().collect();
    let mut index = MultiIndex::new();
    for &key in &keys {
        index.insert(key, Counted(7)).unwrap();
    }
    (keys, index)
}

#[test]
fn b1_the_four_needs_on_one_handle() {
    let mut enemies = Arena::new(); // bulk data
    let mut targets = ListPool::new(); // arrays of arrays
    let mut by_name = UniqueIndex::new(); // indices
    let orc = enemies.insert("orc");
    let elf = enemies.insert("elf");
    by_name.insert(orc, "orc").unwrap();
    by_name.insert(elf, "elf").unwrap();
    let hunted = targets.make([by_name.get("orc").unwrap(), elf]);
    enemies.remove(elf);
    let names: Vec<_> = targets[hunted].iter().map(|&enemy| enemies.get(enemy)).collect();
    assert_eq!(names, [Some(&"orc"), None]); // weak references
}

#[test]
fn b62_the_data_is_indexed() {
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let mut rows = Indexed::new(Arena::new(), by_observed);
    let keys = [(1, 9), (2, 9), (3, 1)].map(|(a, b)| rows.insert(watch(a, b)).unwrap());
    assert_eq!(rows.indices().get(&9), [keys[0], keys[1]]);
}

#[test]
fn x1_a_search_without_an_index_finds_the_same() {
    let mut random = SplitMix::new(1);
    let rows = Arena::from_iter((0..200).map(|n| watch(n, random.below(10) as u32)));
    let rows = Indexed::new(rows, MultiIndex::by(|row: &Watch| row.observed));
    for observed in 0..11 {
        let searched: BTreeSet<_> = rows
            .container()
            .iter()
            .filter(|(_, row)| row.observed == observed)
            .map(|(key, _)| key)
            .collect();
        assert_eq!(searched, rows.indices().get(&observed).iter().copied().collect());
    }
}

#[test]
fn x2_a_unique_index_inserts_looks_up_misses_and_removes() {
    let keys: Vec<_> = Arena::from_iter(0..3).keys().collect();
    let mut index = UniqueIndex::new();
    index.insert(keys[0], 10_u64).unwrap();
    index.insert(keys[1], 11).unwrap();
    assert_eq!((index.get(&10), index.get(&12)), (Some(keys[0]), None));
    let refused = index.insert(keys[2], 11).unwrap_err();
    assert_eq!(refused, IndexError::Duplicate { holder: keys[1] });
    assert_eq!((index.len(), index.contains_key(keys[2])), (2, false));
    assert_eq!(index.remove(keys[0]), Some(10));
    assert_eq!(index.get(&10), None);
}

/// Answers the same for everything.
#[derive(Clone, Copy, Default)]
struct Colliding;

impl Hasher for Colliding {
    fn finish(&self) -> u64 {
        42
    }
    fn write(&mut self, _: &[u8]) {}
}

#[test]
fn x3_by_handle_by_text_and_with_colliding_hashes() {
    let enemies = Arena::from_iter(["orc", "elf"]);
    let mut sounds = Arena::new();
    let mut by_enemy = UniqueIndex::new(); // a handle is a property like any other
    for enemy in enemies.keys() {
        by_enemy.insert(sounds.insert("roar"), enemy).unwrap();
    }
    assert!(enemies.keys().all(|enemy| sounds.contains_key(by_enemy.get(&enemy).unwrap())));

    // The source trusts 64 bits of hash; here the text is compared.
    let build = core::hash::BuildHasherDefault::<Colliding>::default();
    let mut by_name = UniqueIndex::with_hasher(build);
    for (enemy, name) in &enemies {
        by_name.insert(enemy, String::from(*name)).unwrap();
    }
    for (enemy, name) in &enemies {
        assert_eq!(by_name.get(*name), Some(enemy));
    }
    assert_eq!(by_name.get("dwarf"), None);
}

#[test]
fn x4_added_removed_or_modified_the_row_is_filed_anew() {
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let mut rows = Indexed::new(Arena::new(), by_observed);
    let key = rows.insert(watch(1, 2)).unwrap();
    rows.modify(key, |row| row.observed = 3).unwrap();
    assert_eq!((rows.indices().len_of(&2), rows.indices().get(&3)), (0, &[key][..]));
    rows.replace(key, watch(1, 4)).unwrap();
    assert_eq!((rows.indices().len_of(&3), rows.indices().get(&4)), (0, &[key][..]));
    rows.remove(key);
    assert!(rows.indices().is_empty());
}

#[test]
fn x5_a_change_costs_a_hash_whatever_the_number_of_rows() {
    for count in [10, scaled(10_000, 100)] {
        let (keys, mut index) = crowd(count);
        let new = Arena::from_iter(0..=count).last_key().unwrap();
        assert_eq!(asked(|| index.insert(new, Counted(7)).unwrap()), (1, 1));
        assert_eq!(asked(|| index.insert(new, Counted(8)).unwrap()), (1, 0));
        assert_eq!(asked(|| assert_eq!(index.get(&Counted(7)).len(), count)), (1, 1));
        assert_eq!(asked(|| assert!(index.remove(keys[count / 2]))), (0, 0));
    }
}

#[test]
fn x6_with_holes_or_packed_the_index_holds_keys() {
    for_both!(Container => {
        let mut rows = Container::new();
        let keys: Vec<_> = (0..20).map(|n| rows.insert(n)).collect();
        let mut rows = Indexed::new(rows, UniqueIndex::by(|n: &u32| *n));
        for &key in keys.iter().step_by(3) {
            rows.remove(key); // in a packed container the last row moves into the gap
            for number in 0..20 {
                let found = rows.indices().get(&number);
                assert_eq!(found.map(|key| rows[key]), rows.contains_key(keys[number as usize]).then_some(number));
            }
        }
    });
}

#[test]
fn x7_any_of_many_is_added_found_and_removed_in_one_step() {
    let (keys, mut index) = crowd(100);
    assert_eq!(index.first(&Counted(7)), Some(keys[0]));
    assert_eq!(index.get(&Counted(7)), keys); // those of one property side by side
    let (requests, ()) = requests_of(|| {
        for &key in keys.iter().skip(30).step_by(2) {
            assert_eq!(asked(|| assert!(index.remove(key))), (0, 0));
        }
    });
    assert_eq!(requests, 0);
    let left: BTreeSet<_> = index.get(&Counted(7)).iter().copied().collect();
    let expected = keys.iter().enumerate().filter(|(n, _)| *n < 30 || n % 2 == 1);
    assert_eq!(left, expected.map(|(_, &key)| key).collect());
}

/// Were a removal to search its group, this would be five thousand million steps.
#[test]
fn x8_removing_a_hundred_thousand_under_one_key_is_linear() {
    let (mut keys, mut index) = crowd(scaled(100_000, 200));
    let mut random = SplitMix::new(8);
    let (requests, asked) = requests_of(|| {
        asked(|| {
            while !keys.is_empty() {
                let key = random.take(&mut keys);
                assert!(index.remove(key));
            }
        })
    });
    // Nothing is hashed, compared or allocated, so nothing is looked for.
    assert_eq!((requests, asked), (0, (0, 0)));
    assert_eq!((index.len(), index.property_count()), (0, 0));
}

#[test]
fn x9_the_next_one_is_added_without_knowing_the_last_and_one_alone_is_a_group() {
    let (keys, mut index) = crowd(3);
    assert_eq!(index.get(&Counted(7)), keys);
    index.insert(keys[1], Counted(8)).unwrap();
    assert_eq!(index.get(&Counted(8)), [keys[1]]);
    assert_eq!(index.get(&Counted(7)), [keys[0], keys[2]]);
}

#[test]
fn x10_the_first_and_the_last_one_left_are_removed_and_no_dead_property_stays() {
    struct Name(
        &'static str,
        #[expect(dead_code, reason = "counts its drop")] crate::common::Counted,
    );
    impl PartialEq for Name {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl Eq for Name {}
    impl Hash for Name {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }
    let drops = Drops::default();
    let name = || Name("orc", drops.object(0));
    let keys: Vec<_> = Arena::from_iter(0..3).keys().collect();
    let mut index = MultiIndex::new();
    for &key in &keys {
        index.insert(key, name()).unwrap();
    }
    assert_eq!(drops.count(), 2); // the group has its name once
    index.remove(keys[0]);
    assert_eq!(index.first(&name()), Some(keys[2])); // the last one fills the gap
    index.remove(keys[1]);
    let before = drops.count();
    index.remove(keys[2]);
    assert_eq!((drops.count(), index.property_count()), (before + 1, 0));
}

#[test]
fn x11_a_result_is_a_slice_and_rows_are_removed_while_one_goes_through_them() {
    let mut enemies = Arena::from_iter((0..60).map(|n| n % 3));
    let mut by_kind = MultiIndex::new();
    for (key, &kind) in &enemies {
        by_kind.insert(key, kind).unwrap();
    }
    let mut scratch = Vec::with_capacity(60);
    let (requests, ()) = requests_of(|| {
        scratch.extend_from_slice(by_kind.get(&1));
        for &key in &scratch {
            assert!(by_kind.remove(key));
        }
        by_kind.remove_all_of(&2, |key| assert_eq!(enemies.remove(key), Some(2)));
    });
    assert_eq!(requests, 0);
    assert_eq!((by_kind.len(), enemies.len(), scratch.len()), (20, 40, 20));
}

#[test]
fn x12_the_memory_of_an_index_is_told() {
    let (keys, index) = crowd(scaled(65_536, 4_096));
    let usage = index.memory_usage();
    assert_eq!(usage.values, keys.len() * 8);
    assert_eq!(usage.values + usage.holes + usage.unused + usage.bookkeeping, usage.committed);
    let per_key = usage.committed / keys.len();
    assert!(per_key <= 22, "{per_key} bytes a key");
}

#[test]
fn x13_an_index_is_added_to_a_live_table_and_dropped_again() {
    let rows = Arena::from_iter((0..10).map(|n| watch(n, n % 3)));
    let by_observer = UniqueIndex::by(|row: &Watch| row.observer);
    let mut rows = Indexed::new(rows, (by_observer, None, None));
    rows.add_index::<1>(MultiIndex::by(|row: &Watch| row.observed)).unwrap();
    rows.add_index::<2>(SortedIndex::by(|row: &Watch| (row.observed, row.observer))).unwrap();
    rows.insert(watch(10, 1)).unwrap();
    let (_, by_observed, in_order) = rows.indices();
    assert_eq!(by_observed.as_ref().unwrap().len_of(&1), 4);
    assert!(in_order.as_ref().unwrap().iter().map(|(pair, _)| *pair).is_sorted());

    let dropped = rows.drop_index::<1>().unwrap();
    assert_eq!(dropped.len(), 11);
    rows.insert(watch(11, 1)).unwrap();
    assert_eq!(rows.indices().2.as_ref().unwrap().len(), 12);

    rows.add_index::<1>(dropped).unwrap(); // it is filled anew
    assert_eq!(rows.indices().1.as_ref().unwrap().len(), 12);

    // Not every index can be built: then nothing is there.
    let twice = Arena::from_iter([watch(1, 2), watch(1, 3)]);
    let mut twice = Indexed::new(twice, None);
    let refused = twice.add_index::<0>(UniqueIndex::by(|row: &Watch| row.observer)).unwrap_err();
    assert!(matches!(refused.reason, IndexError::Duplicate { .. }));
    assert!(twice.indices().is_none());
}

#[test]
fn x14_rows_found_by_either_of_two_indices_are_removed_once() {
    let by_observer = MultiIndex::by(|row: &Watch| row.observer);
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let mut rows = Indexed::new(Arena::new(), (by_observer, by_observed));
    for (observer, observed) in [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        rows.insert(watch(observer, observed)).unwrap();
    }
    let mut removed = Vec::new();
    let mut cascade = |gone: u32| {
        rows.remove_where_any(
            |(by_observer, by_observed), found| {
                found.extend(by_observer.get(&gone));
                found.extend(by_observed.get(&gone));
            },
            |_, row| removed.push(row),
        )
    };
    assert_eq!((cascade(2), cascade(2)), (4, 0));
    removed.sort_by_key(|row| (row.observer, row.observed));
    assert_eq!(removed, [watch(1, 2), watch(2, 1), watch(2, 2), watch(3, 2)]);
    assert!(rows.container().values().eq(&[watch(3, 1)]));
}

#[test]
fn x20_ranges_come_from_a_sorted_index() {
    let mut random = SplitMix::new(20);
    let numbers: Vec<_> = (0..scaled(500, 50)).map(|_| random.below(100)).collect();
    let table = Indexed::new(Arena::from_iter(numbers.clone()), SortedIndex::by(|n: &usize| *n));
    for (from, to) in [(0, 100), (20, 30), (50, 50), (99, 100)] {
        let found: Vec<_> = table.indices().range(from..to).map(|(_, key)| table[key]).collect();
        let mut expected: Vec<_> =
            numbers.iter().copied().filter(|number| (from..to).contains(number)).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

/// What stands beside may be any container of the user's that keeps objects in one of ours.
#[test]
fn x4_a_container_of_the_users_own_is_indexed_as_well() {
    struct Audited {
        rows: Arena<u32>,
        removals: usize,
    }
    impl Container for Audited {
        type Key = Handle<u32>;
        type Removed = u32;
        fn contains_key(&self, key: Handle<u32>) -> bool {
            self.rows.contains_key(key)
        }
        fn remove(&mut self, key: Handle<u32>) -> Option<u32> {
            self.removals += 1;
            self.rows.remove(key)
        }
    }
    impl RowContainer for Audited {
        type Value = u32;
        fn get(&self, key: Handle<u32>) -> Option<&u32> {
            self.rows.get(key)
        }
        fn get_mut(&mut self, key: Handle<u32>) -> Option<&mut u32> {
            self.rows.get_mut(key)
        }
        fn next_key(&mut self) -> Result<Handle<u32>, larder::TryReserveError> {
            RowContainer::next_key(&mut self.rows)
        }
        fn try_insert(&mut self, value: u32) -> Result<Handle<u32>, larder::InsertError<u32>> {
            self.rows.try_insert(value)
        }
        fn iter(&self) -> impl Iterator<Item = (Handle<u32>, &u32)> {
            self.rows.iter()
        }
    }
    let audited = Audited { rows: Arena::from_iter(0..9), removals: 0 };
    let mut table = Indexed::new(audited, MultiIndex::by(|n: &u32| n % 2));
    table.retain(|_, n| *n < 4);
    assert_eq!((table.container().removals, table.indices().len_of(&1)), (5, 2));
}
