//! Data beside a container, under its keys, and walks over several containers at once.
//!
//! A [`SecondaryMap`] has an entry for each slot, a [`SparseSecondaryMap`] a hash table; both answer stale keys with
//! `None`. [`join()`] walks what several containers and maps have under the same keys.

pub mod join;
#[cfg(feature = "alloc")]
pub mod secondary;
#[cfg(feature = "alloc")]
pub mod sparse_secondary;

pub use join::{Joined, join};
#[cfg(feature = "alloc")]
pub use secondary::SecondaryMap;
#[cfg(feature = "alloc")]
pub use sparse_secondary::SparseSecondaryMap;

#[cfg(feature = "alloc")]
pub use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind};
