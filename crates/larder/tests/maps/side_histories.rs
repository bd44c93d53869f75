//! The maps of side data under random histories and all short ones, against the model.

use crate::side_map::{Model, SLOTS, or_insert_with, remove_entry, some_key};
use larder::{
    Handle, Handle32, Key,
    key::{BareHandle, Serial},
    maps::layout::{Array, SideLayout, Sparse},
    maps::{SecondaryInsertErrorKind, SideMap, SparseSecondaryMap},
};
use larder_testing::choices::{Choices, every_way};
use larder_testing::common::{SplitMix, deeper};
use larder_testing::forge::MadeKey;
use larder_testing::random::random_histories;
use larder_testing::values::{Unit, Value, Wide};

/// A map and its model, after the same operations.
struct SideTrial<K: MadeKey, V: Value, L: SideLayout<K, V>> {
    map: SideMap<K, V, L>,
    model: Model<K>,
    next_id: u32,
}

impl<K: MadeKey, V: Value, L: SideLayout<K, V>> SideTrial<K, V, L> {
    fn new(capacity: usize) -> Self {
        let map = if capacity == 0 { SideMap::new() } else { SideMap::with_capacity(capacity) };
        assert!(map.capacity() >= capacity && map.is_empty());
        Self { map, model: Model::new(), next_id: 1 }
    }

    fn value(&mut self) -> (u32, V) {
        self.next_id += 1;
        (V::seen(self.next_id), V::make(self.next_id))
    }

    fn insert(&mut self, key: K) {
        let (id, value) = self.value();
        let expected = self.model.try_insert(key, id).unwrap_or(None);
        assert_eq!(self.map.insert(key, value).map(|value| value.id()), expected);
    }

    fn try_insert(&mut self, key: K) {
        let (id, value) = self.value();
        let expected = self.model.try_insert(key, id);
        match self.map.try_insert(key, value) {
            Ok(before) => assert_eq!(Ok(before.map(|value| value.id())), expected),
            Err(refused) => {
                assert_eq!((refused.key, refused.value.id()), (key, id));
                assert_eq!(Err(refused.reason), expected);
            }
        }
    }

    fn or_insert(&mut self, key: K) {
        let (id, value) = self.value();
        let refused = self.model.later(key).is_some();
        let expected = self.model.get(key).unwrap_or(id);
        let there = or_insert_with(&mut self.map, key, || value).map(|value| value.id());
        assert_eq!(there, (!refused).then_some(expected));
        if !refused {
            let _ = self.model.try_insert(key, expected);
        }
    }

    fn change(&mut self, key: K) {
        let (id, value) = self.value();
        let expected = self.model.get(key);
        let there = self.map.get_mut(key).map(|there| core::mem::replace(there, value).id());
        assert_eq!(there, expected);
        if expected.is_some() {
            let _ = self.model.try_insert(key, id);
        }
    }

    fn remove(&mut self, key: K, by_entry: bool) {
        let removed = if by_entry {
            let entry = remove_entry(&mut self.map, key);
            assert!(entry.as_ref().is_none_or(|(removed, _)| *removed == key));
            entry.map(|(_, value)| value)
        } else {
            self.map.remove(key)
        };
        assert_eq!(removed.map(|value| value.id()), self.model.remove(key));
    }

    fn retain(&mut self, bits: u32) {
        let keeps = |key: K| bits >> (key.slot() % 7) & 1 == 0;
        self.map.retain(|key, value| {
            assert_eq!(Some(value.id()), self.model.get(key));
            keeps(key)
        });
        self.model.0.retain(|_, (key, _)| keeps(*key));
    }

    fn extract(&mut self, bits: u32) {
        let chosen = |key: K| bits >> (key.slot() % 7) & 1 == 1;
        let most = bits as usize % 5;
        let extracted: Vec<_> = self.map.extract_if(|key, _| chosen(key)).take(most).collect();
        let there = self.model.0.values().filter(|(key, _)| chosen(*key)).count();
        assert_eq!(extracted.len(), there.min(most));
        for (key, value) in extracted {
            assert!(chosen(key));
            assert_eq!(Some(value.id()), self.model.remove(key));
        }
    }

    fn drain(&mut self, ends: u32) {
        let length = self.map.len();
        let mut drain = self.map.drain();
        for step in 0..ends % 4 {
            let pair = if ends >> step & 4 == 0 { drain.next() } else { drain.next_back() };
            let Some((key, value)) = pair else { break };
            assert_eq!(Some(value.id()), self.model.remove(key));
        }
        drop(drain);
        assert!(self.map.is_empty() && self.model.0.len() <= length);
        self.model.0.clear();
    }

    /// Only what another map knows stays.
    fn retain_live(&mut self, bits: u32) {
        let known = (0..bits % 40).map(|number| some_key::<K>(number.wrapping_mul(bits)));
        let mut of = SparseSecondaryMap::new();
        of.extend(known.map(|key| (key, ())));
        self.map.retain_live(&of);
        self.model.0.retain(|_, (key, _)| of.contains_key(*key));
    }

    fn rebuild(&mut self, backwards: bool) {
        let (old, mut new) = (core::mem::take(&mut self.map), SideMap::new());
        let copy = old.clone();
        let pairs = old.into_iter();
        if backwards {
            pairs.rev().for_each(|(key, value)| drop(new.insert(key, value)));
        } else {
            pairs.for_each(|(key, value)| drop(new.insert(key, value)));
        }
        assert!(new == copy, "the same entries, whatever the order");
        self.map = new;
    }

    fn disjoint(&mut self, number: u32) {
        let keys = [number, number / 7, number / 3].map(some_key::<K>);
        let slots = keys.map(Key::slot);
        let all = keys.iter().all(|&key| self.model.get(key).is_some());
        let apart = slots[0] != slots[1] && slots[0] != slots[2] && slots[1] != slots[2];
        let borrowed = self.map.get_disjoint_mut(keys);
        assert_eq!(borrowed.is_ok(), all && apart);
        if let Ok(values) = borrowed {
            let ids = values.map(|value| Some(value.id()));
            assert_eq!(ids, keys.map(|key| self.model.get(key)));
        }
    }

    fn run(&mut self, (kind, number): (u8, u32)) {
        let key = some_key::<K>(number);
        match kind % 24 {
            0..=6 => self.insert(key),
            7 | 8 => self.try_insert(key),
            9 => self.or_insert(key),
            10 => self.change(key),
            11 | 12 => self.remove(key, false),
            13 => self.remove(key, true),
            14 => self.retain(number),
            15 => self.extract(number),
            16 => self.drain(number),
            17 => self.retain_live(number),
            18 => self.rebuild(number % 2 == 0),
            19 => self.disjoint(number),
            20 => self.map.shrink_to_fit(),
            21 => {
                let capacity = number as usize % 300;
                self.map.try_set_capacity(capacity).unwrap();
                assert!(self.map.capacity() >= capacity);
            }
            // Many at once, side by side: what was far is no more.
            22 => (0..number % 90).for_each(|slot| self.insert(K::made(slot, 0))),
            _ if number % 3 == 0 => {
                self.map.clear();
                self.model.0.clear();
            }
            _ => self.map = self.map.clone(),
        }
    }

    /// Every entry is found by a walk, and by its key.
    fn check_entries(&self) -> Vec<(K, u32)> {
        self.map.validate();
        assert_eq!(self.map.len(), self.model.0.len());
        let pairs: Vec<_> = self.map.iter().map(|(key, value)| (key, value.id())).collect();
        let mut sorted = pairs.clone();
        sorted.sort();
        assert!(sorted.iter().copied().eq(self.model.0.values().copied()), "{pairs:?}");
        assert!(pairs.iter().all(|&(key, id)| self.map.get(key).map(Value::id) == Some(id)));
        pairs
    }

    fn check(&mut self) {
        let pairs = self.check_entries();
        assert_eq!(self.map.is_empty(), pairs.is_empty());
        self.check_walks(&pairs);
        for slot in SLOTS {
            assert_eq!(self.map.key_of_slot(slot), self.model.0.get(&slot).map(|&(key, _)| key));
            for life in 0..K::LIVES.min(4) {
                let key = K::made(slot, life);
                assert_eq!(self.map.get(key).map(Value::id), self.model.get(key), "{key:?}");
                assert_eq!(self.map.contains_key(key), self.model.get(key).is_some());
            }
        }
    }

    /// All ways to walk agree.
    fn check_walks(&mut self, pairs: &[(K, u32)]) {
        let id = |(key, value): (K, &V)| (key, value.id());
        assert_eq!(self.map.iter().len(), pairs.len());
        assert!(self.map.iter().rev().map(id).eq(pairs.iter().rev().copied()));
        let folded = self.map.iter().fold(0, |count, pair| {
            assert_eq!(id(pair), pairs[count]);
            count + 1
        });
        assert_eq!(folded, pairs.len());
        for n in [0, 1, pairs.len() / 2, pairs.len()] {
            let mut walk = self.map.iter();
            assert_eq!(walk.nth(n).map(id), pairs.get(n).copied());
            assert!(walk.map(id).eq(pairs.iter().skip(n + 1).copied()));
        }
        let mut both = self.map.iter();
        let first = both.next().map(id);
        let last = both.next_back().map(id);
        assert_eq!((first, last.or(first)), (pairs.first().copied(), pairs.last().copied()));
        assert_eq!(both.len(), pairs.len().saturating_sub(2));
        drop(both);
        assert_eq!(self.map.iter_mut().count(), pairs.len());
    }
}

fn run<K: MadeKey, V: Value, L: SideLayout<K, V>>(
    capacity: usize,
    history: &[u64],
    check_every: usize,
) {
    let alive = V::alive();
    let mut trial = SideTrial::<K, V, L>::new(capacity);
    for (number, bits) in history.iter().enumerate() {
        trial.run(((bits >> 40) as u8, (bits >> 8) as u32));
        if number % check_every == 0 {
            trial.check();
        }
    }
    trial.check();
    drop(trial);
    assert_eq!(V::alive(), alive, "every value was dropped");
}

fn random<K: MadeKey, V: Value, L: SideLayout<K, V>>() {
    if cfg!(miri) {
        let mut random = SplitMix::new(1);
        let history: Vec<u64> = (0..36).map(|_| random.next()).collect();
        return run::<K, V, L>(0, &history, 12);
    }
    random_histories(80, &|settings, history| {
        run::<K, V, L>(settings as usize % 3 * 35, history, 1)
    });
}

macro_rules! histories {
    ($($name:ident: $layout:ident<$key:ty, $value:ty>;)*) => {
        mod random {
            use super::*;
            $(#[test] fn $name() {
                super::random::<$key, $value, $layout<_, _>>();
            })*
        }
    };
}

// (The values of a table of hashes are in a vector, which has values of all kinds.)
histories! {
    secondary_handle: Array<Handle<u32>, u32>;
    secondary_two_bits: Array<Handle32<u32, 30>, u32>;
    secondary_slot: Array<BareHandle<u32>, u32>;
    secondary_of_strings: Array<Serial<u32>, String>;
    secondary_of_units: Array<Handle<u32>, Unit>;
    secondary_of_nothing: Array<BareHandle<u32>, Unit>;
    secondary_of_wide: Array<Handle32<u32>, Wide>;
    sparse_handle: Sparse<Handle<u32>, u32>;
    sparse_slot: Sparse<BareHandle<u32>, u32>;
    sparse_of_strings: Sparse<Serial<u32>, String>;
}

/// One operation on one of a few keys: two of a slot, one beside it, two that are far.
fn choose<K: MadeKey, V: Value, L: SideLayout<K, V>>(
    choices: &mut Choices,
    trial: &mut SideTrial<K, V, L>,
) {
    let keys = [(0, 0), (0, 1), (7, 0), (8, 0), (300, 1)];
    let key = |choices: &mut Choices| {
        let (slot, life) = keys[choices.below(keys.len())];
        K::made(slot, life)
    };
    match choices.below(5) {
        0 => trial.insert(key(choices)),
        1 => trial.remove(key(choices), false),
        2 => trial.or_insert(key(choices)),
        3 => trial.retain(0b1),
        _ => trial.map.shrink_to_fit(),
    }
}

fn all_short_histories<K: MadeKey, L: SideLayout<K, u32>>(steps: usize) {
    every_way(&mut |choices| {
        let mut trial = SideTrial::<K, u32, L>::new(0);
        for _ in 0..steps {
            choose(choices, &mut trial);
            trial.check_entries();
        }
    });
}

#[test]
#[cfg_attr(miri, ignore = "slow, and random histories go the same ways")]
fn all_short() {
    all_short_histories::<Handle<u32>, Array<_, _>>(deeper(3, 1));
    all_short_histories::<Handle32<u32, 30>, Array<_, _>>(deeper(2, 1));
    all_short_histories::<BareHandle<u32>, Array<_, _>>(deeper(2, 1));
    all_short_histories::<Handle<u32>, Sparse<_, _>>(deeper(3, 1));
    all_short_histories::<BareHandle<u32>, Sparse<_, _>>(deeper(2, 1));
}

#[test]
fn keys_of_no_container_are_told() {
    fn check<K: MadeKey, V: Value, L: SideLayout<K, V>>() {
        let (mut map, key) = (SideMap::<K, V, L>::new(), K::DANGLING);
        let refused = map.try_insert(key, V::make(1)).unwrap_err();
        assert_eq!((refused.reason, refused.value.id()), (SecondaryInsertErrorKind::Dangling, 1));
        assert_eq!(map.insert(key, V::make(1)), None);
        assert!(map.entry(key).is_none());
        assert!(map.is_empty() && map.get(key).is_none() && map.remove(key).is_none());
        assert_eq!(map.stats().memory.committed, 0);
    }
    check::<Handle<u32>, u32, Array<_, _>>();
    check::<Serial<u32>, String, Array<_, _>>();
    check::<BareHandle<u32>, u32, Array<_, _>>();
    check::<Handle<u32>, u32, Sparse<_, _>>();
    check::<BareHandle<u32>, u32, Sparse<_, _>>();
}
