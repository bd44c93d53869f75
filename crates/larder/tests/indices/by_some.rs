//! Indices of some objects only, against a model: properties come and go, are refused, panic and are taken back.

use core::cell::Cell;
use std::collections::BTreeMap;

use larder::containers::ValueContainer;
use larder::indices::{
    BySome, GridIndex, IndexBy, IndexError, MultiIndex, SortedIndex, UniqueIndex,
};
use larder::track::{Checkpoint, Insert, Reversible, Revert, Table};
use larder::{Arena, DenseArena, Handle, Pool, SoaArena};
use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{SplitMix, scaled, thorough};

/// Something that may have a ring, a group, a rank and a place.
type Bird = (Option<u8>, Option<u8>, Option<u8>, Option<f32>);

type Id = Handle<Bird>;
type By<X, Q> = IndexBy<X, BySome<fn(&Bird) -> Option<Q>>>;
type Filed = (
    By<UniqueIndex<u8, Id>, u8>,
    By<MultiIndex<u8, Id>, u8>,
    By<SortedIndex<u8, Id>, u8>,
    By<GridIndex<Id, 2>, [f32; 2]>,
);

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// Returns a property, unless it is time to panic.
fn asked<Q>(property: Option<Q>) -> Option<Q> {
    ASKED.set(ASKED.get() + 1);
    step();
    property
}

fn filed() -> Filed {
    (
        UniqueIndex::by_some(|bird| asked(bird.0)),
        MultiIndex::by_some(|bird| asked(bird.1)),
        SortedIndex::by_some(|bird| asked(bird.2)),
        GridIndex::by_some(4.0, |bird| asked(bird.3.map(|x| [x, 0.0]))),
    )
}

fn any_bird(random: &mut SplitMix) -> Bird {
    let mut some = |bound| random.below(bound).checked_sub(bound / 2).map(|n| n as u8);
    let place = some(8).map(|x| if x == 3 { f32::NAN } else { f32::from(x) });
    (some(40), some(6), some(20), place)
}

trait Birds: Insert<Key = Id, Value = Bird> + Revert + ValueContainer<Value = Bird> {}

impl<C: Insert<Key = Id, Value = Bird> + Revert + ValueContainer<Value = Bird>> Birds for C {}

type Model = BTreeMap<Id, Bird>;

/// Why the model refuses a bird for a key, if it does.
fn refusal(model: &Model, key: Option<Id>, bird: Bird) -> Option<IndexError<Id>> {
    let has_ring = |&(&other, there): &(&Id, &Bird)| there.0 == bird.0 && Some(other) != key;
    let holder = bird.0.and_then(|_| model.iter().find(has_ring)).map(|(&holder, _)| holder);
    let lost = bird.3.is_some_and(f32::is_nan).then_some(IndexError::NotFinite);
    holder.map(|holder| IndexError::Duplicate { holder }).or(lost)
}

fn check<C: Birds>(table: &Table<C, Filed>, model: &Model) {
    let birds = ValueContainer::keys(&**table);
    let birds: Model =
        birds.map(|key| (key, table.with_value(key, |bird| *bird).unwrap())).collect();
    assert_eq!(birds, *model);
    let (by_ring, by_group, by_rank, by_place) = table.observers();
    by_ring.validate();
    by_group.validate();
    by_rank.validate();
    by_place.validate();
    for (&key, bird) in model {
        assert_eq!(by_ring.property(key).copied(), bird.0);
        assert_eq!(by_group.property(key).copied(), bird.1);
        assert_eq!(by_rank.property(key).copied(), bird.2);
        assert_eq!(by_place.point(key).map(|point| point[0]), bird.3);
        assert!(bird.0.is_none_or(|ring| by_ring.get(&ring) == Some(key)));
        assert!(bird.1.is_none_or(|group| by_group.get(&group).contains(&key)));
        assert!(bird.2.is_none_or(|rank| by_rank.get(&rank).contains(&key)));
    }
    let some = |has: fn(&Bird) -> bool| model.values().filter(|bird| has(bird)).count();
    let expected = [
        some(|bird| bird.0.is_some()),
        some(|bird| bird.1.is_some()),
        some(|bird| bird.2.is_some()),
        some(|bird| bird.3.is_some()),
    ];
    assert_eq!([by_ring.len(), by_group.len(), by_rank.len(), by_place.len()], expected);
}

fn history<C: Birds>(container: C, seed: u64) {
    let (mut random, mut model) = (SplitMix::new(seed), Model::new());
    let mut table = Table::with(container, filed());
    let mut held = Vec::<(Checkpoint, Model, Vec<Id>)>::new();
    let ([mut refused, mut panics, mut returns], steps) = ([0; 3], scaled(1_500, 60));
    for _ in 0..steps {
        let bird = any_bird(&mut random);
        let one = model.keys().nth(random.below(model.len().max(1))).copied();
        match (random.below(24), one) {
            (0..6, _) | (6..18, None) => {
                match (table.try_insert(bird), refusal(&model, None, bird)) {
                    (Ok(key), None) => assert_eq!(model.insert(key, bird), None),
                    (Err(rejected), Some(reason)) => {
                        refused += 1;
                        assert_eq!(rejected.reason, reason);
                    }
                    (outcome, refusal) => panic!("{outcome:?}, {refusal:?}"),
                }
            }
            (6..12, Some(key)) => {
                match (table.modify(key, |there| *there = bird), refusal(&model, one, bird)) {
                    (Ok(()), None) => _ = model.insert(key, bird),
                    (Err(reason), Some(expected)) => assert_eq!(reason, expected),
                    (outcome, refusal) => panic!("{outcome:?}, {refusal:?}"),
                }
            }
            (12..14, Some(key)) => assert_eq!(table.remove(key), model.remove(&key)),
            (14 | 15, Some(key)) => {
                let after = random.below(5) as u32;
                let panicked = panicking_after(after, || drop(table.replace(key, bird)));
                panics += usize::from(panicked);
                if !panicked && refusal(&model, one, bird).is_none() {
                    model.insert(key, bird);
                }
            }
            (16, Some(key)) => {
                assert_eq!(table.detach(key), model.remove(&key));
                match (table.reattach(key, bird), refusal(&model, None, bird)) {
                    (Ok(()), None) => _ = model.insert(key, bird),
                    (Err(rejected), Some(reason)) => assert_eq!(rejected.reason, reason),
                    (outcome, refusal) => panic!("{outcome:?}, {refusal:?}"),
                }
            }
            (17, Some(_)) => {
                table.retain(|birds, key| birds.with_value(key, |there| there.1) != Some(bird.1));
                model.retain(|_, there| there.1 != bird.1);
            }
            (18 | 19, _) => {
                let in_order = table.observers().2.iter().map(|(_, key)| key).collect();
                held.push((table.checkpoint(), model.clone(), in_order));
            }
            (20 | 21, _) if !held.is_empty() => {
                held.truncate(random.below(held.len()) + 1);
                let (point, then, in_order) = held.last().unwrap();
                table.rollback(*point).unwrap();
                model.clone_from(then);
                assert!(
                    table.observers().2.iter().map(|(_, key)| key).eq(in_order.iter().copied())
                );
                returns += 1;
            }
            (22, _) => drop(table.undo().map(|_| held.pop().map(|(_, then, _)| model = then))),
            _ => {}
        }
        check(&table, &model);
    }
    assert!(refused > 1 && panics > 0 && returns > 0, "{refused}, {panics}, {returns}");
}

#[test]
fn properties_come_and_go() {
    for seed in 1..=thorough(4, 1) as u64 {
        history(Arena::new(), seed);
        history(DenseArena::new(), seed);
        history(Pool::new(|| (None, None, None, None)), seed);
        history(SoaArena::new(), seed);
    }
}

/// A table that is made of objects files those that have the property; so does one that is filled alone.
#[test]
fn objects_without_the_property_are_not_filed() {
    let numbers = Arena::from_iter([Some(3), None, Some(1), None]);
    let mut alone = SortedIndex::by_some(|number: &Option<u32>| *number);
    alone.fill(&numbers).unwrap();
    assert!(alone.iter().map(|(number, _)| *number).eq([1, 3]));
    let unique = UniqueIndex::by_some(|number: &Option<u32>| *number);
    let table = Table::with(numbers, (alone, unique));
    assert_eq!((table.observers().0.len(), table.observers().1.len(), table.len()), (2, 2, 4));
    let twice = Arena::from_iter([None, None, Some(1), Some(1)]);
    let unique = UniqueIndex::by_some(|number: &Option<u32>| *number);
    assert!(matches!(Table::try_with(twice, unique), Err(refused) if refused.value.0.len() == 4));
}

/// Each index asks once for the property of a value that is put in, and for none of one that goes.
#[test]
fn a_property_is_asked_for_once() {
    let mut table = Table::with(Arena::new(), filed());
    type Birds = Table<Arena<Bird>, Filed>;
    let mut asks = |act: &mut dyn FnMut(&mut Birds)| {
        ASKED.set(0);
        act(&mut table);
        ASKED.get()
    };
    let mut key = None;
    assert_eq!(asks(&mut |table| key = Some(table.insert((None, None, Some(1), None)))), 4);
    let key = key.unwrap();
    assert_eq!(asks(&mut |table| table.modify(key, |bird| bird.0 = Some(1)).unwrap()), 4);
    assert_eq!(asks(&mut |table| assert!(table.remove(key).is_some())), 0);
}
