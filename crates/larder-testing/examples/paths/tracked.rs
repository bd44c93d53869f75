//! Taking changes back, where many others were taken back before.

use core::hint::black_box;

use larder::{
    Arena,
    track::{Reversible, Tracked},
};

use super::{COUNT, counted};

/// The number of times that it is taken back and made again.
const TURNS: usize = 100;

/// So many values were removed, and returned by an undo: what followed them in their slots is known. Then one is changed.
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

/// Undoes and redoes one change, among this many times as many slots, and says how often.
pub(super) fn run(path: &str) -> usize {
    let times = match path {
        "undo_one" => 1,
        "undo_one_2" => 2,
        "undo_one_4" => 4,
        other => unreachable!("there is no path `{other}`"),
    };
    let mut tracked = returned(times * COUNT);
    counted(&mut || {
        let tracked = black_box(&mut tracked);
        for _ in 0..TURNS {
            assert_eq!((tracked.undo(), tracked.redo()), (Ok(true), Ok(true)));
        }
    });
    TURNS
}
