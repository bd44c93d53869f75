//! A key's place in a map, with a value or without.

/// `Entry`, and how it is used.
macro_rules! entry {
    ($map:ident, $module:literal) => {
        impl<K: Key, V> $map<K, V> {
            /// The key's place, to look at, fill or empty it. `None` where the key could not have a
            /// value: it is dangling, or its slot has a value of a later key. O(1).
            ///
            /// A stale value of an earlier key stays until something is inserted.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut sightings = ", stringify!($map), "::new();")]
            /// for _ in 0..3 {
            ///     *sightings.entry(wren).unwrap().or_insert(0) += 1;
            /// }
            /// assert_eq!(sightings[wren], 3);
            /// ```
            pub fn entry(&mut self, key: K) -> Option<Entry<'_, K, V>> {
                if self.map.refusal(key).is_some() {
                    return None;
                }
                Some(if self.contains_key(key) {
                    Entry::Occupied(OccupiedEntry { map: self, key })
                } else {
                    Entry::Vacant(VacantEntry { map: self, key })
                })
            }
        }

        /// A key's place in a map.
        #[doc = concat!("Made by [`", stringify!($map), "::entry`].")]
        #[derive(Debug)]
        pub enum Entry<'a, K: Key, V> {
            /// It has a value.
            Occupied(OccupiedEntry<'a, K, V>),
            /// It has none.
            Vacant(VacantEntry<'a, K, V>),
        }

        /// A key's place that has a value.
        #[doc = concat!("Made by [`", stringify!($map), "::entry`].")]
        pub struct OccupiedEntry<'a, K: Key, V> {
            map: &'a mut $map<K, V>,
            key: K,
        }

        /// A key's place that has no value.
        #[doc = concat!("Made by [`", stringify!($map), "::entry`].")]
        pub struct VacantEntry<'a, K: Key, V> {
            map: &'a mut $map<K, V>,
            key: K,
        }

        impl<'a, K: Key, V> Entry<'a, K, V> {
            /// The key. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::<_, u8>::new();")]
            /// assert_eq!(ages.entry(wren).unwrap().key(), wren);
            /// ```
            #[must_use]
            pub fn key(&self) -> K {
                match self {
                    Self::Occupied(entry) => entry.key,
                    Self::Vacant(entry) => entry.key,
                }
            }

            /// Changes the value, if there is one.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::new();")]
            /// for _ in 0..2 {
            ///     ages.entry(wren).unwrap().and_modify(|age| *age += 1).or_insert(1);
            /// }
            /// assert_eq!(ages[wren], 2);
            /// ```
            pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
                if let Self::Occupied(entry) = &mut self {
                    change(entry.get_mut());
                }
                self
            }

            /// The value, or else this one, inserted. O(1) amortised.
            ///
            /// # Panics
            /// If memory is refused; then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::new();")]
            /// *ages.entry(wren).unwrap().or_insert(1) += 1;
            /// assert_eq!(ages[wren], 2);
            /// ```
            #[track_caller]
            pub fn or_insert(self, value: V) -> &'a mut V {
                self.or_insert_with(|| value)
            }

            /// The value, or else what `make` returns, inserted. If `make` panics, nothing has changed.
            /// O(1) amortised.
            ///
            /// # Panics
            /// If memory is refused; then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut songs = ", stringify!($map), "::new();")]
            /// songs.entry(wren).unwrap().or_insert_with(Vec::new).push("trill");
            /// assert_eq!(songs[wren], ["trill"]);
            /// ```
            #[track_caller]
            pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
                match self {
                    Self::Occupied(entry) => entry.into_mut(),
                    Self::Vacant(entry) => entry.insert(make()),
                }
            }

            /// The value, or else a default one, inserted. O(1) amortised.
            ///
            /// # Panics
            /// If memory is refused; then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut songs = ", stringify!($map), "::<_, Vec<&str>>::new();")]
            /// songs.entry(wren).unwrap().or_default().push("trill");
            /// assert_eq!(songs[wren], ["trill"]);
            /// ```
            #[track_caller]
            pub fn or_default(self) -> &'a mut V
            where
                V: Default,
            {
                self.or_insert_with(V::default)
            }
        }

        impl<'a, K: Key, V> OccupiedEntry<'a, K, V> {
            /// The key. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
            /// assert_eq!(entry.key(), wren);
            /// ```
            #[must_use]
            pub fn key(&self) -> K {
                self.key
            }

            /// The value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
            /// assert_eq!(entry.get(), &2);
            /// ```
            #[must_use]
            pub fn get(&self) -> &V {
                &self.map[self.key]
            }

            /// The value, to change it. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(mut entry)) = ages.entry(wren) else { panic!() };
            /// *entry.get_mut() += 1;
            /// assert_eq!(entry.get(), &3);
            /// ```
            #[must_use]
            pub fn get_mut(&mut self) -> &mut V {
                &mut self.map[self.key]
            }

            /// The value, to change it for as long as the map is borrowed. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
            /// *entry.into_mut() += 1;
            /// assert_eq!(ages[wren], 3);
            /// ```
            #[must_use]
            pub fn into_mut(self) -> &'a mut V {
                &mut self.map[self.key]
            }

            /// Puts another value in its place, and gives the old one out. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(mut entry)) = ages.entry(wren) else { panic!() };
            /// assert_eq!(entry.insert(3), 2);
            /// ```
            pub fn insert(&mut self, value: V) -> V {
                core::mem::replace(self.get_mut(), value)
            }

            /// Takes the value out. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
            /// assert_eq!(entry.remove(), 2);
            /// assert!(ages.is_empty());
            /// ```
            pub fn remove(self) -> V {
                self.remove_entry().1
            }

            /// Takes key and value out. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::from_iter([(wren, 2)]);")]
            /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
            /// assert_eq!(entry.remove_entry(), (wren, 2));
            /// ```
            pub fn remove_entry(self) -> (K, V) {
                match self.map.remove(self.key) {
                    Some(value) => (self.key, value),
                    None => unreachable!("the entry is occupied"),
                }
            }
        }

        impl<'a, K: Key, V> VacantEntry<'a, K, V> {
            /// The key. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::<_, u8>::new();")]
            /// let Some(Entry::Vacant(entry)) = ages.entry(wren) else { panic!() };
            /// assert_eq!(entry.key(), wren);
            /// ```
            #[must_use]
            pub fn key(&self) -> K {
                self.key
            }

            /// Puts a value in, and gives it out to change it; a stale one is dropped. O(1) amortised.
            ///
            /// # Panics
            /// If memory is refused; then nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, maps::", stringify!($map), "};")]
            #[doc = concat!("use larder::maps::", $module, "::Entry;")]
            ///
            /// let wren = Arena::new().insert("wren");
            #[doc = concat!("let mut ages = ", stringify!($map), "::new();")]
            /// let Some(Entry::Vacant(entry)) = ages.entry(wren) else { panic!() };
            /// *entry.insert(2) += 1;
            /// assert_eq!(ages[wren], 3);
            /// ```
            #[track_caller]
            pub fn insert(self, value: V) -> &'a mut V {
                let Self { map, key } = self;
                map.insert(key, value);
                &mut map[key]
            }
        }

        impl<K: Key, V: core::fmt::Debug> core::fmt::Debug for OccupiedEntry<'_, K, V> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("OccupiedEntry")
                    .field("key", &self.key)
                    .field("value", self.get())
                    .finish()
            }
        }

        impl<K: Key, V> core::fmt::Debug for VacantEntry<'_, K, V> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple("VacantEntry").field(&self.key).finish()
            }
        }
    };
}
pub(crate) use entry;
