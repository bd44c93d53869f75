//! Iterators over packed values.
//!
//! **Invariant.** `positions` are those of keys and values that were not given out yet. Where an
//! iterator owns them, the container no longer counts them as its own; where it borrows them, the
//! container is borrowed alike.
//!
//! And packed values as a join sees them, by slots, through the table. **Invariant:** the container is borrowed as
//! long as it is used, exclusively where it lends `&mut`; the cell of a live slot is the position of its key and value.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Range;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use super::{At, CellOf, Packed, Storage};
use crate::key::Key;
use crate::key::generation::Generation;
use crate::key::sealed::Compose;
use crate::memory::bits::LiveWords;
use crate::memory::buffer::{Buffer, Narrow};
use crate::memory::storage::{Borrowed, Numbered};
use crate::raw::book::Book;
use crate::raw::join::{JoinView, Viewed};
use crate::raw::parts::remaining;
use crate::raw::slots::GenerationOf;
use crate::raw::store::Choose;

/// Keys and owned values, in position order: what is left belongs to nothing else. `O` owns their blocks, or borrows
/// their owner.
#[must_use = "dropping this drops the values"]
pub struct Taking<T, K, A: At<T>, O> {
    values: A,
    keys: NonNull<K>,
    positions: Range<usize>,
    owns: PhantomData<(T, K)>,
    /// (Dropped after the values that are left.)
    _blocks: O,
}

/// Keys and owned values, in position order; and their blocks.
pub type IntoIter<T, K, S = Buffer<T>, A = NonNull<T>> = Taking<T, K, A, (S, Narrow<K>)>;

/// All that was there, in position order.
pub type Drain<'a, T, K, A = NonNull<T>> = Taking<T, K, A, PhantomData<&'a mut (T, K)>>;

// SAFETY: the values that are left are owned; the keys are plain data.
unsafe impl<T, K: Key, A: At<T, Kept: Send>, O: Send> Send for Taking<T, K, A, O> {}
// SAFETY: a shared one gives out nothing.
unsafe impl<T, K: Key, A: At<T, Kept: Sync>, O: Sync> Sync for Taking<T, K, A, O> {}

/// It owns its values, as a vector does.
impl<T: UnwindSafe, K: UnwindSafe, A: At<T>, O: UnwindSafe> UnwindSafe for Taking<T, K, A, O> {}

impl<T, K: Key, A: At<T>, O> Taking<T, K, A, O> {
    /// Makes the item of a position that was just taken from `positions`.
    #[inline(always)]
    fn item(&self, position: usize) -> (K, T) {
        // SAFETY: key and value (1) are initialised; (2) the value is read once.
        unsafe { (self.keys.add(position).read(), self.values.read(position)) }
    }
}

impl<T, K: Key, A: At<T>, O> Iterator for Taking<T, K, A, O> {
    type Item = (K, T);

    #[inline]
    fn next(&mut self) -> Option<(K, T)> {
        self.positions.next().map(|position| self.item(position))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl<T, K: Key, A: At<T>, O> DoubleEndedIterator for Taking<T, K, A, O> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        self.positions.next_back().map(|position| self.item(position))
    }
}

impl<T, K: Key, A: At<T>, O> ExactSizeIterator for Taking<T, K, A, O> {}
impl<T, K: Key, A: At<T>, O> FusedIterator for Taking<T, K, A, O> {}

impl<T, K, A: At<T>, O> Drop for Taking<T, K, A, O> {
    fn drop(&mut self) {
        // SAFETY: the values are (1) initialised, and (2) nothing else's.
        unsafe { self.values.drop_range(self.positions.clone()) };
    }
}

impl<T, K: Key, S, A: At<T>> fmt::Debug for IntoIter<T, K, S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "IntoIter", self.positions.len())
    }
}

impl<T, K: Key, A: At<T>> fmt::Debug for Drain<'_, T, K, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        remaining(f, "Drain", self.positions.len())
    }
}

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    pub(crate) fn into_iter(self) -> IntoIter<T, K, S, S::At> {
        let (values, keys, positions) = (self.values.at(), self.keys.start(), 0..self.len());
        let mut this = ManuallyDrop::new(self);
        let blocks = (
            core::mem::replace(&mut this.values, S::EMPTY),
            core::mem::replace(&mut this.keys, Narrow::new()),
        );
        // Nothing is left to drop but the table and the book.
        this.len = 0;
        drop(ManuallyDrop::into_inner(this));
        Taking { values, keys, positions, owns: PhantomData, _blocks: blocks }
    }

    /// The container is empty at once; the values are the iterator's.
    pub(crate) fn drain(&mut self) -> Drain<'_, T, K, S::At> {
        let (values, keys, positions) = (self.values.at(), self.keys.start(), 0..self.len());
        self.disown_each();
        Taking { values, keys, positions, owns: PhantomData, _blocks: PhantomData }
    }
}

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K, S::At> {
        let (keys, values) = (self.keys(), self.values.at());
        ColumnLending { positions: 0..self.len(), keys, values, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K, S::At> {
        let (keys, values) = (self.keys(), self.values.at());
        ColumnLending { positions: 0..self.len(), keys, values, borrows: PhantomData }
    }
}

/// Keys and values, in position order; the values are borrowed as `B` says.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ColumnLending<'a, B, K: Key, A> {
    positions: Range<usize>,
    keys: &'a [K],
    values: A,
    borrows: PhantomData<B>,
}

/// Keys and values, in position order.
pub type Iter<'a, T, K, A> = ColumnLending<'a, &'a T, K, A>;

/// Keys and mutable values, in position order.
pub type IterMut<'a, T, K, A> = ColumnLending<'a, &'a mut T, K, A>;

// SAFETY: it is a shared borrow of values.
unsafe impl<T, K: Key, A: At<T, Kept: Sync>> Send for ColumnLending<'_, &T, K, A> {}
// SAFETY: it is an exclusive borrow of values.
unsafe impl<T, K: Key, A: At<T, Kept: Send>> Send for ColumnLending<'_, &mut T, K, A> {}
// SAFETY: shared access to it gives shared access to values at most.
unsafe impl<B: Borrowed, K: Key, A: At<B::Value, Kept: Sync>> Sync for ColumnLending<'_, B, K, A> {}

impl<B: Borrowed, K: Key, A: At<B::Value>> ColumnLending<'_, B, K, A> {
    /// Makes the item of a position that was just taken from `positions`.
    #[inline(always)]
    fn item(&self, position: usize) -> (K, B::Of<A>) {
        // SAFETY: the value is (1) initialised, (2) borrowed as `B` says, and given out once.
        (self.keys[position], unsafe { B::lend(self.values, position) })
    }

    /// Two parts with about as many positions each.
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        let Range { start, end } = self.positions;
        let middle = usize::midpoint(start, end);
        if middle == start {
            return (self, None);
        }
        let (keys, values, borrows) = (self.keys, self.values, self.borrows);
        self.positions = start..middle;
        (self, Some(Self { positions: middle..end, keys, values, borrows }))
    }
}

impl<B: Borrowed, K: Key, A: At<B::Value>> Iterator for ColumnLending<'_, B, K, A> {
    type Item = (K, B::Of<A>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.positions.next().map(|position| self.item(position))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.positions.nth(n).map(|position| self.item(position))
    }
}

impl<B: Borrowed, K: Key, A: At<B::Value>> DoubleEndedIterator for ColumnLending<'_, B, K, A> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.positions.next_back().map(|position| self.item(position))
    }
}

impl<B: Borrowed, K: Key, A: At<B::Value>> ExactSizeIterator for ColumnLending<'_, B, K, A> {}
impl<B: Borrowed, K: Key, A: At<B::Value>> FusedIterator for ColumnLending<'_, B, K, A> {}

impl<T, K: Key, A: At<T>> Clone for Iter<'_, T, K, A> {
    #[inline]
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), ..*self }
    }
}

impl<T, K: Key, A: At<T>> Default for Iter<'_, T, K, A> {
    fn default() -> Self {
        Self { positions: 0..0, keys: &[], values: A::NOWHERE, borrows: PhantomData }
    }
}

/// Removes the values that a closure chooses; the last value fills each gap, and is visited next.
pub struct ExtractIf<'a, T, K: Key, F, S: Storage<T> = Buffer<T>> {
    packed: &'a mut Packed<T, K, S>,
    next: usize,
    choose: F,
}

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    pub(crate) fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, T, K, F, S> {
        ExtractIf { packed: self, next: 0, choose }
    }
}

impl<T, K: Key, S: Storage<T>, F> ExtractIf<'_, T, K, F, S> {
    /// The number of values that were not visited yet.
    pub(crate) fn len(&self) -> usize {
        self.packed.len() - self.next
    }
}

impl<T, K: Key, S: Storage<T>, F: Choose<T, K, S::At>> Iterator for ExtractIf<'_, T, K, F, S> {
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            let key = *self.packed.keys().get(self.next)?;
            let spot = self.packed.spot(self.next)?;
            if self.choose.choose(key, spot) {
                return self.packed.remove_at(self.next);
            }
            self.next += 1;
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.len()))
    }
}

/// The live slots, and the places of their values.
#[expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]
pub struct PackedView<'a, T, K: Key, A = NonNull<T>> {
    words: LiveWords<'a>,
    table: NonNull<CellOf<K>>,
    keys: NonNull<K>,
    values: A,
    of: PhantomData<NonNull<T>>,
}

impl<T, K: Key, A: Copy> Clone for PackedView<'_, T, K, A> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

// SAFETY: the cell of a live slot is the position of its key and value, and of no other slot's.
unsafe impl<T, K: Key, A: At<T>> JoinView for PackedView<'_, T, K, A> {
    type Key = K;
    type Place = Numbered<T, A>;

    #[inline]
    fn words(&self) -> LiveWords<'_> {
        self.words
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, Numbered<T, A>) {
        // SAFETY: a live slot has its cell, and at the position there its key.
        let (position, key) = unsafe {
            let position = GenerationOf::<K>::position(self.table.add(slot).read());
            (position, self.keys.add(position).read())
        };
        (Compose::generation(key), Numbered::new(self.values, position))
    }
}

// SAFETY: words, table, keys and values are this container's.
unsafe impl<T, K: Key, S: Storage<T>> Viewed for Packed<T, K, S> {
    type View<'a>
        = PackedView<'a, T, K, S::At>
    where
        Self: 'a;

    fn view(&self) -> Self::View<'_> {
        let (table, keys, values) = (self.table.start(), self.keys.start(), self.values.at());
        let words = self.ledger.book.live_words();
        PackedView { words, table, keys, values, of: PhantomData }
    }

    fn view_mut(&mut self) -> Self::View<'_> {
        self.view()
    }
}
