//! Making a container.

/// Constructors of containers that can grow.
macro_rules! constructors {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        [$($bound:tt)*]
    ) => {
        /// Constructors for the default key, so that it need not be named.
        impl<T: $($bound)*> $container<T> {
            /// Makes an empty arena without allocating. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// static EMPTY: Arena<u32> = Arena::new();
            /// assert!(EMPTY.is_empty());
            /// ```
            #[must_use]
            pub const fn new() -> Self
            where
                Self: $crate::containers::NeedsAlloc,
            {
                Self::with_key()
            }

            /// Makes an empty arena with room for `capacity` values; it grows beyond. O(capacity / 64):
            /// one bit a slot is written.
            ///
            /// # Panics
            /// If memory is refused, or `capacity` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::with_capacity(100);
            /// assert!(arena.capacity() >= 100);
            /// arena.extend(0..1_000_u32);
            /// assert_eq!(arena.len(), 1_000);
            /// ```
            #[must_use]
            #[track_caller]
            pub fn with_capacity(capacity: usize) -> Self
            where
                Self: $crate::containers::NeedsAlloc,
            {
                Self::builder().capacity(capacity).build()
            }

            /// Returns a [`Builder`], which sets memory and order of reuse. O(1).
            ///
            /// # Examples
            /// ```
            /// use larder::Reuse;
            ///
            #[doc = $example]
            /// let mut arena = Arena::builder().capacity(100).reuse(Reuse::Lifo).build();
            /// arena.insert('a');
            /// assert!(arena.capacity() >= 100);
            /// ```
            pub const fn builder() -> Builder<Self> {
                Builder::new()
            }
        }

        #[cfg(feature = "alloc")]
        $crate::macros::collecting! {
            $container [T: $($bound)*] [T] [$($generics)*] [$($args)*] $example
        }

        /// Constructors for any key.
        impl<$($generics)*> $container<$($args)*> {
            /// Makes an empty arena with keys of type `K`, without allocating. O(1).
            ///
            /// # Examples
            /// ```
            /// use larder::Handle32;
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!("let mut arena: ", stringify!($container), "<char, Handle32<char>> =")]
            #[doc = concat!("    ", stringify!($container), "::with_key();")]
            /// assert_eq!(size_of_val(&arena.insert('a')), 4);
            /// ```
            #[must_use]
            pub const fn with_key() -> Self
            where
                Self: $crate::containers::NeedsAlloc,
            {
                Self { store: const { Store::new(Reuse::Packed) } }
            }

            /// Makes an empty arena with keys of type `K` and room for `capacity` values; it grows
            /// beyond. O(capacity / 64): one bit a slot is written.
            ///
            /// # Panics
            /// If memory is refused, or `capacity` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{", stringify!($container), ", key::Serial};")]
            ///
            #[doc = concat!("let mut arena: ", stringify!($container), "<u8, Serial<u8>> =")]
            #[doc = concat!("    ", stringify!($container), "::with_capacity_and_key(100);")]
            /// assert!(arena.capacity() >= 100);
            /// ```
            #[must_use]
            #[track_caller]
            pub fn with_capacity_and_key(capacity: usize) -> Self
            where
                Self: $crate::containers::NeedsAlloc,
            {
                Self::builder_with_key().capacity(capacity).build()
            }

            /// Returns a [`Builder`] for keys of type `K`. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{", stringify!($container), ", key::BareHandle};")]
            ///
            #[doc = concat!("let mut arena: ", stringify!($container), "<u8, BareHandle<u8>> =")]
            #[doc = concat!("    ", stringify!($container), "::builder_with_key().fixed(10).build();")]
            /// let key = arena.insert(7);
            /// assert_eq!(arena.get(key), Some(&7));
            /// ```
            pub const fn builder_with_key() -> Builder<Self> {
                Builder::new()
            }
        }

        #[cfg(feature = "alloc")]
        impl<$($generics)*> Default for $container<$($args)*> {
            /// An empty arena. Does not allocate.
            fn default() -> Self {
                Self::with_key()
            }
        }
    };
}
pub(crate) use constructors;

/// Making a container of values.
macro_rules! collecting {
    (
        $container:ident [$($plain:tt)*] [$($plain_args:tt)*] [$($generics:tt)*] [$($args:tt)*]
        $example:literal
    ) => {
        impl<$($plain)*> $container<$($plain_args)*> {
            /// Makes a container of values, in slots 0, 1, 2 and so on, in their order; with the default
            /// key, so that it need not be named. O(values). For another key there is `collect`.
            ///
            /// # Panics
            /// As `insert`.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            ///
            /// let arena = Arena::from_iter(["ox", "wren"]);
            /// assert_eq!(arena.values().next(), Some(&"ox"));
            /// ```
            #[inline]
            #[track_caller]
            #[expect(clippy::should_implement_trait, reason = "that is there, too, for any key")]
            pub fn from_iter(values: impl IntoIterator<Item = T>) -> Self {
                values.into_iter().collect()
            }
        }

        /// The values are in slots 0, 1, 2 and so on, in their order.
        impl<$($generics)*> FromIterator<T> for $container<$($args)*> {
            /// # Panics
            /// As `insert`.
            #[inline]
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                let mut container = Self::default();
                container.extend(values);
                container
            }
        }

        /// The values are in slots 0, 1, 2 and so on, in their order.
        impl<$($generics)*, const COUNT: usize> From<[T; COUNT]> for $container<$($args)*> {
            /// # Panics
            /// As `insert`.
            #[inline]
            #[track_caller]
            fn from(values: [T; COUNT]) -> Self {
                Self::from_iter(values)
            }
        }
    };
}
pub(crate) use collecting;

/// Constructors of containers whose memory is one block, which say where that is.
macro_rules! placing {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        },
        [$($bound:tt)*]
    ) => {
        /// Constructors that determine where the values are, for the default key.
        impl<T: $($bound)*> $container<T> {
            /// Makes an empty arena with room for exactly `capacity` values. All memory is allocated
            /// now and none later, and growing never moves a value. When it is full,
            /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value
            /// back. O(capacity / 64).
            ///
            /// It has one bit a slot more than a growing arena, so that [`detach`](Self::detach) and
            /// retired slots need no memory later.
            ///
            /// # Panics
            /// If memory is refused, or `capacity` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::fixed(2);
            /// arena.insert('a');
            /// let b = arena.insert('b');
            /// assert!(arena.try_insert('c').is_err());
            /// arena.remove(b);
            /// arena.insert('c');
            /// ```
            #[must_use]
            #[track_caller]
            pub fn fixed(capacity: usize) -> Self
            where
                Self: $crate::containers::NeedsAlloc,
            {
                Self::builder().fixed(capacity).build()
            }

            /// Makes an empty arena that grows in place, up to `max` values: address space for all of
            /// them is reserved now, memory is committed as it is used, and growing never moves a
            /// value. When it is full, [`insert`](Self::insert) panics and
            /// [`try_insert`](Self::try_insert) gives the value back. O(1): a few system calls. Needs
            /// the feature `reserved`.
            ///
            /// `max` may be far more than will be needed: address space is free. Memory is committed in
            /// steps of an eighth, from 64 KiB to 1 MiB; [`shrink_to_fit`](Self::shrink_to_fit) returns
            /// it and keeps the addresses. Without virtual memory (wasm, Miri) all of it is allocated
            /// now. Many small arenas are better on the heap: the first touch of a page takes a
            /// microsecond. To handle a refusal, use
            /// [`Builder::try_build`](crate::containers::Builder::try_build).
            ///
            /// # Panics
            /// If address space is refused, or `max` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::reserved(1_000_000);
            /// let key = arena.insert('a');
            /// let before: *const char = arena.get(key).unwrap();
            /// arena.extend((1..1_000_000).map(|_| 'b'));
            /// assert_eq!(before, arena.get(key).unwrap() as *const char);
            /// assert!(arena.try_insert('c').is_err());
            /// ```
            #[cfg(feature = "reserved")]
            #[must_use]
            #[track_caller]
            pub fn reserved(max: usize) -> Self {
                Self::builder().reserved(max).build()
            }

            /// Makes an empty arena in the caller's own memory block, with room for as many values as
            /// fit. It never allocates, and growing never moves a value. When it is full,
            /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value
            /// back. O(capacity / 64).
            ///
            /// The block belongs to the arena for the rest of the program;
            /// [`bytes_for`](Self::bytes_for) computes its size. This works without an allocator, that
            /// is, without the feature `alloc`.
            ///
            /// # Errors
            /// If not a single value fits. The error says how many bytes are missing, including those
            /// before the first aligned address.
            ///
            /// # Examples
            /// ```
            /// use core::mem::MaybeUninit;
            ///
            #[doc = $example]
            /// const BYTES: usize = Arena::<u64>::bytes_for(100);
            /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES])); // or `static_cell`
            /// let mut arena = Arena::in_memory(block)?;
            /// assert!(arena.capacity() >= 100);
            /// let key = arena.insert(7_u64);
            /// assert_eq!(arena.get(key), Some(&7));
            /// # Ok::<(), larder::TryReserveError>(())
            /// ```
            pub fn in_memory(
                block: &'static mut [core::mem::MaybeUninit<u8>],
            ) -> Result<Self, TryReserveError> {
                Self::builder().in_memory(block).try_build()
            }
        }

        $crate::macros::bytes_for! {
            { $container [$($generics)*] [$($args)*] $kind $order $memory $example $one }
        }

        impl<$($generics)*> $crate::containers::builder::Build for $container<$($args)*> {
            type Needs = ();

            #[track_caller]
            fn from_options(
                options: $crate::containers::builder::Options,
                (): (),
            ) -> Result<Self, TryReserveError> {
                let mark = options.mark::<K>()?;
                let store = Store::make(options.plan::<T>())?;
                Ok(Self { store: $crate::raw::slots::Slots::begun_at(store, mark) })
            }

            $crate::macros::mark_after! {}
        }

        impl<$($generics)*> $crate::containers::builder::Contiguous for $container<$($args)*> {}
    };
}
pub(crate) use placing;

/// Where a container begins that continues this one.
macro_rules! mark_after {
    () => {
        fn mark_after(&self) -> Option<u64> {
            let key_at = |slot| self.store.key_at(slot);
            let mark = $crate::raw::slots::Slots::mark_after(&self.store, key_at)?;
            Some($crate::key::generation::Mark::to_u64(mark))
        }
    };
}
pub(crate) use mark_after;

/// How large a lent block has to be.
macro_rules! bytes_for {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        impl<$($generics)*> $container<$($args)*> {
            /// Returns how many bytes a block must have for `count` values, at least one, to fit at any
            /// address; `usize::MAX` if no block is so large. O(1).
            ///
            /// An order of reuse other than [`Packed`](crate::Reuse::Packed) needs 4 bytes a value more,
            /// rounded up to 64 values.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("const BYTES: usize = larder::", stringify!($container), "::<u64>::bytes_for(100);")]
            /// assert!(BYTES >= 800);
            /// ```
            #[must_use]
            pub const fn bytes_for(count: usize) -> usize {
                use $crate::raw::slots;
                slots::bytes_for(<Store<T, K> as slots::InMemory<K>>::BLOCKS, count)
            }
        }
    };
}
pub(crate) use bytes_for;
