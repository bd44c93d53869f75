//! Shapes: the division of a value's fields into columns, and back.
//!
//! A shape is a tree: a [`Leaf`] is a column, a [`Pair`] the columns of both its sides, a [`Nest`]
//! those of another type. Values are taken apart and put together by safe code,
//! mostly that of a derive; what touches memory is here.
//!
//! **Invariant** of a shape's functions: `starts` has an address for each column of the tree, from left to right, and
//! there is room for every element named, which `A::place` finds from there. Further demands on an element (that it is
//! initialised, or may be borrowed for `'a`) concern all columns alike: so a [`Pair`] hands its contract on to both its
//! sides, whose columns lie apart, and a [`Nest`] to the other type's shape.

#![expect(unnameable_types, reason = "what derived code is written with, and the seals of it")]

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;
use core::slice;

use super::conversion;
use crate::memory::block::tree::{ColumnLayout, Tree};
use crate::soa::Soa;
use crate::soa::view::{self, FromFields, IntoFields, View};

/// The tree of columns of a [`Soa`] type. Sealed: [`Leaf`], [`Pair`], [`Nest`]. The shape's own auto traits say whether
/// the contents of the columns can be sent and shared.
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
    /// 1. The element is initialised.
    /// 2. It is read once.
    unsafe fn read<A: Arrange>(starts: Self::Starts, index: usize) -> Self::Value;

    /// Copies the bytes of an element over those of another.
    ///
    /// # Safety
    /// There is room for both.
    unsafe fn copy<A: Arrange>(starts: Self::Starts, from: usize, to: usize);

    /// Drops elements, column by column; if one of them panics, the others are dropped all the same.
    ///
    /// # Safety
    /// 1. They are initialised.
    /// 2. They are not used again.
    unsafe fn drop_range<A: Arrange>(starts: Self::Starts, range: Range<usize>);

    /// # Safety
    /// 1. The element is initialised.
    /// 2. It may be borrowed for `'a`.
    unsafe fn get<'a, A: Arrange>(starts: Self::Starts, at: usize) -> Self::Ref<'a>
    where
        Self: 'a;

    /// # Safety
    /// 1. The element is initialised.
    /// 2. It may be borrowed exclusively for `'a`.
    unsafe fn get_mut<'a, A: Arrange>(starts: Self::Starts, at: usize) -> Self::RefMut<'a>
    where
        Self: 'a;

    /// # Safety
    /// 1. The elements are initialised, and lie side by side.
    /// 2. They may be borrowed for `'a`.
    unsafe fn columns<'a>(starts: Self::Starts, at: Range<usize>) -> Self::Columns<'a>
    where
        Self: 'a;

    /// # Safety
    /// The contract is that of [`columns`](Self::columns), but the borrow (2) is exclusive.
    unsafe fn columns_mut<'a>(starts: Self::Starts, at: Range<usize>) -> Self::ColumnsMut<'a>
    where
        Self: 'a;

    /// # Safety
    /// 1. `L` elements from `at` on are initialised, and lie side by side.
    /// 2. They may be borrowed for `'a`.
    unsafe fn lanes<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        at: usize,
    ) -> Self::Lanes<'a, L>
    where
        Self: 'a;

    /// # Safety
    /// The contract is that of [`lanes`](Self::lanes), but the borrow (2) is exclusive.
    unsafe fn lanes_mut<'a, A: Arrange, const L: usize>(
        starts: Self::Starts,
        at: usize,
    ) -> Self::LanesMut<'a, L>
    where
        Self: 'a;

    #[track_caller]
    fn columns_split_at<'a>(
        columns: Self::Columns<'a>,
        mid: usize,
    ) -> (Self::Columns<'a>, Self::Columns<'a>)
    where
        Self: 'a;

    #[track_caller]
    fn columns_split_at_mut<'a>(
        columns: Self::ColumnsMut<'a>,
        mid: usize,
    ) -> (Self::ColumnsMut<'a>, Self::ColumnsMut<'a>)
    where
        Self: 'a;

    fn columns_iter<'a>(
        columns: Self::Columns<'a>,
    ) -> impl DoubleEndedIterator<Item = Self::Ref<'a>> + ExactSizeIterator + Clone
    where
        Self: 'a;

    fn columns_iter_mut<'a>(
        columns: Self::ColumnsMut<'a>,
    ) -> impl DoubleEndedIterator<Item = Self::RefMut<'a>> + ExactSizeIterator
    where
        Self: 'a;

    /// The arrays as slices.
    fn columns_of_lanes<'a, const L: usize>(lanes: Self::Lanes<'a, L>) -> Self::Columns<'a>
    where
        Self: 'a;

    /// The arrays as slices.
    fn columns_of_lanes_mut<'a, const L: usize>(
        lanes: Self::LanesMut<'a, L>,
    ) -> Self::ColumnsMut<'a>
    where
        Self: 'a;
}

/// Finds the elements of a column from the address of the first one.
#[doc(hidden)]
pub trait Arrange: sealed::Sealed {
    /// The number of values in a group; 0 if there are no groups.
    const LANES: usize;

    /// The addresses of columns, told so that a compiler knows how far they lie apart, where that is
    /// always the same: it vectorises loops over several of them only where they do not overlap.
    fn known<S: Shape>(starts: S::Starts) -> S::Starts;

    /// # Safety
    /// The column was made for the element.
    unsafe fn place<F>(start: NonNull<u8>, index: usize) -> NonNull<F>;
}

/// Returns the addresses at which the columns begin, one after the other.
pub(super) fn addresses<S: Shape>(starts: &mut S::Starts) -> &mut [NonNull<u8>] {
    let count = const {
        let count = S::TREE.count();
        assert!(size_of::<S::Starts>() == count * size_of::<NonNull<u8>>(), "an address a column");
        count
    };
    let first = (&raw mut *starts).cast();
    // SAFETY: starts are as many addresses as the tree has columns, borrowed as they are.
    unsafe { slice::from_raw_parts_mut(first, count) }
}

/// A shape whose values can be cloned: all their fields can. Sealed.
#[doc(hidden)]
pub trait CloneShape: Shape {
    /// # Safety
    /// 1. The element is initialised.
    /// 2. It does not change meanwhile.
    unsafe fn clone_from_columns<A: Arrange>(starts: Self::Starts, index: usize) -> Self::Value;
}

/// Columns that come before others in a group of `L`: none, or a list of shapes. Sealed.
#[doc(hidden)]
pub trait Before<const L: usize>: sealed::Before {
    /// The offset at which their lanes end.
    const END: usize;
}

impl<const L: usize> Before<L> for () {
    const END: usize = 0;
}

impl<B: Before<L>, S: Shape, const L: usize> Before<L> for (B, S) {
    const END: usize = S::TREE.lanes_end(B::END, L);
}

pub(super) mod sealed {
    pub trait Sealed {}

    pub trait Before {}

    impl Before for () {}
    impl<B, S> Before for (B, S) {}
}

/// One column of values of type `T`, which begins at a multiple of `ALIGN`.
#[doc(hidden)]
pub struct Leaf<T, const ALIGN: usize = 1>(PhantomData<T>);

/// The columns of `X`, then those of `Y`.
#[doc(hidden)]
pub struct Pair<X, Y>(PhantomData<(X, Y)>);

/// The columns of another type that has columns.
#[doc(hidden)]
pub struct Nest<S: Soa>(PhantomData<(S, S::Shape)>);

impl<T, const ALIGN: usize> sealed::Sealed for Leaf<T, ALIGN> {}
impl<X, Y> sealed::Sealed for Pair<X, Y> {}
impl<S: Soa> sealed::Sealed for Nest<S> {}

/// Addresses of two shapes, one after the other.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Both<X, Y>(pub(crate) X, pub(crate) Y);

/// The types that borrow from columns, and the functions that make them.
macro_rules! lends {
    (|$starts:ident, $at:ident|
        $($type:ident$([$lanes:ident])?, $name:ident[$($arrange:ident)?] $index:ty: $lent:ty = $made:expr;)*
    ) => {$(
        type $type<'a $(, const $lanes: usize)?>
            = $lent
        where
            Self: 'a;

        #[inline(always)]
        unsafe fn $name<'a, $($arrange: Arrange,)? $(const $lanes: usize)?>(
            $starts: Self::Starts,
            $at: $index,
        ) -> $lent
        where
            Self: 'a,
        {
            // SAFETY: the caller says of all columns what is asked of each.
            unsafe { $made }
        }
    )*};
}

/// Functions that ask the same of all columns of an element, and return nothing that borrows.
macro_rules! asks {
    ($(#[inline$($always:tt)?] $name:ident($starts:ident $(, $given:ident: $type:ty)*) $(-> $answer:ty)? = $made:expr;)*) => {$(
        #[inline$($always)?]
        unsafe fn $name<A: Arrange>($starts: Self::Starts $(, $given: $type)*) $(-> $answer)? {
            // SAFETY: the caller says of all columns what is asked of each.
            unsafe { $made }
        }
    )*};
}

// SAFETY: one column, one address.
unsafe impl<T, const ALIGN: usize> Shape for Leaf<T, ALIGN> {
    type Value = T;
    type Starts = NonNull<u8>;

    const TREE: Tree = Tree::Leaf(ColumnLayout::of::<T>(ALIGN));

    const NOWHERE: NonNull<u8> = NonNull::<T>::dangling().cast();

    lends! {|starts, at|
        Ref, get[A] usize: &'a T = A::place::<T>(starts, at).as_ref();
        RefMut, get_mut[A] usize: &'a mut T = A::place::<T>(starts, at).as_mut();
        Columns, columns[] Range<usize>: &'a [T] =
            slice::from_raw_parts(starts.cast::<T>().add(at.start).as_ptr(), at.len());
        ColumnsMut, columns_mut[] Range<usize>: &'a mut [T] =
            slice::from_raw_parts_mut(starts.cast::<T>().add(at.start).as_ptr(), at.len());
        Lanes[L], lanes[A] usize: &'a [T; L] =
            A::place::<T>(starts, at).cast::<[T; L]>().as_ref();
        LanesMut[L], lanes_mut[A] usize: &'a mut [T; L] =
            A::place::<T>(starts, at).cast::<[T; L]>().as_mut();
    }

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

    asks! {
        #[inline(always)] write(starts, index: usize, value: T) = A::place::<T>(starts, index).write(value);
        #[inline(always)] read(starts, index: usize) -> T = A::place::<T>(starts, index).read();
        // (They may be the same.)
        #[inline(always)] copy(starts, from: usize, to: usize) =
            A::place::<T>(starts, to).copy_from(A::place::<T>(starts, from), 1);
    }

    #[inline]
    unsafe fn drop_range<A: Arrange>(starts: NonNull<u8>, range: Range<usize>) {
        if core::mem::needs_drop::<T>() {
            // SAFETY: (1) the elements are initialised, and (2) the caller gives them up; what needs a drop lies side
            // by side (see `Arrange`).
            unsafe {
                let first = A::place::<T>(starts, range.start);
                NonNull::slice_from_raw_parts(first, range.len()).drop_in_place();
            }
        }
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at<'a>(columns: &'a [T], mid: usize) -> (&'a [T], &'a [T])
    where
        Self: 'a,
    {
        columns.split_at(mid)
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at_mut<'a>(columns: &'a mut [T], mid: usize) -> (&'a mut [T], &'a mut [T])
    where
        Self: 'a,
    {
        columns.split_at_mut(mid)
    }

    #[inline(always)]
    fn columns_iter<'a>(
        columns: &'a [T],
    ) -> impl DoubleEndedIterator<Item = &'a T> + ExactSizeIterator + Clone
    where
        Self: 'a,
    {
        columns.iter()
    }

    #[inline(always)]
    fn columns_iter_mut<'a>(
        columns: &'a mut [T],
    ) -> impl DoubleEndedIterator<Item = &'a mut T> + ExactSizeIterator
    where
        Self: 'a,
    {
        columns.iter_mut()
    }

    #[inline(always)]
    fn columns_of_lanes<'a, const L: usize>(lanes: &'a [T; L]) -> &'a [T]
    where
        Self: 'a,
    {
        lanes
    }

    #[inline(always)]
    fn columns_of_lanes_mut<'a, const L: usize>(lanes: &'a mut [T; L]) -> &'a mut [T]
    where
        Self: 'a,
    {
        lanes
    }
}

impl<T: Clone, const ALIGN: usize> CloneShape for Leaf<T, ALIGN> {
    asks! {
        #[inline] clone_from_columns(starts, index: usize) -> T = Self::get::<A>(starts, index).clone();
    }
}

// SAFETY: the addresses of `X`, then those of `Y`, as in the tree; addresses need no padding.
unsafe impl<X: Shape, Y: Shape> Shape for Pair<X, Y> {
    type Value = (X::Value, Y::Value);
    type Starts = Both<X::Starts, Y::Starts>;

    const TREE: Tree = Tree::pair(&X::TREE, &Y::TREE);

    const NOWHERE: Self::Starts = Both(X::NOWHERE, Y::NOWHERE);

    lends! {|starts, at|
        Ref, get[A] usize: (X::Ref<'a>, Y::Ref<'a>) =
            (X::get::<A>(starts.0, at), Y::get::<A>(starts.1, at));
        RefMut, get_mut[A] usize: (X::RefMut<'a>, Y::RefMut<'a>) =
            (X::get_mut::<A>(starts.0, at), Y::get_mut::<A>(starts.1, at));
        Columns, columns[] Range<usize>: (X::Columns<'a>, Y::Columns<'a>) =
            (X::columns(starts.0, at.clone()), Y::columns(starts.1, at));
        ColumnsMut, columns_mut[] Range<usize>: (X::ColumnsMut<'a>, Y::ColumnsMut<'a>) =
            (X::columns_mut(starts.0, at.clone()), Y::columns_mut(starts.1, at));
        Lanes[L], lanes[A] usize: (X::Lanes<'a, L>, Y::Lanes<'a, L>) =
            (X::lanes::<A, L>(starts.0, at), Y::lanes::<A, L>(starts.1, at));
        LanesMut[L], lanes_mut[A] usize: (X::LanesMut<'a, L>, Y::LanesMut<'a, L>) =
            (X::lanes_mut::<A, L>(starts.0, at), Y::lanes_mut::<A, L>(starts.1, at));
    }

    #[inline(always)]
    fn first(starts: Self::Starts) -> NonNull<u8> {
        X::first(starts.0)
    }

    #[inline(always)]
    fn in_group<B: Before<L>, const L: usize>(group: NonNull<u8>) -> Self::Starts {
        Both(X::in_group::<B, L>(group), Y::in_group::<(B, X), L>(group))
    }

    asks! {
        #[inline(always)] write(starts, index: usize, value: Self::Value) = {
            X::write::<A>(starts.0, index, value.0);
            Y::write::<A>(starts.1, index, value.1);
        };
        #[inline(always)] read(starts, index: usize) -> Self::Value =
            (X::read::<A>(starts.0, index), Y::read::<A>(starts.1, index));
        #[inline(always)] copy(starts, from: usize, to: usize) = {
            X::copy::<A>(starts.0, from, to);
            Y::copy::<A>(starts.1, from, to);
        };
    }

    #[inline]
    unsafe fn drop_range<A: Arrange>(starts: Self::Starts, range: Range<usize>) {
        /// The second half is dropped in any case.
        struct Rest<Y: Shape, A: Arrange>(Y::Starts, Range<usize>, PhantomData<A>);

        impl<Y: Shape, A: Arrange> Drop for Rest<Y, A> {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: (1, 2) the caller of the function that makes it gives the elements up.
                unsafe { Y::drop_range::<A>(self.0, self.1.clone()) };
            }
        }

        let _rest = Rest::<Y, A>(starts.1, range.clone(), PhantomData);
        // SAFETY: (1, 2) the caller gives the elements up, in all columns.
        unsafe { X::drop_range::<A>(starts.0, range) };
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at<'a>(
        columns: Self::Columns<'a>,
        mid: usize,
    ) -> (Self::Columns<'a>, Self::Columns<'a>)
    where
        Self: 'a,
    {
        let (first, first_rest) = X::columns_split_at(columns.0, mid);
        let (second, second_rest) = Y::columns_split_at(columns.1, mid);
        ((first, second), (first_rest, second_rest))
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at_mut<'a>(
        columns: Self::ColumnsMut<'a>,
        mid: usize,
    ) -> (Self::ColumnsMut<'a>, Self::ColumnsMut<'a>)
    where
        Self: 'a,
    {
        let (first, first_rest) = X::columns_split_at_mut(columns.0, mid);
        let (second, second_rest) = Y::columns_split_at_mut(columns.1, mid);
        ((first, second), (first_rest, second_rest))
    }

    #[inline(always)]
    fn columns_iter<'a>(
        columns: Self::Columns<'a>,
    ) -> impl DoubleEndedIterator<Item = Self::Ref<'a>> + ExactSizeIterator + Clone
    where
        Self: 'a,
    {
        X::columns_iter(columns.0).zip(Y::columns_iter(columns.1))
    }

    #[inline(always)]
    fn columns_iter_mut<'a>(
        columns: Self::ColumnsMut<'a>,
    ) -> impl DoubleEndedIterator<Item = Self::RefMut<'a>> + ExactSizeIterator
    where
        Self: 'a,
    {
        X::columns_iter_mut(columns.0).zip(Y::columns_iter_mut(columns.1))
    }

    #[inline(always)]
    fn columns_of_lanes<'a, const L: usize>(lanes: Self::Lanes<'a, L>) -> Self::Columns<'a>
    where
        Self: 'a,
    {
        (X::columns_of_lanes(lanes.0), Y::columns_of_lanes(lanes.1))
    }

    #[inline(always)]
    fn columns_of_lanes_mut<'a, const L: usize>(
        lanes: Self::LanesMut<'a, L>,
    ) -> Self::ColumnsMut<'a>
    where
        Self: 'a,
    {
        (X::columns_of_lanes_mut(lanes.0), Y::columns_of_lanes_mut(lanes.1))
    }
}

impl<X: CloneShape, Y: CloneShape> CloneShape for Pair<X, Y> {
    asks! {
        #[inline] clone_from_columns(starts, index: usize) -> Self::Value = {
            let first = X::clone_from_columns::<A>(starts.0, index);
            (first, Y::clone_from_columns::<A>(starts.1, index))
        };
    }
}

// SAFETY: the addresses and the tree are those of the other type's shape.
unsafe impl<S: Soa> Shape for Nest<S> {
    type Value = S;
    type Starts = <S::Shape as Shape>::Starts;

    const TREE: Tree = S::Shape::TREE;

    const NOWHERE: Self::Starts = S::Shape::NOWHERE;

    lends! {|starts, at|
        Ref, get[A] usize: view::Ref<'a, S> = FromFields::from_parts(S::Shape::get::<A>(starts, at));
        RefMut, get_mut[A] usize: view::RefMut<'a, S> = FromFields::from_parts(S::Shape::get_mut::<A>(starts, at));
        Columns, columns[] Range<usize>: view::Columns<'a, S> = FromFields::from_parts(S::Shape::columns(starts, at));
        ColumnsMut, columns_mut[] Range<usize>: view::ColumnsMut<'a, S> =
            FromFields::from_parts(S::Shape::columns_mut(starts, at));
        Lanes[L], lanes[A] usize: view::Lanes<'a, S, L> =
            FromFields::from_parts(S::Shape::lanes::<A, L>(starts, at));
        LanesMut[L], lanes_mut[A] usize: view::LanesMut<'a, S, L> =
            FromFields::from_parts(S::Shape::lanes_mut::<A, L>(starts, at));
    }

    #[inline(always)]
    fn first(starts: Self::Starts) -> NonNull<u8> {
        S::Shape::first(starts)
    }

    #[inline(always)]
    fn in_group<B: Before<L>, const L: usize>(group: NonNull<u8>) -> Self::Starts {
        S::Shape::in_group::<B, L>(group)
    }

    asks! {
        #[inline(always)] write(starts, index: usize, value: S) =
            S::Shape::write::<A>(starts, index, conversion(|| S::View::into_parts(value)));
        #[inline(always)] read(starts, index: usize) -> S = {
            let parts = S::Shape::read::<A>(starts, index);
            conversion(|| S::View::from_parts(parts))
        };
        #[inline(always)] copy(starts, from: usize, to: usize) = S::Shape::copy::<A>(starts, from, to);
        #[inline] drop_range(starts, range: Range<usize>) = S::Shape::drop_range::<A>(starts, range);
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at<'a>(
        columns: Self::Columns<'a>,
        mid: usize,
    ) -> (Self::Columns<'a>, Self::Columns<'a>)
    where
        Self: 'a,
    {
        let (before, after) = S::Shape::columns_split_at(columns.into_parts(), mid);
        (FromFields::from_parts(before), FromFields::from_parts(after))
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at_mut<'a>(
        columns: Self::ColumnsMut<'a>,
        mid: usize,
    ) -> (Self::ColumnsMut<'a>, Self::ColumnsMut<'a>)
    where
        Self: 'a,
    {
        let (before, after) = S::Shape::columns_split_at_mut(columns.into_parts(), mid);
        (FromFields::from_parts(before), FromFields::from_parts(after))
    }

    #[inline(always)]
    fn columns_iter<'a>(
        columns: Self::Columns<'a>,
    ) -> impl DoubleEndedIterator<Item = Self::Ref<'a>> + ExactSizeIterator + Clone
    where
        Self: 'a,
    {
        S::Shape::columns_iter(columns.into_parts()).map(FromFields::from_parts)
    }

    #[inline(always)]
    fn columns_iter_mut<'a>(
        columns: Self::ColumnsMut<'a>,
    ) -> impl DoubleEndedIterator<Item = Self::RefMut<'a>> + ExactSizeIterator
    where
        Self: 'a,
    {
        S::Shape::columns_iter_mut(columns.into_parts()).map(FromFields::from_parts)
    }

    #[inline(always)]
    fn columns_of_lanes<'a, const L: usize>(lanes: Self::Lanes<'a, L>) -> Self::Columns<'a>
    where
        Self: 'a,
    {
        FromFields::from_parts(S::Shape::columns_of_lanes(lanes.into_parts()))
    }

    #[inline(always)]
    fn columns_of_lanes_mut<'a, const L: usize>(
        lanes: Self::LanesMut<'a, L>,
    ) -> Self::ColumnsMut<'a>
    where
        Self: 'a,
    {
        FromFields::from_parts(S::Shape::columns_of_lanes_mut(lanes.into_parts()))
    }
}

impl<S: Soa> CloneShape for Nest<S>
where
    S::Shape: CloneShape,
{
    asks! {
        #[inline] clone_from_columns(starts, index: usize) -> S = {
            let parts = S::Shape::clone_from_columns::<A>(starts, index);
            conversion(|| S::View::from_parts(parts))
        };
    }
}
