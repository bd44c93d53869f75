//! The daily work whose instructions are counted in `tests/instructions/`, so that a change of their
//! number is seen. Not meant to be run, but by that test: `instructions PATH…` makes a container ready for each path,
//! does the work within `counted`, and prints how many operations that were.
#![expect(clippy::print_stdout, reason = "the number of operations is what the test asks for")]

#[path = "paths/ends.rs"]
mod ends;
#[path = "paths/grid.rs"]
mod grid;
#[path = "paths/growth.rs"]
mod growth;
#[path = "paths/indices.rs"]
mod indices;
#[path = "paths/linked.rs"]
mod linked;
#[path = "paths/loops.rs"]
mod loops;
#[path = "paths/owned.rs"]
mod owned;
#[path = "paths/pools.rs"]
mod pools;
#[path = "paths/steps.rs"]
mod steps;
#[path = "paths/tables.rs"]
mod tables;
#[path = "paths/tracked.rs"]
mod tracked;

use core::hint::black_box;

use larder::{
    Arena, Handle, SecondaryMap, SoaArena, indices::SortedIndex, maps::SparseSecondaryMap,
};

/// The values in the arena.
type Value = [u64; 2];
type Key = Handle<Value>;
/// larder's hasher, always with the same seed. (The default's are addresses.)
type Fixed = foldhash::fast::FixedState;

/// The number of values that are inserted into an empty container. It is large enough that the allocator's instructions, for
/// growing, are few of all.
const COUNT: usize = 10_000;
const MANY: usize = 100_000;

/// Does the work; only what happens in here is counted.
#[unsafe(no_mangle)]
#[inline(never)]
pub fn counted(work: &mut dyn FnMut()) {
    work();
}

/// Keeps the compiler from carrying the arena's fields in registers from one operation to the next.
#[inline(always)]
fn barrier() {
    black_box(());
}

fn insert_each(arena: &mut Arena<Value>, keys: &mut [Key]) {
    let arena = black_box(arena);
    for (key, number) in keys.iter_mut().zip(0..) {
        barrier();
        *key = arena.insert([number; 2]);
    }
}

fn remove_each(arena: &mut Arena<Value>, keys: &[Key]) {
    let arena = black_box(arena);
    let mut sum = 0_u64;
    for &key in keys {
        barrier();
        sum += arena.remove(key).map_or(0, |value| value[0]);
    }
    black_box(sum);
}

fn get_each(arena: &Arena<Value>, keys: &[Key]) {
    let arena = black_box(arena);
    let mut sum = 0_u64;
    for &key in keys {
        barrier();
        sum += arena.get(key).map_or(0, |value| value[0]);
    }
    black_box(sum);
}

/// Removes a value, inserts one, and so on.
fn churn(arena: &mut Arena<Value>, keys: &mut [Key]) {
    let arena = black_box(arena);
    let mut sum = 0_u64;
    for (key, number) in keys.iter_mut().zip(0..) {
        barrier();
        sum += arena.remove(*key).map_or(0, |value| value[0]);
        *key = arena.insert([number; 2]);
    }
    black_box(sum);
}

fn walk(arena: &Arena<Value>) {
    let mut sum = 0_u64;
    for value in black_box(arena).values() {
        sum += value[0];
    }
    black_box(sum);
}

fn first_each(arena: &Arena<Value>, times: usize) {
    for _ in 0..times {
        black_box(black_box(arena).iter().next());
    }
}

/// Brings the keys into a random order, always the same.
fn shuffle<T>(keys: &mut [T]) {
    let mut state = 1_u64;
    for last in (1..keys.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        keys.swap(last, (state >> 33) as usize % (last + 1));
    }
}

/// So many keys, of values that are dropped.
fn keys_of(count: usize) -> Vec<Key> {
    Arena::from_iter((0..count as u64).map(|number| [number; 2])).keys().collect()
}

/// A full arena, and its keys in the order of insertion.
fn full() -> (Arena<Value>, Vec<Key>) {
    let mut arena = Arena::with_capacity(COUNT);
    let mut keys = vec![<Key as larder::Key>::DANGLING; COUNT];
    insert_each(&mut arena, &mut keys);
    (arena, keys)
}

/// A full arena, and its keys at random.
fn shuffled() -> (Arena<Value>, Vec<Key>) {
    let (arena, mut keys) = full();
    shuffle(&mut keys);
    (arena, keys)
}

/// An arena of which this percentage is live, the holes at random, and the keys at random.
fn with_holes(live: usize) -> (Arena<Value>, Vec<Key>) {
    let (mut arena, mut keys) = shuffled();
    remove_each(&mut arena, &keys.split_off(COUNT * live / 100));
    (arena, keys)
}

/// Fills an arena with values under these keys, which is what is counted; how many that were.
fn filling(mut arena: Arena<Value>, mut keys: Vec<Key>) -> usize {
    counted(&mut || insert_each(&mut arena, &mut keys));
    keys.len()
}

/// The same, after the values of these keys were removed.
fn refilling((mut arena, keys): (Arena<Value>, Vec<Key>)) -> usize {
    remove_each(&mut arena, &keys);
    filling(arena, keys)
}

fn removing((mut arena, keys): (Arena<Value>, Vec<Key>)) -> usize {
    counted(&mut || remove_each(&mut arena, &keys));
    keys.len()
}

fn churning((mut arena, mut keys): (Arena<Value>, Vec<Key>)) -> usize {
    counted(&mut || churn(&mut arena, &mut keys));
    keys.len()
}

/// One percent out at random, one percent in, until all are others.
fn churning_in_batches((mut arena, mut keys): (Arena<Value>, Vec<Key>)) -> usize {
    counted(&mut || {
        for batch in keys.chunks_mut(COUNT / 100) {
            remove_each(&mut arena, batch);
            insert_each(&mut arena, batch);
        }
    });
    keys.len()
}

/// Keys and nearly one property each, in random order; the keys in another one.
fn sortable() -> (Vec<(Key, u32)>, Vec<Key>) {
    let mut arena = Arena::with_capacity(MANY);
    let mut keys = vec![<Key as larder::Key>::DANGLING; MANY];
    insert_each(&mut arena, &mut keys);
    let mut properties: Vec<_> = keys.iter().map(|key| key.slot() / 8 * 8).collect();
    shuffle(&mut properties);
    let filed = keys.iter().copied().zip(properties).collect();
    shuffle(&mut keys);
    (filed, keys)
}

fn add_each(index: &mut SortedIndex<u32, Key>, filed: &[(Key, u32)]) {
    let index = black_box(index);
    for &(key, property) in filed {
        barrier();
        assert!(index.insert(key, property).is_ok());
    }
}

/// Does one of the jobs of an index in order.
fn sorted(job: &str) -> usize {
    let (filed, keys) = sortable();
    let mut index = SortedIndex::new();
    if job == "sorted_add" {
        counted(&mut || add_each(&mut index, &filed));
        return filed.len();
    }
    add_each(&mut index, &filed);
    let index = black_box(&mut index);
    counted(&mut || match job {
        "sorted_find" => filed.iter().for_each(|pair| {
            black_box(index.get(&pair.1));
        }),
        "sorted_walk" => {
            black_box(index.iter().map(|(_, key)| key.slot()).max());
        }
        "sorted_pop_first" => while black_box(index.pop_first()).is_some() {},
        "sorted_remove" => keys.iter().for_each(|&key| assert!(index.remove(key))),
        other => unreachable!("there is no path `{other}`"),
    });
    keys.len()
}

/// Inserts into a map of side data, and looks up in it: every tenth object of a container, in random order.
macro_rules! side {
    ($map:ident, insert $times:expr) => {{
        let keys = keys_of(COUNT * $times);
        let mut map = $map::<Key, Value>::new();
        counted(&mut || {
            let map = black_box(&mut map);
            for &key in &keys {
                barrier();
                map.insert(key, [1; 2]);
            }
        });
        keys.len()
    }};
    ($map:ident, entry) => {{
        let (_, mut keys) = shuffled();
        keys.truncate(COUNT / 10);
        let mut map: $map<Key, Value> = keys.iter().map(|&key| (key, [1; 2])).collect();
        counted(&mut || {
            let map = black_box(&mut map);
            for &key in &keys {
                barrier();
                if let Some(entry) = map.entry(key) {
                    entry.or_insert([0; 2])[0] += 1;
                }
            }
        });
        keys.len()
    }};
    ($map:ident, get) => {{
        let (_, mut keys) = shuffled();
        keys.truncate(COUNT / 10);
        let map: $map<Key, Value> = keys.iter().map(|&key| (key, [1; 2])).collect();
        counted(&mut || {
            let map = black_box(&map);
            let mut sum = 0_u64;
            for &key in &keys {
                barrier();
                sum += map.get(key).map_or(0, |value| value[0]);
            }
            black_box(sum);
        });
        keys.len()
    }};
}

/// Makes a container of columns in 4 KiB of lent memory.
fn lent_columns() -> usize {
    let mut block = Some(vec![core::mem::MaybeUninit::<u8>::uninit(); 4096].leak());
    counted(&mut || {
        let block = block.take().expect("it is lent once");
        black_box(SoaArena::<(u32, f32)>::in_memory(block).expect("it is enough"));
    });
    1
}

fn main() {
    for path in std::env::args().skip(1) {
        println!("{}", operations(&path));
    }
}

/// Follows a path; how many operations that were.
fn operations(path: &str) -> usize {
    match path {
        "get" => {
            let (arena, keys) = shuffled();
            counted(&mut || get_each(&arena, &keys));
            keys.len()
        }
        "insert" => filling(Arena::new(), vec![<Key as larder::Key>::DANGLING; MANY]),
        "insert_reserved" => {
            filling(Arena::with_capacity(COUNT), vec![<Key as larder::Key>::DANGLING; COUNT])
        }
        "remove_random" => removing(shuffled()),
        "remove_order" => removing(full()),
        "refill_order" => refilling(full()),
        "refill_scattered" => {
            let (arena, mut keys) = shuffled();
            keys.truncate(COUNT / 2);
            refilling((arena, keys))
        }
        "churn_100" => churning(shuffled()),
        "churn_90" => churning(with_holes(90)),
        "batch_churn" => churning_in_batches(shuffled()),
        "for_50" => {
            let (arena, keys) = with_holes(50);
            counted(&mut || walk(&arena));
            keys.len()
        }
        "first" => {
            let (arena, _) = full();
            counted(&mut || first_each(&arena, COUNT / 10));
            COUNT / 10
        }
        "lent_columns" => lent_columns(),
        "secondary_insert" => side!(SecondaryMap, insert 1),
        "secondary_insert_2" => side!(SecondaryMap, insert 2),
        "secondary_insert_4" => side!(SecondaryMap, insert 4),
        "secondary_get" => side!(SecondaryMap, get),
        "secondary_entry" => side!(SecondaryMap, entry),
        "sparse_insert" => side!(SparseSecondaryMap, insert 1),
        "sparse_insert_2" => side!(SparseSecondaryMap, insert 2),
        "sparse_insert_4" => side!(SparseSecondaryMap, insert 4),
        "sparse_get" => side!(SparseSecondaryMap, get),
        path if path.starts_with("grid_") => grid::run(path),
        path if ends::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => ends::run(path),
        path if growth::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => growth::run(path),
        path if loops::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => loops::run(path),
        path if owned::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => owned::run(path),
        path if steps::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => steps::run(path),
        path if tables::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => tables::run(path),
        path if tracked::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => {
            tracked::run(path)
        }
        path if path.starts_with("multi_") || path.starts_with("unique_") => indices::run(path),
        "sorted_add" | "sorted_find" | "sorted_walk" | "sorted_pop_first" | "sorted_remove" => {
            sorted(path)
        }
        path if linked::PREFIXES.iter().any(|prefix| path.starts_with(prefix)) => linked::run(path),
        other => pools::run(other),
    }
}
