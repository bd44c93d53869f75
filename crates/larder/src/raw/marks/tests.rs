//! Marks, their summary, and walks over them.

use super::Marks;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

fn walked(marks: &Marks) -> Vec<usize> {
    // SAFETY: the marks stay as they are.
    unsafe { marks.walk() }.collect()
}

#[test]
fn marks_are_what_was_marked() {
    let slots = [0, 63, 64, 127, 4_095, 4_096, 4_100, 8_191, 8_999];
    let (mut marks, mut model) = (Marks::new(), BTreeSet::new());
    assert_eq!((marks.last(), marks.contains(0)), (None, false));
    marks.resize(9_000).unwrap();
    for step in 0..slots.len() {
        let slot = slots[step * 5 % slots.len()];
        marks.insert(slot);
        model.insert(slot);
        marks.validate();
        assert_eq!((marks.len(), marks.last()), (model.len(), model.last().copied()));
        assert!(walked(&marks).into_iter().eq(model.iter().copied()));
    }
    assert!(slots.iter().all(|&slot| marks.contains(slot) && !marks.contains(slot + 2)));
    assert!(!marks.contains(usize::MAX));
    for slot in slots {
        marks.remove(slot);
        marks.validate();
        assert!(!marks.contains(slot));
    }
}

/// A bit a slot, and a bit a word: nothing else is allocated.
#[test]
fn marks_take_a_bit_each_and_a_summary() {
    let mut marks = Marks::new();
    for (slots, words) in [(1, 1), (64, 1), (65, 2), (4_096, 64), (4_097, 67), (100, 2), (0, 0)] {
        marks.resize(slots).unwrap();
        assert_eq!(marks.bytes(), words * 8, "{slots} slots");
    }
}

/// What takes marks away changes words that the walk has yet to read: an interpreter that knows which pointer
/// may still be used says whether the walk's may.
#[test]
fn marks_are_taken_away_while_they_are_walked() {
    let slots = [3, 64, 65, 190, 4095, 4096, 4_200];
    let mut marks = Marks::new();
    marks.resize(4_201).expect("there is memory");
    slots.into_iter().for_each(|slot| marks.insert(slot));
    // SAFETY: the marks live as long, and only slots that were yielded lose theirs.
    let walk = unsafe { marks.walk() };
    let mut walked = Vec::new();
    for slot in walk {
        marks.remove(slot);
        walked.push(slot);
    }
    assert_eq!((&walked[..], marks.len()), (&slots[..], 0));
}

/// Marks of whole words, some of which there are: in few words, and in so many that they have a summary.
#[test]
fn marks_of_a_word_are_counted_once_and_taken_away_together() {
    for covered in [4_096, 9_000] {
        let (mut marks, mut model) = (Marks::new(), BTreeSet::new());
        marks.resize(covered).unwrap();
        for (word, slots) in [(0, 0b110), (0, 0b011), (1, 0), (63, !0), (63, 1), (0, 0)] {
            marks.insert_all(word, slots);
            model.extend((0..64).filter(|bit| slots >> bit & 1 == 1).map(|bit| word * 64 + bit));
            marks.validate();
            assert_eq!((marks.len(), marks.last()), (model.len(), model.last().copied()));
            assert!(marks.slots().eq(model.iter().copied()), "in {covered}");
            assert!(walked(&marks).into_iter().eq(model.iter().copied()), "in {covered}");
        }
        let last = covered / 64 - 1;
        for (word, slots) in [(last, 0b11), (last, 0b101), (last / 2, 1 << 63)] {
            marks.insert_all(word, slots);
            marks.validate();
        }
        assert_eq!(walked(&marks).len(), marks.len());
        marks.clear();
        marks.validate();
        assert_eq!((marks.len(), marks.last(), marks.covers(covered - 1)), (0, None, true));
        assert!(!(0..covered).any(|slot| marks.contains(slot)));
    }
}

#[test]
#[should_panic(expected = "marks are counted")]
fn a_wrong_count_is_noticed() {
    let mut marks = Marks::new();
    marks.resize(9_000).unwrap();
    marks.insert(8_000);
    marks.count = 2;
    marks.validate();
}
