//! The unsafe code of indices: lists of keys side by side, and arithmetic of four numbers at once.

#![allow(unnameable_types, reason = "what users name are indices made of these")]

#[cfg(feature = "hashbrown")]
pub(crate) mod groups;
pub(crate) mod simd;
