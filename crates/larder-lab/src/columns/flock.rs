//! What `columns` asks of a store of particles, so that one workload runs on all of them.

use core::fmt::Debug;

use super::particle::Particle;

/// A store of particles under measurement. What is timed is its own code, never a virtual call.
pub(crate) trait Flock: Sized {
    /// What `insert` hands out.
    type Key: Copy + Debug;

    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// An empty store with room for `count`.
    fn with_capacity(count: usize) -> Self;

    /// Adds a particle.
    fn insert(&mut self, particle: Particle) -> Self::Key;

    /// Takes a particle out.
    fn remove(&mut self, key: Self::Key) -> Option<Particle>;

    /// The sum of all ten fields of one particle; of a stale key, nothing.
    fn sum_of(&self, key: Self::Key) -> Option<f32>;

    /// Changes 1 of the 10 fields of all particles.
    fn tick(&mut self, dt: f32);

    /// Changes 3 fields by 3 others: 6 of 10.
    fn simulate(&mut self, dt: f32);

    /// Changes all ten, in one loop.
    fn all(&mut self, dt: f32);
}
