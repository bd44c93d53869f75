//! What every container does at its edges: misuse, panics in user code, exhausted generations.

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
#[path = "../support/fields.rs"]
mod fields;
#[path = "../support/forge.rs"]
mod forge;
#[path = "../support/ordered.rs"]
mod ordered;
#[path = "../support/subject.rs"]
mod subject;
#[path = "../support/touchy.rs"]
mod touchy;
#[path = "../support/values.rs"]
mod values;

mod auto_traits;
mod collection;
mod exhaustion;
mod forged;
mod keys;
mod misuse;
mod panics;
mod places;
mod pool_types;
mod pool_user_code;
mod reuse;
mod walks;
