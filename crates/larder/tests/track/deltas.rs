//! Copies that are kept alike by deltas; damaged, forged, repeated and foreign ones.

use core::fmt::Debug;

use larder::key::{BareHandle, Serial};
use larder::track::{Checkpoint, DeltaError, Publisher, Replica, Reversible, Tracked};
use larder::trees::Links;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool, Reuse,
    SecondaryMap, SoaArena,
};
use larder_testing::common::{REUSE_ORDERS, amount, scaled, thorough};

use crate::going_back::{Dice, Spot};

type Ships<K> = Tracked<Arena<u32, K>>;

fn alike<K: Key + Debug>(here: &Arena<u32, K>, there: &Arena<u32, K>) {
    there.validate();
    assert!(here.iter().eq(there.iter()), "the same values under the same keys");
    let of = |arena: &Arena<u32, K>| {
        let stats = arena.stats();
        (stats.live, stats.holes, stats.detached, stats.retired, stats.slots)
    };
    assert_eq!(of(here), of(there));
    let (mut here, mut there) = (here.clone(), there.clone());
    for value in 0..80 {
        assert_eq!(here.insert(value), there.insert(value), "free slots in the same order");
    }
}

fn change<K: Key>(
    ships: &mut Ships<K>,
    keys: &mut Vec<K>,
    dice: &mut Dice,
    held: &mut Vec<Checkpoint>,
) {
    for value in 0..dice.below(60) as u32 {
        let key = if keys.is_empty() { K::DANGLING } else { keys[dice.below(keys.len())] };
        match dice.below(24) {
            0..9 => keys.push(ships.insert(value)),
            9..16 => drop(ships.remove(key)),
            16..20 => drop(ships.get_mut(key).map(|ship| *ship += 100)),
            20 => held.push(ships.checkpoint()),
            21 if !held.is_empty() => {
                held.truncate(dice.below(held.len()) + 1);
                ships.rollback(held[held.len() - 1]).expect("it is held");
            }
            22 => drop(ships.undo().map(|undone| undone.then(|| held.pop()))),
            _ => {}
        }
    }
}

fn history<K: Key + Debug>(reuse: Reuse, seed: u64) {
    let mut dice = Dice(seed + 0x1234_5678_9ABC);
    let mut arena: Arena<u32, K> = Arena::builder_with_key().reuse(reuse).build();
    let mut keys: Vec<K> = (0..70).map(|value| arena.insert(value)).collect();
    keys.iter().take(3).for_each(|&key| assert!(arena.detach(key).is_some()));
    let (mut here, mut held) = (Tracked::new(arena), Vec::new());
    let mut publisher = here.publish(seed).expect("there is memory");
    let empty = || Arena::builder_with_key().reuse(reuse).build();
    let mut there = Replica::new(empty());
    for round in 0..thorough(30, 4) {
        change(&mut here, &mut keys, &mut dice, &mut held);
        let delta = here.delta(&mut publisher).expect("there is memory");
        assert_eq!(there.apply(&delta), Ok(()));
        alike(&here, &there);
        let sequence = round as u64;
        assert_eq!(there.apply(&delta), Err(DeltaError::Repeated { sequence }));
    }
}

#[test]
fn a_replica_stays_alike_with_every_key_and_order_of_reuse() {
    for (number, reuse) in REUSE_ORDERS.into_iter().enumerate() {
        for seed in 0..thorough(12, 1) as u64 {
            let seed = seed * 3 + number as u64;
            history::<Handle<u32>>(reuse, seed);
            history::<Handle32<u32, 29>>(reuse, seed);
            history::<Serial<u32>>(reuse, seed);
            history::<BareHandle<u32>>(reuse, seed);
        }
    }
}

type Pair = (Vec<u8>, Vec<u8>, Replica<Arena<u32>>, Ships<Handle<u32>>, Publisher);

/// Two deltas of a small container, and a replica that has applied the first.
fn pair(reuse: Reuse) -> Pair {
    let empty = || Arena::builder().reuse(reuse).build();
    let (mut here, mut there) = (Tracked::new(empty()), Replica::new(empty()));
    let mut publisher = here.publish(1).expect("there is memory");
    let keys = [1, 2, 3, 4, 5].map(|value| here.insert(value));
    here.remove(keys[1]);
    let first = here.delta(&mut publisher).expect("there is memory");
    there.apply(&first).expect("it is the first");
    here.remove(keys[3]);
    here.insert(6);
    let second = here.delta(&mut publisher).expect("there is memory");
    (first, second, there, here, publisher)
}

/// Room for a million values is no reason to write a delta for a million.
#[test]
fn the_first_delta_takes_memory_for_the_slots_in_use() {
    let mut here = Tracked::new(Arena::<u32>::with_capacity(1 << 20));
    let mut publisher = here.publish(1).expect("there is memory");
    here.insert(7);
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
    alike(&before, &there);
    assert_eq!(there.apply(&second), Ok(()));
    alike(&here, &there);
}

#[test]
fn what_is_forged_with_a_right_checksum_is_applied_whole_or_not_at_all() {
    for reuse in REUSE_ORDERS {
        let (_, second, there, ..) = pair(reuse);
        let (body, sum) = second.split_at(second.len() - 4);
        assert_eq!(sum, crc32fast::hash(body).to_le_bytes(), "the checksum is the last");
        let arena = there.into_inner();
        let (mut dice, mut applied) = (Dice(99), 0);
        for _ in 0..amount(3_000, 500, 50) {
            let (_, _, mut there, ..) = pair(reuse);
            let mut forged = body.to_vec();
            for _ in 0..=dice.below(3) {
                let at = dice.below(forged.len());
                forged[at] =
                    if dice.below(2) == 0 { dice.below(8) as u8 } else { dice.below(256) as u8 };
            }
            forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
            match there.apply(&forged) {
                Ok(()) => {
                    there.validate();
                    applied += 1;
                }
                Err(_) => alike(&arena, &there),
            }
            let mut after = there.into_inner();
            let key = after.insert(1);
            assert_eq!(after.remove(key), Some(1));
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
    let mut other = Tracked::new(Arena::<u32>::new());
    let mut stranger = other.publish(2).expect("there is memory");
    let foreign = other.delta(&mut stranger).expect("there is memory");
    assert_eq!(there.apply(&foreign), Err(DeltaError::Foreign));
    // The same identity, another history.
    let mut twin = other.publish(1).expect("there is memory");
    let [_, foreign] = [(); 2].map(|()| other.delta(&mut twin).expect("there is memory"));
    assert_eq!(there.apply(&foreign), Err(DeltaError::Foreign));
    let mut narrow = Replica::new(Arena::<u16>::new());
    assert_eq!(narrow.apply(&first), Err(DeltaError::Shape));
    let mut stack = Replica::new(Arena::<u32>::builder().reuse(Reuse::Lifo).build());
    assert_eq!(stack.apply(&first), Err(DeltaError::Shape));
    let mut small = Replica::new(Arena::<u32>::fixed(2));
    assert!(matches!(small.apply(&first), Err(DeltaError::Memory(_))));
    assert_eq!((there.apply(&second), there.apply(&third)), (Ok(()), Ok(())));
    alike(&here, &there);
}

/// A random history of a container, a replica of which stays alike; and forged deltas, which leave it as it was.
macro_rules! stays_alike {
    ($($name:ident: $empty:expr;)*) => {$(
        #[test]
        fn $name() {
            for seed in 0..thorough(6, 1) as u64 {
                let (mut dice, mut keys, mut held) = (Dice(seed + 77), Vec::new(), Vec::new());
                let (mut here, mut there) = (Tracked::new($empty), Replica::new($empty));
                let mut publisher = here.publish(seed).expect("there is memory");
                let mut deltas = Vec::new();
                for round in 0..thorough(40, 5) as u32 {
                    for number in 0..dice.below(40) as u32 {
                        let spot = Spot { x: number, y: round };
                        match dice.below(20) {
                            0..9 => keys.push(here.insert(spot)),
                            9..15 if !keys.is_empty() => {
                                here.remove(keys[dice.below(keys.len())]);
                            }
                            15 if !keys.is_empty() => {
                                here.detach(keys[dice.below(keys.len())]);
                            }
                            16 if !keys.is_empty() => {
                                drop(here.reattach(keys[dice.below(keys.len())], spot));
                            }
                            17 => held.push(here.checkpoint()),
                            18 if !held.is_empty() => {
                                held.truncate(dice.below(held.len()) + 1);
                                here.rollback(held[held.len() - 1]).expect("it is held");
                            }
                            19 => drop(here.undo().map(|undone| undone.then(|| held.pop()))),
                            _ => {}
                        }
                    }
                    let delta = here.delta(&mut publisher).expect("there is memory");
                    assert_eq!(there.apply(&delta), Ok(()));
                    there.validate();
                    assert!(here.iter().eq(there.iter()), "the same values in the same order");
                    let (mut one, mut other) = (here.clone(), there.clone());
                    let spot = Spot { x: 1, y: 2 };
                    (0..40).for_each(|_| assert_eq!(one.insert(spot), other.insert(spot)));
                    deltas.push(delta);
                }
                for _ in 0..scaled(60, 3) {
                    let last = 1 + dice.below(deltas.len() - 1);
                    let [mut there, mut before] = [(); 2].map(|()| Replica::new($empty));
                    for delta in &deltas[..last] {
                        assert_eq!((there.apply(delta), before.apply(delta)), (Ok(()), Ok(())));
                    }
                    let mut forged = deltas[last][..deltas[last].len() - 4].to_vec();
                    let at = 48 + dice.below(forged.len() - 48);
                    forged[at] = dice.below(9) as u8;
                    forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
                    let applied = there.apply(&forged).is_ok();
                    there.validate();
                    assert!(applied || before.iter().eq(there.iter()), "nothing has changed");
                    assert!(applied || before.apply(&deltas[last]) == there.apply(&deltas[last]));
                    assert!(applied || before.iter().eq(there.iter()), "it goes on");
                }
            }
        }
    )*};
}

stays_alike! {
    a_replica_of_blocks: PagedArena::<Spot>::new();
    a_replica_inside_its_owner: InlineArena::<Spot, 900>::new();
    a_replica_of_a_pool: Pool::new(|| Spot { x: 0, y: 0 });
    a_replica_of_columns: SoaArena::<Spot, Serial<Spot>>::with_key();
    a_replica_of_packed_values: DenseArena::<Spot>::new();
    a_replica_of_packed_columns: DenseSoaArena::<Spot, Handle32<Spot, 29>>::with_key();
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
        let mut forged = second[..second.len() - 4].to_vec();
        let start = begin + ship * of_ship + 16 + at;
        forged[start..start + bytes.len()].copy_from_slice(bytes);
        forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
        assert_eq!(there.apply(&forged), Err(DeltaError::Damaged), "{ship}, {at}");
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
        let mut here = Tracked::new(Arena::<u32, Serial<u32>>::with_key());
        let mut publisher = here.publish(1).expect("there is memory");
        let keys = [1, 2, 3].map(|value| here.insert(value));
        assert_eq!(here.detach(keys[2]), Some(3));
        let first = here.delta(&mut publisher).expect("there is memory");
        *here.get_mut(keys[gone]).expect("it is there") = 7;
        let second = here.delta(&mut publisher).expect("there is memory");
        let mut there = Replica::new(Arena::with_key());
        assert_eq!(there.apply(&first), Ok(()));
        let mut forged = second[..second.len() - 4].to_vec();
        assert_eq!(forged[48..56], 3_u64.to_le_bytes(), "the mark");
        forged[48] = 2;
        forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
        assert_eq!(there.apply(&forged), Err(DeltaError::Damaged));
        assert_eq!(there.apply(&second), Ok(()));
        alike(&here, &there);
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

#[test]
fn other_versions_and_byte_orders_are_refused_by_name() {
    let (_, second, mut there, ..) = pair(Reuse::Packed);
    for (at, error) in [(8, DeltaError::Version { found: 9 }), (10, DeltaError::ByteOrder)] {
        let mut other = second[..second.len() - 4].to_vec();
        other[at] = 9;
        other.extend_from_slice(&crc32fast::hash(&other).to_le_bytes());
        assert_eq!(there.apply(&other), Err(error));
    }
    assert_eq!(there.apply(&second), Ok(()));
}
