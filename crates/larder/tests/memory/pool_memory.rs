//! The requests of pools to the allocator, and their behaviour when it refuses.

use larder::{
    Handle, Pool, Reuse, TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::{lent, live_bytes, requests_of};
use larder_testing::caught::panic_of;
use larder_testing::common::{SplitMix, address, scaled, thorough};
use larder_testing::pool_trial::{EMPTY, Kind, build};
use larder_testing::subject::{Config, ORDERS, TestKey};
use larder_testing::trouble::Refusals;
use larder_testing::values::{Unit, Value, Wide};

/// Returns a pool that is as full as it can be without growing.
fn full<V: Value, K: TestKey>(reuse: Reuse) -> Pool<V, K> {
    let mut pool = build::<V, K>(Config::new(reuse, None), Kind::Replaces);
    for id in 1..=if cfg!(miri) { 3 } else { 20 } {
        pool.insert(V::make(id));
    }
    while pool.len() < pool.capacity() && pool.capacity() < 1_000 {
        pool.insert(V::make(pool.len() as u32));
    }
    pool
}

/// The objects, and the values of all slots that they have.
fn contents<V: Value, K: TestKey>(pool: &Pool<V, K>) -> (Vec<(K, u32)>, Vec<u32>) {
    pool.validate();
    let pairs = pool.iter().map(|(key, value)| (key, value.id())).collect();
    (pairs, pool.slots().iter().map(V::id).collect())
}

fn refused<V: Value, K: TestKey>() {
    ORDERS.iter().for_each(|&reuse| refused_in::<V, K>(reuse));
}

fn refused_in<V: Value, K: TestKey>(reuse: Reuse) {
    let all = Refusals { make: &|| full::<V, K>(reuse), view: &contents };
    let requests = all.of(&|pool| match pool.try_insert(V::make(4_000)) {
        Ok(_) => true,
        Err(refused) => {
            assert!(matches!(refused.reason, TryReserveError::AllocRefused { .. }));
            assert_eq!(refused.value.id(), V::seen(4_000));
            false
        }
    });
    assert!(requests > 0 || size_of::<V>() == 0, "memory was never asked for");
    all.of(&|pool| pool.try_insert_with(|_| ()).is_ok());
    all.of(&|pool| pool.try_vacant_entry().is_ok());
    all.of(&|pool| match pool.try_reserve(1_000) {
        Ok(()) => pool.capacity() - pool.len() >= 1_000,
        Err(TryReserveError::AllocRefused { bytes }) => bytes == 0,
        Err(error) => panic!("{error}"),
    });
    all.of_panics(&|pool| _ = pool.insert(V::make(1)));
    all.of_panics(&|pool| _ = pool.insert_with(|_| ()));
    all.of_panics(&|pool| pool.reserve(1_000));
    all.of_panics(&|pool| drop(pool.clone()));
    // Giving memory back needs no luck.
    all.of(&|pool| {
        pool.retain(|key, _| key.slot() % 2 == 0);
        let sum = |pool: &Pool<V, K>| pool.values().map(V::id).sum::<u32>();
        let held = (pool.len(), sum(pool));
        pool.shrink_to_fit();
        held == (pool.len(), sum(pool))
    });
}

#[test]
fn refused_at_every_request() {
    refused::<u32, Handle<u32>>();
    refused::<Wide, Serial<Wide>>();
    refused::<Unit, BareHandle<Unit>>();
}

#[test]
fn building_refused() {
    for &reuse in ORDERS {
        let build = |pool: &mut Option<Pool<Wide>>| {
            let builder = Pool::builder(|| Wide::make(EMPTY)).reuse(reuse);
            let built = builder.fixed(100).try_build();
            assert!(!matches!(built, Err(TryReserveError::AllocRefused { bytes: 0 })));
            *pool = built.ok();
            pool.is_some()
        };
        let nothing = Refusals { make: &|| None, view: &|pool| pool.as_ref().map(contents) };
        assert!(nothing.of(&build) > 0);
    }
}

#[test]
fn more_than_there_can_be() {
    let mut pool = full::<u32, Handle<u32>>(Reuse::Packed);
    let held = contents(&pool);
    for additional in [usize::MAX, isize::MAX as usize, u32::MAX as usize] {
        let refused = pool.try_reserve(additional);
        assert!(matches!(refused, Err(TryReserveError::CapacityOverflow { .. })), "{refused:?}");
        assert!(panic_of(|| pool.reserve(additional)).message.contains("capacity overflow"));
    }
    let caught = panic_of(|| Pool::with_capacity(usize::MAX, || 0_u64));
    assert!(caught.file.ends_with("pool_memory.rs") && caught.message.contains("overflow"));
    assert_eq!(contents(&pool), held);
}

/// A book for slots that no values can have is not even begun.
#[test]
#[cfg(target_pointer_width = "64")]
fn values_too_large_are_refused_before_anything_is_allocated() {
    let mut pool: Pool<[u64; 1 << 29]> = Pool::new(|| unreachable!("none is made"));
    let (requests, refused) = requests_of(|| pool.try_reserve(1 << 31));
    assert!(matches!(refused, Err(TryReserveError::CapacityOverflow { .. })), "{refused:?}");
    assert_eq!((requests, pool.stats().memory.committed), (0, 0));
}

// The number of requests to the allocator.

#[test]
fn making_a_pool_asks_for_nothing() {
    let (requests, pools) = requests_of(|| {
        let default = Pool::<String>::default();
        (default, Pool::new(|| 0_u64), Pool::recycling(String::new, String::clear))
    });
    assert_eq!((requests, pools.1.stats().memory.committed), (0, 0));
    assert_eq!(requests_of(|| drop(pools)).0, 0);
}

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
fn memory_lies_in_few_pieces_and_is_counted() {
    let before = live_bytes();
    let mut pool = Pool::new(|| [0_u32; 5]);
    let (requests, ()) = requests_of(|| pool.reserve(scaled(20_000, 200)));
    assert!(requests <= 3, "{requests}: values, generations, book");
    assert_eq!(pool.stats().memory.committed as isize, live_bytes() - before);
    let (requests, copy) = requests_of(|| pool.clone());
    assert!(requests <= 3, "{requests} for a copy");
    drop((pool, copy));
    assert_eq!(live_bytes(), before);

    let mut unversioned: Pool<u64, BareHandle<u64>> = Pool::with_key(|| 0);
    unversioned.reserve(scaled(64_000, 640));
    let per_slot = unversioned.stats().memory.committed as f64 / unversioned.capacity() as f64;
    assert!(per_slot < 8.2, "{per_slot}: no generation takes memory");
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

#[test]
fn a_pool_lies_in_a_block_of_ours() {
    for count in 1..scaled(200, 4) {
        for offset in [0, 1, 4, 8, 15] {
            let bytes = Pool::<[u16; 5], Serial<[u16; 5]>>::bytes_for(count);
            let block = &mut lent(offset + bytes)[offset..];
            let range = block.as_ptr_range();
            let (requests, pool) = requests_of(|| {
                let mut pool: Pool<[u16; 5], Serial<[u16; 5]>> =
                    Pool::builder_with_key(|| [7; 5]).in_memory(block).build();
                let key = pool.insert([1; 5]);
                assert!(pool.recycle(key).is_some());
                pool.clear();
                pool.validate();
                pool
            });
            assert_eq!((requests, pool.slots().len()), (0, pool.capacity()));
            assert!(pool.capacity() >= count, "{count} values in {bytes} bytes");
            assert!(pool.slots().iter().all(|value| value == &[7; 5]));
            let ends = [pool.slots().first(), pool.slots().last()].map(Option::unwrap);
            assert!(ends.into_iter().all(|value| range.contains(&(&raw const *value).cast())));
        }
    }
    let refused = Pool::in_memory(lent(3), || 0_u64).err();
    assert!(matches!(refused, Some(TryReserveError::BlockTooSmall { .. })));
}

/// Memory that the values of a lent pool own goes with it, though the block stays.
#[test]
fn values_in_a_block_of_ours_are_dropped() {
    let before = live_bytes();
    let mut pool = Pool::in_memory(lent(4_000), || Vec::<u8>::with_capacity(100)).unwrap();
    pool.insert_with(|buffer| buffer.push(1));
    let mut copy = pool.clone();
    copy.insert_with(|buffer| buffer.push(2));
    assert_eq!(copy.capacity(), pool.capacity());
    assert!(live_bytes() > before);
    drop((pool, copy));
    assert_eq!(live_bytes(), before);
}
