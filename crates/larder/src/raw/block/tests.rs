//! What a block asks the allocator and the system for.

use super::BlockLayout;
use crate::error::TryReserveError;
use crate::raw::columns::arrange::{LARGE, LINE};
use crate::raw::columns::shape::{Leaf, Shape};

/// A large column begins at a cache line of its own; less asks for no more than its values need.
#[test]
fn blocks_of_large_columns_begin_at_a_line() {
    let align = |tree, capacity| {
        BlockLayout::Split { tree, max: 0 }.heap(capacity, 0).expect("not that much").align()
    };
    let bytes = [1, LARGE - 1, LARGE, 2 * LARGE];
    assert_eq!(bytes.map(|bytes| align(&Leaf::<u8>::TREE, bytes)), [1, 1, LINE, LINE]);
    assert_eq!(bytes.map(|bytes| align(&Leaf::<u8, 256>::TREE, bytes)), [256; 4]);
}

/// A lane's share of its group is what a value takes.
#[test]
fn as_many_as_there_can_ever_be_are_counted_by_values() {
    let requested = usize::MAX;
    let max = isize::MAX as usize / 12;
    let lanes = BlockLayout::Whole { size: 8 * 12, align: 8, lanes: 8 };
    assert_eq!(lanes.check(requested), Err(TryReserveError::CapacityOverflow { requested, max }));
    let single = BlockLayout::Whole { size: 12, align: 4, lanes: 1 };
    assert_eq!(single.check(requested), lanes.check(requested));
    assert_eq!((single.check(max), lanes.check(max / 8 * 8)), (Ok(()), Ok(())));
}

/// Rounded up to pages, too, a reservation is to be a block that there can be: the system is not asked for more.
#[test]
#[cfg(feature = "reserved")]
fn reservations_are_at_most_as_large_as_blocks() {
    use super::Memory;
    use crate::raw::buffer::Buffer;
    use crate::raw::sys::GRAIN;

    let reserve = |max| {
        let memory = Memory::Reserved { max, huge: false, ahead: false };
        Buffer::<u8>::within(memory).map(drop)
    };
    let (largest, max) = (isize::MAX as usize + 1 - GRAIN, isize::MAX as usize);
    let refused = |requested| Err(TryReserveError::CapacityOverflow { requested, max });
    assert_eq!(reserve(largest + 1), refused(largest + 1));
    assert_eq!(reserve(max), refused(max));
    // (Where addresses have 32 bits there may be so many.)
    let asked = reserve(largest);
    assert!(!matches!(asked, Err(TryReserveError::CapacityOverflow { .. })), "{asked:?}");
}
