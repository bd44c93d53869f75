//! A book inside its owner, against what is known of its slots; and the room beside it.

use super::{Book, Half, Inside, Room, Rooms, slots};
use crate::error::TryReserveError;
#[cfg(feature = "alloc")]
use crate::raw::rewind::RewindBook;
use crate::raw::slots::Book as _;

/// A book of so many slots, of which these are live and the others free.
fn book<const N: usize>(slots: usize, is_live: impl Fn(usize) -> bool) -> Book<N> {
    let mut book = Book::EMPTY;
    // SAFETY: there is room; each slot is live until it is vacated.
    unsafe {
        book.append_many(slots);
        (0..slots).filter(|&slot| !is_live(slot)).for_each(|slot| book.vacate(slot));
    }
    slots::Book::validate(&book);
    book
}

#[test]
fn the_next_live_slot_is_found_from_anywhere() {
    for step in [1, 3, 64, 65, 129, 150, 1_000] {
        let is_live = |slot: usize| slot % step == step - 1;
        let book = book::<192>(180, is_live);
        for slot in 0..260 {
            assert_eq!(book.next_live(slot), (slot..180).find(|&slot| is_live(slot)), "{slot}");
        }
    }
}

#[test]
fn any_number_may_be_asked_about() {
    let full = book::<64>(64, |_| true);
    let half = book::<128>(64, |slot| slot % 2 == 0);
    for slot in [64, 65, 128, 10_000, usize::MAX] {
        assert_eq!([full.is_live(slot), full.is_taken(slot), full.is_hole(slot)], [false; 3]);
        assert_eq!([half.is_live(slot), half.is_taken(slot), half.is_hole(slot)], [false; 3]);
    }
}

#[test]
fn each_hole_is_at_hand() {
    for mut book in [book::<70>(70, |slot| slot != 68), book::<70>(60, |slot| slot != 3)] {
        let hole = book.at_hand().expect("there is one");
        assert!(book.is_hole(hole) && !book.has_stored());
        // SAFETY: it is the one at hand.
        unsafe { book.take_at_hand(hole) };
        assert!(book.at_hand().is_none() && !book.has_stored() && !book.has_holes());
    }
}

#[test]
#[should_panic(expected = "bits of unused slots are clear")]
fn bits_of_unused_slots_are_found() {
    let mut book = book::<130>(70, |_| true);
    book.set(Half::Live, 100);
    book.validate();
}

#[test]
#[should_panic(expected = "taken ones are counted")]
fn slots_that_are_two_things_are_found() {
    let mut book = book::<130>(70, |_| true);
    book.set(Half::Taken, 69);
    book.validate();
}

#[test]
#[cfg(feature = "alloc")]
fn an_order_of_free_slots_is_another_containers() {
    let mut book = book::<10>(4, |slot| slot == 0);
    let orders: [(&[u32], usize); 4] = [(&[], 0), (&[1], 0), (&[], 1), (&[1], 1)];
    let restored = orders.map(|(free, cursor)| book.restore_order(free, cursor));
    assert_eq!(restored, [true, false, false, false]);
}

#[test]
fn there_is_room_for_as_many_as_are_inside() {
    let mut inside = Inside::<u32, 5>::EMPTY;
    let full = Err(TryReserveError::Full { capacity: 5 });
    assert_eq!((inside.resize(5), inside.resize(6)), (Ok(()), full.clone()));
    let mut book = book::<5>(2, |_| true);
    let resized = [5, 6].map(|capacity| book.resize_layout(&mut inside, capacity));
    assert_eq!(resized, [Ok(()), full]);
    assert_eq!([inside.bytes(), inside.space()], [20, 20]);
}

#[test]
fn addresses_of_elements_have_their_number_and_no_others_have_one() {
    let inside = Inside::<[u32; 3], 5>::EMPTY;
    let start = inside.elements().addr().get();
    for address in start - 30..start + 100 {
        let expected = (0..5).find(|index| start + 12 * index == address);
        assert_eq!(inside.index_of(address), expected, "{address} from {start} on");
    }
    let sizeless = Inside::<(), 5>::EMPTY;
    assert_eq!(sizeless.index_of(sizeless.elements().addr().get()), None);
}
