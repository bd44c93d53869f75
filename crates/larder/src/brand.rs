//! Numbers that tell pools apart, where a handle has bits to spare for one.

#[cfg(target_has_atomic = "32")]
use core::sync::atomic::{AtomicU32, Ordering};

/// Hands out 0, 1, 2, … in turn, after 2³² again.
///
/// Where there are no atomic numbers of 32 bits it is always 0: there pools are not told apart.
pub(crate) struct PoolNumbers {
    #[cfg(target_has_atomic = "32")]
    next: AtomicU32,
}

#[cfg(target_has_atomic = "32")]
impl PoolNumbers {
    pub(crate) const fn new() -> Self {
        Self { next: AtomicU32::new(0) }
    }

    pub(crate) fn next(&self) -> u32 {
        // No memory depends on the number.
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

#[cfg(not(target_has_atomic = "32"))]
impl PoolNumbers {
    pub(crate) const fn new() -> Self {
        Self {}
    }

    pub(crate) fn next(&self) -> u32 {
        0
    }
}
