//! Iterators over values inside their owner.
//!
//! **Invariant** of each: the steps go over the live slots of the book beside the rows, each once.

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Inline;
use super::book::{Book, Steps};
use crate::key::Key;
use crate::raw::rows::Row;
use crate::raw::slots::GenerationOf;

type RowOf<T, K> = Row<T, GenerationOf<K>>;

/// Keys and values.
pub(crate) struct Iter<'a, T, K: Key, const N: usize> {
    steps: Steps,
    book: &'a Book<N>,
    rows: NonNull<RowOf<T, K>>,
    borrows: PhantomData<&'a T>,
}

/// Keys and mutable values.
pub(crate) struct IterMut<'a, T, K: Key, const N: usize> {
    steps: Steps,
    book: &'a Book<N>,
    rows: NonNull<RowOf<T, K>>,
    borrows: PhantomData<&'a mut T>,
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

// SAFETY: an `Iter` is a shared borrow of values.
unsafe impl<T: Sync, K: Key, const N: usize> Send for Iter<'_, T, K, N> {}
// SAFETY: as above.
unsafe impl<T: Sync, K: Key, const N: usize> Sync for Iter<'_, T, K, N> {}
// SAFETY: an `IterMut` is an exclusive borrow of values.
unsafe impl<T: Send, K: Key, const N: usize> Send for IterMut<'_, T, K, N> {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T: Sync, K: Key, const N: usize> Sync for IterMut<'_, T, K, N> {}

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K, N> {
        let rows = NonNull::from(&self.rows).cast();
        Iter { steps: Steps::over(&self.book), book: &self.book, rows, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K, N> {
        let rows = NonNull::from(&mut self.rows).cast();
        IterMut { steps: Steps::over(&self.book), book: &self.book, rows, borrows: PhantomData }
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

    /// # Safety
    /// The slot is live.
    #[inline]
    unsafe fn take_entry(&mut self, slot: usize) -> (K, T) {
        // SAFETY: a live slot is in use.
        let key = K::compose(slot as u32, unsafe { self.stored(slot) });
        // SAFETY: by the contract.
        (key, unsafe { self.take(slot) })
    }
}

impl<T, K: Key, const N: usize> Clone for Iter<'_, T, K, N> {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone(), ..*self }
    }
}

impl<T, K: Key, const N: usize> Default for Iter<'_, T, K, N> {
    fn default() -> Self {
        Self {
            steps: Steps::none(),
            book: const { &Book::new() },
            rows: NonNull::dangling(),
            borrows: PhantomData,
        }
    }
}

/// # Safety
/// The slot lies within `rows`, is live, and is borrowed for `'a`.
#[inline]
unsafe fn shared<'a, T, K: Key>(rows: NonNull<RowOf<T, K>>, slot: usize) -> (K, &'a T) {
    // SAFETY: by the contract.
    let row = unsafe { rows.add(slot) };
    // SAFETY: the row of a live slot is initialised.
    let row = unsafe { row.as_ref() };
    // SAFETY: so is its value.
    (K::compose(slot as u32, row.generation), unsafe { row.value.assume_init_ref() })
}

/// # Safety
/// The slot lies within `rows`, is live, and no other reference to it exists for `'a`.
#[inline]
unsafe fn exclusive<'a, T, K: Key>(rows: NonNull<RowOf<T, K>>, slot: usize) -> (K, &'a mut T) {
    // SAFETY: by the contract.
    let mut row = unsafe { rows.add(slot) };
    // SAFETY: the row of a live slot is initialised.
    let row = unsafe { row.as_mut() };
    // SAFETY: so is its value.
    (K::compose(slot as u32, row.generation), unsafe { row.value.assume_init_mut() })
}

/// The traits of an iterator whose steps go over the book at `$book`.
macro_rules! over_book {
    (
        impl[$($generics:tt)*] $name:ty, $item:ty, $($book:ident).+,
        |$this:ident, $slot:ident| $get:expr, { $($fold:tt)* }
    ) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                let $this = self;
                let $slot = $this.steps.next(&$this.$($book).+)?;
                Some($get)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.steps.left(), Some(self.steps.left()))
            }

            #[inline]
            fn count(self) -> usize {
                self.len()
            }

            $($fold)*
        }

        impl<$($generics)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                let $this = self;
                let $slot = $this.steps.next_back(&$this.$($book).+)?;
                Some($get)
            }
        }

        impl<$($generics)*> ExactSizeIterator for $name {}
        impl<$($generics)*> FusedIterator for $name {}
    };
}

over_book!(impl['a, T, K: Key, const N: usize] Iter<'a, T, K, N>, (K, &'a T), book, |this, slot| {
    // SAFETY: the steps go over live slots.
    unsafe { shared(this.rows, slot) }
}, {
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        self.steps.fold(self.book, init, |folded, slot| {
            // SAFETY: the steps go over live slots.
            f(folded, unsafe { shared(self.rows, slot) })
        })
    }
});

over_book!(
impl['a, T, K: Key, const N: usize] IterMut<'a, T, K, N>, (K, &'a mut T), book, |this, slot| {
    // SAFETY: the steps go over live slots, each once, and the rows are borrowed exclusively.
    unsafe { exclusive(this.rows, slot) }
}, {
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        self.steps.fold(self.book, init, |folded, slot| {
            // SAFETY: as above.
            f(folded, unsafe { exclusive(self.rows, slot) })
        })
    }
});

over_book!(impl[T, K: Key, const N: usize] IntoIter<T, K, N>, (K, T), inline.book, |this, slot| {
    // SAFETY: the steps go over live slots, each once.
    unsafe { this.inline.take_entry(slot) }
}, {});

over_book!(impl[T, K: Key, const N: usize] Drain<'_, T, K, N>, (K, T), inline.book, |this, slot| {
    // SAFETY: the steps go over live slots, each once.
    unsafe { this.inline.take_entry(slot) }
}, {});

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
            // SAFETY: a live slot is in use.
            let key = K::compose(slot as u32, unsafe { self.inline.stored(slot) });
            // SAFETY: the slot is live.
            if (self.choose)(key, unsafe { self.inline.value_mut(slot) }) {
                // SAFETY: it still is.
                return Some((key, unsafe { self.inline.take(slot) }));
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
