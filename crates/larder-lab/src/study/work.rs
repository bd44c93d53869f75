//! How a turn's work is timed, by what it does with its store; or counted.

use core::hint::black_box;

use crate::compare::clock::{Sample, timed};

/// Passes over a store that change nothing; the answer is the sum of theirs.
pub(crate) fn reading<S: ?Sized>(
    store: &S,
    operations: usize,
    repeats: u32,
    pass: impl Fn(&S) -> u64,
) -> Sample {
    let (nanos, answer) =
        timed(|| (0..repeats).fold(0_u64, |sum, _| sum.wrapping_add(pass(black_box(store)))));
    Sample { nanos, operations: each(operations, repeats), answer }
}

/// Passes over a store that change all of it; the answer is what it says afterwards.
pub(super) fn changing<S>(
    store: &mut S,
    operations: usize,
    repeats: u32,
    pass: impl Fn(&mut S),
    answer: impl Fn(&S) -> u64,
) -> Sample {
    let (nanos, ()) = timed(|| (0..repeats).for_each(|_| pass(black_box(store))));
    Sample { nanos, operations: each(operations, repeats), answer: answer(store) }
}

/// Work that uses up what it is done with, which is made anew each time. What is made, and what is
/// left of it, is not timed.
pub(crate) fn consuming<S, R>(
    operations: usize,
    repeats: u32,
    mut make: impl FnMut() -> S,
    mut work: impl FnMut(&mut S) -> R,
    answer: impl Fn(&S, &R) -> u64,
) -> Sample {
    let mut total = Sample::default();
    for _ in 0..repeats {
        let mut store = make();
        let (nanos, result) = timed(|| work(black_box(&mut store)));
        total += Sample { nanos, operations: operations as f64, answer: answer(&store, &result) };
    }
    total
}

/// What is counted instead of timed, with what was done and the answer. Never nothing: ratios to nothing
/// mean nothing.
pub(crate) fn counting(amount: usize, operations: usize, answer: u64) -> Sample {
    Sample { nanos: amount.max(1) as f64, operations: operations as f64, answer }
}

/// So many operations, so often.
fn each(operations: usize, repeats: u32) -> f64 {
    operations as f64 * f64::from(repeats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_up_is_made_for_each_repetition() {
        let mut made = 0;
        let make = || {
            made += 1;
            vec![made; 3]
        };
        let sample = consuming(3, 4, make, |store| store.pop(), |store, _| store.len() as u64);
        assert_eq!((made, sample.operations), (4, 12.0));
        // The answers of all repetitions, in order.
        let expected = (0..4).fold(0_u64, |answer, _| answer.rotate_left(1) + 2);
        assert_eq!(sample.answer, expected);
    }

    #[test]
    fn passes_add_up() {
        let read = reading(&[1_u64, 2], 2, 5, |store| store.iter().sum());
        assert_eq!((read.operations, read.answer), (10.0, 15));
        let mut store = 0_u64;
        let changed = changing(&mut store, 1, 5, |store| *store += 2, |&store| store);
        assert_eq!((changed.operations, changed.answer), (5.0, 10));
        assert_eq!(counting(0, 4, 7), Sample { nanos: 1.0, operations: 4.0, answer: 7 });
    }
}
