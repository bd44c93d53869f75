//! Tens of millions of durations, counted in buckets whose width grows with the duration.

/// Below this many ticks each number has its own bucket; above, a bucket's width is a 32nd of the power
/// of two below it.
const EXACT: u64 = 64;
const EXACT_BITS: u32 = EXACT.ilog2();
const PER_DOUBLING: u64 = EXACT / 2;
const BUCKETS: usize = (EXACT + (u64::BITS - EXACT_BITS) as u64 * PER_DOUBLING) as usize;

/// The number of calls by the ticks they took.
#[derive(Debug)]
pub(crate) struct Histogram {
    /// Small, and written before anything is measured, because it shares the caches.
    counts: Vec<u32>,
    many: u64,
    sum: u64,
    worst: u64,
}

impl Histogram {
    pub(crate) fn new() -> Self {
        // Not `vec![0; …]`, whose pages would be mapped when they are first used.
        let counts = (0..BUCKETS).map(|_| core::hint::black_box(0)).collect();
        Self { counts, many: 0, sum: 0, worst: 0 }
    }

    /// Counts one duration.
    #[inline(always)]
    pub(crate) fn add(&mut self, ticks: u64) {
        self.counts[bucket(ticks)] += 1;
        self.many += 1;
        self.sum += ticks;
        self.worst = self.worst.max(ticks);
    }

    /// The longest.
    pub(crate) fn worst(&self) -> u64 {
        self.worst
    }

    /// The mean of all; 0 where there are none.
    pub(crate) fn mean(&self) -> f64 {
        self.sum as f64 / self.many.max(1) as f64
    }

    /// The duration that at most one in `rarity` exceeds: the median for 2, the 99th percentile for 100.
    /// At most a 32nd too long.
    pub(crate) fn exceeded_by_one_in(&self, rarity: f64) -> u64 {
        let allowed = (self.many as f64 / rarity) as u64;
        let mut above = 0;
        for (at, &count) in self.counts.iter().enumerate().rev() {
            above += u64::from(count);
            if above > allowed {
                return longest_in(at).min(self.worst);
            }
        }
        0
    }
}

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
        let mut histogram = Histogram::new();
        let ticks: Vec<u64> = (0..1000).map(|at| if at < 990 { 10 + at % 5 } else { at }).collect();
        ticks.iter().for_each(|&ticks| histogram.add(ticks));
        assert_eq!(histogram.exceeded_by_one_in(2.0), 12);
        assert_eq!(histogram.exceeded_by_one_in(100.0), 14);
        let rare = histogram.exceeded_by_one_in(200.0);
        assert!((994..=1007).contains(&rare), "{rare}");
        assert_eq!(histogram.exceeded_by_one_in(1e9), 999);
        assert_eq!(histogram.worst(), 999);
        let mean = ticks.iter().sum::<u64>() as f64 / 1000.0;
        assert!((histogram.mean() - mean).abs() < 1e-9);
    }

    #[test]
    fn nothing_counted_is_nothing() {
        let histogram = Histogram::new();
        assert_eq!((histogram.exceeded_by_one_in(2.0), histogram.mean() as u64), (0, 0));
    }
}
