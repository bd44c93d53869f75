//! Values in columns: what holes hold, and lending the columns of a stock, whole, in runs of live slots, in groups.
//!
//! **Invariant** of each iterator: `values` are those of the stock whose `book` it has, borrowed as `B`
//! says. Runs do not overlap, nor do groups, so nothing is lent
//! twice.

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use super::{Apart, SplitStore};
#[cfg(feature = "serde")]
use crate::error::TryReserveError;
use crate::key::Key;
use crate::memory::bits::WORD;
use crate::memory::storage::{CloneAt, Spot, Storage};
use crate::raw::book::Book;
use crate::raw::occupancy::{self, Occupancy};
#[cfg(feature = "serde")]
use crate::raw::slots::ErasedSlots;
use crate::raw::slots::GenerationOf;
use crate::raw::store::{Address, Choose, Refill};
use crate::soa::raw::arrange::{Lanes, Split};
use crate::soa::raw::shape::CloneShape;
use crate::soa::raw::{BorrowedColumns, Columns, InColumns, KeptIn};
use crate::soa::{Fill, Live, Soa, view};

type SplitColumns<T, K> = Apart<T, K, Columns<T>>;

impl<T: Soa + Fill, K: Key> Refill<T, K> for SplitColumns<T, K> {
    const DISCARDS: bool = true;

    #[inline(always)]
    fn spare(&mut self) -> T {
        T::FILL
    }

    #[inline(always)]
    unsafe fn discard(&mut self, address: Address<T, K, InColumns<T>>) {
        // SAFETY: (1) the value is initialised, and (2) borrowed exclusively as `self` is.
        drop(unsafe { Spot::new(address.value) }.replace(T::FILL));
    }
}

impl<T: Soa, K: Key, F: FnMut(K, view::RefMut<'_, T>) -> bool> Choose<T, K, InColumns<T>> for F {
    #[inline]
    fn choose(&mut self, key: K, value: Spot<'_, T, InColumns<T>>) -> bool {
        self(key, value.into_mut())
    }
}

impl<T: Soa<Shape: CloneShape> + Fill, K: Key> SplitStore<T, K, Columns<T>> {
    /// A clone of a key's value.
    pub(crate) fn get_cloned(&self, key: K) -> Option<T> {
        let slot = self.find(key)?;
        // SAFETY: (1) the value is live, and (2) borrowed as `self` is.
        Some(unsafe { self.layout.values.at().clone_value(slot) })
    }
}

impl<T: Soa + Fill, K: Key> SplitStore<T, K, Columns<T>> {
    /// Makes room for a slot more, and a value that fills it.
    #[cfg(feature = "serde")]
    pub(crate) fn provide(&mut self) -> Result<(), TryReserveError> {
        let slots = self.ledger.book.slots() + 1;
        if slots > self.slot_capacity() {
            self.erased_mut().grow(slots)?;
        }
        self.layout.make_up_to(slots, || T::FILL);
        Ok(())
    }
}

/// Slots by the addresses of their generations, since values in columns have none.
impl<T: Soa + Fill, K: Key> SplitStore<T, K, Columns<T>> {
    /// The address of the generation of a key's slot.
    #[inline]
    pub(crate) fn generation_address(&self, key: K) -> Option<usize> {
        let first = self.layout.generations.start().addr().get();
        self.find(key).map(|slot| first + slot * size_of::<GenerationOf<K>>())
    }
}

impl<T: Soa + Fill, K: Key> SplitStore<T, K, Columns<T>> {
    /// The columns of all slots that were ever in use, each in one piece.
    #[inline]
    pub(crate) fn columns(&self) -> view::Columns<'_, T>
    where
        T: Soa<Arrangement = Split>,
    {
        // SAFETY: (1) the values of slots in use were made, and lie side by side; (2) they
        // are borrowed as the stock is.
        unsafe { self.layout.values.at().columns(0..self.ledger.book.slots()) }
    }

    /// Lends the [`columns`](Self::columns) to be changed.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> view::ColumnsMut<'_, T>
    where
        T: Soa<Arrangement = Split>,
    {
        // SAFETY: (1) the values of slots in use were made, and lie side by side; (2) they
        // are borrowed as the stock is.
        unsafe { self.layout.values.at().columns_mut(0..self.ledger.book.slots()) }
    }

    #[inline]
    pub(crate) fn runs(&self) -> LendingRuns<'_, T, &T> {
        LendingRuns {
            runs: self.book().runs(),
            values: self.layout.values.at(),
            borrows: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn runs_mut(&mut self) -> LendingRuns<'_, T, &mut T> {
        LendingRuns {
            runs: self.book().runs(),
            values: self.layout.values.at(),
            borrows: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn groups<const L: usize>(&self) -> LendingGroups<'_, T, L, &T> {
        let (book, values) = (self.book(), self.layout.values.at());
        LendingGroups { book, groups: book.groups(), values, borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn groups_mut<const L: usize>(&mut self) -> LendingGroups<'_, T, L, &mut T> {
        let (book, values) = (self.book(), self.layout.values.at());
        LendingGroups { book, groups: book.groups(), values, borrows: PhantomData }
    }
}

/// The columns of runs of live slots, borrowed as `B` says.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct LendingRuns<'a, T: Soa, B> {
    runs: occupancy::Runs<'a>,
    values: InColumns<T>,
    borrows: PhantomData<B>,
}

/// `L` slots each, of which one is live at least, and which are; borrowed as `B` says.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct LendingGroups<'a, T: Soa, const L: usize, B> {
    book: &'a Occupancy,
    groups: occupancy::Groups<'a, L>,
    values: InColumns<T>,
    borrows: PhantomData<B>,
}

// SAFETY: it is a shared borrow of values.
unsafe impl<T: Soa> Send for LendingRuns<'_, T, &T> where KeptIn<T>: Sync {}
// SAFETY: it is an exclusive borrow of values.
unsafe impl<T: Soa> Send for LendingRuns<'_, T, &mut T> where KeptIn<T>: Send {}
// SAFETY: shared access to it gives shared access to values at most.
unsafe impl<T: Soa, B> Sync for LendingRuns<'_, T, B> where KeptIn<T>: Sync {}
// SAFETY: it is a shared borrow of values.
unsafe impl<T: Soa, const L: usize> Send for LendingGroups<'_, T, L, &T> where KeptIn<T>: Sync {}
// SAFETY: it is an exclusive borrow of values.
unsafe impl<T: Soa, const L: usize> Send for LendingGroups<'_, T, L, &mut T> where KeptIn<T>: Send {}
// SAFETY: shared access to it gives shared access to values at most.
unsafe impl<T: Soa, const L: usize, B> Sync for LendingGroups<'_, T, L, B> where KeptIn<T>: Sync {}

#[cfg(feature = "rayon")]
impl<T: Soa, B> LendingRuns<'_, T, B> {
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let Self { runs, values, borrows } = self;
        let (below, above) = runs.divide();
        (Self { runs: below, values, borrows }, above.map(|runs| Self { runs, values, borrows }))
    }
}

#[cfg(feature = "rayon")]
impl<T: Soa, const L: usize, B> LendingGroups<'_, T, L, B> {
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let Self { book, groups, values, borrows } = self;
        let (below, above) = groups.divide();
        let part = |groups| Self { book, groups, values, borrows };
        (part(below), above.map(part))
    }
}

impl<T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>> Iterator
    for LendingRuns<'_, T, B>
{
    type Item = B::Columns;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some(Self::item(self.values, self.runs.next()?))
    }

    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        let Self { runs, values, .. } = self;
        runs.fold(init, |folded, run| f(folded, Self::item(values, run)))
    }
}

impl<T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>> LendingRuns<'_, T, B> {
    /// Makes the item of a run that was just yielded.
    #[inline(always)]
    fn item(values: InColumns<T>, run: Range<usize>) -> B::Columns {
        // SAFETY: by the invariant (1) the values of live slots are initialised, and
        // (2) borrowed as `B` says; no run is yielded twice.
        unsafe { B::columns(values, run) }
    }
}

/// The columns of 64 slots each; of the last group, of those that are in use.
impl<'a, T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>> Iterator
    for LendingGroups<'a, T, WORD, B>
{
    type Item = (Live<'a>, B::Columns);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some(Self::item(self.book, self.values, self.groups.next()?))
    }

    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        let Self { book, groups, values, .. } = self;
        groups.fold(init, |folded, first| f(folded, Self::item(book, values, first)))
    }
}

impl<'a, T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>> LendingGroups<'a, T, WORD, B> {
    /// Makes the item of a group that was just yielded.
    #[inline(always)]
    fn item(book: &'a Occupancy, values: InColumns<T>, first: usize) -> (Live<'a>, B::Columns) {
        let end = book.slots().min(first + WORD);
        // SAFETY: by the invariant (1) the values of slots in use were made, and (2) are
        // borrowed as `B` says; no group is yielded twice.
        let columns = unsafe { B::columns(values, first..end) };
        (Live::of(Some(book.live_words()), first, end - first), columns)
    }
}

/// Groups as arrays of lanes.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct LendingBlocks<'a, T: Soa, const L: usize, B>(LendingGroups<'a, T, L, B>);

impl<'a, T: Soa, const L: usize, B> LendingBlocks<'a, T, L, B> {
    #[inline]
    pub(crate) fn of(groups: LendingGroups<'a, T, L, B>) -> Self {
        Self(groups)
    }

    #[cfg(feature = "rayon")]
    pub(crate) fn divide(self) -> (Self, Option<Self>) {
        let (below, above) = self.0.divide();
        (Self(below), above.map(Self))
    }
}

impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>>
    LendingBlocks<'a, T, L, B>
{
    /// Makes the item of a group that was just yielded.
    #[inline(always)]
    fn item(book: &'a Occupancy, values: InColumns<T>, first: usize) -> (Live<'a>, B::Lanes<L>) {
        // SAFETY: (1) a group in use was filled before its first value came; by the
        // invariant (2) it is borrowed as `B` says, and is not yielded twice.
        let lanes = unsafe { B::lanes(values, first) };
        (Live::of(Some(book.live_words()), first, L), lanes)
    }
}

impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>> Iterator
    for LendingBlocks<'a, T, L, B>
{
    type Item = (Live<'a>, B::Lanes<L>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let groups = &mut self.0;
        Some(Self::item(groups.book, groups.values, groups.groups.next()?))
    }

    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        let LendingGroups { book, groups, values, .. } = self.0;
        groups.fold(init, |folded, first| f(folded, Self::item(book, values, first)))
    }
}

impl<T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>> FusedIterator
    for LendingRuns<'_, T, B>
{
}
impl<T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>> FusedIterator
    for LendingGroups<'_, T, WORD, B>
{
}
impl<T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>> FusedIterator
    for LendingBlocks<'_, T, L, B>
{
}
