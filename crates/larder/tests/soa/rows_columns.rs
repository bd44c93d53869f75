//! The demands of the sources that are about columns, row by row. (Those about structs that are taken
//! apart by a derive are in `derive`.)

use core::ops::Range;
use std::collections::BTreeSet;

use larder::soa::{InLanes, derived};
use larder::{Arena, DenseArena, DenseSoaArena, InlineArena, PagedArena, Reuse, Soa, SoaArena};
use larder_testing::allocator::{lent, requests_of};
use larder_testing::common::{address, scaled, workspace_text};
use larder_testing::fields::{Lanes8, Lanes16, LanesOfABlock, LongInABlock, Mixed};
use larder_testing::values::Value;

/// A particle of the sources, in columns.
type Row = (f32, u32);

// B: Niklas Gray, on structures of arrays.

/// The same history in any container: what is left, in order of the numbers.
macro_rules! a_life {
    ($arena:expr) => {{
        let mut arena = $arena;
        let keys: Vec<_> = (0..8).map(|n| arena.insert((n as f32, n))).collect();
        assert_eq!(arena.remove(keys[3]), Some((3.0, 3)));
        assert!(arena.get(keys[3]).is_none() && arena.get(keys[4]).is_some());
        arena.insert((9.0, 9));
        arena.retain(|key, _| key != keys[0]);
        let mut left: Vec<(f32, u32)> = arena.into_values().collect();
        left.sort_by_key(|row| row.1);
        left
    }};
}

#[test]
fn b40_every_memory_holds_rows_and_columns() {
    macro_rules! all_memories {
        ($container:ident) => {{
            let block = || lent($container::<Row>::bytes_for(9));
            [
                a_life!($container::<Row>::new()),
                a_life!($container::<Row>::with_capacity(9)),
                a_life!($container::<Row>::fixed(9)),
                a_life!($container::<Row>::reserved(9)),
                a_life!($container::<Row>::in_memory(block()).unwrap()),
            ]
        }};
    }

    let lives = [
        all_memories!(Arena),
        all_memories!(DenseArena),
        all_memories!(SoaArena),
        all_memories!(DenseSoaArena),
    ];
    let left = [1, 2, 4, 5, 6, 7, 9].map(|n| (n as f32, n));
    assert!(lives.iter().flatten().all(|life| life[..] == left));
    // In blocks, and inside an owner, there are rows.
    let rows = [
        a_life!(PagedArena::<Row>::builder().block_bytes(24).build()),
        a_life!(PagedArena::<Row>::builder().doubling().build()),
        a_life!(InlineArena::<Row, 9>::new()),
    ];
    assert!(rows.iter().all(|life| life[..] == left));
}

#[test]
fn b41_each_field_is_an_array() {
    let arena = DenseSoaArena::from_iter((0..100).map(|n| (n as f32, n)));
    let (numbers, names): (&[f32], &[u32]) = arena.columns();
    assert!(
        numbers.iter().zip(names).enumerate().all(|(n, (a, b))| (*a, *b) == (n as f32, n as u32))
    );
    let ends = numbers.as_ptr_range();
    assert!(!ends.contains(&names.as_ptr().cast()), "one after the other");
}

#[test]
fn b50_groups_of_eight_lie_together() {
    let mut arena = DenseSoaArena::<Lanes8>::new();
    arena.extend((0..24).map(Value::make));
    let mut ends = 0;
    for (live, lanes) in arena.blocks() {
        let (a, b, c) = (lanes.a, lanes.b, lanes.c);
        assert_eq!((live.count(), a[7] - a[0]), (8, 7));
        let places = [a.as_ptr().addr(), b.as_ptr().addr(), c.as_ptr().addr()];
        let (first, last) = (places[0], places[2] + size_of_val(c));
        assert!(last - first <= 3 * 64, "{places:?} are one group, in three lines");
        assert!(places.is_sorted() && first >= ends);
        ends = last;
    }
}

#[test]
fn b52_groups_of_sixteen_fill_a_cache_line() {
    let mut arena = SoaArena::<Lanes16>::new();
    arena.extend((0..40).map(Value::make));
    assert_eq!(arena.blocks().count(), 3);
    for (_, lanes) in arena.blocks() {
        let (numbers, doubles) = (lanes.a, lanes.b);
        assert_eq!((size_of_val(numbers), numbers.as_ptr().addr() % 64), (64, 0));
        assert_eq!(doubles.as_ptr().addr() % 64, 0);
    }
}

/// The addresses of a slice.
fn place_of<T>(slice: &[T]) -> Range<usize> {
    let begin = slice.as_ptr().addr();
    begin..begin + size_of_val(slice)
}

#[test]
fn b53_groups_are_as_large_as_a_block() {
    const LANES: usize = derived::lanes_of_a_block::<<Mixed as Soa>::Shape>();
    const PLAIN: usize = derived::lanes_of_a_block::<<(f32, f64, u8) as Soa>::Shape>();

    // 4 bytes, 24, 64 or 128 and none.
    assert!(LANES % 64 == 0 && LANES >= 64 && LANES * (4 + size_of::<String>() + 64) <= 16 << 10);
    assert_eq!(PLAIN, (16 << 10) / 13 / 64 * 64);

    // The lanes of all columns of a group are one stretch of memory, as large as a block: the next larger
    // group would not fit.
    macro_rules! groups_are_blocks {
        ($container:ident<$value:ident>) => {{
            let mut arena = $container::<$value>::new();
            arena.extend((0..3_000).map(Value::make));
            let (mut values, mut end) = (0, 0);
            for (live, lanes) in arena.blocks() {
                let columns =
                    [place_of(lanes.a), place_of(lanes.b), place_of(lanes.c), place_of(lanes.d)];
                let count = lanes.a.len();
                assert_eq!([lanes.b.len(), lanes.c.len(), lanes.d.len()], [count; 3]);
                assert_eq!(live.first(), values);
                values += count;
                let begin = columns.iter().map(|column| column.start).min().unwrap();
                assert!(begin >= end && begin % 64 == 0, "groups lie one after the other");
                end = columns.iter().map(|column| column.end).max().unwrap();
                // (There are whole words of bits, or a power of two of slots.)
                let (bytes, more) = (end - begin, if count < 64 { 2 * count } else { count + 64 });
                assert!(bytes <= 16 << 10 && bytes / count * more > 16 << 10, "{bytes} bytes");
                let first = live.first() as u32;
                for (lane, number) in (first..3_000).take(count).enumerate() {
                    assert_eq!((lanes.a[lane], lanes.b[lane]), (number, f64::from(number)));
                }
            }
            assert!(values >= 3_000);
        }};
    }
    groups_are_blocks!(SoaArena<LanesOfABlock>);
    groups_are_blocks!(DenseSoaArena<LanesOfABlock>);
    groups_are_blocks!(SoaArena<LongInABlock>);
    groups_are_blocks!(DenseSoaArena<LongInABlock>);
}

#[test]
fn b54_groups_are_skipped_only_where_all_of_them_are_holes() {
    let mut arena = SoaArena::<Lanes8>::new();
    let keys: Vec<_> = arena.insert_many((0..scaled(800, 80) as u32).map(Value::make)).collect();
    let groups = keys.len() / 8;
    assert_eq!(arena.blocks().count(), groups);
    // One value is left in every second group.
    arena.retain(|key, _| key.slot() % 16 == 3);
    let mut left = arena.blocks().map(|(live, lanes)| (live.first(), live.bits(), lanes.a[3]));
    assert!(
        (0..groups)
            .step_by(2)
            .all(|group| { left.next() == Some((group * 8, 0b1000, (group * 8 + 3) as u32)) })
    );
    assert_eq!(left.next(), None);

    let mut split = SoaArena::from_iter(0..1_000_u32);
    split.retain(|_, number| (200..500).contains(number) || *number == 999);
    let groups: Vec<_> = split.groups().map(|(live, _)| live.first()).collect();
    assert_eq!(groups, [192, 256, 320, 384, 448, 960]);
}

#[test]
fn b55_holes_are_safe_to_compute_with() {
    let mut arena = SoaArena::<(f32, f32)>::new();
    let keys: Vec<_> = (0..100).map(|_| arena.insert((f32::NAN, 1e-40))).collect();
    for &key in &keys[1..] {
        arena.remove(key);
    }
    let (numbers, denormals) = arena.columns();
    assert!(numbers[1..].iter().chain(&denormals[1..]).all(|hole| hole.to_bits() == 0));
    arena.insert((1.0, 2.0));
    arena.remove(keys[0]);
    let (numbers, denormals) = arena.columns();
    assert_eq!((numbers.iter().sum::<f32>(), denormals.iter().sum::<f32>()), (1.0, 2.0));
    // However values are removed, at once and one by one.
    type Numbers = SoaArena<(f32, f32)>;
    type Removal = fn(&mut Numbers);
    let removals: [(&str, Removal); 6] = [
        ("retain", |arena| arena.retain(|key, _| key.slot() % 7 == 3)),
        ("retain, nothing", |arena| arena.retain(|_, _| false)),
        ("clear", Numbers::clear),
        ("drain", |arena| arena.drain().for_each(drop)),
        ("drain, not to its end", |arena| assert!(arena.drain().next().is_some())),
        ("detach", |arena| {
            for key in arena.keys().collect::<Vec<_>>() {
                arena.detach(key);
            }
        }),
    ];
    for (how, remove) in removals {
        let mut arena: Numbers = (0..200).map(|_| (f32::NAN, 1e-40)).collect();
        remove(&mut arena);
        let live: BTreeSet<_> = arena.keys().map(|key| key.slot() as usize).collect();
        assert_eq!(live.len(), if how == "retain" { 29 } else { 0 }, "{how}");
        let (numbers, denormals) = arena.columns();
        for (slot, (number, denormal)) in numbers.iter().zip(denormals).enumerate() {
            let is_zero = (number.to_bits(), denormal.to_bits()) == (0, 0);
            assert!(is_zero != live.contains(&slot), "{how}: slot {slot}");
        }
    }
}

#[test]
fn b56_free_slots_are_linked_outside_the_columns() {
    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        let mut arena: SoaArena<u64> = SoaArena::builder().reuse(reuse).build();
        let keys: Vec<_> = (0..200).map(|_| arena.insert(u64::MAX)).collect();
        for &key in keys.iter().rev().step_by(3) {
            arena.remove(key);
        }
        let columns = arena.columns();
        assert!(columns.iter().all(|value| [0, u64::MAX].contains(value)), "{reuse:?}");
        let before = columns.as_ptr();
        assert_eq!(arena.insert(7).slot() < 200, arena.columns().as_ptr() == before);
    }
}

#[test]
fn b61_packed_columns_in_groups_of_eight_in_one_reservation() {
    let count = scaled(20_000, 100) as u32;
    let mut arena = DenseSoaArena::<Lanes8>::reserved(count as usize);
    arena.insert(Value::make(0));
    let place = |arena: &DenseSoaArena<Lanes8>| arena.blocks().next().unwrap().1.a.as_ptr().addr();
    let before = place(&arena);
    arena.extend((1..count).map(Value::make));
    assert_eq!(place(&arena), before, "it grows in place");
    let sum: u64 = arena.blocks().flat_map(|(_, lanes)| lanes.a).map(|id| u64::from(*id)).sum();
    assert_eq!(sum, (0..u64::from(count)).sum::<u64>());
}

/// The presets of the page are what the row asks for: rows with holes and permanent addresses, and packed columns
/// in groups of eight.
#[test]
fn b66_the_presets_have_the_properties_that_they_are_chosen_for() {
    type Particle = (f32, u32);

    let count = scaled(10_000, 200);
    let row = |number: usize| (number as f32, number as u32);
    macro_rules! rows {
        ($arena:expr) => {{
            let mut things = $arena;
            let mut places = Vec::new();
            let keys: Vec<_> = (0..count)
                .map(|number| {
                    let key = things.insert(row(number));
                    places.push(address(&things[key]));
                    key
                })
                .collect();
            keys.iter().step_by(2).for_each(|&key| assert!(things.remove(key).is_some()));
            things.extend((0..count).map(row));
            for (number, &key) in keys.iter().enumerate().skip(1).step_by(2) {
                // A row is one piece, and stays where it was made.
                assert_eq!((address(&things[key]), things[key]), (places[number], row(number)));
                assert!(
                    address(&things[key].1).abs_diff(address(&things[key].0))
                        < size_of::<Particle>()
                );
            }
        }};
    }
    rows!(Arena::<Particle>::reserved(2 * count));
    rows!(PagedArena::<Particle>::new());

    macro_rules! columns {
        ($arena:expr) => {{
            let mut particles: DenseSoaArena<InLanes<Particle, 8>> = $arena;
            let keys: Vec<_> = (0..count).map(|number| particles.insert(row(number).into())).collect();
            keys.iter().step_by(2).for_each(|&key| assert!(particles.remove(key).is_some()));
            // No holes: all groups but the last are full, and each field of a group is an array of eight.
            let left = particles.len();
            assert_eq!(left, count / 2);
            let mut sum = 0;
            for (at, (live, lanes)) in particles.blocks().enumerate() {
                assert_eq!((live.first(), live.bits().count_ones() as usize), (at * 8, 8.min(left - at * 8)));
                assert_eq!(lanes.0.len(), 8);
                sum += lanes.1.iter().take(live.bits().count_ones() as usize).map(|&number| number as usize).sum::<usize>();
            }
            assert_eq!(sum, (0..count).skip(1).step_by(2).sum::<usize>());
        }};
    }
    columns!(DenseSoaArena::reserved(count));
    columns!(DenseSoaArena::fixed(count));
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn b66_the_choice_between_rows_and_columns_is_explained() {
    // The sentences that decide, each where it belongs.
    let page = workspace_text("docs/choosing.md");
    let section = |heading: &str| {
        let (_, rest) = page.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
        let text = rest.split("\n## ").next().unwrap_or(rest);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let which = section("## Which container?");
    for sentence in [
        "Rows are the right default: columns are faster only where a loop reads a small part of each value.",
        "Use columns (feature `columns`) for loops over some fields of many objects, for SIMD, for a GPU or a file.",
    ] {
        assert!(which.contains(sentence), "docs/choosing.md does not say: {sentence}");
    }
    // The two presets make what their headings say.
    let presets = section("## Two presets");
    let at = |part: &str| presets.find(part).unwrap_or_else(|| panic!("no {part} in {presets}"));
    assert!(at("### A: rows with holes") < at("Arena::reserved("));
    assert!(at("Arena::reserved(") < at("### B: columns without holes, in groups of eight"));
    assert!(at("### B: columns without holes") < at("DenseSoaArena"));
}

// E: the large array of things.

#[test]
fn e11_e14_columns_of_fixed_capacity_walked_up_to_the_bound() {
    let mut pool = SoaArena::<Row>::fixed(100);
    let (requests, ()) = requests_of(|| {
        let keys = [0, 1, 2, 3].map(|n| pool.insert((0.0, n)));
        pool.remove(keys[1]);
        pool.remove(keys[3]);
        assert_eq!(pool.insert((0.0, 9)).slot() % 2, 1, "a free slot first");
    });
    assert_eq!(requests, 0);
    assert_eq!(pool.capacity(), 100);
    // Columns end at the upper bound, not at the capacity.
    assert_eq!((pool.columns().0.len(), pool.stats().slots), (4, 4));
    assert_eq!(pool.runs().map(|(_, names)| names.len()).sum::<usize>(), 3);
}
