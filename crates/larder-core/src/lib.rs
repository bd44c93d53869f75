//! The core of [`larder`](https://docs.rs/larder), which has it again under the same names: keys, containers, columns,
//! side data, tables and history, snapshots.
//!
//! The other crates of the family are built on it: `larder-trees`, `larder-indices` and `larder-pools`. Programs depend
//! on `larder`.
#![debugger_visualizer(natvis_file = "../debug/larder.natvis")]
#![debugger_visualizer(gdb_script_file = "../debug/larder_gdb.py")]
#![no_std]
// Each item says which features it needs, where docs.rs builds the pages.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// A part that several features share is compiled with each of them, and used as a whole with all.
#![cfg_attr(
    not(feature = "full"),
    allow(
        dead_code,
        unfulfilled_lint_expectations,
        unreachable_pub,
        unused_imports,
        unused_macros
    )
)]
#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// In reading order: the keys,
pub mod key;

// the containers that issue them, in rows and in columns,
pub mod containers;
#[cfg(feature = "columns")]
pub mod soa;

// what stands beside the values of a container,
pub mod maps;

// and what keeps and copies all of these.
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub mod parts;
#[cfg(feature = "alloc")]
pub mod past;
#[cfg(feature = "snapshot")]
pub mod snapshot;
#[cfg(feature = "track")]
pub mod track;

// Structures of a program's own make room for themselves with this.
pub mod room;

mod error;
mod explain;
/// Traits of other crates, and those of snapshots, for the types of all modules: one file each.
mod impls {
    #[cfg(feature = "rayon")]
    mod rayon;
    #[cfg(feature = "serde")]
    pub(crate) mod serde;
    #[cfg(feature = "snapshot")]
    pub(crate) mod snapshot;
}
mod macros;
#[expect(unsafe_code, reason = "its files are in the ledger")]
mod memory;
#[cfg(feature = "rayon")]
mod parallel;
#[expect(unsafe_code, reason = "its files are in the ledger")]
mod raw;
#[cfg(feature = "alloc")]
mod scratch;
mod stats;

#[cfg(feature = "alloc")]
pub use containers::Pool;
pub use containers::{Arena, DenseArena, InlineArena, PagedArena};
#[cfg(feature = "columns")]
pub use containers::{DenseSoaArena, SoaArena};
pub use error::{InsertError, TryReserveError};
pub use key::{Handle, Handle32, Key};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use maps::SecondaryMap;
pub use maps::join;
#[cfg(feature = "columns")]
pub use soa::Soa;
pub use stats::Reuse;

#[cfg(all(feature = "columns", feature = "derive"))]
pub use larder_derive::Soa;
