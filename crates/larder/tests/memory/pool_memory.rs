//! The requests of pools to the allocator, and their behaviour when it refuses.

use larder::Pool;
use larder_testing::allocator::requests_of;
use larder_testing::common::{SplitMix, address, scaled, thorough};
use larder_testing::subject::ORDERS;
use larder_testing::trouble::Refusals;
use larder_testing::values::Wide;

use crate::refused_memory::{contents, full};

/// Insertions that fill what is in a slot. (All other calls are refused with those of other containers.)
#[test]
fn filling_in_place_is_refused_at_every_request() {
    for &reuse in ORDERS {
        let make = || full::<Pool<Wide>>(reuse);
        let all = Refusals { make: &make, view: &|pool| (contents(pool), pool.slots().to_vec()) };
        assert!(all.of(&|pool| pool.try_insert_with(|_| ()).is_ok()) > 0);
        all.of(&|pool| pool.try_vacant_entry().is_ok());
        all.of_panics(&|pool| _ = pool.insert_with(|_| ()));
    }
}

// The number of requests to the allocator.

/// The point of recycling: what values own is kept, and used again.
#[test]
fn removing_and_filling_again_asks_for_nothing() {
    for &reuse in ORDERS {
        let mut pool = Pool::builder(Vec::new).recycling(Vec::clear).reuse(reuse).build();
        let mut keys: Vec<_> = (0..scaled(300, 70))
            .map(|_| pool.insert_with(|list: &mut Vec<u64>| list.extend([1; 100])))
            .collect();
        let (requests, ()) = requests_of(|| {
            let mut random = SplitMix::new(1);
            for round in 0..2_000 / thorough(1, 20) {
                let position = random.below(keys.len());
                assert!(pool.recycle(keys[position]).is_some());
                keys[position] = pool.insert_with(|list| {
                    assert!(list.is_empty() && list.capacity() >= 100);
                    list.resize(100, round as u64);
                });
            }
            pool.retain(|key, _| key.slot() % 3 == 0);
            while pool.len() < pool.capacity() && pool.stats().holes > 0 {
                pool.insert_with(|list| list.resize(100, 0));
            }
            pool.clear();
        });
        assert_eq!(requests, 0, "{reuse:?}");
        assert!(pool.slots().iter().all(|list| list.is_empty() && list.capacity() >= 100));
    }
}

#[test]
fn what_is_reserved_is_made_once_and_asks_for_nothing_after() {
    const SIZE: usize = scaled(1_000, 10);
    let warm = || Vec::<u8>::with_capacity(SIZE);
    let pools = [Pool::fixed(50, warm), Pool::with_capacity(50, warm), {
        let mut pool = Pool::new(warm);
        pool.reserve(50);
        pool
    }];
    for mut pool in pools {
        let (requests, ()) = requests_of(|| {
            for byte in 0..50 {
                pool.insert_with(|buffer| buffer.extend([byte; SIZE]));
            }
        });
        assert_eq!((requests, pool.len()), (0, 50));
    }
}

#[test]
fn values_do_not_move_where_it_is_promised() {
    let count = scaled(300_000, 300);
    let reserved = Pool::reserved(count, || 0_u64);
    let fixed = Pool::fixed(count, || 0_u64);
    for mut pool in [reserved, fixed] {
        let first = pool.insert(1);
        let before = address(&pool[first]);
        while pool.len() < pool.capacity() {
            pool.insert(2);
        }
        assert!(pool.try_insert(3).is_err() && pool.try_insert_with(|_| ()).is_err());
        assert_eq!((address(&pool[first]), pool.len(), pool.slots().len()), (before, count, count));
        pool.retain(|key, _| key == first);
        pool.shrink_to_fit();
        pool.extend([4; 100]);
        assert_eq!((address(&pool[first]), pool.capacity()), (before, count));
        pool.validate();
    }
}
