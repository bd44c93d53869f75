//! The public face of containers of columns, written once, as [`face`](super) is that of rows.
//!
//! A container is a struct with a field `rows`: a [`Stock`](crate::raw::pool::Stock) or a
//! [`Packed`](crate::raw::packed::Packed) of [`Columns`](crate::raw::columns::Columns). What takes a
//! value by reference there takes a reference to each field here.

mod inserting;
mod lookup;
mod placing;
mod removal;
mod traits;
mod walking;

pub(crate) use inserting::inserting;
pub(crate) use lookup::lookup;
pub(crate) use placing::placing;
pub(crate) use removal::removal;
pub(crate) use traits::traits;
pub(crate) use walking::walking;

/// All of it, for `$container<T, K>`, whose `T` has the bounds `$bound`.
///
/// - `rows` is the module of `raw` that has what it is made of; its types are given whole.
/// - `order` says in which order values are walked, `cost` what a walk costs.
macro_rules! columns {
    (
        $container:ident, [$($bound:tt)*],
        vacancy: $vacancy:ty, iter: $iter:ty, iter_mut: $iter_mut:ty, into_iter: $into_iter:ty,
        drain: $drain:ty,
        new: $new:literal, from: $from:literal, for_one: $for_one:literal,
        order: $order:literal, cost: $cost:literal, removed: $removed:literal $(,)?
    ) => {
        $crate::macros::constructors! { [T: $($bound)*] $container, $new }
        $crate::macros::columns::placing! { [T: $($bound)*] $container }
        $crate::macros::columns::inserting! {
            [T: $($bound)*, K: Key] $container<T, K>, $new, $for_one
        }
        $crate::macros::entry! {
            [T: $($bound)*, K: Key] [T, K] $container, $vacancy, T::RefMut<'a>, $new
        }
        $crate::macros::columns::lookup! { [T: $($bound)*, K: Key] $container<T, K>, $new }
        $crate::macros::capacity! {
            [T: $($bound)*, K: Key] $container<T, K>, $new, $from, $for_one,
            full: "the arena is fixed or reserved and full",
            capacity: "How many values fit without moving: in a reserved arena its maximum.",
            remaining: "How many values can be added without moving, in a reserved arena up to its \
                maximum.",
            reserve: "Makes room for a share more, where it grows. O(capacity) then. Handles stay \
                valid; values may move. In a reserved arena they do not, and it is O(additional): \
                memory is committed.",
            shrink: "Values may move. A reserved arena gives its pages back and keeps the \
                addresses; nothing moves."
        }
        $crate::macros::columns::removal! {
            [T: $($bound)*, K: Key] [T, K] $container<T, K>, $new, $from, $order, $cost, $removed
        }
        $crate::macros::columns::walking! {
            [T: $($bound)*, K: Key] [T, K] $container, $new, $from, $order, $cost,
            iter: $iter, iter_mut: $iter_mut, into_iter: $into_iter, drain: $drain
        }
        $crate::macros::columns::traits! { [T: $($bound)*, K: Key] [T, K] $container<T, K> }
    };
}
pub(crate) use columns;
