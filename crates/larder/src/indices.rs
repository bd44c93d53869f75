//! Finding objects by what they are, not by their key.
//!
//! An index is a mechanism (`holders.rs`, `groups.rs`, `ordered.rs`) and a face; `common.rs` has the
//! methods that all have.

mod common;
mod error;
pub(crate) mod filing;
#[cfg(feature = "hashbrown")]
mod grid;
#[cfg(feature = "hashbrown")]
mod groups;
#[cfg(feature = "hashbrown")]
mod holders;
pub mod indexed;
mod members;
#[cfg(feature = "hashbrown")]
mod multi;
mod ordered;
mod sorted;
pub mod sorted_keys;
#[cfg(feature = "hashbrown")]
mod table;
#[cfg(feature = "hashbrown")]
mod unique;

pub use error::IndexError;
#[cfg(feature = "hashbrown")]
pub use grid::GridIndex;
pub use indexed::Indexed;
#[cfg(feature = "hashbrown")]
pub use multi::MultiIndex;
pub use sorted::SortedIndex;
pub use sorted_keys::SortedKeys;
#[cfg(feature = "hashbrown")]
pub use unique::UniqueIndex;
