//! The quickest clock: the processor's tick counter where it can be read cheaply, else the system's
//! clock.
#![expect(unsafe_code, reason = "the tick counter is read by an intrinsic")]

use core::time::Duration;
use std::time::Instant;

/// Ticks since an unspecified moment.
///
/// The processor may read its counter slightly before or after the neighbouring work is done. That
/// blurs a few nanoseconds, which is why a store that does nothing is measured too.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn now() -> u64 {
    // SAFETY: every processor of this kind has the instruction; it touches no memory.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Nanoseconds since the first call.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn now() -> u64 {
    static BEGINNING: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGINNING.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// How long the counter is watched to find a tick's length.
const WATCHED: Duration = Duration::from_millis(50);

/// Nanoseconds in a tick, by the system's clock.
pub(crate) fn nanoseconds_per_tick() -> f64 {
    let (start, first) = (Instant::now(), now());
    loop {
        let (elapsed, ticks) = (start.elapsed(), now().wrapping_sub(first));
        if elapsed >= WATCHED {
            return elapsed.as_nanos() as f64 / ticks.max(1) as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_agree_with_the_clock() {
        let scale = nanoseconds_per_tick();
        let (start, first) = (Instant::now(), now());
        std::thread::sleep(Duration::from_millis(40));
        let by_ticks = (now() - first) as f64 * scale;
        let ratio = by_ticks / start.elapsed().as_nanos() as f64;
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }
}
