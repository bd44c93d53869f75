//! The keys and the values of an arena, and the keys of many values put into it.

use super::{Arena, IntoIter, Iter, IterMut};
use crate::half::{half_of_pairs, shows_remaining};
use crate::key::Key;
use crate::many::insert_many;

/// Keys, in slot order. Made by [`Arena::keys`](crate::Arena::keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Keys<'a, T, K: Key>(pub(super) Iter<'a, T, K>);

/// Values, in slot order. Made by [`Arena::values`](crate::Arena::values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a, T, K: Key>(pub(super) Iter<'a, T, K>);

/// Mutable values, in slot order. Made by [`Arena::values_mut`](crate::Arena::values_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ValuesMut<'a, T, K: Key>(pub(super) IterMut<'a, T, K>);

/// Keys of an arena that is gone, in slot order. Made by
/// [`Arena::into_keys`](crate::Arena::into_keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoKeys<T, K: Key>(pub(super) IntoIter<T, K>);

/// Owned values, in slot order. Made by [`Arena::into_values`](crate::Arena::into_values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoValues<T, K: Key>(pub(super) IntoIter<T, K>);

half_of_pairs!(impl['a, T, K: Key] Keys<'a, T, K>, K, |pair| pair.0);
half_of_pairs!(impl['a, T, K: Key] Values<'a, T, K>, &'a T, |pair| pair.1);
half_of_pairs!(impl['a, T, K: Key] ValuesMut<'a, T, K>, &'a mut T, |pair| pair.1);
half_of_pairs!(impl[T, K: Key] IntoKeys<T, K>, K, |pair| pair.0);
half_of_pairs!(impl[T, K: Key] IntoValues<T, K>, T, |pair| pair.1);

shows_remaining! {
    ['a, T, K: Key] Keys<'a, T, K>;
    ['a, T, K: Key] Values<'a, T, K>;
    ['a, T, K: Key] ValuesMut<'a, T, K>;
    [T, K: Key] IntoKeys<T, K>;
    [T, K: Key] IntoValues<T, K>;
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

insert_many!(Arena);
