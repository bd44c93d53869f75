//! The global allocator, or none: without the feature `alloc` it refuses everything.
//!
//! **Invariant.** None of its own: each function asks its caller for what the one of
//! [`core::alloc::GlobalAlloc`] asks, or checks it, and hands it on; but `null` is an error.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::error::TryReserveError;

#[cfg(feature = "alloc")]
use alloc::alloc::{alloc, alloc_zeroed, dealloc, realloc};

/// A block of that layout, whose size is not zero.
#[inline(always)]
pub(crate) fn allocate(layout: Layout) -> Result<NonNull<u8>, TryReserveError> {
    assert!(layout.size() != 0, "a block has a size");
    // SAFETY: just checked.
    let block = NonNull::new(unsafe { alloc(layout) });
    block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })
}

/// As [`allocate`], of zero bytes: an allocator that has them from the system does not touch them.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn allocate_zeroed(layout: Layout) -> Result<NonNull<u8>, TryReserveError> {
    assert!(layout.size() != 0, "a block has a size");
    // SAFETY: just checked.
    let block = NonNull::new(unsafe { alloc_zeroed(layout) });
    block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })
}

/// Gives the block another size; where that is refused, it stays as it is.
///
/// # Safety
/// The block is allocated with the layout `old`; `size` is not zero and makes a layout with its
/// alignment.
pub(crate) unsafe fn reallocate(
    block: NonNull<u8>,
    old: Layout,
    size: usize,
) -> Result<NonNull<u8>, TryReserveError> {
    // SAFETY: it is a block of that layout, and the new size makes one.
    let block = NonNull::new(unsafe { realloc(block.as_ptr(), old, size) });
    block.ok_or(TryReserveError::AllocRefused { bytes: size })
}

/// # Safety
/// The block is allocated with that layout, and is not used again.
pub(crate) unsafe fn deallocate(block: NonNull<u8>, layout: Layout) {
    // SAFETY: it is a block of that layout, given up.
    unsafe { dealloc(block.as_ptr(), layout) };
}

#[cfg(not(feature = "alloc"))]
use none::{alloc, dealloc, realloc};

/// What stands in for an allocator where there is none.
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
