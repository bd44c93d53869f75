//! The cost of denormal numbers in holes: a pass over a whole column, half of it holes, that multiplies and adds all
//! numbers.

use larder::soa::Fill;
use larder::{Soa, SoaArena};

use super::digest;
use crate::study::prelude::*;

pub(super) fn parts() -> Vec<Part> {
    // By the number of slots.
    study::parts("denormals", &[10_000, 1_000_000], NEVER_SLOW, |contest| {
        let count = contest.count;
        let turns = vec![
            Turn::changing(
                "holes are 0",
                count,
                store(count, |t| Zero { t }),
                |all| halve_twice(all.columns_mut().t),
                |all| digest(all.values().map(|one| one.t)),
            ),
            Turn::changing(
                "holes are denormal",
                count,
                store(count, |t| Denormal { t }),
                |all| halve_twice(all.columns_mut().t),
                |all| digest(all.values().map(|one| one.t)),
            ),
        ];
        let about = "a pass over a whole column, half of it holes, per slot";
        contest.take_turns("halved twice", about, turns)
    })
}

/// A number; a hole holds 0, the default of `Soa`.
#[derive(Clone, Copy, Soa)]
struct Zero {
    t: f32,
}

/// A number; a hole holds 2⁻¹³⁰, as a decaying value might leave behind.
#[derive(Clone, Copy, Soa)]
struct Denormal {
    #[soa(fill = f32::from_bits(1 << 19))]
    t: f32,
}

/// A store of which half of the values were removed.
fn store<T: Soa + Fill>(count: usize, make: impl Fn(f32) -> T) -> SoaArena<T> {
    let mut arena = SoaArena::with_capacity(count);
    let keys: Vec<_> = (0..count).map(|at| arena.insert(make(at as f32))).collect();
    for at in Scatter::new(count, 0xDE).take(count / 2) {
        arena.remove(keys[at]);
    }
    arena
}

/// Leaves the numbers as they were, small ones too: every step is exact.
#[inline(never)]
fn halve_twice(times: &mut [f32]) {
    times.iter_mut().for_each(|time| *time = *time * 0.5 + *time * 0.5);
}
