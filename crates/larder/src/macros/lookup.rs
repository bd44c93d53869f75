//! Finding values: by key, by slot, by position, by address.

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
                self.rows.get(key)
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
                self.rows.get_mut(key)
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
                self.rows.find(key).is_some()
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
                self.rows.get_disjoint_mut(keys)
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
            /// Returns the key of the value in a slot; `None` if the slot has none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert_eq!(arena.key_of_slot(key.slot()), Some(key));
            /// assert_eq!(arena.key_of_slot(1), None);
            /// ```
            #[doc(alias("key_at", "get_at", "get_unknown_gen"))]
            #[inline]
            #[must_use]
            pub fn key_of_slot(&self, slot: u32) -> Option<K> {
                self.rows.key_at(slot as usize)
            }

            /// Returns the value in a slot, whatever its generation; `None` if the slot has none.
            /// O(1). For mutation, [`get_mut`](Self::get_mut) with the
            /// [`key_of_slot`](Self::key_of_slot).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert_eq!(arena.get_by_slot(key.slot()), Some(&'x'));
            /// arena.remove(key);
            /// assert_eq!(arena.get_by_slot(key.slot()), None);
            /// ```
            #[inline]
            #[must_use]
            pub fn get_by_slot(&self, slot: u32) -> Option<$crate::macros::shared!($kind '_)> {
                self.get(self.key_of_slot(slot)?)
            }

            /// Returns the key of the first value in slot order. O(1), and one step for every 64 empty
            /// slots before it.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.first_key(), Some(a));
            /// arena.remove(a);
            /// assert_eq!(arena.first_key(), Some(b));
            /// ```
            #[must_use]
            pub fn first_key(&self) -> Option<K> {
                self.rows.key_at(self.rows.book().next_live(0)?)
            }

            /// Returns the key of the next value after a key's slot. The key itself may be stale, so a
            /// loop over keys may remove values. O(1), and one step for every 64 empty slots
            /// between.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["keep", "drop", "keep"]);
            /// let mut next = arena.first_key();
            /// while let Some(key) = next {
            ///     if arena.get(key) == Some(&"drop") {
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

/// Access by position, for packed containers, and changing positions.
macro_rules! by_index {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Access by position.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns the value at a position; `None` if the position is not below `len()`. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter(['a', 'b']);
            /// assert_eq!(arena.get_index(1), Some(&'b'));
            /// assert_eq!(arena.get_index(2), None);
            /// ```
            #[doc(alias = "get_at")]
            #[inline]
            #[must_use]
            pub fn get_index(&self, position: usize) -> Option<$crate::macros::shared!($kind '_)> {
                self.rows.get_at(position)
            }

            /// Returns the value at a position for mutation; `None` if the position is not below
            /// `len()`. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([1_u32, 2]);
            /// *arena.get_index_mut(1).unwrap() = 20;
            /// assert!(arena.values().eq(&[1, 20]));
            /// ```
            #[doc(alias = "get_at_mut")]
            #[inline]
            #[must_use]
            pub fn get_index_mut(
                &mut self,
                position: usize,
            ) -> Option<$crate::macros::exclusive!($kind '_)> {
                self.rows.get_at_mut(position)
            }

            /// Returns the key of the value at a position; `None` if the position is not below `len()`.
            /// O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert('x');
            /// assert_eq!(arena.key_of_index(0), Some(key));
            /// assert_eq!(arena.get_index_of(key), Some(0));
            /// ```
            #[doc(alias = "key_at")]
            #[inline]
            #[must_use]
            pub fn key_of_index(&self, position: usize) -> Option<K> {
                self.rows.keys().get(position).copied()
            }

            /// Returns the position of a key's value; `None` if the key is stale, foreign or dangling.
            /// It is the value's position until the next removal or rearrangement. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.get_index_of(b), Some(1));
            /// arena.remove(a); // `b` moves into the gap
            /// assert_eq!(arena.get_index_of(b), Some(0));
            /// ```
            #[doc(alias("iterator_of_id", "index_of", "dense_index", "position_of"))]
            #[inline]
            #[must_use]
            pub fn get_index_of(&self, key: K) -> Option<usize> {
                self.rows.find(key)
            }

            /// Returns the keys as a slice, each at the position of its value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.keys_as_slice(), [a, b]);
            /// ```
            #[inline]
            #[must_use]
            pub fn keys_as_slice(&self) -> &[K] {
                self.rows.keys()
            }

            /// Returns the key of the first value, in position order. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// assert_eq!(arena.first_key(), None);
            /// let a = arena.insert('a');
            /// arena.insert('b');
            /// assert_eq!(arena.first_key(), Some(a));
            /// ```
            #[must_use]
            pub fn first_key(&self) -> Option<K> {
                self.key_of_index(0)
            }

            /// Returns the key of the next value, in position order; `None` for the last, and for a key
            /// without a value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.next_key(a), Some(b));
            /// assert_eq!(arena.next_key(b), None);
            /// ```
            #[must_use]
            pub fn next_key(&self, key: K) -> Option<K> {
                self.key_of_index(self.get_index_of(key)? + 1)
            }

            /// Removes the value at a position and returns it with its key; `None` if the position is
            /// not below `len()`. The last value moves there; all other keys stay valid. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["a", "b", "c"]);
            /// assert_eq!(arena.swap_remove_index(0).map(|(_, value)| value), Some("a"));
            /// assert!(arena.values().eq(&["c", "b"]));
            /// ```
            #[doc(alias("swap_remove", "remove_at"))]
            pub fn swap_remove_index(&mut self, position: usize) -> Option<(K, T)> {
                self.rows.remove_at(position)
            }

            /// Removes a value and returns it; the values after it move up by one, so the order is
            /// kept. `None` if the key is stale, foreign or dangling. O(len).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["a", "b", "c"]);
            /// arena.remove_ordered(arena.key_of_index(0).unwrap());
            /// assert!(arena.values().eq(&["b", "c"]));
            /// ```
            #[doc(alias = "shift_remove")]
            pub fn remove_ordered(&mut self, key: K) -> Option<T> {
                self.rows.remove_ordered(key)
            }

            /// Swaps the values at two positions together with their keys, which stay valid. O(1).
            ///
            /// # Panics
            /// If a position is not below `len()`.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// arena.swap_indices(0, 1);
            /// assert!(arena.values().eq(&['b', 'a']));
            /// assert_eq!((arena.get(a), arena.get(b)), (Some(&'a'), Some(&'b')));
            /// ```
            #[doc(alias = "swap_positions")]
            #[track_caller]
            pub fn swap_indices(&mut self, a: usize, b: usize) {
                let len = self.len();
                assert!(
                    a < len && b < len,
                    "swap_indices: {a} and {b} must be below the length, {len}"
                );
                self.rows.swap_positions(a, b);
            }
        }
    };
}
pub(crate) use by_index;

/// What indexing is to rows, for columns, of which no reference to a whole value can be lent.
macro_rules! at {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Access by a key that must be live: what `arena[key]` is to rows.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns a reference to each field of a key's value. O(1).
            ///
            /// # Panics
            /// If the key has no value; the message says what its slot holds now.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
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

            /// Returns a mutable reference to each field of a key's value. O(1).
            ///
            /// # Panics
            /// If the key has no value; the message says what its slot holds now.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
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

            /// Replaces a key's value and returns the old one. O(1).
            ///
            /// # Errors
            /// If the key is stale, foreign or dangling: the new value is given back.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert((1.5_f32, 'a'));
            /// assert_eq!(arena.replace(key, (2.5, 'b')), Ok((1.5, 'a')));
            /// assert_eq!(arena.at(key), (&2.5, &'b'));
            /// ```
            #[doc(alias = "set")]
            #[inline]
            pub fn replace(&mut self, key: K, value: T) -> Result<T, T> {
                self.rows.replace(key, value)
            }
        }
    };
}
pub(crate) use at;
