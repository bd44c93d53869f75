//! `thunderdome::Arena`. Its iterators give index and value; there is none of the values alone.

use crate::subject::{Element, Store};

/// An enum of value and hole in every slot.
#[derive(Debug)]
pub(crate) struct Thunderdome<T>(thunderdome::Arena<T>);

impl<T: Element> Store<T> for Thunderdome<T> {
    type Key = thunderdome::Index;

    const NAME: &'static str = "thunderdome";

    #[inline(always)]
    fn new() -> Self {
        Self(thunderdome::Arena::new())
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self(thunderdome::Arena::with_capacity(count))
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
    fn for_each(&self, mut visit: impl FnMut(&T)) {
        self.0.iter().for_each(|(_, value)| visit(value));
    }

    #[inline(always)]
    fn sum_by_for_loop(&self) -> u64 {
        let mut sum = 0_u64;
        for (_, value) in &self.0 {
            sum = sum.wrapping_add(value.number());
        }
        sum
    }

    #[inline(always)]
    fn first(&self) -> Option<&T> {
        self.0.iter().next().map(|(_, value)| value)
    }

    #[inline(always)]
    fn for_each_mut(&mut self, mut visit: impl FnMut(&mut T)) {
        self.0.iter_mut().for_each(|(_, value)| visit(value));
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
