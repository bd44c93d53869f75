//! Rea's `slot_list`: insertion, erasure and lookup in constant time, walked in the order of insertion.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::PagedArena;
use larder::track::Table;
use larder::trees::InsertionOrder;

/// A number between two others, both among them.
struct Generator(u64);

impl Generator {
    fn rand_uint(&mut self, min: usize, max: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        min + (self.0 >> 33) as usize % (max - min + 1)
    }
}

fn get_and_remove_rand_value<T>(values: &mut Vec<T>, generator: &mut Generator) -> T {
    let index = generator.rand_uint(0, values.len() - 1);
    values.swap_remove(index)
}

fn main() {
    // The default of `slot_list` is a deque: objects lie in blocks, and never move.
    let mut sl = Table::with(PagedArena::new(), InsertionOrder::new());
    let mut ids = Vec::with_capacity(1_000);
    let mut generator = Generator(2);

    // Insertion.
    for i in 0..1_000 {
        ids.push(sl.insert((i, i * 2)));
    }

    // Erasure.
    for _ in 0..100 {
        let id = get_and_remove_rand_value(&mut ids, &mut generator);
        sl.remove(id);
        assert!(!sl.contains_key(id), "`id_is_valid`, as of a `versioned_slot_list`");
    }

    // The next object is inserted into the slot that was emptied last, and is last in the list.
    let last = sl.insert((1_000, 2_000));
    assert_eq!(sl.observers().last(), Some(last));

    // Lookup.
    let sum: u32 = ids.iter().map(|&id| sl[id].0).sum();

    // Iteration.
    let mut walked = 0;
    let mut at = sl.observers().first();
    while let Some(id) = at {
        walked += sl[id].0;
        at = sl.observers().next_key(id);
    }
    assert_eq!(walked, sum + 1_000);
    assert!(sl.observers().iter().is_sorted_by_key(|id| sl[id].0));
    println!("{} objects, {walked} in all", sl.len());
}
