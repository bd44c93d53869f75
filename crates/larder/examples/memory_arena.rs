//! "Memory Arena" (`records/sources.md`, C): one allocation when the program starts, versions that are counted
//! across the arena, and a crash where the room was too small.
//!
//! `cargo run --example memory_arena`
#![expect(clippy::print_stdout, reason = "that is what it is there for")]

use larder::{
    Arena, Handle, Handle32, Key,
    key::{BareHandle, Serial},
};

fn main() {
    // An arena of f32, with a maximum size of 10 MB: of all that it will ever take.
    let mut arena: Arena<f32, Serial<f32>> =
        Arena::builder_with_key().fixed_within(10_000_000).build();

    // Insert new values. They have the versions 1 to 3.
    let handle_1 = arena.insert(1.5);
    let handle_2 = arena.insert(2.5);
    let handle_3 = arena.insert(3.5);
    for handle in [handle_1, handle_2, handle_3] {
        println!("{handle}: {:?}", arena.get(handle));
    }

    // Remove a value: its handle is dirty, and its slot is used again under a new version.
    arena.remove(handle_1);
    assert_eq!(arena.get(handle_1), None);
    let handle_4 = arena.insert(4.5);
    assert_eq!((handle_4.slot(), handle_4.version().get()), (handle_1.slot(), 4));

    // Walk over all the values. Here is no value from handle_1.
    arena.values().for_each(|value| println!("{value}"));

    // Load a new scene: all handles are dirty, all slots free.
    arena.clear();
    assert!(arena.is_empty() && arena.get(handle_2).is_none());

    // The room that was asked for, and not one value more.
    let room = arena.capacity() - arena.len();
    arena.extend((0..room).map(|number| number as f32));
    assert!(arena.try_insert(0.0).is_err()); // `insert` panics
    println!("{room} values in {} bytes", arena.stats().memory.committed);

    println!("10,000,000 bools take");
    println!("{:6.1} MB under Serial", megabytes::<Serial<bool>>());
    println!("{:6.1} MB under Handle", megabytes::<Handle<bool>>());
    println!("{:6.1} MB under Handle32<bool, 24>", megabytes::<Handle32<bool, 24>>());
    println!("{:6.1} MB under BareHandle", megabytes::<BareHandle<bool>>());
}

/// Returns the megabytes of 10,000,000 bools under keys of that type.
fn megabytes<K: Key>() -> f64 {
    let flags: Arena<bool, K> = Arena::builder_with_key().fixed(10_000_000).build();
    flags.stats().memory.committed as f64 / 1e6
}
