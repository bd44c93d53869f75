//! The iterators over maps. `W` walks the entries of the map's layout; the default is that of a `SecondaryMap`.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::containers::pairs::{Keys as KeysOf, Values as ValuesOf};
use crate::key::Key;
use crate::maps::raw::side;
use crate::maps::side_layout::LentEntries;
use crate::raw::parts::{All, ItemParts, remaining};

/// Marks an iterator with its key and reference types, without owning keys.
type Of<K, R> = PhantomData<(fn() -> K, R)>;

/// Values that are given out as they are.
#[expect(unnameable_types, missing_debug_implementations, reason = "nobody has one")]
pub struct Owned<V>(PhantomData<V>);

/// Values that are taken out of a map.
#[expect(unnameable_types, missing_debug_implementations, reason = "nobody has one")]
pub struct Drained<'a, V>(PhantomData<&'a mut V>);

/// Keys and values, in the order of the map. Made by [`SideMap::iter`](crate::maps::SideMap::iter).
pub type Iter<'a, K, V, W = side::Iter<'a, K, V>> = ItemParts<W, All<(Of<K, &'a V>,)>>;

/// Keys and mutable values, in the order of the map. Made by [`SideMap::iter_mut`](crate::maps::SideMap::iter_mut).
pub type IterMut<'a, K, V, W = side::IterMut<'a, K, V>> = ItemParts<W, All<(Of<K, &'a mut V>,)>>;

/// Keys, in the order of the map. Made by [`SideMap::keys`](crate::maps::SideMap::keys).
pub type Keys<'a, K, V, W = side::Iter<'a, K, V>> = KeysOf<Iter<'a, K, V, W>>;

/// Values, in the order of the map. Made by [`SideMap::values`](crate::maps::SideMap::values).
pub type Values<'a, K, V, W = side::Iter<'a, K, V>> = ValuesOf<Iter<'a, K, V, W>>;

/// Mutable values, in the order of the map. Made by [`SideMap::values_mut`](crate::maps::SideMap::values_mut).
pub type ValuesMut<'a, K, V, W = side::IterMut<'a, K, V>> = ValuesOf<IterMut<'a, K, V, W>>;

/// Keys and owned values, in the order of the map. Made by the map's `into_iter`.
pub type IntoIter<K, V, W = side::IntoIter<K, V>> = ItemParts<W, All<(Of<K, Owned<V>>,)>>;

/// Values of a consumed map, in its order. Made by [`SideMap::into_values`](crate::maps::SideMap::into_values).
pub type IntoValues<K, V, W = side::IntoIter<K, V>> = ValuesOf<IntoIter<K, V, W>>;

/// Removes all entries and yields them, in the order of the map. Made by
/// [`SideMap::drain`](crate::maps::SideMap::drain).
pub type Drain<'a, K, V, W = side::Drain<'a, K, V>> = ItemParts<W, All<(Of<K, Drained<'a, V>>,)>>;

/// Removes the entries that a closure chooses, and yields them. Made by
/// [`SideMap::extract_if`](crate::maps::SideMap::extract_if).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ExtractIf<'a, K: Key, V, F, W = side::ExtractIf<'a, K, V, F>>(
    pub(super) W,
    pub(super) PhantomData<(Of<K, &'a mut V>, F)>,
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

impl<K: Key, V, W: Default> Default for Iter<'_, K, V, W> {
    fn default() -> Self {
        Self::of(W::default())
    }
}

impl<'a, K: Key, V: fmt::Debug, W: LentEntries<Item = (K, &'a V)> + Clone> fmt::Debug
    for Iter<'a, K, V, W>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<K: Key, V, W: ExactSizeIterator> fmt::Debug for IterMut<'_, K, V, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "IterMut", self.0.len())
    }
}

impl<K: Key, V, W: ExactSizeIterator> fmt::Debug for IntoIter<K, V, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "IntoIter", self.0.len())
    }
}

impl<K: Key, V, W: ExactSizeIterator> fmt::Debug for Drain<'_, K, V, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "Drain", self.0.len())
    }
}

impl<K: Key, V, F, W: Iterator> fmt::Debug for ExtractIf<'_, K, V, F, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.0.size_hint().1.unwrap_or_default();
        remaining(f, "ExtractIf", most)
    }
}

#[cfg(feature = "rayon")]
impl<'a, K: Key, V, W: LentEntries<Item = (K, &'a V)>> crate::parallel::Divide
    for Iter<'a, K, V, W>
{
    fn divide(self) -> (Self, Option<Self>) {
        let (below, above) = self.0.divide();
        (Self::of(below), above.map(Self::of))
    }
}

#[cfg(feature = "rayon")]
impl<'a, K: Key, V, W: LentEntries<Item = (K, &'a mut V)>> crate::parallel::Divide
    for IterMut<'a, K, V, W>
{
    fn divide(self) -> (Self, Option<Self>) {
        let (below, above) = self.0.divide();
        (Self::of(below), above.map(Self::of))
    }
}
