//! Where elements in groups lie.

use super::Column;
use crate::snapshot::format::Element;
use alloc::vec::Vec;
use core::ptr::NonNull;

#[test]
fn a_range_of_groups_is_in_pieces_that_begin_where_its_elements_lie() {
    let column = Column::of_numbers("x", Element::of::<u32>(), NonNull::dangling());
    let column = Column { lanes: 8, stride: 100, ..column };
    for (range, pieces) in [
        (0..8, &[(0, 8)][..]),
        (3..6, &[(12, 3)]),
        (13..15, &[(120, 2)]),
        (5..20, &[(20, 3), (100, 8), (200, 4)]),
        (16..16, &[]),
    ] {
        assert_eq!(column.pieces(range).collect::<Vec<_>>(), pieces);
    }
}
