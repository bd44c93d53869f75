//! Iterators over rows: a walk over live slots, and what finds their rows.
//!
//! **Invariant** of each: the walk yields live slots of the rows, each once, and the rows live at
//! least as long as the iterator; those that give out `&mut` or values have the rows to themselves.

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::bulk::drop_values;
use super::walk::{At, RowWalk};
use super::{Contiguous, Finder, GenerationOf, InBlock, RowOf, Rows, Slots, Store};
use crate::key::Key;
use crate::raw::walk::Walk;

/// Keys and values, in slot order.
pub(crate) struct Iter<'a, T, K: Key, F = InBlock<T, K>> {
    walk: RowWalk<T, GenerationOf<K>, F>,
    borrows: PhantomData<&'a T>,
}

/// Keys and mutable values, in slot order.
pub(crate) struct IterMut<'a, T, K: Key, F = InBlock<T, K>> {
    walk: RowWalk<T, GenerationOf<K>, F>,
    borrows: PhantomData<&'a mut T>,
}

/// Keys and owned values, in slot order.
pub(crate) struct IntoIter<T, K: Key, S: Store<RowOf<T, K>> = Contiguous<T, K>> {
    walk: Walk,
    /// Its values are those that the walk has yet to yield.
    rows: ManuallyDrop<Rows<T, K, S>>,
}

/// Removes all and gives it out, in slot order.
pub(crate) struct Drain<'a, T, K: Key, S: Store<RowOf<T, K>> = Contiguous<T, K>> {
    walk: Walk,
    rows: &'a mut Rows<T, K, S>,
}

/// Removes what a closure chooses, in slot order.
pub(crate) struct ExtractIf<'a, T, K: Key, F, S: Store<RowOf<T, K>> = Contiguous<T, K>> {
    walk: Walk,
    rows: &'a mut Rows<T, K, S>,
    choose: F,
}

// SAFETY: an `Iter` is a shared borrow of values.
unsafe impl<T: Sync, K: Key, F: Finder<RowOf<T, K>>> Send for Iter<'_, T, K, F> {}
// SAFETY: as above.
unsafe impl<T: Sync, K: Key, F: Finder<RowOf<T, K>>> Sync for Iter<'_, T, K, F> {}
// SAFETY: an `IterMut` is an exclusive borrow of values.
unsafe impl<T: Send, K: Key, F: Finder<RowOf<T, K>>> Send for IterMut<'_, T, K, F> {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T: Sync, K: Key, F: Finder<RowOf<T, K>>> Sync for IterMut<'_, T, K, F> {}

/// The key of a slot that a walk yielded, and its value's address.
///
/// # Safety
/// The row is that of the slot, which is in use.
#[inline]
unsafe fn entry<T, K: Key>((slot, row): At<T, GenerationOf<K>>) -> (K, NonNull<T>) {
    // SAFETY: a slot in use has its generation initialised.
    let generation = unsafe { (*row.as_ptr()).generation };
    (K::compose(slot as u32, generation), row.cast())
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K, S::Finder> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        // SAFETY: the rows are borrowed with the book.
        let walk = unsafe { RowWalk::new(walk, self.rows.finder()) };
        Iter { walk, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K, S::Finder> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        // SAFETY: the rows are borrowed with the book.
        let walk = unsafe { RowWalk::new(walk, self.rows.finder()) };
        IterMut { walk, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn into_iter(self) -> IntoIter<T, K, S> {
        // SAFETY: the book moves into the iterator, its words stay where they are.
        let walk = unsafe { self.ledger.book.walk() };
        IntoIter { walk, rows: ManuallyDrop::new(self) }
    }

    pub(crate) fn drain(&mut self) -> Drain<'_, T, K, S> {
        // SAFETY: only slots that were yielded are freed, and nobody else reaches the book.
        let walk = unsafe { self.ledger.book.walk() };
        Drain { walk, rows: self }
    }

    pub(crate) fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, T, K, F, S> {
        // SAFETY: only slots that were yielded are freed, and nobody else reaches the book.
        let walk = unsafe { self.ledger.book.walk() };
        ExtractIf { walk, rows: self, choose }
    }
}

#[cfg(feature = "alloc")]
impl<T, K: Key> Iter<'_, T, K> {
    /// Over rows that are not [`Rows`].
    ///
    /// # Safety
    /// The walk yields slots of these rows that have their value and generation, and both are borrowed
    /// as long as the iterator is.
    #[inline]
    pub(crate) unsafe fn over(walk: Walk, rows: InBlock<T, K>) -> Self {
        // SAFETY: by the contract.
        Self { walk: unsafe { RowWalk::new(walk, rows) }, borrows: PhantomData }
    }
}

#[cfg(feature = "alloc")]
impl<T, K: Key> IterMut<'_, T, K> {
    /// Over rows that are not [`Rows`].
    ///
    /// # Safety
    /// As for [`Iter::over`], and the values are borrowed exclusively.
    #[inline]
    pub(crate) unsafe fn over(walk: Walk, rows: InBlock<T, K>) -> Self {
        // SAFETY: by the contract.
        Self { walk: unsafe { RowWalk::new(walk, rows) }, borrows: PhantomData }
    }
}

#[cfg(feature = "rayon")]
impl<T, K: Key, F: Finder<RowOf<T, K>>> Iter<'_, T, K, F> {
    /// Two parts with about as many values each.
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let Self { walk, borrows } = self;
        let (below, above) = walk.divide();
        (Self { walk: below, borrows }, above.map(|walk| Self { walk, borrows }))
    }
}

#[cfg(feature = "rayon")]
impl<T, K: Key, F: Finder<RowOf<T, K>>> IterMut<'_, T, K, F> {
    /// Two parts with about as many values each.
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let Self { walk, borrows } = self;
        let (below, above) = walk.divide();
        (Self { walk: below, borrows }, above.map(|walk| Self { walk, borrows }))
    }
}

impl<T, K: Key, F: Copy> Clone for Iter<'_, T, K, F> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), borrows: PhantomData }
    }
}

impl<T, K: Key, F: Finder<RowOf<T, K>>> Default for Iter<'_, T, K, F> {
    fn default() -> Self {
        // SAFETY: the walk yields no slots.
        let walk = unsafe { RowWalk::new(Walk::empty(), F::NOWHERE) };
        Self { walk, borrows: PhantomData }
    }
}

/// The traits of an iterator that maps what its walk over rows yields.
macro_rules! over_rows {
    (impl[$($generics:tt)*] $name:ty, $item:ty, $get:expr) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                self.walk.next().map($get)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.walk.len(), Some(self.walk.len()))
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.walk.nth(n).map($get)
            }

            #[inline]
            fn fold<B, F: FnMut(B, $item) -> B>(self, init: B, mut f: F) -> B {
                self.walk.fold(init, move |folded, at| f(folded, $get(at)))
            }
        }

        impl<$($generics)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.walk.next_back().map($get)
            }
        }

        impl<$($generics)*> ExactSizeIterator for $name {}
        impl<$($generics)*> FusedIterator for $name {}
    };
}

/// # Safety
/// The walk that yielded the slot belongs to a shared borrow of the rows for `'a`.
#[inline]
unsafe fn shared<'a, T, K: Key>(at: At<T, GenerationOf<K>>) -> (K, &'a T) {
    // SAFETY: a slot that a walk yielded is in use.
    let (key, value) = unsafe { entry::<T, K>(at) };
    // SAFETY: it is live.
    (key, unsafe { value.as_ref() })
}

/// # Safety
/// The walk that yielded the slot belongs to an exclusive borrow of the rows for `'a`, and yields
/// each slot once.
#[inline]
unsafe fn exclusive<'a, T, K: Key>(at: At<T, GenerationOf<K>>) -> (K, &'a mut T) {
    // SAFETY: a slot that a walk yielded is in use.
    let (key, mut value) = unsafe { entry::<T, K>(at) };
    // SAFETY: it is live, and no other reference to it was made.
    (key, unsafe { value.as_mut() })
}

over_rows!(impl['a, T, K: Key, R: Finder<RowOf<T, K>>] Iter<'a, T, K, R>, (K, &'a T), |at| {
    // SAFETY: by the invariant of `Iter`.
    unsafe { shared(at) }
});
over_rows!(impl['a, T, K: Key, R: Finder<RowOf<T, K>>] IterMut<'a, T, K, R>, (K, &'a mut T), |at| {
    // SAFETY: by the invariant of `IterMut`.
    unsafe { exclusive(at) }
});

impl<T, K: Key, S: Store<RowOf<T, K>>> IntoIter<T, K, S> {
    /// # Safety
    /// The walk just yielded the slot.
    #[inline]
    unsafe fn read(&mut self, slot: usize) -> (K, T) {
        // SAFETY: by the contract.
        let row = unsafe { self.rows.row(slot) };
        // SAFETY: the row is that of the slot, which is in use.
        let (key, value) = unsafe { entry::<T, K>((slot, row)) };
        // SAFETY: the slot is live, and is yielded once.
        (key, unsafe { value.read() })
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Iterator for IntoIter<T, K, S> {
    type Item = (K, T);

    #[inline]
    fn next(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next()?;
        // SAFETY: the walk just yielded it.
        Some(unsafe { self.read(slot) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, (K, T)) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        if core::mem::needs_drop::<T>() {
            // What is left when `f` panics is still the iterator's to drop.
            for pair in self.by_ref() {
                folded = f(folded, pair);
            }
            return folded;
        }
        let walk = core::mem::replace(&mut self.walk, Walk::empty());
        walk.fold(folded, |folded, slot| {
            // SAFETY: the walk just yielded it.
            f(folded, unsafe { self.read(slot) })
        })
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> DoubleEndedIterator for IntoIter<T, K, S> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next_back()?;
        // SAFETY: the walk just yielded it.
        Some(unsafe { self.read(slot) })
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> ExactSizeIterator for IntoIter<T, K, S> {}
impl<T, K: Key, S: Store<RowOf<T, K>>> FusedIterator for IntoIter<T, K, S> {}

impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for IntoIter<T, K, S> {
    fn drop(&mut self) {
        /// Frees the memory, even while a value's `Drop` unwinds.
        struct Free<'a, T, K: Key, S: Store<RowOf<T, K>>>(&'a mut IntoIter<T, K, S>);

        impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Free<'_, T, K, S> {
            fn drop(&mut self) {
                // SAFETY: the iterator is being dropped, so `rows` is not used again.
                let rows = unsafe { ManuallyDrop::take(&mut self.0.rows) };
                rows.free_without_values();
            }
        }

        let free = Free(self);
        let walk = core::mem::replace(&mut free.0.walk, Walk::empty());
        if core::mem::needs_drop::<T>() {
            // SAFETY: the walk yields what was not given out yet, each once.
            unsafe { drop_values(walk, free.0.rows.rows.finder()) };
        }
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
    /// Frees the memory; the values are somebody else's.
    fn free_without_values(self) {
        let mut this = ManuallyDrop::new(self);
        let this: &mut Self = &mut this;
        let rows = &raw mut this.rows;
        let book = &raw mut this.ledger;
        // SAFETY: `this` is never dropped nor used again, so its store is dropped once.
        unsafe { rows.drop_in_place() };
        // SAFETY: as above, for the book.
        unsafe { book.drop_in_place() };
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Iterator for Drain<'_, T, K, S> {
    type Item = (K, T);

    #[inline]
    fn next(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.rows.take_entry(slot) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> DoubleEndedIterator for Drain<'_, T, K, S> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next_back()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.rows.take_entry(slot) })
    }
}

impl<T, K: Key, S: Store<RowOf<T, K>>> ExactSizeIterator for Drain<'_, T, K, S> {}
impl<T, K: Key, S: Store<RowOf<T, K>>> FusedIterator for Drain<'_, T, K, S> {}

impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Drain<'_, T, K, S> {
    /// Removes what was not given out, all of it, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        /// Goes on with the rest while the panic of one value unwinds.
        struct Rest<'a, 'b, T, K: Key, S: Store<RowOf<T, K>>>(&'a mut Drain<'b, T, K, S>);

        impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Rest<'_, '_, T, K, S> {
            fn drop(&mut self) {
                self.0.for_each(drop);
            }
        }

        Rest(self).0.for_each(drop);
    }
}

impl<T, K: Key, F, S: Store<RowOf<T, K>>> ExtractIf<'_, T, K, F, S> {
    /// How many values are yet to be looked at.
    pub(crate) fn len(&self) -> usize {
        self.walk.len()
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool, S: Store<RowOf<T, K>>> Iterator
    for ExtractIf<'_, T, K, F, S>
{
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            let slot = self.walk.next()?;
            // SAFETY: a live slot is in use.
            let row = unsafe { self.rows.row(slot) };
            // SAFETY: the walk yields live slots, each once, and the rows are ours.
            let (key, value) = unsafe { exclusive((slot, row)) };
            if (self.choose)(key, value) {
                // SAFETY: the slot is still live.
                return Some(unsafe { self.rows.take_entry(slot) });
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.walk.len()))
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool, S: Store<RowOf<T, K>>> FusedIterator
    for ExtractIf<'_, T, K, F, S>
{
}

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
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
