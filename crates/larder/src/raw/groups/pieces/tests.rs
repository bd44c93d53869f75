//! Memory for lists of keys.

use alloc::vec::Vec;

use super::{LARGEST, List, Pieces, SMALLEST};
use crate::error::TryReserveError;

/// A list of so many keys.
fn list(pieces: &mut Pieces<u32>, keys: u32) -> List<u32> {
    pieces.make_room_for_list().unwrap();
    let mut list = pieces.first(0);
    for key in 1..keys {
        if list.is_full() {
            pieces.grow(&mut list).unwrap();
        }
        list.push(key);
    }
    list
}

#[test]
fn a_piece_that_was_given_back_is_used_before_memory_is_asked_for() {
    let mut pieces = Pieces::new();
    let mut lists: Vec<_> = (0..16).map(|_| list(&mut pieces, 1)).collect();
    assert_eq!((pieces.keys(), pieces.uncut()), (64, 0));
    pieces.free(lists.swap_remove(3));
    lists.push(list(&mut pieces, 4));
    assert_eq!(pieces.keys(), 64);
    pieces.validate(lists.iter());
}

#[test]
fn each_chunk_has_a_quarter_of_all_before_it() {
    let mut pieces = Pieces::new();
    let (mut lists, mut chunks) = (Vec::new(), 0);
    while chunks < 8 {
        let before = pieces.keys();
        lists.push(list(&mut pieces, 1));
        let added = pieces.keys() - before;
        if added > 0 {
            assert_eq!(added, (before / 4).next_multiple_of(4).max(64), "after {before}");
            chunks += 1;
        }
    }
    assert!(pieces.keys() > 512, "some chunks had more than the first");
    pieces.validate(lists.iter());
}

#[test]
fn what_is_reserved_already_needs_no_memory() {
    let mut pieces = Pieces::new();
    assert_eq!((pieces.uncut(), pieces.bytes_beside()), (0, 0));
    for _ in 0..2 {
        pieces.try_reserve(63).unwrap();
        assert_eq!((pieces.keys(), pieces.uncut()), (64, 64), "keys of whole pieces");
    }
    let chunks = pieces.chunks.capacity() * size_of_val(&pieces.chunks[0]);
    assert_eq!(pieces.bytes_beside(), chunks);
    let list = list(&mut pieces, 1);
    assert_eq!((pieces.keys(), pieces.uncut()), (64, 64 - SMALLEST as usize));
    // (A list without room is of no piece.)
    pieces.validate([&list, &List::EMPTY].into_iter());
    let error = TryReserveError::CapacityOverflow { requested: usize::MAX, max: 2_147_483_648 };
    assert_eq!(pieces.try_reserve(usize::MAX), Err(error));
}

#[test]
fn pieces_of_all_sizes_are_cut_and_taken_back() {
    let mut pieces = Pieces::new();
    let mut lists: Vec<_> = (2..=9).map(|log| list(&mut pieces, 1 << log)).collect();
    assert_eq!(lists.iter().map(List::room).max(), Some(LARGEST as usize));
    pieces.validate(lists.iter());
    let keys = pieces.keys();
    lists.drain(4..).for_each(|list| pieces.free(list));
    lists.extend((0..200).map(|_| list(&mut pieces, 4)));
    assert_eq!(pieces.keys(), keys, "larger pieces were cut");
    pieces.validate(lists.iter());
}

#[test]
#[should_panic(expected = "a piece was lost")]
fn a_lost_piece_is_noticed() {
    let mut pieces = Pieces::new();
    let list = list(&mut pieces, 1);
    pieces.rest.left = 0;
    pieces.validate([&list].into_iter());
}
