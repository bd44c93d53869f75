//! The traits that every collection has.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::{DenseArena, IntoIter, Iter, IterMut};
use crate::containers::builder::{Build, Contiguous, Options};
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::raw::packed::Packed;
use crate::raw::slots::{InMemory, Slots};
use crate::stats::Reuse;

impl<T, K: Key> Build for DenseArena<T, K> {
    type Needs = ();

    #[track_caller]
    fn from_options(options: Options, (): ()) -> Result<Self, TryReserveError> {
        Ok(Self { packed: Packed::make(options.plan::<T>())? })
    }
}

impl<T, K: Key> Contiguous for DenseArena<T, K> {}

impl<T, K: Key> Default for DenseArena<T, K> {
    /// An empty arena. Allocates nothing.
    fn default() -> Self {
        Self { packed: Packed::new(Reuse::Packed) }
    }
}

/// Panics where the key has no value, and says what its slot holds now.
impl<T, K: Key> Index<K> for DenseArena<T, K> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &T {
        match self.packed.get(key) {
            Some(value) => value,
            None => self.no_value(key),
        }
    }
}

/// Panics where the key has no value, and says what its slot holds now.
impl<T, K: Key> IndexMut<K> for DenseArena<T, K> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut T {
        if !self.contains_key(key) {
            self.no_value(key);
        }
        match self.packed.get_mut(key) {
            Some(value) => value,
            None => unreachable!(),
        }
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for DenseArena<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// A clone holds the same values under the same keys, and hands out the same keys from there on. It
/// grows, is fixed or reserved as the original is. Of an arena in a lent block it is a fixed one, in
/// memory of the allocator.
impl<T: Clone, K: Key> Clone for DenseArena<T, K> {
    /// # Panics
    /// If memory is refused.
    #[track_caller]
    fn clone(&self) -> Self {
        match self.packed.try_clone() {
            Ok(packed) => Self { packed },
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As `*self = source.clone()`, also in whether it may grow. Uses the memory that is there where
    /// both are of one kind and it suffices. If a value's `Clone` panics, `self` is left as it was, or
    /// without values.
    #[track_caller]
    fn clone_from(&mut self, source: &Self) {
        if let Err(reason) = self.packed.try_clone_from(&source.packed) {
            explain::refused::<Self>(&reason);
        }
    }
}

/// Two arenas are equal if the same keys have equal values, in whatever order.
impl<T: PartialEq, K: Key> PartialEq for DenseArena<T, K> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(key, value): (K, &T)| other.get(key).is_some_and(|there| there == value);
        self.len() == other.len() && self.iter().all(same)
    }
}

impl<T: Eq, K: Key> Eq for DenseArena<T, K> {}

/// The keys are found by iterating, or handed out by [`DenseArena::insert_many`].
impl<T, K: Key> Extend<T> for DenseArena<T, K> {
    /// # Panics
    /// As [`DenseArena::insert`]; the values before are in.
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        let values = values.into_iter();
        if let Err(reason) = self.packed.try_expect(values.size_hint().0) {
            explain::refused::<Self>(&reason);
        }
        for value in values {
            self.insert(value);
        }
    }
}

impl<'a, T: Copy + 'a, K: Key> Extend<&'a T> for DenseArena<T, K> {
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

/// The values lie at positions 0, 1, 2, … in their order.
///
/// For the default key only, so that it need not be named; with another, `with_key` and `extend`.
impl<T> FromIterator<T> for DenseArena<T> {
    #[inline]
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut arena = Self::default();
        arena.extend(values);
        arena
    }
}

impl<T, K: Key> IntoIterator for DenseArena<T, K> {
    type Item = (K, T);
    type IntoIter = IntoIter<T, K>;

    #[inline]
    fn into_iter(self) -> IntoIter<T, K> {
        IntoIter(self.packed.into_iter())
    }
}

impl<'a, T, K: Key> IntoIterator for &'a DenseArena<T, K> {
    type Item = (K, &'a T);
    type IntoIter = Iter<'a, T, K>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T, K> {
        self.iter()
    }
}

impl<'a, T, K: Key> IntoIterator for &'a mut DenseArena<T, K> {
    type Item = (K, &'a mut T);
    type IntoIter = IterMut<'a, T, K>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T, K> {
        self.iter_mut()
    }
}
