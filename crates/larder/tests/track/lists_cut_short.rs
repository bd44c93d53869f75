//! Pools of lists whose going back is cut short by refused memory, panics or the last generation of a slot.

use larder::pools::ListPool;
use larder::pools::list_pool::ListHandle;
use larder::track::{Checkpoint, Reversible, TrackError};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{attempt, panicking_after};
use larder_testing::common::thorough;
use larder_testing::nervous::Nervous;
use larder_testing::touchy::{Nerve, Touchy, set_nerve};
use larder_testing::values::Value as _;

use crate::going_back::Dice;
use crate::lists::Value;

type Edit = fn(&mut ListPool<u16>, &[ListHandle<u16>]);

/// Edits that need no memory of their own.
const EDITS: [Edit; 11] = [
    |lists, all| _ = lists.pop(all[0]),
    |lists, all| _ = lists.swap_remove(all[1], 0),
    |lists, all| _ = lists.remove(all[1], 1),
    |lists, all| lists[all[2]].reverse(),
    |lists, all| lists.get_mut(all[2]).unwrap().reverse(),
    |lists, all| lists.truncate(all[1], 2),
    |lists, all| lists.clear(all[0]),
    |lists, all| lists.free(all[1]),
    |lists, all| lists.push(&mut { all[0] }, 9),
    |lists, _| lists.retain(|_, values| values.len() == 3),
    |lists, _| lists.free_all(),
];

fn three_lists<T: Value>() -> (ListPool<T>, Vec<ListHandle<T>>) {
    let mut lists = ListPool::new();
    let all = [3, 4, 5].map(|len| lists.make((0..len).map(Value::new)));
    (lists, all.to_vec())
}

fn contents<T: Clone>(lists: &ListPool<T>) -> Vec<(ListHandle<T>, Vec<T>)> {
    lists.iter().map(|(list, values)| (list, values.to_vec())).collect()
}

#[test]
fn where_memory_is_refused_an_edit_is_made_and_checkpoints_are_lost() {
    for edit in EDITS {
        for grants in 0.. {
            let (mut lists, all) = three_lists::<u16>();
            let (first, before) = (lists.checkpoint(), contents(&lists));
            let mut plain = lists.clone();
            edit(&mut plain, &all);
            let (refused, ()) = refusing_after(grants, false, || edit(&mut lists, &all));
            assert_eq!(contents(&lists), contents(&plain));
            let outcome = lists.rollback(first);
            if refused {
                assert_eq!(outcome, Err(TrackError::Lost));
            } else {
                assert_eq!((outcome, contents(&lists)), (Ok(()), before));
                assert!(grants > 0);
                break;
            }
            lists.validate();
            let (second, before) = (lists.checkpoint(), contents(&lists));
            let made = lists.make([8]);
            lists.free(made);
            assert_eq!((lists.rollback(second), contents(&lists)), (Ok(()), before));
        }
    }
}

/// Changes of every kind, in two steps.
fn change_much(lists: &mut ListPool<String>, all: &[ListHandle<String>]) -> [Checkpoint; 2] {
    let first = lists.checkpoint();
    lists.free(all[0]);
    lists.extend(&mut { all[1] }, (0..9).map(Value::new));
    let made = lists.make((0..7).map(Value::new));
    let second = lists.checkpoint();
    lists.clear(all[1]);
    lists.free(made);
    let _ = (lists.make([String::new()]), lists.make([String::new()]));
    lists.free(all[2]);
    [first, second]
}

#[test]
fn refused_memory_on_the_way_loses_nothing() {
    for way in 0..3 {
        for grants in 0.. {
            let (mut lists, all) = three_lists();
            let before = contents(&lists);
            let [first, _] = change_much(&mut lists, &all);
            let after = contents(&lists);
            if way == 2 {
                assert_eq!((lists.undo(), lists.undo()), (Ok(true), Ok(true)));
                lists.compact(); // else there is room for all
            }
            let mut go = |_: ()| match way {
                0 => lists.rollback(first),
                1 => lists.undo().and_then(|_| lists.undo()).map(drop),
                _ => lists.redo().and_then(|_| lists.redo()).map(drop),
            };
            let (refused, outcome) = refusing_after(grants, false, || go(()));
            lists.validate();
            if let Err(reason) = outcome {
                assert!(matches!(reason, TrackError::Memory(_)), "{reason:?}");
                // (It goes on from as far as it came.)
                while way == 1 && lists.undo().unwrap() || way == 2 && lists.redo().unwrap() {}
                if way == 0 {
                    lists.rollback(first).unwrap();
                }
            }
            assert_eq!(&contents(&lists), if way == 2 { &after } else { &before });
            lists.validate();
            if !refused {
                assert!(grants > 0);
                break;
            }
        }
    }
}

type TouchyEdit = fn(&mut ListPool<Touchy>, &mut ListHandle<Touchy>);

const TOUCHY_EDITS: [TouchyEdit; 11] = [
    |lists, list| lists.push(list, Touchy::make(9)),
    |lists, list| _ = lists.pop(*list),
    |lists, list| lists.insert(list, 1, Touchy::make(9)),
    |lists, list| _ = lists.remove(*list, 1),
    |lists, list| _ = lists.swap_remove(*list, 1),
    |lists, list| lists.truncate(*list, 1),
    |lists, list| lists.clear(*list),
    |lists, list| lists.extend(list, [Touchy::make(8), Touchy::make(9)]),
    |lists, list| lists.splice(list, 1..2, [Touchy::make(8), Touchy::make(9)]),
    |lists, list| lists[*list].swap(0, 1),
    |lists, _| lists.retain(|_, _| false),
];

fn values(lists: &ListPool<Touchy>) -> Vec<(ListHandle<Touchy>, Vec<u32>)> {
    lists.iter().map(|(list, values)| (list, values.iter().map(Touchy::id).collect())).collect()
}

#[test]
fn where_a_clone_panics_nothing_has_changed() {
    for edit in TOUCHY_EDITS {
        let mut lists = ListPool::new();
        let mut list = lists.make((0..3).map(Touchy::make));
        let (then, before) = (lists.checkpoint(), values(&lists));
        set_nerve(Nerve::Clone);
        for clones in 0..3 {
            assert!(panicking_after(clones, || edit(&mut lists, &mut list)));
            assert_eq!(values(&lists), before);
            lists.validate();
        }
        // Once, and no more in this step.
        let panicked = panicking_after(3, || {
            edit(&mut lists, &mut list);
            if lists.contains(list) {
                lists.push(&mut list, Touchy::make(5));
                lists[list].reverse();
                lists.free(list);
            }
            let mut other = lists.make([Touchy::make(1)]);
            lists.push(&mut other, Touchy::make(2));
        });
        set_nerve(Nerve::None);
        assert!(!panicked);
        assert_eq!((lists.rollback(then), values(&lists)), (Ok(()), before));
        // The recorded changes were used up, and are recorded again.
        lists.pop(list);
        assert_eq!((lists.rollback(then), values(&lists)[0].1.len()), (Ok(()), 3));
    }
}

/// A change that has nothing new to record discards what was undone, too.
#[test]
fn nothing_is_redone_after_a_change() {
    let mut lists = ListPool::new();
    let list = lists.make([1, 2, 3]);
    lists.checkpoint();
    lists.pop(list);
    lists.checkpoint();
    let other = lists.make([4]);
    assert_eq!(lists.undo(), Ok(true));
    lists.pop(list);
    assert_eq!((lists.redo(), lists.contains(other)), (Ok(false), false));
    assert_eq!((lists.undo(), &lists[list]), (Ok(true), &[1, 2, 3][..]));
    // Nothing is recorded: a change discards it all the same.
    lists[list][0] = 7;
    assert_eq!((lists.redo(), &lists[list]), (Ok(false), &[7, 2, 3][..]));
}

/// A list whose slot has its last generation next, after `others`.
fn worn(others: usize) -> (ListPool<u8>, ListHandle<u8>) {
    let mut lists = ListPool::new();
    (0..others).for_each(|_| _ = lists.make([0]));
    loop {
        let list = lists.make([1]);
        if list.to_bits() >> 44 == (1 << 20) - 3 {
            return (lists, list);
        }
        lists.free(list);
    }
}

const fn slot(list: ListHandle<u8>) -> u64 {
    list.to_bits() % (1 << 28)
}

#[test]
#[cfg_attr(miri, ignore = "half a million lists")]
fn worn_slots_come_back() {
    // (A worn list of another slot, so that slots are not replaced.)
    let (mut lists, list) = worn(1);
    let then = lists.checkpoint();
    for round in 0..3 {
        lists.free(list);
        let last = lists.make([2]);
        assert_eq!(slot(last), slot(list));
        lists.free(last);
        let other = lists.make([3]);
        assert_ne!(slot(other), slot(list), "the slot is retired");
        lists.validate();
        if round == 0 {
            assert_eq!((lists.rollback(then), &lists[list], lists.len()), (Ok(()), &[1][..], 2));
        } else {
            for _ in 0..2 {
                assert_eq!((lists.undo(), &lists[list], lists.len()), (Ok(true), &[1][..], 2));
                lists.validate();
                assert_eq!(lists.redo(), Ok(true));
                assert_eq!((lists.contains(list), &lists[other]), (false, &[3][..]));
                lists.validate();
            }
            break;
        }
    }
    assert_eq!(lists.undo(), Ok(true));
    // It has had its last list, although an older one is there.
    lists.free(list);
    let next = lists.make([4]);
    assert_ne!(slot(next), slot(list));
    lists.validate();
}

#[test]
#[cfg_attr(miri, ignore = "half a million lists")]
fn slots_are_not_replaced_while_there_is_a_checkpoint() {
    let (mut lists, list) = worn(0);
    let then = lists.checkpoint();
    for _ in 0..2 {
        lists.free(list);
        let last = lists.make([2]);
        lists.free(last);
        let next = lists.make([3]);
        assert_ne!(slot(next), slot(last), "the pool was empty, and all slots retired");
        assert_eq!((lists.rollback(then), contents(&lists)), (Ok(()), vec![(list, vec![1])]));
        lists.validate();
    }
}

#[derive(Default)]
struct World {
    lists: ListPool<Nervous>,
    handles: Vec<ListHandle<Nervous>>,
    checkpoints: Vec<Checkpoint>,
}

impl World {
    /// One operation, as random numbers say.
    fn act(&mut self, dice: &mut Dice) {
        let Self { lists, handles, checkpoints } = self;
        let at = dice.below(handles.len().max(1));
        let known = handles.get(at).copied().filter(|&list| lists.contains(list));
        match (dice.below(12), known) {
            (0 | 1, _) => {
                let mut list = ListHandle::EMPTY;
                lists.push(&mut list, Nervous(1));
                handles.push(list);
            }
            (2, Some(mut list)) => lists.extend(&mut list, (0..3).map(Nervous)),
            (3 | 4, Some(list)) => lists.free(list),
            (5, Some(list)) if !lists[list].is_empty() => lists[list][0] = Nervous(7),
            (6, Some(list)) => lists.truncate(list, 1),
            (7, _) => checkpoints.push(lists.checkpoint()),
            (8, _) => _ = lists.undo(),
            (9, _) => _ = lists.redo(),
            (10, _) if !checkpoints.is_empty() => {
                _ = lists.rollback(checkpoints[dice.below(checkpoints.len())]);
            }
            (11, _) if dice.below(4) == 0 => lists.compact(),
            _ => {}
        }
    }
}

#[test]
fn where_a_drop_panics_or_memory_is_refused_lists_stay_consistent() {
    for seed in 0..thorough(1_500, 30) as u64 {
        let (mut world, mut dice) = (World::default(), Dice(seed + 1));
        world.handles.reserve(60);
        world.checkpoints.reserve(60);
        for _ in 0..60 {
            match dice.below(4) {
                0 => _ = panicking_after(dice.below(4) as u32, || world.act(&mut dice)),
                1 => {
                    let grants = dice.below(4);
                    let _ = refusing_after(grants, false, || attempt(|| world.act(&mut dice)));
                }
                _ => world.act(&mut dice),
            }
            world.lists.validate();
            for list in &world.handles {
                let values = world.lists.get(*list).unwrap_or_default();
                assert!(values.iter().all(|value| value.0 < 8));
            }
        }
    }
}

/// Discards a step where a value's `Drop` panics.
#[test]
fn a_panic_while_what_was_undone_is_dropped_changes_nothing() {
    let mut lists = ListPool::new();
    let [a, x] = [1, 2].map(|value| lists.make([Nervous(value)]));
    let then = lists.checkpoint();
    lists.free(x);
    lists.checkpoint();
    lists[a][0] = Nervous(3);
    assert_eq!(lists.undo(), Ok(true));
    let mut new = ListHandle::EMPTY;
    assert!(panicking_after(0, || lists.push(&mut new, Nervous(4))));
    assert!(new.is_empty() && lists.len() == 1);
    lists.validate();
    assert_eq!((lists.redo(), lists.rollback(then)), (Ok(false), Ok(())));
    lists.validate();
    assert_eq!((&lists[a], &lists[x]), (&[Nervous(1)][..], &[Nervous(2)][..]));
}

#[test]
fn a_past_goes_on_after_a_rollback_that_a_drop_cut_short() {
    let mut lists = ListPool::new();
    let [a, b] = [1, 2].map(|value| lists.make([Nervous(value)]));
    let first = lists.checkpoint();
    lists.free(b);
    lists.checkpoint();
    lists[a][0] = Nervous(3);
    lists.checkpoint();
    assert_eq!(lists.undo(), Ok(true));
    assert!(panicking_after(0, || _ = lists.rollback(first)));
    let other = lists.make([Nervous(5)]);
    lists.free(a);
    assert_eq!((lists.undo(), lists.rollback(first)), (Ok(true), Err(TrackError::Gone)));
    lists.validate();
    assert_eq!((&lists[a], &lists[b]), (&[Nervous(1)][..], &[Nervous(2)][..]));
    assert!(!lists.contains(other));
}

/// The undone step came after a step that is gone.
#[test]
fn nothing_is_redone_after_a_rollback_that_was_cut_short() {
    for grants in 0.. {
        let (mut lists, all) = three_lists::<String>();
        let (first, before) = (lists.checkpoint(), contents(&lists));
        lists.extend(&mut { all[1] }, (0..9).map(Value::new));
        lists.free(all[0]);
        lists.checkpoint();
        lists.free(all[2]);
        lists.extend(&mut { all[1] }, (0..90).map(Value::new));
        lists.checkpoint();
        lists.make((0..7).map(Value::new));
        assert_eq!(lists.undo(), Ok(true));
        let undone = contents(&lists);
        let (refused, outcome) = refusing_after(grants, false, || lists.rollback(first));
        if outcome.is_err() {
            let is_as_it_was = contents(&lists) == undone;
            assert_eq!(lists.redo(), Ok(is_as_it_was));
            lists.validate();
            lists.rollback(first).unwrap();
        }
        assert_eq!(contents(&lists), before);
        lists.validate();
        if !refused {
            assert!(grants > 1);
            break;
        }
    }
}

/// Otherwise each list in a new slot would be the last there.
#[test]
#[cfg_attr(miri, ignore = "half a million lists")]
fn compacting_keeps_slots_that_are_worn() {
    let (mut lists, list) = worn(1);
    lists.free(list);
    lists.compact();
    let then = lists.checkpoint();
    let [last, first] = [2, 3].map(|value| lists.make([value]));
    assert_eq!((slot(last), first.to_bits() >> 44), (slot(list), 1));
    lists.rollback(then).unwrap();
    lists.validate();
    assert_eq!([2, 3].map(|value| lists.make([value])), [last, first]);
    lists.free(last);
    assert_ne!(slot(lists.make([4])), slot(list), "it is retired");
    lists.validate();
}
