use alloc::format;

use super::*;

/// Texts in so many blocks that are full.
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
        let memory = (texts.blocks.as_ptr(), texts.records.as_ptr());
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
        assert_eq!((texts.blocks.as_ptr(), texts.records.as_ptr()), memory, "nothing has grown");
    }
}
