//! All short histories, against a model that is a clone taken at each checkpoint.

use larder::track::{Checkpoint, Reversible, Tracked};
use larder::{Arena, DenseArena, DenseSoaArena, InlineArena, Key, Pool, Reuse, SoaArena};
use larder_testing::common::deeper;

use crate::going_back::{Plain, Ship};

/// The number of kinds of steps.
const KINDS: usize = 8;

/// Runs the history of this number, and compares after each step.
fn history<A: Plain>(mut number: usize, steps: usize) {
    let mut plain = A::make(Reuse::Packed);
    (0..2).for_each(|ship| assert!(plain.add(Ship::new(ship)) != A::Key::DANGLING));
    let (mut tracked, mut held) = (Tracked::new(plain.clone()), Vec::<(Checkpoint, A)>::new());
    for step in 0..steps as u64 {
        let kind = number % KINDS;
        number /= KINDS;
        let keys: Vec<_> = plain.entries().iter().map(|entry| entry.0).collect();
        match (kind, keys.first(), keys.last()) {
            (0, ..) => {
                let key = tracked.insert(Ship::new(10 + step));
                assert_eq!(key, plain.add(Ship::new(10 + step)));
            }
            (1, Some(&key), _) | (2, _, Some(&key)) => {
                assert_eq!(tracked.remove(key), plain.drop_out(key));
            }
            (3, _, Some(&key)) => {
                assert!(A::rename_tracked(&mut tracked, key, step) && plain.rename(key, step));
            }
            (4, ..) => held.push((tracked.checkpoint(), plain.clone())),
            (5, ..) | (6, ..) if !held.is_empty() => {
                held.truncate(if kind == 5 { 1 } else { held.len() });
                let (to, then) = held.last().expect("there is one");
                tracked.rollback(*to).expect("it is held");
                plain = then.clone();
            }
            (7, ..) => {
                A::rename_all_tracked(&mut tracked);
                plain.rename_all();
            }
            _ => {}
        }
        assert_eq!(tracked.entries(), plain.entries());
        tracked.check();
    }
    there_and_back(&mut tracked, &held);
}

/// Undoes all that there is to be undone, and does it again.
fn there_and_back<A: Plain>(tracked: &mut Tracked<A>, held: &[(Checkpoint, A)]) {
    let end = tracked.entries();
    for (_, then) in held.iter().rev() {
        assert_eq!(tracked.undo(), Ok(true));
        assert_eq!(tracked.entries(), then.entries(), "undone");
        tracked.check();
    }
    for (_, then) in held.iter().skip(1) {
        assert_eq!(tracked.redo(), Ok(true));
        assert_eq!(tracked.entries(), then.entries(), "redone");
    }
    assert_eq!((tracked.redo(), tracked.undo().is_ok()), (Ok(!held.is_empty()), true));
    assert_eq!(tracked.redo(), Ok(!held.is_empty()));
    assert_eq!(tracked.entries(), end, "redone");
    tracked.check();
}

fn all<A: Plain>(steps: usize) {
    (0..KINDS.pow(steps as u32)).for_each(|number| history::<A>(number, steps));
}

#[test]
fn every_short_history_goes_back_exactly() {
    let steps = deeper(4, 2);
    all::<Arena<Ship>>(steps);
    all::<InlineArena<Ship, 9>>(steps);
    all::<Pool<Ship>>(steps);
    all::<SoaArena<Ship>>(steps);
    all::<DenseArena<Ship>>(steps);
    all::<DenseSoaArena<Ship>>(steps);
}
