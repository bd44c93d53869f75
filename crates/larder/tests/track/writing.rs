//! Values that a table lends for writing: only what was written is recorded.

use larder::key::Serial;
use larder::track::{Reversible, Tracked};
use larder::{Arena, DenseArena, DenseSoaArena, Handle, Pool, SecondaryMap, SoaArena};
use larder_testing::caught::{attempt, panicking_after, step};
use larder_testing::common::allocations_of;

use crate::going_back::{Ship, Small, clones_of};

macro_rules! only_what_is_written {
    ($($container:expr, |$lent:ident| $read:expr, $write:expr;)+) => {$({
            let mut table = Tracked::new($container);
            let keys: Vec<_> = (0..200).map(|number| table.insert(Ship::new(number))).collect();
            keys.iter().step_by(5).for_each(|&key| assert!(table.remove(key).is_some()));
            let live = table.len();
            let (mut screen, then) = (table.subscribe(), table.checkpoint());

            // Reading records nothing.
            let mut sum = 0;
            let clones = clones_of(|| table.for_each_mut(|_, $lent| sum += $read));
            assert_eq!((clones, sum > 0), (0, true));
            assert!(table.poll(&mut screen).unwrap().is_empty());

            // Each that is written is recorded once, however often it is.
            let (mut seen, mut written) = (Vec::new(), Vec::new());
            let mut walk = || {
                table.for_each_mut(|key, mut $lent| {
                    seen.push(key);
                    if $read % 10 == 3 {
                        *$write += 1_000;
                        *$write += 1_000;
                        written.push(key);
                    }
                });
            };
            assert_eq!(clones_of(&mut walk), 16 + 4);
            assert_eq!(clones_of(&mut walk), 0, "these are recorded already");
            assert_eq!((seen.len(), written.len()), (2 * live, 2 * (16 + 4)));
            assert!(table.keys().eq(seen[..live].iter().copied()), "in the order of the walk");
            let mut changed = table.poll(&mut screen).unwrap().changed().to_vec();
            changed.sort_unstable();
            written.truncate(20);
            written.sort_unstable();
            assert_eq!(changed, written);

            assert_eq!(clones_of(|| table.rollback(then).unwrap()), 0);
            let mut after = Vec::new();
            table.for_each_mut(|_, $lent| after.push($read));
            assert!(after.iter().all(|number| *number < 200) && after.len() == live);
    })+};
}

// (Of 160 numbers that are left, 20 end in 3, none of which was removed.)
#[test]
fn only_what_is_written_is_recorded() {
    only_what_is_written! {
        Arena::new(), |lent| lent.number, &mut lent.number;
        Pool::<_, Small>::with_key(|| Ship::new(0)), |lent| lent.get().number, &mut lent.get_mut().number;
        DenseArena::<_, Serial<Ship>>::with_key(), |lent| lent.number, &mut lent.number;
        SoaArena::<_, Small>::with_key(), |lent| *lent.get().number, lent.get_mut().number;
        DenseSoaArena::<_, Small>::with_key(), |lent| *lent.get().number, lent.get_mut().number;
    }
}

/// Also in tables of side data; and where nothing is recorded, nothing is cloned or allocated.
#[test]
fn side_data_is_written_and_without_records_nothing_is_paid() {
    let keys: Vec<Handle<u8>> = Arena::from_iter(0..40).keys().collect();
    let side =
        keys.iter().map(|&key| (key, Ship::new(key.slot().into()))).collect::<SecondaryMap<_, _>>();
    let mut side = Tracked::new(side);
    let add = |side: &mut Tracked<SecondaryMap<Handle<u8>, Ship>>| {
        side.for_each_mut(|key, mut number| {
            if key.slot() < 7 {
                number.number += 100;
            }
        });
    };
    assert_eq!(clones_of(|| assert_eq!(allocations_of(|| add(&mut side)), 0)), 0);
    let then = side.checkpoint();
    assert_eq!(clones_of(|| add(&mut side)), 7);
    assert_eq!(side[keys[6]].number, 206);
    side.rollback(then).unwrap();
    assert_eq!(side[keys[6]].number, 106);
}

/// A value that was written before `each` panicked is recorded, and the rest is as it was.
#[test]
fn a_walk_that_is_cut_off_goes_back() {
    let mut numbers = Tracked::new(Arena::from_iter((0..20).map(Ship::new)));
    let (mut screen, then) = (numbers.subscribe(), numbers.checkpoint());
    assert!(panicking_after(7, || numbers.for_each_mut(|_, mut number| {
        step();
        number.number += 100;
    })));
    assert!(numbers.values().take(7).all(|number| number.number >= 100));
    assert!(numbers.values().skip(7).all(|number| number.number < 100));
    assert_eq!(numbers.poll(&mut screen).unwrap().changed().len(), 7);
    numbers.rollback(then).unwrap();
    assert!(numbers.values().map(|number| number.number).eq(0..20));
}

/// A value that is indexed for writing counts as changed, and a key without one panics and records nothing.
#[test]
fn an_indexed_value_is_recorded_once() {
    let mut numbers = Tracked::new(Arena::from_iter((0..9).map(Ship::new)));
    let keys: Vec<_> = numbers.keys().collect();
    numbers.remove(keys[0]);
    let (mut screen, then) = (numbers.subscribe(), numbers.checkpoint());
    let clones = clones_of(|| {
        numbers[keys[3]].number = 30;
        numbers[keys[3]].number += 1;
        numbers[keys[5]].number = 50;
    });
    assert_eq!(clones, 2);
    let caught = attempt(|| numbers[keys[0]].number = 1).unwrap_err();
    assert!(caught.file.ends_with("writing.rs") && caught.message.contains("0v1"), "{caught:?}");
    let mut changed = numbers.poll(&mut screen).unwrap().changed().to_vec();
    changed.sort_unstable();
    assert_eq!(changed, [keys[3], keys[5]]);
    numbers.rollback(then).unwrap();
    assert_eq!([&numbers[keys[3]], &numbers[keys[5]]], [&Ship::new(3), &Ship::new(5)]);
}
