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
//! A container is a struct with a field `store`, what the raw layer has for it. Its module imports what signatures
//! name: `Key`, errors, `Stats`; and calls the type of the field `Store`. What only two containers have is in the
//! module of the first: rows in slots in `containers/arena`, columns in `containers/soa_arena`, positions in
//! `containers/dense_arena`.

mod capacity;
mod changing;
mod constructors;
mod inserter;
mod iterating;
mod lookup;

pub(crate) use capacity::{capacity, compacting, shrinking};
pub(crate) use changing::{adding, inserting, removal};
pub(crate) use constructors::{bytes_for, collecting, constructors, mark_after, placing};
pub(crate) use inserter::inserter;
#[cfg(target_has_atomic = "ptr")]
pub(crate) use inserter::shared_inserter;
pub(crate) use iterating::{iterating, iterators, owning_iterators, shows_type, taking};
pub(crate) use lookup::{by_address, by_slot, lookup};

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

/// How a container lends a value.
macro_rules! shared {
    (row $a:lifetime) => { &$a T };
    (columns $a:lifetime) => { $crate::soa::view::Ref<$a, T> };
}
pub(crate) use shared;

/// How a container lends a value for mutation.
macro_rules! exclusive {
    (row $a:lifetime) => { &$a mut T };
    (columns $a:lifetime) => { $crate::soa::view::RefMut<$a, T> };
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
    (shrink pages) => {
        "Empty blocks at the end are freed; no value moves. Those before a used slot stay, although they \
        are empty: in them lie the generations by which stale keys of their slots are told from new ones. \
        So the blocks up to that of the last used slot are kept, 16 KiB each by default, however few values \
        are left, and insertions use them again. [`compact`](Self::compact) frees them: it moves the values \
        into the lowest slots, where they have new keys."
    };
}
pub(crate) use words;

/// The traits of every container.
macro_rules! traits {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        $crate::macros::where_values! {
            $kind core::fmt::Debug:
            impl[$($generics)*] core::fmt::Debug, [$container<$($args)*>] {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.debug_map().entries(self).finish()
                }
            }
        }

        $crate::macros::where_values! {
            $kind PartialEq:
            /// Two containers are equal if the same keys have equal values.
            impl[$($generics)*] PartialEq, [$container<$($args)*>] {
                fn eq(&self, other: &Self) -> bool {
                    self.len() == other.len()
                        && $crate::macros::equal_entries!($kind $order self other)
                }
            }
        }

        $crate::macros::where_values! {
            $kind Eq: impl[$($generics)*] Eq, [$container<$($args)*>] {}
        }

        /// The keys are found by iterating, or returned by `insert_many`.
        impl<$($generics)*> Extend<T> for $container<$($args)*> {
            /// # Panics
            /// As `insert`; the values before are in.
            #[inline]
            #[track_caller]
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                $crate::explain::granted::<Self, _>(self.store.try_extend(values));
            }
        }

        impl<$($generics)*> $container<$($args)*> {
            /// Panics if the container is inconsistent, for the project's own tests.
            #[cfg(feature = "__test")]
            #[doc(hidden)]
            pub fn validate(&self) {
                self.store.validate();
            }

            /// Gives a free slot a history, for the project's own tests. (A key that is stale may have a value again.)
            #[cfg(feature = "__test")]
            #[doc(hidden)]
            pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
                use $crate::key::generation::Generation;
                use $crate::raw::slots::ErasedSlots;

                let free = $crate::raw::slots::GenerationOf::<K>::free_from_u64(generation.into());
                let free = free.expect("not the generation of a free slot");
                self.store.erased_mut().set_free_generation(slot as usize, free);
            }

            /// The panic of a lookup by a key that must have a value.
            #[cold]
            #[inline(never)]
            #[track_caller]
            fn no_value(&self, key: K) -> ! {
                let found = self.store.found(key, self.store.key_at(key.slot() as usize));
                $crate::explain::no_value::<Self, K>(key, &found)
            }
        }
    };
}
pub(crate) use traits;

/// Indexing, and extending by references: for rows.
macro_rules! row_traits {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Panics if the key has no value; the message says what its slot holds now.
        impl<$($generics)*> core::ops::Index<K> for $container<$($args)*> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, key: K) -> &T {
                match self.store.get(key) {
                    Some(value) => value,
                    None => self.no_value(key),
                }
            }
        }

        /// Panics if the key has no value; the message says what its slot holds now.
        impl<$($generics)*> core::ops::IndexMut<K> for $container<$($args)*> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, key: K) -> &mut T {
                if !self.contains_key(key) {
                    self.no_value(key);
                }
                match self.store.get_mut(key) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }
        }

        impl<'a, $($generics)*> Extend<&'a T> for $container<$($args)*>
        where
            T: Copy + 'a,
        {
            #[inline]
            #[track_caller]
            fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
                self.extend(values.into_iter().copied());
            }
        }
    };
}
pub(crate) use row_traits;

/// Cloning. `bound` is what makes values `Clone`; `from` is there if memory can be used again.
macro_rules! cloning {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        [$($bound:tt)*] $($from:ident)?
    ) => {
        /// A clone has the same values under the same keys, and issues the same keys from then on. It
        /// grows, is fixed or is reserved as the original; the clone of an arena in the caller's block
        /// is a fixed one in allocated memory.
        impl<$($generics)*> Clone for $container<$($args)*>
        where
            $($bound)*
        {
            /// # Panics
            /// If memory is refused.
            #[track_caller]
            fn clone(&self) -> Self {
                Self { store: $crate::explain::granted::<Self, _>(self.store.try_clone()) }
            }

            $(
                /// As `*self = source.clone()`, including whether it may grow. The memory of `self` is
                /// used if it suffices and is of the same kind. If a value's `Clone` panics, `self` is
                /// unchanged or empty.
                #[track_caller]
                fn $from(&mut self, source: &Self) {
                    $crate::explain::granted::<Self, _>(self.store.try_clone_from(&source.store));
                }
            )?
        }
    };
}
pub(crate) use cloning;

/// An implementation for containers whose values implement a trait.
macro_rules! where_values {
    (
        row $bound:path:
        $(#[$attr:meta])* impl[$($generics:tt)*] $trait:path, [$type:ty] $body:tt
    ) => {
        $(#[$attr])*
        impl<$($generics)*> $trait for $type where T: $bound $body
    };
    (
        columns $bound:path:
        $(#[$attr:meta])* impl[$($generics:tt)*] $trait:path, [$type:ty] $body:tt
    ) => {
        $(#[$attr])*
        impl<$($generics)*> $trait for $type
        where
            for<'r> $crate::soa::view::Ref<'r, T>: $bound,
        $body
    };
}
pub(crate) use where_values;

/// Whether two containers of the same length have equal values under the same keys.
macro_rules! equal_entries {
    ($kind:ident slots $this:ident $other:ident) => {
        $this.iter().eq($other.iter())
    };
    ($kind:ident positions $this:ident $other:ident) => {
        $this.iter().all(|(key, value)| $other.get(key) == Some(value))
    };
}
pub(crate) use equal_entries;
