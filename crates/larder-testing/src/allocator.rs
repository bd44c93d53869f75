//! The allocator of this test binary: it counts, and refuses when told to.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::alloc::System;

/// The system's allocator, counted and held back for each thread on its own.
struct Watched;

#[global_allocator]
static WATCHED: Watched = Watched;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<isize> = const { Cell::new(0) };
    static MOST_BYTES: Cell<isize> = const { Cell::new(0) };
    static GRANTED_BYTES: Cell<usize> = const { Cell::new(0) };
    static RESIZED_BYTES: Cell<usize> = const { Cell::new(0) };
    static GRANTS_LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    static REFUSES_FOR_GOOD: Cell<bool> = const { Cell::new(false) };
    static LARGEST_GRANTED: Cell<usize> = const { Cell::new(usize::MAX) };
    static HAS_REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a request of this many bytes is granted; counts it.
fn is_granted(bytes: usize) -> bool {
    REQUESTS.set(REQUESTS.get() + 1);
    if bytes > LARGEST_GRANTED.get() {
        HAS_REFUSED.set(true);
        return false;
    }
    match GRANTS_LEFT.get() {
        usize::MAX => true,
        0 => {
            if !REFUSES_FOR_GOOD.get() {
                GRANTS_LEFT.set(usize::MAX);
            }
            HAS_REFUSED.set(true);
            false
        }
        left => {
            GRANTS_LEFT.set(left - 1);
            true
        }
    }
}

fn count_bytes(difference: isize) {
    // (All that was ever granted may be more than an address counts, and all that there is more than half of that.)
    let live = LIVE_BYTES.get().wrapping_add(difference);
    LIVE_BYTES.set(live);
    MOST_BYTES.set(MOST_BYTES.get().max(live));
    GRANTED_BYTES.set(GRANTED_BYTES.get().wrapping_add(difference.max(0) as usize));
}

/// A block, of so many bytes more; none if the system has none.
fn count_block(block: *mut u8, difference: isize) -> *mut u8 {
    if !block.is_null() {
        count_bytes(difference);
    }
    block
}

// SAFETY: every request is handed to `System` unchanged, or answered with null, which a
// `GlobalAlloc` may do at any time.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_granted(layout.size()) {
            return core::ptr::null_mut();
        }
        // SAFETY: the caller's promise is passed on.
        count_block(unsafe { System.alloc(layout) }, layout.size() as isize)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_granted(layout.size()) {
            return core::ptr::null_mut();
        }
        // SAFETY: the caller's promise is passed on.
        count_block(unsafe { System.alloc_zeroed(layout) }, layout.size() as isize)
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_granted(size) {
            return core::ptr::null_mut();
        }
        RESIZED_BYTES.set(RESIZED_BYTES.get() + layout.size());
        // SAFETY: the caller's promise is passed on.
        let block = unsafe { System.realloc(pointer, layout, size) };
        count_block(block, size as isize - layout.size() as isize)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count_bytes(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of requests that `act` made of the allocator.
pub fn requests_of<R>(act: impl FnOnce() -> R) -> (usize, R) {
    let before = REQUESTS.get();
    let result = act();
    (REQUESTS.get() - before, result)
}

/// Returns the bytes of the blocks that `act` asked the allocator to make larger or smaller, as it can do without a
/// copy.
pub fn resized_bytes_of(act: impl FnOnce()) -> usize {
    let before = RESIZED_BYTES.get();
    act();
    RESIZED_BYTES.get() - before
}

/// Runs `act` with the request after `grants` others refused, and all later ones if `for_good`;
/// tells whether it came to that.
pub fn refusing_after<R>(grants: usize, for_good: bool, act: impl FnOnce() -> R) -> (bool, R) {
    // Catching panics allocates the first time, which must not be among the requests of `act`.
    crate::caught::listen();
    REFUSES_FOR_GOOD.set(for_good);
    GRANTS_LEFT.set(grants);
    let result = act();
    GRANTS_LEFT.set(usize::MAX);
    (HAS_REFUSED.replace(false), result)
}

/// Runs `act` with all requests of more bytes refused; tells whether there were such.
pub fn refusing_above<R>(bytes: usize, act: impl FnOnce() -> R) -> (bool, R) {
    crate::caught::listen();
    LARGEST_GRANTED.set(bytes);
    let result = act();
    LARGEST_GRANTED.set(usize::MAX);
    (HAS_REFUSED.replace(false), result)
}

/// Returns the most bytes that `act` had from the allocator at a time, and the sum of all.
pub fn bytes_of<R>(act: impl FnOnce() -> R) -> (usize, usize, R) {
    let (live, granted) = (LIVE_BYTES.get(), GRANTED_BYTES.get());
    MOST_BYTES.set(live);
    let result = act();
    ((MOST_BYTES.get() - live) as usize, GRANTED_BYTES.get() - granted, result)
}

/// Returns the number of bytes that this thread has from the allocator.
pub fn live_bytes() -> isize {
    LIVE_BYTES.get()
}

/// The latest block that was lent; each leads to the one before, so that none is taken for lost.
static LENT: AtomicPtr<LentBlock> = AtomicPtr::new(core::ptr::null_mut());

#[repr(C, align(64))]
struct LentBlock {
    before: *mut LentBlock,
}

/// A block for good, aligned to 64; neither counted nor refused.
pub fn lent(bytes: usize) -> &'static mut [MaybeUninit<u8>] {
    let size = size_of::<LentBlock>() + bytes;
    let layout = Layout::from_size_align(size, align_of::<LentBlock>()).expect("not that much");
    // SAFETY: the size is not zero.
    let head = unsafe { System.alloc(layout) }.cast::<LentBlock>();
    assert!(!head.is_null(), "no memory for {bytes} bytes");
    let before = LENT.swap(head, Ordering::Relaxed);
    // SAFETY: the block is ours, and large and aligned enough.
    unsafe { head.write(LentBlock { before }) };
    // SAFETY: the block has a head at least.
    let first = unsafe { head.add(1) }.cast();
    // SAFETY: what follows the head is nobody else's, and is never freed.
    unsafe { core::slice::from_raw_parts_mut(first, bytes) }
}
