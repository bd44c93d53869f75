//! Joins of maps whose entries lie side by side and far apart, by slot and in tables, borrowed to be changed.

use larder::{Arena, Handle, SecondaryMap, join, maps::SparseSecondaryMap};

use larder_testing::common::{SplitMix, scaled, thorough};
use larder_testing::forge::MadeKey;

type Id = Handle<u32>;
type Map = SecondaryMap<Id, Box<u32>>;

/// Keys of slots side by side, and of such that lie far from all others.
fn keys() -> Vec<Id> {
    let far = (1..scaled(40, 8) as u32).map(|number| number * 10_000);
    (0..scaled(100, 12) as u32).chain(far).map(|slot| Id::made(slot, 1)).collect()
}

fn filled(keys: &[Id], from: u32) -> Map {
    keys.iter().map(|&key| (key, Box::new(from + key.slot()))).collect()
}

/// All values are held at once, and changed: those of arrays by slot, those of a table, those of two tables.
#[test]
fn near_and_far_are_lent_at_once() {
    let keys = keys();
    let (near, far): (Vec<_>, Vec<_>) = keys.iter().partition(|key| key.slot() < 10_000);
    let (mut all, mut beyond) = (filled(&keys, 0), filled(&far, 1));
    let mut sparse: SparseSecondaryMap<Id, u32> = keys.iter().map(|&key| (key, 2)).collect();
    let held: Vec<_> = join((&mut all, &mut sparse)).collect();
    assert_eq!(held.len(), keys.len());
    for (key, (one, other)) in held {
        assert_eq!((**one, *other), (key.slot(), 2));
        **one += 1;
        *other += key.slot();
    }
    let held: Vec<_> = join((&mut beyond, &mut all, &sparse)).collect();
    assert_eq!(held.len(), far.len());
    for (key, (one, other, third)) in held {
        core::mem::swap(one, other);
        assert_eq!((**one, **other, *third), (key.slot() + 1, key.slot() + 1, key.slot() + 2));
        **other = 0;
    }
    let mut other: SparseSecondaryMap<Id, u32> = far.iter().map(|&key| (key, 5)).collect();
    let held: Vec<_> = join((&mut sparse, &mut other, &all)).collect();
    assert!(
        held.iter().map(|(key, _)| *key).eq(far.iter().copied()),
        "in the order of the smaller"
    );
    for (key, (one, other, _)) in held {
        core::mem::swap(one, other);
        assert_eq!((*one, *other), (5, key.slot() + 2));
    }
    assert!(far.iter().all(|&key| (sparse[key], other[key]) == (5, key.slot() + 2)));
    assert!(near.iter().all(|&key| *all[key] == key.slot() + 1));
    assert!(far.iter().all(|&key| *all[key] == 0 && *beyond[key] == key.slot() + 1));
}

/// Random ones, with entries going between the joins.
#[test]
fn random_joins_to_be_changed() {
    for seed in 0..thorough(100, 3) as u64 {
        let mut random = SplitMix::new(seed);
        let keys = keys();
        let mut maps = [Map::new(), Map::new()];
        for &key in &keys {
            for map in maps.iter_mut() {
                if random.below(3) > 0 {
                    map.insert(key, Box::new(0));
                }
            }
        }
        for round in 0..3 {
            if round == 1 {
                maps[random.below(2)].shrink_to_fit();
            }
            let [one, other] = &mut maps;
            let expected =
                keys.iter().filter(|&&key| one.contains_key(key) && other.contains_key(key));
            let expected = expected.count();
            let held: Vec<_> = join((&mut *one, &mut *other)).collect();
            assert_eq!(held.len(), expected);
            for (_, (a, b)) in held {
                **a += 1;
                **b += 1;
            }
            let both: Vec<_> = join((&*one, &*other)).map(|(key, _)| key).collect();
            assert_eq!(both.len(), expected);
            for (key, value) in one.iter() {
                assert_eq!(**value > round, both.contains(&key));
            }
            if let Some(&gone) = both.first() {
                one.remove(gone);
                other.remove(gone);
            }
        }
    }
}

/// A container's own objects beside a map that has far entries of others.
#[test]
fn objects_and_what_is_far_of_others() {
    let mut objects: Arena<u32> = (0..10).collect();
    let mut map = filled(&keys(), 0);
    for (key, value) in &objects {
        map.insert(key, Box::new(*value));
    }
    let held: Vec<_> = join((&mut objects, &mut map)).collect();
    assert_eq!(held.len(), 0, "the map knows later keys of those slots");
    let mut map: Map = objects.iter().map(|(key, value)| (key, Box::new(*value))).collect();
    map.extend(keys().into_iter().filter(|key| key.slot() >= 10_000).map(|key| (key, Box::new(7))));
    for (_, (object, side)) in join((&mut objects, &mut map)).collect::<Vec<_>>() {
        core::mem::swap(object, side);
        *object += 1;
    }
    assert!(objects.values().copied().eq(1..11));
}
