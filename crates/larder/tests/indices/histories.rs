//! Indices that stand alone against a brute-force filter: all short histories, long random ones.

use larder::Arena;
use larder::indices::IndexError;
use std::collections::BTreeSet;

use crate::every::{Boxed, Filed, Id, Places, of_properties};
use larder_testing::choices::Choices;
use larder_testing::common::{deeper, scaled};
use larder_testing::random::random_histories;

/// At borders of cells, between them, far out and beyond everything.
const COORDINATES: [f32; 8] = [0.0, -0.5, 1.0, 2.0, -7.25, 1e12, f32::MAX, f32::MIN];

/// The place of a number: one of 64, or in a row of others.
fn place(number: u32) -> [f32; 2] {
    match number {
        0..64 => [number % 8, number / 8].map(|axis| COORDINATES[axis as usize]),
        _ => [number as f32 * 3.0 - 150.0, 40.0],
    }
}

/// The number of the grid, after those of indices by properties.
const GRID: usize = 3;

/// An index, the objects it is beside, and what was filed, kept naively.
struct Trial {
    objects: Arena<u32>,
    handed_out: Vec<Id>,
    index: Boxed,
    is_unique: bool,
    filed: Filed,
}

impl Trial {
    /// Makes the history of the index with this number.
    fn of(number: usize) -> Self {
        let index = of_properties::<u32>().into_iter().nth(number);
        let index = index.unwrap_or_else(|| Places::boxed(1.0, place));
        let (objects, filed) = (Arena::new(), Filed::new());
        Self { objects, handed_out: Vec::new(), index, is_unique: number == 0, filed }
    }

    /// Files `others` keys more. From some dozens on, queries look into cells instead of at all points.
    fn beside(mut self, others: u32) -> Self {
        for number in 100..100 + others {
            let key = self.objects.insert(0);
            self.insert(key, number);
        }
        self
    }

    /// Does one thing, of ten, to the object and the property that two numbers choose.
    fn step(&mut self, action: usize, which: usize, property: u32) {
        let key = self.handed_out.get(which % self.handed_out.len().max(1)).copied();
        match (action, key) {
            (0, _) => self.handed_out.push(self.objects.insert(property)),
            (_, None) => {}
            (1 | 2, Some(key)) => self.insert(key, property),
            (3, Some(key)) => {
                assert_eq!(self.index.unfile(key), self.filed.remove(&key).is_some());
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
        self.check(property);
    }

    fn insert(&mut self, key: Id, property: u32) {
        let expected = self.file(key, property);
        assert_eq!(self.index.file(key, property), expected);
    }

    /// All keys there ever were, from one of them on, stale ones too, and the first ones again.
    fn extend(&mut self, which: usize, property: u32) {
        if which % 2 == 0 {
            self.index.clear(); // built at once, where that makes a difference
            self.filed.clear();
        }
        let keys = self.handed_out.iter().copied().cycle().skip(which % self.handed_out.len());
        let properties = (0..4).cycle().skip(property as usize);
        let pairs: Vec<_> = keys.zip(properties).take(self.handed_out.len() + 2).collect();
        let expected = pairs.iter().try_for_each(|&(key, property)| self.file(key, property));
        assert_eq!(self.index.file_all(&mut pairs.iter().copied()), expected);
    }

    fn file(&mut self, key: Id, property: u32) -> Result<(), IndexError<Id>> {
        self.expected(key, property)?;
        self.filed.retain(|filed, _| filed.slot() != key.slot());
        self.filed.insert(key, property);
        Ok(())
    }

    fn expected(&self, key: Id, property: u32) -> Result<(), IndexError<Id>> {
        let tenant = self.filed.keys().copied().find(|filed| filed.slot() == key.slot());
        if let Some(tenant) = tenant.filter(|tenant| tenant.generation() > key.generation()) {
            return Err(IndexError::Stale { tenant });
        }
        let holder = self.with(property).find(|holder| holder.slot() != key.slot());
        match holder.filter(|_| self.is_unique) {
            Some(holder) => Err(IndexError::Duplicate { holder }),
            None => Ok(()),
        }
    }

    fn remove_all_of(&mut self, property: u32) {
        let removed = self.index.remove_all_of(property);
        let unique: BTreeSet<_> = removed.iter().copied().collect();
        assert_eq!(unique.len(), removed.len(), "a key was removed twice");
        assert_eq!(unique, self.with(property).collect());
        self.filed.retain(|_, filed| *filed != property);
    }

    /// The brute-force filter.
    fn with(&self, property: u32) -> impl Iterator<Item = Id> {
        self.filed.iter().filter(move |(_, filed)| **filed == property).map(|(&key, _)| key)
    }

    fn check(&self, property: u32) {
        self.index.validate();
        self.index.check(&self.filed, property);
        assert_eq!(self.index.len(), self.filed.len());
        for property in 0..4 {
            let found: BTreeSet<_> = self.index.with(property).into_iter().collect();
            assert_eq!(found, self.with(property).collect());
        }
        for &key in &self.handed_out {
            let filed = self.filed.get(&key);
            assert_eq!(self.index.contains(key), filed.is_some());
            assert!(filed.is_none_or(|&property| self.index.has(key, property)));
        }
    }
}

/// Runs all short histories of two objects and two properties, or three places: two in one cell, one elsewhere.
/// (Keys are filed at once, and taken from an end, in the third step only, or these were too many.)
fn short_histories(number: usize) {
    let properties: &[u32] = if number == GRID { &[1, 0, 6] } else { &[1, 0] };
    let mut choices = Choices::default();
    loop {
        let mut trial = Trial::of(number);
        let first = trial.objects.insert(0);
        trial.handed_out.push(first);
        for step in 0..deeper(3, 2) {
            let action = choices.below(if step == 2 { 10 } else { 8 });
            let which = if matches!(action, 1 | 3 | 4 | 9) { choices.below(2) } else { 0 };
            let at = if matches!(action, 1 | 5) { choices.below(properties.len()) } else { 0 };
            trial.step(action, which, properties[at]);
        }
        if !choices.advance() {
            break;
        }
    }
}

fn random_history(number: usize, steps: &[u64]) {
    let (others, properties) = if number == GRID { (70, 64) } else { (0, 4) };
    let mut trial = Trial::of(number).beside(others);
    for &step in steps {
        // Mostly insertions and removals.
        let action = match step % 68 {
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
        trial.step(action, (step >> 8) as usize & 0xFFFF, (step >> 24) as u32 % properties);
    }
}

#[test]
fn short() {
    (0..=GRID).for_each(short_histories);
}

#[test]
fn random() {
    random_histories(scaled(200, 40), &|_, steps| {
        (0..=GRID).for_each(|number| random_history(number, steps));
    });
}
