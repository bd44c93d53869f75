//! Frames that are recorded and forgotten use the memory of those before.

use larder::maps::SparseSecondaryMap;
use larder::pools::{ListPool, StringPool};
use larder::track::{Reversible, Tracked};
use larder::trees::{Buckets, KeyList};
use larder::{Arena, DenseArena, PagedArena, Reuse, SecondaryMap, Tree};
use larder_testing::common::{SplitMix, allocations_of, scaled};

const ROOM: usize = if cfg!(miri) { 20 } else { 200 };

/// Plays frames: each begins with one checkpoint or more, changes something, and forgets those of frames before the last.
/// Later frames do not allocate.
fn does_not_allocate<W: Reversible>(
    name: &str,
    world: &mut W,
    checkpoints: usize,
    change: &mut dyn FnMut(&mut W, &mut SplitMix),
) {
    let mut random = SplitMix::new(7);
    let mut frames = |frames: usize| {
        let mut last = None;
        for _ in 0..frames {
            let first = world.checkpoint();
            for _ in 1..checkpoints {
                change(world, &mut random);
                world.checkpoint();
            }
            change(world, &mut random);
            world.forget(last.replace(first).unwrap_or(first)).unwrap();
        }
    };
    frames(scaled(200, 20));
    let requests = allocations_of(|| frames(scaled(300, 10)));
    assert_eq!(requests, 0, "{checkpoints} of {name}");
}

macro_rules! containers_do_not_allocate {
    ($($container:expr;)*) => {$(
        for checkpoints in [1, 3] {
            let mut world = Tracked::new($container);
            let mut keys: Vec<_> = (0..ROOM as u32).map(|number| world.insert(number)).collect();
            let name = stringify!($container);
            does_not_allocate(name, &mut world, checkpoints, &mut |world, random| {
                    for number in 0..20 {
                        let at = random.below(ROOM);
                        assert!(world.remove(keys[at]).is_some());
                        let other = random.below(ROOM);
                        if other != at {
                            *world.get_mut(keys[other]).unwrap() += 1;
                        }
                        keys[at] = world.insert(number);
                    }
                    // Some of the slots are free at the next checkpoint.
                    let gone = [0, 1, 2].map(|at| world.remove(keys[at]));
                    assert!(gone.iter().all(Option::is_some));
                    for at in [2, 0, 1] {
                        keys[at] = world.insert(7);
                    }
            });
        }
    )*};
}

#[test]
fn a_recorded_frame_of_a_container_does_not_allocate() {
    containers_do_not_allocate! {
        Arena::with_capacity(2 * ROOM);
        Arena::builder().reuse(Reuse::Fifo).capacity(2 * ROOM).build();
        Arena::builder().reuse(Reuse::Packed).capacity(2 * ROOM).build();
        DenseArena::with_capacity(2 * ROOM);
        PagedArena::with_capacity(2 * ROOM);
    }
}

/// The order of free slots is recorded, too, if there are any at each checkpoint.
#[test]
fn the_order_of_free_slots_is_recorded_in_memory_of_before() {
    for reuse in [Reuse::Packed, Reuse::Fifo, Reuse::Lifo] {
        for checkpoints in [1, 3] {
            let mut world = Tracked::new(Arena::builder().reuse(reuse).capacity(2 * ROOM).build());
            let mut keys: Vec<_> = (0..ROOM as u32).map(|number| world.insert(number)).collect();
            does_not_allocate("free slots", &mut world, checkpoints, &mut |world, random| {
                while keys.len() < ROOM {
                    keys.push(world.insert(1));
                }
                for _ in 0..ROOM / 3 {
                    world.remove(random.take(&mut keys));
                }
            });
        }
    }
}

#[test]
fn a_recorded_frame_of_what_is_beside_does_not_allocate() {
    let objects = Arena::from_iter(0..ROOM as u32);
    let keys: Vec<_> = objects.keys().collect();
    for checkpoints in [1, 3] {
        let mut near = Tracked::new(SecondaryMap::with_capacity(ROOM));
        let mut sparse = Tracked::new(SparseSecondaryMap::with_capacity(ROOM));
        macro_rules! side_data {
            ($map:ident) => {
                does_not_allocate(stringify!($map), &mut $map, checkpoints, &mut |map, random| {
                    for _ in 0..20 {
                        map.insert(keys[random.below(ROOM)], 1);
                        map.remove(keys[random.below(ROOM)]);
                    }
                });
            };
        }
        side_data!(near);
        side_data!(sparse);

        let (mut tree, mut list) = (Tree::new(), KeyList::new());
        let mut buckets = Buckets::<_, 4>::with_capacity(ROOM);
        tree.reserve(ROOM);
        list.reserve(ROOM);
        macro_rules! beside {
            ($of:ident, |$random:ident| $change:expr) => {
                does_not_allocate(stringify!($of), &mut $of, checkpoints, &mut |$of, $random| {
                    (0..20).for_each(|_| $change);
                });
            };
        }
        beside!(tree, |random| {
            let (parent, child) = (keys[random.below(ROOM)], keys[random.below(ROOM)]);
            _ = tree.append(&objects, parent, child);
            tree.make_root(keys[random.below(ROOM)]);
        });
        beside!(list, |random| {
            _ = list.push_back(&objects, keys[random.below(ROOM)]);
            list.remove(keys[random.below(ROOM)]);
        });
        beside!(buckets, |random| {
            buckets.set(&objects, keys[random.below(ROOM)], random.below(4)).unwrap();
        });
    }
}

/// How many changes a frame has: once more than later.
fn changes(frames: &mut usize, checkpoints: usize) -> usize {
    *frames += 1;
    if *frames <= scaled(100, 10) * checkpoints { 40 } else { 20 }
}

/// Lists come, go, grow and change, of which the values are recorded.
#[test]
fn a_recorded_frame_of_lists_does_not_allocate() {
    for checkpoints in [1, 3] {
        let (mut world, mut frames) = (ListPool::<u32>::new(), 0);
        world.reserve_lists(ROOM, 20);
        let mut lists: Vec<_> = (0..ROOM).map(|at| world.make(0..at as u32 % 20)).collect();
        does_not_allocate("lists", &mut world, checkpoints, &mut |world, random| {
            for _ in 0..changes(&mut frames, checkpoints) {
                let at = random.below(ROOM);
                if random.below(2) == 0 {
                    world.free(lists[at]);
                    lists[at] = world.make(0..random.below(20) as u32);
                } else if world[lists[at]].len() < 20 {
                    world.push(&mut lists[at], 7);
                } else {
                    world.truncate(lists[at], random.below(20));
                }
            }
        });
        world.validate();
    }
}

/// Names come and go, of which the texts are recorded.
#[test]
fn a_recorded_frame_of_names_does_not_allocate() {
    let texts: Vec<_> = (0..3 * ROOM).map(|number| format!("the name {number}")).collect();
    for checkpoints in [1, 3] {
        let (mut world, mut frames) = (StringPool::new(), 0);
        world.reserve_texts(4 * ROOM, 4 * ROOM * 12);
        let mut names: Vec<_> = texts[..ROOM].iter().map(|text| world.acquire(text)).collect();
        does_not_allocate("names", &mut world, checkpoints, &mut |world, random| {
            for _ in 0..changes(&mut frames, checkpoints) {
                let at = random.below(ROOM);
                world.release(names[at]);
                names[at] = world.acquire(&texts[random.below(3 * ROOM)]);
            }
        });
        world.validate();
    }
}

/// A step that is undone and done again any number of times copies each text once.
#[test]
fn a_step_of_names_that_goes_to_and_fro_does_not_allocate() {
    let mut world = StringPool::with_capacity(8);
    world.checkpoint();
    let [kite, _] = ["kite", "wren"].map(|text| world.intern(&text.repeat(20)));
    let mut to_and_fro = || {
        for _ in 0..50 {
            assert_eq!(world.undo(), Ok(true));
            assert_eq!(world.get(kite), None);
            assert_eq!(world.redo(), Ok(true));
        }
    };
    to_and_fro();
    assert_eq!(allocations_of(to_and_fro), 0);
}

/// An editor's steps, none of which is forgotten: a thousand small ones have their records, marks and free slots in memory
/// that grows as a vector does, and are undone and redone in it.
macro_rules! small_steps_share_their_memory {
    ($($container:expr;)*) => {$({
        let mut world = Tracked::new($container);
        let keys: Vec<_> = (0..ROOM as u32).map(|number| world.insert(number)).collect();
        // (Free slots, of which each checkpoint has a list.)
        keys.iter().step_by(20).for_each(|&key| assert!(world.remove(key).is_some()));
        let steps = scaled(1_000, 100);
        let mut random = SplitMix::new(3);
        let edits = allocations_of(|| {
            for step in 0..steps {
                world.checkpoint();
                match (step % 3, keys[random.below(ROOM) / 20 * 20 + 1]) {
                    (0, key) => *world.get_mut(key).unwrap() += 1,
                    (1, _) => _ = world.insert(step as u32),
                    (_, key) => drop(world.detach(key).map(|value| world.reattach(key, value))),
                }
            }
        });
        // (A step that inserted has a record of its slot once it is undone.)
        let mut undone = 0;
        let undos = allocations_of(|| while world.undo().unwrap() { undone += 1 });
        let redos = allocations_of(|| while world.redo().unwrap() {});
        let name = stringify!($container);
        assert_eq!(undone, steps, "{name}");
        assert!(edits <= 100, "{edits} to edit {name}");
        // (And packed values are put to their places by a list.)
        let lists = if name.starts_with("Dense") { steps } else { 0 };
        assert!(undos <= lists + steps / 3 + 100, "{undos} to undo {name}");
        assert!(redos <= lists + 20, "{redos} to redo {name}");
    })*};
}

#[test]
fn a_thousand_small_steps_share_their_memory() {
    small_steps_share_their_memory! {
        Arena::with_capacity(10 * ROOM);
        Arena::builder().reuse(Reuse::Fifo).capacity(10 * ROOM).build();
        Arena::builder().reuse(Reuse::Packed).capacity(10 * ROOM).build();
        DenseArena::with_capacity(10 * ROOM);
        PagedArena::with_capacity(10 * ROOM);
    }
    let objects = Arena::from_iter(0..ROOM as u32);
    let mut near: Tracked<SecondaryMap<_, u32>> = Tracked::new(SecondaryMap::with_capacity(ROOM));
    let edits = allocations_of(|| {
        for key in objects.keys().cycle().take(scaled(1_000, 100)) {
            near.checkpoint();
            near.insert(key, 1);
        }
    });
    assert!(edits <= 100, "{edits}");
}

/// An edit that is tried, taken back, and followed by another.
#[test]
fn a_step_that_is_abandoned_leaves_its_memory() {
    let mut world = Tracked::new(Arena::from_iter(0..ROOM as u32));
    let keys: Vec<_> = world.keys().collect();
    let mut tries = |count: usize| {
        for round in 0..count {
            world.checkpoint();
            world[keys[round % ROOM]] += 1;
            assert_eq!(world.undo(), Ok(true));
            world[keys[(round + 1) % ROOM]] += 1;
        }
    };
    tries(10);
    assert_eq!(allocations_of(|| tries(scaled(300, 10))), 0);
}
