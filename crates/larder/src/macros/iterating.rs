//! Walks.

/// Iterating, always in slot order.
macro_rules! iterating {
    ([$($generics:tt)*] [$($args:tt)*] $container:ty, $new:literal, $from:literal) => {
        /// Iterating, always in slot order.
        impl<$($generics)*> $container {
            /// Keys and values. O(live + slots / 64) for all; inner iteration (`for_each`, `fold`,
            /// `sum`) is faster than a `for` loop.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert(1), arena.insert(2));
            /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
            /// ```
            #[inline]
            pub fn iter(&self) -> Iter<'_, $($args)*> {
                Iter(self.rows.iter())
            }

            /// Keys and values, to change the values. O(live + slots / 64) for all.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([1, 2]);")]
            /// for (key, value) in arena.iter_mut() {
            ///     *value += key.slot();
            /// }
            /// assert!(arena.values().eq(&[1, 3]));
            /// ```
            #[inline]
            pub fn iter_mut(&mut self) -> IterMut<'_, $($args)*> {
                IterMut(self.rows.iter_mut())
            }

            /// Keys. O(live + slots / 64) for all.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert!(arena.keys().eq([a, b]));
            /// ```
            #[inline]
            pub fn keys(&self) -> Keys<'_, $($args)*> {
                Keys(self.iter())
            }

            /// Values. O(live + slots / 64) for all.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let arena = ", $from, "([1, 2, 3]);")]
            /// assert_eq!(arena.values().sum::<i32>(), 6);
            /// ```
            #[inline]
            pub fn values(&self) -> Values<'_, $($args)*> {
                Values(self.iter())
            }

            /// Values, to change them. O(live + slots / 64) for all.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([1, 2]);")]
            /// arena.values_mut().for_each(|value| *value *= 10);
            /// assert!(arena.values().eq(&[10, 20]));
            /// ```
            #[inline]
            pub fn values_mut(&mut self) -> ValuesMut<'_, $($args)*> {
                ValuesMut(self.iter_mut())
            }

            /// The keys of an arena that is not needed any more; its values are dropped. O(live +
            /// slots / 64) for all.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.into_keys().collect::<Vec<_>>(), [a, b]);
            /// ```
            #[inline]
            pub fn into_keys(self) -> IntoKeys<$($args)*> {
                IntoKeys(self.into_iter())
            }

            /// The values of an arena that is not needed any more. O(live + slots / 64) for all.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let arena = ", $from, "(['a', 'b']);")]
            /// assert_eq!(arena.into_values().collect::<String>(), "ab");
            /// ```
            #[inline]
            pub fn into_values(self) -> IntoValues<$($args)*> {
                IntoValues(self.into_iter())
            }
        }
    };
}
pub(crate) use iterating;
