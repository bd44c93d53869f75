//! The additional operations of containers of packed values: positions, and orders.

use crate::erased::Name;
use crate::fields::Packed;
use crate::subject::TestKey;
use crate::values::{Seen, Value};
use larder::{DenseArena, DenseSoaArena};

/// A container whose values have positions.
pub trait Ordered {
    /// Sorts by what `how` chooses, as [`rank`] says.
    fn sort(&mut self, how: usize);
    fn positions(&self) -> Vec<Name>;
    fn position_of(&self, key: Name) -> Option<usize>;
    fn key_at(&self, position: usize) -> Option<Name>;
    fn id_at(&self, position: usize) -> Option<u32>;
    fn swap_positions(&mut self, a: usize, b: usize);
    fn remove_at(&mut self, position: usize) -> Option<(Name, u32)>;
    fn remove_ordered(&mut self, key: Name) -> Option<u32>;
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
        fn positions(&self) -> Vec<Name> {
            self.keys_as_slice().iter().map(|&key| Name::of(key)).collect()
        }

        fn position_of(&self, key: Name) -> Option<usize> {
            self.get_index_of(key.key())
        }

        fn key_at(&self, position: usize) -> Option<Name> {
            self.keys_as_slice().get(position).map(|&key| Name::of(key))
        }

        fn id_at(&self, position: usize) -> Option<u32> {
            self.get_index(position).map(|value| value.id())
        }

        fn swap_positions(&mut self, a: usize, b: usize) {
            self.swap_indices(a, b);
        }

        fn remove_at(&mut self, position: usize) -> Option<(Name, u32)> {
            self.swap_remove_index(position).map(|(key, value)| (Name::of(key), value.id()))
        }

        fn remove_ordered(&mut self, key: Name) -> Option<u32> {
            Self::remove_ordered(self, key.key()).map(|value| value.id())
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

impl<T: Value, K: TestKey> Ordered for DenseArena<T, K> {
    positions!();
}

impl<T: Packed, K: TestKey> Ordered for DenseSoaArena<T, K> {
    positions!();
}
