//! The traits that every collection has, and what the project's tests need.

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
                $crate::explain::granted::<Self, _>(self.rows.try_extend(values));
            }
        }

        /// For the project's own tests.
        #[doc(hidden)]
        impl<$($generics)*> $container<$($args)*> {
            /// Panics if the container contradicts itself.
            pub fn validate(&self) {
                self.rows.validate();
            }

            /// Gives a free slot a history.
            pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
                use $crate::raw::generation::Generation;
                use $crate::raw::slots::ErasedSlots;

                let free = $crate::raw::slots::GenerationOf::<K>::free_from_u64(generation.into());
                let free = free.expect("not the generation of a free slot");
                self.rows.erased_mut().set_free_generation(slot as usize, free);
            }

            /// The panic of a lookup by a key that must have a value.
            #[cold]
            #[inline(never)]
            #[track_caller]
            fn no_value(&self, key: K) -> ! {
                let found = self.rows.found(key, self.rows.key_at(key.slot() as usize));
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
                match self.rows.get(key) {
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
                match self.rows.get_mut(key) {
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
                Self { rows: $crate::explain::granted::<Self, _>(self.rows.try_clone()) }
            }

            $(
                /// As `*self = source.clone()`, including whether it may grow. The memory of `self` is
                /// used if it suffices and is of the same kind. If a value's `Clone` panics, `self` is
                /// unchanged or empty.
                #[track_caller]
                fn $from(&mut self, source: &Self) {
                    $crate::explain::granted::<Self, _>(self.rows.try_clone_from(&source.rows));
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
            T: 'static,
            for<'r> T::Ref<'r>: $bound,
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
