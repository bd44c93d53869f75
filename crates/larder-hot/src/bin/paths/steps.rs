//! Checkpoints of many objects, and of what stands beside them, with few changes between: each turn costs what changes.

use core::hint::black_box;

use larder::pools::{ListPool, StringPool};
use larder::track::{Reversible, Tracked};
use larder::trees::{Buckets, KeyList};
use larder::{Arena, Handle, SecondaryMap, Tree};

use super::{COUNT, Fixed, counted};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["step_", "reverse_"];

type Key = Handle<u64>;

/// The number of repetitions. (Fewer than would have the records of all turns be moved in memory.)
const TURNS: usize = 100;

fn turns(mut work: impl FnMut()) -> usize {
    counted(&mut || (0..TURNS).for_each(|_| work()));
    TURNS
}

/// All have changed since the checkpoint.
fn all_changed(count: usize) -> (Tracked<Arena<u64>>, Vec<Key>) {
    let mut tracked = Tracked::new(Arena::from_iter(0..count as u64));
    tracked.checkpoint();
    tracked.iter_mut().for_each(|(_, value)| *value += 1);
    let keys = tracked.keys().collect();
    (tracked, keys)
}

/// Begins as many as there were in a step that is undone, behind a checkpoint since which nothing changed.
fn begun_and_undone(count: usize) -> Tracked<Arena<u64>> {
    let mut tracked = Tracked::new(Arena::from_iter(0..count as u64));
    tracked.checkpoint();
    tracked.checkpoint();
    (0..count).for_each(|_| _ = tracked.insert(0));
    assert_eq!(tracked.undo(), Ok(true));
    tracked
}

/// Containers.
fn steps(path: &str, count: usize) -> usize {
    let (mut tracked, keys) = all_changed(count);
    let (first, last) = (keys[0], keys[count - 1]);
    let change = |tracked: &mut Tracked<Arena<u64>>, key: Key| {
        *tracked.get_mut(key).expect("it is there") += 1;
    };
    match path {
        "step_checkpoint" => turns(|| {
            black_box(&mut tracked).checkpoint();
            change(&mut tracked, first);
        }),
        "step_forget" => turns(|| {
            let now = black_box(&mut tracked).checkpoint();
            change(&mut tracked, first);
            tracked.forget(now).expect("it is held");
        }),
        "step_undo" => turns(|| {
            black_box(&mut tracked).checkpoint();
            change(&mut tracked, first);
            assert_eq!(tracked.undo(), Ok(true));
            // The first change after it, in a step that has a record of each.
            change(&mut tracked, last);
        }),
        "step_redo" => turns(|| {
            black_box(&mut tracked).checkpoint();
            change(&mut tracked, first);
            assert_eq!((tracked.undo(), tracked.redo()), (Ok(true), Ok(true)));
            change(&mut tracked, last);
            assert_eq!(tracked.undo(), Ok(true));
        }),
        "step_rollback" => {
            let now = tracked.checkpoint();
            turns(|| {
                change(black_box(&mut tracked), first);
                tracked.rollback(now).expect("it is held");
            })
        }
        "step_insert" => {
            // (So that there is room.)
            let key = tracked.insert(1);
            assert!(tracked.remove(key).is_some());
            turns(|| {
                black_box(&mut tracked).checkpoint();
                let key = tracked.insert(1);
                assert!(tracked.remove(key).is_some());
                assert_eq!(tracked.undo(), Ok(true));
            })
        }
        "step_remove" => turns(|| {
            black_box(&mut tracked).checkpoint();
            assert!(tracked.remove(first).is_some());
            assert_eq!(tracked.undo(), Ok(true));
        }),
        "step_detach" => turns(|| {
            black_box(&mut tracked).checkpoint();
            let value = tracked.detach(first).expect("it is there");
            tracked.reattach(first, value).expect("it is detached");
            assert_eq!(tracked.undo(), Ok(true));
        }),
        "step_none" | "step_none_told" => {
            let mut tracked = begun_and_undone(count);
            if path == "step_none_told" {
                drop(tracked.subscribe());
            }
            turns(|| {
                let tracked = black_box(&mut tracked);
                assert_eq!((tracked.undo(), tracked.redo()), (Ok(true), Ok(true)));
            })
        }
        "step_none_back" => {
            let mut tracked = begun_and_undone(count);
            let now = tracked.checkpoint();
            turns(|| black_box(&mut tracked).rollback(now).expect("it is held"))
        }
        "step_held_back" => {
            // The slots of keys that were undone are kept.
            let mut tracked = Tracked::new(Arena::<u64>::from_iter(0..count as u64));
            let first = tracked.checkpoint();
            tracked.checkpoint();
            (0..count).for_each(|_| _ = tracked.insert(0));
            assert_eq!(tracked.undo(), Ok(true));
            tracked.rollback(first).expect("it is held");
            turns(|| {
                let tracked = black_box(&mut tracked);
                tracked.insert(1);
                tracked.rollback(first).expect("it is held");
            })
        }
        "step_beside" => {
            let map: SecondaryMap<Key, u64> = keys.iter().map(|&key| (key, 1)).collect();
            let mut map = Tracked::new(map);
            map.checkpoint();
            map.iter_mut().for_each(|(_, value)| *value += 1);
            turns(|| {
                black_box(&mut map).checkpoint();
                map.insert(first, 5);
                assert_eq!((map.undo(), map.redo()), (Ok(true), Ok(true)));
                assert_eq!((map.remove(last), map.undo()), (Some(2), Ok(true)));
            })
        }
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Changes something of a structure, undoes and redoes it, goes back, and changes it again.
fn reversed<R: Reversible>(mut of: R, mut change: impl FnMut(&mut R)) -> usize {
    let first = of.checkpoint();
    turns(|| {
        let of = black_box(&mut of);
        change(of);
        let second = of.checkpoint();
        change(of);
        assert_eq!((of.undo(), of.redo()), (Ok(true), Ok(true)));
        of.rollback(second).expect("it is held");
        change(of);
        of.rollback(first).expect("it is held");
        change(of);
        of.rollback(first).expect("it is held");
    })
}

/// Structures that are reversible by themselves.
fn reverse(path: &str, count: usize) -> usize {
    let objects = Arena::from_iter(0..count as u64);
    let keys: Vec<Key> = objects.keys().collect();
    match path {
        "reverse_lists" => {
            let mut lists = ListPool::<u64>::new();
            let all: Vec<_> = (0..count as u64).map(|number| lists.make([number; 3])).collect();
            lists.checkpoint();
            all.iter().for_each(|&list| lists[list][0] += 1);
            let first = all[0];
            reversed(lists, |lists| {
                lists.pop(first);
                let fresh = lists.make([1, 2]);
                lists.free(fresh);
            })
        }
        "reverse_names" => {
            let mut names = StringPool::<Fixed>::default();
            let text = |number: usize| format!("name {number:06}");
            (0..count).for_each(|number| _ = names.acquire(&text(number)));
            names.checkpoint();
            (0..count).for_each(|number| _ = names.acquire(&text(number + count)));
            reversed(names, |names| {
                let fresh = names.acquire("another");
                assert!(names.release(fresh));
                names.acquire("name 000000");
            })
        }
        "reverse_tree" => {
            let mut tree = Tree::new();
            let put = |tree: &mut Tree<Key>, child: Key| {
                tree.append(&objects, keys[0], child).expect("both are there");
            };
            tree.checkpoint();
            keys[1..].iter().for_each(|&child| put(&mut tree, child));
            reversed(tree, |tree| put(tree, keys[count / 2]))
        }
        "reverse_key_list" => {
            let mut list = KeyList::new();
            list.checkpoint();
            keys.iter().for_each(|&key| list.push_back(&objects, key).expect("it is in no list"));
            reversed(list, |list| _ = list.remove(keys[count / 2]))
        }
        "reverse_buckets" => {
            let mut kinds = Buckets::<Key, 4>::new();
            kinds.checkpoint();
            for &key in &keys {
                kinds.set(&objects, key, key.slot() as usize % 4).expect("it is there");
            }
            let mut turn = 0;
            reversed(kinds, |kinds| {
                turn += 1;
                kinds.set(&objects, keys[count / 2], turn % 4).expect("it is there");
            })
        }
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Does the work of this name, with this many times as many objects, and says how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * COUNT / 4;
    if path.starts_with("step_") { steps(path, count) } else { reverse(path, count) }
}
