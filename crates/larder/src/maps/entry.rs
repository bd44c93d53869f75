//! The entry of a key in a map of side data.

use core::fmt;
use core::mem;

use crate::key::Key;

/// Hidden lines of the examples: a key with a value in a map, and one without.
macro_rules! example {
    () => {
        "# use larder::{Arena, SecondaryMap, maps::Entry};\n\
         # let mut birds = Arena::new();\n\
         # let (wren, kite) = (birds.insert(\"wren\"), birds.insert(\"kite\"));\n\
         # let mut ages = SecondaryMap::from_iter([(wren, 2)]);"
    };
}

/// A map that has entries.
#[expect(unnameable_types, reason = "the seal on `Entry`")]
pub trait Entries {
    /// Of which type its keys are.
    type Key: Key;
    /// Of which type its values are.
    type Value;

    /// The value of a key that has one.
    fn value(&self, key: Self::Key) -> &Self::Value;

    /// The value of a key that has one.
    fn value_mut(&mut self, key: Self::Key) -> &mut Self::Value;

    /// Inserts the value of a key that can have one.
    fn put(&mut self, key: Self::Key, value: Self::Value) -> &mut Self::Value;

    /// Removes the value of a key that has one.
    fn take(&mut self, key: Self::Key) -> Self::Value;
}

/// The entry of a key in a map `M`, with a value or without. Made by
/// [`SecondaryMap::entry`](crate::SecondaryMap::entry) and
/// `SparseSecondaryMap::entry`.
pub enum Entry<'a, M: Entries> {
    /// The key has a value.
    Occupied(OccupiedEntry<'a, M>),
    /// The key has no value.
    Vacant(VacantEntry<'a, M>),
}

/// The entry of a key that has a value. Made by `entry` of a map.
pub struct OccupiedEntry<'a, M: Entries> {
    pub(super) map: &'a mut M,
    pub(super) key: M::Key,
}

/// The entry of a key that has no value. Made by `entry` of a map.
pub struct VacantEntry<'a, M: Entries> {
    pub(super) map: &'a mut M,
    pub(super) key: M::Key,
}

impl<'a, M: Entries> Entry<'a, M> {
    /// Returns the key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(ages.entry(kite).unwrap().key(), kite);
    /// ```
    #[must_use]
    pub fn key(&self) -> M::Key {
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
    pub fn and_modify(mut self, change: impl FnOnce(&mut M::Value)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Returns the value, after inserting this one if there was none. O(1) amortised.
    ///
    /// # Panics
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// *ages.entry(kite).unwrap().or_insert(1) += 1;
    /// assert_eq!(ages[kite], 2);
    /// ```
    #[track_caller]
    pub fn or_insert(self, value: M::Value) -> &'a mut M::Value {
        self.or_insert_with(|| value)
    }

    /// Returns the value, after inserting what `make` returns if there was none. If `make` panics, nothing has changed.
    /// O(1) amortised.
    ///
    /// # Panics
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// *ages.entry(kite).unwrap().or_insert_with(|| 1) += 1;
    /// assert_eq!(ages[kite], 2);
    /// ```
    #[track_caller]
    pub fn or_insert_with(self, make: impl FnOnce() -> M::Value) -> &'a mut M::Value {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(make()),
        }
    }

    /// Returns the value, after inserting a default one if there was none. O(1) amortised.
    ///
    /// # Panics
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert_eq!(*ages.entry(kite).unwrap().or_default(), 0);
    /// ```
    #[track_caller]
    pub fn or_default(self) -> &'a mut M::Value
    where
        M::Value: Default,
    {
        self.or_insert_with(M::Value::default)
    }
}

impl<'a, M: Entries> OccupiedEntry<'a, M> {
    /// Returns the key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(entry)) = ages.entry(wren) else { panic!() };
    /// assert_eq!(entry.key(), wren);
    /// ```
    #[must_use]
    pub fn key(&self) -> M::Key {
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
    #[must_use]
    pub fn get(&self) -> &M::Value {
        self.map.value(self.key)
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
    #[must_use]
    pub fn get_mut(&mut self) -> &mut M::Value {
        self.map.value_mut(self.key)
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
    #[must_use]
    pub fn into_mut(self) -> &'a mut M::Value {
        self.map.value_mut(self.key)
    }

    /// Replaces the value and returns the old one. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Occupied(mut entry)) = ages.entry(wren) else { panic!() };
    /// assert_eq!(entry.insert(3), 2);
    /// ```
    pub fn insert(&mut self, value: M::Value) -> M::Value {
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
    pub fn remove(self) -> M::Value {
        self.map.take(self.key)
    }
}

impl<'a, M: Entries> VacantEntry<'a, M> {
    /// Returns the key. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Vacant(entry)) = ages.entry(kite) else { panic!() };
    /// assert_eq!(entry.key(), kite);
    /// ```
    #[must_use]
    pub fn key(&self) -> M::Key {
        self.key
    }

    /// Inserts a value and returns it; a stale value in the slot is dropped. O(1) amortised.
    ///
    /// # Panics
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let Some(Entry::Vacant(entry)) = ages.entry(kite) else { panic!() };
    /// *entry.insert(2) += 1;
    /// assert_eq!(ages[kite], 3);
    /// ```
    #[track_caller]
    pub fn insert(self, value: M::Value) -> &'a mut M::Value {
        self.map.put(self.key, value)
    }
}

impl<M: Entries<Value: fmt::Debug>> fmt::Debug for Entry<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied(entry) => f.debug_tuple("Occupied").field(entry).finish(),
            Self::Vacant(entry) => f.debug_tuple("Vacant").field(entry).finish(),
        }
    }
}

impl<M: Entries<Value: fmt::Debug>> fmt::Debug for OccupiedEntry<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("OccupiedEntry");
        shown.field("key", &self.key).field("value", self.get()).finish()
    }
}

impl<M: Entries> fmt::Debug for VacantEntry<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key).finish()
    }
}
