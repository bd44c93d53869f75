//! Functions of a pool, closures, `Clone` and `Drop` that panic at their n-th step, for every n:
//! afterwards every slot holds a live value, each once, and the pool does its work.

use larder::{Handle, Pool, Reuse};
use larder_testing::caught::{attempt, panicking_after, step};
use larder_testing::common::scaled;
use larder_testing::subject::{Config, ORDERS};
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all};
use larder_testing::trouble::Panics;
use larder_testing::values::Value;

/// The two sorts of pool, whose functions take steps.
fn build(config: Config, recycles: bool) -> Pool<Touchy> {
    let make = || {
        step();
        Touchy::make(0)
    };
    let builder = Pool::builder(make).reuse(config.reuse);
    let builder = if recycles {
        builder.recycling(|value: &mut Touchy| {
            step();
            *value = Touchy::make(value.id() + 100);
            step();
        })
    } else {
        builder
    };
    match config.limit {
        Some(slots) => builder.fixed(slots).build(),
        None => builder.build(),
    }
}

/// With holes here and there, and whole words of them where it is large; some slots made ahead.
fn prepare(config: Config, recycles: bool, count: u32) -> Pool<Touchy> {
    let mut pool = build(config, recycles);
    let keys: Vec<_> = (1..=count).map(|id| pool.insert(Touchy::make(id))).collect();
    for (position, &key) in keys.iter().enumerate() {
        if position % 4 == 2 || (70..140).contains(&position) {
            assert!(pool.recycle(key).is_some());
        }
    }
    if config.limit.is_none() {
        pool.reserve(count as usize / 2 + 2);
    }
    pool
}

/// Checks that every slot holds a live value, that there are no others, and that the pool works; also when it was
/// cleared.
fn is_whole(pool: &mut Pool<Touchy>) -> usize {
    let slots = pool.slots().len();
    works(pool);
    pool.clear();
    assert!(pool.is_empty());
    works(pool);
    slots
}

fn works(pool: &mut Pool<Touchy>) {
    pool.validate();
    assert!(pool.slots().iter().all(Touchy::is_alive), "a dead value can be reached");
    assert_eq!(count_alive(), pool.slots().len(), "values were lost");
    let len = pool.len();
    assert_eq!(pool.keys().filter(|&key| pool.contains_key(key)).count(), len);
    if let Ok(key) = pool.try_insert_with(|value| *value = Touchy::make(1_000)) {
        assert_eq!(pool[key].id(), 1_000);
        assert_eq!(pool.remove(key).map(|value| value.id()), Some(1_000));
    }
    pool.validate();
    assert_eq!((pool.len(), count_alive()), (len, pool.slots().len()));
}

fn some_keys(pool: &Pool<Touchy>) -> Vec<Handle<Touchy>> {
    pool.keys().step_by(2).collect()
}

/// Values of numbers, at a step each, for as many as there is room, or up to `most`.
fn stepping(pool: &Pool<Touchy>, most: usize) -> impl Iterator<Item = Touchy> + use<> {
    let room = pool.capacity() - pool.len();
    (0..room.min(most) as u32).map(|id| (step(), Touchy::make(id)).1)
}

/// The operations that may run any code of the user.
const OPERATIONS: [fn(&mut Pool<Touchy>); 20] = [
    |pool| some_keys(pool).into_iter().for_each(|key| _ = pool.recycle(key)),
    |pool| some_keys(pool).into_iter().for_each(|key| drop(pool.remove(key))),
    |pool| pool.clear(),
    |pool| {
        let half = pool.len() / 2;
        pool.drain().take(half).for_each(drop);
    },
    |pool| pool.extract_if(|key, _| (step(), key.slot() % 3 == 0).1).for_each(drop),
    |pool| {
        for (number, key) in some_keys(pool).into_iter().enumerate() {
            let value = pool.detach(key).expect("it is live");
            step();
            match number % 3 {
                0 => drop((value, pool.discard_detached(key))),
                _ => assert!(pool.reattach(key, value).is_ok()),
            }
        }
    },
    |pool| {
        pool.insert_with_key(|key| (step(), Touchy::make(key.slot())).1);
        assert_eq!(pool.vacant_entry().insert(Touchy::make(7)).id(), 7);
    },
    |pool| {
        let has_room = pool.capacity() > pool.len();
        let values = stepping(pool, 6);
        assert_eq!(pool.insert_many(values).next().is_some(), has_room);
    },
    |pool| pool.retain(|key, _| (step(), key.slot() % 3 == 0).1),
    |pool| stepping(pool, usize::MAX).for_each(|value| _ = pool.insert(value)),
    |pool| {
        for value in stepping(pool, usize::MAX) {
            pool.insert_with(|place| {
                step();
                *place = value;
                step();
            });
        }
    },
    |pool| {
        let mut entry = pool.vacant_entry();
        step();
        *entry.value_mut() = Touchy::make(5);
        step();
        entry.insert(Touchy::make(6));
    },
    |pool| pool.extend(stepping(pool, usize::MAX)),
    |pool| {
        if pool.try_reserve(scaled(40, 4)).is_err() {
            step();
        }
    },
    |pool| pool.shrink_to(scaled(9, 4)),
    |pool| pool.shrink_to_fit(),
    |pool| drop(pool.clone()),
    |pool| *pool = pool.clone(),
    |pool| drop(core::mem::replace(pool, Pool::new(|| Touchy::make(0)))),
    |pool| pool.slots_mut().iter_mut().for_each(|value| *value = Touchy::make(3)),
];

/// Runs each operation again and again, panicking one step later each time, until it gets through.
fn panics(nerve: Nerve) {
    let packed = Config::new(Reuse::Packed, None);
    let growing = ORDERS.iter().map(|&reuse| (Config::new(reuse, None), 11));
    let fixed = (Config::new(Reuse::Packed, Some(9)), 7);
    let all = growing.chain([(packed, 150), fixed]).collect::<Vec<_>>();
    for (config, count) in if cfg!(miri) { vec![(packed, 3)] } else { all } {
        for recycles in [false, true] {
            let make = || prepare(config, recycles, count);
            let pools = Panics { make: &make, held: &is_whole, leaks: false };
            OPERATIONS.iter().for_each(|operation| _ = pools.of(nerve, operation));
        }
    }
}

#[test]
fn functions_and_closures_panic() {
    panics(Nerve::None);
}

#[test]
fn drop_panics() {
    panics(Nerve::Drop);
}

#[test]
fn clone_panics() {
    panics(Nerve::Clone);
}

/// Making what a pool begins with panics: what was made goes with it.
#[test]
fn building_panics() {
    for steps in 0.. {
        let panicked = panicking_after(steps, || {
            let pool = build(Config::new(Reuse::Fifo, Some(10)), true);
            assert_eq!((pool.slots().len(), count_alive()), (10, 10));
        });
        assert_eq!(count_alive(), 0);
        forget_all();
        if !panicked {
            assert_eq!(steps, 10);
            return;
        }
    }
}

// The state in which a panic of a function leaves the pool, as each method documents.

/// A pool of numbers whose functions panic when told to: the value of a fresh slot is -1.
fn wary(replaces: bool) -> (Pool<i32>, Handle<i32>) {
    let make = || {
        step();
        -1
    };
    let builder = Pool::builder(make);
    let builder = if replaces {
        builder
    } else {
        builder.recycling(|value: &mut i32| {
            *value += 1;
            step();
            *value += 1;
        })
    };
    let mut pool = builder.build();
    let key = pool.insert(7);
    pool.insert(8);
    (pool, key)
}

#[test]
fn a_removal_that_panics_leaves_the_old_value_or_what_a_reset_did() {
    for (replaces, left) in [(true, 7), (false, 8)] {
        let (mut pool, key) = wary(replaces);
        assert!(panicking_after(0, || _ = pool.recycle(key)));
        assert_eq!((pool.get(key), pool.slots(), pool.len()), (None, &[left, 8][..], 1));
    }
}

#[test]
fn nothing_is_taken_without_a_new_value() {
    let (mut pool, key) = wary(false);
    assert!(panicking_after(0, || {
        pool.remove(key);
    }));
    assert_eq!((pool.get(key), pool.len()), (Some(&7), 2));
    assert_eq!((pool.remove(key), pool.slots()), (Some(7), &[-1, 8][..]));
}

#[test]
fn a_slot_whose_filling_panics_stays_free() {
    let (mut pool, key) = wary(true);
    pool.recycle(key);
    let caught = attempt(|| {
        pool.insert_with(|value| {
            *value = 5;
            panic!("not today");
        })
    });
    assert_eq!(caught.unwrap_err().message, "not today");
    assert_eq!((pool.len(), pool.slots()), (1, &[5, 8][..]));
    let next = pool.insert_with(|value| *value += 1);
    assert_eq!((next.slot(), pool[next]), (key.slot(), 6));
}

#[test]
fn a_drain_keeps_what_cannot_be_replaced() {
    let mut pool = Pool::new(|| -> u32 { panic!("there are no more") });
    pool.insert(1);
    pool.insert(2);
    assert!(attempt(|| drop(pool.drain())).is_err());
    assert!(pool.values().eq(&[1, 2]));
    pool.validate();
    assert!(attempt(|| drop(pool.into_iter())).is_ok()); // none has to be replaced
}

#[test]
fn a_clear_that_panics_has_cleared_what_came_before() {
    let (mut pool, _) = wary(false);
    pool.insert(9);
    assert!(panicking_after(1, || pool.clear()));
    assert_eq!((pool.slots(), pool.len()), (&[9, 9, 9][..], 1));
    assert!(pool.values().eq(&[9]));
    pool.validate();
}

#[test]
fn what_was_made_before_a_reservation_panics_stays() {
    let (mut pool, _) = wary(true);
    assert!(panicking_after(2, || pool.reserve(10)));
    assert_eq!(pool.slots(), [7, 8, -1, -1]);
    pool.validate();
    pool.reserve(3);
    assert_eq!(pool.slots(), [7, 8, -1, -1, -1]);
}
