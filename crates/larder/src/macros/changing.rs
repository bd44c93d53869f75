//! Putting values in, and taking them out.

/// Adding a value, however its slot is filled.
macro_rules! adding {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Inserting.
        impl<$($generics)*> $container<$($args)*> {
            /// Adds a value and returns its key. Other keys stay valid;
            #[doc = concat!($crate::macros::words!(grows $memory), ". O(1) amortised.")]
            ///
            /// # Panics
            #[doc = concat!("If ", $crate::macros::words!(full $memory), ", memory is refused, or no slot is left. ")]
            /// The value is dropped; [`try_insert`](Self::try_insert) gives it back.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert("value");
            /// assert_eq!(arena.get(key), Some(&"value"));
            /// ```
            #[doc(alias("add", "push", "alloc", "emplace", "create"))]
            #[inline(always)]
            #[track_caller]
            pub fn insert(&mut self, value: T) -> K {
                $crate::explain::granted::<Self, _>(self.store.insert(value))
            }

            /// Like [`insert`](Self::insert), but gives the value back if there is no room. O(1)
            /// amortised.
            ///
            /// # Errors
            #[doc = concat!("If ", $crate::macros::words!(full $memory), ", memory is refused, or no slot is left; ")]
            /// nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            #[doc = concat!("let mut arena = ", $one, ";")]
            /// assert!(arena.try_insert(4_u32).is_ok());
            /// assert_eq!(arena.try_insert(5_u32).unwrap_err().value, 5);
            /// ```
            #[inline]
            pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.store.try_insert(value)
            }
        }
    };
}
pub(crate) use adding;

/// Adding values that need their key, or many: `vacancy` is the raw layer's.
macro_rules! inserting {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        store: $store:ty
    ) => {
        $crate::macros::adding! {
            {
                $container [$($generics)*] [$($args)*] $kind $order $memory $example $one
            }
        }

        /// Inserting values that need their key, or many values.
        impl<$($generics)*> $container<$($args)*> {
            /// Adds the value that `make` returns for its key. If `make` panics, nothing has changed. For
            /// one that can fail there is [`vacant_entry`](Self::vacant_entry). O(1) amortised.
            ///
            /// A value that contains its key is a struct of the caller's (`struct Node { me: Handle<Node> }`),
            /// or has a key with a name of its own: with the default key the type of `|me| (me, 1)` would
            /// contain itself, which the compiler reports as E0275. [`key_type!`](crate::key_type) makes one.
            ///
            /// # Panics
            /// As [`insert`](Self::insert).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert_with_key(|me| me.to_string());
            /// assert_eq!(arena.get(key), Some(&key.to_string()));
            /// ```
            #[inline]
            #[track_caller]
            pub fn insert_with_key(&mut self, make: impl FnOnce(K) -> T) -> K {
                let vacancy = $crate::explain::granted::<Self, _>(self.store.vacancy());
                let value = make(vacancy.key());
                vacancy.fill(value)
            }

            /// Makes room for a value whose key is needed first. Dropping the entry changes nothing.
            /// O(1) amortised.
            ///
            /// # Panics
            /// As [`insert`](Self::insert).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let entry = arena.vacant_entry();
            /// let key = entry.key();
            /// entry.insert(format!("I am {key}"));
            /// assert_eq!(arena.get(key).unwrap(), "I am 0v1");
            /// ```
            #[track_caller]
            pub fn vacant_entry(&mut self) -> VacantEntry<'_, $($args)*> {
                VacantEntry($crate::explain::granted::<Self, _>(self.store.vacancy()))
            }

            /// Like [`vacant_entry`](Self::vacant_entry), but returns an error if there is no room.
            /// O(1) amortised.
            ///
            /// # Errors
            /// If the arena is full or memory is refused; nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            #[doc = concat!("let mut arena = ", $one, ";")]
            /// arena.try_vacant_entry()?.insert('x');
            /// assert!(arena.try_vacant_entry().is_err());
            /// # Ok::<(), larder::TryReserveError>(())
            /// ```
            pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, $($args)*>, TryReserveError> {
                self.store.vacancy().map(VacantEntry)
            }

            /// Adds many values and yields their keys, in the order of the values. Values not pulled
            /// are inserted when the iterator is dropped. O(1) amortised a value.
            ///
            /// # Panics
            /// As [`insert`](Self::insert). If the lower bound of the iterator's `size_hint` does not
            /// fit, at once and with nothing inserted; otherwise the values before are in.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let keys: Vec<_> = arena.insert_many(["a", "b", "c"]).collect();
            /// assert_eq!(arena.get(keys[2]), Some(&"c"));
            /// ```
            #[track_caller]
            pub fn insert_many<I: IntoIterator<Item = T>>(
                &mut self,
                values: I,
            ) -> InsertMany<'_, $($args)*, I::IntoIter> {
                InsertMany::new(self, values.into_iter())
            }
        }

        /// Room for one value.
        #[doc = concat!("Made by [`", stringify!($container), "::vacant_entry`].")]
        ///
        /// Nothing has changed until [`insert`](Self::insert) is called.
        ///
        /// # Examples
        /// ```
        #[doc = $example]
        /// let mut arena = Arena::new();
        /// drop(arena.vacant_entry());
        /// assert!(arena.is_empty());
        /// let entry = arena.vacant_entry();
        /// let key = entry.key();
        /// entry.insert(7_u32);
        /// assert_eq!(arena.get(key), Some(&7));
        /// ```
        #[must_use = "nothing is inserted until `insert` is called"]
        pub struct VacantEntry<'a, $($generics)*>($crate::raw::slots::Vacancy<'a, K, $store>);

        impl<'a, $($generics)*> VacantEntry<'a, $($args)*> {
            /// Returns the key that the value will have. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let entry = arena.vacant_entry();
            /// let key = entry.key();
            /// entry.insert('x');
            /// assert!(arena.contains_key(key));
            /// ```
            #[inline]
            #[must_use]
            pub fn key(&self) -> K {
                self.0.key()
            }

            /// Inserts the value and returns it for mutation. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// *arena.vacant_entry().insert(1_u8) += 1;
            /// assert!(arena.values().eq(&[2]));
            /// ```
            #[inline]
            pub fn insert(self, value: T) -> $crate::macros::exclusive!($kind 'a) {
                self.0.fill_and_get(value)
            }
        }

        impl<$($generics)*> core::fmt::Debug for VacantEntry<'_, $($args)*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple("VacantEntry").field(&self.key()).finish()
            }
        }

        /// The keys of values as they are inserted. Made by the container's `insert_many`.
        ///
        /// Dropping it inserts the remaining values, unless a value or the container panicked.
        pub struct InsertMany<'a, $($generics)*, I: Iterator<Item = T>> {
            container: &'a mut $container<$($args)*>,
            values: I,
            /// An iterator that panicked is not asked again: a second panic would end the program.
            panicked: bool,
        }

        impl<'a, $($generics)*, I: Iterator<Item = T>> InsertMany<'a, $($args)*, I> {
            #[track_caller]
            fn new(container: &'a mut $container<$($args)*>, values: I) -> Self {
                let expected = values.size_hint().0;
                if expected > container.store.remaining() {
                    container.reserve(expected);
                }
                Self { container, values, panicked: false }
            }
        }

        impl<$($generics)*, I: Iterator<Item = T>> Iterator for InsertMany<'_, $($args)*, I> {
            type Item = K;

            #[inline]
            #[track_caller]
            fn next(&mut self) -> Option<K> {
                self.panicked = true;
                let value = self.values.next();
                let key = value.map(|value| self.container.insert(value));
                self.panicked = false;
                key
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.values.size_hint()
            }
        }

        impl<$($generics)*, I: ExactSizeIterator<Item = T>> ExactSizeIterator
            for InsertMany<'_, $($args)*, I>
        {
        }
        impl<$($generics)*, I: core::iter::FusedIterator<Item = T>> core::iter::FusedIterator
            for InsertMany<'_, $($args)*, I>
        {
        }

        impl<$($generics)*, I: Iterator<Item = T>> Drop for InsertMany<'_, $($args)*, I> {
            fn drop(&mut self) {
                if !self.panicked {
                    self.container.extend(self.values.by_ref());
                }
            }
        }

        impl<$($generics)*, I: Iterator<Item = T>> core::fmt::Debug for InsertMany<'_, $($args)*, I> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("InsertMany")
                    .field("remaining", &self.values.size_hint().0)
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use inserting;

/// Removing. `retain` says how a value in its place is lent.
macro_rules! removal {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
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
                self.store.remove(key)
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
                self.store.retain(|key, spot| keep(key, spot.into_mut()));
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
                Drain(self.store.drain())
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
                ExtractIf(self.store.extract_if(choose))
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
                self.store.clear();
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
                $crate::explain::granted::<Self, _>(self.store.try_detach(key))
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
                self.store.reattach(key, value)
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
                self.store.release(key)
            }
        }
    };
}
pub(crate) use removal;
