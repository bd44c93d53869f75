//! Timing or counting a turn's work, by what it does with its store.

use core::hint::black_box;

use crate::measure::clock::{Sample, timed};

/// Passes over a store that change nothing; the answer is the sum of theirs.
pub(crate) fn reading<S: ?Sized>(
    store: &S,
    operations: usize,
    repeats: u32,
    pass: impl Fn(&S) -> u64,
) -> Sample {
    repeated(operations, repeats, &mut || pass(black_box(store)))
}

/// Passes over a store that change all of it; the answer is read from it afterwards.
pub(crate) fn changing<S>(
    store: &mut S,
    operations: usize,
    repeats: u32,
    pass: impl Fn(&mut S),
    answer: impl Fn(&S) -> u64,
) -> Sample {
    let pass = &mut || {
        pass(black_box(store));
        0
    };
    let sample = repeated(operations, repeats, pass);
    Sample { answer: answer(store), ..sample }
}

fn repeated(operations: usize, repeats: u32, pass: &mut dyn FnMut() -> u64) -> Sample {
    let passes = &mut || (0..repeats).fold(0_u64, |sum, _| sum.wrapping_add(pass()));
    let (nanos, answer) = timed(passes);
    Sample { nanos, operations: operations as f64 * f64::from(repeats), answer }
}

/// Work that uses a store up, which is made anew each time. Neither making nor dropping it is timed.
pub(crate) fn consuming<S, R>(
    operations: usize,
    repeats: u32,
    mut make: impl FnMut() -> S,
    mut work: impl FnMut(&mut S) -> R,
    answer: impl Fn(&S, &R) -> u64,
) -> Sample {
    let mut total = Sample::default();
    for _ in 0..repeats {
        let (mut store, mut result) = (make(), None);
        let (nanos, _) = timed(&mut || {
            result = Some(work(black_box(&mut store)));
            0
        });
        let answer = result.map_or(0, |result| answer(&store, &result));
        total += Sample { nanos, operations: operations as f64, answer };
    }
    total
}

/// An amount that is counted, not timed, with the number of operations and the answer. Never zero:
/// there is no ratio to zero.
pub(crate) fn counting(amount: usize, operations: usize, answer: u64) -> Sample {
    Sample { nanos: amount.max(1) as f64, operations: operations as f64, answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_is_used_up_is_made_for_each_repeat() {
        let mut made = 0;
        let make = || {
            made += 1;
            vec![made; 3]
        };
        let sample = consuming(3, 4, make, |store| store.pop(), |store, _| store.len() as u64);
        assert_eq!((made, sample.operations), (4, 12.0));
        // The answers of all repeats, in order.
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
