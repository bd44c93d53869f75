//! Temporary columns: whether copying a few fields out of each row, computing, and writing them back is
//! quicker than computing in place, by how much is computed.

use larder::soa;

use super::particle::Particle;
use super::{digest, turn};
use crate::study::prelude::*;

pub(super) fn parts() -> Vec<Part> {
    // The number of multiplications and additions that each particle takes.
    let parts = [parts_of::<1>(), parts_of::<4>(), parts_of::<16>(), parts_of::<64>()];
    parts.into_iter().flatten().collect()
}

fn parts_of<const OPERATIONS: usize>() -> Vec<Part> {
    study::parts("temporary", &[10_000, 1_000_000], NEVER_SLOW, |contest| {
        let about = "so many multiplications and additions on one of two fields, a particle";
        let turns = turns::<OPERATIONS>(contest.count);
        contest.take_turns(&format!("{OPERATIONS} operations"), about, turns)
    })
}

/// Computes a place that moves towards a goal in several steps.
#[inline(always)]
fn drift<const OPERATIONS: usize>(mut place: f32, speed: f32, dt: f32) -> f32 {
    for _ in 0..OPERATIONS {
        place = place * 0.875 + speed * dt;
    }
    place
}

#[inline(never)]
fn in_place<const OPERATIONS: usize>(rows: &mut larder::Arena<Particle>, dt: f32) {
    rows.values_mut().for_each(|row| row.x = drift::<OPERATIONS>(row.x, row.vx, dt));
}

/// The number of particles that are computed side by side, and of operations at a time: a compiler vectorizes the inner
/// loop, so that is the loop over particles.
const LANES: usize = 64;
const AT_ONCE: usize = 4;

#[inline(always)]
fn over_columns<const OPERATIONS: usize>(places: &mut [f32], speeds: &[f32], dt: f32) {
    if OPERATIONS < AT_ONCE {
        return over_lanes::<OPERATIONS>(places, speeds, dt);
    }
    for (places, speeds) in places.chunks_mut(LANES).zip(speeds.chunks(LANES)) {
        (0..OPERATIONS / AT_ONCE).for_each(|_| over_lanes::<AT_ONCE>(places, speeds, dt));
    }
}

#[inline(always)]
fn over_lanes<const OPERATIONS: usize>(places: &mut [f32], speeds: &[f32], dt: f32) {
    for (place, speed) in places.iter_mut().zip(speeds) {
        *place = drift::<OPERATIONS>(*place, *speed, dt);
    }
}

#[inline(never)]
fn for_a_while<const OPERATIONS: usize>(rows: &mut larder::Arena<Particle>, dt: f32) {
    soa::gather_mut(
        &mut *rows,
        |_, row| (row.x, row.vx),
        |(places, speeds)| over_columns::<OPERATIONS>(places, speeds, dt),
        |row, (place, _)| row.x = place,
    );
}

#[inline(never)]
fn in_columns<const OPERATIONS: usize>(columns: &mut larder::SoaArena<Particle>, dt: f32) {
    let all = columns.columns_mut();
    over_columns::<OPERATIONS>(all.x, all.vx, dt);
}

fn turns<const OPERATIONS: usize>(count: usize) -> Vec<Turn<'static>> {
    let rows = || larder::Arena::from_iter((0..count).map(Particle::new));
    let columns = larder::SoaArena::from_iter((0..count).map(Particle::new));
    let of_rows = |rows: &larder::Arena<Particle>| digest(rows.values().map(|row| &row.x));
    vec![
        turn("Arena, in place", count, rows(), in_place::<OPERATIONS>, of_rows),
        turn("Arena, temporary columns", count, rows(), for_a_while::<OPERATIONS>, of_rows),
        turn("SoaArena", count, columns, in_columns::<OPERATIONS>, |all| {
            digest(all.columns().x.iter())
        }),
    ]
}
