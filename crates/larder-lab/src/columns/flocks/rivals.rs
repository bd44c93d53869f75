//! The rivals: `soa-rs`, `soa_derive`, and what one builds of `soa-rs` who needs handles.

use slotmap::{DefaultKey, SlotMap};

use crate::columns::flock::Flock;
use crate::columns::kernels::{Columns, all_columns, columns_of, simulate_columns, tick_column};
use crate::columns::particle::Particle;
use crate::columns::particle::soa_derive::DeriveParticleVec;
use crate::columns::particle::soars::SoarsParticle;

/// The sum of the fields behind references.
macro_rules! sum {
    ($one:expr) => {{
        let one = $one;
        one.t + one.x + one.y + one.z + one.vx + one.vy + one.vz + one.r + one.g + one.b
    }};
}

/// `soa_rs::Soa`: columns in one allocation. A key is a position.
pub(crate) struct SoaRs(soa_rs::Soa<SoarsParticle>);

impl SoaRs {
    #[inline(always)]
    fn columns(&mut self) -> Columns<'_> {
        columns_of!(self.0.slices_mut())
    }
}

impl Flock for SoaRs {
    type Key = u32;

    const NAME: &'static str = "soa-rs";

    fn with_capacity(count: usize) -> Self {
        Self(soa_rs::Soa::with_capacity(count))
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
        Some(sum!(self.0.get(key as usize)?))
    }

    #[inline(never)]
    fn tick(&mut self, dt: f32) {
        tick_column(self.0.t_mut(), dt);
    }

    #[inline(never)]
    fn simulate(&mut self, dt: f32) {
        simulate_columns(self.columns(), dt);
    }

    #[inline(never)]
    fn all(&mut self, dt: f32) {
        all_columns(self.columns(), dt);
    }
}

/// `soa-rs` beside a `SlotMap` from keys to positions, and the key of each position.
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
        Some(sum!(self.values.idx(position)))
    }

    #[inline(never)]
    fn tick(&mut self, dt: f32) {
        tick_column(self.values.t_mut(), dt);
    }

    #[inline(never)]
    fn simulate(&mut self, dt: f32) {
        simulate_columns(columns_of!(self.values.slices_mut()), dt);
    }

    #[inline(never)]
    fn all(&mut self, dt: f32) {
        all_columns(columns_of!(self.values.slices_mut()), dt);
    }
}

/// `soa_derive`: a `Vec` for each field. A key is a position.
pub(crate) struct SoaDerive(DeriveParticleVec);

impl SoaDerive {
    #[inline(always)]
    fn columns(&mut self) -> Columns<'_> {
        columns_of!(self.0.as_mut_slice())
    }
}

impl Flock for SoaDerive {
    type Key = u32;

    const NAME: &'static str = "soa_derive";

    fn with_capacity(count: usize) -> Self {
        Self(DeriveParticleVec::with_capacity(count))
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
        Some(sum!(self.0.get(key as usize)?))
    }

    #[inline(never)]
    fn tick(&mut self, dt: f32) {
        tick_column(&mut self.0.t, dt);
    }

    #[inline(never)]
    fn simulate(&mut self, dt: f32) {
        simulate_columns(self.columns(), dt);
    }

    #[inline(never)]
    fn all(&mut self, dt: f32) {
        all_columns(self.columns(), dt);
    }
}
