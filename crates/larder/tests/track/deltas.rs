//! Deltas that are damaged, forged, repeated and foreign; what they are, byte by byte. (That replicas are kept alike, lives
//! in `going_back` assert.)

use larder::key::Serial;
use larder::track::{DeltaError, Publisher, Replica, Tracked};
use larder::trees::Links;
use larder::{Arena, DenseArena, Handle, Handle32, Reuse, SecondaryMap};
use larder_testing::common::{REUSE_ORDERS, amount};

use crate::going_back::{Dice, Spot, alike, forged};

type Pair = (Vec<u8>, Vec<u8>, Replica<Arena<Spot>>, Tracked<Arena<Spot>>, Publisher);

/// Two deltas of a small container, and a replica that has applied the first.
fn pair(reuse: Reuse) -> Pair {
    let empty = || Arena::builder().reuse(reuse).build();
    let (mut here, mut there) = (Tracked::new(empty()), Replica::new(empty()));
    let mut publisher = here.publish(1).expect("there is memory");
    let keys = [1, 2, 3, 4, 5].map(|value| here.insert(Spot::new(value)));
    here.remove(keys[1]);
    let first = here.delta(&mut publisher).expect("there is memory");
    there.apply(&first).expect("it is the first");
    here.remove(keys[3]);
    here.insert(Spot::new(6));
    let second = here.delta(&mut publisher).expect("there is memory");
    (first, second, there, here, publisher)
}

/// Room for a million values is no reason to write a delta for a million.
#[test]
fn the_first_delta_takes_memory_for_the_slots_in_use() {
    let mut here = Tracked::new(Arena::<Spot>::with_capacity(1 << 20));
    let mut publisher = here.publish(1).expect("there is memory");
    here.insert(Spot::new(7));
    let first = here.delta(&mut publisher).expect("there is memory");
    assert!(first.capacity() < 1 << 10, "{} bytes for {}", first.capacity(), first.len());
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused_and_changes_nothing() {
    let (_, second, mut there, here, _) = pair(Reuse::Packed);
    let before = there.clone();
    for length in 0..second.len() {
        assert_eq!(there.apply(&second[..length]), Err(DeltaError::Damaged), "cut at {length}");
    }
    for bit in 0..second.len() * 8 {
        let mut damaged = second.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(there.apply(&damaged), Err(DeltaError::Damaged), "bit {bit}");
    }
    alike(&before, &*there);
    assert_eq!(there.apply(&second), Ok(()));
    alike(&*here, &*there);
}

/// Two packed values at one place, or one beyond the last, are damage.
#[test]
fn each_packed_value_has_a_place_of_its_own() {
    let mut here = Tracked::new(DenseArena::from_iter([7_u32, 8, 9]));
    let mut publisher = here.publish(1).unwrap();
    let all = here.delta(&mut publisher).unwrap();
    let key = here.keys().nth(1).expect("it is the second");
    here[key] = 5;
    let second = here.delta(&mut publisher).unwrap();
    for (deltas, at) in [(&[&all][..], 2_u64), (&[&all, &second], 1)] {
        let (last, before) = deltas.split_last().expect("there is one");
        for place in [0, 1, 2, 3, u64::from(u32::MAX), u64::MAX] {
            let mut there = Replica::new(DenseArena::<u32>::new());
            before.iter().for_each(|delta| there.apply(delta).unwrap());
            // The last are the place and the value of the last record.
            let forged = forged(last, |bytes| {
                let (_, bytes) = bytes.split_last_chunk_mut::<12>().expect("there is a record");
                assert_eq!(bytes[..8], at.to_le_bytes());
                bytes[..8].copy_from_slice(&place.to_le_bytes());
            });
            let expected = if place == at { Ok(()) } else { Err(DeltaError::Damaged) };
            assert_eq!(there.apply(&forged), expected, "{place} instead of {at}");
        }
    }
}

#[test]
fn what_is_forged_with_a_right_checksum_is_applied_whole_or_not_at_all() {
    for reuse in REUSE_ORDERS {
        let (_, second, there, ..) = pair(reuse);
        assert_eq!(forged(&second, |_| {}), second, "the checksum is the last");
        let arena = there.into_inner();
        let (mut dice, mut applied) = (Dice(99), 0);
        for _ in 0..amount(3_000, 500, 50) {
            let (_, _, mut there, ..) = pair(reuse);
            let forged = forged(&second, |bytes| {
                for _ in 0..=dice.below(3) {
                    let at = dice.below(bytes.len());
                    let bound = [8, 256][dice.below(2)];
                    bytes[at] = dice.below(bound) as u8;
                }
            });
            match there.apply(&forged) {
                Ok(()) => {
                    there.validate();
                    applied += 1;
                }
                Err(_) => alike(&arena, &*there),
            }
            let mut after = there.into_inner();
            let key = after.insert(Spot::new(1));
            assert_eq!(after.remove(key), Some(Spot::new(1)));
        }
        assert!(applied > 0, "values can be anything");
    }
}

#[test]
fn deltas_of_others_and_out_of_order_are_refused_by_name() {
    let (first, second, mut there, mut here, mut publisher) = pair(Reuse::Packed);
    let third = here.delta(&mut publisher).expect("there is memory");
    let early = DeltaError::Early { sequence: 2, expected: 1 };
    assert_eq!(there.apply(&third), Err(early));
    assert_eq!(there.apply(&first), Err(DeltaError::Repeated { sequence: 0 }));
    let mut other = Tracked::new(Arena::<Spot>::new());
    let mut stranger = other.publish(2).expect("there is memory");
    let foreign = other.delta(&mut stranger).expect("there is memory");
    assert_eq!(there.apply(&foreign), Err(DeltaError::Foreign));
    // The same identity, another history.
    let mut twin = other.publish(1).expect("there is memory");
    let [_, foreign] = [(); 2].map(|()| other.delta(&mut twin).expect("there is memory"));
    assert_eq!(there.apply(&foreign), Err(DeltaError::Foreign));
    let mut small = Replica::new(Arena::<Spot>::fixed(2));
    assert!(matches!(small.apply(&first), Err(DeltaError::Memory(_))));
    for (at, error) in [(8, DeltaError::Version { found: 9 }), (10, DeltaError::ByteOrder)] {
        assert_eq!(there.apply(&forged(&second, |bytes| bytes[at] = 9)), Err(error));
    }
    assert_eq!((there.apply(&second), there.apply(&third)), (Ok(()), Ok(())));
    alike(&*here, &*there);
}

/// A ship that aims at another.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::NoUninit, bytemuck::CheckedBitPattern)]
#[repr(C)]
struct Ship {
    target: Handle<Ship>,
    name: char,
    size: u32,
    family: Links<Handle32<Ship>>,
}

/// Bytes that are no key, `char` or links are refused, in a value that is new and in one that is another; nothing has
/// changed.
#[test]
fn keys_and_links_in_values_are_sent_and_checked() {
    let none = Ship { target: Handle::DANGLING, name: 'a', size: 9, family: Links::new() };
    let mut here = Tracked::new(Arena::new());
    let mut publisher = here.publish(1).expect("there is memory");
    let [one, other] = ['a', 'b'].map(|name| here.insert(Ship { name, ..none }));
    let mut there = Replica::new(Arena::new());
    let first = here.delta(&mut publisher).expect("there is memory");
    assert_eq!(there.apply(&first), Ok(()));
    here.get_mut(one).expect("it is there").target = other;
    let third = here.insert(Ship { target: one, ..none });
    let second = here.delta(&mut publisher).expect("there is memory");
    let of_ship = 16 + size_of::<Ship>();
    let begin = second.len() - 4 - 2 * of_ship;
    let (no_key, no_char, no_link) = (&[0; 8][..], &[0xFF; 4][..], &1_u32.to_ne_bytes()[..]);
    let forgeries = [(0, no_key), (8, no_char), (16, no_link), (20, no_link), (28, no_link)];
    for (ship, (at, bytes)) in [0, 1].into_iter().flat_map(|ship| forgeries.map(|one| (ship, one)))
    {
        let start = begin + ship * of_ship + 16 + at;
        let change = |of: &mut Vec<u8>| of[start..start + bytes.len()].copy_from_slice(bytes);
        let applied = there.apply(&forged(&second, change));
        assert_eq!(applied, Err(DeltaError::Damaged), "{ship}, {at}");
        assert_eq!((there[one].target, there.len()), (Handle::DANGLING, 2));
    }
    assert_eq!(there.apply(&second), Ok(()));
    assert_eq!((there[one].target, there[third].target), (other, one));
}

/// A hierarchy beside its objects: both are sent.
#[test]
fn a_hierarchy_is_sent() {
    let parts: Arena<u8> = (0..9).collect();
    let mut family: Tracked<SecondaryMap<_, _>> =
        Tracked::new(parts.keys().map(|key| (key, Links::new())).collect());
    let mut publisher = family.publish(1).expect("there is memory");
    let mut there = Replica::new(SecondaryMap::<_, Links<_>>::new());
    let keys: Vec<Handle<u8>> = parts.keys().collect();
    for (number, &child) in keys.iter().enumerate().skip(1) {
        Links::append(&mut family, keys[number / 3], child).expect("it is in no hierarchy");
        if number == 5 {
            Links::make_root(&mut family, keys[2]);
        }
        let delta = family.delta(&mut publisher).expect("there is memory");
        assert_eq!(there.apply(&delta), Ok(()));
        assert!(Links::descendants(&*there, keys[0]).eq(Links::descendants(&*family, keys[0])));
    }
}

/// Numbers that were issued would be issued again, and what is saved would not be loaded.
#[test]
fn serial_numbers_do_not_go_back_behind_a_key() {
    for gone in [0, 1] {
        let mut here = Tracked::new(Arena::<Spot, Serial<Spot>>::with_key());
        let mut publisher = here.publish(1).expect("there is memory");
        let keys = [1, 2, 3].map(|value| here.insert(Spot::new(value)));
        assert!(here.detach(keys[2]).is_some());
        let first = here.delta(&mut publisher).expect("there is memory");
        here.get_mut(keys[gone]).expect("it is there").x = 7;
        let second = here.delta(&mut publisher).expect("there is memory");
        let mut there = Replica::new(Arena::with_key());
        assert_eq!(there.apply(&first), Ok(()));
        let forged = forged(&second, |bytes| {
            assert_eq!(bytes[48..56], 3_u64.to_le_bytes(), "the mark");
            bytes[48] = 2;
        });
        assert_eq!(there.apply(&forged), Err(DeltaError::Damaged));
        assert_eq!(there.apply(&second), Ok(()));
        alike(&*here, &*there);
    }
}

/// The bytes are those that `docs/snapshot-format.md` describes.
#[cfg(target_endian = "little")]
#[test]
fn the_bytes_are_the_documented_ones() {
    let mut here = Tracked::new(DenseArena::<u16>::new());
    let mut publisher = here.publish(0x0102_0304_0506_0708).expect("there is memory");
    here.delta(&mut publisher).expect("there is memory");
    let keys = [7, 8].map(|value| here.insert(value));
    here.remove(keys[0]);
    let delta = here.delta(&mut publisher).expect("there is memory");
    let mut golden = b"larder\x1ad".to_vec();
    golden.extend([1, 0, 1, 0, 4, 1, 0, 0]); // version, byte order, reuse, generation, positions
    golden.extend([0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]); // slots, values
    golden.extend([8, 7, 6, 5, 4, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0]); // identity, sequence
    golden.extend([0, 0, 0, 0, 0, 0, 0, 0]); // mark
    golden.extend(&delta[56..60]); // the checksum of the delta before
    golden.extend([2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    golden.extend([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]); // slot 0, free
    golden.extend([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]); // slot 1, live
    golden.extend([0, 0, 0, 0, 0, 0, 0, 0, 8, 0]); // at position 0
    golden.extend(crc32fast::hash(&golden).to_le_bytes());
    assert_eq!(delta, golden);
}
