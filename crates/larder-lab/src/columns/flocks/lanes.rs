//! larder's columns in groups of lanes.

use crate::columns::flock::Flock;
use crate::columns::kernels::{fade_lanes, glide_lanes, move_lanes, tick_some};
use crate::columns::particle::Particle;
use crate::columns::particle::lanes_of_a_block::ParticleBlock;
use crate::columns::particle::lanes8::Particle8;
use crate::columns::particle::lanes16::Particle16;

macro_rules! lanes {
    ($flock:ident, $arena:ident, $particle:ident, $name:literal) => {
        #[doc = concat!("`larder::", stringify!($arena), "` of groups, by blocks.")]
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
        }
    };
}

lanes!(Lanes8, SoaArena, Particle8, "SoaArena, lanes of 8");
lanes!(DenseLanes8, DenseSoaArena, Particle8, "DenseSoaArena, lanes of 8");
lanes!(DenseLanes16, DenseSoaArena, Particle16, "DenseSoaArena, lanes of 16");
lanes!(DenseLanesBlock, DenseSoaArena, ParticleBlock, "DenseSoaArena, a block of lanes");
