//! Objects in the order of a property: found by ranges of it.
#![expect(clippy::std_instead_of_alloc, reason = "the lab has a module `alloc` of its own")]

use std::collections::btree_map::{BTreeMap, Entry};

use anyhow::Result;
use indicatif::ProgressBar;
use larder::{Arena, Handle, indices::SortedIndex};

use crate::compare::clock::Sample;
use crate::compare::random::{Random, Scatter};
use crate::study::{Contestant, Method, Part, Row, Workload, consuming, measure_all, reading};

/// The name of the study.
pub(crate) const NAME: &str = "ordered";
/// How many objects there are.
const COUNTS: &[usize] = &[1_000, 100_000];
/// Ranges that are asked for in a pass; each has a hundredth of the properties.
const RANGES: usize = 100;

/// What is done with the objects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Job {
    Add,
    Find,
    Range,
    Walk,
    PopFirst,
    Remove,
}

pub(crate) const JOBS: [Job; 6] =
    [Job::Add, Job::Find, Job::Range, Job::Walk, Job::PopFirst, Job::Remove];

impl Workload for Job {
    fn describe(self) -> (String, &'static str) {
        let (name, about) = match self {
            Self::Add => ("add", "an object under its property, from nothing on"),
            Self::Find => ("find", "the objects with one property"),
            Self::Range => ("range", "an object that is found in a range of properties"),
            Self::Walk => ("walk", "all objects in order"),
            Self::PopFirst => ("pop_first", "the first object, until nothing is left"),
            Self::Remove => ("remove", "an object, in random order until nothing is left"),
        };
        (name.to_owned(), about)
    }
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    COUNTS.iter().map(|&count| {
        Part::new(NAME, count, move |method, progress| measure(count, method, progress))
    })
}

/// Measures everything with so many objects.
fn measure(count: usize, method: Method, progress: &ProgressBar) -> Result<Vec<Row>> {
    let plan = &Plan::new(count);
    let mut all: Vec<Box<dyn Contestant<Job> + '_>> = vec![
        Box::new(Bench::<BTreeMap<u32, Vec<Key>>>::new(plan)),
        Box::new(Bench::<SortedIndex<u32, Key>>::new(plan)),
    ];
    measure_all(NAME, count, &JOBS, &mut all, method, progress)
}

type Key = Handle<u8>;

/// Objects in order of a property. What is timed is their own code, never a virtual call.
trait Sorted: Default {
    /// The name in tables and in JSON.
    const NAME: &'static str;

    fn add(&mut self, key: Key, property: u32);

    fn find(&self, property: u32) -> &[Key];

    /// The objects whose property is not below the one and below the other.
    fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key>;

    /// Takes the first away: of those with the least property, any.
    fn pop_first(&mut self) -> Option<u32>;

    fn remove(&mut self, key: Key, property: u32);
}

impl Sorted for SortedIndex<u32, Key> {
    const NAME: &'static str = "SortedIndex";

    fn add(&mut self, key: Key, property: u32) {
        self.insert(key, property).expect("the key is live");
    }

    fn find(&self, property: u32) -> &[Key] {
        self.get(&property)
    }

    fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key> {
        self.range(from..to).map(|(_, key)| key)
    }

    fn pop_first(&mut self) -> Option<u32> {
        self.pop_first().map(|(property, _)| property)
    }

    fn remove(&mut self, key: Key, _property: u32) {
        self.remove(key);
    }
}

impl Sorted for BTreeMap<u32, Vec<Key>> {
    const NAME: &'static str = "BTreeMap of Vec";

    fn add(&mut self, key: Key, property: u32) {
        self.entry(property).or_default().push(key);
    }

    fn find(&self, property: u32) -> &[Key] {
        self.get(&property).map_or(&[], Vec::as_slice)
    }

    fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key> {
        self.range(from..to).flat_map(|(_, keys)| keys.iter().copied())
    }

    fn pop_first(&mut self) -> Option<u32> {
        let mut first = self.first_entry()?;
        first.get_mut().pop();
        let property = *first.key();
        if first.get().is_empty() {
            first.remove();
        }
        Some(property)
    }

    fn remove(&mut self, key: Key, property: u32) {
        let Entry::Occupied(mut having) = self.entry(property) else {
            return;
        };
        let keys = having.get_mut();
        if let Some(position) = keys.iter().position(|&other| other == key) {
            keys.swap_remove(position);
        }
        if keys.is_empty() {
            having.remove();
        }
    }
}

/// Who has which property: random, and the same for everybody.
struct Plan {
    objects: Vec<(Key, u32)>,
    /// Where ranges begin.
    ranges: Vec<u32>,
    /// How many objects all ranges together have.
    found: usize,
    removals: Vec<usize>,
}

impl Plan {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x50_27ED);
        let mut arena = Arena::new();
        let objects: Vec<(Key, u32)> =
            (0..count).map(|_| (arena.insert(0), random.below(count) as u32)).collect();
        let ranges: Vec<u32> = (0..RANGES).map(|_| random.below(count) as u32).collect();
        let mut properties: Vec<u32> = objects.iter().map(|object| object.1).collect();
        properties.sort_unstable();
        let below = |limit: u32| properties.partition_point(|&property| property < limit);
        let width = Self::width_of(count);
        let found = ranges.iter().map(|&from| below(from + width) - below(from)).sum();
        let removals = Scatter::new(count, 0x2E4).collect();
        Self { objects, ranges, found, removals }
    }

    fn width_of(count: usize) -> u32 {
        (count / RANGES) as u32
    }

    fn width(&self) -> u32 {
        Self::width_of(self.objects.len())
    }
}

/// Objects in one kind of order.
struct Bench<'a, S: Sorted> {
    plan: &'a Plan,
    full: S,
}

impl<'a, S: Sorted> Bench<'a, S> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, full: added(plan) }
    }
}

fn added<S: Sorted>(plan: &Plan) -> S {
    let mut sorted = S::default();
    add(&mut sorted, plan);
    sorted
}

#[inline(never)]
fn add<S: Sorted>(sorted: &mut S, plan: &Plan) {
    plan.objects.iter().for_each(|&(key, property)| sorted.add(key, property));
}

/// The sum over keys, which may come in any order where properties are equal.
fn sum(keys: impl Iterator<Item = Key>) -> u64 {
    keys.fold(0, |sum, key| sum + u64::from(key.slot()))
}

#[inline(never)]
fn find<S: Sorted>(sorted: &S, plan: &Plan) -> u64 {
    let found =
        plan.objects.iter().map(|&(_, property)| sum(sorted.find(property).iter().copied()));
    found.sum()
}

#[inline(never)]
fn ranges<S: Sorted>(sorted: &S, plan: &Plan) -> u64 {
    let width = plan.width();
    let ranges = plan.ranges.iter().map(|&from| sum(sorted.range(from, from + width)));
    ranges.fold(0, |digest, sum| digest.rotate_left(5) ^ sum)
}

#[inline(never)]
fn walk<S: Sorted>(sorted: &S) -> u64 {
    sum(sorted.range(0, u32::MAX))
}

#[inline(never)]
fn pop_each<S: Sorted>(sorted: &mut S) -> u64 {
    let firsts = core::iter::from_fn(|| sorted.pop_first());
    firsts.fold(0, |digest, property| digest.rotate_left(5) ^ u64::from(property))
}

#[inline(never)]
fn remove_each<S: Sorted>(sorted: &mut S, plan: &Plan) {
    for &object in &plan.removals {
        let (key, property) = plan.objects[object];
        sorted.remove(key, property);
    }
}

impl<S: Sorted> Contestant<Job> for Bench<'_, S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let plan = self.plan;
        let count = plan.objects.len();
        let full = || added::<S>(plan);
        let afterwards = |sorted: &S, (): &()| ranges(sorted, plan);
        match job {
            Job::Add => consuming(count, repeats, S::default, |all| add(all, plan), afterwards),
            Job::Find => reading(&self.full, count, repeats, |all| find(all, plan)),
            Job::Range => reading(&self.full, plan.found, repeats, |all| ranges(all, plan)),
            Job::Walk => reading(&self.full, count, repeats, walk),
            Job::PopFirst => consuming(count, repeats, full, pop_each, |_, &digest| digest),
            Job::Remove => {
                consuming(count, repeats, full, |all| remove_each(all, plan), afterwards)
            }
        }
    }
}
