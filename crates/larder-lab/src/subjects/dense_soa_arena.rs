//! `larder::DenseSoaArena`, as its documentation says to use it: with one column.
//!
//! An array is one column, whatever it is an array of: so every element is stored as an array of one.

use crate::subject::{Element, Store};

/// Values packed in one column; the last one fills the gap of one that is removed.
#[derive(Debug)]
pub(crate) struct DenseSoaArena<T: Element>(larder::DenseSoaArena<[T; 1]>);

impl<T: Element> Store<T> for DenseSoaArena<T> {
    type Key = larder::Handle<[T; 1]>;

    const NAME: &'static str = "DenseSoaArena";

    #[inline(always)]
    fn new() -> Self {
        Self(larder::DenseSoaArena::new())
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self(larder::DenseSoaArena::with_capacity(count))
    }

    #[inline(always)]
    fn insert(&mut self, value: T) -> Self::Key {
        self.0.insert([value])
    }

    #[inline(always)]
    fn extend(&mut self, values: impl Iterator<Item = T>) {
        self.0.extend(values.map(|value| [value]));
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        self.0.remove(key).map(|[value]| value)
    }

    #[inline(always)]
    fn get(&self, key: Self::Key) -> Option<&T> {
        self.0.get(key).map(|[value]| value)
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn for_each(&self, mut visit: impl FnMut(&T)) {
        self.0.columns().iter().for_each(|[value]| visit(value));
    }

    #[inline(always)]
    fn sum_by_for_loop(&self) -> u64 {
        let mut sum = 0_u64;
        for [value] in self.0.columns() {
            sum = sum.wrapping_add(value.number());
        }
        sum
    }

    #[inline(always)]
    fn first(&self) -> Option<&T> {
        self.0.iter().next().map(|(_, [value])| value)
    }

    #[inline(always)]
    fn for_each_mut(&mut self, mut visit: impl FnMut(&mut T)) {
        self.0.columns_mut().iter_mut().for_each(|[value]| visit(value));
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.0.retain(|_, [value]| keep(value));
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
