//! What holes hold.

use core::marker::PhantomData;
use core::num::Wrapping;

use crate::key::{BareHandle, Handle, Handle32, Key, Serial};

/// What a column holds where there is no value: in the holes of a [`SoaArena`](crate::SoaArena), and
/// in the lanes of a group that is not full. So a pass over a whole column computes with numbers that
/// neither trap nor are slow.
///
/// For numbers it is zero. `#[derive(Soa)]` implements it for a struct, field by field;
/// `#[soa(fill = 1.0)]` says another value for a field (any constant of its type, so that a type needs
/// no `Fill` of its own), `#[soa(no_fill)]` on the struct leaves it out.
///
/// # Examples
/// ```
/// use larder::soa::Fill;
///
/// assert_eq!(f32::FILL, 0.0);
/// assert_eq!(<[u8; 3]>::FILL, [0; 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "what a hole of a column of `{Self}` holds is not known",
    label = "this field needs a fill value",
    note = "say it with `#[soa(fill = …)]` on the field, a constant of its type; or \
            `#[soa(no_fill)]` on the struct, for a `DenseSoaArena`, which has no holes"
)]
pub trait Fill: Sized {
    /// The value.
    const FILL: Self;
}

macro_rules! fill {
    ($($type:ty: $value:expr),* $(,)?) => {
        $(impl Fill for $type {
            const FILL: Self = $value;
        })*
    };
}

fill! {
    u8: 0, u16: 0, u32: 0, u64: 0, u128: 0, usize: 0,
    i8: 0, i16: 0, i32: 0, i64: 0, i128: 0, isize: 0,
    f32: 0.0, f64: 0.0, bool: false, char: '\0', (): (), &str: "",
}

impl<T: Fill, const N: usize> Fill for [T; N] {
    const FILL: Self = [T::FILL; N];
}

impl<T> Fill for Option<T> {
    const FILL: Self = None;
}

impl<T: ?Sized> Fill for PhantomData<T> {
    const FILL: Self = Self;
}

impl<T: Fill> Fill for Wrapping<T> {
    const FILL: Self = Self(T::FILL);
}

#[cfg(feature = "alloc")]
impl Fill for alloc::string::String {
    const FILL: Self = Self::new();
}

#[cfg(feature = "alloc")]
impl<T> Fill for alloc::vec::Vec<T> {
    const FILL: Self = Self::new();
}

/// A key that is never valid.
macro_rules! fill_keys {
    ($([$($generics:tt)*] $key:ty;)*) => {
        $(impl<$($generics)*> Fill for $key
        where
            Self: Key,
        {
            const FILL: Self = Self::DANGLING;
        })*
    };
}

fill_keys! {
    [M] Handle<M>;
    [M, const INDEX_BITS: u32] Handle32<M, INDEX_BITS>;
    [M] Serial<M>;
    [M] BareHandle<M>;
}
