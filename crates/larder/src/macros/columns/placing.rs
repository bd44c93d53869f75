//! Where the columns lie.

/// Constructors that fix where the columns lie.
macro_rules! placing {
    ([$($bounds:tt)*] $container:ident) => {
        /// Constructors that fix where the columns lie, for the default key.
        impl<$($bounds)*> $container<T> {
            /// Makes an empty arena with room for `capacity` values, for good: all memory is allocated
            /// now, none ever after, and no column ever moves. When it is full,
            /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value
            /// back. O(capacity / 64).
            ///
            /// # Panics
            /// If memory is refused, or `capacity` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::fixed(2);")]
            /// arena.insert((1, 'a'));
            /// let b = arena.insert((2, 'b'));
            /// assert!(arena.try_insert((3, 'c')).is_err());
            /// arena.remove(b);
            /// arena.insert((3, 'c'));
            /// ```
            #[must_use]
            #[track_caller]
            pub fn fixed(capacity: usize) -> Self {
                Self::builder().fixed(capacity).build()
            }

            /// Makes a [fixed](Self::fixed) arena for as many values as fit into `bytes` bytes. What
            /// the arena needs beside the values is not counted. O(capacity / 64).
            ///
            /// # Panics
            /// If memory is refused, or the values have no size.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!(
                "assert_eq!(", stringify!($container), "::<u64>::fixed_bytes(1_000).capacity(), 125);"
            )]
            /// ```
            #[must_use]
            #[track_caller]
            pub fn fixed_bytes(bytes: usize) -> Self {
                Self::builder().fixed_bytes(bytes).build()
            }

            /// Makes an empty arena that grows in place, up to `max` values: address space for all
            /// columns is reserved now, in one piece; memory is taken as it is used, and no column ever
            /// moves. When it is full, [`insert`](Self::insert) panics and
            /// [`try_insert`](Self::try_insert) gives the value back. O(1): a few calls to the system.
            /// Needs the feature `reserved`.
            ///
            /// Each column commits pages of its own, 64 KiB at least: for small arenas the heap is
            /// better.
            ///
            /// # Panics
            /// If address space is refused, or `max` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::reserved(100_000);")]
            /// let key = arena.insert((1.5_f32, 'a'));
            /// let before: *const f32 = arena.at(key).0;
            /// arena.extend((1..100_000).map(|_| (2.5, 'b')));
            /// assert_eq!(before, arena.at(key).0 as *const f32);
            /// assert!(arena.try_insert((3.5, 'c')).is_err());
            /// ```
            #[cfg(feature = "reserved")]
            #[must_use]
            #[track_caller]
            pub fn reserved(max: usize) -> Self {
                Self::builder().reserved(max).build()
            }

            /// As [`reserved`](Self::reserved), but says so where the addresses are refused. O(1).
            /// Needs the feature `reserved`.
            ///
            /// # Errors
            /// If address space is refused (by a limit of the process, a container, or 32 bits), with
            /// the system's own words; if `max` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!(
                "let refused = ", stringify!($container), "::<[u8; 1 << 30]>::try_reserved(1 << 30);"
            )]
            /// assert!(refused.unwrap_err().to_string().contains("refused"));
            #[doc = concat!(
                "assert!(", stringify!($container), "::<(u64, u8)>::try_reserved(1_000).is_ok());"
            )]
            /// ```
            #[cfg(feature = "reserved")]
            pub fn try_reserved(max: usize) -> Result<Self, TryReserveError> {
                Self::builder().reserved(max).try_build()
            }

            /// Makes an empty arena in the caller's own block, with room for as many values as fit.
            /// Nothing is ever allocated, and no column moves. When it is full,
            /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value
            /// back. O(capacity / 64).
            ///
            /// The block is the arena's for the rest of the program.
            /// [`bytes_for`](Self::bytes_for) says how large it has to be.
            ///
            /// # Errors
            /// If not a single value fits: the error says how many bytes are missing.
            ///
            /// # Examples
            /// ```
            /// use core::mem::MaybeUninit;
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!(
                "const BYTES: usize = ", stringify!($container), "::<(u64, u8)>::bytes_for(100);"
            )]
            /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES])); // or `static_cell`
            #[doc = concat!("let mut arena = ", stringify!($container), "::in_memory(block)?;")]
            /// assert!(arena.capacity() >= 100);
            /// let key = arena.insert((7_u64, 1_u8));
            /// assert_eq!(arena.at(key), (&7, &1));
            /// # Ok::<(), larder::TryReserveError>(())
            /// ```
            pub fn in_memory(
                block: &'static mut [core::mem::MaybeUninit<u8>],
            ) -> Result<Self, TryReserveError> {
                Self::builder().in_memory(block).try_build()
            }
        }

        impl<$($bounds)*, K: Key> $container<T, K> {
            /// How many bytes a block must have for `count` values to fit, at least one, whatever
            /// address it begins at. O(1). (`usize::MAX` where no block is so large. With another order
            /// of reuse than [`Packed`](crate::Reuse::Packed) it is 4 bytes a value more, rounded up to
            /// 64 values.)
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!(
                "const BYTES: usize = ", stringify!($container), "::<(u64, u8)>::bytes_for(1);"
            )]
            /// assert!(BYTES >= 9);
            /// ```
            #[must_use]
            pub const fn bytes_for(count: usize) -> usize {
                match Rows::<T, K>::end_of(0, count, Reuse::Packed) {
                    Some(bytes) => bytes.saturating_add(Rows::<T, K>::ALIGNMENT - 1),
                    None => usize::MAX,
                }
            }
        }

        impl<$($bounds)*, K: Key> $crate::containers::builder::Build for $container<T, K> {
            type Needs = ();

            #[track_caller]
            fn from_options(
                options: $crate::containers::builder::Options,
                (): (),
            ) -> Result<Self, TryReserveError> {
                Ok(Self { rows: Rows::make(options.plan::<T>())? })
            }
        }

        impl<$($bounds)*, K: Key> $crate::containers::builder::Contiguous for $container<T, K> {}
    };
}
pub(crate) use placing;
