//! Objects with what refers to them: a container alone, a table without observers, and tables with an index and a tree.

use core::hint::black_box;

use larder::indices::{IndexBy, MultiIndex};
use larder::track::Table;
use larder::{Arena, Handle, Tree};

use super::{COUNT, Fixed, barrier, counted};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["table_"];

/// An object of 56 bytes, one of which is its colour.
#[derive(Clone, Copy)]
struct Object {
    colour: u32,
    others: [u32; 13],
}

type Key = Handle<Object>;
type ByColour = IndexBy<MultiIndex<u32, Key, Fixed>, fn(&Object) -> u32>;

/// Returns one of a hundred kinds of objects.
fn object(number: usize) -> Object {
    let mixed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Object { colour: (mixed >> 33) as u32 % 100, others: [number as u32; 13] }
}

fn by_colour() -> ByColour {
    IndexBy::new(MultiIndex::default(), |object| object.colour)
}

/// Does `work` with each, which is what is counted; returns how many that were.
fn each<T: Copy>(of: &[T], mut work: impl FnMut(T)) -> usize {
    counted(&mut || {
        for &one in of {
            barrier();
            work(one);
        }
    });
    of.len()
}

/// Does the work of this name, and returns how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let objects: Vec<Object> = (0..COUNT).map(object).collect();
    let (mut bare, mut alone) = (Arena::new(), Table::new(Arena::new()));
    let mut filed = Table::with(Arena::new(), by_colour());
    let mut linked = Table::with(Arena::new(), Tree::new());
    let (name, work) = path["table_".len()..].split_once('_').expect("a name and a work");
    let mut insert = |object: Object| match name {
        "bare" => black_box(&mut bare).insert(object),
        "alone" => black_box(&mut alone).insert(object),
        "filed" => black_box(&mut filed).insert(object),
        "linked" => black_box(&mut linked).insert(object),
        other => unreachable!("there is no path `{other}`"),
    };
    if work == "insert" {
        return each(&objects, |object| _ = insert(object));
    }
    let keys: Vec<Key> = objects.iter().map(|&object| insert(object)).collect();
    match (name, work) {
        ("bare", "remove") => {
            each(&keys, |key| assert!(black_box(&mut bare).remove(key).is_some()))
        }
        ("alone", "remove") => {
            each(&keys, |key| assert!(black_box(&mut alone).remove(key).is_some()))
        }
        ("filed", "remove") => {
            each(&keys, |key| assert!(black_box(&mut filed).remove(key).is_some()))
        }
        ("linked", "remove") => {
            let (objects, tree) = linked.edit();
            keys.windows(2).for_each(|pair| {
                tree.append(objects, pair[0], pair[1]).expect("it is no ancestor")
            });
            each(&keys, |key| assert!(black_box(&mut linked).remove(key).is_some()))
        }
        ("bare", "write") => each(&keys, |key| black_box(&mut bare)[key].others[0] += 1),
        ("alone", "write") => each(&keys, |key| {
            black_box(&mut alone).get_mut(key).expect("it is live").others[0] += 1;
        }),
        ("filed", "modify") => each(&keys, |key| {
            black_box(&mut filed).modify(key, |object| object.colour ^= 1).expect("it is live");
        }),
        ("filed", "write") => each(&keys, |key| {
            black_box(&mut filed).modify(key, |object| object.others[0] += 1).expect("it is live");
        }),
        other => unreachable!("there is no path `{other:?}`"),
    }
}
