//! How a piece of work is timed: how long is enough, and what one sample comes to.

use core::hint::black_box;
use core::ops::AddAssign;
use std::sync::OnceLock;
use std::time::Instant;

/// How much work one sample takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// A sample of work that can be repeated at will lasts this many nanoseconds.
    pub(crate) enough: f64,
    /// Work that changes the container is done this often, by every subject alike.
    pub(crate) repeats: u32,
    /// Whether the work is done once untimed first: the other subjects' turns emptied the caches.
    pub(crate) warm_up: bool,
}

/// What one subject needed in its turn, and what it answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// The time of all operations together.
    pub(crate) nanos: f64,
    /// How many operations that were.
    pub(crate) operations: f64,
    /// A digest of what the container answered; every subject's must be the same.
    pub(crate) answer: u64,
}

impl Sample {
    /// Nanoseconds per operation.
    pub(crate) fn per_operation(&self) -> f64 {
        self.nanos / self.operations
    }
}

impl AddAssign for Sample {
    fn add_assign(&mut self, next: Self) {
        self.nanos += next.nanos;
        self.operations += next.operations;
        self.answer = self.answer.rotate_left(1).wrapping_add(next.answer);
    }
}

/// Times a piece of work, less what reading the clock costs. Never less than a nanosecond: below
/// that the clock shows nothing, and ratios to nothing mean nothing.
pub(crate) fn timed<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let (nanos, result) = raw_timed(work);
    ((nanos - clock_cost()).max(1.0), result)
}

fn raw_timed<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed().as_nanos() as f64, result)
}

/// What timing nothing shows: the least of many tries.
fn clock_cost() -> f64 {
    static COST: OnceLock<f64> = OnceLock::new();
    *COST.get_or_init(|| (0..10_000).map(|_| raw_timed(|| ()).0).fold(f64::INFINITY, f64::min))
}

/// Work that changes the container: as often as the effort says, answers added up.
pub(crate) fn repeat(effort: &Effort, run: &mut dyn FnMut() -> Sample) -> Sample {
    if effort.warm_up {
        run();
    }
    let mut total = Sample::default();
    for _ in 0..effort.repeats {
        total += run();
    }
    total
}

/// Work that leaves the container as it was: passes until the effort is spent, every one of which
/// must give the same answer.
pub(crate) fn passes(effort: &Effort, operations: usize, mut pass: impl FnMut() -> u64) -> Sample {
    let (first, answer) = timed(&mut pass);
    if !effort.warm_up {
        return Sample { nanos: first, operations: operations as f64, answer };
    }
    // Below ten nanoseconds the first pass says little about how long many of them take.
    let count = (effort.enough / first.max(10.0)).ceil().max(1.0) as u64;
    let (nanos, sum) = timed(|| (0..count).fold(0_u64, |sum, _| sum.wrapping_add(pass())));
    Sample {
        nanos,
        operations: operations as f64 * count as f64,
        answer: if sum == answer.wrapping_mul(count) { answer } else { sum },
    }
}

/// Keeps the compiler from carrying a container's fields in registers from one operation to the
/// next, as it could in a loop that does nothing else and cannot in a program that does.
#[inline(always)]
pub(crate) fn barrier() {
    black_box(());
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { enough: 1000.0, repeats: 3, warm_up: true };

    #[test]
    fn repeat_runs_once_more_than_it_counts() {
        let mut runs = 0;
        let total = repeat(&EFFORT, &mut || {
            runs += 1;
            Sample { nanos: 2.0, operations: 4.0, answer: 1 }
        });
        assert_eq!(runs, 4);
        assert_eq!((total.nanos, total.operations), (6.0, 12.0));
        assert_eq!(total.per_operation(), 0.5);
    }

    #[test]
    fn passes_that_disagree_are_seen_in_the_answer() {
        let mut calls = 0;
        let same = passes(&EFFORT, 1, || 7);
        let changing = passes(&EFFORT, 1, || {
            calls += 1;
            calls
        });
        assert_eq!(same.answer, 7);
        assert_ne!(changing.answer, 1);
    }
}
