//! Hierarchies and lists of objects, linked by keys: a link to a removed object never leads to another
//! object.
//!
//! | | links beside the container | links in the objects |
//! |---|---|---|
//! | parents and children | [`Tree`] | [`Links`] |
//! | a list | [`KeyList`] | [`IntrusiveList`], of objects that contain a [`Link`] |
//! | one of a few lists for each object | [`Buckets`] | |
//!
//! Links beside the container need no field in the objects, and an object can be in any number of trees and
//! lists. Links in the objects save a lookup and move with the object, in rows as in columns;
//! [`link_field!`](crate::link_field) determines the field that has them, and a [`Field`] selects one
//! of several.
//!
//! An object that is removed from its container has to be unlinked too. `Tree` and `Links` remove from both
//! (`remove_subtree`, `remove_orphaning`, `remove_promoting`). A [`Table`](larder_core::track::Table) owns a container
//! with its trees and lists, and unlinks every object that is removed; with [`InObjects`] it also unlinks links in the
//! objects, and with an [`InsertionOrder`] it links every object that is inserted: these need the feature `track`. To
//! remove during a walk, use a [`Cursor`], or queue the keys in a [`RemovalQueue`].
//!
//! # Examples
//! ```
//! use larder::{Arena, Tree};
//!
//! let mut scene = Arena::new();
//! let [car, wheel] = ["car", "wheel"].map(|part| scene.insert(part));
//! let mut tree = Tree::new();
//! tree.append(&scene, car, wheel)?;
//! assert_eq!(tree.parent(wheel), Some(car));
//!
//! tree.remove_subtree(&mut scene, car); // from both
//! assert!(scene.is_empty());
//! # Ok::<(), larder::trees::LinkError<larder::Handle<&str>>>(())
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// A part that several features share is compiled with each of them, and used as a whole with all.
#![cfg_attr(
    not(all(feature = "columns", feature = "snapshot", feature = "track")),
    allow(dead_code, unfulfilled_lint_expectations, unreachable_pub, unused_imports)
)]
#[cfg(feature = "alloc")]
extern crate alloc;

/// Hidden lines of the examples: four things, and a tree and a list of them.
#[cfg(feature = "alloc")]
macro_rules! things_example {
    () => {
        "# use larder::{Arena, Handle, Tree, trees::KeyList};\n\
         # let mut things = Arena::from_iter([\"a\", \"b\", \"c\", \"d\"]);\n\
         # let keys: Vec<_> = things.keys().collect();\n\
         # let [a, b, c, d] = keys[..] else { unreachable!() };\n\
         # let (mut tree, mut list) = (Tree::<Handle<&str>>::new(), KeyList::<Handle<&str>>::new());"
    };
}

// Modules import from their own group and those above; no two import each other.
#[cfg(feature = "alloc")]
mod nodes;
mod ring;

mod check;
pub(crate) mod edit;
mod links;
mod list_head;
mod walk;

mod in_objects;
#[cfg(feature = "alloc")]
mod tree;

#[cfg(feature = "alloc")]
mod pieces;

#[cfg(feature = "alloc")]
mod buckets;
#[cfg(feature = "alloc")]
mod key_list;

mod intrusive_list;
mod removing;

#[cfg(feature = "bytemuck")]
#[expect(unsafe_code, reason = "its files are in the ledger")]
mod raw;

#[cfg(feature = "track")]
mod insertion_order;
#[cfg(feature = "track")]
mod observed;

#[cfg(any(feature = "serde", feature = "snapshot"))]
mod saved;
#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "alloc")]
pub use buckets::Buckets;
pub use check::{CheckError, LinkKind};
#[cfg(feature = "track")]
pub use in_objects::InObjects;
#[cfg(feature = "track")]
pub use insertion_order::InsertionOrder;
pub use intrusive_list::{IntrusiveList, Link, Members};
#[cfg(feature = "alloc")]
pub use key_list::KeyList;
pub use links::Links;
pub use removing::Cursor;
#[cfg(feature = "alloc")]
pub use removing::RemovalQueue;
#[cfg(feature = "alloc")]
pub use tree::Tree;
pub use walk::{Ancestors, Children, Descendants, Hierarchy, Traverse, Visit};

// What has links in its values is a matter of the containers.
#[cfg(feature = "columns")]
pub use larder_core::containers::LinkColumn;
pub use larder_core::containers::{Field, LinkStore, LinkStoreMut};
pub use larder_core::link_field;

use core::error::Error;
use core::fmt;

use larder_core::TryReserveError;
#[cfg(feature = "alloc")]
use larder_core::maps::SecondaryInsertErrorKind;

/// Two keys that could not be linked, and why. Nothing was changed.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::LinkErrorKind};
///
/// let things = Arena::from_iter(["trunk", "branch"]);
/// let (trunk, branch) = (things.keys().next().unwrap(), things.keys().next_back().unwrap());
/// let mut tree = Tree::new();
/// tree.append(&things, trunk, branch).unwrap();
///
/// let refused = tree.append(&things, branch, trunk).unwrap_err();
/// assert_eq!(refused.reason, LinkErrorKind::Descendant);
/// assert_eq!(refused.to_string(), "0v1 is not attached to 1v1, which is its descendant");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError<K> {
    /// The key that was to be attached.
    pub key: K,
    /// The key that it was to be attached to: the parent, or the sibling.
    pub to: K,
    /// The reason.
    #[doc(alias = "why")]
    pub reason: LinkErrorKind,
}

/// The reason why two keys could not be linked. See [`LinkError`].
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::LinkErrorKind};
///
/// let mut things = Arena::new();
/// let thing = things.insert("thing");
/// let refused = Tree::new().append(&things, thing, thing).unwrap_err();
/// assert_eq!(refused.reason, LinkErrorKind::Itself);
/// assert_eq!(refused.reason.to_string(), "an object cannot be attached to itself");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias = "LinkRefusal")]
pub enum LinkErrorKind {
    /// The two keys are the same.
    Itself,
    /// The object would be its own descendant.
    Descendant,
    /// The object to be attached does not exist: its key is stale, foreign or dangling.
    Missing,
    /// The target does not exist: its key is stale, foreign or dangling.
    TargetMissing,
    /// The target has no parent, so it has no siblings. To order roots, give them a common parent.
    TargetIsRoot,
    /// The links beside the target are torn: an object was removed without being unlinked. `mend` closes the
    /// gap.
    Torn,
    /// There is no memory for the links.
    Memory(TryReserveError),
}

#[cfg(feature = "alloc")]
impl LinkErrorKind {
    /// Returns the error of a key for whose links there is no room.
    pub(crate) fn no_place<K>(refusal: SecondaryInsertErrorKind<K>) -> Self {
        match refusal {
            SecondaryInsertErrorKind::Memory(reason) => Self::Memory(reason),
            _ => Self::Missing,
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
            LinkErrorKind::TargetIsRoot => f.write_str(
                " as a sibling: it has no parent; attach both to an object that stands above all roots",
            ),
            LinkErrorKind::Torn => f.write_str(
                ": a neighbouring object was removed without unlinking; call `mend` first",
            ),
            LinkErrorKind::Memory(reason) => write!(f, ": {reason}"),
        }
    }
}

impl<K: fmt::Debug> Error for LinkError<K> {}

impl fmt::Display for LinkErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Itself => "an object cannot be attached to itself",
            Self::Descendant => "the object would be its own descendant",
            Self::Missing => "there is no such object: its key is stale, foreign or dangling",
            Self::TargetMissing => "there is no such target: its key is stale, foreign or dangling",
            Self::TargetIsRoot => {
                "the target has no parent, so it has no siblings: attach both to an object that stands above all roots"
            }
            Self::Torn => "a neighbouring object was removed without unlinking: call `mend` first",
            Self::Memory(reason) => return reason.fmt(f),
        })
    }
}

impl Error for LinkErrorKind {}

/// The reason why a list could not be changed.
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
        /// The key, which is stale, foreign or dangling.
        key: K,
    },
    /// The object is in a list by this link already.
    InList {
        /// Its key.
        key: K,
    },
    /// A key was to be inserted beside an object that is not in the list.
    NotMember {
        /// Its key.
        key: K,
    },
    /// The list is torn beside a member: an object was removed from its container but not from the list. `mend`
    /// closes the gap.
    Torn {
        /// The member.
        key: K,
    },
    /// There is no memory for the links.
    Memory(TryReserveError),
}

impl<P> ListError<P> {
    /// The same of keys instead of what the links name them by.
    pub(crate) fn of<K>(self, key_of: impl Fn(P) -> K) -> ListError<K> {
        match self {
            Self::Missing { key } => ListError::Missing { key: key_of(key) },
            Self::InList { key } => ListError::InList { key: key_of(key) },
            Self::NotMember { key } => ListError::NotMember { key: key_of(key) },
            Self::Torn { key } => ListError::Torn { key: key_of(key) },
            Self::Memory(reason) => ListError::Memory(reason),
        }
    }
}

impl<K> ListError<K> {
    /// Returns the error of a key for whose link there is no place.
    #[cfg(feature = "alloc")]
    pub(crate) fn no_place(key: K, refusal: SecondaryInsertErrorKind<K>) -> Self {
        match refusal {
            SecondaryInsertErrorKind::Memory(reason) => Self::Memory(reason),
            _ => Self::Missing { key },
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
            Self::Memory(reason) => write!(f, "no room in the list: {reason}"),
        }
    }
}

impl<K: fmt::Debug> Error for ListError<K> {}
