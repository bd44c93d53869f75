//! Data beside a container, under its keys, and walks over several containers at once.
//!
//! | which | memory | get |
//! |---|---|---|
//! | [`SecondaryMap`] | by slot, up to the largest that has an entry | one cache line |
//! | `SparseSecondaryMap` (feature `hashbrown`) | by entry: for few of the objects | a hash, two cache lines |
//!
//! A map never takes the value of a removed object for one of the next object in its slot: entries of removed objects
//! are stale, and dropped by `retain_live`. [`join()`] walks the keys that two to four containers and maps have in
//! common.
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
pub mod join;
#[cfg(feature = "alloc")]
mod methods;
#[cfg(feature = "alloc")]
pub mod secondary;
#[cfg(feature = "hashbrown")]
pub mod sparse_secondary;
#[cfg(feature = "alloc")]
mod traits;

#[cfg(feature = "alloc")]
pub use entry::{Entry, OccupiedEntry, VacantEntry};
pub use join::{Joined, join};
#[cfg(feature = "alloc")]
pub use secondary::SecondaryMap;
#[cfg(feature = "hashbrown")]
pub use sparse_secondary::SparseSecondaryMap;

#[cfg(feature = "alloc")]
pub use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind};
