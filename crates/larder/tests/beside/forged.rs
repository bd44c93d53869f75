//! Keys that were never handed out, for what stands beside a container: they find nothing, unless they
//! equal a key that has something there.

use std::collections::BTreeSet;

use crate::side_map::{MadeKey, SideMap};
use larder::pools::list_pool::ListHandle;
use larder::{
    Arena, Handle, Handle32, Key, SecondaryMap, Tree,
    indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex},
    key::{BareHandle, Serial},
    maps::{SecondaryInsertErrorKind, SparseSecondaryMap},
    pools::{ListPool, StringPool, Symbol},
    trees::{Buckets, KeyList, LinkErrorKind, ListError},
};
use larder_testing::common::scaled;
use larder_testing::forge::{Forged, forgeries};

type Things<K> = Arena<u32, K>;

/// An arena with slots that are live, free, used again and detached; the keys that are live, and all that
/// ever were.
fn scene<K: Forged>() -> (Things<K>, Vec<K>, BTreeSet<K>) {
    let mut things = Things::<K>::with_key();
    let mut live: Vec<K> = (0..8).map(|number| things.insert(number)).collect();
    let mut issued = BTreeSet::from_iter(live.clone());
    for slot in [1, 2] {
        things.remove(live[slot]);
        live[slot] = things.insert(10);
        issued.insert(live[slot]);
    }
    things.detach(live.remove(6));
    things.remove(live.remove(3));
    (things, live, issued)
}

/// The keys that are forged of those: pairs of bits only where that is soon done.
fn forged<K: Forged>(issued: &BTreeSet<K>) -> BTreeSet<K> {
    let pairs = K::BITS == 32 && !cfg!(miri);
    issued.iter().flat_map(|&key| forgeries(key, pairs)).collect()
}

/// Calls a generic test for keys of all types.
macro_rules! of_all_keys {
    ($($name:ident;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            #[cfg_attr(miri, ignore = "serials and few lives are what can go wrong")]
            fn of_handles() {
                super::super::forged::$name::<Handle<u32>>();
            }

            #[test]
            fn of_handles_of_4_bytes() {
                if !cfg!(miri) {
                    super::super::forged::$name::<Handle32<u32>>();
                    super::super::forged::$name::<Handle32<u32, 29>>();
                }
                super::super::forged::$name::<Handle32<u32, 30>>();
            }

            #[test]
            fn of_serials() {
                super::super::forged::$name::<Serial<u32>>();
            }

            #[test]
            #[cfg_attr(miri, ignore = "serials and few lives are what can go wrong")]
            fn of_slots() {
                super::super::forged::$name::<BareHandle<u32>>();
            }
        }
    )*};
}

of_all_keys! {
    forged_keys_of_maps;
    forged_keys_of_trees;
    forged_keys_of_lists;
    forged_keys_of_indices;
}

fn forged_keys_of_maps<K: Forged + MadeKey>() {
    ask_map::<SecondaryMap<K, String>>();
    ask_map::<SparseSecondaryMap<K, String>>();
}

fn ask_map<M: SideMap<Key: Forged, Value = String>>() {
    let (_, live, issued) = scene::<M::Key>();
    let mut map = M::new();
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
            assert!(map.remove(key).is_none() && map.remove_entry(key).is_none(), "{key:?}");
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
fn insert_forged<M: SideMap<Key: Forged, Value = String>>(mut map: M, key: M::Key) {
    let (before, tenant) = (map.clone(), map.key_at(key.slot()));
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
                    let none = M::Key::DANGLING.bits() >> M::Key::SLOT_BITS;
                    let generation = key.bits() >> M::Key::SLOT_BITS;
                    assert!(key.slot() >= M::Key::MAX_SLOTS || generation == none, "{key:?}");
                }
                // By slot, a far one is much memory, which there may not be.
                SecondaryInsertErrorKind::Memory(_) => assert!(key.slot() > 1 << 20, "{key:?}"),
                ref other => panic!("{key:?}: {other:?}"),
            }
        }
    }
    map.validate();
}

fn forged_keys_of_trees<K: Forged + MadeKey>() {
    let (mut things, live, issued) = scene::<K>();
    let (mut tree, root) = (Tree::new(), live[0]);
    for &child in &live[1..] {
        tree.append(&things, root, child).unwrap();
    }
    for key in forged(&issued).into_iter().filter(|key| !live.contains(key)) {
        let none = [tree.parent(key), tree.first_child(key), tree.last_child(key)];
        assert_eq!((none, tree.next_sibling(key), tree.prev_sibling(key)), ([None; 3], None, None));
        assert_eq!((tree.ancestors(key).count(), tree.contains_key(key)), (0, false));
        assert_eq!(tree.children(key).count() + tree.descendants(key).count(), 0);
        assert!(
            !tree.ancestors(key).any(|above| above == root)
                && !tree.ancestors(root).any(|above| above == key)
        );
        let refused = tree.append(&things, root, key).unwrap_err();
        assert_eq!(refused.reason, LinkErrorKind::Missing);
        let refused = tree.insert_after(&things, key, live[1]).unwrap_err();
        assert_eq!(refused.reason, LinkErrorKind::TargetMissing);
        tree.promote_children(key);
        assert!(!tree.make_root(key) && tree.remove_subtree(&mut things, key) == 0);
        assert!(tree.remove_orphaning(&mut things, key).is_none());
    }
    assert!(tree.children(root).eq(live[1..].iter().copied()));
    assert_eq!(things.len(), live.len());
}

fn forged_keys_of_lists<K: Forged + MadeKey>() {
    let (things, live, issued) = scene::<K>();
    let (mut list, mut kinds) = (KeyList::new(), Buckets::<K, 2>::new());
    for &key in &live {
        list.push_back(&things, key).unwrap();
        kinds.set(&things, key, 1).unwrap();
    }
    let absent = |key| Err(ListError::Missing { key });
    for key in forged(&issued).into_iter().filter(|key| !live.contains(key)) {
        assert!(!list.contains(key) && !list.remove(key), "{key:?}");
        assert_eq!((list.next_key(key), list.prev_key(key)), (None, None));
        assert_eq!(list.push_back(&things, key), absent(key));
        assert_eq!(list.insert_before(&things, live[0], key), absent(key));
        assert!(list.insert_after(&things, key, live[0]).is_err());
        assert_eq!(
            (kinds.bucket_of(key), kinds.remove(key), kinds.next_key(key)),
            (None, None, None)
        );
        assert_eq!(kinds.set(&things, key, 0), absent(key));
    }
    assert!(list.iter().eq(live.iter().copied()) && kinds.iter(1).eq(live.iter().copied()));
    list.validate();
    kinds.validate();
}

fn forged_keys_of_indices<K: Forged + MadeKey>() {
    let (_, live, issued) = scene::<K>();
    let (mut unique, mut multi) = (UniqueIndex::<u32, K>::new(), MultiIndex::<u32, K>::new());
    let (mut sorted, mut grid) = (SortedIndex::<u32, K>::new(), GridIndex::<K, 2>::new(4.0));
    for (number, &key) in live.iter().enumerate() {
        unique.insert(key, number as u32).unwrap();
        multi.insert(key, number as u32 / 3).unwrap();
        sorted.insert(key, number as u32).unwrap();
        grid.insert(key, [number as f32, 0.0]).unwrap();
    }
    for key in forged(&issued).into_iter().filter(|key| !live.contains(key)) {
        assert!(!unique.contains_key(key) && !multi.contains_key(key), "{key:?}");
        assert!(!sorted.contains_key(key) && !grid.contains_key(key), "{key:?}");
        let none = [unique.property(key), multi.property(key), sorted.property(key)];
        assert_eq!((none, grid.point(key)), ([None; 3], None), "{key:?}");
        assert!(unique.remove(key).is_none() && !multi.remove(key), "{key:?}");
        assert!(!sorted.remove(key) && grid.remove(key).is_none(), "{key:?}");
    }
    let lengths = [unique.len(), multi.len(), sorted.iter().count(), grid.len()];
    assert_eq!(lengths, [live.len(); 4]);
    unique.validate();
    multi.validate();
    sorted.validate();
    grid.validate();
}

/// The distance from each bit to the next one that is flipped with it.
const STEP: usize = if cfg!(miri) { 21 } else { 1 };

/// Any number as a list's, of pools with and without lists, with brands and without.
#[test]
fn forged_lists() {
    let mut pool = ListPool::new();
    let mut lists: Vec<ListHandle<String>> = (0..5).map(|n| pool.make([n.to_string()])).collect();
    let issued = lists.clone();
    pool.free(lists.remove(3));
    pool.free(lists.remove(1));
    lists.push(pool.make(["again".into()]));
    let empty = ListPool::<String>::new();
    let before = pool.clone();
    for of in issued.into_iter().chain([*lists.last().unwrap()]) {
        let turned = (0..64).step_by(STEP).flat_map(|a| (0..64).map(move |b| 1 << a ^ 1 << b));
        let bits = turned.map(|turned| of.to_bits() ^ turned);
        for list in bits.chain([0, 1, u64::MAX]).filter_map(ListHandle::from_bits) {
            let there = lists.contains(&list) || list == ListHandle::EMPTY;
            assert_eq!((pool.contains(list), pool.get(list).is_some()), (there, there), "{list}");
            assert_eq!(pool.get_mut(list).is_some(), there);
            assert_eq!(empty.contains(list), list == ListHandle::EMPTY);
        }
    }
    assert!(pool.iter().eq(before.iter()));
    pool.validate();
}

/// Any number as a symbol, of a pool with slots that are live, free and retired.
#[test]
fn forged_symbols() {
    let mut pool = StringPool::new();
    let mut live: BTreeSet<Symbol> = (0..4).map(|n| pool.intern(&n.to_string())).collect();
    let mut issued = live.clone();
    for n in 0..scaled(300, 4) {
        let symbol = pool.acquire(&format!("short {n}"));
        issued.insert(symbol);
        assert!(pool.release(symbol));
    }
    live.insert(pool.acquire("again"));
    issued.extend(live.clone());
    for of in issued {
        let turned = (0..32).step_by(STEP).flat_map(|a| (0..32).map(move |b| 1 << a ^ 1 << b));
        let bits = turned.map(|turned: u32| of.to_bits() ^ turned);
        for symbol in bits.chain([u32::MAX, 1]).filter_map(Symbol::from_bits) {
            assert_eq!(pool.get(symbol).is_some(), live.contains(&symbol), "{symbol}");
        }
    }
    pool.validate();
}
