//! `Soa` for types that need no derive: one column for a primitive or an array, one a field for a
//! tuple.

use core::marker::PhantomData;
use core::num::Wrapping;

use super::{Fill, Parts, Soa};
use crate::key::{Handle, Handle32, Serial, Slot};
use crate::raw::columns::arrange::Split;
use crate::raw::columns::shape::{Leaf, Pair, Shape};

/// One column.
macro_rules! one_column {
    ($([$($generics:tt)*] $type:ty;)*) => {
        $(impl<$($generics)*> Soa for $type {
            type Shape = Leaf<Self>;
            type Arrangement = Split;
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
        })*
    };
}

one_column! {
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
    [M] Slot<M>;
    ['s] &'s str;
}

#[cfg(feature = "alloc")]
one_column! {
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

/// A column for each field.
macro_rules! tuple {
    ($($field:ident)*) => {
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
        }

        impl<$($field: Fill),*> Fill for ($($field,)*) {
            const FILL: Self = ($($field::FILL,)*);
        }
    };
}

/// Tuples of up to so many fields.
macro_rules! tuples {
    ($($names:ident)*) => { tuples!(@ [] $($names)*); };
    (@ [$($done:ident)*]) => {};
    (@ [$($done:ident)*] $next:ident $($rest:ident)*) => {
        tuple!($($done)* $next);
        tuples!(@ [$($done)* $next] $($rest)*);
    };
}

tuples! { A B C D E F G H I J K M }
