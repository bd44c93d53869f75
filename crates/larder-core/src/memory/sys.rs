//! Calls to the operating system. On targets without one, they do nothing, or do the same by other means.
//!
//! **Invariant.** The address space that `reserve` returned is used by nothing else until it is released. `commit`
//! makes a part of it memory that can be read and written; `decommit` gives that memory back and keeps the addresses.
//! No call touches a byte of any other memory.
//!
//! The calls for address space are made by a module for Unix, one for Windows, and one for everything else. The sizes
//! they are given are multiples of `GRAIN`, which is a multiple of every page size that is met in practice, so that
//! nothing has to ask for it; a system with larger pages refuses, and harms nothing.

use core::ptr::NonNull;

#[cfg(all(feature = "snapshot", target_os = "linux"))]
pub(crate) use files::{begin_to_write, make_room};
#[cfg(all(feature = "snapshot", unix))]
pub(crate) use files::{open_own, try_lock};
#[cfg(all(feature = "snapshot", unix, not(miri)))]
pub(crate) use space::map_file;
#[cfg(feature = "reserved")]
pub(crate) use space::{GRAIN, GUARD, commit, decommit, release, reserve};

#[cfg(all(feature = "reserved", target_os = "linux", not(miri)))]
pub(crate) use ahead::{leave_alone, touch_ahead};

/// Elsewhere pages come when they are touched.
#[cfg(all(feature = "reserved", not(all(target_os = "linux", not(miri)))))]
pub(crate) const fn touch_ahead(_first: NonNull<u8>, _bytes: usize) {}

#[cfg(all(feature = "reserved", not(all(target_os = "linux", not(miri)))))]
pub(crate) const fn leave_alone(_first: NonNull<u8>, _bytes: usize) {}

/// Elsewhere what is written to a file goes to the medium when the system likes.
#[cfg(all(feature = "snapshot", not(target_os = "linux")))]
pub(crate) const fn begin_to_write(_file: &std::fs::File, _from: u64, _bytes: u64) {}

/// Elsewhere a file has the place of what was written to it.
#[cfg(all(feature = "snapshot", not(target_os = "linux")))]
pub(crate) const fn make_room(_: &std::fs::File, _from: u64, _bytes: u64) -> std::io::Result<()> {
    Ok(())
}

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

/// The alignment and size of a huge page.
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

/// Returns the system's code of the error that its last call ended with.
#[cfg(all(feature = "reserved", any(unix, windows), not(miri)))]
fn last_code() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

#[cfg(all(feature = "snapshot", unix))]
mod files {
    //! Calls about files that the standard library does not make.
    //!
    //! **Invariant.** That of [`sys`](super): no call is given an address.

    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;

    /// Locks a file against other users of this function. Says whether it is, which it is not while another has it.
    #[inline]
    pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
        // SAFETY: the file is open, and no memory is touched.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
            return Ok(true);
        }
        let error = io::Error::last_os_error();
        if error.kind() == io::ErrorKind::WouldBlock { Ok(false) } else { Err(error) }
    }

    /// Opens an existing file for writing. A symbolic link is refused, and a pipe without a reader does not block.
    #[inline]
    pub(crate) fn open_own(path: &std::path::Path) -> io::Result<File> {
        use std::os::unix::fs::OpenOptionsExt as _;

        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        File::options().write(true).custom_flags(flags).open(path)
    }

    /// Has the system begin to write a range of a file, and return. (The range stays in the system's cache meanwhile.
    /// A system that declines writes it later.)
    #[cfg(target_os = "linux")]
    #[inline]
    pub(crate) fn begin_to_write(file: &File, from: u64, bytes: u64) {
        if let (Ok(from), Ok(bytes)) = (from.try_into(), bytes.try_into()) {
            // SAFETY: the file is open, and no memory is touched.
            unsafe {
                libc::posix_fadvise(file.as_raw_fd(), from, bytes, libc::POSIX_FADV_DONTNEED)
            };
        }
    }

    /// Has the system give a file the place of bytes that will be written: to write them takes less time then. (That
    /// there is none is known before they are written; whatever else is wrong, or not supported, writing says.)
    #[cfg(target_os = "linux")]
    #[inline]
    pub(crate) fn make_room(file: &File, from: u64, bytes: u64) -> io::Result<()> {
        if let (Ok(from), Ok(bytes)) = (from.try_into(), bytes.try_into()) {
            let kind = libc::FALLOC_FL_KEEP_SIZE;
            // SAFETY: the file is open, and no memory is touched.
            if unsafe { libc::fallocate(file.as_raw_fd(), kind, from, bytes) } != 0 {
                let error = io::Error::last_os_error();
                if matches!(error.raw_os_error(), Some(libc::ENOSPC | libc::EDQUOT)) {
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

#[cfg(all(feature = "reserved", unix, not(miri)))]
mod space {
    //! Reserved memory on Linux, macOS and the other unixes: anonymous mappings.
    //!
    //! **Invariant.** That of [`sys`](super): every call names pages of a reservation of ours, and no other.

    use core::ffi::c_int;
    use core::ptr::{self, NonNull};

    use libc::{MAP_ANON, MAP_PRIVATE, PROT_NONE, PROT_READ, PROT_WRITE, mmap, mprotect, munmap};

    use super::last_code;
    use crate::error::TryReserveError;

    /// The file of memory that is of no file.
    const NO_FILE: c_int = -1;

    /// The unit of committed memory, a multiple of the system's page.
    pub(crate) const GRAIN: usize = 64 << 10;

    /// The address space reserved behind a block, which is never memory: an access past the end faults.
    pub(crate) const GUARD: usize = GRAIN;

    /// Takes `bytes` of address space, a multiple of [`GRAIN`], that can be neither read nor written.
    pub(crate) fn reserve(bytes: usize, align: usize) -> Result<NonNull<u8>, TryReserveError> {
        /// Every mapping is aligned to this; what wants more is cut out of a larger one.
        const PAGE: usize = 4096;

        let refused = |code| TryReserveError::ReserveRefused { bytes, code };
        let spare = if align <= PAGE { 0 } else { align.max(GRAIN) };
        let whole = bytes.checked_add(spare).ok_or(refused(libc::ENOMEM))?;
        let flags = MAP_PRIVATE | MAP_ANON;
        // SAFETY: a mapping at an address of the system's choice touches no memory of ours.
        let first = unsafe { mmap(ptr::null_mut(), whole, PROT_NONE, flags, NO_FILE, 0) };
        if first == libc::MAP_FAILED {
            return Err(refused(last_code()));
        }
        let first = first.cast::<u8>();
        let before = if spare == 0 { 0 } else { first.align_offset(align) };
        let start = first.wrapping_add(before);
        unmap(first, before);
        unmap(start.wrapping_add(bytes), spare - before);
        NonNull::new(start).ok_or(refused(libc::ENOMEM))
    }

    /// Returns address space that was just reserved; where that fails, it is lost.
    fn unmap(first: *mut u8, bytes: usize) {
        if bytes != 0 {
            // SAFETY: the caller just mapped these pages, and nothing refers to them.
            unsafe { munmap(first.cast(), bytes) };
        }
    }

    /// Makes a part of a reservation memory: its bytes are zero unless it was memory before.
    ///
    /// # Safety
    /// The part lies within a reservation.
    pub(crate) unsafe fn commit(first: NonNull<u8>, bytes: usize) -> Result<(), TryReserveError> {
        // SAFETY: the pages are ours, and stay within reach if they are.
        if unsafe { mprotect(first.as_ptr().cast(), bytes, PROT_READ | PROT_WRITE) } != 0 {
            return Err(TryReserveError::CommitRefused { bytes, code: last_code() });
        }
        Ok(())
    }

    /// Gives the memory of a part back, and keeps its addresses. If the system declines, it stays memory, which is no
    /// harm.
    ///
    /// The pages go at once. Mapping the part anew would be one call, but where the kernel fails in the
    /// middle of it, nothing is left there, and another thread may be given our addresses.
    ///
    /// # Safety
    /// 1. The part lies within a reservation and is committed.
    /// 2. Its bytes are not used again.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) unsafe fn decommit(first: NonNull<u8>, bytes: usize) {
        let first = first.as_ptr().cast();
        // SAFETY: the pages are ours, and nothing in them is needed until they are committed again.
        // (Pages that stay within reach are empty, and no harm.)
        unsafe {
            if libc::madvise(first, bytes, libc::MADV_DONTNEED) == 0 {
                mprotect(first, bytes, PROT_NONE);
            }
        }
    }

    /// Gives the memory of a part back as on Linux. On every other system only a new mapping in place of the old one
    /// gives pages back at once.
    ///
    /// # Safety
    /// 1. The part lies within a reservation and is committed.
    /// 2. Its bytes are not used again.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(crate) unsafe fn decommit(first: NonNull<u8>, bytes: usize) {
        let (first, flags) = (first.as_ptr().cast(), MAP_PRIVATE | MAP_ANON | libc::MAP_FIXED);
        // SAFETY: the pages are ours, and nothing in them is needed.
        unsafe { mmap(first, bytes, PROT_NONE, flags, NO_FILE, 0) };
    }

    /// Returns a whole reservation.
    ///
    /// # Safety
    /// 1. It is what [`reserve`] answered, of this size.
    /// 2. It is not used again.
    pub(crate) unsafe fn release(first: NonNull<u8>, bytes: usize, _align: usize) {
        // If this fails, addresses are lost, and no more.
        // SAFETY: the pages are ours, all of them, and are not used again.
        unsafe { munmap(first.as_ptr().cast(), bytes) };
    }

    /// Has a part of a reservation be the bytes of a file from `offset` on, until they are written to, if
    /// that is allowed. Says whether it is; else nothing has changed.
    ///
    /// # Safety
    /// 1. The part lies within a reservation and is committed.
    /// 2. Its bytes are not used again.
    #[cfg(feature = "snapshot")]
    pub(crate) unsafe fn map_file(
        file: &std::fs::File,
        offset: u64,
        first: NonNull<u8>,
        bytes: usize,
        writable: bool,
    ) -> bool {
        use std::os::fd::AsRawFd as _;

        // Some systems have only 32 bits for it, and read what lies further on.
        let Ok(offset) = libc::off_t::try_from(offset) else { return false };
        let access = if writable { PROT_READ | PROT_WRITE } else { PROT_READ };
        let (first, flags) = (first.as_ptr().cast(), MAP_PRIVATE | libc::MAP_FIXED);
        // SAFETY: the pages are ours, and nothing in them is needed.
        let mapped = unsafe { mmap(first, bytes, access, flags, file.as_raw_fd(), offset) };
        mapped != libc::MAP_FAILED
    }

    #[cfg(all(test, target_pointer_width = "64", not(miri)))]
    mod tests {
        use super::*;
        use alloc::vec::Vec;

        /// The addresses cut off for the alignment's sake are returned: otherwise address space would end after a
        /// hundred rounds.
        #[test]
        fn reservations_are_aligned_and_leave_nothing_behind() {
            for align in [1, 4096, 2 * 4096, GRAIN, 2 << 20, 1 << 40] {
                let mut kept: Vec<NonNull<u8>> = Vec::new();
                // SAFETY: what is given back was just reserved, is given back
                // once, and is not used.
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
}

#[cfg(all(feature = "reserved", windows, not(miri)))]
mod space {
    //! Reserved memory on Windows.
    //!
    //! **Invariant.** That of [`sys`](super): every call names pages of a reservation of ours, and no other.

    use core::ptr::{self, NonNull};

    use windows_sys::Win32::System::Memory::{
        MEM_COMMIT, MEM_DECOMMIT, MEM_RELEASE, MEM_RESERVE, PAGE_NOACCESS, PAGE_READWRITE,
        VirtualAlloc, VirtualFree,
    };

    use super::last_code;
    use crate::error::TryReserveError;

    /// The unit of committed memory; the system aligns reservations to it.
    pub(crate) const GRAIN: usize = 64 << 10;

    /// The address space reserved behind a block, which is never memory: an access past the end faults.
    pub(crate) const GUARD: usize = GRAIN;

    /// The number of attempts to find a place that is aligned to more than [`GRAIN`], since another thread may take it
    /// first.
    const ATTEMPTS: usize = 16;

    /// Takes `bytes` of address space, a multiple of [`GRAIN`], that can be neither read nor written.
    pub(crate) fn reserve(bytes: usize, align: usize) -> Result<NonNull<u8>, TryReserveError> {
        if align <= GRAIN {
            return reserve_at(ptr::null(), bytes);
        }
        for _ in 0..ATTEMPTS {
            // Part of a reservation cannot be returned: so find a place, return it whole, and take
            // the aligned part of it.
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
        let memory =
            unsafe { VirtualAlloc(first.as_ptr().cast(), bytes, MEM_COMMIT, PAGE_READWRITE) };
        if memory.is_null() {
            return Err(TryReserveError::CommitRefused { bytes, code: last_code() });
        }
        Ok(())
    }

    /// Gives the memory of a part back, and keeps its addresses. If the system declines, it stays memory, which is no
    /// harm.
    ///
    /// # Safety
    /// 1. The part lies within a reservation and is committed.
    /// 2. Its bytes are not used again.
    pub(crate) unsafe fn decommit(first: NonNull<u8>, bytes: usize) {
        // SAFETY: the pages are ours, and nothing in them is needed.
        unsafe { VirtualFree(first.as_ptr().cast(), bytes, MEM_DECOMMIT) };
    }

    /// Returns a whole reservation.
    ///
    /// # Safety
    /// 1. It is what [`reserve`] answered.
    /// 2. It is not used again.
    pub(crate) unsafe fn release(first: NonNull<u8>, _bytes: usize, _align: usize) {
        // If this fails, addresses are lost, and no more. The size must be zero: all of it.
        // SAFETY: the pages are ours, all of them, and are not used again.
        unsafe { VirtualFree(first.as_ptr().cast(), 0, MEM_RELEASE) };
    }
}

#[cfg(all(feature = "reserved", any(miri, not(any(windows, unix)))))]
mod space {
    //! Reserved memory without virtual memory (`wasm32`, Miri): one block of the global allocator, of
    //! the full size from the start. It never moves, which is the promise; it is not given back either.
    //!
    //! **Invariant.** That of [`sys`](super): all of a reservation is one allocation of its size and alignment.

    use core::alloc::Layout;
    use core::ptr::NonNull;

    use crate::error::TryReserveError;
    use crate::memory::heap;

    /// Hardly any rounding: so Miri sees accesses past the end.
    pub(crate) const GRAIN: usize = 8;

    /// Nothing: the interpreter sees by itself what is past the end.
    pub(crate) const GUARD: usize = 0;

    /// Takes `bytes` bytes; they are not initialised.
    pub(crate) fn reserve(bytes: usize, align: usize) -> Result<NonNull<u8>, TryReserveError> {
        let layout = Layout::from_size_align(bytes, align).ok().filter(|_| bytes != 0);
        layout.ok_or(TryReserveError::AllocRefused { bytes }).and_then(heap::allocate)
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
    /// 1. It is what [`reserve`] answered, of this size and alignment.
    /// 2. It is not used again.
    pub(crate) unsafe fn release(first: NonNull<u8>, bytes: usize, align: usize) {
        // SAFETY: `reserve` made a layout of this size and alignment, and allocated it; it
        // is not used again.
        unsafe {
            heap::deallocate(first, Layout::from_size_align_unchecked(bytes, align));
        }
    }
}

#[cfg(all(feature = "reserved", target_os = "linux", not(miri)))]
mod ahead {
    //! A thread that touches committed pages before their owner does: a first touch takes a microsecond
    //! or more, and is the longest that an insertion into reserved memory has to wait for.
    //!
    //! **Invariant.** The helper touches no page of a part once [`leave_alone`] of it has returned (unless
    //! a call of 150 µs took it a second): so what is unmapped is not touched as somebody else's. Even if
    //! it were, no byte would change.
    //!
    //! There is one thread for the whole program, begun when it is first needed. If it cannot be begun, or the kernel
    //! is older than 5.14, pages come when they are touched, as without it.

    use alloc::collections::VecDeque;
    use core::ops::Range;
    use core::ptr::{self, NonNull};
    use core::time::Duration;
    use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread;

    use super::last_code;

    /// The number of bytes that are touched at a time, which takes about 150 µs: a call that changes the mapping may
    /// have to wait so long.
    const CHUNK: usize = 512 << 10;

    /// Longer than any chunk takes. (A forked process has no helper, though it looks as if.)
    const PATIENCE: Duration = Duration::from_secs(1);

    /// Addresses.
    type Part = Range<usize>;

    struct Work {
        queue: VecDeque<Part>,
        /// The part that is being touched at this moment.
        under_way: Part,
        helper: Helper,
    }

    #[derive(PartialEq)]
    enum Helper {
        NotBegun,
        Works,
        /// The system can do without it, or it could not be begun.
        IsOfNoUse,
    }

    static WORK: Mutex<Work> =
        Mutex::new(Work { queue: VecDeque::new(), under_way: 0..0, helper: Helper::NotBegun });
    static WANTED: Condvar = Condvar::new();
    static DONE: Condvar = Condvar::new();

    /// Nothing panics while it holds the lock, so it is never left in the middle of a change.
    fn work() -> MutexGuard<'static, Work> {
        WORK.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for the pages of a committed part. Does not wait for them.
    pub(crate) fn touch_ahead(first: NonNull<u8>, bytes: usize) {
        let mut work = work();
        if work.helper == Helper::NotBegun {
            let begun = thread::Builder::new().name("larder-ahead".into()).spawn(help);
            work.helper = if begun.is_ok() { Helper::Works } else { Helper::IsOfNoUse };
        }
        // If allocation fails, the part is not noted, and its pages come when they are touched.
        if work.helper == Helper::Works && work.queue.try_reserve(1).is_ok() {
            let start = first.addr().get();
            work.queue.push_back(start..start + bytes);
            WANTED.notify_one();
        }
    }

    /// Takes back what was asked for of a part; returns when no page of it is being touched.
    pub(crate) fn leave_alone(first: NonNull<u8>, bytes: usize) {
        let start = first.addr().get();
        let part = start..start + bytes;
        let mut work = work();
        for asked in &mut work.queue {
            // (A part is asked for once and from below upwards: what lies outside lies before.)
            if overlap(asked, &part) {
                *asked = asked.start..asked.start.max(part.start).min(asked.end);
            }
        }
        let in_use = |work: &mut Work| overlap(&work.under_way, &part);
        drop(DONE.wait_timeout_while(work, PATIENCE, in_use));
    }

    const fn overlap(a: &Part, b: &Part) -> bool {
        a.start < b.end && b.start < a.end
    }

    /// Runs the helper's loop, in its thread.
    fn help() {
        let mut state = work();
        loop {
            let Some(asked) = state.queue.front_mut() else {
                state = WANTED.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let chunk = asked.start..asked.end.min(asked.start + CHUNK);
            asked.start = chunk.end;
            if asked.start == asked.end {
                state.queue.pop_front();
            }
            state.under_way = chunk.clone();
            drop(state);
            let touched = chunk.start == chunk.end || touch(&chunk);
            state = work();
            state.under_way = 0..0;
            DONE.notify_all();
            if !touched {
                state.helper = Helper::IsOfNoUse;
                state.queue.clear();
                return;
            }
        }
    }

    /// Makes the system provide pages. Says whether it is able to at all.
    fn touch(part: &Part) -> bool {
        let first = ptr::without_provenance_mut(part.start);
        // SAFETY: the part is whole pages of a reservation that lives until `under_way` is cleared, but for the
        // exception of the invariant; the call changes no byte of any page, and is an error where there is none.
        let touched = unsafe { libc::madvise(first, part.len(), libc::MADV_POPULATE_WRITE) };
        touched == 0 || last_code() != libc::EINVAL
    }

    #[cfg(all(test, not(miri)))]
    mod tests {
        use super::super::space::{GRAIN, commit, release, reserve};
        use super::*;

        #[test]
        fn parts_overlap_that_have_a_byte_in_common() {
            assert!(overlap(&(0..2), &(1..3)) && overlap(&(1..3), &(0..2)));
            assert!(overlap(&(0..9), &(4..5)) && overlap(&(4..5), &(0..9)));
            for (a, b) in [(0..2, 2..3), (0..2, 5..6), (0..0, 0..1)] {
                assert!(!overlap(&a, &b) && !overlap(&b, &a), "{a:?}, {b:?}");
            }
        }

        #[test]
        fn what_is_left_alone_is_asked_for_no_more() {
            let bytes = 1024 * GRAIN;
            let first = reserve(bytes, 1).unwrap();
            // SAFETY: the part lies within the reservation.
            unsafe { commit(first, bytes) }.unwrap();
            // Chunks of this take the helper far longer than it takes to ask for them to be left.
            touch_ahead(first, bytes);
            let kept = bytes / 2;
            leave_alone(first.map_addr(|first| first.saturating_add(kept)), bytes - kept);
            let gone = first.addr().get() + kept..first.addr().get() + bytes;
            let state = work();
            assert!(state.queue.iter().chain([&state.under_way]).all(|part| !overlap(part, &gone)));
            drop(state);
            leave_alone(first, bytes);
            let state = work();
            let all = first.addr().get()..first.addr().get() + bytes;
            assert!(state.queue.iter().chain([&state.under_way]).all(|part| !overlap(part, &all)));
            drop(state);
            // SAFETY: it is what was reserved, and nothing touches it any more.
            unsafe { release(first, bytes, 1) };
        }
    }
}
