//! Making a map, and putting values into it.

/// Constructors, room, insertion.
macro_rules! storing {
    ($map:ident, capacity: $capacity:literal) => {
        /// Making one, and making room.
        impl<K: Key, V> $map<K, V> {
            /// Makes room for at least as many as `capacity` says. Allocates once it is more than there
            /// was; O(capacity).
            #[doc = $capacity]
            ///
            /// # Panics
            /// If memory is refused.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, maps::", stringify!($map), "};")]
            ///
            #[doc = concat!("let ages = ", stringify!($map), "::<Handle<&str>, u8>::with_capacity(100);")]
            /// assert!(ages.is_empty() && ages.capacity() >= 100);
            /// ```
            #[must_use]
            #[track_caller]
            pub fn with_capacity(capacity: usize) -> Self {
                let mut this = Self::new();
                this.set_capacity(capacity);
                this
            }

            /// How many entries it has, stale ones included. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// birds.remove(wren);
            /// assert_eq!(ages.len(), 1); // it was not told
            /// ages.retain_live(&birds);
            /// assert_eq!(ages.len(), 0);
            /// ```
            #[inline]
            #[must_use]
            pub fn len(&self) -> usize {
                self.map.len()
            }

            /// Whether there is no entry. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, maps::", stringify!($map), "};")]
            ///
            #[doc = concat!("assert!(", stringify!($map), "::<Handle<u8>, u8>::new().is_empty());")]
            /// ```
            #[inline]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// For how much there is room. O(1).
            #[doc = $capacity]
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, maps::", stringify!($map), "};")]
            ///
            #[doc = concat!("let mut ages = ", stringify!($map), "::<Handle<&str>, u8>::new();")]
            /// assert_eq!(ages.capacity(), 0);
            /// ages.set_capacity(10);
            /// assert!(ages.capacity() >= 10);
            /// ```
            #[must_use]
            pub fn capacity(&self) -> usize {
                self.map.capacity()
            }

            /// Makes room, if there is less. O(capacity).
            #[doc = $capacity]
            ///
            /// # Panics
            /// If memory is refused, or no key names so many slots.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, maps::", stringify!($map), "};")]
            ///
            #[doc = concat!("let mut ages = ", stringify!($map), "::<Handle<&str>, u8>::new();")]
            /// ages.set_capacity(100);
            /// assert!(ages.capacity() >= 100);
            /// ```
            #[track_caller]
            pub fn set_capacity(&mut self, capacity: usize) {
                if let Err(reason) = self.try_set_capacity(capacity) {
                    $crate::explain::refused::<Self>(&reason);
                }
            }

            /// As [`set_capacity`](Self::set_capacity), or says why there is none.
            ///
            /// # Errors
            /// If memory is refused, or no key names so many slots. Then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, maps::", stringify!($map), "};")]
            ///
            #[doc = concat!("let mut ages = ", stringify!($map), "::<Handle<&str>, u8>::new();")]
            /// assert!(ages.try_set_capacity(100).is_ok());
            /// assert!(ages.try_set_capacity(usize::MAX).is_err());
            /// ```
            pub fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError> {
                self.map.try_set_capacity(capacity)
            }

            /// Gives back what memory the entries do not need. O(entries and capacity). If the
            /// allocator refuses, the memory stays.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::from_iter(0..1_000);
            #[doc = concat!("let mut ages: ", stringify!($map), "<_, _> = birds.keys().map(|bird| (bird, 2)).collect();")]
            /// let before = ages.stats().memory.committed;
            /// birds.retain(|_, number| *number < 10);
            /// ages.retain_live(&birds);
            /// ages.shrink_to_fit();
            /// assert!(ages.stats().memory.committed < before / 10);
            /// ```
            pub fn shrink_to_fit(&mut self) {
                self.map.shrink_to_fit();
            }

            /// Returns its length, and where its memory goes. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            #[doc = concat!("let ages = ", stringify!($map), "::from_iter([(birds.insert(\"wren\"), 2_u64)]);")]
            /// assert_eq!(ages.stats().memory.values, 8);
            /// ```
            #[doc(alias = "memory_usage")]
            #[must_use]
            pub fn stats(&self) -> Stats {
                Stats::beside(self.len(), self.map.memory_usage())
            }
        }

        /// Inserting.
        impl<K: Key, V> $map<K, V> {
            /// Puts a value under a key, and gives out the value that this key had. O(1) amortised.
            ///
            /// The value of an *earlier* key of the slot is stale, and is dropped. If the slot has a
            /// value of a *later* key, this one is stale itself: nothing changes, the value is dropped,
            /// and the answer is `None`, as `slotmap` has it; the same holds for a dangling key.
            /// [`try_insert`](Self::try_insert) says so instead. (Keys without a generation, `BareHandle`, are
            /// never stale: they name whoever is in the slot.)
            ///
            /// # Panics
            /// If memory is refused; then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::new();")]
            /// assert_eq!(ages.insert(wren, 2), None);
            /// assert_eq!(ages.insert(wren, 3), Some(2));
            ///
            /// birds.remove(wren);
            /// let kite = birds.insert("kite"); // in the same slot
            /// assert_eq!(ages.insert(kite, 1), None);
            /// assert_eq!(ages.insert(wren, 4), None); // too late: nothing changes
            /// assert!(ages.iter().eq([(kite, &1)]));
            /// ```
            #[inline]
            #[track_caller]
            pub fn insert(&mut self, key: K, value: V) -> Option<V> {
                match self.try_insert(key, value) {
                    Ok(before) => before,
                    Err(refused) => {
                        if let SecondaryInsertErrorKind::NoMemory(reason) = refused.reason {
                            $crate::explain::refused::<Self>(&reason);
                        }
                        None
                    }
                }
            }

            /// As [`insert`](Self::insert), but gives the value back where it is not taken. O(1)
            /// amortised.
            ///
            /// # Errors
            /// If the key is stale or dangling, or memory is refused. Then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::{SecondaryInsertErrorKind, ", stringify!($map), "}};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            /// birds.remove(wren);
            /// let kite = birds.insert("kite");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(kite, 1)]);")]
            /// let refused = ages.try_insert(wren, 2).unwrap_err();
            /// assert_eq!(refused.reason, SecondaryInsertErrorKind::Stale { tenant: kite });
            /// ```
            #[inline]
            pub fn try_insert(
                &mut self,
                key: K,
                value: V,
            ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
                self.map.try_insert(key, value)
            }
        }

        impl<K: Key, V> Default for $map<K, V> {
            /// An empty map.
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
pub(crate) use storing;
