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

pub mod arena;
#[cfg(feature = "alloc")]
mod brand;
mod builder;
mod container;
pub mod dense;
pub mod dense_soa_arena;
mod error;
mod explain;
mod face;
mod gradual_sort;
mod half;
#[cfg(feature = "hashbrown")]
mod hashing;
mod impls;
#[cfg(feature = "alloc")]
mod index;
#[cfg(feature = "alloc")]
pub mod indexed;
pub mod inline;
pub mod join;
mod key;
#[cfg(feature = "alloc")]
mod kinds;
#[cfg(feature = "alloc")]
mod later;
pub mod links;
pub mod list;
#[cfg(feature = "alloc")]
pub mod list_pool;
mod many;
mod name_hash;
mod nil;
pub mod paged;
#[cfg(feature = "alloc")]
pub mod pool;
#[expect(unsafe_code, reason = "the raw layer; see docs/unsafe.md")]
mod raw;
#[cfg(feature = "alloc")]
mod scratch;
#[cfg(feature = "alloc")]
pub mod secondary;
#[cfg(feature = "alloc")]
mod side_list;
pub mod soa;
pub mod soa_arena;
#[cfg(feature = "alloc")]
pub mod sorted_keys;
#[cfg(feature = "alloc")]
pub mod sparse_secondary;
mod stats;
#[cfg(feature = "hashbrown")]
pub mod string;
#[cfg(feature = "alloc")]
pub mod tree;
#[cfg(feature = "alloc")]
mod with_links;

pub use arena::Arena;
pub use builder::Builder;
pub use container::{Container, RowContainer};
pub use dense::DenseArena;
pub use dense_soa_arena::DenseSoaArena;
pub use error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
#[cfg(feature = "alloc")]
pub use error::{Refusal, SecondaryInsertError};
pub use gradual_sort::GradualSort;
#[cfg(feature = "hashbrown")]
pub use index::{GridIndex, MultiIndex, UniqueIndex};
#[cfg(feature = "alloc")]
pub use index::{IndexError, SortedIndex};
#[cfg(feature = "alloc")]
pub use indexed::Indexed;
pub use inline::InlineArena;
pub use join::{Joined, join};
pub use key::{Handle, Handle32, Key, PtrHandle, Serial, Slot};
#[cfg(feature = "alloc")]
pub use kinds::Kinds;
#[cfg(feature = "alloc")]
pub use later::RemovalQueue;
pub use links::{CheckError, Cursor, Field, LinkError, LinkRefusal, Linked, LinkedMut, Links};
pub use list::{Link, List, ListError};
#[cfg(feature = "alloc")]
pub use list_pool::ListPool;
pub use name_hash::NameHash;
pub use nil::WithNil;
pub use paged::PagedArena;
#[cfg(feature = "alloc")]
pub use pool::Pool;
#[cfg(feature = "alloc")]
pub use secondary::SecondaryMap;
#[cfg(feature = "alloc")]
pub use side_list::SideList;
pub use soa::Soa;
pub use soa_arena::SoaArena;
#[cfg(feature = "alloc")]
pub use sorted_keys::SortedKeys;
#[cfg(feature = "alloc")]
pub use sparse_secondary::SparseSecondaryMap;
pub use stats::{MemoryUsage, Reuse, Stats};
#[cfg(feature = "hashbrown")]
pub use string::{StringPool, Symbol};
#[cfg(feature = "alloc")]
pub use tree::Tree;
#[cfg(feature = "alloc")]
pub use with_links::{Unlink, WithLinks};

#[cfg(feature = "derive")]
pub use larder_derive::Soa;

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
