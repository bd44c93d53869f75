//! Memory: blocks of it, where they come from, and what finds values in them.
//!
//! [`heap`] is the allocator, [`sys`] the operating system, [`source`] records which of them a block uses. A [`block`]
//! grows, shrinks, moves and returns it, by sizes and alignments only; a [`buffer`] is one of elements of one type.
//! [`storage`] is what has room for elements by number, and a `queue` has them in the order of their arrival.

#![allow(
    unnameable_types,
    missing_debug_implementations,
    reason = "the types of containers are made of these; users name them by their containers"
)]

pub(crate) mod bits;
pub(crate) mod block;
pub(crate) mod buffer;
pub(crate) mod heap;
#[cfg(feature = "alloc")]
pub(crate) mod queue;
pub(crate) mod source;
pub(crate) mod storage;
pub(crate) mod sys;

use core::ptr::NonNull;

/// Marks the current path as unlikely.
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

/// The memory of a structure: its bytes, and the number of addresses that these can grow to in place, which is the same
/// where they cannot.
#[expect(unnameable_types, reason = "it is in a sealed trait")]
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(Default, PartialEq))]
pub struct Extent {
    pub(crate) bytes: usize,
    pub(crate) space: usize,
}

impl core::ops::Add for Extent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, space: self.space + other.space }
    }
}

/// A value, and a function that is called with it when it is dropped, also while a panic unwinds.
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
