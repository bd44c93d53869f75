//! What hangs on handles: side data, trees, lists, names.

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
#[path = "../support/choices.rs"]
mod choices;
#[path = "../support/common.rs"]
mod common;
#[path = "../support/family.rs"]
mod family;
#[path = "../support/forge.rs"]
mod forge;
#[path = "../support/side_map.rs"]
mod side_map;
#[path = "../support/touchy.rs"]
mod touchy;
#[path = "../support/values.rs"]
mod values;

/// Which numbers pools take, which cannot be seen from outside.
#[path = "../../src/pools/pool_numbers.rs"]
mod pool_numbers;

mod cursors;
mod extremes;
mod family_histories;
mod far;
mod forged;
mod joins;
mod kinds;
mod links_memory;
mod lists;
mod lists_misuse;
mod members;
mod rows_hierarchy;
mod rows_side;
mod rows_y;
mod saved;
mod side_histories;
mod side_misuse;
mod strings;
mod with_links;
mod worn_slots;
