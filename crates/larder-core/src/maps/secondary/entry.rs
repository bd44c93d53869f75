//! The entry of a key in a map of side data.

use core::fmt;
use core::mem;

use super::SideMap;
use crate::key::Key;
use crate::maps::raw::side::Array;
use crate::maps::side_layout::SideLayout;

/// Hidden lines of the examples: a key with a value in a map, and one without.
macro_rules! example {
    () => {
        "# use larder::{Arena, SecondaryMap, maps::Entry};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut ages = SecondaryMap::from_iter([(wren, 2)]);"
    };
}

/// The entry of a key in a map, with a value or without. Made by [`SideMap::entry`].
pub enum Entry<'a, K: Key, V, L = Array<K, V>> {
    /// The key has a value.
    Occupied(OccupiedEntry<'a, K, V, L>),
    /// The key has no value.
    Vacant(VacantEntry<'a, K, V, L>),
}

/// The entry of a key that has a value. Made by [`SideMap::entry`].
pub struct OccupiedEntry<'a, K: Key, V, L = Array<K, V>> {
    pub(super) map: &'a mut SideMap<K, V, L>,
    pub(super) key: K,
}

/// The entry of a key that has no value. Made by [`SideMap::entry`].
pub struct VacantEntry<'a, K: Key, V, L = Array<K, V>> {
    pub(super) map: &'a mut SideMap<K, V, L>,
    pub(super) key: K,
}

impl<'a, K: Key, V, L: SideLayout<K, V>> Entry<'a, K, V, L> {
    /// Returns the key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.entry(kite).unwrap().key(), kite);
    /// ```
    #[inline]
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
    #[doc = example!()]
    /// ages.entry(wren).unwrap().and_modify(|age| *age += 1).or_insert(1);
    /// assert_eq!(ages[wren], 3);
    /// ```
    #[inline]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Returns the value, after inserting this one if there was none. O(1) amortised.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// *ages.entry(kite).unwrap().or_insert(1) += 1;
    /// assert_eq!(ages[kite], 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Returns the value, after inserting what `make` returns if there was none. If `make` panics, nothing has changed.
    /// O(1) amortised.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// *ages.entry(kite).unwrap().or_insert_with(|| 1) += 1;
    /// assert_eq!(ages[kite], 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(make()),
        }
    }

    /// Returns the value, after inserting a default one if there was none. O(1) amortised.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(*ages.entry(kite).unwrap().or_default(), 0);
    /// ```
    #[inline]
    #[track_caller]
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<'a, K: Key, V, L: SideLayout<K, V>> OccupiedEntry<'a, K, V, L> {
    /// Returns the key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
    /// assert_eq!(entry.key(), wren);
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.key
    }

    /// Returns the value. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
    /// assert_eq!(entry.get(), &2);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self) -> &V {
        &self.map[self.key]
    }

    /// Returns the value for mutation. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(mut entry)) = ages.entry(wren) else { panic!() };
    /// *entry.get_mut() += 1;
    /// assert_eq!(entry.get(), &3);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map[self.key]
    }

    /// Returns the value for mutation, as long as the map is borrowed. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
    /// *entry.into_mut() += 1;
    /// assert_eq!(ages[wren], 3);
    /// ```
    #[inline]
    #[must_use]
    pub fn into_mut(self) -> &'a mut V {
        &mut self.map[self.key]
    }

    /// Replaces the value and returns the old one. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(mut entry)) = ages.entry(wren) else { panic!() };
    /// assert_eq!(entry.insert(3), 2);
    /// ```
    pub fn insert(&mut self, value: V) -> V {
        mem::replace(self.get_mut(), value)
    }

    /// Removes the value and returns it. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
    /// assert_eq!(entry.remove(), 2);
    /// assert!(ages.is_empty());
    /// ```
    pub fn remove(self) -> V {
        self.map.remove(self.key).unwrap_or_else(|| unreachable!("the entry is occupied"))
    }
}

impl<'a, K: Key, V, L: SideLayout<K, V>> VacantEntry<'a, K, V, L> {
    /// Returns the key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Vacant(entry)) = ages.entry(kite) else { panic!() };
    /// assert_eq!(entry.key(), kite);
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.key
    }

    /// Inserts a value and returns it; a stale value in the slot is dropped. O(1) amortised.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Vacant(entry)) = ages.entry(kite) else { panic!() };
    /// *entry.insert(2) += 1;
    /// assert_eq!(ages[kite], 3);
    /// ```
    #[track_caller]
    pub fn insert(self, value: V) -> &'a mut V {
        let Self { map, key } = self;
        map.insert(key, value);
        &mut map[key]
    }
}

impl<K: Key, V: fmt::Debug, L: SideLayout<K, V>> fmt::Debug for Entry<'_, K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied(entry) => f.debug_tuple("Occupied").field(entry).finish(),
            Self::Vacant(entry) => f.debug_tuple("Vacant").field(entry).finish(),
        }
    }
}

impl<K: Key, V: fmt::Debug, L: SideLayout<K, V>> fmt::Debug for OccupiedEntry<'_, K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("OccupiedEntry");
        shown.field("key", &self.key).field("value", self.get()).finish()
    }
}

impl<K: Key, V, L: SideLayout<K, V>> fmt::Debug for VacantEntry<'_, K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key).finish()
    }
}
