//! Reserved memory without virtual memory (`wasm32`, Miri): one block of the global allocator, of
//! the full size from the start. It never moves, which is the promise; it is not given back either.
//!
//! **Invariant.** That of [`sys`](super): all of a reservation is one allocation of its size and alignment.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::memory;

/// Hardly any rounding: so Miri sees accesses past the end.
pub(crate) const GRAIN: usize = 8;

/// Nothing: the interpreter sees by itself what is past the end.
pub(crate) const GUARD: usize = 0;

/// Takes `bytes` bytes; they are not initialised.
pub(crate) fn reserve(bytes: usize, align: usize) -> Result<NonNull<u8>, TryReserveError> {
    let layout = Layout::from_size_align(bytes, align).ok().filter(|_| bytes != 0);
    layout.ok_or(TryReserveError::AllocRefused { bytes }).and_then(memory::allocate)
}

/// Nothing to do: all of it is memory.
///
/// # Safety
/// None.
#[expect(clippy::unnecessary_wraps, reason = "as where there is virtual memory")]
pub(crate) unsafe fn commit(_first: NonNull<u8>, _bytes: usize) -> Result<(), TryReserveError> {
    Ok(())
}

/// Nothing is given back; the bytes stay as they are.
///
/// # Safety
/// None.
pub(crate) unsafe fn decommit(_first: NonNull<u8>, _bytes: usize) {}

/// Returns a whole reservation.
///
/// # Safety
/// It is what [`reserve`] answered, of this size and alignment, and is not used again.
pub(crate) unsafe fn release(first: NonNull<u8>, bytes: usize, align: usize) {
    // SAFETY: `reserve` made a layout of this size and alignment, and allocated it; it is not used again.
    unsafe {
        memory::deallocate(first, Layout::from_size_align_unchecked(bytes, align));
    }
}
