//! Passes over one column of `f32` where some slots are holes, per live element.

use super::particle::Particle;
use super::particle::{tick_column, tick_some};
use super::{digest, turn};
use crate::study::prelude::*;

/// The number of live slots in a hundred.
const PERCENT: [usize; 3] = [100, 90, 50];

pub(super) fn parts() -> Vec<Part> {
    let dense = |percent| {
        study::parts("holes", &[10_000, 100_000, 1_000_000], NEVER_SLOW, move |contest| {
            measure(contest, percent)
        })
    };
    PERCENT.into_iter().flat_map(dense).collect()
}

type Soa = larder::SoaArena<Particle>;

/// The numbers of the particles that are removed: at random, the same in every store.
fn doomed(count: usize, percent: usize) -> impl Iterator<Item = usize> {
    Scatter::new(count, 0xD00).take(count - count * percent / 100)
}

/// The times of the live particles, in slot order.
fn packed(count: usize, percent: usize) -> Vec<f32> {
    let mut live = vec![true; count];
    doomed(count, percent).for_each(|at| live[at] = false);
    let live = (0..count).filter(|&at| live[at]);
    live.map(|at| Particle::new(at).t).collect()
}

/// A full container from which some of its values are removed.
macro_rules! thinned {
    ($container:ty, $count:expr, $percent:expr, |$particle:ident| $value:expr) => {{
        let (count, mut all) = ($count, <$container>::with_capacity($count));
        let value = |$particle: Particle| $value;
        let keys: Vec<_> = (0..count).map(|at| all.insert(value(Particle::new(at)))).collect();
        doomed(count, $percent).for_each(|at| _ = all.remove(keys[at]));
        all
    }};
}

#[inline(never)]
fn by_column(arena: &mut Soa, dt: f32) {
    tick_some(arena.columns_mut().t, dt);
}

#[inline(never)]
fn by_groups(arena: &mut Soa, dt: f32) {
    arena.groups_mut().for_each(|(_, columns)| tick_some(columns.t, dt));
}

/// Each lane's bit in half a mask: constants, so that one instruction tests many lanes.
static BITS: [u32; 32] = {
    let mut bits = [1; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] <<= lane;
        lane += 1;
    }
    bits
};

/// Changes only live values, chosen by the mask.
#[inline(never)]
fn by_mask(arena: &mut Soa, dt: f32) {
    arena.groups_mut().for_each(|(live, columns)| {
        // So that the compiler knows the length of a whole group.
        match columns.t.as_chunks_mut::<64>() {
            ([times], []) => masked(live.bits(), times, dt),
            (_, times) => masked(live.bits(), times, dt),
        }
    });
}

#[inline(always)]
fn masked(bits: u64, times: &mut [f32], dt: f32) {
    for (half, times) in [bits as u32, (bits >> 32) as u32].into_iter().zip(times.chunks_mut(32)) {
        for (time, bit) in times.iter_mut().zip(&BITS) {
            *time += if half & bit != 0 { dt } else { 0.0 };
        }
    }
}

#[inline(never)]
fn by_runs(arena: &mut Soa, dt: f32) {
    arena.runs_mut().for_each(|columns| tick_some(columns.t, dt));
}

#[inline(never)]
fn by_values(arena: &mut Soa, dt: f32) {
    arena.values_mut().for_each(|particle| *particle.t += dt);
}

/// Measures one density.
fn measure(contest: &Contest<'_>, percent: usize) -> Result<Vec<Row>> {
    let count = contest.count;
    let times = packed(count, percent);
    let live = times.len();
    let by = |name, pass| {
        let soa = thinned!(Soa, count, percent, |particle| particle);
        turn(name, live, soa, pass, |all| digest(all.values().map(|particle| particle.t)))
    };
    let turns = vec![
        turn("Vec<f32>", live, times, |all, dt| tick_column(all, dt), |all| digest(all.iter())),
        by("SoaArena, whole column", by_column),
        by("SoaArena, whole groups", by_groups),
        by("SoaArena, groups by mask", by_mask),
        by("SoaArena, runs", by_runs),
        by("SoaArena, values_mut", by_values),
        turn(
            "Arena<f32>, values_mut",
            live,
            thinned!(larder::Arena<f32>, count, percent, |particle| particle.t),
            |all, dt| all.values_mut().for_each(|time| *time += dt),
            |all| digest(all.values()),
        ),
        turn(
            "SlotMap<f32>, values_mut",
            live,
            thinned!(slotmap::SlotMap<_, f32>, count, percent, |particle| particle.t),
            |all: &mut slotmap::SlotMap<slotmap::DefaultKey, _>, dt| {
                all.values_mut().for_each(|time| *time += dt);
            },
            |all| digest(all.values()),
        ),
    ];
    let about = "a pass over one column of numbers, per live one";
    contest.take_turns(&format!("{percent} % live"), about, turns)
}
