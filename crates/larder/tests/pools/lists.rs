//! Lists in a pool against vectors: random histories, all short ones, panics, refused memory, and
//! handles that are none of the pool's.

use core::fmt::Debug;
use larder::TryReserveError;
use larder::pools::list_pool::{ListHandle, ListPool};
use larder_testing::caught::{panic_of, step};
use larder_testing::common::{deeper, scaled};
use larder_testing::random::random_histories;
use larder_testing::touchy::{Nerve, Touchy};
use larder_testing::trouble::{Panics, Refusals};
use larder_testing::values::{Unit, Value, Wide};

/// A pool and what it should hold: every list ever made, until it is freed.
struct Trial<V> {
    pool: ListPool<V>,
    lists: Vec<(ListHandle<V>, Vec<u32>)>,
    dead: Vec<ListHandle<V>>,
    next: u32,
}

impl<V: Value> Trial<V> {
    /// With two empty lists.
    fn new() -> Self {
        let lists = vec![(ListHandle::EMPTY, vec![]), (ListHandle::EMPTY, vec![])];
        Self { pool: ListPool::new(), lists, dead: vec![], next: 0 }
    }

    fn ids(&mut self, count: usize) -> Vec<u32> {
        let first = self.next;
        self.next += count as u32;
        (first..self.next).collect()
    }

    /// Does what the number stands for with list `which`, at a place that `at` says.
    fn run(&mut self, kind: u8, which: usize, at: usize) {
        let which = which % self.lists.len();
        let count = [1, 3, 9][at % 3];
        let new = self.ids(count);
        let (list, model) = &mut self.lists[which];
        let at = at % (model.len() + 1);
        match kind % KINDS {
            0 => {
                self.pool.push(list, V::make(new[0]));
                model.push(new[0]);
            }
            1 => {
                let popped = self.pool.pop(*list).map(|value| value.id());
                assert_eq!(popped, model.pop().map(V::seen));
            }
            2 => {
                self.pool.insert(list, at, V::make(new[0]));
                model.insert(at, new[0]);
            }
            3 if at < model.len() => {
                let removed = self.pool.remove(*list, at).id();
                assert_eq!(removed, V::seen(model.remove(at)));
            }
            4 if at < model.len() => {
                let removed = self.pool.swap_remove(*list, at).id();
                assert_eq!(removed, V::seen(model.swap_remove(at)));
            }
            5 => {
                self.pool.extend(list, new.iter().map(|&id| V::make(id)));
                model.extend(&new);
            }
            6 => {
                let end = (at + 2).min(model.len());
                self.pool.splice(list, at..end, new.iter().map(|&id| V::make(id)));
                model.splice(at..end, new);
            }
            7 => {
                self.pool.truncate(*list, at);
                model.truncate(at);
            }
            8 => {
                self.pool.clear(*list);
                model.clear();
            }
            9 => {
                let (list, _) = self.lists.swap_remove(which);
                self.pool.free(list);
                self.dead.extend((list != ListHandle::EMPTY).then_some(list));
                self.lists.push((ListHandle::EMPTY, vec![]));
            }
            10 => {
                let copy = (self.pool.clone_list(*list), model.clone());
                self.lists.push(copy);
            }
            11 => self.pool.compact(),
            12 => self.pool.reserve(list, count),
            13 => {
                self.pool[*list].sort_by_key(|value| core::cmp::Reverse(value.id()));
                model.sort_by_key(|&id| core::cmp::Reverse(V::seen(id)));
            }
            14 => self.pool = self.pool.clone(),
            15 => {
                let kept = *list;
                self.pool.retain(|list, _| list == kept);
                let (kept, lost) = core::mem::take(&mut self.lists)
                    .into_iter()
                    .partition(|(list, _)| *list == kept || *list == ListHandle::EMPTY);
                self.lists = kept;
                self.dead.extend(lost.into_iter().map(|(list, _)| list));
            }
            16 => {
                self.pool.free_all();
                let made = self.lists.iter().map(|(list, _)| *list);
                self.dead.extend(made.filter(|&list| list != ListHandle::EMPTY));
                self.lists = vec![(ListHandle::EMPTY, vec![]); 2];
            }
            17 => {
                let at = at % self.lists.len();
                let source = self.lists[at].clone();
                let (list, model) = &mut self.lists[which];
                let start = at.min(source.1.len());
                self.pool.extend_from_list(list, source.0, start..);
                model.extend(&source.1[start..]);
            }
            18 => {
                let old = *list;
                assert_eq!(self.pool.free_if_empty(list), model.is_empty());
                assert_eq!(list.is_empty(), model.is_empty());
                self.dead.extend((*list != old).then_some(old));
            }
            19 => {
                self.pool.retain_values(*list, |value| value.id() % 3 != at as u32 % 3);
                model.retain(|&id| V::seen(id) % 3 != at as u32 % 3);
            }
            _ => {}
        }
    }

    fn check(&self) {
        self.pool.validate();
        for (list, model) in &self.lists {
            let values: Vec<_> = self.pool[*list].iter().map(V::id).collect();
            assert_eq!(values, model.iter().copied().map(V::seen).collect::<Vec<_>>());
        }
        for &list in &self.dead {
            assert!(self.pool.get(list).is_none() && !self.pool.contains(list));
        }
        let begun = self.lists.iter().filter(|(list, _)| *list != ListHandle::EMPTY).count();
        assert_eq!((self.pool.len(), self.pool.iter().count()), (begun, begun));
        let stats = self.pool.stats();
        let parts = stats.used + stats.wasted + stats.free + stats.unused + stats.heads;
        assert_eq!(parts, stats.bytes);
        assert_eq!(stats.values, self.lists.iter().map(|(_, model)| model.len()).sum::<usize>());
        if let Some(alive) = V::alive() {
            assert_eq!(alive, stats.values as isize);
        }
    }
}

const KINDS: u8 = 20;

fn history<V: Value>(steps: &[(u8, usize, usize)]) {
    let before = V::alive();
    let mut trial = Trial::<V>::new();
    for &(kind, which, at) in steps {
        trial.run(kind, which, at);
        trial.check();
    }
    drop(trial);
    assert_eq!(V::alive(), before);
}

fn random<V: Value>() {
    random_histories(scaled(80, 40), &|_, numbers| {
        let step = |number: &u64| {
            let [kind, which, at, ..] = number.to_le_bytes();
            (kind, usize::from(which % 4), usize::from(at % 12))
        };
        history::<V>(&numbers.iter().map(step).collect::<Vec<_>>());
    });
}

#[test]
fn random_histories_of_numbers() {
    random::<u32>();
}

/// With a size or without, and aligned.
#[test]
fn random_histories_of_values_that_are_counted() {
    random::<Unit>();
    random::<Wide>();
}

/// Everything that can be done in a few steps, with two lists that begin empty or
/// filled.
#[test]
fn all_short_histories() {
    let depth = deeper(2, 1) as u32;
    let choices: Vec<_> = (0..KINDS).flat_map(|kind| [(kind, 0, 0), (kind, 1, 1)]).collect();
    for number in 0..choices.len().pow(depth) {
        let steps =
            (0..depth).map(|step| choices[number / choices.len().pow(step) % choices.len()]);
        let steps: Vec<_> = steps.collect();
        history::<u32>(&steps);
        history::<u32>(&[&[(5, 0, 1), (5, 1, 2)][..], &steps].concat());
    }
}

/// A panic at the n-th step of user code leaves a whole pool, and no value twice or lost.
#[test]
fn user_code_that_panics_leaves_a_whole_pool() {
    let ids = |from: u32, count: u32| (from..from + count).map(Touchy::make);
    let stepping = |from: u32| ids(from, 6).inspect(|_| step());
    let make = || {
        let mut pool = ListPool::new();
        let lists = [pool.make(ids(0, 5)), pool.make(ids(20, 3))];
        (pool, lists)
    };
    let held = |(pool, [list, other]): &mut Lists| {
        pool.validate();
        assert!(pool.iter().all(|(_, values)| values.iter().all(Touchy::is_alive)));
        let values = pool.stats().values;
        let others = pool.get(*other).map_or(0, <[_]>::len);
        assert!(
            others == 3 || !pool.contains(*list) && others == 0,
            "the other list has lost some"
        );
        let again = pool.make(ids(70, 2));
        assert_eq!(pool[again].len(), 2);
        pool.free(again);
        values
    };
    type Lists = (ListPool<Touchy>, [ListHandle<Touchy>; 2]);
    type Act<'a> = &'a dyn Fn(&mut ListPool<Touchy>, &mut ListHandle<Touchy>);
    let acts: [(Nerve, Act<'_>); 15] = [
        (Nerve::None, &|pool, list| pool.extend(list, stepping(50))),
        (Nerve::None, &|pool, list| pool.splice(list, 1..4, stepping(50))),
        (Nerve::None, &|pool, _| assert!(pool.make(stepping(50)) != ListHandle::EMPTY)),
        (Nerve::None, &|pool, _| pool.retain(|_, _| (step(), false).1)),
        (Nerve::Clone, &|pool, list| assert!(pool.clone_list(*list) != *list)),
        (Nerve::Clone, &|pool, _| drop(pool.clone())),
        (Nerve::None, &|pool, list| pool.retain_values(*list, |value| (step(), value.id() > 2).1)),
        (Nerve::Drop, &|pool, list| pool.retain_values(*list, |value| value.id() == 3)),
        (Nerve::Drop, &|pool, list| pool.truncate(*list, 1)),
        (Nerve::Drop, &|pool, list| pool.clear(*list)),
        (Nerve::Drop, &|pool, list| pool.free(core::mem::take(list))),
        (Nerve::Drop, &|pool, list| pool.splice(list, 0..3, ids(50, 1))),
        (Nerve::Drop, &|pool, _| pool.retain(|_, _| false)),
        (Nerve::Drop, &|pool, _| pool.free_all()),
        (Nerve::Drop, &|pool, _| drop(core::mem::take(pool))),
    ];
    let panics = Panics { make: &make, held: &held, leaks: false };
    for (nerve, act) in acts {
        assert!(panics.of(nerve, &|(pool, [list, _])| act(pool, list)) > 0);
    }
}

/// If allocation fails at the n-th request, nothing has changed; methods that panic say so at the caller's line.
#[test]
fn refused_memory_changes_nothing() {
    type Lists = (ListPool<u32>, ListHandle<u32>);
    // Eight slots of heads and a piece of 16 are full, as the block is.
    let make = || {
        let mut pool = ListPool::new();
        let list = (0..8).map(|n| pool.make(n..n + 1)).last();
        let mut list = list.expect("there are eight");
        pool.extend(&mut list, 0..15);
        (pool, list)
    };
    let view = |(pool, list): &Lists| {
        pool.validate();
        let all: Vec<_> = pool.iter().map(|(list, values)| (list, values.to_vec())).collect();
        (*list, all)
    };
    let lists = Refusals { make: &make, view: &view };
    let requests = [
        lists.of(&|(pool, list)| pool.try_push(list, 9).is_ok()),
        lists.of(&|(pool, _)| pool.try_push(&mut ListHandle::default(), 9).is_ok()),
        lists.of(&|(pool, list)| pool.try_reserve(list, 100).is_ok()),
    ];
    assert!(requests.iter().all(|&requests| requests > 0), "{requests:?}");
    let acts: [&dyn Fn(&mut Lists); 12] = [
        &|(pool, list)| pool.push(list, 9),
        &|(pool, list)| pool.insert(list, 0, 9),
        &|(pool, list)| pool.insert(list, 2, 9),
        &|(pool, list)| pool.extend(list, 0..100),
        &|(pool, list)| pool.splice(list, 1..2, 0..100),
        &|(pool, list)| pool.reserve(list, 100),
        &|(pool, _)| assert_ne!(pool.make(0..100), ListHandle::EMPTY),
        &|(pool, list)| assert_ne!(pool.clone_list(*list), *list),
        &|(pool, _)| pool.compact(),
        &|(pool, _)| assert_eq!(pool.clone().len(), pool.len()),
        &|_| assert!(ListPool::<u32>::with_capacity(100).is_empty()),
        &|(pool, _)| pool.free_all(),
    ];
    acts.iter().for_each(|act| _ = lists.of_panics_here(act));
}

fn refused_with<R>(words: &str, act: impl FnOnce() -> R) {
    let caught = panic_of(act);
    assert!(caught.message.contains(words), "{}", caught.message);
    assert!(caught.file.ends_with("lists.rs"), "blames {}", caught.file);
}

/// Each method that panics, on a list.
fn misuse(pool: &mut ListPool<String>, mut list: ListHandle<String>, words: &str) {
    refused_with(words, || pool.push(&mut list, String::new()));
    refused_with(words, || pool.insert(&mut list, 0, String::new()));
    refused_with(words, || pool.extend(&mut list, []));
    refused_with(words, || pool.splice(&mut list, .., []));
    refused_with(words, || pool.reserve(&mut list, 0));
    refused_with(words, || pool.clone_list(list));
    refused_with(words, || pool.extend_from_list(&mut list, ListHandle::EMPTY, ..));
    refused_with(words, || pool.extend_from_list(&mut ListHandle::default(), list, ..));
    refused_with(words, || pool.free_if_empty(&mut list));
    refused_with(words, || pool.pop(list));
    refused_with(words, || pool.remove(list, 0));
    refused_with(words, || pool.swap_remove(list, 0));
    refused_with(words, || pool.truncate(list, 0));
    refused_with(words, || pool.clear(list));
    refused_with(words, || pool.free(list));
    refused_with(words, || pool[list][0].clone());
    refused_with(words, || pool[list][0].clear());
    assert!(pool.get(list).is_none() && pool.get_mut(list).is_none() && !pool.contains(list));
    pool.validate();
}

#[test]
fn a_list_that_was_freed_is_caught_by_every_method() {
    let mut pool = ListPool::new();
    let list = pool.make([String::from("a")]);
    pool.free(list);
    misuse(&mut pool, list, "is freed");
    let tenant = pool.make([String::from("b")]);
    misuse(&mut pool, list, "is freed");
    assert_eq!(pool[tenant], ["b"]);
}

#[test]
fn a_list_of_another_pool_is_caught_by_every_method() {
    let (mut pool, mut other) = (ListPool::new(), ListPool::new());
    let foreign = other.make([String::from("theirs")]);
    misuse(&mut pool, foreign, "of another pool");
    let ours = pool.make([String::from("ours")]); // in the same slot, of the same generation
    misuse(&mut pool, foreign, "of another pool");
    misuse(&mut other, ours, "of another pool");
    assert_eq!((&pool[ours][0], &other[foreign][0]), (&"ours".into(), &"theirs".into()));
}

#[test]
fn positions_that_a_list_does_not_have_are_named() {
    let mut pool = ListPool::new();
    let mut list = pool.make(['a', 'b']);
    refused_with("index 3 is out of range for a list of 2 values", || {
        pool.insert(&mut list, 3, 'c')
    });
    refused_with("index 2 is out of range for a list of 2 values", || pool.remove(list, 2));
    refused_with("index 2 is out of range for a list of 2 values", || pool.swap_remove(list, 2));
    refused_with("index 3 is out of range for a list of 2 values", || {
        pool.splice(&mut list, 1..3, [])
    });
    assert_eq!(pool[list], ['a', 'b']);
    refused_with("index 0 is out of range for a list of 0 values", || {
        pool.remove(ListHandle::EMPTY, 0)
    });
}

#[test]
fn a_slot_whose_generations_are_used_up_is_retired() {
    if cfg!(miri) {
        return;
    }
    let mut pool = ListPool::new();
    let first = pool.make([0]);
    let _kept = pool.make([1]); // a pool that is empty may begin with fresh slots
    let mut last = first;
    for n in 1..1 << 19 {
        pool.free(last);
        last = pool.make([n]);
        assert_ne!(last, first);
    }
    assert_eq!(last.to_string(), format!("0v{}", (1 << 20) - 1));
    pool.free(last);
    let next = pool.make([0]);
    assert_eq!(next.to_string(), "2v1");
    assert!(!pool.contains(first) && !pool.contains(last));
    pool.validate();
}

#[test]
fn lengths_that_no_list_can_have_are_refused() {
    fn too_long<V: Debug>(pool: &mut ListPool<V>) {
        for length in [1 << 31 | 1, usize::MAX] {
            let mut list = ListHandle::EMPTY;
            let reserved = pool.try_reserve(&mut list, length);
            assert_eq!(list, ListHandle::EMPTY);
            assert!(matches!(reserved, Err(TryReserveError::CapacityOverflow { .. })));
        }
        assert!(pool.is_empty());
    }
    too_long(&mut ListPool::<u8>::new());
    too_long(&mut ListPool::<[u64; 512]>::new());
}

/// Values of all sizes are copied whole, however few bytes they have together.
#[test]
fn copies_of_any_length_are_whole() {
    fn copied<V: Copy + PartialEq + Debug>(value: impl Fn(usize) -> V) {
        let values: Vec<V> = (0..70).map(value).collect();
        for length in 0..values.len() {
            let mut pool = ListPool::new();
            let (mut list, mut stale) = (ListHandle::EMPTY, pool.make([values[0]]));
            pool.free(stale);
            pool.extend_from_slice(&mut list, &values[..length]);
            assert_eq!(list.is_empty(), length == 0);
            let other = pool.make(values.iter().copied());
            pool.extend_from_slice(&mut list, &values[length..]);
            assert!(pool[list] == values && pool[other] == values);
            if !cfg!(miri) {
                refused_with("is freed", || pool.extend_from_slice(&mut stale, &values));
            }
            pool.validate();
        }
        // And where a list grows by one.
        let mut pool = ListPool::new();
        let mut lists = [ListHandle::EMPTY; 2];
        for &value in &values {
            lists.iter_mut().for_each(|list| pool.push(list, value));
        }
        assert!(lists.iter().all(|&list| pool[list] == values));
    }
    copied(|n| n as u8);
    copied(|n| [n as u8; 3]);
    copied(|n| n as u32);
    copied(|n| (n as u64, n as u8)); // with bytes that are not initialised
    copied(|_| ());
}

#[test]
fn a_list_is_appended_to_itself() {
    let mut pool = ListPool::new();
    let mut list = pool.make(["a".to_owned(), "b".to_owned()]);
    let same = list;
    pool.extend_from_list(&mut list, same, ..);
    pool.extend_from_list(&mut list, same, 1..3);
    assert_eq!((pool[list].join(""), list), ("ababba".into(), same));
    let beyond = || pool.extend_from_list(&mut ListHandle::default(), list, 5..7);
    refused_with("index 7 is out of range for a list of 6 values", beyond);
}

#[test]
fn large_free_pieces_are_cut_before_the_block_grows() {
    let mut pool = ListPool::<u32>::with_capacity(64 + 4);
    let large = pool.make(0..64);
    let small = pool.make(0..4);
    let bytes = pool.stats().bytes - pool.stats().heads;
    pool.free(large);
    let lists: Vec<_> = (0..16).map(|_| pool.make(0..4)).collect();
    pool.validate();
    assert_eq!(pool.stats().bytes - pool.stats().heads, bytes);
    assert!(lists.iter().all(|&list| pool[list] == pool[small]));
}
