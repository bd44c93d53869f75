//! The traits that every collection has.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::recipe::Recipe;
use super::{Iter, IterMut, Pool};
use crate::containers::builder::{Build, Contiguous, Options};
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::raw::pool::{InMemory, Slots, Stock};

impl<T, K: Key> Build for Pool<T, K> {
    type Needs = Recipe<T>;

    /// The values for which there is memory at once are made at once.
    #[track_caller]
    fn from_options(options: Options, recipe: Recipe<T>) -> Result<Self, TryReserveError> {
        let mut pool = Self { stock: Stock::make(options.plan::<T>())?, recipe };
        pool.stock.make_all(|| pool.recipe.make());
        Ok(pool)
    }
}

impl<T, K: Key> Contiguous for Pool<T, K> {}

/// An empty slot holds `T::default()`, as in Rea's lists where nothing is said.
impl<T: Default, K: Key> Default for Pool<T, K> {
    /// An empty pool. Allocates nothing.
    fn default() -> Self {
        Self::with_key(|| T::default())
    }
}

/// Panics where the key has no value, and says what its slot holds now.
impl<T, K: Key> Index<K> for Pool<T, K> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &T {
        match self.stock.get(key) {
            Some(value) => value,
            None => self.no_value(key),
        }
    }
}

/// Panics where the key has no value, and says what its slot holds now.
impl<T, K: Key> IndexMut<K> for Pool<T, K> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut T {
        if !self.contains_key(key) {
            self.no_value(key);
        }
        match self.stock.get_mut(key) {
            Some(value) => value,
            None => unreachable!(),
        }
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Pool<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// A clone holds the same values in the same slots under the same keys, those of free slots too, and
/// copies of the pool's functions; it hands out the same keys from there on.
impl<T: Clone, K: Key> Clone for Pool<T, K> {
    /// # Panics
    /// If memory is refused.
    #[track_caller]
    fn clone(&self) -> Self {
        match self.stock.try_clone() {
            Ok(stock) => Self { stock, recipe: self.recipe.clone() },
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }
}

/// Two pools are equal if the same keys have equal values; what lies in free slots does not matter.
impl<T: PartialEq, K: Key> PartialEq for Pool<T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq, K: Key> Eq for Pool<T, K> {}

/// The keys are found by iterating.
impl<T, K: Key> Extend<T> for Pool<T, K> {
    /// # Panics
    /// As [`Pool::insert`]; the values before are in.
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        let values = values.into_iter();
        if let Err(reason) = self.stock.try_expect(values.size_hint().0) {
            explain::refused::<Self>(&reason);
        }
        // (Not `for_each`: a refusal would not blame the caller's line.)
        for value in values {
            self.insert(value);
        }
    }
}

impl<'a, T: Copy + 'a, K: Key> Extend<&'a T> for Pool<T, K> {
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<'a, T, K: Key> IntoIterator for &'a Pool<T, K> {
    type Item = (K, &'a T);
    type IntoIter = Iter<'a, T, K>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T, K> {
        self.iter()
    }
}

impl<'a, T, K: Key> IntoIterator for &'a mut Pool<T, K> {
    type Item = (K, &'a mut T);
    type IntoIter = IterMut<'a, T, K>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T, K> {
        self.iter_mut()
    }
}
