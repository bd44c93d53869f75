//! Indices go back to checkpoints: keys, properties, and the order of the keys that share one.

use std::fmt::Debug;

use larder::indices::{IndexError, MultiIndex, RowIndex, UniqueIndex};
use larder::track::{Reversible, TrackError};
use larder::{Arena, Handle, TryReserveError};
use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{Counted, Drops, scaled};
use larder_testing::nervous::Nervous;

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, goes_back, memory_is_refused};

type Id = Handle<u32>;

/// How many properties there are.
const MANY: usize = 12;

/// A property: some are frequent, as those of a group of many keys.
fn any_property(dice: &mut Dice) -> u32 {
    (dice.below(MANY) * dice.below(MANY) / MANY) as u32
}

fn is_refused<T>(outcome: &Result<T, IndexError<Id>>) -> bool {
    matches!(outcome, Err(IndexError::Memory(TryReserveError::AllocRefused { .. })))
}

/// The edits that all indices have.
macro_rules! edit {
    ($index:ident, $objects:ident, $dice:ident, $property:expr, $($own:tt)*) => {{
        let [one, other] = [(); 2].map(|()| $objects.any($dice));
        match $dice.below(150) {
            0 => $index.clear(),
            1 => $index.retain_live(&$objects.live),
            2 => $index.shrink_to_fit(),
            3 => return is_refused(&$index.try_reserve(9).map_err(IndexError::from)),
            4..8 => {
                let pairs = [one, other].map(|key| (key, $property));
                return is_refused(&$index.extend(pairs));
            }
            8..50 => _ = $index.remove(one),
            $($own)*
            _ => return is_refused(&$index.insert(one, $property)),
        }
        false
    }};
}

impl Beside for UniqueIndex<u32, Id> {
    type Seen = (Vec<Option<u32>>, Vec<Option<Id>>, usize);

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        edit!(self, objects, dice, dice.below(3 * MANY) as u32,)
    }

    fn seen(&self, objects: &Objects) -> Self::Seen {
        let properties = objects.keys.iter().map(|&key| self.property(key).copied()).collect();
        let keys = (0..3 * MANY as u32).map(|property| self.get(&property)).collect();
        (properties, keys, self.len())
    }

    fn check(&self) {
        self.validate();
    }
}

impl Beside for MultiIndex<u32, Id> {
    type Seen = (Vec<Option<u32>>, Vec<Vec<Id>>, usize);

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        edit!(self, objects, dice, any_property(dice),
            50 => self.remove_all_of(&any_property(dice), |_| {}),)
    }

    fn seen(&self, objects: &Objects) -> Self::Seen {
        let properties = objects.keys.iter().map(|&key| self.property(key).copied()).collect();
        let keys = (0..MANY as u32).map(|property| self.get(&property).to_vec()).collect();
        (properties, keys, self.len())
    }

    fn check(&self) {
        self.validate();
    }
}

fn go_back<B: Beside>(objects: &Objects) {
    for seed in 1..scaled(12, 2) as u64 {
        goes_back::<B>(objects, seed, scaled(3_000, 60));
    }
}

/// Objects whose slots are far apart, with two generations of some.
fn far() -> Objects {
    let mut live = Arena::<u32>::new();
    let all: Vec<Id> = live.insert_many(0..scaled(60_000, 2_000) as u32).collect();
    let mut keys: Vec<Id> = all.into_iter().step_by(scaled(1_500, 50)).collect();
    for at in 0..8 {
        live.remove(keys[at]);
        keys.push(live.insert(0));
    }
    Objects { live, keys }
}

#[test]
fn indices_by_hash_go_back() {
    for objects in [Objects::new(), far()] {
        go_back::<UniqueIndex<u32, Id>>(&objects);
        go_back::<MultiIndex<u32, Id>>(&objects);
    }
}

#[test]
fn refused_memory_loses_checkpoints_of_indices_and_nothing_else() {
    let objects = Objects::new();
    for for_good in [false, true] {
        memory_is_refused::<UniqueIndex<u32, Id>>(&objects, for_good);
        memory_is_refused::<MultiIndex<u32, Id>>(&objects, for_good);
    }
}

/// Keys may exchange what only one may have: neither is there between.
#[test]
fn unique_properties_are_exchanged_and_go_back() {
    let mut index = UniqueIndex::new();
    let [a, b] = [0, 1].map(|at| Objects::new().keys[20 + at]);
    index.extend([(a, 'a'), (b, 'b')]).unwrap();
    let then = index.checkpoint();
    assert_eq!(index.remove(a), Some('a'));
    index.insert(b, 'a').unwrap();
    index.insert(a, 'b').unwrap();
    index.rollback(then).unwrap();
    assert_eq!((index.get(&'a'), index.get(&'b')), (Some(a), Some(b)));
}

/// An index that is told of rows goes back, too; and what is prepared then is cancelled.
#[test]
fn an_index_of_rows_goes_back() {
    let keys = Objects::new().keys;
    let mut by_tens = MultiIndex::by(|number: &u32| number / 10);
    fn file(index: &mut impl RowIndex<Id, u32>, key: Id, number: u32) {
        index.prepare(key, &number).unwrap();
        index.file();
        index.settle();
    }
    (20..24).for_each(|at| file(&mut by_tens, keys[at], at as u32));
    let then = by_tens.checkpoint();
    RowIndex::<_, u32>::unfile(&mut by_tens, keys[20]);
    RowIndex::<_, u32>::settle(&mut by_tens);
    file(&mut by_tens, keys[21], 35);
    by_tens.prepare(keys[22], &40).unwrap();
    by_tens.rollback(then).unwrap();
    RowIndex::<_, u32>::file(&mut by_tens);
    assert_eq!((by_tens.get(&2), by_tens.len()), (&keys[20..24], 4));
    by_tens.validate();
    assert_eq!((by_tens.undo(), by_tens.undo()), (Ok(true), Ok(false)));
}

/// While several indices are asked, nothing is lost: what was undone can be done again if one of them refuses.
#[test]
fn a_refused_row_does_not_discard_what_was_undone() {
    let keys = Objects::new().keys;
    let mut index = UniqueIndex::by(|number: &u32| *number);
    index.prepare(keys[20], &1).unwrap();
    RowIndex::<_, u32>::file(&mut index);
    RowIndex::<_, u32>::settle(&mut index);
    index.checkpoint();
    RowIndex::<_, u32>::unfile(&mut index, keys[20]);
    RowIndex::<_, u32>::settle(&mut index);
    assert_eq!((index.undo(), index.len()), (Ok(true), 1));
    assert!(index.prepare(keys[21], &1).is_err());
    index.prepare(keys[21], &2).unwrap();
    RowIndex::<_, u32>::settle(&mut index);
    assert_eq!((index.redo(), index.len()), (Ok(true), 0));
}

/// What records hold is dropped once, and what came back is in the index.
#[test]
fn properties_are_moved_into_records_and_back() {
    struct Held(u32, #[expect(dead_code, reason = "its drop is counted")] Counted);

    impl PartialEq for Held {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl Eq for Held {}
    impl std::hash::Hash for Held {
        fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
            self.0.hash(hasher);
        }
    }

    let (drops, keys) = (Drops::default(), Objects::new().keys);
    let held = |number: u32| Held(number, drops.object(number));
    let mut index = MultiIndex::new();
    (0..20).for_each(|at| assert!(index.insert(keys[at + 10], held(at as u32 / 2)).is_ok()));
    assert_eq!(drops.count(), 10, "of properties that the index had already");
    let then = index.checkpoint();
    keys.iter().for_each(|&key| _ = index.remove(key));
    (0..5).for_each(|at| assert!(index.insert(keys[at + 10], held(100 + at as u32)).is_ok()));
    assert_eq!((index.len(), drops.count()), (5, 10));
    index.rollback(then).unwrap();
    assert_eq!((index.len(), index.iter().len(), drops.count()), (20, 10, 15));
    index.clear();
    assert_eq!(drops.count(), 15);
    index.forget_all();
    assert_eq!(drops.count(), 25);
}

/// Code of properties does not run on the way back, and where it panics before, what was there stays.
fn user_code_panics<X: Clone + Reversible>(
    edits: &[&dyn Fn(&mut X)],
    empty: X,
    seen: impl Fn(&X) -> String,
    is_silent: bool,
) {
    for edit in edits {
        let (mut index, mut steps) = (empty.clone(), 0);
        edits[0](&mut index);
        let before = seen(&index);
        loop {
            let mut copy = index.clone();
            let then = copy.checkpoint();
            let has_panicked = panicking_after(steps, || edit(&mut copy));
            let now = seen(&copy);
            if has_panicked {
                assert_eq!(copy.rollback(then), Ok(()), "after {steps} of {now}");
                assert_eq!(seen(&copy), before);
                steps += scaled(1, 7) as u32;
                continue;
            }
            // And on the way back and again.
            let mut back = 0;
            loop {
                let mut copy = index.clone();
                let then = copy.checkpoint();
                edit(&mut copy);
                let has_panicked = panicking_after(back, || {
                    assert_eq!(copy.undo(), Ok(true));
                    assert_eq!(copy.redo(), Ok(true));
                });
                if !has_panicked {
                    assert_eq!(seen(&copy), now);
                    assert!(back == 0 || !is_silent, "no code of properties runs");
                    assert_eq!((copy.rollback(then), seen(&copy)), (Ok(()), before.clone()));
                    break;
                }
                seen(&copy);
                assert_eq!(copy.rollback(then), Err(TrackError::Lost));
                copy.forget_all();
                edit(&mut copy);
                back += scaled(1, 7) as u32;
            }
            break;
        }
    }
}

#[test]
fn properties_of_indices_by_hash_panic() {
    let keys = Objects::new().keys;
    let [a, b, c, d] = [20, 21, 22, 23].map(|at| keys[at]);
    fn shown(walk: impl Iterator<Item = (u32, Vec<Id>)>) -> String {
        let mut all: Vec<_> = walk.collect();
        all.sort_unstable();
        format!("{all:?}")
    }
    let property = |number: u32| Nervous(number);
    user_code_panics::<MultiIndex<Nervous, Id>>(
        &[
            &|index| {
                _ = index.extend([(a, property(1)), (b, property(1)), (c, property(2))]);
            },
            &|index| _ = index.insert(a, property(2)),
            &|index| _ = index.insert(c, property(3)),
            &|index| _ = index.insert(d, property(3)),
            &|index| _ = index.remove(c),
            &|index| index.remove_all_of(&property(1), |_| step()),
            &|index| index.retain_live(&Arena::<u32>::new()),
            &|index| index.clear(),
        ],
        MultiIndex::new(),
        |index| {
            index.validate();
            shown(index.iter().map(|(property, keys)| (property.0, keys.to_vec())))
        },
        true,
    );
    user_code_panics::<UniqueIndex<Nervous, Id>>(
        &[
            &|index| {
                _ = index.extend([(a, property(1)), (c, property(2))]);
            },
            &|index| _ = index.insert(a, property(2)),
            &|index| _ = index.insert(c, property(3)),
            &|index| drop(index.remove(c)),
            &|index| index.clear(),
        ],
        UniqueIndex::new(),
        |index| {
            index.validate();
            shown(index.iter().map(|(property, key)| (property.0, vec![key])))
        },
        true,
    );
}

#[test]
fn a_checkpoint_of_an_index_allocates_once_and_names_its_own() {
    fn check<X: Reversible + Clone + Debug>(mut index: X, mut other: X) {
        let then = index.checkpoint();
        other.checkpoint();
        assert_eq!(other.rollback(then), Err(TrackError::Foreign));
        assert_eq!(index.clone().rollback(then), Err(TrackError::Foreign), "a clone has none");
        let later = index.checkpoint();
        index.forget(later).unwrap();
        assert_eq!((index.rollback(then), index.rollback(later)), (Err(TrackError::Gone), Ok(())));
        index.forget_all();
        assert_eq!(index.rollback(later), Err(TrackError::Gone));
    }
    check(UniqueIndex::<u8, Id>::new(), UniqueIndex::new());
    check(MultiIndex::<u8, Id>::new(), MultiIndex::new());
}
