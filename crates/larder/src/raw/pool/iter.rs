//! Iterators over live values: a walk over live slots, and where values and generations lie.
//!
//! **Invariant** of each: the walk yields live slots of the stock, each once, and the stock lives at
//! least as long as the iterator; one that gives out `&mut` has the stock to itself.

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{At, GenerationOf, Stock, Storage};
use crate::key::Key;
use crate::raw::walk::Walk;

/// Where the values and the generations of a stock lie.
struct Parts<A, G> {
    values: A,
    generations: NonNull<G>,
}

impl<A: Copy, G> Clone for Parts<A, G> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Copy, G> Copy for Parts<A, G> {}

/// The key of a slot. (Where it is not asked for, nothing is read.)
///
/// # Safety
/// The slot is in use, and the parts are there.
#[inline]
unsafe fn key_of<K: Key, A>(parts: &Parts<A, GenerationOf<K>>, slot: usize) -> K {
    // SAFETY: by the contract.
    let generation = unsafe { parts.generations.add(slot) };
    // SAFETY: a slot in use has its generation initialised.
    K::compose(slot as u32, unsafe { generation.read() })
}

/// Keys and values, in slot order.
pub(crate) struct Iter<'a, T, K: Key, A: At<T> = NonNull<T>> {
    walk: Walk,
    parts: Parts<A, GenerationOf<K>>,
    borrows: PhantomData<&'a T>,
}

/// Keys and mutable values, in slot order.
pub(crate) struct IterMut<'a, T, K: Key, A: At<T> = NonNull<T>> {
    walk: Walk,
    parts: Parts<A, GenerationOf<K>>,
    borrows: PhantomData<&'a mut T>,
}

// SAFETY: an `Iter` is a shared borrow of values.
unsafe impl<T, K: Key, A: At<T, Kept: Sync>> Send for Iter<'_, T, K, A> {}
// SAFETY: as above.
unsafe impl<T, K: Key, A: At<T, Kept: Sync>> Sync for Iter<'_, T, K, A> {}
// SAFETY: an `IterMut` is an exclusive borrow of values.
unsafe impl<T, K: Key, A: At<T, Kept: Send>> Send for IterMut<'_, T, K, A> {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T, K: Key, A: At<T, Kept: Sync>> Sync for IterMut<'_, T, K, A> {}

impl<T, K: Key, S: Storage<T>> Stock<T, K, S> {
    fn parts(&self) -> Parts<S::At, GenerationOf<K>> {
        Parts { values: self.values.at(), generations: self.generations.start() }
    }

    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K, S::At> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        Iter { walk, parts: self.parts(), borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K, S::At> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        IterMut { walk, parts: self.parts(), borrows: PhantomData }
    }
}

/// # Safety
/// A walk yielded the slot, and belongs to a shared borrow of the stock for `'a`.
#[inline]
unsafe fn shared<'a, T: 'a, K: Key, A: At<T>>(
    parts: &Parts<A, GenerationOf<K>>,
    slot: usize,
) -> (K, A::Ref<'a>) {
    // SAFETY: a slot that a walk yielded is in use.
    let key = unsafe { key_of(parts, slot) };
    // SAFETY: its value is initialised.
    (key, unsafe { parts.values.get(slot) })
}

/// # Safety
/// A walk yielded the slot, and belongs to an exclusive borrow of the stock for `'a`, and yields each
/// slot once.
#[inline]
unsafe fn exclusive<'a, T: 'a, K: Key, A: At<T>>(
    parts: &Parts<A, GenerationOf<K>>,
    slot: usize,
) -> (K, A::RefMut<'a>) {
    // SAFETY: a slot that a walk yielded is in use.
    let key = unsafe { key_of(parts, slot) };
    // SAFETY: its value is initialised, and no other reference to it was made.
    (key, unsafe { parts.values.get_mut(slot) })
}

/// The traits of an iterator that maps the slots of its walk.
macro_rules! over_slots {
    ($name:ident, $value:ty, $get:ident) => {
        impl<'a, T, K: Key, A: At<T>> Iterator for $name<'a, T, K, A> {
            type Item = (K, $value);

            #[inline(always)]
            fn next(&mut self) -> Option<Self::Item> {
                let slot = self.walk.next()?;
                // SAFETY: the walk just yielded it, under the borrow of this iterator.
                Some(unsafe { $get(&self.parts, slot) })
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
                Some(unsafe { $get(&self.parts, slot) })
            }

            #[inline]
            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
                let parts = self.parts;
                self.walk.fold(init, |folded, slot| {
                    // SAFETY: the walk just yielded it, under the borrow of this iterator.
                    f(folded, unsafe { $get(&parts, slot) })
                })
            }
        }

        impl<T, K: Key, A: At<T>> DoubleEndedIterator for $name<'_, T, K, A> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                let slot = self.walk.next_back()?;
                // SAFETY: the walk just yielded it, under the borrow of this iterator.
                Some(unsafe { $get(&self.parts, slot) })
            }
        }

        impl<T, K: Key, A: At<T>> ExactSizeIterator for $name<'_, T, K, A> {}
        impl<T, K: Key, A: At<T>> FusedIterator for $name<'_, T, K, A> {}
    };
}

over_slots!(Iter, A::Ref<'a>, shared);
over_slots!(IterMut, A::RefMut<'a>, exclusive);

impl<T, K: Key, A: At<T>> Clone for Iter<'_, T, K, A> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), ..*self }
    }
}

impl<T, K: Key, A: At<T>> Default for Iter<'_, T, K, A> {
    fn default() -> Self {
        let parts = Parts { values: A::NOWHERE, generations: NonNull::dangling() };
        Self { walk: Walk::empty(), parts, borrows: PhantomData }
    }
}
