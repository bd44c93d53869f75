//! Making a container.

/// Constructors that every container of rows in growing memory has.
macro_rules! constructors {
    ([$($bounds:tt)*] $container:ident, $new:literal) => {
        /// Constructors for the default key, so that it need not be named.
        impl<$($bounds)*> $container<T> {
            /// Makes an empty arena. O(1): allocates nothing.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!("static EMPTY: ", stringify!($container), "<u32> = ", $new, ";")]
            /// assert!(EMPTY.is_empty());
            /// ```
            #[must_use]
            pub const fn new() -> Self {
                Self::with_key()
            }

            /// Makes an empty arena with room for `capacity` values; it grows beyond. O(capacity /
            /// 64): one bit a slot is written, the slots are not touched.
            ///
            /// # Panics
            /// If memory is refused, or `capacity` is more than there can be slots.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::", stringify!($container), ";")]
            ///
            #[doc = concat!("let mut arena = ", stringify!($container), "::with_capacity(100);")]
            /// assert!(arena.capacity() >= 100);
            /// arena.extend(0..1_000);
            /// assert_eq!(arena.len(), 1_000);
            /// ```
            #[must_use]
            #[track_caller]
            pub fn with_capacity(capacity: usize) -> Self {
                Self::builder().capacity(capacity).build()
            }

            /// Begins to describe an arena: its room, whether it grows, its order of reuse. See
            /// [`Builder`]. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{", stringify!($container), ", Reuse};")]
            ///
            #[doc = concat!("let builder = ", stringify!($container), "::builder().capacity(100);")]
            /// let mut arena = builder.reuse(Reuse::Lifo).build();
            /// arena.insert('a');
            /// assert!(arena.remaining() >= 99);
            /// ```
            pub const fn builder() -> Builder<Self> {
                Builder::new()
            }
        }

        /// The values lie in slots 0, 1, 2, … in their order.
        ///
        /// For the default key only, so that it need not be named; with another, `with_key` and
        /// `extend`.
        impl<$($bounds)*> FromIterator<T> for $container<T> {
            #[inline]
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                let mut arena = Self::default();
                arena.extend(values);
                arena
            }
        }

        /// Constructors for any key.
        impl<$($bounds)*, K: Key> $container<T, K> {
            /// Makes an empty arena with keys of type `K`. O(1): allocates nothing.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{", stringify!($container), ", Handle32};")]
            ///
            #[doc = concat!("type Small = ", stringify!($container), "<char, Handle32<char>>;")]
            /// let mut arena = Small::with_key();
            /// assert_eq!(size_of_val(&arena.insert('a')), 4);
            /// ```
            #[must_use]
            pub const fn with_key() -> Self {
                Self { rows: Rows::new(Reuse::Packed) }
            }

            /// Begins to describe an arena with keys of type `K`. See [`Builder`].
            /// O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{", stringify!($container), ", key::BareHandle};")]
            ///
            #[doc = concat!("type Plain = ", stringify!($container), "<u8, BareHandle<u8>>;")]
            /// let mut arena = Plain::builder_with_key().fixed(10).build();
            /// let key = arena.insert(7);
            /// assert_eq!(arena.get(key), Some(&7));
            /// ```
            pub const fn builder_with_key() -> Builder<Self> {
                Builder::new()
            }
        }

        impl<$($bounds)*, K: Key> Default for $container<T, K> {
            /// An empty arena. Allocates nothing.
            fn default() -> Self {
                Self::with_key()
            }
        }
    };
}
pub(crate) use constructors;
