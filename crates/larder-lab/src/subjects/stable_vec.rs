//! `stable_vec::StableVec`, the rival with one occupancy bit per slot.
//!
//! It has no generations, and no free list of its own: `push` never fills a hole. A list of freed
//! indices beside it does what its users have to do; the list's cost in time and memory counts.

use crate::subject::{Element, Store};

/// Values in their slots, one bit each; freed indices are kept beside it.
#[derive(Debug)]
pub(crate) struct StableVec<T> {
    values: stable_vec::StableVec<T>,
    freed: Vec<usize>,
}

impl<T: Element> Store<T> for StableVec<T> {
    type Key = usize;

    const NAME: &'static str = "stable-vec";

    const KNOWS_STALE: bool = false;

    #[inline(always)]
    fn new() -> Self {
        Self { values: stable_vec::StableVec::new(), freed: Vec::new() }
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self { values: stable_vec::StableVec::with_capacity(count), freed: Vec::new() }
    }

    #[inline(always)]
    fn insert(&mut self, value: T) -> Self::Key {
        match self.freed.pop() {
            Some(index) => {
                self.values.insert(index, value);
                index
            }
            None => self.values.push(value),
        }
    }

    #[inline(always)]
    fn extend(&mut self, mut values: impl Iterator<Item = T>) {
        while let Some(index) = self.freed.pop() {
            let Some(value) = values.next() else {
                self.freed.push(index);
                return;
            };
            self.values.insert(index, value);
        }
        self.values.extend(values);
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        // `StableVec::remove` panics past its capacity.
        if key >= self.values.capacity() {
            return None;
        }
        let value = self.values.remove(key)?;
        self.freed.push(key);
        Some(value)
    }

    #[inline(always)]
    fn get(&self, key: Self::Key) -> Option<&T> {
        self.values.get(key)
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.values.num_elements()
    }

    #[inline(always)]
    fn for_each(&self, visit: impl FnMut(&T)) {
        self.values.values().for_each(visit);
    }

    #[inline(always)]
    fn sum_by_for_loop(&self) -> u64 {
        let mut sum = 0_u64;
        for value in self.values.values() {
            sum = sum.wrapping_add(value.number());
        }
        sum
    }

    #[inline(always)]
    fn first(&self) -> Option<&T> {
        self.values.iter().next().map(|(_, value)| value)
    }

    #[inline(always)]
    fn for_each_mut(&mut self, visit: impl FnMut(&mut T)) {
        self.values.values_mut().for_each(visit);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        // `StableVec::retain` shows a value but not its index, which the list of freed ones needs;
        // `retain_indices` shows an index but not the value. So the walk is over the indices.
        for index in 0..self.values.next_push_index() {
            if self.values.get_mut(index).is_some_and(|value| !keep(value)) {
                self.values.remove(index);
                self.freed.push(index);
            }
        }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.values.clear();
        self.freed.clear();
    }

    #[inline(always)]
    fn copy(&self) -> Self {
        Self { values: self.values.clone(), freed: self.freed.clone() }
    }
}
