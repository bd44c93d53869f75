//! Why something was not filed.

use core::error::Error;
use core::fmt;

use crate::error::{SecondaryInsertErrorKind, TryReserveError};

/// Why an index did not take a key, or a query. Nothing has changed.
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
    /// Another key is filed under a property that only one may have.
    Duplicate {
        /// Which.
        holder: K,
    },
    /// A coordinate is infinite or not a number.
    NotFinite,
    /// A radius is negative or not a number.
    BadRadius,
    /// There is no such object.
    Missing {
        /// Whose key is stale, foreign or dangling.
        key: K,
    },
    /// A later key of the same slot is filed: this one is stale.
    Stale {
        /// The later key.
        tenant: K,
    },
    /// No container hands out such a key.
    Dangling,
    /// There is no memory for it.
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
                write!(f, "the key is stale: {tenant:?}, of the same slot, is filed")
            }
            Self::Dangling => f.write_str("the key is dangling: no container hands it out"),
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
            SecondaryInsertErrorKind::NoMemory(reason) => Self::Memory(reason),
        }
    }
}

impl<K> From<TryReserveError> for IndexError<K> {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}
