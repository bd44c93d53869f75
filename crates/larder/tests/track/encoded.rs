//! Deltas of values that are no plain data: a program encodes them. (That replicas are kept alike by them, lives in
//! `going_back` assert.)

use larder::maps::SparseSecondaryMap;
use larder::track::{DeltaError, Publisher, Replica, Revert, TrackError, Tracked};
use larder::{Arena, DenseArena, Handle, SecondaryMap};

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
