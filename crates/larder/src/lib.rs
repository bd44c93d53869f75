//! Bulk data: many objects of a kind that come, go and refer to each other, on small handles that
//! stay dead for ever once their object is gone.
//!
//! ```
//! use larder::Arena;
//!
//! let mut birds = Arena::new();
//! let wren = birds.insert("wren");
//! let kite = birds.insert("kite");
//! birds.remove(wren);
//! assert_eq!(birds.get(wren), None);
//! assert_eq!(birds[kite], "kite");
//! ```
//!
#![doc = include_str!("../docs/choosing.md")]
//!
//! ## Features
//! - `std` (default): asks the system for huge pages under blocks of 4 MiB and more. Brings `alloc`.
//! - `alloc` (default): containers in memory of the global allocator, `Pool`, clones, sorting. Without it
//!   there are `InlineArena`, and containers in the caller's own memory (`Arena::in_memory`).
//! - `serde`: saves and loads containers and keys; what is loaded is checked.
//! - `reserved`: address space for containers that grow in place, whose values never move.
//! - `derive`: `#[derive(Soa)]`, for structs whose fields lie in columns.
//! - `bytemuck`: keys as bytes, and bytes as keys; columns are slices already ([`soa`]).
//! - `hashbrown`: what needs a hash table: `StringPool`, names kept once; `UniqueIndex`, `MultiIndex`, `GridIndex`,
//!   which find objects by a property.
//! - `rayon`: `par_iter` and its like, divided by live values.
#![debugger_visualizer(natvis_file = "../debug/larder.natvis")]
#![debugger_visualizer(gdb_script_file = "../debug/larder_gdb.py")]
#![no_std]
#![deny(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// In reading order.
pub mod containers;
#[cfg(feature = "alloc")]
pub mod indices;
pub mod key;
pub mod maps;
pub mod pools;
pub mod soa;
pub mod trees;

mod error;
mod explain;
#[cfg(feature = "hashbrown")]
mod hashing;
mod impls;
mod macros;
#[expect(unsafe_code, reason = "the raw layer; see docs/unsafe.md")]
mod raw;
#[cfg(feature = "alloc")]
mod scratch;
mod stats;

#[cfg(feature = "alloc")]
pub use containers::Pool;
pub use containers::{Arena, DenseArena, DenseSoaArena, InlineArena, PagedArena, SoaArena};
pub use error::{InsertError, TryReserveError};
pub use key::{Handle, Handle32, Key};
#[cfg(feature = "alloc")]
pub use maps::SecondaryMap;
pub use maps::join;
pub use soa::Soa;
pub use stats::Reuse;
#[cfg(feature = "alloc")]
pub use trees::Tree;

#[cfg(feature = "derive")]
pub use larder_derive::Soa;

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
