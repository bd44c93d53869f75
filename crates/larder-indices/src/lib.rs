//! Finding objects by their properties instead of their keys.
//!
//! | index | property | finds |
//! |---|---|---|
//! | [`UniqueIndex`] | `Hash + Eq`, at most one object each | the object with a property |
//! | [`MultiIndex`] | `Hash + Eq` | all objects with a property, as a slice |
//! | [`SortedIndex`] | `Ord` | objects in order, in a range, the first and the last |
//! | [`GridIndex`] | a point in 2 or 3 dimensions | objects within a radius or a box, and the nearest |
//! | [`SortedKeys`] | anything sortable | nothing: it sorts keys when they are needed |
//!
//! An index is separate from its container and is updated by the caller; or by a [`Table`](larder_core::track::Table),
//! which owns a container and everything that refers to its objects: `by` of an index makes one for it, an [`IndexBy`],
//! and `by_some` one of some objects only. `UniqueIndex`, `MultiIndex` and `GridIndex` need the feature `hashbrown`,
//! and a table needs `track`.
//!
//! # Examples
//! ```
//! # #[cfg(all(feature = "hashbrown", feature = "track"))] {
//! use larder::{Arena, indices::MultiIndex, track::Table};
//!
//! #[derive(Clone)]
//! struct Bird {
//!     colour: &'static str,
//! }
//! let mut birds = Table::with(Arena::new(), MultiIndex::by(|bird: &Bird| bird.colour));
//! let kite = birds.insert(Bird { colour: "red" });
//! assert_eq!(birds.observers().get("red"), [kite]);
//!
//! birds.modify(kite, |bird| bird.colour = "brown").unwrap();
//! assert_eq!(birds.observers().get("red"), []);
//! # }
//! ```
#![no_std]
// Each item says which features it needs, where docs.rs builds the pages.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// A part that several features share is compiled with each of them, and used as a whole with all.
#![cfg_attr(
    not(all(feature = "hashbrown", feature = "snapshot", feature = "track")),
    allow(dead_code, unfulfilled_lint_expectations, unreachable_pub, unused_imports)
)]
// (Without an allocator there are no indices.)
extern crate alloc;

// Modules import from their own group and those above; no two import each other.
mod scratch;

mod two_phase;

#[cfg(feature = "hashbrown")]
mod hashing;

#[expect(unsafe_code, reason = "its files are in the ledger")]
mod raw;

mod key_index;

mod index_by;

#[cfg(feature = "hashbrown")]
mod by_hash;
#[cfg(feature = "hashbrown")]
mod pairs;

#[cfg(any(feature = "serde", feature = "snapshot"))]
mod saved;
#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "hashbrown")]
mod grid;
#[cfg(feature = "track")]
mod observed;
mod sorted;
mod sorted_keys;
#[cfg(feature = "hashbrown")]
mod unique_multi;

#[cfg(feature = "hashbrown")]
#[doc(inline)]
pub use grid::GridIndex;
pub use index_by::{BySome, IndexBy};
pub use key_index::KeyIndex;
#[doc(inline)]
pub use sorted::SortedIndex;
pub use sorted_keys::{RadixKey, SortedKeys};
#[cfg(feature = "hashbrown")]
#[doc(inline)]
pub use unique_multi::{MultiIndex, UniqueIndex};

/// The layouts of an index, by which it finds its keys: the parameter of a [`KeyIndex`].
pub mod layout {
    #[cfg(feature = "hashbrown")]
    pub use super::by_hash::ByHash;
    #[cfg(feature = "hashbrown")]
    pub use super::grid::OnGrid;
    #[cfg(feature = "hashbrown")]
    pub use super::pairs::Pairs;
    pub use super::sorted::InOrder;
    #[cfg(feature = "hashbrown")]
    pub use crate::raw::groups::Groups;
}

pub use larder_core::containers::{Refusal as IndexError, Rejected};
