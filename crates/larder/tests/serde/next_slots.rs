//! The slots that a loaded arena uses next are those of the saved one.

use super::*;

/// Saves and loads an arena, then asks both for their next slots.
fn same_next_slots(mut arena: Arena<u32>, count: usize) -> Vec<u32> {
    let saved = to_json(&arena);
    let mut loaded: Arena<u32> = from_json(&saved).unwrap();
    let slots: Vec<_> = (0..count).map(|_| arena.insert(0).slot()).collect();
    let again: Vec<_> = (0..count).map(|_| loaded.insert(0).slot()).collect();
    assert_eq!(slots, again);
    arena.validate();
    loaded.validate();
    slots
}

#[test]
fn e21_a_first_hole_in_a_later_word() {
    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        let mut arena: Arena<u32> = Arena::builder().reuse(reuse).build();
        let keys: Vec<_> = arena.insert_many(0..65).collect();
        arena.remove(keys[64]);
        assert_eq!(same_next_slots(arena, 2), [64, 65]);
    }
}

/// The book's memory of words that have no room any more must not show.
#[test]
fn e21_words_that_were_filled_behind_the_books_back() {
    let slots = |words: [usize; 3]| words.map(|word| word as u32 * 64);

    // The word that shrinking cut off had holes.
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many(0..4096 + 128).collect();
    arena.remove(keys[3 * 64]);
    for &key in &keys[4096 + 64 + 30..] {
        arena.remove(key);
    }
    arena.shrink_to_fit();
    arena.extend(0..1_000);
    let keys: Vec<_> = arena.keys().collect();
    for word in [68, 70, 3] {
        arena.remove(keys[word * 64]);
    }
    assert_eq!(same_next_slots(arena, 3), slots([3, 70, 68]));

    // A detached slot was all that its word had free.
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many(0..5_000).collect();
    arena.detach(keys[65 * 64]).unwrap();
    arena.remove(keys[65 * 64 + 1]);
    arena.insert(0);
    arena.remove(keys[68 * 64]);
    arena.reattach(keys[65 * 64], 1).unwrap();
    arena.remove(keys[70 * 64]);
    arena.remove(keys[3 * 64]);
    assert_eq!(same_next_slots(arena, 3), slots([3, 70, 68]));
}
