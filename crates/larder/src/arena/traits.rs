//! The traits that every collection has.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::{Arena, IntoIter, Iter, IterMut};
use crate::builder::{Build, Contiguous, Options};
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::raw::rows::{Rows, Slots};
use crate::stats::Reuse;

impl<T, K: Key> Build for Arena<T, K> {
    #[track_caller]
    fn from_options(options: Options) -> Result<Self, TryReserveError> {
        Ok(Self { rows: Rows::make(options.plan::<T>())? })
    }
}

impl<T, K: Key> Contiguous for Arena<T, K> {}

impl<T, K: Key> Default for Arena<T, K> {
    /// An empty arena. Allocates nothing.
    fn default() -> Self {
        Self { rows: Rows::new(Reuse::Packed) }
    }
}

/// Panics where the key has no value, and says what its slot holds now.
impl<T, K: Key> Index<K> for Arena<T, K> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &T {
        match self.rows.get(key) {
            Some(value) => value,
            None => self.no_value(key),
        }
    }
}

/// Panics where the key has no value, and says what its slot holds now.
impl<T, K: Key> IndexMut<K> for Arena<T, K> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut T {
        if !self.contains_key(key) {
            self.no_value(key);
        }
        match self.rows.get_mut(key) {
            Some(value) => value,
            None => unreachable!(),
        }
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Arena<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// A clone holds the same values under the same keys, and hands out the same keys from there on.
impl<T: Clone, K: Key> Clone for Arena<T, K> {
    /// # Panics
    /// If memory is refused.
    #[track_caller]
    fn clone(&self) -> Self {
        match self.rows.try_clone() {
            Ok(rows) => Self { rows },
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// Uses the memory that is there, where it suffices. If a value's `Clone` panics, `self` is
    /// left without values.
    #[track_caller]
    fn clone_from(&mut self, source: &Self) {
        if let Err(reason) = self.rows.try_clone_from(&source.rows) {
            explain::refused::<Self>(&reason);
        }
    }
}

/// Two arenas are equal if the same keys have equal values.
impl<T: PartialEq, K: Key> PartialEq for Arena<T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq, K: Key> Eq for Arena<T, K> {}

/// The keys are found by iterating, or handed out by [`Arena::insert_many`].
impl<T, K: Key> Extend<T> for Arena<T, K> {
    /// # Panics
    /// As [`Arena::insert`]; the values before are in.
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        if let Err(reason) = self.rows.try_extend(values) {
            explain::refused::<Self>(&reason);
        }
    }
}

impl<'a, T: Copy + 'a, K: Key> Extend<&'a T> for Arena<T, K> {
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

/// The values lie in slots 0, 1, 2, … in their order.
///
/// For the default key only, so that it need not be named; with another, `with_key` and `extend`.
impl<T> FromIterator<T> for Arena<T> {
    #[inline]
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut arena = Self::default();
        arena.extend(values);
        arena
    }
}

impl<T, K: Key> IntoIterator for Arena<T, K> {
    type Item = (K, T);
    type IntoIter = IntoIter<T, K>;

    #[inline]
    fn into_iter(self) -> IntoIter<T, K> {
        self.rows.into_iter()
    }
}

impl<'a, T, K: Key> IntoIterator for &'a Arena<T, K> {
    type Item = (K, &'a T);
    type IntoIter = Iter<'a, T, K>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T, K> {
        self.iter()
    }
}

impl<'a, T, K: Key> IntoIterator for &'a mut Arena<T, K> {
    type Item = (K, &'a mut T);
    type IntoIter = IterMut<'a, T, K>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T, K> {
        self.iter_mut()
    }
}
