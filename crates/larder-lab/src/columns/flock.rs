//! What `columns` asks of a store of particles, so that one workload runs on all of them.

use core::fmt::Debug;

use super::particle::Particle;

/// A store of particles. The timed code is its own, with no virtual call.
pub(crate) trait Flock: Sized {
    /// What `insert` returns.
    type Key: Copy + Debug;

    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// An empty store with room for `count`.
    fn with_capacity(count: usize) -> Self;

    /// Adds a particle.
    fn insert(&mut self, particle: Particle) -> Self::Key;

    /// Removes a particle.
    fn remove(&mut self, key: Self::Key) -> Option<Particle>;

    /// The sum of all ten fields of one particle; `None` for a stale key.
    fn sum_of(&self, key: Self::Key) -> Option<f32>;

    /// Changes 1 of the 10 fields of all particles.
    fn tick(&mut self, dt: f32);

    /// Changes 3 fields by 3 others: 6 of 10.
    fn simulate(&mut self, dt: f32);

    /// Changes all ten, in one loop.
    fn all(&mut self, dt: f32);
}

/// The loops of a store of columns: over [`Columns`](super::kernels::Columns).
macro_rules! by_columns {
    (|$all:ident| $columns:expr) => {
        #[inline(never)]
        fn tick(&mut self, dt: f32) {
            let $all = self;
            $crate::columns::kernels::tick_column($columns.t, dt);
        }

        #[inline(never)]
        fn simulate(&mut self, dt: f32) {
            let $all = self;
            $crate::columns::kernels::simulate_columns($columns, dt);
        }

        #[inline(never)]
        fn all(&mut self, dt: f32) {
            let $all = self;
            $crate::columns::kernels::all_columns($columns, dt);
        }
    };
}
pub(super) use by_columns;
