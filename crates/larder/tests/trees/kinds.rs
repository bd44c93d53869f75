//! Buckets against vectors: all short histories, and many long ones.

use larder::{
    Arena, Handle,
    containers::Container,
    trees::{Buckets, ListError},
};

use larder_testing::allocator::requests_of;
use larder_testing::choices::Choices;
use larder_testing::common::{SplitMix, panic_text, scaled};
use larder_testing::forge::MadeKey;

/// Every history of a few steps with three objects and two kinds.
#[test]
fn all_short_histories_of_kinds() {
    let mut choices = Choices::default();
    loop {
        let mut things = Arena::from_iter([0, 1, 2]);
        let keys: Vec<_> = things.keys().collect();
        let mut kinds = Buckets::<Handle<i32>, 2>::new();
        let mut naive: [Vec<Handle<i32>>; 2] = [vec![], vec![]];
        for _ in 0..scaled(4, 2) {
            let key = keys[choices.below(3)];
            let kind = choices.below(4);
            let was = naive.iter().position(|members| members.contains(&key));
            match kind {
                0 | 1 if !things.contains_key(key) => {
                    let refused = kinds.set(&things, key, kind);
                    assert_eq!(refused, Err(ListError::Missing { key }));
                }
                0 | 1 => {
                    kinds.set(&things, key, kind).unwrap();
                    if was != Some(kind) {
                        naive.iter_mut().for_each(|members| members.retain(|&other| other != key));
                        naive[kind].push(key);
                    }
                }
                _ => {
                    if kind == 2 {
                        assert_eq!(kinds.remove(key), was);
                    } else {
                        things.remove(key);
                        kinds.retain_live(&things);
                    }
                    naive.iter_mut().for_each(|members| members.retain(|&other| other != key));
                }
            }
            kinds.validate();
            for (kind, members) in naive.iter().enumerate() {
                assert!(kinds.iter(kind).eq(members.iter().copied()));
                assert!(kinds.iter(kind).rev().eq(members.iter().rev().copied()));
                assert_eq!(kinds.count(kind), members.len());
            }
        }
        if !choices.advance() {
            break;
        }
    }
}

#[test]
fn there_is_no_bucket_after_the_last() {
    let mut things = Arena::new();
    let key = things.insert(());
    let message = panic_text(|| Buckets::<_, 3>::new().set(&things, key, 3));
    assert_eq!(message, "Buckets: bucket 3 is out of range 0..3");
}

/// Members are removed at random, from 16 kinds: what a walk meets, and memory, stay in proportion to those that are
/// left, at one size as at another.
#[test]
fn kinds_that_lose_members_stay_dense() {
    let count = scaled(4_000, 200);
    for count in [count, 2 * count, 4 * count] {
        let things: Arena<u32> = (0..count as u32).collect();
        let mut keys: Vec<_> = things.keys().collect();
        let mut kinds = Buckets::<Handle<u32>, 16>::new();
        for (number, &key) in keys.iter().enumerate() {
            kinds.set(&things, key, number % 16).unwrap();
        }
        let mut random = SplitMix::new(7);
        while keys.len() > count / 10 {
            kinds.remove(random.take(&mut keys));
        }
        kinds.validate();
        let (requests, ()) = requests_of(|| {
            for number in 0..count / 4 {
                kinds.set(&things, keys[number % keys.len()], number % 16).unwrap();
            }
        });
        assert_eq!(requests, 0, "pieces that were freed are used again");
        kinds.validate();
        let all: usize = (0..16).map(|kind| kinds.iter(kind).count()).sum();
        assert_eq!(all, keys.len());
    }
}

/// A container of the user's own, which says of every key that it is live.
struct Everything;

impl Container for Everything {
    type Key = Handle<u32>;
    type Removed = ();

    fn contains_key(&self, _: Handle<u32>) -> bool {
        true
    }

    fn remove(&mut self, _: Handle<u32>) -> Option<()> {
        None
    }
}

/// Slots far from all others take the memory of their members, which are those of a slot one after the other.
#[test]
fn members_of_far_slots_take_the_memory_of_few() {
    let key = |n: u32, life: u32| Handle::made(n * 10_000_000 + 7, life);
    let mut kinds = Buckets::<Handle<u32>, 3>::new();
    for n in 0..400 {
        kinds.set(&Everything, key(n, 1), n as usize % 2).unwrap();
    }
    kinds.validate();
    assert!(kinds.stats().memory.committed < 30_000, "{:?}", kinds.stats().memory);
    for n in 0..400 {
        assert_eq!(
            (kinds.bucket_of(key(n, 1)), kinds.bucket_of(key(n, 3))),
            (Some(n as usize % 2), None)
        );
        assert_eq!((kinds.remove(key(n, 3)), kinds.next_key(key(n, 3))), (None, None));
        if n % 4 == 0 {
            kinds.set(&Everything, key(n, 3), 2).unwrap();
            assert_eq!((kinds.bucket_of(key(n, 1)), kinds.remove(key(n, 1))), (None, None));
        }
    }
    kinds.validate();
    assert!(kinds.iter(2).eq((0..400).step_by(4).map(|n| key(n, 3))));
    assert_eq!([kinds.count(0), kinds.count(1), kinds.count(2)], [100, 200, 100]);
    for n in 0..400 {
        kinds.remove(key(n, 1));
    }
    kinds.shrink_to_fit();
    kinds.validate();
    assert_eq!([kinds.count(0), kinds.count(1), kinds.count(2)], [0, 0, 100]);
    assert!(kinds.stats().memory.committed < 10_000, "{:?}", kinds.stats().memory);
}

/// Keys that no container could have are refused, whatever a container says, and the tenant of the slot stays.
#[test]
fn what_can_be_no_key_is_refused() {
    let mut kinds = Buckets::<Handle<u32>, 2>::new();
    let member = Handle::made(5, 3);
    kinds.set(&Everything, member, 0).unwrap();
    // (No slot comes to the last generation.)
    let never = |slot: u32| Handle::made(slot, u32::MAX / 2);
    for key in [Handle::DANGLING, never(5), never(6), never(1_000_000)] {
        assert_eq!(kinds.set(&Everything, key, 1), Err(ListError::Missing { key }));
        kinds.validate();
        assert!(kinds.iter(0).eq([member]) && kinds.count(1) == 0);
    }
}
