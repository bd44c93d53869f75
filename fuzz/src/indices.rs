//! The indices by property, beside a map from slot to what is filed there.

use std::collections::{BTreeMap, BTreeSet};

use larder::indices::{IndexError, MultiIndex, SortedIndex, UniqueIndex};

use crate::bytes::Bytes;
use crate::keys::{Id, Objects};

/// The operations of the trial on an index.
trait Subject: Default + Clone {
    const IS_UNIQUE: bool = false;

    fn insert(&mut self, key: Id, property: u16) -> Result<(), IndexError<Id>>;
    fn remove(&mut self, key: Id) -> bool;
    fn with(&self, property: u16) -> Vec<Id>;
    fn property(&self, key: Id) -> Option<u16>;
    fn len(&self) -> usize;
    fn retain_live(&mut self, objects: &Objects);
    fn clear(&mut self);
    fn extend(&mut self, pairs: &[(Id, u16)]) -> Result<(), IndexError<Id>>;
    /// All of it, in any order.
    fn walked(&self) -> Vec<(u16, Id)>;
    fn validate(&self);
    /// Takes the first or the last out, where there is an order.
    fn pop(&mut self, _is_last: bool) -> Option<(u16, Id)> {
        None
    }
    fn remove_all_of(&mut self, property: u16) -> usize {
        self.with(property).into_iter().filter(|&key| self.remove(key)).count()
    }
    /// Compares the functions that only one kind has with all that is filed in order.
    fn check_more(&self, _filed: &BTreeSet<(u16, Id)>, _from: u16, _to: u16) {}
}

macro_rules! same_names {
    () => {
        fn insert(&mut self, key: Id, property: u16) -> Result<(), IndexError<Id>> {
            Self::insert(self, key, property)
        }
        fn property(&self, key: Id) -> Option<u16> {
            Self::property(self, key).copied()
        }
        fn len(&self) -> usize {
            Self::len(self)
        }
        fn retain_live(&mut self, objects: &Objects) {
            Self::retain_live(self, &objects.arena);
        }
        fn clear(&mut self) {
            Self::clear(self);
        }
        fn extend(&mut self, pairs: &[(Id, u16)]) -> Result<(), IndexError<Id>> {
            Self::extend(self, pairs.iter().copied())
        }
        fn validate(&self) {
            Self::validate(self);
        }
    };
}

impl Subject for UniqueIndex<u16, Id> {
    const IS_UNIQUE: bool = true;

    same_names!();
    fn remove(&mut self, key: Id) -> bool {
        Self::remove(self, key).is_some()
    }
    fn with(&self, property: u16) -> Vec<Id> {
        self.get(&property).into_iter().collect()
    }
    fn walked(&self) -> Vec<(u16, Id)> {
        self.iter().map(|(&property, key)| (property, key)).collect()
    }
}

impl Subject for MultiIndex<u16, Id> {
    same_names!();
    fn remove(&mut self, key: Id) -> bool {
        Self::remove(self, key)
    }
    fn with(&self, property: u16) -> Vec<Id> {
        self.get(&property).to_vec()
    }
    fn walked(&self) -> Vec<(u16, Id)> {
        self.iter()
            .flat_map(|(&property, keys)| keys.iter().map(move |&key| (property, key)))
            .collect()
    }
    fn remove_all_of(&mut self, property: u16) -> usize {
        let mut count = 0;
        Self::remove_all_of(self, &property, |_| count += 1);
        count
    }
    fn check_more(&self, filed: &BTreeSet<(u16, Id)>, _from: u16, _to: u16) {
        let properties: BTreeSet<u16> = filed.iter().map(|&(property, _)| property).collect();
        assert_eq!(self.iter().len(), properties.len());
    }
}

impl Subject for SortedIndex<u16, Id> {
    same_names!();
    fn remove(&mut self, key: Id) -> bool {
        Self::remove(self, key)
    }
    fn with(&self, property: u16) -> Vec<Id> {
        self.get(&property).to_vec()
    }
    fn walked(&self) -> Vec<(u16, Id)> {
        self.iter().map(|(&property, key)| (property, key)).collect()
    }
    fn pop(&mut self, is_last: bool) -> Option<(u16, Id)> {
        let end = if is_last { self.last() } else { self.first() };
        let expected = end.map(|(&property, key)| (property, key));
        let popped = if is_last { self.pop_last() } else { self.pop_first() };
        assert_eq!(popped, expected);
        popped
    }
    fn check_more(&self, filed: &BTreeSet<(u16, Id)>, from: u16, to: u16) {
        let walked: Vec<_> = self.iter().map(|(&property, _)| property).collect();
        assert!(walked.is_sorted());
        let mut backwards: Vec<_> = self.iter().rev().collect();
        backwards.reverse();
        assert!(self.iter().eq(backwards));
        assert_eq!(self.first().map(|(&property, _)| property), walked.first().copied());
        assert_eq!(self.last().map(|(&property, _)| property), walked.last().copied());
        if from <= to {
            let found: BTreeSet<_> =
                self.range(from..to).map(|(&property, key)| (property, key)).collect();
            let expected = filed.iter().filter(|(property, _)| (from..to).contains(property));
            assert!(found.iter().eq(expected));
            let mut inclusive: Vec<_> =
                self.range(from..=to).rev().map(|(&property, _)| property).collect();
            inclusive.reverse();
            assert!(inclusive.is_sorted());
            assert_eq!(inclusive.len(), walked.iter().filter(|p| (from..=to).contains(p)).count());
        }
    }
}

/// The filed keys and properties, by slot.
type Filed = BTreeMap<u32, (Id, u16)>;

#[derive(Default)]
struct Trial<X> {
    objects: Objects,
    index: X,
    filed: Filed,
    /// The number of keys with each property.
    counts: BTreeMap<u16, usize>,
    /// Properties are below this.
    range: usize,
}

impl<X: Subject> Trial<X> {
    fn property(&self, bytes: &mut Bytes<'_>) -> u16 {
        bytes.below(self.range) as u16
    }

    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 32 {
            0..=7 => {
                let (key, property) = (self.objects.insert(), self.property(bytes));
                self.insert(key, property);
            }
            8..=13 => {
                if let Some(key) = self.objects.pick(bytes) {
                    let property = self.property(bytes);
                    self.insert(key, property);
                }
            }
            14..=20 => {
                if let Some(key) = self.objects.pick(bytes) {
                    self.remove(key);
                    if bytes.byte() % 2 == 0 {
                        self.objects.arena.remove(key);
                    }
                }
            }
            21 => {
                if let Some(key) = self.objects.pick(bytes) {
                    self.objects.arena.remove(key); // the index is not told
                }
            }
            22 => {
                let property = self.property(bytes);
                let removed = self.index.remove_all_of(property);
                assert_eq!(removed, self.counts.get(&property).copied().unwrap_or(0));
                let slots: Vec<u32> = self
                    .filed
                    .iter()
                    .filter(|(_, filed)| filed.1 == property)
                    .map(|(&slot, _)| slot)
                    .collect();
                slots.into_iter().for_each(|slot| self.forget(slot));
            }
            23 => {
                self.index.retain_live(&self.objects);
                let dead = |filed: &&(Id, u16)| !self.objects.arena.contains_key(filed.0);
                let slots: Vec<u32> =
                    self.filed.values().filter(dead).map(|(key, _)| key.slot()).collect();
                slots.into_iter().for_each(|slot| self.forget(slot));
            }
            24 if bytes.byte() == 0 => {
                self.index.clear();
                (self.filed, self.counts) = Default::default();
            }
            25 | 26 => self.many(bytes),
            27 => self.extend(bytes),
            28..=30 => {
                let count = bytes.byte() % 64;
                let is_last = count % 2 == 0;
                for _ in 0..count {
                    let Some((property, key)) = self.index.pop(is_last) else { break };
                    assert_eq!(self.filed.get(&key.slot()), Some(&(key, property)));
                    self.forget(key.slot());
                }
            }
            _ => self.index = self.index.clone(),
        }
    }

    /// Many objects at once, under one property or under neighbouring ones.
    fn many(&mut self, bytes: &mut Bytes<'_>) {
        let (count, step, first) = (bytes.below(1_500), bytes.below(3), self.property(bytes));
        for at in 0..count {
            let property = (usize::from(first) + at * step) % self.range.max(1);
            let key = self.objects.insert();
            self.insert(key, property as u16);
        }
    }

    fn extend(&mut self, bytes: &mut Bytes<'_>) {
        if bytes.byte() % 2 == 0 {
            // Built at once, where that makes a difference.
            self.index.clear();
            (self.filed, self.counts) = Default::default();
        }
        let count = bytes.below(600);
        let mut pairs = Vec::new();
        for _ in 0..count {
            let key = if bytes.byte() % 4 == 0 { self.objects.pick(bytes) } else { None };
            let key = key.unwrap_or_else(|| self.objects.insert());
            pairs.push((key, self.property(bytes)));
        }
        if bytes.byte() % 2 == 0 {
            pairs.sort_by_key(|&(_, property)| property);
        }
        let expected = pairs.iter().try_for_each(|&(key, property)| self.file(key, property));
        assert_eq!(self.index.extend(&pairs), expected);
    }

    fn insert(&mut self, key: Id, property: u16) {
        let expected = self.file(key, property);
        assert_eq!(self.index.insert(key, property), expected);
    }

    fn remove(&mut self, key: Id) {
        let is_filed = self.filed.get(&key.slot()).is_some_and(|filed| filed.0 == key);
        assert_eq!(self.index.remove(key), is_filed);
        if is_filed {
            self.forget(key.slot());
        }
    }

    /// Files it in the model, or says why not.
    fn file(&mut self, key: Id, property: u16) -> Result<(), IndexError<Id>> {
        if let Some(&(tenant, _)) = self.filed.get(&key.slot()) {
            if tenant.generation() > key.generation() {
                return Err(IndexError::Stale { tenant });
            }
        }
        if X::IS_UNIQUE && self.counts.get(&property).is_some_and(|&count| count > 0) {
            let holder = self.filed.values().find(|filed| filed.1 == property);
            let holder = holder.expect("it is counted").0;
            if holder.slot() != key.slot() {
                return Err(IndexError::Duplicate { holder });
            }
        }
        self.forget(key.slot());
        self.filed.insert(key.slot(), (key, property));
        *self.counts.entry(property).or_default() += 1;
        Ok(())
    }

    fn forget(&mut self, slot: u32) {
        let Some((_, property)) = self.filed.remove(&slot) else { return };
        let count = self.counts.get_mut(&property).expect("it is counted");
        *count -= 1;
        if *count == 0 {
            self.counts.remove(&property);
        }
    }

    fn check(&self, from: u16, to: u16) {
        self.index.validate();
        assert_eq!(self.index.len(), self.filed.len());
        let filed: BTreeSet<_> =
            self.filed.values().map(|&(key, property)| (property, key)).collect();
        let walked = self.index.walked();
        assert_eq!(walked.len(), filed.len());
        assert!(walked.iter().copied().collect::<BTreeSet<_>>() == filed);
        for property in [from, to] {
            let found: BTreeSet<_> = self.index.with(property).into_iter().collect();
            let all = filed.range((property, Id::from_bits(1 << 32).expect("a key"))..);
            let expected: BTreeSet<_> =
                all.take_while(|filed| filed.0 == property).map(|filed| filed.1).collect();
            assert_eq!(found, expected);
            assert_eq!(found.len(), self.counts.get(&property).copied().unwrap_or(0));
        }
        for &key in self.objects.keys.iter().rev().take(50) {
            let expected = self.filed.get(&key.slot()).filter(|filed| filed.0 == key);
            assert_eq!(self.index.property(key), expected.map(|filed| filed.1));
        }
        self.index.check_more(&filed, from, to);
    }
}

fn history<X: Subject>(bytes: &mut Bytes<'_>) {
    let range = [4, 40, 700, 65_536][bytes.below(4)];
    let mut trial = Trial::<X> { range, ..Trial::default() };
    let mut steps = 0;
    while !bytes.is_empty() && steps < 300 && trial.objects.keys.len() < 20_000 {
        trial.step(bytes);
        steps += 1;
        if steps % 8 == 0 || trial.filed.len() < 64 {
            let (from, to) = (trial.property(bytes), trial.property(bytes));
            trial.check(from, to);
        }
    }
    trial.check(0, u16::MAX);
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.byte() % 3 {
        0 => history::<UniqueIndex<u16, Id>>(&mut bytes),
        1 => history::<MultiIndex<u16, Id>>(&mut bytes),
        _ => history::<SortedIndex<u16, Id>>(&mut bytes),
    }
}
