//! Daily work whose costs for one are documented not to depend on how many there are, or on their logarithm only: on so
//! many, on twice and on four times as many.
//!
//! (The types are this file's own, so that the other paths are inlined as they are without these.)

use core::hash::BuildHasher;
use core::hint::black_box;

use larder::indices::SortedIndex;
use larder::maps::SparseSecondaryMap;
use larder::pools::StringPool;
use larder::pools::list_pool::{ListHandle, ListPool};
use larder::trees::{Buckets, IntrusiveList, KeyList, Link, Links, link_field};
use larder::{Arena, Handle, SecondaryMap, Tree};

use super::{COUNT, barrier, counted, shuffle};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["ordered_", "texts_", "values_", "beside_"];

/// The least number of objects.
const LEAST: usize = COUNT / 4;

/// An object, which has the links of a hierarchy and of a list.
#[derive(Default)]
struct Object {
    links: Links<Key>,
    link: Link<Key>,
}

link_field!(Object.links: Links<Key>);
link_field!(Object.link: Link<Key>);

type Key = Handle<Object>;
type Objects = Arena<Object>;

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

/// So many objects, their keys in the order of their slots, and at random.
fn objects(count: usize) -> (Objects, Vec<Key>, Vec<Key>) {
    let objects = Objects::from_iter((0..count).map(|_| Object::default()));
    let keys: Vec<_> = objects.keys().collect();
    let mut shuffled = keys.clone();
    shuffle(&mut shuffled);
    (objects, keys, shuffled)
}

/// An index in order: under one property all, or nearly one each, in random order.
fn ordered(path: &str, count: usize) -> usize {
    let (_, keys, shuffled) = objects(count);
    let (path, is_one) = match path.strip_suffix("_one") {
        Some(path) => (path, true),
        None => (path, false),
    };
    let mut properties: Vec<u64> = keys.iter().map(|key| u64::from(key.slot() / 8 * 8)).collect();
    if is_one {
        properties.fill(7);
    }
    shuffle(&mut properties);
    let pairs: Vec<_> = keys.iter().copied().zip(properties.iter().copied()).collect();
    let mut index = SortedIndex::<u64, Key>::new();
    if path == "ordered_add" {
        return each(&pairs, |(key, property)| {
            black_box(&mut index).insert(key, property).expect("it is live");
        });
    }
    for &(key, property) in &pairs {
        index.insert(key, property).expect("it is live");
    }
    match path {
        "ordered_find" => each(&properties, |property| {
            black_box(black_box(&index).get(&property).len());
        }),
        "ordered_remove" => each(&shuffled, |key| assert!(black_box(&mut index).remove(key))),
        "ordered_first" => each(&keys, |_| {
            assert!(black_box(&mut index).pop_first().is_some());
        }),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// A hasher of this file's own, with the same seed as the others.
#[derive(Clone, Default)]
struct Seeded(foldhash::fast::FixedState);

impl BuildHasher for Seeded {
    type Hasher = <foldhash::fast::FixedState as BuildHasher>::Hasher;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        self.0.build_hasher()
    }
}

/// Names of ten bytes.
fn texts(path: &str, count: usize) -> usize {
    let texts: Vec<String> = (0..count).map(|number| format!("text {number:05}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut pool = StringPool::<Seeded>::default();
    if path == "texts_intern" {
        return each(&texts, |text| {
            black_box(black_box(&mut pool).intern(text));
        });
    }
    let symbols: Vec<_> = texts.iter().map(|text| pool.intern(text)).collect();
    match path {
        "texts_find" => each(&texts, |text| assert!(black_box(&pool).find(text).is_some())),
        "texts_resolve" => each(&symbols, |symbol| assert!(black_box(&pool).get(symbol).is_some())),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Half of the values in one list, half in lists of four: what is counted visits both in turn.
fn values(path: &str, count: usize) -> usize {
    let mut pool = ListPool::<[u16; 2]>::new();
    if path == "values_free_long" {
        let lists: Vec<_> = (0..64).map(|n| pool.make((0..count / 64).map(|_| [n; 2]))).collect();
        return each(&lists, |list| black_box(&mut pool).free(list));
    }
    let numbers: Vec<u16> = (0..count as u16).collect();
    let mut lists = vec![ListHandle::EMPTY; 1 + count.div_ceil(8)];
    let which = |number: u16| if number % 2 == 0 { 0 } else { 1 + usize::from(number) / 8 };
    if path == "values_push" {
        return each(&numbers, |number| {
            black_box(&mut pool).push(&mut lists[which(number)], [number; 2]);
        });
    }
    for &number in &numbers {
        pool.push(&mut lists[which(number)], [number; 2]);
    }
    match path {
        "values_pop" => each(&numbers, |number| {
            assert!(black_box(&mut pool).pop(lists[which(number)]).is_some());
        }),
        "values_swap_remove" => each(&numbers, |number| {
            black_box(black_box(&mut pool).swap_remove(lists[which(number)], 0));
        }),
        "values_free" => each(&lists[1..], |list| black_box(&mut pool).free(list)),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Side data, hierarchies, lists and buckets.
fn beside(path: &str, count: usize) -> usize {
    let (mut objects, keys, shuffled) = objects(count);
    match path {
        "beside_get" | "beside_remove" => {
            let mut map: SecondaryMap<Key, [u32; 3]> =
                keys.iter().map(|&key| (key, [1; 3])).collect();
            let map = black_box(&mut map);
            if path == "beside_get" {
                return each(&shuffled, |key| assert!(black_box(&*map).get(key).is_some()));
            }
            each(&shuffled, |key| assert!(black_box(&mut *map).remove(key).is_some()))
        }
        "beside_sparse_get" | "beside_sparse_remove" => {
            let mut map: SparseSecondaryMap<Key, [u32; 3]> =
                keys.iter().map(|&key| (key, [1; 3])).collect();
            let map = black_box(&mut map);
            if path == "beside_sparse_get" {
                return each(&shuffled, |key| assert!(black_box(&*map).get(key).is_some()));
            }
            each(&shuffled, |key| assert!(black_box(&mut *map).remove(key).is_some()))
        }
        "beside_tree_append" | "beside_tree_again" => {
            let mut tree = Tree::new();
            let parents = parents(&keys);
            if path == "beside_tree_again" {
                // There is room for all.
                for &(parent, child) in &parents {
                    tree.append(&objects, parent, child).expect("both are there");
                }
                tree.clear();
            }
            each(&parents, |(parent, child)| {
                black_box(&mut tree).append(&objects, parent, child).expect("both are there");
            })
        }
        "beside_links_append" => each(&parents(&keys), |(parent, child)| {
            Links::append(black_box(&mut objects), parent, child).expect("both are there");
        }),
        "beside_bucket_set" | "beside_bucket_move" => {
            let mut kinds = Buckets::<Key, 8>::new();
            let mut set = |key: Key, more: u32| {
                let kind = (key.slot() + more) as usize % 8;
                black_box(&mut kinds).set(&objects, key, kind).expect("it is there");
            };
            if path == "beside_bucket_set" {
                return each(&keys, |key| set(key, 0));
            }
            keys.iter().for_each(|&key| set(key, 0));
            each(&shuffled, |key| set(key, 3))
        }
        "beside_key_list_push" | "beside_key_list_again" => {
            let mut list = KeyList::new();
            if path == "beside_key_list_again" {
                for &key in &keys {
                    list.push_back(&objects, key).expect("it is there");
                }
                list.clear();
            }
            each(&keys, |key| {
                black_box(&mut list).push_back(&objects, key).expect("it is there");
            })
        }
        "beside_list_in_push" => {
            let mut list = IntrusiveList::numbered(0);
            each(&keys, |key| {
                let objects = black_box(&mut objects);
                black_box(&mut list).push_back(objects, key).expect("it is there");
            })
        }
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Returns each key but the first, after another key before it, which is nearly at random.
fn parents(keys: &[Key]) -> Vec<(Key, Key)> {
    let parent = |at: usize| keys[at.wrapping_mul(2_654_435_769) % at];
    (1..keys.len()).map(|at| (parent(at), keys[at])).collect()
}

/// Does the work of this name, with this many times as many objects, and says how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * LEAST;
    match path.split('_').next() {
        Some("ordered") => ordered(path, count),
        Some("texts") => texts(path, count),
        Some("values") => values(path, count),
        _ => beside(path, count),
    }
}
