//! How the fields of a value become columns, and come back.
//!
//! A shape is a tree: a [`Leaf`] is a column, a [`Pair`] the columns of both its sides, a [`Nest`]
//! those of another type. Values are taken apart and put together by safe code,
//! mostly that of a derive; what touches memory is here.
//!
//! **Invariant** of a shape's functions: `starts` has an address for each column of the tree, from
//! left to right; `A::place` finds element `index` of each from there. What is asked of the element
//! (that it is initialised, or borrowed) is asked of all columns alike.

#![expect(unnameable_types, reason = "what derived code is written with, and the seals of it")]

mod nest;

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

use super::arrange::Arrange;
use super::tree::{Column, Tree};
use crate::soa::Soa;

/// A tree of columns: what a [`Soa`] type is made of. Sealed: [`Leaf`], [`Pair`], [`Nest`]. Whether
/// what lies in the columns can be sent and shared, the shape's own auto traits say.
///
/// # Safety
/// `Starts` is nothing but as many addresses as [`TREE`](Self::TREE) has columns, in the same order.
#[doc(hidden)]
pub unsafe trait Shape: sealed::Sealed {
    type Value;
    type Starts: Copy;
    type Ref<'a>: Copy
    where
        Self: 'a;
    type RefMut<'a>
    where
        Self: 'a;
    type Columns<'a>: Copy
    where
        Self: 'a;
    type ColumnsMut<'a>
    where
        Self: 'a;
    type Lanes<'a, const L: usize>: Copy
    where
        Self: 'a;
    type LanesMut<'a, const L: usize>
    where
        Self: 'a;

    const TREE: Tree;

    /// The addresses of columns that have no memory.
    const NOWHERE: Self::Starts;

    /// The address of the first column.
    fn first(starts: Self::Starts) -> NonNull<u8>;

    /// The addresses of columns in groups of `L`, the first group of which is there, where the
    /// columns of `B` come before.
    fn in_group<B: Before<L>, const L: usize>(group: NonNull<u8>) -> Self::Starts;

    /// # Safety
    /// There is room for the element.
    unsafe fn write<A: Arrange>(starts: Self::Starts, index: usize, value: Self::Value);

    /// # Safety
    /// The element is initialised; it is read once.
    unsafe fn read<A: Arrange>(starts: Self::Starts, index: usize) -> Self::Value;

    /// Copies the bytes of an element over those of another.
    ///
    /// # Safety
    /// There is room for both.
    unsafe fn copy<A: Arrange>(starts: Self::Starts, from: usize, to: usize);

    /// Drops elements, column by column; if one of them panics, the others are dropped all the same.
    ///
    /// # Safety
    /// They are initialised, and not used again.
    unsafe fn drop_range<A: Arrange>(starts: Self::Starts, range: Range<usize>);

    /// # Safety
    /// The element is initialised, and may be borrowed for `'a`.
    unsafe fn get<'a, A: Arrange>(starts: Self::Starts, index: usize) -> Self::Ref<'a>
    where
        Self: 'a;

    /// # Safety
    /// The element is initialised, and may be borrowed exclusively for `'a`.
    unsafe fn get_mut<'a, A: Arrange>(starts: Self::Starts, index: usize) -> Self::RefMut<'a>
    where
        Self: 'a;

    /// # Safety
    /// The elements are initialised, lie side by side, and may be borrowed for `'a`.
    unsafe fn columns<'a>(starts: Self::Starts, range: Range<usize>) -> Self::Columns<'a>
    where
        Self: 'a;

    /// # Safety
    /// The elements are initialised, lie side by side, and may be borrowed exclusively for `'a`.
    unsafe fn columns_mut<'a>(starts: Self::Starts, range: Range<usize>) -> Self::ColumnsMut<'a>
    where
        Self: 'a;

    /// # Safety
    /// As many elements as there are lanes from `index` on are initialised, lie side by side, and may
    /// be borrowed for `'a`.
    unsafe fn lanes<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        index: usize,
    ) -> Self::Lanes<'a, L>
    where
        Self: 'a;

    /// # Safety
    /// As many elements as there are lanes from `index` on are initialised, lie side by side, and may
    /// be borrowed exclusively for `'a`.
    unsafe fn lanes_mut<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        index: usize,
    ) -> Self::LanesMut<'a, L>
    where
        Self: 'a;
}

/// Says where a column begins.
pub(super) fn set_start<S: Shape>(starts: &mut S::Starts, column: usize, start: NonNull<u8>) {
    assert!(column < S::TREE.count(), "there is no such column");
    // SAFETY: starts are as many addresses as the tree has columns.
    let place = unsafe { NonNull::from(starts).cast::<NonNull<u8>>().add(column) };
    // SAFETY: as above.
    unsafe { place.write(start) };
}

/// A shape whose values can be cloned: all their fields can. Sealed.
#[doc(hidden)]
pub trait CloneShape: Shape {
    /// # Safety
    /// The element is initialised, and nobody changes it meanwhile.
    unsafe fn clone_from_columns<A: Arrange>(starts: Self::Starts, index: usize) -> Self::Value;
}

/// Columns that come before others in a group of `L`: none, or a list of shapes. Sealed.
#[doc(hidden)]
pub trait Before<const L: usize>: sealed::Before {
    /// Where their lanes end.
    const END: usize;
}

impl<const L: usize> Before<L> for () {
    const END: usize = 0;
}

impl<B: Before<L>, S: Shape, const L: usize> Before<L> for (B, S) {
    const END: usize = S::TREE.lanes_end(B::END, L);
}

mod sealed {
    pub trait Sealed {}

    pub trait Before {}

    impl Before for () {}
    impl<B, S> Before for (B, S) {}
}

/// One column of values of type `T`, which begins at a multiple of `ALIGN`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Leaf<T, const ALIGN: usize = 1>(PhantomData<T>);

/// The columns of `X`, then those of `Y`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Pair<X, Y>(PhantomData<(X, Y)>);

/// The columns of another type that has columns.
#[doc(hidden)]
#[derive(Debug)]
pub struct Nest<S: Soa>(PhantomData<(S, S::Shape)>);

impl<T, const ALIGN: usize> sealed::Sealed for Leaf<T, ALIGN> {}
impl<X, Y> sealed::Sealed for Pair<X, Y> {}
impl<S: Soa> sealed::Sealed for Nest<S> {}

/// Addresses of two shapes, one after the other.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Both<X, Y>(X, Y);

// SAFETY: one column, one address.
unsafe impl<T, const ALIGN: usize> Shape for Leaf<T, ALIGN> {
    type Value = T;
    type Starts = NonNull<u8>;
    type Ref<'a>
        = &'a T
    where
        Self: 'a;
    type RefMut<'a>
        = &'a mut T
    where
        Self: 'a;
    type Columns<'a>
        = &'a [T]
    where
        Self: 'a;
    type ColumnsMut<'a>
        = &'a mut [T]
    where
        Self: 'a;
    type Lanes<'a, const L: usize>
        = &'a [T; L]
    where
        Self: 'a;
    type LanesMut<'a, const L: usize>
        = &'a mut [T; L]
    where
        Self: 'a;

    const TREE: Tree = Tree::Leaf(Column::of::<T>(ALIGN));

    const NOWHERE: NonNull<u8> = NonNull::<T>::dangling().cast();

    #[inline(always)]
    fn first(starts: NonNull<u8>) -> NonNull<u8> {
        starts
    }

    #[inline(always)]
    fn in_group<B: Before<L>, const L: usize>(group: NonNull<u8>) -> NonNull<u8> {
        let begin = const { Self::TREE.lanes_begin(B::END, L) };
        // (Without a block there is no group there, and nothing is read.)
        let start = group.as_ptr().wrapping_add(begin);
        // SAFETY: it lies in the block, as `Tree::lane_offsets` says of this column; without one, it is
        // a small address past one that is not null.
        unsafe { NonNull::new_unchecked(start) }
    }

    #[inline(always)]
    unsafe fn write<A: Arrange>(starts: NonNull<u8>, index: usize, value: T) {
        // SAFETY: by the contract.
        let place = unsafe { A::place::<T>(starts, index) };
        // SAFETY: as above.
        unsafe { place.write(value) };
    }

    #[inline(always)]
    unsafe fn read<A: Arrange>(starts: NonNull<u8>, index: usize) -> T {
        // SAFETY: by the contract.
        let place = unsafe { A::place::<T>(starts, index) };
        // SAFETY: as above.
        unsafe { place.read() }
    }

    #[inline(always)]
    unsafe fn copy<A: Arrange>(starts: NonNull<u8>, from: usize, to: usize) {
        // SAFETY: by the contract.
        let from = unsafe { A::place::<T>(starts, from) };
        // SAFETY: as above.
        let to = unsafe { A::place::<T>(starts, to) };
        // SAFETY: both have room for one; they may be the same.
        unsafe { to.copy_from(from, 1) };
    }

    #[inline]
    unsafe fn drop_range<A: Arrange>(starts: NonNull<u8>, range: Range<usize>) {
        if core::mem::needs_drop::<T>() {
            // What needs a drop lies side by side (see `Arrange`).
            // SAFETY: by the contract.
            let first = unsafe { A::place::<T>(starts, range.start) };
            let values = NonNull::slice_from_raw_parts(first, range.len());
            // SAFETY: as above.
            unsafe { values.drop_in_place() };
        }
    }

    #[inline(always)]
    unsafe fn get<'a, A: Arrange>(starts: NonNull<u8>, index: usize) -> &'a T
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let place = unsafe { A::place::<T>(starts, index) };
        // SAFETY: as above.
        unsafe { place.as_ref() }
    }

    #[inline(always)]
    unsafe fn get_mut<'a, A: Arrange>(starts: NonNull<u8>, index: usize) -> &'a mut T
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let mut place = unsafe { A::place::<T>(starts, index) };
        // SAFETY: as above.
        unsafe { place.as_mut() }
    }

    #[inline(always)]
    unsafe fn columns<'a>(starts: NonNull<u8>, range: Range<usize>) -> &'a [T]
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { starts.cast::<T>().add(range.start) };
        // SAFETY: as above.
        unsafe { NonNull::slice_from_raw_parts(first, range.len()).as_ref() }
    }

    #[inline(always)]
    unsafe fn columns_mut<'a>(starts: NonNull<u8>, range: Range<usize>) -> &'a mut [T]
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { starts.cast::<T>().add(range.start) };
        // SAFETY: as above.
        unsafe { NonNull::slice_from_raw_parts(first, range.len()).as_mut() }
    }

    #[inline(always)]
    unsafe fn lanes<'a, A: Arrange, const L: usize>(starts: NonNull<u8>, index: usize) -> &'a [T; L]
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { A::place::<T>(starts, index) };
        // SAFETY: as above.
        unsafe { first.cast::<[T; L]>().as_ref() }
    }

    #[inline(always)]
    unsafe fn lanes_mut<'a, A: Arrange, const L: usize>(
        starts: NonNull<u8>,
        index: usize,
    ) -> &'a mut [T; L]
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { A::place::<T>(starts, index) };
        // SAFETY: as above.
        unsafe { first.cast::<[T; L]>().as_mut() }
    }
}

impl<T: Clone, const ALIGN: usize> CloneShape for Leaf<T, ALIGN> {
    #[inline]
    unsafe fn clone_from_columns<A: Arrange>(starts: NonNull<u8>, index: usize) -> T {
        // SAFETY: by the contract.
        unsafe { Self::get::<A>(starts, index) }.clone()
    }
}

// SAFETY: the addresses of `X`, then those of `Y`, as in the tree; addresses need no padding.
unsafe impl<X: Shape, Y: Shape> Shape for Pair<X, Y> {
    type Value = (X::Value, Y::Value);
    type Starts = Both<X::Starts, Y::Starts>;
    type Ref<'a>
        = (X::Ref<'a>, Y::Ref<'a>)
    where
        Self: 'a;
    type RefMut<'a>
        = (X::RefMut<'a>, Y::RefMut<'a>)
    where
        Self: 'a;
    type Columns<'a>
        = (X::Columns<'a>, Y::Columns<'a>)
    where
        Self: 'a;
    type ColumnsMut<'a>
        = (X::ColumnsMut<'a>, Y::ColumnsMut<'a>)
    where
        Self: 'a;
    type Lanes<'a, const L: usize>
        = (X::Lanes<'a, L>, Y::Lanes<'a, L>)
    where
        Self: 'a;
    type LanesMut<'a, const L: usize>
        = (X::LanesMut<'a, L>, Y::LanesMut<'a, L>)
    where
        Self: 'a;

    const TREE: Tree = Tree::pair(&X::TREE, &Y::TREE);

    const NOWHERE: Self::Starts = Both(X::NOWHERE, Y::NOWHERE);

    #[inline(always)]
    fn first(starts: Self::Starts) -> NonNull<u8> {
        X::first(starts.0)
    }

    #[inline(always)]
    fn in_group<B: Before<L>, const L: usize>(group: NonNull<u8>) -> Self::Starts {
        Both(X::in_group::<B, L>(group), Y::in_group::<(B, X), L>(group))
    }

    #[inline(always)]
    unsafe fn write<A: Arrange>(starts: Self::Starts, index: usize, value: Self::Value) {
        // SAFETY: by the contract.
        unsafe { X::write::<A>(starts.0, index, value.0) };
        // SAFETY: as above.
        unsafe { Y::write::<A>(starts.1, index, value.1) };
    }

    #[inline(always)]
    unsafe fn read<A: Arrange>(starts: Self::Starts, index: usize) -> Self::Value {
        // SAFETY: by the contract.
        let first = unsafe { X::read::<A>(starts.0, index) };
        // SAFETY: as above.
        (first, unsafe { Y::read::<A>(starts.1, index) })
    }

    #[inline(always)]
    unsafe fn copy<A: Arrange>(starts: Self::Starts, from: usize, to: usize) {
        // SAFETY: by the contract.
        unsafe { X::copy::<A>(starts.0, from, to) };
        // SAFETY: as above.
        unsafe { Y::copy::<A>(starts.1, from, to) };
    }

    #[inline]
    unsafe fn drop_range<A: Arrange>(starts: Self::Starts, range: Range<usize>) {
        /// The second half is dropped in any case.
        struct Rest<Y: Shape, A: Arrange>(Y::Starts, Range<usize>, PhantomData<A>);

        impl<Y: Shape, A: Arrange> Drop for Rest<Y, A> {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: by the contract of the function that makes it.
                unsafe { Y::drop_range::<A>(self.0, self.1.clone()) };
            }
        }

        let _rest = Rest::<Y, A>(starts.1, range.clone(), PhantomData);
        // SAFETY: by the contract.
        unsafe { X::drop_range::<A>(starts.0, range) };
    }

    #[inline(always)]
    unsafe fn get<'a, A: Arrange>(starts: Self::Starts, index: usize) -> Self::Ref<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { X::get::<A>(starts.0, index) };
        // SAFETY: as above.
        (first, unsafe { Y::get::<A>(starts.1, index) })
    }

    #[inline(always)]
    unsafe fn get_mut<'a, A: Arrange>(starts: Self::Starts, index: usize) -> Self::RefMut<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { X::get_mut::<A>(starts.0, index) };
        // SAFETY: as above; no column is in both.
        (first, unsafe { Y::get_mut::<A>(starts.1, index) })
    }

    #[inline(always)]
    unsafe fn columns<'a>(starts: Self::Starts, range: Range<usize>) -> Self::Columns<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { X::columns(starts.0, range.clone()) };
        // SAFETY: as above.
        (first, unsafe { Y::columns(starts.1, range) })
    }

    #[inline(always)]
    unsafe fn columns_mut<'a>(starts: Self::Starts, range: Range<usize>) -> Self::ColumnsMut<'a>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { X::columns_mut(starts.0, range.clone()) };
        // SAFETY: as above; no column is in both.
        (first, unsafe { Y::columns_mut(starts.1, range) })
    }

    #[inline(always)]
    unsafe fn lanes<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        index: usize,
    ) -> Self::Lanes<'a, L>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { X::lanes::<A, L>(starts.0, index) };
        // SAFETY: as above.
        (first, unsafe { Y::lanes::<A, L>(starts.1, index) })
    }

    #[inline(always)]
    unsafe fn lanes_mut<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        index: usize,
    ) -> Self::LanesMut<'a, L>
    where
        Self: 'a,
    {
        // SAFETY: by the contract.
        let first = unsafe { X::lanes_mut::<A, L>(starts.0, index) };
        // SAFETY: as above; no column is in both.
        (first, unsafe { Y::lanes_mut::<A, L>(starts.1, index) })
    }
}

impl<X: CloneShape, Y: CloneShape> CloneShape for Pair<X, Y> {
    #[inline]
    unsafe fn clone_from_columns<A: Arrange>(starts: Self::Starts, index: usize) -> Self::Value {
        // SAFETY: by the contract.
        let first = unsafe { X::clone_from_columns::<A>(starts.0, index) };
        // SAFETY: as above.
        (first, unsafe { Y::clone_from_columns::<A>(starts.1, index) })
    }
}
