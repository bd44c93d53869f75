//! The particle that the source documents reason about: ten numbers of 4 bytes. And the loops under measurement, each
//! written once for rows, for columns, and for lanes.
//!
//! The compiler vectorizes them because they take each slice as an argument, which tells it that the
//! slices do not overlap.

use core::hint::black_box;

/// The same ten fields, once for each crate that takes a struct apart: their attributes and generated
/// names conflict.
macro_rules! particle {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name {
            pub(crate) t: f32,
            pub(crate) x: f32,
            pub(crate) y: f32,
            pub(crate) z: f32,
            pub(crate) vx: f32,
            pub(crate) vy: f32,
            pub(crate) vz: f32,
            pub(crate) r: f32,
            pub(crate) g: f32,
            pub(crate) b: f32,
        }
    };
}

/// The same in a module, converted from and to a [`Particle`].
macro_rules! particle_alike {
    ($(#[$of_module:meta])* mod $module:ident $([$import:item])?: $(#[$attribute:meta])* $name:ident) => {
        $(#[$of_module])*
        pub(crate) mod $module {
            $($import)?

            use crate::columns::particle::Particle;

            particle!($(#[$attribute])* $name);

            impl From<Particle> for $name {
                #[inline(always)]
                fn from(particle: Particle) -> Self {
                    let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
                    Self { t, x, y, z, vx, vy, vz, r, g, b }
                }
            }

            impl From<$name> for Particle {
                #[inline(always)]
                fn from(particle: $name) -> Self {
                    let $name { t, x, y, z, vx, vy, vz, r, g, b } = particle;
                    Self { t, x, y, z, vx, vy, vz, r, g, b }
                }
            }
        }
    };
}

particle! {
    /// In rows, and in larder's columns.
    #[derive(larder::Soa)]
    Particle
}

particle_alike! {
    /// Eight of them lie together.
    mod lanes8: #[derive(larder::Soa)] #[soa(lanes = 8)] Particle8
}
particle_alike! {
    /// Sixteen of them lie together: a line of the cache for each field.
    mod lanes16: #[derive(larder::Soa)] #[soa(lanes = 16)] Particle16
}
particle_alike! {
    /// Groups of as many lanes as fill 16 KiB.
    mod lanes_of_a_block: #[derive(larder::Soa)] #[soa(lanes = "block")] ParticleBlock
}
particle_alike! {
    /// In columns of `soa-rs`.
    #[expect(dead_code, reason = "what the derive generates is not ours")]
    mod soars [use soa_rs::Soars;]: #[derive(Soars)] SoarsParticle
}
particle_alike! {
    /// In columns of `soa_derive`.
    mod soa_derive: #[derive(soa_derive::StructOfArray)] DeriveParticle
}

/// The number of fields.
pub(crate) const FIELDS: usize = 10;

impl Particle {
    /// Particle number `number`: numbers of ordinary size that differ from field to field.
    pub(crate) fn new(number: usize) -> Self {
        let at = (number % 1_000) as f32;
        Self {
            t: at * 0.5,
            x: at + 1.0,
            y: at + 2.0,
            z: at + 3.0,
            vx: at * 0.25 + 1.0,
            vy: at * 0.25 + 2.0,
            vz: at * 0.25 + 3.0,
            r: at * 0.001,
            g: at * 0.001 + 0.25,
            b: at * 0.001 + 0.5,
        }
    }

    /// The sum of all fields.
    #[inline(always)]
    pub(crate) fn sum(&self) -> f32 {
        sum_of_fields!(self)
    }
}

/// The sum of the fields of a particle, or of references to them, in this order.
macro_rules! sum_of_fields {
    ($one:ident) => {
        $one.t + $one.x + $one.y + $one.z + $one.vx + $one.vy + $one.vz + $one.r + $one.g + $one.b
    };
}
pub(crate) use sum_of_fields;

/// The length of a step, unknown to the compiler.
pub(crate) fn step() -> f32 {
    black_box(1.0 / 64.0)
}

/// The factors of a velocity and of a colour in a step. (No number comes near a denormal.)
const KEPT: f32 = 0.999_99;
const FADED: f32 = 0.99;
const GLOW: f32 = 0.005;

#[inline(always)]
pub(crate) fn tick_one(particle: &mut Particle, dt: f32) {
    particle.t += dt;
}

#[inline(always)]
pub(crate) fn simulate_one(particle: &mut Particle, dt: f32) {
    particle.x += particle.vx * dt;
    particle.y += particle.vy * dt;
    particle.z += particle.vz * dt;
}

#[inline(always)]
pub(crate) fn all_one(particle: &mut Particle, dt: f32) {
    let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
    all_fields(dt, t, [x, y, z], [vx, vy, vz], [r, g, b]);
}

/// Reads and writes all ten fields.
#[inline(always)]
fn all_fields(
    dt: f32,
    t: &mut f32,
    places: [&mut f32; 3],
    speeds: [&mut f32; 3],
    colours: [&mut f32; 3],
) {
    *t += dt;
    for (place, speed) in places.into_iter().zip(speeds) {
        *place += *speed * dt;
        *speed *= KEPT;
    }
    for colour in colours {
        *colour = *colour * FADED + GLOW;
    }
}

/// Adds to each number of a column.
#[inline(never)]
pub(crate) fn tick_column(times: &mut [f32], dt: f32) {
    tick_some(times, dt);
}

/// Adds to each number.
#[inline(always)]
pub(crate) fn tick_some(times: &mut [f32], dt: f32) {
    for time in times {
        *time += dt;
    }
}

/// Moves along one axis.
#[inline(never)]
pub(crate) fn move_column(places: &mut [f32], speeds: &[f32], dt: f32) {
    for (place, speed) in places.iter_mut().zip(speeds) {
        *place += *speed * dt;
    }
}

/// Changes all ten columns in one loop.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "each is a column that overlaps with no other")]
pub(crate) fn all_columns(
    dt: f32,
    t: &mut [f32],
    x: &mut [f32],
    y: &mut [f32],
    z: &mut [f32],
    vx: &mut [f32],
    vy: &mut [f32],
    vz: &mut [f32],
    r: &mut [f32],
    g: &mut [f32],
    b: &mut [f32],
) {
    let count = t.len();
    let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
    let (vx, vy, vz) = (&mut vx[..count], &mut vy[..count], &mut vz[..count]);
    let (r, g, b) = (&mut r[..count], &mut g[..count], &mut b[..count]);
    for at in 0..count {
        all_fields(
            dt,
            &mut t[at],
            [&mut x[at], &mut y[at], &mut z[at]],
            [&mut vx[at], &mut vy[at], &mut vz[at]],
            [&mut r[at], &mut g[at], &mut b[at]],
        );
    }
}

/// Moves a group of lanes along one axis.
#[inline(always)]
pub(crate) fn move_lanes<const L: usize>(places: &mut [f32; L], speeds: &[f32; L], dt: f32) {
    for (place, speed) in places.iter_mut().zip(speeds) {
        *place += *speed * dt;
    }
}

/// Moves a group of lanes along one axis, and slows it down.
#[inline(always)]
pub(crate) fn glide_lanes<const L: usize>(places: &mut [f32; L], speeds: &mut [f32; L], dt: f32) {
    for (place, speed) in places.iter_mut().zip(speeds) {
        *place += *speed * dt;
        *speed *= KEPT;
    }
}

/// Fades a group of lanes.
#[inline(always)]
pub(crate) fn fade_lanes<const L: usize>(colours: &mut [f32; L]) {
    for colour in colours {
        *colour = *colour * FADED + GLOW;
    }
}
