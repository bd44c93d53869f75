//! The caller's own memory: what fits, what is missing, and that nothing else is used. (That lent
//! containers do what the model does is in `history`.)

use core::mem::MaybeUninit;
use larder::{
    Arena, DenseArena, Handle, Handle32, Reuse, TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::{lent, requests_of};
use larder_testing::both::test_both;
use larder_testing::caught::panic_of;
use larder_testing::common::{REUSE_ORDERS, address, for_both, scaled};
use larder_testing::values::{Unit, Wide};

const COUNTS: core::ops::Range<usize> = 1..scaled(200, 4);

/// Checks, for a container and a key, that what was said to fit fits, wherever the block begins.
macro_rules! fits {
    ($Container:ident<$T:ty, $K:ty>, $value:expr) => {
        for count in COUNTS {
            for offset in [0, 1, 4, 8, 15] {
                let bytes = $Container::<$T, $K>::bytes_for(count);
                let block = &mut lent(offset + bytes)[offset..];
                let range = block.as_ptr_range();
                let mut arena = $Container::<$T, $K>::builder_with_key().in_memory(block).build();
                assert!(arena.capacity() >= count, "{count} values in {bytes} bytes");
                for _ in 0..arena.capacity() {
                    let key = arena.insert($value);
                    let value = (&raw const arena[key]).cast::<MaybeUninit<u8>>();
                    assert!(size_of::<$T>() == 0 || range.contains(&value));
                }
                assert!(arena.try_insert($value).is_err());
                arena.validate();
            }
        }
    };
}

test_both!(b8_bytes_for_is_enough_wherever_the_block_begins, Container => {
    fits!(Container<u8, Handle<u8>>, 1);
    fits!(Container<[u16; 5], Serial<[u16; 5]>>, [1; 5]);
    fits!(Container<u64, BareHandle<u64>>, 1);
    fits!(Container<String, Handle32<String>>, String::new());
    fits!(Container<Unit, BareHandle<Unit>>, larder_testing::values::Value::make(1));
    fits!(Container<Wide, Handle<Wide>>, larder_testing::values::Value::make(1));
});

test_both!(what_is_missing_is_exact, Container => {
    for offset in 0..9 {
        let missing = |bytes: usize| {
            match Container::<u64>::in_memory(&mut lent(offset + bytes)[offset..]) {
                Err(TryReserveError::BlockTooSmall { missing }) => missing,
                other => panic!("{other:?} in {bytes} bytes"),
            }
        };
        let needed = missing(0);
        assert!(needed <= Container::<u64>::bytes_for(1));
        assert_eq!((missing(needed - 1), missing(7)), (1, needed - 7));
        let enough = &mut lent(offset + needed)[offset..];
        assert_eq!(Container::<u64>::in_memory(enough).unwrap().capacity(), 1);
    }
    let refused = Container::<u64>::in_memory(lent(3)).unwrap_err().to_string();
    assert!(refused.contains("one value needs") && refused.contains("bytes more"), "{refused}");
});

test_both!(c1_e3_nothing_is_allocated_ever, Container => {
    let block = lent(Container::<String>::bytes_for(100));
    let text = || String::new();
    let (requests, arena) = requests_of(|| {
        let mut arena = Container::in_memory(block).unwrap();
        let keys: [Handle<String>; 100] = core::array::from_fn(|_| arena.insert(text()));
        assert!(arena.detach(keys[3]).is_some() && arena.discard_detached(keys[3]));
        assert!(arena.detach(keys[4]).is_some() && arena.reattach(keys[4], text()).is_ok());
        arena.retain(|key, _| key.slot() % 3 == 0);
        arena.shrink_to_fit();
        arena.extend((0..50).map(|_| text()));
        arena.clear();
        arena.extend((0..100).map(|_| text()));
        arena
    });
    assert_eq!((requests, arena.len()), (0, 100));
    let full = arena.capacity();
    assert!(full >= 100);
});

// The links of other orders lie in the block, too.
test_both!(c1_e3_no_order_of_free_slots_allocates, Container => {
    for reuse in REUSE_ORDERS {
        let block = lent(2 * Container::<u32>::bytes_for(200));
        let (requests, arena) = requests_of(|| {
            let mut arena: Container<u32> = Container::builder().reuse(reuse).in_memory(block).build();
            arena.extend(0..200);
            arena.retain(|_, value| *value % 3 == 0);
            arena.extend(0..100);
            arena
        });
        assert_eq!((requests, arena.len()), (0, 167), "{reuse:?}");
        arena.validate();
    }
});

test_both!(full_and_used_again, Container => {
    const BYTES: usize = Container::<&str>::bytes_for(2);
    let mut arena = Container::in_memory(lent(BYTES)).unwrap();
    assert_eq!((arena.capacity(), arena.len()), (2, 0));
    let (a, _) = (arena.insert("a"), arena.insert("b"));
    let refused = arena.try_insert("c").unwrap_err();
    assert_eq!((refused.value, refused.reason), ("c", TryReserveError::Full { capacity: 2 }));
    assert!(panic_of(|| arena.insert("c")).message.contains("room for 2 values"));
    assert_eq!(arena.try_reserve(1), Err(TryReserveError::Full { capacity: 2 }));
    arena.remove(a);
    let c = arena.insert("c");
    assert_eq!((arena.get(a), arena[c]), (None, "c"));
});

test_both!(slots_are_retired_without_memory, Container => {
    type Few = Handle32<u8, 30>;
    let block = lent(Container::<u8, Few>::bytes_for(3));
    let (requests, arena) = requests_of(|| {
        let mut arena: Container<u8, Few> =
            Container::builder_with_key().in_memory(block).build();
        while let Ok(key) = arena.try_insert(1) {
            arena.remove(key);
        }
        arena
    });
    assert_eq!((requests, arena.capacity(), arena.capacity() - arena.len()), (0, 0, 0));
    assert!(arena.stats().retired >= 3);
});

test_both!(a_clone_lies_on_the_heap_and_is_as_large, Container => {
    let mut arena = Container::in_memory(lent(Container::<String>::bytes_for(70))).unwrap();
    let keys: Vec<_> = (0..70).map(|number| arena.insert(number.to_string())).collect();
    arena.remove(keys[69]);
    let copy = arena.clone();
    copy.validate();
    assert_eq!((&copy, copy.capacity()), (&arena, arena.capacity()));
    arena.clear();
    arena.clone_from(&copy);
    arena.validate();
    assert_eq!((arena.len(), arena[keys[68]].as_str()), (69, "68"));
    let mut other = Container::in_memory(lent(Container::<String>::bytes_for(1))).unwrap();
    other.clone_from(&arena);
    assert_eq!(other, arena);
});

test_both!(many_values, Container => {
    let count = scaled(300_000, 200);
    let mut arena = Container::in_memory(lent(Container::<u32>::bytes_for(count))).unwrap();
    arena.extend(0..count as u32);
    arena.retain(|_, value| *value % 7 == 0);
    let holes = arena.capacity() - arena.len();
    arena.extend(0..holes as u32);
    assert_eq!((arena.len(), arena.capacity() - arena.len()), (arena.capacity(), 0));
    assert!(arena.stats().memory.committed <= Container::<u32>::bytes_for(arena.capacity()));
    arena.validate();
});

#[test]
fn b33_b38_addresses_in_an_arena_are_permanent() {
    let mut arena = Arena::in_memory(lent(Arena::<u64>::bytes_for(100))).unwrap();
    let first = arena.insert(0);
    let at = address(&arena[first]);
    arena.extend(1..100);
    assert_eq!(address(&arena[first]), at);
}

#[test]
fn c1_a_block_for_each_of_several_containers() {
    let (block, rest) = lent(10_000).split_at_mut(4_000);
    let mut arena = Arena::in_memory(block).unwrap();
    let mut dense: DenseArena<u16> =
        DenseArena::builder().in_memory(rest).reuse(Reuse::Fifo).build();
    arena.extend(0..100_u32);
    dense.extend(0..100);
    assert!(arena.values().sum::<u32>() == 4_950 && dense.values().sum::<u16>() == 4_950);
}

#[test]
fn no_block_is_so_large() {
    for_both!(Container => {
        assert_eq!(Container::<u64>::bytes_for(usize::MAX), usize::MAX);
        assert_eq!(Container::<u64>::bytes_for(usize::MAX / 8), usize::MAX);
        assert!(Container::<u64>::bytes_for(0) < 64);
    });
}

// A copy over an arena is what a clone is, also in whether it may grow, whatever was there before.
test_both!(a_copy_over_an_arena_is_of_the_kind_of_its_source, Container => {
    let lent_one = || {
        let block = lent(Container::<u32>::bytes_for(10));
        Container::builder().in_memory(block).build()
    };
    let mut growing: Container<u32> = lent_one();
    growing.clone_from(&(0..3).collect());
    growing.extend(0..1_000);
    assert_eq!(growing.len(), 1_003);
    growing.validate();

    let original: Container<u32> = lent_one();
    for mut fixed in [original.clone(), Container::from_iter([7]), lent_one()] {
        fixed.clone_from(&original);
        assert_eq!((fixed.len(), fixed.capacity()), (0, original.capacity()));
        fixed.extend(0..original.capacity() as u32);
        assert!(fixed.try_insert(0).is_err());
        fixed.validate();
    }
});

// Nor does another order of reuse take memory from elsewhere.
test_both!(c1_each_order_of_reuse_has_its_list_in_the_block, Container => {
    for reuse in REUSE_ORDERS {
        let block = lent(20_000);
        let (requests, mut arena) = requests_of(|| {
            let mut arena: Container<u32> = Container::builder().in_memory(block).reuse(reuse).build();
            arena.extend(0..500);
            arena.retain(|_, value| *value % 3 == 0);
            arena.extend(0..300);
            arena
        });
        assert_eq!((requests, arena.len()), (0, 467), "{reuse:?}");
        arena.validate();
        arena.clear();
    }
});
