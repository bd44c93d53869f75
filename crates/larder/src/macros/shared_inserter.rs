//! Inserting from many threads at once.

/// `SharedInserter`, and what makes it.
macro_rules! shared_inserter {
    ($container:ident, $store:ident) => {
        /// Inserting from many threads at once.
        impl<T, K: Key> $container<T, K> {
            /// Borrows the arena for inserting from many threads at once without a lock, with room for
            /// `additional` values at least. O(free slots at the end), and what
            /// [`reserve`](Self::reserve) costs where there is less room. With an order of
            /// [`Reuse`](crate::Reuse) other than `Packed` O(all free slots) where there are any at the end:
            /// the others are linked anew.
            ///
            /// What was inserted is the arena's when the inserter is dropped. Holes are not filled, but free
            /// slots at the end are begun anew, as after [`shrink_to_fit`](Self::shrink_to_fit): so an arena
            /// that was cleared has all its room.
            ///
            /// # Panics
            /// If there cannot be so much room: memory is refused, or the arena is fixed or reserved and has
            /// less above its last value (holes are not filled). Or if the generations of
            /// fresh slots are used up, see
            /// [`GenerationsUsedUp`](crate::TryReserveError::GenerationsUsedUp).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::new();")]
            /// let inserter = arena.shared_inserter(200);
            /// std::thread::scope(|scope| {
            ///     for thread in 0..2 {
            ///         let inserter = &inserter;
            ///         scope.spawn(move || {
            ///             for number in 0..100 {
            ///                 inserter.insert(100 * thread + number);
            ///             }
            ///         });
            ///     }
            /// });
            /// drop(inserter);
            /// assert_eq!(arena.len(), 200);
            /// assert_eq!(arena.values().sum::<i32>(), (0..200).sum::<i32>());
            /// ```
            #[doc(alias("concurrent", "parallel", "lock-free", "reserve_entity"))]
            #[track_caller]
            pub fn shared_inserter(&mut self, additional: usize) -> SharedInserter<'_, T, K> {
                match self.try_shared_inserter(additional) {
                    Ok(inserter) => inserter,
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// As [`shared_inserter`](Self::shared_inserter), but says so where there is no room. It
            /// costs the same.
            ///
            /// # Errors
            /// If memory is refused, the arena is fixed or reserved and has less room above its last value,
            /// or the generations of fresh slots are used up.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::<u8>::builder().fixed(10).build();")]
            /// assert!(arena.try_shared_inserter(11).is_err());
            /// assert_eq!(arena.try_shared_inserter(0)?.remaining(), 10);
            /// # Ok::<(), larder::TryReserveError>(())
            /// ```
            pub fn try_shared_inserter(
                &mut self,
                additional: usize,
            ) -> Result<SharedInserter<'_, T, K>, TryReserveError> {
                rows::Shared::new(&mut self.rows, additional).map(SharedInserter)
            }
        }

        /// Inserts into a borrowed arena from many threads at once, without a lock. Made by
        #[doc = concat!("[`shared_inserter`](crate::", stringify!($container), "::shared_inserter).")]
        ///
        /// An insertion claims a fresh slot with one atomic addition, and writes its value there. Holes below
        /// values are not used, and nothing grows: what there is room for is fixed when it is made. Which thread gets
        /// which slot is chance; each value has a key of its own.
        ///
        /// The arena learns of the values when the inserter is dropped. If it is leaked
        /// (`core::mem::forget`), they are leaked with it, and the keys that it handed out never answer:
        /// for no other value either. With the key [`Serial`](crate::key::Serial) the next number is then 2³² - 1
        /// greater, whatever there was room for; so keys are the same on every platform. (A
        /// [`BareHandle`](crate::key::BareHandle) promises nothing like it: it answers for the value that is in the slot now.)
        ///
        /// It is shared between threads, and sent, where values can be both: `T: Send + Sync`.
        ///
        /// # Examples
        /// ```
        #[doc = concat!("let mut arena = larder::", stringify!($container), "::with_capacity(1_000);")]
        /// let root = arena.insert(String::from("root"));
        /// let inserter = arena.shared_inserter(2);
        /// let name = |part: &str| inserter.insert(format!("{}.{part}", inserter.get(root).unwrap()));
        /// let keys = std::thread::scope(|scope| {
        ///     let name = &name;
        ///     let threads = ["a", "b"].map(|part| scope.spawn(move || name(part).0));
        ///     threads.map(|thread| thread.join().unwrap())
        /// });
        /// drop(inserter);
        /// assert_eq!(keys.map(|key| arena[key].as_str()), ["root.a", "root.b"]);
        /// ```
        #[must_use = "the arena learns of what is inserted when it is dropped"]
        pub struct SharedInserter<'a, T, K: Key>(rows::Shared<'a, T, K, $store<T, K>>);

        impl<'a, T, K: Key> SharedInserter<'a, T, K> {
            /// Adds a value; its key, and the value for as long as the arena is borrowed. O(1), without
            /// waiting for another thread.
            ///
            /// # Panics
            /// If the room that there was when the inserter was made is used up. The value is dropped then;
            /// [`try_insert`](Self::try_insert) gives it back.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::new();")]
            /// let inserter = arena.shared_inserter(1);
            /// let (key, value) = inserter.insert('x');
            /// assert_eq!(value, &'x');
            /// drop(inserter);
            /// assert_eq!(arena[key], 'x');
            /// ```
            #[inline(always)]
            #[track_caller]
            pub fn insert(&self, value: T) -> (K, &'a T) {
                match self.0.try_insert(value) {
                    Ok(inserted) => inserted,
                    Err(refused) => $crate::explain::refused::<Self>(&refused.reason),
                }
            }

            /// As [`insert`](Self::insert), but gives the value back where the room is used up. O(1).
            ///
            /// # Errors
            /// If the room that there was when the inserter was made is used up.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::builder().fixed(1).build();")]
            /// let inserter = arena.shared_inserter(1);
            /// inserter.insert('x');
            /// assert_eq!(inserter.try_insert('y').unwrap_err().into_value(), 'y');
            /// ```
            #[inline(always)]
            pub fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
                self.0.try_insert(value)
            }

            /// The value of a key, if it was there before the inserter was made; `None` for any other, and
            /// for those that were inserted since. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::new();")]
            /// let old = arena.insert("old");
            /// let inserter = arena.shared_inserter(1);
            /// let (new, _) = inserter.insert("new");
            /// assert_eq!((inserter.get(old), inserter.get(new)), (Some(&"old"), None));
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<&'a T> {
                self.0.get(key)
            }

            /// How many values were inserted through it so far; others may be at it. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::from_iter(['a']);")]
            /// let inserter = arena.shared_inserter(1);
            /// inserter.insert('b');
            /// assert_eq!(inserter.inserted(), 1);
            /// ```
            #[must_use]
            pub fn inserted(&self) -> usize {
                self.0.len()
            }

            /// For how many values there is room still; others may be taking it. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::builder().fixed(3).build();")]
            /// let inserter = arena.shared_inserter(0);
            /// inserter.insert('a');
            /// assert_eq!(inserter.remaining(), 2);
            /// ```
            #[must_use]
            pub fn remaining(&self) -> usize {
                self.0.remaining()
            }
        }

        impl<T, K: Key> core::fmt::Debug for SharedInserter<'_, T, K> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut shown = f.debug_struct("SharedInserter");
                shown.field("inserted", &self.inserted()).field("remaining", &self.remaining()).finish()
            }
        }
    };
}
pub(crate) use shared_inserter;
