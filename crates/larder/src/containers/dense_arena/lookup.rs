//! Finding the values of a dense arena: by key, by place, by address.

use super::DenseArena;
use crate::error::GetDisjointMutError;
use crate::key::Key;

/// Access by key.
impl<T, K: Key> DenseArena<T, K> {
    /// The value of a key; `None` if the key is stale, foreign or dangling. O(1): three cache
    /// lines, two of them at once.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.get(key), Some(&'x'));
    /// arena.remove(key);
    /// assert_eq!(arena.get(key), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.packed.get(key)
    }

    /// The value of a key, to change it; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert(1);
    /// if let Some(value) = arena.get_mut(key) {
    ///     *value += 1;
    /// }
    /// assert_eq!(arena[key], 2);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, key: K) -> Option<&mut T> {
        self.packed.get_mut(key)
    }

    /// Whether the key's value is there. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// assert!(arena.contains_key(key));
    /// arena.remove(key);
    /// assert!(!arena.contains_key(key));
    /// ```
    #[doc(alias("is_valid", "contains", "id_is_valid"))]
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.packed.find(key).is_some()
    }

    /// Several values at once, to change them. O(N²) for N keys.
    ///
    /// # Errors
    /// If a key has no value, or two keys name the same slot.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert(1), arena.insert(2));
    /// let [x, y] = arena.get_disjoint_mut([a, b]).unwrap();
    /// core::mem::swap(x, y);
    /// assert_eq!((arena[a], arena[b]), (2, 1));
    /// assert!(arena.get_disjoint_mut([a, a]).is_err());
    /// ```
    #[doc(alias("get2_mut", "get_many_mut"))]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut T; N], GetDisjointMutError> {
        self.packed.get_disjoint_mut(keys)
    }

    /// The key of a value of this arena, found by its address; `None` for any other value, and
    /// for values without a size. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert(7);
    /// assert_eq!(arena.key_of(&arena[key]), Some(key));
    /// assert_eq!(arena.key_of(&7), None);
    /// ```
    #[must_use]
    pub fn key_of(&self, value: &T) -> Option<K> {
        let start = self.as_slice().as_ptr().addr();
        let offset = core::ptr::from_ref(value).addr().checked_sub(start)?;
        let position = offset.checked_div(size_of::<T>())?;
        (offset % size_of::<T>() == 0).then(|| self.key_of_index(position))?
    }

    /// The value at a position; `None` from `len()` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.get_index(1), Some(&'b'));
    /// assert_eq!(arena.get_index(2), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "get_at")]
    pub fn get_index(&self, position: usize) -> Option<&T> {
        self.as_slice().get(position)
    }

    /// The value at a position, to change it; `None` from `len()` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 2]);
    /// *arena.get_index_mut(1).unwrap() = 20;
    /// assert_eq!(arena.as_slice(), [1, 20]);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "get_at_mut")]
    pub fn get_index_mut(&mut self, position: usize) -> Option<&mut T> {
        self.as_mut_slice().get_mut(position)
    }

    /// The key of the value at a position; `None` from `len()` on. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.key_of_index(0), Some(key));
    /// assert_eq!(arena.get_index_of(key), Some(0));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "key_at")]
    pub fn key_of_index(&self, position: usize) -> Option<K> {
        self.keys_as_slice().get(position).copied()
    }

    /// Where the value of a key lies in [`as_slice`](Self::as_slice); `None` if the key is stale,
    /// foreign or dangling. True until the next removal or rearrangement. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.get_index_of(b), Some(1));
    /// arena.remove(a); // `b` moves into the gap
    /// assert_eq!(arena.get_index_of(b), Some(0));
    /// ```
    #[doc(alias("iterator_of_id", "index_of", "dense_index"))]
    #[inline]
    #[must_use]
    #[doc(alias = "position_of")]
    pub fn get_index_of(&self, key: K) -> Option<usize> {
        self.packed.find(key)
    }

    /// The values, as a slice in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// assert_eq!(arena.as_slice().iter().max(), Some(&3));
    /// ```
    #[doc(alias("values_as_slice", "data"))]
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self.packed.values()
    }

    /// The values, as a slice to change them. O(1). Swapping values in it swaps them between keys;
    /// to keep keys and values together there is [`swap_indices`](Self::swap_indices).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// arena.as_mut_slice().fill(0);
    /// assert_eq!(arena.as_slice(), [0, 0, 0]);
    /// ```
    #[doc(alias = "values_as_mut_slice")]
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.packed.values_mut()
    }

    /// The keys, as a slice, each at the position of its value. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.keys_as_slice(), [a, b]);
    /// ```
    #[inline]
    #[must_use]
    pub fn keys_as_slice(&self) -> &[K] {
        self.packed.keys()
    }

    /// The key of the first value, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
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
    /// let mut arena = larder::DenseArena::new();
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
    /// let mut arena = larder::DenseArena::new();
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
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.prev_key(b), Some(a));
    /// assert_eq!(arena.prev_key(a), None);
    /// ```
    #[must_use]
    pub fn prev_key(&self, key: K) -> Option<K> {
        self.key_of_index(self.get_index_of(key)?.checked_sub(1)?)
    }
}
