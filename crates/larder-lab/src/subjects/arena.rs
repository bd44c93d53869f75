//! `larder::Arena`, as its documentation says to use it.

use core::marker::PhantomData;

use super::memory::{Growing, Memory};
use crate::subject::{Element, Store};

/// Values stay in their slot; removal leaves a hole. `M` says where the memory comes from.
#[derive(Debug)]
pub(crate) struct Arena<T, M = Growing>(larder::Arena<T>, PhantomData<M>);

impl<T, M> Arena<T, M> {
    #[inline(always)]
    fn of(arena: larder::Arena<T>) -> Self {
        Self(arena, PhantomData)
    }
}

impl<T: Element, M: Memory> Store<T> for Arena<T, M> {
    type Key = larder::Handle<T>;

    const NAME: &'static str = M::NAME;

    #[inline(always)]
    fn new() -> Self {
        Self::of(M::least())
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self::of(M::with_capacity(count))
    }

    #[inline(always)]
    fn begin(expected: usize) -> Self {
        if M::FORETOLD { Self::with_capacity(expected) } else { Self::new() }
    }

    #[inline(always)]
    fn insert(&mut self, value: T) -> Self::Key {
        self.0.insert(value)
    }

    #[inline(always)]
    fn extend(&mut self, values: impl Iterator<Item = T>) {
        self.0.extend(values);
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        self.0.remove(key)
    }

    #[inline(always)]
    fn get(&self, key: Self::Key) -> Option<&T> {
        self.0.get(key)
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn for_each(&self, visit: impl FnMut(&T)) {
        self.0.values().for_each(visit);
    }

    #[inline(always)]
    fn sum_by_for_loop(&self) -> u64 {
        let mut sum = 0_u64;
        for value in self.0.values() {
            sum = sum.wrapping_add(value.number());
        }
        sum
    }

    #[inline(always)]
    fn first(&self) -> Option<&T> {
        self.0.iter().next().map(|(_, value)| value)
    }

    #[inline(always)]
    fn for_each_mut(&mut self, visit: impl FnMut(&mut T)) {
        self.0.values_mut().for_each(visit);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.0.retain(|_, value| keep(value));
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    fn copy(&self) -> Self {
        Self::of(self.0.clone())
    }

    fn bytes_from_the_system(&self) -> usize {
        if M::FROM_THE_SYSTEM { self.0.stats().memory.committed } else { 0 }
    }
}
