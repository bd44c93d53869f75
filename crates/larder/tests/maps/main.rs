//! Side data under the keys of a container, and joins.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod forged;
mod joins;
mod no_allocation;
mod side_histories;
mod side_map;
mod side_memory;
mod side_misuse;
