//! The iterators of a pool.

use core::fmt;

use crate::key::Key;
use crate::macros::half::{half_of_pairs, shows_remaining};
use crate::raw::pool as raw;

/// Keys and values, in slot order. Made by [`Pool::iter`](crate::Pool::iter).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Iter<'a, T, K: Key>(pub(super) raw::Iter<'a, T, K>);

/// Keys and mutable values, in slot order. Made by [`Pool::iter_mut`](crate::Pool::iter_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IterMut<'a, T, K: Key>(pub(super) raw::IterMut<'a, T, K>);

/// Keys, in slot order. Made by [`Pool::keys`](crate::Pool::keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Keys<'a, T, K: Key>(pub(super) Iter<'a, T, K>);

/// Values, in slot order. Made by [`Pool::values`](crate::Pool::values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a, T, K: Key>(pub(super) Iter<'a, T, K>);

/// Mutable values, in slot order. Made by [`Pool::values_mut`](crate::Pool::values_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ValuesMut<'a, T, K: Key>(pub(super) IterMut<'a, T, K>);

half_of_pairs!(impl['a, T, K: Key] Iter<'a, T, K>, (K, &'a T), |pair| pair);
half_of_pairs!(impl['a, T, K: Key] IterMut<'a, T, K>, (K, &'a mut T), |pair| pair);
half_of_pairs!(impl['a, T, K: Key] Keys<'a, T, K>, K, |pair| pair.0);
half_of_pairs!(impl['a, T, K: Key] Values<'a, T, K>, &'a T, |pair| pair.1);
half_of_pairs!(impl['a, T, K: Key] ValuesMut<'a, T, K>, &'a mut T, |pair| pair.1);

shows_remaining! {
    ['a, T, K: Key] IterMut<'a, T, K>;
    ['a, T, K: Key] Keys<'a, T, K>;
    ['a, T, K: Key] Values<'a, T, K>;
    ['a, T, K: Key] ValuesMut<'a, T, K>;
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Iter<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<T, K: Key> Clone for Iter<'_, T, K> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, K: Key> Default for Iter<'_, T, K> {
    fn default() -> Self {
        Self(raw::Iter::default())
    }
}

impl<T, K: Key> Clone for Keys<'_, T, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, K: Key> Clone for Values<'_, T, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, K: Key> Default for Keys<'_, T, K> {
    fn default() -> Self {
        Self(Iter::default())
    }
}

impl<T, K: Key> Default for Values<'_, T, K> {
    fn default() -> Self {
        Self(Iter::default())
    }
}
