//! The system's allocator or mimalloc, chosen by an environment variable.
//!
//! A global allocator is fixed when a program is compiled, so this one passes every call on to one of
//! two. The first call decides which, so no block is ever given back to the other.

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::alloc::System;

use mimalloc::MiMalloc;

use super::choices::Allocator;

/// The system's allocator or mimalloc, as the environment says.
pub(super) struct Backend;

const UNDECIDED: u8 = 0;
const SYSTEM: u8 = 1;
const MIMALLOC: u8 = 2;

static CHOICE: AtomicU8 = AtomicU8::new(UNDECIDED);

/// Whether mimalloc was chosen. Threads that ask for the first time at once all find the same.
#[inline(always)]
fn is_mimalloc() -> bool {
    match CHOICE.load(Relaxed) {
        UNDECIDED => decide(),
        choice => choice == MIMALLOC,
    }
}

#[cold]
fn decide() -> bool {
    let wanted = variable().is_some_and(|value| value == Allocator::MiMalloc.name().as_bytes());
    CHOICE.store(if wanted { MIMALLOC } else { SYSTEM }, Relaxed);
    wanted
}

/// [`Allocator::VARIABLE`] as a C string.
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

// SAFETY: every call goes unchanged to one of two allocators, always to the same one.
unsafe impl GlobalAlloc for Backend {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_mimalloc() {
            // SAFETY: the caller keeps `alloc`'s contract, which is mimalloc's.
            return unsafe { MiMalloc.alloc(layout) };
        }
        // SAFETY: the caller keeps `alloc`'s contract, which is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_mimalloc() {
            // SAFETY: the caller keeps `alloc_zeroed`'s contract, which is mimalloc's.
            return unsafe { MiMalloc.alloc_zeroed(layout) };
        }
        // SAFETY: the caller keeps `alloc_zeroed`'s contract, which is the system's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_mimalloc() {
            // SAFETY: `block` came from one of the other functions here, so from mimalloc.
            return unsafe { MiMalloc.dealloc(block, layout) };
        }
        // SAFETY: `block` came from one of the other functions here, so from the system.
        unsafe { System.dealloc(block, layout) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if is_mimalloc() {
            // SAFETY: `block` came from one of the other functions here, so from mimalloc.
            return unsafe { MiMalloc.realloc(block, layout, new_size) };
        }
        // SAFETY: `block` came from one of the other functions here, so from the system.
        unsafe { System.realloc(block, layout, new_size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_the_one_that_others_set() {
        assert_eq!(NAME.to_str(), Ok(Allocator::VARIABLE));
    }

    #[test]
    fn the_choice_is_the_environments() {
        let wanted = std::env::var(Allocator::VARIABLE).is_ok_and(|value| value == "mimalloc");
        assert_eq!(is_mimalloc(), wanted);
    }
}
