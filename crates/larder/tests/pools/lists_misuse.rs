//! Lists in a pool under code that lies, stops half-way, asks for too much, or is told that there is none.

use core::iter;
use larder::pools::list_pool::ListHandle;
use larder::{TryReserveError, pools::ListPool};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{attempt, panic_of, panicking_after, step};
use larder_testing::touchy::{Touchy, count_alive, forget_all};
use larder_testing::values::Value;

fn said_by<R>(act: impl FnOnce() -> R) -> String {
    let caught = panic_of(act);
    assert!(caught.file.ends_with("lists_misuse.rs"), "blames {}", caught.file);
    caught.message
}

/// An iterator whose words about its length are not true.
struct Liar {
    values: core::ops::Range<u32>,
    says: (usize, Option<usize>),
}

impl Iterator for Liar {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.values.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.says
    }
}

#[test]
fn an_iterator_that_lies_about_its_length_is_not_believed() {
    let mut pool = ListPool::new();
    let mut list = pool.make([7]);
    for says in [(0, Some(0)), (0, None), (500, Some(500)), (2, Some(1))] {
        pool.extend(&mut list, Liar { values: 0..40, says });
        assert!(pool[list][1..].iter().copied().eq(0..40));
        pool.splice(&mut list, 1.., Liar { values: 0..9, says });
        assert!(pool[list][1..].iter().copied().eq(0..9));
        pool.truncate(list, 1);
        for count in [0, 1, 2, 3, 40] {
            let made = pool.make(Liar { values: 0..count, says });
            assert!(pool[made].iter().copied().eq(0..count));
            assert_eq!(
                (made == ListHandle::EMPTY, pool.len()),
                (count == 0, 1 + usize::from(count > 0))
            );
            pool.free(made);
        }
        pool.validate();
    }
    // More than there can be: refused before any value is taken, but the first.
    let mut values = Liar { values: 0..40, says: (usize::MAX, None) };
    let mut new = ListHandle::EMPTY;
    for list in [&mut list, &mut new] {
        let extended = said_by(|| pool.extend(list, &mut values));
        let spliced = said_by(|| pool.splice(list, .., &mut values));
        assert!([extended, spliced].iter().all(|said| said.contains("overflow")));
    }
    assert_eq!((&pool[list], new, values.values), (&[7][..], ListHandle::EMPTY, 4..40));
    pool.validate();
}

/// After its end an iterator is not asked again.
#[test]
fn an_iterator_that_goes_on_after_its_end_is_left_alone() {
    let mut pool = ListPool::new();
    let mut asked = 0;
    let flickering = iter::from_fn(|| {
        asked += 1;
        (asked % 4 != 0).then_some(asked)
    });
    let list = pool.make(flickering);
    assert_eq!((&pool[list], asked), (&[1, 2, 3][..], 4));
}

/// Values that are not put in leave no list behind: `EMPTY` is `EMPTY` afterwards.
#[test]
fn a_splice_that_fails_leaves_the_handle_as_it_was() {
    for steps in 0..5 {
        let mut pool = ListPool::new();
        let mut list = ListHandle::EMPTY;
        let values = (0..5).inspect(|_| step());
        let panicked = panicking_after(steps, || pool.splice(&mut list, .., values));
        assert!(panicked);
        assert_eq!((list, pool.len()), (ListHandle::EMPTY, 0));
        pool.validate();
    }
    let mut refusals = 0;
    for grants in 0..6 {
        let mut pool = ListPool::new();
        let mut list = ListHandle::EMPTY;
        let values = Liar { values: 0..1_000, says: (0, None) };
        let spliced =
            refusing_after(grants, false, || attempt(|| pool.splice(&mut list, .., values))).1;
        refusals += u32::from(spliced.is_err());
        if spliced.is_err() {
            assert_eq!((list, pool.len()), (ListHandle::EMPTY, 0));
        }
        pool.validate();
    }
    assert!(refusals > 1, "{refusals} refusals");
}

#[test]
fn an_iterator_that_panics_leaves_what_it_gave() {
    for steps in 0..5 {
        let mut pool = ListPool::new();
        let mut list = ListHandle::EMPTY;
        assert!(panicking_after(steps, || pool.extend(&mut list, (0..5).inspect(|_| step()))));
        assert!(pool[list].iter().copied().eq(0..steps));
        assert_eq!(list == ListHandle::EMPTY, steps == 0);
        pool.validate();
    }
}

#[test]
fn sorting_by_an_order_that_panics_or_lies_keeps_all_values() {
    forget_all();
    let mut pool = ListPool::new();
    let list = pool.make((0..50).map(|n| Touchy::make(n * 37 % 50)));
    for steps in [0, 1, 20, 100] {
        let panicked = panicking_after(steps, || {
            pool[list].sort_by(|a, b| {
                step();
                b.id().cmp(&a.id())
            });
        });
        assert!(panicked);
        // An order that is none: the standard library may say so by a panic.
        let mut turn = 0;
        drop(attempt(|| {
            pool[list].sort_by(|_, _| {
                turn += 1;
                if turn % 3 == 0 { core::cmp::Ordering::Less } else { core::cmp::Ordering::Greater }
            });
        }));
        pool.validate();
        let mut ids: Vec<_> = pool[list].iter().map(Value::id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..50) && pool[list].iter().all(Touchy::is_alive));
    }
    drop(pool);
    assert_eq!(count_alive(), 0);
}

#[test]
fn ranges_that_a_list_does_not_have_are_named() {
    use core::ops::Bound::{Excluded, Included, Unbounded};

    let mut pool = ListPool::new();
    let mut list = pool.make(0..5);
    let mut spliced = |range: (_, _)| said_by(|| pool.splice(&mut list, range, [9]));
    let beyond = "index 6 is out of range for a list of 5 values";
    assert!(spliced((Included(6), Unbounded)).contains(beyond));
    assert!(spliced((Unbounded, Excluded(6))).contains(beyond));
    assert!(spliced((Unbounded, Included(5))).contains(beyond));
    assert!(spliced((Unbounded, Included(usize::MAX))).contains("for a list of 5 values"));
    assert!(spliced((Excluded(usize::MAX), Unbounded)).contains("for a list of 5 values"));
    let inverted = "positions 3..2 of a list: the range starts after its end";
    assert!(spliced((Included(3), Excluded(2))).contains(inverted));
    assert!(spliced((Excluded(2), Included(1))).contains(inverted));
    pool.splice(&mut list, (Excluded(0), Included(3)), [9]);
    assert_eq!(pool[list], [0, 9, 4]);
    pool.splice(&mut list, 3..3, [8]);
    pool.splice(&mut list, 0..0, [7]);
    assert_eq!(pool[list], [7, 0, 9, 4, 8]);
}

#[test]
fn the_empty_list_can_be_given_to_all_methods_of_any_pool() {
    let mut pool = ListPool::<String>::new();
    for _ in 0..2 {
        let mut list = ListHandle::EMPTY;
        assert!(pool.contains(list) && pool[list].is_empty());
        assert_eq!(pool.pop(list), None);
        pool.truncate(list, 0);
        pool.clear(list);
        pool.free(list);
        pool.free(list);
        pool.reserve(&mut list, 0);
        pool.extend(&mut list, []);
        pool.splice(&mut list, .., []);
        assert_eq!(pool.clone_list(list), ListHandle::EMPTY);
        assert_eq!((list, pool.make([])), (ListHandle::EMPTY, ListHandle::EMPTY));
        assert!(
            said_by(|| pool.swap_remove(list, 0))
                .contains("index 0 is out of range for a list of 0 values")
        );
        assert!(said_by(|| pool.insert(&mut list, 1, String::new())).contains("index 1"));
        assert_eq!(pool.len(), 0);
        // And of one that has lists.
        pool.make([String::from("a")]);
        pool.free_all();
    }
}

/// Values without a size: as many as a `u32` counts, and not one more.
#[test]
fn lengths_of_values_without_a_size_have_an_end() {
    let mut pool = ListPool::<()>::new();
    let mut list = pool.make([(), ()]);
    for additional in [u32::MAX as usize - 1, u32::MAX as usize, usize::MAX] {
        let reserved = pool.try_reserve(&mut list, additional);
        assert!(matches!(reserved, Err(TryReserveError::CapacityOverflow { .. })));
        pool.validate();
    }
    assert!(pool.try_reserve(&mut list, u32::MAX as usize - 2).is_ok());
    assert_eq!(pool[list].len(), 2);
    pool.compact();
    pool.free(list);
    assert_eq!((pool.stats().values, pool.stats().used), (0, 0));
}

#[test]
fn more_than_there_can_be_is_named() {
    let refused = said_by(|| ListPool::<u8>::with_capacity(usize::MAX));
    assert!(refused.contains("ListPool"), "{refused}");
    let mut pool = ListPool::<[u64; 4]>::new();
    let mut list = pool.make([[1; 4]]);
    let refused = said_by(|| pool.reserve(&mut list, usize::MAX));
    assert!(refused.contains("ListPool"), "{refused}");
    assert_eq!(pool[list], [[1; 4]]);
}

/// A pool whose lists are gone gives all its memory back.
#[test]
fn compacting_gives_back_the_slots_of_lists_too() {
    let mut pool = ListPool::new();
    let lists: Vec<_> = (0..100).map(|n| pool.make([n])).collect();
    lists[1..].iter().for_each(|&list| pool.free(list));
    let heads_before = pool.stats().heads;
    pool.compact();
    assert!(pool.stats().heads < heads_before / 8, "{heads_before}: {:?}", pool.stats());
    assert!(pool[lists[0]] == [0] && lists[1..].iter().all(|&list| !pool.contains(list)));
    let new = [pool.make([7]), pool.make([8])];
    assert!(lists[1..].iter().all(|&list| !pool.contains(list)));
    pool.free(lists[0]);
    new.iter().for_each(|&list| pool.free(list));
    pool.compact();
    assert_eq!(pool.stats().bytes, 0);
    assert!(lists.iter().chain(&new).all(|&list| !pool.contains(list)));
    pool.validate();
}
