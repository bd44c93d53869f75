//! Workloads that make containers, or use them up.

use core::convert::identity;

use super::bench::{Bench, Effort};
use super::subject::{Making, Using};
use super::workload::Order;
use crate::measure::allocator::{allocations, bytes_kept_by, counted};
use crate::measure::clock::{Sample, timed};
use crate::measure::random::Random;

/// Bytes of the containers of one run: several small ones together stay in a core's own cache.
const BYTES_OF_ONE_RUN: usize = 512 << 10;

/// Elements of a small container.
const FEW: usize = 10;

impl Bench<'_> {
    /// How many containers of this size one run makes or uses up.
    fn containers(&self, count: usize) -> usize {
        (BYTES_OF_ONE_RUN / (count * (self.element_bytes + 8))).clamp(1, 64)
    }

    /// `insert`, `insert_reserved`, `fill`, `extend`: full containers; making them counts.
    pub(super) fn make(&mut self, making: Making, count: usize, effort: &Effort) -> Sample {
        let containers = self.containers(count);
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            let mut make = || {
                self.subject.make(making, count, containers);
                0
            };
            let (nanos, _) = timed(&mut make);
            self.sample_of_made(nanos, count, containers)
        })
    }

    /// `small`: `count` containers made, each filled with ten elements, and dropped; per element.
    pub(super) fn small(&mut self, effort: &Effort) -> Sample {
        let containers = self.count;
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            let (making, _) = timed(&mut || {
                self.subject.make(Making::Grown, FEW, containers);
                0
            });
            let made = self.subject.digest_of_made();
            let (dropping, _) = timed(&mut || {
                self.subject.clear_made(0);
                0
            });
            let operations = (containers * FEW) as f64;
            Sample { nanos: making + dropping, operations, answer: made }
        })
    }

    /// `remove_all`, `remove_order`: one value after the other until none is left. The containers are
    /// made and dropped untimed.
    pub(super) fn remove_all(&mut self, order: Order, effort: &Effort) -> Sample {
        self.doom_all(order);
        self.use_up(identity, false, Using::Remove, effort)
    }

    /// `refill_order`: a container that was full, and emptied in the order of insertion, is filled;
    /// only that is timed.
    pub(super) fn refill_all(&mut self, effort: &Effort) -> Sample {
        self.doom_all(Order::Inserted);
        self.use_up(identity, true, Using::Refill(self.count), effort)
    }

    /// `retain`: three of four values kept, at random.
    pub(super) fn retain(&mut self, effort: &Effort) -> Sample {
        // Random numbers, small enough for every element: which go is no pattern to learn.
        let number = |at| Random::new(at).next() >> 33;
        self.use_up(number, false, Using::Retain, effort)
    }

    /// `clear`: everything removed at once.
    pub(super) fn clear(&mut self, effort: &Effort) -> Sample {
        self.use_up(identity, false, Using::Clear, effort)
    }

    /// Times what is done to full containers, which are made untimed.
    fn use_up(
        &mut self,
        number: fn(u64) -> u64,
        emptied: bool,
        using: Using,
        effort: &Effort,
    ) -> Sample {
        let count = self.count;
        let containers = self.containers(count);
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            (0..containers).for_each(|_| self.subject.prepare(count, number, emptied));
            let before = self.subject.len_of_made() as u64;
            let (nanos, answer) = timed(&mut || self.subject.use_made(using));
            let mut sample = self.sample_of_made(nanos, count, containers);
            sample.answer ^= answer.wrapping_add(before << 20);
            sample
        })
    }

    /// `clone`: copies in which the same keys work.
    pub(super) fn clone(&mut self, effort: &Effort) -> Sample {
        let live = self.subject.len();
        let containers = self.containers(live);
        effort.repeat(&mut || {
            self.subject.clear_made(containers);
            let (nanos, _) = timed(&mut || {
                self.subject.copy(containers);
                0
            });
            self.sample_of_made(nanos, live, containers)
        })
    }

    /// The sample of work on containers that were made, which are dropped; the answer is their digest.
    fn sample_of_made(&mut self, nanos: f64, count: usize, containers: usize) -> Sample {
        let answer = self.subject.digest_of_made();
        self.subject.clear_made(0);
        Sample { nanos, operations: (containers * count) as f64, answer }
    }

    /// `bytes`: what a container made for `count` values has taken when it holds them. Not a time:
    /// "nanoseconds" per operation are bytes per value.
    pub(super) fn bytes(&mut self) -> Sample {
        let count = self.count;
        self.subject.clear_made(1);
        let ((), allocated) = bytes_kept_by(|| self.subject.make(Making::Reserved, count, 1));
        let taken = allocated + self.subject.system_bytes_of_made();
        let answer = self.subject.len_of_made() as u64;
        self.subject.clear_made(0);
        Sample { nanos: taken as f64, operations: count as f64, answer }
    }

    /// `allocations…`: how often a container that grows from nothing asks the allocator for a block,
    /// or for a larger one. Not a time: "nanoseconds" per operation are blocks per container.
    pub(super) fn allocations(&mut self, count: usize) -> Sample {
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
}
