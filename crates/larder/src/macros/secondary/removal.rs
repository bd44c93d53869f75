//! Taking values out of a map.

/// Removing.
macro_rules! removal {
    ($map:ident, order: $order:literal, walk: $walk:literal) => {
        /// Removing.
        impl<K: Key, V> $map<K, V> {
            /// Takes the value under a key out; `None` if it has none. O(1); never needs memory.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert_eq!(ages.remove(wren), Some(2));
            /// assert_eq!(ages.remove(wren), None);
            /// ```
            #[inline]
            pub fn remove(&mut self, key: K) -> Option<V> {
                self.map.remove(key)
            }

            #[doc = concat!("Drops the values for which `keep` answers `false`, ", $order, ".")]
            /// If `keep` or a value's `Drop` panics, what was decided before is done.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// ages.retain(|_, age| *age > 3);
            /// assert!(ages.keys().eq([kite]));
            /// ```
            #[inline]
            pub fn retain(&mut self, keep: impl FnMut(K, &mut V) -> bool) {
                self.map.retain(keep);
            }

            /// Drops the values whose keys a container, or another map, has no value for (any more).
            /// If a value's `Drop` panics, what came before is done.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// birds.remove(wren);
            /// assert_eq!(ages.get(wren), Some(&2)); // nobody else can have this key
            /// ages.retain_live(&birds);
            /// assert!(ages.iter().eq([(kite, &5)]));
            /// ```
            #[doc(alias("flush", "remove_stale"))]
            pub fn retain_live(&mut self, of: &impl Container<Key = K>) {
                self.retain(|key, _| of.contains_key(key));
            }

            /// Drops every value, and keeps the memory.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(birds.insert(\"wren\"), 2)]);")]
            /// ages.clear();
            /// assert!(ages.is_empty());
            /// ```
            pub fn clear(&mut self) {
                self.map.clear();
            }

            #[doc = concat!("Takes all entries out, ", $order, ";")]
            /// what is left when the iterator is dropped is removed too, even if a value's own `Drop`
            /// panics. O(1) a value.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// assert!(ages.drain().eq([(wren, 2)]));
            /// assert!(ages.is_empty());
            /// ```
            pub fn drain(&mut self) -> Drain<'_, K, V> {
                Drain(self.map.drain())
            }

            /// Takes out the entries that `choose` chooses, as the iterator is advanced; the others,
            /// and those not come to, stay. O(1) a value looked at.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);")]
            /// assert!(ages.extract_if(|_, age| *age > 3).eq([(kite, 5)]));
            /// assert_eq!(ages.len(), 1);
            /// ```
            pub fn extract_if<F: FnMut(K, &mut V) -> bool>(
                &mut self,
                choose: F,
            ) -> ExtractIf<'_, K, V, F> {
                ExtractIf(self.map.extract_if(choose))
            }
        }
    };
}
pub(crate) use removal;
