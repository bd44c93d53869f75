//! Structures of arrays, lanes, temporary columns.

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
#[path = "../support/common.rs"]
mod common;
#[path = "../support/fields.rs"]
mod fields;
#[path = "../support/ordered.rs"]
mod ordered;
#[path = "../support/subject.rs"]
mod subject;
#[path = "../support/touchy.rs"]
mod touchy;
#[path = "../support/values.rs"]
mod values;

mod bytes;
mod columns;
mod groups;
mod rows_columns;
mod temporary;
