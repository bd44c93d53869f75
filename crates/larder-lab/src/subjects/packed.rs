//! The yardstick: the live values packed in a `Vec`, with no handles at all.
//!
//! A key is a position, good only until something else is removed.

use crate::subject::{Element, Store};

/// Values in a `Vec`; the last one fills the gap of one that is removed.
#[derive(Debug)]
pub(crate) struct Packed<T>(Vec<T>);

impl<T: Element> Store<T> for Packed<T> {
    type Key = usize;

    const NAME: &'static str = "Vec";

    const KNOWS_STALE: bool = false;
    const KEYS_ARE_POSITIONS: bool = true;

    #[inline(always)]
    fn new() -> Self {
        Self(Vec::new())
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    #[inline(always)]
    fn insert(&mut self, value: T) -> Self::Key {
        let position = self.0.len();
        self.0.push(value);
        position
    }

    #[inline(always)]
    fn extend(&mut self, values: impl Iterator<Item = T>) {
        self.0.extend(values);
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        (key < self.0.len()).then(|| self.0.swap_remove(key))
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
        self.0.iter().for_each(visit);
    }

    #[inline(always)]
    fn sum_by_for_loop(&self) -> u64 {
        let mut sum = 0_u64;
        for value in &self.0 {
            sum = sum.wrapping_add(value.number());
        }
        sum
    }

    #[inline(always)]
    fn first(&self) -> Option<&T> {
        self.0.first()
    }

    #[inline(always)]
    fn for_each_mut(&mut self, visit: impl FnMut(&mut T)) {
        self.0.iter_mut().for_each(visit);
    }

    #[inline(always)]
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool) {
        self.0.retain_mut(keep);
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
