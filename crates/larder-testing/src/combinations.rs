//! Random histories of tables: a container of any layout with any choice of what can be beside its objects, changed
//! while user code panics and allocations fail, taken back and done again, beside a naive model.
//!
//! The choice is made at run time: every observer is in an `Option`, so that one table type per container is compiled.

mod history;
mod model;
mod parts;
mod things;

pub use history::{Counts, History, Settings};
pub use parts::{Beside, PARTS, Part, Unrecorded};
pub use things::{Id, Thing, Things};
