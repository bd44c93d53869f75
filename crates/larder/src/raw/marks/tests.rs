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
