//! Every container with every choice of what can be beside its objects: each part keeps its promises beside the others,
//! whatever panics, whatever memory is refused, and wherever the table goes back to.

use larder::{Arena, DenseArena, DenseSoaArena, InlineArena, PagedArena, Pool, SoaArena};
use larder_testing::combinations::{Counts, History, PARTS, Part, Settings, Thing, Things};
use larder_testing::common::{SplitMix, scaled, thorough};

/// A random history of one combination.
fn history<C: Things>(make: &dyn Fn() -> C, settings: Settings, seed: u64, steps: usize) -> Counts {
    let mut dice = SplitMix::new(seed);
    History::new(make(), settings, |end| dice.below(end)).run(steps)
}

/// The containers, by number.
const CONTAINERS: [fn(Settings, u64, usize) -> Counts; 7] = [
    |settings, seed, steps| history(&Arena::new, settings, seed, steps),
    |settings, seed, steps| history(&PagedArena::new, settings, seed, steps),
    |settings, seed, steps| history(&InlineArena::<Thing, 300>::new, settings, seed, steps),
    |settings, seed, steps| history(&|| Pool::new(|| Thing::new(0)), settings, seed, steps),
    |settings, seed, steps| history(&DenseArena::new, settings, seed, steps),
    |settings, seed, steps| history(&SoaArena::new, settings, seed, steps),
    |settings, seed, steps| history(&DenseSoaArena::new, settings, seed, steps),
];

const NO_INDEX: u32 = Part::Unique.bit() - 1;

/// Each container with each pair of parts, and with each by itself.
#[test]
fn every_pair_of_parts_beside_every_container() {
    let mut counts = Counts::default();
    for (container, history) in CONTAINERS.iter().enumerate().step_by(scaled(1, 3)) {
        for (at, one) in PARTS.iter().enumerate() {
            for other in PARTS[at..].iter().step_by(scaled(1, 7)) {
                let parts = one.bit() | other.bit();
                let goes_back = one.goes_back() && other.goes_back();
                let settings = Settings { parts, goes_back, has_trouble: true };
                let seed = (container * 1_000 + at) as u64 + u64::from(parts);
                counts.add(&history(settings, seed, thorough(160, 12)));
            }
        }
    }
    assert!(counts.panics > 0 && counts.refused_memory > 0, "{counts:?}");
}

/// Random choices of parts in longer histories, with and without trouble.
#[test]
fn random_parts_beside_every_container() {
    let (mut counts, mut dice) = (Counts::default(), SplitMix::new(4));
    for round in 0..thorough(80, 1) {
        for (container, history) in CONTAINERS.iter().enumerate().skip(round % scaled(1, 3)) {
            let parts = match round % 4 {
                0 => u32::MAX,
                1 => dice.next() as u32 & NO_INDEX,
                _ => (dice.next() & dice.next() | dice.next() & dice.next()) as u32,
            };
            let goes_back = round % 5 != 4;
            let settings = Settings { parts, goes_back, has_trouble: round % 3 != 2 };
            let seed = (round * 10 + container) as u64;
            counts.add(&history(settings, seed, scaled(400, 30)));
        }
    }
    if cfg!(miri) {
        return;
    }
    let Counts { panics, refused_memory, refused_values, .. } = counts;
    assert!(panics > 0 && refused_memory > 0 && refused_values > 0, "{counts:?}");
    assert!(counts.rollbacks > 0 && counts.undos > 0 && counts.redos > 0, "{counts:?}");
    assert!(counts.lost > 0 && counts.not_shared > 0 && counts.repeated > 0, "{counts:?}");
}
