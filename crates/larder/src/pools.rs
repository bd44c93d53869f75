//! Many small things in one block: lists of values, and texts that are kept once.

#[cfg(feature = "alloc")]
mod brand;
#[cfg(feature = "alloc")]
pub mod list_pool;
mod name_hash;
#[cfg(feature = "hashbrown")]
pub mod string_pool;

#[cfg(feature = "alloc")]
pub use list_pool::ListPool;
pub use name_hash::NameHash;
#[cfg(feature = "hashbrown")]
pub use string_pool::{StringPool, Symbol};
