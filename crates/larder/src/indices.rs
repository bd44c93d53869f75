//! Finding objects by their properties instead of their keys.
//!
//! | which | a property | finds |
//! |---|---|---|
//! | [`UniqueIndex`] | `Hash + Eq`, at most one object each | the object with a property |
//! | [`MultiIndex`] | `Hash + Eq` | all objects with a property, as a slice |
//! | [`SortedIndex`] | `Ord` | objects in order, in a range, the first and the last |
//! | [`GridIndex`] | a point in 2 or 3 dimensions | objects within a radius or a box, and the nearest |
//! | [`SortedKeys`] | anything sortable | nothing: it sorts keys when they are needed |
//!
//! An index lies beside a container and is updated by the caller, or by an [`Indexed`], which owns a container and its
//! indices. `UniqueIndex`, `MultiIndex` and `GridIndex` need the feature `hashbrown`.
//!
//! # Examples
//! ```
//! # #[cfg(feature = "hashbrown")] {
//! use larder::{Arena, indices::{Indexed, MultiIndex}};
//!
//! #[derive(Clone)]
//! struct Bird {
//!     colour: &'static str,
//! }
//! let mut birds = Indexed::new(Arena::new(), MultiIndex::by(|bird: &Bird| bird.colour));
//! let kite = birds.insert(Bird { colour: "red" }).unwrap();
//! assert_eq!(birds.indices().get("red"), [kite]);
//!
//! birds.modify(kite, |bird| bird.colour = "brown").unwrap();
//! assert_eq!(birds.indices().get("red"), []);
//! # }
//! ```

// Modules import from their own group and those above; no two import each other.
mod error;
mod row_index;
mod two_phase;

#[cfg(feature = "hashbrown")]
mod by_hash;
mod index_by;
mod methods;

#[cfg(feature = "hashbrown")]
mod grid;
#[cfg(feature = "hashbrown")]
mod multi;
mod sorted;
mod sorted_keys;
#[cfg(feature = "hashbrown")]
mod unique;

mod indexed;

pub use error::{IndexError, Rejected};
#[cfg(feature = "hashbrown")]
pub use grid::GridIndex;
pub use index_by::IndexBy;
pub use indexed::Indexed;
#[cfg(feature = "hashbrown")]
pub use multi::MultiIndex;
pub use row_index::{OptionalAt, RowIndex, Rows};
pub use sorted::SortedIndex;
pub use sorted_keys::{RadixKey, SortedKeys};
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) use two_phase::TwoPhase;
#[cfg(feature = "hashbrown")]
pub use unique::UniqueIndex;
