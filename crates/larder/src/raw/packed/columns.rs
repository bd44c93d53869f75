//! Columns of packed values that are lent, whole or in groups of lanes.
//!
//! **Invariant:** the container is borrowed as long as an iterator is used, exclusively where it lends `&mut`;
//! `values` are those of a container with `len` of them, and no group is lent twice.

use core::marker::PhantomData;

use super::{Packed, Storage};
use crate::key::Key;
use crate::raw::columns::arrange::{Lanes, Split};
use crate::raw::columns::{Columns, InColumns, KeptIn};
use crate::soa::{Live, Soa, view};

impl<T: Soa<Arrangement = Split>, K: Key> Packed<T, K, Columns<T>> {
    /// Each column in one piece.
    #[inline]
    pub(crate) fn columns(&self) -> view::Columns<'_, T> {
        // SAFETY: (1) `len` values are initialised, side by side, and (2) borrowed as `self` is.
        unsafe { self.values.at().columns(0..self.len) }
    }

    /// Keys that may be read, and each column in one piece to be changed.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> (&[K], view::ColumnsMut<'_, T>) {
        // SAFETY: (1) `len` values are initialised, side by side; (2) the borrow is exclusive, and
        // keys lie apart from the columns.
        (self.keys(), unsafe { self.values.at().columns_mut(0..self.len) })
    }
}

/// Groups of `L` values, shared or exclusive, and what makes them.
macro_rules! next_lanes {
    (
        $groups:ident, $borrow:ty, Send if $sent:ident, $lanes:ident, $get:ident,
        |$packed:ident: $of:ty| $make_groups:ident
    ) => {
        /// Groups of `L` values; the last has lanes without.
        pub(crate) struct $groups<'a, T: Soa, const L: usize> {
            next: usize,
            len: usize,
            values: InColumns<T>,
            borrows: PhantomData<$borrow>,
        }

        // SAFETY: it is a borrow of values, shared or exclusive.
        unsafe impl<T: Soa, const L: usize> Send for $groups<'_, T, L> where KeptIn<T>: $sent {}
        // SAFETY: shared access to it gives shared access to values at most.
        unsafe impl<T: Soa, const L: usize> Sync for $groups<'_, T, L> where KeptIn<T>: Sync {}

        impl<T: Soa<Arrangement = Lanes<L>>, K: Key, const L: usize> Packed<T, K, Columns<T>> {
            #[inline]
            pub(crate) fn $make_groups($packed: $of) -> $groups<'_, T, L> {
                let (len, values) = ($packed.len, $packed.values.at());
                $groups { next: 0, len, values, borrows: PhantomData }
            }
        }

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
            pub(crate) fn next_lanes(&mut self) -> Option<(Live<'a>, view::$lanes<'a, T, L>)> {
                let first = self.next;
                if first >= self.len {
                    return None;
                }
                self.next = first + L;
                // SAFETY: (1) a group with values was filled before the first came; (2) it is
                // borrowed for `'a`, exclusively where it is to be changed, and lent once.
                let lanes = unsafe { self.values.$get(first) };
                Some((Live::up_to(first, L.min(self.len - first)), lanes))
            }
        }
    };
}

next_lanes!(Groups, &'a T, Send if Sync, Lanes, lanes, |self: &Self| groups);
next_lanes!(GroupsMut, &'a mut T, Send if Send, LanesMut, lanes_mut, |self: &mut Self| groups_mut);
