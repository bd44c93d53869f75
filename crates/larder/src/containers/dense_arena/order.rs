//! Putting the values of a dense arena into an order. The keys stay with their values.

use core::cmp::Ordering;

use super::DenseArena;
use crate::containers::gradual_sort::GradualSort;
#[cfg(feature = "alloc")]
use crate::explain;
use crate::key::Key;

/// Order.
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
    /// arena.swap_indices(0, 1);
    /// assert_eq!(arena.as_slice(), ['b', 'a']);
    /// assert_eq!((arena[a], arena[b]), ('a', 'b'));
    /// ```
    #[track_caller]
    #[doc(alias = "swap_positions")]
    pub fn swap_indices(&mut self, a: usize, b: usize) {
        let len = self.len();
        assert!(a < len && b < len, "swap_indices: {a} and {b} must be below the length, {len}");
        self.packed.swap_positions(a, b);
    }

    /// Sorts a little: compares up to `budget` pairs of values, and swaps those out of order. O(`budget`),
    /// without memory; what a whole round takes is told at [`GradualSort`]. Keys stay valid; equal values
    /// do not keep their order.
    ///
    /// Says `true` when a round has ended: the values are in order, if nothing but this has changed
    /// them since it began. The next step begins the next round. If `compare` panics, the comparison is
    /// made again by the next step.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, containers::GradualSort};
    ///
    /// let mut sounds = DenseArena::from_iter([3, 1, 2]);
    /// let mut sorting = GradualSort::new();
    /// for _frame in 0..10 {
    ///     sounds.sort_step(&mut sorting, 2, |a, b| a.cmp(b));
    /// }
    /// assert_eq!(sounds.as_slice(), [1, 2, 3]);
    /// ```
    pub fn sort_step(
        &mut self,
        sorting: &mut GradualSort,
        budget: usize,
        mut compare: impl FnMut(&T, &T) -> Ordering,
    ) -> bool {
        sorting.step(self.len(), budget, |lower, upper| {
            let values = self.as_slice();
            let swaps = compare(&values[lower], &values[upper]).is_gt();
            if swaps {
                self.packed.swap_positions(lower, upper);
            }
            swaps
        })
    }
}

/// Sorting (feature `alloc`). If a comparison panics, nothing has changed.
#[cfg(feature = "alloc")]
impl<T, K: Key> DenseArena<T, K> {
    /// Sorts the values; equal ones keep their order. Keys stay valid. O(n log n), with 4 bytes a
    /// value for the time it takes.
    ///
    /// # Panics
    /// If those are refused; nothing has changed then.
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
    #[track_caller]
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        // A sort that keeps the order of equal values would ask for memory of its own.
        self.sort_positions(|values, a, b| {
            compare(&values[a as usize], &values[b as usize]).then(a.cmp(&b))
        });
    }

    /// As [`sort_by`](Self::sort_by), by a rank of each value. `rank` is called O(n log n) times.
    ///
    /// # Panics
    /// As [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([-3, 1, 2]);
    /// arena.sort_by_key(|number: &i32| number.abs());
    /// assert_eq!(arena.as_slice(), [1, 2, -3]);
    /// ```
    #[track_caller]
    pub fn sort_by_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        self.sort_by(|a, b| rank(a).cmp(&rank(b)));
    }

    /// As [`sort_by`](Self::sort_by), but equal values may change their order; faster. O(n log n).
    ///
    /// # Panics
    /// As [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([2.5, 0.5, 1.5]);
    /// arena.sort_unstable_by(f64::total_cmp);
    /// assert_eq!(arena.as_slice(), [0.5, 1.5, 2.5]);
    /// ```
    #[track_caller]
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_positions(|values, a, b| compare(&values[a as usize], &values[b as usize]));
    }

    /// As [`sort_by_key`](Self::sort_by_key), but equal values may change their order; faster. O(n
    /// log n).
    ///
    /// # Panics
    /// As [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 3, 2]);
    /// arena.sort_unstable_by_key(|number| core::cmp::Reverse(*number));
    /// assert_eq!(arena.as_slice(), [3, 2, 1]);
    /// ```
    #[track_caller]
    pub fn sort_unstable_by_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        self.sort_unstable_by(|a, b| rank(a).cmp(&rank(b)));
    }

    /// As [`sort_by_key`](Self::sort_by_key), but `rank` is called once a value. O(n log n), with
    /// memory for the ranks meanwhile.
    ///
    /// # Panics
    /// As [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([10, 9, 100]);
    /// arena.sort_by_cached_key(|number| number.to_string());
    /// assert_eq!(arena.as_slice(), [10, 100, 9]);
    /// ```
    #[track_caller]
    pub fn sort_by_cached_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        let mut positions = explain::scratch::<Self, u32>(self.len());
        let mut ranks = explain::scratch::<Self, _>(self.len());
        ranks.extend(self.as_slice().iter().zip(0_u32..).map(|(value, at)| (rank(value), at)));
        ranks.sort_unstable();
        positions.extend(ranks.into_iter().map(|(_, position)| position));
        self.packed.rearrange(&mut positions);
    }

    #[track_caller]
    fn sort_positions(&mut self, mut compare: impl FnMut(&[T], u32, u32) -> Ordering) {
        let mut positions = explain::scratch::<Self, u32>(self.len());
        positions.extend(0..self.len() as u32);
        let values = self.as_slice();
        positions.sort_unstable_by(|&a, &b| compare(values, a, b));
        self.packed.rearrange(&mut positions);
    }
}
