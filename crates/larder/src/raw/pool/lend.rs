//! Lending the columns of a stock: whole, in runs of live slots, in groups.
//!
//! **Invariant** of each iterator: `values` are those of the stock whose `book` it has, borrowed for
//! `'a`, exclusively where it lends `&mut`. Runs do not overlap, nor do groups, so nothing is lent
//! twice.

use core::marker::PhantomData;

use super::Stock;
use crate::key::Key;
use crate::raw::columns::arrange::{Lanes, Split};
use crate::raw::columns::{Columns, InColumns, KeptIn};
use crate::raw::occupancy::{self, Occupancy, WORD};
use crate::raw::storage::Storage;
use crate::soa::{Live, Soa};

impl<T: Soa<Arrangement = Split>, K: Key> Stock<T, K, Columns<T>> {
    /// The columns of all slots that were ever in use, each in one piece.
    #[inline]
    pub(crate) fn columns(&self) -> T::Columns<'_> {
        // SAFETY: the values of slots in use were made; they are borrowed as `self` is.
        unsafe { self.layout.values.at().columns(0..self.ledger.book.slots()) }
    }

    /// As [`columns`](Self::columns), to change them.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> T::ColumnsMut<'_> {
        // SAFETY: as above; the borrow is exclusive.
        unsafe { self.layout.values.at().columns_mut(0..self.ledger.book.slots()) }
    }
}

/// The columns of runs of live slots.
pub(crate) struct Runs<'a, T: Soa> {
    runs: occupancy::Runs<'a>,
    values: InColumns<T>,
    borrows: PhantomData<&'a T>,
}

/// The columns of runs of live slots, to change them.
pub(crate) struct RunsMut<'a, T: Soa> {
    runs: occupancy::Runs<'a>,
    values: InColumns<T>,
    borrows: PhantomData<&'a mut T>,
}

/// Groups of `L` slots that have a live one, and which are.
pub(crate) struct Groups<'a, T: Soa, const L: usize> {
    book: &'a Occupancy,
    groups: occupancy::Groups<'a, L>,
    values: InColumns<T>,
    borrows: PhantomData<&'a T>,
}

/// As [`Groups`], to change them.
pub(crate) struct GroupsMut<'a, T: Soa, const L: usize> {
    book: &'a Occupancy,
    groups: occupancy::Groups<'a, L>,
    values: InColumns<T>,
    borrows: PhantomData<&'a mut T>,
}

// SAFETY: a shared borrow of values.
unsafe impl<T: Soa> Send for Runs<'_, T> where KeptIn<T>: Sync {}
// SAFETY: as above.
unsafe impl<T: Soa> Sync for Runs<'_, T> where KeptIn<T>: Sync {}
// SAFETY: an exclusive borrow of values.
unsafe impl<T: Soa> Send for RunsMut<'_, T> where KeptIn<T>: Send {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T: Soa> Sync for RunsMut<'_, T> where KeptIn<T>: Sync {}
// SAFETY: a shared borrow of values.
unsafe impl<T: Soa, const L: usize> Send for Groups<'_, T, L> where KeptIn<T>: Sync {}
// SAFETY: as above.
unsafe impl<T: Soa, const L: usize> Sync for Groups<'_, T, L> where KeptIn<T>: Sync {}
// SAFETY: an exclusive borrow of values.
unsafe impl<T: Soa, const L: usize> Send for GroupsMut<'_, T, L> where KeptIn<T>: Send {}
// SAFETY: as above; shared access to it gives shared access to values at most.
unsafe impl<T: Soa, const L: usize> Sync for GroupsMut<'_, T, L> where KeptIn<T>: Sync {}

impl<T: Soa, K: Key> Stock<T, K, Columns<T>> {
    #[inline]
    pub(crate) fn runs(&self) -> Runs<'_, T> {
        Runs { runs: self.book().runs(), values: self.layout.values.at(), borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn runs_mut(&mut self) -> RunsMut<'_, T> {
        RunsMut { runs: self.book().runs(), values: self.layout.values.at(), borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn groups<const L: usize>(&self) -> Groups<'_, T, L> {
        let book = self.book();
        Groups {
            book,
            groups: book.groups(),
            values: self.layout.values.at(),
            borrows: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn groups_mut<const L: usize>(&mut self) -> GroupsMut<'_, T, L> {
        let book = self.book();
        GroupsMut {
            book,
            groups: book.groups(),
            values: self.layout.values.at(),
            borrows: PhantomData,
        }
    }
}

impl<'a, T: Soa<Arrangement = Split>> Iterator for Runs<'a, T> {
    type Item = T::Columns<'a>;

    #[inline]
    fn next(&mut self) -> Option<T::Columns<'a>> {
        let run = self.runs.next()?;
        // SAFETY: the values of live slots are initialised, and borrowed for `'a`.
        Some(unsafe { self.values.columns(run) })
    }
}

impl<'a, T: Soa<Arrangement = Split>> Iterator for RunsMut<'a, T> {
    type Item = T::ColumnsMut<'a>;

    #[inline]
    fn next(&mut self) -> Option<T::ColumnsMut<'a>> {
        let run = self.runs.next()?;
        // SAFETY: the values of live slots are initialised, and borrowed exclusively for `'a`.
        Some(unsafe { self.values.columns_mut(run) })
    }
}

/// The columns of 64 slots each; of the last group, of those that are in use.
impl<'a, T: Soa<Arrangement = Split>> Iterator for Groups<'a, T, WORD> {
    type Item = (Live<'a>, T::Columns<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let first = self.groups.next()?;
        let end = self.book.slots().min(first + WORD);
        // SAFETY: the values of slots in use were made, and are borrowed for `'a`.
        let columns = unsafe { self.values.columns(first..end) };
        Some((Live::of(self.book, first, end - first), columns))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let Self { book, groups, values, .. } = self;
        groups.fold(init, |folded, first| {
            let end = book.slots().min(first + WORD);
            // SAFETY: as in `next`.
            let columns = unsafe { values.columns(first..end) };
            f(folded, (Live::of(book, first, end - first), columns))
        })
    }
}

impl<'a, T: Soa<Arrangement = Split>> Iterator for GroupsMut<'a, T, WORD> {
    type Item = (Live<'a>, T::ColumnsMut<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let first = self.groups.next()?;
        let end = self.book.slots().min(first + WORD);
        // SAFETY: the values of slots in use were made, and are borrowed exclusively for `'a`.
        let columns = unsafe { self.values.columns_mut(first..end) };
        Some((Live::of(self.book, first, end - first), columns))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let Self { book, groups, values, .. } = self;
        groups.fold(init, |folded, first| {
            let end = book.slots().min(first + WORD);
            // SAFETY: as in `next`.
            let columns = unsafe { values.columns_mut(first..end) };
            f(folded, (Live::of(book, first, end - first), columns))
        })
    }
}

impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize> Groups<'a, T, L> {
    /// The next group, as arrays of lanes.
    #[inline]
    pub(crate) fn next_lanes(&mut self) -> Option<(Live<'a>, T::Lanes<'a, L>)> {
        let first = self.groups.next()?;
        // SAFETY: a group in use was filled before its first value came; it is borrowed for `'a`.
        let lanes = unsafe { self.values.lanes(first) };
        Some((Live::of(self.book, first, L), lanes))
    }

    #[inline]
    pub(crate) fn fold_lanes<B, F>(self, init: B, mut f: F) -> B
    where
        F: FnMut(B, (Live<'a>, T::Lanes<'a, L>)) -> B,
    {
        let Self { book, groups, values, .. } = self;
        groups.fold(init, |folded, first| {
            // SAFETY: as in `next_lanes`.
            let lanes = unsafe { values.lanes(first) };
            f(folded, (Live::of(book, first, L), lanes))
        })
    }
}

impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize> GroupsMut<'a, T, L> {
    /// The next group, as arrays of lanes, to change them.
    #[inline]
    pub(crate) fn next_lanes(&mut self) -> Option<(Live<'a>, T::LanesMut<'a, L>)> {
        let first = self.groups.next()?;
        // SAFETY: a group in use was filled before its first value came; it is borrowed exclusively
        // for `'a`.
        let lanes = unsafe { self.values.lanes_mut(first) };
        Some((Live::of(self.book, first, L), lanes))
    }

    #[inline]
    pub(crate) fn fold_lanes<B, F>(self, init: B, mut f: F) -> B
    where
        F: FnMut(B, (Live<'a>, T::LanesMut<'a, L>)) -> B,
    {
        let Self { book, groups, values, .. } = self;
        groups.fold(init, |folded, first| {
            // SAFETY: as in `next_lanes`.
            let lanes = unsafe { values.lanes_mut(first) };
            f(folded, (Live::of(book, first, L), lanes))
        })
    }
}
