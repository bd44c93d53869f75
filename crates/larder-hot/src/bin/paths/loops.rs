//! The loops that users write, `for key in keys { arena.remove(key) }`, on one warm container of a thousand values: the
//! compiler may carry the container's fields in registers from one operation to the next. And the same where free slots
//! are a stack.
//!
//! (The types are this file's own, so that the other paths are inlined as they are without these.)

use core::hint::black_box;

use larder::{Arena, Handle, Reuse};

use super::{counted, shuffle};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["loop_", "stack_"];

/// The number of values.
const VALUES: usize = 1_000;

/// A value of 16 bytes.
struct Value([u64; 2]);

type Key = Handle<Value>;

#[inline(never)]
fn remove_each(arena: &mut Arena<Value>, keys: &[Key]) {
    let mut sum = 0_u64;
    for &key in keys {
        sum += arena.remove(key).map_or(0, |value| value.0[0]);
    }
    black_box(sum);
}

#[inline(never)]
fn insert_each(arena: &mut Arena<Value>, keys: &mut [Key]) {
    for (key, number) in keys.iter_mut().zip(0..) {
        *key = arena.insert(Value([number; 2]));
    }
}

#[inline(never)]
fn pair_each(arena: &mut Arena<Value>, keys: &mut [Key]) {
    let mut sum = 0_u64;
    for (key, number) in keys.iter_mut().zip(0..) {
        sum += arena.remove(*key).map_or(0, |value| value.0[0]);
        *key = arena.insert(Value([number; 2]));
    }
    black_box(sum);
}

/// Follows a path; how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let (reuse, work) = match path.split_once('_') {
        Some(("loop", work)) => (Reuse::Packed, work),
        Some(("stack", work)) => (Reuse::Lifo, work),
        _ => unreachable!("there is no path `{path}`"),
    };
    let empty = || Arena::<Value>::builder().reuse(reuse);
    let mut arena = empty().capacity(VALUES).build();
    let mut keys = vec![Key::DANGLING; VALUES];
    if let Some(how) = work.strip_prefix("append_") {
        if how == "fresh" {
            arena = empty().build();
        }
        counted(&mut || insert_each(&mut arena, &mut keys));
        return VALUES;
    }
    insert_each(&mut arena, &mut keys);
    let (work, order) = work.split_once('_').unwrap_or((work, ""));
    if order != "order" {
        shuffle(&mut keys);
    }
    match work {
        "remove" => counted(&mut || remove_each(&mut arena, &keys)),
        "refill" => {
            if order == "scattered" {
                keys.truncate(VALUES / 2);
            }
            remove_each(&mut arena, &keys);
            counted(&mut || insert_each(&mut arena, &mut keys));
        }
        "pair" => {
            let live = VALUES * order.parse::<usize>().expect("a percentage") / 100;
            remove_each(&mut arena, &keys.split_off(live));
            counted(&mut || pair_each(&mut arena, &mut keys));
        }
        "batch" => counted(&mut || {
            for batch in keys.chunks_mut(VALUES / 100) {
                remove_each(&mut arena, batch);
                insert_each(&mut arena, batch);
            }
        }),
        other => unreachable!("there is no path `{other}`"),
    }
    keys.len()
}
