//! The raw layer: all `unsafe` of the crate is in this module.
//!
//! Each file states its invariant at the top, each block has a SAFETY comment, and `docs/unsafe.md` is the ledger of
//! both. A safe item that is `pub(crate)` here cannot be misused by safe code; nothing of this module is part of the
//! public interface except iterators, which the containers re-export.
//!
//! Its layers, in reading order:

#![allow(
    unnameable_types,
    missing_debug_implementations,
    reason = "the types of containers are made of these; users name them by their containers"
)]

use core::ptr::NonNull;

// Memory.
pub(crate) mod block;
pub(crate) mod buffer;
pub(crate) mod memory;
pub(crate) mod sys;

// Slots.
pub(crate) mod occupancy;
pub(crate) mod slots;
pub(crate) mod walk;

// Layouts.
#[cfg(feature = "columns")]
pub(crate) mod columns;
pub(crate) mod rows;
#[cfg(any(feature = "alloc", feature = "columns"))]
pub(crate) mod split;
pub(crate) mod storage;

// Cores.
pub(crate) mod inline;
#[cfg(feature = "snapshot")]
pub(crate) mod inside;
pub(crate) mod packed;
pub(crate) mod parts;
pub(crate) mod store;

// On top of these.
pub(crate) mod join;
#[cfg(feature = "alloc")]
pub(crate) mod marks;
#[cfg(feature = "alloc")]
pub(crate) mod past;
#[cfg(feature = "alloc")]
pub(crate) mod rewind;
#[cfg(feature = "alloc")]
pub(crate) mod side;
#[cfg(feature = "alloc")]
pub(crate) mod side_layout;
#[cfg(feature = "hashbrown")]
pub(crate) mod sparse;

/// Says that the path it is called on is seldom taken.
#[inline]
#[cold]
pub(crate) const fn cold_path() {}

/// Types that can be copied whatever their parameters are, where a derive would ask for parameters that can.
macro_rules! copies {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> Clone for $type {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($generics)*> Copy for $type {}
    };
}
pub(crate) use copies;

/// A value that only this crate can make: an argument of functions of sealed traits that are not to be called
/// elsewhere, since code with a bound on such a trait can name its functions.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "alloc")]
#[expect(unnameable_types, reason = "part of sealed traits")]
pub struct Internal(pub(crate) ());

/// Something, and what is done with it in the end, also while a panic unwinds. If it is forgotten, nothing is done.
pub(crate) struct OnDrop<T, F: FnMut(&mut T)> {
    pub(crate) held: T,
    finish: F,
}

impl<T, F: FnMut(&mut T)> OnDrop<T, F> {
    #[inline(always)]
    pub(crate) const fn new(held: T, finish: F) -> Self {
        Self { held, finish }
    }
}

impl<T, F: FnMut(&mut T)> Drop for OnDrop<T, F> {
    #[inline]
    fn drop(&mut self) {
        (self.finish)(&mut self.held);
    }
}

/// Returns the address `count` elements further. (No memory is touched: code that reads or writes there has to prove
/// that it may.)
#[inline]
pub(crate) fn after<T>(first: NonNull<T>, count: usize) -> NonNull<T> {
    first.map_addr(|address| address.saturating_add(count * size_of::<T>()))
}
