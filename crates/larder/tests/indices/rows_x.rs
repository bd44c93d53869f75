//! The demands on indices, row by row.

use core::hash::Hasher;

use larder::{
    Arena, Handle,
    indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex},
    track::{Objects, Observer, Refusal, Table},
};

use crate::asked::{Asked, Dropping, asked, drops};
use crate::every::{Id, keys};
use larder_testing::allocator::requests_of;
use larder_testing::common::{SplitMix, scaled};

/// Who watches whom, as in the source: several enemies may watch the same one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Watch {
    pub(crate) observer: u32,
    pub(crate) observed: u32,
}

pub(crate) const fn watch(observer: u32, observed: u32) -> Watch {
    Watch { observer, observed }
}

/// So many keys, all of them under one property.
fn crowd(count: usize) -> (Vec<Id>, MultiIndex<Asked, Id>) {
    let keys = keys(count);
    let mut index = MultiIndex::new();
    for &key in &keys {
        index.insert(key, Asked(7, ())).unwrap();
    }
    (keys, index)
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
fn x5_a_change_costs_a_hash_whatever_the_number_of_rows() {
    for count in [10, scaled(10_000, 100)] {
        let (keys, mut index) = crowd(count);
        let new = self::keys(count + 1)[count];
        assert_eq!(asked(|| index.insert(new, Asked(7, ())).unwrap()), (1, 1, 0));
        // (Compared with the property that it has first.)
        assert_eq!(asked(|| index.insert(new, Asked(8, ())).unwrap()), (1, 1, 0));
        assert_eq!(asked(|| index.insert(new, Asked(8, ())).unwrap()), (0, 1, 0));
        assert_eq!(asked(|| assert_eq!(index.get(&Asked(7, ())).len(), count)), (1, 1, 0));
        assert_eq!(asked(|| assert!(index.remove(keys[count / 2]))), (0, 0, 0));
    }
}

/// A hash in each index whose property changes.
#[test]
fn x5_a_change_of_a_table_costs_the_same_among_ten_and_ten_thousand() {
    let costs = |count: usize| {
        let by_name = UniqueIndex::by(|row: &(u32, u32)| Asked(row.0, ()));
        let by_kind = MultiIndex::by(|row: &(u32, u32)| Asked(row.1, ()));
        let mut rows = Table::with(Arena::<_, Id>::with_key(), (by_name, by_kind));
        for n in 0..count as u32 {
            rows.insert((n, n % 2));
        }
        let key = rows.keys().nth(count / 2).unwrap();
        let mut hashes = Vec::new();
        hashes.push(asked(|| rows.modify(key, |row| row.1 = 7).unwrap()).0);
        hashes.push(asked(|| rows.modify(key, |row| row.0 = u32::MAX).unwrap()).0);
        hashes.push(asked(|| assert!(rows.replace(key, (u32::MAX, 8)).is_ok())).0);
        hashes.push(asked(|| assert!(rows.remove(key).is_some())).0);
        hashes.push(asked(|| assert!(rows.try_insert((u32::MAX, 1)).is_ok())).0);
        hashes
    };
    assert_eq!(costs(10), [1, 1, 1, 0, 2]);
    assert_eq!(costs(scaled(10_000, 100)), [1, 1, 1, 0, 2]);
}

/// In random order.
fn shuffled<T>(mut things: Vec<T>, seed: u64) -> Vec<T> {
    let mut random = SplitMix::new(seed);
    core::iter::from_fn(|| (!things.is_empty()).then(|| random.take(&mut things))).collect()
}

/// A removal moves one member, however many there are: the last, which fills the gap.
#[test]
fn x8_a_removal_moves_one_member_at_most() {
    let (keys, mut index) = crowd(scaled(1_000, 50));
    let mut before = keys.clone();
    for key in shuffled(keys, 9) {
        assert!(index.remove(key));
        let gap = before.iter().position(|&member| member == key).unwrap();
        before.swap_remove(gap);
        assert_eq!(index.get(&Asked(7, ())), before, "a member was moved that need not be");
    }
}

/// Nothing is asked of properties or of the allocator. (That no member is searched for either is counted where entries are
/// asked for keys, in `larder-indices/src/by_hash.rs`; and in the instructions that a removal takes among as many, twice
/// and four times as many: `multi_remove_one` of `instructions`, which the row names.)
#[test]
fn x8_removing_a_hundred_thousand_under_one_key_asks_for_nothing() {
    let keys = keys(scaled(100_000, 200));
    let mut index = MultiIndex::new();
    for key in shuffled(keys.clone(), 8) {
        index.insert(key, Asked(7, ())).unwrap();
    }
    let doomed = shuffled(keys, 10);
    let (requests, asked) =
        requests_of(|| asked(|| doomed.iter().for_each(|&key| assert!(index.remove(key)))));
    assert_eq!((requests, asked), (0, (0, 0, 0)));
    assert_eq!((index.len(), index.iter().len()), (0, 0));
}

/// Nor where each has a property of its own; and what runs of a property is its `Drop`, once, when the last key has
/// left it.
#[test]
fn x8_of_a_property_that_is_left_nothing_runs_but_its_drop() {
    let keys = keys(scaled(1_000, 50));
    let property = |n: usize| Asked(n as u32, Dropping);
    let (mut unique, mut groups) = (UniqueIndex::new(), MultiIndex::new());
    for (n, &key) in keys.iter().enumerate() {
        unique.insert(key, property(n)).unwrap();
        groups.insert(key, property(n / 2)).unwrap();
    }
    let filed = drops();
    for (left, key) in shuffled(keys.clone(), 4).into_iter().enumerate() {
        let (requests, asked) =
            requests_of(|| asked(|| assert!(unique.remove(key).is_some() && groups.remove(key))));
        assert_eq!((requests, asked), (0, (0, 0, 0)));
        let properties = (left + 1) + (keys.len() / 2 - groups.iter().len());
        assert_eq!(drops() - filed, properties);
    }
    assert!(unique.is_empty() && groups.is_empty());
}

/// One key that goes through many properties, each of which nobody has afterwards.
#[test]
fn x10_dead_properties_take_no_memory_in_any_index() {
    let (key, before) = (keys(1)[0], drops());
    let count = scaled(10_000, 100) as u32;
    let (mut unique, mut multi) = (UniqueIndex::new(), MultiIndex::new());
    let (mut sorted, mut grid) = (SortedIndex::new(), GridIndex::new(1.0));
    let mut after_the_first = None;
    for n in 0..count {
        unique.insert(key, Asked(n, Dropping)).unwrap();
        multi.insert(key, Asked(n, Dropping)).unwrap();
        sorted.insert(key, n).unwrap();
        grid.insert(key, [n as f32 * 2.0, 0.0]).unwrap();
        assert_eq!(drops() - before, 2 * n as usize, "a property is kept that nobody has");
        let stats = [unique.stats(), multi.stats(), sorted.stats(), grid.stats()];
        let bytes = stats.map(|stats| stats.memory.committed);
        // (A second group is begun before the first one ends.)
        if n >= 2 {
            assert_eq!(*after_the_first.get_or_insert(bytes), bytes, "after {n}");
        }
    }
    assert_eq!((unique.len(), multi.iter().len()), (1, 1));
    sorted.validate();
    assert_eq!(sorted.iter().count(), 1);
    assert_eq!(grid.cell_count(), 1);
    unique.remove(key);
    multi.remove(key);
    assert_eq!(drops() - before, 2 * count as usize);
}

#[test]
fn x11_a_result_is_a_slice_and_rows_are_removed_while_one_goes_through_them() {
    let mut enemies = Arena::from_iter((0..60_u32).map(|n| n % 3));
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
    // The counts are those at which capacity is used up, just after it was doubled, and between.
    let full = scaled(65_536, 4_096);
    let mut per_key = Vec::new();
    for count in [full, full + 1, full + full / 4, full + full / 2, 2 * full - full / 4] {
        let (keys, index) = crowd(count);
        let usage = index.stats().memory;
        assert_eq!(usage.values, keys.len() * 8);
        assert_eq!(usage.values + usage.holes + usage.unused + usage.bookkeeping, usage.committed);
        per_key.push(usage.committed as f64 / keys.len() as f64);
    }
    let mean = per_key.iter().sum::<f64>() / per_key.len() as f64;
    assert!(per_key[0] <= 22.0, "{per_key:?}: bytes a key where capacity is used up");
    assert!(per_key.iter().all(|&bytes| bytes <= 44.0) && mean <= 36.0, "{per_key:?}: {mean}");
}

/// An observer of one's own is told of every change, as the index beside it.
#[test]
fn x4_an_observer_of_ones_own_is_told_of_every_change() {
    #[derive(Default)]
    struct Audit {
        filed: usize,
        removals: usize,
    }
    impl Observer<Arena<u32>> for Audit {
        fn commit(&mut self) {
            self.filed += 1;
        }
        fn remove(&mut self, numbers: &mut Objects<'_, Arena<u32>>, key: Handle<u32>) {
            assert!(numbers.contains_key(key), "it is there still");
            self.removals += 1;
        }
        fn rebuild(
            &mut self,
            numbers: &mut Objects<'_, Arena<u32>>,
        ) -> Result<(), Refusal<Handle<u32>>> {
            self.filed = numbers.len();
            Ok(())
        }
    }
    let observers = (MultiIndex::by(|n: &u32| n % 2), Audit::default());
    let mut table = Table::with(Arena::from_iter(0..9), observers);
    table.retain(|numbers, key| numbers[key] < 4);
    let nine = table.insert(9);
    table.modify(nine, |n| *n = 11).unwrap();
    let (by_rest, audit) = table.observers();
    assert_eq!((audit.filed, audit.removals, by_rest.get(&1).len()), (11, 5, 3));
}
