//! The studies of whole stores: some workloads on some stores, at some counts.

use core::cell::RefCell;
use core::hint::black_box;

use super::flocks::{
    Aligned, Arena, DenseArena, DenseLanes8, DenseLanes16, DenseLanesBlock, DenseSoaArena, Flock,
    KeyedSoaRs, Lanes8, Rows, SoaArena, SoaDerive, SoaRs,
};
use super::particle::{Particle, step};
use crate::measure::turns::groups;
use crate::study::prelude::*;

/// Makes a full store of so many particles.
type Make = fn(usize) -> Turns<'static>;

/// Some workloads on some stores, the one first with which the others are compared.
struct Study {
    name: &'static str,
    workloads: &'static [&'static str],
    counts: &'static [usize],
    lineup: &'static [Make],
}

/// A count that fits no cache.
const LARGEST: usize = 10_000_000;

const STUDIES: &[Study] = &[
    Study {
        name: "tick",
        workloads: &["tick", "simulate", "all", "whole"],
        counts: &[1_000, 10_000, 100_000, 1_000_000, LARGEST],
        lineup: &[
            works::<Rows>,
            works::<Arena>,
            works::<DenseArena>,
            works::<SoaArena>,
            works::<DenseSoaArena>,
            works::<Lanes8>,
            works::<DenseLanes8>,
            works::<DenseLanes16>,
            works::<DenseLanesBlock>,
            works::<SoaRs>,
            works::<SoaDerive>,
            #[cfg(feature = "ecs")]
            works::<super::ecs::Hecs>,
            #[cfg(feature = "ecs")]
            works::<super::ecs::Bevy>,
        ],
    },
    Study {
        name: "assoc",
        workloads: &["all", "whole"],
        // Powers of two, whole pages, and neither; all fit a core's own cache of 2 MiB.
        counts: &[4_096, 5_000, 6_144, 8_192, 10_000, 16_384, 20_000, 24_576, 32_768, 40_000],
        lineup: &[
            works::<Rows>,
            works::<SoaArena>,
            works::<DenseSoaArena>,
            works::<Aligned>,
            works::<SoaRs>,
            works::<SoaDerive>,
        ],
    },
    Study {
        name: "keys",
        workloads: &["insert", "insert_reserved", "whole", "churn", "remove_all"],
        counts: &[1_000, 100_000, 1_000_000],
        lineup: &[
            works::<KeyedSoaRs>,
            works::<Arena>,
            works::<DenseArena>,
            works::<SoaArena>,
            works::<DenseSoaArena>,
            works::<DenseLanes8>,
            #[cfg(feature = "ecs")]
            works::<super::ecs::Hecs>,
            #[cfg(feature = "ecs")]
            works::<super::ecs::Bevy>,
        ],
    },
];

pub(super) fn parts() -> Vec<Part> {
    let part = |known: &'static Study| {
        study::parts(known.name, known.counts, LARGEST, |contest| known.measure(contest))
    };
    STUDIES.iter().flat_map(part).collect()
}

/// Memory that the stores of one group may take together, with their lists of keys.
const MEMORY: usize = 4 << 30;
/// The bytes of one particle: itself, its place in a list of keys, and bookkeeping.
const EACH: usize = 40 + 8 + 16;

impl Study {
    /// Measures it at one count: in groups that fit into memory together, the first store in each.
    fn measure(&self, contest: &Contest<'_>) -> Result<Vec<Row>> {
        let count = contest.count;
        let mut rows: Vec<Row> = Vec::new();
        for group in groups(self.lineup, count * EACH, MEMORY) {
            let group = group.iter().map(|make| make(count)).collect();
            let known = |new: &Row| {
                rows.iter().any(|old| old.workload == new.workload && old.subject == new.subject)
            };
            let mut new = contest.measure_some(self.workloads, group)?;
            new.retain(|row| !known(row));
            rows.extend(new);
        }
        Ok(rows)
    }
}

/// Particles looked up one by one in a pass, at most: enough to leave every cache.
const MOST_PICKS: usize = 1_000_000;
/// Pairs of removal and insertion in a pass, at most.
const MOST_PAIRS: usize = 250_000;
/// Bytes of the stores that a pass makes or uses up: several small ones together.
const BYTES_OF_ONE_RUN: usize = 1 << 20;

/// A full store, its keys, and some of them.
struct Bench<F: Flock> {
    flock: Box<F>,
    keys: Vec<F::Key>,
    picks: Vec<F::Key>,
    random: Random,
    next: usize,
}

impl<F: Flock> Bench<F> {
    fn new(count: usize) -> Self {
        let (flock, keys) = filled::<F>(count);
        let order = Scatter::new(count, 0x5CA).take(MOST_PICKS);
        let picks = order.map(|at| keys[at]).collect();
        Self { flock: Box::new(flock), keys, picks, random: Random::new(0xC0), next: count }
    }

    /// Work on all particles that changes them. The answer is of all: their fields' sums, by their keys.
    fn passes(&mut self, repeats: u32, pass: fn(&mut F, f32)) -> Sample {
        // By a pointer that tells the compiler nothing.
        let flock = black_box(&mut *self.flock);
        let answer = |flock: &F| sum_of_each(flock, &self.keys);
        changing(flock, self.keys.len(), repeats, |flock| pass(flock, step()), answer)
    }

    fn churn(&mut self, repeats: u32) -> Sample {
        let mut total = Sample::default();
        for _ in 0..repeats {
            let Self { flock, keys, random, next, .. } = self;
            let (live, first) = (keys.len(), *next);
            let pairs = (live / 4).clamp(1, MOST_PAIRS);
            let victims: Vec<u32> = (0..pairs).map(|_| random.below(live) as u32).collect();
            *next += pairs;
            let flock = black_box(&mut **flock);
            let (nanos, answer) = timed(&mut || replace_each(flock, keys, &victims, first));
            total += Sample { nanos, operations: pairs as f64, answer };
        }
        total
    }
}

fn works<F: Flock + 'static>(count: usize) -> Turns<'static> {
    // The number of stores of this size that a pass makes or uses up.
    let instances = (BYTES_OF_ONE_RUN / (count * size_of::<Particle>())).clamp(1, 64);
    let all = count * instances;
    let empty = move |_: &_| Vec::with_capacity(instances);
    let make = |room: usize| {
        move |_: &_, made: &mut Vec<F>| {
            for _ in 0..instances {
                let mut flock = F::with_capacity(room);
                insert_each(&mut flock, count);
                made.push(flock);
            }
        }
    };
    let full = move |_: &_| {
        let order: Vec<u32> = Scatter::new(count, 0xD1E).map(|at| at as u32).collect();
        let full: Vec<_> = (0..instances).map(|_| filled::<F>(count)).collect();
        (full, order)
    };
    Works::new(F::NAME, RefCell::new(Bench::<F>::new(count)), |_| (), |()| 0)
        .on("insert", "an insertion, from nothing on")
        .consuming(empty, all, make(0), |made, ()| made.len() as u64)
        .on("insert_reserved", "an insertion where there is room")
        .consuming(empty, all, make(count), |made, ()| made.len() as u64)
        .on("tick", "a loop over 1 of the 10 fields")
        .sampling(|bench, repeats| bench.borrow_mut().passes(repeats, F::tick))
        .on("simulate", "a loop over 6 of the 10 fields")
        .sampling(|bench, repeats| bench.borrow_mut().passes(repeats, F::simulate))
        .on("all", "a loop over all 10 fields")
        .sampling(|bench, repeats| bench.borrow_mut().passes(repeats, F::all))
        // Before other particles take the place of those that it looks up.
        .on("whole", "all 10 fields of a random particle")
        .sampling(|bench, repeats| {
            let Bench { flock, picks, .. } = &*bench.borrow();
            reading(&**flock, picks.len(), repeats, |flock| sum_of_each(flock, picks))
        })
        .on("churn", "a random particle out, a new one in")
        .sampling(|bench, repeats| bench.borrow_mut().churn(repeats))
        .on("remove_all", "a removal, in random order until nothing is left")
        .consuming(
            full,
            all,
            |_, (full, order)| {
                let sums = full.iter_mut().map(|(flock, keys)| remove_each(flock, keys, order));
                sums.fold(0_u64, u64::wrapping_add)
            },
            |_, &sum| sum,
        )
        .done()
}

/// A full store and its keys.
fn filled<F: Flock>(count: usize) -> (F, Vec<F::Key>) {
    let mut flock = F::with_capacity(count);
    let keys = (0..count).map(|at| flock.insert(Particle::new(at))).collect();
    (flock, keys)
}

/// Returns the part of one particle in an answer; 0 for none.
#[inline(always)]
fn answer_of(sum: Option<f32>) -> u64 {
    sum.map_or(0, |sum| u64::from(sum.to_bits()))
}

/// All fields of each of these particles.
#[inline(never)]
fn sum_of_each<F: Flock>(flock: &F, keys: &[F::Key]) -> u64 {
    let mut sum = 0_u64;
    for &key in keys {
        barrier();
        sum = sum.wrapping_add(answer_of(flock.sum_of(key)));
    }
    sum
}

#[inline(never)]
fn insert_each<F: Flock>(flock: &mut F, count: usize) {
    let flock = black_box(flock);
    let particle = Particle::new(1);
    for at in 0..count {
        black_box(flock.insert(Particle { t: at as f32, ..particle }));
    }
}

#[inline(never)]
fn replace_each<F: Flock>(
    flock: &mut F,
    keys: &mut [F::Key],
    victims: &[u32],
    first: usize,
) -> u64 {
    let particle = Particle::new(first);
    let mut sum = 0_u64;
    for (&victim, number) in victims.iter().zip(first..) {
        barrier();
        let key = &mut keys[victim as usize];
        let removed = flock.remove(*key);
        sum = sum.wrapping_add(answer_of(removed.as_ref().map(Particle::sum)));
        *key = flock.insert(Particle { t: number as f32, ..particle });
    }
    sum
}

#[inline(never)]
fn remove_each<F: Flock>(flock: &mut F, keys: &[F::Key], order: &[u32]) -> u64 {
    let flock = black_box(flock);
    let mut sum = 0_u64;
    for &at in order {
        barrier();
        let removed = flock.remove(keys[at as usize]);
        sum = sum.wrapping_add(answer_of(removed.as_ref().map(Particle::sum)));
    }
    sum
}
