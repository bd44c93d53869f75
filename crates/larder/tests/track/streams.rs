//! Streams of deltas of another shape, and where memory is refused.

use core::fmt::Debug;
use core::ops::Range;

use larder::key::{BareHandle, Serial};
use larder::snapshot::Plain;
use larder::track::{DeltaError, Publisher, Replica, Revert, TrackError, Tracked};
use larder::{
    Arena, DenseArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool, Reuse, SecondaryMap,
};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{REUSE_ORDERS, scaled};

use crate::going_back::{Dice, Item, Plain as Tried, Spot, forged};

/// The first delta of a container.
fn first<A: Revert<Value: Plain>>(container: A) -> Vec<u8> {
    let mut tracked = Tracked::new(container);
    let mut publisher = tracked.publish(1).expect("there is memory");
    tracked.delta(&mut publisher).expect("there is memory")
}

type Apply = Box<dyn FnMut(&[u8]) -> Result<(), DeltaError>>;

/// A container of a shape: its first delta, and what applies one to a replica that is as it is.
struct Shape(Vec<u8>, Apply);

fn shape<A: Revert<Value: Plain> + Clone + 'static>(container: A) -> Shape {
    let mut there = Replica::new(container.clone());
    Shape(first(container), Box::new(move |delta| there.apply(delta)))
}

/// An arena with a value.
fn of<V: Plain + Clone + 'static, K: Key + 'static>(value: V, reuse: Reuse) -> Shape {
    let mut arena = Arena::<V, K>::builder_with_key().reuse(reuse).build();
    arena.insert(value);
    shape(arena)
}

/// Each number of a shape, alone, is a reason to refuse a delta: bytes 11 to 31 of its header.
#[test]
fn deltas_of_another_shape_are_refused() {
    let [packed, stack, queue] = REUSE_ORDERS;
    let usual = || of::<_, Handle<()>>(7_u32, packed);
    let pairs: [(Range<usize>, Shape, Shape); 10] = [
        (24..32, usual(), of::<_, Handle<()>>([7_u32; 2], packed)),
        (20..24, usual(), of::<_, Handle<()>>([7_u8; 4], packed)),
        (11..12, usual(), of::<_, Handle<()>>(7_u32, stack)),
        (11..12, usual(), of::<_, Handle<()>>(7_u32, queue)),
        (11..12, of::<_, Handle<()>>(7_u32, stack), of::<_, Handle<()>>(7_u32, queue)),
        (11..12, usual(), shape(InlineArena::<u32, 9>::from_iter([7]))),
        (12..13, usual(), of::<_, Serial<()>>(7_u32, packed)),
        (
            16..20,
            of::<_, Handle32<(), 20>>(7_u32, packed),
            of::<_, Handle32<(), 22>>(7_u32, packed),
        ),
        (12..20, usual(), of::<_, BareHandle<()>>(7_u32, packed)),
        (13..14, usual(), shape(DenseArena::<u32>::from_iter([7]))),
    ];
    for (bytes, mut one, mut other) in pairs {
        for at in 11..32 {
            let same = one.0[at] == other.0[at];
            assert!(same || bytes.contains(&at), "byte {at} is another, too");
        }
        assert_ne!(one.0[bytes.clone()], other.0[bytes], "it is another");
        assert_eq!((one.1)(&other.0), Err(DeltaError::Shape));
        assert_eq!((other.1)(&one.0), Err(DeltaError::Shape));
        assert_eq!(((one.1)(&one.0), (other.1)(&other.0)), (Ok(()), Ok(())), "nothing was changed");
    }
}

/// Types are not named: a fresh replica takes any stream of its shape, and only that one from then on.
#[test]
fn a_fresh_replica_takes_any_stream_of_its_shape() {
    let delta = first(Arena::<u32>::from_iter([1_f32.to_bits(), 2_f32.to_bits()]));
    let mut there = Replica::new(Arena::<f32>::new());
    assert_eq!(there.apply(&delta), Ok(()));
    assert!(there.values().eq(&[1.0, 2.0]));
    let mut paged = Replica::new(PagedArena::<u32, Handle<i8>>::with_key());
    assert_eq!((paged.apply(&delta), paged.len()), (Ok(()), 2));
    // But values that are none of the type are refused.
    let mut letters = Replica::new(Arena::<char>::new());
    assert_eq!(letters.apply(&delta), Err(DeltaError::Damaged));
    assert!(letters.is_empty());

    let mut other = Tracked::new(Arena::<f32>::from_iter([3.0]));
    let mut publisher = other.publish(2).expect("there is memory");
    let foreign = other.delta(&mut publisher).expect("there is memory");
    assert_eq!(there.apply(&foreign), Err(DeltaError::Foreign));
    assert!(there.values().eq(&[1.0, 2.0]));
}

/// Slots inside an owner are used again in ascending order, however many there are.
#[test]
fn a_replica_inside_its_owner_may_have_more_room() {
    let mut here = Tracked::new(InlineArena::<u32, 70>::from_iter(0..70));
    let mut publisher = here.publish(1).expect("there is memory");
    let mut there = Replica::new(InlineArena::<u32, 300>::new());
    for step in [3, 7] {
        here.retain(|_, key| key.slot() % step > 0);
        let delta = here.delta(&mut publisher).expect("there is memory");
        assert_eq!(there.apply(&delta), Ok(()));
        let mut copies = (here.clone(), there.clone());
        while let Ok(key) = copies.0.try_insert(1) {
            assert_eq!(copies.1.try_insert(1), Ok(key));
        }
        assert!(there.iter().eq(here.iter()) && copies.1.len() == 70);
    }
}

/// If allocation fails at any request, for once or for good, a stream is begun, written, read and applied whole or not
/// at all, and the same call does it afterwards.
fn where_memory_is_refused<A: Revert<Value: Plain>, S: Debug + PartialEq>(
    empty: &dyn Fn() -> A,
    change: &dyn Fn(&mut Tracked<A>, usize),
    seen: &dyn Fn(&A) -> S,
) {
    let [mut begun, mut written, mut told, mut applied] = [0; 4];
    for grants in 0..60 {
        for for_good in [false, true] {
            let mut here = Tracked::new(empty());
            change(&mut here, 0);
            let mut subscriber = here.subscribe();
            let before: Vec<_> = here.live_keys().collect();
            let (_, published) = refusing_after(grants, for_good, || here.publish(1));
            begun += usize::from(published.is_err());
            let mut publisher =
                published.unwrap_or_else(|_| here.publish(1).expect("there is memory"));
            let mut there = Replica::new(empty());
            for round in 0..2 {
                let (_, delta) = refusing_after(grants, for_good, || here.delta(&mut publisher));
                written += usize::from(delta.is_err());
                let delta = delta.unwrap_or_else(|error| {
                    assert!(matches!(error, TrackError::Memory(_)), "{error}");
                    here.delta(&mut publisher).expect("there is memory, and nothing is lost")
                });
                let before = seen(&there);
                let (_, result) = refusing_after(grants, for_good, || there.apply(&delta));
                if result.is_err() {
                    applied += 1;
                    assert!(matches!(result, Err(DeltaError::Memory(_))), "{result:?}");
                    assert_eq!(seen(&there), before, "nothing is applied");
                    assert_eq!(there.apply(&delta), Ok(()), "it is the next still");
                }
                assert_eq!(seen(&there), seen(&here));
                assert_eq!(there.apply(&delta), Err(DeltaError::Repeated { sequence: round }));
                change(&mut here, 1 + round as usize);
            }
            let (_, counts) = refusing_after(grants, for_good, || {
                here.poll(&mut subscriber).map(|it| (it.inserted().len(), it.removed().len()))
            });
            told += usize::from(counts.is_err());
            let counts = counts.unwrap_or_else(|error| {
                assert!(matches!(error, TrackError::Memory(_)), "{error}");
                let told =
                    here.poll(&mut subscriber).expect("there is memory, and nothing is lost");
                (told.inserted().len(), told.removed().len())
            });
            let kept = before.iter().filter(|&&key| here.contains_key(key)).count();
            let expected = (here.live_keys().count() - kept, before.len() - kept);
            assert_eq!(counts, expected, "all that is new, and all that is gone");
        }
    }
    let all = [begun, written, told, applied];
    assert!(all.iter().all(|&times| times > 1), "{all:?}");
}

#[test]
fn where_memory_is_refused_nothing_is_applied_or_lost() {
    fn check<A: Tried<Value: Plain>>() {
        for reuse in REUSE_ORDERS {
            where_memory_is_refused::<A, _>(
                &|| A::make(reuse),
                &|here, round| {
                    let keys: Vec<_> = here.live_keys().collect();
                    keys.iter().skip(round).step_by(5).for_each(|&key| _ = here.remove(key));
                    here.iter_mut().for_each(|(_, place)| A::write(place, round as u64));
                    (0..200).for_each(|number| _ = here.insert(Item::new(number)));
                },
                &|it| (it.entries(), it.account()),
            );
        }
    }

    check::<Arena<Spot>>();
    check::<Arena<Spot, Serial<Spot>>>();
    let keys: Vec<Handle<u32>> = Arena::from_iter(0..100).keys().collect();
    where_memory_is_refused::<SecondaryMap<Handle<u32>, u64>, _>(
        &SecondaryMap::new,
        &|here, round| {
            keys.iter().skip(round).step_by(2).for_each(|&key| _ = here.insert(key, 1));
            keys.iter().skip(round).step_by(3).for_each(|&key| _ = here.remove(key));
        },
        &|map| {
            map.validate();
            map.iter().map(|(key, value)| (key, *value)).collect::<Vec<_>>()
        },
    );
}

/// A delta whose order of free slots is impossible is put in, and taken out again: if memory is refused then, the
/// replica has to be begun anew, as `Replica::apply` says. It is a container, if not that one.
#[test]
fn an_impossible_delta_and_refused_memory_may_need_a_replica_begun_anew() {
    // (A pool has a value for each slot that has none, and asks for room for them.)
    let empty =
        || Pool::<Spot, Serial<Spot>>::builder_with_key(Spot::default).reuse(Reuse::Lifo).build();
    let mut here = Tracked::new(empty());
    let mut publisher = here.publish(1).expect("there is memory");
    let keys: Vec<_> = (0..40).map(|value| here.insert(Spot::new(value))).collect();
    keys[..20].iter().for_each(|&key| _ = here.remove(key));
    let delta = here.delta(&mut publisher).expect("there is memory");
    keys[20..30].iter().for_each(|&key| _ = here.remove(key));
    (0..25).for_each(|value| _ = here.insert(Spot::new(value)));
    let next = here.delta(&mut publisher).expect("there is memory");
    // A free slot is listed twice.
    let forged = forged(&next, |bytes| bytes.copy_within(76..80, 80));
    let (mut refused, mut torn) = (0, 0);
    for grants in 0..scaled(40, 10) {
        let [mut there, mut before] = [(); 2].map(|()| Replica::new(empty()));
        assert_eq!((there.apply(&delta), before.apply(&delta)), (Ok(()), Ok(())));
        let (_, result) = refusing_after(grants, true, || there.apply(&forged));
        there.validate();
        if result == Err(DeltaError::Damaged) {
            assert!(there.iter().eq(before.iter()), "nothing has changed");
            assert_eq!(there.apply(&next), Ok(()));
            continue;
        }
        assert!(matches!(result, Err(DeltaError::Memory(_))), "{result:?}");
        refused += 1;
        if there.iter().eq(before.iter()) && there.apply(&next).is_ok() {
            continue;
        }
        torn += 1;
        assert!(!there.iter().eq(before.iter()), "not all is taken back");
        let mut anew = Replica::new(empty());
        assert_eq!((anew.apply(&delta), anew.apply(&next)), (Ok(()), Ok(())));
        assert!(anew.iter().eq(here.iter()));
    }
    assert!(torn > 0 && refused > torn, "{refused} were refused, {torn} of them were torn");
}

/// A writer and a replica with a connection between them that loses deltas and answers: the writer keeps a publisher
/// where the replica is known to be, and one for each delta that may have arrived.
fn with_losses<A: Tried>(reuse: Reuse, seed: u64) {
    let mut dice = Dice(seed + 0x9876_5432);
    let (mut here, mut there) = (Tracked::new(A::make(reuse)), Replica::new(A::make(reuse)));
    let mut known = here.publish(seed).expect("there is memory");
    let mut sent: Vec<Publisher> = Vec::new();
    let (mut keys, mut applied) = (Vec::new(), 0);
    for round in 0..scaled(60, 20) as u64 {
        for value in 0..dice.below(20) as u64 {
            match dice.below(3) {
                0 if !keys.is_empty() => {
                    _ = here.remove(keys.swap_remove(dice.below(keys.len())));
                }
                _ => keys.push(here.insert(Item::new(round + value))),
            }
        }
        let mut next = here.publish_like(&known).expect("there is memory");
        let delta = A::Value::delta(&mut here, &mut next);
        sent.push(next);
        if dice.below(3) > 0 {
            match A::Value::apply(&mut there, &delta) {
                Ok(()) => {
                    applied += 1;
                    assert_eq!(there.entries(), here.entries());
                }
                // An earlier one of the same position has arrived, and the answer to it has not.
                error => assert!(matches!(error, Err(DeltaError::Repeated { .. })), "{error:?}"),
            }
        }
        if dice.below(3) > 0 {
            let answer = there.position();
            if let Some(at) = sent.iter().position(|sent| Some(sent.position()) == answer) {
                let older = core::mem::replace(&mut known, sent.swap_remove(at));
                here.unpublish(older).expect("it is its own");
                sent.drain(..).for_each(|sent| here.unpublish(sent).expect("it is its own"));
            }
        }
    }
    assert!(applied > scaled(60, 20) / 6, "{applied} have arrived");
}

#[test]
fn deltas_are_made_against_what_a_replica_is_known_to_have() {
    for (seed, reuse) in
        (0..scaled(6, 1) as u64).flat_map(|seed| REUSE_ORDERS.map(|reuse| (seed, reuse)))
    {
        with_losses::<Arena<Spot>>(reuse, seed);
        with_losses::<DenseArena<Spot>>(reuse, seed);
    }
}

/// A lost delta costs one with both changes, not one with everything.
#[test]
fn a_lost_delta_costs_another_delta() {
    let mut here = Tracked::new(Arena::from_iter(0..1_000_u32));
    let keys: Vec<Handle<u32>> = here.keys().collect();
    let mut known = here.publish(1).unwrap();
    let mut there = Replica::new(Arena::<u32>::new());
    there.apply(&here.delta(&mut known).unwrap()).unwrap();
    let mut sizes = Vec::new();
    for &key in &keys[..3] {
        *here.get_mut(key).unwrap() += 1;
        let mut next = here.publish_like(&known).unwrap();
        let delta = here.delta(&mut next).unwrap();
        sizes.push(delta.len());
        if key == keys[2] {
            there.apply(&delta).unwrap();
        }
    }
    assert_eq!(*there, *here);
    assert_eq!([sizes[1] - sizes[0], sizes[2] - sizes[1]], [20, 20], "one record more each");
    assert!(sizes[2] < 200);
    let other = Tracked::new(Arena::<u32>::new()).publish_like(&known);
    assert_eq!(other.unwrap_err(), TrackError::Foreign);
    let copy = here.publish_like(&known).unwrap();
    here.unpublish(known).unwrap();
    assert!(here.publish_like(&copy).is_ok(), "each goes on by itself");
}

/// The first deltas of a stream are those of the kept file, which holds a length and a delta, one after the other.
#[test]
#[cfg(target_endian = "little")]
#[cfg_attr(miri, ignore = "reads files")]
fn kept_deltas_are_applied_and_written_as_they_are() {
    let mut deltas = Vec::new();
    let mut write = |delta: Vec<u8>| {
        deltas.extend_from_slice(&(delta.len() as u32).to_le_bytes());
        deltas.extend_from_slice(&delta);
    };
    let mut rows = Tracked::new(Arena::from_iter([1_u32, 2, 3]));
    let mut packed = Tracked::new(DenseArena::from_iter([1_u32, 2, 3]));
    let keys: Vec<Handle<u32>> = rows.keys().collect();
    let mut side =
        Tracked::new(keys.iter().map(|&key| (key, 7_u8)).collect::<SecondaryMap<_, _>>());
    let publishers = (rows.publish(1), packed.publish(2), side.publish(3));
    let mut publishers = (publishers.0.unwrap(), publishers.1.unwrap(), publishers.2.unwrap());
    for round in 0..2 {
        write(rows.delta(&mut publishers.0).unwrap());
        write(packed.delta(&mut publishers.1).unwrap());
        write(side.delta(&mut publishers.2).unwrap());
        if round == 0 {
            rows.remove(keys[0]);
            packed.remove(packed.keys().next().unwrap());
            *rows.get_mut(keys[2]).unwrap() = 9;
            side.remove(keys[1]);
        }
    }
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/track/version-1.deltas");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &deltas).unwrap();
    }
    let kept = std::fs::read(&path).unwrap();
    assert!(kept == deltas, "they are written otherwise");
    let mut rest = &kept[..];
    let mut next = || {
        let (length, after) = rest.split_first_chunk().unwrap();
        let (delta, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        rest = after;
        delta
    };
    let mut there = Replica::new(Arena::<u32>::new());
    let mut packed_there = Replica::new(DenseArena::<u32>::new());
    let mut side_there = Replica::new(SecondaryMap::<Handle<u32>, u8>::new());
    for _ in 0..2 {
        there.apply(next()).unwrap();
        packed_there.apply(next()).unwrap();
        side_there.apply(next()).unwrap();
    }
    assert!(there.iter().eq(rows.iter()) && packed_there.iter().eq(packed.iter()));
    assert_eq!(*side_there, *side);
}
