//! The maps of side data under random histories and all short ones, against the model.

use crate::side_map::{Model, SLOTS, SideMap, some_key};
use larder::{
    Handle, Handle32, Key, SecondaryMap,
    containers::Container,
    key::{BareHandle, Serial},
    maps::{SecondaryInsertErrorKind, SparseSecondaryMap},
};
use larder_testing::choices::Choices;
use larder_testing::common::{SplitMix, deeper};
use larder_testing::forge::MadeKey;
use larder_testing::random::random_histories;
use larder_testing::values::{Unit, Value, Wide};

type KeyOf<M> = <M as SideMap>::Key;

/// A map and its model, after the same operations.
struct SideTrial<M: SideMap + Container<Key = KeyOf<M>>> {
    map: M,
    model: Model<KeyOf<M>>,
    next_id: u32,
}

fn seen<M: SideMap>(id: u32) -> u32 {
    M::Value::seen(id)
}

impl<M: SideMap + Container<Key = KeyOf<M>>> SideTrial<M> {
    fn new(capacity: usize) -> Self {
        let map = if capacity == 0 { M::new() } else { M::with_capacity(capacity) };
        assert!(map.capacity() >= capacity && map.is_empty());
        Self { map, model: Model::new(), next_id: 1 }
    }

    fn value(&mut self) -> (u32, M::Value) {
        self.next_id += 1;
        (seen::<M>(self.next_id), M::Value::make(self.next_id))
    }

    fn insert(&mut self, key: KeyOf<M>) {
        let (id, value) = self.value();
        let expected = self.model.try_insert(key, id).unwrap_or(None);
        assert_eq!(self.map.insert(key, value).map(|value| value.id()), expected);
    }

    fn try_insert(&mut self, key: KeyOf<M>) {
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

    fn or_insert(&mut self, key: KeyOf<M>) {
        let (id, value) = self.value();
        let refused = self.model.later(key).is_some();
        let expected = self.model.get(key).unwrap_or(id);
        let there = self.map.or_insert_with(key, || value).map(|value| value.id());
        assert_eq!(there, (!refused).then_some(expected));
        if !refused {
            let _ = self.model.try_insert(key, expected);
        }
    }

    fn change(&mut self, key: KeyOf<M>) {
        let (id, value) = self.value();
        let expected = self.model.get(key);
        let there = self.map.get_mut(key).map(|there| core::mem::replace(there, value).id());
        assert_eq!(there, expected);
        if expected.is_some() {
            let _ = self.model.try_insert(key, id);
        }
    }

    fn remove(&mut self, key: KeyOf<M>, by_entry: bool) {
        let removed = if by_entry {
            let entry = self.map.remove_entry(key);
            assert!(entry.as_ref().is_none_or(|(removed, _)| *removed == key));
            entry.map(|(_, value)| value)
        } else {
            SideMap::remove(&mut self.map, key)
        };
        assert_eq!(removed.map(|value| value.id()), self.model.remove(key));
    }

    fn retain(&mut self, bits: u32) {
        let keeps = |key: KeyOf<M>| bits >> (key.slot() % 7) & 1 == 0;
        self.map.retain(|key, value| {
            assert_eq!(Some(value.id()), self.model.get(key));
            keeps(key)
        });
        self.model.0.retain(|_, (key, _)| keeps(*key));
    }

    fn extract(&mut self, bits: u32) {
        let chosen = |key: KeyOf<M>| bits >> (key.slot() % 7) & 1 == 1;
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
        let known = (0..bits % 40).map(|number| some_key::<KeyOf<M>>(number.wrapping_mul(bits)));
        let mut of = SparseSecondaryMap::new();
        of.extend(known.map(|key| (key, ())));
        self.map.retain_live(&of);
        self.model.0.retain(|_, (key, _)| of.contains_key(*key));
    }

    fn rebuild(&mut self, backwards: bool) {
        let (old, mut new) = (core::mem::replace(&mut self.map, M::new()), M::new());
        let copy = old.clone();
        let pairs = old.into_pairs();
        if backwards {
            pairs.rev().for_each(|(key, value)| drop(new.insert(key, value)));
        } else {
            pairs.for_each(|(key, value)| drop(new.insert(key, value)));
        }
        assert!(new == copy, "the same entries, whatever the order");
        self.map = new;
    }

    fn disjoint(&mut self, number: u32) {
        let keys = [number, number / 7, number / 3].map(some_key::<KeyOf<M>>);
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
        let key = some_key::<KeyOf<M>>(number);
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
            22 => (0..number % 90).for_each(|slot| self.insert(KeyOf::<M>::made(slot, 0))),
            _ if number % 3 == 0 => {
                self.map.clear();
                self.model.0.clear();
            }
            _ => self.map = self.map.clone(),
        }
    }

    /// Every entry is found by a walk, and by its key.
    fn check_entries(&self) -> Vec<(KeyOf<M>, u32)> {
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
            assert_eq!(self.map.key_at(slot), self.model.0.get(&slot).map(|&(key, _)| key));
            for life in 0..KeyOf::<M>::LIVES.min(4) {
                let key = KeyOf::<M>::made(slot, life);
                assert_eq!(self.map.get(key).map(Value::id), self.model.get(key), "{key:?}");
                assert_eq!(SideMap::contains_key(&self.map, key), self.model.get(key).is_some());
            }
        }
    }

    /// All ways to walk agree.
    fn check_walks(&mut self, pairs: &[(KeyOf<M>, u32)]) {
        let id = |(key, value): (KeyOf<M>, &M::Value)| (key, value.id());
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

fn run<M: SideMap + Container<Key = KeyOf<M>>>(
    capacity: usize,
    history: &[u64],
    check_every: usize,
) {
    let alive = M::Value::alive();
    let mut trial = SideTrial::<M>::new(capacity);
    for (number, bits) in history.iter().enumerate() {
        trial.run(((bits >> 40) as u8, (bits >> 8) as u32));
        if number % check_every == 0 {
            trial.check();
        }
    }
    trial.check();
    drop(trial);
    assert_eq!(M::Value::alive(), alive, "every value was dropped");
}

fn random<M: SideMap + Container<Key = KeyOf<M>>>() {
    if cfg!(miri) {
        let mut random = SplitMix::new(1);
        let history: Vec<u64> = (0..36).map(|_| random.next()).collect();
        return run::<M>(0, &history, 12);
    }
    random_histories(80, &|settings, history| run::<M>(settings as usize % 3 * 35, history, 1));
}

macro_rules! histories {
    ($($name:ident: $map:ty;)*) => {
        mod random {
            use super::*;
            $(#[test] fn $name() {
                super::random::<$map>();
            })*
        }
    };
}

histories! {
    secondary_handle: SecondaryMap<Handle<u32>, u32>;
    secondary_two_bits: SecondaryMap<Handle32<u32, 30>, u32>;
    secondary_slot: SecondaryMap<BareHandle<u32>, u32>;
    secondary_of_strings: SecondaryMap<Serial<u32>, String>;
    secondary_of_units: SecondaryMap<Handle<u32>, Unit>;
    secondary_of_nothing: SecondaryMap<BareHandle<u32>, Unit>;
    secondary_of_wide: SecondaryMap<Handle32<u32>, Wide>;
    sparse_handle: SparseSecondaryMap<Handle<u32>, u32>;
    sparse_slot: SparseSecondaryMap<BareHandle<u32>, u32>;
    sparse_of_strings: SparseSecondaryMap<Serial<u32>, String>;
    sparse_of_units: SparseSecondaryMap<Handle32<u32>, Unit>;
    sparse_of_wide: SparseSecondaryMap<Handle<u32>, Wide>;
}

/// One operation on one of a few keys: two of a slot, one beside it, two that are far.
fn choose<M: SideMap + Container<Key = KeyOf<M>>>(choices: &mut Choices, trial: &mut SideTrial<M>) {
    let keys = [(0, 0), (0, 1), (7, 0), (8, 0), (300, 1)];
    let key = |choices: &mut Choices| {
        let (slot, life) = keys[choices.below(keys.len())];
        KeyOf::<M>::made(slot, life)
    };
    match choices.below(5) {
        0 => trial.insert(key(choices)),
        1 => trial.remove(key(choices), false),
        2 => trial.or_insert(key(choices)),
        3 => trial.retain(0b1),
        _ => trial.map.shrink_to_fit(),
    }
}

fn all_short_histories<M: SideMap + Container<Key = KeyOf<M>>>(steps: usize) {
    let mut choices = Choices::default();
    loop {
        let mut trial = SideTrial::<M>::new(0);
        for _ in 0..steps {
            choose(&mut choices, &mut trial);
            trial.check_entries();
        }
        if !choices.advance() {
            break;
        }
    }
}

macro_rules! all_short {
    ($($name:ident: $map:ty, $steps:expr;)*) => {
        mod all_short {
            use super::*;
            $(#[test]
            #[cfg_attr(miri, ignore = "slow, and random histories go the same ways")]
            fn $name() {
                all_short_histories::<$map>($steps);
            })*
        }
    };
}

all_short! {
    secondary_handle: SecondaryMap<Handle<u32>, u32>, deeper(3, 1);
    secondary_two_bits: SecondaryMap<Handle32<u32, 30>, u32>, deeper(2, 1);
    secondary_slot: SecondaryMap<BareHandle<u32>, u32>, deeper(2, 1);
    sparse_handle: SparseSecondaryMap<Handle<u32>, u32>, deeper(3, 1);
    sparse_slot: SparseSecondaryMap<BareHandle<u32>, u32>, deeper(2, 1);
}

#[test]
fn keys_of_no_container_are_told() {
    fn check<M: SideMap>() {
        let mut map = M::new();
        let key = KeyOf::<M>::DANGLING;
        let refused = map.try_insert(key, M::Value::make(1)).unwrap_err();
        assert_eq!((refused.reason, refused.value.id()), (SecondaryInsertErrorKind::Dangling, 1));
        assert_eq!(map.insert(key, M::Value::make(1)), None);
        assert!(map.or_insert_with(key, || M::Value::make(1)).is_none());
        assert!(map.is_empty() && map.get(key).is_none() && map.remove(key).is_none());
        assert_eq!(map.committed(), 0);
    }
    check::<SecondaryMap<Handle<u32>, u32>>();
    check::<SecondaryMap<Serial<u32>, String>>();
    check::<SecondaryMap<BareHandle<u32>, u32>>();
    check::<SparseSecondaryMap<Handle<u32>, u32>>();
    check::<SparseSecondaryMap<BareHandle<u32>, u32>>();
}
