//! Finding the values of a pool: by key, by place, by address.

use super::Pool;
use crate::error::GetDisjointMutError;
use crate::key::Key;

/// Access by key.
impl<T, K: Key> Pool<T, K> {
    /// The value of a key; `None` if the key is stale, foreign or dangling. O(1): a cache line of the
    /// values and one of the generations.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let key = pool.insert('x');
    /// assert_eq!(pool.get(key), Some(&'x'));
    /// pool.remove(key);
    /// assert_eq!(pool.get(key), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.stock.get(key)
    }

    /// The value of a key, to change it; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(1);
    /// if let Some(value) = pool.get_mut(key) {
    ///     *value += 1;
    /// }
    /// assert_eq!(pool[key], 2);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, key: K) -> Option<&mut T> {
        self.stock.get_mut(key)
    }

    /// Whether the key's value is there. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let key = pool.insert('x');
    /// assert!(pool.contains_key(key));
    /// pool.remove(key);
    /// assert!(!pool.contains_key(key));
    /// ```
    #[doc(alias("is_valid", "contains", "id_is_valid"))]
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.stock.find(key).is_some()
    }

    /// Several values at once, to change them. O(N²) for N keys.
    ///
    /// # Errors
    /// If a key has no value, or two keys name the same slot.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let (a, b) = (pool.insert(1), pool.insert(2));
    /// let [x, y] = pool.get_disjoint_mut([a, b]).unwrap();
    /// core::mem::swap(x, y);
    /// assert_eq!((pool[a], pool[b]), (2, 1));
    /// assert!(pool.get_disjoint_mut([a, a]).is_err());
    /// ```
    #[doc(alias("get2_mut", "get_many_mut"))]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut T; N], GetDisjointMutError> {
        self.stock.get_disjoint_mut(keys)
    }

    /// The key of a value in use, found by its address; `None` for any other value, for those of free
    /// slots, and for values without a size. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(7);
    /// assert_eq!(pool.key_of(&pool[key]), Some(key));
    /// assert_eq!(pool.key_of(&7), None);
    /// ```
    #[must_use]
    pub fn key_of(&self, value: &T) -> Option<K> {
        self.stock.key_at(self.stock.slot_of(value)?)
    }

    /// The key of the value in a slot; `None` if the slot has none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let key = pool.insert('x');
    /// assert_eq!(pool.key_of_slot(key.slot()), Some(key));
    /// assert_eq!(pool.key_of_slot(1), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "key_at")]
    pub fn key_of_slot(&self, slot: u32) -> Option<K> {
        self.stock.key_at(slot as usize)
    }

    /// The key of the first value, in slot order. O(1) and the empty slots before it, by words.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let (a, b) = (pool.insert('a'), pool.insert('b'));
    /// assert_eq!(pool.first_key(), Some(a));
    /// pool.remove(a);
    /// assert_eq!(pool.first_key(), Some(b));
    /// ```
    #[must_use]
    pub fn first_key(&self) -> Option<K> {
        self.stock.key_at(self.stock.book().next_live(0)?)
    }

    /// The key of the last value, in slot order. O(1) and the empty slots after it, by words.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let (a, b) = (pool.insert('a'), pool.insert('b'));
    /// assert_eq!(pool.last_key(), Some(b));
    /// pool.remove(b);
    /// assert_eq!(pool.last_key(), Some(a));
    /// ```
    #[must_use]
    pub fn last_key(&self) -> Option<K> {
        self.stock.key_at(self.stock.book().previous_live(usize::MAX)?)
    }

    /// The key of the next value after a key's slot. The key itself need not be live any more: so
    /// a walk by keys may remove as it goes. O(1) and the empty slots between, by words.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| "none");
    /// pool.extend(["keep", "drop", "keep"]);
    /// let mut next = pool.first_key();
    /// while let Some(key) = next {
    ///     if pool[key] == "drop" {
    ///         pool.remove(key);
    ///     }
    ///     next = pool.next_key(key);
    /// }
    /// assert_eq!(pool.len(), 2);
    /// ```
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        let after = (key.slot() as usize).checked_add(1)?;
        self.stock.key_at(self.stock.book().next_live(after)?)
    }

    /// The key of the last value before a key's slot. The key itself need not be live any more; a
    /// dangling one comes after all values. O(1) and the empty slots between, by words.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let (a, b) = (pool.insert('a'), pool.insert('b'));
    /// pool.remove(b);
    /// assert_eq!(pool.prev_key(b), Some(a));
    /// assert_eq!(pool.prev_key(a), None);
    /// ```
    #[must_use]
    pub fn prev_key(&self, key: K) -> Option<K> {
        self.stock.key_at(self.stock.book().previous_live(key.slot() as usize)?)
    }
}
