//! Parallel iteration, by rayon's traits: `arena.par_iter()` and `arena.par_iter_mut()`, over keys and
//! values in no particular order. Work is divided by live values, not by slots, so that holes do not
//! leave one thread with all the work.

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::iter::{Copied, Zip};
use rayon::prelude::*;
use rayon::slice;

use crate::containers::arena::{self, Arena};
use crate::containers::dense_arena::DenseArena;
use crate::containers::paged_arena::{self, PagedArena};
use crate::key::Key;

/// The entries of an arena, which rayon divides. Made by `par_iter` and `par_iter_mut` of rayon's traits.
///
/// # Examples
/// ```
/// use rayon::prelude::*;
///
/// let mut arena = larder::Arena::from_iter(0..1_000_u64);
/// arena.par_iter_mut().for_each(|(_, number)| *number += 1);
/// assert_eq!(arena.par_iter().map(|(_, number)| number).sum::<u64>(), 500_500);
/// ```
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ParIter<I>(I);

/// For a container in slots: one of its iterators, what that borrows and lends.
macro_rules! parallel {
    ($container:ident, $module:ident::$iter:ident, $bound:ident, [$($borrow:tt)*]) => {
        impl<'a, T: $bound, K: Key> UnindexedProducer for ParIter<$module::$iter<'a, T, K>> {
            type Item = (K, $($borrow)* T);

            fn split(self) -> (Self, Option<Self>) {
                let (below, above) = self.0.divide();
                (Self(below), above.map(Self))
            }

            fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F {
                folder.consume_iter(self.0)
            }
        }

        impl<'a, T: $bound, K: Key> ParallelIterator for ParIter<$module::$iter<'a, T, K>> {
            type Item = (K, $($borrow)* T);

            fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
                bridge_unindexed(self, consumer)
            }
        }

        impl<'a, T: $bound, K: Key> IntoParallelIterator for $($borrow)* $container<T, K> {
            type Iter = ParIter<$module::$iter<'a, T, K>>;
            type Item = (K, $($borrow)* T);

            fn into_par_iter(self) -> Self::Iter {
                ParIter(self.into_iter())
            }
        }
    };
}

parallel!(Arena, arena::Iter, Sync, [&'a]);
parallel!(Arena, arena::IterMut, Send, [&'a mut]);
parallel!(PagedArena, paged_arena::Iter, Sync, [&'a]);
parallel!(PagedArena, paged_arena::IterMut, Send, [&'a mut]);

/// Values in position order; their slice alone is `arena.as_slice().par_iter()`.
impl<'a, T: Sync, K: Key> IntoParallelIterator for &'a DenseArena<T, K> {
    type Iter = Zip<Copied<slice::Iter<'a, K>>, slice::Iter<'a, T>>;
    type Item = (K, &'a T);

    fn into_par_iter(self) -> Self::Iter {
        self.keys_as_slice().par_iter().copied().zip(self.as_slice())
    }
}

/// Values in position order; their slice alone is `arena.as_mut_slice().par_iter_mut()`.
impl<'a, T: Send, K: Key> IntoParallelIterator for &'a mut DenseArena<T, K> {
    type Iter = Zip<Copied<slice::Iter<'a, K>>, slice::IterMut<'a, T>>;
    type Item = (K, &'a mut T);

    fn into_par_iter(self) -> Self::Iter {
        let (keys, values) = self.rows.both_mut();
        keys.par_iter().copied().zip(values)
    }
}
