//! The book as a whole: what it covers, which orders it takes over, and what its check notices.

use alloc::string::String;
use alloc::vec::Vec;
use core::panic::AssertUnwindSafe;
use core::ptr::NonNull;
use std::panic::catch_unwind;

use super::words::largest_hand;
use super::{Book, Occupancy, SPAN, WORD};
use crate::raw::memory::Memory;
use crate::stats::Reuse;

/// A book of so many slots, all live.
pub(super) fn full(slots: usize) -> Occupancy {
    let mut book = Occupancy::new(Reuse::Packed);
    book.cover(slots).expect("there is memory");
    // SAFETY: that many are covered.
    unsafe { book.append_many(slots) };
    book
}

/// The live slots, in ascending order.
pub(super) fn live(book: &Occupancy) -> impl DoubleEndedIterator<Item = usize> {
    // SAFETY: the book, which is borrowed as long as what comes of it, lives and does not change.
    unsafe { book.walk() }
}

/// Frees these slots, one after the other.
pub(super) fn vacate(book: &mut Occupancy, slots: impl IntoIterator<Item = usize>) {
    for slot in slots {
        assert!(book.is_live(slot), "slot {slot} is live");
        // SAFETY: just checked.
        unsafe { book.vacate(slot) };
    }
}

/// Frees these slots of a word at once.
pub(super) fn vacate_bits(book: &mut Occupancy, word: usize, dead: u64) {
    assert_eq!(book.live_word(word) & dead, dead, "slots of word {word} are live");
    // SAFETY: just checked.
    unsafe { book.vacate_word(word, dead) };
}

/// Frees the slots of these words.
pub(super) fn vacate_words(book: &mut Occupancy, words: impl IntoIterator<Item = usize>) {
    for word in words {
        vacate_bits(book, word, book.live_word(word));
    }
}

/// As it says in `storage`: a book of up to 1,024 slots, and of none but there, lies in the slots' own block.
#[test]
fn a_small_book_may_lie_in_memory_of_another_owner_and_forgets_it() {
    const MOST: usize = SPAN * WORD;
    let mut book = Occupancy::new(Reuse::Packed);
    let may = |book: &Occupancy| [1, 80, MOST, MOST + 1].map(|slots| book.can_be_moved(slots));
    assert_eq!((may(&book), book.covered()), ([true, true, true, false], 0));
    let mut tail = [0_u64; 64];
    // SAFETY: it has no slots yet; and the array is not used until the book has left it.
    unsafe { book.move_to(130, |_| Ok(NonNull::from(&mut tail).cast())) }.expect("it fits");
    assert_eq!((may(&book), book.covered()), ([true, true, true, false], 192));
    book.uncover();
    assert_eq!((may(&book), book.covered(), book.bytes()), ([true, true, true, false], 0, 0));
    book.validate();
    assert_eq!(may(&full(1)), [false; 4], "it has memory of its own");
}

#[test]
#[cfg(feature = "alloc")]
fn a_book_that_forgets_its_memory_knows_which_it_wants() {
    for huge in [false, true] {
        let book = Occupancy::within(Reuse::Packed, Memory::Heap { huge });
        let mut book = book.expect("no memory is asked for");
        assert_eq!(book.words.wants_huge, huge);
        book.uncover();
        assert_eq!(book.words.wants_huge, huge);
    }
}

/// What was cut off is in no summary.
#[test]
fn nothing_is_found_beyond_the_end_of_a_book_that_shrank() {
    const GROUP: usize = WORD * WORD;
    let mut book = full(3 * GROUP);
    vacate_words(&mut book, 60..3 * WORD);
    // SAFETY: what was freed reaches to the end.
    unsafe { book.truncate(GROUP) };
    book.shrink(GROUP);
    assert_eq!((book.covered(), book.next_live(60 * WORD)), (GROUP, None));
    assert_eq!(book.previous_live(GROUP), Some(60 * WORD - 1));
    book.validate();
    book.cover(2 * GROUP).expect("there is memory");
    book.validate();
}

/// A file may say that more is at hand than there is room for.
#[test]
#[cfg(feature = "alloc")]
fn an_order_of_more_than_can_be_at_hand_is_refused() {
    for slots in [100, 600, 20_000] {
        let mut book = full(slots);
        vacate_words(&mut book, 0..slots.min(2_000) / WORD);
        let most = largest_hand(slots / WORD);
        let order: Vec<u32> = (0..=most as u32).rev().collect();
        assert!(!book.restore_order(&order, 0), "of {slots} slots");
        assert!(book.restore_order(&order[1..], 0), "of {slots} slots");
        book.validate();
        assert!(book.free_order().eq(order[1..].iter().copied()) && book.ordered() == most);
    }
}

#[test]
fn a_book_that_contradicts_itself_is_noticed() {
    type Spoil = fn(&mut Occupancy);
    let wrong: [(&str, Spoil); 10] = [
        ("the book covers all slots", |book| book.slots = 641),
        ("live slots are counted", |book| book.words.words_mut()[0] &= !1),
        ("taken slots are counted", |book| (book.detached, book.stored) = (1, 0)),
        ("words that are not present are counted", |book| book.words.empty = 1),
        // (What a larger book has room for.)
        ("how much can be at hand", |book| {
            book.words.make_room(64);
            book.slots = 100;
            book.stored = 0;
            book.words.words_mut()[9] = !0;
        }),
        ("searches begin within the slots", |book| book.cursor = 10),
        ("bits of unused slots are set", |book| book.words.words_mut()[9] &= !(1 << 63)),
        ("which words are present", |book| book.words.note_present(3, false)),
        ("which groups are crowds", |book| book.words.parts_mut().crowds[0] = 0),
        ("a span with holes is found", |book| book.words.parts_mut().room[0] = 0),
    ];
    for (message, spoil) in wrong {
        // Slot 599 is the last, and a hole.
        let mut book = full(600);
        vacate_bits(&mut book, 9, 1 << 23);
        book.validate();
        spoil(&mut book);
        let caught = catch_unwind(AssertUnwindSafe(|| book.validate())).expect_err(message);
        let said = caught.downcast_ref::<String>().map_or("", |said| said);
        let said = caught.downcast_ref::<&str>().map_or(said, |said| said);
        assert!(said.contains(message), "{message}: {said}");
    }
}
