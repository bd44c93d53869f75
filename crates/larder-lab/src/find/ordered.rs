//! Objects sorted by a property, found by ranges of it.

use alloc::collections::btree_map::{BTreeMap, Entry};

use larder::{Arena, Handle, indices::SortedIndex};

use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "ordered";
/// The number of objects.
const COUNTS: &[usize] = &[1_000, 10_000, 100_000];
/// How many objects there are for each property that one can have, and what that is called.
pub(crate) const CROWDS: [(usize, &str); 2] = [(1, "nearly one each"), (10, "ten each")];
/// Ranges in a pass; each has a hundredth of the properties.
const RANGES: usize = 100;

jobs! {
    Add = "add", "an object under its property, from nothing on";
    Find = "find", "the objects with one property";
    Range = "range", "an object that is found in a range of properties";
    Walk = "walk", "all objects in order";
    PopFirst = "pop_first", "the first object, until nothing is left";
    Remove = "remove", "an object, in random order until nothing is left";
    Bytes = "bytes", "bytes an object, as an allocator is asked for them";
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    CROWDS.into_iter().flat_map(|(each, name)| {
        study::parts(NAME, COUNTS, NEVER_SLOW, move |contest| {
            measure(&contest.way(name.to_owned()), each)
        })
    })
}

fn measure(contest: &Contest<'_>, each: usize) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count, each);
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): BTreeMap<u32, Vec<Key>>, SortedIndex<u32, Key>
    ];
    contest.measure_all(&mut all)
}

type Key = Handle<u8>;

/// Objects in order of a property.
trait Sorted: Default {
    /// The name in tables and in JSON.
    const NAME: &'static str;

    fn add(&mut self, key: Key, property: u32);

    fn find(&self, property: u32) -> &[Key];

    /// The objects whose property is at least `from` and below `to`.
    fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key>;

    /// Removes the first object: any of those with the least property.
    fn pop_first(&mut self) -> Option<u32>;

    fn remove(&mut self, key: Key, property: u32);
}

impl Sorted for SortedIndex<u32, Key> {
    const NAME: &'static str = "SortedIndex";

    #[inline(always)]
    fn add(&mut self, key: Key, property: u32) {
        self.insert(key, property).expect("the key is live");
    }

    #[inline(always)]
    fn find(&self, property: u32) -> &[Key] {
        self.get(&property)
    }

    #[inline(always)]
    fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key> {
        self.range(from..to).map(|(_, key)| key)
    }

    #[inline(always)]
    fn pop_first(&mut self) -> Option<u32> {
        self.pop_first().map(|(property, _)| property)
    }

    #[inline(always)]
    fn remove(&mut self, key: Key, _property: u32) {
        self.remove(key);
    }
}

impl Sorted for BTreeMap<u32, Vec<Key>> {
    const NAME: &'static str = "BTreeMap of Vec";

    #[inline(always)]
    fn add(&mut self, key: Key, property: u32) {
        self.entry(property).or_default().push(key);
    }

    #[inline(always)]
    fn find(&self, property: u32) -> &[Key] {
        self.get(&property).map_or(&[], Vec::as_slice)
    }

    #[inline(always)]
    fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key> {
        self.range(from..to).flat_map(|(_, keys)| keys.iter().copied())
    }

    #[inline(always)]
    fn pop_first(&mut self) -> Option<u32> {
        let mut first = self.first_entry()?;
        first.get_mut().pop();
        let property = *first.key();
        if first.get().is_empty() {
            first.remove();
        }
        Some(property)
    }

    #[inline(always)]
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

/// Random properties, the same for every subject.
struct Plan {
    objects: Vec<(Key, u32)>,
    /// The starts of the ranges.
    ranges: Vec<u32>,
    /// How many properties a range has.
    width: u32,
    /// The number of objects in all ranges together.
    found: usize,
    removals: Vec<usize>,
}

impl Plan {
    fn new(count: usize, each: usize) -> Self {
        let mut random = Random::new(0x50_27ED);
        let mut arena = Arena::new();
        let most = count / each;
        let objects: Vec<(Key, u32)> =
            (0..count).map(|_| (arena.insert(0), random.below(most) as u32)).collect();
        let ranges: Vec<u32> = (0..RANGES).map(|_| random.below(most) as u32).collect();
        let mut properties: Vec<u32> = objects.iter().map(|object| object.1).collect();
        properties.sort_unstable();
        let below = |limit: u32| properties.partition_point(|&property| property < limit);
        let width = (most / RANGES).max(1) as u32;
        let found = ranges.iter().map(|&from| below(from + width) - below(from)).sum();
        let removals = Scatter::new(count, 0x2E4).collect();
        Self { objects, ranges, width, found, removals }
    }
}

/// A full container.
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

/// The sum over keys, whose order is arbitrary where properties are equal.
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
    let range = |&from| sum(sorted.range(from, from + plan.width));
    let ranges = plan.ranges.iter().map(range);
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
            Job::Bytes => {
                let (all, bytes) = bytes_kept_by(full);
                counting(bytes, count, afterwards(&all, &()))
            }
        }
    }
}
