//! The layout of filed keys in indices by hash: groups of every size, keys of every type, slots near and far.

use larder::indices::{IndexError, MultiIndex, UniqueIndex};
use larder::key::{BareHandle, Serial};
use larder::{Arena, Handle, Key};
use std::collections::HashMap;

use larder_testing::allocator::{live_bytes, requests_of};
use larder_testing::common::{SplitMix, scaled};

type Id = Handle<u32>;

fn handle(slot: u32, generation: u32) -> Id {
    Handle::from_bits(u64::from(generation) << 32 | u64::from(slot)).unwrap()
}

/// Groups that grow from a piece to a block, side by side, shrink, end and begin again.
fn groups_of_every_size<K: Key>(keys: &[K], groups: usize) {
    let mut index = MultiIndex::new();
    let mut model: HashMap<u32, Vec<K>> = HashMap::new();
    let mut random = SplitMix::new(3);
    for round in 0..3 {
        for &key in keys {
            // The first group gets a half of the keys, the second a quarter, and so on.
            let group = (random.below(1 << groups) as u32).trailing_zeros();
            index.insert(key, group).unwrap();
            model.entry(group).or_default().push(key);
        }
        index.validate();
        let copy = index.clone();
        copy.validate();
        for (group, filed) in &mut model {
            assert_eq!((index.get(group), copy.get(group)), (&filed[..], &filed[..]));
            let count = if round == 1 { filed.len() } else { filed.len() / 2 };
            for _ in 0..count {
                let at = random.below(filed.len());
                assert!(index.remove(filed.swap_remove(at)));
            }
            assert_eq!(index.get(group), filed);
        }
        index.validate();
        for &key in keys {
            let group =
                model.iter().find(|(_, filed)| filed.contains(&key)).map(|(group, _)| group);
            assert_eq!(index.property(key), group);
        }
        index.clear();
        model.clear();
        index.validate();
        assert!(copy.len() == keys.len() && index.is_empty());
    }
}

#[test]
fn lists_grow_from_pieces_to_blocks() {
    let count = scaled(4_000, 40) as u32;
    let handles: Vec<Id> = Arena::from_iter(0..count).keys().collect();
    groups_of_every_size(&handles, 5);
    let bare: Vec<_> =
        handles.iter().map(|key| BareHandle::<u32>::from_index(key.slot()).unwrap()).collect();
    groups_of_every_size(&bare, 4);
    let serials = handles
        .iter()
        .map(|key| Serial::<u32>::from_bits(9 << 32 | u128::from(key.slot())).unwrap());
    groups_of_every_size(&serials.collect::<Vec<_>>(), 2);
}

/// A long list ends under Miri too.
#[test]
fn a_long_list_is_a_block_that_is_freed() {
    let keys: Vec<Id> = Arena::from_iter(0..1_100).keys().collect();
    let mut index = MultiIndex::new();
    index.extend(keys.iter().map(|&key| (key, 7_u32))).unwrap();
    let copy = index.clone();
    assert_eq!((index.get(&7), copy.get(&7)), (&keys[..], &keys[..]));
    index.clear();
    index.validate();
    let mut left = copy.clone();
    left.remove_all_of(&7, |_| {});
    assert!(left.is_empty() && copy.len() == 1_100);
    left.validate();
}

/// Pieces of ended groups are used again, whatever the sizes of later ones.
#[test]
fn memory_is_used_again() {
    let keys: Vec<Id> = Arena::from_iter(0..scaled(4_096, 64) as u32).keys().collect();
    let mut index = MultiIndex::new();
    let mut committed = Vec::new();
    for round in 0..12 {
        let size = 4 << (round % 4 * 2);
        for (number, &key) in keys.iter().enumerate() {
            index.insert(key, (number / size) as u32).unwrap();
        }
        index.validate();
        for &key in &keys {
            assert!(index.remove(key));
        }
        index.validate();
        committed.push(index.stats().memory.committed);
    }
    assert!(committed[11] <= committed[3] * 5 / 4, "{committed:?}");
}

/// Groups of more keys than a piece has are blocks of their own: however they end, they are given back.
#[test]
fn memory_of_large_groups_is_given_back() {
    let mut arena = Arena::from_iter(0..6_000);
    let keys: Vec<Id> = arena.keys().collect();
    let filed = || {
        let mut index = MultiIndex::new();
        keys.iter().for_each(|&key| assert!(index.insert(key, key.slot() / 2_000).is_ok()));
        index
    };
    arena.retain(|key, _| key.slot() % 2_000 < 3);
    let before = live_bytes();
    drop(filed());
    assert_eq!(live_bytes(), before, "dropped");
    let mut index = filed();
    let full = live_bytes();
    index.clear();
    assert!(live_bytes() <= full - 3 * 2_000 * 8, "cleared");
    drop(index);
    let mut index = filed();
    index.retain_live(&arena);
    assert_eq!(index.len(), 9);
    drop(index);
    assert_eq!(live_bytes(), before, "cleared, retained");
}

/// The first chunk has room for 64 keys; a group's first piece for four of them.
#[test]
fn what_groups_take_is_told_apart() {
    let mut index = MultiIndex::new();
    for slot in 0..3 {
        index.insert(handle(slot, 1), 7_u32).unwrap();
    }
    let usage = index.stats().memory;
    assert_eq!([usage.values, usage.holes, usage.unused], [3, 1, 60].map(|keys| keys * 8));
    assert_eq!(usage.committed - usage.bookkeeping, 64 * 8);
}

/// A slot far from all others takes the memory of its entry, whichever comes first.
#[test]
fn slots_far_from_all_others_take_no_more_memory() {
    let far = |number: u32| handle(u32::MAX - 2 - number * 50_000_000, 5);
    for far_first in [false, true] {
        let (mut multi, mut unique) = (MultiIndex::new(), UniqueIndex::new());
        let near = (0..scaled(1_000, 50) as u32).map(|slot| handle(slot, 1));
        let mut keys: Vec<Id> = near.chain((0..40).map(far)).collect();
        if far_first {
            keys.reverse();
        }
        for (number, &key) in (0_u32..).zip(&keys) {
            multi.insert(key, number % 7).unwrap();
            unique.insert(key, number).unwrap();
        }
        multi.validate();
        unique.validate();
        assert!(
            multi.stats().memory.committed < 100_000 && unique.stats().memory.committed < 100_000
        );
        for (number, &key) in (0_u32..).zip(&keys) {
            assert_eq!(
                (multi.property(key), unique.get(&number)),
                (Some(&(number % 7)), Some(key))
            );
            let older = handle(key.slot(), 1);
            if older != key {
                let stale = Err(IndexError::Stale { tenant: key });
                assert_eq!(
                    (multi.insert(older, 0), unique.insert(older, 9_999)),
                    (stale.clone(), stale)
                );
            }
            let newer = handle(key.slot(), 7);
            multi.insert(newer, 8).unwrap();
            unique.insert(newer, 10_000 + number).unwrap();
            assert!(!multi.contains_key(key) && !unique.contains_key(key));
        }
        multi.validate();
        unique.validate();
        assert_eq!((multi.get(&8).len(), multi.iter().len()), (keys.len(), 1));
        for &key in &keys {
            let newer = handle(key.slot(), 7);
            assert!(multi.remove(newer) && unique.remove(newer).is_some());
        }
        assert!(multi.is_empty() && unique.is_empty());
        multi.validate();
        unique.validate();
    }
}

/// Slots that come in descending order are far at first, and lie side by side in the end.
#[test]
fn slots_in_descending_order_lie_side_by_side_in_the_end() {
    let count = scaled(4_096, 64) as u32;
    let mut index = UniqueIndex::new();
    for slot in (0..count).rev() {
        index.insert(handle(slot, 1), slot).unwrap();
        if slot % 64 == 0 {
            index.validate();
        }
    }
    assert!((0..count).all(|slot| index.get(&slot) == Some(handle(slot, 1))));
    let committed = index.stats().memory.committed;
    assert!(committed < count as usize * 48, "{committed}");
}

/// Keys that no container issues are refused, and a later key of a slot takes the place of an earlier one.
#[test]
fn keys_that_no_container_issues_are_refused() {
    let (mut multi, mut unique) = (MultiIndex::new(), UniqueIndex::new());
    for slot in 0..20 {
        multi.insert(handle(slot, 3), 0_u32).unwrap();
        unique.insert(handle(slot, 3), slot).unwrap();
    }
    let beyond = handle(7, u32::MAX); // a generation that no slot reaches
    for key in [Id::DANGLING, beyond] {
        assert_eq!(multi.insert(key, 1), Err(IndexError::Dangling));
        assert_eq!(unique.insert(key, 99), Err(IndexError::Dangling));
        assert!(!multi.contains_key(key) && !unique.contains_key(key) && !multi.remove(key));
    }
    multi.insert(handle(7, 5), 0).unwrap(); // under the same property
    unique.insert(handle(7, 5), 7).unwrap();
    assert_eq!((multi.get(&0)[7], unique.get(&7)), (handle(7, 5), Some(handle(7, 5))));
    assert!(!multi.remove(handle(7, 3)) && unique.remove(handle(7, 3)).is_none());
    multi.validate();
    unique.validate();
    assert_eq!((multi.len(), unique.len()), (20, 20));
}

/// Filing asks for memory a few times more when there are twice as many, and removing never does.
#[test]
fn requests_grow_with_the_logarithm() {
    let counts = [1, 2, 4].map(|times| {
        let keys: Vec<Id> =
            Arena::from_iter(0..times * scaled(20_000, 100) as u32).keys().collect();
        let (mut multi, mut unique) = (MultiIndex::new(), UniqueIndex::new());
        let (filed, ()) = requests_of(|| {
            for &key in &keys {
                multi.insert(key, key.slot() / 10).unwrap();
                unique.insert(key, key.slot()).unwrap();
            }
        });
        let (removed, ()) = requests_of(|| {
            for &key in &keys {
                assert!(multi.remove(key) && unique.remove(key).is_some());
            }
        });
        assert_eq!(removed, 0);
        filed
    });
    let [first, second] = [counts[1] - counts[0], counts[2] - counts[1]];
    assert!(first <= 16 && second <= 16, "{counts:?}");
}
