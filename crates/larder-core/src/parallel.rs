//! Iterators that can be divided, and so used by threads at once, by rayon's traits.

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::prelude::*;

/// A parallel iterator over the same items as the iterator that it divides. Made by `par_iter` and `par_iter_mut` of
/// rayon's traits, and by `into_par_iter` of iterators over columns and of joins.
///
/// # Examples
/// ```
/// use larder::SecondaryMap;
/// use rayon::prelude::*;
///
/// let mut arena = larder::Arena::from_iter(0..1_000_u64);
/// arena.par_iter_mut().for_each(|(_, number)| *number += 1);
/// assert_eq!(arena.par_iter().map(|(_, number)| number).sum::<u64>(), 500_500);
///
/// let ages: SecondaryMap<_, u64> = arena.keys().map(|key| (key, 2)).collect();
/// let product = larder::join((&arena, &ages)).into_par_iter().map(|(_, (number, age))| number * age);
/// assert_eq!(product.sum::<u64>(), 1_001_000);
/// ```
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ParIter<I>(pub(crate) I);

/// An iterator that can be divided into two, neither of which has what the other has.
#[expect(unnameable_types, reason = "it seals what `ParIter` is implemented for")]
pub trait Divide: Iterator + Sized {
    #[doc(hidden)]
    fn divide(self) -> (Self, Option<Self>);
}

/// Implements [`Divide`] for iterators that have a function of that name.
macro_rules! divided {
    ($([$($generics:tt)*] $iter:ty;)*) => {
        $(impl<$($generics)*> $crate::parallel::Divide for $iter {
            fn divide(self) -> (Self, Option<Self>) {
                Self::divide(self)
            }
        })*

        $crate::parallel::parallel! { $([$($generics)*] $iter;)* }
    };
}
pub(crate) use divided;

impl<I: Divide<Item: Send> + Send> UnindexedProducer for ParIter<I> {
    type Item = I::Item;

    fn split(self) -> (Self, Option<Self>) {
        let (below, above) = self.0.divide();
        (Self(below), above.map(Self))
    }

    fn fold_with<F: Folder<I::Item>>(self, folder: F) -> F {
        folder.consume_iter(self.0)
    }
}

impl<I: Divide<Item: Send> + Send> ParallelIterator for ParIter<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

/// Implements rayon's conversion for types whose iterators can be divided.
macro_rules! parallel {
    ($([$($generics:tt)*] $of:ty;)*) => {$(
        impl<$($generics)*> rayon::iter::IntoParallelIterator for $of
        where
            Self: IntoIterator<Item: Send, IntoIter: $crate::parallel::Divide + Send>,
        {
            type Iter = $crate::parallel::ParIter<<Self as IntoIterator>::IntoIter>;
            type Item = <Self as IntoIterator>::Item;

            fn into_par_iter(self) -> Self::Iter {
                $crate::parallel::ParIter(self.into_iter())
            }
        }
    )*};
}
pub(crate) use parallel;
