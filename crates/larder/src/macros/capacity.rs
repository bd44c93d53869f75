//! How much a container holds and could hold.

/// Capacity. `reserve` is how the container makes room.
macro_rules! capacity {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        reserve: |$this:ident, $additional:ident| $reserve:expr
    ) => {
        /// Capacity.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns the number of values. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter(['a', 'b']);
            /// assert_eq!(arena.len(), 2);
            /// ```
            #[inline]
            #[must_use]
            pub const fn len(&self) -> usize {
                self.store.len()
            }

            /// Returns whether there are no values. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// assert!(arena.is_empty());
            /// arena.insert('a');
            /// assert!(!arena.is_empty());
            /// ```
            #[inline]
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                self.len() == 0
            }

            #[doc = concat!("Returns how many values ", $crate::macros::words!(capacity $memory), ".")]
            /// Retired slots do not count; those of [detached](crate::containers::Stats::detached) keys do. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            #[doc = concat!("let mut arena = ", $one, ";")]
            /// assert_eq!(arena.capacity(), 1);
            /// arena.insert('a');
            /// assert_eq!(arena.capacity(), 1);
            /// ```
            #[inline]
            #[must_use]
            pub fn capacity(&self) -> usize {
                self.store.capacity()
            }

            /// Makes room for at least `additional` more values.
            #[doc = $crate::macros::words!(reserve $memory)]
            ///
            /// # Panics
            #[doc = concat!("If ", $crate::macros::words!(full $memory), ", memory is refused, or there cannot be so many slots.")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(0..10_u32);
            /// arena.reserve(50);
            /// assert!(arena.capacity() >= 60);
            /// ```
            #[track_caller]
            pub fn reserve(&mut self, additional: usize) {
                $crate::explain::granted::<Self, _>(self.try_reserve(additional));
            }

            /// Like [`reserve`](Self::reserve), but returns an error if there is no room.
            ///
            /// # Errors
            #[doc = concat!("If ", $crate::macros::words!(full $memory), ", memory is refused, or there cannot be so many slots; ")]
            /// no value has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// arena.insert('a');
            /// assert!(arena.try_reserve(50).is_ok() && arena.capacity() >= 51);
            /// assert!(arena.try_reserve(usize::MAX).is_err());
            /// ```
            pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                let ($this, $additional) = (self, additional);
                $reserve
            }

            /// Returns how slots and memory are used. What values own elsewhere is not counted. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let key = arena.insert(1_u64);
            /// arena.extend([2, 3, 4]);
            /// arena.remove(key);
            /// let stats = arena.stats();
            /// assert_eq!((stats.live, stats.holes, stats.slots), (3, 1, 4));
            /// assert_eq!((stats.memory.values, stats.memory.holes), (24, 8));
            /// ```
            #[doc(alias("memory_usage", "mem_usage"))]
            #[must_use]
            pub fn stats(&self) -> Stats {
                self.store.stats()
            }
        }
    };
}
pub(crate) use capacity;

/// Giving back memory at the end.
macro_rules! shrinking {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Shrinking.
        impl<$($generics)*> $container<$($args)*> {
            /// Frees the memory that no used slot needs. Free slots at the end are forgotten: when such
            /// a slot is begun again, it continues past every generation that was forgotten, so stale
            /// keys stay stale. Other keys stay valid.
            #[doc = $crate::macros::words!(shrink $memory)]
            /// A fixed container keeps its memory. O(slots).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(0..1_000_u32);
            /// let last = arena.keys().last().unwrap();
            /// arena.retain(|_, number| *number < 10);
            /// arena.shrink_to_fit();
            /// assert_eq!(arena.capacity(), 10);
            /// arena.extend(0..1_000_u32);
            /// assert_eq!(arena.get(last), None); // the same slot, another generation
            /// ```
            pub fn shrink_to_fit(&mut self) {
                self.store.shrink_to(0);
            }

            /// Like [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for `capacity` values.
            /// O(slots).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(0..1_000_u32);
            /// arena.clear();
            /// arena.shrink_to(100);
            /// assert_eq!(arena.capacity(), 100);
            /// ```
            pub fn shrink_to(&mut self, capacity: usize) {
                self.store.shrink_to(capacity);
            }
        }
    };
}
pub(crate) use shrinking;

/// Giving back memory between values. `holes` says what becomes of the contents of holes.
macro_rules! compacting {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        holes: $holes:literal
    ) => {
        /// Compacting.
        impl<$($generics)*> $container<$($args)*> {
            /// Moves values from the highest slots into the lowest holes until no hole is left below a
            /// value, and then frees memory as [`shrink_to_fit`](Self::shrink_to_fit) does. A fixed
            #[doc = concat!("container keeps its memory. ", $holes, "O(slots).")]
            ///
            /// After each move `moved` is called with the value's old key, which is now stale, its new one, and
            /// the value, so that the caller can update stored keys. Values that are not moved keep their
            /// keys. Slots of detached keys, and retired slots, stay where they are. If `moved` panics,
            /// the moves it was called for are done, and no others.
            ///
            /// This moves values even in memory that otherwise never moves. An order of reuse other than
            /// packed starts again with the lowest free slot.
            ///
            /// # Panics
            /// If a hole is in its last generation and memory for the bits of retired slots is refused.
            /// The moves that `moved` was called for are done.
            ///
            /// # Examples
            /// ```
            /// use std::collections::HashMap;
            ///
            #[doc = $example]
            /// let mut trees = Arena::new();
            /// let mut by_name = HashMap::new();
            /// for name in ["ash", "elm", "fir", "oak"] {
            ///     by_name.insert(name, trees.insert(name));
            /// }
            /// trees.remove(by_name.remove("ash").unwrap());
            ///
            /// trees.compact(|old, new, _| {
            ///     let stored = by_name.values_mut().find(|key| **key == old).unwrap();
            ///     *stored = new;
            /// });
            /// assert_eq!(trees.capacity(), 3);
            /// assert!(trees.values().eq(&["oak", "elm", "fir"]));
            /// assert!(by_name.iter().all(|(name, key)| trees.get(*key) == Some(name)));
            /// ```
            #[doc(alias("defragment", "consolidate"))]
            #[track_caller]
            pub fn compact(
                &mut self,
                mut moved: impl FnMut(K, K, $crate::macros::exclusive!($kind '_)),
            ) {
                let compacted = self.store.compact(|store, old, new| {
                    if let Some(value) = store.get_mut(new) {
                        moved(old, new, value);
                    }
                });
                $crate::explain::granted::<Self, _>(compacted);
            }
        }
    };
}
pub(crate) use compacting;
