//! The additional operations of containers of packed values: positions, and orders.

use crate::fields::Packed;
use crate::subject::TestKey;
use crate::values::{Seen, Value};
use larder::{DenseArena, DenseSoaArena};

/// A container whose values have positions.
pub trait Ordered<V, K> {
    /// Sorts by what `how` chooses, as [`rank`] says.
    fn sort(&mut self, how: usize);
    fn keys_as_slice(&self) -> &[K];
    fn position_of(&self, key: K) -> Option<usize>;
    fn key_at(&self, position: usize) -> Option<K>;
    fn id_at(&self, position: usize) -> Option<u32>;
    fn swap_positions(&mut self, a: usize, b: usize);
    fn remove_at(&mut self, position: usize) -> Option<(K, V)>;
    fn remove_ordered(&mut self, key: K) -> Option<V>;
}

/// Returns the rank by which values are sorted.
pub fn rank(how: usize, id: u32) -> u32 {
    match how {
        0 => u32::MAX - id,
        1 => id % 4,
        2 => id,
        3 => id ^ 5,
        _ => id % 3,
    }
}

macro_rules! positions {
    () => {
        fn keys_as_slice(&self) -> &[K] {
            self.keys_as_slice()
        }

        fn position_of(&self, key: K) -> Option<usize> {
            self.get_index_of(key)
        }

        fn key_at(&self, position: usize) -> Option<K> {
            self.keys_as_slice().get(position).copied()
        }

        fn id_at(&self, position: usize) -> Option<u32> {
            self.get_index(position).map(|value| value.id())
        }

        fn swap_positions(&mut self, a: usize, b: usize) {
            self.swap_indices(a, b);
        }

        fn remove_at(&mut self, position: usize) -> Option<(K, T)> {
            self.swap_remove_index(position)
        }

        fn remove_ordered(&mut self, key: K) -> Option<T> {
            self.remove_ordered(key)
        }

        fn sort(&mut self, how: usize) {
            match how {
                0 => self.sort_by(|a, b| b.id().cmp(&a.id())),
                1 => self.sort_by_key(|value| rank(1, value.id())),
                2 => self.sort_unstable_by(|a, b| a.id().cmp(&b.id())),
                _ => self.sort_by_cached_key(|value| rank(how, value.id())),
            }
        }
    };
}

impl<T: Value, K: TestKey> Ordered<T, K> for DenseArena<T, K> {
    positions!();
}

impl<T: Packed, K: TestKey> Ordered<T, K> for DenseSoaArena<T, K> {
    positions!();
}
