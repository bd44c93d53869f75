//! One store of particles on its way through the workloads.

use core::hint::black_box;

use super::flock::Flock;
use super::particle::{Particle, step};
use crate::compare::clock::{Sample, barrier, timed};
use crate::compare::random::{Random, Scatter};
use crate::study::{self, Workload};

/// What a workload does; what the functions of these names say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Tick,
    Simulate,
    All,
    Whole,
    Insert,
    InsertReserved,
    Churn,
    RemoveAll,
}

impl Workload for Job {
    fn describe(self) -> (String, &'static str) {
        let (name, about) = match self {
            Self::Tick => ("tick", "a loop over 1 of the 10 fields"),
            Self::Simulate => ("simulate", "a loop over 6 of the 10 fields"),
            Self::All => ("all", "a loop over all 10 fields"),
            Self::Whole => ("whole", "all 10 fields of a random particle"),
            Self::Insert => ("insert", "an insertion, from nothing on"),
            Self::InsertReserved => ("insert_reserved", "an insertion where there is room"),
            Self::Churn => ("churn", "a random particle out, a new one in"),
            Self::RemoveAll => ("remove_all", "a removal, in random order until nothing is left"),
        };
        (name.to_owned(), about)
    }
}

/// A store that takes turns with others.
pub(crate) trait Contestant: study::Contestant<Job> {
    /// Makes a full store of so many particles.
    fn fill(&mut self, count: usize);
}

/// Particles that are asked for one by one in a pass, at most: enough to leave every cache.
const MOST_PICKS: usize = 1_000_000;
/// Pairs of removal and insertion in a pass, at most.
const MOST_PAIRS: usize = 250_000;
/// Bytes of the stores that a pass makes or uses up: several small ones.
const BYTES_OF_ONE_RUN: usize = 1 << 20;

/// A store of one kind.
pub(crate) struct Bench<F: Flock> {
    count: usize,
    flock: Option<Box<F>>,
    keys: Vec<F::Key>,
    picks: Vec<F::Key>,
    random: Random,
    next: usize,
}

impl<F: Flock> Bench<F> {
    pub(crate) fn new() -> Self {
        Self {
            count: 0,
            flock: None,
            keys: Vec::new(),
            picks: Vec::new(),
            random: Random::new(0),
            next: 0,
        }
    }

    /// The store, by a pointer that says nothing to the compiler.
    fn flock(&mut self) -> &mut F {
        black_box(self.flock.as_mut().expect("it was filled"))
    }

    /// All particles: their fields' sums, by their keys.
    fn digest(&mut self) -> u64 {
        let keys = core::mem::take(&mut self.keys);
        let digest = sum_of_each(self.flock(), &keys);
        self.keys = keys;
        digest
    }

    /// Work on all particles that changes them.
    fn passes(&mut self, repeats: u32, pass: fn(&mut F, f32)) -> Sample {
        let flock = self.flock();
        let (nanos, ()) = timed(|| (0..repeats).for_each(|_| pass(black_box(flock), step())));
        let operations = self.count as f64 * f64::from(repeats);
        Sample { nanos, operations, answer: self.digest() }
    }

    fn whole(&mut self, repeats: u32) -> Sample {
        let picks = core::mem::take(&mut self.picks);
        let flock = self.flock();
        let (nanos, answer) = timed(|| {
            (0..repeats).fold(0_u64, |sum, _| sum.wrapping_add(sum_of_each(flock, &picks)))
        });
        let operations = picks.len() as f64 * f64::from(repeats);
        self.picks = picks;
        Sample { nanos, operations, answer }
    }

    /// How many stores of this size a pass makes or uses up.
    fn instances(&self) -> usize {
        (BYTES_OF_ONE_RUN / (self.count * size_of::<Particle>())).clamp(1, 64)
    }

    fn make(&mut self, repeats: u32, room: usize) -> Sample {
        let (count, instances) = (self.count, self.instances());
        let mut total = Sample::default();
        for _ in 0..repeats {
            let (nanos, made) = timed(|| {
                let made = (0..instances).map(|_| {
                    let mut flock = F::with_capacity(room);
                    insert_each(&mut flock, count);
                    flock
                });
                made.collect::<Vec<_>>()
            });
            let operations = (count * instances) as f64;
            total += Sample { nanos, operations, answer: made.len() as u64 };
        }
        total
    }

    fn churn(&mut self, repeats: u32) -> Sample {
        let mut total = Sample::default();
        for _ in 0..repeats {
            let (live, first) = (self.keys.len(), self.next);
            let pairs = (live / 4).clamp(1, MOST_PAIRS);
            let victims: Vec<u32> = (0..pairs).map(|_| self.random.below(live) as u32).collect();
            self.next += pairs;
            let mut keys = core::mem::take(&mut self.keys);
            let flock = self.flock();
            let (nanos, answer) = timed(|| replace_each(flock, &mut keys, &victims, first));
            self.keys = keys;
            total += Sample { nanos, operations: pairs as f64, answer };
        }
        total
    }

    fn remove_all(&mut self, repeats: u32) -> Sample {
        let (count, instances) = (self.count, self.instances());
        let mut total = Sample::default();
        for _ in 0..repeats {
            let mut full: Vec<(F, Vec<F::Key>)> = (0..instances).map(|_| filled(count)).collect();
            let order: Vec<u32> = Scatter::new(count, 0xD1E).map(|at| at as u32).collect();
            let (nanos, answer) = timed(|| {
                let sums = full.iter_mut().map(|(flock, keys)| remove_each(flock, keys, &order));
                sums.fold(0_u64, u64::wrapping_add)
            });
            total += Sample { nanos, operations: (count * instances) as f64, answer };
        }
        total
    }
}

/// A full store and its keys.
fn filled<F: Flock>(count: usize) -> (F, Vec<F::Key>) {
    let mut flock = F::with_capacity(count);
    let keys = (0..count).map(|at| flock.insert(Particle::new(at))).collect();
    (flock, keys)
}

/// What one particle, or none, adds to an answer.
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

impl<F: Flock> Contestant for Bench<F> {
    fn fill(&mut self, count: usize) {
        *self = Self::new();
        let (flock, keys) = filled::<F>(count);
        let order = Scatter::new(count, 0x5CA).take(MOST_PICKS);
        self.picks = order.map(|at| keys[at]).collect();
        (self.count, self.flock, self.keys) = (count, Some(Box::new(flock)), keys);
        (self.random, self.next) = (Random::new(0xC0), count);
    }
}

impl<F: Flock> study::Contestant<Job> for Bench<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        match job {
            Job::Tick => self.passes(repeats, F::tick),
            Job::Simulate => self.passes(repeats, F::simulate),
            Job::All => self.passes(repeats, F::all),
            Job::Whole => self.whole(repeats),
            Job::Insert => self.make(repeats, 0),
            Job::InsertReserved => self.make(repeats, self.count),
            Job::Churn => self.churn(repeats),
            Job::RemoveAll => self.remove_all(repeats),
        }
    }
}
