//! Finding values: by key, by slot, by address.

/// Access by key. `get` is the cost of a lookup.
macro_rules! lookup {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        get: $get:literal
    ) => {
        /// Access by key.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns the value of a key; `None` if the key is stale, foreign or dangling.
            #[doc = $get]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert_eq!(arena.get(key), Some(&'x'));
            /// arena.remove(key);
            /// assert_eq!(arena.get(key), None);
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<$crate::macros::shared!($kind '_)> {
                self.store.get(key)
            }

            /// Returns the value of a key for mutation; `None` if the key is stale, foreign or
            /// dangling. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert(1_u32);
            /// if let Some(value) = arena.get_mut(key) {
            ///     *value += 1;
            /// }
            /// assert_eq!(arena.get(key), Some(&2));
            /// ```
            #[inline]
            #[must_use]
            pub fn get_mut(&mut self, key: K) -> Option<$crate::macros::exclusive!($kind '_)> {
                self.store.get_mut(key)
            }

            /// Returns whether the key has a value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert!(arena.contains_key(key));
            /// arena.remove(key);
            /// assert!(!arena.contains_key(key));
            /// ```
            #[doc(alias("is_valid", "contains", "id_is_valid"))]
            #[inline]
            #[must_use]
            pub fn contains_key(&self, key: K) -> bool {
                self.store.find(key).is_some()
            }

            /// Returns several values at once for mutation. O(n²) for n keys.
            ///
            /// # Errors
            /// If a key has no value, or two keys name the same slot.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
            /// let [x, y] = arena.get_disjoint_mut([a, b]).unwrap();
            /// core::mem::swap(x, y);
            /// assert_eq!((arena.get(a), arena.get(b)), (Some(&2), Some(&1)));
            /// assert!(arena.get_disjoint_mut([a, a]).is_err());
            /// ```
            #[doc(alias("get2_mut", "get_many_mut"))]
            pub fn get_disjoint_mut<const KEYS: usize>(
                &mut self,
                keys: [K; KEYS],
            ) -> Result<[$crate::macros::exclusive!($kind '_); KEYS], GetDisjointMutError> {
                self.store.get_disjoint_mut(keys)
            }
        }
    };
}
pub(crate) use lookup;

/// Access by slot, and from one key to the next in slot order.
macro_rules! by_slot {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Access by slot.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns the key of the value in a slot, whatever its generation; `None` if the slot has none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert_eq!(arena.key_of_slot(key.slot()), Some(key));
            /// assert_eq!(arena.key_of_slot(1), None);
            /// ```
            #[doc(alias("key_at", "get_at", "get_by_slot", "get_unknown_gen"))]
            #[inline]
            #[must_use]
            pub fn key_of_slot(&self, slot: u32) -> Option<K> {
                self.store.key_at(slot as usize)
            }

            /// Returns the key of the next value after a key's slot. The key itself may be stale, so a
            /// loop over keys may remove values. O(1), and one step for every 64 empty slots
            /// between.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["keep", "drop", "keep"]);
            /// let mut next = arena.keys().next();
            /// while let Some(key) = next {
            ///     if arena.get(key) == Some(&"drop") {
            ///         arena.remove(key);
            ///     }
            ///     next = arena.next_key(key);
            /// }
            /// assert_eq!(arena.len(), 2);
            /// ```
            #[doc(alias = "first_key")]
            #[must_use]
            pub fn next_key(&self, key: K) -> Option<K> {
                let after = (key.slot() as usize).checked_add(1)?;
                self.store.key_at(self.store.book().next_live(after)?)
            }

            /// Removes a value and returns it with the key to visit next, so that a loop over keys may remove values.
            /// (The same loop is right for every container, also where the last value fills the gap.) O(1), and one
            /// step for every 64 empty slots between.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["keep", "drop", "keep"]);
            /// let mut next = arena.keys().next();
            /// while let Some(key) = next {
            ///     next = match arena.get(key) {
            ///         Some(&"drop") => arena.remove_and_next(key).1,
            ///         _ => arena.next_key(key),
            ///     };
            /// }
            /// assert_eq!(arena.len(), 2);
            /// ```
            #[doc(alias = "erase")]
            pub fn remove_and_next(&mut self, key: K) -> (Option<T>, Option<K>) {
                (self.remove(key), self.next_key(key))
            }
        }
    };
}
pub(crate) use by_slot;

/// Access by address, for rows in slots. `key_of` is its cost.
macro_rules! by_address {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        key_of: $key_of:literal, |$this:ident, $value:ident| $key:expr
    ) => {
        /// Access by address.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns the key of one of the container's own values, found by its address; `None` for
            /// any other value, and for values of size zero.
            #[doc = $key_of]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert(7_u32);
            /// assert_eq!(arena.key_of(&arena[key]), Some(key));
            /// assert_eq!(arena.key_of(&7), None);
            /// ```
            #[must_use]
            pub fn key_of(&self, value: &T) -> Option<K> {
                let ($this, $value) = (self, value);
                $key
            }
        }
    };
}
pub(crate) use by_address;
