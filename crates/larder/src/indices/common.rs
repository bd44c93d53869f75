//! What all indices have in common, in the words of each.

/// Methods that pass on to `self.inner`, in an index of `Q` and `K`.
macro_rules! common {
    (
        $index:ident, [$($generics:tt)*], [$($args:tt)*],
        insert where [$($bounds:tt)*], cost: $cost:literal, errors: $errors:literal,
        panics: $panics:literal, bulk: $bulk:literal, room: $room:literal
    ) => {
        /// What every index has.
        impl<$($generics)*> $index<$($args)*> {
            /// Files a key under a property; if it is filed under another, it is under that no longer. A
            /// stale key of the same slot is filed no longer, either.
            #[doc = $cost]
            ///
            /// # Errors
            #[doc = $errors]
            /// Nothing has changed then.
            ///
            /// # Panics
            #[doc = $panics]
            /// If the `Drop` of a property that nobody has any more does; the key is filed then.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// by_ring.insert(wren, 17)?;
            /// by_ring.insert(wren, 18)?;
            /// assert_eq!((by_ring.len(), by_ring.property(wren)), (1, Some(&18)));
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            pub fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>>
            where
                $($bounds)*
            {
                Filing::insert(self, key, property)
            }

            /// Files keys under properties, as [`insert`](Self::insert) does, up to the first that is refused.
            #[doc = $bulk]
            ///
            /// # Errors
            #[doc = $errors]
            /// The pairs before are filed then, those behind it were not asked for.
            ///
            /// # Panics
            /// If the iterator does, or code of the property; whole is the index all the same.
            ///
            /// # Examples
            /// An index of what is there already:
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            /// let birds = Arena::from_iter(["wren", "robin"]);
            #[doc = concat!("let mut by_length = ", stringify!($index), "::new();")]
            /// by_length.extend(birds.iter().map(|(key, name)| (key, name.len())))?;
            /// assert_eq!(by_length.len(), 2);
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            #[doc(alias("from_iter", "build"))]
            pub fn extend(
                &mut self,
                pairs: impl IntoIterator<Item = (K, Q)>,
            ) -> Result<(), IndexError<K>>
            where
                $($bounds)*
            {
                Filing::extend(self, pairs)
            }
        }

        /// What every index has, whatever the properties.
        impl<$($generics)*> $index<$($args)*> {
            /// Makes room for so many keys more.
            #[doc = $room]
            /// O(keys).
            ///
            /// # Panics
            /// If memory is refused.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("let mut index = ", stringify!($index), "::<u32, Handle<&str>>::new();")]
            /// index.reserve(100);
            /// assert!(index.stats().memory.committed > 100);
            /// ```
            #[track_caller]
            pub fn reserve(&mut self, additional: usize) {
                if let Err(reason) = self.try_reserve(additional) {
                    explain::refused::<Self>(&reason);
                }
            }

            /// As [`reserve`](Self::reserve), or says why there is no room.
            ///
            /// # Errors
            /// If memory is refused. Then nothing has changed that can be seen.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("let mut index = ", stringify!($index), "::<u32, Handle<&str>>::new();")]
            /// assert!(index.try_reserve(100).is_ok());
            /// assert!(index.try_reserve(usize::MAX).is_err());
            /// ```
            pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.inner.try_reserve(additional)
            }

            /// How many keys are filed, stale ones included. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let wren = birds.insert("wren");
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// by_ring.insert(wren, 17)?;
            /// birds.remove(wren);
            /// assert_eq!(by_ring.len(), 1); // it was not told
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            #[inline]
            #[must_use]
            pub fn len(&self) -> usize {
                self.inner.len()
            }

            /// Whether no key is filed. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("assert!(", stringify!($index), "::<u32, Handle<u8>>::new().is_empty());")]
            /// ```
            #[inline]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Whether a key is filed. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// by_ring.insert(wren, 17)?;
            /// assert!(by_ring.contains_key(wren) && !by_ring.contains_key(kite));
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            #[must_use]
            pub fn contains_key(&self, key: K) -> bool {
                self.inner.property(key).is_some()
            }

            /// The property that a key is filed under. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// by_ring.insert(wren, 17)?;
            /// assert_eq!((by_ring.property(wren), by_ring.property(kite)), (Some(&17), None));
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            #[must_use]
            pub fn property(&self, key: K) -> Option<&Q> {
                self.inner.property(key)
            }

            /// Takes out all keys that a container has no value for (any more). O(keys). If the
            /// container or the `Drop` of a property panics, what came before is done. (A
            /// [`BareHandle`](crate::key::BareHandle) stays if its slot has another object now.)
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            /// let mut birds = Arena::new();
            /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// by_ring.insert(wren, 17)?;
            /// by_ring.insert(kite, 18)?;
            /// birds.remove(wren);
            /// by_ring.retain_live(&birds);
            /// assert!(by_ring.contains_key(kite) && by_ring.len() == 1);
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            #[doc(alias("flush", "remove_stale"))]
            pub fn retain_live(&mut self, of: &impl Container<Key = K>) {
                self.inner.retain_live(of);
            }

            /// Takes out all keys, and keeps the memory. O(keys).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// by_ring.insert(Arena::new().insert("wren"), 17)?;
            /// by_ring.clear();
            /// assert!(by_ring.is_empty());
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            pub fn clear(&mut self) {
                self.inner.clear();
            }

            /// Returns its length, and where its memory goes: `values` are keys where they are listed, all else
            /// is bookkeeping. What properties own elsewhere is not counted.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::new();")]
            /// assert_eq!(by_ring.stats().memory.committed, 0);
            /// by_ring.insert(Arena::new().insert("wren"), 17)?;
            /// assert_eq!(by_ring.stats().memory.values, 8);
            /// # Ok::<(), larder::indices::IndexError<larder::Handle<&str>>>(())
            /// ```
            #[doc(alias = "memory_usage")]
            #[must_use]
            pub fn stats(&self) -> Stats {
                Stats::beside(self.len(), self.inner.memory_usage())
            }

            /// Checks everything that must hold, for the project's own tests.
            #[doc(hidden)]
            pub fn validate(&self) {
                self.inner.validate();
            }
        }
    };
}
pub(crate) use common;

/// Constructors of an index whose hash tables take a hasher.
#[cfg(feature = "hashbrown")]
macro_rules! hashed {
    ($index:ident, $inner:ident) => {
        impl<Q, K: Key> $index<Q, K> {
            /// Makes an empty index, with the hasher of `hashbrown`. O(1), without memory.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Handle, indices::", stringify!($index), "};")]
            ///
            #[doc = concat!("let index = ", stringify!($index), "::<u32, Handle<&str>>::new();")]
            /// assert!(index.is_empty());
            /// ```
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
        }

        impl<Q, K: Key, S: Default> Default for $index<Q, K, S> {
            /// An empty index.
            fn default() -> Self {
                Self::with_hasher(S::default())
            }
        }

        /// Making one.
        impl<Q, K: Key, S> $index<Q, K, S> {
            /// Makes an empty index with another hasher. O(1), without memory.
            ///
            /// A hasher that answers differently for the same property loses sight of keys, nothing worse.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::", stringify!($index), "};")]
            /// use std::hash::RandomState;
            ///
            #[doc = concat!("let mut by_ring = ", stringify!($index), "::with_hasher(RandomState::new());")]
            /// assert!(by_ring.insert(Arena::new().insert("wren"), 17).is_ok());
            /// ```
            #[must_use]
            pub const fn with_hasher(hasher: S) -> Self {
                Self { inner: $inner::new(hasher) }
            }
        }
    };
}
#[cfg(feature = "hashbrown")]
pub(crate) use hashed;
