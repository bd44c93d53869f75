//! Workloads that remove and insert, and leave the container as full as it was.

use super::clock::{Effort, Sample, repeat, timed};
use super::population::{Population, insert_each, remove_each, sum_of_live};
use super::read::{look_up_each, touch_all};
use crate::subject::{Element, Store};

/// Pairs of one run, at most: at 10,000,000 a run need not touch everything.
const MOST_PAIRS: usize = 250_000;

/// Pairs of one run of a container of this size.
fn pairs(live: usize) -> usize {
    (live / 4).clamp(1, MOST_PAIRS)
}

/// So many of a thousand live values, at least one.
fn share(live: usize, per_mille: usize) -> usize {
    (live * per_mille / 1_000).max(1)
}

/// Random pairs that are not timed, to bring the container into its steady state.
pub(crate) fn stir<T: Element, S: Store<T>>(population: &mut Population<T, S>, count: usize) {
    let mut left = count;
    while left > 0 {
        let pairs = pairs(population.len()).min(left);
        let mut churn = population.plan_churn(pairs, 1);
        churn.run(population.store_mut());
        population.settle_churn(&churn);
        left -= pairs;
    }
}

/// `churn…`: a random value out, a new one in; per pair. In `churn` the container is full but for the
/// one that is out; in `churn_99`, `churn_90` and `churn_50` it has holes besides.
pub(crate) fn churn<T: Element, S: Store<T>>(
    population: &mut Population<T, S>,
    effort: &Effort,
) -> Sample {
    repeat(effort, &mut || {
        let pairs = pairs(population.len());
        let mut churn = population.plan_churn(pairs, 1);
        let (nanos, removed) = timed(|| churn.run(population.store_mut()));
        population.settle_churn(&churn);
        Sample { nanos, operations: pairs as f64, answer: removed }
    })
}

/// `batch_churn…`: a share of a full container out at random, as many in; per pair.
pub(crate) fn batch_churn<T: Element, S: Store<T>>(
    population: &mut Population<T, S>,
    per_mille: usize,
    effort: &Effort,
) -> Sample {
    repeat(effort, &mut || {
        let batch = share(population.len(), per_mille);
        let batches = (pairs(population.len()) / batch).max(1);
        let mut churn = population.plan_churn(batches * batch, batch);
        let (nanos, removed) = timed(|| churn.run_batches(population.store_mut()));
        population.settle_churn(&churn);
        Sample { nanos, operations: (batches * batch) as f64, answer: removed }
    })
}

/// `recycle`: one percent out at random, one percent in, where a container that keeps what removed
/// objects own lets new ones have it; per pair.
pub(crate) fn recycle<T: Element, S: Store<T>>(
    population: &mut Population<T, S>,
    effort: &Effort,
) -> Sample {
    repeat(effort, &mut || {
        let batch = share(population.len(), 10);
        let batches = (pairs(population.len()) / batch).max(1);
        let mut churn = population.plan_churn(batches * batch, batch);
        let (nanos, removed) = timed(|| churn.run_recycling(population.store_mut()));
        population.settle_churn(&churn);
        let answer = removed ^ sum_of_live(population.store());
        Sample { nanos, operations: (batches * batch) as f64, answer }
    })
}

/// `refill`: half removed at random, then as many inserted; only the filling is timed.
pub(crate) fn refill<T: Element, S: Store<T>>(
    population: &mut Population<T, S>,
    effort: &Effort,
) -> Sample {
    repeat(effort, &mut || {
        let half = population.len() / 2;
        let mut keys = population.doom_random(half);
        let removed = remove_each(population.store_mut(), &keys);
        let number = population.take_numbers(half);
        let (nanos, ()) = timed(|| insert_each(population.store_mut(), &mut keys, number));
        population.admit(&keys);
        Sample { nanos, operations: half as f64, answer: removed ^ sum_of_live(population.store()) }
    })
}

/// `game`: a frame walks all objects and changes them, lets each look another one up, removes one
/// percent and inserts one percent; per object and frame.
pub(crate) fn game<T: Element, S: Store<T>>(
    population: &mut Population<T, S>,
    effort: &Effort,
) -> Sample {
    repeat(effort, &mut || {
        let live = population.len();
        let targets = population.random_keys(live);
        let mut turnover = population.doom_random(share(live, 10));
        let number = population.take_numbers(turnover.len());
        let store = population.store_mut();
        let (nanos, answer) = timed(|| {
            touch_all(store);
            let seen = look_up_each(store, &targets);
            let removed = remove_each(store, &turnover);
            insert_each(store, &mut turnover, number);
            seen ^ removed
        });
        population.admit(&turnover);
        Sample { nanos, operations: live as f64, answer }
    })
}
