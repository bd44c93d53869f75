//! `columns`: rows, columns and lanes, measured on particles of ten numbers.
//!
//! The source documents reason about such a particle: what a loop gains that needs one field of ten,
//! what a lookup of a random particle costs, what happens when columns begin at equal offsets, and what
//! holes do to SIMD. Each is a study. `records/columns.md` has the results.

#[macro_use]
mod flocks;
mod denormals;
#[cfg(feature = "ecs")]
mod ecs;
mod holes;
mod particle;
mod stores;
mod temporary;

use self::particle::step;
use crate::study::prelude::{Part, Turn};

pub(crate) fn parts() -> Vec<Part> {
    let parts = [stores::parts(), holes::parts(), denormals::parts(), temporary::parts()];
    parts.into_iter().flatten().collect()
}

/// A turn that makes passes over a store; the answer is read from it afterwards.
fn turn<'a, S: 'a>(
    subject: &'static str,
    count: usize,
    store: S,
    pass: fn(&mut S, f32),
    answer: fn(&S) -> u64,
) -> Turn<'a> {
    Turn::changing(subject, count, store, move |store| pass(store, step()), answer)
}

/// Returns a digest of numbers, which depends on their order.
fn digest<'a>(numbers: impl Iterator<Item = &'a f32>) -> u64 {
    numbers.fold(0_u64, |sum, number| sum.rotate_left(1).wrapping_add(u64::from(number.to_bits())))
}
