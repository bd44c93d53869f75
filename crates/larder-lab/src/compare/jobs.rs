//! The work of workloads on a bench: jobs that make containers or use them up, and those that read, touch or replace
//! the values of one, and leave it as full as it was.

use core::convert::identity;

use super::bench::{Bench, Effort};
use super::subject::{Making, Reading, Subject, Using};
use super::workload::{Job, Order};
use crate::measure::allocator::{allocations, bytes_kept_by, counted};
use crate::measure::clock::{Sample, timed};
use crate::measure::random::Random;

/// Bytes of the containers of one run: several small ones together stay in a core's own cache.
const BYTES_OF_ONE_RUN: usize = 512 << 10;
/// Elements of a small container.
const FEW: usize = 10;
/// Calls of one pass of `first`: a single one is too short for a clock.
const FIRSTS: usize = 1_000;
/// Touches of one run of `update`, at least: so that the clock is read rarely.
const FEWEST_UPDATES: usize = 16_384;

/// So many of a thousand live values, at least one.
fn share(live: usize, per_mille: usize) -> usize {
    (live * per_mille / 1_000).max(1)
}

/// Times work that has no answer of its own.
fn nanos_of(mut work: impl FnMut()) -> f64 {
    let (nanos, _) = timed(&mut || {
        work();
        0
    });
    nanos
}

impl Bench<'_> {
    /// Does the work, in the state that was entered last.
    pub(crate) fn sample(&mut self, job: Job, effort: &Effort) -> Sample {
        let live = self.subject.len();
        match job {
            Job::Make(making, few) => self.make(making, few.unwrap_or(self.count), effort),
            Job::Small => self.small(effort),
            // Random numbers, small enough for every element: which go is no pattern to learn.
            Job::Use(Using::Retain) => {
                self.use_up(|at| Random::new(at).next() >> 33, Using::Retain, effort)
            }
            Job::Use(using) => self.use_up(identity, using, effort),
            Job::RemoveAll(order) => {
                self.doom_all(order);
                self.use_up(identity, Using::Remove, effort)
            }
            Job::RefillAll => {
                self.doom_all(Order::Inserted);
                self.use_up(identity, Using::Refill, effort)
            }
            Job::RemoveLoop(order) => {
                self.doom_all(order);
                self.use_up(identity, Using::RemoveInALoop, effort)
            }
            Job::RefillLoop(order) => {
                self.doom_all(order);
                self.use_up(identity, Using::RefillInALoop, effort)
            }
            Job::Bytes => self.bytes(),
            Job::Allocations(count) => self.allocations(count),
            Job::Walk(what) => self.walk(what, effort),
            Job::BlindPass => self.read(Reading::Slots, self.count, effort),
            Job::First => self.read(Reading::First(FIRSTS), FIRSTS, effort),
            Job::Lookup(what) => self.read(what, self.lookups(), effort),
            Job::Stale => self.stale(effort),
            Job::Clone => self.clone(effort),
            Job::Update => effort.repeat(&mut || {
                let passes = (FEWEST_UPDATES / live).max(1);
                let nanos = nanos_of(|| (0..passes).for_each(|_| self.subject.touch()));
                Sample { nanos, operations: (passes * live) as f64, answer: self.sum() }
            }),
            Job::Churn => effort.repeat(&mut || {
                self.replace(self.pairs(), 1, &mut |subject, first| subject.churn(first))
            }),
            Job::BatchChurn(per_mille) => effort.repeat(&mut || {
                let (pairs, batch) = self.batches(per_mille);
                let work =
                    &mut |subject: &mut dyn Subject, first| subject.churn_in_batches(batch, first);
                self.replace(pairs, batch, work)
            }),
            Job::Recycle => effort.repeat(&mut || {
                let (pairs, batch) = self.batches(10);
                let work = &mut |subject: &mut dyn Subject, first| subject.recycle(batch, first);
                let sample = self.replace(pairs, batch, work);
                Sample { answer: sample.answer ^ self.sum(), ..sample }
            }),
            Job::Refill => effort.repeat(&mut || self.refill()),
            Job::Game => effort.repeat(&mut || self.game()),
        }
    }

    /// Returns the number of containers of this size that one run makes or uses up.
    fn containers(&self, count: usize) -> usize {
        (BYTES_OF_ONE_RUN / (count * (self.element_bytes + 8))).clamp(1, 64)
    }

    fn make(&mut self, making: Making, count: usize, effort: &Effort) -> Sample {
        let containers = self.containers(count);
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            let nanos = nanos_of(|| self.subject.make(making, count, containers));
            self.sample_of_made(nanos, count, containers)
        })
    }

    fn small(&mut self, effort: &Effort) -> Sample {
        let containers = self.count;
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            let making = nanos_of(|| self.subject.make(Making::Grown, FEW, containers));
            let answer = self.subject.digest_of_made();
            let dropping = nanos_of(|| self.subject.clear_made(0));
            Sample { nanos: making + dropping, operations: (containers * FEW) as f64, answer }
        })
    }

    /// Times what is done to full containers of values with these numbers, which are made untimed.
    fn use_up(&mut self, number: fn(u64) -> u64, using: Using, effort: &Effort) -> Sample {
        let is_loop = matches!(using, Using::RemoveInALoop | Using::RefillInALoop);
        let emptied = matches!(using, Using::Refill | Using::RefillInALoop);
        let count = self.count;
        let containers = if is_loop { 1 } else { self.containers(count) };
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            (0..containers).for_each(|_| self.subject.prepare(count, number, emptied));
            let before = self.subject.len_of_made() as u64;
            let (nanos, answer) = timed(&mut || self.subject.use_made(using, count));
            let mut sample = self.sample_of_made(nanos, count, containers);
            sample.answer ^= answer.wrapping_add(before << 20);
            sample
        })
    }

    fn clone(&mut self, effort: &Effort) -> Sample {
        let live = self.subject.len();
        let containers = self.containers(live);
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            let nanos = nanos_of(|| self.subject.copy(containers));
            self.sample_of_made(nanos, live, containers)
        })
    }

    /// The sample of work on containers that were made, which are dropped; the answer is their digest.
    fn sample_of_made(&mut self, nanos: f64, count: usize, containers: usize) -> Sample {
        let answer = self.subject.digest_of_made();
        self.subject.clear_made(0);
        Sample { nanos, operations: (containers * count) as f64, answer }
    }

    fn bytes(&mut self) -> Sample {
        let count = self.count;
        self.subject.clear_made(1);
        let ((), allocated) = bytes_kept_by(|| self.subject.make(Making::Reserved, count, 1));
        let taken = allocated + self.subject.system_bytes_of_made();
        let answer = self.subject.len_of_made() as u64;
        self.subject.clear_made(0);
        Sample { nanos: taken as f64, operations: count as f64, answer }
    }

    fn allocations(&mut self, count: usize) -> Sample {
        self.subject.clear_made(1);
        let asked = counted(|| {
            let before = allocations();
            self.subject.make(Making::Grown, count, 1);
            allocations() - before
        });
        let answer = self.subject.len_of_made() as u64;
        self.subject.clear_made(0);
        Sample { nanos: asked as f64, operations: 1.0, answer }
    }

    fn walk(&self, what: Reading, effort: &Effort) -> Sample {
        let live = self.subject.len() * (1 + self.others.len());
        effort.passes(live, &mut |times| {
            let once = |_| {
                let others = self.others.iter().map(|other| other.subject.read(what, 1));
                others.fold(self.subject.read(what, 1), u64::wrapping_add)
            };
            (0..times).map(once).fold(0, u64::wrapping_add)
        })
    }

    fn read(&self, what: Reading, operations: usize, effort: &Effort) -> Sample {
        effort.passes(operations, &mut |times| self.subject.read(what, times))
    }

    /// The sum of all live values.
    fn sum(&self) -> u64 {
        self.subject.read(Reading::Values, 1)
    }

    fn stale(&self, effort: &Effort) -> Sample {
        let expected = if self.subject.knows_stale() { 0 } else { self.lookups() as u64 };
        effort.passes(self.lookups(), &mut |times| {
            self.subject.read(Reading::Hits, times).abs_diff(expected * times)
        })
    }

    /// Whole batches of a share of the live values: how many pairs, and how many in a batch.
    fn batches(&self, per_mille: usize) -> (usize, usize) {
        let batch = share(self.subject.len(), per_mille);
        ((self.pairs() / batch).max(1) * batch, batch)
    }

    fn refill(&mut self) -> Sample {
        let half = self.subject.len() / 2;
        self.doom_random(half);
        let removed = self.subject.remove();
        let number = self.take_numbers(half);
        let nanos = nanos_of(|| self.subject.insert(number));
        self.subject.admit();
        Sample { nanos, operations: half as f64, answer: removed ^ self.sum() }
    }

    fn game(&mut self) -> Sample {
        let live = self.subject.len();
        self.ask_random(live);
        let turnover = share(live, 10);
        self.doom_random(turnover);
        let number = self.take_numbers(turnover);
        let (nanos, answer) = timed(&mut || {
            self.subject.touch();
            let seen = self.subject.read(Reading::Asked, 1);
            let removed = self.subject.remove();
            self.subject.insert(number);
            seen ^ removed
        });
        self.subject.admit();
        Sample { nanos, operations: live as f64, answer }
    }
}
