//! Data beside a container, under its keys, and walks over several containers at once.
//!
//! | which | memory | get |
//! |---|---|---|
//! | [`SecondaryMap`] | by slot, up to the largest that has an entry | one cache line |
//! | `SparseSecondaryMap` (feature `hashbrown`) | by entry: for few of the objects | a hash, two cache lines |
//!
//! A map never returns a removed object's value for the next object in its slot: entries of removed objects
//! are stale, and `retain_live` drops them. [`join()`] walks the keys that up to four containers and maps
//! have in common.
//!
//! # Examples
//! ```
//! use larder::{Arena, SecondaryMap, join};
//!
//! let mut birds = Arena::new();
//! let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
//! let ages = SecondaryMap::from_iter([(wren, 2), (kite, 5)]);
//! birds.remove(wren);
//! for (_, (bird, age)) in join((&birds, &ages)) {
//!     assert_eq!((*bird, *age), ("kite", 5));
//! }
//! ```

#[cfg(feature = "alloc")]
mod entry;
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) mod filling;
pub mod join;
#[cfg(feature = "alloc")]
mod methods;
#[cfg(feature = "alloc")]
pub mod secondary;
#[cfg(feature = "hashbrown")]
pub mod sparse_secondary;

#[cfg(feature = "alloc")]
pub use entry::{Entry, OccupiedEntry, VacantEntry};
pub use join::{Joined, join};
#[cfg(feature = "alloc")]
pub use secondary::SecondaryMap;
#[cfg(feature = "hashbrown")]
pub use sparse_secondary::SparseSecondaryMap;

#[cfg(feature = "alloc")]
pub use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind};

/// What both maps have beside their methods: traits that show, compare, copy, fill and walk a map; and its errors.
#[cfg(feature = "alloc")]
macro_rules! traits {
    ($map:ident) => {
        impl<K: Key, V> Default for $map<K, V> {
            /// An empty map.
            fn default() -> Self {
                Self::new()
            }
        }

        impl<K: Key, V: core::fmt::Debug> core::fmt::Debug for $map<K, V> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self).finish()
            }
        }

        $crate::containers::container::container! {
            [K: Key, V] $map<K, V>, V, |self, key| self.remove(key)
        }

        /// A clone has clones of the values under the same keys.
        impl<K: Key, V: Clone> Clone for $map<K, V> {
            /// # Panics
            /// If memory is refused.
            #[track_caller]
            fn clone(&self) -> Self {
                Self { map: $crate::explain::granted::<Self, _>(self.map.try_clone()) }
            }
        }

        /// Maps are equal if the same keys have equal values, in any order.
        impl<K: Key, V: PartialEq> PartialEq for $map<K, V> {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len()
                    && self.iter().all(|(key, value)| other.get(key) == Some(value))
            }
        }

        impl<K: Key, V: Eq> Eq for $map<K, V> {}

        /// Inserts entries one after the other, as [`insert`](Self::insert) does.
        impl<K: Key, V> Extend<(K, V)> for $map<K, V> {
            /// # Panics
            /// As [`insert`](Self::insert). The entries before are inserted.
            #[track_caller]
            fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
                for (key, value) in entries {
                    self.insert(key, value);
                }
            }
        }

        impl<'a, K: Key, V: Copy + 'a> Extend<(K, &'a V)> for $map<K, V> {
            #[track_caller]
            fn extend<I: IntoIterator<Item = (K, &'a V)>>(&mut self, entries: I) {
                self.extend(entries.into_iter().map(|(key, value)| (key, *value)));
            }
        }

        impl<K: Key, V> FromIterator<(K, V)> for $map<K, V> {
            /// # Panics
            /// If memory is refused.
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
                let mut map = Self::new();
                map.extend(entries);
                map
            }
        }

        impl<K: Key, V> IntoIterator for $map<K, V> {
            type Item = (K, V);
            type IntoIter = IntoIter<K, V>;

            #[inline]
            fn into_iter(self) -> IntoIter<K, V> {
                IntoIter(self.map.into_iter())
            }
        }

        impl<'a, K: Key, V> IntoIterator for &'a $map<K, V> {
            type Item = (K, &'a V);
            type IntoIter = Iter<'a, K, V>;

            #[inline]
            fn into_iter(self) -> Iter<'a, K, V> {
                self.iter()
            }
        }

        impl<'a, K: Key, V> IntoIterator for &'a mut $map<K, V> {
            type Item = (K, &'a mut V);
            type IntoIter = IterMut<'a, K, V>;

            #[inline]
            fn into_iter(self) -> IterMut<'a, K, V> {
                self.iter_mut()
            }
        }

        impl<K: Key, V> $map<K, V> {
            /// Panics if the map is inconsistent, for the project's own tests.
            #[cfg(feature = "__test")]
            #[doc(hidden)]
            pub fn validate(&self) {
                self.map.validate();
            }

            /// What `Index` says of a key that has no value.
            #[cold]
            #[inline(never)]
            #[track_caller]
            fn no_entry(&self, key: K) -> ! {
                $crate::explain::no_entry::<Self, K>(key, self.key_of_slot(key.slot()))
            }

            /// What `insert` does with an error.
            #[cold]
            #[inline(never)]
            #[track_caller]
            fn not_inserted(reason: SecondaryInsertErrorKind<K>) -> Option<V> {
                if let SecondaryInsertErrorKind::Memory(reason) = reason {
                    $crate::explain::refused::<Self>(&reason);
                }
                None
            }
        }
    };
}
#[cfg(feature = "alloc")]
use traits;
