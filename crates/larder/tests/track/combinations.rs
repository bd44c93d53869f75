//! Every container with every choice of what can be beside its objects: each part keeps its promises beside the others,
//! whatever panics, whatever memory is refused, and wherever the table goes back to.

use larder::track::{Objects, Reversible, Table, Versioned};
use larder::trees::{InObjects, IntrusiveList, Links};
use larder::{DenseArena, Pool, SoaArena};
use larder_testing::caught::panicking_after;
use larder_testing::combinations::{Counts, History, Id, PARTS, Part, Settings, Thing, Things};
use larder_testing::common::{SplitMix, amount, is_thorough, scaled, thorough};

/// A random history of one combination.
fn history<C: Things>(make: &dyn Fn() -> C, settings: Settings, seed: u64, steps: usize) -> Counts {
    let mut dice = SplitMix::new(seed);
    History::new(make(), settings, |end| dice.below(end)).run(steps)
}

/// The containers, by number: one for each code that records. (That of a pool is of all rows, and columns are recorded
/// alike whether they are packed or not.)
const CONTAINERS: [fn(Settings, u64, usize) -> Counts; 3] = [
    |settings, seed, steps| history(&|| Pool::new(|| Thing::new(0)), settings, seed, steps),
    |settings, seed, steps| history(&DenseArena::new, settings, seed, steps),
    |settings, seed, steps| history(&SoaArena::new, settings, seed, steps),
];

const NO_INDEX: u32 = Part::Unique.bit() - 1;

/// Each pair of parts, and each by itself, beside two containers, which are others each time; beside all if tests are to
/// be thorough.
#[test]
fn every_pair_of_parts_beside_every_container() {
    let mut counts = Counts::default();
    for (container, history) in CONTAINERS.iter().enumerate().step_by(scaled(1, 3)) {
        for (at, one) in PARTS.iter().enumerate() {
            for (number, other) in PARTS.iter().enumerate().skip(at).step_by(scaled(1, 7)) {
                let is_its_turn = (container + at + number) % CONTAINERS.len() < 2;
                if !is_its_turn && !is_thorough() && !cfg!(miri) {
                    continue;
                }
                let parts = one.bit() | other.bit();
                let goes_back = one.goes_back() && other.goes_back();
                let settings = Settings { parts, goes_back, has_trouble: true };
                let seed = (container * 1_000 + at) as u64 + u64::from(parts);
                counts.add(&history(settings, seed, amount(160, 24, 12)));
            }
        }
    }
    assert!(counts.panics > 0 && counts.refused_memory > 0, "{counts:?}");
}

/// Random choices of parts in longer histories, with and without trouble.
#[test]
fn random_parts_beside_every_container() {
    let (mut counts, mut dice) = (Counts::default(), SplitMix::new(4));
    for round in 0..thorough(32, 1) {
        for (container, history) in CONTAINERS.iter().enumerate().skip(round % scaled(1, 3)) {
            let parts = match round % 4 {
                0 => u32::MAX,
                1 => dice.next() as u32 & NO_INDEX,
                _ => (dice.next() & dice.next() | dice.next() & dice.next()) as u32,
            };
            let goes_back = round % 5 != 4;
            let settings = Settings { parts, goes_back, has_trouble: round % 3 != 2 };
            let seed = (round * 10 + container) as u64;
            counts.add(&history(settings, seed, amount(400, 120, 30)));
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

type Linked = Table<Pool<Thing>, (InObjects, Versioned<IntrusiveList<Id>>)>;

/// Five things, of which the first is the parent of the next three, and all but the last are in the list.
fn linked() -> (Linked, [Id; 5]) {
    let list = Versioned::new(IntrusiveList::numbered(1));
    let mut things = Table::with(Pool::new(|| Thing::new(0)), (InObjects, list));
    let keys = [0, 1, 2, 3, 4].map(|number| things.insert(Thing::new(number)));
    let (mut objects, (_, list)) = things.linking();
    for &key in &keys[..4] {
        list.push_back(&mut objects, key).expect("it is in no list");
    }
    for &key in &keys[1..4] {
        Links::append(&mut objects, keys[0], key).expect("it is no ancestor");
    }
    (things, keys)
}

/// All links, as walks yield them.
fn walked(things: &Linked, keys: &[Id]) -> [Vec<Id>; 2] {
    let below = keys.iter().flat_map(|&key| Links::<Id>::children(things, key));
    [below.collect(), things.observers().1.iter(things).collect()]
}

/// An edit of links in objects changes several: if the `Clone` of one panics, which a checkpoint asks for, none has
/// changed.
#[test]
fn links_are_not_torn_by_a_clone_that_panics() {
    type Edit = fn(&mut Objects<'_, Pool<Thing>>, &mut IntrusiveList<Id>, [Id; 5]) -> bool;
    let edits: [Edit; 15] = [
        |objects, _, keys| Links::append(objects, keys[0], keys[4]).is_ok(),
        |objects, _, keys| Links::append(objects, keys[3], keys[1]).is_ok(),
        |objects, _, keys| Links::prepend(objects, keys[4], keys[0]).is_ok(),
        |objects, _, keys| Links::prepend(objects, keys[0], keys[3]).is_ok(),
        |objects, _, keys| Links::insert_before(objects, keys[2], keys[4]).is_ok(),
        |objects, _, keys| Links::insert_after(objects, keys[3], keys[1]).is_ok(),
        |objects, _, keys| Links::make_root(objects, keys[1]),
        |objects, _, keys| (Links::orphan_children(objects, keys[0]), true).1,
        |objects, _, keys| {
            Links::sort_children_by(objects, keys[0], |_, a: Id, b| b.cmp(&a));
            true
        },
        |objects, list, keys| list.push_back(objects, keys[4]).is_ok(),
        |objects, list, keys| list.push_front(objects, keys[4]).is_ok(),
        |objects, list, keys| list.insert_after(objects, keys[1], keys[4]).is_ok(),
        |objects, list, keys| list.remove(objects, keys[0]),
        |objects, list, _| list.pop_back(objects).is_some(),
        |objects, list, keys| {
            let mut other = IntrusiveList::numbered(2);
            other.push_back(objects, keys[4]).is_ok()
                && list.splice(objects, None, &mut other).is_ok()
        },
    ];
    let mut panics = 0;
    for (number, edit) in edits.iter().enumerate() {
        for steps in 0.. {
            let (mut things, keys) = linked();
            let before = walked(&things, &keys);
            let then = things.checkpoint();
            let panicked = panicking_after(steps, || {
                let (mut objects, (_, list)) = things.linking();
                assert!(edit(&mut objects, list, keys));
            });
            assert_eq!(Links::<Id>::check(&things, keys), Ok(()), "edit {number}, {steps}");
            // (What is spliced was in another list before.)
            if number < 14 {
                assert_eq!(things.observers().1.check(&things, keys), Ok(()));
            }
            let is_as_before = walked(&things, &keys) == before;
            assert_eq!(is_as_before, panicked, "edit {number}, {steps}");
            assert_eq!(things.rollback(then), Ok(()));
            assert_eq!(walked(&things, &keys), before, "edit {number}");
            if !panicked {
                break;
            }
            panics += 1;
        }
    }
    assert!(panics > 3 * edits.len(), "{panics}");
}
