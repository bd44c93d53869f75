//! The order in which packed slots are used again, as `Reuse::Packed` documents it.

use larder::Arena;

/// An arena of `len` values with holes at these slots, made in this order.
fn with_holes(len: u32, holes: &[u32]) -> Arena<u32> {
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many(0..len).collect();
    for &slot in holes {
        arena.remove(keys[slot as usize]);
    }
    arena.validate();
    arena
}

fn next_slots(mut arena: Arena<u32>, count: usize) -> Vec<u32> {
    (0..count).map(|_| arena.insert(0).slot()).collect()
}

#[test]
fn holes_of_one_word_then_of_its_group_then_the_lowest() {
    // Three groups of 4,096 slots; the word of the first hole is begun with.
    let holes = [5_000, 9_000, 4_100, 70, 5_010, 8_000, 5];
    let order = [5_000, 5_010, 4_100, 8_000, 5, 70, 9_000];
    assert_eq!(next_slots(with_holes(10_000, &holes), 7), order);
}

/// Few holes and many are looked for in different ways, and found in the same order.
#[test]
fn many_holes_are_found_in_the_same_order() {
    let len = 12_000;
    let first = 4_500;
    let holes: Vec<u32> =
        core::iter::once(first).chain((0..len).filter(|at| at % 3 == 1)).collect();
    let word = |slot: u32| slot / 64;
    let group = |slot: u32| slot / 4_096;
    let mut order = holes.clone();
    order.sort_unstable_by_key(|&slot| {
        (word(slot) != word(first), group(slot) != group(first), slot)
    });
    assert_eq!(next_slots(with_holes(len, &holes), holes.len()), order);
}
