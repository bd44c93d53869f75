//! A walk over rows, block by block.

use core::fmt;
use core::iter::FusedIterator;

use super::blocks::BlocksShape;
use crate::key::Key;
use crate::memory::storage::Borrowed;
use crate::raw::store::{Lending, Places};

/// The blocks that have values, each as an iterator over them, in slot order.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ByBlock<I> {
    rest: I,
    shape: BlocksShape,
}

impl<I> ByBlock<I> {
    pub(super) const fn new(rest: I, shape: BlocksShape) -> Self {
        Self { rest, shape }
    }
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K> + Clone> ByBlock<Lending<B, K, P>> {
    /// Two parts with about as many rows each, as far as whole blocks have as many.
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        let (Some(first), Some(middle)) = (self.rest.first_slot(), self.rest.middle()) else {
            return (self, None);
        };
        let block = self.shape.block_of(middle).max(self.shape.block_of(first) + 1);
        let below = Self { rest: self.rest.split_off_below(self.begin_of(block)), ..self };
        if self.rest.len() == 0 { (below, None) } else { (below, Some(self)) }
    }

    /// The slot that a block begins with.
    fn begin_of(&self, block: usize) -> usize {
        usize::try_from(self.shape.first_of(block)).unwrap_or(usize::MAX)
    }
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K> + Clone> Iterator for ByBlock<Lending<B, K, P>> {
    type Item = Lending<B, K, P>;

    fn next(&mut self) -> Option<Self::Item> {
        let block = self.shape.block_of(self.rest.first_slot()?);
        Some(self.rest.split_off_below(self.begin_of(block + 1)))
    }

    /// One block at least has what is left, and each at least one row.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rest.len();
        (left.min(1), Some(left))
    }
}

impl<B: Borrowed, K: Key, P: Places<B::Value, K> + Clone> FusedIterator
    for ByBlock<Lending<B, K, P>>
{
}

impl<I: Clone> Clone for ByBlock<I> {
    fn clone(&self) -> Self {
        Self { rest: self.rest.clone(), ..*self }
    }
}

impl<I> fmt::Debug for ByBlock<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByBlock").finish_non_exhaustive()
    }
}
