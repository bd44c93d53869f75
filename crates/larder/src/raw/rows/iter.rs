//! Iterators over rows: a walk over live slots, and the address of the first row.
//!
//! **Invariant** of each: the walk yields live slots of the rows, each once, and the rows live at
//! least as long as the iterator; those that give out `&mut` or values have the rows to themselves.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::{GenerationOf, Row, Rows, Slots};
use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::walk::Walk;

/// A slot and its row.
type At<T, G> = (usize, NonNull<Row<T, G>>);

/// A walk that yields rows, and steps through runs from row to row: a counted slot would have to be
/// multiplied at every step.
///
/// **Invariant.** `next` is the row of the walk's `run_start()` while its run is not empty: every
/// method that can begin a run sets it.
struct RowWalk<T, G> {
    walk: Walk,
    rows: NonNull<Row<T, G>>,
    next: NonNull<Row<T, G>>,
}

impl<T, G> RowWalk<T, G> {
    /// # Safety
    /// The slots that the walk yields lie within the rows, as long as it is used.
    #[inline]
    unsafe fn new(walk: Walk, rows: NonNull<Row<T, G>>) -> Self {
        let mut this = Self { walk, rows, next: rows };
        this.find_run();
        this
    }

    #[inline]
    fn find_run(&mut self) {
        // SAFETY: `run_start()` is the number of a row, or one past the last.
        self.next = unsafe { self.rows.add(self.walk.run_start()) };
    }

    #[inline]
    fn next(&mut self) -> Option<At<T, G>> {
        let (slot, row) = match self.walk.next_in_run() {
            Some(slot) => (slot, self.next),
            None => {
                let slot = self.walk.next_past_run()?;
                // SAFETY: the slot lies within the rows.
                (slot, unsafe { self.rows.add(slot) })
            }
        };
        // SAFETY: as above.
        self.next = unsafe { row.add(1) };
        Some((slot, row))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<At<T, G>> {
        let slot = self.walk.nth(n)?;
        self.find_run();
        // SAFETY: the slot lies within the rows.
        Some((slot, unsafe { self.rows.add(slot) }))
    }

    #[inline]
    fn next_back(&mut self) -> Option<At<T, G>> {
        let slot = self.walk.next_back()?;
        // SAFETY: the slot lies within the rows.
        Some((slot, unsafe { self.rows.add(slot) }))
    }

    #[inline]
    fn fold<B>(self, init: B, mut f: impl FnMut(B, At<T, G>) -> B) -> B {
        let rows = self.rows;
        self.walk.fold(init, |folded, slot| {
            // SAFETY: the slot lies within the rows.
            f(folded, (slot, unsafe { rows.add(slot) }))
        })
    }

    /// Two parts with about as many values each. No slot is in both.
    #[cfg(feature = "rayon")]
    fn divide(self) -> (Self, Option<Self>) {
        let (below, above) = self.walk.divide();
        let part = |walk| {
            // SAFETY: it yields a part of what the whole walk would have.
            unsafe { Self::new(walk, self.rows) }
        };
        (part(below), above.map(part))
    }
}

impl<T, G> Clone for RowWalk<T, G> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), rows: self.rows, next: self.next }
    }
}

/// Keys and values, in slot order. Made by [`Arena::iter`](crate::Arena::iter).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Iter<'a, T, K: Key> {
    walk: RowWalk<T, GenerationOf<K>>,
    borrows: PhantomData<&'a T>,
}

/// Keys and mutable values, in slot order. Made by [`Arena::iter_mut`](crate::Arena::iter_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IterMut<'a, T, K: Key> {
    walk: RowWalk<T, GenerationOf<K>>,
    borrows: PhantomData<&'a mut T>,
}

/// Keys and owned values, in slot order. Made by `Arena::into_iter`.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IntoIter<T, K: Key> {
    walk: Walk,
    /// Its values are those that the walk has yet to yield.
    rows: ManuallyDrop<Rows<T, K>>,
}

/// Removes all and gives it out, in slot order. Made by [`Arena::drain`](crate::Arena::drain).
#[must_use = "dropping this removes the values; `clear` says so"]
pub struct Drain<'a, T, K: Key> {
    walk: Walk,
    rows: &'a mut Rows<T, K>,
}

/// Removes what a closure chooses, in slot order. Made by
/// [`Arena::extract_if`](crate::Arena::extract_if).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ExtractIf<'a, T, K: Key, F> {
    walk: Walk,
    rows: &'a mut Rows<T, K>,
    choose: F,
}

// SAFETY: an `Iter` is a shared borrow of values.
unsafe impl<T: Sync, K: Key> Send for Iter<'_, T, K> {}
// SAFETY: as above.
unsafe impl<T: Sync, K: Key> Sync for Iter<'_, T, K> {}
// SAFETY: an `IterMut` is an exclusive borrow of values.
unsafe impl<T: Send, K: Key> Send for IterMut<'_, T, K> {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T: Sync, K: Key> Sync for IterMut<'_, T, K> {}

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

impl<T, K: Key> Rows<T, K> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, T, K> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        // SAFETY: the rows are borrowed with the book.
        let walk = unsafe { RowWalk::new(walk, self.rows.start()) };
        Iter { walk, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, T, K> {
        // SAFETY: the book is borrowed for as long as the walk is used.
        let walk = unsafe { self.ledger.book.walk() };
        // SAFETY: the rows are borrowed with the book.
        let walk = unsafe { RowWalk::new(walk, self.rows.start()) };
        IterMut { walk, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn into_iter(self) -> IntoIter<T, K> {
        // SAFETY: the book moves into the iterator, its words stay where they are.
        let walk = unsafe { self.ledger.book.walk() };
        IntoIter { walk, rows: ManuallyDrop::new(self) }
    }

    pub(crate) fn drain(&mut self) -> Drain<'_, T, K> {
        // SAFETY: only slots that were yielded are freed, and nobody else reaches the book.
        let walk = unsafe { self.ledger.book.walk() };
        Drain { walk, rows: self }
    }

    pub(crate) fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, T, K, F> {
        // SAFETY: only slots that were yielded are freed, and nobody else reaches the book.
        let walk = unsafe { self.ledger.book.walk() };
        ExtractIf { walk, rows: self, choose }
    }
}

#[cfg(feature = "rayon")]
impl<T, K: Key> Iter<'_, T, K> {
    /// Two parts with about as many values each.
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let Self { walk, borrows } = self;
        let (below, above) = walk.divide();
        (Self { walk: below, borrows }, above.map(|walk| Self { walk, borrows }))
    }
}

#[cfg(feature = "rayon")]
impl<T, K: Key> IterMut<'_, T, K> {
    /// Two parts with about as many values each.
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let Self { walk, borrows } = self;
        let (below, above) = walk.divide();
        (Self { walk: below, borrows }, above.map(|walk| Self { walk, borrows }))
    }
}

impl<T, K: Key> Clone for Iter<'_, T, K> {
    #[inline]
    fn clone(&self) -> Self {
        Self { walk: self.walk.clone(), borrows: PhantomData }
    }
}

impl<T, K: Key> Default for Iter<'_, T, K> {
    fn default() -> Self {
        let rows = NonNull::dangling();
        Self { walk: RowWalk { walk: Walk::empty(), rows, next: rows }, borrows: PhantomData }
    }
}

/// The traits of an iterator that maps what its walk over rows yields.
macro_rules! over_rows {
    (impl[$($generics:tt)*] $name:ty, $item:ty, $get:expr) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.walk.next().map($get)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.walk.size_hint()
            }

            #[inline]
            fn count(self) -> usize {
                self.len()
            }

            #[inline]
            fn last(mut self) -> Option<$item> {
                self.next_back()
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

over_rows!(impl['a, T, K: Key] Iter<'a, T, K>, (K, &'a T), |at| {
    // SAFETY: by the invariant of `Iter`.
    unsafe { shared(at) }
});
over_rows!(impl['a, T, K: Key] IterMut<'a, T, K>, (K, &'a mut T), |at| {
    // SAFETY: by the invariant of `IterMut`.
    unsafe { exclusive(at) }
});

impl<T, K: Key> IntoIter<T, K> {
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

impl<T, K: Key> Iterator for IntoIter<T, K> {
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

    #[inline]
    fn count(self) -> usize {
        self.walk.len()
    }
}

impl<T, K: Key> DoubleEndedIterator for IntoIter<T, K> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next_back()?;
        // SAFETY: the walk just yielded it.
        Some(unsafe { self.read(slot) })
    }
}

impl<T, K: Key> ExactSizeIterator for IntoIter<T, K> {}
impl<T, K: Key> FusedIterator for IntoIter<T, K> {}

impl<T, K: Key> Drop for IntoIter<T, K> {
    fn drop(&mut self) {
        /// Frees the memory, even while a value's `Drop` unwinds.
        struct Free<'a, T, K: Key>(&'a mut IntoIter<T, K>);

        impl<T, K: Key> Drop for Free<'_, T, K> {
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
            unsafe { drop_values(walk, free.0.rows.rows.start()) };
        }
    }
}

impl<T, K: Key> Rows<T, K> {
    /// Frees the memory; the values are somebody else's.
    fn free_without_values(self) {
        let mut this = ManuallyDrop::new(self);
        let this: &mut Self = &mut this;
        let rows: *mut Buffer<_> = &raw mut this.rows;
        let book = &raw mut this.ledger;
        // SAFETY: `this` is never dropped nor used again, so its buffer is dropped once.
        unsafe { rows.drop_in_place() };
        // SAFETY: as above, for the book.
        unsafe { book.drop_in_place() };
    }
}

impl<T, K: Key> Iterator for Drain<'_, T, K> {
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

impl<T, K: Key> DoubleEndedIterator for Drain<'_, T, K> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next_back()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.rows.take_entry(slot) })
    }
}

impl<T, K: Key> ExactSizeIterator for Drain<'_, T, K> {}
impl<T, K: Key> FusedIterator for Drain<'_, T, K> {}

impl<T, K: Key> Drop for Drain<'_, T, K> {
    /// Removes what was not given out, all of it, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        /// Goes on with the rest while the panic of one value unwinds.
        struct Rest<'a, 'b, T, K: Key>(&'a mut Drain<'b, T, K>);

        impl<T, K: Key> Drop for Rest<'_, '_, T, K> {
            fn drop(&mut self) {
                self.0.for_each(drop);
            }
        }

        Rest(self).0.for_each(drop);
    }
}

impl<T, K: Key, F: FnMut(K, &mut T) -> bool> Iterator for ExtractIf<'_, T, K, F> {
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

impl<T, K: Key, F: FnMut(K, &mut T) -> bool> FusedIterator for ExtractIf<'_, T, K, F> {}

impl<T, K: Key> Rows<T, K> {
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

/// Drops the values that a walk yields, all of them, even if one of them panics.
///
/// # Safety
/// The walk yields live slots of `rows`, each once, and nobody uses their values afterwards.
pub(super) unsafe fn drop_values<T, G>(walk: Walk, rows: NonNull<Row<T, G>>) {
    /// Goes on with the rest while the panic of one value unwinds.
    struct Rest<T, G>(Walk, NonNull<Row<T, G>>);

    impl<T, G> Drop for Rest<T, G> {
        fn drop(&mut self) {
            let walk = core::mem::replace(&mut self.0, Walk::empty());
            if walk.len() > 0 {
                // SAFETY: the contract of the outer call covers what it has not yielded yet.
                unsafe { drop_values(walk, self.1) };
            }
        }
    }

    let mut rest = Rest(walk, rows);
    for slot in rest.0.by_ref() {
        // SAFETY: the walk yields slots in use.
        let row = unsafe { rows.add(slot) };
        // SAFETY: the slot is live, and its value is not used again.
        unsafe { row.cast::<T>().drop_in_place() };
    }
}

/// `Debug` shows what is left.
macro_rules! debug_len {
    ($([$($generics:tt)*] $name:ty, $text:literal;)*) => {$(
        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (remaining, _) = self.walk.size_hint();
                f.debug_struct($text).field("remaining", &remaining).finish_non_exhaustive()
            }
        }
    )*};
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Iter<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

debug_len! {
    [T, K: Key] IterMut<'_, T, K>, "IterMut";
    [T, K: Key] IntoIter<T, K>, "IntoIter";
    [T, K: Key] Drain<'_, T, K>, "Drain";
    [T, K: Key, F] ExtractIf<'_, T, K, F>, "ExtractIf";
}
