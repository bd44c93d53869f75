//! `Soa` for types that need no derive: one column for a primitive or an array, one a field for a
//! tuple.

use core::marker::PhantomData;
use core::num::Wrapping;

use super::{Fill, Parts, Soa};
use crate::key::{BareHandle, Handle, Handle32, Serial};
use crate::macros::each_prefix;
use crate::raw::columns::arrange::Split;
use crate::raw::columns::shape::{Leaf, Pair, Shape};

/// Functions of a `Soa`, each with its lifetimes, and the number of lanes where it has one. (Exported for `key_type!`.)
#[doc(hidden)]
#[macro_export]
macro_rules! __soa_functions {
    ($(
        fn $name:ident [$($life:lifetime $(: $longer:lifetime)?),* $(; const $lanes:ident)?]
            ($($arguments:tt)*) -> $out:ty { $($body:tt)* }
    )*) => {$(
        #[inline(always)]
        #[track_caller]
        fn $name<$($life $(: $longer)?,)* $(const $lanes: ::core::primitive::usize)?>($($arguments)*) -> $out
        where
            $(Self: $life),*
        {
            $($body)*
        }
    )*};
}

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
            type Lanes<'a, const L: ::core::primitive::usize> = &'a [Self; L] where Self: 'a;
            type LanesMut<'a, const L: ::core::primitive::usize> = &'a mut [Self; L] where Self: 'a;

            $crate::__soa_functions! {
                fn into_parts[](self) -> Self { self }
                fn from_parts[](parts: Self) -> Self { parts }
                fn make_ref['a](parts: &'a Self) -> &'a Self { parts }
                fn make_ref_mut['a](parts: &'a mut Self) -> &'a mut Self { parts }
                fn make_columns['a](parts: &'a [Self]) -> &'a [Self] { parts }
                fn make_columns_mut['a](parts: &'a mut [Self]) -> &'a mut [Self] { parts }
                fn make_lanes['a; const L](parts: &'a [Self; L]) -> &'a [Self; L] { parts }
                fn make_lanes_mut['a; const L](parts: &'a mut [Self; L]) -> &'a mut [Self; L] { parts }
                fn lend[](&self) -> &Self { self }
                fn ref_of_mut['a, 'b: 'a](from: &'a &'b mut Self) -> &'a Self { from }
                fn ref_reborrow['a, 'b: 'a](from: &'a mut &'b mut Self) -> &'a mut Self { from }
                fn ref_replace['a](to: &mut &'a mut Self, value: Self) -> Self {
                    ::core::mem::replace(*to, value)
                }
                fn columns_len['a](columns: &'a [Self]) -> ::core::primitive::usize { columns.len() }
                fn columns_get['a](columns: &'a [Self], index: ::core::primitive::usize) -> ::core::option::Option<&'a Self> {
                    columns.get(index)
                }
                fn columns_get_mut['a](columns: &'a mut [Self], index: ::core::primitive::usize) -> ::core::option::Option<&'a mut Self> {
                    columns.get_mut(index)
                }
                fn columns_split_at['a](columns: &'a [Self], mid: ::core::primitive::usize) -> (&'a [Self], &'a [Self]) {
                    columns.split_at(mid)
                }
                fn columns_split_at_mut['a](columns: &'a mut [Self], mid: ::core::primitive::usize)
                    -> (&'a mut [Self], &'a mut [Self]) { columns.split_at_mut(mid) }
                fn columns_iter['a](columns: &'a [Self])
                    -> impl ::core::iter::DoubleEndedIterator<Item = &'a Self> + ::core::iter::ExactSizeIterator + ::core::clone::Clone { columns.iter() }
                fn columns_iter_mut['a](columns: &'a mut [Self])
                    -> impl ::core::iter::DoubleEndedIterator<Item = &'a mut Self> + ::core::iter::ExactSizeIterator { columns.iter_mut() }
                fn columns_of_mut['a, 'b: 'a](from: &'a &'b mut [Self]) -> &'a [Self] { from }
                fn columns_reborrow['a, 'b: 'a](from: &'a mut &'b mut [Self]) -> &'a mut [Self] { from }
                fn columns_of_lanes['a; const L](lanes: &'a [Self; L]) -> &'a [Self] { lanes }
                fn columns_of_lanes_mut['a, 'b: 'a; const L](from: &'a &'b mut [Self; L]) -> &'a [Self] { *from }
                fn columns_mut_of_lanes_mut['a, 'b: 'a; const L](from: &'a mut &'b mut [Self; L])
                    -> &'a mut [Self] { *from }
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

/// A column for each field: its type, whose name its value has too, and another name.
macro_rules! tuple {
    ($([$field:ident $other:ident])*) => {
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

            $crate::__soa_functions! {
                fn into_parts[](self) -> Parts<Self> {
                    let ($($field,)*) = self;
                    pairs!($($field)*)
                }
                fn from_parts[](pairs!($($field)*): Parts<Self>) -> Self { ($($field,)*) }
                fn make_ref['a](pairs!($($field)*): <Self::Shape as Shape>::Ref<'a>) -> Self::Ref<'a> {
                    ($($field,)*)
                }
                fn make_ref_mut['a](pairs!($($field)*): <Self::Shape as Shape>::RefMut<'a>) -> Self::RefMut<'a> {
                    ($($field,)*)
                }
                fn make_columns['a](pairs!($($field)*): <Self::Shape as Shape>::Columns<'a>) -> Self::Columns<'a> {
                    ($($field,)*)
                }
                fn make_columns_mut['a](pairs!($($field)*): <Self::Shape as Shape>::ColumnsMut<'a>)
                    -> Self::ColumnsMut<'a> { ($($field,)*) }
                fn make_lanes['a; const L](pairs!($($field)*): <Self::Shape as Shape>::Lanes<'a, L>)
                    -> Self::Lanes<'a, L> { ($($field,)*) }
                fn make_lanes_mut['a; const L](pairs!($($field)*): <Self::Shape as Shape>::LanesMut<'a, L>)
                    -> Self::LanesMut<'a, L> { ($($field,)*) }
                fn lend[](&self) -> Self::Ref<'_> {
                    let ($($field,)*) = self;
                    ($($field,)*)
                }
                fn ref_of_mut['a, 'b: 'a](($($field,)*): &'a Self::RefMut<'b>) -> Self::Ref<'a> {
                    ($(&**$field,)*)
                }
                fn ref_reborrow['a, 'b: 'a](($($field,)*): &'a mut Self::RefMut<'b>) -> Self::RefMut<'a> {
                    ($(&mut **$field,)*)
                }
                fn ref_replace['a](($($field,)*): &mut Self::RefMut<'a>, value: Self) -> Self {
                    let ($($other,)*) = value;
                    ($(core::mem::replace(*$field, $other),)*)
                }
                fn columns_len['a](columns: Self::Columns<'a>) -> usize { columns.0.len() }
                fn columns_get['a](($($field,)*): Self::Columns<'a>, index: usize) -> Option<Self::Ref<'a>> {
                    Some(($($field.get(index)?,)*))
                }
                fn columns_get_mut['a](($($field,)*): Self::ColumnsMut<'a>, index: usize)
                    -> Option<Self::RefMut<'a>> { Some(($($field.get_mut(index)?,)*)) }
                fn columns_split_at['a](($($field,)*): Self::Columns<'a>, mid: usize)
                    -> (Self::Columns<'a>, Self::Columns<'a>)
                {
                    $(let ($field, $other) = $field.split_at(mid);)*
                    (($($field,)*), ($($other,)*))
                }
                fn columns_split_at_mut['a](($($field,)*): Self::ColumnsMut<'a>, mid: usize)
                    -> (Self::ColumnsMut<'a>, Self::ColumnsMut<'a>)
                {
                    $(let ($field, $other) = $field.split_at_mut(mid);)*
                    (($($field,)*), ($($other,)*))
                }
                fn columns_iter['a](($($field,)*): Self::Columns<'a>)
                    -> impl DoubleEndedIterator<Item = Self::Ref<'a>> + ExactSizeIterator + Clone
                {
                    zips!($($field)*).map(Self::make_ref)
                }
                fn columns_iter_mut['a](($($field,)*): Self::ColumnsMut<'a>)
                    -> impl DoubleEndedIterator<Item = Self::RefMut<'a>> + ExactSizeIterator
                {
                    zips!($($field)*).map(Self::make_ref_mut)
                }
                fn columns_of_mut['a, 'b: 'a](($($field,)*): &'a Self::ColumnsMut<'b>) -> Self::Columns<'a> {
                    ($(&**$field,)*)
                }
                fn columns_reborrow['a, 'b: 'a](($($field,)*): &'a mut Self::ColumnsMut<'b>)
                    -> Self::ColumnsMut<'a> { ($(&mut **$field,)*) }
                fn columns_of_lanes['a; const L](($($field,)*): Self::Lanes<'a, L>) -> Self::Columns<'a> {
                    ($(&$field[..],)*)
                }
                fn columns_of_lanes_mut['a, 'b: 'a; const L](($($field,)*): &'a Self::LanesMut<'b, L>)
                    -> Self::Columns<'a> { ($(&$field[..],)*) }
                fn columns_mut_of_lanes_mut['a, 'b: 'a; const L](($($field,)*): &'a mut Self::LanesMut<'b, L>)
                    -> Self::ColumnsMut<'a> { ($(&mut $field[..],)*) }
            }
        }

        impl<$($field: Fill),*> Fill for ($($field,)*) {
            const FILL: Self = ($($field::FILL,)*);
        }
    };
}

each_prefix! { tuple: [A a] [B b] [C c] [D d] [E e] [F f] [G g] [H h] [I i] [J j] [K k] [M m] }
