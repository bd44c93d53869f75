//! Parallel iteration. An arena of rows is divided by its live values, not by its slots, so holes do
//! not leave one thread with all the work.

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::prelude::*;

use crate::containers::arena::{self, Arena};
use crate::containers::dense_arena::DenseArena;
use crate::containers::paged_arena::{self, PagedArena};
use crate::key::Key;

/// A part of an arena's entries.
struct Part<I>(I);

macro_rules! parallel {
    ($module:ident::$iter:ident, $bound:ident, $item:ty) => {
        impl<'a, T: $bound, K: Key> UnindexedProducer for Part<$module::$iter<'a, T, K>> {
            type Item = $item;

            fn split(self) -> (Self, Option<Self>) {
                let (below, above) = self.0.divide();
                (Self(below), above.map(Self))
            }

            fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F {
                folder.consume_iter(self.0)
            }
        }

        impl<'a, T: $bound, K: Key> ParallelIterator for Part<$module::$iter<'a, T, K>> {
            type Item = $item;

            fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
                bridge_unindexed(self, consumer)
            }

            fn opt_len(&self) -> Option<usize> {
                None
            }
        }
    };
}

parallel!(arena::Iter, Sync, (K, &'a T));
parallel!(arena::IterMut, Send, (K, &'a mut T));
parallel!(paged_arena::Iter, Sync, (K, &'a T));
parallel!(paged_arena::IterMut, Send, (K, &'a mut T));

/// For a container of rows, by its name and a function that makes one of an iterator.
macro_rules! rows {
    ($container:ident, $from:literal) => {
        /// Parallel iteration (feature `rayon`). No order is promised.
        impl<T, K: Key> $container<T, K> {
            /// Keys and values, on all threads. O(live + slots / 64), divided over the threads.
            ///
            /// # Examples
            /// ```
            /// use rayon::prelude::*;
            ///
            #[doc = concat!("let arena = ", $from, "(0..1_000_u64);")]
            /// assert_eq!(arena.par_iter().map(|(_, n)| n).sum::<u64>(), 499_500);
            /// ```
            pub fn par_iter(&self) -> impl ParallelIterator<Item = (K, &T)>
            where
                T: Sync,
            {
                Part(self.iter())
            }

            /// Keys and values, to change the values, on all threads.
            /// O(live + slots / 64), divided over the threads.
            ///
            /// # Examples
            /// ```
            /// use rayon::prelude::*;
            ///
            #[doc = concat!("let mut arena = ", $from, "([0, 0, 0]);")]
            /// arena.par_iter_mut().for_each(|(key, value)| *value = key.slot());
            /// assert!(arena.values().eq(&[0, 1, 2]));
            /// ```
            pub fn par_iter_mut(&mut self) -> impl ParallelIterator<Item = (K, &mut T)>
            where
                T: Send,
            {
                Part(self.iter_mut())
            }

            /// Values, on all threads. O(live + slots / 64), divided over the threads.
            ///
            /// # Examples
            /// ```
            /// use rayon::prelude::*;
            ///
            #[doc = concat!("let arena = ", $from, "(0..1_000_u64);")]
            /// assert_eq!(arena.par_values().sum::<u64>(), 499_500);
            /// ```
            pub fn par_values(&self) -> impl ParallelIterator<Item = &T>
            where
                T: Sync,
            {
                self.par_iter().map(|(_, value)| value)
            }

            /// Values, to change them, on all threads. O(live + slots / 64), divided over the threads.
            ///
            /// # Examples
            /// ```
            /// use rayon::prelude::*;
            ///
            #[doc = concat!("let mut arena = ", $from, "([1, 2, 3]);")]
            /// arena.par_values_mut().for_each(|value| *value *= 10);
            /// assert!(arena.values().eq(&[10, 20, 30]));
            /// ```
            pub fn par_values_mut(&mut self) -> impl ParallelIterator<Item = &mut T>
            where
                T: Send,
            {
                self.par_iter_mut().map(|(_, value)| value)
            }
        }
    };
}

rows!(Arena, "larder::Arena::from_iter");
rows!(PagedArena, "larder::PagedArena::from_iter");

/// Parallel iteration (feature `rayon`), over slices.
impl<T, K: Key> DenseArena<T, K> {
    /// Keys and values, on all threads, in position order. O(len), divided over the threads.
    ///
    /// # Examples
    /// ```
    /// use rayon::prelude::*;
    ///
    /// let arena = larder::DenseArena::from_iter(0..1_000_u64);
    /// assert_eq!(arena.par_iter().map(|(_, n)| n).sum::<u64>(), 499_500);
    /// ```
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (K, &T)>
    where
        T: Sync,
    {
        self.keys_as_slice().par_iter().copied().zip(self.as_slice())
    }

    /// Keys and values, to change the values, on all threads.
    /// O(len), divided over the threads.
    ///
    /// # Examples
    /// ```
    /// use rayon::prelude::*;
    ///
    /// let mut arena = larder::DenseArena::from_iter([0, 0, 0]);
    /// arena.par_iter_mut().for_each(|(key, value)| *value = key.slot());
    /// assert!(arena.values().eq(&[0, 1, 2]));
    /// ```
    pub fn par_iter_mut(&mut self) -> impl IndexedParallelIterator<Item = (K, &mut T)>
    where
        T: Send,
    {
        let (keys, values) = self.packed.both_mut();
        keys.par_iter().copied().zip(values)
    }

    /// Values, on all threads. O(len), divided over the threads.
    ///
    /// # Examples
    /// ```
    /// use rayon::prelude::*;
    ///
    /// let arena = larder::DenseArena::from_iter(0..1_000_u64);
    /// assert_eq!(arena.par_values().sum::<u64>(), 499_500);
    /// ```
    pub fn par_values(&self) -> impl IndexedParallelIterator<Item = &T>
    where
        T: Sync,
    {
        self.as_slice().par_iter()
    }

    /// Values, to change them, on all threads. O(len), divided over the threads.
    ///
    /// # Examples
    /// ```
    /// use rayon::prelude::*;
    ///
    /// let mut arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// arena.par_values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20, 30]));
    /// ```
    pub fn par_values_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut T>
    where
        T: Send,
    {
        self.as_mut_slice().par_iter_mut()
    }
}
