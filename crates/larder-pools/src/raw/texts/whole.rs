//! Operations on all of [`texts`](super): copying, shrinking, measuring and checking the invariant.

use alloc::vec::Vec;

use super::{BLOCK, Bytes, HEAD, Kind, LEFT, MAX_BLOCKS, NO_TEXT, Place, Record, Texts, cost};
use crate::lives::{NONE, Slot};
use larder_core::TryReserveError;
use larder_core::room::{reserve, reserve_exact, shrink};

/// The memory by use, in bytes.
pub(crate) struct TextBytes {
    pub(crate) used: usize,
    pub(crate) wasted: usize,
    pub(crate) beside: usize,
}

impl Texts {
    /// A copy, with as much room for further blocks, up to two: else the sparse ones of the copy were not emptied.
    #[inline]
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let room = self.blocks.capacity().min(self.blocks.len() + 2);
        let mut records = Vec::new();
        reserve_exact(&mut records, room)?;
        records.extend_from_slice(&self.records);
        let blocks = self.blocks.try_clone(room)?;
        let places = self.places.try_copy(self.slots())?;
        let mut copy = Self { places, blocks, records, spare: Vec::new(), left: 0, ..*self };
        copy.spare_blocks(self.spare.len().min(1))?;
        Ok(copy)
    }

    /// Makes room for `texts` more short texts of `bytes` bytes in all, none of which then needs a block that is not
    /// there, whatever is inserted and removed.
    ///
    /// An insertion that finds no block empty has emptied all that are sparse. The others are at least half in use,
    /// but for the two that texts are put into.
    #[inline]
    pub(crate) fn try_reserve_blocks(
        &mut self,
        texts: usize,
        bytes: usize,
    ) -> Result<(), TryReserveError> {
        let short = || self.records.iter().filter(|record| record.kind.is_of_several());
        let live: usize = short().map(|record| record.live as usize).sum();
        // (An empty text is counted as a byte.)
        let more = texts.saturating_mul(HEAD + 1).saturating_add(bytes);
        let blocks = live.saturating_add(more) / (BLOCK / 2) + 2 + LEFT + 1;
        if blocks > MAX_BLOCKS {
            return Err(TryReserveError::CapacityOverflow { requested: blocks, max: MAX_BLOCKS });
        }
        // A number that is not in use may be linked as sparse for a while: until others before it are emptied, which
        // those pay for who emptied it.
        let numbers = (4 * blocks).saturating_sub(self.blocks.len());
        let spare = blocks.saturating_sub(short().count());
        self.blocks.reserve(numbers)?;
        reserve(&mut self.records, numbers)?;
        self.spare_blocks(spare)?;
        self.left = LEFT;
        Ok(())
    }

    /// Gives back memory that no text needs; not of blocks that texts are put into. Refused memory changes nothing.
    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        (self.spare, self.left) = (Vec::new(), 0);
        shrink(self.places.memory());
    }

    #[inline]
    pub(crate) fn bytes_of_all(&self) -> TextBytes {
        TextBytes {
            used: self.used,
            wasted: self.blocks.room() + self.spare.len() * BLOCK - self.used,
            beside: self.places.bytes()
                + self.blocks.beside()
                + self.spare.capacity() * size_of::<Bytes>()
                + self.records.capacity() * size_of::<Record>(),
        }
    }

    /// The life of each slot, and the free slots, the one first that is taken next.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) fn saved_slots(
        &self,
    ) -> (impl Iterator<Item = u32> + Clone, impl Iterator<Item = u32> + Clone) {
        self.places.saved()
    }

    /// Says in which life a live slot is: an odd one.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) fn set_life(&mut self, slot: u32, life: u32) {
        let place = &mut self.places[slot as usize];
        assert!(place.is_live() && life % 2 == 1, "live before and after");
        place.set_life(life);
    }

    /// Removes all texts. The memory of as many blocks is kept as of any that are emptied.
    #[inline]
    pub(crate) fn clear(&mut self) {
        let room = self.spare.capacity() - self.spare.len();
        let blocks = self.blocks.drain().filter(|block| block.len() == BLOCK);
        self.spare.extend(blocks.take(room));
        self.records.clear();
        (self.open, self.sparse, self.unused) = ([NONE; 2], [NONE; 2], NONE);
        self.used = 0;
        for slot in 0..self.slots() as u32 {
            self.places.catch_up(slot);
            self.places.leave(slot, Place::is_live);
        }
        self.places.link();
    }

    /// Begins with fresh slots if there is no text, and half of the slots or more are retired. Returns the number of
    /// slots that it left.
    pub(crate) fn renew_if_worn(&mut self) -> Option<usize> {
        self.places.renew_if_worn()
    }
}

/// For the project's own tests.
#[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
impl Texts {
    /// Returns whether every block is at least half in use, or texts are put into it, or it is being emptied.
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
            let (block, at, len) = (place.block(), place.offset(), self.len_in(slot, *place));
            let mut bytes = cost(len);
            let text = core::str::from_utf8(&self.blocks[block][at..at + len]);
            assert!(text.is_ok(), "a text is cut");
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
        let mut free = (0..).zip(self.places.iter()).filter(|(_, place)| !place.is_live());
        assert!(free.all(|(slot, place)| place.len(slot) == NO_TEXT), "a free slot has a length");
        self.places.validate();
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::{Bytes, DEAD, MAX_BLOCKS, MOVE, Place, Record};
    use super::*;
    use crate::lives::NONE;
    use larder_core::TryReserveError;

    #[test]
    fn a_place_can_name_each_byte_of_each_block() {
        assert_eq!((MAX_BLOCKS, BLOCK), (1 << 21, 1 << 11));
        let last = Place { at: u32::MAX, word: 0 };
        assert_eq!((last.block(), last.offset()), (MAX_BLOCKS - 1, BLOCK - 1));
    }

    /// Most of these blocks have no memory here.
    #[test]
    #[cfg_attr(miri, ignore = "too many blocks to interpret")]
    fn there_are_no_more_blocks_than_a_place_can_name() {
        let (kind, is_sparse, live) = (Kind::Alone, false, 1);
        let record = Record { kind, is_sparse, live, filled: 1, moved: 0, next: NONE };
        let mut texts = Texts::new();
        (1..MAX_BLOCKS).for_each(|_| texts.blocks.push(Bytes::new()));
        texts.records = vec![record; MAX_BLOCKS - 1];
        texts.cover(3).expect("there is memory");
        let (slot, life) = texts.put("last", true).expect("there is one more");
        assert_eq!([texts.short(slot, life), texts.long(slot, life)], [Some("last"); 2]);
        let refused = texts.put("kept", false);
        let (requested, max) = (MAX_BLOCKS + 1, MAX_BLOCKS);
        assert_eq!(refused, Err(TryReserveError::CapacityOverflow { requested, max }));
        assert!(texts.put("short", true).is_ok(), "the last block has room");
    }

    /// Some that are counted, in one block.
    fn counted() -> Texts {
        let mut texts = Texts::new();
        texts.cover(2).expect("there is memory");
        (0..2).for_each(|_| _ = texts.put("text", true).expect("there is memory"));
        texts.validate();
        texts
    }

    #[test]
    #[should_panic(expected = "a block's count is wrong")]
    fn a_text_that_is_not_counted_is_noticed() {
        let mut texts = counted();
        texts.records[0].live -= 1;
        texts.validate();
    }

    #[test]
    #[should_panic(expected = "a block's count is wrong")]
    fn a_block_that_a_removed_text_has_alone_is_noticed() {
        let mut texts = Texts::new();
        texts.cover(1).expect("there is memory");
        let (slot, _) = texts.put(&"x".repeat(2 * BLOCK), true).expect("there is memory");
        texts.validate();
        assert!(texts.places.leave(slot, |_| true).is_some());
        (texts.records[0].live, texts.records[0].filled) = (1, 1);
        texts.validate();
    }

    #[test]
    fn a_block_that_is_less_than_half_full_is_noticed() {
        let mut texts = counted();
        assert!(texts.blocks_are_half_full(), "it is open");
        texts.open[1] = NONE;
        assert!(!texts.blocks_are_half_full());
        for (live, is_full) in [(BLOCK / 2 - 1, false), (BLOCK / 2, true)] {
            texts.records[0].live = live as _;
            assert_eq!(texts.blocks_are_half_full(), is_full);
        }
    }

    /// A text that is moved is as many steps as it says; a removed one is a step, and so is a block without any.
    #[test]
    fn with_the_steps_of_one_text_one_thing_is_done() {
        let mut texts = Texts::new();
        texts.cover(2_000).expect("there is memory");
        let mut put = |len: usize| texts.put(&"x".repeat(len), true).expect("there is memory").0;
        // Blocks that are sparse without their large texts, and some that have none else.
        let mut large = Vec::new();
        for block in 0..9 {
            large.extend((0..2).map(|_| put(if block < 6 { 500 } else { 1_000 })));
            (0..if block < 6 { 150 } else { 8 }).for_each(|_| _ = put(1));
        }
        put(1_000);
        put(1_000);
        for &slot in &large[..] {
            texts.remove(slot);
        }
        let (mut moved, mut passed, mut blocks) = (0, 0, 0);
        while texts.sparse[0] != NONE {
            let head = texts.sparse[0] as usize;
            let before = texts.records[head];
            let entry = || {
                let at = before.moved as usize;
                let head: [u8; HEAD] = texts.blocks[head][at..at + HEAD].try_into().unwrap();
                u32::from_le_bytes(head)
            };
            let entry = (before.kind != Kind::None).then(entry);
            assert!(texts.move_some(MOVE));
            match entry {
                None => {
                    assert_eq!(texts.sparse[0], before.next, "one block is passed");
                    blocks += 1;
                }
                Some(entry) => {
                    let len = if entry >= DEAD { entry - DEAD } else { 1 };
                    let now = texts.records[head].moved - before.moved;
                    assert_eq!((now, texts.sparse[0]), (HEAD as u32 + len, head as u32));
                    (moved, passed) = match entry {
                        DEAD.. => (moved, passed + 1),
                        _ => (moved + 1, passed),
                    };
                }
            }
        }
        texts.validate();
        assert!(moved > 100 && passed > 2 && blocks > 2, "{moved}, {passed}, {blocks}");
        assert!(texts.iter().all(|(_, _, text)| text == "x" || text.len() == 1_000));
        let of_one = texts.iter().filter(|(_, _, text)| *text == "x").count();
        assert_eq!(of_one, 6 * 150 + 3 * 8);
    }

    /// Makes texts that fill `count` blocks.
    fn blocks(count: usize) -> Texts {
        let mut texts = Texts::new();
        texts.cover(2 * count).expect("there is memory");
        for number in 0..2 * count {
            texts.put(&format!("{number:01020}"), true).expect("there is memory");
        }
        assert_eq!(texts.blocks.len(), count);
        texts
    }

    /// A removal begins blocks where memory may be refused to a vector that grows: it grows for insertions only.
    #[test]
    fn a_block_is_begun_in_the_room_that_there_is() {
        for count in [1, 2, 5] {
            let mut texts = blocks(count);
            let room = texts.blocks.capacity() - count;
            assert!(room > 0, "an insertion makes room for what a removal begins");
            let memory = (texts.blocks.capacity(), texts.records.as_ptr());
            for _ in 0..room {
                texts.begin(Kind::Counted, BLOCK).expect("there is room");
            }
            for _ in 0..2 {
                let refused = texts.begin(Kind::Counted, BLOCK);
                assert!(
                    matches!(refused, Err(TryReserveError::CapacityOverflow { .. })),
                    "{refused:?}"
                );
                assert_eq!(texts.blocks.len(), texts.blocks.capacity());
            }
            assert_eq!(
                (texts.blocks.capacity(), texts.records.as_ptr()),
                memory,
                "nothing has grown"
            );
        }
    }
}
