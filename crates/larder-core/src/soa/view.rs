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
use crate::soa::raw::shape::{Leaf, Shape};

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
pub trait Forms<'a, T: Soa + 'a, Implied = &'a T> {
    /// See [`Ref`].
    type Ref: Copy + FromFields<Parts = <T::Shape as Shape>::Ref<'a>>;
    /// See [`RefMut`].
    type RefMut: FromFields<Parts = <T::Shape as Shape>::RefMut<'a>>;
    /// See [`Columns`].
    type Columns: Copy + IntoFields<Parts = <T::Shape as Shape>::Columns<'a>>;
    /// See [`ColumnsMut`].
    type ColumnsMut: IntoFields<Parts = <T::Shape as Shape>::ColumnsMut<'a>>;
    /// See [`Lanes`].
    type Lanes<const L: usize>: Copy + IntoFields<Parts = <T::Shape as Shape>::Lanes<'a, L>>;
    /// See [`LanesMut`].
    type LanesMut<const L: usize>: IntoFields<Parts = <T::Shape as Shape>::LanesMut<'a, L>>;
}

/// Made of the parts of a shape: what borrows fields, of what borrows each of them.
///
/// # Examples
/// ```
/// use larder::soa::view::FromFields;
///
/// assert_eq!(<(&u8, &char, &str)>::from_parts((&1, (&'a', "b"))), (&1, &'a', "b"));
/// ```
#[doc(hidden)]
pub trait FromFields {
    type Parts;

    fn from_parts(parts: Self::Parts) -> Self;
}

/// Taken apart again.
///
/// # Examples
/// ```
/// use larder::soa::view::IntoFields;
///
/// assert_eq!((&1, &'a', "b").into_parts(), (&1, (&'a', "b")));
/// ```
#[doc(hidden)]
pub trait IntoFields: FromFields {
    fn into_parts(self) -> Self::Parts;
}

/// One column.
impl<T: ?Sized> FromFields for &T {
    type Parts = Self;

    #[inline(always)]
    fn from_parts(parts: Self) -> Self {
        parts
    }
}

impl<T: ?Sized> IntoFields for &T {
    #[inline(always)]
    fn into_parts(self) -> Self {
        self
    }
}

/// One column.
impl<T: ?Sized> FromFields for &mut T {
    type Parts = Self;

    #[inline(always)]
    fn from_parts(parts: Self) -> Self {
        parts
    }
}

impl<T: ?Sized> IntoFields for &mut T {
    #[inline(always)]
    fn into_parts(self) -> Self {
        self
    }
}

/// The functions that take a `T` apart, put it together, lend it, and lend anew what borrows it exclusively.
///
/// They are called by containers and by the methods of derived structs. Implementations are derived. (What else is
/// done with columns follows from their shape.)
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
    fn columns_of_mut<'a, 'b: 'a>(from: &'a ColumnsMut<'b, T>) -> Columns<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn columns_reborrow<'a, 'b: 'a>(from: &'a mut ColumnsMut<'b, T>) -> ColumnsMut<'a, T>
    where
        T: 'b;
    #[doc(hidden)]
    fn lanes_of_mut<'a, 'b: 'a, const L: usize>(from: &'a LanesMut<'b, T, L>) -> Lanes<'a, T, L>
    where
        T: 'b;
    #[doc(hidden)]
    fn lanes_reborrow<'a, 'b: 'a, const L: usize>(
        from: &'a mut LanesMut<'b, T, L>,
    ) -> LanesMut<'a, T, L>
    where
        T: 'b;
}

/// The view of a value that is one column: references and slices, as of any other value. See [`OneColumn`].
///
/// # Examples
/// ```
/// use larder::{Soa, soa::view::Same};
///
/// fn is_one_column<T: Soa<View = Same>>() {}
/// is_one_column::<f32>();
/// is_one_column::<[u8; 4]>();
/// ```
#[derive(Debug)]
pub struct Same;

/// A type that is one column, and is borrowed as any other value is: its [`Ref`] is `&T`, its [`Columns`] are `&[T]`.
///
/// # Examples
/// ```
/// use larder::soa::view::{OneColumn, Ref};
///
/// fn first<T: OneColumn>(values: &[T]) -> Option<Ref<'_, T>> {
///     values.first() // a `&T`
/// }
/// assert_eq!(first(&[1.5, 2.5]), Some(&1.5));
/// ```
pub trait OneColumn: Soa<Shape = Leaf<Self>, View = Same> {}

impl<T: Soa<Shape = Leaf<T>, View = Same>> OneColumn for T {}

impl<'a, T: Soa<Shape = Leaf<T>, View = Self>> Forms<'a, T> for Same {
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
    fn lanes_of_mut<'a, 'b: 'a, const L: usize>(from: &'a &'b mut [T; L]) -> &'a [T; L]
    where
        T: 'b,
    {
        from
    }

    #[inline(always)]
    fn lanes_reborrow<'a, 'b: 'a, const L: usize>(from: &'a mut &'b mut [T; L]) -> &'a mut [T; L]
    where
        T: 'b,
    {
        from
    }
}
