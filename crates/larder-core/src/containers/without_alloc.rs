//! The functions that need an allocator, where there is none: they cannot be called, and the compiler says why.

#[cfg(feature = "columns")]
use super::SoaArena;
use super::builder::{Build, Builder};
use super::{Dense, InlineArena, Slots};
use crate::key::{Handle, Key};
use crate::memory::buffer::Buffer;
use crate::memory::storage::Storage;
use crate::raw::rows::{Row, Whole};
use crate::raw::store::Refill;
use crate::room::granted;
#[cfg(feature = "columns")]
use crate::soa::{Fill, Soa};

/// Holds for no type.
#[doc(hidden)]
#[expect(unnameable_types, reason = "only a message of the compiler names it")]
#[diagnostic::on_unimplemented(
    message = "there is no allocator: larder was built without its feature `alloc`",
    label = "this needs memory of an allocator",
    note = "without it there are `in_memory(block)` of the containers and their builders, and `InlineArena`"
)]
pub trait NeedsAlloc: Sized {
    /// The type that would be made.
    const MADE: Self;
}

impl<T, L: Refill<T, Handle<T>>> Slots<T, Handle<T>, L> {
    /// Stands for [`Arena::new`](crate::Arena::new) with `alloc`.
    pub const fn new() -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }

    /// Stands for [`Arena::with_capacity`](crate::Arena::with_capacity) with `alloc`.
    pub fn with_capacity(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }
}

impl<T, K: Key, L: Refill<T, K>> Slots<T, K, L> {
    /// Stands for [`Arena::with_key`](crate::Arena::with_key) with `alloc`.
    pub const fn with_key() -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }

    /// Stands for [`Arena::with_capacity_and_key`](crate::Arena::with_capacity_and_key) with `alloc`.
    pub fn with_capacity_and_key(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }
}

impl<T> Slots<T, Handle<T>, Whole<Buffer<Row<T>>>> {
    /// Stands for [`Arena::fixed`](crate::Arena::fixed) with `alloc`.
    pub fn fixed(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }
}

#[cfg(feature = "columns")]
impl<T: Soa + Fill> SoaArena<T> {
    /// Stands for [`SoaArena::fixed`](crate::SoaArena::fixed) with `alloc`.
    pub fn fixed(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }
}

impl<T, S: Storage<T>> Dense<T, Handle<T>, S> {
    /// Stands for [`DenseArena::new`](crate::DenseArena::new) with `alloc`.
    pub const fn new() -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }

    /// Stands for [`DenseArena::with_capacity`](crate::DenseArena::with_capacity) with `alloc`.
    pub fn with_capacity(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }

    /// Stands for [`DenseArena::fixed`](crate::DenseArena::fixed) with `alloc`.
    pub fn fixed(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }
}

impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Stands for [`DenseArena::with_key`](crate::DenseArena::with_key) with `alloc`.
    pub const fn with_key() -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }

    /// Stands for [`DenseArena::with_capacity_and_key`](crate::DenseArena::with_capacity_and_key) with `alloc`.
    pub fn with_capacity_and_key(_: usize) -> Self
    where
        Self: NeedsAlloc,
    {
        Self::MADE
    }
}

impl<C: Build> Builder<C> {
    /// Stands for [`Builder::capacity`](crate::containers::Builder::capacity) with `alloc`.
    pub const fn capacity(self, _: usize) -> Self
    where
        C: NeedsAlloc,
    {
        self
    }

    /// Stands for [`Builder::fixed`](crate::containers::Builder::fixed) with `alloc`.
    pub const fn fixed(self, _: usize) -> Self
    where
        C: NeedsAlloc,
    {
        self
    }

    /// Stands for [`Builder::fixed_bytes`](crate::containers::Builder::fixed_bytes) with `alloc`.
    pub const fn fixed_bytes(self, _: usize) -> Self
    where
        C: NeedsAlloc,
    {
        self
    }

    /// Stands for [`Builder::fixed_within`](crate::containers::Builder::fixed_within) with `alloc`.
    pub const fn fixed_within(self, _: usize) -> Self
    where
        C: NeedsAlloc,
    {
        self
    }
}

/// A clone has the same values under the same keys, and issues the same keys from then on.
impl<T: Clone, const N: usize, K: Key> Clone for InlineArena<T, N, K> {
    fn clone(&self) -> Self {
        Self { store: granted::<Self, _>(self.store.try_clone()) }
    }

    fn clone_from(&mut self, source: &Self) {
        granted::<Self, _>(self.store.try_clone_from(&source.store));
    }
}
