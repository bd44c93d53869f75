//! Finding values by position, and putting them elsewhere.

use super::DenseSoaArena;
use crate::key::Key;
use crate::soa::Soa;

/// Access by position.
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// All keys, in the order of the columns. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// let keys = [arena.insert('a'), arena.insert('b')];
    /// assert_eq!(arena.keys_as_slice(), keys);
    /// ```
    #[inline]
    #[must_use]
    pub fn keys_as_slice(&self) -> &[K] {
        self.rows.keys()
    }

    /// The key of the value at a position; `None` from `len()` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.key_of_index(0), Some(key));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "key_at")]
    pub fn key_of_index(&self, position: usize) -> Option<K> {
        self.rows.keys().get(position).copied()
    }

    /// Where a key's value lies in the columns; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// arena.remove(a);
    /// assert_eq!((arena.get_index_of(a), arena.get_index_of(b)), (None, Some(0)));
    /// ```
    #[doc(alias = "index_of")]
    #[inline]
    #[must_use]
    #[doc(alias = "position_of")]
    pub fn get_index_of(&self, key: K) -> Option<usize> {
        self.rows.find(key)
    }

    /// References to the fields of the value at a position; `None` from `len()` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseSoaArena::from_iter([(1, 'a')]);
    /// assert_eq!(arena.get_index(0), Some((&1, &'a')));
    /// assert_eq!(arena.get_index(1), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "get_at")]
    pub fn get_index(&self, position: usize) -> Option<T::Ref<'_>> {
        self.rows.get_at(position)
    }

    /// Mutable references to the fields of the value at a position; `None` from `len()` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([1_u32, 2]);
    /// *arena.get_index_mut(0).unwrap() = 10;
    /// assert_eq!(arena.columns(), [10, 2]);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "get_at_mut")]
    pub fn get_index_mut(&mut self, position: usize) -> Option<T::RefMut<'_>> {
        self.rows.get_at_mut(position)
    }

    /// Takes the value at a position out, with its key; `None` from `len()` on. The last value moves
    /// there, all other keys stay valid. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter(["a", "b", "c"]);
    /// assert_eq!(arena.swap_remove_index(0).map(|(_, value)| value), Some("a"));
    /// assert_eq!(arena.columns(), ["c", "b"]);
    /// ```
    #[doc(alias = "swap_remove")]
    #[doc(alias = "remove_at")]
    pub fn swap_remove_index(&mut self, position: usize) -> Option<(K, T)> {
        self.rows.remove_at(position)
    }

    /// Takes a value out; those after it move up by one, so that the order stays. `None` if the key is
    /// stale, foreign or dangling. O(len).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter(["a", "b", "c"]);
    /// arena.remove_ordered(arena.key_of_index(0).unwrap());
    /// assert_eq!(arena.columns(), ["b", "c"]);
    /// ```
    pub fn remove_ordered(&mut self, key: K) -> Option<T> {
        self.rows.remove_ordered(key)
    }

    /// Swaps two values, field by field; their keys stay valid. O(1).
    ///
    /// # Panics
    /// If a position is not below the length.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter(['a', 'b', 'c']);
    /// arena.swap_indices(0, 2);
    /// assert_eq!(arena.columns(), ['c', 'b', 'a']);
    /// ```
    #[track_caller]
    #[doc(alias = "swap_positions")]
    pub fn swap_indices(&mut self, a: usize, b: usize) {
        let len = self.len();
        assert!(a < len && b < len, "swap_indices: {a} and {b} must be below the length, {len}");
        self.rows.swap_positions(a, b);
    }

    /// The key of the first value, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// assert_eq!(arena.first_key(), None);
    /// let a = arena.insert('a');
    /// arena.insert('b');
    /// assert_eq!(arena.first_key(), Some(a));
    /// ```
    #[must_use]
    pub fn first_key(&self) -> Option<K> {
        self.key_of_index(0)
    }

    /// The key of the last value, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// arena.insert('a');
    /// let b = arena.insert('b');
    /// assert_eq!(arena.last_key(), Some(b));
    /// ```
    #[must_use]
    pub fn last_key(&self) -> Option<K> {
        self.keys_as_slice().last().copied()
    }

    /// The key of the next value, in position order; `None` for the last, and for a key that has no
    /// value. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.next_key(a), Some(b));
    /// assert_eq!(arena.next_key(b), None);
    /// ```
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.key_of_index(self.get_index_of(key)? + 1)
    }

    /// The key of the value before, in position order; `None` for the first, and for a key that has
    /// no value. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.prev_key(b), Some(a));
    /// assert_eq!(arena.prev_key(a), None);
    /// ```
    #[must_use]
    pub fn prev_key(&self, key: K) -> Option<K> {
        self.key_of_index(self.get_index_of(key)?.checked_sub(1)?)
    }
}
