//! A container with its keys: what most workloads work on.

use core::fmt::Debug;
use core::hint::black_box;

use super::clock::barrier;
use super::random::{Random, Scatter};
use crate::subject::{Element, Store};

/// A container behind a pointer, with the keys of its live values.
///
/// The keys are kept in the order in which a `Vec` that fills gaps from its end holds the values:
/// `keys[i]` names the value that [`Packed`](crate::subjects::Packed) has at position `i`. So one
/// random position means the same value to every subject, and all answers can be compared.
#[derive(Debug)]
pub(crate) struct Population<T: Element, S: Store<T>> {
    store: Box<S>,
    keys: Vec<S::Key>,
    next_number: u64,
    random: Random,
    element: core::marker::PhantomData<T>,
}

impl<T: Element, S: Store<T>> Population<T, S> {
    /// A container with room for `count` values and as many in it.
    pub(crate) fn full(count: usize) -> Self {
        let mut population = Self {
            store: Box::new(S::with_capacity(count)),
            keys: Vec::with_capacity(count),
            next_number: 0,
            random: Random::new(0xA11),
            element: core::marker::PhantomData,
        };
        for _ in 0..count {
            let value = population.next_value();
            let key = population.store.insert(value);
            population.keys.push(key);
        }
        population
    }

    /// The container, by a pointer that says nothing to the compiler.
    pub(crate) fn store(&self) -> &S {
        black_box(&*self.store)
    }

    /// The container to change, by a pointer that says nothing to the compiler.
    pub(crate) fn store_mut(&mut self) -> &mut S {
        black_box(&mut *self.store)
    }

    /// How many values are live.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Some of the keys, or all, in scattered order, each once.
    pub(crate) fn scattered_keys(&self, most: usize) -> Vec<S::Key> {
        let order = Scatter::new(self.keys.len(), 0x5CA);
        order.take(most).map(|at| self.keys[at]).collect()
    }

    /// Keys of random live values, one value perhaps several times.
    pub(crate) fn random_keys(&mut self, count: usize) -> Vec<S::Key> {
        let live = self.keys.len();
        (0..count).map(|_| self.keys[self.random.below(live)]).collect()
    }

    /// Takes the keys of random live values off the list, for a caller that removes the values in
    /// this order before it does anything else.
    pub(crate) fn doom_random(&mut self, count: usize) -> Vec<S::Key> {
        (0..count)
            .map(|_| {
                let position = self.random.below(self.keys.len());
                self.take_key(position)
            })
            .collect()
    }

    /// Takes the keys of the values at these positions off the list, as
    /// [`doom_random`](Self::doom_random) does.
    pub(crate) fn doom_at(&mut self, positions: impl Iterator<Item = u32>) -> Vec<S::Key> {
        positions.map(|position| self.take_key(position as usize)).collect()
    }

    /// Removes random values until `live` are left.
    pub(crate) fn thin_out(&mut self, live: usize) {
        for key in self.doom_random(self.keys.len() - live) {
            self.remove_doomed(key);
        }
    }

    /// Removes the values at these positions, one after the other.
    pub(crate) fn remove_at(&mut self, positions: &[u32]) {
        for key in self.doom_at(positions.iter().copied()) {
            self.remove_doomed(key);
        }
    }

    /// Removes every value, the youngest first, and fills the container with others.
    pub(crate) fn replace_all(&mut self) {
        let count = self.keys.len();
        while let Some(position) = self.keys.len().checked_sub(1) {
            let key = self.take_key(position);
            self.remove_doomed(key);
        }
        for _ in 0..count {
            let value = self.next_value();
            let key = self.store.insert(value);
            self.keys.push(key);
        }
    }

    /// Adds keys to the list, of values that were inserted in this order.
    pub(crate) fn admit(&mut self, keys: &[S::Key]) {
        self.keys.extend_from_slice(keys);
    }

    /// A plan to remove and insert by turns, `batch` values at a time, `pairs` in all.
    pub(crate) fn plan_churn(&mut self, pairs: usize, batch: usize) -> Churn<S::Key> {
        // Positions are distinct and not among the last `batch`, so what dies was there when the
        // run began: the gaps are filled with the last values, which are never asked for.
        let order = Scatter::new(self.keys.len() - batch, self.random.next());
        let positions: Vec<u32> = order.take(pairs).map(|at| at as u32).collect();
        Churn {
            keys: positions.iter().map(|&at| self.keys[at as usize]).collect(),
            positions,
            batch,
            first_number: self.take_numbers(pairs),
        }
    }

    /// Brings the list of keys up to date after a plan was carried out.
    pub(crate) fn settle_churn(&mut self, churn: &Churn<S::Key>) {
        let positions = churn.positions.chunks(churn.batch);
        for (removed, inserted) in positions.zip(churn.keys.chunks(churn.batch)) {
            for &position in removed {
                self.take_key(position as usize);
            }
            self.admit(inserted);
        }
    }

    /// Numbers for values to come; the first of them.
    pub(crate) fn take_numbers(&mut self, count: usize) -> u64 {
        let first = self.next_number;
        self.next_number += count as u64;
        first
    }

    fn next_value(&mut self) -> T {
        T::new(self.take_numbers(1))
    }

    fn take_key(&mut self, position: usize) -> S::Key {
        if S::KEYS_ARE_POSITIONS {
            let key = self.keys[position];
            self.keys.pop();
            key
        } else {
            self.keys.swap_remove(position)
        }
    }

    fn remove_doomed(&mut self, key: S::Key) {
        let removed = self.store.retire(key);
        assert!(removed, "{}: {key:?} is not live", S::NAME);
    }
}

/// Removals and insertions by turns: whom to remove, and afterwards the keys of the new ones.
#[derive(Debug)]
pub(crate) struct Churn<K> {
    positions: Vec<u32>,
    keys: Vec<K>,
    batch: usize,
    first_number: u64,
}

impl<K: Copy + PartialEq + Debug> Churn<K> {
    /// Removes and inserts one after the other; gives the sum of what was removed.
    #[inline(never)]
    pub(crate) fn run<T: Element, S: Store<T, Key = K>>(&mut self, store: &mut S) -> u64 {
        let store = black_box(store);
        let mut sum = 0_u64;
        for (key, number) in self.keys.iter_mut().zip(self.first_number..) {
            barrier();
            if let Some(removed) = store.remove(*key) {
                sum = sum.wrapping_add(removed.number());
            }
            *key = store.insert(T::new(number));
        }
        sum
    }

    /// Removes a batch, then inserts one, and so on; gives the sum of what was removed.
    #[inline(never)]
    pub(crate) fn run_batches<T: Element, S: Store<T, Key = K>>(&mut self, store: &mut S) -> u64 {
        let store = black_box(store);
        let mut number = self.first_number;
        let mut sum = 0_u64;
        for batch in self.keys.chunks_mut(self.batch) {
            sum = sum.wrapping_add(remove_each(store, batch));
            insert_each(store, batch, number);
            number += batch.len() as u64;
        }
        sum
    }
}

impl<K: Copy + PartialEq + Debug> Churn<K> {
    /// As [`run_batches`](Self::run_batches), by the operations that use again what is kept; gives the
    /// number of those removed. What an object owns is not read: who gives a buffer back need not.
    #[inline(never)]
    pub(crate) fn run_recycling<T: Element, S: Store<T, Key = K>>(&mut self, store: &mut S) -> u64 {
        let store = black_box(store);
        let mut numbers = self.first_number..;
        let mut removed = 0;
        for batch in self.keys.chunks_mut(self.batch) {
            for &mut key in &mut *batch {
                barrier();
                removed += u64::from(store.retire(key));
            }
            for (key, number) in batch.iter_mut().zip(&mut numbers) {
                barrier();
                *key = store.spawn(number);
            }
        }
        removed
    }
}

/// Removes values; gives the sum of what was found.
#[inline(never)]
pub(crate) fn remove_each<T: Element, S: Store<T>>(store: &mut S, keys: &[S::Key]) -> u64 {
    let store = black_box(store);
    let mut sum = 0_u64;
    for &key in keys {
        barrier();
        if let Some(removed) = store.remove(key) {
            sum = sum.wrapping_add(removed.number());
        }
    }
    sum
}

/// Inserts a value for every entry of `keys` and writes its key there.
#[inline(never)]
pub(crate) fn insert_each<T: Element, S: Store<T>>(
    store: &mut S,
    keys: &mut [S::Key],
    first_number: u64,
) {
    let store = black_box(store);
    for (key, number) in keys.iter_mut().zip(first_number..) {
        barrier();
        *key = store.insert(T::new(number));
    }
}

/// The sum of all live values.
#[inline(never)]
pub(crate) fn sum_of_live<T: Element, S: Store<T>>(store: &S) -> u64 {
    let mut sum = 0_u64;
    store.for_each(|value| sum = sum.wrapping_add(value.number()));
    sum
}
