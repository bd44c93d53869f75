//! Calls to the operating system. Where there is none, they do nothing, or do the same by other
//! means.
//!
//! **Invariant.** What `reserve` answered is address space that nothing else uses until it is
//! released. `commit` makes a part of it memory that can be read and written; `decommit` gives that
//! memory back and keeps the addresses. No call touches a byte of any other memory.
//!
//! The four calls are in a file for each kind of system. The sizes they are given are multiples of
//! `GRAIN`, which is a multiple of every page size that is met in practice, so that nothing has to
//! ask for it; a system with larger pages refuses, and harms nothing.

use core::ptr::NonNull;

#[cfg(all(feature = "snapshot", unix, not(miri)))]
pub(crate) use space::map_file;
#[cfg(feature = "reserved")]
pub(crate) use space::{GRAIN, GUARD, commit, decommit, release, reserve};

#[cfg(all(feature = "reserved", unix, not(miri)))]
#[path = "sys/unix.rs"]
mod space;

#[cfg(all(feature = "reserved", windows, not(miri)))]
#[path = "sys/windows.rs"]
mod space;

#[cfg(all(feature = "reserved", any(miri, not(any(windows, unix)))))]
#[path = "sys/fallback.rs"]
mod space;

#[cfg(all(feature = "reserved", target_os = "linux", not(miri)))]
mod ahead;

#[cfg(all(feature = "reserved", target_os = "linux", not(miri)))]
pub(crate) use ahead::{leave_alone, touch_ahead};

/// Elsewhere pages come when they are touched.
#[cfg(all(feature = "reserved", not(all(target_os = "linux", not(miri)))))]
pub(crate) const fn touch_ahead(_first: NonNull<u8>, _bytes: usize) {}

#[cfg(all(feature = "reserved", not(all(target_os = "linux", not(miri)))))]
pub(crate) const fn leave_alone(_first: NonNull<u8>, _bytes: usize) {}

/// Only Unix maps files to addresses of ours: elsewhere what would be mapped is read.
///
/// # Safety
/// None.
#[cfg(all(feature = "snapshot", not(all(unix, not(miri)))))]
pub(crate) unsafe fn map_file(
    _file: &std::fs::File,
    _offset: u64,
    _first: NonNull<u8>,
    _bytes: usize,
    _writable: bool,
) -> bool {
    false
}

/// Blocks of at least this many bytes are worth huge pages.
pub(crate) const HUGE_FROM: usize = 4 << 20;

/// What a huge page is aligned to.
#[cfg(feature = "reserved")]
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// Asks the system to back memory with huge pages, as numpy does for large blocks, or not to do so
/// where it would by itself. Says whether it heard.
///
/// Filling 10,000,000 × 64 bytes takes 0.6 of the time with them (`docs/decisions/memory.md`). Advice
/// only: where the system declines, the memory is as good as before.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
pub(crate) fn advise_huge_pages(block: NonNull<u8>, bytes: usize, wanted: bool) -> bool {
    use core::ffi::{c_int, c_void};

    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: c_int = 14;
    const MADV_NOHUGEPAGE: c_int = 15;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let before = block.as_ptr().align_offset(PAGE);
    let length = bytes.saturating_sub(before) & !(PAGE - 1);
    let first = block.as_ptr().wrapping_add(before);
    let advice = if wanted { MADV_HUGEPAGE } else { MADV_NOHUGEPAGE };
    // SAFETY: the whole pages inside the block are ours; the advice changes no byte of them.
    unsafe { madvise(first.cast(), length, advice) == 0 }
}

#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
pub(crate) const fn advise_huge_pages(_block: NonNull<u8>, _bytes: usize, _wanted: bool) -> bool {
    false
}
