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
mod by_slot;
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) mod filling;
pub mod join;
#[expect(unsafe_code, reason = "its files are in the ledger")]
mod raw;
#[cfg(feature = "alloc")]
pub mod secondary;
#[cfg(feature = "alloc")]
mod side_layout;
#[cfg(feature = "hashbrown")]
pub mod sparse_secondary;

/// The layouts of a map's entries: the last parameter of a [`SideMap`].
#[cfg(feature = "alloc")]
pub mod layout {
    pub use crate::maps::raw::side::Array;
    #[cfg(feature = "hashbrown")]
    pub use crate::maps::raw::sparse::Sparse;
    pub use crate::maps::side_layout::SideLayout;
}

#[cfg(feature = "alloc")]
pub use by_slot::BySlot;
pub use join::{Joined, join};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use secondary::SecondaryMap;
#[cfg(feature = "alloc")]
pub use secondary::SideMap;
#[cfg(feature = "alloc")]
pub use secondary::entry::{Entry, OccupiedEntry, VacantEntry};
#[cfg(feature = "hashbrown")]
#[doc(inline)]
pub use sparse_secondary::SparseSecondaryMap;

#[cfg(feature = "alloc")]
pub use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind};
