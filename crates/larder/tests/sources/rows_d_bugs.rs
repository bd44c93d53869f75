//! Rows D40 to D49: what went wrong in Rea, and must not here (records/sources.md has the rows).

use std::collections::BTreeSet;

use larder::{Arena, DenseArena, Handle, Handle32, Key, key::BareHandle};

use larder_testing::common::{Drops, REUSE_ORDERS, allocations_of, for_both, scaled};

#[test]
fn d40_erasing_the_last_object_leaves_the_walk_whole() {
    let count = scaled(150, 66) as u32;
    for reuse in REUSE_ORDERS {
        for_both!(Container => {
            let mut list: Container<u32> = Container::builder().reuse(reuse).build();
            list.extend(0..count);
            for left in (1..count).rev() {
                let tail = list.keys().next_back().unwrap();
                assert_eq!(list.remove(tail), Some(left));
                if cfg!(miri) && left % 9 != 0 {
                    continue;
                }
                assert!(list.values().copied().eq(0..left));
                let by_id = core::iter::successors(list.keys().next(), |&id| list.next_key(id));
                assert_eq!(by_id.count(), left as usize);
            }
        });
    }
}

#[test]
fn d42_emptiness_is_about_objects_not_slots() {
    for_both!(Container => {
        let mut list = Container::with_capacity(10);
        assert!(list.is_empty() && list.capacity() >= 10);
        let id = list.insert('a');
        assert!(!list.is_empty());
        list.remove(id);
        assert!(list.is_empty());
    });
}

#[test]
fn d43_slots_reserved_after_an_erasure_are_used() {
    for reuse in REUSE_ORDERS {
        for_both!(Container => {
            let mut list: Container<u32> = Container::builder().reuse(reuse).build();
            let id = list.insert(0);
            list.remove(id);
            list.reserve(100);
            let ids: Vec<_> = (0..101).map(|value| list.insert(value)).collect();
            let slots: BTreeSet<_> = ids.iter().map(|id| id.slot()).collect();
            assert!(slots.into_iter().eq(0..101));
            assert!((0..101).zip(ids).all(|(value, id)| list[id] == value));
            list.validate();
        });
    }
}

#[test]
fn d46_versions_do_not_wrap_and_clearing_burns_none() {
    for_both!(Container => {
        let mut list: Container<u32> = Container::new();
        let kept = list.insert(0);
        let erased = list.insert(1);
        list.remove(erased);
        for _ in 0..10 {
            list.clear();
        }
        let first = list.insert(0);
        let second = list.insert(1);
        assert_eq!((first.slot(), second.slot()), (0, 1));
        // One removal each since: by the clear, by the removal.
        assert_eq!(first.generation().get(), kept.generation().get() + 2);
        assert_eq!(second.generation().get(), erased.generation().get() + 2);
    });
    for_both!(Container => {
        let mut list = Container::<u32, Handle32<u32, 30>>::with_key();
        let first = list.insert(0);
        for value in 0..20 {
            list.clear();
            let id = list.insert(value);
            assert_ne!(id, first, "the version wrapped");
            assert!(!list.contains_key(first));
        }
    });
}

#[test]
fn d47_walks_backwards_and_positions_past_the_end() {
    let mut map: DenseArena<u32> = (0..10).collect();
    assert!(map.values().rev().copied().eq((0..10).rev()));
    assert!(map.iter().rev().map(|(id, _)| id.slot()).eq((0..10).rev()));
    assert_eq!(map.swap_remove_index(map.len()), None, "erase(end())");
    assert_eq!(map.swap_remove_index(usize::MAX), None);
    assert_eq!((map.get_index(10), map.keys_as_slice().get(10)), (None, None));
    let id = map.keys_as_slice()[3];
    assert_eq!(map.get_index_of(id), Some(3));
    assert_eq!(map.len(), 10);
}

#[test]
fn d48_the_whole_capacity_can_be_used() {
    for_both!(Container => {
        for asked in [1, 2, 3, 7, 63, 64, 65, 100, 129] {
            let mut map = Container::with_capacity(asked);
            let capacity = map.capacity();
            assert!(capacity >= asked);
            let allocations = allocations_of(|| {
                for value in 0..capacity {
                    assert_eq!(map.capacity() - map.len(), capacity - value);
                    map.insert(value);
                }
            });
            assert_eq!((allocations, map.capacity(), map.capacity() - map.len()), (0, capacity, 0));
            map.insert(capacity);
            assert!(map.values().copied().eq(0..=capacity));
            map.validate();
        }
    });
}

#[test]
fn d49_what_rea_lacks() {
    for_both!(Container => {
        let mut list: Container<u32> = (0..100).collect();
        list.retain(|_, value| *value % 7 == 0);

        // Backwards by ids.
        let backwards = list.keys().rev();
        assert!(backwards.map(|id| list[id]).eq(list.values().rev().copied()));

        // Making an object in place, and one that knows its own id.
        let entry = list.vacant_entry();
        let id = entry.key();
        *entry.insert(1) += 1;
        assert_eq!(list[id], 2);
        let own = list.insert_with_key(|id| id.slot());
        assert_eq!(list[own], own.slot());

        // Validity through a shared reference.
        let shared = &list;
        assert!(shared.contains_key(id));

        // Swap, splice, shrink, a range at once.
        let mut other: Container<u32> = Container::new();
        core::mem::swap(&mut list, &mut other);
        assert!(list.is_empty() && other.len() == 17);
        list.extend(other.drain().map(|(_, value)| value));
        assert!(other.is_empty() && list.len() == 17);
        let before = list.len();
        let ids: Vec<_> = list.insert_many(1_000..1_010).collect();
        assert_eq!(list.len(), before + 10);
        assert!(ids.iter().map(|&id| list[id]).eq(1_000..1_010));
        list.reserve(10_000);
        list.shrink_to_fit();
        assert!(list.capacity() < 1_000);
        list.validate();
    });
}

#[test]
fn d47_one_order_of_type_parameters() {
    // Element type, then key, in every container: what is right for one is right for the other.
    fn pair<T, K: Key>() -> (Arena<T, K>, DenseArena<T, K>) {
        (Arena::with_key(), DenseArena::with_key())
    }
    let (mut arena, mut dense) = pair::<u32, BareHandle<u32>>();
    assert_eq!(arena.insert(1), dense.insert(1));
    let drops = Drops::default();
    let (mut arena, mut dense) = pair::<_, Handle<u8>>();
    assert_eq!(arena.insert(drops.object(1)), dense.insert(drops.object(2)));
}
