//! Groups of keys against a brute-force filter: all short histories, long random ones.

use larder::{Arena, Handle, IndexError, MultiIndex};
use proptest::prelude::{ProptestConfig, any};
use proptest::{collection, proptest};
use std::collections::{BTreeMap, BTreeSet};

use crate::choices::{Choices, cases};

type Id = Handle<u8>;

/// An index, the objects it is beside, and what was filed, kept naively.
#[derive(Default)]
struct Trial {
    objects: Arena<u8>,
    handed_out: Vec<Id>,
    index: MultiIndex<u8, Id>,
    filed: BTreeMap<Id, u8>,
}

impl Trial {
    /// Does one thing, of eight, to the object and the property that two numbers choose.
    fn step(&mut self, action: usize, which: usize, property: u8) {
        let key = self.handed_out.get(which % self.handed_out.len().max(1)).copied();
        match (action, key) {
            (0, _) => self.handed_out.push(self.objects.insert(property)),
            (_, None) => {}
            (1 | 2, Some(key)) => self.insert(key, property),
            (3, Some(key)) => {
                assert_eq!(self.index.remove(key), self.filed.remove(&key).is_some());
            }
            (4, Some(key)) => {
                self.objects.remove(key); // the index is not told
            }
            (5, _) => self.remove_all_of(property),
            (6, _) => {
                self.index.retain_live(&self.objects);
                self.filed.retain(|&key, _| self.objects.contains_key(key));
            }
            _ => {
                self.index.clear();
                self.filed.clear();
            }
        }
        self.check();
    }

    fn insert(&mut self, key: Id, property: u8) {
        let tenant = self.filed.keys().copied().find(|filed| filed.slot() == key.slot());
        let later = tenant.filter(|tenant| tenant.generation() > key.generation());
        let expected = later.map_or(Ok(()), |tenant| Err(IndexError::Stale { tenant }));
        assert_eq!(self.index.insert(key, property), expected);
        if expected.is_ok() {
            self.filed.retain(|filed, _| filed.slot() != key.slot());
            self.filed.insert(key, property);
        }
    }

    fn remove_all_of(&mut self, property: u8) {
        let mut told = BTreeSet::new();
        self.index.remove_all_of(&property, |key| assert!(told.insert(key), "{key} told twice"));
        let expected: BTreeSet<_> = self.with(property).collect();
        assert_eq!(told, expected);
        self.filed.retain(|_, filed| *filed != property);
    }

    fn with(&self, property: u8) -> impl Iterator<Item = Id> {
        self.filed.iter().filter(move |(_, filed)| **filed == property).map(|(&key, _)| key)
    }

    fn check(&self) {
        self.index.validate();
        assert_eq!(self.index.len(), self.filed.len());
        for property in 0..4 {
            let found: BTreeSet<_> = self.index.get(&property).iter().copied().collect();
            assert_eq!(found, self.with(property).collect());
            assert_eq!(self.index.len_of(&property), found.len());
            assert_eq!(self.index.first(&property).is_some(), !found.is_empty());
        }
        for &key in &self.handed_out {
            assert_eq!(self.index.property(key), self.filed.get(&key));
        }
        let properties: BTreeSet<_> = self.filed.values().collect();
        assert_eq!(self.index.property_count(), properties.len(), "a property that nobody has");
        let walked: usize = self.index.iter().map(|(_, keys)| keys.len()).sum();
        assert_eq!(walked, self.filed.len());
    }
}

#[test]
fn short_histories() {
    let mut choices = Choices::default();
    loop {
        let mut trial = Trial::default();
        let first = trial.objects.insert(0);
        trial.handed_out.push(first);
        for _ in 0..crate::common::scaled(4, 2) {
            let action = choices.below(8);
            let which = if matches!(action, 1 | 3 | 4) { choices.below(2) } else { 0 };
            let property = if matches!(action, 1 | 2 | 5) { choices.below(2) as u8 } else { 0 };
            trial.step(action, which, property);
        }
        if !choices.advance() {
            break;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 1 } else { cases() },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_histories(
        steps in collection::vec((0..64_usize, any::<usize>(), 0..4_u8), 0..crate::common::scaled(300, 40))
    ) {
        let mut trial = Trial::default();
        for (action, which, property) in steps {
            // Mostly insertions and removals.
            let action = match action { 0..=15 => 0, 16..=40 => 1, 41..=52 => 3, 53..=59 => 4, 60 | 61 => 5, 62 => 6, _ => 7 };
            trial.step(action, which, property);
        }
    }
}
