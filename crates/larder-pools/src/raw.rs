//! The unsafe code of pools: blocks of lists and of texts, and handles as bytes.

#[cfg(feature = "bytemuck")]
mod bytes;
#[cfg(feature = "alloc")]
pub(crate) mod lists;
#[cfg(feature = "hashbrown")]
pub(crate) mod texts;
