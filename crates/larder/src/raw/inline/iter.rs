//! Iterators over values inside their owner.
//!
//! **Invariant** of each: the steps go over the live slots of the book beside the rows, each once.

use core::iter::FusedIterator;
use core::ptr::NonNull;

use super::book::{Book, Steps};
use super::{At, Inline};
use crate::key::Key;
use crate::raw::rows::InBlock;
use crate::raw::store::{self, Finder, Places};

/// Keys and values.
pub(crate) type Iter<'a, T, K, const N: usize> = store::Iter<'a, T, K, RowSteps<'a, T, K, N>>;

/// Keys and mutable values.
pub(crate) type IterMut<'a, T, K, const N: usize> = store::IterMut<'a, T, K, RowSteps<'a, T, K, N>>;

/// Live slots, each with where it lies.
pub(crate) struct RowSteps<'a, T, K: Key, const N: usize> {
    steps: Steps,
    book: &'a Book<N>,
    rows: InBlock<T, K>,
}

/// Keys and owned values.
pub(crate) struct IntoIter<T, K: Key, const N: usize> {
    steps: Steps,
    inline: Inline<T, K, N>,
}

/// Removes all and gives it out.
pub(crate) struct Drain<'a, T, K: Key, const N: usize> {
    steps: Steps,
    inline: &'a mut Inline<T, K, N>,
}

/// Removes what a closure chooses.
pub(crate) struct ExtractIf<'a, T, K: Key, F, const N: usize> {
    steps: Steps,
    inline: &'a mut Inline<T, K, N>,
    choose: F,
}

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K, N> {
        let (book, rows) = (&self.book, self.rows());
        // SAFETY: 1. the steps go over live slots, each once. 2. book and rows are borrowed.
        unsafe { Iter::over(RowSteps { steps: Steps::over(book), book, rows }) }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K, N> {
        let rows = self.rows_mut();
        let book = &self.book;
        // SAFETY: 1. the steps go over live slots, each once. 2. book and rows, which lie apart, are
        // borrowed exclusively.
        unsafe { IterMut::over(RowSteps { steps: Steps::over(book), book, rows }) }
    }

    #[inline]
    pub(crate) fn into_iter(self) -> IntoIter<T, K, N> {
        IntoIter { steps: Steps::over(&self.book), inline: self }
    }

    pub(crate) const fn drain(&mut self) -> Drain<'_, T, K, N> {
        Drain { steps: Steps::over(&self.book), inline: self }
    }

    pub(crate) const fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, T, K, F, N> {
        ExtractIf { steps: Steps::over(&self.book), inline: self, choose }
    }
}

impl<T, K: Key, const N: usize> RowSteps<'_, T, K, N> {
    /// # Safety
    /// A step led to the slot.
    #[inline]
    unsafe fn find(&mut self, slot: usize) -> At<T, K> {
        // SAFETY: so it is below `N`.
        unsafe { Finder::<T, K>::find(&mut self.rows, slot) }
    }
}

impl<T, K: Key, const N: usize> Iterator for RowSteps<'_, T, K, N> {
    type Item = At<T, K>;

    #[inline]
    fn next(&mut self) -> Option<At<T, K>> {
        let slot = self.steps.next(self.book)?;
        // SAFETY: that is a step.
        Some(unsafe { self.find(slot) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.steps.left(), Some(self.steps.left()))
    }

    #[inline]
    fn fold<B, F: FnMut(B, At<T, K>) -> B>(mut self, init: B, mut f: F) -> B {
        let (steps, book) = (self.steps.clone(), self.book);
        // SAFETY: that is a step.
        steps.fold(book, init, |folded, slot| f(folded, unsafe { self.find(slot) }))
    }
}

impl<T, K: Key, const N: usize> DoubleEndedIterator for RowSteps<'_, T, K, N> {
    #[inline]
    fn next_back(&mut self) -> Option<At<T, K>> {
        let slot = self.steps.next_back(self.book)?;
        // SAFETY: that is a step.
        Some(unsafe { self.find(slot) })
    }
}

impl<T, K: Key, const N: usize> ExactSizeIterator for RowSteps<'_, T, K, N> {}

impl<T, K: Key, const N: usize> Places<T, K> for RowSteps<'_, T, K, N> {
    type At = NonNull<T>;

    /// There are few.
    #[cfg(feature = "rayon")]
    fn divide(self) -> (Self, Option<Self>) {
        (self, None)
    }
}

impl<T, K: Key, const N: usize> Clone for RowSteps<'_, T, K, N> {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone(), ..*self }
    }
}

impl<T, K: Key, const N: usize> Default for RowSteps<'_, T, K, N> {
    fn default() -> Self {
        let (book, rows) = (const { &Book::new() }, NonNull::dangling());
        Self { steps: Steps::none(), book, rows }
    }
}

/// The traits of an iterator that takes values out of the arena at `inline`.
macro_rules! taking {
    (impl[$($generics:tt)*] $name:ty) => {
        impl<$($generics)*> Iterator for $name {
            type Item = (K, T);

            #[inline]
            fn next(&mut self) -> Option<(K, T)> {
                let slot = self.steps.next(&self.inline.book)?;
                // SAFETY: the steps go over live slots, each once.
                Some(unsafe { self.inline.take(slot) })
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.steps.left(), Some(self.steps.left()))
            }
        }

        impl<$($generics)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<(K, T)> {
                let slot = self.steps.next_back(&self.inline.book)?;
                // SAFETY: the steps go over live slots, each once.
                Some(unsafe { self.inline.take(slot) })
            }
        }

        impl<$($generics)*> ExactSizeIterator for $name {}
        impl<$($generics)*> FusedIterator for $name {}
    };
}

taking!(impl[T, K: Key, const N: usize] IntoIter<T, K, N>);
taking!(impl[T, K: Key, const N: usize] Drain<'_, T, K, N>);

impl<T, K: Key, const N: usize> Drop for Drain<'_, T, K, N> {
    /// Removes what was not given out, all of it, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        /// Goes on with the rest while the panic of one value unwinds.
        struct Rest<'a, 'b, T, K: Key, const N: usize>(&'a mut Drain<'b, T, K, N>);

        impl<T, K: Key, const N: usize> Drop for Rest<'_, '_, T, K, N> {
            fn drop(&mut self) {
                self.0.for_each(drop);
            }
        }

        Rest(self).0.for_each(drop);
    }
}

impl<T, K: Key, F, const N: usize> ExtractIf<'_, T, K, F, N> {
    /// How many values there are that it has not looked at.
    pub(crate) const fn len(&self) -> usize {
        self.steps.left()
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool, const N: usize> Iterator
    for ExtractIf<'_, T, K, F, N>
{
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            let slot = self.steps.next(&self.inline.book)?;
            // SAFETY: the slot is live, and borrowed exclusively; if `choose` returns, it still is.
            unsafe {
                let at = self.inline.at_mut(slot);
                if (self.choose)(at.key(), at.lend_mut()) {
                    return Some(self.inline.take(slot));
                }
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.steps.left()))
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool, const N: usize> FusedIterator
    for ExtractIf<'_, T, K, F, N>
{
}
