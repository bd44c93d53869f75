//! The requests of maps of side data to the allocator, and the lengths that their iterators report.

use larder::{
    Handle, SecondaryMap, TryReserveError,
    maps::layout::{Array, SideLayout, Sparse as Hashed},
    maps::{SecondaryInsertErrorKind, SideMap, SparseSecondaryMap},
};
use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::caught::panicking_after;
use larder_testing::common::scaled;
use larder_testing::forge::MadeKey;
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::Value;

type Side<V> = SecondaryMap<Handle<u32>, V>;
type Sparse<V> = SparseSecondaryMap<Handle<u32>, V>;

fn key(slot: u32) -> Handle<u32> {
    Handle::made(slot, 1)
}

/// Rows double from 4 on. Marks begin with 4,096, and where they do not suffice any more they are made, with a
/// summary, for four times as many slots as there are rows, even if there is but one entry in a page.
#[test]
fn an_array_asks_for_rows_once_a_doubling_and_for_marks_once_in_three() {
    let most = scaled(1 << 20, 1 << 14);
    for stride in [1, 16, 128, 512] {
        let mut map = Side::<u32>::new();
        let slots = (0..most as u32).skip(stride - 1).step_by(stride);
        let (requests, _) = requests_of(|| map.extend(slots.map(|slot| (key(slot), slot))));
        assert_eq!((map.capacity(), map.len()), (most, most / stride));
        let doublings = (most / stride.max(4)).ilog2();
        let marks = (most.ilog2() - 10) / 3; // at 2¹³, 2¹⁶ and 2¹⁹ slots
        assert_eq!(requests as u32, 2 + doublings + 2 * marks, "every {stride}th slot");
    }
}

/// Twice the rows, and eight times the bits, with a summary of them.
#[test]
fn an_array_that_grows_takes_no_more_than_is_said() {
    let mut map = Side::<u32>::new();
    for slot in 0..scaled(40_000, 5_000) as u32 {
        map.insert(key(slot), slot);
        let (slots, committed) = (slot as usize + 1, map.stats().memory.committed);
        let bits = (slots + slots / 64 + 16).max(512);
        assert!(committed <= (2 * slots).max(8) * 8 + bits, "{committed} bytes for {slots} slots");
    }
}

#[test]
fn an_array_that_is_as_large_as_asked_is_left_alone() {
    let mut map: Side<u32> = (0..9).map(|slot| (key(slot), slot)).collect();
    let before = map.stats();
    for capacity in [0, 9, map.capacity() - 1, map.capacity()] {
        let (requests, _) = requests_of(|| map.set_capacity(capacity));
        assert_eq!((requests, map.stats()), (0, before), "{capacity} slots");
    }
}

/// Rows that no key names are not touched however the array grows, where the system provides pages on first use.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn rows_between_few_take_no_pages_as_an_array_grows() {
    let resident = || {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
    };
    let before = resident();
    let mut map = Side::<u32>::new();
    for slot in [5, 8_000_000, 16_000_000, 32_000_000] {
        map.insert(key(slot), slot);
    }
    assert!(map.stats().memory.committed > 250_000_000 && map.len() == 4);
    let grown = resident().saturating_sub(before);
    assert!(grown < 60_000_000, "{grown} bytes are resident");
}

/// Entries that come and go leave places behind that are free again only in a new table.
#[test]
fn a_table_whose_entries_come_and_go_is_rarely_made_anew_and_does_not_grow() {
    for live in [1_u32, 100, 220, 430, 448] {
        let turns = scaled(20_000, 500) as u32;
        let mut map: Sparse<u32> = (0..live).map(|slot| (key(slot), slot)).collect();
        let before = map.stats().memory.committed;
        let (requests, _) = requests_of(|| {
            for slot in live..live + turns {
                assert_eq!(map.remove(key(slot - live)), Some(slot - live));
                assert_eq!(map.insert(key(slot), slot), None);
            }
        });
        map.validate();
        let most = turns as usize / (live as usize / 4).max(7) + 4;
        assert!(requests <= most, "{requests} requests with {live} entries");
        let committed = map.stats().memory.committed;
        assert!(committed <= 2 * before, "{before} bytes became {committed} with {live} entries");
    }
}

#[test]
fn a_table_knows_its_memory() {
    let map: Sparse<u64> = (0..3).map(|slot| (key(slot), 1)).collect();
    let memory = map.stats().memory;
    // Room for 4 in the vector; 16 places of a position and a byte in the table,
    // and a group of bytes.
    assert_eq!((memory.values, memory.holes, memory.unused), (3 * 8, 0, 16));
    assert_eq!(memory.bookkeeping, memory.committed - 3 * 8 - 16);
    assert_eq!((map.capacity(), memory.reserved), (4, memory.committed));
    let nothing: Sparse<()> = (0..3).map(|slot| (key(slot), ())).collect();
    assert_eq!((nothing.stats().memory.values, nothing.stats().memory.unused), (0, 8));
}

#[test]
fn what_a_table_was_refused_is_said() {
    let mut map: Sparse<u64> = (0..3).map(|slot| (key(slot), 1)).collect();
    let most = isize::MAX as usize / 16;
    for capacity in [most + 1, usize::MAX] {
        let overflow = TryReserveError::CapacityOverflow { requested: capacity, max: most };
        assert_eq!(map.try_set_capacity(capacity), Err(overflow));
    }
    let refused = refusing_after(0, false, || map.try_set_capacity(100));
    assert_eq!(refused, (true, Err(TryReserveError::AllocRefused { bytes: 1_600 })));
    assert_eq!((map.len(), map.capacity()), (3, 4));
}

/// Insertions fail whether the vector or the table is full.
#[test]
fn an_insertion_without_memory_is_an_error_however_full_a_map_is() {
    let mut map = Sparse::<u64>::new();
    for slot in 0..200 {
        let full = map.len() == map.capacity();
        let (refused, inserted) = refusing_after(0, true, || map.try_insert(key(slot), 7));
        assert_eq!((refused, inserted.is_err()), (full, full), "{slot} entries");
        if let Err(error) = inserted {
            assert!(
                matches!(error.reason, SecondaryInsertErrorKind::Memory(_)) && error.value == 7
            );
            map.insert(key(slot), 7);
        }
        map.validate();
    }
}

#[test]
fn shrinking_a_table_moves_entries_only_if_that_gives_memory_back() {
    let mut map: Sparse<u64> = (0..5).map(|slot| (key(slot), 1)).collect();
    let (refused, _) = refusing_after(0, true, || map.shrink_to_fit());
    assert_eq!((refused, map.len(), map.capacity()), (true, 5, 8), "refused, it stays as it is");
    map.shrink_to_fit();
    assert_eq!((map.capacity(), map.stats().memory.unused), (5, 0));
    let first = &raw const map[key(0)];
    let (requests, _) = requests_of(|| map.shrink_to_fit());
    assert!(requests <= 1 && first == &raw const map[key(0)], "{requests} requests");
    map.validate();
}

// The rest of an iterator.

#[test]
fn iterators_that_take_say_how_much_is_left_and_take_the_rest() {
    fn check<L: SideLayout<Handle<u32>, u32>>() {
        let full: SideMap<_, _, L> = (0..10).map(|slot| (key(slot), slot)).collect();
        let mut map = full.clone();
        let mut odd = map.extract_if(|_, value| *value % 2 == 1);
        assert_eq!(odd.size_hint(), (0, Some(10)));
        assert_eq!((odd.next(), odd.size_hint()), (Some((key(1), 1)), (0, Some(8))));
        let rest = odd.by_ref().count();
        assert_eq!((rest, odd.size_hint(), odd.next()), (4, (0, Some(0)), None));
        drop(odd);
        assert_eq!(map.len(), 5);

        let mut map = full;
        let mut drain = map.drain();
        assert_eq!((drain.next(), drain.size_hint()), (Some((key(0), 0)), (9, Some(9))));
        drop(drain);
        assert!(map.is_empty() && map.iter().next().is_none() && map.insert(key(3), 1).is_none());
        map.validate();
    }
    check::<Array<_, _>>();
    check::<Hashed<_, _>>();
}

/// Also the values after one whose `Drop` panics.
#[test]
fn a_drain_drops_all_values_even_if_one_of_them_panics() {
    for steps in 0..10 {
        let mut map: Side<Touchy> = (0..10).map(|slot| (key(slot), Touchy::make(slot))).collect();
        set_nerve(Nerve::Drop);
        assert!(panicking_after(steps, || drop(map.drain())));
        set_nerve(Nerve::None);
        assert_eq!((map.len(), count_alive()), (0, 0), "the {steps}th panicked");
        map.validate();
        forget_all();
    }
}
