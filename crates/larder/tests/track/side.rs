//! Maps of side data, whose changes are recorded: entries return to their places, and subscribers and replicas follow.

use core::fmt::Debug;
use std::collections::BTreeMap;

use larder::key::{BareHandle, Serial};
use larder::maps::layout::SideLayout;
use larder::maps::{SecondaryInsertErrorKind, SecondaryMap, SideMap, SparseSecondaryMap};
use larder::track::{DeltaError, Replica, Reversible, Revert, Track, TrackError, Tracked};
use larder::{Arena, Handle, Handle32, Key};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{amount, scaled, thorough};

use crate::going_back::{Dice, forged, refuses_forged};
use crate::reversible::{Beside, Objects, goes_back, memory_is_refused};

type Id = Handle<u32>;
type Map<L> = SideMap<Id, u64, L>;
type BySlot = SecondaryMap<Id, u64>;
type ByHash = SparseSecondaryMap<Id, u64>;

/// A map whose changes are recorded.
trait Recorded:
    Revert<Key = Id, Value = u64> + for<'a> Track<RefMut<'a> = &'a mut u64> + Clone + 'static
{
}

impl Recorded for BySlot {}
impl Recorded for ByHash {}

/// The key of a slot's first object.
fn key<T>(slot: u64) -> Handle<T> {
    Handle::from_bits(1 << 32 | slot).expect("it is a key")
}

/// Keys of few slots, some far, several for each.
fn objects() -> Objects {
    let mut live = Arena::<u32>::new();
    let mut keys: Vec<Id> = (0..60).map(|value| live.insert(value)).collect();
    for round in 0..60 {
        live.remove(keys[round]);
        keys.push(live.insert(7));
    }
    keys.extend([7_000, 9_001].map(key));
    Objects { live, keys }
}

impl<L: SideLayout<Id, u64>> Beside for Tracked<Map<L>>
where
    Map<L>: Recorded,
{
    type Seen = Vec<(Id, u64)>;

    fn empty() -> Self {
        Self::new(Map::new())
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        let (key, value) = (objects.any(dice), dice.below(1_000) as u64);
        let before = self.get(key).copied();
        match dice.below(16) {
            0..7 => {
                let tenant = self.key_of_slot(key.slot());
                let is_stale = tenant.is_some_and(|tenant| tenant.to_bits() > key.to_bits());
                match self.try_insert(key, value).map_err(|error| error.reason) {
                    Ok(old) => assert_eq!((old, is_stale), (before, false)),
                    Err(SecondaryInsertErrorKind::Memory(_)) => return true,
                    Err(_) => assert!(is_stale),
                }
                assert!(is_stale || self.get(key) == Some(&value));
            }
            7..12 => assert_eq!((self.remove(key), self.get(key)), (before, None)),
            12 | 13 => _ = self.get_mut(key).map(|old| *old += 1_000),
            14 => self.iter_mut().for_each(|(_, old)| *old += 1),
            _ => {
                let (count, mut asked) = (self.len(), 0);
                self.retain(|_, key| {
                    asked += 1;
                    u64::from(key.slot()) % 7 != value % 7
                });
                assert_eq!(asked, count, "each is asked about once");
            }
        }
        false
    }

    fn seen(&self, _: &Objects) -> Self::Seen {
        entries_of(self)
    }

    fn check(&self) {
        self.validate();
    }
}

fn entries_of<L: SideLayout<Id, u64>>(map: &Map<L>) -> Vec<(Id, u64)> {
    map.iter().map(|(key, value)| (key, *value)).collect()
}

#[test]
fn side_data_goes_back() {
    let objects = objects();
    for seed in 1..thorough(20, 3) as u64 {
        goes_back::<Tracked<BySlot>>(&objects, seed, amount(800, 400, 60));
        goes_back::<Tracked<ByHash>>(&objects, seed, amount(800, 400, 60));
    }
    for for_good in [false, true] {
        assert!(memory_is_refused::<Tracked<BySlot>>(&objects, for_good) > 0);
        assert!(memory_is_refused::<Tracked<ByHash>>(&objects, for_good) > 0);
    }
}

/// Changes lead from what was to what is, and deltas keep a replica alike; forged ones are refused or whole.
fn is_followed<L: SideLayout<Id, u64>>(place: fn(&Map<L>, Id) -> usize)
where
    Map<L>: Recorded,
{
    let objects = objects();
    for seed in 1..=thorough(16, 2) as u64 {
        let (mut dice, mut here) = (Dice(seed * 0x9E37_79B9), Tracked::new(Map::<L>::new()));
        let mut subscriber = here.subscribe();
        let mut publisher = here.publish(1).expect("there is memory");
        let empty = || Map::<L>::with_capacity(9_002);
        let mut there = Replica::new(empty());
        let (mut seen, mut held, mut deltas) = (BTreeMap::new(), Vec::new(), Vec::new());
        for _ in 0..scaled(400, 60) {
            match dice.below(16) {
                0 => held.push(here.checkpoint()),
                1 if !held.is_empty() => {
                    held.truncate(dice.below(held.len()) + 1);
                    assert_eq!(here.rollback(held[held.len() - 1]), Ok(()));
                }
                2 => drop(here.undo().map(|is_done| is_done.then(|| held.pop()))),
                3 => {
                    let changes = here.poll(&mut subscriber).expect("it is its own");
                    let ranges: Vec<_> = changes.ranges(0).collect();
                    changes.removed().iter().for_each(|key| assert!(seen.remove(key).is_some()));
                    for &key in changes.inserted().iter().chain(changes.changed()) {
                        let place = place(&here, key);
                        assert!(ranges.iter().any(|range| range.contains(&place)));
                        seen.insert(key, here[key]);
                    }
                    assert!(
                        here.len() == seen.len()
                            && here.iter().all(|(key, value)| seen[&key] == *value)
                    );
                }
                4 => {
                    let delta = here.delta(&mut publisher).expect("there is memory");
                    assert_eq!(there.apply(&delta), Ok(()));
                    assert_eq!(entries_of(&there), entries_of(&here), "in the same order");
                    deltas.push(delta);
                }
                _ => _ = Beside::edit(&mut here, &objects, &mut dice),
            }
        }
        there.validate();
        deltas.truncate(8);
        let seen = |map: &Map<L>| (map.validate(), entries_of(map)).1;
        refuses_forged(&deltas, &empty, Replica::apply, &seen, &mut dice);
    }
}

#[test]
fn side_data_is_followed() {
    is_followed(|_: &BySlot, key| key.slot() as usize);
    is_followed(|map: &ByHash, key| {
        map.keys().position(|other| other == key).expect("it is there")
    });
}

fn stays_alike<K: Key + Debug, L: SideLayout<K, u64>>()
where
    SideMap<K, u64, L>: Revert<Key = K, Value = u64>,
{
    let mut objects: Arena<u8, K> = Arena::with_key();
    let keys: Vec<K> = (0..6).map(|value| objects.insert(value)).collect();
    let mut here = Tracked::new(SideMap::<K, u64, L>::new());
    let mut there = Replica::new(SideMap::new());
    let mut publisher = here.publish(1).expect("there is memory");
    for round in 0..12 {
        here.remove(keys[round % 6]);
        here.insert(keys[round * 5 % 6], round as u64);
        let delta = here.delta(&mut publisher).expect("there is memory");
        assert_eq!(there.apply(&delta), Ok(()));
        there.validate();
        assert!(here.iter().eq(there.iter()), "the same values under the same keys");
    }
}

#[test]
fn a_replica_of_side_data_stays_alike_with_every_key() {
    use larder::maps::layout::{Array, Sparse};

    stays_alike::<BareHandle<u64>, Array<_, _>>();
    stays_alike::<Serial<u64>, Array<_, _>>();
    stays_alike::<Serial<u64>, Sparse<_, _>>();
    stays_alike::<Handle32<u64, 30>, Sparse<_, _>>();
}

/// A map may have room for more slots than any that subscribers have heard of: a walk that changes all passes over it.
fn is_walked<L: SideLayout<Id, u64>>()
where
    Map<L>: Recorded,
{
    let keys: Vec<Id> = (0..1_200).map(key).collect();
    for first in [0, 1, 63, 64, 65, 129, 255, 256, 700] {
        let mut sizes = Tracked::new(Map::<L>::new());
        let (mut subscriber, mut there) = (sizes.subscribe(), Vec::new());
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

/// A value that a subscriber has not heard of when it begins comes back by a rollback.
fn comes_back<L: SideLayout<Id, u64>>()
where
    Map<L>: Recorded,
{
    let [near, far] = [1, 300_000].map(key);
    for grants in 0.. {
        let mut map = Tracked::new(Map::<L>::new());
        map.insert(far, 1);
        let then = map.checkpoint();
        map.remove(far);
        map.insert(near, 2);
        let mut subscriber = map.subscribe();
        let (refused, outcome) = refusing_after(grants, true, || map.rollback(then));
        if outcome.is_err() {
            assert_eq!(entries_of(&map), [(near, 2)], "nothing has changed");
            assert_eq!(map.rollback(then), Ok(()));
        }
        assert_eq!(entries_of(&map), [(far, 1)]);
        match map.poll(&mut subscriber) {
            Ok(told) => assert_eq!((told.inserted(), told.removed()), (&[far][..], &[near][..])),
            Err(error) => assert!(refused && error == TrackError::Lost),
        }
        if !refused {
            assert_eq!((map.undo(), map.get(far)), (Ok(true), Some(&1)));
            break;
        }
    }
}

/// The first delta has all; what the replica had before is gone.
fn is_replaced<L: SideLayout<Id, u64>>()
where
    Map<L>: Recorded,
{
    let entries = |step: usize| (0..300).step_by(step).map(move |slot| (key(slot), step as u64));
    let mut here = Tracked::new(entries(7).collect::<Map<L>>());
    let mut publisher = here.publish(1).expect("there is memory");
    let mut there = Replica::new(entries(3).collect::<Map<L>>());
    let first = here.delta(&mut publisher).expect("there is memory");
    let more_slots = forged(&first, |bytes| bytes[60] ^= 1);
    assert_eq!(there.apply(&more_slots), Err(DeltaError::Damaged));
    assert!(entries_of(&there).into_iter().eq(entries(3)), "nothing has changed");
    assert_eq!((there.apply(&first), entries_of(&there)), (Ok(()), entries_of(&here)));
}

#[test]
fn side_data_of_far_slots_is_walked_comes_back_and_is_replaced() {
    use larder::maps::layout::{Array, Sparse};

    is_walked::<Array<_, _>>();
    is_walked::<Sparse<_, _>>();
    comes_back::<Array<_, _>>();
    comes_back::<Sparse<_, _>>();
    is_replaced::<Array<_, _>>();
    is_replaced::<Sparse<_, _>>();
}
