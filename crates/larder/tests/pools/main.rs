//! Lists and texts that objects own.

#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]

/// The numbers that pools take, which cannot be seen from outside.
#[expect(dead_code, reason = "the library uses more of it")]
#[path = "../../../larder-pools/src/pool_numbers.rs"]
mod pool_numbers;

mod forged;
mod lists;
mod lists_misuse;
mod no_allocation;
mod rows_y;
mod strings;
mod strings_memory;
mod worn_slots;
