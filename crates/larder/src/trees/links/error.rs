//! Why keys could not be linked.

use core::error::Error;
use core::fmt;

#[cfg(feature = "alloc")]
use crate::error::SecondaryInsertErrorKind;
use crate::error::TryReserveError;

/// Two keys that could not be linked, and why. Nothing has changed.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::LinkErrorKind};
///
/// let things = Arena::from_iter(["trunk", "branch"]);
/// let (trunk, branch) = (things.first_key().unwrap(), things.last_key().unwrap());
/// let mut tree = Tree::new();
/// tree.append(&things, trunk, branch).unwrap();
///
/// let refused = tree.append(&things, branch, trunk).unwrap_err();
/// assert_eq!(refused.reason, LinkErrorKind::Descendant);
/// assert_eq!(refused.to_string(), "0v1 is not attached to 1v1, which is its descendant");
/// /// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError<K> {
    /// What was to be attached.
    pub key: K,
    /// What it was to be attached to: the parent, or the sibling.
    pub to: K,
    /// What is wrong.
    pub reason: LinkErrorKind,
}

/// What is wrong with two keys that are to be linked. See [`LinkError`].
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::LinkErrorKind};
///
/// let mut things = Arena::new();
/// let thing = things.insert("thing");
/// let refused = Tree::new().append(&things, thing, thing).unwrap_err();
/// assert_eq!(refused.reason, LinkErrorKind::Itself);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias = "LinkRefusal")]
pub enum LinkErrorKind {
    /// They are one.
    Itself,
    /// The object would hang below itself.
    Descendant,
    /// What is to be attached is not there: its key is stale, foreign or dangling.
    Missing,
    /// What it is to be attached to is not there: its key is stale, foreign or dangling.
    TargetMissing,
    /// The target has no parent, so it has no siblings.
    TargetIsRoot,
    /// Beside the target the links are torn: an object was removed and its links with it, without
    /// their being told. `mend` closes the gap.
    Torn,
    /// There is no memory for the links.
    Memory(TryReserveError),
}

#[cfg(feature = "alloc")]
impl LinkErrorKind {
    /// Why there is no place for the links of a key.
    pub(crate) fn no_place<K>(refusal: SecondaryInsertErrorKind<K>) -> Self {
        match refusal {
            SecondaryInsertErrorKind::NoMemory(reason) => Self::Memory(reason),
            SecondaryInsertErrorKind::Stale { .. } | SecondaryInsertErrorKind::Dangling => {
                Self::Missing
            }
        }
    }
}

impl<K: fmt::Debug> fmt::Display for LinkError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, to, reason } = self;
        write!(f, "{key:?} is not attached to {to:?}")?;
        match reason {
            LinkErrorKind::Itself => f.write_str(": that is itself"),
            LinkErrorKind::Descendant => f.write_str(", which is its descendant"),
            LinkErrorKind::Missing => {
                write!(f, ": there is no {key:?}, the key is stale, foreign or dangling")
            }
            LinkErrorKind::TargetMissing => {
                write!(f, ": there is no {to:?}, the key is stale, foreign or dangling")
            }
            LinkErrorKind::TargetIsRoot => f.write_str(" as a sibling: that has no parent"),
            LinkErrorKind::Torn => f.write_str(
                ": an object beside that was removed without its links; call `mend` first",
            ),
            LinkErrorKind::Memory(reason) => write!(f, ": {reason}"),
        }
    }
}

impl<K: fmt::Debug> Error for LinkError<K> {}

/// Links that cannot have come about by linking: what `check` answers of those that came from a
/// file, or whose object was removed without them.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{CheckError, Links}};
///
/// struct Thing;
/// let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// let [a, b] = [(); 2].map(|()| things.insert(Links::new()));
/// Links::append(&mut things, a, b).unwrap();
/// things.remove(b); // `Links::remove_subtree` would have told its parent
/// assert_eq!(Links::check(&things, things.keys()), Err(CheckError::Contradiction { key: a }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError<K> {
    /// The links of a key and those they lead to contradict each other.
    Contradiction {
        /// Whose links are wrong.
        key: K,
    },
    /// Some keys are linked, but no walk meets them: their links go in a circle.
    Unreachable {
        /// How many.
        count: usize,
    },
}

impl<K: fmt::Debug> fmt::Display for CheckError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contradiction { key } => {
                write!(f, "the links of {key:?} and those they lead to contradict each other")
            }
            Self::Unreachable { count } => {
                write!(f, "{count} keys are linked in circles that no walk meets")
            }
        }
    }
}

impl<K: fmt::Debug> Error for CheckError<K> {}
