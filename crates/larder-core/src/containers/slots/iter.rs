//! Iterators as `Debug` shows them, and their division among threads.

use core::fmt;
#[cfg(feature = "alloc")]
use core::ptr::NonNull;

#[cfg(feature = "rayon")]
use super::Lending;
use super::{Drain, ExtractIf, IntoIter, Iter, IterMut};
use crate::key::Key;
#[cfg(feature = "rayon")]
use crate::memory::storage::Borrowed;
#[cfg(feature = "rayon")]
use crate::parallel::{Divide, parallel};
use crate::raw::book::Book;
use crate::raw::parts::remaining;
#[cfg(feature = "rayon")]
use crate::raw::rows::ByBlock;
use crate::raw::rows::{RowFinder, RowWalk};
#[cfg(feature = "alloc")]
use crate::raw::split::SplitWalk;
use crate::raw::store::{Places, Refill};

impl<T: fmt::Debug, K: Key, F: RowFinder<T, K>> fmt::Debug for Iter<'_, T, K, RowWalk<T, K, F>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

#[cfg(feature = "alloc")]
impl<T: fmt::Debug, K: Key> fmt::Debug for Iter<'_, T, K, SplitWalk<T, K, NonNull<T>>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<T, K: Key, P: Places<T, K>> fmt::Debug for IterMut<'_, T, K, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "IterMut", self.len())
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> fmt::Debug for IntoIter<T, K, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "IntoIter", self.len())
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> fmt::Debug for Drain<'_, T, K, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "Drain", self.len())
    }
}

impl<T, K: Key, F, L: Refill<T, K>, B: Book> fmt::Debug for ExtractIf<'_, T, K, F, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "ExtractIf", self.len())
    }
}

#[cfg(feature = "rayon")]
impl<B: Borrowed, K: Key, P: Places<B::Value, K> + Clone> Divide for Lending<B, K, P> {
    fn divide(self) -> (Self, Option<Self>) {
        Self::divide(self)
    }
}

#[cfg(feature = "rayon")]
impl<B: Borrowed, K: Key, P: Places<B::Value, K> + Clone> Divide for ByBlock<Lending<B, K, P>> {
    fn divide(self) -> (Self, Option<Self>) {
        Self::divide(self)
    }
}

#[cfg(feature = "rayon")]
parallel!([B: Borrowed, K: Key, P: Places<B::Value, K> + Clone] ByBlock<Lending<B, K, P>>;);
