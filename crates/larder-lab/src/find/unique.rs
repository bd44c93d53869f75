//! Objects with a unique property: found by it, and removed by their keys.

use std::collections::hash_map::{Entry, HashMap};

use larder::{Arena, Handle, indices::UniqueIndex};

use crate::study::hashers::{Foldhash, Hasher, RandomState};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "unique";
/// The number of objects.
pub(crate) const COUNTS: &[usize] = &[1_000, 10_000, 100_000];
/// From this many objects on, brute force takes too long.
const LONG: usize = 100_000;

jobs! {
    Insert = "insert", "an object under its property, from nothing on";
    Hit = "hit", "the object with a property";
    Miss = "miss", "that there is no object with a property";
    Remove = "remove", "an object, in random order until nothing is left";
    Bytes = "bytes", "bytes an object, as an allocator is asked for them";
}

pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count);
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): Table<RandomState>, Table<Foldhash>, BothWays, UniqueIndex<u64, Key>
    ];
    if contest.count < LONG {
        all.push((BruteForce::NAME, Box::new(Bench::<BruteForce>::new(plan))));
    }
    contest.measure_all(&mut all)
}

type Key = Handle<u8>;
/// One object under each property. (All of it is inlined: otherwise some are called, and others not, by which part of the
/// program the compiler puts them into.)
trait Holders: Default {
    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// Puts an object under its property unless another has it; returns whether it did.
    fn insert(&mut self, key: Key, property: u64) -> bool;

    fn find(&self, property: u64) -> Option<Key>;

    fn remove(&mut self, key: Key, property: u64);
}

impl Holders for UniqueIndex<u64, Key> {
    const NAME: &'static str = "UniqueIndex";

    #[inline(always)]
    fn insert(&mut self, key: Key, property: u64) -> bool {
        self.insert(key, property).is_ok()
    }

    #[inline(always)]
    fn find(&self, property: u64) -> Option<Key> {
        self.get(&property)
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, _property: u64) {
        self.remove(key);
    }
}

/// Keys by property: removing an object takes its property.
#[derive(Default)]
struct Table<S>(HashMap<u64, Key, S>);

impl<S: Hasher> Holders for Table<S> {
    const NAME: &'static str = if S::IS_FOLDHASH { "HashMap, foldhash" } else { "HashMap" };

    #[inline(always)]
    fn insert(&mut self, key: Key, property: u64) -> bool {
        let Entry::Vacant(place) = self.0.entry(property) else {
            return false;
        };
        place.insert(key);
        true
    }

    #[inline(always)]
    fn find(&self, property: u64) -> Option<Key> {
        self.0.get(&property).copied()
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, property: u64) {
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

impl Holders for BothWays {
    const NAME: &'static str = "HashMap both ways, foldhash";

    #[inline(always)]
    fn insert(&mut self, key: Key, property: u64) -> bool {
        let is_new = self.keys.insert(key, property);
        if is_new {
            self.properties.insert(key, property);
        }
        is_new
    }

    #[inline(always)]
    fn find(&self, property: u64) -> Option<Key> {
        self.keys.find(property)
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, _property: u64) {
        if let Some(property) = self.properties.remove(&key) {
            self.keys.remove(key, property);
        }
    }
}

/// All objects are compared.
#[derive(Default)]
struct BruteForce(Vec<(u64, Key)>);

impl Holders for BruteForce {
    const NAME: &'static str = "brute force";

    #[inline(always)]
    fn insert(&mut self, key: Key, property: u64) -> bool {
        let is_new = self.find(property).is_none();
        if is_new {
            self.0.push((property, key));
        }
        is_new
    }

    #[inline(always)]
    fn find(&self, property: u64) -> Option<Key> {
        self.0.iter().find(|held| held.0 == property).map(|held| held.1)
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, _property: u64) {
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

/// A full table.
struct Bench<'a, H: Holders> {
    plan: &'a Plan,
    full: H,
}

impl<'a, H: Holders> Bench<'a, H> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, full: inserted(plan) }
    }
}

fn inserted<H: Holders>(plan: &Plan) -> H {
    let mut holders = H::default();
    insert(&mut holders, plan);
    holders
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

impl<H: Holders> Contestant<Job> for Bench<'_, H> {
    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let plan = self.plan;
        let count = plan.objects.len();
        let full = || inserted::<H>(plan);
        let afterwards = |holders: &H| find(holders, &plan.held);
        match job {
            Job::Insert => {
                let answer = |holders: &H, &refused: &u64| refused ^ afterwards(holders);
                consuming(count, repeats, H::default, |all| insert(all, plan), answer)
            }
            Job::Hit => reading(&self.full, plan.held.len(), repeats, |all| find(all, &plan.held)),
            Job::Miss => reading(&self.full, plan.free.len(), repeats, |all| find(all, &plan.free)),
            Job::Remove => {
                let work = |all: &mut H| remove_each(all, plan);
                consuming(count, repeats, full, work, |all, ()| afterwards(all))
            }
            Job::Bytes => {
                let (all, bytes) = bytes_kept_by(full);
                counting(bytes, count, afterwards(&all))
            }
        }
    }
}
