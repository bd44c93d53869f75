//! Putting the values of a packed container into an order. Keys stay with their values.

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
                    let (Some(low), Some(high)) = (self.rows.get_at(lower), self.rows.get_at(upper))
                    else {
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
            /// [`sort_by`](Self::sort_by). O(n log n).
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

            /// Sorts the values by a rank; the order of equal ones is not kept. Faster than
            /// [`sort_by_key`](Self::sort_by_key). O(n log n).
            ///
            /// # Panics
            /// As [`sort_by`](Self::sort_by).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([1_u32, 3, 2]);
            /// arena.sort_unstable_by_key(|number| core::cmp::Reverse(*number));
            /// assert!(arena.values().eq(&[3, 2, 1]));
            /// ```
            #[track_caller]
            pub fn sort_unstable_by_key<O: Ord>(
                &mut self,
                mut rank: impl FnMut($crate::macros::shared!($kind '_)) -> O,
            ) {
                self.sort_unstable_by(|a, b| rank(a).cmp(&rank(b)));
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
                self.rows.rearrange(&mut positions);
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
    };
}
pub(crate) use sorting;
