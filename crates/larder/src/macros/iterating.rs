//! Iterating, and the iterators: over pairs, and over one half of each, the keys or the values.

/// Iterating over values that stay in the container. The iterators are around those of the raw layer.
macro_rules! iterating {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        iter: $iter:ty = |$this:ident| $make_iter:expr,
        iter_mut: $iter_mut:ty = |$this_mut:ident| $make_iter_mut:expr,
        none: $none:expr
    ) => {
        #[doc = concat!("Iterating, always ", $crate::macros::words!($order), ".")]
        impl<$($generics)*> $container<$($args)*> {
            #[doc = concat!("Iterates over keys and values, ", $crate::macros::words!($order), ".")]
            #[doc = concat!($crate::macros::words!(walk $order), " for all. ", $crate::macros::words!(inner $order))]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
            /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
            /// ```
            #[inline]
            pub fn iter(&self) -> Iter<'_, $($args)*> {
                let $this = self;
                Iter($make_iter)
            }

            /// Iterates over keys and mutable values.
            #[doc = concat!($crate::macros::words!(walk $order), " for all.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([1_u32, 2]);
            /// for (key, value) in arena.iter_mut() {
            ///     *value += key.slot();
            /// }
            /// assert!(arena.values().eq(&[1, 3]));
            /// ```
            #[inline]
            pub fn iter_mut(&mut self) -> IterMut<'_, $($args)*> {
                let $this_mut = self;
                IterMut($make_iter_mut)
            }

            /// Iterates over keys.
            #[doc = concat!($crate::macros::words!(walk $order), " for all.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert!(arena.keys().eq([a, b]));
            /// ```
            #[inline]
            pub fn keys(&self) -> Keys<'_, $($args)*> {
                Keys(self.iter())
            }

            /// Iterates over values.
            #[doc = concat!($crate::macros::words!(walk $order), " for all.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter([1_u32, 2, 3]);
            /// assert_eq!(arena.values().sum::<u32>(), 6);
            /// ```
            #[inline]
            pub fn values(&self) -> Values<'_, $($args)*> {
                Values(self.iter())
            }

            /// Iterates over mutable values.
            #[doc = concat!($crate::macros::words!(walk $order), " for all.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([1_u32, 2]);
            /// arena.values_mut().for_each(|value| *value *= 10);
            /// assert!(arena.values().eq(&[10, 20]));
            /// ```
            #[inline]
            pub fn values_mut(&mut self) -> ValuesMut<'_, $($args)*> {
                ValuesMut(self.iter_mut())
            }
        }

        $crate::macros::iterators! {
            [$($generics)*] [$($args)*] $container, order: $crate::macros::words!($order),
            shared: $crate::macros::shared!($kind 'a), exclusive: $crate::macros::exclusive!($kind 'a),
            iter: $iter, iter_mut: $iter_mut, none: $none
        }

        $crate::macros::where_values! {
            $kind core::fmt::Debug:
            impl['a, $($generics)*] core::fmt::Debug, [Iter<'a, $($args)*>] {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.debug_map().entries(self.clone()).finish()
                }
            }
        }

        impl<'a, $($generics)*> IntoIterator for &'a $container<$($args)*> {
            type Item = (K, $crate::macros::shared!($kind 'a));
            type IntoIter = Iter<'a, $($args)*>;

            #[inline]
            fn into_iter(self) -> Iter<'a, $($args)*> {
                self.iter()
            }
        }

        impl<'a, $($generics)*> IntoIterator for &'a mut $container<$($args)*> {
            type Item = (K, $crate::macros::exclusive!($kind 'a));
            type IntoIter = IterMut<'a, $($args)*>;

            #[inline]
            fn into_iter(self) -> IterMut<'a, $($args)*> {
                self.iter_mut()
            }
        }
    };
}
pub(crate) use iterating;

/// Iterators over values that leave the container.
macro_rules! taking {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        into_iter: $into_iter:ty, drain: $drain:ty, extract_if: $extract_if:ty
    ) => {
        impl<$($generics)*> $container<$($args)*> {
            /// Consumes the container and iterates over its values.
            #[doc = concat!($crate::macros::words!(walk $order), " for all.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter(['a', 'b']);
            /// assert_eq!(arena.into_values().collect::<String>(), "ab");
            /// ```
            #[inline]
            pub fn into_values(self) -> IntoValues<$($args)*> {
                IntoValues(self.into_iter())
            }
        }

        impl<$($generics)*> IntoIterator for $container<$($args)*> {
            type Item = (K, T);
            type IntoIter = IntoIter<$($args)*>;

            #[inline]
            fn into_iter(self) -> IntoIter<$($args)*> {
                IntoIter(self.store.into_iter())
            }
        }

        $crate::macros::owning_iterators! {
            [$($generics)*] [$($args)*] $container, order: $crate::macros::words!($order), value: T,
            exclusive: $crate::macros::exclusive!($kind '_),
            into_iter: $into_iter, drain: $drain, extract_if: $extract_if
        }
    };
}
pub(crate) use taking;

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
