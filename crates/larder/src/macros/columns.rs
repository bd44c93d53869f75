//! Columns as slices, and as blocks of lanes.

/// The columns themselves. `holes` says what slots without a value hold; `split` lends all columns
/// mutably.
macro_rules! columns {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        [$($bound:tt)*], holes: $holes:literal, columns_mut: |$this:ident| $columns_mut:expr,
        blocks: $blocks:ty, blocks_mut: $blocks_mut:ty, next_lanes $($fold:ident)?
    ) => {
        /// Whole columns, for types without lanes.
        impl<T: Soa<Arrangement = Split> $($bound)*, K: Key> $container<T, K> {
            #[doc = concat!("Returns each column as a slice, ", $crate::macros::words!($order), $holes, ". O(1).")]
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
            /// let (numbers, letters) = arena.columns();
            /// assert_eq!((numbers, letters), (&[1.5, 2.5][..], &['a', 'b'][..]));
            /// ```
            #[doc(alias("slices", "items"))]
            #[inline]
            #[must_use]
            pub fn columns(&self) -> T::Columns<'_> {
                self.rows.columns()
            }

            /// Returns each column as a mutable slice, all at once. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([(1.0_f32, 0.5_f32), (2.0, 0.25)]);
            /// let (places, speeds) = arena.columns_mut();
            /// places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
            /// assert_eq!(arena.columns().0, [1.5, 2.25]);
            /// ```
            #[inline]
            #[must_use]
            pub fn columns_mut(&mut self) -> T::ColumnsMut<'_> {
                let $this = self;
                $columns_mut
            }
        }

        /// Blocks of lanes, for types with `#[soa(lanes = …)]`.
        impl<const L: usize, T: Soa<Arrangement = Lanes<L>> $($bound)*, K: Key> $container<T, K> {
            /// Iterates over groups of `L` values, each field an array of lanes, with the lanes that
            /// have values. Groups without a value are skipped. Lanes without a value hold what
            /// [`Fill`](crate::soa::Fill) says. O(groups).
            ///
            /// # Examples
            /// ```
            /// # #[cfg(feature = "derive")] {
            /// use larder::Soa;
            #[doc = $example]
            ///
            /// #[derive(Soa)]
            /// #[soa(lanes = 4)]
            /// struct Body { place: f32, speed: f32 }
            ///
            /// let mut bodies = Arena::new();
            /// bodies.insert(Body { place: 1.0, speed: 0.5 });
            /// let (live, lanes) = bodies.blocks().next().unwrap();
            /// assert_eq!((live.bits(), lanes.place), (0b1, &[1.0, 0.0, 0.0, 0.0]));
            /// # }
            /// ```
            #[inline]
            pub fn blocks(&self) -> Blocks<'_, T, L> {
                Blocks(self.rows.groups())
            }

            /// Iterates over groups of `L` values, each field a mutable array of lanes, with the lanes
            /// that have values. What is written to the other lanes is lost. O(groups).
            ///
            /// # Examples
            /// ```
            /// # #[cfg(feature = "derive")] {
            /// use larder::Soa;
            #[doc = $example]
            ///
            /// #[derive(Soa)]
            /// #[soa(lanes = 8)]
            /// struct Body { place: f32, speed: f32 }
            ///
            /// let mut bodies = Arena::new();
            /// let body = bodies.insert(Body { place: 1.0, speed: 0.5 });
            /// for (_, lanes) in bodies.blocks_mut() {
            ///     for (place, speed) in lanes.place.iter_mut().zip(lanes.speed) {
            ///         *place += *speed;
            ///     }
            /// }
            /// assert_eq!(bodies.at(body).place, &1.5);
            /// # }
            /// ```
            #[inline]
            pub fn blocks_mut(&mut self) -> BlocksMut<'_, T, L> {
                BlocksMut(self.rows.groups_mut())
            }
        }

        /// Blocks of lanes, and which lanes have values.
        #[doc = concat!("Made by [`", stringify!($container), "::blocks`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct Blocks<'a, T: Soa, const L: usize>($blocks);

        /// Mutable blocks of lanes, and which lanes have values.
        #[doc = concat!("Made by [`", stringify!($container), "::blocks_mut`].")]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct BlocksMut<'a, T: Soa, const L: usize>($blocks_mut);

        $crate::macros::lends! {
            ['a, const L: usize, T: Soa<Arrangement = Lanes<L>>] Blocks<'a, T, L>,
            (Live<'a>, T::Lanes<'a, L>), next_lanes $($fold)?
        }
        $crate::macros::lends! {
            ['a, const L: usize, T: Soa<Arrangement = Lanes<L>>] BlocksMut<'a, T, L>,
            (Live<'a>, T::LanesMut<'a, L>), next_lanes $($fold)?
        }
        $crate::macros::half::shows_type! {
            [T: Soa, const L: usize] Blocks<'_, T, L>;
            [T: Soa, const L: usize] BlocksMut<'_, T, L>;
        }
    };
}
pub(crate) use columns;

/// The iterator around one of the raw layer, with its `fold` if it has one.
macro_rules! lends {
    ([$($generics:tt)*] $name:ty, $item:ty, $next:ident $($fold:ident)?) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.0.$next()
            }

            $(
                #[inline]
                fn fold<B, F: FnMut(B, $item) -> B>(self, init: B, f: F) -> B {
                    self.0.$fold(init, f)
                }
            )?
        }

        impl<$($generics)*> core::iter::FusedIterator for $name {}

        #[cfg(feature = "rayon")]
        $crate::impls::rayon::divided! { [$($generics)*] $name; }

        #[cfg(feature = "rayon")]
        $crate::impls::rayon::parallel! { [$($generics)*] $name; }
    };
}
pub(crate) use lends;
