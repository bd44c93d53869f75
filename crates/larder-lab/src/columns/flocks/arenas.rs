//! larder's columns.

use crate::columns::flock::Flock;
use crate::columns::kernels::{all_columns, columns_of, simulate_columns, tick_column};
use crate::columns::particle::Particle;

macro_rules! arena {
    ($arena:ident) => {
        #[doc = concat!("`larder::", stringify!($arena), "`, by whole columns.")]
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
                let one = self.0.get(key)?;
                Some(
                    one.t
                        + one.x
                        + one.y
                        + one.z
                        + one.vx
                        + one.vy
                        + one.vz
                        + one.r
                        + one.g
                        + one.b,
                )
            }

            #[inline(never)]
            fn tick(&mut self, dt: f32) {
                tick_column(self.0.columns_mut().t, dt);
            }

            #[inline(never)]
            fn simulate(&mut self, dt: f32) {
                simulate_columns(columns_of!(self.0.columns_mut()), dt);
            }

            #[inline(never)]
            fn all(&mut self, dt: f32) {
                all_columns(columns_of!(self.0.columns_mut()), dt);
            }
        }
    };
}

arena!(SoaArena);
arena!(DenseSoaArena);
