//! Objects sorted by a property, found by ranges of it.

use alloc::collections::btree_map::{BTreeMap, Entry};

use larder::{Arena, indices::SortedIndex};

use super::{Key, remove_from};
use crate::study::prelude::*;

/// The number of objects for each property that one can have, and its name.
const CROWDS: [(usize, &str); 2] = [(1, "nearly one each"), (10, "ten each")];
/// Ranges in a pass; each has a hundredth of the properties.
const RANGES: usize = 100;

pub(crate) fn parts() -> Vec<Part> {
    let crowd = |(each, name)| {
        study::parts("ordered", &[1_000, 10_000, 100_000], NEVER_SLOW, move |contest| {
            let plan = &Plan::new(contest.count, each);
            let all =
                vec![works::<BTreeMap<u32, Vec<Key>>>(plan), works::<SortedIndex<u32, Key>>(plan)];
            contest.way(name).measure(all)
        })
    };
    CROWDS.into_iter().flat_map(crowd).collect()
}

subjects! { ($) sorted:
    /// Objects in order of a property.
    trait Sorted: Default {
        fn add(&mut self, key: Key, property: u32);
        fn find(&self, property: u32) -> &[Key];
        /// The objects whose property is at least `from` and below `to`.
        fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Key>;
        /// Removes the first object: any of those with the least property.
        fn pop_first(&mut self) -> Option<u32>;
        fn remove(&mut self, key: Key, property: u32);
    }
}

sorted! { SortedIndex<u32, Key>, "SortedIndex";
    fn add(&mut self, key, property) { self.insert(key, property).expect("the key is live"); }
    fn find(&self, property) { self.get(&property) }
    fn range(&self, from, to) { self.range(from..to).map(|(_, key)| key) }
    fn pop_first(&mut self) { self.pop_first().map(|(property, _)| property) }
    fn remove(&mut self, key, _property) { self.remove(key); }
}

sorted! { BTreeMap<u32, Vec<Key>>, "BTreeMap of Vec";
    fn add(&mut self, key, property) { self.entry(property).or_default().push(key); }
    fn find(&self, property) { self.get(&property).map_or(&[], Vec::as_slice) }
    fn range(&self, from, to) { self.range(from..to).flat_map(|(_, keys)| keys.iter().copied()) }
    fn pop_first(&mut self) {
        let mut first = self.first_entry()?;
        first.get_mut().pop();
        let property = *first.key();
        if first.get().is_empty() {
            first.remove();
        }
        Some(property)
    }
    fn remove(&mut self, key, property) {
        let Entry::Occupied(mut having) = self.entry(property) else {
            return;
        };
        if remove_from(having.get_mut(), key) {
            having.remove();
        }
    }
}

/// Random properties, the same for every subject.
struct Plan {
    objects: Vec<(Key, u32)>,
    /// The starts of the ranges.
    ranges: Vec<u32>,
    /// The number of properties in a range.
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

fn works<S: Sorted + 'static>(plan: &Plan) -> Turns<'_> {
    let count = plan.objects.len();
    Works::filled(S::NAME, |all| add(all, plan), |all: &S| ranges(all, plan))
        .on("add", "an object under its property, from nothing on")
        .filling(count, |_, all| add(all, plan))
        .on("find", "the objects with one property")
        .reading(count, |all| find(all, plan))
        .on("range", "an object that is found in a range of properties")
        .reading(plan.found, |all| ranges(all, plan))
        .on("walk", "all objects in order")
        .reading(count, walk)
        .on("pop_first", "the first object, until nothing is left")
        .changing(count, |_, all| pop_each(all))
        .on("remove", "an object, in random order until nothing is left")
        .changing(count, |_, all| remove_each(all, plan))
        .on("bytes", "bytes an object, as an allocator is asked for them")
        .bytes(count)
        .done()
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
