//! What it costs where holes hold numbers that a processor is slow with: a pass over a whole column,
//! half of it holes, whose numbers are all multiplied and added.

use anyhow::Result;
use larder::soa::Fill;
use larder::{Soa, SoaArena};

use crate::compare::random::Scatter;
use crate::study::{Method, Row, Title, Turn, take_turns};

/// The name of the study.
pub(crate) const NAME: &str = "denormals";
/// How many slots there are.
pub(crate) const COUNTS: &[usize] = &[10_000, 1_000_000];
/// The only workload.
pub(crate) const WORKLOAD: &str = "halved twice";

/// A number; of a hole, zero: what `Soa` gives it if nothing is said.
#[derive(Clone, Copy, Soa)]
struct Zero {
    t: f32,
}

/// A number; of a hole, 2⁻¹³⁰: what a value that decays leaves behind.
#[derive(Clone, Copy, Soa)]
struct Denormal {
    #[soa(fill = f32::from_bits(1 << 19))]
    t: f32,
}

/// A store of which every second value is gone.
fn store<T: Soa + Fill>(count: usize, make: impl Fn(f32) -> T) -> SoaArena<T> {
    let mut arena = SoaArena::with_capacity(count);
    let keys: Vec<_> = (0..count).map(|at| arena.insert(make(at as f32))).collect();
    for at in Scatter::new(count, 0xDE).take(count / 2) {
        arena.remove(keys[at]);
    }
    arena
}

/// Numbers are afterwards what they were, small ones too: all that happens is exact.
#[inline(never)]
fn halve_twice(times: &mut [f32]) {
    times.iter_mut().for_each(|time| *time = *time * 0.5 + *time * 0.5);
}

fn digest<'a>(live: impl Iterator<Item = &'a f32>) -> u64 {
    live.fold(0_u64, |sum, time| sum.rotate_left(1).wrapping_add(u64::from(time.to_bits())))
}

/// Measures it at one count.
pub(crate) fn measure(count: usize, method: Method) -> Result<Vec<Row>> {
    let about = "a pass over a whole column, half of it holes, per slot";
    let title = Title { study: NAME, workload: WORKLOAD.to_owned(), about, count };
    let zeros = store(count, |t| Zero { t });
    let denormals = store(count, |t| Denormal { t });
    let mut turns = [
        Turn::changing(
            "holes are 0",
            count,
            zeros,
            |all| halve_twice(all.columns_mut().t),
            |all| digest(all.values().map(|one| one.t)),
        ),
        Turn::changing(
            "holes are denormal",
            count,
            denormals,
            |all| halve_twice(all.columns_mut().t),
            |all| digest(all.values().map(|one| one.t)),
        ),
    ];
    take_turns(&title, &mut turns, method)
}
