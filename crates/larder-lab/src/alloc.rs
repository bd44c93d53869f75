//! The global allocator of the lab: the system's, with a count of the bytes that are in use,
//! and of the blocks that were asked for.
//!
//! Built with the feature `mimalloc`, the lab has that allocator too, and takes it instead where the
//! environment has `LARDER_LAB_ALLOCATOR=mimalloc`.
//!
//! The counts are the bytes that were asked for, not the pages behind them, so they do not depend
//! on the system or on who ran before. They are of the whole process: a reader that wants one
//! container's bytes takes the difference to a moment before the container was made, and allocates
//! nothing else in between.
//!
//! Counting takes about as long as the system's allocator takes for a small block. Where allocations
//! are timed it is switched off.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

#[cfg(feature = "mimalloc")]
mod backend;

#[cfg(feature = "mimalloc")]
use self::backend::Backend;
#[cfg(not(feature = "mimalloc"))]
use std::alloc::System as Backend;

#[global_allocator]
static COUNTING: Counting = Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static COUNTS: AtomicBool = AtomicBool::new(true);

/// Counts no more, but within [`counted`].
pub(crate) fn stop_counting() {
    COUNTS.store(false, Relaxed);
}

/// Counts while this work is done.
pub(crate) fn counted<R>(work: impl FnOnce() -> R) -> R {
    let before = COUNTS.swap(true, Relaxed);
    let result = work();
    COUNTS.store(before, Relaxed);
    result
}

/// Blocks that were asked for until now, made larger or smaller included.
pub(crate) fn allocations() -> usize {
    ALLOCATIONS.load(Relaxed)
}

/// Bytes in use now.
pub(crate) fn live_bytes() -> usize {
    LIVE.load(Relaxed)
}

/// The most bytes that were in use at once since the last [`reset_peak`].
pub(crate) fn peak_bytes() -> usize {
    PEAK.load(Relaxed)
}

/// Forgets the peak: it starts again at what is in use now.
pub(crate) fn reset_peak() {
    PEAK.store(LIVE.load(Relaxed), Relaxed);
}

/// The allocators that the lab can run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allocator {
    /// The system's.
    System,
    /// mimalloc, which does not move pages but copies what they hold.
    MiMalloc,
}

impl Allocator {
    /// The variable of the environment that chooses, before a process begins.
    pub(crate) const VARIABLE: &str = "LARDER_LAB_ALLOCATOR";

    /// What the variable has to be.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::MiMalloc => "mimalloc",
        }
    }

    /// Whether it is in this binary.
    pub(crate) fn is_here(self) -> bool {
        self == Self::System || cfg!(feature = "mimalloc")
    }
}

/// The chosen allocator, counting.
struct Counting;

#[inline]
fn was_asked() {
    if COUNTS.load(Relaxed) {
        ALLOCATIONS.fetch_add(1, Relaxed);
    }
}

#[inline]
fn grew_by(bytes: usize) {
    if COUNTS.load(Relaxed) {
        let live = LIVE.fetch_add(bytes, Relaxed).wrapping_add(bytes);
        PEAK.fetch_max(live, Relaxed);
    }
}

#[inline]
fn shrank_by(bytes: usize) {
    if COUNTS.load(Relaxed) {
        LIVE.fetch_sub(bytes, Relaxed);
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
            // A block that is grown in place or moved by its pages is never there twice, so the
            // peak counts the new size once.
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

    // Tests share the process and its counts with one another, so the blocks here are far larger
    // than anything that another test holds.
    const BIG: usize = 256 << 20;

    #[test]
    fn a_block_is_counted_while_it_lives_and_in_the_peak_after() {
        reset_peak();
        let block = Vec::<u8>::with_capacity(BIG);
        assert!(live_bytes() >= BIG);
        drop(block);
        assert!(live_bytes() < BIG);
        assert!(peak_bytes() >= BIG);
    }

    #[test]
    fn a_block_counts_when_it_is_made_and_when_it_grows() {
        let before = allocations();
        let mut block = Vec::<u8>::with_capacity(10);
        block.reserve_exact(1_000);
        assert!(allocations() >= before + 2);
    }
}
