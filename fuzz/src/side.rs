//! Maps of side data, and joins over them, beside a map from slot to entry.

use std::collections::BTreeMap;

use larder::maps::SparseSecondaryMap;
use larder::{SecondaryMap, join};

use crate::bytes::Bytes;
use crate::keys::{Id, Objects};

type Filed = BTreeMap<u32, (Id, String)>;

#[derive(Default)]
struct Trial {
    objects: Objects,
    dense: SecondaryMap<Id, String>,
    sparse: SparseSecondaryMap<Id, String>,
    filed: Filed,
    next: u32,
}

impl Trial {
    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 32 {
            0..=5 => {
                self.objects.insert();
            }
            6 => {
                for _ in 0..bytes.byte() {
                    self.objects.insert();
                }
            }
            7..=15 => {
                if let Some(key) = self.objects.pick(bytes) {
                    self.insert(key);
                }
            }
            16..=21 => {
                if let Some(key) = self.objects.pick(bytes) {
                    let filed = self.filed.get(&key.slot()).filter(|filed| filed.0 == key);
                    let expected = filed.map(|filed| filed.1.clone());
                    if expected.is_some() {
                        self.filed.remove(&key.slot());
                    }
                    assert_eq!(self.dense.remove(key), expected);
                    assert_eq!(self.sparse.remove(key), expected);
                }
            }
            22..=24 => {
                if let Some(key) = self.objects.pick(bytes) {
                    self.objects.arena.remove(key);
                }
            }
            25 => {
                self.dense.retain_live(&self.objects.arena);
                self.sparse.retain_live(&self.objects.arena);
                self.filed.retain(|_, filed| self.objects.arena.contains_key(filed.0));
            }
            26 => {
                let bit = bytes.byte() % 8;
                let keep = |key: Id| key.slot() >> bit & 1 == 0;
                self.dense.retain(|key, _| keep(key));
                self.sparse.retain(|key, _| keep(key));
                self.filed.retain(|_, filed| keep(filed.0));
            }
            27 => {
                self.dense.shrink_to_fit();
                self.sparse.shrink_to_fit();
            }
            28 if bytes.byte() % 8 == 0 => {
                self.dense.clear();
                self.sparse.clear();
                self.filed.clear();
            }
            29 => (self.dense, self.sparse) = (self.dense.clone(), self.sparse.clone()),
            30 => {
                let bit = bytes.byte() % 8;
                let goes = |key: Id| key.slot() >> bit & 1 == 0;
                let mut out: Vec<_> = self.dense.extract_if(|key, _| goes(key)).collect();
                let mut also: Vec<_> = self.sparse.extract_if(|key, _| goes(key)).collect();
                out.sort();
                also.sort();
                assert_eq!(out, also);
                assert_eq!(out.len(), self.filed.values().filter(|filed| goes(filed.0)).count());
                self.filed.retain(|_, filed| !goes(filed.0));
            }
            _ => {
                if let Some(key) = self.objects.pick(bytes) {
                    if let Some(text) = self.dense.get_mut(key) {
                        text.push('!');
                        self.sparse.get_mut(key).expect("it is in both").push('!');
                        self.filed.get_mut(&key.slot()).expect("it is in the model").1.push('!');
                    }
                }
            }
        }
    }

    fn insert(&mut self, key: Id) {
        self.next += 1;
        let value = self.next.to_string();
        let tenant = self.filed.get(&key.slot()).cloned();
        let is_stale =
            tenant.as_ref().is_some_and(|tenant| tenant.0.generation() > key.generation());
        let dense = self.dense.try_insert(key, value.clone());
        let sparse = self.sparse.try_insert(key, value.clone());
        if is_stale {
            assert!(dense.is_err() && sparse.is_err());
            return;
        }
        let before = tenant.filter(|tenant| tenant.0 == key).map(|tenant| tenant.1);
        assert_eq!(dense.expect("there is memory"), before);
        assert_eq!(sparse.expect("there is memory"), before);
        self.filed.insert(key.slot(), (key, value));
    }

    fn check(&self) {
        self.dense.validate();
        self.sparse.validate();
        assert_eq!((self.dense.len(), self.sparse.len()), (self.filed.len(), self.filed.len()));
        assert!(self.dense.iter().eq(self.filed.values().map(|(key, value)| (*key, value))));
        let mut sparse: Vec<_> = self.sparse.iter().collect();
        sparse.sort();
        assert!(sparse.into_iter().eq(self.filed.values().map(|(key, value)| (*key, value))));
        for &key in self.objects.keys.iter().rev().take(60) {
            let expected =
                self.filed.get(&key.slot()).filter(|filed| filed.0 == key).map(|filed| &filed.1);
            assert_eq!((self.dense.get(key), self.sparse.get(key)), (expected, expected));
        }
        let live = |key: &Id| self.objects.arena.contains_key(*key);
        let expected: Vec<Id> = self.filed.values().map(|filed| filed.0).filter(live).collect();
        let joined: Vec<Id> =
            join((&self.objects.arena, &self.dense)).map(|(key, _)| key).collect();
        assert_eq!(joined, expected);
        let mut joined: Vec<Id> =
            join((&self.objects.arena, &self.sparse)).map(|(key, _)| key).collect();
        joined.sort();
        assert_eq!(joined, expected);
        let mut all: Vec<Id> =
            join((&self.objects.arena, &self.dense, &self.sparse)).map(|(key, _)| key).collect();
        all.sort();
        assert_eq!(all, expected);
    }
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut trial = Trial::default();
    let mut steps = 0;
    while !bytes.is_empty() && steps < 600 {
        trial.step(&mut bytes);
        steps += 1;
        if steps % 8 == 0 {
            trial.check();
        }
    }
    trial.check();
}
