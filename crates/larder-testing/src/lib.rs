//! The common parts of larder's test programs.
//!
//! - Models: the naive models, [`model`], [`operation`], [`trial`] of containers, [`pool_trial`] of pools, [`family`] of
//!   hierarchies, [`random`] histories, and [`choices`], with which all short ones are tried.
//! - Tables: [`combinations`], random histories of containers with any choice of what can be beside the objects.
//! - Subjects: [`subject`], one interface over all containers, [`erased`], the same without types, [`subjects!`], the
//!   list of them, and [`values`], [`fields`] and [`touchy`], the elements; [`nervous`], a property of them.
//! - Trouble: [`allocator`] counts and refuses, [`caught`] catches panics and sets them off, [`trouble`] does so at each
//!   point of a call, [`forge`] makes keys that no container handed out, [`own`] has key types of another crate.
//! - Small things: [`common`], [`both`], [`mod@auto_traits`], and [`compiled`] for examples whose machine code is looked
//!   at.
#![expect(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_panics_doc,
    clippy::missing_errors_doc,
    reason = "read by the project's tests alone, which are meant to panic"
)]
#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]

pub mod allocator;
pub mod auto_traits;
pub mod both;
pub mod caught;
pub mod choices;
pub mod combinations;
pub mod common;
pub mod compiled;
pub mod erased;
pub mod family;
pub mod fields;
pub mod forge;
pub mod model;
pub mod nervous;
pub mod operation;
pub mod ordered;
pub mod own;
pub mod pool_trial;
pub mod random;
pub mod subject;
pub mod subjects;
pub mod touchy;
pub mod trial;
pub mod trial_rows;
pub mod trouble;
pub mod values;
