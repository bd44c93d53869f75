//! Rows D40 to D49: what went wrong in Rea, and must not here (records/sources.md has the rows).

use larder::{Arena, DenseArena, Handle, Handle32, Key, key::BareHandle};

use larder_testing::common::{Drops, allocations_of, for_both};

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
