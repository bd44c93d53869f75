//! The iterators: pairs, keys and values.

/// The iterators of a container, around those of what it is made of.
macro_rules! iterators {
    (
        [$($generics:tt)*] [$($args:tt)*] $container:ident, value: $value:ident, order: $order:literal,
        iter: $iter:ty, iter_mut: $iter_mut:ty, into_iter: $into_iter:ty, drain: $drain:ty,
        extract_if: $extract_if:ty
    ) => {
        use $crate::macros::half::{half_of_pairs, shows_remaining};

        #[doc = concat!("Keys and values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::iter`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Iter<'a, $($generics)*>($iter);

        #[doc = concat!("Keys and mutable values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::iter_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IterMut<'a, $($generics)*>($iter_mut);

        #[doc = concat!("Keys and owned values, ", $order, ".")]
        /// Made by the container's `into_iter`.
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoIter<$($generics)*>($into_iter);

        #[doc = concat!("Removes all and gives it out, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::drain`].")]
        #[must_use = "dropping this removes the values; `clear` says so"]
        pub struct Drain<'a, $($generics)*>($drain);

        #[doc = concat!("Removes what a closure chooses, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::extract_if`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct ExtractIf<'a, $($generics)*, F>($extract_if);

        #[doc = concat!("Keys, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::keys`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Keys<'a, $($generics)*>(Iter<'a, $($args)*>);

        #[doc = concat!("Values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Values<'a, $($generics)*>(Iter<'a, $($args)*>);

        #[doc = concat!("Mutable values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::values_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct ValuesMut<'a, $($generics)*>(IterMut<'a, $($args)*>);

        #[doc = concat!("Keys of a container that is gone, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::into_keys`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoKeys<$($generics)*>(IntoIter<$($args)*>);

        #[doc = concat!("Owned values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::into_values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoValues<$($generics)*>(IntoIter<$($args)*>);

        half_of_pairs!(impl['a, $($generics)*] Iter<'a, $($args)*>, (K, &'a $value), |pair| pair);
        half_of_pairs!(impl['a, $($generics)*] IterMut<'a, $($args)*>, (K, &'a mut $value), |pair| pair);
        half_of_pairs!(impl[$($generics)*] IntoIter<$($args)*>, (K, $value), |pair| pair);
        half_of_pairs!(impl['a, $($generics)*] Drain<'a, $($args)*>, (K, $value), |pair| pair);
        half_of_pairs!(impl['a, $($generics)*] Keys<'a, $($args)*>, K, |pair| pair.0);
        half_of_pairs!(impl['a, $($generics)*] Values<'a, $($args)*>, &'a $value, |pair| pair.1);
        half_of_pairs!(impl['a, $($generics)*] ValuesMut<'a, $($args)*>, &'a mut $value, |pair| pair.1);
        half_of_pairs!(impl[$($generics)*] IntoKeys<$($args)*>, K, |pair| pair.0);
        half_of_pairs!(impl[$($generics)*] IntoValues<$($args)*>, $value, |pair| pair.1);

        impl<$($generics)*, F: FnMut(K, &mut $value) -> bool> Iterator for ExtractIf<'_, $($args)*, F> {
            type Item = (K, $value);

            fn next(&mut self) -> Option<(K, $value)> {
                self.0.next()
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($generics)*, F: FnMut(K, &mut $value) -> bool> core::iter::FusedIterator
            for ExtractIf<'_, $($args)*, F>
        {
        }

        shows_remaining! {
            ['a, $($generics)*] IterMut<'a, $($args)*>;
            [$($generics)*] IntoIter<$($args)*>;
            ['a, $($generics)*] Drain<'a, $($args)*>;
            ['a, $($generics)*, F] ExtractIf<'a, $($args)*, F>;
            ['a, $($generics)*] Keys<'a, $($args)*>;
            ['a, $($generics)*] Values<'a, $($args)*>;
            ['a, $($generics)*] ValuesMut<'a, $($args)*>;
            [$($generics)*] IntoKeys<$($args)*>;
            [$($generics)*] IntoValues<$($args)*>;
        }

        impl<$($generics)*> core::fmt::Debug for Iter<'_, $($args)*>
        where
            $value: core::fmt::Debug,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self.clone()).finish()
            }
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
    };
}
pub(crate) use iterators;

/// How the shared iterators of a container are divided between threads.
#[cfg(feature = "rayon")]
macro_rules! dividing {
    () => {
        impl<T, K: Key> Iter<'_, T, K> {
            /// Two parts with about as many values each.
            pub(crate) fn divide(self) -> (Self, Option<Self>) {
                let (below, above) = self.0.divide();
                (Self(below), above.map(Self))
            }
        }

        impl<T, K: Key> IterMut<'_, T, K> {
            /// Two parts with about as many values each.
            pub(crate) fn divide(self) -> (Self, Option<Self>) {
                let (below, above) = self.0.divide();
                (Self(below), above.map(Self))
            }
        }
    };
}
#[cfg(feature = "rayon")]
pub(crate) use dividing;
