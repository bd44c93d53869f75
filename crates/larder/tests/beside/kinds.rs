//! Buckets against vectors: all short histories, and many long ones.

use larder::Key;
use larder::{
    Arena, Handle,
    trees::{Buckets, ListError},
};

use larder_testing::choices::Choices;
use larder_testing::common::{SplitMix, panic_text, scaled};

#[test]
fn kinds_are_as_naive_ones() {
    for seed in 0..scaled(50, 2) as u64 {
        let mut random = SplitMix::new(seed);
        let (mut things, mut kinds) = (Arena::new(), Buckets::<Handle<u32>, 4>::new());
        let mut naive: Vec<(Handle<u32>, usize)> = Vec::new();
        let mut keys = vec![Handle::DANGLING];
        for round in 0..scaled(300, 30) as u32 {
            if random.below(3) == 0 {
                keys.push(things.insert(round));
            }
            let (key, kind) = (keys[random.below(keys.len())], random.below(4));
            match random.below(5) {
                0..=2 if !things.contains_key(key) => {
                    let refused = kinds.set(&things, key, kind).unwrap_err();
                    assert_eq!(refused, ListError::Missing { key });
                }
                0..=2 => {
                    kinds.set(&things, key, kind).unwrap();
                    if !naive.contains(&(key, kind)) {
                        naive.retain(|&(member, _)| member.slot() != key.slot());
                        naive.push((key, kind));
                    }
                }
                3 => {
                    let place = naive.iter().position(|&(member, _)| member == key);
                    assert_eq!(kinds.remove(key), place.map(|at| naive.remove(at).1));
                }
                _ => {
                    things.remove(key);
                    kinds.retain_live(&things);
                    naive.retain(|&(member, _)| member != key);
                }
            }
            for kind in 0..4 {
                let members: Vec<_> =
                    naive.iter().filter(|member| member.1 == kind).map(|member| member.0).collect();
                assert!(kinds.iter(kind).eq(members.iter().copied()));
                assert_eq!(kinds.count(kind), members.len());
                let walked = core::iter::successors(kinds.first(kind), |&key| kinds.next_key(key));
                assert!(walked.eq(members));
            }
        }
    }
}

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
    assert_eq!(message, "Buckets: there is no bucket 3, only 3");
}
