//! Random choices, the same for every subject: a stream of numbers, and scattered positions.

/// A stream of random numbers (SplitMix64), the same for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The next number, brought below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

/// All positions below a limit, each once, in scattered order.
///
/// Walks a permutation that is computed, not stored: at 10,000,000 a shuffled list would cost more
/// cache misses than some of the measured work.
#[derive(Clone, Debug)]
pub(crate) struct Scatter {
    limit: usize,
    seed: usize,
    bits: u32,
    counter: usize,
}

impl Scatter {
    /// The positions below `limit` in the order of this seed.
    pub(crate) fn new(limit: usize, seed: u64) -> Self {
        Self {
            limit,
            seed: Random::new(seed).next() as usize,
            bits: usize::BITS - limit.saturating_sub(1).leading_zeros(),
            counter: 0,
        }
    }

    /// A one-to-one mixing of the numbers below `2^bits`.
    fn mix(&self, number: usize) -> usize {
        let mask = (1_usize << self.bits) - 1;
        let shift = (self.bits / 2).max(1);
        let mut mixed = (number ^ self.seed) & mask;
        for odd in [0x9E37_79B1, 0x85EB_CA6B, 0xC2B2_AE35] {
            mixed = mixed.wrapping_mul(odd) & mask;
            mixed ^= mixed >> shift;
        }
        mixed
    }
}

impl Iterator for Scatter {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.counter < 1 << self.bits {
            let position = self.mix(self.counter);
            self.counter += 1;
            if position < self.limit {
                return Some(position);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scatter_gives_every_position_once() {
        for limit in [0, 1, 2, 3, 63, 64, 65, 1000, 4097] {
            let mut positions: Vec<usize> = Scatter::new(limit, 7).collect();
            positions.sort_unstable();
            assert_eq!(positions, (0..limit).collect::<Vec<_>>());
        }
    }

    #[test]
    fn scatter_leaves_no_order() {
        let positions: Vec<usize> = Scatter::new(100_000, 1).collect();
        let ascents = positions.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((45_000..55_000).contains(&ascents), "{ascents}");
        let near = positions.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) < 1000);
        assert!(near.count() < 4000);
    }

    #[test]
    fn another_seed_is_another_order() {
        let one: Vec<usize> = Scatter::new(100, 1).collect();
        let two: Vec<usize> = Scatter::new(100, 2).collect();
        assert_ne!(one, two);
    }

    #[test]
    fn numbers_stay_below_their_limit() {
        let mut random = Random::new(3);
        assert!((0..1000).all(|_| random.below(10) < 10));
    }
}
