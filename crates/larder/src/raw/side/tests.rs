//! Rows that contradict the marks are told.

use core::mem::MaybeUninit;

use super::{Side, WORD};
use crate::Handle;
use crate::raw::generation::Generation;
use crate::raw::rows::Row;
use crate::raw::slots::GenerationOf;

type Map = Side<Handle<()>, u32>;

fn key(slot: u32) -> Handle<()> {
    Handle::from_bits(1 << 32 | u64::from(slot)).expect("it is odd")
}

/// Rows of two words of marks, with values in the second.
fn validated(change: impl FnOnce(&mut Map)) {
    let mut map = Map::new();
    for slot in 70..80 {
        assert!(map.try_insert(key(slot), slot).is_ok());
    }
    assert!(map.begun > WORD);
    map.validate();
    change(&mut map);
    map.validate();
}

#[test]
#[should_panic(expected = "slot 90: 0")]
fn a_mark_without_a_value_is_told() {
    validated(|map| map.marks.insert(90));
}

#[test]
#[should_panic(expected = "slot 75: 1")]
fn a_value_without_a_mark_is_told() {
    validated(|map| map.marks.remove(75));
}

#[test]
#[should_panic(expected = "values have rows")]
fn a_mark_past_the_rows_that_are_begun_is_told() {
    validated(|map| map.begun = 79);
}

#[test]
#[should_panic(expected = "is vacant, and has")]
fn a_vacant_row_with_a_generation_is_told() {
    let free = GenerationOf::<Handle<()>>::free_from_u64(2).expect("it is a free slot's");
    validated(|map| {
        _ = map.rows.all_mut()[90].write(Row { value: MaybeUninit::uninit(), generation: free })
    });
}
