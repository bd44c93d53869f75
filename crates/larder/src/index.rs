//! Finding objects by what they are, not by their key.

mod common;
mod error;
mod filing;
#[cfg(feature = "hashbrown")]
mod groups;
mod members;
#[cfg(feature = "hashbrown")]
mod multi;
#[cfg(feature = "hashbrown")]
mod table;

pub use error::IndexError;
#[cfg(feature = "hashbrown")]
pub use multi::MultiIndex;
