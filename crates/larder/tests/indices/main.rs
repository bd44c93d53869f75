//! Finding objects by what they are: indices, and containers that own theirs.

#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]

/// The parts of a grid that cannot be seen from outside.
#[expect(dead_code, reason = "the library uses more of it")]
#[path = "../../../larder-indices/src/grid/cells.rs"]
mod cells;
/// The arithmetic that they need, where they look for it.
mod raw {
    pub(crate) use crate::simd;
}
#[expect(dead_code, reason = "the library uses more of it")]
#[path = "../../../larder-indices/src/raw/simd.rs"]
mod simd;

mod asked;
mod by_hash;
mod by_some;
mod every;
mod forged;
mod gradual_sort;
mod grid;
mod grid_cells;
mod grid_memory;
mod histories;
mod lies;
mod no_allocation;
mod owned;
mod refused_memory;
mod rows_near;
mod rows_tables;
mod rows_x;
mod saved;
mod shrinking;
mod sorted_keys;
mod sorted_tree;
mod user_code;
