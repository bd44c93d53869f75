//! The containers: values under keys, in slots or packed, in rows or columns.
//!
//! | | values whole | fields in columns |
//! |---|---|---|
//! | **in slots**: a value stays where it is | [`Arena`] | [`SoaArena`] |
//! | **packed**: no gaps, a table leads to each | [`DenseArena`] | [`DenseSoaArena`] |
//!
//! A [`PagedArena`] is stored in blocks that never move, an [`InlineArena`] inside its owner, without an
//! allocation; a [`Pool`] keeps removed values for reuse. [`Builder`] chooses memory, order of reuse and key
//! type. Each container's module has its iterators and entries.

pub mod arena;
pub(crate) mod builder;
pub(crate) mod container;
pub mod dense;
#[doc(alias = "dense")]
pub mod dense_arena;
#[cfg(feature = "columns")]
pub mod dense_soa_arena;
pub(crate) mod entry;
#[doc(alias = "inline")]
pub mod inline_arena;
pub mod layout;
mod link_store;
#[doc(alias = "paged")]
pub mod paged_arena;
pub(crate) mod pairs;
pub(crate) mod pinned;
#[cfg(feature = "alloc")]
pub mod pool;
pub mod slots;
#[cfg(feature = "columns")]
pub mod soa_arena;
pub(crate) mod sorting;
#[cfg(not(feature = "alloc"))]
mod without_alloc;

pub use arena::Arena;
pub use builder::Builder;
pub use container::{Container, RowContainer, ValueContainer};
pub use dense::Dense;
pub use dense_arena::DenseArena;
#[cfg(feature = "columns")]
pub use dense_soa_arena::DenseSoaArena;
pub use entry::{InsertMany, VacantEntry};
pub use inline_arena::InlineArena;
#[cfg(feature = "columns")]
pub use link_store::LinkColumn;
pub use link_store::{Field, LinkStore, LinkStoreMut, LinksOf};
pub use paged_arena::PagedArena;
pub use pairs::{ItemParts, Keys, Values};
pub use pinned::PinnedContainer;
#[cfg(feature = "alloc")]
pub use pool::Pool;
pub use slots::Slots;
#[cfg(feature = "columns")]
pub use soa_arena::SoaArena;
pub use sorting::GradualSort;

#[cfg(feature = "rayon")]
pub use crate::parallel::ParIter;

pub use crate::error::{
    GetDisjointMutError, InsertError, ReattachError, Refusal, Rejected, TryReserveError,
};
pub use crate::stats::{MemoryUsage, Reuse, Stats};
