//! Putting the values of a dense arena into an order. The keys stay with their values.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::DenseArena;
use crate::key::Key;

/// Order. If a comparison panics, nothing has changed.
impl<T, K: Key> DenseArena<T, K> {
    /// Swaps the values at two positions, and their keys: the keys stay valid. O(1).
    ///
    /// # Panics
    /// If a position is not below `len()`.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// arena.swap_positions(0, 1);
    /// assert_eq!(arena.as_slice(), ['b', 'a']);
    /// assert_eq!((arena[a], arena[b]), ('a', 'b'));
    /// ```
    #[track_caller]
    pub fn swap_positions(&mut self, a: usize, b: usize) {
        let len = self.len();
        assert!(a < len && b < len, "swap_positions: {a} and {b} must be below the length, {len}");
        self.packed.swap_positions(a, b);
    }

    /// Sorts the values; equal ones keep their order. Keys stay valid. O(n log n), with 4 bytes a
    /// value for the time it takes.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (b, a) = (arena.insert("b"), arena.insert("a"));
    /// arena.sort_by(|x, y| x.cmp(y));
    /// assert_eq!(arena.as_slice(), ["a", "b"]);
    /// assert_eq!((arena[a], arena[b]), ("a", "b"));
    /// ```
    #[doc(alias = "sort")]
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut positions = self.positions();
        let values = self.as_slice();
        positions.sort_by(|&a, &b| compare(&values[a as usize], &values[b as usize]));
        self.packed.rearrange(positions);
    }

    /// As [`sort_by`](Self::sort_by), by a rank of each value. `rank` is called O(n log n) times.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([-3, 1, 2]);
    /// arena.sort_by_key(|number: &i32| number.abs());
    /// assert_eq!(arena.as_slice(), [1, 2, -3]);
    /// ```
    pub fn sort_by_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        self.sort_by(|a, b| rank(a).cmp(&rank(b)));
    }

    /// As [`sort_by`](Self::sort_by), but equal values may change their order; faster. O(n log n).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([2.5, 0.5, 1.5]);
    /// arena.sort_unstable_by(f64::total_cmp);
    /// assert_eq!(arena.as_slice(), [0.5, 1.5, 2.5]);
    /// ```
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut positions = self.positions();
        let values = self.as_slice();
        positions.sort_unstable_by(|&a, &b| compare(&values[a as usize], &values[b as usize]));
        self.packed.rearrange(positions);
    }

    /// As [`sort_by_key`](Self::sort_by_key), but equal values may change their order; faster. O(n
    /// log n).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 3, 2]);
    /// arena.sort_unstable_by_key(|number| core::cmp::Reverse(*number));
    /// assert_eq!(arena.as_slice(), [3, 2, 1]);
    /// ```
    pub fn sort_unstable_by_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        self.sort_unstable_by(|a, b| rank(a).cmp(&rank(b)));
    }

    /// As [`sort_by_key`](Self::sort_by_key), but `rank` is called once a value. O(n log n), with
    /// memory for the ranks meanwhile.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([10, 9, 100]);
    /// arena.sort_by_cached_key(|number| number.to_string());
    /// assert_eq!(arena.as_slice(), [10, 100, 9]);
    /// ```
    pub fn sort_by_cached_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        let mut positions = self.positions();
        let values = self.as_slice();
        positions.sort_by_cached_key(|&position| rank(&values[position as usize]));
        self.packed.rearrange(positions);
    }

    fn positions(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }
}
