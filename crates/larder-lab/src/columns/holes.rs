//! Passes over one column of `f32` where some slots are holes, per live element.

use super::particle::Particle;
use super::particle::{tick_column, tick_some};
use super::{digest, turn};
use crate::study::prelude::*;

/// How many in a hundred are live.
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

fn soa(count: usize, percent: usize) -> Soa {
    let mut arena = Soa::with_capacity(count);
    let keys: Vec<_> = (0..count).map(|at| arena.insert(Particle::new(at))).collect();
    for at in doomed(count, percent) {
        arena.remove(keys[at]);
    }
    arena
}

fn soa_times(arena: &Soa) -> u64 {
    digest(arena.values().map(|particle| particle.t))
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
    let by = |name, pass| turn(name, live, soa(count, percent), pass, soa_times);
    let mut turns = [
        turn("Vec<f32>", live, times, |all, dt| tick_column(all, dt), |all| digest(all.iter())),
        by("SoaArena, whole column", by_column),
        by("SoaArena, whole groups", by_groups),
        by("SoaArena, groups by mask", by_mask),
        by("SoaArena, runs", by_runs),
        by("SoaArena, values_mut", by_values),
        arena(count, percent, live),
        slot_map(count, percent, live),
    ];
    let about = "a pass over one column of numbers, per live one";
    contest.take_turns(&format!("{percent} % live"), about, &mut turns)
}

fn arena(count: usize, percent: usize, live: usize) -> Turn<'static> {
    let mut arena = larder::Arena::with_capacity(count);
    let keys: Vec<_> = (0..count).map(|at| arena.insert(Particle::new(at).t)).collect();
    for at in doomed(count, percent) {
        arena.remove(keys[at]);
    }
    turn(
        "Arena<f32>, values_mut",
        live,
        arena,
        |all, dt| all.values_mut().for_each(|time| *time += dt),
        |all| digest(all.values()),
    )
}

fn slot_map(count: usize, percent: usize, live: usize) -> Turn<'static> {
    let mut map = slotmap::SlotMap::<slotmap::DefaultKey, f32>::with_capacity(count);
    let keys: Vec<_> = (0..count).map(|at| map.insert(Particle::new(at).t)).collect();
    for at in doomed(count, percent) {
        map.remove(keys[at]);
    }
    turn(
        "SlotMap<f32>, values_mut",
        live,
        map,
        |all, dt| all.values_mut().for_each(|time| *time += dt),
        |all| digest(all.values()),
    )
}
