//! Pages about the whole crate.

#[doc = include_str!("../docs/choosing.md")]
pub mod choosing {}

#[doc = include_str!("../docs/migrating.md")]
pub mod migrating {}
