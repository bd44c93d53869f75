//! Room for a value whose key is wanted first.

use core::fmt;

use crate::key::Key;
use crate::raw::packed::Vacancy;

/// Room for one value. Made by [`DenseArena::vacant_entry`](crate::DenseArena::vacant_entry).
///
/// Nothing has changed until [`insert`](Self::insert) is called.
///
/// # Examples
/// ```
/// let mut arena = larder::DenseArena::new();
/// drop(arena.vacant_entry());
/// assert!(arena.is_empty());
/// let entry = arena.vacant_entry();
/// let key = entry.key();
/// entry.insert(7);
/// assert_eq!(arena[key], 7);
/// ```
#[must_use = "nothing is inserted until `insert` is called"]
pub struct VacantEntry<'a, T, K: Key>(pub(super) Vacancy<'a, T, K>);

impl<'a, T, K: Key> VacantEntry<'a, T, K> {
    /// The key that the value will have. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let entry = arena.vacant_entry();
    /// let key = entry.key();
    /// entry.insert('x');
    /// assert_eq!(arena.first_key(), Some(key));
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.0.key()
    }

    /// Puts the value in, and gives it out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// *arena.vacant_entry().insert(1) += 1;
    /// assert!(arena.values().eq(&[2]));
    /// ```
    #[inline]
    pub fn insert(self, value: T) -> &'a mut T {
        self.0.fill_and_get(value)
    }
}

impl<T, K: Key> fmt::Debug for VacantEntry<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key()).finish()
    }
}
