//! Workloads that read, touch or replace the values of a container, and leave it as full as it was.

use super::bench::{Bench, Effort};
use super::subject::{Reading, Subject};
use crate::measure::clock::{Sample, timed};

/// Touches of one run of `update`, at least: so that the clock is read rarely.
const FEWEST_UPDATES: usize = 16_384;

/// So many of a thousand live values, at least one.
fn share(live: usize, per_mille: usize) -> usize {
    (live * per_mille / 1_000).max(1)
}

impl Bench<'_> {
    /// `walk_…`, `for_…`: all values read, of this container and of the others by turns.
    pub(super) fn walk(&self, what: Reading, effort: &Effort) -> Sample {
        let live = self.subject.len() * (1 + self.others.len());
        effort.passes(live, &mut |times| {
            let once = |_| {
                let others = self.others.iter().map(|other| other.subject.read(what, 1));
                others.fold(self.subject.read(what, 1), u64::wrapping_add)
            };
            (0..times).map(once).fold(0, u64::wrapping_add)
        })
    }

    /// `blind_pass`, `first`, `lookup`, `lookup_chain`: so many values read in a pass.
    pub(super) fn read(&self, what: Reading, operations: usize, effort: &Effort) -> Sample {
        effort.passes(operations, &mut |times| self.subject.read(what, times))
    }

    /// The sum of all live values.
    fn sum(&self) -> u64 {
        self.subject.read(Reading::Values, 1)
    }

    /// `stale`: lookups by keys whose values are gone and whose slots were reused.
    ///
    /// A container without generations finds the slot's next value. The answer is how far the number
    /// of hits is from what such a container must give.
    pub(super) fn stale(&self, effort: &Effort) -> Sample {
        let expected = if self.subject.knows_stale() { 0 } else { self.lookups() as u64 };
        effort.passes(self.lookups(), &mut |times| {
            self.subject.read(Reading::Hits, times).abs_diff(expected * times)
        })
    }

    /// `update`: every value touched. Values change, so every subject makes as many passes.
    pub(super) fn update(&mut self, effort: &Effort) -> Sample {
        let live = self.subject.len();
        let passes = (FEWEST_UPDATES / live).max(1);
        effort.repeat(&mut || {
            let (nanos, _) = timed(&mut || {
                (0..passes).for_each(|_| self.subject.touch());
                0
            });
            Sample { nanos, operations: (passes * live) as f64, answer: self.sum() }
        })
    }

    /// `churn…`: a random value out, a new one in; per pair. In `churn` the container is full but for
    /// the value that is out; in `churn_99`, `churn_90` and `churn_50` it has other holes.
    pub(super) fn churn(&mut self, effort: &Effort) -> Sample {
        effort.repeat(&mut || {
            self.replace(self.pairs(), 1, &mut |subject, first| subject.churn(first))
        })
    }

    /// Whole batches of a share of the live values: how many pairs, and how many in a batch.
    fn batches(&self, per_mille: usize) -> (usize, usize) {
        let batch = share(self.subject.len(), per_mille);
        ((self.pairs() / batch).max(1) * batch, batch)
    }

    /// `batch_churn…`: a share of a full container out at random, as many in; per pair.
    pub(super) fn batch_churn(&mut self, per_mille: usize, effort: &Effort) -> Sample {
        effort.repeat(&mut || {
            let (pairs, batch) = self.batches(per_mille);
            let work =
                &mut |subject: &mut dyn Subject, first| subject.churn_in_batches(batch, first);
            self.replace(pairs, batch, work)
        })
    }

    /// `recycle`: one percent out at random, one percent in, where a container that keeps what removed
    /// objects own lets new ones have it; per pair.
    pub(super) fn recycle(&mut self, effort: &Effort) -> Sample {
        effort.repeat(&mut || {
            let (pairs, batch) = self.batches(10);
            let sample =
                self.replace(pairs, batch, &mut |subject, first| subject.recycle(batch, first));
            Sample { answer: sample.answer ^ self.sum(), ..sample }
        })
    }

    /// `refill`: half removed at random, then as many inserted; only the filling is timed.
    pub(super) fn refill(&mut self, effort: &Effort) -> Sample {
        effort.repeat(&mut || {
            let half = self.subject.len() / 2;
            self.doom_random(half);
            let removed = self.subject.remove();
            let number = self.take_numbers(half);
            let (nanos, _) = timed(&mut || {
                self.subject.insert(number);
                0
            });
            self.subject.admit();
            Sample { nanos, operations: half as f64, answer: removed ^ self.sum() }
        })
    }

    /// `game`: a frame touches all objects, looks another one up for each, removes one percent and
    /// inserts one percent; per object and frame.
    pub(super) fn game(&mut self, effort: &Effort) -> Sample {
        effort.repeat(&mut || {
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
        })
    }
}
