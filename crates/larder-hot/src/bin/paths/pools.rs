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
fn roomy(count: usize) -> Names {
    let mut pool = Names::default();
    pool.try_reserve(count).expect("there is memory");
    pool
}

fn interned(texts: &[String]) -> (Names, Vec<Symbol>) {
    let mut pool = roomy(texts.len());
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

/// Returns the lengths of `count` lists: three on average.
fn lengths(count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(|list| list * 3 % 7)
}

const VALUES: [u32; 7] = [1, 2, 3, 4, 5, 6, 7];

fn made(count: usize) -> (ListPool<u32>, Vec<List>) {
    let mut pool = ListPool::with_capacity(count * 8);
    let lists = lengths(count).map(|length| pool.make(VALUES[..length].iter().copied()));
    let lists = lists.collect();
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

/// Makes `count` lists of up to six values, or changes them in an order of their own.
fn lists(path: &str, count: usize) -> usize {
    let numbers: Vec<u32> = (0..count as u32).map(|at| at.wrapping_mul(7) % count as u32).collect();
    let (mut pool, mut lists) = made(count);
    let lists = black_box(&mut lists);
    match path {
        "lists_make" => {
            let mut pool = ListPool::with_capacity(count * 8);
            let mut lists = vec![List::EMPTY; count];
            let lengths: Vec<_> = lengths(count).collect();
            let mut list = lists.iter_mut();
            each(&lengths, |&length| {
                if let Some(list) = list.next() {
                    pool.extend_from_slice(list, &VALUES[..length]);
                }
            })
        }
        "lists_push" => {
            let mut lists = vec![List::EMPTY; count / 4];
            each(&numbers, |&at| pool.push(&mut lists[at as usize % (count / 4)], at))
        }
        "lists_churn" => each(&numbers, |&at| {
            let list = lists[at as usize];
            if pool[list].len() > 1 {
                pool.swap_remove(list, 1);
            }
            pool.push(&mut lists[count - 1 - at as usize], at);
        }),
        "lists_replace" => each(&numbers, |&at| {
            let list = &mut lists[at as usize];
            pool.free(core::mem::take(list));
            pool.extend_from_slice(list, &VALUES[..at as usize % 7]);
        }),
        "lists_compact" => compacting(count),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Names.
fn names(path: &str, count: usize) -> usize {
    if path == "names_release" {
        return releasing(count);
    }
    let texts = texts(count);
    if path == "names_intern_new" {
        let mut names = roomy(count);
        return each(&texts, |text| {
            black_box(names.intern(text));
        });
    }
    let (mut names, symbols) = interned(&texts);
    match path {
        "names_intern" => each(&texts, |text| {
            black_box(names.intern(text));
        }),
        "names_find" => each(&texts, |text| {
            black_box(names.find(text));
        }),
        "names_resolve" => each(&symbols, |&symbol| {
            black_box(names.get(symbol));
        }),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Does the work of this name, with this many times as many objects, and says how many operations that were.
pub(super) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * COUNT;
    if path.starts_with("names_") { names(path, count) } else { lists(path, count) }
}
