//! Walks over values, field by field, and their iterators.

/// Walks.
macro_rules! walking {
    (
        [$($generics:tt)*] [$($args:tt)*] $container:ident, $new:literal, $from:literal,
        $order:literal, $cost:literal,
        iter: $iter:ty, iter_mut: $iter_mut:ty, into_iter: $into_iter:ty, drain: $drain:ty
    ) => {
        use $crate::macros::half::{half_of_pairs, shows_remaining};
        use $crate::macros::many::insert_many;

        /// Iterating.
        impl<$($generics)*> $container<$($args)*> {
            #[doc = concat!("Keys, and references to the fields of their values, ", $order, ". ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1, 'a'));
            /// assert!(arena.iter().eq([(key, (&1, &'a'))]));
            /// ```
            #[inline]
            pub fn iter(&self) -> Iter<'_, $($args)*> {
                Iter(self.rows.iter())
            }

            /// Keys, and mutable references to the fields of their values,
            #[doc = concat!($order, ". ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([(1, 'a'), (2, 'b')]);")]
            /// for (key, (number, _)) in arena.iter_mut() {
            ///     *number += key.slot();
            /// }
            /// assert!(arena.values().map(|(number, _)| *number).eq([1, 3]));
            /// ```
            #[inline]
            pub fn iter_mut(&mut self) -> IterMut<'_, $($args)*> {
                IterMut(self.rows.iter_mut())
            }

            #[doc = concat!("Keys, ", $order, ". ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert!(arena.keys().eq([key]));
            /// ```
            #[inline]
            pub fn keys(&self) -> Keys<'_, $($args)*> {
                Keys(self.iter())
            }

            #[doc = concat!("References to the fields of each value, ", $order, ". ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let arena = ", $from, "([(1, 'a'), (2, 'b')]);")]
            /// assert_eq!(arena.values().map(|(number, _)| number).sum::<i32>(), 3);
            /// ```
            #[inline]
            pub fn values(&self) -> Values<'_, $($args)*> {
                Values(self.iter())
            }

            /// Mutable references to the fields of each value,
            #[doc = concat!($order, ". ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([(1, 'a'), (2, 'b')]);")]
            /// arena.values_mut().for_each(|(number, _)| *number *= 10);
            /// assert!(arena.values().map(|(number, _)| *number).eq([10, 20]));
            /// ```
            #[inline]
            pub fn values_mut(&mut self) -> ValuesMut<'_, $($args)*> {
                ValuesMut(self.iter_mut())
            }

            #[doc = concat!("The keys alone, ", $order, "; the values are dropped. ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert!(arena.into_keys().eq([key]));
            /// ```
            #[inline]
            pub fn into_keys(self) -> IntoKeys<$($args)*> {
                IntoKeys(self.into_iter())
            }

            #[doc = concat!("The values, put together again, ", $order, ". ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let arena = ", $from, "([(1, 'a'), (2, 'b')]);")]
            /// assert!(arena.into_values().eq([(1, 'a'), (2, 'b')]));
            /// ```
            #[inline]
            pub fn into_values(self) -> IntoValues<$($args)*> {
                IntoValues(self.into_iter())
            }
        }

        /// Keys, and references to the fields of their values.
        #[doc = concat!("Made by [`", stringify!($container), "::iter`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Iter<'a, $($generics)*>($iter);

        /// Keys, and mutable references to the fields of their values.
        #[doc = concat!("Made by [`", stringify!($container), "::iter_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IterMut<'a, $($generics)*>($iter_mut);

        /// Keys and values, put together again. Made by the container's `into_iter`.
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoIter<$($generics)*>($into_iter);

        /// Removes all and gives it out.
        #[doc = concat!("Made by [`", stringify!($container), "::drain`].")]
        #[must_use = "dropping this removes the values; `clear` says so"]
        pub struct Drain<'a, $($generics)*>($drain);

        /// Keys.
        #[doc = concat!("Made by [`", stringify!($container), "::keys`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Keys<'a, $($generics)*>(Iter<'a, $($args)*>);

        /// References to the fields of each value.
        #[doc = concat!("Made by [`", stringify!($container), "::values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Values<'a, $($generics)*>(Iter<'a, $($args)*>);

        /// Mutable references to the fields of each value.
        #[doc = concat!("Made by [`", stringify!($container), "::values_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct ValuesMut<'a, $($generics)*>(IterMut<'a, $($args)*>);

        /// Keys of a container that is gone.
        #[doc = concat!("Made by [`", stringify!($container), "::into_keys`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoKeys<$($generics)*>(IntoIter<$($args)*>);

        /// Values of a container that is gone.
        #[doc = concat!("Made by [`", stringify!($container), "::into_values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoValues<$($generics)*>(IntoIter<$($args)*>);

        half_of_pairs!(impl['a, $($generics)*] Iter<'a, $($args)*>, (K, T::Ref<'a>), |pair| pair);
        half_of_pairs!(impl['a, $($generics)*] IterMut<'a, $($args)*>, (K, T::RefMut<'a>), |pair| pair);
        half_of_pairs!(impl[$($generics)*] IntoIter<$($args)*>, (K, T), |pair| pair);
        half_of_pairs!(impl['a, $($generics)*] Drain<'a, $($args)*>, (K, T), |pair| pair);
        half_of_pairs!(impl['a, $($generics)*] Keys<'a, $($args)*>, K, |pair| pair.0);
        half_of_pairs!(impl['a, $($generics)*] Values<'a, $($args)*>, T::Ref<'a>, |pair| pair.1);
        half_of_pairs!(impl['a, $($generics)*] ValuesMut<'a, $($args)*>, T::RefMut<'a>, |pair| pair.1);
        half_of_pairs!(impl[$($generics)*] IntoKeys<$($args)*>, K, |pair| pair.0);
        half_of_pairs!(impl[$($generics)*] IntoValues<$($args)*>, T, |pair| pair.1);

        shows_remaining! {
            ['a, $($generics)*] Iter<'a, $($args)*>;
            ['a, $($generics)*] IterMut<'a, $($args)*>;
            [$($generics)*] IntoIter<$($args)*>;
            ['a, $($generics)*] Drain<'a, $($args)*>;
            ['a, $($generics)*] Keys<'a, $($args)*>;
            ['a, $($generics)*] Values<'a, $($args)*>;
            ['a, $($generics)*] ValuesMut<'a, $($args)*>;
            [$($generics)*] IntoKeys<$($args)*>;
            [$($generics)*] IntoValues<$($args)*>;
        }

        impl<$($generics)*> Clone for Iter<'_, $($args)*> {
            #[inline]
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<$($generics)*> Clone for Keys<'_, $($args)*> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<$($generics)*> Clone for Values<'_, $($args)*> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<$($generics)*> Default for Iter<'_, $($args)*> {
            fn default() -> Self {
                Self(Default::default())
            }
        }

        impl<$($generics)*> Default for Keys<'_, $($args)*> {
            fn default() -> Self {
                Self(Iter::default())
            }
        }

        impl<$($generics)*> Default for Values<'_, $($args)*> {
            fn default() -> Self {
                Self(Iter::default())
            }
        }

        insert_many!([$($generics)*] [$($args)*] $container<$($args)*>);
    };
}
pub(crate) use walking;
