//! The models: random histories, and all the short ones.

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
#[path = "../support/fields.rs"]
mod fields;
#[path = "../support/model.rs"]
mod model;
#[path = "../support/operation.rs"]
mod operation;
#[path = "../support/ordered.rs"]
mod ordered;
#[path = "../support/pool_trial.rs"]
mod pool_trial;
#[path = "../support/subject.rs"]
mod subject;
#[path = "../support/trial.rs"]
mod trial;
#[path = "../support/trial_rows.rs"]
mod trial_rows;
#[path = "../support/values.rs"]
mod values;

mod history;
mod large;
mod pool_histories;
