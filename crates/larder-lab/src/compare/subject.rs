//! A container under measurement, its keys, and the loops that are timed.
//!
//! This is all that is compiled for each container and size of element. Everything else sees a
//! [`Subject`]: a virtual call for each loop, none within one.

use core::hint::black_box;
use core::marker::PhantomData;

use crate::measure::clock::barrier;
use crate::stores::{Element, Store};

/// The ways in which a container is made and filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Making {
    /// From nothing, growing.
    Grown,
    /// With room for all.
    Reserved,
    /// In a container with the capacity that a program asks for which expects that number of values.
    Begun,
    /// With room for all, by the container's own bulk insertion.
    Extended,
}

/// The operations on all values of a full container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Using {
    /// The values of the doomed keys are removed one by one.
    Remove,
    /// The containers, emptied before, are filled one by one.
    Refill,
    /// As `Remove` and `Refill`, in loops that keep a container's fields in registers.
    RemoveInALoop,
    RefillInALoop,
    /// One value of four is dropped.
    Retain,
    /// All values are removed at once.
    Clear,
}

/// The values that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// All values.
    Values,
    /// All values, by a plain `for` loop.
    ValuesByFor,
    /// All values, and what holes hold.
    Slots,
    /// The first value, so many times.
    First(usize),
    /// The values of the asked keys.
    Asked,
    /// The same; the next key depends on the last value.
    AskedInAChain,
    /// The number of asked keys that find a value.
    Hits,
}

/// One kind of container, for one type of element.
pub(super) struct Held<T: Element, S: Store<T>> {
    /// Behind a pointer, as in a program, so that its fields are not kept in registers.
    store: Option<Box<S>>,
    keys: Vec<S::Key>,
    asked: Vec<S::Key>,
    doomed: Vec<S::Key>,
    made: Vec<S>,
    element: PhantomData<T>,
}

impl<T: Element, S: Store<T>> Held<T, S> {
    pub(super) fn new() -> Self {
        Self {
            store: None,
            keys: Vec::new(),
            asked: Vec::new(),
            doomed: Vec::new(),
            made: Vec::new(),
            element: PhantomData,
        }
    }

    /// The container, by a pointer that tells the compiler nothing.
    fn store(&self) -> &S {
        black_box(self.store.as_deref().expect("there is a population"))
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
}

/// The container to change and the doomed keys, by pointers that tell the compiler nothing.
macro_rules! parts {
    ($held:expr) => {
        (
            black_box($held.store.as_deref_mut().expect("there is a population")),
            black_box(&mut $held.doomed[..]),
        )
    };
}

/// Declares a trait by its only implementation, so that all else sees the kinds of container and element as one type.
macro_rules! erased {
    (
        $(#[$doc:meta])* $visibility:vis trait $trait:ident for $held:ty, [$($generics:tt)*];
        $(
            $(#[$about:meta])*
            fn $method:ident(& $($own:ident)+ $(, $name:ident: $of:ty)* $(,)?) $(-> $result:ty)? $body:block
        )*
    ) => {
        $(#[$doc])*
        $visibility trait $trait {
            $($(#[$about])* fn $method(& $($own)+ $(, $name: $of)*) $(-> $result)?;)*
        }

        impl<$($generics)*> $trait for $held {
            $(fn $method(& $($own)+ $(, $name: $of)*) $(-> $result)? $body)*
        }
    };
}

erased! {
    /// A population: a container with the keys of its live values, some of which are *asked* for, others
    /// *doomed*; and containers that were *made*.
    ///
    /// The list of keys is in the order in which a `Vec` that fills gaps from its end holds the values:
    /// key `i` is that of the value that the yardstick has at position `i`. So a position means the same
    /// value to every subject, and all answers can be compared.
    pub(crate) trait Subject for Held<T, S>, [T: Element, S: Store<T> + 'static];

    fn name(&self) -> &'static str {
        S::NAME
    }

    /// Another of its kind, without a population.
    fn another(&self) -> Box<dyn Subject> {
        Box::new(Self::new())
    }

    /// Returns [`Store::KNOWS_STALE`].
    fn knows_stale(&self) -> bool {
        S::KNOWS_STALE
    }

    /// Returns [`Store::HOLES_HOLD_VALUES`].
    fn holes_hold_values(&self) -> bool {
        S::HOLES_HOLD_VALUES
    }

    /// Replaces the population by one of `count` values, numbered from 0, in a container with as much
    /// room.
    fn fill(&mut self, count: usize) {
        self.empty();
        let store = self.store.insert(Box::new(S::with_capacity(count)));
        self.keys.reserve(count);
        self.keys.extend((0..count as u64).map(|number| store.insert(T::new(number))));
    }

    /// Drops the population and all other containers and keys.
    fn empty(&mut self) {
        *self = Self::new();
    }

    /// Drops the population, but not the doomed keys.
    fn abandon(&mut self) {
        *self = Self { doomed: core::mem::take(&mut self.doomed), ..Self::new() };
    }

    /// The number of live values.
    fn len(&self) -> usize {
        self.keys.len()
    }

    /// Asks for the keys at these positions.
    fn ask(&mut self, positions: &mut dyn Iterator<Item = usize>) {
        self.asked.clear();
        self.asked.extend(positions.map(|position| self.keys[position]));
    }

    /// Dooms the keys at these positions, which stay on the list.
    fn doom(&mut self, positions: &[u32]) {
        self.doomed.clear();
        self.doomed.extend(positions.iter().map(|&position| self.keys[position as usize]));
    }

    /// Dooms the keys at these positions one after the other, taking each off the list.
    fn doom_off_the_list(&mut self, positions: &mut dyn Iterator<Item = usize>) {
        self.doomed.clear();
        for position in positions {
            let key = self.take_key(position);
            self.doomed.push(key);
        }
    }

    /// Adds the doomed keys to the list.
    fn admit(&mut self) {
        self.keys.extend_from_slice(&self.doomed);
    }

    /// Takes the keys at these positions off the list and adds the doomed keys, a batch at a time.
    fn settle(&mut self, positions: &[u32], batch: usize) {
        for (at, positions) in positions.chunks(batch).enumerate() {
            for &position in positions {
                self.take_key(position as usize);
            }
            let inserted = at * batch..at * batch + positions.len();
            self.keys.extend_from_slice(&self.doomed[inserted]);
        }
    }

    /// Removes the doomed values, which must be live, where a pool keeps them in their slots.
    fn retire(&mut self) {
        let (store, doomed) = parts!(self);
        for key in doomed {
            assert!(store.retire(*key), "{}: {key:?} is not live", S::NAME);
        }
    }

    /// Reads so many times, and answers with a sum.
    fn read(&self, what: Reading, times: u64) -> u64 {
        let once = |_| {
            // Unknown anew for each pass, so that no pass is skipped.
            let (store, keys) = (self.store(), &self.asked[..]);
            match what {
                Reading::Values => sum_of(store),
                Reading::ValuesByFor => sum_by_for_loop(store),
                Reading::Slots => sum_of_slots(store),
                Reading::First(calls) => sum_of_firsts(store, calls),
                Reading::Asked => look_up(store, keys),
                Reading::AskedInAChain => look_up_in_a_chain(store, keys),
                Reading::Hits => count_hits(store, keys),
            }
        };
        (0..times).map(once).fold(0, u64::wrapping_add)
    }

    fn touch(&mut self) {
        parts!(self).0.for_each_mut(T::touch);
    }

    /// Removes the doomed values.
    fn remove(&mut self) -> u64 {
        let (store, doomed) = parts!(self);
        remove_each(store, doomed)
    }

    /// Inserts a value for each doomed key, which is replaced by the new one.
    fn insert(&mut self, first_number: u64) {
        let (store, doomed) = parts!(self);
        insert_each(store, doomed, first_number);
    }

    /// Removes a doomed value and inserts another by turns.
    fn churn(&mut self, first_number: u64) -> u64 {
        let (store, doomed) = parts!(self);
        let mut sum = 0_u64;
        for (key, number) in doomed.iter_mut().zip(first_number..) {
            barrier();
            if let Some(removed) = store.remove(*key) {
                sum = sum.wrapping_add(removed.number());
            }
            *key = store.insert(T::new(number));
        }
        sum
    }

    /// Removes and inserts a batch by turns.
    fn churn_in_batches(&mut self, batch: usize, first_number: u64) -> u64 {
        let (store, doomed) = parts!(self);
        let (mut sum, mut number) = (0_u64, first_number);
        for batch in doomed.chunks_mut(batch) {
            sum = sum.wrapping_add(remove_each(store, batch));
            insert_each(store, batch, number);
            number += batch.len() as u64;
        }
        sum
    }

    /// Removes and inserts a batch by turns, like `churn_in_batches`, but by the operations that reuse the memory of
    /// removed values, which are not read; returns the number of those removed.
    fn recycle(&mut self, batch: usize, first_number: u64) -> u64 {
        let (store, doomed) = parts!(self);
        let (mut removed, mut numbers) = (0, first_number..);
        for batch in doomed.chunks_mut(batch) {
            for key in &*batch {
                barrier();
                removed += u64::from(store.retire(*key));
            }
            for (key, number) in batch.iter_mut().zip(&mut numbers) {
                barrier();
                *key = store.spawn(number);
            }
        }
        removed
    }

    /// Drops the containers that were made, and reserves room for so many.
    fn clear_made(&mut self, room: usize) {
        self.made.clear();
        self.made.reserve_exact(room);
    }

    /// Makes containers.
    fn make(&mut self, making: Making, count: usize, containers: usize) {
        for _ in 0..containers {
            // (It is filled where it stays, as in its owner: a full one is not moved.)
            self.made.push(match making {
                Making::Grown => S::new(),
                Making::Reserved | Making::Extended => S::with_capacity(count),
                Making::Begun => S::begin(count),
            });
            let store = self.made.last_mut().expect("one was just made");
            if making == Making::Extended {
                black_box(store).extend((0..count as u64).map(T::new));
            } else {
                insert_all(store, count);
            }
        }
    }

    /// Makes copies of the population.
    fn copy(&mut self, containers: usize) {
        for _ in 0..containers {
            let copy = self.store().copy();
            self.made.push(copy);
        }
    }

    /// Uses all containers that were made; refilled, they have so many values.
    fn use_made(&mut self, using: Using, count: usize) -> u64 {
        let mut answer = 0_u64;
        for store in &mut self.made {
            let store = black_box(store);
            match using {
                Using::Remove => {
                    answer = answer.wrapping_add(remove_each(store, &self.doomed));
                }
                Using::Refill => insert_all(store, count),
                Using::RemoveInALoop => {
                    answer = answer.wrapping_add(remove_in_a_loop(store, &self.doomed));
                }
                Using::RefillInALoop => insert_in_a_loop(store, &mut self.asked, count),
                Using::Retain => store.retain(|value| value.number() & 3 != 0),
                Using::Clear => store.clear(),
            }
        }
        answer
    }

    /// Makes a full container of values with these numbers, emptied again in the doomed order if
    /// `emptied`. Not timed.
    fn prepare(&mut self, count: usize, number: fn(u64) -> u64, emptied: bool) {
        let mut store = S::with_capacity(count);
        for at in 0..count as u64 {
            store.insert(T::new(number(at)));
        }
        if emptied {
            remove_each(&mut store, &self.doomed);
        }
        self.made.push(store);
    }

    /// A digest of what is in the containers that were made.
    fn digest_of_made(&self) -> u64 {
        self.made.iter().fold(0_u64, |digest, store| {
            digest.wrapping_add(sum_of(store)).wrapping_add((store.len() as u64) << 40)
        })
    }

    /// The number of values in the containers that were made.
    fn len_of_made(&self) -> usize {
        self.made.iter().map(S::len).sum()
    }

    /// Returns the sum of [`Store::bytes_from_the_system`] over the containers that were made.
    fn system_bytes_of_made(&self) -> usize {
        self.made.iter().map(S::bytes_from_the_system).sum()
    }
}

/// The sum of all live values.
#[inline(never)]
fn sum_of<T: Element, S: Store<T>>(store: &S) -> u64 {
    let mut sum = 0_u64;
    store.for_each(|value| sum = sum.wrapping_add(value.number()));
    sum
}

#[inline(never)]
fn sum_by_for_loop<T: Element, S: Store<T>>(store: &S) -> u64 {
    store.sum_by_for_loop()
}

#[inline(never)]
fn sum_of_slots<T: Element, S: Store<T>>(store: &S) -> u64 {
    let mut sum = 0_u64;
    store.for_each_slot(|value| sum = sum.wrapping_add(value.number()));
    sum
}

#[inline(never)]
fn sum_of_firsts<T: Element, S: Store<T>>(store: &S, calls: usize) -> u64 {
    let mut sum = 0_u64;
    for _ in 0..calls {
        // The compiler knows nothing of the container at the start of each call.
        sum = sum.wrapping_add(black_box(store).first().map_or(u64::MAX, T::number));
    }
    sum
}

#[inline(never)]
fn look_up<T: Element, S: Store<T>>(store: &S, keys: &[S::Key]) -> u64 {
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

/// The list of keys itself is read in order, so what is measured is the way from a key to its value.
#[inline(never)]
fn look_up_in_a_chain<T: Element, S: Store<T>>(store: &S, keys: &[S::Key]) -> u64 {
    let store = black_box(store);
    // Always 0, which the compiler does not know.
    let nothing = black_box(0_usize);
    let (mut last, mut sum) = (0_u64, 0_u64);
    for at in 0..keys.len() {
        barrier();
        if let Some(value) = store.get(keys[at + (last as usize & nothing)]) {
            last = value.number();
            sum = sum.wrapping_add(last);
        }
    }
    sum
}

#[inline(never)]
fn count_hits<T: Element, S: Store<T>>(store: &S, keys: &[S::Key]) -> u64 {
    let store = black_box(store);
    let (mut hits, mut sum) = (0, 0_u64);
    for &key in keys {
        barrier();
        if let Some(value) = store.get(key) {
            hits += 1;
            sum = sum.wrapping_add(value.number());
        }
    }
    black_box(sum);
    hits
}

/// Inserts one value after the other. The keys are not kept, but the container has to make them.
#[inline(never)]
fn insert_all<T: Element, S: Store<T>>(store: &mut S, count: usize) {
    let store = black_box(store);
    for number in 0..count as u64 {
        // This is the barrier, too.
        black_box(store.insert(T::new(number)));
    }
}

/// Removes values; the sum of those found.
#[inline(never)]
fn remove_each<T: Element, S: Store<T>>(store: &mut S, keys: &[S::Key]) -> u64 {
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

/// As `remove_each`, but nothing is unknown between two removals.
#[inline(never)]
fn remove_in_a_loop<T: Element, S: Store<T>>(store: &mut S, keys: &[S::Key]) -> u64 {
    let mut sum = 0_u64;
    for &key in keys {
        if let Some(removed) = store.remove(key) {
            sum = sum.wrapping_add(removed.number());
        }
    }
    sum
}

/// Inserts one value after the other and keeps the keys; nothing is unknown between two insertions.
#[inline(never)]
fn insert_in_a_loop<T: Element, S: Store<T>>(store: &mut S, keys: &mut Vec<S::Key>, count: usize) {
    keys.clear();
    keys.reserve(count);
    keys.extend((0..count as u64).map(|number| store.insert(T::new(number))));
}

/// Inserts a value for every entry of `keys` and writes its key there.
#[inline(never)]
fn insert_each<T: Element, S: Store<T>>(store: &mut S, keys: &mut [S::Key], first_number: u64) {
    let store = black_box(store);
    for (key, number) in keys.iter_mut().zip(first_number..) {
        barrier();
        *key = store.insert(T::new(number));
    }
}
