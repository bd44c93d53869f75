//! The table of positions: how far it looks, how large it is, and that it is checked.

use super::{GROUP, Sparse, hash_of};
use crate::Handle;
#[cfg(feature = "rayon")]
use crate::maps::side_layout::LentEntries;
use crate::maps::side_layout::SideLayout;

type Map<V> = Sparse<Handle<()>, V>;

fn key(slot: u32) -> Handle<()> {
    Handle::from_bits(1 << 32 | u64::from(slot)).expect("it is odd")
}

/// The slots whose entries begin at this place of a table of `places`.
fn slots_that_meet(place: usize, places: usize) -> impl Iterator<Item = u32> {
    (0..).filter(move |&slot| hash_of(slot) as usize % places == place)
}

/// Entries that begin at one place lie in the groups of places behind it, which are looked at one by one.
#[test]
#[cfg(any(target_feature = "sse2", target_pointer_width = "64"))]
#[cfg_attr(miri, ignore = "slow, and no more than places are counted")]
fn entries_that_meet_are_found_in_as_many_groups_as_they_fill() {
    for (places, place) in [(64, 0), (512, 7), (512, 511)] {
        let mut map = Map::NEW;
        map.try_set_capacity(places / 16 * 7).expect("there is memory");
        assert_eq!((map.positions.num_buckets(), map.longest_probe()), (places, 0));
        for (count, slot) in (0..places / 8 * 7).zip(slots_that_meet(place, places)) {
            map.try_insert(key(slot), slot).expect("there is room");
            assert_eq!(map.longest_probe(), count / GROUP + 1, "{count} of {places} places");
        }
        assert_eq!(map.positions.num_buckets(), places, "it did not grow");
    }
}

#[test]
#[cfg_attr(miri, ignore = "how far is looked is for the machine's own groups")]
fn entries_of_slots_in_a_row_are_found_where_they_are_looked_for_first() {
    let mut map = Map::NEW;
    for slot in 0..448 {
        map.try_insert(key(slot), slot).expect("there is memory");
        assert_eq!(map.longest_probe(), 1, "{slot}");
    }
}

/// Room in the table of a map with one entry.
fn first_room<V: Copy>(value: V) -> usize {
    let mut map = Map::NEW;
    assert!(map.try_insert(key(5), value).is_ok());
    map.positions.capacity()
}

#[test]
fn the_smallest_table_of_small_entries_has_sixteen_places() {
    assert_eq!([first_room(()), first_room([0_u64; 7])], [14; 2]);
    assert!(first_room([0_u64; 8]) < 14 && first_room([0_u8; 5_000]) < 14);
}

/// Both halves of what rayon divides, until there is one.
#[test]
#[cfg(feature = "rayon")]
fn iterators_are_divided_into_halves() {
    let mut map = Map::NEW;
    for slot in 0..9 {
        map.try_insert(key(slot), slot).expect("there is memory");
    }
    let (below, above) = map.iter().divide();
    let above = above.expect("there are two parts");
    assert!((below.len(), above.len()) == (4, 5) && below.chain(above).eq(map.iter()));
    let (below, above) = map.iter_mut().divide();
    assert_eq!((below.len(), above.map(|above| above.len())), (4, Some(5)));
    for slot in 1..9 {
        assert!(map.remove(key(slot)).is_some());
    }
    let (whole, rest) = map.iter().divide();
    assert!(whole.len() == 1 && rest.is_none());
    let (whole, rest) = map.iter_mut().divide();
    assert!(whole.len() == 1 && rest.is_none());
}

fn validated(change: impl FnOnce(&mut Map<u32>)) {
    let mut map = Map::NEW;
    for slot in 0..20 {
        map.try_insert(key(slot), slot).expect("there is memory");
    }
    map.validate();
    change(&mut map);
    map.validate();
}

#[test]
#[should_panic(expected = "is found")]
fn an_entry_that_the_table_does_not_have_is_told() {
    validated(|map| map.positions.clear());
}

#[test]
#[should_panic(expected = "is found")]
fn an_entry_under_the_position_of_another_is_told() {
    validated(|map| map.entries.swap(3, 17));
}

#[test]
#[should_panic(expected = "every position is that of an entry")]
fn a_position_that_is_there_twice_is_told() {
    validated(|map| _ = map.positions.insert_unique(hash_of(3), 3, |_| 0));
}
