//! The particle that the source documents reason about: ten numbers of 4 bytes.

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
    /// As many lie together as fill 16 KiB.
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

/// How many fields there are.
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
