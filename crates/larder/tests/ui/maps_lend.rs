//! The borrows of side data and joins end before a map of them is changed.

use larder::maps::{Entry, SparseSecondaryMap};
use larder::{Arena, Handle, SecondaryMap, join};

fn entry(map: &mut SecondaryMap<Handle<u8>, String>, key: Handle<u8>) {
    let Entry::Occupied(entry) = map.entry(key).unwrap() else { return };
    map.remove(key);
    println!("{}", entry.get());
}

fn entry_outlives_its_map(key: Handle<u8>) -> &'static mut String {
    let mut map = SparseSecondaryMap::new();
    map.entry(key).unwrap().or_default()
}

fn drain(map: &mut SparseSecondaryMap<Handle<u8>, String>, key: Handle<u8>) {
    let mut drain = map.drain();
    map.remove(key);
    drain.next();
}

fn joined_twice(map: &mut SecondaryMap<Handle<u8>, String>) {
    join((&mut *map, &mut *map)).count();
}

fn joined_and_changed(arena: &mut Arena<u8>, map: &SecondaryMap<Handle<u8>, String>) {
    let mut both = join((&*arena, map));
    arena.clear();
    both.next();
}

fn item_outlives_its_map(arena: &Arena<u8>) -> Option<&String> {
    let map = SecondaryMap::<Handle<u8>, String>::new();
    join((arena, &map)).next().map(|(_, (_, name))| name)
}

fn main() {}
