//! How long single releases take, the longest above all: a mean hides the one that empties a block.
//!
//! The same releases are timed several times over, on names made anew, and each counts as long as it took at
//! its shortest: what the names do is the same each time, what else the machine does only adds. Reading the
//! clock is part of every number, some 10 to 20 nanoseconds.

use super::pools::Names;
use super::{Plan, Referred, referred};
use crate::tail::ticks::{nanoseconds_per_tick, now};

/// How often the same is done.
const PASSES: usize = 5;

/// How long releases took, in ascending order.
pub(super) struct Singles {
    ticks: Vec<u64>,
    nanoseconds_per_tick: f64,
}

impl Singles {
    pub(super) fn of<N: Names>(plan: &Plan) -> Self {
        let mut ticks = vec![u64::MAX; plan.released.len()];
        for _ in 0..PASSES {
            release_each(&mut referred::<N>(plan), &plan.released, &mut ticks);
        }
        ticks.sort_unstable();
        Self { ticks, nanoseconds_per_tick: nanoseconds_per_tick() }
    }

    /// What one in `rarity` takes longer than, in nanoseconds; the longest where there are fewer.
    pub(super) fn exceeded_by_one_in(&self, rarity: usize) -> f64 {
        let allowed = self.ticks.len() / rarity;
        let ticks = self.ticks[self.ticks.len() - 1 - allowed];
        ticks as f64 * self.nanoseconds_per_tick
    }
}

#[inline(never)]
fn release_each<N: Names>((names, symbols): &mut Referred<N>, which: &[u32], ticks: &mut [u64]) {
    for (&at, shortest) in which.iter().zip(ticks) {
        if let Some(symbol) = symbols[at as usize].take() {
            let before = now();
            names.release(symbol);
            *shortest = now().wrapping_sub(before).min(*shortest);
        }
    }
}
