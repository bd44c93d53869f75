//! Lending the columns of packed values: whole, or in groups of lanes.
//!
//! **Invariant** of each iterator: `values` are those of a container with `len` of them, borrowed for
//! `'a`, exclusively where it lends `&mut`. No group is lent twice.

use core::marker::PhantomData;

use super::Packed;
use crate::key::Key;
use crate::raw::columns::arrange::{Lanes, Split};
use crate::raw::columns::{Columns, InColumns, KeptIn};
use crate::raw::storage::Storage;
use crate::soa::{Live, Soa};

/// Groups of `L` values; the last has lanes without.
pub(crate) struct Groups<'a, T: Soa, const L: usize> {
    next: usize,
    len: usize,
    values: InColumns<T>,
    borrows: PhantomData<&'a T>,
}

/// As [`Groups`], to change them.
pub(crate) struct GroupsMut<'a, T: Soa, const L: usize> {
    next: usize,
    len: usize,
    values: InColumns<T>,
    borrows: PhantomData<&'a mut T>,
}

// SAFETY: a shared borrow of values.
unsafe impl<T: Soa, const L: usize> Send for Groups<'_, T, L> where KeptIn<T>: Sync {}
// SAFETY: so is a shared one.
unsafe impl<T: Soa, const L: usize> Sync for Groups<'_, T, L> where KeptIn<T>: Sync {}
// SAFETY: an exclusive borrow of values.
unsafe impl<T: Soa, const L: usize> Send for GroupsMut<'_, T, L> where KeptIn<T>: Send {}
// SAFETY: shared access to it gives shared access to values at most.
unsafe impl<T: Soa, const L: usize> Sync for GroupsMut<'_, T, L> where KeptIn<T>: Sync {}

impl<T: Soa<Arrangement = Split>, K: Key> Packed<T, K, Columns<T>> {
    /// Each column in one piece.
    #[inline]
    pub(crate) fn columns(&self) -> T::Columns<'_> {
        // SAFETY: `len` values are initialised, and borrowed as `self` is.
        unsafe { self.values.at().columns(0..self.len) }
    }

    /// Keys that may be read, and each column in one piece to be changed.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> (&[K], T::ColumnsMut<'_>) {
        // SAFETY: `len` values are initialised; the borrow is exclusive, and keys lie apart from the columns.
        (self.keys(), unsafe { self.values.at().columns_mut(0..self.len) })
    }
}

impl<T: Soa<Arrangement = Lanes<L>>, K: Key, const L: usize> Packed<T, K, Columns<T>> {
    #[inline]
    pub(crate) fn groups(&self) -> Groups<'_, T, L> {
        Groups { next: 0, len: self.len, values: self.values.at(), borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn groups_mut(&mut self) -> GroupsMut<'_, T, L> {
        GroupsMut { next: 0, len: self.len, values: self.values.at(), borrows: PhantomData }
    }
}

macro_rules! next_lanes {
    ($groups:ident, $lanes:ident, $get:ident) => {
        #[cfg(feature = "rayon")]
        impl<T: Soa, const L: usize> $groups<'_, T, L> {
            /// Two parts with about as many groups each.
            pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
                let groups = self.len.saturating_sub(self.next).div_ceil(L);
                if groups < 2 {
                    return (self, None);
                }
                let (middle, values, borrows) =
                    (self.next + groups / 2 * L, self.values, self.borrows);
                let above = Self { next: middle, len: self.len, values, borrows };
                self.len = middle;
                (self, Some(above))
            }
        }

        impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize> $groups<'a, T, L> {
            #[inline]
            pub(crate) fn next_lanes(&mut self) -> Option<(Live<'a>, T::$lanes<'a, L>)> {
                let first = self.next;
                if first >= self.len {
                    return None;
                }
                self.next = first + L;
                // SAFETY: a group with values was filled before the first came; it is borrowed for
                // `'a`, exclusively where it is to be changed, and lent once.
                let lanes = unsafe { self.values.$get(first) };
                Some((Live::up_to(first, L.min(self.len - first)), lanes))
            }
        }
    };
}

next_lanes!(Groups, Lanes, lanes);
next_lanes!(GroupsMut, LanesMut, lanes_mut);
