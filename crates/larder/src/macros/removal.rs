//! Taking values out of an arena.

/// Removing.
macro_rules! removal {
    ([$($generics:tt)*] [$($args:tt)*] $container:ty, $new:literal, $from:literal) => {
        /// Removing.
        impl<$($generics)*> $container {
            /// Takes a value out and returns it; `None` if the key is stale, foreign or dangling.
            /// Other keys stay valid, no other value moves. O(1); never needs memory.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert_eq!(arena.remove(key), Some('x'));
            /// assert_eq!(arena.remove(key), None);
            /// ```
            #[doc(alias("erase", "delete", "free", "destroy", "try_remove"))]
            #[inline]
            pub fn remove(&mut self, key: K) -> Option<T> {
                self.rows.remove(key)
            }

            /// Drops the values for which `keep` answers `false`, in slot order. If `keep` or a
            /// value's `Drop` panics, what was decided before is done. O(live + slots / 64).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "(0..100);")]
            /// arena.retain(|_, number| *number % 2 == 0);
            /// assert_eq!(arena.len(), 50);
            /// ```
            #[inline]
            pub fn retain(&mut self, keep: impl FnMut(K, &mut T) -> bool) {
                self.rows.retain(keep);
            }

            /// Takes all values out, in slot order; what is left when the iterator is dropped is
            /// removed too, even if a value's own `Drop` panics. O(1) a value. (Leaked, it leaves
            /// the rest in.)
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([\"a\", \"b\"]);")]
            /// assert_eq!(arena.drain().map(|(_, value)| value).collect::<String>(), "ab");
            /// assert!(arena.is_empty());
            /// ```
            pub fn drain(&mut self) -> Drain<'_, $($args)*> {
                Drain(self.rows.drain())
            }

            /// Takes out the values that `choose` chooses, as the iterator is advanced; the others,
            /// and those not come to, stay. O(1) a value looked at.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "(0..6);")]
            /// let odd: Vec<_> = arena.extract_if(|_, n| *n % 2 == 1).map(|(_, n)| n).collect();
            /// assert_eq!(odd, [1, 3, 5]);
            /// assert_eq!(arena.len(), 3);
            /// ```
            #[doc(alias = "drain_filter")]
            pub fn extract_if<F: FnMut(K, &mut T) -> bool>(
                &mut self,
                choose: F,
            ) -> ExtractIf<'_, $($args)*, F> {
                ExtractIf(self.rows.extract_if(choose))
            }

            /// Drops all values and gives up all detached keys. Memory and generations stay: no key
            /// that was ever handed out answers again. The lowest slots are used first afterwards.
            /// O(live + slots / 64).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
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

            /// Takes a value out, but keeps its slot, so that it can come back under the same key
            /// with [`reattach`](Self::reattach); `None` if the key is stale, foreign or dangling.
            /// Until it is back the key answers `None`. O(1), but allocates a bit a slot the first
            /// time (not in a fixed arena).
            ///
            /// # Panics
            /// If memory for those bits is refused. Nothing has changed then.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert(String::from("a"));
            /// let mut value = arena.detach(key).unwrap();
            /// value.push_str(&format!("{}", arena.len())); // the arena is free meanwhile
            /// arena.reattach(key, value).unwrap();
            /// assert_eq!(arena[key], "a0");
            /// ```
            #[track_caller]
            pub fn detach(&mut self, key: K) -> Option<T> {
                match self.rows.try_detach(key) {
                    Ok(value) => value,
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// Puts a value back under its detached key. O(1).
            ///
            /// # Errors
            /// If the key is not detached: the value is given back.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// let value = arena.detach(key).unwrap();
            /// assert!(arena.reattach(key, value).is_ok());
            /// let refused = arena.reattach(key, 'y').unwrap_err(); // `x` is back already
            /// assert_eq!(refused.into_value(), 'y');
            /// ```
            pub fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
                self.rows.reattach(key, value)
            }

            /// Gives a detached key's slot back; the key is stale for good. Says whether it was
            /// detached. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
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
