//! Structures that hang on handles: side data, trees, lists, names.

#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]

/// The numbers that pools take, which cannot be seen from outside.
#[expect(dead_code, reason = "the library uses more of it")]
#[path = "../../../larder-pools/src/pool_numbers.rs"]
mod pool_numbers;

mod cursors;
mod extremes;
mod family;
mod family_histories;
mod far;
mod forged;
mod in_objects;
mod joins;
mod kinds;
mod links_memory;
mod lists;
mod lists_misuse;
mod members;
mod no_allocation;
mod rows_hierarchy;
mod rows_side;
mod rows_y;
mod saved;
mod side_histories;
mod side_map;
mod side_memory;
mod side_misuse;
mod strings;
mod strings_memory;
mod walks;
mod with_links;
mod worn_slots;
