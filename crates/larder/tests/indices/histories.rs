//! Indices that stand alone against a brute-force filter: all short histories, long random ones.

use larder::{
    Arena, Handle,
    indices::{IndexError, MultiIndex, SortedIndex, UniqueIndex},
};
use proptest::prelude::{ProptestConfig, any};
use proptest::{collection, proptest};
use std::collections::{BTreeMap, BTreeSet};

use larder_testing::choices::{Choices, cases};
use larder_testing::common::{deeper, scaled};

type Id = Handle<u8>;
type Filed = BTreeMap<Id, u8>;

/// The operations of the trial on an index.
trait Subject: Default {
    const IS_UNIQUE: bool = false;

    fn insert(&mut self, key: Id, property: u8) -> Result<(), IndexError<Id>>;
    fn remove(&mut self, key: Id) -> bool;
    fn with(&self, property: u8) -> Vec<Id>;
    fn property(&self, key: Id) -> Option<u8>;
    fn len(&self) -> usize;
    fn retain_live(&mut self, of: &Arena<u8>);
    fn clear(&mut self);
    /// Whatever else it can do, and what must hold.
    fn check(&self, filed: &Filed);
    fn extend(&mut self, pairs: &[(Id, u8)]) -> Result<(), IndexError<Id>>;
    /// Takes the first or the last out, where there is an order.
    fn pop(&mut self, _is_last: bool) -> Option<(u8, Id)> {
        None
    }
    /// Takes all keys with a property out, where it can.
    fn remove_all_of(&mut self, property: u8) -> Vec<Id> {
        self.with(property).into_iter().filter(|&key| self.remove(key)).collect()
    }
}

/// The methods that have the same names.
macro_rules! same_names {
    () => {
        fn insert(&mut self, key: Id, property: u8) -> Result<(), IndexError<Id>> {
            Self::insert(self, key, property)
        }
        fn property(&self, key: Id) -> Option<u8> {
            Self::property(self, key).copied()
        }
        fn len(&self) -> usize {
            Self::len(self)
        }
        fn retain_live(&mut self, of: &Arena<u8>) {
            Self::retain_live(self, of);
        }
        fn clear(&mut self) {
            Self::clear(self);
        }
        fn extend(&mut self, pairs: &[(Id, u8)]) -> Result<(), IndexError<Id>> {
            Self::extend(self, pairs.iter().copied())
        }
    };
}

fn in_order(filed: &Filed) -> BTreeSet<(u8, Id)> {
    filed.iter().map(|(&key, &property)| (property, key)).collect()
}

impl Subject for UniqueIndex<u8, Id> {
    const IS_UNIQUE: bool = true;

    same_names!();
    fn remove(&mut self, key: Id) -> bool {
        Self::remove(self, key).is_some()
    }
    fn with(&self, property: u8) -> Vec<Id> {
        self.get(&property).into_iter().collect()
    }
    fn check(&self, filed: &Filed) {
        self.validate();
        let walked: BTreeSet<_> = self.iter().map(|(&property, key)| (property, key)).collect();
        assert_eq!(walked, in_order(filed));
    }
}

impl Subject for MultiIndex<u8, Id> {
    same_names!();
    fn remove(&mut self, key: Id) -> bool {
        Self::remove(self, key)
    }
    fn with(&self, property: u8) -> Vec<Id> {
        self.get(&property).to_vec()
    }
    fn remove_all_of(&mut self, property: u8) -> Vec<Id> {
        let mut told = Vec::new();
        Self::remove_all_of(self, &property, |key| told.push(key));
        told
    }
    fn check(&self, filed: &Filed) {
        self.validate();
        let each =
            self.iter().flat_map(|(&property, keys)| keys.iter().map(move |&key| (property, key)));
        assert_eq!(each.collect::<BTreeSet<_>>(), in_order(filed));
        let properties: BTreeSet<_> = filed.values().collect();
        assert_eq!(self.iter().len(), properties.len(), "a property without a key");
    }
}

impl Subject for SortedIndex<u8, Id> {
    same_names!();
    fn remove(&mut self, key: Id) -> bool {
        Self::remove(self, key)
    }
    fn with(&self, property: u8) -> Vec<Id> {
        self.get(&property).to_vec()
    }
    fn pop(&mut self, is_last: bool) -> Option<(u8, Id)> {
        let first = if is_last { self.last() } else { self.first() };
        let expected = first.map(|(&property, key)| (property, key));
        let popped = if is_last { self.pop_last() } else { self.pop_first() };
        assert_eq!(popped, expected);
        popped
    }
    fn check(&self, filed: &Filed) {
        self.validate();
        let properties: Vec<_> = self.iter().map(|(&property, _)| property).collect();
        assert!(properties.is_sorted());
        let mut backwards: Vec<_> = self.iter().rev().collect();
        backwards.reverse();
        assert!(self.iter().eq(backwards));
        assert_eq!(self.first().map(|(&property, _)| property), filed.values().min().copied());
        assert_eq!(self.last().map(|(&property, _)| property), filed.values().max().copied());
        for (from, to) in [(0, 0), (0, 2), (1, 2), (1, 4), (0, 4)] {
            let found: BTreeSet<_> = self.range(from..to).map(|(&p, key)| (p, key)).collect();
            let mut expected = in_order(filed);
            expected.retain(|(property, _)| (from..to).contains(property));
            assert_eq!(found, expected);
        }
    }
}

/// An index, the objects it is beside, and what was filed, kept naively.
#[derive(Default)]
struct Trial<X> {
    objects: Arena<u8>,
    handed_out: Vec<Id>,
    index: X,
    filed: Filed,
}

impl<X: Subject> Trial<X> {
    /// Does one thing, of ten, to the object and the property that two numbers choose.
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
            (7, _) => {
                self.index.clear();
                self.filed.clear();
            }
            (8, _) => self.extend(which, property),
            _ => {
                if let Some((property, key)) = self.index.pop(which % 2 == 0) {
                    assert_eq!(self.filed.remove(&key), Some(property));
                }
            }
        }
        self.check();
    }

    fn insert(&mut self, key: Id, property: u8) {
        let expected = self.file(key, property);
        assert_eq!(self.index.insert(key, property), expected);
    }

    /// All keys there ever were, from one of them on, stale ones too, and the first ones again.
    fn extend(&mut self, which: usize, property: u8) {
        if which % 2 == 0 {
            self.index.clear(); // built at once, where that makes a difference
            self.filed.clear();
        }
        let keys = self.handed_out.iter().copied().cycle().skip(which % self.handed_out.len());
        let properties = (0..4).cycle().skip(property.into());
        let pairs: Vec<_> = keys.zip(properties).take(self.handed_out.len() + 2).collect();
        let expected = pairs.iter().try_for_each(|&(key, property)| self.file(key, property));
        assert_eq!(self.index.extend(&pairs), expected);
    }

    fn file(&mut self, key: Id, property: u8) -> Result<(), IndexError<Id>> {
        self.expected(key, property)?;
        self.filed.retain(|filed, _| filed.slot() != key.slot());
        self.filed.insert(key, property);
        Ok(())
    }

    fn expected(&self, key: Id, property: u8) -> Result<(), IndexError<Id>> {
        let tenant = self.filed.keys().copied().find(|filed| filed.slot() == key.slot());
        if let Some(tenant) = tenant.filter(|tenant| tenant.generation() > key.generation()) {
            return Err(IndexError::Stale { tenant });
        }
        let holder = self.with(property).find(|holder| holder.slot() != key.slot());
        match holder.filter(|_| X::IS_UNIQUE) {
            Some(holder) => Err(IndexError::Duplicate { holder }),
            None => Ok(()),
        }
    }

    fn remove_all_of(&mut self, property: u8) {
        let removed = self.index.remove_all_of(property);
        let unique: BTreeSet<_> = removed.iter().copied().collect();
        assert_eq!(unique.len(), removed.len(), "a key was removed twice");
        assert_eq!(unique, self.with(property).collect());
        self.filed.retain(|_, filed| *filed != property);
    }

    /// The brute-force filter.
    fn with(&self, property: u8) -> impl Iterator<Item = Id> {
        self.filed.iter().filter(move |(_, filed)| **filed == property).map(|(&key, _)| key)
    }

    fn check(&self) {
        self.index.check(&self.filed);
        assert_eq!(self.index.len(), self.filed.len());
        for property in 0..4 {
            let found: BTreeSet<_> = self.index.with(property).into_iter().collect();
            assert_eq!(found, self.with(property).collect());
        }
        for &key in &self.handed_out {
            assert_eq!(self.index.property(key), self.filed.get(&key).copied());
        }
    }
}

/// All histories of so many steps, on two objects and two properties. (Keys are filed at once, and taken from
/// an end, in the third step only, or these were too many.)
fn short_histories<X: Subject>() {
    let mut choices = Choices::default();
    loop {
        let mut trial = Trial::<X>::default();
        let first = trial.objects.insert(0);
        trial.handed_out.push(first);
        for step in 0..deeper(3, 2) {
            let action = choices.below(if step == 2 { 10 } else { 8 });
            let which = if matches!(action, 1 | 3 | 4 | 9) { choices.below(2) } else { 0 };
            let property = if matches!(action, 1 | 5) { choices.below(2) as u8 } else { 1 };
            trial.step(action, which, property);
        }
        if !choices.advance() {
            break;
        }
    }
}

fn random_history<X: Subject>(steps: &[(usize, usize, u8)]) {
    let mut trial = Trial::<X>::default();
    for &(action, which, property) in steps {
        // Mostly insertions and removals.
        let action = match action {
            0..=15 => 0,
            16..=40 => 1,
            41..=52 => 3,
            53..=59 => 4,
            60 | 61 => 5,
            62 => 6,
            63 => 7,
            64 => 8,
            _ => 9,
        };
        trial.step(action, which, property);
    }
}

macro_rules! histories {
    ($name:ident, $Index:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn short() {
                short_histories::<$Index>();
            }

            proptest! {
                #![proptest_config(ProptestConfig {
                    cases: if cfg!(miri) { 1 } else { cases() },
                    failure_persistence: None,
                    ..ProptestConfig::default()
                })]

                #[test]
                fn random(
                    steps in collection::vec((0..68_usize, any::<usize>(), 0..4_u8), 0..scaled(200, 40))
                ) {
                    random_history::<$Index>(&steps);
                }
            }
        }
    };
}

histories!(unique, UniqueIndex<u8, Id>);
histories!(multi, MultiIndex<u8, Id>);
histories!(sorted, SortedIndex<u8, Id>);
