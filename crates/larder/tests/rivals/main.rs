//! The promises and bugs of other crates.

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
#[path = "../support/both.rs"]
mod both;
#[path = "../support/caught.rs"]
mod caught;
#[path = "../support/common.rs"]
mod common;
#[path = "../support/touchy.rs"]
mod touchy;
#[path = "../support/values.rs"]
mod values;

mod rivals;
mod rivals_user_code;
