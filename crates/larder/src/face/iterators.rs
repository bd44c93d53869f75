//! The iterators: pairs, keys and values, and the keys of many values put in.

/// The iterators of a container, by its name and what it is made of.
macro_rules! iterators {
    ($container:ident, $store:ident, $finder:ident) => {
        use $crate::half::{half_of_pairs, shows_remaining};
        use $crate::many::insert_many;

        /// Keys and values, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::iter`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Iter<'a, T, K: Key>(rows::Iter<'a, T, K, $finder<T, K>>);

        /// Keys and mutable values, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::iter_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IterMut<'a, T, K: Key>(rows::IterMut<'a, T, K, $finder<T, K>>);

        /// Keys and owned values, in slot order. Made by the container's `into_iter`.
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoIter<T, K: Key>(rows::IntoIter<T, K, $store<T, K>>);

        /// Removes all and gives it out, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::drain`].")]
        #[must_use = "dropping this removes the values; `clear` says so"]
        pub struct Drain<'a, T, K: Key>(rows::Drain<'a, T, K, $store<T, K>>);

        /// Removes what a closure chooses, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::extract_if`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct ExtractIf<'a, T, K: Key, F>(rows::ExtractIf<'a, T, K, F, $store<T, K>>);

        /// Keys, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::keys`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Keys<'a, T, K: Key>(Iter<'a, T, K>);

        /// Values, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Values<'a, T, K: Key>(Iter<'a, T, K>);

        /// Mutable values, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::values_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct ValuesMut<'a, T, K: Key>(IterMut<'a, T, K>);

        /// Keys of a container that is gone, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::into_keys`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoKeys<T, K: Key>(IntoIter<T, K>);

        /// Owned values, in slot order.
        #[doc = concat!("Made by [`", stringify!($container), "::into_values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoValues<T, K: Key>(IntoIter<T, K>);

        half_of_pairs!(impl['a, T, K: Key] Iter<'a, T, K>, (K, &'a T), |pair| pair);
        half_of_pairs!(impl['a, T, K: Key] IterMut<'a, T, K>, (K, &'a mut T), |pair| pair);
        half_of_pairs!(impl[T, K: Key] IntoIter<T, K>, (K, T), |pair| pair);
        half_of_pairs!(impl['a, T, K: Key] Drain<'a, T, K>, (K, T), |pair| pair);
        half_of_pairs!(impl['a, T, K: Key] Keys<'a, T, K>, K, |pair| pair.0);
        half_of_pairs!(impl['a, T, K: Key] Values<'a, T, K>, &'a T, |pair| pair.1);
        half_of_pairs!(impl['a, T, K: Key] ValuesMut<'a, T, K>, &'a mut T, |pair| pair.1);
        half_of_pairs!(impl[T, K: Key] IntoKeys<T, K>, K, |pair| pair.0);
        half_of_pairs!(impl[T, K: Key] IntoValues<T, K>, T, |pair| pair.1);

        impl<T, K: Key, F: FnMut(K, &mut T) -> bool> Iterator for ExtractIf<'_, T, K, F> {
            type Item = (K, T);

            fn next(&mut self) -> Option<(K, T)> {
                self.0.next()
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<T, K: Key, F: FnMut(K, &mut T) -> bool> core::iter::FusedIterator
            for ExtractIf<'_, T, K, F>
        {
        }

        shows_remaining! {
            ['a, T, K: Key] IterMut<'a, T, K>;
            [T, K: Key] IntoIter<T, K>;
            ['a, T, K: Key] Drain<'a, T, K>;
            ['a, T, K: Key, F] ExtractIf<'a, T, K, F>;
            ['a, T, K: Key] Keys<'a, T, K>;
            ['a, T, K: Key] Values<'a, T, K>;
            ['a, T, K: Key] ValuesMut<'a, T, K>;
            [T, K: Key] IntoKeys<T, K>;
            [T, K: Key] IntoValues<T, K>;
        }

        impl<T: core::fmt::Debug, K: Key> core::fmt::Debug for Iter<'_, T, K> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self.clone()).finish()
            }
        }

        impl<T, K: Key> Clone for Iter<'_, T, K> {
            #[inline]
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<T, K: Key> Clone for Keys<'_, T, K> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<T, K: Key> Clone for Values<'_, T, K> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<T, K: Key> Default for Iter<'_, T, K> {
            fn default() -> Self {
                Self(rows::Iter::default())
            }
        }

        impl<T, K: Key> Default for Keys<'_, T, K> {
            fn default() -> Self {
                Self(Iter::default())
            }
        }

        impl<T, K: Key> Default for Values<'_, T, K> {
            fn default() -> Self {
                Self(Iter::default())
            }
        }

        #[cfg(feature = "rayon")]
        impl<T, K: Key> Iter<'_, T, K> {
            /// Two parts with about as many values each.
            pub(crate) fn divide(self) -> (Self, Option<Self>) {
                let (below, above) = self.0.divide();
                (Self(below), above.map(Self))
            }
        }

        #[cfg(feature = "rayon")]
        impl<T, K: Key> IterMut<'_, T, K> {
            /// Two parts with about as many values each.
            pub(crate) fn divide(self) -> (Self, Option<Self>) {
                let (below, above) = self.0.divide();
                (Self(below), above.map(Self))
            }
        }

        insert_many!($container);
    };
}
pub(crate) use iterators;
