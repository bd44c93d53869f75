//! Workloads that make a container, or use one up.

use core::convert::identity;
use core::hint::black_box;

use super::clock::{Effort, Sample, repeat, timed};
use super::clusters::positions_in_order;
use super::population::{Population, remove_each, sum_of_live};
use super::random::Random;
use crate::alloc::{allocations, bytes_kept_by, counted};
use crate::subject::{Element, Store};

/// Bytes of the containers of one run: several small ones together stay in a core's own cache.
const BYTES_OF_ONE_RUN: usize = 512 << 10;

/// How many containers of this size one run makes or uses up.
fn instances<T: Element>(count: usize) -> usize {
    (BYTES_OF_ONE_RUN / (count * (T::BYTES + 8))).clamp(1, 64)
}

/// `insert`: an empty container that grows as values come; making it counts.
pub(crate) fn insert<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    make(count, effort, |count| {
        let mut store = S::new();
        insert_all(&mut store, count);
        store
    })
}

/// `insert_reserved`: a container with room for all; making it counts.
pub(crate) fn insert_reserved<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    make(count, effort, |count| {
        let mut store = S::with_capacity(count);
        insert_all(&mut store, count);
        store
    })
}

/// `fill`: from nothing, as a program would begin that is about to put in so many.
pub(crate) fn fill<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    make(count, effort, |count| {
        let mut store = S::begin(count);
        insert_all(&mut store, count);
        store
    })
}

/// Elements of a small container.
const FEW: usize = 10;

/// `small`: `count` containers made, each filled with ten elements, and dropped; per element.
pub(crate) fn small<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    repeat(effort, &mut || {
        let mut made = Vec::with_capacity(count);
        let (making, ()) = timed(|| {
            for _ in 0..count {
                let mut store = S::new();
                insert_all(&mut store, FEW);
                made.push(store);
            }
        });
        let made_sample = sample(making, FEW, &made);
        let (dropping, ()) = timed(|| drop(made));
        Sample { nanos: making + dropping, ..made_sample }
    })
}

/// `extend`: room for all, and the container's own bulk insert, where it has one.
pub(crate) fn extend<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    make(count, effort, |count| {
        let mut store = S::with_capacity(count);
        black_box(&mut store).extend((0..count as u64).map(T::new));
        store
    })
}

/// Times the making of full containers.
fn make<T: Element, S: Store<T>>(count: usize, effort: &Effort, one: fn(usize) -> S) -> Sample {
    let instances = instances::<T>(count);
    repeat(effort, &mut || {
        let mut made = Vec::with_capacity(instances);
        let (nanos, ()) = timed(|| {
            for _ in 0..instances {
                made.push(one(count));
            }
        });
        sample(nanos, count, &made)
    })
}

/// One insert after the other. The keys go nowhere, but the container has to make them.
#[inline(never)]
fn insert_all<T: Element, S: Store<T>>(store: &mut S, count: usize) {
    let store = black_box(store);
    for number in 0..count as u64 {
        // This is the barrier, too.
        black_box(store.insert(T::new(number)));
    }
}

/// The order in which all values of a full container are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// At random.
    Random,
    /// As they were inserted.
    Inserted,
}

/// The keys of a full container in this order: equal containers give equal keys.
pub(crate) fn victims<T: Element, S: Store<T>>(count: usize, order: Order) -> Vec<S::Key> {
    let mut population = Population::<T, S>::full(count);
    match order {
        Order::Random => population.doom_random(count),
        Order::Inserted => population.doom_at(positions_in_order(count)),
    }
}

/// `remove_all`, `remove_order`: one after the other until nothing is left, in the order of
/// `victims`; the container is made and dropped untimed.
pub(crate) fn remove_all<T: Element, S: Store<T>>(victims: &[S::Key], effort: &Effort) -> Sample {
    let count = victims.len();
    let full = &|| filled(count, identity);
    use_up(count, effort, full, &|store: &mut S| remove_each(store, victims))
}

/// `refill_order`: a container that was full and is empty again is filled; only that is timed. Its
/// values went in the order of `victims`.
pub(crate) fn refill_all<T: Element, S: Store<T>>(victims: &[S::Key], effort: &Effort) -> Sample {
    let count = victims.len();
    let emptied = &|| {
        let mut store: S = filled(count, identity);
        remove_each(&mut store, victims);
        store
    };
    use_up(count, effort, emptied, &|store: &mut S| {
        insert_all(store, count);
        0
    })
}

/// `retain`: three of four values kept, at random.
pub(crate) fn retain<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    // Random numbers, small enough for every element: who goes is no pattern to learn.
    let number = |at| Random::new(at).next() >> 33;
    use_up(count, effort, &|| filled(count, number), &|store: &mut S| {
        store.retain(|value| value.number() & 3 != 0);
        0
    })
}

/// `clear`: everything removed at once.
pub(crate) fn clear<T: Element, S: Store<T>>(count: usize, effort: &Effort) -> Sample {
    use_up(count, effort, &|| filled(count, identity), &|store: &mut S| {
        store.clear();
        0
    })
}

/// Times what `work` does to containers of `count` values, each of which is made ready untimed.
fn use_up<T: Element, S: Store<T>>(
    count: usize,
    effort: &Effort,
    ready: &dyn Fn() -> S,
    work: &dyn Fn(&mut S) -> u64,
) -> Sample {
    repeat(effort, &mut || {
        let mut stores: Vec<S> = (0..instances::<T>(count)).map(|_| ready()).collect();
        let before: usize = stores.iter().map(S::len).sum();
        let (nanos, answer) = timed(|| {
            let answers = stores.iter_mut().map(|store| work(black_box(store)));
            answers.fold(0, u64::wrapping_add)
        });
        let mut sample = sample(nanos, count, &stores);
        sample.answer ^= answer.wrapping_add((before as u64) << 20);
        sample
    })
}

/// A full container, whose values have these numbers.
fn filled<T: Element, S: Store<T>>(count: usize, number: fn(u64) -> u64) -> S {
    let mut store = S::with_capacity(count);
    for at in 0..count as u64 {
        store.insert(T::new(number(at)));
    }
    store
}

/// `clone`: copies in which the same keys work.
pub(crate) fn clone<T: Element, S: Store<T>>(
    population: &Population<T, S>,
    effort: &Effort,
) -> Sample {
    let instances = instances::<T>(population.len());
    repeat(effort, &mut || {
        let mut copies = Vec::with_capacity(instances);
        let (nanos, ()) = timed(|| {
            for _ in 0..instances {
                copies.push(population.store().copy());
            }
        });
        sample(nanos, population.len(), &copies)
    })
}

/// The sample of work on some containers; the answer says what is left in them.
fn sample<T: Element, S: Store<T>>(nanos: f64, count: usize, stores: &[S]) -> Sample {
    Sample {
        nanos,
        operations: (stores.len() * count) as f64,
        answer: stores.iter().fold(0_u64, |answer, store| {
            answer.wrapping_add(sum_of_live(store)).wrapping_add((store.len() as u64) << 40)
        }),
    }
}

/// `bytes`: what a container made for `count` values has taken when it holds them; not a time,
/// but "nanoseconds" per operation come out as bytes per value.
pub(crate) fn bytes<T: Element, S: Store<T>>(count: usize) -> Sample {
    let (store, allocated) = bytes_kept_by(|| {
        let mut store = S::with_capacity(count);
        insert_all(&mut store, count);
        store
    });
    let taken = allocated + store.bytes_from_the_system();
    Sample { nanos: taken as f64, operations: count as f64, answer: store.len() as u64 }
}

/// `allocations…`: how often a container that grows from nothing asks the allocator for a block, or
/// for a larger one; not a time, but "nanoseconds" per operation come out as blocks a container.
pub(crate) fn blocks<T: Element, S: Store<T>>(count: usize) -> Sample {
    let (store, asked) = counted(|| {
        let before = allocations();
        let mut store = S::new();
        insert_all(&mut store, count);
        (store, allocations() - before)
    });
    Sample { nanos: asked as f64, operations: 1.0, answer: store.len() as u64 }
}
