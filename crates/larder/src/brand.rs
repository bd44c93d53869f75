//! Numbers that tell pools apart, where a handle has bits to spare for one.

#[cfg(target_has_atomic = "16")]
use core::sync::atomic::{AtomicU16, Ordering};

/// Hands out the numbers from 1 to `count` in turn, then again.
///
/// Where there are no atomic numbers of 16 bits it is always 1: there pools are not told apart.
pub(crate) struct Brands {
    #[cfg(target_has_atomic = "16")]
    last: AtomicU16,
    #[cfg(target_has_atomic = "16")]
    count: u16,
}

#[cfg(target_has_atomic = "16")]
impl Brands {
    pub(crate) const fn new(count: u16) -> Self {
        Self { last: AtomicU16::new(0), count }
    }

    pub(crate) fn next(&self) -> u16 {
        let after = |last| last % self.count + 1;
        // No memory depends on the number.
        let last =
            self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last)));
        last.map_or(1, after)
    }
}

#[cfg(not(target_has_atomic = "16"))]
impl Brands {
    pub(crate) const fn new(_: u16) -> Self {
        Self {}
    }

    pub(crate) fn next(&self) -> u16 {
        1
    }
}
