//! Tables with indices and an order: what their random histories (`track/combinations`) do not show.

use larder::indices::IndexBy;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, Pool, Soa, Tree,
    containers::GradualSort,
    containers::ValueContainer,
    indices::{GridIndex, IndexError, MultiIndex, SortedIndex, UniqueIndex},
    key::BareHandle,
    track::Table,
    trees::{InsertionOrder, KeyList},
};

use crate::every::{Id, arena};
use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{SplitMix, scaled};

#[derive(Clone, Copy, Debug, Default, PartialEq, Soa)]
struct Row {
    name: u32,
    colour: u32,
}

type ByName = IndexBy<UniqueIndex<u32, Id>, fn(&Row) -> u32>;
type ByColour = IndexBy<MultiIndex<u32, Id>, fn(&Row) -> u32>;
type InOrder = IndexBy<SortedIndex<u32, Id>, fn(&Row) -> u32>;
type Filed = (ByName, ByColour, Option<InOrder>, InsertionOrder<Id>);

fn filed() -> Filed {
    let by_name = UniqueIndex::by((|row| row.name) as fn(&Row) -> u32);
    (by_name, MultiIndex::by(|row| row.colour), None, InsertionOrder::new())
}

type Rows<C> = Table<C, Filed>;

/// Has an index that comes and goes come.
fn sort(table: &mut Rows<Arena<Row, Id>>) {
    let (mut objects, (_, _, mut in_order, _)) = table.linking();
    assert!(in_order.fill(&mut objects, SortedIndex::by(|row| row.colour)).unwrap().is_none());
}

#[test]
fn indices_of_keys_of_every_kind() {
    fn check<K: Key>() {
        let by_name: IndexBy<_, fn(&Row) -> u32> = UniqueIndex::by(|row| row.name);
        let in_order: IndexBy<_, fn(&Row) -> u32> = SortedIndex::by(|row| row.colour);
        let near: IndexBy<_, fn(&Row) -> [f32; 2]> =
            GridIndex::by(2.0, |row| [row.name as f32, 0.0]);
        let mut table = Table::with(Arena::<Row, K>::with_key(), (by_name, in_order, near));
        let (mut random, mut live) = (SplitMix::new(5), Vec::new());
        for n in 0..scaled(2_000, 60) {
            let row = Row { name: random.below(20) as u32, colour: random.below(4) as u32 };
            match random.below(5) {
                0 | 1 => live.extend(table.try_insert(row)),
                2 if !live.is_empty() => {
                    assert!(table.remove(random.take(&mut live)).is_some());
                }
                3 if !live.is_empty() => drop(table.modify(live[0], |there| *there = row)),
                4 if !live.is_empty() => {
                    let at = random.below(live.len());
                    assert!(table.detach(live[at]).is_some());
                    if table.reattach(live[at], row).is_err() {
                        live.swap_remove(at);
                    }
                }
                _ => {}
            }
            let (by_name, in_order, near) = table.observers();
            let lens = [by_name.len(), in_order.len(), near.len(), table.len()];
            assert_eq!(lens, [live.len(); 4], "after {n}");
            for &key in &live {
                let Row { name, colour } = table[key];
                assert_eq!(by_name.get(&name), Some(key));
                assert_eq!(
                    (in_order.property(key), near.point(key)),
                    (Some(&colour), Some([name as f32, 0.0]))
                );
            }
        }
    }
    check::<Handle32<u32, 30>>(); // slots are retired all the time
    check::<BareHandle<u32>>();
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut table = Table::with(arena((0..9).map(|n| Row { name: n, colour: 0 })), filed());
    sort(&mut table);
    let mut copy = table.clone();
    let keys: Vec<_> = table.keys().collect();
    for &key in &keys[3..] {
        copy.remove(key);
        table.modify(key, |row| row.colour = 7).unwrap();
    }
    copy.modify(keys[0], |row| row.colour = 5).unwrap();
    let colours = |table: &Rows<Arena<Row, Id>>| {
        let (by_name, by_colour, in_order, _) = table.observers();
        by_name.validate();
        by_colour.validate();
        in_order.as_ref().unwrap().validate();
        [0, 5, 7].map(|colour| {
            (by_colour.get(&colour).len(), in_order.as_ref().unwrap().get(&colour).len())
        })
    };
    assert_eq!(colours(&table), [(3, 3), (0, 0), (6, 6)]);
    assert_eq!(colours(&copy), [(2, 2), (1, 1), (0, 0)]);
}

/// The preparation for a row that was not filed stays behind when it is cancelled: not in a clone.
#[test]
fn a_clone_has_nothing_that_was_prepared() {
    for count in [0, 1, 32, 33, 500] {
        for refused in [0, 10, 2_000] {
            let indices = (
                SortedIndex::by(|n: &u32| *n),
                MultiIndex::by(|n: &u32| *n),
                GridIndex::by(1.0, |n: &u32| [*n as f32; 2]),
                UniqueIndex::by(|n: &u32| {
                    step();
                    *n
                }),
            );
            let mut rows = Table::with(Arena::from_iter((1..=count).map(|n| 2 * n)), indices);
            let last = rows.observers().0.last().map(|(n, _)| *n);
            assert!(panicking_after(0, || drop(rows.try_insert(refused + 1))));
            let (whole, alone) = (rows.clone(), SortedIndex::clone(&rows.observers().0));
            for rows in [&rows, &whole] {
                rows.observers().0.validate();
                rows.observers().1.validate();
                rows.observers().2.validate();
                rows.observers().3.validate();
            }
            for (mut alone, first) in [(alone.clone(), true), (alone, false)] {
                alone.validate();
                let popped = if first { alone.pop_first() } else { alone.pop_last() };
                let n = popped.map(|(n, _)| n);
                assert_eq!(
                    n,
                    if first { rows.observers().0.first().map(|(n, _)| *n) } else { last }
                );
                alone.validate();
            }
            assert!(rows.try_insert(refused + 1).is_ok());
            rows.observers().0.validate();
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "leaks on purpose")]
fn a_forgotten_drain_removes_nothing() {
    let rows = arena((0..10).map(|name| Row { name, colour: 3 }));
    let mut table = Table::with(rows, filed());
    core::mem::forget(table.drain());
    assert_eq!((table.len(), table.observers().0.len()), (10, 10));
    assert_eq!((table.drain().count(), table.len()), (10, 0));
    assert!(table.observers().0.is_empty() && table.observers().1.is_empty());
}

/// A row that is changed is in the tree and the list still; one that is taken out, and refused when it is to be put back, is
/// in neither.
#[test]
fn a_linked_row_that_cannot_be_filed_is_unlinked() {
    let by_name = UniqueIndex::by(|row: &Row| row.name);
    let mut rows = Table::with(Arena::<_, Id>::with_key(), (by_name, Tree::new(), KeyList::new()));
    let [a, b, c] = [1, 2, 3].map(|name| rows.insert(Row { name, colour: 0 }));
    let (objects, (_, tree, list)) = rows.edit();
    tree.append(objects, a, b).unwrap();
    tree.append(objects, b, c).unwrap();
    list.push_back(objects, b).unwrap();
    rows.modify(b, |row| row.name = 4).unwrap();
    assert_eq!(rows.modify(b, |row| row.name = 3), Err(IndexError::Duplicate { holder: c }));
    assert_eq!((rows.observers().1.parent(b), rows.observers().2.len()), (Some(a), 1));

    let taken = rows.detach(b).unwrap();
    let refused = rows.reattach(b, Row { name: 3, ..taken }).unwrap_err();
    assert_eq!(refused.value, Row { name: 3, colour: 0 });
    assert_eq!(refused.reason, IndexError::Duplicate { holder: c });
    let (by_name, tree, list) = rows.observers();
    assert_eq!((tree.first_child(a), tree.parent(c), list.len()), (None, None, 0));
    assert_eq!((by_name.get(&4), by_name.len()), (None, 2));
}

/// Packed rows are sorted; what is found is what was.
#[test]
fn packed_rows_in_another_order() {
    let mut random = SplitMix::new(11);
    let numbers: Vec<_> = (0..scaled(300, 40)).map(|_| random.below(50)).collect();
    let by_number: IndexBy<_, fn(&usize) -> usize> = MultiIndex::by(|number| *number);
    let mut rows = Table::with(DenseArena::from_iter(numbers.iter().copied()), by_number);
    let before: Vec<_> = (0..50).map(|number| rows.observers().get(&number).to_vec()).collect();
    let check = |rows: &Table<DenseArena<usize>, _>| {
        for (number, keys) in before.iter().enumerate() {
            assert!(keys.iter().all(|&key| rows[key] == number));
        }
    };
    rows.sort_by(|a, b| b.cmp(a));
    assert!(rows.as_slice().is_sorted_by(|a, b| a >= b));
    check(&rows);
    let mut sorting = GradualSort::new();
    while !rows.sort_step(&mut sorting, 10, Ord::cmp) {
        check(&rows);
    }
    assert!(rows.as_slice().is_sorted());
    check(&rows);
    let after: Vec<_> = (0..50).map(|number| rows.observers().get(&number).to_vec()).collect();
    assert_eq!(before, after);
    rows.retain(|rows, key| rows[key] % 2 == 0);
    assert!(rows.observers().iter().all(|(number, keys)| number % 2 == 0 && !keys.is_empty()));
}

#[test]
fn the_next_key_is_the_one_that_is_handed_out() {
    fn check<C: ValueContainer<Key = Handle<Row>, Value = Row>>(mut container: C) {
        let mut keys = Vec::new();
        for round in 0..20 {
            let next = container.next_key().unwrap();
            assert_eq!(container.next_key(), Ok(next));
            keys.push(container.try_insert(Row::default()).unwrap());
            assert_eq!(keys.last(), Some(&next));
            if round % 3 == 0 {
                container.remove(keys.swap_remove(round * 7 % keys.len()));
            }
        }
        assert_eq!(container.keys().count(), keys.len());
    }
    check(Pool::new(Row::default));
    check(InlineArena::<Row, 32>::new());
    check(DenseSoaArena::new());
    for reuse in larder_testing::common::REUSE_ORDERS {
        check(Arena::builder().reuse(reuse).build());
        check(DenseArena::builder().reuse(reuse).build());
    }
}
