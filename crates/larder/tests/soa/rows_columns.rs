//! The demands of the sources that are about columns, row by row. (Those about structs that are taken
//! apart by a derive are in `derive`.)

use core::ops::Range;

use larder::soa::derived;
use larder::{DenseSoaArena, Soa, SoaArena};
use larder_testing::common::{scaled, workspace_text};
use larder_testing::fields::{Lanes8, Lanes16, LanesOfABlock, LongInABlock, Mixed};
use larder_testing::values::Value;

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
fn b55_holes_are_safe_to_compute_with() {
    let mut arena = SoaArena::<(f32, f32)>::new();
    let keys: Vec<_> = (0..100).map(|_| arena.insert((f32::NAN, 1e-40))).collect();
    for &key in &keys[1..] {
        arena.remove(key);
    }
    // (What holes hold after any other removal is in the histories.)
    let (numbers, denormals) = arena.columns();
    assert!(numbers[1..].iter().chain(&denormals[1..]).all(|hole| hole.to_bits() == 0));
    arena.insert((1.0, 2.0));
    arena.remove(keys[0]);
    let (numbers, denormals) = arena.columns();
    assert_eq!((numbers.iter().sum::<f32>(), denormals.iter().sum::<f32>()), (1.0, 2.0));
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
