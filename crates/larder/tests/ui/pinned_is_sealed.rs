//! Which containers have pinned values is larder's to say: another one could move them.

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
