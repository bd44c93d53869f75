//! Copies of [`texts`](super).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Texts;

/// With as much room for further blocks, up to two: else the sparse ones of a copy were not emptied.
impl Clone for Texts {
    fn clone(&self) -> Self {
        let room = self.blocks.capacity().min(self.blocks.len() + 2);
        let mut blocks: Vec<Box<[u8]>> = Vec::with_capacity(room);
        blocks.extend_from_slice(&self.blocks);
        let mut records = Vec::with_capacity(room);
        records.extend_from_slice(&self.records);
        Self { places: self.places.clone(), blocks, records, spare: self.spare.clone(), ..*self }
    }
}
