//! A store that contradicts itself is told.

use crate::Arena;
use crate::raw::generation::Generation;
use crate::raw::slots::ErasedSlots;

#[test]
#[should_panic(expected = "slot 1 is live in generation 2")]
fn a_live_slot_in_a_generation_of_free_ones_is_told() {
    let mut arena = Arena::<u32>::from_iter(0..3);
    arena.validate();
    let free = Generation::free_from_u64(2).expect("it is a free slot's");
    // SAFETY: the slot is in use.
    unsafe { arena.rows.store(1, free) };
    arena.validate();
}
