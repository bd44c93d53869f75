//! Groups and blocks of columns: stepped through and folded, with fields of all sizes.

use larder::soa::{Fill, InLanes};
use larder::{DenseSoaArena, Soa, SoaArena};
use larder_testing::fields::{Lanes8, Lanes64, LanesOfABlock};
use larder_testing::values::Value;

/// Removes what makes words full, empty, and partly filled, the last one short.
fn with_holes<T: Soa + Fill>(count: u64, make: fn(u64) -> T) -> SoaArena<T> {
    let mut arena = SoaArena::new();
    let keys: Vec<_> = (0..count).map(|number| arena.insert(make(number))).collect();
    for (slot, key) in keys.into_iter().enumerate() {
        let dies = match slot / 64 % 11 {
            1 | 4 => false,
            2 | 3 | 6 | 7 => true,
            _ => slot % 5 == 0 || slot % 64 > 40,
        };
        if dies {
            arena.remove(key);
        }
    }
    arena
}

#[test]
fn folding_groups_is_stepping_through_them() {
    let mut arena = with_holes(700, |number| number);
    let shown = |(live, column): (larder::soa::Live<'_>, &[u64])| {
        (live.first(), live.bits(), column.to_vec())
    };
    let mut stepped = Vec::new();
    for group in arena.groups() {
        stepped.push(shown(group));
    }
    assert_eq!(
        stepped.iter().map(|group| group.0 / 64).collect::<Vec<_>>(),
        [0, 1, 4, 5, 8, 9, 10]
    );
    let mut folded = Vec::new();
    arena.groups().for_each(|group| folded.push(shown(group)));
    assert_eq!(folded, stepped);
    // The rest of a word that was begun is a group, too.
    let mut groups = arena.groups();
    groups.next();
    assert_eq!(groups.map(shown).collect::<Vec<_>>(), stepped[1..]);
    folded.clear();
    arena.groups_mut().for_each(|(live, column)| folded.push(shown((live, column))));
    assert_eq!(folded, stepped);
}

#[derive(Soa, Clone, Copy, Debug, PartialEq)]
struct Plain {
    small: u8,
    #[soa(fill = 7)]
    large: u64,
}

/// The same struct with the attribute.
#[derive(Soa, Clone, Copy, Debug, PartialEq)]
#[soa(lanes = 8)]
struct Eight {
    small: u8,
    #[soa(fill = 7)]
    large: u64,
}

/// A container's choice and a type's give the same blocks, the same holes and the same memory.
#[test]
fn lanes_are_chosen_by_the_container_as_by_the_type() {
    let chosen = with_holes(700, |n| InLanes::<_, 8>(Plain { small: n as u8, large: n }));
    let declared = with_holes(700, |n| Eight { small: n as u8, large: n });
    let blocks = |small: &[u8; 8], large: &[u64; 8]| (*small, *large);
    let of_chosen: Vec<_> =
        chosen.blocks().map(|(_, lanes)| blocks(lanes.small, lanes.large)).collect();
    let of_declared: Vec<_> =
        declared.blocks().map(|(_, lanes)| blocks(lanes.small, lanes.large)).collect();
    assert_eq!(of_chosen, of_declared);
    assert!(of_chosen.iter().any(|(_, large)| large.contains(&7)), "there are holes");
    assert_eq!(chosen.stats().memory, declared.stats().memory);
    let (first, second) = of_first_two(&chosen);
    assert_eq!(second - first, 1, "fields of neighbours are side by side");

    let mut dense: DenseSoaArena<InLanes<Plain, 8>> = DenseSoaArena::new();
    let key = dense.insert(InLanes(Plain { small: 1, large: 2 }));
    *dense.get_mut(key).expect("it is there").large += 1;
    assert_eq!(dense.remove(key), Some(InLanes(Plain { small: 1, large: 3 })));
    assert_eq!(<InLanes<Plain, 8> as Fill>::FILL.0.large, 7);
}

/// The addresses of a field of the first two live slots.
fn of_first_two(arena: &SoaArena<InLanes<Plain, 8>>) -> (usize, usize) {
    let mut values = arena.values().map(|value| (&raw const *value.small).addr());
    (values.next().expect("first"), values.next().expect("second"))
}

/// Blocks of each size are folded as they are stepped through, shared or not. (Histories look at what is in them.)
#[test]
fn blocks_are_folded_as_they_are_stepped_through() {
    macro_rules! check {
        ($($lanes:ident),*) => {$({
            let mut arena = with_holes(3_000, |number| $lanes::make(number as u32));
            let mut stepped = Vec::new();
            for (live, lanes) in arena.blocks() {
                stepped.push((live.first(), live.words().collect::<Vec<_>>(), *lanes.a));
            }
            let mut folded = Vec::new();
            arena.blocks().for_each(|(live, lanes)| {
                folded.push((live.first(), live.words().collect(), *lanes.a));
            });
            assert_eq!(folded, stepped);
            let mut rest = arena.blocks();
            rest.next();
            assert_eq!(rest.map(|(live, _)| live.first()).count(), stepped.len() - 1);
            folded.clear();
            arena.blocks_mut().for_each(|(live, lanes)| {
                lanes.c.fill([9; 3]);
                folded.push((live.first(), live.words().collect(), *lanes.a));
            });
            assert_eq!(folded, stepped);
            assert!(arena.values().all(|value| *value.c == [9; 3]));
            assert!(arena.iter().all(|(key, value)| *value.a == key.slot()));
        })*};
    }
    check!(Lanes8, Lanes64, LanesOfABlock);
}

/// Fields without a size.
#[derive(Soa, Clone, Copy, Debug, PartialEq)]
#[soa(lanes = 8)]
struct Nothing {
    #[soa(fill = [])]
    narrow: [u8; 0],
    #[soa(fill = [])]
    wide: [u64; 0],
}

#[test]
fn lanes_without_bytes_are_where_their_alignment_allows_it() {
    let mut arena = SoaArena::<Nothing>::new();
    let key = arena.insert(Nothing { narrow: [], wide: [] });
    let wide: *const [u64; 0] = arena.get(key).unwrap().wide;
    assert!(wide.is_aligned());
    assert!(arena.values().all(|value| core::ptr::from_ref(value.wide).is_aligned()));
}
