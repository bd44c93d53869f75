//! Maps of side data, whose changes are recorded: each of both does what a naive model does, and entries return to
//! their places.

use core::fmt::Debug;
use std::collections::BTreeMap;

use larder::key::{BareHandle, Serial};
use larder::maps::{SecondaryMap, SparseSecondaryMap};
use larder::track::{
    Checkpoint, DeltaError, Publisher, Replica, Reversible, Subscriber, TrackError, Tracked,
};
use larder::{Arena, Handle, Handle32, Key};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::panicking_after;
use larder_testing::common::{scaled, thorough};
use larder_testing::nervous::Nervous;

use crate::going_back::Dice;

type Id = Handle<u32>;

/// Makes the checksum of a delta right.
fn resum(delta: &mut Vec<u8>) {
    delta.truncate(delta.len() - 4);
    delta.extend_from_slice(&crc32fast::hash(delta).to_le_bytes());
}

macro_rules! of_maps {
    ($($module:ident: $map:ident, place: $place:expr;)*) => {$(
        mod $module {
            use super::*;

            fn entries_of(map: &$map<Id, u64>) -> Vec<(Id, u64)> {
                map.iter().map(|(key, value)| (key, *value)).collect()
            }

            /// A map may have room for more slots than any that subscribers have heard of: a walk that changes all
            /// passes over it.
            #[test]
            fn a_walk_over_side_data_with_more_room_than_was_covered() {
                let objects: Arena<u32> = (0..1_200).collect();
                let keys: Vec<Id> = objects.keys().collect();
                for first in [0, 1, 63, 64, 65, 129, 255, 256, 700] {
                    let mut sizes = Tracked::new($map::new());
                    let mut subscriber = sizes.subscribe();
                    let mut there = Vec::new();
                    for &key in keys[first..].iter().step_by(scaled(61, 300)) {
                        sizes.insert(key, 1);
                        there.push(key);
                        sizes.iter_mut().for_each(|(_, size)| *size += 1);
                        let changes = sizes.poll(&mut subscriber).expect("it is its own");
                        assert_eq!(changes.inserted(), [key]);
                        assert_eq!(changes.changed(), &there[..there.len() - 1]);
                    }
                    assert!(sizes.values().all(|&size| size > 1));
                }
            }

            fn a_map_stays_alike<K: Key + Debug>() {
                let mut objects: Arena<u8, K> = Arena::with_key();
                let keys: Vec<K> = (0..6).map(|value| objects.insert(value)).collect();
                let (mut here, mut there) =
                    (Tracked::new($map::<K, u32>::new()), Replica::new($map::new()));
                let mut publisher = here.publish(1).expect("there is memory");
                for round in 0..12 {
                    here.remove(keys[round % 6]);
                    here.insert(keys[round * 5 % 6], round as u32);
                    let delta = here.delta(&mut publisher).expect("there is memory");
                    assert_eq!(there.apply(&delta), Ok(()));
                    there.validate();
                    assert!(here.iter().eq(there.iter()), "the same values under the same keys");
                }
            }

            #[test]
            fn a_replica_of_side_data_stays_alike_with_every_key() {
                a_map_stays_alike::<Handle<u64>>();
                a_map_stays_alike::<Handle32<u64, 30>>();
                a_map_stays_alike::<Serial<u64>>();
                a_map_stays_alike::<BareHandle<u64>>();
            }

            #[test]
            fn where_a_map_of_side_data_is_refused_memory_nothing_is_half_changed() {
                let key = |slot: u64| Handle::<u8>::from_bits(1 << 32 | slot).expect("it is a key");
                for grants in 0..40 {
                    let mut map = Tracked::new($map::<Handle<u8>, u32>::new());
                    (0..50).for_each(|slot| assert_eq!(map.insert(key(slot), 1), None));
                    let (before, then) = (map.checkpoint(), map.clone());
                    let mut subscriber = map.subscribe();
                    refusing_after(grants, true, || {
                        for slot in 0..400 {
                            drop(map.try_insert(key(slot * 9), 2));
                        }
                        (0..50).for_each(|slot| assert!(map.remove(key(slot)).is_some()));
                    });
                    map.validate();
                    assert!(matches!(map.poll(&mut subscriber), Ok(_) | Err(TrackError::Lost)));
                    match map.rollback(before) {
                        Ok(()) => assert!(map.iter().eq(then.iter())),
                        Err(error) => assert!(matches!(error, TrackError::Lost | TrackError::Gone)),
                    }
                    map.validate();
                }
            }
            /// A map, a naive model of it, and all that follows its changes.
            struct Trial {
                here: Tracked<$map<Id, u64>>,
                now: BTreeMap<Id, u64>,
                held: Vec<(Checkpoint, Vec<(Id, u64)>)>,
                undone: Vec<(Checkpoint, Vec<(Id, u64)>)>,
                seen: BTreeMap<Id, u64>,
                subscriber: Option<Subscriber<Id>>,
                publisher: Publisher,
                there: Replica<$map<Id, u64>>,
            }

            impl Trial {
                fn new() -> Self {
                    let mut here = Tracked::new($map::new());
                    let publisher = here.publish(1).expect("there is memory");
                    Self {
                        here,
                        now: BTreeMap::new(),
                        held: Vec::new(),
                        undone: Vec::new(),
                        seen: BTreeMap::new(),
                        subscriber: None,
                        publisher,
                        there: Replica::new($map::with_capacity(9_002)),
                    }
                }

                fn change(&mut self, keys: &[Id], dice: &mut Dice, value: u64) {
                    let (kind, key) = (dice.below(16), keys[dice.below(keys.len())]);
                    let before = self.now.clone();
                    match kind {
                        0..7 => {
                            let tenant = self.here.key_of_slot(key.slot());
                            let stale = tenant.is_some_and(|tenant| tenant.to_bits() > key.to_bits());
                            let put = self.here.try_insert(key, value);
                            assert_eq!(put.is_err(), stale);
                            if !stale {
                                self.now.retain(|other, _| other.slot() != key.slot() || *other == key);
                                assert_eq!(put.expect("it is not stale"), self.now.insert(key, value));
                            }
                        }
                        7..12 => assert_eq!(self.here.remove(key), self.now.remove(&key)),
                        12 | 13 => {
                            let found = self.here.get_mut(key).map(|old| *old += 1_000).is_some();
                            assert_eq!(found, self.now.get_mut(&key).map(|old| *old += 1_000).is_some());
                        }
                        14 => {
                            self.here.iter_mut().for_each(|(_, old)| *old += 1);
                            self.now.values_mut().for_each(|old| *old += 1);
                        }
                        _ => {
                            let goes = |key: &Id| key.slot() as usize % 7 == value as usize % 7;
                            let mut asked = Vec::new();
                            self.here.retain(|_, key| {
                                asked.push(key);
                                !goes(&key)
                            });
                            asked.sort_unstable();
                            assert!(asked.iter().eq(self.now.keys()), "each is asked about once");
                            self.now.retain(|key, _| !goes(key));
                        }
                    }
                    if self.now != before {
                        self.undone.clear();
                    }
                }

                fn go(&mut self, dice: &mut Dice) {
                    match dice.below(5) {
                        0 | 1 => {
                            self.held.push((self.here.checkpoint(), entries_of(&self.here)));
                            self.undone.clear();
                        }
                        2 if !self.held.is_empty() => {
                            self.held.truncate(dice.below(self.held.len()) + 1);
                            self.undone.clear();
                            let (to, then) = &self.held[self.held.len() - 1];
                            self.here.rollback(*to).expect("it is held");
                            assert_eq!(&entries_of(&self.here), then, "in the order that they had");
                        }
                        3 => {
                            let now = entries_of(&self.here);
                            assert_eq!(self.here.undo(), Ok(!self.held.is_empty()));
                            if let Some((checkpoint, then)) = self.held.pop() {
                                assert_eq!(entries_of(&self.here), then, "in the order that they had");
                                self.undone.push((checkpoint, now));
                            }
                        }
                        _ => {
                            let now = entries_of(&self.here);
                            assert_eq!(self.here.redo(), Ok(!self.undone.is_empty()));
                            if let Some((checkpoint, then)) = self.undone.pop() {
                                assert_eq!(entries_of(&self.here), then, "in the order that they had");
                                self.held.push((checkpoint, now));
                            }
                        }
                    }
                    self.now = self.here.iter().map(|(key, value)| (key, *value)).collect();
                }

                fn check(&mut self) {
                    self.here.validate();
                    assert!(self.here.len() == self.now.len());
                    assert!(self.now.iter().all(|(&key, value)| self.here.get(key) == Some(value)));
                    if let Some(subscriber) = &mut self.subscriber {
                        let changes = self.here.poll(subscriber).expect("it is its own");
                        let written = changes.inserted().iter().chain(changes.changed());
                        let ranges: Vec<_> = changes.ranges(0).collect();
                        changes.removed().iter().for_each(|key| assert!(self.seen.remove(key).is_some()));
                        for &key in written {
                            let place = $place(&*self.here, key);
                            assert!(ranges.iter().any(|range| range.contains(&place)));
                            self.seen.insert(key, self.here[key]);
                        }
                        assert_eq!(self.seen, self.now, "the changes lead from what was to what is");
                    } else {
                        (self.subscriber, self.seen) = (Some(self.here.subscribe()), self.now.clone());
                    }
                    let delta = self.here.delta(&mut self.publisher).expect("there is memory");
                    assert_eq!(self.there.apply(&delta), Ok(()));
                    self.there.validate();
                    assert!(self.there.iter().eq(self.here.iter()), "in the same order");
                }
            }

            /// Keys of few slots, some far, several for each.
            #[test]
            fn histories_are_those_of_a_model() {
                let mut objects = Arena::<u32>::new();
                let mut keys: Vec<Id> = (0..60).map(|value| objects.insert(value)).collect();
                for round in 0..60 {
                    objects.remove(keys[round]);
                    keys.push(objects.insert(7));
                }
                keys.extend([7_000, 9_001].map(|slot| Id::from_bits(1 << 32 | slot).expect("it is a key")));
                for seed in 1..=thorough(60, 3) as u64 {
                    let (mut dice, mut trial) = (Dice(seed * 0x9E37_79B9), Trial::new());
                    for step in 0..scaled(400, 60) as u64 {
                        match dice.below(12) {
                            0 => trial.check(),
                            1 | 2 => trial.go(&mut dice),
                            _ => trial.change(&keys, &mut dice, step),
                        }
                    }
                    trial.check();
                }
            }

            /// A value that a subscriber has not heard of when it begins comes back by a rollback.
            #[test]
            fn a_far_key_comes_back_to_a_later_subscriber() {
                let slots = [1, 300_000].map(|slot| Id::from_bits(1 << 32 | slot));
                let [near, far] = slots.map(|key| key.expect("it is a key"));
                for grants in 0.. {
                    let mut map = Tracked::new($map::<Id, u64>::new());
                    map.insert(far, 1);
                    let then = map.checkpoint();
                    map.remove(far);
                    map.insert(near, 2);
                    let mut subscriber = map.subscribe();
                    let (refused, outcome) = refusing_after(grants, true, || map.rollback(then));
                    map.validate();
                    if outcome.is_err() {
                        assert_eq!(entries_of(&map), [(near, 2)], "nothing has changed");
                        assert_eq!(map.rollback(then), Ok(()));
                    }
                    assert_eq!(entries_of(&map), [(far, 1)]);
                    match map.poll(&mut subscriber) {
                        Ok(changes) => assert_eq!(
                            (changes.inserted(), changes.removed()),
                            (&[far][..], &[near][..])
                        ),
                        Err(error) => assert!(refused && error == TrackError::Lost),
                    }
                    if !refused {
                        assert_eq!((map.undo(), map.get(far)), (Ok(true), Some(&1)));
                        break;
                    }
                }
            }

            /// The first delta has all; what the replica had before is gone.
            #[test]
            fn the_first_delta_replaces_what_a_replica_had() {
                let keys: Vec<Id> = Arena::<u32>::from_iter(0..300).keys().collect();
                let entries =
                    |step: usize| keys.iter().step_by(step).map(move |&key| (key, step as u64));
                let mut here = Tracked::new(entries(7).collect::<$map<_, _>>());
                let mut publisher = here.publish(1).expect("there is memory");
                let mut there = Replica::new(entries(3).collect::<$map<_, _>>());
                let first = here.delta(&mut publisher).expect("there is memory");
                let mut forged = first.clone();
                forged[60] ^= 1; // how many slots there are
                resum(&mut forged);
                assert_eq!(there.apply(&forged), Err(DeltaError::Damaged));
                assert!(there.iter().map(|(key, value)| (key, *value)).eq(entries(3)), "nothing has changed");
                assert_eq!(there.apply(&first), Ok(()));
                there.validate();
                assert!(there.iter().eq(here.iter()));
            }

            /// Bytes of a delta are others, and its checksum is right: it is refused and nothing has changed, or it
            /// is another delta.
            #[test]
            fn forged_deltas_are_refused_or_whole() {
                let keys: Vec<Id> = Arena::<u32>::from_iter(0..40).keys().collect();
                for seed in 1..=thorough(40, 2) as u64 {
                    let (mut dice, mut deltas) = (Dice(seed * 0x1234_5677), Vec::new());
                    let mut here = Tracked::new($map::<Id, u64>::new());
                    let mut publisher = here.publish(1).expect("there is memory");
                    for round in 0..8 {
                        for _ in 0..dice.below(30) {
                            let key = keys[dice.below(keys.len())];
                            if dice.below(3) == 0 {
                                here.remove(key);
                            } else {
                                here.insert(key, round);
                            }
                        }
                        deltas.push(here.delta(&mut publisher).expect("there is memory"));
                    }
                    for _ in 0..scaled(80, 4) {
                        let last = dice.below(deltas.len());
                        let [mut there, mut before] = [(); 2].map(|()| Replica::new($map::<Id, u64>::new()));
                        for delta in &deltas[..last] {
                            assert_eq!((there.apply(delta), before.apply(delta)), (Ok(()), Ok(())));
                        }
                        let mut forged = deltas[last].clone();
                        let at = 48 + dice.below(forged.len() - 52);
                        forged[at] = dice.below(9) as u8;
                        resum(&mut forged);
                        let applied = there.apply(&forged).is_ok();
                        there.validate();
                        assert!(applied || before.iter().eq(there.iter()), "nothing has changed");
                        assert!(applied || before.apply(&deltas[last]) == there.apply(&deltas[last]));
                        assert!(applied || before.iter().eq(there.iter()), "it goes on");
                    }
                }
            }

            /// A value whose `Clone` panics is not changed, and one whose `Drop` panics leaves a map that is whole.
            #[test]
            fn a_value_that_panics_leaves_the_map_whole() {
                let keys: Vec<Id> = Arena::<u32>::from_iter(0..9).keys().collect();
                let new = || Tracked::new(keys.iter().map(|&key| (key, Nervous(key.slot()))).collect::<$map<_, _>>());
                for change in 0..4 {
                    let mut map = new();
                    let then = map.checkpoint();
                    let panicked = panicking_after(0, || match change {
                        0 => map.get_mut(keys[3]).expect("it is there").0 = 90,
                        1 => drop(map.remove(keys[3])),
                        2 => drop(map.insert(keys[3], Nervous(90))),
                        _ => map.iter_mut().for_each(|(_, value)| value.0 = 90),
                    });
                    map.validate();
                    assert!(panicked && map.iter().map(|(key, value)| (key, value.0)).eq(keys.iter().map(|&key| (key, key.slot()))));
                    map.remove(keys[0]);
                    assert_eq!(map.rollback(then), Ok(()));
                    assert!(map.keys().eq(keys.iter().copied()));
                }
            }
        }
    )*};
}

of_maps! {
    by_slot: SecondaryMap, place: |_: &SecondaryMap<Id, u64>, key: Id| key.slot() as usize;
    by_hash: SparseSecondaryMap, place: |map: &SparseSecondaryMap<Id, u64>, key| {
        map.keys().position(|other| other == key).expect("it is there")
    };
}
