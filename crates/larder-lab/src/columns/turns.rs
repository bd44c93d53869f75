//! What the studies of single columns have in common: their turns, and their answers.

use super::particle::step;
use crate::study::prelude::*;

/// A turn that makes passes over a store; the answer is read from it afterwards.
pub(super) fn turn<'a, S: 'a>(
    subject: &'static str,
    count: usize,
    store: S,
    pass: fn(&mut S, f32),
    answer: fn(&S) -> u64,
) -> Turn<'a> {
    Turn::changing(subject, count, store, move |store| pass(store, step()), answer)
}

/// What numbers add up to, in this order.
pub(super) fn digest<'a>(numbers: impl Iterator<Item = &'a f32>) -> u64 {
    numbers.fold(0_u64, |sum, number| sum.rotate_left(1).wrapping_add(u64::from(number.to_bits())))
}
