//! Objects by a shared property: IDX-OBS. Each object has one property, and all objects with a property
//! are looked up: ten on average, few or very many, or all objects under one property.

mod circles;
mod relations;

use larder::Arena;

use self::circles::Circles;
use self::relations::{BruteForce, Key, Relations, Tables};
use crate::study::hashers::{Foldhash, RandomState};
use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "observers";
/// The number of objects.
const COUNTS: &[usize] = &[1_000, 10_000, 100_000];
/// If this many objects have one property, the rivals walk all of them to find one: one round is enough.
const LONG: usize = 100_000;

/// How properties are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    Uniform,
    Skewed,
    Zipf,
    One,
}

pub(crate) const SPREADS: [Spread; 4] =
    [Spread::Uniform, Spread::Skewed, Spread::Zipf, Spread::One];

impl Spread {
    fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Skewed => "skewed",
            Self::Zipf => "zipf",
            Self::One => "one key",
        }
    }

    /// A property: one of as many as there are tenths of the objects.
    fn property(self, count: usize, random: &mut Random) -> u32 {
        let properties = (count / 10).max(1);
        let any = random.below(properties) as u64;
        let property = match self {
            Self::Uniform => any,
            // The cube of a share: of a thousand properties, the first has a tenth of all objects.
            Self::Skewed => any.pow(3) / (properties as u64).pow(2),
            // A random power: each has a share that is inverse to its number.
            Self::Zipf => (properties as f64).powf(any as f64 / properties as f64) as u64 - 1,
            Self::One => 0,
        };
        property as u32
    }
}

jobs! {
    Add = "add", "an object under its property, from nothing on";
    Find = "find", "an object that is found under a property asked for";
    Search = "search", "a property asked for, whether any object has it";
    Move = "move", "an object that gets another property";
    Remove = "remove", "an object, in random order until nothing is left";
    Bytes = "bytes", "bytes an object, as an allocator is asked for them";
}

pub(crate) fn parts() -> impl Iterator<Item = Part> {
    SPREADS.into_iter().flat_map(|spread| {
        let slow = if spread == Spread::One { LONG } else { NEVER_SLOW };
        let counts = if spread == Spread::Zipf { &[LONG] } else { COUNTS };
        study::parts(NAME, counts, slow, move |contest| measure(contest, spread))
    })
}

/// Measures one distribution.
fn measure(contest: &Contest<'_>, spread: Spread) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count, spread);
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(plan): Tables<RandomState>, Tables<Foldhash>, BruteForce,
        larder::indices::MultiIndex<u32, Key>, Circles
    ];
    let contest = contest.way(spread.name().to_owned());
    let is_long = contest.count == LONG && spread == Spread::One;
    let contest = if is_long { contest.at_most(1) } else { contest };
    contest.measure_all(&mut all)
}

/// Random properties, the same for every subject.
struct Plan {
    related: Vec<(Key, u32)>,
    /// Objects and their new properties, in random order.
    moves: Vec<(usize, u32)>,
    /// Objects in the order of their removal.
    removals: Vec<usize>,
    /// Properties to look up.
    asked: Vec<u32>,
    /// The number of objects that finds.
    found: usize,
}

impl Plan {
    fn new(count: usize, spread: Spread) -> Self {
        let mut random = Random::new(0x0B5);
        let mut objects = Arena::new();
        let related: Vec<(Key, u32)> =
            (0..count).map(|_| (objects.insert(0), spread.property(count, &mut random))).collect();
        let mut having = vec![0; count];
        related.iter().for_each(|&(_, property)| having[property as usize] += 1);
        let (mut asked, mut found) = (Vec::new(), 0);
        while found < count && asked.len() < MOST_ASKED {
            let property = related[random.below(count)].1;
            found += having[property as usize];
            asked.push(property);
        }
        let moves = Scatter::new(count, 0x307E).take(count / 4);
        let moves = moves.map(|object| (object, spread.property(count, &mut random))).collect();
        let removals = Scatter::new(count, 0x2E3).collect();
        Self { related, moves, removals, asked, found }
    }
}

/// Properties looked up in a pass, at most.
const MOST_ASKED: usize = 1_000;

/// Relations of one kind.
struct Bench<'a, R: Relations> {
    plan: &'a Plan,
    full: R,
}

impl<'a, R: Relations> Bench<'a, R> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, full: added(plan) }
    }

    /// Whether this would take too long.
    fn is_too_slow(&self, job: Job) -> bool {
        let walks_all = matches!(job, Job::Move | Job::Remove) && R::WALKS_ALL;
        walks_all && self.plan.related.len() == LONG
    }
}

fn added<R: Relations>(plan: &Plan) -> R {
    let mut relations = R::default();
    add(&mut relations, plan);
    relations
}

#[inline(never)]
fn add<R: Relations>(relations: &mut R, plan: &Plan) {
    plan.related.iter().for_each(|&(key, property)| relations.add(key, property));
}

#[inline(never)]
fn find<R: Relations>(relations: &R, plan: &Plan) -> u64 {
    let sums = plan.asked.iter().map(|&property| relations.sum(property));
    sums.fold(0, u64::wrapping_add)
}

#[inline(never)]
fn search<R: Relations>(relations: &R, plan: &Plan) -> u64 {
    plan.asked.iter().filter(|&&property| relations.has(property)).count() as u64
}

#[inline(never)]
fn move_each<R: Relations>(relations: &mut R, plan: &Plan) {
    for &(object, to) in &plan.moves {
        let (key, from) = plan.related[object];
        relations.refile(key, from, to);
    }
}

#[inline(never)]
fn remove_each<R: Relations>(relations: &mut R, plan: &Plan) {
    for &object in &plan.removals {
        let (key, property) = plan.related[object];
        relations.remove(key, property);
    }
}

impl<R: Relations> Contestant<Job> for Bench<'_, R> {
    fn can(&self, job: Job) -> bool {
        !self.is_too_slow(job)
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let plan = self.plan;
        let count = plan.related.len();
        let afterwards = |relations: &R, (): &()| find(relations, plan);
        let full = || added::<R>(plan);
        match job {
            Job::Add => consuming(count, repeats, R::default, |all| add(all, plan), afterwards),
            Job::Find => reading(&self.full, plan.found, repeats, |all| find(all, plan)),
            Job::Search => reading(&self.full, plan.asked.len(), repeats, |all| search(all, plan)),
            Job::Move => {
                let work = |all: &mut R| move_each(all, plan);
                consuming(plan.moves.len(), repeats, full, work, afterwards)
            }
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
