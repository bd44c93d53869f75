//! Reserved memory on Linux, macOS and the other unixes: anonymous mappings.
//!
//! **Invariant.** That of [`sys`](super): every call names pages of a reservation of ours, and no other.

use core::ffi::c_void;
use core::ptr::{self, NonNull};

use rustix::io::Errno;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use crate::error::TryReserveError;

/// What is committed, in multiples of this; a multiple of the system's page.
pub(crate) const GRAIN: usize = 64 << 10;

/// What is reserved behind a block, and never memory: an access past the end faults.
pub(crate) const GUARD: usize = GRAIN;

/// Takes `bytes` of address space, a multiple of [`GRAIN`], that can be neither read nor written.
pub(crate) fn reserve(bytes: usize, align: usize) -> Result<NonNull<u8>, TryReserveError> {
    /// Every mapping is aligned to this; what wants more is cut out of a larger one.
    const PAGE: usize = 4096;

    let refused =
        |error: Errno| TryReserveError::ReserveRefused { bytes, code: error.raw_os_error() };
    let spare = if align <= PAGE { 0 } else { align.max(GRAIN) };
    let whole = bytes.checked_add(spare).ok_or(refused(Errno::NOMEM))?;
    // SAFETY: a mapping at an address of the system's choice touches no memory of ours.
    let first =
        unsafe { mmap_anonymous(ptr::null_mut(), whole, ProtFlags::empty(), MapFlags::PRIVATE) };
    let first = first.map_err(refused)?.cast::<u8>();
    let before = if spare == 0 { 0 } else { first.align_offset(align) };
    let start = first.wrapping_add(before);
    unmap(first, before);
    unmap(start.wrapping_add(bytes), spare - before);
    NonNull::new(start).ok_or(refused(Errno::NOMEM))
}

/// Returns address space that was just reserved; where that fails, it is lost.
fn unmap(first: *mut u8, bytes: usize) {
    if bytes != 0 {
        // SAFETY: the caller just mapped these pages, and nothing refers to them.
        let _ = unsafe { munmap(first.cast(), bytes) };
    }
}

/// Makes a part of a reservation memory: its bytes are zero unless it was memory before.
///
/// # Safety
/// The part lies within a reservation.
pub(crate) unsafe fn commit(first: NonNull<u8>, bytes: usize) -> Result<(), TryReserveError> {
    let access = MprotectFlags::READ | MprotectFlags::WRITE;
    // SAFETY: the pages are ours, and stay within reach if they are.
    let result = unsafe { mprotect(first.as_ptr().cast::<c_void>(), bytes, access) };
    result.map_err(|error| TryReserveError::CommitRefused { bytes, code: error.raw_os_error() })
}

/// Gives the memory of a part back, and keeps its addresses. Where the system declines,
/// it stays memory, which is no harm.
///
/// The pages go at once. Mapping the part anew would be one call, but where the kernel fails in the
/// middle of it, nothing is left there, and another thread may be given our addresses.
///
/// # Safety
/// The part lies within a reservation and is committed; its bytes are lost.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) unsafe fn decommit(first: NonNull<u8>, bytes: usize) {
    use rustix::mm::{Advice, madvise};

    let first = first.as_ptr().cast::<c_void>();
    // SAFETY: the pages are ours, and nothing in them is needed until they are committed again. (Pages
    // that stay within reach are empty, and no harm.)
    unsafe {
        if madvise(first, bytes, Advice::LinuxDontNeed).is_ok() {
            let _ = mprotect(first, bytes, MprotectFlags::empty());
        }
    }
}

/// As on Linux. Only a new mapping in place of the old one gives pages back at once on every other system.
///
/// # Safety
/// The part lies within a reservation and is committed; its bytes are lost.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) unsafe fn decommit(first: NonNull<u8>, bytes: usize) {
    let (first, flags) = (first.as_ptr().cast::<c_void>(), MapFlags::PRIVATE | MapFlags::FIXED);
    // SAFETY: the pages are ours, and nothing in them is needed.
    let _ = unsafe { mmap_anonymous(first, bytes, ProtFlags::empty(), flags) };
}

/// Returns a whole reservation.
///
/// # Safety
/// It is what [`reserve`] answered, of this size, and is not used again.
pub(crate) unsafe fn release(first: NonNull<u8>, bytes: usize, _align: usize) {
    // Where this fails, addresses are lost, and no more.
    // SAFETY: the pages are ours, all of them, and are not used again.
    let _ = unsafe { munmap(first.as_ptr().cast(), bytes) };
}

/// Has a part of a reservation be the bytes of a file from `offset` on, until they are written to, if that is allowed. Says
/// whether it is; else nothing has changed.
///
/// # Safety
/// The part lies within a reservation and is committed; its bytes are lost.
#[cfg(feature = "snapshot")]
pub(crate) unsafe fn map_file(
    file: &std::fs::File,
    offset: u64,
    first: NonNull<u8>,
    bytes: usize,
    writable: bool,
) -> bool {
    let access = if writable { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
    let flags = MapFlags::PRIVATE | MapFlags::FIXED;
    let first = first.as_ptr().cast::<c_void>();
    // SAFETY: the pages are ours, and nothing in them is needed.
    unsafe { rustix::mm::mmap(first, bytes, access, flags, file, offset) }.is_ok()
}

#[cfg(all(test, target_pointer_width = "64", not(miri)))]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// What is cut off for the alignment's sake is returned: else address space would end after a hundred rounds.
    #[test]
    fn reservations_are_aligned_and_leave_nothing_behind() {
        for align in [1, 4096, 2 * 4096, GRAIN, 2 << 20, 1 << 40] {
            let mut kept: Vec<NonNull<u8>> = Vec::new();
            // SAFETY: what is given back was just reserved, is given back once, and is not used.
            let give_back = |first| unsafe { release(first, 3 * GRAIN, align) };
            for round in 0..300 {
                let first = reserve(3 * GRAIN, align).unwrap();
                assert_eq!(first.addr().get() % align, 0, "aligned to {align}");
                if round % 100 == 0 {
                    kept.push(first);
                } else {
                    give_back(first);
                }
            }
            kept.into_iter().for_each(give_back);
        }
    }
}
