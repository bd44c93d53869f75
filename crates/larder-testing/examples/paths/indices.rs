//! The daily work of indices by hash: ten objects under each property on average, or one.

use core::hint::black_box;

use larder::indices::{MultiIndex, UniqueIndex};

use super::{Key, MANY, barrier, counted, keys_of, shuffle};

/// Does `work` with each of them, which is what is counted; how many that were.
fn each<T: Copy>(of: &[T], mut work: impl FnMut(T)) -> usize {
    counted(&mut || {
        for &one in of {
            barrier();
            work(one);
        }
    });
    of.len()
}

/// A number below `below`, always the same for this one.
fn any(number: usize, below: usize) -> u32 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> 33) as usize % below) as u32
}

/// Keys in the order of their slots, and at random.
fn keys() -> (Vec<Key>, Vec<Key>) {
    let keys = keys_of(MANY);
    let mut shuffled = keys.clone();
    shuffle(&mut shuffled);
    (keys, shuffled)
}

fn property(key: Key, again: usize) -> u32 {
    any(key.slot() as usize + again * MANY, MANY / 10)
}

fn grouped(keys: &[Key]) -> MultiIndex<u32, Key> {
    let mut index = MultiIndex::new();
    for &key in keys {
        index.insert(key, property(key, 0)).expect("the key is live");
    }
    index
}

fn unique(keys: &[Key]) -> UniqueIndex<u64, Key> {
    let mut index = UniqueIndex::new();
    for &key in keys {
        index.insert(key, key.to_bits()).expect("the property is new");
    }
    index
}

/// So many keys under one property are added, or removed in random order.
fn crowd(count: usize, is_removal: bool) -> usize {
    let mut keys = keys_of(count);
    let mut index = MultiIndex::new();
    let file = |index: &mut MultiIndex<u32, Key>, key| index.insert(key, 7).expect("live");
    if !is_removal {
        return each(&keys, |key| file(black_box(&mut index), key));
    }
    keys.iter().for_each(|&key| file(&mut index, key));
    shuffle(&mut keys);
    each(&keys, |key| assert!(black_box(&mut index).remove(key)))
}

/// Does the work of this name, and says how many operations that were.
pub(super) fn run(path: &str) -> usize {
    let (keys, shuffled) = keys();
    match path {
        "multi_add_one" => crowd(MANY / 4, false),
        "multi_add_one_2" => crowd(MANY / 2, false),
        "multi_add_one_4" => crowd(MANY, false),
        "multi_remove_one" => crowd(MANY / 4, true),
        "multi_remove_one_2" => crowd(MANY / 2, true),
        "multi_remove_one_4" => crowd(MANY, true),
        "multi_add" => {
            let mut index = MultiIndex::new();
            each(&keys, |key| black_box(&mut index).insert(key, property(key, 0)).expect("live"))
        }
        "multi_find" => {
            let index = grouped(&keys);
            let properties: Vec<u32> = shuffled.iter().map(|&key| property(key, 0)).collect();
            each(&properties, |property| {
                black_box(black_box(&index).get(&property).len());
            })
        }
        "multi_move" => {
            let mut index = grouped(&keys);
            each(&shuffled, |key| {
                black_box(&mut index).insert(key, property(key, 1)).expect("live")
            })
        }
        "multi_remove" => {
            let mut index = grouped(&keys);
            each(&shuffled, |key| assert!(black_box(&mut index).remove(key)))
        }
        "unique_add" => {
            let mut index = UniqueIndex::new();
            each(&keys, |key| black_box(&mut index).insert(key, key.to_bits()).expect("new"))
        }
        "unique_find" => {
            let index = unique(&keys);
            each(&shuffled, |key| assert!(black_box(&index).get(&key.to_bits()).is_some()))
        }
        "unique_move" => {
            let mut index = unique(&keys);
            each(&shuffled, |key| black_box(&mut index).insert(key, !key.to_bits()).expect("new"))
        }
        "unique_remove" => {
            let mut index = unique(&keys);
            each(&shuffled, |key| assert!(black_box(&mut index).remove(key).is_some()))
        }
        other => unreachable!("there is no path `{other}`"),
    }
}
