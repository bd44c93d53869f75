//! The borrow of a container's values ends before the container is changed, moved or dropped.

use larder::{Arena, DenseArena, PagedArena};

fn drain(arena: &mut Arena<String>) {
    let mut drain = arena.drain();
    arena.clear();
    drain.next();
}

fn drain_outlives_its_arena()
-> larder::containers::dense_arena::Drain<'static, u8, larder::Handle<u8>> {
    let mut arena = DenseArena::from_iter([1]);
    arena.drain()
}

fn extract_if(arena: &mut DenseArena<String>) {
    let mut odd = arena.extract_if(|_, name| name.is_empty());
    arena.insert(String::new());
    odd.next();
}

fn vacant_entry(arena: &mut Arena<String>) {
    let entry = arena.vacant_entry();
    arena.insert(String::new());
    entry.insert(String::new());
}

fn insert_many(arena: &mut Arena<u8>) {
    let mut keys = arena.insert_many([1, 2]);
    arena.clear();
    keys.next();
}

fn iter(arena: &mut PagedArena<String>) {
    let first = arena.values().next();
    arena.clear();
    drop(first);
}

fn iter_mut(arena: &mut Arena<String>) {
    let mut values = arena.values_mut();
    let first = values.next();
    let again = arena.values_mut().next();
    drop((first, again));
}

fn disjoint(arena: &mut Arena<String>, keys: [larder::Handle<String>; 2]) {
    let both = arena.get_disjoint_mut(keys).unwrap();
    arena.remove(keys[0]);
    drop(both);
}

fn inserter_outlives_its_arena() {
    let lent = {
        let mut arena = Arena::with_capacity(4);
        arena.inserter().insert(String::new()).1
    };
    println!("{lent}");
}

fn shared_inserter_outlives_its_arena() {
    let lent = {
        let mut arena = Arena::new();
        arena.shared_inserter(4).unwrap().insert(String::new()).1
    };
    println!("{lent}");
}

fn memory(mut block: [core::mem::MaybeUninit<u8>; 4_096]) -> Arena<u8> {
    Arena::in_memory(&mut block).unwrap()
}

fn pool_entry(pool: &mut larder::Pool<String>) {
    let entry = pool.vacant_entry();
    pool.clear();
    drop(entry);
}

fn spawned(arena: &Arena<String>) {
    std::thread::spawn(|| arena.len());
}

fn main() {}
