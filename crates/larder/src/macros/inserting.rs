//! Putting values in.

/// Inserting.
macro_rules! inserting {
    (
        [$($generics:tt)*] [$($args:tt)*] $container:ty, $new:literal, $for_one:literal,
        moves: $moves:literal, full: $full:literal
    ) => {
        /// Inserting.
        impl<$($generics)*> $container {
            /// Adds a value and returns its key. O(1) amortised. Other keys stay valid;
            #[doc = concat!($moves, ".")]
            ///
            /// # Panics
            #[doc = concat!("If ", $full, ", memory is refused, or no slot is left.")]
            /// The value is dropped then; [`try_insert`](Self::try_insert) gives it back.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert("value");
            /// assert_eq!(arena.get(key), Some(&"value"));
            /// ```
            #[doc(alias("add", "push", "alloc", "emplace", "create"))]
            #[inline(always)]
            #[track_caller]
            pub fn insert(&mut self, value: T) -> K {
                match self.rows.insert(value) {
                    Ok(key) => key,
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// As [`insert`](Self::insert), but gives the value back where there is no room. O(1)
            /// amortised.
            ///
            /// # Errors
            #[doc = concat!("If ", $full, ", memory is refused, or no slot is left.")]
            /// Nothing has changed then.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $for_one, ";")]
            /// assert!(arena.try_insert(4).is_ok());
            /// assert_eq!(arena.try_insert(5).unwrap_err().into_value(), 5);
            /// ```
            #[inline]
            pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
                self.rows.try_insert(value)
            }

            /// Adds the value that `make` makes of its own key-to-be. O(1) amortised. If `make`
            /// panics, nothing has changed.
            ///
            /// # Panics
            /// As [`insert`](Self::insert).
            ///
            /// # Examples
            /// ```
            /// use larder::Handle;
            ///
            /// struct Node { me: Handle<Node> }
            #[doc = concat!("let mut nodes = ", $new, ";")]
            /// let node = nodes.insert_with_key(|me| Node { me });
            /// assert_eq!(nodes[node].me, node);
            /// ```
            #[inline]
            #[track_caller]
            pub fn insert_with_key(&mut self, make: impl FnOnce(K) -> T) -> K {
                match self.rows.vacancy() {
                    Ok(vacancy) => {
                        let value = make(vacancy.key());
                        vacancy.fill(value)
                    }
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// As [`insert_with_key`](Self::insert_with_key), for a `make` that can fail. O(1)
            /// amortised. (Where there may be no room, begin with
            /// [`try_vacant_entry`](Self::try_vacant_entry).)
            ///
            /// # Errors
            /// What `make` returns. Nothing has changed then.
            ///
            /// # Panics
            /// As [`insert`](Self::insert), before `make` is called.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let failed = arena.try_insert_with_key(|_| "x".parse::<i32>());
            /// assert!(failed.is_err() && arena.is_empty());
            /// let key = arena.try_insert_with_key(|_| "7".parse::<i32>()).unwrap();
            /// assert_eq!(arena[key], 7);
            /// ```
            #[inline]
            #[track_caller]
            pub fn try_insert_with_key<E>(
                &mut self,
                make: impl FnOnce(K) -> Result<T, E>,
            ) -> Result<K, E> {
                match self.rows.vacancy() {
                    Ok(vacancy) => {
                        let value = make(vacancy.key())?;
                        Ok(vacancy.fill(value))
                    }
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// Finds room for a value whose key is wanted first. Dropping the entry changes
            /// nothing. O(1) amortised.
            ///
            /// # Panics
            /// As [`insert`](Self::insert).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let entry = arena.vacant_entry();
            /// let key = entry.key();
            /// entry.insert(format!("I am {key}"));
            /// assert_eq!(arena[key], "I am 0v1");
            /// ```
            #[track_caller]
            pub fn vacant_entry(&mut self) -> VacantEntry<'_, $($args)*> {
                match self.rows.vacancy() {
                    Ok(vacancy) => VacantEntry(vacancy),
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// As [`vacant_entry`](Self::vacant_entry), where there may be no room. O(1),
            /// amortised.
            ///
            /// # Errors
            /// If the arena is full or memory is refused; nothing has changed then.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $for_one, ";")]
            /// arena.try_vacant_entry()?.insert('x');
            /// assert!(arena.try_vacant_entry().is_err());
            /// # Ok::<(), larder::TryReserveError>(())
            /// ```
            pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, $($args)*>, TryReserveError> {
                self.rows.vacancy().map(VacantEntry)
            }

            /// Adds many values and gives out their keys, in the order of the values. What of it is
            /// not asked for is inserted when the iterator is dropped. O(1) a value, amortised.
            ///
            /// # Panics
            /// As [`insert`](Self::insert): at once, with nothing inserted, where the iterator says
            /// beforehand that there is no room for all; otherwise the values before are in.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let keys: Vec<_> = arena.insert_many(["a", "b", "c"]).collect();
            /// assert_eq!(arena[keys[2]], "c");
            /// ```
            #[track_caller]
            pub fn insert_many<I: IntoIterator<Item = T>>(
                &mut self,
                values: I,
            ) -> InsertMany<'_, $($args)*, I::IntoIter> {
                InsertMany::new(self, values.into_iter())
            }
        }
    };
}
pub(crate) use inserting;
