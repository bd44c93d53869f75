//! Timing a piece of work; and the quickest clock, for calls one by one: the processor's tick counter where it can be
//! read cheaply, else the system's.
#![expect(unsafe_code, reason = "the tick counter is read by an intrinsic")]

use core::hint::black_box;
use core::ops::AddAssign;
use core::time::Duration;
use std::sync::OnceLock;
use std::time::Instant;

/// The time of a subject in its turn, and its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// The time of all operations together, or what is counted instead.
    pub(crate) nanos: f64,
    /// The number of operations.
    pub(crate) operations: f64,
    /// A digest of the container's answers, which must be the same for every subject.
    pub(crate) answer: u64,
}

impl Sample {
    /// Nanoseconds per operation.
    pub(crate) fn per_operation(&self) -> f64 {
        self.nanos / self.operations
    }
}

impl AddAssign for Sample {
    fn add_assign(&mut self, next: Self) {
        self.nanos += next.nanos;
        self.operations += next.operations;
        self.answer = self.answer.rotate_left(1).wrapping_add(next.answer);
    }
}

/// The nanoseconds that a piece of work takes, less the cost of reading the clock, and its answer.
/// Never less than one nanosecond, below which the clock shows nothing: no ratio may be to zero.
///
/// The work is behind a virtual call, so it should take much longer than one.
pub(crate) fn timed(work: &mut dyn FnMut() -> u64) -> (f64, u64) {
    let (nanos, answer) = raw_timed(work);
    ((nanos - clock_cost()).max(1.0), answer)
}

fn raw_timed(work: &mut dyn FnMut() -> u64) -> (f64, u64) {
    let start = Instant::now();
    let answer = black_box(work());
    (start.elapsed().as_nanos() as f64, answer)
}

/// The time shown for no work: the least of many tries.
fn clock_cost() -> f64 {
    static COST: OnceLock<f64> = OnceLock::new();
    let nothing = |_| raw_timed(&mut || black_box(0)).0;
    *COST.get_or_init(|| (0..10_000).map(nothing).fold(f64::INFINITY, f64::min))
}

/// Keeps the compiler from carrying a container's fields in registers from one operation to the next,
/// as it could in a loop that does nothing else and cannot in a real program.
#[inline(always)]
pub(crate) fn barrier() {
    black_box(());
}

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

/// The time for which the counter is watched to find a tick's length.
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
