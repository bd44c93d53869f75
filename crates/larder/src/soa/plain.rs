//! `Soa` for types that need no derive: one column for a primitive or an array, one a field for a
//! tuple.

use core::marker::PhantomData;
use core::num::Wrapping;

use super::{Fill, Parts, Soa};
use crate::key::{BareHandle, Handle, Handle32, Serial};
use crate::raw::columns::arrange::Split;
use crate::raw::columns::shape::{Leaf, Pair, Shape};

/// One column. (Exported for `key_type!`.)
#[doc(hidden)]
#[macro_export]
macro_rules! __one_column {
    ($([$($generics:tt)*] $type:ty;)*) => {
        $(impl<$($generics)*> $crate::Soa for $type {
            type Shape = $crate::soa::derived::Leaf<Self>;
            type Arrangement = $crate::soa::Split;
            type Ref<'a> = &'a Self where Self: 'a;
            type RefMut<'a> = &'a mut Self where Self: 'a;
            type Columns<'a> = &'a [Self] where Self: 'a;
            type ColumnsMut<'a> = &'a mut [Self] where Self: 'a;
            type Lanes<'a, const L: usize> = &'a [Self; L] where Self: 'a;
            type LanesMut<'a, const L: usize> = &'a mut [Self; L] where Self: 'a;

            #[inline(always)]
            fn into_parts(self) -> Self {
                self
            }

            #[inline(always)]
            fn from_parts(parts: Self) -> Self {
                parts
            }

            #[inline(always)]
            fn make_ref<'a>(parts: &'a Self) -> &'a Self
            where
                Self: 'a,
            {
                parts
            }

            #[inline(always)]
            fn make_ref_mut<'a>(parts: &'a mut Self) -> &'a mut Self
            where
                Self: 'a,
            {
                parts
            }

            #[inline(always)]
            fn make_columns<'a>(parts: &'a [Self]) -> &'a [Self]
            where
                Self: 'a,
            {
                parts
            }

            #[inline(always)]
            fn make_columns_mut<'a>(parts: &'a mut [Self]) -> &'a mut [Self]
            where
                Self: 'a,
            {
                parts
            }

            #[inline(always)]
            fn make_lanes<'a, const L: usize>(parts: &'a [Self; L]) -> &'a [Self; L]
            where
                Self: 'a,
            {
                parts
            }

            #[inline(always)]
            fn make_lanes_mut<'a, const L: usize>(parts: &'a mut [Self; L]) -> &'a mut [Self; L]
            where
                Self: 'a,
            {
                parts
            }

            #[inline(always)]
            fn lend(&self) -> &Self {
                self
            }

            #[inline(always)]
            fn ref_of_mut<'a, 'b: 'a>(from: &'a &'b mut Self) -> &'a Self
            where
                Self: 'b,
            {
                from
            }

            #[inline(always)]
            fn ref_reborrow<'a, 'b: 'a>(from: &'a mut &'b mut Self) -> &'a mut Self
            where
                Self: 'b,
            {
                from
            }

            #[inline]
            fn ref_replace<'a>(to: &mut &'a mut Self, value: Self) -> Self
            where
                Self: 'a,
            {
                ::core::mem::replace(*to, value)
            }

            #[inline(always)]
            fn columns_len<'a>(columns: &'a [Self]) -> usize
            where
                Self: 'a,
            {
                columns.len()
            }

            #[inline]
            fn columns_get<'a>(columns: &'a [Self], index: usize) -> Option<&'a Self>
            where
                Self: 'a,
            {
                columns.get(index)
            }

            #[inline]
            fn columns_get_mut<'a>(columns: &'a mut [Self], index: usize) -> Option<&'a mut Self>
            where
                Self: 'a,
            {
                columns.get_mut(index)
            }

            #[inline]
            #[track_caller]
            fn columns_split_at<'a>(columns: &'a [Self], mid: usize) -> (&'a [Self], &'a [Self])
            where
                Self: 'a,
            {
                columns.split_at(mid)
            }

            #[inline]
            #[track_caller]
            fn columns_split_at_mut<'a>(
                columns: &'a mut [Self],
                mid: usize,
            ) -> (&'a mut [Self], &'a mut [Self])
            where
                Self: 'a,
            {
                columns.split_at_mut(mid)
            }

            #[inline]
            fn columns_iter<'a>(
                columns: &'a [Self],
            ) -> impl DoubleEndedIterator<Item = &'a Self> + ExactSizeIterator + Clone
            where
                Self: 'a,
            {
                columns.iter()
            }

            #[inline]
            fn columns_iter_mut<'a>(
                columns: &'a mut [Self],
            ) -> impl DoubleEndedIterator<Item = &'a mut Self> + ExactSizeIterator
            where
                Self: 'a,
            {
                columns.iter_mut()
            }

            #[inline(always)]
            fn columns_of_mut<'a, 'b: 'a>(from: &'a &'b mut [Self]) -> &'a [Self]
            where
                Self: 'b,
            {
                from
            }

            #[inline(always)]
            fn columns_reborrow<'a, 'b: 'a>(from: &'a mut &'b mut [Self]) -> &'a mut [Self]
            where
                Self: 'b,
            {
                from
            }

            #[inline(always)]
            fn columns_of_lanes<'a, const L: usize>(lanes: &'a [Self; L]) -> &'a [Self]
            where
                Self: 'a,
            {
                lanes
            }

            #[inline(always)]
            fn columns_of_lanes_mut<'a, 'b: 'a, const L: usize>(
                from: &'a &'b mut [Self; L],
            ) -> &'a [Self]
            where
                Self: 'b,
            {
                *from
            }

            #[inline(always)]
            fn columns_mut_of_lanes_mut<'a, 'b: 'a, const L: usize>(
                from: &'a mut &'b mut [Self; L],
            ) -> &'a mut [Self]
            where
                Self: 'b,
            {
                *from
            }
        })*
    };
}

__one_column! {
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [] f32; [] f64; [] bool; [] char; [] ();
    [T, const N: usize] [T; N];
    [T] Option<T>;
    [T: ?Sized] PhantomData<T>;
    [T] Wrapping<T>;
    [M] Handle<M>;
    [M, const INDEX_BITS: u32] Handle32<M, INDEX_BITS>;
    [M] Serial<M>;
    [M] BareHandle<M>;
    ['s] &'s str;
}

#[cfg(feature = "alloc")]
__one_column! {
    [] alloc::string::String;
    [T] alloc::vec::Vec<T>;
    [T] alloc::boxed::Box<T>;
}

/// A right-hand list of pairs.
macro_rules! pairs {
    ($last:ident) => { $last };
    ($first:ident $($rest:ident)+) => { ($first, pairs!($($rest)*)) };
}

macro_rules! pair_types {
    ($last:ident) => { Leaf<$last> };
    ($first:ident $($rest:ident)+) => { Pair<Leaf<$first>, pair_types!($($rest)*)> };
}

/// Iterators over slices, zipped to pairs.
macro_rules! zips {
    ($last:ident) => { $last.into_iter() };
    ($first:ident $($rest:ident)+) => { $first.into_iter().zip(zips!($($rest)*)) };
}

/// A column for each field.
macro_rules! tuple {
    ($($field:ident $other:ident)*) => {
        #[expect(non_snake_case, reason = "types and the variables of those types")]
        impl<$($field),*> Soa for ($($field,)*) {
            type Shape = pair_types!($($field)*);
            type Arrangement = Split;
            type Ref<'a> = ($(&'a $field,)*) where Self: 'a;
            type RefMut<'a> = ($(&'a mut $field,)*) where Self: 'a;
            type Columns<'a> = ($(&'a [$field],)*) where Self: 'a;
            type ColumnsMut<'a> = ($(&'a mut [$field],)*) where Self: 'a;
            type Lanes<'a, const L: usize> = ($(&'a [$field; L],)*) where Self: 'a;
            type LanesMut<'a, const L: usize> = ($(&'a mut [$field; L],)*) where Self: 'a;

            #[inline(always)]
            fn into_parts(self) -> Parts<Self> {
                let ($($field,)*) = self;
                pairs!($($field)*)
            }

            #[inline(always)]
            fn from_parts(pairs!($($field)*): Parts<Self>) -> Self {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_ref<'a>(
                pairs!($($field)*): <Self::Shape as Shape>::Ref<'a>,
            ) -> Self::Ref<'a>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_ref_mut<'a>(
                pairs!($($field)*): <Self::Shape as Shape>::RefMut<'a>,
            ) -> Self::RefMut<'a>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_columns<'a>(
                pairs!($($field)*): <Self::Shape as Shape>::Columns<'a>,
            ) -> Self::Columns<'a>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_columns_mut<'a>(
                pairs!($($field)*): <Self::Shape as Shape>::ColumnsMut<'a>,
            ) -> Self::ColumnsMut<'a>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_lanes<'a, const L: usize>(
                pairs!($($field)*): <Self::Shape as Shape>::Lanes<'a, L>,
            ) -> Self::Lanes<'a, L>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_lanes_mut<'a, const L: usize>(
                pairs!($($field)*): <Self::Shape as Shape>::LanesMut<'a, L>,
            ) -> Self::LanesMut<'a, L>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn lend(&self) -> Self::Ref<'_> {
                let ($($field,)*) = self;
                ($($field,)*)
            }

            #[inline(always)]
            fn ref_of_mut<'a, 'b: 'a>(($($field,)*): &'a Self::RefMut<'b>) -> Self::Ref<'a>
            where
                Self: 'b,
            {
                ($(&**$field,)*)
            }

            #[inline(always)]
            fn ref_reborrow<'a, 'b: 'a>(
                ($($field,)*): &'a mut Self::RefMut<'b>,
            ) -> Self::RefMut<'a>
            where
                Self: 'b,
            {
                ($(&mut **$field,)*)
            }

            #[inline]
            fn ref_replace<'a>(($($field,)*): &mut Self::RefMut<'a>, value: Self) -> Self
            where
                Self: 'a,
            {
                let ($($other,)*) = value;
                ($(core::mem::replace(*$field, $other),)*)
            }

            #[inline(always)]
            fn columns_len<'a>(columns: Self::Columns<'a>) -> usize
            where
                Self: 'a,
            {
                columns.0.len()
            }

            #[inline]
            fn columns_get<'a>(
                ($($field,)*): Self::Columns<'a>,
                index: usize,
            ) -> Option<Self::Ref<'a>>
            where
                Self: 'a,
            {
                Some(($($field.get(index)?,)*))
            }

            #[inline]
            fn columns_get_mut<'a>(
                ($($field,)*): Self::ColumnsMut<'a>,
                index: usize,
            ) -> Option<Self::RefMut<'a>>
            where
                Self: 'a,
            {
                Some(($($field.get_mut(index)?,)*))
            }

            #[inline]
            #[track_caller]
            fn columns_split_at<'a>(
                ($($field,)*): Self::Columns<'a>,
                mid: usize,
            ) -> (Self::Columns<'a>, Self::Columns<'a>)
            where
                Self: 'a,
            {
                $(let ($field, $other) = $field.split_at(mid);)*
                (($($field,)*), ($($other,)*))
            }

            #[inline]
            #[track_caller]
            fn columns_split_at_mut<'a>(
                ($($field,)*): Self::ColumnsMut<'a>,
                mid: usize,
            ) -> (Self::ColumnsMut<'a>, Self::ColumnsMut<'a>)
            where
                Self: 'a,
            {
                $(let ($field, $other) = $field.split_at_mut(mid);)*
                (($($field,)*), ($($other,)*))
            }

            #[inline]
            fn columns_iter<'a>(
                ($($field,)*): Self::Columns<'a>,
            ) -> impl DoubleEndedIterator<Item = Self::Ref<'a>> + ExactSizeIterator + Clone
            where
                Self: 'a,
            {
                zips!($($field)*).map(Self::make_ref)
            }

            #[inline]
            fn columns_iter_mut<'a>(
                ($($field,)*): Self::ColumnsMut<'a>,
            ) -> impl DoubleEndedIterator<Item = Self::RefMut<'a>> + ExactSizeIterator
            where
                Self: 'a,
            {
                zips!($($field)*).map(Self::make_ref_mut)
            }

            #[inline(always)]
            fn columns_of_mut<'a, 'b: 'a>(
                ($($field,)*): &'a Self::ColumnsMut<'b>,
            ) -> Self::Columns<'a>
            where
                Self: 'b,
            {
                ($(&**$field,)*)
            }

            #[inline(always)]
            fn columns_reborrow<'a, 'b: 'a>(
                ($($field,)*): &'a mut Self::ColumnsMut<'b>,
            ) -> Self::ColumnsMut<'a>
            where
                Self: 'b,
            {
                ($(&mut **$field,)*)
            }

            #[inline(always)]
            fn columns_of_lanes<'a, const L: usize>(
                ($($field,)*): Self::Lanes<'a, L>,
            ) -> Self::Columns<'a>
            where
                Self: 'a,
            {
                ($(&$field[..],)*)
            }

            #[inline(always)]
            fn columns_of_lanes_mut<'a, 'b: 'a, const L: usize>(
                ($($field,)*): &'a Self::LanesMut<'b, L>,
            ) -> Self::Columns<'a>
            where
                Self: 'b,
            {
                ($(&$field[..],)*)
            }

            #[inline(always)]
            fn columns_mut_of_lanes_mut<'a, 'b: 'a, const L: usize>(
                ($($field,)*): &'a mut Self::LanesMut<'b, L>,
            ) -> Self::ColumnsMut<'a>
            where
                Self: 'b,
            {
                ($(&mut $field[..],)*)
            }
        }

        impl<$($field: Fill),*> Fill for ($($field,)*) {
            const FILL: Self = ($($field::FILL,)*);
        }
    };
}

/// Tuples of up to so many fields; of each its type, whose name its value has too, and another name.
macro_rules! tuples {
    ($($names:ident)*) => { tuples!(@ [] $($names)*); };
    (@ [$($done:ident)*]) => {};
    (@ [$($done:ident)*] $next:ident $other:ident $($rest:ident)*) => {
        tuple!($($done)* $next $other);
        tuples!(@ [$($done)* $next $other] $($rest)*);
    };
}

tuples! { A a B b C c D d E e F f G g H h I i J j K k M m }
