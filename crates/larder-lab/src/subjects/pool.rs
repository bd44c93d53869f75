//! `larder::Pool`, as its documentation says to use it.

use crate::subject::{Element, Store};

/// Every slot holds a value; a removed one stays as it was until an insertion makes another of it.
#[derive(Debug)]
pub(crate) struct Pool<T>(larder::Pool<T>);

/// What a slot that was never used holds.
fn blank<T: Element>() -> T {
    T::new(0)
}

impl<T: Element> Store<T> for Pool<T> {
    type Key = larder::Handle<T>;

    const NAME: &'static str = "Pool";

    const HOLES_HOLD_VALUES: bool = true;

    #[inline(always)]
    fn new() -> Self {
        Self(larder::Pool::recycling(blank, |_| {}))
    }

    #[inline(always)]
    fn with_capacity(count: usize) -> Self {
        Self(larder::Pool::builder(blank).recycling(|_| {}).capacity(count).build())
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
    fn spawn(&mut self, number: u64) -> Self::Key {
        self.0.insert_with(|value| value.renew(number))
    }

    #[inline(always)]
    fn retire(&mut self, key: Self::Key) -> bool {
        self.0.remove(key)
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        self.0.take(key)
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
    fn for_each_slot(&self, visit: impl FnMut(&T)) {
        self.0.slots().iter().for_each(visit);
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
