//! The public face of the maps of side data, written once for both.
//!
//! As [`face`](super): a map is a struct with a field `map`, whose methods these are; what is true of
//! one only is a parameter.

mod entry;
mod hidden;
mod iterating;
mod lookup;
mod removal;
mod storing;
mod traits;

pub(crate) use entry::entry;
pub(crate) use hidden::hidden;
pub(crate) use iterating::iterating;
pub(crate) use lookup::lookup;
pub(crate) use removal::removal;
pub(crate) use storing::storing;
pub(crate) use traits::traits;

/// All of it, for `$map<K, V>`, which is made of `$of`.
///
/// - `module` is where it is; `order` says in which order walks go, `walk` what a walk costs; `capacity` what that means.
macro_rules! map {
    (
        $map:ident in $module:literal,
        order: $order:literal,
        walk: $walk:literal,
        capacity: $capacity:literal,
        iter: $iter:ty, iter_mut: $iter_mut:ty, into_iter: $into_iter:ty, drain: $drain:ty,
        extract_if: $extract_if:ty $(,)?
    ) => {
        $crate::macros::secondary::storing! { $map, capacity: $capacity }
        $crate::macros::secondary::lookup! { $map }
        $crate::macros::secondary::removal! { $map, order: $order, walk: $walk }
        $crate::macros::secondary::entry! { $map, $module }
        $crate::macros::secondary::iterating! { $map, order: $order, walk: $walk }
        $crate::macros::iterators! {
            [K: Key, V] [K, V] $map, value: V, order: $order,
            iter: $iter, iter_mut: $iter_mut, into_iter: $into_iter, drain: $drain,
            extract_if: $extract_if
        }
        $crate::macros::secondary::traits! { $map }
        $crate::macros::secondary::hidden! { $map }
    };
}
pub(crate) use map;
