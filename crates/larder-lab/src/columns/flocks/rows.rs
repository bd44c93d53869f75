//! Rows: all fields of a particle side by side.

use crate::columns::flock::Flock;
use crate::columns::kernels::{all_one, simulate_one, tick_one};
use crate::columns::particle::Particle;

/// The yardstick: particles in a `Vec`. A key is a position.
#[derive(Debug)]
pub(crate) struct Rows(Vec<Particle>);

impl Flock for Rows {
    type Key = u32;

    const NAME: &'static str = "Vec";

    fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    #[inline(always)]
    fn insert(&mut self, particle: Particle) -> u32 {
        self.0.push(particle);
        self.0.len() as u32 - 1
    }

    #[inline(always)]
    fn remove(&mut self, key: u32) -> Option<Particle> {
        Some(self.0.swap_remove(key as usize))
    }

    #[inline(always)]
    fn sum_of(&self, key: u32) -> Option<f32> {
        self.0.get(key as usize).map(Particle::sum)
    }

    #[inline(never)]
    fn tick(&mut self, dt: f32) {
        self.0.iter_mut().for_each(|particle| tick_one(particle, dt));
    }

    #[inline(never)]
    fn simulate(&mut self, dt: f32) {
        self.0.iter_mut().for_each(|particle| simulate_one(particle, dt));
    }

    #[inline(never)]
    fn all(&mut self, dt: f32) {
        self.0.iter_mut().for_each(|particle| all_one(particle, dt));
    }
}

/// An arena of rows, walked by `values_mut`.
macro_rules! arena {
    ($arena:ident) => {
        #[doc = concat!("`larder::", stringify!($arena), "`: rows with handles.")]
        #[derive(Debug)]
        pub(crate) struct $arena(larder::$arena<Particle>);

        impl Flock for $arena {
            type Key = larder::Handle<Particle>;

            const NAME: &'static str = stringify!($arena);

            fn with_capacity(count: usize) -> Self {
                Self(larder::$arena::with_capacity(count))
            }

            #[inline(always)]
            fn insert(&mut self, particle: Particle) -> Self::Key {
                self.0.insert(particle)
            }

            #[inline(always)]
            fn remove(&mut self, key: Self::Key) -> Option<Particle> {
                self.0.remove(key)
            }

            #[inline(always)]
            fn sum_of(&self, key: Self::Key) -> Option<f32> {
                self.0.get(key).map(Particle::sum)
            }

            #[inline(never)]
            fn tick(&mut self, dt: f32) {
                self.0.values_mut().for_each(|particle| tick_one(particle, dt));
            }

            #[inline(never)]
            fn simulate(&mut self, dt: f32) {
                self.0.values_mut().for_each(|particle| simulate_one(particle, dt));
            }

            #[inline(never)]
            fn all(&mut self, dt: f32) {
                self.0.values_mut().for_each(|particle| all_one(particle, dt));
            }
        }
    };
}

arena!(Arena);
arena!(DenseArena);
