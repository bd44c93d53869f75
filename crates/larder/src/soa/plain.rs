//! `Soa` for types that need no derive: one column for a primitive or an array, one a field for a
//! tuple.

use core::marker::PhantomData;
use core::num::Wrapping;

use super::view::{Columns, ColumnsMut, Forms, Lanes, LanesMut, Parts, Ref, RefMut, View};
use super::{Fill, Soa};
use crate::key::{BareHandle, Handle, Handle32, Serial};
use crate::macros::each_prefix;
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
            type View = $crate::soa::view::Same;
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
        impl<$($field),*> Soa for ($($field,)*) {
            type Shape = pair_types!($($field)*);
            type Arrangement = Split;
            type View = Self;
        }

        impl<'a, $($field),*> Forms<'a, Self> for ($($field,)*) {
            type Ref = ($(&'a $field,)*);
            type RefMut = ($(&'a mut $field,)*);
            type Columns = ($(&'a [$field],)*);
            type ColumnsMut = ($(&'a mut [$field],)*);
            type Lanes<const L: usize> = ($(&'a [$field; L],)*);
            type LanesMut<const L: usize> = ($(&'a mut [$field; L],)*);
        }

        #[expect(non_snake_case, reason = "types and the variables of those types")]
        impl<$($field),*> View<Self> for ($($field,)*) {
            #[inline(always)]
            fn into_parts(($($field,)*): Self) -> Parts<Self> {
                pairs!($($field)*)
            }

            #[inline(always)]
            fn from_parts(pairs!($($field)*): Parts<Self>) -> Self {
                ($($field,)*)
            }

            #[inline(always)]
            fn lend(($($field,)*): &Self) -> Ref<'_, Self> {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_ref<'a>(pairs!($($field)*): <<Self as Soa>::Shape as Shape>::Ref<'a>) -> Ref<'a, Self>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_ref_mut<'a>(pairs!($($field)*): <<Self as Soa>::Shape as Shape>::RefMut<'a>) -> RefMut<'a, Self>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_columns<'a>(pairs!($($field)*): <<Self as Soa>::Shape as Shape>::Columns<'a>) -> Columns<'a, Self>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_columns_mut<'a>(pairs!($($field)*): <<Self as Soa>::Shape as Shape>::ColumnsMut<'a>) -> ColumnsMut<'a, Self>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_lanes<'a, const L: usize>(pairs!($($field)*): <<Self as Soa>::Shape as Shape>::Lanes<'a, L>) -> Lanes<'a, Self, L>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn make_lanes_mut<'a, const L: usize>(pairs!($($field)*): <<Self as Soa>::Shape as Shape>::LanesMut<'a, L>) -> LanesMut<'a, Self, L>
            where
                Self: 'a,
            {
                ($($field,)*)
            }

            #[inline(always)]
            fn ref_of_mut<'a, 'b: 'a>(($($field,)*): &'a RefMut<'b, Self>) -> Ref<'a, Self>
            where
                Self: 'b,
            {
                ($(&**$field,)*)
            }

            #[inline(always)]
            fn ref_reborrow<'a, 'b: 'a>(($($field,)*): &'a mut RefMut<'b, Self>) -> RefMut<'a, Self>
            where
                Self: 'b,
            {
                ($(&mut **$field,)*)
            }

            #[inline(always)]
            fn ref_replace<'a>(($($field,)*): &mut RefMut<'a, Self>, ($($other,)*): Self) -> Self
            where
                Self: 'a,
            {
                ($(core::mem::replace(*$field, $other),)*)
            }

            #[inline(always)]
            fn columns_len<'a>(columns: Columns<'a, Self>) -> usize
            where
                Self: 'a,
            {
                columns.0.len()
            }

            #[inline(always)]
            fn columns_get<'a>(($($field,)*): Columns<'a, Self>, index: usize) -> Option<Ref<'a, Self>>
            where
                Self: 'a,
            {
                Some(($($field.get(index)?,)*))
            }

            #[inline(always)]
            fn columns_get_mut<'a>(($($field,)*): ColumnsMut<'a, Self>, index: usize) -> Option<RefMut<'a, Self>>
            where
                Self: 'a,
            {
                Some(($($field.get_mut(index)?,)*))
            }

            #[inline(always)]
            #[track_caller]
            fn columns_split_at<'a>(($($field,)*): Columns<'a, Self>, mid: usize) -> (Columns<'a, Self>, Columns<'a, Self>)
            where
                Self: 'a,
            {
                $(let ($field, $other) = $field.split_at(mid);)*
                (($($field,)*), ($($other,)*))
            }

            #[inline(always)]
            #[track_caller]
            fn columns_split_at_mut<'a>(($($field,)*): ColumnsMut<'a, Self>, mid: usize) -> (ColumnsMut<'a, Self>, ColumnsMut<'a, Self>)
            where
                Self: 'a,
            {
                $(let ($field, $other) = $field.split_at_mut(mid);)*
                (($($field,)*), ($($other,)*))
            }

            #[inline(always)]
            fn columns_iter<'a>(($($field,)*): Columns<'a, Self>) -> impl DoubleEndedIterator<Item = Ref<'a, Self>> + ExactSizeIterator + Clone
            where
                Self: 'a,
            {
                zips!($($field)*).map(Self::make_ref)
            }

            #[inline(always)]
            fn columns_iter_mut<'a>(($($field,)*): ColumnsMut<'a, Self>) -> impl DoubleEndedIterator<Item = RefMut<'a, Self>> + ExactSizeIterator
            where
                Self: 'a,
            {
                zips!($($field)*).map(Self::make_ref_mut)
            }

            #[inline(always)]
            fn columns_of_mut<'a, 'b: 'a>(($($field,)*): &'a ColumnsMut<'b, Self>) -> Columns<'a, Self>
            where
                Self: 'b,
            {
                ($(&**$field,)*)
            }

            #[inline(always)]
            fn columns_reborrow<'a, 'b: 'a>(($($field,)*): &'a mut ColumnsMut<'b, Self>) -> ColumnsMut<'a, Self>
            where
                Self: 'b,
            {
                ($(&mut **$field,)*)
            }

            #[inline(always)]
            fn columns_of_lanes<'a, const L: usize>(($($field,)*): Lanes<'a, Self, L>) -> Columns<'a, Self>
            where
                Self: 'a,
            {
                ($(&$field[..],)*)
            }

            #[inline(always)]
            fn columns_of_lanes_mut<'a, 'b: 'a, const L: usize>(($($field,)*): &'a LanesMut<'b, Self, L>) -> Columns<'a, Self>
            where
                Self: 'b,
            {
                ($(&$field[..],)*)
            }

            #[inline(always)]
            fn columns_mut_of_lanes_mut<'a, 'b: 'a, const L: usize>(($($field,)*): &'a mut LanesMut<'b, Self, L>) -> ColumnsMut<'a, Self>
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

each_prefix! { tuple: [A a] [B b] [C c] [D d] [E e] [F f] [G g] [H h] [I i] [J j] [K k] [M m] }
