//! Macros for what Rust cannot say by types: tuples of any length, and traits of types that only wrap another.

/// Types through which what lies in a field of theirs is read, as by itself.
macro_rules! derefs {
    ([$($generics:tt)*] $type:ty, $field:tt: $target:ty) => {
        impl<$($generics)*> core::ops::Deref for $type {
            type Target = $target;

            #[inline]
            fn deref(&self) -> &$target {
                &self.$field
            }
        }
    };
}
pub(crate) use derefs;

/// Calls a macro with the first of these items, with the first two, and so on: for tuples of any length.
macro_rules! each_prefix {
    ($with:ident: $($items:tt)+) => { $crate::macros::each_prefix!(@ $with [] $($items)+); };
    (@ $with:ident [$($before:tt)*] $item:tt $($later:tt)*) => {
        $with!($($before)* $item);
        $crate::macros::each_prefix!(@ $with [$($before)* $item] $($later)*);
    };
    (@ $with:ident $all:tt) => {};
}
pub(crate) use each_prefix;

/// Implements `Debug` of iterators that do not know how much is left, as their name.
macro_rules! shows_type {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<$($generics)*> core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let name = stringify!($name).split('<').next().unwrap_or_default().trim_end();
                f.debug_struct(name).finish_non_exhaustive()
            }
        }
    )*};
}
pub(crate) use shows_type;
