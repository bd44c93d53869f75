//! The methods of all containers, written once.
//!
//! Containers differ in where values are; what can be done with them, and most of what is said about
//! it, does not. So the methods and their documentation are macros, one for each concern, and a
//! container invokes those that it has. Each macro takes the container's *face* first:
//!
//! ```text
//! { Arena [T, K: Key] [T, K] row slots block "# use larder::Arena;" "Arena::fixed(1)" }
//!   name  parameters  args   kind order memory hidden line of examples  one that is full with one value
//! ```
//!
//! - Kind: `row` lends a value as `&T`, `columns` as `T::Ref`, a reference to each field.
//! - Order: `slots` have holes, `positions` have none.
//! - Memory: `block` is one block, which growing may move, or which is reserved; `pages` never move;
//!   `inline` is the container itself.
//! - In examples the container is called `Arena`; the hidden line says which one it is.
//!
//! A container is a struct with a field `rows`, what the raw layer has for it. Its module imports what
//! signatures name: `Key`, errors, `Stats`.

mod capacity;
mod columns;
mod constructors;
pub(crate) mod half;
mod inserter;
mod inserting;
mod iterating;
mod lookup;
mod removal;
mod sorting;
mod traits;

pub(crate) use capacity::{capacity, compacting, shrinking};
pub(crate) use columns::{columns, lends};
pub(crate) use constructors::{bytes_for, collecting, constructors, mark_after, placing};
pub(crate) use inserter::inserter;
#[cfg(target_has_atomic = "ptr")]
pub(crate) use inserter::shared_inserter;
pub(crate) use inserting::{adding, inserting};
pub(crate) use iterating::{iterating, iterators, owning_iterators, taking};
pub(crate) use lookup::{at, by_address, by_index, by_slot, lookup};
pub(crate) use removal::removal;
pub(crate) use sorting::sorting;
pub(crate) use traits::{cloning, equal_entries, row_traits, traits, where_values};

/// How a container lends a value.
macro_rules! shared {
    (row $a:lifetime) => { &$a T };
    (columns $a:lifetime) => { T::Ref<$a> };
}
pub(crate) use shared;

/// How a container lends a value for mutation.
macro_rules! exclusive {
    (row $a:lifetime) => { &$a mut T };
    (columns $a:lifetime) => { T::RefMut<$a> };
}
pub(crate) use exclusive;

/// What documentation says of an order or a memory, in parts of sentences.
macro_rules! words {
    (slots) => { "in slot order" };
    (positions) => { "in position order" };
    (walk slots) => { "O(live + slots / 64)" };
    (walk positions) => { "O(len)" };
    (inner slots) => { "Inner iteration (`for_each`, `fold`, `sum`) is faster than a `for` loop." };
    (inner positions) => { "" };
    (removed row slots) => { "; no other value moves" };
    (removed columns slots) => { "; the hole holds what [`Fill`](crate::soa::Fill) says" };
    (removed $kind:ident positions) => { "; **the last value moves into its position**" };
    (extract slots) => { "" };
    (extract positions) => {
        "The last value fills each gap, as with [`remove`](Self::remove), and is visited next. "
    };
    (grows block) => { "growing may move values" };
    (grows pages) => { "no value moves" };
    (grows inline) => { "no value moves" };
    (full block) => { "the container is fixed or reserved and full" };
    (full pages) => { "the arena is fixed and full" };
    (full inline) => { "all `N` slots are in use" };
    (capacity block) => { "fit without moving; of a reserved container its maximum" };
    (capacity pages) => { "there is room for (growing adds whole blocks)" };
    (capacity inline) => { "fit: `N`, less the retired slots" };
    (remaining block) => { " without moving, in a reserved container up to its maximum" };
    (remaining pages) => { " without growing" };
    (remaining inline) => { "" };
    (reserve block) => {
        "When it grows it makes more room than asked for, and values may move: O(capacity). In a \
        reserved container nothing moves and memory is committed: O(additional). Keys stay valid."
    };
    (reserve pages) => {
        "It adds blocks; no value moves, and keys stay valid. O(additional / 64), and one allocation a \
        block."
    };
    (reserve inline) => { "There cannot be more than `N`, so this only checks. O(1)." };
    (shrink block) => {
        "Values may move. A reserved container returns its pages and keeps the addresses; nothing moves."
    };
    (shrink pages) => { "Empty blocks at the end are freed; no value moves." };
}
pub(crate) use words;

/// What `Arena` and `PagedArena` have: rows in slots, in memory that grows.
macro_rules! arena {
    ($face:tt, store: $store:ident, finder: $finder:ident, get: $get:literal, key_of: $key_of:literal) => {
        $crate::macros::constructors! { $face, [] }
        $crate::macros::inserting! { $face, vacancy: rows::Vacancy<'a, T, K, $store<T, K>> }
        $crate::macros::lookup! { $face, get: $get }
        $crate::macros::by_slot! { $face }
        $crate::macros::by_address! {
            $face, key_of: $key_of, |this, value| this.rows.key_at(this.rows.slot_of(value)?)
        }
        $crate::macros::capacity! {
            $face, reserve: |this, additional| this.rows.try_reserve(additional)
        }
        $crate::macros::shrinking! { $face }
        $crate::macros::compacting! { $face, holes: "" }
        $crate::macros::removal! { $face, retain: |value| value }
        $crate::macros::iterating! {
            $face,
            iter: rows::Iter<'a, T, K, $finder<T, K>> = |this| this.rows.iter(),
            iter_mut: rows::IterMut<'a, T, K, $finder<T, K>> = |this| this.rows.iter_mut(), none: Default::default()
        }
        #[cfg(feature = "rayon")]
        $crate::impls::rayon::divided! { ['a, T, K: Key] Iter<'a, T, K>; ['a, T, K: Key] IterMut<'a, T, K>; }
        $crate::macros::taking! {
            $face,
            into_iter: rows::IntoIter<T, K, $store<T, K>>,
            drain: rows::Drain<'a, T, K, $store<T, K>>,
            extract_if: rows::ExtractIf<'a, T, K, F, $store<T, K>>
        }
        $crate::macros::inserter! { $face, store: $store }
        #[cfg(target_has_atomic = "ptr")]
        $crate::macros::shared_inserter! { $face, store: $store }
        $crate::macros::traits! { $face }
        $crate::macros::row_traits! { $face }
        #[cfg(feature = "alloc")]
        $crate::macros::cloning! { $face, [T: Clone] clone_from }
    };
}
pub(crate) use arena;

/// What `SoaArena` and `DenseSoaArena` have: columns.
macro_rules! soa_arena {
    (
        $face:tt, [$($bound:tt)*], vacancy: $vacancy:ty, iter: $iter:ty, iter_mut: $iter_mut:ty,
        into_iter: $into_iter:ty, drain: $drain:ty, extract_if: $extract_if:ty
    ) => {
        $crate::macros::constructors! { $face, [$($bound)*] }
        $crate::macros::placing! { $face, [$($bound)*] }
        $crate::macros::inserting! { $face, vacancy: $vacancy }
        $crate::macros::lookup! { $face, get: "O(1): one cache line for each field that is read." }
        $crate::macros::at! { $face }
        $crate::macros::capacity! {
            $face, reserve: |this, additional| this.rows.try_reserve(additional)
        }
        $crate::macros::shrinking! { $face }
        $crate::macros::removal! { $face, retain: |spot| spot.into_mut() }
        $crate::macros::iterating! {
            $face, iter: $iter = |this| this.rows.iter(), iter_mut: $iter_mut = |this| this.rows.iter_mut(), none: Default::default()
        }
        #[cfg(feature = "rayon")]
        $crate::impls::rayon::divided! {
            ['a, T: $($bound)*, K: Key] Iter<'a, T, K>; ['a, T: $($bound)*, K: Key] IterMut<'a, T, K>;
        }
        $crate::macros::taking! {
            $face, into_iter: $into_iter, drain: $drain, extract_if: $extract_if
        }
        $crate::macros::traits! { $face }
        #[cfg(feature = "alloc")]
        $crate::macros::cloning! { $face, [T::Shape: CloneShape] }
    };
}
pub(crate) use soa_arena;
