//! The insides of containers' cores, for unsafe code of other folders. To look is safe. Each function that lends
//! something to change says which invariant its caller then answers for.
//!
//! **Invariant.** None of its own: those of [`store`](super::store), [`split`](super::split) and
//! [`packed`](super::packed).

use super::packed::Packed;
use super::rows::Whole;
use super::slots::GenerationOf;
use super::split::Apart;
use super::store::{Layout, Store};
use crate::key::Key;
use crate::memory::buffer::Buffer;
use crate::memory::storage::Storage;
use crate::raw::book::Book;

impl<T, K: Key, L: Layout<T, K>, B: Book> Store<T, K, L, B> {
    #[inline(always)]
    pub(crate) const fn layout(&self) -> &L {
        &self.layout
    }

    /// # Safety
    /// 1. The layout keeps room for all slots that the book covers.
    /// 2. Every slot in use keeps a generation, and a live one its value.
    #[inline(always)]
    pub(crate) const unsafe fn layout_mut(&mut self) -> &mut L {
        &mut self.layout
    }
}

impl<R> Whole<R> {
    #[inline(always)]
    pub(crate) const fn of(room: R) -> Self {
        Self(room)
    }

    #[inline(always)]
    pub(crate) const fn room(&self) -> &R {
        &self.0
    }

    /// # Safety
    /// The caller answers for the invariant of the store that the room is of, as after
    /// [`layout_mut`](Store::layout_mut).
    #[inline(always)]
    pub(crate) const unsafe fn room_mut(&mut self) -> &mut R {
        &mut self.0
    }
}

impl<T, K: Key, S: Storage<T>> Apart<T, K, S> {
    #[inline(always)]
    pub(crate) const fn values(&self) -> &S {
        &self.values
    }

    #[inline(always)]
    pub(crate) const fn generations(&self) -> &Buffer<GenerationOf<K>> {
        &self.generations
    }

    /// The number of values that are initialised, the first ones.
    #[inline(always)]
    pub(crate) const fn made(&self) -> usize {
        self.made
    }

    /// # Safety
    /// 1. There is room for a value of each slot in use.
    /// 2. As many values as are [`made`](Self::made) stay initialised.
    #[inline(always)]
    pub(crate) const unsafe fn values_mut(&mut self) -> &mut S {
        &mut self.values
    }

    /// # Safety
    /// The first `made` values are initialised.
    #[inline(always)]
    pub(crate) const unsafe fn set_made(&mut self, made: usize) {
        self.made = made;
    }
}

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    #[inline(always)]
    pub(crate) const fn storage(&self) -> &S {
        &self.values
    }

    /// # Safety
    /// 1. The first values stay initialised, as many as there are keys.
    /// 2. There is room for as many as before.
    #[inline(always)]
    pub(crate) const unsafe fn storage_mut(&mut self) -> &mut S {
        &mut self.values
    }

    /// # Safety
    /// 1. The first `len` values and keys are initialised.
    /// 2. The table leads back to each.
    #[inline(always)]
    pub(crate) const unsafe fn set_len(&mut self, len: usize) {
        self.len = len as u32;
    }
}
