//! Taking values out.

/// Removing. `retain` says how a value in its place is lent.
macro_rules! removal {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        retain: |$spot:ident| $value:expr
    ) => {
        /// Removing.
        impl<$($generics)*> $container<$($args)*> {
            /// Removes a value and returns it; `None` if the key is stale, foreign or dangling. Other
            #[doc = concat!("keys stay valid", $crate::macros::words!(removed $kind $order), ". ")]
            /// O(1), and never allocates.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert_eq!(arena.remove(key), Some('x'));
            /// assert_eq!(arena.remove(key), None);
            /// ```
            #[doc(alias("erase", "delete", "free", "destroy", "try_remove"))]
            #[inline]
            pub fn remove(&mut self, key: K) -> Option<T> {
                self.rows.remove(key)
            }

            #[doc = concat!(
                "Removes the values for which `keep` returns `false`, ", $crate::macros::words!($order), "."
            )]
            /// If `keep` or a destructor panics, the values visited before are removed or kept as
            #[doc = concat!("decided, and the others are kept. ", $crate::macros::words!(walk $order), ".")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(0..100_u32);
            /// arena.retain(|_, number| *number % 2 == 0);
            /// assert_eq!(arena.len(), 50);
            /// ```
            #[inline]
            pub fn retain(
                &mut self,
                mut keep: impl FnMut(K, $crate::macros::exclusive!($kind '_)) -> bool,
            ) {
                self.rows.retain(|key, $spot| keep(key, $value));
            }

            #[doc = concat!("Removes all values and yields them, ", $crate::macros::words!($order), ".")]
            /// Values not pulled are removed when the iterator is dropped, even if a destructor panics.
            /// O(1) a value. (If the iterator is leaked, the remaining values stay, or are leaked.)
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["a", "b"]);
            /// assert_eq!(arena.drain().map(|(_, value)| value).collect::<String>(), "ab");
            /// assert!(arena.is_empty());
            /// ```
            pub fn drain(&mut self) -> Drain<'_, $($args)*> {
                Drain(self.rows.drain())
            }

            /// Removes the values for which `choose` returns `true`, and yields them. Unvisited values
            #[doc = concat!("remain. ", $crate::macros::words!(extract $order), "O(1) a visited value.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(0..6_u32);
            /// let odd = arena.extract_if(|_, n| *n % 2 == 1).count();
            /// assert_eq!(odd, 3);
            /// assert_eq!(arena.len(), 3);
            /// ```
            #[doc(alias = "drain_filter")]
            pub fn extract_if<F: FnMut(K, $crate::macros::exclusive!($kind '_)) -> bool>(
                &mut self,
                choose: F,
            ) -> ExtractIf<'_, $($args)*, F> {
                ExtractIf(self.rows.extract_if(choose))
            }

            /// Removes all values and discards all detached keys. Memory and generations are kept: no
            /// key that was ever issued becomes valid again. The lowest slots are used first
            #[doc = concat!("afterwards. ", $crate::macros::words!(walk $order), ".")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// arena.clear();
            /// assert!(arena.is_empty());
            /// arena.insert('y');
            /// assert_eq!(arena.get(key), None);
            /// ```
            #[doc(alias = "flush")]
            pub fn clear(&mut self) {
                self.rows.clear();
            }

            /// Takes a value out but keeps its slot, so that [`reattach`](Self::reattach) can put it
            /// back under the same key; `None` if the key is stale, foreign or dangling. Until then the
            #[doc = concat!("key has no value", $crate::macros::words!(removed $kind $order), ". O(1),")]
            /// but allocates one bit a slot the first time (not in a fixed arena).
            ///
            /// # Panics
            /// If memory for those bits is refused; nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert(String::from("a"));
            /// let mut value = arena.detach(key).unwrap();
            /// value.push_str(&arena.len().to_string()); // the arena is not borrowed
            /// arena.reattach(key, value).unwrap();
            /// assert_eq!(arena.get(key).unwrap(), "a0");
            /// ```
            #[track_caller]
            pub fn detach(&mut self, key: K) -> Option<T> {
                $crate::explain::granted::<Self, _>(self.rows.try_detach(key))
            }

            /// Puts a value back under its detached key. O(1).
            ///
            /// # Errors
            /// If the key is not detached: the value is given back.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// let value = arena.detach(key).unwrap();
            /// assert!(arena.reattach(key, value).is_ok());
            /// let refused = arena.reattach(key, 'y').unwrap_err(); // `x` is back already
            /// assert_eq!(refused.value, 'y');
            /// ```
            pub fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
                self.rows.reattach(key, value)
            }

            /// Frees a detached key's slot; the key becomes stale. Returns whether it was detached.
            /// O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// arena.detach(key);
            /// assert!(arena.discard_detached(key));
            /// assert!(arena.reattach(key, 'x').is_err());
            /// ```
            #[doc(alias = "release")]
            pub fn discard_detached(&mut self, key: K) -> bool {
                self.rows.release(key)
            }
        }
    };
}
pub(crate) use removal;
