//! Side data: maps under other containers' keys, where all, half, some or few objects have an entry.

mod maps;

use anyhow::Result;
use indicatif::ProgressBar;

use self::maps::{Brisk, LarderDense, LarderSparse, SideMap, SlotmapDense, SlotmapSparse, Stat};
use crate::compare::clock::{Sample, barrier};
use crate::compare::random::{Random, Scatter};
use crate::study::{Contestant, Method, Part, Row, Workload, consuming, measure_all, reading};

/// The name of the study.
pub(crate) const NAME: &str = "side";
/// How many objects there are.
const COUNTS: &[usize] = &[1_000, 10_000, 100_000, 1_000_000];
/// How many objects in a hundred have an entry.
pub(crate) const PERCENT: &[usize] = &[100, 50, 10, 1];

/// What is done with the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    Insert,
    Get,
    Ask,
    Walk,
    Join2,
    Join3,
    Remove,
}

const JOBS: [Job; 7] =
    [Job::Insert, Job::Get, Job::Ask, Job::Walk, Job::Join2, Job::Join3, Job::Remove];

/// A job where so many objects in a hundred have an entry.
#[derive(Clone, Copy, Debug)]
struct AtDensity(Job, usize);

impl Workload for AtDensity {
    fn describe(self) -> (String, &'static str) {
        let (name, about) = match self.0 {
            Job::Insert => ("insert", "an insertion, from nothing on, in the order of slots"),
            Job::Get => ("get", "a random object's entry"),
            Job::Ask => ("ask", "a random object's entry, if it has one"),
            Job::Walk => ("walk", "all entries"),
            Job::Join2 => {
                ("join2", "all entries, each with that of a map that has one for every object")
            }
            Job::Join3 => {
                ("join3", "as join2, with a third map of as many other entries, per entry of one")
            }
            Job::Remove => ("remove", "a removal, in random order until nothing is left"),
        };
        (format!("{name}, {} %", self.1), about)
    }
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    let part = |count, percent| {
        let part = Part::new(NAME, count, move |method, progress| {
            measure(count, percent, method, progress)
        });
        part.slow_if(count == 1_000_000)
    };
    PERCENT.iter().flat_map(move |&percent| COUNTS.iter().map(move |&count| part(count, percent)))
}

/// Measures everything at one count and density.
fn measure(
    count: usize,
    percent: usize,
    method: Method,
    progress: &ProgressBar,
) -> Result<Vec<Row>> {
    let mut all: Vec<Box<dyn Contestant<AtDensity>>> = vec![
        Box::new(Bench::<SlotmapDense>::new(count, percent)),
        Box::new(Bench::<SlotmapSparse>::new(count, percent)),
        Box::new(Bench::<SlotmapSparse<Brisk>>::new(count, percent)),
        Box::new(Bench::<LarderDense>::new(count, percent)),
        Box::new(Bench::<LarderSparse>::new(count, percent)),
    ];
    let jobs = JOBS.map(|job| AtDensity(job, percent));
    measure_all(NAME, count, &jobs, &mut all, method, progress)
}

/// Objects that are asked for one by one in a pass, at most.
const MOST_PICKS: usize = 1_000_000;

/// Maps of one kind, and who has entries.
struct Bench<M: SideMap> {
    /// Of those with an entry, in slot order.
    keys: Vec<M::Key>,
    /// The same in random order.
    scattered: Vec<M::Key>,
    /// Random objects.
    asked: Vec<M::Key>,
    /// Has an entry for every object.
    wide: M::Wide,
    map: M,
    /// Has as many entries as `map`, of others.
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

/// The numbers of the object that comes at this position.
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

impl<M: SideMap> Contestant<AtDensity> for Bench<M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn sample(&mut self, AtDensity(job, _): AtDensity, repeats: u32) -> Sample {
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
