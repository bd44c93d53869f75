//! The sources of the bytes, and the values that never move.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod compact;
mod inline;
mod inserter;
mod lent;
mod limited;
mod paged;
mod pointer;
mod pool_memory;
mod refused_memory;
mod reserved;
mod spike;
mod usage;
