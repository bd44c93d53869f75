//! The shape of another type. The invariant is that of [`shape`](super).

use core::ops::Range;
use core::ptr::NonNull;

use super::{Before, CloneShape, Nest, Shape};
use crate::raw::columns::arrange::Arrange;
use crate::raw::columns::conversion;
use crate::raw::columns::tree::Tree;
use crate::soa::Soa;

// SAFETY: the addresses and the tree are those of the other type's shape.
unsafe impl<S: Soa> Shape for Nest<S> {
    type Value = S;
    type Starts = <S::Shape as Shape>::Starts;
    type Ref<'a>
        = S::Ref<'a>
    where
        Self: 'a;
    type RefMut<'a>
        = S::RefMut<'a>
    where
        Self: 'a;
    type Columns<'a>
        = S::Columns<'a>
    where
        Self: 'a;
    type ColumnsMut<'a>
        = S::ColumnsMut<'a>
    where
        Self: 'a;
    type Lanes<'a, const L: usize>
        = S::Lanes<'a, L>
    where
        Self: 'a;
    type LanesMut<'a, const L: usize>
        = S::LanesMut<'a, L>
    where
        Self: 'a;

    const TREE: Tree = S::Shape::TREE;

    const NOWHERE: Self::Starts = S::Shape::NOWHERE;

    #[inline(always)]
    fn first(starts: Self::Starts) -> NonNull<u8> {
        S::Shape::first(starts)
    }

    #[inline(always)]
    fn in_group<B: Before<L>, const L: usize>(group: NonNull<u8>) -> Self::Starts {
        S::Shape::in_group::<B, L>(group)
    }

    #[inline(always)]
    unsafe fn write<A: Arrange>(starts: Self::Starts, index: usize, value: S) {
        // SAFETY: by the contract.
        unsafe { S::Shape::write::<A>(starts, index, conversion(|| value.into_parts())) };
    }

    #[inline(always)]
    unsafe fn read<A: Arrange>(starts: Self::Starts, index: usize) -> S {
        // SAFETY: by the contract.
        let parts = unsafe { S::Shape::read::<A>(starts, index) };
        conversion(|| S::from_parts(parts))
    }

    #[inline(always)]
    unsafe fn copy<A: Arrange>(starts: Self::Starts, from: usize, to: usize) {
        // SAFETY: by the contract.
        unsafe { S::Shape::copy::<A>(starts, from, to) };
    }

    #[inline]
    unsafe fn drop_range<A: Arrange>(starts: Self::Starts, range: Range<usize>) {
        // SAFETY: by the contract.
        unsafe { S::Shape::drop_range::<A>(starts, range) };
    }

    #[inline(always)]
    unsafe fn get<'a, A: Arrange>(starts: Self::Starts, index: usize) -> S::Ref<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        S::make_ref(unsafe { S::Shape::get::<A>(starts, index) })
    }

    #[inline(always)]
    unsafe fn get_mut<'a, A: Arrange>(starts: Self::Starts, index: usize) -> S::RefMut<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        S::make_ref_mut(unsafe { S::Shape::get_mut::<A>(starts, index) })
    }

    #[inline(always)]
    unsafe fn columns<'a>(starts: Self::Starts, range: Range<usize>) -> S::Columns<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        S::make_columns(unsafe { S::Shape::columns(starts, range) })
    }

    #[inline(always)]
    unsafe fn columns_mut<'a>(starts: Self::Starts, range: Range<usize>) -> S::ColumnsMut<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        S::make_columns_mut(unsafe { S::Shape::columns_mut(starts, range) })
    }

    #[inline(always)]
    unsafe fn lanes<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        index: usize,
    ) -> S::Lanes<'a, L>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        S::make_lanes(unsafe { S::Shape::lanes::<A, L>(starts, index) })
    }

    #[inline(always)]
    unsafe fn lanes_mut<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        index: usize,
    ) -> S::LanesMut<'a, L>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        S::make_lanes_mut(unsafe { S::Shape::lanes_mut::<A, L>(starts, index) })
    }
}

impl<S: Soa> CloneShape for Nest<S>
where
    S::Shape: CloneShape,
{
    #[inline]
    unsafe fn clone_from_columns<A: Arrange>(starts: Self::Starts, index: usize) -> S {
        // SAFETY: by the contract.
        S::from_parts(unsafe { S::Shape::clone_from_columns::<A>(starts, index) })
    }
}
