//! Where the bytes come from, and what never moves.

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
#[path = "../support/model.rs"]
mod model;
#[path = "../support/ordered.rs"]
mod ordered;
#[path = "../support/pool_trial.rs"]
mod pool_trial;
#[path = "../support/subject.rs"]
mod subject;
#[path = "../support/values.rs"]
mod values;

mod compact;
mod inline;
mod inserter;
mod lent;
mod lent_columns;
mod limited;
mod paged;
mod pointer;
mod pool_memory;
mod refused_memory;
mod reserved;
mod usage;
