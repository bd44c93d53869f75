//! Parallel iteration by rayon's traits: `arena.par_iter()` and `arena.par_iter_mut()`, over keys and values in no
//! particular order, and `into_par_iter()` of blocks, groups, runs and joins. Work is divided by live values, not by
//! slots, so that holes do not leave one thread with all the work.

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::iter::{Copied, Zip};
use rayon::prelude::*;
use rayon::slice;

use crate::containers::{DenseArena, Pool, Slots};
use crate::key::Key;
use crate::maps::SideMap;
use crate::maps::join::{Join, Joined};
use crate::maps::layout::SideLayout;
use crate::raw::rows::{Rooms, Whole};
use crate::raw::slots::Book;
#[cfg(feature = "columns")]
use crate::{
    DenseSoaArena, SoaArena,
    soa::{Fill, Soa},
};

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

/// Iterators of the raw layer, which have a function of that name.
macro_rules! divided {
    ($([$($generics:tt)*] $iter:ty;)*) => {
        $(impl<$($generics)*> $crate::impls::rayon::Divide for $iter {
            fn divide(self) -> (Self, Option<Self>) {
                Self::divide(self)
            }
        })*

        $crate::impls::rayon::parallel! { $([$($generics)*] $iter;)* }
    };
}
pub(crate) use divided;

impl<J: Joined> Divide for Join<J> {
    fn divide(self) -> (Self, Option<Self>) {
        Self::divide(self)
    }
}

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
            Self: IntoIterator<Item: Send, IntoIter: $crate::impls::rayon::Divide + Send>,
        {
            type Iter = $crate::impls::rayon::ParIter<<Self as IntoIterator>::IntoIter>;
            type Item = <Self as IntoIterator>::Item;

            fn into_par_iter(self) -> Self::Iter {
                $crate::impls::rayon::ParIter(self.into_iter())
            }
        }
    )*};
}
pub(crate) use parallel;

parallel! {
    ['a, T, K: Key, S: Rooms<T, K>, B: Book] &'a Slots<T, K, Whole<S>, B>;
    ['a, T, K: Key, S: Rooms<T, K>, B: Book] &'a mut Slots<T, K, Whole<S>, B>;
    ['a, T, K: Key] &'a Pool<T, K>;
    ['a, T, K: Key] &'a mut Pool<T, K>;
    ['a, K: Key, V, L: SideLayout<K, V>] &'a SideMap<K, V, L>;
    ['a, K: Key, V, L: SideLayout<K, V>] &'a mut SideMap<K, V, L>;
    [J: Joined] Join<J>;
}

#[cfg(feature = "columns")]
parallel! {
    ['a, T: Soa + Fill, K: Key] &'a SoaArena<T, K>;
    ['a, T: Soa + Fill, K: Key] &'a mut SoaArena<T, K>;
    ['a, T: Soa, K: Key] &'a DenseSoaArena<T, K>;
    ['a, T: Soa, K: Key] &'a mut DenseSoaArena<T, K>;
}

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
        let (keys, values) = self.store.both_mut();
        keys.par_iter().copied().zip(values)
    }
}
