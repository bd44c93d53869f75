//! Why a key could not become a member.

use core::error::Error;
use core::fmt;

#[cfg(feature = "alloc")]
use crate::error::SecondaryInsertErrorKind;
use crate::error::TryReserveError;

/// Why a list did not do what was asked. Nothing has changed.
///
/// # Examples
/// ```
/// use larder::{Arena, trees::{KeyList, ListError}};
///
/// let mut things = Arena::new();
/// let gone = things.insert("thing");
/// things.remove(gone);
/// let refused = KeyList::new().push_back(&things, gone).unwrap_err();
/// assert_eq!(refused, ListError::Missing { key: gone });
/// assert_eq!(refused.to_string(), "there is no 0v1: the key is stale, foreign or dangling");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListError<K> {
    /// There is no such object.
    Missing {
        /// Whose key is stale, foreign or dangling.
        key: K,
    },
    /// The object's link is a place in a list already.
    InList {
        /// Whose.
        key: K,
    },
    /// Something was to be put beside an object that is not in the list.
    NotMember {
        /// Which.
        key: K,
    },
    /// Beside a member the list is torn: an object was removed from its container and not from the
    /// list. `mend` closes it.
    Torn {
        /// The member.
        key: K,
    },
    /// The list and its members' links contradict each other.
    Inconsistent {
        /// How many members a walk meets.
        met: usize,
        /// How many objects say that they are members.
        members: usize,
        /// How many members the list says it has.
        length: usize,
    },
    /// There is no memory for the links.
    Memory(TryReserveError),
}

impl<K> ListError<K> {
    /// Why there is no place for the link of a key.
    #[cfg(feature = "alloc")]
    pub(crate) fn no_place(key: K, refusal: SecondaryInsertErrorKind<K>) -> Self {
        match refusal {
            SecondaryInsertErrorKind::NoMemory(reason) => Self::Memory(reason),
            SecondaryInsertErrorKind::Stale { .. } | SecondaryInsertErrorKind::Dangling => {
                Self::Missing { key }
            }
        }
    }
}

impl<K: fmt::Debug> fmt::Display for ListError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { key } => {
                write!(f, "there is no {key:?}: the key is stale, foreign or dangling")
            }
            Self::InList { key } => write!(f, "{key:?} is in a list already"),
            Self::NotMember { key } => write!(f, "{key:?} is not in the list"),
            Self::Torn { key } => write!(
                f,
                "the list is torn beside {key:?}: an object was removed, but not from the list; call `mend` first"
            ),
            Self::Inconsistent { met, members, length } => write!(
                f,
                "the list says it has {length} members, {members} objects say they are, and a walk meets {met}"
            ),
            Self::Memory(reason) => write!(f, "no room in the list: {reason}"),
        }
    }
}

impl<K: fmt::Debug> Error for ListError<K> {}
