//! How long single releases take, especially the longest: a mean hides the one that empties a block.
//!
//! The same releases are timed several times on new interners, and the shortest time of each counts: the
//! interner does the same each time, and other work of the machine only adds. Every number includes the
//! reading of the clock, some 10 to 20 nanoseconds.

use super::plan::{Plan, Referred, referred};
use super::pools::Names;
use crate::measure::ticks::{nanoseconds_per_tick, now};

/// How often each release is timed.
const PASSES: usize = 5;

/// The times of releases, in ascending order.
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

    /// The nanoseconds that only so many releases exceed.
    pub(super) fn exceeded_by(&self, exceeding: usize) -> f64 {
        let ticks = self.ticks[self.ticks.len() - 1 - exceeding];
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
