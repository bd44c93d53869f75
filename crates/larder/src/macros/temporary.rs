//! Rows as columns for a while.

/// Temporary columns.
macro_rules! temporary {
    ([$($generics:tt)*] $container:ty, $new:literal, $order:literal) => {
        /// Temporary columns: rows stay rows, and are computed with as columns, 16 KiB at a time.
        ///
        /// Worth it where much is computed with a few fields of each value: the columns lie in the
        /// nearest cache, and loops over them become vector instructions. What is copied there and back
        /// is what `load` makes of a value, of any type that has columns ([`Soa`](crate::Soa)):
        /// a number, a tuple of them, a struct with `#[derive(Soa)]`. Values are never moved, so they may
        /// be of any type.
        impl<$($generics)*> $container {
            #[doc = concat!("Goes through all values, ", $order, ", as many at a time as fit into 16 KiB: ")]
            /// `load` makes of each what is needed, `compute` gets that as columns, slices of the same
            /// length. They may be written to, and are forgotten afterwards. O(live + slots / 64);
            /// allocates nothing, but takes 16 KiB of the stack.
            ///
            /// A key that is needed can be a column: `load` is given it.
            ///
            /// # Panics
            /// If not even one value fits into the scratch.
            ///
            /// # Examples
            /// ```
            /// #[derive(Default)]
            /// struct Body { name: String, mass: f32, speed: f32 }
            ///
            #[doc = concat!("let mut bodies = ", $new, ";")]
            /// bodies.insert(Body { name: "moon".into(), mass: 7.0, speed: 2.0 });
            /// bodies.insert(Body { name: "comet".into(), mass: 1.0, speed: 9.0 });
            /// let mut energy = 0.0;
            /// bodies.with_columns_of(
            ///     |_, body| (body.mass, body.speed),
            ///     |(masses, speeds)| {
            ///         for (mass, speed) in masses.iter().zip(speeds) {
            ///             energy += 0.5 * *mass * *speed * *speed;
            ///         }
            ///     },
            /// );
            /// assert_eq!(energy, 54.5);
            /// # assert_eq!(bodies.values().map(|body| body.name.len()).sum::<usize>(), 9);
            /// ```
            #[doc(alias("gather", "batches", "aos to soa"))]
            #[inline]
            #[track_caller]
            pub fn with_columns_of<V: $crate::Soa + 'static>(
                &self,
                load: impl FnMut(K, &T) -> V,
                compute: impl FnMut(V::ColumnsMut<'_>),
            ) {
                let mut scratch = temporary::OnStack::new();
                self.with_columns_of_in(scratch.block(), load, compute);
            }

            /// As [`with_columns_of`](Self::with_columns_of), with the columns in a scratch of the caller's,
            /// of any length: a larger one, or a smaller one where the stack is small. Best aligned to 64.
            /// O(live + slots / 64); allocates nothing.
            ///
            /// # Panics
            /// If not even one value fits into the scratch; it says how many bytes are missing.
            ///
            /// # Examples
            /// ```
            /// use core::mem::MaybeUninit;
            ///
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// arena.insert((3_i32, "three"));
            /// arena.insert((4, "four"));
            /// let mut scratch = [MaybeUninit::uninit(); 1_024];
            /// let mut sum = 0;
            /// arena.with_columns_of_in(
            ///     &mut scratch,
            ///     |_, row| row.0,
            ///     |numbers| sum += numbers.iter().sum::<i32>(),
            /// );
            /// assert_eq!(sum, 7);
            /// ```
            #[inline]
            #[track_caller]
            pub fn with_columns_of_in<V: $crate::Soa + 'static>(
                &self,
                scratch: &mut [core::mem::MaybeUninit<u8>],
                load: impl FnMut(K, &T) -> V,
                compute: impl FnMut(V::ColumnsMut<'_>),
            ) {
                temporary::read::<Self, _, _, _>(scratch, self.iter(), load, compute);
            }

            /// As [`with_columns_of`](Self::with_columns_of), and then `store` writes back what it wants
            /// of what was computed: all, some or no fields. O(live + slots / 64); allocates nothing, but
            /// takes 16 KiB of the stack, of which each value needs 8 bytes beside its columns (4 where
            /// addresses have 32 bits).
            ///
            /// If a closure panics, the values that `store` was done with are changed, and no others.
            ///
            /// # Panics
            /// If not even one value fits into the scratch.
            ///
            /// # Examples
            /// ```
            /// #[derive(Default)]
            /// struct Body { name: String, place: f32, speed: f32 }
            ///
            #[doc = concat!("let mut bodies = ", $new, ";")]
            /// bodies.insert(Body { name: "moon".into(), place: 1.0, speed: 0.5 });
            /// bodies.insert(Body { name: "comet".into(), place: 9.0, speed: -3.0 });
            /// bodies.with_columns_of_mut(
            ///     |_, body| (body.place, body.speed),
            ///     |(places, speeds)| {
            ///         for (place, speed) in places.iter_mut().zip(speeds) {
            ///             *place += *speed;
            ///         }
            ///     },
            ///     |body, (place, _)| body.place = place,
            /// );
            /// assert!(bodies.values().map(|body| body.place).eq([1.5, 6.0]));
            /// # assert_eq!(bodies.values().map(|body| body.name.len()).sum::<usize>(), 9);
            /// ```
            #[doc(alias("scatter", "batches_mut"))]
            #[inline]
            #[track_caller]
            pub fn with_columns_of_mut<V: $crate::Soa + 'static>(
                &mut self,
                load: impl FnMut(K, &T) -> V,
                compute: impl FnMut(V::ColumnsMut<'_>),
                store: impl FnMut(&mut T, V),
            ) {
                let mut scratch = temporary::OnStack::new();
                self.with_columns_of_mut_in(scratch.block(), load, compute, store);
            }

            /// As [`with_columns_of_mut`](Self::with_columns_of_mut), with the columns in a scratch of the
            /// caller's, of any length. O(live + slots / 64); allocates nothing.
            ///
            /// # Panics
            /// If not even one value fits into the scratch; it says how many bytes are missing.
            ///
            /// # Examples
            /// ```
            /// use core::mem::MaybeUninit;
            ///
            #[doc = concat!("let mut arena = ", $new, ";")]
            /// arena.insert(1.0_f64);
            /// arena.insert(2.0);
            /// let mut scratch = [MaybeUninit::uninit(); 1_024];
            /// arena.with_columns_of_mut_in(
            ///     &mut scratch,
            ///     |_, number| *number,
            ///     |numbers| numbers.iter_mut().for_each(|number| *number *= 10.0),
            ///     |number, computed| *number = computed,
            /// );
            /// assert!(arena.values().eq(&[10.0, 20.0]));
            /// ```
            #[inline]
            #[track_caller]
            pub fn with_columns_of_mut_in<V: $crate::Soa + 'static>(
                &mut self,
                scratch: &mut [core::mem::MaybeUninit<u8>],
                load: impl FnMut(K, &T) -> V,
                compute: impl FnMut(V::ColumnsMut<'_>),
                store: impl FnMut(&mut T, V),
            ) {
                temporary::change::<Self, _, _, _>(
                    scratch,
                    self.iter_mut(),
                    load,
                    compute,
                    store,
                );
            }
        }

        use $crate::soa::temporary;
    };
}
pub(crate) use temporary;
