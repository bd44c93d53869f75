//! Iterators over live values: a walk over live slots, and where the columns begin.
//!
//! **Invariant** of each: the walk yields live slots of the stock, each once, and the stock lives at
//! least as long as the iterator; one that gives out `&mut` has the stock to itself.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{GenerationOf, Stock};
use crate::key::Key;
use crate::raw::walk::Walk;

/// Where the values and the generations of a stock begin.
struct Columns<T, G> {
    values: NonNull<T>,
    generations: NonNull<G>,
}

impl<T, G> Clone for Columns<T, G> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, G> Copy for Columns<T, G> {}

/// The key of a slot, and where its value lies. (Where only one of them is asked for, the other is
/// not read.)
///
/// # Safety
/// The slot is in use, and the columns are there.
#[inline]
unsafe fn entry<T, K: Key>(columns: Columns<T, GenerationOf<K>>, slot: usize) -> (K, NonNull<T>) {
    // SAFETY: by the contract.
    let generation = unsafe { columns.generations.add(slot) };
    // SAFETY: a slot in use has its generation initialised.
    let key = K::compose(slot as u32, unsafe { generation.read() });
    // SAFETY: by the contract.
    (key, unsafe { columns.values.add(slot) })
}

/// Keys and values, in slot order. Made by [`Pool::iter`](crate::Pool::iter).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Iter<'a, T, K: Key> {
    walk: Walk,
    columns: Columns<T, GenerationOf<K>>,
    borrows: PhantomData<&'a T>,
}

/// Keys and mutable values, in slot order. Made by [`Pool::iter_mut`](crate::Pool::iter_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IterMut<'a, T, K: Key> {
    walk: Walk,
    columns: Columns<T, GenerationOf<K>>,
    borrows: PhantomData<&'a mut T>,
}

// SAFETY: an `Iter` is a shared borrow of values.
unsafe impl<T: Sync, K: Key> Send for Iter<'_, T, K> {}
// SAFETY: as above.
unsafe impl<T: Sync, K: Key> Sync for Iter<'_, T, K> {}
// SAFETY: an `IterMut` is an exclusive borrow of values.
unsafe impl<T: Send, K: Key> Send for IterMut<'_, T, K> {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T: Sync, K: Key> Sync for IterMut<'_, T, K> {}

impl<T, K: Key> Stock<T, K> {
    fn columns(&self) -> Columns<T, GenerationOf<K>> {
        Columns { values: self.values.start(), generations: self.generations.start() }
    }

    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        Iter { walk, columns: self.columns(), borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        IterMut { walk, columns: self.columns(), borrows: PhantomData }
    }
}

/// # Safety
/// A walk yielded the slot, and belongs to a shared borrow of the stock for `'a`.
#[inline]
unsafe fn shared<'a, T, K: Key>(columns: Columns<T, GenerationOf<K>>, slot: usize) -> (K, &'a T) {
    // SAFETY: a slot that a walk yielded is in use.
    let (key, value) = unsafe { entry::<T, K>(columns, slot) };
    // SAFETY: its value is initialised.
    (key, unsafe { value.as_ref() })
}

/// # Safety
/// A walk yielded the slot, and belongs to an exclusive borrow of the stock for `'a`, and yields each
/// slot once.
#[inline]
unsafe fn exclusive<'a, T, K: Key>(
    columns: Columns<T, GenerationOf<K>>,
    slot: usize,
) -> (K, &'a mut T) {
    // SAFETY: a slot that a walk yielded is in use.
    let (key, mut value) = unsafe { entry::<T, K>(columns, slot) };
    // SAFETY: its value is initialised, and no other reference to it was made.
    (key, unsafe { value.as_mut() })
}

/// The traits of an iterator that maps the slots of its walk.
macro_rules! over_slots {
    ($name:ident, $value:ty, $get:ident) => {
        impl<'a, T, K: Key> Iterator for $name<'a, T, K> {
            type Item = (K, $value);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                let slot = self.walk.next()?;
                // SAFETY: the walk just yielded it, under the borrow of this iterator.
                Some(unsafe { $get(self.columns, slot) })
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.walk.size_hint()
            }

            #[inline]
            fn count(self) -> usize {
                self.walk.len()
            }

            #[inline]
            fn last(mut self) -> Option<Self::Item> {
                self.next_back()
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<Self::Item> {
                let slot = self.walk.nth(n)?;
                // SAFETY: the walk just yielded it, under the borrow of this iterator.
                Some(unsafe { $get(self.columns, slot) })
            }

            #[inline]
            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
                let columns = self.columns;
                self.walk.fold(init, |folded, slot| {
                    // SAFETY: the walk just yielded it, under the borrow of this iterator.
                    f(folded, unsafe { $get(columns, slot) })
                })
            }
        }

        impl<T, K: Key> DoubleEndedIterator for $name<'_, T, K> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                let slot = self.walk.next_back()?;
                // SAFETY: the walk just yielded it, under the borrow of this iterator.
                Some(unsafe { $get(self.columns, slot) })
            }
        }

        impl<T, K: Key> ExactSizeIterator for $name<'_, T, K> {}
        impl<T, K: Key> FusedIterator for $name<'_, T, K> {}
    };
}

over_slots!(Iter, &'a T, shared);
over_slots!(IterMut, &'a mut T, exclusive);

impl<T, K: Key> Clone for Iter<'_, T, K> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), ..*self }
    }
}

impl<T, K: Key> Default for Iter<'_, T, K> {
    fn default() -> Self {
        let columns = Columns { values: NonNull::dangling(), generations: NonNull::dangling() };
        Self { walk: Walk::empty(), columns, borrows: PhantomData }
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Iter<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<T, K: Key> fmt::Debug for IterMut<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("remaining", &self.walk.len()).finish_non_exhaustive()
    }
}
