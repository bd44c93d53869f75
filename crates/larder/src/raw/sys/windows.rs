//! Reserved memory on Windows.
//!
//! **Invariant.** That of [`sys`](super): every call names pages of a reservation of ours, and no other.

use core::ptr::{self, NonNull};
use std::io;

use windows_sys::Win32::System::Memory::{
    MEM_COMMIT, MEM_DECOMMIT, MEM_RELEASE, MEM_RESERVE, PAGE_NOACCESS, PAGE_READWRITE,
    VirtualAlloc, VirtualFree,
};

use crate::error::TryReserveError;

/// What is committed, in multiples of this; the system aligns reservations to it.
pub(crate) const GRAIN: usize = 64 << 10;

/// What is reserved behind a block, and never memory: an access past the end faults.
pub(crate) const GUARD: usize = GRAIN;

/// How often a place is looked for that is aligned to more than [`GRAIN`], before giving up:
/// another thread may take it first.
const ATTEMPTS: usize = 16;

fn last_code() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Takes `bytes` of address space, a multiple of [`GRAIN`], that can be neither read nor written.
pub(crate) fn reserve(bytes: usize, align: usize) -> Result<NonNull<u8>, TryReserveError> {
    if align <= GRAIN {
        return reserve_at(ptr::null(), bytes);
    }
    for _ in 0..ATTEMPTS {
        // Part of a reservation cannot be returned: so find a place, return it whole, and take the
        // aligned part of it.
        let around = reserve_at(ptr::null(), bytes.saturating_add(align))?;
        let start = around.as_ptr().wrapping_add(around.align_offset(align));
        // SAFETY: it was just reserved, and nothing refers to it.
        unsafe { release(around, bytes, align) };
        if let Ok(first) = reserve_at(start, bytes) {
            return Ok(first);
        }
    }
    Err(TryReserveError::ReserveRefused { bytes, code: last_code() })
}

/// A null pointer leaves the place to the system.
fn reserve_at(place: *const u8, bytes: usize) -> Result<NonNull<u8>, TryReserveError> {
    // SAFETY: a reservation takes addresses that nothing uses, or fails.
    let first = unsafe { VirtualAlloc(place.cast(), bytes, MEM_RESERVE, PAGE_NOACCESS) };
    NonNull::new(first.cast::<u8>())
        .ok_or_else(|| TryReserveError::ReserveRefused { bytes, code: last_code() })
}

/// Makes a part of a reservation memory: its bytes are zero unless it was memory before.
///
/// # Safety
/// The part lies within a reservation.
pub(crate) unsafe fn commit(first: NonNull<u8>, bytes: usize) -> Result<(), TryReserveError> {
    // SAFETY: the part is ours; committing changes no memory that is used.
    let memory = unsafe { VirtualAlloc(first.as_ptr().cast(), bytes, MEM_COMMIT, PAGE_READWRITE) };
    if memory.is_null() {
        return Err(TryReserveError::CommitRefused { bytes, code: last_code() });
    }
    Ok(())
}

/// Gives the memory of a part back, and keeps its addresses. Where the system declines,
/// it stays memory, which is no harm.
///
/// # Safety
/// The part lies within a reservation and is committed; its bytes are lost.
pub(crate) unsafe fn decommit(first: NonNull<u8>, bytes: usize) {
    // SAFETY: the pages are ours, and nothing in them is needed.
    unsafe { VirtualFree(first.as_ptr().cast(), bytes, MEM_DECOMMIT) };
}

/// Returns a whole reservation.
///
/// # Safety
/// It is what [`reserve`] answered, and is not used again.
pub(crate) unsafe fn release(first: NonNull<u8>, _bytes: usize, _align: usize) {
    // Where this fails, addresses are lost, and no more. The size must be zero: all of it.
    // SAFETY: the pages are ours, all of them, and are not used again.
    unsafe { VirtualFree(first.as_ptr().cast(), 0, MEM_RELEASE) };
}
