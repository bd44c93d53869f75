//! Walks over a map.

/// Iterating.
macro_rules! iterating {
    ($map:ident, order: $order:literal, walk: $walk:literal) => {
        #[doc = concat!("Iterating, ", $order, ". Stale entries are walked over, too.")]
        impl<K: Key, V> $map<K, V> {
            /// Keys and values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// assert!(ages.iter().eq([(wren, &2), (kite, &5)]));
            /// ```
            #[inline]
            pub fn iter(&self) -> Iter<'_, K, V> {
                Iter(self.map.iter())
            }

            /// Keys and values, to change the values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// for (bird, age) in ages.iter_mut() {
            ///     *age += bird.slot();
            /// }
            /// assert!(ages.values().eq(&[2, 6]));
            /// ```
            #[inline]
            pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
                IterMut(self.map.iter_mut())
            }

            /// Keys.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert!(ages.keys().eq([wren]));
            /// ```
            #[inline]
            pub fn keys(&self) -> Keys<'_, K, V> {
                Keys(self.iter())
            }

            /// Values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// assert_eq!(ages.values().sum::<i32>(), 7);
            /// ```
            #[inline]
            pub fn values(&self) -> Values<'_, K, V> {
                Values(self.iter())
            }

            /// Values, to change them.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// ages.values_mut().for_each(|age| *age += 1);
            /// assert_eq!(ages[wren], 3);
            /// ```
            #[inline]
            pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
                ValuesMut(self.iter_mut())
            }

            /// The keys of a map that is not needed any more; its values are dropped.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert!(ages.into_keys().eq([wren]));
            /// ```
            #[inline]
            pub fn into_keys(self) -> IntoKeys<K, V> {
                IntoKeys(self.into_iter())
            }

            /// The values of a map that is not needed any more.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(birds.insert(\"wren\"), 2)]);")]
            /// assert!(ages.into_values().eq([2]));
            /// ```
            #[inline]
            pub fn into_values(self) -> IntoValues<K, V> {
                IntoValues(self.into_iter())
            }
        }
    };
}
pub(crate) use iterating;
