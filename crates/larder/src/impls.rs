//! Traits of other crates, one file each.

#[cfg(feature = "rayon")]
pub(crate) mod rayon;
#[cfg(feature = "serde")]
pub(crate) mod serde;
