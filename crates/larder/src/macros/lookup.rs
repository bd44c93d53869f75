//! Finding values: by key, by place, by address.

/// Access by key.
macro_rules! lookup {
    (
        [$($generics:tt)*] $container:ty, $new:literal, $from:literal,
        get: $get:literal, key_of: $key_of:literal
    ) => {
        /// Access by key.
        impl<$($generics)*> $container {
            /// The value of a key; `None` if the key is stale, foreign or dangling.
            #[doc = $get]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert_eq!(arena.get(key), Some(&'x'));
            /// arena.remove(key);
            /// assert_eq!(arena.get(key), None);
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<&T> {
                self.rows.get(key)
            }

            /// The value of a key, to change it; `None` if the key is stale, foreign or dangling.
            /// O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert(1);
            /// if let Some(value) = arena.get_mut(key) {
            ///     *value += 1;
            /// }
            /// assert_eq!(arena[key], 2);
            /// ```
            #[inline]
            #[must_use]
            pub fn get_mut(&mut self, key: K) -> Option<&mut T> {
                self.rows.get_mut(key)
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
            /// let (a, b) = (arena.insert(1), arena.insert(2));
            /// let [x, y] = arena.get_disjoint_mut([a, b]).unwrap();
            /// core::mem::swap(x, y);
            /// assert_eq!((arena[a], arena[b]), (2, 1));
            /// assert!(arena.get_disjoint_mut([a, a]).is_err());
            /// ```
            #[doc(alias("get2_mut", "get_many_mut"))]
            pub fn get_disjoint_mut<const KEYS: usize>(
                &mut self,
                keys: [K; KEYS],
            ) -> Result<[&mut T; KEYS], GetDisjointMutError> {
                self.rows.get_disjoint_mut(keys)
            }

            /// The key of a value of this arena, found by its address; `None` for any other value,
            /// and for values without a size.
            #[doc = $key_of]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert(7);
            /// assert_eq!(arena.key_of(&arena[key]), Some(key));
            /// assert_eq!(arena.key_of(&7), None);
            /// ```
            #[must_use]
            pub fn key_of(&self, value: &T) -> Option<K> {
                self.rows.key_at(self.rows.slot_of(value)?)
            }

            /// The value in a slot, whatever its generation; `None` if the slot has none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert_eq!(arena.get_by_slot(key.slot()), Some(&'x'));
            /// arena.remove(key);
            /// assert_eq!(arena.get_by_slot(key.slot()), None);
            /// ```
            #[doc(alias("get_at", "get_unknown_gen"))]
            #[inline]
            #[must_use]
            pub fn get_by_slot(&self, slot: u32) -> Option<&T> {
                self.get(self.key_of_slot(slot)?)
            }

            /// The value in a slot, whatever its generation, to change it; `None` if the slot has
            /// none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([1, 2]);")]
            /// *arena.get_by_slot_mut(0).unwrap() = 10;
            /// assert!(arena.values().eq(&[10, 2]));
            /// ```
            #[inline]
            #[must_use]
            #[doc(alias = "get_at_mut")]
            pub fn get_by_slot_mut(&mut self, slot: u32) -> Option<&mut T> {
                self.get_mut(self.key_of_slot(slot)?)
            }

            /// The key of the value in a slot; `None` if the slot has none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// assert_eq!(arena.key_of_slot(key.slot()), Some(key));
            /// assert_eq!(arena.key_of_slot(1), None);
            /// ```
            #[inline]
            #[must_use]
            #[doc(alias = "key_at")]
            pub fn key_of_slot(&self, slot: u32) -> Option<K> {
                self.rows.key_at(slot as usize)
            }

            /// The key of the first value, in slot order. O(1) and the empty slots before it, by
            /// words.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.first_key(), Some(a));
            /// arena.remove(a);
            /// assert_eq!(arena.first_key(), Some(b));
            /// ```
            #[must_use]
            pub fn first_key(&self) -> Option<K> {
                self.rows.key_at(self.rows.book().next_live(0)?)
            }

            /// The key of the last value, in slot order. O(1) and the empty slots after it, by
            /// words.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.last_key(), Some(b));
            /// arena.remove(b);
            /// assert_eq!(arena.last_key(), Some(a));
            /// ```
            #[must_use]
            pub fn last_key(&self) -> Option<K> {
                self.rows.key_at(self.rows.book().previous_live(usize::MAX)?)
            }

            /// The key of the next value after a key's slot. The key itself need not be live any
            /// more: so a walk by keys may remove as it goes. O(1) and the empty slots between, by
            /// words.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "([\"keep\", \"drop\", \"keep\"]);")]
            /// let mut next = arena.first_key();
            /// while let Some(key) = next {
            ///     if arena[key] == "drop" {
            ///         arena.remove(key);
            ///     }
            ///     next = arena.next_key(key);
            /// }
            /// assert_eq!(arena.len(), 2);
            /// ```
            #[must_use]
            pub fn next_key(&self, key: K) -> Option<K> {
                let after = (key.slot() as usize).checked_add(1)?;
                self.rows.key_at(self.rows.book().next_live(after)?)
            }

            /// The key of the last value before a key's slot. The key itself need not be live any
            /// more; a dangling one comes after all values. O(1) and the empty slots between, by
            /// words.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// arena.remove(b);
            /// assert_eq!(arena.prev_key(b), Some(a));
            /// assert_eq!(arena.prev_key(a), None);
            /// ```
            #[must_use]
            pub fn prev_key(&self, key: K) -> Option<K> {
                self.rows.key_at(self.rows.book().previous_live(key.slot() as usize)?)
            }
        }
    };
}
pub(crate) use lookup;
