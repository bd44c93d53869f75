#![doc = include_str!("../docs/front.md")]
//!
//! # Features
//! - `std` (default): asks the system for huge pages under blocks of 4 MiB and more. Enables `alloc`.
//! - `alloc` (default, through `std`): containers in memory of the global allocator, clones of them,
//!   `PagedArena`, `Pool`, side data, `Tree`, `KeyList`, `Buckets`, indices, `ListPool`, sorting. Without it
//!   the crate offers `InlineArena`, containers in the caller's own memory (`Arena::in_memory`), and links in
//!   the objects (`Links`, `IntrusiveList`); code that needs an allocator fails to compile with a message
//!   that says so.
//! - `full`: all that follows, except `serde`, `rayon` and `bytemuck`.
//! - `columns`: values whose fields lie in columns: `SoaArena`, `DenseSoaArena`, and the module [`soa`].
//! - `trees`, `indices`, `pools`, `track`: the modules of these names.
//! - `serde`: saves and loads containers, but for `Pool` and `InlineArena`, and keys. What is loaded is checked, and
//!   takes memory and time in proportion to the length of the file, whatever it says. So some files are refused that are consistent:
//!   - side data whose slots are too far apart for an array (more than 2 KiB or 8 slots for each entry): load it as a
//!     `SparseSecondaryMap`, or as a `Vec` of keys and values, and collect that into a [`SecondaryMap`];
//!   - a slab, as JSON, whose numbers are as far apart: load it as a `BTreeMap<usize, T>`, and collect that into an
//!     [`Arena`];
//!   - more than 2²⁰ values without a size in a list, or in the lists of a `ListPool`, since they may take no bytes;
//!   - far slots, and points in a grid, that were chosen so that their hashes meet, as those of no program do.
//! - `snapshot`: saves containers of plain data to a file as they lie in memory, loads and maps them. Enables
//!   `columns` and `reserved`.
//! - `reserved`: containers that grow in place in reserved address space, whose values never move.
//! - `derive`: with `columns`, `#[derive(Soa)]`, for structs whose fields are stored in columns; with `track`,
//!   `#[derive(Observer)]` and `#[derive(Reversible)]`, for structs of what observes objects, and of what goes back.
//! - `bytemuck`: casts keys to bytes and bytes to keys (columns are slices, and need no feature: see
//!   [`soa`]).
//! - `hashbrown`: everything that needs a hash table: `SparseSecondaryMap`, `StringPool`, `UniqueIndex`,
//!   `MultiIndex`, `GridIndex`.
//! - `rayon`: parallel iteration by rayon's traits, over containers, maps, joins and columns.
#![no_std]
// Each item says which features it needs, where docs.rs builds the pages.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[doc(inline)]
pub use larder_core::*;

#[cfg(feature = "indices")]
#[doc(alias("indexed", "sorted_keys"))]
#[doc(inline)]
pub use larder_indices as indices;
#[cfg(feature = "pools")]
#[doc(inline)]
pub use larder_pools as pools;
#[cfg(feature = "trees")]
#[doc(alias("tree", "links", "list"))]
#[doc(inline)]
pub use larder_trees as trees;
#[cfg(all(feature = "alloc", feature = "trees"))]
#[doc(inline)]
pub use larder_trees::Tree;

/// Pages about the whole crate.
pub mod guide {
    #[doc = include_str!("../docs/choosing.md")]
    pub mod choosing {}

    #[doc = include_str!("../docs/migrating.md")]
    pub mod migrating {}

    #[doc = include_str!("../docs/threads.md")]
    pub mod threads {}
}

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

/// The examples of the derive's pages.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../../larder-derive/README.md")]
#[doc = include_str!("../../larder-derive/src/soa.md")]
#[doc = include_str!("../../larder-derive/src/observer.md")]
#[doc = include_str!("../../larder-derive/src/reversible.md")]
struct DeriveDoctests;
