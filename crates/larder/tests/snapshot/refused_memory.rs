//! Memory that is refused, at each request that saving, loading and mapping make: an error, and nothing is lost.

use core::cell::RefCell;
use core::fmt::Debug;
use std::io::{self, Cursor, ErrorKind};

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::maps::SparseSecondaryMap;
use larder::pools::{ListPool, StringPool};
use larder::snapshot::{Load, Map, Save, Saver, Snapshot, SnapshotError, SnapshotErrorKind};
use larder::trees::{Buckets, KeyList};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, PagedArena, Pool, Reuse, SecondaryMap,
    SoaArena, Tree,
};
use larder_testing::trouble::Refusals;

use super::fields::part;
use super::{Scratch, load, saved};

/// Has each request refused, alone and with all that follow, until there is none more. (Memory that is only given back
/// stays, if that is refused.)
fn at_each<R, E: Debug>(act: impl Fn() -> Result<R, E>, is_refusal: impl Fn(&E) -> bool) {
    act().expect("nothing is refused");
    let nothing = Refusals { make: &|| (), view: &|()| () };
    let requests = nothing.of(&|()| match act() {
        Ok(_) => true,
        Err(error) => !is_refusal(&error),
    });
    assert!(requests > 10, "there were {requests} requests");
}

fn is_refusal(error: &SnapshotError) -> bool {
    matches!(error.reason, SnapshotErrorKind::Memory(_))
}

fn of_saving(error: &io::Error) -> bool {
    error.kind() == ErrorKind::OutOfMemory
}

fn save_and_load<C: Save + Load>(container: &C) {
    let file = saved(container);
    at_each(|| load::<C>(&file), is_refusal);
    let room = RefCell::new(vec![0; file.len()]);
    let write = || {
        let mut room = room.borrow_mut();
        Saver::new().section("it", container).write_to(Cursor::new(&mut room[..]))
    };
    at_each(write, of_saving);
    assert!(*room.borrow() == file);
}

/// So many that arrays are mapped.
fn save_and_map<C: Save + Map>(name: &str, container: &C) {
    let scratch = Scratch::new(name);
    let path = scratch.file();
    at_each(|| Saver::new().section("it", container).save(&path), of_saving);
    assert_eq!(scratch.names().len(), 1, "nothing is left beside it");
    at_each(|| Snapshot::open(&path)?.verify(), is_refusal);
    // SAFETY: no other program knows the file.
    at_each(|| unsafe { Snapshot::open(&path)?.map::<C>("it") }, is_refusal);
    // SAFETY: as above, and it was just saved.
    at_each(|| unsafe { Snapshot::open(&path)?.map_private::<C>("it", 30_000) }, is_refusal);
}

#[test]
fn refused_to_containers() {
    for reuse in [Reuse::Packed, Reuse::Fifo] {
        let mut rows: Arena<u32> = Arena::builder().reuse(reuse).build();
        let keys: Vec<_> = (0..100).map(|number| rows.insert(number)).collect();
        keys.iter().step_by(3).for_each(|&key| _ = rows.remove(key));
        rows.detach(keys[1]);
        save_and_load(&rows);
    }
    save_and_load(&PagedArena::from_iter(0..100_u32));
    save_and_load(&InlineArena::<u32, 100>::from_iter(0..100));
    save_and_load(&DenseArena::from_iter(0..100_u32));
    save_and_load(&(0..100).map(part).collect::<SoaArena<_, Handle<()>>>());
    save_and_load(&(0..100).map(part).collect::<DenseSoaArena<_, Handle<()>>>());
    let mut pool = Pool::<u16>::default();
    (0..100).for_each(|number| _ = pool.insert(number));
    save_and_load(&pool);
}

#[test]
#[cfg_attr(miri, ignore = "there are no files")]
fn refused_to_mapped_rows() {
    save_and_map("rows-refused", &Arena::from_iter(0..20_000_u64));
    save_and_map("dense-refused", &DenseArena::from_iter(0..20_000_u64));
    let mut pool = Pool::<u64>::default();
    (0..20_000).for_each(|number| _ = pool.insert(number));
    save_and_map("pool-refused", &pool);
}

#[test]
#[cfg_attr(miri, ignore = "there are no files")]
fn refused_to_mapped_columns() {
    let parts = || (0..30_000).map(part);
    save_and_map("columns-refused", &parts().collect::<SoaArena<_, Handle<()>>>());
    save_and_map("dense-columns-refused", &parts().collect::<DenseSoaArena<_, Handle<()>>>());
}

#[test]
fn refused_to_what_refers_to_objects() {
    let objects: Arena<u32> = (0..100).collect();
    let keys: Vec<Handle<u32>> = objects.keys().collect();
    let (mut tree, mut list, mut buckets) = (Tree::new(), KeyList::new(), Buckets::<_, 3>::new());
    let (mut unique, mut multi) = (UniqueIndex::<u32, _>::new(), MultiIndex::<u32, _>::new());
    let (mut sorted, mut grid) = (SortedIndex::<u32, _>::new(), GridIndex::<_, 2>::new(2.0));
    for (number, &key) in (0_u32..).zip(&keys) {
        if number > 0 {
            tree.append(&objects, keys[number as usize / 3], key).unwrap();
        }
        list.push_front(&objects, key).unwrap();
        buckets.set(&objects, key, number as usize % 3).unwrap();
        unique.insert(key, number).unwrap();
        multi.insert(key, number % 2).unwrap();
        sorted.insert(key, number / 4).unwrap();
        grid.insert(key, [number as f32, 1.0]).unwrap();
    }
    save_and_load(&keys.iter().map(|&key| (key, 7)).collect::<SecondaryMap<_, u8>>());
    save_and_load(&keys.iter().map(|&key| (key, 7)).collect::<SparseSecondaryMap<_, u8>>());
    save_and_load(&tree);
    save_and_load(&list);
    save_and_load(&buckets);
    save_and_load(&unique);
    save_and_load(&multi);
    save_and_load(&sorted);
    save_and_load(&grid);
}

#[test]
fn refused_to_pools() {
    let (mut lists, mut names) = (ListPool::<u16>::new(), StringPool::new());
    let made: Vec<_> = (0..50).map(|number| lists.make(0..number % 9)).collect();
    made.iter().step_by(3).for_each(|&list| lists.free(list));
    let named: Vec<_> = (0..50).map(|number| names.acquire(&format!("name {number}"))).collect();
    named.iter().step_by(3).for_each(|&name| _ = names.release(name));
    save_and_load(&lists);
    save_and_load(&names);
}

/// The fault of a file is told without a name if allocation of the name fails.
#[test]
fn refused_to_errors() {
    let file = saved(&Arena::from_iter([1_u32]));
    let load = || match load::<Arena<u64>>(&file) {
        Err(SnapshotError { reason: SnapshotErrorKind::Element { .. }, .. }) => Ok(()),
        other => other.map(drop),
    };
    at_each(load, is_refusal);
}
