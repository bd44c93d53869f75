//! A free slot, and the value that lies in it.

use core::fmt;

use crate::key::Key;
use crate::raw::pool::Prepared;

/// A free slot that is about to be used. Made by [`Pool::vacant_entry`](crate::Pool::vacant_entry).
///
/// The slot stays free until [`occupy`](Self::occupy) or [`insert`](Self::insert) is called.
///
/// # Examples
/// ```
/// let mut pool = larder::Pool::new(|| 1);
/// drop(pool.vacant_entry());
/// assert!(pool.is_empty());
/// let mut entry = pool.vacant_entry();
/// let key = entry.key();
/// *entry.value_mut() += 1;
/// entry.occupy();
/// assert_eq!(pool[key], 2);
/// ```
#[must_use = "the slot stays free until `occupy` or `insert` is called"]
pub struct VacantEntry<'a, T, K: Key>(pub(super) Prepared<'a, T, K>);

impl<'a, T, K: Key> VacantEntry<'a, T, K> {
    /// The key that the value will have. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 'x');
    /// let entry = pool.vacant_entry();
    /// let key = entry.key();
    /// entry.occupy();
    /// assert_eq!(pool.first_key(), Some(key));
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.0.key()
    }

    /// What lies in the slot now, to make it the new value; what is changed stays changed, also where
    /// the entry is dropped. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(Vec::new);
    /// let mut entry = pool.vacant_entry();
    /// entry.value_mut().push(1);
    /// assert_eq!(entry.occupy(), &[1]);
    /// ```
    #[inline]
    #[must_use]
    pub fn value_mut(&mut self) -> &mut T {
        self.0.value_mut()
    }

    /// Takes the slot into use with what lies in it, and gives that out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 1);
    /// *pool.vacant_entry().occupy() += 1;
    /// assert!(pool.values().eq(&[2]));
    /// ```
    #[inline]
    pub fn occupy(self) -> &'a mut T {
        self.0.occupy()
    }

    /// Puts a value in, drops what lay there, and gives the value out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 1);
    /// *pool.vacant_entry().insert(5) += 1;
    /// assert!(pool.values().eq(&[6]));
    /// ```
    #[inline]
    pub fn insert(mut self, value: T) -> &'a mut T {
        *self.value_mut() = value;
        self.occupy()
    }
}

impl<T, K: Key> fmt::Debug for VacantEntry<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key()).finish()
    }
}
