//! Macros for what Rust cannot say by types: tuples of any length, and traits of types that only wrap another.

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

/// Implements `Debug` of iterators that do not know how much is left, as their name.
macro_rules! shows_type {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<$($generics)*> core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let name = stringify!($name).split('<').next().unwrap_or_default().trim_end();
                f.debug_struct(name).finish_non_exhaustive()
            }
        }
    )*};
}
pub(crate) use shows_type;

/// The iterators over values that stay, around those of the raw layer.
macro_rules! iterators {
    (
        [$($generics:tt)*] [$($args:tt)*] $container:ident, order: $order:expr,
        shared: $shared:ty, exclusive: $exclusive:ty, iter: $iter:ty, iter_mut: $iter_mut:ty, none: $none:expr
    ) => {
        #[doc = concat!("Keys and values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::iter`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Iter<'a, $($generics)*>($iter);

        #[doc = concat!("Keys and mutable values, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::iter_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IterMut<'a, $($generics)*>($iter_mut);

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

        $crate::raw::store::half_of_pairs! {
            impl['a, $($generics)*] Iter<'a, $($args)*>, (K, $shared), |pair| pair
        }
        $crate::raw::store::half_of_pairs! {
            impl['a, $($generics)*] IterMut<'a, $($args)*>, (K, $exclusive),
            |pair| pair
        }
        $crate::raw::store::half_of_pairs!(impl['a, $($generics)*] Keys<'a, $($args)*>, K, |pair| pair.0);
        $crate::raw::store::half_of_pairs! {
            impl['a, $($generics)*] Values<'a, $($args)*>, $shared, |pair| pair.1
        }
        $crate::raw::store::half_of_pairs! {
            impl['a, $($generics)*] ValuesMut<'a, $($args)*>, $exclusive,
            |pair| pair.1
        }

        $crate::raw::store::shows_remaining! {
            ['a, $($generics)*] IterMut<'a, $($args)*>;
            ['a, $($generics)*] Keys<'a, $($args)*>;
            ['a, $($generics)*] Values<'a, $($args)*>;
            ['a, $($generics)*] ValuesMut<'a, $($args)*>;
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
                Self($none)
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

/// The iterators over values that leave, around those of the raw layer.
macro_rules! owning_iterators {
    (
        [$($generics:tt)*] [$($args:tt)*] $container:ident, order: $order:expr, value: $value:ty,
        exclusive: $exclusive:ty,
        into_iter: $into_iter:ty, drain: $drain:ty, extract_if: $extract_if:ty
    ) => {
        #[doc = concat!("Keys and owned values, ", $order, ".")]
        /// Made by the container's `into_iter`.
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoIter<$($generics)*>($into_iter);

        #[doc = concat!("Removes all values and yields them, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::drain`].")]
        #[must_use = "dropping this removes the values; use `clear` for that"]
        pub struct Drain<'a, $($generics)*>($drain);

        /// Removes the values that a closure chooses, and yields them.
        #[doc = concat!("Made by [`", stringify!($container), "::extract_if`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct ExtractIf<'a, $($generics)*, F>($extract_if);

        #[doc = concat!("Values of a consumed container, ", $order, ".")]
        #[doc = concat!("Made by [`", stringify!($container), "::into_values`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct IntoValues<$($generics)*>(IntoIter<$($args)*>);

        $crate::raw::store::half_of_pairs!(impl[$($generics)*] IntoIter<$($args)*>, (K, $value), |pair| pair);
        $crate::raw::store::half_of_pairs!(impl['a, $($generics)*] Drain<'a, $($args)*>, (K, $value), |pair| pair);
        $crate::raw::store::half_of_pairs!(impl[$($generics)*] IntoValues<$($args)*>, $value, |pair| pair.1);

        impl<$($generics)*, F: FnMut(K, $exclusive) -> bool> Iterator
            for ExtractIf<'_, $($args)*, F>
        {
            type Item = (K, $value);

            #[inline]
            fn next(&mut self) -> Option<(K, $value)> {
                self.0.next()
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($generics)*, F: FnMut(K, $exclusive) -> bool>
            core::iter::FusedIterator for ExtractIf<'_, $($args)*, F>
        {
        }

        $crate::raw::store::shows_remaining! {
            [$($generics)*] IntoIter<$($args)*>;
            ['a, $($generics)*] Drain<'a, $($args)*>;
            ['a, $($generics)*, F] ExtractIf<'a, $($args)*, F>;
            [$($generics)*] IntoValues<$($args)*>;
        }
    };
}
pub(crate) use owning_iterators;
