//! Finding objects by what they are: indices, and containers that own theirs.

#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]
#![allow(
    dead_code,
    unused_macros,
    unused_imports,
    reason = "the support is shared, and no program uses all of it"
)]

#[path = "../support/allocator.rs"]
mod allocator;
#[path = "../support/caught.rs"]
mod caught;
/// What of a grid cannot be seen from outside.
#[path = "../../src/indices/grid/cells.rs"]
mod cells;
#[path = "../support/choices.rs"]
mod choices;
#[path = "../support/common.rs"]
mod common;

mod gradual_sort;
mod grid;
mod histories;
mod owned;
mod refused_memory;
mod rows_near;
mod rows_tables;
mod rows_x;
mod saved;
mod sorted_keys;
mod user_code;
