//! Words of bits of another owner, and joins of them.

use super::Words;
#[cfg(feature = "rayon")]
use super::{Join, Together};
#[cfg(feature = "hashbrown")]
use crate::maps::SparseSecondaryMap;
#[cfg(feature = "alloc")]
use crate::{Arena, Handle, SecondaryMap, join};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[test]
fn bits_past_the_slots_mean_nothing() {
    let bits = [!0, !0, 0b1011];
    for slots in [0, 1, 63, 64, 65, 128, 130, 131] {
        let words = Words::new(&bits, None, slots);
        assert_eq!(words.count(), slots.div_ceil(64));
        for slot in 0..260 {
            let set = slot < 128 || [128, 129, 131].contains(&slot);
            assert_eq!(words.has(slot), set && slot < slots, "{slot} of {slots}");
        }
        let ones = (0..words.count() + 1).map(|word| words.word(word).count_ones());
        let all = [slots.min(128), usize::from(slots > 128), usize::from(slots > 129)];
        assert_eq!(ones.sum::<u32>() as usize, all.into_iter().sum::<usize>(), "{slots} slots");
    }
}

#[test]
fn without_a_summary_all_words_may_have_slots() {
    let (bits, summary) = ([1, 0], [0b01]);
    let words = Words::new(&bits, None, 128);
    let summed = Words::new(&bits, Some(&summary), 128);
    assert_eq!((words.present(0), summed.present(0)), (!0, 0b01));
}

/// What is joined below: objects, and a map of those that are chosen.
#[cfg(feature = "alloc")]
fn some(of: &Arena<u32>, chosen: impl Fn(u32) -> bool) -> SecondaryMap<Handle<u32>, u32> {
    let keys = of.keys().filter(|key| chosen(key.slot()));
    keys.map(|key| (key, key.slot())).collect()
}

/// Words without values are passed over by their summary, a group at a time, and no value with them.
#[test]
#[cfg(feature = "alloc")]
fn groups_without_values_are_passed_over() {
    let mut arena = Arena::from_iter(0..30_000);
    arena.retain(|_, number| [4_100, 4_159, 9_000, 29_999].contains(number));
    for least in [0, 4_150, 9_000, 20_000, 30_000] {
        let map = some(&arena, |slot| slot >= least);
        let found: Vec<_> = join((&arena, &map)).map(|(_, (&number, _))| number).collect();
        assert!(found.iter().eq(arena.values().filter(|&&number| number >= least)), "{found:?}");
    }
}

#[test]
#[cfg(feature = "hashbrown")]
fn as_many_are_expected_as_the_words_have_slots_or_the_smallest_table_entries() {
    let arena = Arena::from_iter(0..130);
    let map = some(&arena, |_| true);
    assert_eq!(join((&arena, &map)).size_hint(), (0, Some(192)));
    let entries = |count| map.iter().take(count).collect::<SparseSecondaryMap<_, _>>();
    let (ten, twenty) = (entries(10), entries(20));
    assert_eq!(join((&arena, &twenty, &ten)).size_hint(), (0, Some(10)));
    assert_eq!(join((&twenty, &map)).size_hint(), (0, Some(20)));
}

/// How many keys the parts have.
#[cfg(feature = "rayon")]
fn halves<J: Together>(join: Join<J>) -> (usize, Option<usize>) {
    let (below, above) = join.divide();
    (below.count(), above.map(Iterator::count))
}

#[test]
#[cfg(feature = "rayon")]
fn slots_that_all_have_are_halved_if_words_can_be() {
    let arena = Arena::from_iter(0..640);
    let all = some(&arena, |_| true);
    assert_eq!(halves(join((&arena, &all))), (320, Some(320)));
    let (below, above) = join((&arena, &all)).divide();
    assert_eq!((halves(below), above.map(halves)), ((192, Some(128)), Some((192, Some(128)))));
    // The lower part has half of them at least.
    let uneven = some(&arena, |slot| slot < 10 || (300..310).contains(&slot) || slot > 600);
    assert_eq!(halves(join((&arena, &uneven))), (59, None));
    let uneven = some(&arena, |slot| slot < 40 || (300..310).contains(&slot) || slot > 630);
    assert_eq!(halves(join((&arena, &uneven))), (40, Some(19)));
    // Those of the last word are not divided, nor is one.
    for chosen in [576..640, 638..640, 70..71, 9..9] {
        let few = some(&arena, |slot| chosen.contains(&slot));
        assert_eq!(halves(join((&arena, &few))), (few.len(), None), "{chosen:?}");
    }
}

#[test]
#[cfg(all(feature = "rayon", feature = "hashbrown"))]
fn entries_of_a_table_are_halved() {
    let arena = Arena::from_iter(0..100);
    for (count, expected) in [(0, (0, None)), (1, (1, None)), (2, (1, Some(1))), (11, (5, Some(6)))]
    {
        let table: SparseSecondaryMap<_, _> =
            arena.keys().take(count).map(|key| (key, ())).collect();
        assert_eq!(halves(join((&arena, &table))), expected);
    }
}
