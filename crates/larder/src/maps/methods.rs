//! The methods of both maps of side data, in one place.
//!
//! A map is a struct with a field `map`, whose methods these are; what differs is a parameter.

/// All of them, for `$map<K, V>`. `order` is the order of walks and `walk` their cost; `capacity` says what is
/// counted; the rest are the iterators of the field.
macro_rules! map {
    (
        $map:ident,
        order: $order:literal,
        walk: $walk:literal,
        capacity: $capacity:literal, reserve: $reserve:literal,
        iter: $iter:ty, iter_mut: $iter_mut:ty, into_iter: $into_iter:ty, drain: $drain:ty,
        extract_if: $extract_if:ty $(,)?
    ) => {
        /// Hidden lines of the examples: two keys with values in a map.
        macro_rules! example {
            () => {
                concat!(
                    "# use larder::{Arena, Handle, maps::", stringify!($map), "};\n",
                    "# let mut birds = Arena::new();\n",
                    "# let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n",
                    "# let mut ages = ", stringify!($map), "::from_iter([(wren, 2), (kite, 5)]);"
                )
            };
        }

        /// Capacity and memory.
        impl<K: Key, V> $map<K, V> {
            /// Makes an empty map with this capacity at least. O(capacity).
            #[doc = $capacity]
            ///
            /// # Panics
            /// If memory is refused.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            #[doc = concat!("let weights = ", stringify!($map), "::<Handle<&str>, u8>::with_capacity(100);")]
            /// assert!(weights.is_empty() && weights.capacity() >= 100);
            /// ```
            #[must_use]
            #[track_caller]
            pub fn with_capacity(capacity: usize) -> Self {
                let mut this = Self::new();
                this.set_capacity(capacity);
                this
            }

            /// Returns how many entries there are, stale ones included. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// birds.remove(wren);
            /// assert_eq!(ages.len(), 2); // the map was not told
            /// ages.retain_live(&birds);
            /// assert_eq!(ages.len(), 1);
            /// ```
            #[inline]
            #[must_use]
            pub fn len(&self) -> usize {
                self.map.len()
            }

            /// Returns whether there are no entries. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(!ages.is_empty());
            /// ```
            #[inline]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns the capacity. O(1).
            #[doc = $capacity]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.capacity() >= 2);
            /// ```
            #[must_use]
            pub fn capacity(&self) -> usize {
                self.map.capacity()
            }

            /// Grows to at least this capacity. O(capacity).
            #[doc = $capacity]
            ///
            /// # Panics
            /// If memory is refused, or no key can name so many slots.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.set_capacity(100);
            /// assert!(ages.capacity() >= 100);
            /// ```
            #[track_caller]
            pub fn set_capacity(&mut self, capacity: usize) {
                $crate::explain::granted::<Self, _>(self.try_set_capacity(capacity));
            }

            /// Like [`set_capacity`](Self::set_capacity), but returns an error instead of panicking.
            ///
            /// # Errors
            /// If memory is refused, or no key can name so many slots. Then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.try_set_capacity(100).is_ok());
            /// assert!(ages.try_set_capacity(usize::MAX).is_err());
            /// ```
            pub fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError> {
                self.map.try_set_capacity(capacity)
            }

            /// Makes room for at least `additional` entries more: so many are inserted, and removed and inserted again,
            /// without allocating.
            #[doc = $reserve]
            ///
            /// # Panics
            /// If allocation fails, or no key can name so many slots.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.reserve(100);
            /// assert!(ages.capacity() >= 102);
            /// ```
            #[track_caller]
            pub fn reserve(&mut self, additional: usize) {
                $crate::explain::granted::<Self, _>(self.try_reserve(additional));
            }

            /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
            ///
            /// # Errors
            /// If allocation fails, or no key can name so many slots. Then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.try_reserve(100).is_ok());
            /// assert!(ages.try_reserve(usize::MAX).is_err());
            /// ```
            pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.map.try_set_capacity(self.len().saturating_add(additional))
            }

            /// Frees unused memory, as far as the allocator agrees. O(entries + capacity).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.set_capacity(1_000);
            /// ages.shrink_to_fit();
            /// assert!(ages.capacity() < 1_000);
            /// ```
            pub fn shrink_to_fit(&mut self) {
                self.map.shrink_to_fit();
            }

            /// Returns its length, and where its memory goes. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert_eq!(ages.stats().memory.values, 2 * size_of::<i32>());
            /// ```
            #[doc(alias = "memory_usage")]
            #[must_use]
            pub fn stats(&self) -> Stats {
                Stats::beside(self.len(), self.map.memory_usage())
            }
        }

        /// Inserting.
        impl<K: Key, V> $map<K, V> {
            /// Inserts a value under a key, and returns the value that this key had. O(1) amortised.
            ///
            /// The value of an *earlier* key of the slot is stale, and is dropped. If the slot has the value of a
            /// *later* key, this key is stale: the value is dropped, nothing changes, and the result is `None`, as
            /// with `slotmap`. The same holds for a dangling key. [`try_insert`](Self::try_insert) returns an
            /// error instead. (A `BareHandle` is never stale, since it has no generation.)
            ///
            /// # Panics
            /// If memory is refused. Then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert_eq!(ages.insert(wren, 3), Some(2));
            ///
            /// birds.remove(wren);
            /// let owl = birds.insert("owl"); // in the same slot
            /// assert_eq!(ages.insert(owl, 1), None);
            /// assert_eq!(ages.insert(wren, 4), None); // too late: nothing changes
            /// assert_eq!(ages.get(wren), None);
            /// ```
            #[inline(always)] // A call, and a result in memory, would take as long as the insertion.
            #[track_caller]
            pub fn insert(&mut self, key: K, value: V) -> Option<V> {
                match self.map.try_insert(key, value) {
                    Ok(before) => before,
                    Err(refused) => Self::not_inserted(refused.reason),
                }
            }

            /// Like [`insert`](Self::insert), but returns the value in the error. O(1) amortised.
            ///
            /// # Errors
            /// If the key is stale or dangling, or memory is refused. Then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// birds.remove(wren);
            /// let owl = birds.insert("owl");
            /// ages.insert(owl, 1);
            /// let refused = ages.try_insert(wren, 2).unwrap_err();
            /// assert_eq!(refused.reason, larder::maps::SecondaryInsertErrorKind::Stale { tenant: owl });
            /// ```
            #[inline]
            pub fn try_insert(
                &mut self,
                key: K,
                value: V,
            ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
                self.map.try_insert(key, value)
            }

            /// Returns the entry of a key, for inserting, changing or removing its value. `None` if the key
            /// cannot have a value: it is dangling, or its slot has the value of a later key. O(1).
            ///
            /// A stale value of an earlier key stays until a value is inserted.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// for _ in 0..3 {
            ///     *ages.entry(wren).unwrap().or_insert(0) += 1;
            /// }
            /// assert_eq!(ages[wren], 5);
            /// ```
            pub fn entry(&mut self, key: K) -> Option<Entry<'_, Self>> {
                if refusal(key, self.map.key_at(key.slot())).is_some() {
                    return None;
                }
                Some(if self.contains_key(key) {
                    Entry::Occupied(OccupiedEntry { map: self, key })
                } else {
                    Entry::Vacant(VacantEntry { map: self, key })
                })
            }
        }

        impl<K: Key, V> Entries for $map<K, V> {
            type Key = K;
            type Value = V;

            fn value(&self, key: K) -> &V {
                &self[key]
            }

            fn value_mut(&mut self, key: K) -> &mut V {
                &mut self[key]
            }

            #[track_caller]
            fn put(&mut self, key: K, value: V) -> &mut V {
                self.insert(key, value);
                &mut self[key]
            }

            fn take(&mut self, key: K) -> V {
                self.map.remove(key).unwrap_or_else(|| unreachable!("the entry is occupied"))
            }
        }

        /// Looking up.
        impl<K: Key, V> $map<K, V> {
            /// Returns the value of a key, if it has one. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert_eq!(ages.get(wren), Some(&2));
            ///
            /// birds.remove(wren);
            /// let owl = birds.insert("owl"); // in the same slot
            /// assert_eq!(ages.get(owl), None);
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<&V> {
                self.map.get(key)
            }

            /// Returns the value of a key for mutation. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// *ages.get_mut(wren).unwrap() += 1;
            /// assert_eq!(ages[wren], 3);
            /// ```
            #[inline]
            #[must_use]
            pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
                self.map.get_mut(key)
            }

            /// Returns whether a key has a value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.remove(kite);
            /// assert!(ages.contains_key(wren) && !ages.contains_key(kite));
            /// ```
            #[inline]
            #[must_use]
            pub fn contains_key(&self, key: K) -> bool {
                self.get(key).is_some()
            }

            /// Returns several values at once for mutation. O(n²) for n keys.
            ///
            /// # Errors
            /// If a key has no value, or two keys name the same slot.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// let [a, b] = ages.get_disjoint_mut([wren, kite]).unwrap();
            /// core::mem::swap(a, b);
            /// assert_eq!((ages[wren], ages[kite]), (5, 2));
            /// assert!(ages.get_disjoint_mut([wren, wren]).is_err());
            /// ```
            pub fn get_disjoint_mut<const KEYS: usize>(
                &mut self,
                keys: [K; KEYS],
            ) -> Result<[&mut V; KEYS], GetDisjointMutError> {
                self.map.get_disjoint_mut(keys)
            }

            /// Returns the key, stale or not, that has a value in a slot. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert_eq!(ages.key_of_slot(kite.slot()), Some(kite));
            /// assert_eq!(ages.key_of_slot(2), None);
            /// ```
            #[doc(alias = "key_at")]
            #[inline]
            #[must_use]
            pub fn key_of_slot(&self, slot: u32) -> Option<K> {
                self.map.key_at(slot)
            }
        }

        /// Panics if the key has no value, and says what its slot has.
        impl<K: Key, V> core::ops::Index<K> for $map<K, V> {
            type Output = V;

            #[inline]
            #[track_caller]
            fn index(&self, key: K) -> &V {
                match self.map.get(key) {
                    Some(value) => value,
                    None => self.no_entry(key),
                }
            }
        }

        /// Panics if the key has no value, and says what its slot has.
        impl<K: Key, V> core::ops::IndexMut<K> for $map<K, V> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, key: K) -> &mut V {
                if !self.contains_key(key) {
                    self.no_entry(key);
                }
                match self.map.get_mut(key) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }
        }

        /// Removing.
        impl<K: Key, V> $map<K, V> {
            /// Removes the value of a key and returns it, if it has one. O(1), without memory.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert_eq!(ages.remove(wren), Some(2));
            /// assert_eq!(ages.remove(wren), None);
            /// ```
            #[inline]
            pub fn remove(&mut self, key: K) -> Option<V> {
                self.map.remove(key)
            }

            #[doc = concat!("Drops the values for which `keep` returns `false`, ", $order, ".")]
            /// If `keep` or a value's `Drop` panics, the entries visited before the panic are kept or removed
            /// as requested.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.retain(|_, age| *age > 3);
            /// assert!(ages.keys().eq([kite]));
            /// ```
            #[inline]
            pub fn retain(&mut self, keep: impl FnMut(K, &mut V) -> bool) {
                self.map.retain(keep);
            }

            /// Drops the values of stale keys: those that a container, or another map, does not have. If a
            /// value's `Drop` panics, the entries visited before the panic are kept or removed as requested.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// birds.remove(wren);
            /// assert_eq!(ages.get(wren), Some(&2));
            /// ages.retain_live(&birds);
            /// assert!(ages.iter().eq([(kite, &5)]));
            /// ```
            #[doc(alias("flush", "remove_stale"))]
            pub fn retain_live(&mut self, of: &impl Container<Key = K>) {
                self.retain(|key, _| of.contains_key(key));
            }

            /// Drops all values and keeps the memory.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.clear();
            /// assert!(ages.is_empty());
            /// ```
            pub fn clear(&mut self) {
                self.map.clear();
            }

            #[doc = concat!("Removes and returns all entries, ", $order, ".")]
            /// Entries not pulled are removed when the iterator is dropped, even if a value's `Drop` panics. O(1) an
            /// entry.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.drain().eq([(wren, 2), (kite, 5)]));
            /// assert!(ages.is_empty());
            /// ```
            pub fn drain(&mut self) -> Drain<'_, K, V> {
                Drain(self.map.drain())
            }

            /// Removes and returns the entries for which `choose` returns `true`. Unvisited entries remain. O(1) a
            /// visited entry.
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.extract_if(|_, age| *age > 3).eq([(kite, 5)]));
            /// assert_eq!(ages.len(), 1);
            /// ```
            pub fn extract_if<F: FnMut(K, &mut V) -> bool>(
                &mut self,
                choose: F,
            ) -> ExtractIf<'_, K, V, F> {
                ExtractIf(self.map.extract_if(choose))
            }
        }

        #[doc = concat!("Iterating, ", $order, ", over stale entries too.")]
        impl<K: Key, V> $map<K, V> {
            /// Walks keys and values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.iter().eq([(wren, &2), (kite, &5)]));
            /// ```
            #[inline]
            pub fn iter(&self) -> Iter<'_, K, V> {
                Iter(self.map.iter())
            }

            /// Walks keys and values, for changing the values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// for (bird, age) in ages.iter_mut() {
            ///     *age += bird.slot() as i32;
            /// }
            /// assert!(ages.values().eq(&[2, 6]));
            /// ```
            #[inline]
            pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
                IterMut(self.map.iter_mut())
            }

            /// Walks the keys.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.keys().eq([wren, kite]));
            /// ```
            #[inline]
            pub fn keys(&self) -> Keys<'_, K, V> {
                Keys(self.iter())
            }

            /// Walks the values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert_eq!(ages.values().sum::<i32>(), 7);
            /// ```
            #[inline]
            pub fn values(&self) -> Values<'_, K, V> {
                Values(self.iter())
            }

            /// Walks the values, for changing them.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// ages.values_mut().for_each(|age| *age += 1);
            /// assert_eq!(ages[wren], 3);
            /// ```
            #[inline]
            pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
                ValuesMut(self.iter_mut())
            }

            /// Turns the map into its values.
            #[doc = $walk]
            ///
            /// # Examples
            /// ```
            #[doc = example!()]
            /// assert!(ages.into_values().eq([2, 5]));
            /// ```
            #[inline]
            pub fn into_values(self) -> IntoValues<K, V> {
                IntoValues(self.into_iter())
            }
        }

        $crate::macros::iterators! {
            [K: Key, V] [K, V] $map, order: $order, shared: &'a V, exclusive: &'a mut V,
            iter: $iter, iter_mut: $iter_mut, none: Default::default()
        }
        #[cfg(feature = "rayon")]
        $crate::impls::rayon::divided! { ['a, K: Key, V] Iter<'a, K, V>; ['a, K: Key, V] IterMut<'a, K, V>; }
        $crate::macros::owning_iterators! {
            [K: Key, V] [K, V] $map, order: $order, value: V, exclusive: &'_ mut V,
            into_iter: $into_iter, drain: $drain, extract_if: $extract_if
        }

        impl<K: Key, V: core::fmt::Debug> core::fmt::Debug for Iter<'_, K, V> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self.clone()).finish()
            }
        }

        $crate::maps::traits! { $map }
    };
}
pub(super) use map;
