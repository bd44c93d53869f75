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
mod two_phase;

mod key_index;

mod row_index;

#[cfg(feature = "hashbrown")]
mod by_hash;
#[cfg(feature = "hashbrown")]
mod pairs;

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
#[doc(inline)]
pub use grid::GridIndex;
pub use indexed::Indexed;
pub use key_index::KeyIndex;
pub use row_index::{IndexBy, OptionalAt, RowIndex, Rows};
#[doc(inline)]
pub use sorted::SortedIndex;
pub use sorted_keys::{RadixKey, SortedKeys};
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) use two_phase::TwoPhase;
#[cfg(feature = "hashbrown")]
#[doc(inline)]
pub use unique_multi::{MultiIndex, UniqueIndex};

/// The layouts of an index, by which it finds its keys: the parameter of a [`KeyIndex`].
pub mod layout {
    #[cfg(feature = "hashbrown")]
    pub use super::by_hash::ByHash;
    #[cfg(feature = "hashbrown")]
    pub use super::grid::OnGrid;
    #[cfg(feature = "hashbrown")]
    pub use super::pairs::Pairs;
    pub use super::sorted::InOrder;
    #[cfg(feature = "hashbrown")]
    pub use crate::raw::groups::Groups;
}

use crate::error::{SecondaryInsertErrorKind, TryReserveError};

/// The reason why an index refused a key or a query. Nothing was changed.
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
    /// The value or row that was refused. `None` from [`modify_in_place`](crate::indices::Indexed::modify_in_place) if
    /// there is no row.
    pub value: T,
    /// The reason.
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
