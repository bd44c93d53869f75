//! Sorting a packed container, at once or a little at a time. Keys stay with their values.

/// The progress of a gradual sort, which `sort_step` continues.
///
/// A `sort_step` compares up to `budget` pairs of values, swaps those that are out of order, and stores here where it
/// stopped. So values that a loop visits one after the other become neighbours in memory over many frames, and no
/// frame waits for a whole sort. Keys stay valid.
///
/// # Costs
/// It is Shell's sort: rounds of passes, each of which sorts values at a certain distance by insertion. A round of
/// n values compares n × log₂(n) × 0.8 pairs if they are in order, about twice that in random order, with at
/// most one swap a comparison; a swap is O(1) and moves two values and two keys. The sort is not stable.
///
/// Values may be inserted, removed and changed between steps; the order may then be reached a round later. If it is
/// needed at once, use `sort_by`; to iterate in another order than that of memory, use
/// [`SortedKeys`](crate::indices::SortedKeys).
///
/// # Examples
/// ```
/// use larder::{DenseArena, containers::GradualSort};
///
/// let mut bullets = DenseArena::from_iter([7, 3, 9, 1]);
/// let three = bullets.keys_as_slice()[1];
/// let mut sorting = GradualSort::new();
/// let mut frames = 1;
/// while !bullets.sort_step(&mut sorting, 3, |a, b| a.cmp(b)) {
///     frames += 1;
/// }
/// assert_eq!(bullets.as_slice(), [1, 3, 7, 9]);
/// assert_eq!(bullets[three], 3);
/// assert!(frames > 1);
/// ```
#[doc(alias("clustered index", "incremental sort", "Shell sort"))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GradualSort {
    /// How far apart values are that are compared; 0 between rounds.
    gap: usize,
    /// The position up to which values `gap` apart are in order.
    next: usize,
    /// How far the value that was there has come down. Not above `next`, nor below `gap`.
    at: usize,
}

impl GradualSort {
    /// Makes the progress of a sort that has not begun. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, containers::GradualSort};
    ///
    /// let mut sorting = GradualSort::new();
    /// let mut arena = DenseArena::from_iter(['b', 'a']);
    /// while !arena.sort_step(&mut sorting, 1, |a, b| a.cmp(b)) {}
    /// assert_eq!(arena.as_slice(), ['a', 'b']);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { gap: 0, next: 0, at: 0 }
    }

    /// Goes on with a container of `len` values; says whether a round ended. `swap_if_greater` swaps the
    /// values at two positions, the first the lower, if they are out of order, and says whether it did.
    pub(crate) fn step(
        &mut self,
        len: usize,
        budget: usize,
        mut swap_if_greater: impl FnMut(usize, usize) -> bool,
    ) -> bool {
        for _ in 0..budget {
            if self.gap == 0 {
                self.begin_pass(gap_below(len));
            }
            while self.next >= len {
                if self.gap <= 1 {
                    self.gap = 0;
                    return true;
                }
                self.begin_pass(gap_below(self.gap));
            }
            let below = self.at - self.gap;
            if swap_if_greater(below, self.at) && below >= self.gap {
                self.at = below;
            } else {
                self.next += 1;
                self.at = self.next;
            }
        }
        false
    }

    fn begin_pass(&mut self, gap: usize) {
        *self = Self { gap, next: gap, at: gap };
    }
}

/// The largest gap below `bound`, at least 1. From one to the next they grow by 2.25, which Tokuda found
/// to need few comparisons.
fn gap_below(bound: usize) -> usize {
    let mut gap = 1;
    loop {
        let next = gap * 2 + gap / 4 + 1;
        if next >= bound {
            return gap;
        }
        gap = next;
    }
}

/// Sorting.
macro_rules! sorting {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Sorting a little at a time.
        impl<$($generics)*> $container<$($args)*> {
            /// Compares up to `budget` pairs of values and swaps those that are out of order. Keys stay
            /// valid; the order of equal values is not kept. Does not allocate. O(`budget`);
            /// [`GradualSort`](crate::containers::GradualSort) says how many steps a round takes.
            ///
            /// Returns `true` when a round has ended: the values are in order unless something else
            /// changed them since it began. The next step begins the next round. If `compare` panics,
            /// the next step repeats the comparison.
            ///
            /// # Examples
            /// ```
            /// use larder::containers::GradualSort;
            ///
            #[doc = $example]
            /// let mut sounds = Arena::from_iter([3_u32, 1, 2]);
            /// let mut sorting = GradualSort::new();
            /// for _frame in 0..10 {
            ///     sounds.sort_step(&mut sorting, 2, |a, b| a.cmp(b));
            /// }
            /// assert!(sounds.values().eq(&[1, 2, 3]));
            /// ```
            pub fn sort_step(
                &mut self,
                sorting: &mut $crate::containers::GradualSort,
                budget: usize,
                mut compare: impl FnMut(
                    $crate::macros::shared!($kind '_),
                    $crate::macros::shared!($kind '_),
                ) -> core::cmp::Ordering,
            ) -> bool {
                sorting.step(self.len(), budget, |lower, upper| {
                    let (Some(low), Some(high)) = (self.store.get_at(lower), self.store.get_at(upper))
                    else {
                        unreachable!("both are below the length")
                    };
                    let swaps = compare(low, high).is_gt();
                    if swaps {
                        self.store.swap_positions(lower, upper);
                    }
                    swaps
                })
            }
        }

        /// Sorting (feature `alloc`). Keys stay valid. If a comparison panics, nothing has changed.
        #[cfg(feature = "alloc")]
        impl<$($generics)*> $container<$($args)*> {
            /// Sorts the values, keeping the order of equal ones. O(n log n), and 4 bytes a value
            /// meanwhile.
            ///
            /// # Panics
            /// If that memory is refused; nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (b, a) = (arena.insert("b"), arena.insert("a"));
            /// arena.sort_by(|x, y| x.cmp(y));
            /// assert!(arena.keys().eq([a, b]));
            /// assert_eq!(arena.get(b), Some(&"b"));
            /// ```
            #[doc(alias = "sort")]
            #[track_caller]
            pub fn sort_by(
                &mut self,
                mut compare: impl FnMut(
                    $crate::macros::shared!($kind '_),
                    $crate::macros::shared!($kind '_),
                ) -> core::cmp::Ordering,
            ) {
                // A sort that keeps the order of equal values would ask for memory of its own.
                self.sort_positions(|(left, a), (right, b)| compare(left, right).then(a.cmp(&b)));
            }

            /// Sorts the values by a rank, keeping the order of equal ones. `rank` is called
            /// O(n log n) times. O(n log n), and 4 bytes a value meanwhile.
            ///
            /// # Panics
            /// If that memory is refused; nothing has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([-3_i32, 1, 2]);
            /// arena.sort_by_key(|number| number.abs());
            /// assert!(arena.values().eq(&[1, 2, -3]));
            /// ```
            #[track_caller]
            pub fn sort_by_key<O: Ord>(
                &mut self,
                mut rank: impl FnMut($crate::macros::shared!($kind '_)) -> O,
            ) {
                self.sort_by(|a, b| rank(a).cmp(&rank(b)));
            }

            /// Sorts the values; the order of equal ones is not kept. Faster than
            /// [`sort_by`](Self::sort_by). O(n log n), and 4 bytes a value meanwhile.
            ///
            /// # Panics
            /// As [`sort_by`](Self::sort_by).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([2.5, 0.5, 1.5]);
            /// arena.sort_unstable_by(|a, b| f64::total_cmp(a, b));
            /// assert!(arena.values().eq(&[0.5, 1.5, 2.5]));
            /// ```
            #[doc(alias = "sort_unstable_by_key")]
            #[track_caller]
            pub fn sort_unstable_by(
                &mut self,
                mut compare: impl FnMut(
                    $crate::macros::shared!($kind '_),
                    $crate::macros::shared!($kind '_),
                ) -> core::cmp::Ordering,
            ) {
                self.sort_positions(|(left, _), (right, _)| compare(left, right));
            }

            /// Like [`sort_by_key`](Self::sort_by_key), but calls `rank` once a value. O(n log n), and
            /// memory for the ranks meanwhile.
            ///
            /// # Panics
            /// As [`sort_by`](Self::sort_by).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([10_u32, 9, 100]);
            /// arena.sort_by_cached_key(|number| number.to_string());
            /// assert!(arena.values().eq(&[10, 100, 9]));
            /// ```
            #[track_caller]
            pub fn sort_by_cached_key<O: Ord>(
                &mut self,
                mut rank: impl FnMut($crate::macros::shared!($kind '_)) -> O,
            ) {
                let mut positions = $crate::explain::scratch::<Self, u32>(self.len());
                let mut ranks = $crate::explain::scratch::<Self, _>(self.len());
                ranks.extend(self.values().zip(0_u32..).map(|(value, at)| (rank(value), at)));
                ranks.sort_unstable();
                positions.extend(ranks.into_iter().map(|(_, position)| position));
                self.store.rearrange(&mut positions);
            }

            /// Sorts by values and where they are.
            #[track_caller]
            fn sort_positions(
                &mut self,
                mut compare: impl FnMut(
                    ($crate::macros::shared!($kind '_), u32),
                    ($crate::macros::shared!($kind '_), u32),
                ) -> core::cmp::Ordering,
            ) {
                let mut positions = $crate::explain::scratch::<Self, u32>(self.len());
                positions.extend(0..self.len() as u32);
                let store = &self.store;
                positions.sort_unstable_by(|&a, &b| {
                    match (store.get_at(a as usize), store.get_at(b as usize)) {
                        (Some(left), Some(right)) => compare((left, a), (right, b)),
                        _ => unreachable!(),
                    }
                });
                self.store.rearrange(&mut positions);
            }
        }
    };
}
pub(super) use sorting;
