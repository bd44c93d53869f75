//! The stores of particles under measurement: larder's, their rivals, and two baselines.

use core::array;

use slotmap::{DefaultKey, SlotMap};

use super::particle::lanes_of_a_block::ParticleBlock;
use super::particle::lanes8::Particle8;
use super::particle::lanes16::Particle16;
use super::particle::soa_derive::{DeriveParticleSliceMut, DeriveParticleVec};
use super::particle::soars::SoarsParticle;
use super::particle::{FIELDS, Particle, sum_of_fields};
use super::particle::{
    all_columns, all_one, fade_lanes, glide_lanes, move_column, move_lanes, simulate_one,
    tick_column, tick_one, tick_some,
};

subjects! { ($) flocks:
    /// A store of particles. The timed code is its own, with no virtual call.
    pub(super) trait Flock: Sized {
        type Key: Copy;

        // An empty store with room for `count`.
        static fn with_capacity(count: usize) -> Self;

        fn insert(&mut self, particle: Particle) -> Self::Key;
        fn remove(&mut self, key: Self::Key) -> Option<Particle>;
        /// The sum of all ten fields of one particle; `None` for a stale key.
        fn sum_of(&self, key: Self::Key) -> Option<f32>;
        /// Changes 1 of the 10 fields of all particles.
        #[inline(never)]
        fn tick(&mut self, dt: f32);
        /// Changes 3 fields by 3 others: 6 of 10.
        #[inline(never)]
        fn simulate(&mut self, dt: f32);
        /// Changes all ten, in one loop.
        #[inline(never)]
        fn all(&mut self, dt: f32);
    }
}

/// A store whose loops are over rows (an iterator of particles), over columns (anything whose fields are slices), or
/// over blocks of lanes.
macro_rules! flock {
    ([rows |$all:ident| $particles:expr] $($flock:tt)*) => {
        flocks! { $($flock)*
            fn tick(&mut self, dt) { let $all = self; $particles.for_each(|one| tick_one(one, dt)); }
            fn simulate(&mut self, dt) { let $all = self; $particles.for_each(|one| simulate_one(one, dt)); }
            fn all(&mut self, dt) { let $all = self; $particles.for_each(|one| all_one(one, dt)); }
        }
    };
    ([columns |$all:ident| $columns:expr] $($flock:tt)*) => {
        flocks! { $($flock)*
            fn tick(&mut self, dt) { let $all = self; tick_column($columns.t, dt); }
            fn simulate(&mut self, dt) {
                let $all = self;
                let columns = $columns;
                move_column(columns.x, columns.vx, dt);
                move_column(columns.y, columns.vy, dt);
                move_column(columns.z, columns.vz, dt);
            }
            fn all(&mut self, dt) {
                let $all = self;
                let of = $columns;
                all_columns(dt, of.t, of.x, of.y, of.z, of.vx, of.vy, of.vz, of.r, of.g, of.b);
            }
        }
    };
    ([lanes] $($flock:tt)*) => {
        flocks! { $($flock)*
            fn tick(&mut self, dt) { self.0.blocks_mut().for_each(|(_, lanes)| tick_some(lanes.t, dt)); }
            fn simulate(&mut self, dt) {
                self.0.blocks_mut().for_each(|(_, lanes)| {
                    move_lanes(lanes.x, lanes.vx, dt);
                    move_lanes(lanes.y, lanes.vy, dt);
                    move_lanes(lanes.z, lanes.vz, dt);
                });
            }
            fn all(&mut self, dt) {
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
        }
    };
}

/// A store without handles, whose keys are positions: one that has `push` and `swap_remove`.
macro_rules! positions {
    ($(#[$doc:meta])* $flock:ident($store:ty), $name:literal, $loops:tt) => {
        $(#[$doc])*
        pub(super) struct $flock($store);

        flock! { $loops $flock, $name;
            type Key = u32;

            fn with_capacity(count) { Self(<$store>::with_capacity(count)) }
            fn insert(&mut self, particle) {
                self.0.push(particle.into());
                self.0.len() as u32 - 1
            }
            fn remove(&mut self, key) { Some(self.0.swap_remove(key as usize).into()) }
            fn sum_of(&self, key) { self.0.get(key as usize).map(|one| sum_of_fields!(one)) }
        }
    };
}

positions! {
    /// The yardstick: particles in a `Vec`.
    Rows(Vec<Particle>), "Vec", [rows |all| all.0.iter_mut()]
}
positions! {
    /// `soa_rs::Soa`: columns in one allocation.
    SoaRs(soa_rs::Soa<SoarsParticle>), "soa-rs", [columns |all| all.0.slices_mut()]
}
positions! {
    /// `soa_derive`: a `Vec` for each field.
    SoaDerive(DeriveParticleVec), "soa_derive", [columns |all| all.0.as_mut_slice()]
}

/// One of larder's containers, with handles.
macro_rules! handles {
    ($flock:ident($arena:ident of $particle:ty), $name:literal, $loops:tt) => {
        pub(super) struct $flock(larder::$arena<$particle>);

        flock! { $loops $flock, $name;
            type Key = larder::Handle<$particle>;

            fn with_capacity(count) { Self(larder::$arena::with_capacity(count)) }
            fn insert(&mut self, particle) { self.0.insert(particle.into()) }
            fn remove(&mut self, key) { self.0.remove(key).map(Particle::from) }
            fn sum_of(&self, key) { self.0.get(key).map(|one| sum_of_fields!(one)) }
        }
    };
}

handles!(Arena(Arena of Particle), "Arena", [rows |all| all.0.values_mut()]);
handles!(DenseArena(DenseArena of Particle), "DenseArena", [rows |all| all.0.values_mut()]);
handles!(SoaArena(SoaArena of Particle), "SoaArena", [columns |all| all.0.columns_mut()]);
handles!(
    DenseSoaArena(DenseSoaArena of Particle), "DenseSoaArena",
    [columns |all| all.0.columns_mut()]
);
handles!(Lanes8(SoaArena of Particle8), "SoaArena, lanes of 8", [lanes]);
handles!(DenseLanes8(DenseSoaArena of Particle8), "DenseSoaArena, lanes of 8", [lanes]);
handles!(DenseLanes16(DenseSoaArena of Particle16), "DenseSoaArena, lanes of 16", [lanes]);
// The number of lanes that fills a block.
handles!(DenseLanesBlock(DenseSoaArena of ParticleBlock), "DenseSoaArena, a block of lanes", [lanes]);

/// `soa-rs` with handles, written by hand: a `SlotMap` from keys to positions, and the key of each
/// position.
pub(super) struct KeyedSoaRs {
    values: soa_rs::Soa<SoarsParticle>,
    keys: Vec<DefaultKey>,
    positions: SlotMap<DefaultKey, u32>,
}

flock! { [columns |all| all.values.slices_mut()] KeyedSoaRs, "soa-rs and SlotMap";
    type Key = DefaultKey;

    fn with_capacity(count) {
        Self {
            values: soa_rs::Soa::with_capacity(count),
            keys: Vec::with_capacity(count),
            positions: SlotMap::with_capacity(count),
        }
    }
    fn insert(&mut self, particle) {
        let key = self.positions.insert(self.keys.len() as u32);
        self.keys.push(key);
        self.values.push(particle.into());
        key
    }
    fn remove(&mut self, key) {
        let position = self.positions.remove(key)? as usize;
        self.keys.swap_remove(position);
        if let Some(&moved) = self.keys.get(position) {
            self.positions[moved] = position as u32;
        }
        Some(self.values.swap_remove(position).into())
    }
    fn sum_of(&self, key) {
        let position = *self.positions.get(key)? as usize;
        let one = self.values.idx(position);
        Some(sum_of_fields!(one))
    }
}

/// A page of 4 KiB, in numbers.
const PAGE: usize = 4096 / size_of::<f32>();

/// A baseline, laid out without regard to cache sets: ten columns, each of which begins at a multiple of 4 KiB,
/// so that all fields of a particle lie in the same cache set. A key is a position.
#[derive(Debug)]
pub(super) struct Aligned {
    numbers: Vec<f32>,
    /// The position at which the first column begins, and the distance to the next one.
    first: usize,
    stride: usize,
    len: usize,
}

impl Aligned {
    #[inline(always)]
    fn columns(&mut self) -> DeriveParticleSliceMut<'_> {
        let (len, stride) = (self.len, self.stride);
        let mut columns = self.numbers[self.first..].chunks_exact_mut(stride);
        let mut next = || &mut columns.next().expect("there are ten columns")[..len];
        DeriveParticleSliceMut {
            t: next(),
            x: next(),
            y: next(),
            z: next(),
            vx: next(),
            vy: next(),
            vz: next(),
            r: next(),
            g: next(),
            b: next(),
        }
    }

    #[inline(always)]
    fn place(&self, field: usize, at: usize) -> usize {
        self.first + field * self.stride + at
    }

    #[inline(always)]
    fn fields(&self, at: usize) -> [f32; FIELDS] {
        array::from_fn(|field| self.numbers[self.place(field, at)])
    }

    #[inline(always)]
    fn write(&mut self, at: usize, fields: [f32; FIELDS]) {
        for (field, number) in fields.into_iter().enumerate() {
            let place = self.place(field, at);
            self.numbers[place] = number;
        }
    }
}

flock! { [columns |all| all.columns()] Aligned, "columns at 4 KiB";
    type Key = u32;

    fn with_capacity(count) {
        let stride = count.next_multiple_of(PAGE);
        let numbers = vec![0.0; FIELDS * stride + PAGE];
        let first = numbers.as_ptr().align_offset(PAGE * size_of::<f32>());
        Self { numbers, first, stride, len: 0 }
    }
    fn insert(&mut self, particle) {
        assert!(self.len < self.stride, "there is no more room");
        let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
        self.write(self.len, [t, x, y, z, vx, vy, vz, r, g, b]);
        self.len += 1;
        self.len as u32 - 1
    }
    fn remove(&mut self, key) {
        let [t, x, y, z, vx, vy, vz, r, g, b] = self.fields(key as usize);
        self.len -= 1;
        self.write(key as usize, self.fields(self.len));
        Some(Particle { t, x, y, z, vx, vy, vz, r, g, b })
    }
    fn sum_of(&self, key) {
        ((key as usize) < self.len).then(|| {
            let fields = self.fields(key as usize);
            fields.into_iter().fold(0.0, |sum, field| sum + field)
        })
    }
}
