//! Hierarchies and lists of objects, as links that are checked whenever they are followed.
//!
//! | | links beside the container | links in the objects |
//! |---|---|---|
//! | parents and children | [`Tree`] | [`Links`] |
//! | a list | [`KeyList`] | [`IntrusiveList`], of objects that contain a [`Link`] |
//! | one of a few lists for each object | [`Buckets`] | |
//!
//! Links beside the container need nothing of the objects, and an object can be in any number of trees and lists.
//! Links in the objects save a lookup, and go and come with the object, in rows as in columns;
//! [`link_field!`](crate::trees::link_field) says which field they are, and a [`Field`] tells which of several is meant.
//!
//! An object that is removed from its container has to be unlinked too. `Tree` and `Links` remove from both
//! (`remove_subtree`, `remove_orphaning`, `remove_promoting`). An [`AutoUnlink`] owns a container with its trees and
//! lists, so that no removal is forgotten; with [`InObjects`] also those in its objects, and with an
//! [`InsertionOrder`] no insertion. To remove during a walk, use a [`Cursor`], or queue the keys in a
//! [`RemovalQueue`].
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

// Modules import from their own group and those above; no two import each other.
mod error;
mod link_store;
mod ring;

mod edit;
mod links;
mod list_head;
mod walk;

mod cursor;
mod hierarchy;
#[cfg(feature = "alloc")]
mod nodes;
#[cfg(feature = "alloc")]
mod tree;

#[cfg(feature = "alloc")]
mod pieces;

#[cfg(feature = "alloc")]
mod buckets;
#[cfg(feature = "alloc")]
mod key_list;

mod intrusive_list;

#[cfg(feature = "alloc")]
mod unlink;

#[cfg(feature = "alloc")]
mod auto_unlink;
#[cfg(feature = "alloc")]
mod removal_queue;
#[cfg(any(feature = "serde", feature = "snapshot"))]
mod saved;

#[cfg(feature = "alloc")]
pub use auto_unlink::{AutoUnlink, Linking};
#[cfg(feature = "alloc")]
pub use buckets::Buckets;
pub use cursor::Cursor;
pub use error::{CheckError, LinkError, LinkErrorKind, ListError};
pub use intrusive_list::{IntrusiveList, Members};
#[cfg(feature = "alloc")]
pub use key_list::KeyList;
pub use link_store::{Field, LinkColumn, LinkStore, LinkStoreMut, link_field};
pub use links::{Link, Links};
#[cfg(feature = "alloc")]
pub use removal_queue::RemovalQueue;
#[cfg(feature = "alloc")]
pub use tree::Tree;
#[cfg(feature = "alloc")]
pub use unlink::{InObjects, InsertionOrder, Unlink};
pub use walk::{Ancestors, Children, Descendants, Hierarchy, Traverse, Visit};
