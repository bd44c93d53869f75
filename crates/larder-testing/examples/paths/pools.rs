//! The daily work of names and lists.

use core::hint::black_box;

use larder::pools::list_pool::{ListHandle, ListPool};
use larder::pools::{StringPool, Symbol};

use super::{COUNT, Fixed, barrier, counted};

type List = ListHandle<u32>;

/// So many texts, of 6 to 10 bytes.
fn texts(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("name {number}")).collect()
}

type Names = StringPool<Fixed>;

/// With room for so many texts.
fn roomy() -> Names {
    let mut pool = Names::default();
    pool.try_reserve(COUNT).expect("there is memory");
    pool
}

fn interned(texts: &[String]) -> (Names, Vec<Symbol>) {
    let mut pool = roomy();
    let symbols = texts.iter().map(|text| pool.intern(text)).collect();
    (pool, symbols)
}

fn each<T>(of: &[T], mut work: impl FnMut(&T)) -> usize {
    counted(&mut || {
        for one in of {
            barrier();
            work(one);
        }
    });
    of.len()
}

/// The lengths of lists: three on average.
fn lengths() -> impl Iterator<Item = usize> {
    (0..COUNT).map(|list| list * 7 % 7)
}

const VALUES: [u32; 7] = [1, 2, 3, 4, 5, 6, 7];

fn made() -> (ListPool<u32>, Vec<List>) {
    let mut pool = ListPool::with_capacity(COUNT * 8);
    let lists = lengths().map(|length| pool.make(VALUES[..length].iter().copied())).collect();
    (pool, lists)
}

/// All but every fifth of so many texts, so that the others are moved.
fn releasing(count: usize) -> usize {
    let mut names = Names::default();
    let symbols: Vec<_> = texts(count).iter().map(|text| names.acquire(text)).collect();
    let gone: Vec<_> = (0..count).filter(|n| n % 5 != 0).map(|n| symbols[n]).collect();
    each(&gone, |&symbol| assert!(names.release(symbol)))
}

/// So many lists, half of which are freed before.
fn compacting(count: usize) -> usize {
    let mut pool = ListPool::new();
    let lists: Vec<_> = (0..count as u32).map(|n| pool.make([n; 3])).collect();
    lists.iter().step_by(2).for_each(|&list| pool.free(list));
    counted(&mut || pool.compact());
    count
}

/// Does the work of this name, and says how many operations that were.
pub(super) fn run(path: &str) -> usize {
    let texts = texts(COUNT);
    let numbers: Vec<u32> = (0..COUNT as u32).map(|at| at.wrapping_mul(7) % COUNT as u32).collect();
    let (mut pool, mut lists) = made();
    let lists = black_box(&mut lists);
    match path {
        "names_intern_new" => {
            let mut names = roomy();
            each(&texts, |text| {
                black_box(names.intern(text));
            })
        }
        "names_intern" => {
            let (mut names, _) = interned(&texts);
            each(&texts, |text| {
                black_box(names.intern(text));
            })
        }
        "names_find" => {
            let (names, _) = interned(&texts);
            each(&texts, |text| {
                black_box(names.find(text));
            })
        }
        "names_resolve" => {
            let (names, symbols) = interned(&texts);
            each(&symbols, |&symbol| {
                black_box(names.get(symbol));
            })
        }
        "names_release" => releasing(COUNT),
        "names_release_2" => releasing(2 * COUNT),
        "names_release_4" => releasing(4 * COUNT),
        "lists_compact" => compacting(COUNT),
        "lists_compact_2" => compacting(2 * COUNT),
        "lists_compact_4" => compacting(4 * COUNT),
        "lists_make" => {
            let mut pool = ListPool::with_capacity(COUNT * 8);
            let mut lists = vec![List::EMPTY; COUNT];
            let lengths: Vec<_> = lengths().collect();
            let mut list = lists.iter_mut();
            each(&lengths, |&length| {
                if let Some(list) = list.next() {
                    pool.extend_from_slice(list, &VALUES[..length]);
                }
            })
        }
        "lists_push" => {
            let mut lists = vec![List::EMPTY; COUNT / 4];
            each(&numbers, |&at| pool.push(&mut lists[at as usize % (COUNT / 4)], at))
        }
        "lists_churn" => each(&numbers, |&at| {
            let list = lists[at as usize];
            if pool[list].len() > 1 {
                pool.swap_remove(list, 1);
            }
            pool.push(&mut lists[COUNT - 1 - at as usize], at);
        }),
        "lists_replace" => each(&numbers, |&at| {
            let list = &mut lists[at as usize];
            pool.free(core::mem::take(list));
            pool.extend_from_slice(list, &VALUES[..at as usize % 7]);
        }),
        other => unreachable!("there is no path `{other}`"),
    }
}
