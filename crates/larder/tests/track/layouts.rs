//! Tables by the layout of their container: objects of a pool that stay in their slots, and packed values that are sorted.

use larder::containers::GradualSort;
use larder::indices::{MultiIndex, UniqueIndex};
use larder::track::{Replica, Reversible, Table, Tracked};
use larder::trees::InsertionOrder;
use larder::{DenseArena, Handle, Pool, SecondaryMap, Tree};
use larder_testing::caught::{panicking_after, step};
use larder_testing::common::{Drops, scaled, thorough};

use crate::going_back::Dice;

type Id = Handle<u32>;

/// An object that was kept is gone from the order, the tree, the side data and the index; and is there again after a rollback.
#[test]
fn a_recycled_object_leaves_all_observers_and_comes_back() {
    let beside = (
        InsertionOrder::new(),
        Tree::new(),
        Tracked::new(SecondaryMap::<Id, u32>::new()),
        UniqueIndex::by(|number: &u32| *number),
    );
    let mut things = Table::with(Pool::recycling(|| 0, |number| *number += 1_000), beside);
    let keys = [1, 2, 3, 4].map(|number| things.insert(number));
    let (objects, (_, tree, ages, _)) = things.edit();
    for pair in keys.windows(2) {
        tree.append(objects, pair[0], pair[1]).unwrap();
        ages.insert(pair[1], objects[pair[1]] * 10);
    }
    let mut screen = things.subscribe();
    let then = things.checkpoint();
    assert!(things.recycle(keys[1]) && !things.recycle(keys[1]));
    assert_eq!(things.slots(), [1, 1_002, 3, 4]);
    let (order, tree, ages, by_number) = things.observers();
    assert!(order.iter().eq([keys[0], keys[2], keys[3]]));
    assert_eq!((tree.first_child(keys[0]), tree.parent(keys[2])), (None, None));
    assert_eq!((ages.get(keys[1]), by_number.get(&2), by_number.len()), (None, None, 3));
    assert_eq!(things.poll(&mut screen).unwrap().removed(), [keys[1]]);

    // In the slot that was kept, and last in the order.
    let five = things.insert(5);
    assert_eq!(five.slot(), keys[1].slot());
    assert!(things.observers().0.iter().eq([keys[0], keys[2], keys[3], five]));
    assert!(things.recycle(keys[3]));
    things.rollback(then).unwrap();
    let (order, tree, ages, by_number) = things.observers();
    assert!(order.iter().eq(keys) && tree.descendants(keys[0]).eq(keys[1..].iter().copied()));
    assert!(keys[1..].iter().all(|&key| ages.get(key) == Some(&(things[key] * 10))));
    assert!(keys.iter().zip(1..5).all(|(&key, n)| by_number.get(&n) == Some(key)));
    assert_eq!((things.len(), ages.len(), by_number.len()), (4, 3, 4));
}

/// If the pool's function panics, the object is gone everywhere, whichever key it is, and what was beside it is dropped.
#[test]
fn an_object_whose_recycling_panics_is_gone_everywhere() {
    let drops = Drops::default();
    let beside = (
        InsertionOrder::new(),
        Tree::new(),
        SecondaryMap::new(),
        UniqueIndex::by(|number: &u32| *number),
    );
    let mut things = Table::with(Pool::recycling(|| 0, |_| step()), beside);
    let keys: Vec<Id> = (0..9).map(|number| things.insert(number)).collect();
    let (objects, (_, tree, side, _)) = things.edit();
    for (pair, number) in keys.windows(2).zip(0..) {
        tree.append(objects, pair[0], pair[1]).unwrap();
        side.insert(pair[0], drops.object(number));
    }
    for (gone, &key) in (1..).zip(&keys) {
        assert!(panicking_after(0, || _ = things.recycle(key)));
        assert!(!things.contains_key(key) && !things.recycle(key));
        let (order, tree, side, by_number) = things.observers();
        assert!(order.iter().eq(keys[gone..].iter().copied()));
        assert!(tree.first_child(key).is_none() && side.get(key).is_none());
        assert_eq!((drops.count(), by_number.len()), (gone.min(8), 9 - gone));
        assert_eq!(things.len(), 9 - gone);
    }
    assert!(things.insert(3).slot() < 9, "slots are used again");
}

/// Sorting changes places only: a rollback restores their order, subscribers are told, and a replica follows.
#[test]
fn a_sorted_table_is_seen_and_goes_back() {
    for seed in 1..thorough(9, 3) as u64 {
        let mut dice = Dice(seed);
        let numbers = DenseArena::from_iter((0..60).map(|_| dice.below(20) as u32));
        let mut table = Table::with(numbers, MultiIndex::by(|number: &u32| *number));
        let (mut publisher, mut copy) =
            (table.publish(1).unwrap(), Replica::new(DenseArena::new()));
        copy.apply(&table.delta(&mut publisher).unwrap()).unwrap();
        let (mut screen, mut sorting) = (table.subscribe(), GradualSort::new());
        let mut held = Vec::new();
        let seen =
            |table: &DenseArena<u32>| table.iter().map(|(key, n)| (key, *n)).collect::<Vec<_>>();
        for _ in 0..scaled(200, 30) {
            let before = seen(&table);
            let any = before.get(dice.below(before.len().max(1))).map(|(key, _)| *key);
            match (dice.below(10), any) {
                (0..2, _) => table.sort_by(|a, b| a.cmp(b)),
                (2, _) => table.sort_by(|a, b| b.cmp(a)),
                (3, _) => {
                    let cut_off = |a: &u32, b: &u32| (step(), b.cmp(a)).1;
                    let panicked = panicking_after(9, || table.sort_by(cut_off));
                    assert!(!panicked || seen(&table) == before, "nothing has changed");
                }
                (4, _) => _ = table.sort_step(&mut sorting, 9, |a, b| (b % 7).cmp(&(a % 7))),
                (5, Some(key)) => assert!(table.remove(key).is_some()),
                (6, _) => _ = table.insert(dice.below(20) as u32),
                (7 | 8, _) => held.push((table.checkpoint(), before)),
                _ if !held.is_empty() => {
                    held.truncate(dice.below(held.len()) + 1);
                    let (point, then) = held.last().unwrap();
                    table.rollback(*point).unwrap();
                    assert_eq!(seen(&table), *then, "the places, too");
                }
                _ => {}
            }
            let now = seen(&table);
            assert!(now.iter().all(|(key, n)| table.observers().get(n).contains(key)));
            assert_eq!(table.observers().len(), now.len());
            if dice.below(3) == 0 {
                let before = seen(&copy);
                copy.apply(&table.delta(&mut publisher).unwrap()).unwrap();
                assert_eq!(seen(&copy), now);
                let changes = table.poll(&mut screen).unwrap();
                // (The replica was as old as what the subscriber was told.)
                for (place, pair) in now.iter().enumerate() {
                    let (is_new, key) = (before.get(place) != Some(pair), &pair.0);
                    let is_told =
                        changes.changed().contains(key) || changes.inserted().contains(key);
                    assert!(is_told || !is_new, "{key:?} has another place or value");
                }
            }
        }
    }
}
