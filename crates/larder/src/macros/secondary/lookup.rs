//! Finding values by their key.

/// Looking up.
macro_rules! lookup {
    ($map:ident) => {
        /// Looking up.
        impl<K: Key, V> $map<K, V> {
            /// The value under a key; `None` if it has none, whoever else is in its slot. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert_eq!(ages.get(wren), Some(&2));
            ///
            /// birds.remove(wren);
            /// let kite = birds.insert("kite"); // in the same slot
            /// assert_eq!(ages.get(kite), None);
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<&V> {
                self.map.get(key)
            }

            /// The value under a key, to change it; `None` if it has none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// if let Some(age) = ages.get_mut(wren) {
            ///     *age += 1;
            /// }
            /// assert_eq!(ages[wren], 3);
            /// ```
            #[inline]
            #[must_use]
            pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
                self.map.get_mut(key)
            }

            /// Whether there is a value under the key. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert!(ages.contains_key(wren) && !ages.contains_key(kite));
            /// ```
            #[inline]
            #[must_use]
            pub fn contains_key(&self, key: K) -> bool {
                self.get(key).is_some()
            }

            /// Several values at once, to change them. O(n²) for n keys.
            ///
            /// # Errors
            /// If a key has no value, or two keys name the same slot.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// let [a, b] = ages.get_disjoint_mut([wren, kite]).unwrap();
            /// core::mem::swap(a, b);
            /// assert_eq!((ages[wren], ages[kite]), (5, 2));
            /// assert!(ages.get_disjoint_mut([wren, wren]).is_err());
            /// ```
            pub fn get_disjoint_mut<const KEYS: usize>(
                &mut self,
                keys: [K; KEYS],
            ) -> Result<[&mut V; KEYS], GetDisjointMutError> {
                self.map.get_disjoint_mut(keys)
            }

            /// The key whose value is in a slot, stale or not; `None` if the slot has none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert_eq!(ages.key_of_slot(wren.slot()), Some(wren));
            /// assert_eq!(ages.key_of_slot(1), None);
            /// ```
            #[inline]
            #[must_use]
            #[doc(alias = "key_at")]
            pub fn key_of_slot(&self, slot: u32) -> Option<K> {
                self.map.key_at(slot)
            }
        }

        /// Panics where the key has no value, and says what its slot holds.
        impl<K: Key, V> core::ops::Index<K> for $map<K, V> {
            type Output = V;

            #[inline]
            #[track_caller]
            fn index(&self, key: K) -> &V {
                match self.map.get(key) {
                    Some(value) => value,
                    None => self.no_entry(key),
                }
            }
        }

        /// Panics where the key has no value, and says what its slot holds.
        impl<K: Key, V> core::ops::IndexMut<K> for $map<K, V> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, key: K) -> &mut V {
                if !self.contains_key(key) {
                    self.no_entry(key);
                }
                match self.map.get_mut(key) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }
        }
    };
}
pub(crate) use lookup;
