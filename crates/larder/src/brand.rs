//! Numbers that tell pools apart, where a handle has bits to spare for one.

#[cfg(target_has_atomic = "16")]
use core::sync::atomic::{AtomicU16, Ordering};

/// Hands out the numbers from 1 to 65,535 in turn, then again.
///
/// Where there are no atomic numbers of 16 bits it is always 1: there pools are not told apart.
pub(crate) struct Brands {
    #[cfg(target_has_atomic = "16")]
    last: AtomicU16,
}

impl Brands {
    pub(crate) const fn new() -> Self {
        Self {
            #[cfg(target_has_atomic = "16")]
            last: AtomicU16::new(0),
        }
    }

    #[cfg(target_has_atomic = "16")]
    pub(crate) fn next(&self) -> u16 {
        // No memory depends on the number.
        match self.last.fetch_add(1, Ordering::Relaxed).wrapping_add(1) {
            0 => self.next(),
            brand => brand,
        }
    }

    #[cfg(not(target_has_atomic = "16"))]
    pub(crate) fn next(&self) -> u16 {
        1
    }
}
