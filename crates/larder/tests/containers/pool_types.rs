//! The type of a pool: where it can be kept, which functions it can have, and what its errors say.

use larder::{Pool, Reuse, key::BareHandle};
use larder_testing::caught::panic_of;

/// A pool is the same type whatever its functions are, so it can be a field.
#[derive(Clone, Debug, Default, PartialEq)]
struct Game {
    particles: Pool<[f32; 3]>,
    names: Pool<String, BareHandle<String>>,
}

#[test]
fn a_field_need_not_name_the_functions() {
    let (x, spare) = (0.5, String::from("nobody"));
    let mut game =
        Game { particles: Pool::new(move || [x; 3]), names: Pool::with_key(move || spare.clone()) };
    let particle = game.particles.insert([1.0; 3]);
    game.particles.recycle(particle);
    let name = game.names.insert_with(|name| name.push_str(" else"));
    assert_eq!((game.particles.slots(), &*game.names[name]), (&[[0.5; 3]][..], "nobody else"));
    assert_ne!(game, Game::default());
    let mut copy = game.clone();
    assert_eq!(copy, game);
    assert!(copy.names.recycle(name).is_some() && copy.names.slots() == ["nobody"]);
    game.names = Pool::builder_with_key(String::new).recycling(String::clear).build();
    assert!(game.names.is_empty());
}

/// A function may count: its state goes on from call to call, and a copy's on its own.
#[test]
fn functions_may_have_state() {
    let mut calls = 0;
    let mut pool = Pool::new(move || {
        calls += 1;
        calls * 100
    });
    let key = pool.insert(1);
    pool.reserve(2);
    assert_eq!(pool.slots(), [1, 100, 200]);
    let mut copy = pool.clone();
    pool.recycle(key);
    pool.reserve(4);
    assert_eq!(pool.slots(), [300, 100, 200, 400]);
    copy.recycle(key);
    assert_eq!(copy.slots(), [300, 100, 200]);
}

#[test]
fn values_may_borrow() {
    let local = String::from("local");
    let mut pool: Pool<&str> = Pool::new(|| "");
    let key = pool.insert(&local);
    assert_eq!(pool[key], "local");
}

#[test]
fn words_of_walks_and_pools() {
    let mut pool = Pool::new(|| 'x');
    let key = pool.insert('a');
    assert_eq!(format!("{pool:?} {:?}", pool.iter()), "{0v1: 'a'} {0v1: 'a'}");
    assert_eq!(format!("{:?}", pool.values()), "Values { remaining: 1, .. }");
    assert_eq!(format!("{:?}", pool.iter_mut()), "IterMut { remaining: 1, .. }");
    pool.recycle(key);
    assert_eq!(format!("{:?}", pool.vacant_entry()), "VacantEntry(0v3)");
    assert!(format!("{:?}", Pool::builder(|| 0)).contains("Growing(0)"));
}

/// Each error names the container and what is wrong, at the caller's line.
#[test]
fn errors_say_what_is_wrong_where() {
    let mut pool = Pool::builder(|| 0_u8).reuse(Reuse::Lifo).fixed(1).build();
    let key = pool.insert(1);
    let full: [fn(&mut Pool<u8>); 6] = [
        |pool| _ = pool.insert(2),
        |pool| _ = pool.insert_with(|_| ()),
        |pool| _ = pool.vacant_entry().occupy(),
        |pool| drop(pool.vacant_entry()),
        |pool| pool.extend([2]),
        |pool| pool.reserve(1),
    ];
    for act in full {
        let caught = panic_of(|| act(&mut pool));
        assert!(
            caught.message.contains("Pool<u8") && caught.message.contains("room for 1 value and")
        );
        assert!(caught.file.ends_with("pool_types.rs"), "{}: {}", caught.file, caught.message);
    }
    pool.recycle(key);
    let stale = panic_of(|| pool[key]);
    assert!(stale.message.contains("0v1 is stale: slot 0 is free"), "{}", stale.message);
    assert!(stale.file.ends_with("pool_types.rs"));
    let tenant = pool.insert(2);
    let stale = panic_of(|| pool[key] = 3);
    assert!(stale.message.contains("now holds 0v3"), "{}", stale.message);
    assert_eq!(pool[tenant], 2);
    let other = Pool::with_capacity(3, || 0_u8);
    assert!(panic_of(|| other[tenant]).message.contains("never used"));
}
