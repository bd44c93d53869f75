//! The daily work of indices by hash: ten objects under each property on average, or one.

use core::hint::black_box;

use larder::indices::{MultiIndex, UniqueIndex};

use super::{Fixed, Key, MANY, barrier, counted, keys_of, shuffle};

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

/// So many keys in the order of their slots, and at random.
fn keys(count: usize) -> (Vec<Key>, Vec<Key>) {
    let keys = keys_of(count);
    let mut shuffled = keys.clone();
    shuffle(&mut shuffled);
    (keys, shuffled)
}

/// One of as many properties as there are tenths of the keys.
fn property(key: Key, count: usize, again: usize) -> u32 {
    any(key.slot() as usize + again * MANY, count / 10)
}

/// Keys and their properties.
fn pairs(keys: &[Key], again: usize) -> Vec<(Key, u32)> {
    keys.iter().map(|&key| (key, property(key, keys.len(), again))).collect()
}

fn grouped(keys: &[Key]) -> MultiIndex<u32, Key, Fixed> {
    let mut index = MultiIndex::default();
    index.extend(pairs(keys, 0)).expect("the keys are live");
    index
}

fn unique(keys: &[Key]) -> UniqueIndex<u64, Key, Fixed> {
    let mut index = UniqueIndex::default();
    for &key in keys {
        index.insert(key, key.to_bits()).expect("the property is new");
    }
    index
}

/// All keys under one property.
fn crowd(keys: &[Key]) -> MultiIndex<u32, Key, Fixed> {
    let mut index = MultiIndex::default();
    keys.iter().for_each(|&key| index.insert(key, 7).expect("the key is live"));
    index
}

/// Does the work of this name, and says how many operations that were: a quarter of [`MANY`], or twice or four times as
/// many with the number behind the name.
pub(super) fn run(path: &str) -> usize {
    let times = |times: usize| Some((path.strip_suffix(&format!("_{times}"))?, times));
    let (name, times) = times(2).or(times(4)).unwrap_or((path, 1));
    let count = MANY / 4 * times;
    let (keys, shuffled) = keys(count);
    match name {
        "multi_add_one" => {
            let mut index = MultiIndex::with_hasher(Fixed::default());
            each(&keys, |key| black_box(&mut index).insert(key, 7).expect("live"))
        }
        "multi_remove_one" => {
            let mut index = crowd(&keys);
            each(&shuffled, |key| assert!(black_box(&mut index).remove(key)))
        }
        "multi_add" => {
            let mut index = MultiIndex::with_hasher(Fixed::default());
            each(&pairs(&keys, 0), |(key, property)| {
                black_box(&mut index).insert(key, property).expect("live")
            })
        }
        "multi_find" | "multi_loop" => {
            let index = grouped(&keys);
            let properties: Vec<u32> =
                shuffled.iter().map(|&key| property(key, count, 0)).collect();
            if name == "multi_loop" {
                // The loop does all that the next one does, except finding.
                return each(&properties, |property| {
                    black_box(black_box(&index).len().wrapping_add(property as usize));
                });
            }
            each(&properties, |property| {
                black_box(black_box(&index).get(&property).len());
            })
        }
        "multi_move" => {
            let mut index = grouped(&keys);
            each(&pairs(&shuffled, 1), |(key, property)| {
                black_box(&mut index).insert(key, property).expect("live")
            })
        }
        "multi_remove" => {
            let mut index = grouped(&keys);
            each(&shuffled, |key| assert!(black_box(&mut index).remove(key)))
        }
        "unique_add" => {
            let mut index = UniqueIndex::with_hasher(Fixed::default());
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
