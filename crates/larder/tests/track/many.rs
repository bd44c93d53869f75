//! Many edits, undone one by one to the first and redone to the last; many checkpoints, held at once and returned to.

use larder::key::Serial;
use larder::track::{Checkpoint, Reversible, TrackError, Tracked};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle32, InlineArena, PagedArena, Pool, Reuse, SoaArena,
};
use larder_testing::common::{REUSE_ORDERS, scaled, thorough};

use crate::going_back::{Dice, Plain, Ship};

/// Returns the contents, sorted, since undoing does not keep the order of packed values.
fn contents<A: Plain>(of: &A) -> Vec<(A::Key, Ship)> {
    let mut entries = of.entries();
    entries.sort_by_key(|(key, _)| *key);
    entries
}

/// Random changes: of one object mostly, sometimes of several.
fn edit<A: Plain>(of: &mut Tracked<A>, keys: &mut Vec<A::Key>, dice: &mut Dice, number: u64) {
    for _ in 0..=dice.below(8) / 5 {
        let key = if keys.is_empty() { None } else { Some(keys[dice.below(keys.len())]) };
        match (dice.below(8), key) {
            (5..7, Some(key)) => drop(of.remove(key)),
            (4 | 7, Some(key)) => drop(A::rename_tracked(of, key, number)),
            _ => keys.push(of.insert(Ship::new(number))),
        }
    }
}

fn all_are_undone_and_redone<A: Plain>(reuse: Reuse, edits: usize) {
    let (mut dice, mut keys) = (Dice(edits as u64 + 5), Vec::new());
    let mut tracked = Tracked::new(A::make(reuse));
    // The contents before each edit, and after the last: those of every 20th, and of those near the ends.
    let looks = |number: usize| number % 20 == 0 || !(10..edits - 10).contains(&number);
    let mut moments = Vec::new();
    for number in 0..=edits {
        moments.push(looks(number).then(|| contents(&*tracked)));
        if number < edits {
            tracked.checkpoint();
            edit(&mut tracked, &mut keys, &mut dice, number as u64);
        }
    }
    let is_as_then = |tracked: &Tracked<A>, number: usize| {
        let then = moments[number].as_ref();
        then.is_none_or(|then| contents(&**tracked) == *then)
    };
    for number in (0..edits).rev() {
        assert_eq!(tracked.undo(), Ok(true));
        assert!(is_as_then(&tracked, number), "edit {number} undone");
    }
    assert_eq!(tracked.undo(), Ok(false), "there are no more");
    assert!(tracked.entries().is_empty());
    tracked.check();
    for number in 1..=edits {
        assert_eq!(tracked.redo(), Ok(true));
        assert!(is_as_then(&tracked, number), "edit {number} redone");
    }
    assert_eq!(tracked.redo(), Ok(false), "there are no more");
    tracked.check();
}

#[test]
fn a_thousand_edits_are_undone_and_redone() {
    let edits = scaled(1_000, 30);
    for reuse in REUSE_ORDERS {
        all_are_undone_and_redone::<Arena<Ship>>(reuse, edits);
    }
    all_are_undone_and_redone::<DenseArena<Ship>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<Arena<Ship, Handle32<Ship, 29>>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<Arena<Ship, Serial<Ship>>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<PagedArena<Ship>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<InlineArena<Ship, 1_500>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<Pool<Ship>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<SoaArena<Ship>>(Reuse::Packed, edits);
    all_are_undone_and_redone::<DenseSoaArena<Ship>>(Reuse::Packed, edits);
}

/// A container with so many checkpoints, and what each is of.
fn held<A: Plain>(reuse: Reuse, count: usize) -> (Tracked<A>, Vec<(Checkpoint, A)>) {
    let (mut dice, mut keys) = (Dice(count as u64), Vec::new());
    let mut tracked = Tracked::new(A::make(reuse));
    let mut held = Vec::new();
    for number in 0..count as u64 {
        (0..9).for_each(|_| edit(&mut tracked, &mut keys, &mut dice, number));
        held.push((tracked.checkpoint(), A::clone(&tracked)));
    }
    (0..9).for_each(|_| edit(&mut tracked, &mut keys, &mut dice, 1));
    (tracked, held)
}

/// It is what it was, in order and numbers, and gives out the same keys.
fn is_as<A: Plain>(tracked: &Tracked<A>, then: &A) {
    tracked.check();
    assert_eq!((tracked.entries(), tracked.numbers()), (then.entries(), then.numbers()));
    let (mut one, mut other) = (A::clone(tracked), then.clone());
    (0..20).for_each(|number| assert_eq!(one.add(Ship::new(number)), other.add(Ship::new(number))));
}

fn each_is_returned_to<A: Plain>(reuse: Reuse) {
    let count = scaled(50, 8);
    // From the newest to the oldest, each twice, with changes in between.
    let (mut tracked, all) = held::<A>(reuse, count);
    for (number, (checkpoint, then)) in all.iter().enumerate().rev() {
        for value in 0..2 {
            tracked.rollback(*checkpoint).expect("it is held");
            is_as(&tracked, then);
            let key = tracked.insert(Ship::new(value));
            assert!(A::rename_tracked(&mut tracked, key, value + 1));
        }
        let later = all.get(number + 1).map(|(later, _)| tracked.rollback(*later));
        assert!(later.is_none_or(|result| result == Err(TrackError::Gone)));
    }
    // In any order: those before the forgotten one are gone, and those after the one
    // that was returned to.
    for seed in 1..=thorough(6, 2) as u64 {
        let (mut tracked, all) = held::<A>(reuse, count);
        let (mut dice, mut keys, mut from, mut to) = (Dice(seed), Vec::new(), 0, count);
        while from + 1 < to {
            let forgets = dice.below(2) == 0;
            // (Near the end that moves, so that many moves are made.)
            let by = dice.below(((to - from) / 8).max(2));
            let number = if forgets { from + by } else { to - 1 - by };
            let (checkpoint, then) = &all[number];
            if forgets {
                let before = tracked.entries();
                tracked.forget(*checkpoint).expect("it is held");
                assert_eq!(tracked.entries(), before, "it stays as it is");
                from = number;
            } else {
                tracked.rollback(*checkpoint).expect("it is held");
                is_as(&tracked, then);
                edit(&mut tracked, &mut keys, &mut dice, seed);
                to = number + 1;
            }
            for (gone, (checkpoint, _)) in all.iter().enumerate() {
                if gone < from || gone >= to {
                    assert_eq!(tracked.rollback(*checkpoint), Err(TrackError::Gone), "{gone}");
                }
            }
        }
        tracked.rollback(all[from].0).expect("the last is held");
        is_as(&tracked, &all[from].1);
    }
}

fn checkpoints_of<A: Plain>() {
    REUSE_ORDERS.into_iter().for_each(each_is_returned_to::<A>);
}

#[test]
fn each_of_fifty_checkpoints_is_returned_to() {
    checkpoints_of::<Arena<Ship>>();
    checkpoints_of::<Arena<Ship, Handle32<Ship, 29>>>();
    checkpoints_of::<PagedArena<Ship>>();
    checkpoints_of::<InlineArena<Ship, 900>>();
    checkpoints_of::<Pool<Ship>>();
    checkpoints_of::<DenseArena<Ship>>();
    checkpoints_of::<SoaArena<Ship>>();
    checkpoints_of::<DenseSoaArena<Ship, Serial<Ship>>>();
}
