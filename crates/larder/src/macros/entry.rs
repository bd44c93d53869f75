//! Room for a value whose key is wanted first.

/// `VacantEntry`, and how it is used.
macro_rules! entry {
    ([$($generics:tt)*] [$($args:tt)*] $container:ident, $vacancy:ty, $value:ty, $new:literal) => {
        /// Room for one value.
        #[doc = concat!("Made by [`", stringify!($container), "::vacant_entry`].")]
        ///
        /// Nothing has changed until [`insert`](Self::insert) is called.
        ///
        /// # Examples
        /// ```
        #[doc = concat!("let mut arena = ", $new, ";")]
        /// drop(arena.vacant_entry());
        /// assert!(arena.is_empty());
        /// let entry = arena.vacant_entry();
        /// let key = entry.key();
        /// entry.insert(7);
        /// assert_eq!(arena.get(key), Some(&7));
        /// ```
        #[must_use = "nothing is inserted until `insert` is called"]
        pub struct VacantEntry<'a, $($generics)*>($vacancy);

        impl<'a, $($generics)*> VacantEntry<'a, $($args)*> {
            /// The key that the value will have. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let entry = arena.vacant_entry();
            /// let key = entry.key();
            /// entry.insert('x');
            /// assert!(arena.contains_key(key));
            /// ```
            #[inline]
            #[must_use]
            pub fn key(&self) -> K {
                self.0.key()
            }

            /// Puts the value in, and gives it out to change it. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// *arena.vacant_entry().insert(1_u8) += 1;
            /// assert!(arena.values().eq(&[2]));
            /// ```
            #[inline]
            pub fn insert(self, value: T) -> $value {
                self.0.fill_and_get(value)
            }
        }

        impl<$($generics)*> core::fmt::Debug for VacantEntry<'_, $($args)*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple("VacantEntry").field(&self.key()).finish()
            }
        }
    };
}
pub(crate) use entry;
