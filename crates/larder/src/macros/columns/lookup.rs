//! Finding values by key: a reference to each field.

/// Access by key.
macro_rules! lookup {
    ([$($generics:tt)*] $container:ty, $new:literal) => {
        /// Access by key.
        impl<$($generics)*> $container {
            /// A reference to each field of a key's value; `None` if the key is stale, foreign or
            /// dangling. O(1): a cache line a field that is looked at.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1.5_f32, 'a'));
            /// let (number, letter) = arena.get(key).unwrap();
            /// assert_eq!((*number, *letter), (1.5, 'a'));
            /// arena.remove(key);
            /// assert_eq!(arena.get(key), None);
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<T::Ref<'_>> {
                self.rows.get(key)
            }

            /// A mutable reference to each field of a key's value; `None` if the key is stale, foreign
            /// or dangling. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1.5_f32, 'a'));
            /// if let Some((number, _)) = arena.get_mut(key) {
            ///     *number *= 2.0;
            /// }
            /// assert_eq!(arena.get(key), Some((&3.0, &'a')));
            /// ```
            #[inline]
            #[must_use]
            pub fn get_mut(&mut self, key: K) -> Option<T::RefMut<'_>> {
                self.rows.get_mut(key)
            }

            /// As [`get`](Self::get), for a key that must be live: what indexing is to rows. O(1).
            ///
            /// # Panics
            /// If the key has no value; it says what its slot holds now.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1.5_f32, 'a'));
            /// assert_eq!(arena.at(key).1, &'a');
            /// ```
            #[doc(alias("index"))]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn at(&self, key: K) -> T::Ref<'_> {
                match self.rows.get(key) {
                    Some(value) => value,
                    None => self.no_value(key),
                }
            }

            /// As [`get_mut`](Self::get_mut), for a key that must be live. O(1).
            ///
            /// # Panics
            /// If the key has no value; it says what its slot holds now.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1.5_f32, 'a'));
            /// *arena.at_mut(key).1 = 'b';
            /// assert_eq!(arena.at(key), (&1.5, &'b'));
            /// ```
            #[doc(alias("index_mut"))]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn at_mut(&mut self, key: K) -> T::RefMut<'_> {
                if !self.contains_key(key) {
                    self.no_value(key);
                }
                match self.rows.get_mut(key) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }

            /// Puts a value in the place of a key's, which is returned. O(1).
            ///
            /// # Errors
            /// If the key is stale, foreign or dangling: the new value is given back.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert((1.5_f32, 'a'));
            /// assert_eq!(arena.replace(key, (2.5, 'b')), Ok((1.5, 'a')));
            /// assert_eq!(arena.at(key), (&2.5, &'b'));
            /// ```
            #[doc(alias = "set")]
            #[inline]
            pub fn replace(&mut self, key: K, value: T) -> Result<T, T> {
                self.rows.replace(key, value)
            }

            /// Whether the key's value is there. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert!(arena.contains_key(key));
            /// arena.remove(key);
            /// assert!(!arena.contains_key(key));
            /// ```
            #[doc(alias("is_valid", "contains", "id_is_valid"))]
            #[inline]
            #[must_use]
            pub fn contains_key(&self, key: K) -> bool {
                self.rows.find(key).is_some()
            }

            /// Several values at once, to change them. O(n²) for n keys.
            ///
            /// # Errors
            /// If a key has no value, or two keys name the same slot.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert((1, 'a')), arena.insert((2, 'b')));
            /// let [(x, _), (y, _)] = arena.get_disjoint_mut([a, b]).unwrap();
            /// core::mem::swap(x, y);
            /// assert_eq!(arena.at(a), (&2, &'a'));
            /// assert!(arena.get_disjoint_mut([a, a]).is_err());
            /// ```
            #[doc(alias("get2_mut", "get_many_mut"))]
            pub fn get_disjoint_mut<const KEYS: usize>(
                &mut self,
                keys: [K; KEYS],
            ) -> Result<[T::RefMut<'_>; KEYS], GetDisjointMutError> {
                self.rows.get_disjoint_mut(keys)
            }
        }
    };
}
pub(crate) use lookup;
