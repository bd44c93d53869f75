//! The iterators of a dense arena: slices of keys and values, stepped through together.

use core::fmt;
use core::iter::{Copied, FusedIterator, Zip};
use core::slice;

use super::DenseArena;
use crate::key::Key;
use crate::macros::half::{half_of_pairs, shows_remaining};
use crate::macros::many::insert_many;
use crate::raw::packed;

/// Keys and values, in position order. Made by [`DenseArena::iter`](crate::DenseArena::iter).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Iter<'a, T, K: Key>(pub(super) Zip<Copied<slice::Iter<'a, K>>, slice::Iter<'a, T>>);

/// Keys and mutable values, in position order. Made by
/// [`DenseArena::iter_mut`](crate::DenseArena::iter_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IterMut<'a, T, K: Key>(
    pub(super) Zip<Copied<slice::Iter<'a, K>>, slice::IterMut<'a, T>>,
);

/// Keys and owned values, in position order. Made by `DenseArena::into_iter`.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoIter<T, K: Key>(pub(super) packed::IntoIter<T, K>);

/// Removes all and gives it out, in position order. Made by
/// [`DenseArena::drain`](crate::DenseArena::drain).
#[must_use = "dropping this removes the values; `clear` says so"]
pub struct Drain<'a, T, K: Key>(pub(super) packed::Drain<'a, T, K>);

/// Keys, in position order. Made by [`DenseArena::keys`](crate::DenseArena::keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Keys<'a, K: Key>(pub(super) Copied<slice::Iter<'a, K>>);

/// Values, in position order. Made by [`DenseArena::values`](crate::DenseArena::values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a, T>(pub(super) slice::Iter<'a, T>);

/// Mutable values, in position order. Made by
/// [`DenseArena::values_mut`](crate::DenseArena::values_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ValuesMut<'a, T>(pub(super) slice::IterMut<'a, T>);

/// Keys of an arena that is gone, in position order. Made by
/// [`DenseArena::into_keys`](crate::DenseArena::into_keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoKeys<T, K: Key>(pub(super) packed::IntoIter<T, K>);

/// Owned values, in position order. Made by
/// [`DenseArena::into_values`](crate::DenseArena::into_values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoValues<T, K: Key>(pub(super) packed::IntoIter<T, K>);

half_of_pairs!(impl['a, T, K: Key] Iter<'a, T, K>, (K, &'a T), |pair| pair);
half_of_pairs!(impl['a, T, K: Key] IterMut<'a, T, K>, (K, &'a mut T), |pair| pair);
half_of_pairs!(impl[T, K: Key] IntoIter<T, K>, (K, T), |pair| pair);
half_of_pairs!(impl[T, K: Key] Drain<'_, T, K>, (K, T), |pair| pair);
half_of_pairs!(impl[K: Key] Keys<'_, K>, K, |key| key);
half_of_pairs!(impl['a, T] Values<'a, T>, &'a T, |value| value);
half_of_pairs!(impl['a, T] ValuesMut<'a, T>, &'a mut T, |value| value);
half_of_pairs!(impl[T, K: Key] IntoKeys<T, K>, K, |pair| pair.0);
half_of_pairs!(impl[T, K: Key] IntoValues<T, K>, T, |pair| pair.1);

shows_remaining! {
    ['a, T, K: Key] IterMut<'a, T, K>;
    [T, K: Key] IntoIter<T, K>;
    [T, K: Key] Drain<'_, T, K>;
    [K: Key] Keys<'_, K>;
    ['a, T] Values<'a, T>;
    ['a, T] ValuesMut<'a, T>;
    [T, K: Key] IntoKeys<T, K>;
    [T, K: Key] IntoValues<T, K>;
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Iter<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<T, K: Key> Clone for Iter<'_, T, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: Key> Clone for Keys<'_, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Clone for Values<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, K: Key> Default for Iter<'_, T, K> {
    fn default() -> Self {
        Self([].iter().copied().zip([].iter()))
    }
}

impl<K: Key> Default for Keys<'_, K> {
    fn default() -> Self {
        Self([].iter().copied())
    }
}

impl<T> Default for Values<'_, T> {
    fn default() -> Self {
        Self([].iter())
    }
}

/// Removes what a closure chooses. Made by
/// [`DenseArena::extract_if`](crate::DenseArena::extract_if).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ExtractIf<'a, T, K: Key, F> {
    arena: &'a mut DenseArena<T, K>,
    position: usize,
    choose: F,
}

impl<'a, T, K: Key, F> ExtractIf<'a, T, K, F> {
    pub(super) fn new(arena: &'a mut DenseArena<T, K>, choose: F) -> Self {
        Self { arena, position: 0, choose }
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool> Iterator for ExtractIf<'_, T, K, F> {
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            let (keys, values) = self.arena.packed.both_mut();
            let key = *keys.get(self.position)?;
            if (self.choose)(key, &mut values[self.position]) {
                return self.arena.swap_remove_index(self.position);
            }
            self.position += 1;
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.arena.len() - self.position))
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool> FusedIterator for ExtractIf<'_, T, K, F> {}

impl<T, K: Key, F> fmt::Debug for ExtractIf<'_, T, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.arena.len() - self.position;
        f.debug_struct("ExtractIf").field("remaining", &left).finish_non_exhaustive()
    }
}

insert_many!([T, K: Key] [T, K] DenseArena<T, K>);
