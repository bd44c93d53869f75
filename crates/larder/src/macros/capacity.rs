//! How much a container holds and could hold.

/// Capacity.
macro_rules! capacity {
    (
        [$($generics:tt)*] $container:ty, $new:literal, $from:literal, $for_one:literal,
        full: $full:literal, capacity: $capacity:literal, remaining: $remaining:literal,
        reserve: $reserve:literal, shrink: $shrink:literal
    ) => {
        /// Capacity.
        impl<$($generics)*> $container {
            /// How many values there are. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let arena = ", $from, "(['a', 'b']);")]
            /// assert_eq!(arena.len(), 2);
            /// ```
            #[inline]
            #[must_use]
            pub const fn len(&self) -> usize {
                self.rows.len()
            }

            /// Whether there are none. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// assert!(arena.is_empty());
            /// arena.insert('a');
            /// assert!(!arena.is_empty());
            /// ```
            #[inline]
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                self.len() == 0
            }

            #[doc = $capacity]
            /// Retired slots do not count. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $for_one, ";")]
            /// assert_eq!(arena.capacity(), 1);
            /// arena.insert('a');
            /// assert_eq!(arena.capacity(), 1);
            /// ```
            #[inline]
            #[must_use]
            pub fn capacity(&self) -> usize {
                self.rows.capacity()
            }

            #[doc = $remaining]
            /// Slots of detached keys do not count. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $for_one, ";")]
            /// let key = arena.insert('a');
            /// assert_eq!(arena.remaining(), 0);
            /// arena.remove(key);
            /// assert_eq!(arena.remaining(), 1);
            /// ```
            #[inline]
            #[must_use]
            pub fn remaining(&self) -> usize {
                self.rows.remaining()
            }

            /// Makes room for `additional` values beside those that are there.
            #[doc = $reserve]
            ///
            /// # Panics
            #[doc = concat!("If memory is refused, there cannot be so many slots, or ", $full, ".")]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "(0..10);")]
            /// arena.reserve(1_000);
            /// assert!(arena.remaining() >= 1_000);
            /// ```
            #[track_caller]
            pub fn reserve(&mut self, additional: usize) {
                if let Err(reason) = self.try_reserve(additional) {
                    $crate::explain::refused::<Self>(&reason);
                }
            }

            /// As [`reserve`](Self::reserve), but says so where there is no room. Nothing has
            /// changed then.
            ///
            /// # Errors
            #[doc = concat!("If memory is refused, there cannot be so many slots, or ", $full, ".")]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// arena.insert('a');
            /// assert!(arena.try_reserve(100).is_ok() && arena.remaining() >= 100);
            /// assert!(arena.try_reserve(usize::MAX).is_err());
            /// ```
            pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.rows.try_reserve(additional)
            }

            /// Gives back what memory the slots in use do not need. Free slots at the end are
            /// dropped, also those that handles remember: a slot that is begun anew continues past
            /// every generation that was dropped. Handles stay valid. A fixed arena stays as it is.
            /// O(slots).
            #[doc = $shrink]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "(0..1_000_u32);")]
            /// let last = arena.keys().last().unwrap();
            /// arena.retain(|_, number| *number < 10);
            /// arena.shrink_to_fit();
            /// assert_eq!(arena.capacity(), 10);
            /// arena.extend(0..1_000);
            /// assert_eq!(arena.get(last), None); // the same slot, another generation
            /// ```
            pub fn shrink_to_fit(&mut self) {
                self.rows.shrink_to(0);
            }

            /// As [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for `capacity` values.
            /// O(slots).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $from, "(0..1_000);")]
            /// arena.clear();
            /// arena.shrink_to(100);
            /// assert_eq!(arena.capacity(), 100);
            /// ```
            pub fn shrink_to(&mut self, capacity: usize) {
                self.rows.shrink_to(capacity);
            }

            /// How slots and memory are used. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert('x');
            /// arena.insert('y');
            /// arena.remove(key);
            /// let stats = arena.stats();
            /// assert_eq!((stats.live, stats.holes, stats.slots), (1, 1, 2));
            /// ```
            #[must_use]
            pub fn stats(&self) -> Stats {
                self.rows.stats()
            }

            /// Where its memory goes: values, holes, bookkeeping, what is committed and reserved.
            /// O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// let key = arena.insert(1_u64);
            /// arena.extend([2, 3, 4]);
            /// arena.remove(key);
            /// let usage = arena.memory_usage();
            /// assert_eq!((usage.values, usage.holes), (24, 8));
            /// assert!(usage.bookkeeping > 0 && usage.reserved >= usage.committed);
            /// ```
            #[must_use]
            pub fn memory_usage(&self) -> $crate::stats::MemoryUsage {
                self.rows.memory_usage()
            }
        }
    };
}
pub(crate) use capacity;
