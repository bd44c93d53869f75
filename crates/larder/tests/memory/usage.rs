//! Where memory goes: what is said of it adds up, and is what the allocator gave.

use crate::allocator::{live_bytes, requests_of};
use crate::both::test_both;
use crate::common::scaled;
use larder::{Arena, DenseArena, InlineArena, MemoryUsage, PagedArena, Pool, Reuse};

/// What `make` allocated and still holds, and its result.
fn held<R>(make: impl FnOnce() -> R) -> (usize, R) {
    let before = live_bytes();
    let made = make();
    ((live_bytes() - before) as usize, made)
}

#[track_caller]
fn adds_up(usage: MemoryUsage) {
    let sum = usage.values + usage.holes + usage.unused + usage.bookkeeping;
    assert_eq!(sum, usage.committed, "{usage:?}");
    assert!(usage.committed <= usage.reserved, "{usage:?}");
}

test_both!(b37_usage_is_what_was_allocated, Container => {
    let empty = Container::<u64>::new().memory_usage();
    assert_eq!(empty, MemoryUsage::default(), "an empty one owns nothing");
    for reuse in [Reuse::Packed, Reuse::LastFreed] {
        let (bytes, mut arena) = held(|| {
            let mut arena: Container<u64> = Container::builder().reuse(reuse).build();
            arena.extend(0..1_000);
            arena
        });
        adds_up(arena.memory_usage());
        assert_eq!(arena.memory_usage().committed, bytes);
        arena.retain(|_, value| *value % 4 == 0);
        let usage = arena.memory_usage();
        adds_up(usage);
        assert_eq!((usage.values, usage.holes, usage.committed), (250 * 8, 750 * 8, bytes));
        let first = arena.first_key().unwrap();
        arena.detach(first);
        assert_eq!(arena.memory_usage().holes, 751 * 8, "a detached slot has no value");
        adds_up(arena.memory_usage());
    }
});

test_both!(b37_growing_wastes_at_most_what_it_holds, Container => {
    let mut arena = Container::new();
    for number in 0..scaled(20_000, 300) as u64 {
        arena.insert(number);
        let usage = arena.memory_usage();
        adds_up(usage);
        // Doubling: less than half of it is room, but for the smallest block.
        assert!(usage.unused <= usage.committed / 2 || arena.len() < 4, "{usage:?}");
        assert_eq!(arena.stats().bytes, usage.committed);
    }
});

test_both!(usage_of_reserved_memory_tells_addresses_from_memory, Container => {
    let mut arena = Container::reserved(1_000_000);
    assert_eq!(arena.memory_usage().committed, if cfg!(miri) { arena.stats().bytes } else { 0 });
    arena.extend(0..100_u64);
    let usage = arena.memory_usage();
    adds_up(usage);
    assert!(usage.reserved >= 8_000_000 && usage.committed < 1 << 20 && usage.values == 800);
});

#[test]
fn usage_of_a_pool_counts_all_its_columns() {
    let (bytes, mut pool) = held(|| {
        let mut pool = Pool::with_capacity(100, || 0_u64);
        pool.insert(7);
        pool
    });
    adds_up(pool.memory_usage());
    assert_eq!(pool.memory_usage().committed, bytes);
    let key = pool.insert(8);
    pool.remove(key);
    assert_eq!((pool.memory_usage().values, pool.memory_usage().holes), (8, 8));
}

#[test]
fn values_without_a_size_take_none() {
    let mut arena = Arena::new();
    arena.extend([(); 100]);
    let usage = arena.memory_usage();
    adds_up(usage);
    assert_eq!((usage.values, usage.holes), (0, 0));
    let mut dense: DenseArena<(), larder::Slot<()>> = DenseArena::with_key();
    dense.extend([(); 100]);
    adds_up(dense.memory_usage());
}

#[test]
fn b7_an_empty_container_of_any_kind_asks_for_nothing() {
    let (requests, _kept) = requests_of(|| {
        (
            (Arena::<String>::new(), DenseArena::<String>::new(), PagedArena::<String>::new()),
            (InlineArena::<String, 3>::new(), Pool::new(String::new)),
            (Arena::<String>::builder().reuse(Reuse::Oldest).build(), Arena::<String>::fixed(0)),
        )
    });
    assert_eq!(requests, 0);
}

#[test]
fn b7_a_thousand_values_take_a_handful_of_allocations() {
    let requests_for = |fill: &dyn Fn()| requests_of(fill).0;
    let values = || (0..1_000_u64).filter(|_| true); // an iterator that does not say how many
    assert!(requests_for(&|| drop(Arena::from_iter(values()))) <= 2 * 9);
    assert!(requests_for(&|| drop(DenseArena::from_iter(values()))) <= 4 * 8);
    assert!(requests_for(&|| Pool::new(|| 0).extend(values())) <= 3 * 9);
    // A block of 16 KiB has 1,024 of them.
    assert!(requests_for(&|| drop(PagedArena::from_iter(values()))) <= 4);
    assert_eq!(requests_for(&|| drop(Box::new(InlineArena::<_, 1_000>::from_iter(values())))), 1);
    let fixed = requests_for(&|| Arena::fixed(1_000).extend(values()));
    assert!(fixed <= 3, "{fixed}");
}
