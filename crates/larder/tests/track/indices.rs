//! Indices go back to checkpoints: keys, properties, and the order of the keys that share one.

use core::hash::Hash;
use larder::indices::{GridIndex, IndexError, MultiIndex, SortedIndex, UniqueIndex};
use larder::track::{Reversible, Table, TrackError};
use larder::{Arena, Handle, TryReserveError};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{Counted, Drops, amount, scaled, thorough};
use larder_testing::nervous::{Nervous, Property};

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, code_panics, goes_back, memory_is_refused};

type Id = Handle<u32>;

/// How many properties there are.
const MANY: usize = 12;

/// A property of the indices that are edited.
trait Edited: Property {
    /// Chooses an edit.
    fn edit(dice: &mut Dice) -> usize {
        dice.below(150)
    }
}

impl Edited for u32 {}

/// (Of the few edits whose code panics at each step, many are of many keys.)
impl Edited for Nervous {
    fn edit(dice: &mut Dice) -> usize {
        let end = [9, 60, 150][dice.below(3)];
        dice.below(end)
    }
}

/// Some are frequent, as those of a group of many keys.
fn any_property<P: Property>(dice: &mut Dice) -> P {
    P::of((dice.below(MANY) * dice.below(MANY) / MANY) as u32)
}

fn is_refused<T>(outcome: &Result<T, IndexError<Id>>) -> bool {
    matches!(outcome, Err(IndexError::Memory(TryReserveError::AllocRefused { .. })))
}

/// The edits that all indices have.
macro_rules! edit {
    ($index:ident, $objects:ident, $kind:expr, $dice:ident, $property:expr, $($own:tt)*) => {{
        let [one, other] = [(); 2].map(|()| $objects.any($dice));
        match $kind {
            0 => $index.clear(),
            1 => $index.retain_live(&$objects.live),
            2 => $index.shrink_to_fit(),
            3 => return is_refused(&$index.try_reserve(9).map_err(IndexError::from)),
            4..8 => {
                let pairs = [one, other].map(|key| (key, $property));
                return is_refused(&$index.extend(pairs));
            }
            $($own)*
            8..50 => _ = $index.remove(one),
            _ => return is_refused(&$index.insert(one, $property)),
        }
        false
    }};
}

impl<P: Edited> Beside for UniqueIndex<P, Id> {
    type Seen = (Vec<Option<u32>>, Vec<Option<Id>>, usize);

    fn empty() -> Self {
        Self::new()
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        edit!(self, objects, P::edit(dice), dice, P::of(dice.below(3 * MANY) as u32),)
    }

    fn seen(&self, objects: &Objects) -> Self::Seen {
        let properties = objects.keys.iter().map(|&key| self.property(key).map(P::number));
        let keys = (0..3 * MANY as u32).map(|property| self.get(&P::of(property)));
        (properties.collect(), keys.collect(), self.len())
    }

    fn check(&self) {
        self.validate();
    }
}

impl<P: Edited> Beside for MultiIndex<P, Id> {
    type Seen = (Vec<Option<u32>>, Vec<Vec<Id>>, usize);

    fn empty() -> Self {
        Self::new()
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        edit!(self, objects, P::edit(dice), dice, any_property::<P>(dice),
            8 => self.remove_all_of(&any_property::<P>(dice), |_| {}),)
    }

    fn seen(&self, objects: &Objects) -> Self::Seen {
        let properties = objects.keys.iter().map(|&key| self.property(key).map(P::number));
        let keys = (0..MANY as u32).map(|property| self.get(&P::of(property)).to_vec());
        (properties.collect(), keys.collect(), self.len())
    }

    fn check(&self) {
        self.validate();
    }
}

impl<P: Edited> Beside for SortedIndex<P, Id> {
    type Seen = Vec<(u32, Id)>;
    const MAY_BE_TORN: bool = true;

    fn empty() -> Self {
        Self::new()
    }

    fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
        edit!(self, objects, P::edit(dice), dice, any_property::<P>(dice),
            8 | 50..54 => drop(self.pop_first()),
            54..58 => drop(self.pop_last()),)
    }

    fn seen(&self, _: &Objects) -> Self::Seen {
        self.iter().map(|(property, key)| (property.number(), key)).collect()
    }

    fn check(&self) {
        self.validate();
    }
}

/// Cells of 1: some points are in the cells of others, most in tiles of their own.
fn any_point<const N: usize>(dice: &mut Dice) -> [f32; N] {
    let spread = [3, 30, 300][dice.below(3)];
    core::array::from_fn(|_| dice.below(spread) as f32 / 2.0 - 20.0)
}

/// A walk over all, and a query that looks tiles up.
type Walks<const N: usize> = [Vec<(Id, [f32; N])>; 2];

macro_rules! grid {
    ($N:literal) => {
        impl Beside for GridIndex<Id, $N> {
            type Seen = (Walks<$N>, usize);
            const MAY_BE_TORN: bool = true;

            fn empty() -> Self {
                Self::new(1.0)
            }

            fn edit(&mut self, objects: &Objects, dice: &mut Dice) -> bool {
                edit!(self, objects, dice.below(150), dice, any_point(dice),)
            }

            fn seen(&self, _: &Objects) -> Self::Seen {
                let near = self.in_box([-20.0; $N], [-15.0; $N]).unwrap().collect();
                ([self.iter().collect(), near], self.cell_count())
            }

            fn check(&self) {
                self.validate();
            }
        }
    };
}

grid!(2);
grid!(3);

fn go_back<B: Beside>(objects: &Objects) {
    for seed in 1..thorough(6, 2) as u64 {
        goes_back::<B>(objects, seed, amount(2_000, 800, 60));
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

/// So many that tiles are numbered anew when most of them are gone.
fn many() -> Objects {
    let mut objects = Objects::new();
    let more: Vec<Id> = (0..160).map(|value| objects.live.insert(value)).collect();
    objects.keys.extend(more);
    objects
}

#[test]
fn indices_by_hash_go_back() {
    for objects in [Objects::new(), far()] {
        go_back::<UniqueIndex<u32, Id>>(&objects);
        go_back::<MultiIndex<u32, Id>>(&objects);
    }
}

/// Of few properties, so that keys of one fill leaves of their own, and of many.
#[test]
fn sorted_indices_go_back() {
    for objects in [Objects::new(), far(), many()] {
        go_back::<SortedIndex<u32, Id>>(&objects);
    }
}

#[test]
fn grids_go_back() {
    for objects in [Objects::new(), far(), many()] {
        go_back::<GridIndex<Id, 2>>(&objects);
        go_back::<GridIndex<Id, 3>>(&objects);
    }
}

#[test]
fn refused_memory_loses_checkpoints_of_indices_and_nothing_else() {
    let objects = Objects::new();
    for for_good in [false, true] {
        assert!(memory_is_refused::<UniqueIndex<u32, Id>>(&objects, for_good) > 0);
        assert!(memory_is_refused::<MultiIndex<u32, Id>>(&objects, for_good) > 0);
        // (What these lose is tested below: a removal seldom needs room of its own.)
        memory_is_refused::<SortedIndex<u32, Id>>(&objects, for_good);
        memory_is_refused::<GridIndex<Id, 2>>(&objects, for_good);
    }
}

/// A key is removed in any case; where that cannot be recorded, there is no way back.
#[test]
fn a_removal_that_cannot_be_recorded_loses_checkpoints() {
    fn check<X: Reversible + Clone>(
        mut index: X,
        remove: impl Fn(&mut X, Id),
        len: fn(&X) -> usize,
    ) {
        let then = index.checkpoint();
        for (removed, at) in (20..30).enumerate() {
            let key = Objects::new().keys[at];
            let (refused, ()) = refusing_after(0, true, || remove(&mut index, key));
            assert_eq!((refused, len(&index)), (removed == 0, 9 - removed));
        }
        assert_eq!(index.rollback(then), Err(TrackError::Lost));
        let again = index.checkpoint();
        assert_eq!((index.rollback(again), len(&index)), (Ok(()), 0));
    }
    let keys = &Objects::new().keys[20..30];
    let (mut unique, mut multi) = (UniqueIndex::new(), MultiIndex::new());
    let (mut sorted, mut grid) = (SortedIndex::new(), GridIndex::<_, 2>::new(1.0));
    for (&key, at) in keys.iter().zip(0_u32..) {
        unique.insert(key, at).unwrap();
        multi.insert(key, at / 3).unwrap();
        sorted.insert(key, at / 3).unwrap();
        grid.insert(key, [at as f32; 2]).unwrap();
    }
    check(unique, |index, key| assert!(index.remove(key).is_some()), |index| index.len());
    check(multi, |index, key| assert!(index.remove(key)), |index| index.len());
    check(sorted, |index, key| assert!(index.remove(key)), |index| index.len());
    check(grid, |index, key| assert!(index.remove(key).is_some()), |index| index.len());
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

/// While several indices are asked, nothing is lost: what was undone can be done again if one of them refuses.
#[test]
fn a_refused_row_does_not_discard_what_was_undone() {
    let indices = (UniqueIndex::by(|n: &u32| *n), UniqueIndex::by(|n: &u32| n % 10));
    let mut numbers = Table::with(Arena::from_iter([1, 2]), indices);
    let one = numbers.observers().0.get(&1).unwrap();
    numbers.checkpoint();
    numbers.remove(one);
    assert_eq!((numbers.undo(), numbers.len()), (Ok(true), 2));
    for (inserted, instead) in [(1, 2), (12, 12)] {
        assert!(numbers.try_insert(inserted).is_err());
        assert!(numbers.replace(one, instead).is_err());
        assert!(numbers.modify(one, |n| *n = 12).is_err());
    }
    assert_eq!((numbers.redo(), numbers.len()), (Ok(true), 1));
    assert_eq!((numbers.observers().0.len(), numbers.observers().1.get(&1)), (1, None));
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
    impl Hash for Held {
        fn hash<H: core::hash::Hasher>(&self, hasher: &mut H) {
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

/// Code of properties does not run on the way back but in sorted indices.
#[test]
fn properties_panic() {
    let objects = Objects::new();
    for seed in 1..=thorough(40, 6) as u64 {
        code_panics::<UniqueIndex<Nervous, Id>>(&objects, seed, true);
        code_panics::<MultiIndex<Nervous, Id>>(&objects, seed, true);
        code_panics::<SortedIndex<Nervous, Id>>(&objects, seed, false);
    }
}
