//! Columns of packed values that are lent, whole or in groups of lanes.
//!
//! **Invariant:** the container is borrowed as long as an iterator is used, exclusively where it lends `&mut`;
//! `values` are those of a container with `len` of them, and no group is lent twice.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::{Packed, Storage};
use crate::key::Key;
use crate::soa::raw::arrange::{Lanes, Split};
use crate::soa::raw::{BorrowedColumns, Columns, InColumns, KeptIn};
use crate::soa::{Live, Soa, view};

impl<T: Soa<Arrangement = Split>, K: Key> Packed<T, K, Columns<T>> {
    /// Each column in one piece.
    #[inline]
    pub(crate) fn columns(&self) -> view::Columns<'_, T> {
        // SAFETY: (1) `len` values are initialised, side by side, and (2) borrowed as `self` is.
        unsafe { self.values.at().columns(0..self.len()) }
    }

    /// Each column in one piece, to be changed.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> view::ColumnsMut<'_, T> {
        // SAFETY: (1) `len` values are initialised, side by side; (2) the borrow is exclusive.
        unsafe { self.values.at().columns_mut(0..self.len()) }
    }
}

impl<T: Soa<Arrangement = Lanes<L>>, K: Key, const L: usize> Packed<T, K, Columns<T>> {
    #[inline]
    pub(crate) fn blocks(&self) -> PackedBlocks<'_, T, L, &T> {
        PackedBlocks { next: 0, len: self.len(), values: self.values.at(), borrows: PhantomData }
    }

    #[inline]
    pub(crate) fn blocks_mut(&mut self) -> PackedBlocks<'_, T, L, &mut T> {
        PackedBlocks { next: 0, len: self.len(), values: self.values.at(), borrows: PhantomData }
    }
}

/// Groups of `L` values, borrowed as `B` says; the last has lanes without.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct PackedBlocks<'a, T: Soa, const L: usize, B> {
    next: usize,
    len: usize,
    values: InColumns<T>,
    borrows: PhantomData<(&'a (), B)>,
}

// SAFETY: it is a shared borrow of values.
unsafe impl<T: Soa, const L: usize> Send for PackedBlocks<'_, T, L, &T> where KeptIn<T>: Sync {}
// SAFETY: it is an exclusive borrow of values.
unsafe impl<T: Soa, const L: usize> Send for PackedBlocks<'_, T, L, &mut T> where KeptIn<T>: Send {}
// SAFETY: shared access to it gives shared access to values at most.
unsafe impl<T: Soa, const L: usize, B> Sync for PackedBlocks<'_, T, L, B> where KeptIn<T>: Sync {}

impl<T: Soa, const L: usize, B> PackedBlocks<'_, T, L, B> {
    /// Two parts with about as many groups each.
    #[cfg(feature = "rayon")]
    pub(crate) fn divide(mut self) -> (Self, Option<Self>) {
        let groups = self.len.saturating_sub(self.next).div_ceil(L);
        if groups < 2 {
            return (self, None);
        }
        let (middle, values, borrows) = (self.next + groups / 2 * L, self.values, self.borrows);
        let above = Self { next: middle, len: self.len, values, borrows };
        self.len = middle;
        (self, Some(above))
    }
}

impl<'a, T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>> Iterator
    for PackedBlocks<'a, T, L, B>
{
    type Item = (Live<'a>, B::Lanes<L>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let first = self.next;
        if first >= self.len {
            return None;
        }
        self.next = first + L;
        // SAFETY: (1) a group with values was filled before the first came; (2) it is
        // borrowed as `B` says, and lent once.
        let lanes = unsafe { B::lanes(self.values, first) };
        Some((Live::of(None, first, L.min(self.len - first)), lanes))
    }
}

impl<T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>> FusedIterator
    for PackedBlocks<'_, T, L, B>
{
}
