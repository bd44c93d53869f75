//! Side data: maps under other containers' keys, where all, half, some or few objects have an entry.

mod maps;

use self::maps::{LarderDense, LarderSparse, SideMap, SlotmapDense, SlotmapSparse, Stat};
use crate::study::hashers::Foldhash;
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "side";
/// The number of objects.
const COUNTS: &[usize] = &[1_000, 10_000, 100_000, 1_000_000];
/// The percentage of objects that have an entry.
pub(crate) const PERCENT: &[usize] = &[100, 50, 10, 1];

jobs! {
    Insert = "insert", "an insertion, from nothing on, in the order of slots";
    Get = "get", "a random object's entry";
    Ask = "ask", "a random object's entry, if it has one";
    Walk = "walk", "all entries";
    Join2 = "join2", "all entries, each with that of a map that has one for every object";
    Join3 = "join3", "as join2, with a third map of as many other entries, per entry of one";
    Remove = "remove", "a removal, in random order until nothing is left";
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    PERCENT.iter().flat_map(|&percent| {
        let way = format!("{percent} %");
        study::parts(NAME, COUNTS, 1_000_000, move |contest| {
            measure(&contest.way(way.clone()), percent)
        })
    })
}

/// Measures one density.
fn measure(contest: &Contest<'_>, percent: usize) -> Result<Vec<Row>> {
    let count = contest.count;
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(count, percent): SlotmapDense, SlotmapSparse, SlotmapSparse<Foldhash>, LarderDense,
        LarderSparse
    ];
    contest.measure_all(&mut all)
}

/// Objects looked up one by one in a pass, at most.
const MOST_PICKS: usize = 1_000_000;

/// Maps of one kind, and the objects that have entries.
struct Bench<M: SideMap> {
    /// The keys of objects with an entry, in slot order.
    keys: Vec<M::Key>,
    /// The same in random order.
    scattered: Vec<M::Key>,
    /// Random objects.
    asked: Vec<M::Key>,
    /// A map with an entry for every object.
    wide: M::Wide,
    map: M,
    /// A map with about as many entries as `map`, of other objects.
    other: M,
}

impl<M: SideMap> Bench<M> {
    fn new(count: usize, percent: usize) -> Self {
        let (objects, wide) = M::objects(count);
        let chosen = |seed| {
            let mut random = Random::new(seed);
            let chosen = objects.iter().filter(|_| random.below(100) < percent);
            chosen.copied().collect::<Vec<_>>()
        };
        let keys = chosen(0x51DE);
        let scattered = Scatter::new(keys.len(), 0x6E7).take(MOST_PICKS);
        let scattered = scattered.map(|at| keys[at]).collect();
        let asked = Scatter::new(count, 0xA5C).take(MOST_PICKS).map(|at| objects[at]).collect();
        let (map, other) = (filled(&keys), filled(&chosen(0x07E)));
        Self { keys, scattered, asked, wide, map, other }
    }
}

/// The entry of the object at this position.
fn stat(position: usize) -> Stat {
    [1, 2, 3, 4].map(|number| position as u32 * 5 + number)
}

fn filled<M: SideMap>(keys: &[M::Key]) -> M {
    let mut map = M::new();
    insert_each(&mut map, keys);
    map
}

#[inline(never)]
fn insert_each<M: SideMap>(map: &mut M, keys: &[M::Key]) {
    for (position, &key) in keys.iter().enumerate() {
        barrier();
        map.insert(key, stat(position));
    }
}

#[inline(never)]
fn get_each<M: SideMap>(map: &M, keys: &[M::Key]) -> u64 {
    let mut sum = 0;
    for &key in keys {
        barrier();
        sum += map.get(key).map_or(0, |stat| u64::from(stat[0]));
    }
    sum
}

#[inline(never)]
fn remove_each<M: SideMap>(map: &mut M, keys: &[M::Key]) -> u64 {
    let mut sum = 0;
    for &key in keys {
        barrier();
        sum += map.remove(key).map_or(0, |stat| u64::from(stat[0]));
    }
    sum
}

impl<M: SideMap> Contestant<Job> for Bench<M> {
    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let entries = self.keys.len();
        match job {
            Job::Insert => {
                let work = |map: &mut M| insert_each(map, &self.keys);
                consuming(entries, repeats, M::new, work, |map, ()| map.walk())
            }
            Job::Get => reading(&self.map, self.scattered.len(), repeats, |map| {
                get_each(map, &self.scattered)
            }),
            Job::Ask => {
                reading(&self.map, self.asked.len(), repeats, |map| get_each(map, &self.asked))
            }
            Job::Walk => reading(&self.map, entries, repeats, M::walk),
            Job::Join2 => reading(&self.map, entries, repeats, |map| map.join2(&self.wide)),
            Job::Join3 => {
                reading(&self.map, entries, repeats, |map| map.join3(&self.other, &self.wide))
            }
            Job::Remove => {
                let work = |map: &mut M| remove_each(map, &self.scattered);
                consuming(self.scattered.len(), repeats, || self.map.clone(), work, |_, &sum| sum)
            }
        }
    }
}
