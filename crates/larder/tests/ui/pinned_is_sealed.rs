//! The containers that have pinned values are larder's to name: another one could move them.

use larder::containers::PinnedContainer;
use larder::{DenseArena, Handle};

struct Mine;

impl PinnedContainer<Mine> for DenseArena<u32, Handle<Mine>> {
    fn is_pinned(&self) -> bool {
        true
    }

    fn key_at(&self, _: usize) -> Option<Handle<Mine>> {
        None
    }
}

fn main() {}
