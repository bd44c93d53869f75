//! The table of slots: that what goes in comes out, whatever meets in a cell.

use super::{Index, home, keeps_apart, multiplier_for};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// Slots that all have the same home, and some that have not.
fn slots_meeting(multiplier: u64, cells: usize) -> impl Iterator<Item = u32> {
    let at = home(7, multiplier, cells);
    (0..u32::MAX).filter(move |&slot| home(slot, multiplier, cells) == at).take(8).chain(20..23)
}

#[test]
fn what_meets_in_one_cell_is_found_and_removed() {
    let mut index = Index::with_room(12).unwrap();
    let slots: BTreeSet<_> = slots_meeting(index.multiplier, index.cells.len()).collect();
    let slots: Vec<_> = slots.into_iter().take(11).collect();
    for gone in 0..slots.len() {
        let mut model = BTreeMap::new();
        for (position, &slot) in slots.iter().enumerate() {
            index.insert(slot, position);
            model.insert(slot, position);
        }
        for step in 0..slots.len() {
            let slot = slots[(gone + 7 * step) % slots.len()];
            model.remove(&slot);
            index.remove(slot);
            for &slot in &slots {
                assert_eq!(index.find(slot), model.get(&slot).copied(), "slot {slot}");
            }
            if let Some((&slot, position)) = model.first_key_value() {
                index.set(slot, *position);
            }
        }
        assert!(model.is_empty());
    }
}

/// Multiples of the golden ratio are as far apart as can be; those of a number like 1 or a half are not.
#[test]
fn numbers_that_bring_slots_together_are_known() {
    assert!(keeps_apart(0x9E37_79B9_7F4A_7C15, 1 << 20));
    for number in [1, 3, 1 << 63 | 1, u64::MAX, 0x5555_5555_5555_5555] {
        assert!(!keeps_apart(number, 1 << 20), "{number:x}");
    }
    for address in (0..64).map(|number| 0x7F00_1000 + 64 * number) {
        assert!(keeps_apart(multiplier_for(address, 4_096), 4_096), "{address:x}");
    }
}

/// Slots in a row, which most are, fill three quarters of a table without long probes.
#[test]
fn slots_in_a_row_get_homes_apart() {
    for cells in [64_usize, 1 << 10, 1 << 14] {
        let mut used = alloc::vec![0; cells];
        let multiplier = multiplier_for(0x7F12_3000 + cells, cells);
        (0..cells as u32 / 2).for_each(|slot| used[home(slot, multiplier, cells)] += 1);
        assert!(used.iter().all(|&here| here <= 4), "{cells}: {:?}", used.iter().max());
    }
}
