//! The cores of containers: slots, layouts, and the stores of values made of both. All of it may use `unsafe`.
//!
//! Each file states its invariant at the top, each block has a SAFETY comment, and `docs/unsafe.md` is the ledger of
//! both. A safe item that is `pub(crate)` here cannot be misused by safe code, but for the book that `ledger_mut`
//! lends; nothing of this module is part of the public interface except iterators, which the containers re-export.
//!
//! Its layers, in reading order:

#![allow(
    unnameable_types,
    missing_debug_implementations,
    reason = "the types of containers are made of these; users name them by their containers"
)]

// Slots.
pub(crate) mod book;
pub(crate) mod occupancy;
pub(crate) mod slots;
pub(crate) mod walk;

// Layouts.
pub(crate) mod rows;
#[cfg(any(feature = "alloc", feature = "columns"))]
pub(crate) mod split;

// Cores.
pub(crate) mod inline;
#[cfg(feature = "alloc")]
pub(crate) mod inside;
pub(crate) mod packed;
pub(crate) mod parts;
pub(crate) mod store;

// On top of these.
pub(crate) mod join;
#[cfg(feature = "alloc")]
pub(crate) mod marks;
#[cfg(feature = "alloc")]
pub(crate) mod rewind;
