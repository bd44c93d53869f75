//! Finding objects by their properties instead of their keys.
//!
//! | which | a property | finds |
//! |---|---|---|
//! | [`UniqueIndex`] | `Hash + Eq`, at most one object each | the object with a property |
//! | [`MultiIndex`] | `Hash + Eq` | all objects with a property, as a slice |
//! | [`SortedIndex`] | `Ord` | objects in order, in a range, the first and the last |
//! | [`GridIndex`] | a point in 2 or 3 dimensions | objects within a radius or a box, and the nearest |
//! | [`SortedKeys`] | anything sortable | nothing: it sorts keys when they are needed |
//!
//! An index is separate from its container and is updated by the caller, or by an [`Indexed`], which owns a
//! container and its indices. `UniqueIndex`, `MultiIndex` and `GridIndex` need the feature `hashbrown`.
//!
//! # Examples
//! ```
//! # #[cfg(feature = "hashbrown")] {
//! use larder::{Arena, indices::{Indexed, MultiIndex}};
//!
//! #[derive(Clone)]
//! struct Bird {
//!     colour: &'static str,
//! }
//! let mut birds = Indexed::new(Arena::new(), MultiIndex::by(|bird: &Bird| bird.colour));
//! let kite = birds.insert(Bird { colour: "red" }).unwrap();
//! assert_eq!(birds.indices().get("red"), [kite]);
//!
//! birds.modify(kite, |bird| bird.colour = "brown").unwrap();
//! assert_eq!(birds.indices().get("red"), []);
//! # }
//! ```

// Modules import from their own group and those above; no two import each other.
mod row_index;

#[cfg(feature = "hashbrown")]
mod by_hash;

#[cfg(feature = "hashbrown")]
mod grid;
mod sorted;
mod sorted_keys;
#[cfg(feature = "hashbrown")]
mod unique_multi;

mod indexed;

use core::error::Error;
use core::fmt;

#[cfg(feature = "hashbrown")]
pub use grid::GridIndex;
pub use indexed::Indexed;
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) use row_index::TwoPhase;
pub use row_index::{IndexBy, OptionalAt, RowIndex, Rows};
pub use sorted::SortedIndex;
pub use sorted_keys::{RadixKey, SortedKeys};
#[cfg(feature = "hashbrown")]
pub use unique_multi::{MultiIndex, UniqueIndex};

use crate::error::{SecondaryInsertErrorKind, TryReserveError};

/// Why an index refused a key or a query. Nothing was changed.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{IndexError, UniqueIndex}};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
/// let mut by_ring = UniqueIndex::new();
/// by_ring.insert(wren, 17)?;
/// let refused = by_ring.insert(kite, 17).unwrap_err();
/// assert_eq!(refused, IndexError::Duplicate { holder: wren });
/// assert_eq!(refused.to_string(), "0v1 is filed under this property already");
/// # Ok::<(), IndexError<larder::Handle<&str>>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexError<K> {
    /// Another key has the property, in an index of unique properties.
    Duplicate {
        /// The other key.
        holder: K,
    },
    /// A coordinate is infinite or not a number.
    NotFinite,
    /// A radius is negative or not a number.
    BadRadius,
    /// There is no row with this key.
    Missing {
        /// The key, which is stale, foreign or dangling.
        key: K,
    },
    /// The key is stale: a later key of the same slot is filed.
    Stale {
        /// The later key.
        tenant: K,
    },
    /// The key is dangling: no container issues it.
    Dangling,
    /// Memory was refused.
    Memory(TryReserveError),
}

impl<K: fmt::Debug> fmt::Display for IndexError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { holder } => {
                write!(f, "{holder:?} is filed under this property already")
            }
            Self::NotFinite => f.write_str("a coordinate is infinite or not a number"),
            Self::BadRadius => f.write_str("the radius is negative or not a number"),
            Self::Missing { key } => {
                write!(f, "there is no {key:?}: the key is stale, foreign or dangling")
            }
            Self::Stale { tenant } => {
                write!(f, "the key is stale: the later key {tenant:?} is filed")
            }
            Self::Dangling => f.write_str("the key is dangling: no container issues it"),
            Self::Memory(reason) => write!(f, "no room in the index: {reason}"),
        }
    }
}

impl<K: fmt::Debug> Error for IndexError<K> {}

impl<K> From<SecondaryInsertErrorKind<K>> for IndexError<K> {
    fn from(refusal: SecondaryInsertErrorKind<K>) -> Self {
        match refusal {
            SecondaryInsertErrorKind::Stale { tenant } => Self::Stale { tenant },
            SecondaryInsertErrorKind::Dangling => Self::Dangling,
            SecondaryInsertErrorKind::Memory(reason) => Self::Memory(reason),
        }
    }
}

impl<K> From<TryReserveError> for IndexError<K> {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

/// A row that an [`Indexed`] refused, and why; or a container or an index whose rows it refused.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{Indexed, UniqueIndex}};
///
/// let mut names = Indexed::new(Arena::new(), UniqueIndex::by(|name: &&'static str| *name));
/// names.insert("wren").unwrap();
/// let refused = names.insert("wren").unwrap_err();
/// assert_eq!(refused.to_string(), "value not filed: 0v1 is filed under this property already");
/// assert_eq!(refused.value, "wren");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[doc(alias = "Unfiled")]
pub struct Rejected<T, K> {
    /// What was refused. From [`modify_in_place`](crate::indices::Indexed::modify_in_place) `None` if there is no row.
    pub value: T,
    /// Why.
    pub reason: IndexError<K>,
}

impl<T, K: fmt::Debug> fmt::Debug for Rejected<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<T, K: fmt::Debug> fmt::Display for Rejected<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value not filed: {}", self.reason)
    }
}

impl<T, K: fmt::Debug> Error for Rejected<T, K> {}

/// Methods of an index of properties `$Q`, which pass on to its field `inner`. The parameters are the macro of an
/// example's hidden lines (an `index` and the keys `wren` and `kite`) and two properties for examples; what
/// inserting needs, costs, and how it fails; and what filing many costs.
macro_rules! methods {
    (
        $index:ident, [$($generics:tt)*], [$($args:tt)*], of $Q:ty,
        example: $setup:ident, $a:literal, $b:literal,
        insert where [$($bounds:tt)*], cost: $cost:literal, errors: $errors:literal, panics: $panics:literal,
        extend: $bulk:literal, reserve: $reserve:literal
    ) => {
        /// Filing keys.
        impl<$($generics)*> $index<$($args)*> {
            /// Files a key under a property, instead of the one it was filed under. A stale key of the same slot is
            /// removed.
            #[doc = $cost]
            ///
            /// # Errors
            #[doc = $errors]
            /// Then nothing has changed.
            ///
            #[doc = $panics]
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("index.insert(wren, ", $a, ").unwrap();")]
            #[doc = concat!("index.insert(wren, ", $b, ").unwrap(); // instead")]
            /// assert_eq!(index.len(), 1);
            /// ```
            #[doc(alias("update", "move"))]
            pub fn insert(&mut self, key: K, property: $Q) -> Result<(), IndexError<K>>
            where
                $($bounds)*
            {
                TwoPhase::insert(self, key, property)
            }

            /// Files keys under properties, as [`insert`](Self::insert), up to the first that is refused.
            #[doc = $bulk]
            ///
            /// # Errors
            #[doc = $errors]
            /// The pairs before are filed then; those after it are not taken from the iterator.
            ///
            /// # Panics
            /// If the iterator or code of the properties panics. The index stays consistent.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("index.extend([(wren, ", $a, "), (kite, ", $b, ")]).unwrap();")]
            /// assert_eq!(index.len(), 2);
            /// ```
            #[doc(alias("from_iter", "build"))]
            pub fn extend(
                &mut self,
                pairs: impl IntoIterator<Item = (K, $Q)>,
            ) -> Result<(), IndexError<K>>
            where
                $($bounds)*
            {
                TwoPhase::extend(self, pairs)
            }
        }

        /// The index as a whole.
        impl<$($generics)*> $index<$($args)*> {
            /// Makes room for `additional` more keys. So many are filed then without allocating, if their slots are below
            /// the number of keys then, as those of a container of this capacity are.
            #[doc = $reserve]
            ///
            /// # Panics
            /// If allocation fails, or no key can name so many slots.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("# index.insert(wren, ", $a, ").unwrap();")]
            /// index.reserve(100);
            /// let before = index.stats().memory.committed;
            #[doc = concat!("index.insert(kite, ", $b, ").unwrap();")]
            /// assert_eq!(index.stats().memory.committed, before);
            /// ```
            #[track_caller]
            pub fn reserve(&mut self, additional: usize) {
                $crate::explain::granted::<Self, _>(self.try_reserve(additional));
            }

            /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
            ///
            /// # Errors
            /// If allocation fails, or no key can name so many slots. Then nothing visible has changed.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("# index.insert(wren, ", $a, ").unwrap();")]
            /// assert!(index.try_reserve(100).is_ok());
            /// assert!(index.try_reserve(usize::MAX).is_err());
            /// ```
            pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
                self.inner.try_reserve(additional)
            }

            /// Returns how many keys are filed, stale ones included. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("index.insert(wren, ", $a, ").unwrap();")]
            /// birds.remove(wren);
            /// assert_eq!(index.len(), 1); // the index was not told
            /// ```
            #[inline]
            #[must_use]
            pub fn len(&self) -> usize {
                self.inner.len()
            }

            /// Returns whether no key is filed. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// assert!(index.is_empty());
            #[doc = concat!("index.insert(wren, ", $a, ").unwrap();")]
            /// assert!(!index.is_empty());
            /// ```
            #[inline]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns whether a key is filed. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("index.insert(wren, ", $a, ").unwrap();")]
            /// assert!(index.contains_key(wren) && !index.contains_key(kite));
            /// ```
            #[must_use]
            pub fn contains_key(&self, key: K) -> bool {
                self.inner.contains_key(key)
            }

            /// Removes all keys that a container does not (or no longer) have. O(capacity). If the container
            /// or the `Drop` of a property panics, the keys visited before the panic are kept or removed as
            /// requested. (A [`BareHandle`](crate::key::BareHandle) stays if its slot has another object
            /// now.)
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("index.extend([(wren, ", $a, "), (kite, ", $b, ")]).unwrap();")]
            /// birds.remove(wren);
            /// index.retain_live(&birds);
            /// assert!(index.contains_key(kite) && index.len() == 1);
            /// ```
            #[doc(alias("flush", "remove_stale"))]
            pub fn retain_live(&mut self, of: &impl Container<Key = K>) {
                self.inner.retain_live(of);
            }

            /// Removes all keys and keeps the memory. O(keys that there is room for).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("index.insert(wren, ", $a, ").unwrap();")]
            /// index.clear();
            /// assert!(index.is_empty());
            /// ```
            pub fn clear(&mut self) {
                self.inner.clear();
            }

            /// Returns its length, and where its memory goes: `values` are listed keys (and points), all else
            /// is bookkeeping. Memory that properties own is not counted. O(properties).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// assert_eq!(index.stats().memory.committed, 0);
            #[doc = concat!("index.insert(wren, ", $a, ").unwrap();")]
            /// assert!(index.stats().memory.values >= size_of_val(&wren));
            /// ```
            #[doc(alias = "memory_usage")]
            #[must_use]
            pub fn stats(&self) -> Stats {
                Stats::beside(self.len(), self.inner.memory_usage())
            }
        }
    };
}
use methods;

/// The property of a key, and an index by a function, where properties are borrowed.
macro_rules! properties {
    (
        $index:ident, [$($generics:tt)*], [$($args:tt)*], example: $setup:ident,
        by where [$($bounds:tt)*]
    ) => {
        /// Properties of keys.
        impl<$($generics)*> $index<$($args)*> {
            /// Returns the property that a key is filed under. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// index.insert(wren, 17).unwrap();
            /// assert_eq!((index.property(wren), index.property(kite)), (Some(&17), None));
            /// ```
            #[must_use]
            pub fn property(&self, key: K) -> Option<&Q> {
                self.inner.property(key)
            }

            /// Panics if the index is inconsistent, for the project's own tests.
            #[cfg(feature = "__test")]
            #[doc(hidden)]
            pub fn validate(&self) {
                self.inner.validate();
            }
        }

        impl<Q: $($bounds)*, K: Key> $index<Q, K> {
            /// Makes an empty index for an [`Indexed`](crate::indices::Indexed), in which rows are filed under what the
            /// function returns. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::{Indexed, ", stringify!($index), "}};")]
            ///
            /// let words = Arena::from_iter(["wren", "robin"]);
            #[doc = concat!("let words = Indexed::new(words, ", stringify!($index), "::by(|word: &&str| word.len()));")]
            /// assert_eq!(words.indices().len(), 2);
            /// ```
            #[must_use]
            pub fn by<V, F: Fn(&V) -> Q>(property: F) -> IndexBy<Self, F> {
                IndexBy::new(Self::new(), property)
            }
        }
    };
}
use properties;
