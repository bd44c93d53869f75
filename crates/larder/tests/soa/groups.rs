//! Groups and blocks of columns: stepped through and folded, with fields of all sizes.

use larder::soa::{Fill, InLanes};
use larder::{DenseSoaArena, Soa, SoaArena};

/// A struct whose fields have different sizes and alignments, one of them none, in groups.
macro_rules! mixed {
    ($module:ident, $lanes:literal) => {
        mod $module {
            use larder::Soa;

            #[derive(Soa, Clone, Copy, Debug, PartialEq)]
            #[soa(lanes = $lanes)]
            pub(crate) struct Mixed {
                pub(crate) small: u8,
                pub(crate) nothing: (),
                pub(crate) large: u64,
                pub(crate) three: [u16; 3],
                pub(crate) last: u8,
            }

            impl Mixed {
                pub(crate) fn new(number: u64) -> Self {
                    let small = number as u8;
                    let three = [number as u16; 3];
                    Self { small, nothing: (), large: number, three, last: small ^ 0xFF }
                }
            }
        }
    };
}

mixed!(of_8, 8);
mixed!(of_64, 64);
mixed!(of_a_block, "block");

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

/// Blocks of each size: all values where their keys say, and each block once.
macro_rules! blocks {
    ($test:ident, $module:ident) => {
        #[test]
        fn $test() {
            use $module::Mixed;
            let mut arena = with_holes(3_000, Mixed::new);
            let mut stepped = Vec::new();
            for (live, lanes) in arena.blocks() {
                for lane in (0..lanes.large.len()).filter(|&lane| live.is_live(lane)) {
                    let number = (live.first() + lane) as u64;
                    assert_eq!(
                        (lanes.large[lane], lanes.last[lane]),
                        (number, number as u8 ^ 0xFF)
                    );
                }
                stepped.push((live.first(), live.words().collect::<Vec<_>>(), *lanes.large));
            }
            let mut folded = Vec::new();
            arena.blocks().for_each(|(live, lanes)| {
                folded.push((live.first(), live.words().collect(), *lanes.large));
            });
            assert_eq!(folded, stepped);
            let mut rest = arena.blocks();
            rest.next();
            assert_eq!(rest.map(|(live, _)| live.first()).count(), stepped.len() - 1);
            folded.clear();
            arena.blocks_mut().for_each(|(live, lanes)| {
                lanes.small.fill(9);
                folded.push((live.first(), live.words().collect(), *lanes.large));
            });
            assert_eq!(folded, stepped);
            assert!(arena.values().all(|value| *value.small == 9));
            assert_eq!(arena.values().map(|value| *value.large).sum::<u64>(), {
                arena.keys().map(|key| u64::from(key.slot())).sum::<u64>()
            });
        }
    };
}

blocks!(blocks_of_8_are_folded_as_they_are_stepped_through, of_8);
blocks!(blocks_of_64_are_folded_as_they_are_stepped_through, of_64);
blocks!(blocks_of_16_kib_are_folded_as_they_are_stepped_through, of_a_block);

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
