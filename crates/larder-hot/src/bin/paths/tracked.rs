//! Taking changes back, where many others were taken back before; and each change, where somebody is told of it.

use core::hint::black_box;

use larder::{
    Arena,
    track::{Reversible, Tracked},
};

use super::{COUNT, counted};

/// The common beginning of the paths.
pub(super) const PREFIXES: &[&str] = &["undo_", "tracked_"];

/// The number of times that it is taken back and made again.
const TURNS: usize = 100;

/// So many values were removed, and returned by an undo: what followed them in their slots is known. Then one is
/// changed.
fn returned(count: usize) -> Tracked<Arena<u32>> {
    let mut tracked = Tracked::new(Arena::from_iter(0..count as u32));
    tracked.checkpoint();
    tracked.clear();
    for value in 0..count as u32 {
        tracked.insert(value);
    }
    assert_eq!(tracked.undo(), Ok(true));
    let key = tracked.keys().next().expect("all have returned");
    tracked.checkpoint();
    *tracked.get_mut(key).expect("it has returned") += 1;
    tracked
}

/// Undoes and redoes one change, among `count` slots, and returns how often.
fn undoing(count: usize) -> usize {
    let mut tracked = returned(count);
    counted(&mut || {
        let tracked = black_box(&mut tracked);
        for _ in 0..TURNS {
            assert_eq!((tracked.undo(), tracked.redo()), (Ok(true), Ok(true)));
        }
    });
    TURNS
}

/// Makes the change of this name with each of `count` values, while a subscriber is told of all changes.
fn changing(path: &str, count: usize) -> usize {
    let mut tracked = Tracked::new(Arena::<u32>::with_capacity(count));
    let mut subscriber = tracked.subscribe();
    let keys: Vec<_> = (0..count as u32).map(|value| tracked.insert(value)).collect();
    // (It has a mark of each slot.)
    assert_eq!(tracked.poll(&mut subscriber).expect("it is its own").inserted().len(), count);
    if path == "tracked_insert" {
        tracked.clear();
        tracked.poll(&mut subscriber).expect("it is its own");
    }
    counted(&mut || {
        let tracked = black_box(&mut tracked);
        match path {
            "tracked_insert" => (0..count as u32).for_each(|value| _ = tracked.insert(value)),
            "tracked_get_mut" => {
                keys.iter().for_each(|&key| *tracked.get_mut(key).expect("it is there") += 1);
            }
            "tracked_iter_mut" => tracked.iter_mut().for_each(|(_, value)| *value += 1),
            "tracked_remove" => {
                keys.iter().for_each(|&key| assert!(tracked.remove(key).is_some()));
            }
            "tracked_retain" => tracked.retain(|values, key| values[key] % 2 == 0),
            "tracked_clear" => tracked.clear(),
            "tracked_detach" => keys.iter().for_each(|&key| {
                let value = tracked.detach(key).expect("it is there");
                tracked.reattach(key, value).expect("it is detached");
            }),
            "tracked_poll" => {
                let again = &keys[..count / 2];
                again.iter().for_each(|&key| *tracked.get_mut(key).expect("it is there") += 1);
                let changes = tracked.poll(&mut subscriber).expect("it is its own");
                assert_eq!(changes.changed().len(), again.len());
            }
            other => unreachable!("there is no path `{other}`"),
        }
    });
    count
}

/// Does the work of this name, with this many times as many values, and says how many operations that were.
pub(super) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * COUNT;
    if path == "undo_one" { undoing(count) } else { changing(path, count) }
}
