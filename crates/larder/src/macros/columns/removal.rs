//! Taking values out, which are put together again.

/// Removing.
macro_rules! removal {
    (
        [$($generics:tt)*] [$($args:tt)*] $container:ty, $new:literal, $from:literal,
        $order:literal, $cost:literal, $removed:literal
    ) => {
        /// Removing.
        impl<$($generics)*> $container {
            /// Takes a value out and returns it; `None` if the key is stale, foreign or dangling.
            /// Other keys stay valid.
            #[doc = $removed]
            /// O(1); never needs memory.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1.5_f32, 'x'));
            /// assert_eq!(arena.remove(key), Some((1.5, 'x')));
            /// assert_eq!(arena.remove(key), None);
            /// ```
            #[doc(alias("erase", "delete", "free", "destroy", "try_remove"))]
            #[inline]
            pub fn remove(&mut self, key: K) -> Option<T> {
                self.rows.remove(key)
            }

            /// Drops the values for which `keep` answers `false`; it is shown references to the fields,
            #[doc = concat!($order, ".")]
            /// If `keep` or a field's `Drop` panics, what was decided before is done, and the rest
            #[doc = concat!("stays. ", $cost)]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "((0..100).map(|n| (n, 'x')));")]
            /// arena.retain(|_, (number, _)| *number % 2 == 0);
            /// assert_eq!(arena.len(), 50);
            /// ```
            #[inline]
            pub fn retain(&mut self, mut keep: impl FnMut(K, T::RefMut<'_>) -> bool) {
                self.rows.retain(|key, spot| keep(key, spot.into_mut()));
            }

            #[doc = concat!("Takes all values out, ", $order, ";")]
            /// what is left when the iterator is dropped is removed too, even if a field's own `Drop`
            /// panics. O(1) a value.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([(1, 'a'), (2, 'b')]);")]
            /// assert!(arena.drain().map(|(_, value)| value).eq([(1, 'a'), (2, 'b')]));
            /// assert!(arena.is_empty());
            /// ```
            pub fn drain(&mut self) -> Drain<'_, $($args)*> {
                Drain(self.rows.drain())
            }

            /// Drops all values and gives up all detached keys. Memory and generations stay: no key
            #[doc = concat!("that was ever handed out answers again. ", $cost)]
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

            /// Moves all values of another arena in, under new keys; it is empty afterwards.
            /// O(other.len()), amortised.
            ///
            /// # Panics
            /// If there is no room for all: nothing has changed then.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([1, 2]);")]
            #[doc = concat!("let mut other = ", $from, "([3]);")]
            /// arena.append(&mut other);
            /// assert_eq!((arena.len(), other.len()), (3, 0));
            /// ```
            #[track_caller]
            pub fn append(&mut self, other: &mut Self) {
                self.reserve(other.len());
                self.extend(other.drain().map(|(_, value)| value));
            }

            /// Takes a value out, but keeps its slot, so that it can come back under the same key
            /// with [`reattach`](Self::reattach); `None` if the key is stale, foreign or dangling.
            /// Until it is back the key answers `None`.
            #[doc = $removed]
            /// O(1), but allocates a bit a slot the first time (not in a fixed arena).
            ///
            /// # Panics
            /// If memory for those bits is refused. Nothing has changed then.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1, 'a'));
            /// let (number, letter) = arena.detach(key).unwrap();
            /// arena.reattach(key, (number + arena.len() as i32, letter)).unwrap();
            /// assert_eq!(arena.at(key), (&1, &'a'));
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
