//! The types that borrow values in columns, and the functions between them.
//!
//! [`Soa::View`] names the type that implements both traits for a value: [`Same`] for a value of one column, which is
//! borrowed as any other value is, and the value's own type for tuples and derived structs.
//!
//! In code for any type with columns, write [`Ref<'a, T>`](Ref) and [`Columns<'a, T>`](Columns).
//!
//! # Examples
//! ```
//! use larder::{DenseSoaArena, Soa, soa::view};
//!
//! fn first<T: Soa>(arena: &DenseSoaArena<T>) -> Option<view::Ref<'_, T>> {
//!     arena.values().next()
//! }
//! assert_eq!(first(&DenseSoaArena::from_iter([(1.5_f32, 'a')])), Some((&1.5, &'a')));
//! ```

use super::Soa;
use crate::raw::columns::shape::{Leaf, Shape};

/// A reference to each field of one value: `&T` for one column, a tuple of references for a tuple, the struct
/// `ParticleRef` for a derived struct `Particle`.
pub type Ref<'a, T> = <<T as Soa>::View as Forms<'a, T>>::Ref;

/// A mutable reference to each field of one value.
pub type RefMut<'a, T> = <<T as Soa>::View as Forms<'a, T>>::RefMut;

/// Each column as a slice.
pub type Columns<'a, T> = <<T as Soa>::View as Forms<'a, T>>::Columns;

/// Each column as a mutable slice.
pub type ColumnsMut<'a, T> = <<T as Soa>::View as Forms<'a, T>>::ColumnsMut;

/// `L` values of each column, as a reference to an array.
pub type Lanes<'a, T, const L: usize> = <<T as Soa>::View as Forms<'a, T>>::Lanes<L>;

/// `L` values of each column, as a mutable reference to an array.
pub type LanesMut<'a, T, const L: usize> = <<T as Soa>::View as Forms<'a, T>>::LanesMut<L>;

/// The values of a shape.
#[doc(hidden)]
pub type Parts<T> = <<T as Soa>::Shape as Shape>::Value;

/// The types that borrow a `T` for `'a`.
///
/// The lifetime is a parameter of the trait and not of its types, and `Implied` says that `T` lives for `'a`, so that
/// a closure can be given a [`Ref`] of any lifetime although `T` borrows something itself.
///
/// # Examples
/// ```
/// use larder::{SoaArena, Soa, soa::{Fill, view::Forms}};
///
/// /// Prints the fields of every value.
/// fn show<T: Soa + Fill>(arena: &SoaArena<T>) -> Vec<String>
/// where
///     for<'a> T::View: Forms<'a, T, Ref: core::fmt::Debug>,
/// {
///     arena.values().map(|fields| format!("{fields:?}")).collect()
/// }
/// assert_eq!(show(&SoaArena::from_iter([(1, 'a')])), ["(1, 'a')"]);
/// ```
pub trait Forms<'a, T, Implied = &'a T> {
    /// See [`Ref`].
    type Ref: Copy;
    /// See [`RefMut`].
    type RefMut;
    /// See [`Columns`].
    type Columns: Copy;
    /// See [`ColumnsMut`].
    type ColumnsMut;
    /// See [`Lanes`].
    type Lanes<const L: usize>: Copy;
    /// See [`LanesMut`].
    type LanesMut<const L: usize>;
}

/// The functions that make what borrows a `T` of what borrows its columns, and of one another.
///
/// They are called by containers and by the methods of derived structs. Implementations are derived.
///
/// # Examples
/// ```
/// use larder::{DenseSoaArena, Soa, soa::view::View};
///
/// #[derive(Soa)]
/// struct Body(f32, char);
///
/// fn is_its_own_view<T: View<T> + Soa<View = T>>(_: &DenseSoaArena<T>) {}
/// is_its_own_view(&DenseSoaArena::from_iter([Body(1.5, 'a')]));
/// ```
pub trait View<T: Soa<View = Self>>: for<'a> Forms<'a, T> {
    #[doc(hidden)]
    fn into_parts(value: T) -> Parts<T>;
    #[doc(hidden)]
    fn from_parts(parts: Parts<T>) -> T;
    #[doc(hidden)]
    fn lend(value: &T) -> Ref<'_, T>;

    #[doc(hidden)]
    fn make_ref<'a>(parts: <T::Shape as Shape>::Ref<'a>) -> Ref<'a, T>
    where
        T: 'a;
    #[doc(hidden)]
    fn make_ref_mut<'a>(parts: <T::Shape as Shape>::RefMut<'a>) -> RefMut<'a, T>
    where
        T: 'a;
    #[doc(hidden)]
    fn make_columns<'a>(parts: <T::Shape as Shape>::Columns<'a>) -> Columns<'a, T>
    where
        T: 'a;
    #[doc(hidden)]
    fn make_columns_mut<'a>(parts: <T::Shape as Shape>::ColumnsMut<'a>) -> ColumnsMut<'a, T>
    where
        T: 'a;
    #[doc(hidden)]
    fn make_lanes<'a, const L: usize>(parts: <T::Shape as Shape>::Lanes<'a, L>) -> Lanes<'a, T, L>
    where
        T: 'a;
    #[doc(hidden)]
    fn make_lanes_mut<'a, const L: usize>(
        parts: <T::Shape as Shape>::LanesMut<'a, L>,
    ) -> LanesMut<'a, T, L>
    where
        T: 'a;

    #[doc(hidden)]
    fn ref_of_mut<'a, 'b: 'a>(from: &'a RefMut<'b, T>) -> Ref<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn ref_reborrow<'a, 'b: 'a>(from: &'a mut RefMut<'b, T>) -> RefMut<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn ref_replace<'a>(to: &mut RefMut<'a, T>, value: T) -> T
    where
        T: 'a;

    #[doc(hidden)]
    fn columns_len<'a>(columns: Columns<'a, T>) -> usize
    where
        T: 'a;
    #[doc(hidden)]
    fn columns_get<'a>(columns: Columns<'a, T>, index: usize) -> Option<Ref<'a, T>>
    where
        T: 'a;
    #[doc(hidden)]
    fn columns_get_mut<'a>(columns: ColumnsMut<'a, T>, index: usize) -> Option<RefMut<'a, T>>
    where
        T: 'a;
    #[doc(hidden)]
    #[track_caller]
    fn columns_split_at<'a>(
        columns: Columns<'a, T>,
        mid: usize,
    ) -> (Columns<'a, T>, Columns<'a, T>)
    where
        T: 'a;
    #[doc(hidden)]
    #[track_caller]
    fn columns_split_at_mut<'a>(
        columns: ColumnsMut<'a, T>,
        mid: usize,
    ) -> (ColumnsMut<'a, T>, ColumnsMut<'a, T>)
    where
        T: 'a;
    #[doc(hidden)]
    fn columns_iter<'a>(
        columns: Columns<'a, T>,
    ) -> impl DoubleEndedIterator<Item = Ref<'a, T>> + ExactSizeIterator + Clone
    where
        T: 'a;
    #[doc(hidden)]
    fn columns_iter_mut<'a>(
        columns: ColumnsMut<'a, T>,
    ) -> impl DoubleEndedIterator<Item = RefMut<'a, T>> + ExactSizeIterator
    where
        T: 'a;

    #[doc(hidden)]
    fn columns_of_mut<'a, 'b: 'a>(from: &'a ColumnsMut<'b, T>) -> Columns<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn columns_reborrow<'a, 'b: 'a>(from: &'a mut ColumnsMut<'b, T>) -> ColumnsMut<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn columns_of_lanes<'a, const L: usize>(lanes: Lanes<'a, T, L>) -> Columns<'a, T>
    where
        T: 'a;
    #[doc(hidden)]
    fn columns_of_lanes_mut<'a, 'b: 'a, const L: usize>(
        from: &'a LanesMut<'b, T, L>,
    ) -> Columns<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn columns_mut_of_lanes_mut<'a, 'b: 'a, const L: usize>(
        from: &'a mut LanesMut<'b, T, L>,
    ) -> ColumnsMut<'a, T>
    where
        T: 'b;
}

/// The view of a value that is one column: references and slices, as of any other value.
///
/// # Examples
/// ```
/// use larder::{Soa, soa::view::{Ref, Same}};
///
/// fn first<T: Soa<View = Same>>(values: &[T]) -> Option<Ref<'_, T>> {
///     values.first() // a `&T`
/// }
/// assert_eq!(first(&[1.5, 2.5]), Some(&1.5));
/// ```
#[derive(Debug)]
pub struct Same;

impl<'a, T> Forms<'a, T> for Same {
    type Ref = &'a T;
    type RefMut = &'a mut T;
    type Columns = &'a [T];
    type ColumnsMut = &'a mut [T];
    type Lanes<const L: usize> = &'a [T; L];
    type LanesMut<const L: usize> = &'a mut [T; L];
}

impl<T: Soa<Shape = Leaf<T>, View = Self>> View<T> for Same {
    #[inline(always)]
    fn into_parts(value: T) -> T {
        value
    }

    #[inline(always)]
    fn from_parts(parts: T) -> T {
        parts
    }

    #[inline(always)]
    fn lend(value: &T) -> &T {
        value
    }

    #[inline(always)]
    fn make_ref<'a>(parts: &'a T) -> &'a T
    where
        T: 'a,
    {
        parts
    }

    #[inline(always)]
    fn make_ref_mut<'a>(parts: &'a mut T) -> &'a mut T
    where
        T: 'a,
    {
        parts
    }

    #[inline(always)]
    fn make_columns<'a>(parts: &'a [T]) -> &'a [T]
    where
        T: 'a,
    {
        parts
    }

    #[inline(always)]
    fn make_columns_mut<'a>(parts: &'a mut [T]) -> &'a mut [T]
    where
        T: 'a,
    {
        parts
    }

    #[inline(always)]
    fn make_lanes<'a, const L: usize>(parts: &'a [T; L]) -> &'a [T; L]
    where
        T: 'a,
    {
        parts
    }

    #[inline(always)]
    fn make_lanes_mut<'a, const L: usize>(parts: &'a mut [T; L]) -> &'a mut [T; L]
    where
        T: 'a,
    {
        parts
    }

    #[inline(always)]
    fn ref_of_mut<'a, 'b: 'a>(from: &'a &'b mut T) -> &'a T
    where
        T: 'b,
    {
        from
    }

    #[inline(always)]
    fn ref_reborrow<'a, 'b: 'a>(from: &'a mut &'b mut T) -> &'a mut T
    where
        T: 'b,
    {
        from
    }

    #[inline(always)]
    fn ref_replace<'a>(to: &mut &'a mut T, value: T) -> T
    where
        T: 'a,
    {
        core::mem::replace(*to, value)
    }

    #[inline(always)]
    fn columns_len<'a>(columns: &'a [T]) -> usize
    where
        T: 'a,
    {
        columns.len()
    }

    #[inline(always)]
    fn columns_get<'a>(columns: &'a [T], index: usize) -> Option<&'a T>
    where
        T: 'a,
    {
        columns.get(index)
    }

    #[inline(always)]
    fn columns_get_mut<'a>(columns: &'a mut [T], index: usize) -> Option<&'a mut T>
    where
        T: 'a,
    {
        columns.get_mut(index)
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at<'a>(columns: &'a [T], mid: usize) -> (&'a [T], &'a [T])
    where
        T: 'a,
    {
        columns.split_at(mid)
    }

    #[inline(always)]
    #[track_caller]
    fn columns_split_at_mut<'a>(columns: &'a mut [T], mid: usize) -> (&'a mut [T], &'a mut [T])
    where
        T: 'a,
    {
        columns.split_at_mut(mid)
    }

    #[inline(always)]
    fn columns_iter<'a>(
        columns: &'a [T],
    ) -> impl DoubleEndedIterator<Item = &'a T> + ExactSizeIterator + Clone
    where
        T: 'a,
    {
        columns.iter()
    }

    #[inline(always)]
    fn columns_iter_mut<'a>(
        columns: &'a mut [T],
    ) -> impl DoubleEndedIterator<Item = &'a mut T> + ExactSizeIterator
    where
        T: 'a,
    {
        columns.iter_mut()
    }

    #[inline(always)]
    fn columns_of_mut<'a, 'b: 'a>(from: &'a &'b mut [T]) -> &'a [T]
    where
        T: 'b,
    {
        from
    }

    #[inline(always)]
    fn columns_reborrow<'a, 'b: 'a>(from: &'a mut &'b mut [T]) -> &'a mut [T]
    where
        T: 'b,
    {
        from
    }

    #[inline(always)]
    fn columns_of_lanes<'a, const L: usize>(lanes: &'a [T; L]) -> &'a [T]
    where
        T: 'a,
    {
        lanes
    }

    #[inline(always)]
    fn columns_of_lanes_mut<'a, 'b: 'a, const L: usize>(from: &'a &'b mut [T; L]) -> &'a [T]
    where
        T: 'b,
    {
        *from
    }

    #[inline(always)]
    fn columns_mut_of_lanes_mut<'a, 'b: 'a, const L: usize>(
        from: &'a mut &'b mut [T; L],
    ) -> &'a mut [T]
    where
        T: 'b,
    {
        *from
    }
}
