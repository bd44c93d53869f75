//! Values in columns: what holes hold, and lending the columns of a stock, whole, in runs of live slots, in groups.
//!
//! **Invariant** of each iterator: `values` are those of the stock whose `book` it has, borrowed for
//! `'a`, exclusively where it lends `&mut`. Runs do not overlap, nor do groups, so nothing is lent
//! twice.

use core::marker::PhantomData;
use core::ops::Range;

use super::{Split as SplitLayout, SplitStore};
#[cfg(feature = "serde")]
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::columns::arrange::{Lanes, Split};
use crate::raw::columns::shape::CloneShape;
use crate::raw::columns::{Columns, InColumns, KeptIn};
use crate::raw::occupancy::{self, Occupancy, WORD};
use crate::raw::slots::Book;
#[cfg(feature = "serde")]
use crate::raw::slots::ErasedSlots;
use crate::raw::storage::{CloneAt, FillsHoles, Spot, Storage};
use crate::raw::store::{Choose, Refill};
use crate::soa::{Fill, Live, Soa, view};

type SplitColumns<T, K> = SplitLayout<T, K, Columns<T>>;

impl<T: Soa + Fill> FillsHoles<T> for Columns<T> {}

impl<T: Soa + Fill, K: Key> Refill<T, K> for SplitColumns<T, K> {
    const DISCARDS: bool = true;

    #[inline(always)]
    fn spare() -> T {
        T::FILL
    }

    #[inline(always)]
    unsafe fn discard(mut spot: Spot<'_, T, InColumns<T>>) {
        drop(spot.replace(T::FILL));
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

/// All that lends, shared or exclusively: `Runs`, the columns of runs of live slots, and `Groups`, `L` slots each of
/// which one is live at least, and which are.
macro_rules! lending {
    (
        $runs:ident, $groups:ident, $borrow:ty, Send if $sent:ident,
        $columns:ident -> $Columns:ident, $lanes:ident -> $Lanes:ident,
        |$stock:ident: $of:ty| $make_columns:ident, $make_runs:ident, $make_groups:ident
    ) => {
        pub(crate) struct $runs<'a, T: Soa> {
            runs: occupancy::Runs<'a>,
            values: InColumns<T>,
            borrows: PhantomData<$borrow>,
        }

        pub(crate) struct $groups<'a, T: Soa, const L: usize> {
            book: &'a Occupancy,
            groups: occupancy::Groups<'a, L>,
            values: InColumns<T>,
            borrows: PhantomData<$borrow>,
        }

        // SAFETY: it is a borrow of values, shared or exclusive.
        unsafe impl<T: Soa> Send for $runs<'_, T> where KeptIn<T>: $sent {}
        // SAFETY: shared access to it gives shared access to values at most.
        unsafe impl<T: Soa> Sync for $runs<'_, T> where KeptIn<T>: Sync {}
        // SAFETY: it is a borrow of values, shared or exclusive.
        unsafe impl<T: Soa, const L: usize> Send for $groups<'_, T, L> where KeptIn<T>: $sent {}
        // SAFETY: shared access to it gives shared access to values at most.
        unsafe impl<T: Soa, const L: usize> Sync for $groups<'_, T, L> where KeptIn<T>: Sync {}

        impl<T: Soa + Fill, K: Key> SplitStore<T, K, Columns<T>> {
            /// The columns of all slots that were ever in use, each in one piece.
            #[inline]
            pub(crate) fn $make_columns($stock: $of) -> view::$Columns<'_, T>
            where
                T: Soa<Arrangement = Split>,
            {
                // SAFETY: (1) the values of slots in use were made, and lie side by side; (2) they
                // are borrowed as the stock is.
                unsafe { $stock.layout.values.at().$columns(0..$stock.ledger.book.slots()) }
            }

            #[inline]
            pub(crate) fn $make_runs($stock: $of) -> $runs<'_, T> {
                let (runs, values) = ($stock.book().runs(), $stock.layout.values.at());
                $runs { runs, values, borrows: PhantomData }
            }

            #[inline]
            pub(crate) fn $make_groups<const L: usize>($stock: $of) -> $groups<'_, T, L> {
                let (book, values) = ($stock.book(), $stock.layout.values.at());
                $groups { book, groups: book.groups(), values, borrows: PhantomData }
            }
        }

        #[cfg(feature = "rayon")]
        impl<T: Soa> $runs<'_, T> {
            pub(crate) fn divide(self) -> (Self, Option<Self>) {
                let Self { runs, values, borrows } = self;
                let (below, above) = runs.divide();
                (
                    Self { runs: below, values, borrows },
                    above.map(|runs| Self { runs, values, borrows }),
                )
            }
        }

        #[cfg(feature = "rayon")]
        impl<T: Soa, const L: usize> $groups<'_, T, L> {
            pub(crate) fn divide(self) -> (Self, Option<Self>) {
                let Self { book, groups, values, borrows } = self;
                let (below, above) = groups.divide();
                let part = |groups| Self { book, groups, values, borrows };
                (part(below), above.map(part))
            }
        }

        impl<'a, T: Soa<Arrangement = Split>> Iterator for $runs<'a, T> {
            type Item = view::$Columns<'a, T>;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                Some(Self::item(self.values, self.runs.next()?))
            }

            #[inline]
            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
                let Self { runs, values, .. } = self;
                runs.fold(init, |folded, run| f(folded, Self::item(values, run)))
            }
        }

        impl<'a, T: Soa<Arrangement = Split>> $runs<'a, T> {
            /// Of a run that was just yielded.
            #[inline(always)]
            fn item(values: InColumns<T>, run: Range<usize>) -> view::$Columns<'a, T> {
                // SAFETY: by the invariant (1) the values of live slots are initialised, and
                // (2) borrowed for `'a`; no run is yielded twice.
                unsafe { values.$columns(run) }
            }
        }

        /// The columns of 64 slots each; of the last group, of those that are in use.
        impl<'a, T: Soa<Arrangement = Split>> Iterator for $groups<'a, T, WORD> {
            type Item = (Live<'a>, view::$Columns<'a, T>);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                Some(Self::item(self.book, self.values, self.groups.next()?))
            }

            #[inline]
            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
                let Self { book, groups, values, .. } = self;
                groups.fold(init, |folded, first| f(folded, Self::item(book, values, first)))
            }
        }

        impl<'a, T: Soa<Arrangement = Split>> $groups<'a, T, WORD> {
            /// Of a group that was just yielded.
            #[inline(always)]
            fn item(
                book: &'a Occupancy,
                values: InColumns<T>,
                first: usize,
            ) -> (Live<'a>, view::$Columns<'a, T>) {
                let end = book.slots().min(first + WORD);
                // SAFETY: by the invariant (1) the values of slots in use were made, and (2) are
                // borrowed for `'a`; no group is yielded twice.
                let columns = unsafe { values.$columns(first..end) };
                (Live::of(book, first, end - first), columns)
            }
        }

        impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize> $groups<'a, T, L> {
            /// The next group, as arrays of lanes.
            #[inline]
            pub(crate) fn next_lanes(&mut self) -> Option<(Live<'a>, view::$Lanes<'a, T, L>)> {
                Some(Self::of_lanes(self.book, self.values, self.groups.next()?))
            }

            #[inline]
            pub(crate) fn fold_lanes<B, F>(self, init: B, mut f: F) -> B
            where
                F: FnMut(B, (Live<'a>, view::$Lanes<'a, T, L>)) -> B,
            {
                let Self { book, groups, values, .. } = self;
                groups.fold(init, |folded, first| f(folded, Self::of_lanes(book, values, first)))
            }

            /// Of a group that was just yielded.
            #[inline(always)]
            fn of_lanes(
                book: &'a Occupancy,
                values: InColumns<T>,
                first: usize,
            ) -> (Live<'a>, view::$Lanes<'a, T, L>) {
                // SAFETY: (1) a group in use was filled before its first value came; by the
                // invariant (2) it is borrowed for `'a`, and is not yielded twice.
                let lanes = unsafe { values.$lanes(first) };
                (Live::of(book, first, L), lanes)
            }
        }
    };
}

lending! {
    Runs, Groups, &'a T, Send if Sync, columns -> Columns, lanes -> Lanes,
    |self: &Self| columns, runs, groups
}
lending! {
    RunsMut, GroupsMut, &'a mut T, Send if Send, columns_mut -> ColumnsMut, lanes_mut -> LanesMut,
    |self: &mut Self| columns_mut, runs_mut, groups_mut
}
