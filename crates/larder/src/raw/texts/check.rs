//! Checks of the invariant of [`texts`](super).

use super::{BLOCK, HEAD, Kind, LONG, Texts, cost};
use crate::raw::lives::Slot;

/// For the project's own tests.
impl Texts {
    /// Whether every block is at least half in use, or texts are put into it, or it is being emptied.
    pub(crate) fn blocks_are_half_full(&self) -> bool {
        (0..).zip(&self.records).all(|(number, record)| {
            let is_half = record.live as usize >= BLOCK / 2;
            is_half || record.kind != Kind::Counted || record.is_sparse || self.open[1] == number
        })
    }

    /// Checks the invariant.
    pub(crate) fn validate(&self) {
        let mut live = alloc::vec![0; self.blocks.len()];
        for (slot, place) in (0..).zip(self.places.iter()).filter(|(_, place)| place.is_live()) {
            let (block, at, range) = (place.block(), place.offset(), self.range(*place));
            let mut bytes = cost(range.len());
            assert!(core::str::from_utf8(&self.blocks[block][range]).is_ok(), "a text is cut");
            if self.records[block].kind == Kind::Counted {
                let head: [u8; HEAD] = self.blocks[block][at - HEAD..at].try_into().unwrap();
                assert_eq!(u32::from_le_bytes(head), slot, "a text is not behind its slot");
                assert!(at >= self.records[block].moved as usize, "a text was not moved");
                bytes += HEAD;
            }
            live[block] += bytes;
        }
        for (number, record) in self.records.iter().enumerate() {
            assert!(record.filled as usize <= BLOCK && record.live <= record.filled);
            let alone =
                record.kind == Kind::Alone && live[number] == cost(self.blocks[number].len());
            assert!(alone || live[number] == record.live as usize, "a block's count is wrong");
        }
        let mut free = self.places.iter().filter(|place| !place.is_live());
        assert!(free.all(|place| place.word & LONG == LONG), "a free slot has a length");
        self.places.validate();
    }
}
