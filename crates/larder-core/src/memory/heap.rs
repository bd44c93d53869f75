//! The allocator. Without the feature `alloc` every allocation fails.
//!
//! **Invariant.** None: the functions ask their caller for what the allocator asks, or check it.

#[cfg(feature = "alloc")]
use alloc::alloc::{alloc, alloc_zeroed, dealloc, realloc};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::alloc::Layout;
use core::ptr::NonNull;

use crate::error::TryReserveError;
#[cfg(not(feature = "alloc"))]
use none::{alloc, dealloc, realloc};

/// A block of that layout, whose size is not zero.
#[inline(always)]
pub(crate) fn allocate(layout: Layout) -> Result<NonNull<u8>, TryReserveError> {
    assert!(layout.size() != 0, "a block has a size");
    // SAFETY: just checked.
    let block = NonNull::new(unsafe { alloc(layout) });
    block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })
}

/// Allocates zero bytes, which an allocator that has them from the system does not touch. Otherwise like [`allocate`].
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn allocate_zeroed(layout: Layout) -> Result<NonNull<u8>, TryReserveError> {
    assert!(layout.size() != 0, "a block has a size");
    // SAFETY: just checked.
    let block = NonNull::new(unsafe { alloc_zeroed(layout) });
    block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })
}

/// Moves a value to a block of its own, as `Box::try_new` will.
#[cfg(feature = "alloc")]
pub(crate) fn boxed<P>(value: P) -> Result<Box<P>, TryReserveError> {
    const { assert!(size_of::<P>() != 0, "a block has a size") };
    let block = allocate(Layout::new::<P>())?.cast::<P>();
    // SAFETY: the block is allocated with the layout of the value, and is the box's alone.
    unsafe {
        block.write(value);
        Ok(Box::from_raw(block.as_ptr()))
    }
}

/// Gives the block another size; where that is refused, it stays as it is.
///
/// # Safety
/// 1. The block is allocated with the layout `old`.
/// 2. `size` is not zero and makes a layout with its alignment.
pub(crate) unsafe fn reallocate(
    block: NonNull<u8>,
    old: Layout,
    size: usize,
) -> Result<NonNull<u8>, TryReserveError> {
    // SAFETY: (1) it is a block of that layout, and (2) the new size makes one.
    let block = NonNull::new(unsafe { realloc(block.as_ptr(), old, size) });
    block.ok_or(TryReserveError::AllocRefused { bytes: size })
}

/// # Safety
/// 1. The block is allocated with that layout.
/// 2. It is not used again.
pub(crate) unsafe fn deallocate(block: NonNull<u8>, layout: Layout) {
    // SAFETY: (1) it is a block of that layout, (2) given up.
    unsafe { dealloc(block.as_ptr(), layout) };
}

/// Replaces the allocator on targets without one: every allocation fails.
#[cfg(not(feature = "alloc"))]
mod none {
    use core::alloc::Layout;
    use core::ptr;

    pub(super) const unsafe fn alloc(_: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    pub(super) const unsafe fn realloc(_: *mut u8, _: Layout, _: usize) -> *mut u8 {
        ptr::null_mut()
    }

    pub(super) const unsafe fn dealloc(_: *mut u8, _: Layout) {}
}
