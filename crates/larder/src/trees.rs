//! Hierarchies and lists of objects, whose links lie in the objects or beside them.
//!
//! | | links beside the objects | links in the objects |
//! |---|---|---|
//! | **hierarchy** | [`Tree`] | [`Links`] |
//! | **list** | [`KeyList`] | [`IntrusiveList`] of [`Link`]s |
//! | **lists by class** | [`Buckets`] | |
//!
//! [`AutoUnlink`] owns a container and what is linked beside it, so that no removal is forgotten; a
//! [`RemovalQueue`] puts removals off until a walk is over.

#[cfg(feature = "alloc")]
pub(crate) mod auto_unlink;
#[cfg(feature = "alloc")]
pub(crate) mod buckets;
pub mod intrusive_list;
#[cfg(feature = "alloc")]
pub(crate) mod key_list;
pub mod links;
#[cfg(feature = "alloc")]
mod removal_queue;
#[cfg(feature = "alloc")]
pub mod tree;

#[cfg(feature = "alloc")]
pub use auto_unlink::{AutoUnlink, Unlink};
#[cfg(feature = "alloc")]
pub use buckets::Buckets;
pub use intrusive_list::{IntrusiveList, Link, ListError};
#[cfg(feature = "alloc")]
pub use key_list::KeyList;
pub use links::{
    CheckError, Cursor, Field, LinkError, LinkErrorKind, LinkStore, LinkStoreMut, Links,
};
#[cfg(feature = "alloc")]
pub use removal_queue::RemovalQueue;
#[cfg(feature = "alloc")]
pub use tree::Tree;
