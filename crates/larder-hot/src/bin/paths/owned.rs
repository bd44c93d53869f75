//! Lists and texts that objects own, among many others: what an operation costs does not depend on how many there are.
//!
//! (The types are this file's own, so that the other paths are inlined as they are without these.)

use core::hash::BuildHasher;
use core::hint::black_box;

use larder::pools::list_pool::{ListHandle, ListPool};
use larder::pools::{StringPool, Symbol};

use super::{COUNT, barrier, counted};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["owned_"];

type Value = [u16; 3];
type List = ListHandle<Value>;

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

/// Names of ten bytes, of which each is referred to twice: so none goes, which is `names_release`.
fn texts(path: &str, count: usize) -> usize {
    let texts: Vec<String> = (0..count).map(|number| format!("text {number:05}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut pool = StringPool::<Seeded>::default();
    let both = texts.iter().chain(&texts).map(|text| pool.acquire(text));
    let symbols: Vec<Symbol> = both.collect();
    match path {
        "owned_text_acquire" => each(&texts, |text| {
            black_box(black_box(&mut pool).acquire(text));
        }),
        "owned_text_share" => each(&symbols, |symbol| black_box(&mut pool).share(symbol)),
        "owned_text_release" => each(&symbols[..count], |symbol| {
            assert!(!black_box(&mut pool).release(symbol));
        }),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Lists of four values.
fn lists(path: &str, count: usize) -> usize {
    let mut pool = ListPool::<Value>::new();
    let lists: Vec<List> = (0..count as u16).map(|number| pool.make([[number; 3]; 4])).collect();
    match path {
        "owned_list_get" => each(&lists, |list| assert_eq!(black_box(&pool)[list].len(), 4)),
        "owned_list_edit" => each(&lists, |mut list| {
            let pool = black_box(&mut pool);
            pool.insert(&mut list, 1, [7; 3]);
            assert_eq!(pool.remove(list, 1), [7; 3]);
            pool.truncate(list, 3);
            pool.clear(list);
        }),
        "owned_list_splice" => each(&lists, |mut list| {
            black_box(&mut pool).splice(&mut list, 1..3, [[7; 3], [8; 3]]);
        }),
        "owned_list_clone" => each(&lists, |mut list| {
            let pool = black_box(&mut pool);
            let copy = pool.clone_list(list);
            pool.truncate(list, 1);
            pool.extend_from_list(&mut list, copy, 1..);
            pool.free(copy);
        }),
        "owned_list_make" => each(&lists, |_| {
            black_box(black_box(&mut pool).make([[1; 3], [2; 3], [3; 3]]));
        }),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Does the work of this name, with this many times as many objects, and says how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * COUNT / 4;
    if path.starts_with("owned_text_") { texts(path, count) } else { lists(path, count) }
}
