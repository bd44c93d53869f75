//! Times many short calls one by one.

use std::fs::File;
use std::io::{Read, Seek};

use super::histogram::Histogram;
use crate::measure::ticks::{nanoseconds_per_tick, now};

/// The times of calls, without waiting for the processor.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    histogram: Histogram,
    waiting: Waiting,
    nanoseconds_per_tick: f64,
}

/// A longer call may have waited for the processor: two thread switches take about as long.
const SUSPICIOUS_NANOS: f64 = 5_000.0;

impl Stopwatch {
    pub(crate) fn new() -> Self {
        Self {
            histogram: Histogram::new(),
            waiting: Waiting::new(),
            nanoseconds_per_tick: nanoseconds_per_tick(),
        }
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
                self.histogram.add(ticks);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn add_suspicious(&mut self, ticks: u64) {
        let waited = self.waiting.since_last() as f64 / self.nanoseconds_per_tick;
        self.histogram.add(ticks.saturating_sub(waited as u64));
    }

    /// The mean of all calls.
    pub(crate) fn mean_ns(&self) -> f64 {
        self.histogram.mean() * self.nanoseconds_per_tick
    }

    /// The time that one call in so many exceeds.
    pub(crate) fn exceeded_by_one_in(&self, rarity: f64) -> f64 {
        self.histogram.exceeded_by_one_in(rarity) as f64 * self.nanoseconds_per_tick
    }

    /// The longest call.
    pub(crate) fn worst_ns(&self) -> f64 {
        self.histogram.worst() as f64 * self.nanoseconds_per_tick
    }

    /// The time of waiting, which is not counted.
    pub(crate) fn waited_ns(&self) -> f64 {
        self.waiting.all() as f64
    }
}

/// How long this thread was ready to run but another one had the processor, by the system's statistics, if it has them.
///
/// On a busy machine a lost time slice of a few milliseconds is longer than anything a store does, and
/// would be the worst insertion of most stores.
#[derive(Debug)]
struct Waiting {
    /// The time that the thread ran, the time that it waited, and a count.
    file: Option<File>,
    last: u64,
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

    /// Nanoseconds of waiting up to the last call of `since_last`.
    fn all(&self) -> u64 {
        self.all
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
        assert_eq!(waiting.all(), 0);
        let since = waiting.since_last() + waiting.since_last();
        assert_eq!(waiting.all(), since);
        if cfg!(target_os = "linux") {
            assert!(waiting.so_far().is_some());
        }
    }

    #[test]
    fn where_nothing_is_known_nothing_is_taken_out() {
        let mut waiting = Waiting { file: None, last: 5, all: 0 };
        assert_eq!((waiting.since_last(), waiting.all()), (0, 0));
    }
}
