//! Keys that were never handed out, for maps: they find nothing, unless they equal a key that has something there.

use std::collections::BTreeSet;

use larder::maps::layout::{Array, SideLayout, Sparse};
use larder::maps::{SecondaryInsertErrorKind, SideMap};

use crate::side_map::remove_entry;
use larder_testing::for_all_keys;
use larder_testing::forge::{Forged, MadeKey, forged, scene};

#[test]
fn forged_keys_of_maps() {
    for_all_keys!(maps);
}

fn maps<K: Forged + MadeKey>() {
    ask_map::<K, Array<_, _>>();
    ask_map::<K, Sparse<_, _>>();
}

fn ask_map<K: Forged + MadeKey, L: SideLayout<K, String>>() {
    let (_, live, issued) = scene::<K>();
    let mut map = SideMap::<K, String, L>::new();
    for (number, key) in live.iter().enumerate().filter(|(number, _)| number % 3 != 0) {
        map.insert(*key, number.to_string());
    }
    let before = map.clone();
    let filed: BTreeSet<_> = map.iter().map(|(key, _)| key).collect();
    for (number, key) in forged(&issued).into_iter().enumerate() {
        let there = filed.contains(&key);
        assert_eq!(map.contains_key(key), there, "{key:?}");
        assert_eq!((map.get(key).is_some(), map.get_mut(key).is_some()), (there, there));
        let [a, b] = [live[1], live[2]];
        let disjoint = there && key != a && key != b;
        assert_eq!(map.get_disjoint_mut([a, key, b]).is_ok(), disjoint, "{key:?}");
        if !there {
            assert!(map.remove(key).is_none() && remove_entry(&mut map, key).is_none(), "{key:?}");
            // (By slot, a far one is much memory.)
            if key.slot() < 1 << 20 || number % 50 == 0 {
                insert_forged(map.clone(), key);
            }
        }
    }
    assert!(map == before);
    map.validate();
}

/// A key that a container could hand out is taken, unless a later one is there; any other is refused.
fn insert_forged<K: Forged, L: SideLayout<K, String>>(mut map: SideMap<K, String, L>, key: K) {
    let (before, tenant) = (map.clone(), map.key_of_slot(key.slot()));
    match map.try_insert(key, "forged".into()) {
        Ok(replaced) => {
            assert!(replaced.is_none() && map.get(key).is_some_and(|value| value == "forged"));
            assert!(tenant.is_none_or(|tenant| tenant < key && !map.contains_key(tenant)));
        }
        Err(refused) => {
            assert!(map == before);
            match refused.reason {
                SecondaryInsertErrorKind::Stale { tenant: now } => {
                    assert!(Some(now) == tenant && key < now)
                }
                SecondaryInsertErrorKind::Dangling => {
                    let none = K::DANGLING.bits() >> K::SLOT_BITS;
                    let generation = key.bits() >> K::SLOT_BITS;
                    assert!(key.slot() >= K::MAX_SLOTS || generation == none, "{key:?}");
                }
                // By slot, a far one is much memory, which there may not be.
                SecondaryInsertErrorKind::Memory(_) => assert!(key.slot() > 1 << 20, "{key:?}"),
                ref other => panic!("{key:?}: {other:?}"),
            }
        }
    }
    map.validate();
}
