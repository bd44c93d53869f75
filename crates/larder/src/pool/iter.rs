//! The keys and the values of a pool.

use super::{Iter, IterMut};
use crate::half::{half_of_pairs, shows_remaining};
use crate::key::Key;

/// Keys, in slot order. Made by [`Pool::keys`](crate::Pool::keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Keys<'a, T, K: Key>(pub(super) Iter<'a, T, K>);

/// Values, in slot order. Made by [`Pool::values`](crate::Pool::values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a, T, K: Key>(pub(super) Iter<'a, T, K>);

/// Mutable values, in slot order. Made by [`Pool::values_mut`](crate::Pool::values_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ValuesMut<'a, T, K: Key>(pub(super) IterMut<'a, T, K>);

half_of_pairs!(impl['a, T, K: Key] Keys<'a, T, K>, K, |pair| pair.0);
half_of_pairs!(impl['a, T, K: Key] Values<'a, T, K>, &'a T, |pair| pair.1);
half_of_pairs!(impl['a, T, K: Key] ValuesMut<'a, T, K>, &'a mut T, |pair| pair.1);

shows_remaining! {
    ['a, T, K: Key] Keys<'a, T, K>;
    ['a, T, K: Key] Values<'a, T, K>;
    ['a, T, K: Key] ValuesMut<'a, T, K>;
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
