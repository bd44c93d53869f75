//! Structures of arrays, lanes, temporary columns.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod bytes;
mod columns;
mod groups;
mod rows_columns;
#[cfg(feature = "serde")]
mod saved;
mod temporary;
