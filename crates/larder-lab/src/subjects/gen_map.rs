//! `gen_map::GenMap` with its default configuration.

use crate::subject::{Element, Store};

/// A generation beside every value, a free list in the holes, used-up slots retired.
#[derive(Debug)]
pub(crate) struct GenMap<T>(gen_map::GenMap<T>);

impl<T: Element> Store<T> for GenMap<T> {
    type Key = gen_map::Key;

    const NAME: &'static str = "gen_map";

    #[inline(always)]
    fn new() -> Self {
        Self(gen_map::GenMap::new())
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self(gen_map::GenMap::with_capacity(count))
    }

    #[inline(always)]
    fn insert(&mut self, value: T) -> Self::Key {
        self.0.insert(value)
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
        Self(self.0.clone())
    }
}
