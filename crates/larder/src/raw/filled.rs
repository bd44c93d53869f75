//! A block of plain numbers, all of them initialised: words of bits, links, positions.
//!
//! **Invariant.** All `capacity` elements of the buffer are initialised.

use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::memory::Memory;

/// An owned slice that grows and shrinks to what it is told, and can be refused memory.
pub(crate) struct Filled<T: Copy>(Buffer<T>);

impl<T: Copy> Filled<T> {
    pub(crate) const fn new() -> Self {
        Self(Buffer::new())
    }

    /// Empty; its memory will come from there.
    pub(crate) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Ok(Self(Buffer::within(memory)?))
    }

    /// Empty; its memory comes from where this one's does.
    pub(crate) fn alike(&self) -> Result<Self, TryReserveError> {
        Ok(Self(self.0.alike()?))
    }

    /// On an error nothing has changed.
    pub(crate) fn resize(&mut self, length: usize, fresh: T) -> Result<(), TryReserveError> {
        let kept = self.len().min(length);
        self.0.resize(length)?;
        self.0.all_mut()[kept..length].fill(MaybeUninit::new(fresh));
        Ok(())
    }

    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut copy = self.alike()?;
        copy.0.resize(self.len())?;
        copy.0.all_mut().copy_from_slice(self.0.all());
        Ok(copy)
    }

    pub(crate) const fn start(&self) -> NonNull<T> {
        self.0.start()
    }

    pub(crate) fn space(&self) -> usize {
        self.0.space()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(feature = "alloc")]
impl Filled<u64> {
    /// So many words that are 0.
    pub(crate) fn zeroed(length: usize) -> Result<Self, TryReserveError> {
        Buffer::zeroed(length).map(Self)
    }
}

impl<T: Copy> Deref for Filled<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let (start, length) = (self.0.start().as_ptr(), self.0.capacity());
        // SAFETY: by the invariant all elements are initialised; they are borrowed as `self` is.
        unsafe { core::slice::from_raw_parts(start, length) }
    }
}

impl<T: Copy> DerefMut for Filled<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let (start, length) = (self.0.start().as_ptr(), self.0.capacity());
        // SAFETY: by the invariant all elements are initialised; they are borrowed as `self` is.
        unsafe { core::slice::from_raw_parts_mut(start, length) }
    }
}
