//! The global allocator of the lab: the system's, counting the bytes in use and the blocks asked for.
//!
//! Built with the feature `mimalloc`, the lab has that allocator too, and uses it if the environment
//! has `LARDER_LAB_ALLOCATOR=mimalloc`.
//!
//! The counts are the bytes asked for, not the pages behind them, so they do not depend on the system
//! or on earlier measurements. Every thread counts its own. The bytes of one container are the
//! difference to a moment before it was made, if nothing else is allocated in between.
//!
//! Counting takes about as long as the system's allocator needs for a small block, so it is switched
//! off where allocations are timed.
#![expect(unsafe_code, reason = "implementing an allocator is unsafe")]

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;

#[cfg(feature = "mimalloc")]
mod choice;
mod choices;

#[cfg(feature = "mimalloc")]
use self::choice::Backend;
#[cfg(not(feature = "mimalloc"))]
use std::alloc::System as Backend;

pub(crate) use self::choices::Allocator;

#[global_allocator]
static COUNTING: Counting = Counting;

// Constants without a destructor: reading them allocates nothing, and they exist until a thread's last
// block is freed. `LIVE` is negative in a thread that frees blocks of other threads.
thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static COUNTS: Cell<bool> = const { Cell::new(true) };
}

/// Stops counting in this thread, except within [`counted`].
pub(crate) fn stop_counting() {
    COUNTS.set(false);
}

/// Counts while `work` runs.
pub(crate) fn counted<R>(work: impl FnOnce() -> R) -> R {
    let before = COUNTS.replace(true);
    let result = work();
    COUNTS.set(before);
    result
}

/// The result of `work`, and how many more bytes are in use after it than before.
pub(crate) fn bytes_kept_by<R>(work: impl FnOnce() -> R) -> (R, usize) {
    counted(|| {
        let before = live_bytes();
        let result = work();
        (result, bytes_since(before, live_bytes()))
    })
}

/// How many more bytes there are now than before; 0 if there are fewer.
pub(crate) fn bytes_since(before: isize, now: isize) -> usize {
    usize::try_from(now - before).unwrap_or(0)
}

/// The number of blocks asked for so far, including those that were resized.
pub(crate) fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// Bytes in use now, up to a constant for a thread that frees only its own blocks.
pub(crate) fn live_bytes() -> isize {
    LIVE.get()
}

/// The most bytes in use at once since the last [`reset_peak`].
pub(crate) fn peak_bytes() -> isize {
    PEAK.get()
}

/// Sets the peak to what is in use now.
pub(crate) fn reset_peak() {
    PEAK.set(LIVE.get());
}

/// The chosen allocator, counting.
struct Counting;

#[inline]
fn was_asked() {
    if COUNTS.get() {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    }
}

#[inline]
fn grew_by(bytes: usize) {
    if COUNTS.get() {
        let live = LIVE.get() + bytes as isize;
        LIVE.set(live);
        PEAK.set(PEAK.get().max(live));
    }
}

#[inline]
fn shrank_by(bytes: usize) {
    if COUNTS.get() {
        LIVE.set(LIVE.get() - bytes as isize);
    }
}

// SAFETY: every call is passed on to the backend unchanged; counting touches no memory
// that is handed out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps `alloc`'s contract, which is the backend's.
        let block = unsafe { Backend.alloc(layout) };
        was_asked();
        if !block.is_null() {
            grew_by(layout.size());
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps `alloc_zeroed`'s contract, which is the backend's.
        let block = unsafe { Backend.alloc_zeroed(layout) };
        was_asked();
        if !block.is_null() {
            grew_by(layout.size());
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `block` came from one of the other functions here, so from the same backend.
        unsafe { Backend.dealloc(block, layout) };
        shrank_by(layout.size());
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: `block` came from one of the other functions here, so from the same backend.
        let moved = unsafe { Backend.realloc(block, layout, new_size) };
        was_asked();
        if !moved.is_null() {
            // A block that grows in place or is moved by its pages never exists twice, so the peak
            // counts the new size once.
            if new_size >= layout.size() {
                grew_by(new_size - layout.size());
            } else {
                shrank_by(layout.size() - new_size);
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 1_000;

    #[test]
    fn a_block_is_counted_while_it_lives_and_in_the_peak_after() {
        let before = live_bytes();
        reset_peak();
        let block = Vec::<u8>::with_capacity(BYTES);
        assert_eq!(bytes_since(before, live_bytes()), BYTES);
        drop(block);
        assert_eq!(live_bytes(), before);
        assert_eq!(bytes_since(before, peak_bytes()), BYTES);
    }

    #[test]
    fn a_block_counts_when_it_is_made_and_when_it_grows() {
        let before = allocations();
        let mut block = Vec::<u8>::with_capacity(10);
        block.reserve_exact(BYTES);
        assert_eq!(allocations(), before + 2);
    }

    #[test]
    fn other_threads_count_for_themselves() {
        let block = Vec::<u8>::with_capacity(BYTES);
        let before = live_bytes();
        let ((), kept) = bytes_kept_by(|| {
            std::thread::spawn(move || drop(block)).join().expect("the other thread ends well");
        });
        assert!(live_bytes() >= before, "a block that another thread freed is not counted here");
        assert!(kept < BYTES, "only what it took to start a thread");
    }
}
