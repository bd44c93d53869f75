//! Deltas of values that are no plain data: a program encodes them.

use larder::maps::SparseSecondaryMap;
use larder::track::{DeltaError, Insert, Publisher, Replica, Revert, TrackError, Tracked};
use larder::{Arena, DenseArena, Handle, PagedArena, Pool, SecondaryMap, SoaArena};
use larder_testing::common::{REUSE_ORDERS, thorough};

use crate::going_back::Dice;

type Bird = (String, Option<u32>);

fn encode(bird: &Bird, bytes: &mut Vec<u8>) -> Result<(), postcard::Error> {
    *bytes = postcard::to_extend(bird, core::mem::take(bytes))?;
    Ok(())
}

fn decode(bytes: &[u8]) -> Option<Bird> {
    let (bird, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(bird)
}

fn delta<A: Revert<Value = Bird>>(here: &mut Tracked<A>, publisher: &mut Publisher) -> Vec<u8> {
    here.delta_by(publisher, encode).expect("there is memory")
}

fn bird(number: u64) -> Bird {
    ("wren".repeat(number as usize % 5), (number % 3 > 0).then_some(number as u32))
}

fn alike<A>(new: impl Fn() -> A)
where
    A: Insert<Value = Bird> + Revert + PartialEq + core::fmt::Debug,
{
    let mut dice = Dice(0x5EED_1234);
    let (mut here, mut there) = (Tracked::new(new()), Replica::new(new()));
    let mut publisher = here.publish(3).expect("there is memory");
    let mut keys: Vec<A::Key> = Vec::new();
    for round in 0..thorough(40, 6) as u64 {
        for value in 0..dice.below(12) as u64 {
            let at = if keys.is_empty() { None } else { Some(dice.below(keys.len())) };
            match (dice.below(4), at) {
                (0, Some(at)) => _ = here.remove(keys.swap_remove(at)),
                (1, Some(at)) => {
                    _ = here.replace(keys[at], bird(round * value)).expect("it is there")
                }
                _ => keys.push(here.insert(bird(round + value))),
            }
        }
        there.apply_by(&delta(&mut here, &mut publisher), decode).expect("it is the next");
        assert_eq!(*there, *here);
    }
}

#[test]
fn values_that_own_memory_are_kept_alike() {
    for reuse in REUSE_ORDERS {
        alike(|| Arena::<Bird>::builder().reuse(reuse).build());
        alike(|| DenseArena::<Bird>::builder().reuse(reuse).build());
        alike(|| PagedArena::<Bird>::builder().reuse(reuse).build());
    }
    alike(|| Pool::<Bird>::new(|| bird(0)));
    alike(SoaArena::<Bird>::new);
}

#[test]
fn side_data_that_owns_memory_is_kept_alike() {
    let objects: Arena<()> = [(); 9].into_iter().collect();
    let keys: Vec<Handle<()>> = objects.keys().collect();
    let mut here = Tracked::new(SecondaryMap::<Handle<()>, Bird>::new());
    let mut sparse = Tracked::new(SparseSecondaryMap::<Handle<()>, Bird>::new());
    let (mut there, mut sparse_there) =
        (Replica::new(SecondaryMap::new()), Replica::new(SparseSecondaryMap::new()));
    let (mut first, mut second) = (here.publish(1).unwrap(), sparse.publish(2).unwrap());
    for (number, &key) in (0..).zip(&keys) {
        here.insert(key, bird(number));
        sparse.insert(key, bird(number));
        if number % 3 == 2 {
            here.remove(keys[number as usize / 2]);
            sparse.remove(keys[number as usize / 2]);
        }
        there.apply_by(&delta(&mut here, &mut first), decode).unwrap();
        sparse_there.apply_by(&delta(&mut sparse, &mut second), decode).unwrap();
        assert!(*there == *here && *sparse_there == *sparse);
    }
}

/// Deltas that were spoiled change nothing, with a checksum that is right as well.
#[test]
fn spoiled_deltas_of_encoded_values_are_refused_or_whole() {
    let mut here = Tracked::new(DenseArena::from_iter((0..5).map(bird)));
    let mut publisher = here.publish(1).unwrap();
    let good = delta(&mut here, &mut publisher);
    let mut refused = 0;
    for at in 0..good.len() {
        for cut in [false, true] {
            let mut bad = good.clone();
            if cut {
                bad.truncate(at);
            } else {
                bad[at] ^= 5;
            }
            assert_eq!(
                Replica::new(DenseArena::new()).apply_by(&bad, decode),
                Err(DeltaError::Damaged)
            );
            let end = bad.len().max(4) - 4;
            bad.truncate(end);
            bad.extend(crc32fast::hash(&bad).to_le_bytes());
            let mut there = Replica::new(DenseArena::<Bird>::new());
            if there.apply_by(&bad, decode).is_err() {
                refused += 1;
                assert!(there.is_empty() && there.position().is_none());
            }
            there.validate();
        }
    }
    assert!(refused > good.len(), "{refused}");
}

/// An error of the program's code is one of the delta, and the next delta has what this one had.
#[test]
fn values_that_cannot_be_encoded_or_decoded_are_errors() {
    let mut here = Tracked::new(Arena::from_iter([bird(1)]));
    let mut publisher = here.publish(1).unwrap();
    let before = publisher.position();
    let refused = here.delta_by(&mut publisher, |_, _| Err(()));
    assert_eq!(refused, Err(TrackError::Encoding));
    assert_eq!(publisher.position(), before);
    let mut there = Replica::new(Arena::new());
    let all = delta(&mut here, &mut publisher);
    assert_eq!(there.apply_by(&all, |_| None), Err(DeltaError::Damaged));
    there.apply_by(&all, decode).unwrap();
    assert_eq!(*there, *here);
}

/// Plain data can be encoded, too; each kind of delta is refused as the other.
#[test]
fn encoded_values_are_not_those_of_memory() {
    let mut here = Tracked::new(Arena::from_iter([7_u32, 8]));
    let (mut plain, mut encoded) = (here.publish(1).unwrap(), here.publish(1).unwrap());
    let bytes = here.delta(&mut plain).unwrap();
    let by = here.delta_by(&mut encoded, |value, bytes| {
        bytes.extend(value.to_le_bytes());
        Ok::<_, ()>(())
    });
    let by = by.unwrap();
    let decode = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    let mut there = Replica::new(Arena::<u32>::new());
    assert_eq!(there.apply(&by), Err(DeltaError::Shape));
    assert_eq!(there.apply_by(&bytes, decode), Err(DeltaError::Shape));
    there.apply_by(&by, decode).unwrap();
    assert_eq!(*there, *here);
}
