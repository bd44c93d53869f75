//! The iterators over maps. `W` walks the entries of the map's layout; the default is that of a `SecondaryMap`.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::key::Key;
use crate::raw::side;
use crate::raw::side_layout::Lent;
use crate::raw::store::{half_of_pairs, shows_remaining};

/// Marks an iterator with its key and reference types, without owning keys.
type Of<K, R> = PhantomData<(fn() -> K, R)>;

/// Keys and values, in the order of the map. Made by [`SideMap::iter`](crate::maps::SideMap::iter).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Iter<'a, K: Key, V, W = side::Iter<'a, K, V>>(pub(super) W, pub(super) Of<K, &'a V>);

/// Keys and mutable values, in the order of the map. Made by [`SideMap::iter_mut`](crate::maps::SideMap::iter_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IterMut<'a, K: Key, V, W = side::IterMut<'a, K, V>>(
    pub(super) W,
    pub(super) Of<K, &'a mut V>,
);

/// Keys, in the order of the map. Made by [`SideMap::keys`](crate::maps::SideMap::keys).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Keys<'a, K: Key, V, W = side::Iter<'a, K, V>>(pub(super) Iter<'a, K, V, W>);

/// Values, in the order of the map. Made by [`SideMap::values`](crate::maps::SideMap::values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a, K: Key, V, W = side::Iter<'a, K, V>>(pub(super) Iter<'a, K, V, W>);

/// Mutable values, in the order of the map. Made by [`SideMap::values_mut`](crate::maps::SideMap::values_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ValuesMut<'a, K: Key, V, W = side::IterMut<'a, K, V>>(pub(super) IterMut<'a, K, V, W>);

/// Keys and owned values, in the order of the map. Made by the map's `into_iter`.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoIter<K: Key, V, W = side::IntoIter<K, V>>(pub(super) W, pub(super) Of<K, V>);

/// Values of a consumed map, in its order. Made by [`SideMap::into_values`](crate::maps::SideMap::into_values).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoValues<K: Key, V, W = side::IntoIter<K, V>>(pub(super) IntoIter<K, V, W>);

/// Removes all entries and yields them, in the order of the map. Made by
/// [`SideMap::drain`](crate::maps::SideMap::drain).
#[must_use = "dropping this removes the values; use `clear` for that"]
pub struct Drain<'a, K: Key, V, W = side::Drain<'a, K, V>>(
    pub(super) W,
    pub(super) Of<K, &'a mut V>,
);

/// Removes the entries that a closure chooses, and yields them. Made by
/// [`SideMap::extract_if`](crate::maps::SideMap::extract_if).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ExtractIf<'a, K: Key, V, F, W = side::ExtractIf<'a, K, V, F>>(
    pub(super) W,
    pub(super) PhantomData<(Of<K, &'a mut V>, F)>,
);

half_of_pairs!(impl['a, K: Key, V, W: Lent<Item = (K, &'a V)>] Iter<'a, K, V, W>, (K, &'a V), |pair| pair);
half_of_pairs!(impl['a, K: Key, V, W: Lent<Item = (K, &'a V)>] Keys<'a, K, V, W>, K, |pair| pair.0);
half_of_pairs!(impl['a, K: Key, V, W: Lent<Item = (K, &'a V)>] Values<'a, K, V, W>, &'a V, |pair| pair.1);
half_of_pairs!(
    impl['a, K: Key, V, W: Lent<Item = (K, &'a mut V)>] IterMut<'a, K, V, W>, (K, &'a mut V), |pair| pair
);
half_of_pairs!(
    impl['a, K: Key, V, W: Lent<Item = (K, &'a mut V)>] ValuesMut<'a, K, V, W>, &'a mut V, |pair| pair.1
);
half_of_pairs!(
    impl['a, K: Key, V, W: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator] Drain<'a, K, V, W>, (K, V),
    |pair| pair
);
half_of_pairs!(
    impl[K: Key, V, W: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator] IntoIter<K, V, W>, (K, V),
    |pair| pair
);
half_of_pairs!(
    impl[K: Key, V, W: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator] IntoValues<K, V, W>, V,
    |pair| pair.1
);

impl<K: Key, V, F, W: FusedIterator<Item = (K, V)>> Iterator for ExtractIf<'_, K, V, F, W> {
    type Item = (K, V);

    #[inline]
    fn next(&mut self) -> Option<(K, V)> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K: Key, V, F, W: FusedIterator<Item = (K, V)>> FusedIterator for ExtractIf<'_, K, V, F, W> {}

impl<K: Key, V, W: Clone> Clone for Iter<'_, K, V, W> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<K: Key, V, W: Clone> Clone for Keys<'_, K, V, W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: Key, V, W: Clone> Clone for Values<'_, K, V, W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: Key, V, W: Default> Default for Iter<'_, K, V, W> {
    fn default() -> Self {
        Self(W::default(), PhantomData)
    }
}

impl<K: Key, V, W: Default> Default for Keys<'_, K, V, W> {
    fn default() -> Self {
        Self(Iter::default())
    }
}

impl<K: Key, V, W: Default> Default for Values<'_, K, V, W> {
    fn default() -> Self {
        Self(Iter::default())
    }
}

impl<'a, K: Key, V: fmt::Debug, W: Lent<Item = (K, &'a V)> + Clone> fmt::Debug
    for Iter<'a, K, V, W>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

shows_remaining! {
    ['a, K: Key, V, W: Lent<Item = (K, &'a mut V)>] IterMut<'a, K, V, W>;
    ['a, K: Key, V, W: Lent<Item = (K, &'a V)>] Keys<'a, K, V, W>;
    ['a, K: Key, V, W: Lent<Item = (K, &'a V)>] Values<'a, K, V, W>;
    ['a, K: Key, V, W: Lent<Item = (K, &'a mut V)>] ValuesMut<'a, K, V, W>;
    [K: Key, V, W: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator] IntoIter<K, V, W>;
    [K: Key, V, W: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator] IntoValues<K, V, W>;
    ['a, K: Key, V, W: ExactSizeIterator<Item = (K, V)> + DoubleEndedIterator] Drain<'a, K, V, W>;
}

impl<K: Key, V, F, W: Iterator> fmt::Debug for ExtractIf<'_, K, V, F, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.0.size_hint().1.unwrap_or_default();
        f.debug_struct("ExtractIf").field("remaining", &most).finish_non_exhaustive()
    }
}

#[cfg(feature = "rayon")]
impl<'a, K: Key, V, W: Lent<Item = (K, &'a V)>> crate::impls::rayon::Divide for Iter<'a, K, V, W> {
    fn divide(self) -> (Self, Option<Self>) {
        let (below, above) = self.0.divide();
        (Self(below, PhantomData), above.map(|above| Self(above, PhantomData)))
    }
}

#[cfg(feature = "rayon")]
impl<'a, K: Key, V, W: Lent<Item = (K, &'a mut V)>> crate::impls::rayon::Divide
    for IterMut<'a, K, V, W>
{
    fn divide(self) -> (Self, Option<Self>) {
        let (below, above) = self.0.divide();
        (Self(below, PhantomData), above.map(|above| Self(above, PhantomData)))
    }
}
