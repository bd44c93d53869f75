//! Indices of some objects only. (Their random histories are those of `track/combinations`.)

use core::cell::Cell;

use larder::Arena;
use larder::indices::{
    BySome, GridIndex, IndexBy, IndexError, MultiIndex, SortedIndex, UniqueIndex,
};
use larder::track::Table;
use larder_testing::caught::step;

use crate::every::{Id, arena};

/// Something that may have a ring, a group, a rank and a place.
type Bird = (Option<u32>, Option<u32>, Option<u32>, Option<f32>);

type By<X, Q> = IndexBy<X, BySome<fn(&Bird) -> Option<Q>>>;
type Filed = (
    By<UniqueIndex<u32, Id>, u32>,
    By<MultiIndex<u32, Id>, u32>,
    By<SortedIndex<u32, Id>, u32>,
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

/// The row is filed by all, or refused for what one of them says.
#[test]
fn what_one_index_refuses_is_filed_by_none() {
    let mut table = Table::with(Arena::<Bird, Id>::with_key(), filed());
    let first = table.insert((Some(1), Some(1), Some(1), Some(1.0)));
    for (bird, reason) in [
        ((Some(1), Some(2), None, None), IndexError::Duplicate { holder: first }),
        ((Some(2), Some(2), Some(2), Some(f32::NAN)), IndexError::NotFinite),
    ] {
        assert_eq!(table.try_insert(bird).unwrap_err().reason, reason);
        let second = table.insert((None, None, None, None));
        assert_eq!(table.replace(second, bird).unwrap_err().reason, reason);
        assert_eq!(table.modify(second, |there| *there = bird), Err(reason));
        let (by_ring, by_group, by_rank, by_place) = table.observers();
        assert_eq!([by_ring.len(), by_group.len(), by_rank.len(), by_place.len()], [1; 4]);
        table.remove(second);
    }
}

/// A table that is made of objects files those that have the property; so does one that is filled alone.
#[test]
fn objects_without_the_property_are_not_filed() {
    let numbers = arena([Some(3), None, Some(1), None]);
    let mut alone = SortedIndex::by_some(|number: &Option<u32>| *number);
    alone.fill(&numbers).unwrap();
    assert!(alone.iter().map(|(number, _)| *number).eq([1, 3]));
    let unique = UniqueIndex::by_some(|number: &Option<u32>| *number);
    let table = Table::with(numbers, (alone, unique));
    assert_eq!((table.observers().0.len(), table.observers().1.len(), table.len()), (2, 2, 4));
    let twice = arena([None, None, Some(1), Some(1)]);
    let unique = UniqueIndex::by_some(|number: &Option<u32>| *number);
    assert!(matches!(Table::try_with(twice, unique), Err(refused) if refused.value.0.len() == 4));
}

/// Each index asks once for the property of a value that is put in, and for none of one that goes.
#[test]
fn a_property_is_asked_for_once() {
    let mut table = Table::with(Arena::<Bird, Id>::with_key(), filed());
    type Birds = Table<Arena<Bird, Id>, Filed>;
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
