//! Calls to the operating system. Where there is none, they do nothing.

use core::ptr::NonNull;

/// Blocks of at least this many bytes are worth huge pages.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
const HUGE_FROM: usize = 4 << 20;

/// Asks the system to back a large block with huge pages, as numpy does. Says whether it did.
///
/// A walk of 10,000,000 × 64 bytes takes 1.6 times as long without (`ARCHITECTURE.md`). Advice
/// only: where the system declines, the memory is as good as before.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
pub(crate) fn advise_huge_pages(block: NonNull<u8>, bytes: usize) -> bool {
    use core::ffi::{c_int, c_void};

    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    if bytes < HUGE_FROM {
        return false;
    }
    let before = block.as_ptr().align_offset(PAGE);
    let length = (bytes - before) & !(PAGE - 1);
    let first = block.as_ptr().wrapping_add(before);
    // SAFETY: the whole pages inside the block are ours; the advice changes no byte of them.
    unsafe { madvise(first.cast(), length, MADV_HUGEPAGE) == 0 }
}

#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
pub(crate) const fn advise_huge_pages(_block: NonNull<u8>, _bytes: usize) -> bool {
    false
}
