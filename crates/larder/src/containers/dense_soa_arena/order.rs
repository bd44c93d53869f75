//! Putting the values into an order. The keys stay with their values.

use core::cmp::Ordering;

use super::DenseSoaArena;
use crate::containers::gradual_sort::GradualSort;
#[cfg(feature = "alloc")]
use crate::explain;
use crate::key::Key;
use crate::soa::Soa;

/// Sorting a little at a time.
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Sorts a little: compares up to `budget` pairs by references to the fields, and swaps those out of
    /// order. O(`budget`), without memory; what a whole round takes is told at [`GradualSort`]. Keys
    /// stay valid; equal values do not keep their order.
    ///
    /// Says `true` when a round has ended: the values are in order, if nothing but this has changed
    /// them since it began. The next step begins the next round. If `compare` panics, the comparison is
    /// made again by the next step.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseSoaArena, containers::GradualSort};
    ///
    /// let mut arena = DenseSoaArena::from_iter([(3, 'c'), (1, 'a'), (2, 'b')]);
    /// let mut sorting = GradualSort::new();
    /// while !arena.sort_step(&mut sorting, 2, |(a, _), (b, _)| a.cmp(b)) {}
    /// assert_eq!(arena.columns().1, ['a', 'b', 'c']);
    /// ```
    pub fn sort_step(
        &mut self,
        sorting: &mut GradualSort,
        budget: usize,
        mut compare: impl FnMut(T::Ref<'_>, T::Ref<'_>) -> Ordering,
    ) -> bool {
        sorting.step(self.len(), budget, |lower, upper| {
            let (Some(low), Some(high)) = (self.rows.get_at(lower), self.rows.get_at(upper)) else {
                unreachable!("both are below the length")
            };
            let swaps = compare(low, high).is_gt();
            if swaps {
                self.rows.swap_positions(lower, upper);
            }
            swaps
        })
    }
}

/// Sorting. Needs the feature `alloc`.
#[cfg(feature = "alloc")]
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Sorts by references to the fields; equal values keep their order. Keys stay valid. If `compare`
    /// panics, nothing has changed. O(n log n), and 4 bytes a value.
    ///
    /// # Panics
    /// If memory for the sort is refused.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([(3, 'c'), (1, 'a'), (2, 'b')]);
    /// arena.sort_by(|(a, _), (b, _)| a.cmp(b));
    /// assert_eq!(arena.columns().1, ['a', 'b', 'c']);
    /// ```
    #[doc(alias = "sort")]
    #[track_caller]
    pub fn sort_by(&mut self, mut compare: impl FnMut(T::Ref<'_>, T::Ref<'_>) -> Ordering) {
        // A sort that keeps the order of equal values would ask for memory of its own.
        self.sort_positions(|(left, a), (right, b)| compare(left, right).then(a.cmp(&b)));
    }

    /// Sorts by what `rank` makes of each value's fields; equal values keep their order. Keys stay
    /// valid. If `rank` panics, nothing has changed. O(n log n), and 4 bytes a value.
    ///
    /// # Panics
    /// If memory for the sort is refused.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([(3, 'c'), (1, 'a'), (2, 'b')]);
    /// arena.sort_by_key(|(number, _)| *number);
    /// assert_eq!(arena.columns().0, [1, 2, 3]);
    /// ```
    #[track_caller]
    pub fn sort_by_key<O: Ord>(&mut self, mut rank: impl FnMut(T::Ref<'_>) -> O) {
        self.sort_by(|a, b| rank(a).cmp(&rank(b)));
    }

    /// As [`sort_by`](Self::sort_by), but equal values may change their order; faster. O(n log n).
    ///
    /// # Panics
    /// As [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([(2.5, 'b'), (0.5, 'a')]);
    /// arena.sort_unstable_by(|(a, _), (b, _)| f64::total_cmp(a, b));
    /// assert_eq!(arena.columns().1, ['a', 'b']);
    /// ```
    #[track_caller]
    pub fn sort_unstable_by(
        &mut self,
        mut compare: impl FnMut(T::Ref<'_>, T::Ref<'_>) -> Ordering,
    ) {
        self.sort_positions(|(left, _), (right, _)| compare(left, right));
    }

    /// As [`sort_by_key`](Self::sort_by_key), but equal values may change their order; faster.
    /// O(n log n).
    ///
    /// # Panics
    /// As [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter([(1, 'a'), (3, 'c'), (2, 'b')]);
    /// arena.sort_unstable_by_key(|(number, _)| core::cmp::Reverse(*number));
    /// assert_eq!(arena.columns().1, ['c', 'b', 'a']);
    /// ```
    #[track_caller]
    pub fn sort_unstable_by_key<O: Ord>(&mut self, mut rank: impl FnMut(T::Ref<'_>) -> O) {
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
    /// let mut arena = larder::DenseSoaArena::from_iter([(10, 'x'), (9, 'y'), (100, 'z')]);
    /// arena.sort_by_cached_key(|(number, _)| number.to_string());
    /// assert_eq!(arena.columns().0, [10, 100, 9]);
    /// ```
    #[track_caller]
    pub fn sort_by_cached_key<O: Ord>(&mut self, mut rank: impl FnMut(T::Ref<'_>) -> O) {
        let mut positions = explain::scratch::<Self, u32>(self.len());
        let mut ranks = explain::scratch::<Self, _>(self.len());
        ranks.extend(self.values().zip(0_u32..).map(|(value, at)| (rank(value), at)));
        ranks.sort_unstable();
        positions.extend(ranks.into_iter().map(|(_, position)| position));
        self.rows.rearrange(&mut positions);
    }

    /// Sorts by values and where they are.
    #[track_caller]
    fn sort_positions(
        &mut self,
        mut compare: impl FnMut((T::Ref<'_>, u32), (T::Ref<'_>, u32)) -> Ordering,
    ) {
        let mut positions = explain::scratch::<Self, u32>(self.len());
        positions.extend(0..self.len() as u32);
        let rows = &self.rows;
        positions.sort_unstable_by(|&a, &b| {
            match (rows.get_at(a as usize), rows.get_at(b as usize)) {
                (Some(left), Some(right)) => compare((left, a), (right, b)),
                _ => unreachable!(),
            }
        });
        self.rows.rearrange(&mut positions);
    }
}
