//! Workloads that leave the container as it was, or only touch its values.

use core::hint::black_box;

use super::clock::{Effort, Sample, barrier, passes, repeat, timed};
use super::population::{Population, sum_of_live};
use crate::subject::{Element, Store};

/// Lookups in one pass, at most: enough to leave every cache.
pub(crate) const MOST_LOOKUPS: usize = 1_000_000;

/// `walk_…`: the sum of all live values, by the container's fastest way.
pub(crate) fn walk<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    effort: &Effort,
) -> Sample {
    passes(effort, population.len(), || sum_of_live(population.store()))
}

/// `blind_pass`: the sum of everything in `count` slots, holes included where they hold something;
/// the answer is a full container's, since what is removed stays where it is. Per slot.
pub(crate) fn blind_pass<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    count: usize,
    effort: &Effort,
) -> Sample {
    #[inline(never)]
    fn pass<T: Element, S: Store<T>>(store: &S) -> u64 {
        let mut sum = 0_u64;
        store.for_each_slot(|value| sum = sum.wrapping_add(value.number()));
        sum
    }
    passes(effort, count, || pass(population.store()))
}

/// `for_…`: the sum of all live values by a plain `for` loop.
pub(crate) fn for_loop<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    effort: &Effort,
) -> Sample {
    #[inline(never)]
    fn pass<T: Element, S: Store<T>>(store: &S) -> u64 {
        store.sum_by_for_loop()
    }
    passes(effort, population.len(), || pass(population.store()))
}

/// Calls of one pass of `first`: one of them is too short for a clock.
const FIRSTS: usize = 1_000;

/// `first`: the first value of a full container, from the container alone; per call.
pub(crate) fn first<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    effort: &Effort,
) -> Sample {
    #[inline(never)]
    fn pass<T: Element, S: Store<T>>(store: &S) -> u64 {
        let mut sum = 0_u64;
        for _ in 0..FIRSTS {
            // Each call begins with a container of which the compiler knows nothing.
            let first = black_box(store).first().map_or(u64::MAX, Element::number);
            sum = sum.wrapping_add(first);
        }
        sum
    }
    passes(effort, FIRSTS, || pass(population.store()))
}

/// `lookup`: the sum of the values of these keys, each lookup free of the others.
pub(crate) fn lookup<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    keys: &[S::Key],
    effort: &Effort,
) -> Sample {
    passes(effort, keys.len(), || look_up_each(population.store(), keys))
}

/// The sum of the values that these keys find.
#[inline(never)]
pub(crate) fn look_up_each<T: Element, S: Store<T>>(store: &S, keys: &[S::Key]) -> u64 {
    let store = black_box(store);
    let mut sum = 0_u64;
    for &key in keys {
        barrier();
        if let Some(value) = store.get(key) {
            sum = sum.wrapping_add(value.number());
        }
    }
    sum
}

/// `lookup_chain`: which key comes next is not known before the last value was read.
///
/// The list of keys itself is read in order, so what is measured is the way from a key to its
/// value.
pub(crate) fn lookup_chain<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    keys: &[S::Key],
    effort: &Effort,
) -> Sample {
    #[inline(never)]
    fn pass<T: Element, S: Store<T>>(store: &S, keys: &[S::Key]) -> u64 {
        let store = black_box(store);
        // Always 0, which the compiler does not know.
        let nothing = black_box(0_usize);
        let mut last = 0_u64;
        let mut sum = 0_u64;
        for at in 0..keys.len() {
            barrier();
            let key = keys[at + (last as usize & nothing)];
            if let Some(value) = store.get(key) {
                last = value.number();
                sum = sum.wrapping_add(last);
            }
        }
        sum
    }
    passes(effort, keys.len(), || pass(population.store(), keys))
}

/// `stale`: lookups by keys whose values are gone and whose places were used again.
///
/// A container without generations finds whoever lives there now. That is measured too; the
/// answer is how far the number of hits is from what such a container must give.
pub(crate) fn stale<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    keys: &[S::Key],
    effort: &Effort,
) -> Sample {
    #[inline(never)]
    fn pass<T: Element, S: Store<T>>(store: &S, keys: &[S::Key]) -> (u64, u64) {
        let store = black_box(store);
        let (mut hits, mut sum) = (0, 0_u64);
        for &key in keys {
            barrier();
            if let Some(value) = store.get(key) {
                hits += 1;
                sum = sum.wrapping_add(value.number());
            }
        }
        (hits, sum)
    }
    let expected = if S::KNOWS_STALE { 0 } else { keys.len() as u64 };
    passes(effort, keys.len(), || {
        let (hits, sum) = pass(population.store(), keys);
        black_box(sum);
        hits.abs_diff(expected)
    })
}

/// `update`: every value touched. Values change, so every subject makes as many passes.
pub(crate) fn update<T: Element, S: Store<T>>(
    population: &mut Population<T, S>,
    effort: &Effort,
) -> Sample {
    let live = population.len();
    let passes = (FEWEST_UPDATES / live).max(1);
    repeat(effort, &mut || {
        let (nanos, ()) = timed(|| {
            for _ in 0..passes {
                touch_all(population.store_mut());
            }
        });
        Sample {
            nanos,
            operations: (passes * live) as f64,
            answer: sum_of_live(population.store()),
        }
    })
}

/// Touches of one run of `update`, at least: so that the clock is read seldom.
const FEWEST_UPDATES: usize = 16_384;

/// Touches every live value.
#[inline(never)]
pub(crate) fn touch_all<T: Element, S: Store<T>>(store: &mut S) {
    store.for_each_mut(Element::touch);
}
