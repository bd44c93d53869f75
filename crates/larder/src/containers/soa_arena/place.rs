//! Finding values by slot.

use super::SoaArena;
use crate::key::Key;
use crate::soa::{Fill, Soa};

/// Access by slot.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// The key of the value in a slot; `None` if the slot has none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.key_of_slot(key.slot()), Some(key));
    /// assert_eq!(arena.key_of_slot(1), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "key_at")]
    pub fn key_of_slot(&self, slot: u32) -> Option<K> {
        self.rows.key_at(slot as usize)
    }

    /// References to the fields of the value in a slot, whatever its generation; `None` if the slot
    /// has none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::new();
    /// let key = arena.insert((1, 'x'));
    /// assert_eq!(arena.get_by_slot(key.slot()), Some((&1, &'x')));
    /// arena.remove(key);
    /// assert_eq!(arena.get_by_slot(key.slot()), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_by_slot(&self, slot: u32) -> Option<T::Ref<'_>> {
        self.get(self.key_of_slot(slot)?)
    }

    /// Mutable references to the fields of the value in a slot, whatever its generation; `None` if the
    /// slot has none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter([1_u32, 2]);
    /// *arena.get_by_slot_mut(0).unwrap() = 10;
    /// assert!(arena.values().eq(&[10, 2]));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "get_at_mut")]
    pub fn get_by_slot_mut(&mut self, slot: u32) -> Option<T::RefMut<'_>> {
        self.get_mut(self.key_of_slot(slot)?)
    }

    /// The key of the first value, in slot order. O(1) and the empty slots before it, by words.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.first_key(), Some(a));
    /// arena.remove(a);
    /// assert_eq!(arena.first_key(), Some(b));
    /// ```
    #[must_use]
    pub fn first_key(&self) -> Option<K> {
        self.rows.key_at(self.rows.book().next_live(0)?)
    }

    /// The key of the last value, in slot order. O(1) and the empty slots after it, by words.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.last_key(), Some(b));
    /// arena.remove(b);
    /// assert_eq!(arena.last_key(), Some(a));
    /// ```
    #[must_use]
    pub fn last_key(&self) -> Option<K> {
        self.rows.key_at(self.rows.book().previous_live(usize::MAX)?)
    }

    /// The key of the next value after a key's slot. The key itself need not be live any more: so a
    /// walk by keys may remove as it goes. O(1) and the empty slots between, by words.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(["keep", "drop", "keep"]);
    /// let mut next = arena.first_key();
    /// while let Some(key) = next {
    ///     if *arena.at(key) == "drop" {
    ///         arena.remove(key);
    ///     }
    ///     next = arena.next_key(key);
    /// }
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        let after = (key.slot() as usize).checked_add(1)?;
        self.rows.key_at(self.rows.book().next_live(after)?)
    }

    /// The key of the last value before a key's slot. The key itself need not be live any more; a
    /// dangling one comes after all values. O(1) and the empty slots between, by words.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// arena.remove(b);
    /// assert_eq!(arena.prev_key(b), Some(a));
    /// assert_eq!(arena.prev_key(a), None);
    /// ```
    #[must_use]
    pub fn prev_key(&self, key: K) -> Option<K> {
        self.rows.key_at(self.rows.book().previous_live(key.slot() as usize)?)
    }
}
