//! The iterators of values that lie whole, side by side: over two slices, of keys and of values.

use core::fmt;
use core::iter::{Copied, Zip};
use core::slice;

use crate::key::Key;
use crate::raw::parts::{All, ItemParts, remaining};

/// Keys and values, in position order. Made by [`DenseArena::iter`](crate::DenseArena::iter).
pub type Iter<'a, T, K> = ItemParts<Zip<Copied<slice::Iter<'a, K>>, slice::Iter<'a, T>>, All<()>>;

/// Keys and mutable values, in position order. Made by [`DenseArena::iter_mut`](crate::DenseArena::iter_mut).
pub type IterMut<'a, T, K> =
    ItemParts<Zip<Copied<slice::Iter<'a, K>>, slice::IterMut<'a, T>>, All<()>>;

impl<T, K: Key> Default for Iter<'_, T, K> {
    fn default() -> Self {
        Self::of([].iter().copied().zip([].iter()))
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Iter<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<T, K: Key> fmt::Debug for IterMut<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "IterMut", self.len())
    }
}
