//! `Soa` for types that need no derive: one column for a primitive or an array, one a field for a
//! tuple.

use core::marker::PhantomData;
use core::num::Wrapping;

use super::view::{
    Columns, ColumnsMut, Forms, FromFields, IntoFields, Lanes, LanesMut, Parts, Ref, RefMut, View,
};
use super::{Fill, Soa};
use crate::key::{BareHandle, Handle, Handle32, Serial};
use crate::macros::each_prefix;
use crate::soa::raw::arrange::Split;
use crate::soa::raw::shape::{Leaf, Pair};

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

        /// A tuple of values, of references or of columns.
        #[expect(non_snake_case, reason = "types and the variables of those types")]
        impl<$($field),*> FromFields for ($($field,)*) {
            type Parts = pairs!($($field)*);

            #[inline(always)]
            fn from_parts(pairs!($($field)*): Self::Parts) -> Self {
                ($($field,)*)
            }
        }

        #[expect(non_snake_case, reason = "types and the variables of those types")]
        impl<$($field),*> IntoFields for ($($field,)*) {
            #[inline(always)]
            fn into_parts(self) -> Self::Parts {
                let ($($field,)*) = self;
                pairs!($($field)*)
            }
        }

        #[expect(non_snake_case, reason = "types and the variables of those types")]
        impl<$($field),*> View<Self> for ($($field,)*) {
            #[inline(always)]
            fn into_parts(value: Self) -> Parts<Self> {
                IntoFields::into_parts(value)
            }

            #[inline(always)]
            fn from_parts(parts: Parts<Self>) -> Self {
                FromFields::from_parts(parts)
            }

            #[inline(always)]
            fn lend(($($field,)*): &Self) -> Ref<'_, Self> {
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
            fn lanes_of_mut<'a, 'b: 'a, const L: usize>(($($field,)*): &'a LanesMut<'b, Self, L>) -> Lanes<'a, Self, L>
            where
                Self: 'b,
            {
                ($(&**$field,)*)
            }

            #[inline(always)]
            fn lanes_reborrow<'a, 'b: 'a, const L: usize>(($($field,)*): &'a mut LanesMut<'b, Self, L>) -> LanesMut<'a, Self, L>
            where
                Self: 'b,
            {
                ($(&mut **$field,)*)
            }
        }

        impl<$($field: Fill),*> Fill for ($($field,)*) {
            const FILL: Self = ($($field::FILL,)*);
        }
    };
}

each_prefix! { tuple: [A a] [B b] [C c] [D d] [E e] [F f] }
