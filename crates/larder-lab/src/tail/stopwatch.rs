//! Times many short calls one by one, and counts tens of millions of durations in buckets whose width grows with the
//! duration.

use crate::measure::clock::{nanoseconds_per_tick, now};
use std::fs::File;
use std::io::{Read, Seek};

/// The times of calls, without waiting for the processor: how many took so many ticks.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    /// By bucket. Small, and written before anything is measured, because it shares the caches.
    counts: Vec<u32>,
    many: u64,
    sum: u64,
    worst: u64,
    waiting: Waiting,
    nanoseconds_per_tick: f64,
}

/// A longer call may have waited for the processor: two thread switches take about as long.
const SUSPICIOUS_NANOS: f64 = 5_000.0;

impl Stopwatch {
    pub(crate) fn new() -> Self {
        Self::with_ticks_of(nanoseconds_per_tick())
    }

    fn with_ticks_of(nanoseconds_per_tick: f64) -> Self {
        // Not `vec![0; …]`, whose pages would be mapped when they are first used.
        let counts = (0..BUCKETS).map(|_| core::hint::black_box(0)).collect();
        let waiting = Waiting::new();
        Self { counts, many: 0, sum: 0, worst: 0, waiting, nanoseconds_per_tick }
    }

    /// Times so many calls, each with its number.
    #[inline(always)]
    pub(crate) fn time_each(&mut self, calls: usize, mut call: impl FnMut(u64)) {
        let suspicious = (SUSPICIOUS_NANOS / self.nanoseconds_per_tick) as u64;
        // Waiting before the first call does not count.
        self.waiting.since_last();
        let mut last = now();
        for number in 0..calls as u64 {
            let before = now();
            // Counters of two cores may differ a little, should the thread have moved.
            if before.saturating_sub(last) > suspicious {
                // The thread waited between two calls.
                self.waiting.since_last();
            }
            call(number);
            last = now();
            let ticks = last.saturating_sub(before);
            if ticks > suspicious {
                self.add_suspicious(ticks);
            } else {
                self.add(ticks);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn add_suspicious(&mut self, ticks: u64) {
        let waited = self.waiting.since_last() as f64 / self.nanoseconds_per_tick;
        self.add(ticks.saturating_sub(waited as u64));
    }

    /// Counts one call.
    #[inline(always)]
    fn add(&mut self, ticks: u64) {
        self.counts[bucket(ticks)] += 1;
        self.many += 1;
        self.sum += ticks;
        self.worst = self.worst.max(ticks);
    }

    /// The mean of all calls; 0 where there are none.
    pub(crate) fn mean_ns(&self) -> f64 {
        self.sum as f64 / self.many.max(1) as f64 * self.nanoseconds_per_tick
    }

    /// The time that at most one call in `rarity` exceeds: the median for 2, the 99th percentile for 100.
    /// At most a 32nd too long.
    pub(crate) fn exceeded_by_one_in(&self, rarity: f64) -> f64 {
        let allowed = (self.many as f64 / rarity) as u64;
        let mut above = 0;
        let exceeds = |&at: &usize| {
            above += u64::from(self.counts[at]);
            above > allowed
        };
        let found = (0..BUCKETS).rev().find(exceeds);
        let ticks = found.map_or(0, |at| longest_in(at).min(self.worst));
        ticks as f64 * self.nanoseconds_per_tick
    }

    /// The longest call.
    pub(crate) fn worst_ns(&self) -> f64 {
        self.worst as f64 * self.nanoseconds_per_tick
    }

    /// The time of waiting, which is not counted.
    pub(crate) fn waited_ns(&self) -> f64 {
        self.waiting.all as f64
    }
}

/// The time for which this thread was ready to run but another one had the processor, by the system's statistics, if it
/// has them.
///
/// On a busy machine a lost time slice of a few milliseconds is longer than anything a store does, and
/// would be the worst insertion of most stores.
#[derive(Debug)]
struct Waiting {
    /// The time that the thread ran, the time that it waited, and a count.
    file: Option<File>,
    last: u64,
    /// Nanoseconds of waiting up to the last call of `since_last`.
    all: u64,
}

impl Waiting {
    fn new() -> Self {
        let file = File::open("/proc/thread-self/schedstat").ok();
        let mut waiting = Self { file, last: 0, all: 0 };
        waiting.since_last();
        waiting.all = 0;
        waiting
    }

    /// Nanoseconds of waiting since the last call; 0 if unknown. Allocates nothing.
    fn since_last(&mut self) -> u64 {
        let so_far = self.so_far().unwrap_or(self.last);
        let since = so_far.saturating_sub(self.last);
        self.last = so_far;
        self.all += since;
        since
    }

    fn so_far(&mut self) -> Option<u64> {
        let file = self.file.as_mut()?;
        file.rewind().ok()?;
        let mut text = [0; 64];
        let length = file.read(&mut text).ok()?;
        let text = core::str::from_utf8(&text[..length]).ok()?;
        text.split_ascii_whitespace().nth(1)?.parse().ok()
    }
}

/// Below this many ticks each number has its own bucket; above, a bucket's width is a 32nd of the power
/// of two below it.
const EXACT: u64 = 64;
const EXACT_BITS: u32 = EXACT.ilog2();
const PER_DOUBLING: u64 = EXACT / 2;
const BUCKETS: usize = (EXACT + (u64::BITS - EXACT_BITS) as u64 * PER_DOUBLING) as usize;

/// The bucket that counts this duration.
#[inline(always)]
fn bucket(ticks: u64) -> usize {
    if ticks < EXACT {
        return ticks as usize;
    }
    let doubling = ticks.ilog2();
    let within = (ticks >> (doubling - EXACT_BITS + 1)) - PER_DOUBLING;
    (EXACT + u64::from(doubling - EXACT_BITS) * PER_DOUBLING + within) as usize
}

/// The longest duration that this bucket counts.
fn longest_in(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < EXACT {
        return bucket;
    }
    let doubling = (bucket - EXACT) / PER_DOUBLING;
    let within = (bucket - EXACT) % PER_DOUBLING + PER_DOUBLING;
    let width = 1_u128 << (doubling + 1);
    u64::try_from((u128::from(within) + 1) * width - 1).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_timed() {
        let mut stopwatch = Stopwatch::new();
        let mut seen = Vec::new();
        stopwatch.time_each(3, |number| {
            seen.push(number);
            // Sleeping is not waiting for the processor, so it counts.
            std::thread::sleep(core::time::Duration::from_millis(10 * u64::from(number == 1)));
        });
        assert_eq!(seen, [0, 1, 2]);
        assert!(stopwatch.worst_ns() > 5e6, "{stopwatch:?}");
        assert!(stopwatch.exceeded_by_one_in(2.0) < stopwatch.worst_ns());
        assert!(stopwatch.mean_ns() * 3.0 >= stopwatch.worst_ns() * 0.99);
    }

    #[test]
    fn waiting_is_known_on_linux_and_never_runs_backwards() {
        let mut waiting = Waiting::new();
        assert_eq!(waiting.all, 0);
        let since = waiting.since_last() + waiting.since_last();
        assert_eq!(waiting.all, since);
        if cfg!(target_os = "linux") {
            assert!(waiting.so_far().is_some());
        }
    }

    #[test]
    fn where_nothing_is_known_nothing_is_taken_out() {
        let mut waiting = Waiting { file: None, last: 5, all: 0 };
        assert_eq!((waiting.since_last(), waiting.all), (0, 0));
    }

    #[test]
    fn every_duration_has_a_bucket_that_is_at_most_a_32nd_wide() {
        let mut last = 0;
        for ticks in (0..4096).chain((12..64).flat_map(|bit| {
            let power = 1_u64 << bit;
            [power - 1, power, power + 1, power + power / 3]
        })) {
            let at = bucket(ticks);
            assert!(at < BUCKETS);
            let longest = longest_in(at);
            assert!(longest >= ticks && longest - ticks <= ticks / 32, "{ticks} {longest}");
            assert_eq!(bucket(longest), at);
            last = last.max(at);
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
        assert_eq!(longest_in(BUCKETS - 1), u64::MAX);
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_list() {
        let mut stopwatch = Stopwatch::with_ticks_of(1.0);
        assert_eq!((stopwatch.exceeded_by_one_in(2.0), stopwatch.mean_ns()), (0.0, 0.0));
        let ticks: Vec<u64> = (0..1000).map(|at| if at < 990 { 10 + at % 5 } else { at }).collect();
        ticks.iter().for_each(|&ticks| stopwatch.add(ticks));
        assert_eq!([2.0, 100.0].map(|rarity| stopwatch.exceeded_by_one_in(rarity)), [12.0, 14.0]);
        let rare = stopwatch.exceeded_by_one_in(200.0);
        assert!((994.0..=1007.0).contains(&rare), "{rare}");
        assert_eq!((stopwatch.exceeded_by_one_in(1e9), stopwatch.worst_ns()), (999.0, 999.0));
        let mean = ticks.iter().sum::<u64>() as f64 / 1000.0;
        assert!((stopwatch.mean_ns() - mean).abs() < 1e-9);
    }
}
