//! The stores of particles under measurement: larder's, their rivals, and two baselines.

mod aligned;
#[cfg(feature = "ecs")]
mod ecs;

use slotmap::{DefaultKey, SlotMap};

pub(crate) use self::aligned::Aligned;
#[cfg(feature = "ecs")]
pub(crate) use self::ecs::{Bevy, Hecs};
use super::flock::{Flock, by_columns};
use super::kernels::{
    all_one, columns_of, fade_lanes, glide_lanes, move_lanes, simulate_one, tick_one, tick_some,
};
use super::particle::lanes_of_a_block::ParticleBlock;
use super::particle::lanes8::Particle8;
use super::particle::lanes16::Particle16;
use super::particle::soa_derive::DeriveParticleVec;
use super::particle::soars::SoarsParticle;
use super::particle::{Particle, sum_of_fields};

/// The loops of a store of rows: over an iterator of particles.
macro_rules! by_rows {
    (|$all:ident| $particles:expr) => {
        #[inline(never)]
        fn tick(&mut self, dt: f32) {
            let $all = self;
            $particles.for_each(|particle| tick_one(particle, dt));
        }

        #[inline(never)]
        fn simulate(&mut self, dt: f32) {
            let $all = self;
            $particles.for_each(|particle| simulate_one(particle, dt));
        }

        #[inline(never)]
        fn all(&mut self, dt: f32) {
            let $all = self;
            $particles.for_each(|particle| all_one(particle, dt));
        }
    };
}

/// A store without handles, whose keys are positions: one that has `push` and `swap_remove`.
macro_rules! positions {
    ($(#[$doc:meta])* $flock:ident($store:ty), $name:literal, $($loops:tt)*) => {
        $(#[$doc])*
        pub(crate) struct $flock($store);

        impl Flock for $flock {
            type Key = u32;

            const NAME: &'static str = $name;

            fn with_capacity(count: usize) -> Self {
                Self(<$store>::with_capacity(count))
            }

            #[inline(always)]
            fn insert(&mut self, particle: Particle) -> u32 {
                self.0.push(particle.into());
                self.0.len() as u32 - 1
            }

            #[inline(always)]
            fn remove(&mut self, key: u32) -> Option<Particle> {
                Some(self.0.swap_remove(key as usize).into())
            }

            #[inline(always)]
            fn sum_of(&self, key: u32) -> Option<f32> {
                self.0.get(key as usize).map(|one| sum_of_fields!(one))
            }

            $($loops)*
        }
    };
}

positions! {
    /// The yardstick: particles in a `Vec`.
    Rows(Vec<Particle>), "Vec", by_rows!(|all| all.0.iter_mut());
}
positions! {
    /// `soa_rs::Soa`: columns in one allocation.
    SoaRs(soa_rs::Soa<SoarsParticle>), "soa-rs", by_columns!(|all| columns_of!(all.0.slices_mut()));
}
positions! {
    /// `soa_derive`: a `Vec` for each field.
    SoaDerive(DeriveParticleVec), "soa_derive",
    by_columns!(|all| columns_of!(all.0.as_mut_slice()));
}

/// One of larder's containers, with handles.
macro_rules! handles {
    ($(#[$doc:meta])* $flock:ident($arena:ident of $particle:ty), $name:literal, $($loops:tt)*) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $flock(larder::$arena<$particle>);

        impl Flock for $flock {
            type Key = larder::Handle<$particle>;

            const NAME: &'static str = $name;

            fn with_capacity(count: usize) -> Self {
                Self(larder::$arena::with_capacity(count))
            }

            #[inline(always)]
            fn insert(&mut self, particle: Particle) -> Self::Key {
                self.0.insert(particle.into())
            }

            #[inline(always)]
            fn remove(&mut self, key: Self::Key) -> Option<Particle> {
                self.0.remove(key).map(Particle::from)
            }

            #[inline(always)]
            fn sum_of(&self, key: Self::Key) -> Option<f32> {
                self.0.get(key).map(|one| sum_of_fields!(one))
            }

            $($loops)*
        }
    };
}

handles! {
    /// Rows with handles.
    Arena(Arena of Particle), "Arena", by_rows!(|all| all.0.values_mut());
}
handles! {
    /// Rows with handles, packed.
    DenseArena(DenseArena of Particle), "DenseArena", by_rows!(|all| all.0.values_mut());
}
handles! {
    /// Columns with handles.
    SoaArena(SoaArena of Particle), "SoaArena",
    by_columns!(|all| columns_of!(all.0.columns_mut()));
}
handles! {
    /// Columns with handles, packed.
    DenseSoaArena(DenseSoaArena of Particle), "DenseSoaArena",
    by_columns!(|all| columns_of!(all.0.columns_mut()));
}

/// The loops of a container of lanes: over its blocks.
macro_rules! by_lanes {
    () => {
        #[inline(never)]
        fn tick(&mut self, dt: f32) {
            self.0.blocks_mut().for_each(|(_, lanes)| tick_some(lanes.t, dt));
        }

        #[inline(never)]
        fn simulate(&mut self, dt: f32) {
            self.0.blocks_mut().for_each(|(_, lanes)| {
                move_lanes(lanes.x, lanes.vx, dt);
                move_lanes(lanes.y, lanes.vy, dt);
                move_lanes(lanes.z, lanes.vz, dt);
            });
        }

        #[inline(never)]
        fn all(&mut self, dt: f32) {
            self.0.blocks_mut().for_each(|(_, lanes)| {
                tick_some(lanes.t, dt);
                glide_lanes(lanes.x, lanes.vx, dt);
                glide_lanes(lanes.y, lanes.vy, dt);
                glide_lanes(lanes.z, lanes.vz, dt);
                fade_lanes(lanes.r);
                fade_lanes(lanes.g);
                fade_lanes(lanes.b);
            });
        }
    };
}

handles! {
    /// Groups of 8 lanes.
    Lanes8(SoaArena of Particle8), "SoaArena, lanes of 8", by_lanes!();
}
handles! {
    /// Groups of 8 lanes, packed.
    DenseLanes8(DenseSoaArena of Particle8), "DenseSoaArena, lanes of 8", by_lanes!();
}
handles! {
    /// Groups of 16 lanes, packed.
    DenseLanes16(DenseSoaArena of Particle16), "DenseSoaArena, lanes of 16", by_lanes!();
}
handles! {
    /// Groups of as many lanes as fill a block, packed.
    DenseLanesBlock(DenseSoaArena of ParticleBlock), "DenseSoaArena, a block of lanes", by_lanes!();
}

/// `soa-rs` with handles, written by hand: a `SlotMap` from keys to positions, and the key of each
/// position.
pub(crate) struct KeyedSoaRs {
    values: soa_rs::Soa<SoarsParticle>,
    keys: Vec<DefaultKey>,
    positions: SlotMap<DefaultKey, u32>,
}

impl Flock for KeyedSoaRs {
    type Key = DefaultKey;

    const NAME: &'static str = "soa-rs and SlotMap";

    fn with_capacity(count: usize) -> Self {
        Self {
            values: soa_rs::Soa::with_capacity(count),
            keys: Vec::with_capacity(count),
            positions: SlotMap::with_capacity(count),
        }
    }

    #[inline(always)]
    fn insert(&mut self, particle: Particle) -> DefaultKey {
        let key = self.positions.insert(self.keys.len() as u32);
        self.keys.push(key);
        self.values.push(particle.into());
        key
    }

    #[inline(always)]
    fn remove(&mut self, key: DefaultKey) -> Option<Particle> {
        let position = self.positions.remove(key)? as usize;
        self.keys.swap_remove(position);
        if let Some(&moved) = self.keys.get(position) {
            self.positions[moved] = position as u32;
        }
        Some(self.values.swap_remove(position).into())
    }

    #[inline(always)]
    fn sum_of(&self, key: DefaultKey) -> Option<f32> {
        let position = *self.positions.get(key)? as usize;
        let one = self.values.idx(position);
        Some(sum_of_fields!(one))
    }

    by_columns!(|all| columns_of!(all.values.slices_mut()));
}
