//! The public face of containers of rows, written once.
//!
//! Where the rows lie differs from container to container; what can be done with them does not, nor
//! does most of what is said of it. So the methods and their documentation are macros, one a concern,
//! that [`container!`] expands for each container. What names the container in an example, and what
//! is true of one container only, is a parameter.
//!
//! A container is a struct with a field `rows`, a [`Rows`](crate::raw::rows::Rows).

mod capacity;
pub(crate) mod columns;
mod compacting;
mod constructors;
mod entry;
pub(crate) mod half;
mod hidden;
mod inserter;
mod inserting;
mod iterating;
mod iterators;
mod lookup;
pub(crate) mod many;
mod removal;
#[cfg(target_has_atomic = "ptr")]
mod shared_inserter;
mod temporary;
mod traits;

pub(crate) use capacity::capacity;
pub(crate) use compacting::compacting;
pub(crate) use constructors::constructors;
pub(crate) use entry::entry;
pub(crate) use hidden::hidden;
pub(crate) use inserter::inserter;
pub(crate) use inserting::inserting;
pub(crate) use iterating::iterating;
#[cfg(feature = "rayon")]
pub(crate) use iterators::dividing;
pub(crate) use iterators::iterators;
pub(crate) use lookup::lookup;
pub(crate) use removal::removal;
#[cfg(target_has_atomic = "ptr")]
pub(crate) use shared_inserter::shared_inserter;
pub(crate) use temporary::temporary;
pub(crate) use traits::traits;

/// All of it, for `$container<T, K>`.
///
/// The invoking file imports what signatures name: errors, `Builder`, `Key`, `Reuse`, `Stats`.
///
/// - `store` and `finder` are the types of `raw::rows` that the rows lie in and are found by.
/// - `new`, `from` and `for_one` are expressions for examples: an empty container, a function that
///   makes one of an iterator, a container that is full with one value.
/// - The rest is documentation, whole sentences but for `full` (when there is no room) and `moves`
///   (what happens to values on growing).
macro_rules! container {
    (
        $container:ident,
        store: $store:ident, finder: $finder:ident,
        new: $new:literal,
        from: $from:literal,
        for_one: $for_one:literal,
        full: $full:literal,
        moves: $moves:literal,
        get: $get:literal,
        key_of: $key_of:literal,
        capacity: $capacity:literal,
        remaining: $remaining:literal,
        reserve: $reserve:literal,
        shrink: $shrink:literal $(,)?
    ) => {
        $crate::macros::constructors! { [T] $container, $new }
        $crate::macros::inserting! {
            [T, K: Key] [T, K] $container<T, K>, $new, $for_one, moves: $moves, full: $full
        }
        $crate::macros::entry! {
            [T, K: Key] [T, K] $container, rows::Vacancy<'a, T, K, $store<T, K>>,
            &'a mut T, $new
        }
        $crate::macros::lookup! {
            [T, K: Key] $container<T, K>, $new, $from, get: $get, key_of: $key_of
        }
        $crate::macros::capacity! {
            [T, K: Key] $container<T, K>, $new, $from, $for_one, full: $full, capacity: $capacity,
            remaining: $remaining, reserve: $reserve, shrink: $shrink
        }
        $crate::macros::removal! { [T, K: Key] [T, K] $container<T, K>, $new, $from }
        $crate::macros::iterating! { [T, K: Key] [T, K] $container<T, K>, $new, $from }
        $crate::macros::temporary! { [T, K: Key] $container<T, K>, $new, "in slot order" }
        $crate::macros::iterators! {
            [T, K: Key] [T, K] $container, value: T, order: "in slot order",
            iter: rows::Iter<'a, T, K, $finder<T, K>>,
            iter_mut: rows::IterMut<'a, T, K, $finder<T, K>>,
            into_iter: rows::IntoIter<T, K, $store<T, K>>,
            drain: rows::Drain<'a, T, K, $store<T, K>>,
            extract_if: rows::ExtractIf<'a, T, K, F, $store<T, K>>
        }
        $crate::macros::many::insert_many! { [T, K: Key] [T, K] $container<T, K> }
        #[cfg(feature = "rayon")]
        $crate::macros::dividing! {}
        $crate::macros::inserter! { $container, $store }
        #[cfg(target_has_atomic = "ptr")]
        $crate::macros::shared_inserter! { $container, $store }
        $crate::macros::compacting! {
            [T, K: Key] $container<T, K>, rows, $new, kind: "arena",
            holes: ""
        }
        $crate::macros::traits! { [T, K: Key] [T, K] $container<T, K> }
        $crate::macros::hidden! { [T, K: Key] $container<T, K> }
    };
}
pub(crate) use container;
