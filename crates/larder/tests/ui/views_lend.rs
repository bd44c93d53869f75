//! Mapped snapshots, changes, lists, texts, tree walks and pinned values are borrows.

use larder::key::PtrHandle;
use larder::pools::{ListPool, StringPool};
use larder::snapshot::{Saver, Snapshot};
use larder::track::{Subscriber, Tracked};
use larder::{Arena, Handle, PagedArena, Tree};

fn mapped_is_not_changed(mut snapshot: Snapshot) {
    // SAFETY: it does not compile.
    let mut arena = unsafe { snapshot.map::<Arena<u8>>("it") }.unwrap();
    arena.insert(1);
}

fn value_outlives_its_mapping(mut snapshot: Snapshot, key: Handle<u8>) -> Option<&'static u8> {
    // SAFETY: it does not compile.
    unsafe { snapshot.map::<Arena<u8>>("it") }.unwrap().get(key)
}

fn saved_before_it_is_dropped() -> Saver<'static> {
    let arena = Arena::<u8>::new();
    Saver::new().section("it", &arena)
}

fn changes(tracked: &mut Tracked<Arena<u8>>, subscriber: &mut Subscriber<Handle<u8>>) {
    let first = tracked.poll(subscriber).unwrap();
    let second = tracked.poll(subscriber).unwrap();
    drop((first, second));
}

fn tracked_is_changed_through_itself_alone(tracked: &mut Tracked<Arena<u8>>) {
    Arena::insert(tracked, 1);
}

fn list(pool: &mut ListPool<u8>) {
    let list = pool.make([1, 2]);
    let values = pool.get(list).unwrap();
    pool.free(list);
    println!("{values:?}");
}

fn text(pool: &mut StringPool) {
    let symbol = pool.intern("name");
    let name = pool.get(symbol);
    pool.intern("other");
    println!("{name:?}");
}

fn children(tree: &mut Tree<Handle<u8>>, key: Handle<u8>) {
    let mut children = tree.children(key);
    tree.clear();
    children.next();
}

fn pinned(arena: &mut PagedArena<String>, pointer: PtrHandle<String>) {
    let value = pointer.get(&*arena);
    arena.clear();
    println!("{value:?}");
}

fn pinned_twice(arena: &mut PagedArena<String>, pointers: [PtrHandle<String>; 2]) {
    let first = pointers[0].get_mut(arena);
    let second = pointers[1].get_mut(arena);
    drop((first, second));
}

fn unpinned() {
    let arena = larder::DenseArena::from_iter([1]);
    PtrHandle::of(&arena, Handle::DANGLING);
}

fn main() {}
