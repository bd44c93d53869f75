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
use std::alloc::System;

/// The environment variable that chooses, set before a process starts.
pub(crate) const VARIABLE: &str = "LARDER_LAB_ALLOCATOR";

/// Its value for mimalloc, which copies large blocks where the system's moves their pages.
pub(crate) const MIMALLOC: &str = "mimalloc";

#[global_allocator]
static COUNTING: Counting = Counting;

// Constants without a destructor: reading them allocates nothing, and they exist until a thread's
// last block is freed. `LIVE` is negative in a thread that frees blocks of other threads.
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

/// Returns the number of additional bytes since `before`; 0 if there are fewer.
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

/// A call to the chosen allocator, always the same one.
#[cfg(not(feature = "mimalloc"))]
macro_rules! chosen {
    ($($call:tt)*) => { System.$($call)* };
}
#[cfg(feature = "mimalloc")]
macro_rules! chosen {
    ($($call:tt)*) => {
        if choice::is_mimalloc() { mimalloc::MiMalloc.$($call)* } else { System.$($call)* }
    };
}

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

// SAFETY: every call is passed on unchanged to one allocator, always the same one; counting touches
// no memory that is handed out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps `alloc`'s contract, which is that allocator's.
        let block = unsafe { chosen!(alloc(layout)) };
        was_asked();
        if !block.is_null() {
            grew_by(layout.size());
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps `alloc_zeroed`'s contract, which is that allocator's.
        let block = unsafe { chosen!(alloc_zeroed(layout)) };
        was_asked();
        if !block.is_null() {
            grew_by(layout.size());
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `block` came from one of the other functions here, so from the same allocator.
        unsafe { chosen!(dealloc(block, layout)) };
        shrank_by(layout.size());
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: `block` came from one of the other functions here, so from the same allocator.
        let moved = unsafe { chosen!(realloc(block, layout, new_size)) };
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

/// The system's allocator or mimalloc, chosen by an environment variable.
///
/// A global allocator is fixed when a program is compiled, so every call is passed on to one of
/// two. The first call decides which, so no block is ever given back to the other.
#[cfg(feature = "mimalloc")]
mod choice {
    use core::ffi::{CStr, c_char};
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const UNDECIDED: u8 = 0;
    const SYSTEM: u8 = 1;
    const MIMALLOC: u8 = 2;

    static CHOICE: AtomicU8 = AtomicU8::new(UNDECIDED);

    /// Returns whether mimalloc was chosen. Threads that ask for the first time at once all find the same.
    #[inline(always)]
    pub(super) fn is_mimalloc() -> bool {
        match CHOICE.load(Relaxed) {
            UNDECIDED => decide(),
            choice => choice == MIMALLOC,
        }
    }

    #[cold]
    fn decide() -> bool {
        let wanted = variable().is_some_and(|value| value == super::MIMALLOC.as_bytes());
        CHOICE.store(if wanted { MIMALLOC } else { SYSTEM }, Relaxed);
        wanted
    }

    /// [`VARIABLE`](super::VARIABLE) as a C string.
    const NAME: &CStr = c"LARDER_LAB_ALLOCATOR";

    /// The variable's value. The standard library would allocate to return it.
    fn variable() -> Option<&'static [u8]> {
        unsafe extern "C" {
            fn getenv(name: *const c_char) -> *const c_char;
        }
        // SAFETY: every C library has this function; the name ends with a zero.
        let value = unsafe { getenv(NAME.as_ptr()) };
        if value.is_null() {
            return None;
        }
        // SAFETY: the value ends with a zero, and nothing in this program changes its environment.
        Some(unsafe { CStr::from_ptr(value) }.to_bytes())
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::measure::allocator::VARIABLE;

        #[test]
        fn the_variable_is_the_one_that_others_set() {
            assert_eq!(NAME.to_str(), Ok(VARIABLE));
        }

        #[test]
        fn the_choice_is_the_environments() {
            let wanted = std::env::var(VARIABLE).is_ok_and(|value| value == "mimalloc");
            assert_eq!(is_mimalloc(), wanted);
        }
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
