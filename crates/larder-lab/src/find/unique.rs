//! Objects with a unique property: found by it, and removed by their keys.

use std::collections::hash_map::{Entry, HashMap};

use larder::{Arena, indices::UniqueIndex};

use super::Key;
use crate::study::prelude::*;

/// From this many objects on, brute force takes too long.
const LONG: usize = 100_000;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("unique", &[1_000, 10_000, 100_000], NEVER_SLOW, |contest| {
        let plan = &Plan::new(contest.count);
        let mut all = vec![
            works::<Table<RandomState>>(plan),
            works::<Table<Foldhash>>(plan),
            works::<BothWays>(plan),
            works::<UniqueIndex<u64, Key>>(plan),
        ];
        if contest.count < LONG {
            all.push(works::<BruteForce>(plan));
        }
        contest.measure(all)
    })
}

subjects! { ($) holders:
    /// One object under each property. (All of it is inlined: otherwise some are called, and others not, by
    /// which part of the program the compiler puts them into.)
    trait Holders: Default {
        /// Puts an object under its property unless another has it; returns whether it did.
        fn insert(&mut self, key: Key, property: u64) -> bool;
        fn find(&self, property: u64) -> Option<Key>;
        fn remove(&mut self, key: Key, property: u64);
    }
}

holders! { UniqueIndex<u64, Key>, "UniqueIndex";
    fn insert(&mut self, key, property) { self.insert(key, property).is_ok() }
    fn find(&self, property) { self.get(&property) }
    fn remove(&mut self, key, _property) { self.remove(key); }
}

/// Keys by property: removing an object takes its property.
#[derive(Default)]
struct Table<S>(HashMap<u64, Key, S>);

holders! { Table<S>, if S::IS_FOLDHASH { "HashMap, foldhash" } else { "HashMap" }, [S: Hasher];
    fn insert(&mut self, key, property) {
        let Entry::Vacant(place) = self.0.entry(property) else {
            return false;
        };
        place.insert(key);
        true
    }
    fn find(&self, property) { self.0.get(&property).copied() }
    fn remove(&mut self, key, property) {
        let removed = self.0.remove(&property);
        debug_assert_eq!(removed, Some(key));
    }
}

/// Keys by property and properties by key, so that a key is enough to remove an object, as in the index.
#[derive(Default)]
struct BothWays {
    keys: Table<Foldhash>,
    properties: HashMap<Key, u64, Foldhash>,
}

holders! { BothWays, "HashMap both ways, foldhash";
    fn insert(&mut self, key, property) {
        let is_new = self.keys.insert(key, property);
        if is_new {
            self.properties.insert(key, property);
        }
        is_new
    }
    fn find(&self, property) { self.keys.find(property) }
    fn remove(&mut self, key, _property) {
        if let Some(property) = self.properties.remove(&key) {
            self.keys.remove(key, property);
        }
    }
}

/// All objects are compared.
#[derive(Default)]
struct BruteForce(Vec<(u64, Key)>);

holders! { BruteForce, "brute force";
    fn insert(&mut self, key, property) {
        let is_new = self.find(property).is_none();
        if is_new {
            self.0.push((property, key));
        }
        is_new
    }
    fn find(&self, property) { self.0.iter().find(|held| held.0 == property).map(|held| held.1) }
    fn remove(&mut self, key, _property) {
        if let Some(position) = self.0.iter().position(|held| held.1 == key) {
            self.0.swap_remove(position);
        }
    }
}

/// Random properties, the same for every subject.
struct Plan {
    objects: Vec<(Key, u64)>,
    /// Properties to look up, in random order.
    held: Vec<u64>,
    /// Properties that no object has.
    free: Vec<u64>,
    removals: Vec<usize>,
}

impl Plan {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x0171_90E5);
        let mut arena = Arena::new();
        // Objects have odd properties; the even ones are free.
        let objects: Vec<(Key, u64)> =
            (0..count).map(|_| (arena.insert(0), random.next() | 1)).collect();
        let held = Scatter::new(count, 0xA5C).map(|object| objects[object].1).collect();
        let free = (0..count).map(|_| random.next() & !1).collect();
        let removals = Scatter::new(count, 0x2E5).collect();
        Self { objects, held, free, removals }
    }
}

fn works<H: Holders + 'static>(plan: &Plan) -> Turns<'_> {
    let count = plan.objects.len();
    Works::filled(H::NAME, |all| _ = insert(all, plan), |all: &H| find(all, &plan.held))
        .on("insert", "an object under its property, from nothing on")
        .filling(count, |_, all| insert(all, plan))
        .on("hit", "the object with a property")
        .reading(plan.held.len(), |all| find(all, &plan.held))
        .on("miss", "that there is no object with a property")
        .reading(plan.free.len(), |all| find(all, &plan.free))
        .on("remove", "an object, in random order until nothing is left")
        .changing(count, |_, all| remove_each(all, plan))
        .on("bytes", "bytes an object, as an allocator is asked for them")
        .bytes(count)
        .done()
}

#[inline(never)]
fn insert<H: Holders>(holders: &mut H, plan: &Plan) -> u64 {
    let refused = plan.objects.iter().filter(|&&(key, property)| !holders.insert(key, property));
    refused.count() as u64
}

#[inline(never)]
fn find<H: Holders>(holders: &H, asked: &[u64]) -> u64 {
    let found = asked.iter().map(|&property| holders.find(property).map_or(1, Key::to_bits));
    found.fold(0, |digest, bits| digest.rotate_left(5) ^ bits)
}

#[inline(never)]
fn remove_each<H: Holders>(holders: &mut H, plan: &Plan) {
    for &object in &plan.removals {
        let (key, property) = plan.objects[object];
        holders.remove(key, property);
    }
}
