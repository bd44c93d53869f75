//! The unsafe code of side data: rows by slot, and entries found by hash.

#[cfg(feature = "alloc")]
pub(crate) mod side;
#[cfg(feature = "hashbrown")]
pub(crate) mod sparse;
