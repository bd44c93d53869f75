//! Going back while the `Drop` of values panics: nothing is lost, and the same call completes what was cut short.

use larder::pools::{ListPool, list_pool::ListHandle};
use larder::track::{Checkpoint, Reversible, Tracked, Versioned};
use larder::{Arena, DenseArena, Handle, Pool};
use larder_testing::caught::{panicking_after, step};

/// A value whose `Drop` may panic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Falling(pub(crate) u32);

impl Drop for Falling {
    fn drop(&mut self) {
        step();
    }
}

type Key = Handle<Falling>;

/// A group of members that drop values while they go back.
#[derive(Reversible)]
struct World {
    packed: Tracked<DenseArena<Falling>>,
    rows: Tracked<Arena<Falling>>,
    pool: Tracked<Pool<Falling>>,
    value: Versioned<Falling>,
    lists: ListPool<Falling>,
    list: Versioned<ListHandle<Falling>>,
}

/// All that can be seen of a world.
type Seen = (Vec<(Key, u32)>, Vec<(Key, u32)>, Vec<(Key, u32)>, u32, Vec<u32>);

impl World {
    fn new() -> Self {
        let mut lists = ListPool::new();
        let list = Versioned::new(lists.make([Falling(1), Falling(2)]));
        Self {
            packed: Tracked::new((0..3).map(Falling).collect()),
            rows: Tracked::new((0..3).map(Falling).collect()),
            pool: Tracked::new(Pool::new(|| Falling(9))),
            value: Versioned::new(Falling(5)),
            lists,
            list,
        }
    }

    /// Changes each member: some values are written, some are removed, and there are new ones.
    fn change(&mut self, number: u32) {
        let (first, row) = (self.packed.keys().next(), self.rows.keys().next());
        first.into_iter().for_each(|key| drop(self.packed.remove(key)));
        row.into_iter().for_each(|key| self.rows[key].0 = number);
        row.into_iter().for_each(|key| drop(self.rows.remove(key)));
        (0..2).for_each(|more| {
            self.packed.insert(Falling(number + more));
            self.rows.insert(Falling(number + more));
            self.pool.insert(Falling(number + more));
        });
        let pooled = self.pool.iter().min_by_key(|(_, value)| value.0).map(|(key, _)| key);
        pooled.into_iter().for_each(|key| _ = self.pool.remove(key));
        self.value.0 = number;
        self.lists.push(&mut self.list, Falling(number));
        self.lists[*self.list][0] = Falling(number);
    }

    fn seen(&self) -> Seen {
        (
            self.packed.iter().map(|(key, value)| (key, value.0)).collect(),
            self.rows.iter().map(|(key, value)| (key, value.0)).collect(),
            self.pool.iter().map(|(key, value)| (key, value.0)).collect(),
            self.value.0,
            self.lists[*self.list].iter().map(|value| value.0).collect(),
        )
    }

    /// A world with two steps, their checkpoints, and what it was at each of them and is now.
    fn changed() -> (Self, [Checkpoint; 2], [Seen; 3]) {
        let mut world = Self::new();
        world.change(10);
        let (first, at_first) = (world.checkpoint(), world.seen());
        world.change(20);
        let (second, at_second) = (world.checkpoint(), world.seen());
        world.change(30);
        let now = world.seen();
        (world, [first, second], [at_first, at_second, now])
    }
}

/// Runs `act` on a world with the n-th `Drop` panicking, for each n, until none is reached. `after` is told whether one
/// panicked.
fn at_each_drop(
    act: impl Fn(&mut World, [Checkpoint; 2]),
    after: impl Fn(&mut World, [Checkpoint; 2], &[Seen; 3]),
) {
    let mut fell = 0;
    for drops in 0.. {
        let (mut world, checkpoints, seen) = World::changed();
        let panicked = panicking_after(drops, || act(&mut world, checkpoints));
        after(&mut world, checkpoints, &seen);
        fell += u32::from(panicked);
        if !panicked {
            break;
        }
    }
    assert!(fell > 0, "no `Drop` was reached");
}

#[test]
fn a_rollback_that_a_drop_cut_short_is_completed() {
    for at in [0, 1] {
        at_each_drop(
            |world, checkpoints| world.rollback(checkpoints[at]).unwrap(),
            |world, checkpoints, seen| {
                assert_eq!(world.rollback(checkpoints[at]), Ok(()));
                assert_eq!(world.seen(), seen[at]);
                assert_eq!(world.rollback(checkpoints[0]), Ok(()));
                assert_eq!(world.seen(), seen[0]);
                world.change(40);
                assert_eq!(world.rollback(checkpoints[0]), Ok(()));
                assert_eq!(world.seen(), seen[0]);
            },
        );
    }
}

/// A rollback that drops undone steps is completed, too.
#[test]
fn a_rollback_from_what_was_undone_is_completed() {
    at_each_drop(
        |world, [first, _]| {
            assert_eq!(world.undo(), Ok(true));
            world.rollback(first).unwrap();
        },
        |world, [first, _], seen| {
            assert_eq!(world.rollback(first), Ok(()));
            assert_eq!(world.seen(), seen[0]);
            assert_eq!(world.redo(), Ok(false));
            world.change(40);
            assert_eq!(world.undo(), Ok(true));
            assert_eq!(world.seen(), seen[0]);
        },
    );
}

#[test]
fn an_undo_is_done_in_all_members_whatever_falls() {
    at_each_drop(
        |world, _| assert_eq!(world.undo(), Ok(true)),
        |world, _, seen| {
            assert_eq!(world.seen(), seen[1]);
            assert_eq!(world.redo(), Ok(true));
            assert_eq!(world.seen(), seen[2]);
        },
    );
}

#[test]
fn a_redo_is_done_in_all_members_whatever_falls() {
    at_each_drop(
        |world, _| {
            assert_eq!(world.undo(), Ok(true));
            assert_eq!(world.redo(), Ok(true));
        },
        |world, _, seen| {
            // (If it was the undo that panicked, it is done.)
            if world.seen() == seen[1] {
                assert_eq!(world.redo(), Ok(true));
            }
            assert_eq!(world.seen(), seen[2]);
            assert_eq!((world.undo(), world.undo()), (Ok(true), Ok(true)));
            assert_eq!(world.seen(), seen[0]);
        },
    );
}
