//! The properties of arenas in blocks alone: the places of values, the sizes of blocks, that none moves.

use larder::{
    Handle, PagedArena, Reuse,
    key::{BareHandle, PtrHandle},
};
use larder_testing::allocator::{live_bytes, requests_of};
use larder_testing::common::{SplitMix, address, scaled, thorough};
use larder_testing::values::{Value, Wide};

/// The contents of a slot: a value and its generation.
#[repr(C)]
struct Row<T>(T, u32);

/// The values of an arena in the order of their slots, from the addresses of its blocks, where each
/// block has so many rows.
fn by_blocks<T>(arena: &PagedArena<T>, starts: &[usize], rows: usize) {
    for (key, value) in arena {
        let slot = key.slot() as usize;
        let expected = starts[slot / rows] + slot % rows * size_of::<Row<T>>();
        assert_eq!(address(value), expected, "slot {slot}");
    }
}

/// Sizes of blocks, so that there is one row, some, a power of two, a prime number of them.
const ROWS: [usize; 7] = [1, 2, 3, 7, 16, 64, 101];

#[test]
fn b35_an_element_is_found_by_its_block_and_its_place_there() {
    for rows in ROWS {
        let bytes = rows * size_of::<Row<u64>>() + 5;
        let mut arena = PagedArena::builder().block_bytes(bytes).build();
        let slots = scaled(2_000, 150);
        let keys: Vec<Handle<u64>> = arena.insert_many(0..slots as u64).collect();
        let firsts = keys.iter().step_by(rows);
        let starts: Vec<_> = firsts.map(|&key| address(&arena[key])).collect();
        by_blocks(&arena, &starts, rows);
        let other = arena.clone();
        for (number, &key) in keys.iter().enumerate() {
            assert_eq!((arena[key], arena.key_of(&arena[key])), (number as u64, Some(key)));
            assert_eq!(other.key_of(&arena[key]), None);
        }
        assert_eq!(arena.capacity(), slots.div_ceil(rows) * rows);
    }
}

/// The multiplication that stands for a division, at its edges.
#[test]
fn b35_blocks_of_every_size_hold_what_they_should() {
    let large = if cfg!(miri) { &[67][..] } else { &[4_095, 4_096, 4_097, 65_535] };
    for rows in (1..scaled(300, 6)).chain(large.iter().copied()) {
        let mut arena =
            PagedArena::<u8, BareHandle<u8>>::builder_with_key().block_bytes(rows).build();
        for blocks in [1, 2, 3] {
            arena.reserve(rows * blocks - arena.len());
            assert_eq!(arena.capacity(), rows * blocks);
            while arena.len() < arena.capacity() {
                arena.insert(arena.len() as u8);
            }
        }
        let keys = [0, rows - 1, rows, 2 * rows - 1, 2 * rows, 3 * rows - 1];
        for index in keys {
            let key = BareHandle::from_index(index as u32).expect("it is small");
            assert_eq!(arena.get(key), Some(&(index as u8)));
            assert_eq!(arena.key_of(&arena[key]), Some(key));
        }
    }
}

#[test]
fn b34_blocks_of_16_32_and_64_are_kept() {
    let mut arena = PagedArena::builder().doubling().build();
    let mut addresses = Vec::new();
    let mut capacities = Vec::new();
    for number in 0..scaled(5_000, 200) as u64 {
        let key = arena.insert(number);
        addresses.push(address(&arena[key]));
        if capacities.last() != Some(&arena.capacity()) {
            capacities.push(arena.capacity());
        }
    }
    assert_eq!(capacities[..4], [16, 16 + 32, 16 + 32 + 64, 16 + 32 + 64 + 128]);
    // Within a block the rows lie side by side.
    let stride = size_of::<Row<u64>>();
    for (slot, pair) in addresses.windows(2).enumerate() {
        let begins_block = (slot + 1 + 16).is_power_of_two();
        assert!(begins_block || pair[1] - pair[0] == stride, "slot {slot}");
    }
    assert!(arena.values().map(address).eq(addresses), "nothing moved");
}

/// The bytes of blocks, the table and the book aside.
fn bytes_of_rows<T>(arena: &PagedArena<T>) -> usize {
    arena.capacity() * size_of::<Row<T>>()
}

#[test]
fn b37_fixed_blocks_waste_at_most_one_and_doubling_ones_half() {
    let block = 16 << 10;
    let mut arena = PagedArena::new();
    let (mut wasted, mut steps) = (0.0, 0_u32);
    let mut doubling = PagedArena::builder().doubling().build();
    // The counts go up to the capacity of whole doubling blocks.
    for count in 1..=scaled(16 * 2_047, 16 * 15) {
        arena.insert([count as u64; 2]);
        let spare = bytes_of_rows(&arena) - count * size_of::<Row<[u64; 2]>>();
        assert!(spare < block, "{spare} bytes spare of {count}");
        doubling.insert([count as u64; 2]);
        let last = (count + 15).ilog2() - 4;
        let (first, rows) = ((16 << last) - 16, 16 << last);
        assert_eq!(doubling.capacity(), first + rows);
        wasted += 1.0 - (count - first) as f64 / f64::from(rows as u32);
        steps += 1;
    }
    let filled = 1.0 - wasted / f64::from(steps);
    assert!((0.49..0.53).contains(&filled), "last blocks are {filled} full");
    // The memory beside the rows: the table and the occupancy.
    let beside = arena.stats().memory.committed - bytes_of_rows(&arena);
    assert!(beside * 8 < 5 * arena.capacity() + 8 * 1024, "{beside} bytes");
}

#[test]
fn b38_addresses_are_permanent_over_growth_and_shrinking() {
    for arena in [
        PagedArena::new(),
        PagedArena::builder().block_bytes(64).build(),
        PagedArena::builder().doubling().build(),
    ] {
        let mut arena = arena;
        let keys: Vec<_> = (0..scaled(3_000, 100)).map(|n| arena.insert(n as u32)).collect();
        let kept: Vec<_> = keys.iter().copied().step_by(3).collect();
        let pointers: Vec<*const u32> = kept.iter().map(|&key| &raw const arena[key]).collect();
        arena.retain(|key, _| key.slot() % 3 == 0);
        arena.extend(0..scaled(20_000, 300) as u32);
        arena.reserve(scaled(50_000, 300));
        arena.retain(|key, _| key.slot() % 3 == 0 && (key.slot() as usize) < keys.len());
        arena.shrink_to_fit();
        for (&key, &pointer) in kept.iter().zip(&pointers) {
            assert_eq!(&raw const arena[key], pointer);
            assert_eq!(arena[key], key.slot());
        }
        arena.validate();
    }
}

/// 296 bytes, which are 300 with their generation.
type Object = [u32; 74];

#[test]
fn z4_blocks_of_pages_hold_13_27_54_and_109_of_300_bytes() {
    assert_eq!(size_of::<Row<Object>>(), 300);
    for (pages, rows) in [(1, 13), (2, 27), (4, 54), (8, 109)] {
        let mut arena = PagedArena::builder().block_bytes(pages * 4096).build();
        arena.insert([0; 74]);
        assert_eq!(arena.capacity(), rows);
    }
    let mut default = PagedArena::new();
    default.insert([0; 74]);
    assert_eq!(default.capacity(), 4, "a small first block");
    default.insert_many([[0; 74]; 4]).for_each(drop);
    assert_eq!(default.capacity(), 4 + 54);
}

/// Blocks, as slots tell of them, against the walk that knows nothing of blocks.
#[test]
fn b69_a_walk_by_blocks_is_the_whole_walk_for_all_shapes() {
    type BlockOf = fn(usize, usize) -> usize;
    let shapes = ROWS.into_iter().map(|rows| (rows, (|slot, rows| slot / rows) as BlockOf));
    let doubling: BlockOf = |slot, _| ((slot + 16).ilog2() - 4) as usize;
    for (rows, block_of) in shapes.chain([(0, doubling)]) {
        let builder = PagedArena::builder();
        let bytes = rows * size_of::<Row<u64>>();
        let builder = if rows > 0 { builder.block_bytes(bytes) } else { builder.doubling() };
        let (mut arena, mut random) = (builder.build(), SplitMix::new(69));
        assert_eq!(arena.blocks().count(), 0);
        for round in 0..thorough(30, 4) {
            arena.extend(0..random.below(scaled(1_500, 150)) as u64);
            let (kept, of) = (random.below(7), random.below(6) + 1);
            let emptied = random.below(arena.capacity() + 1);
            let emptied = emptied..emptied + random.below(scaled(400, 50));
            arena.retain(|key, _| {
                let slot = key.slot() as usize;
                slot % of < kept && !emptied.contains(&slot)
            });
            let all: Vec<_> = arena.iter().map(|(key, &number)| (key, number)).collect();
            let expected: Vec<&[_]> = all
                .chunk_by(|(one, _), (next, _)| {
                    let block = |key: &Handle<u64>| block_of(key.slot() as usize, rows);
                    block(one) == block(next)
                })
                .collect();
            let found: Vec<Vec<_>> = arena
                .blocks()
                .map(|block| block.map(|(key, &number)| (key, number)).collect())
                .collect();
            assert_eq!(found, expected, "round {round} with blocks of {rows}");
            // Blocks have their length, and can be read backwards.
            assert!(arena.blocks().map(|block| block.len()).eq(expected.iter().map(|it| it.len())));
            let back = arena.blocks().flat_map(|block| block.rev().map(|(key, _)| key));
            assert!(back.eq(expected.iter().flat_map(|it| it.iter().rev().map(|pair| pair.0))));
            let (least, most) = arena.blocks().size_hint();
            assert!(least <= found.len() && most.is_some_and(|most| found.len() <= most));
            // All of them may be lent at once.
            let mut blocks: Vec<_> = arena.blocks_mut().collect();
            for (number, block) in blocks.iter_mut().enumerate().rev() {
                block.for_each(|(_, value)| *value = number as u64);
            }
            let numbers = expected.iter().enumerate();
            let numbers = numbers.flat_map(|(number, it)| it.iter().map(move |_| number as u64));
            assert!(arena.values().copied().eq(numbers));
        }
    }
}

// Memory.

#[test]
fn growing_allocates_blocks_and_frees_them_from_the_end() {
    let before = live_bytes();
    let mut arena = PagedArena::builder().block_bytes(1024).build();
    let keys: Vec<_> = arena.insert_many(0..scaled(10_000, 400) as u32).collect();
    assert_eq!(
        arena.stats().memory.committed as isize + size_of_val(&keys[..]) as isize,
        live_bytes() - before
    );
    for &key in &keys[200..] {
        arena.remove(key);
    }
    arena.shrink_to_fit();
    assert_eq!(arena.capacity(), 200);
    let (requests, ()) = requests_of(|| arena.extend(0..56));
    assert_eq!((requests, arena.capacity()), (0, 256), "the block had room");
    arena.clear();
    arena.shrink_to_fit();
    assert_eq!((arena.capacity(), arena.stats().memory.committed), (0, 0));
    drop((arena, keys));
    assert_eq!(live_bytes(), before);
}

#[test]
fn a_fixed_one_has_all_blocks_at_once_and_is_full() {
    let slots = scaled(1_000, 40);
    let build = || PagedArena::<u32>::builder().block_bytes(64).reuse(Reuse::Fifo).fixed(slots);
    let mut arena = build().build();
    let (requests, ()) = requests_of(|| {
        for number in 0..slots as u32 {
            arena.insert(number);
        }
        assert!(arena.try_insert(0).is_err());
        arena.retain(|key, _| key.slot() % 2 == 0);
        let key = arena.keys().next().expect("half is left");
        assert!(arena.detach(key).is_some());
        arena.shrink_to_fit();
    });
    assert_eq!((requests, arena.capacity()), (0, slots));
    assert_eq!(PagedArena::<u64>::builder().fixed_bytes(80).build().capacity(), 10);
}

/// Blocks are found by their addresses in the order of these; what is freed is found no more.
#[test]
fn pointers_find_the_blocks_that_are_left() {
    const ROWS: usize = 32;
    let mut arena = PagedArena::builder().block_bytes(ROWS * size_of::<Row<u64>>()).build();
    // Memory that is given back between them has some blocks lie below earlier ones.
    let mut spare: Vec<Vec<Row<u64>>> = (0..6).map(|_| Vec::with_capacity(ROWS)).collect();
    let mut keys: Vec<Handle<u64>> = arena.insert_many(0..ROWS as u64).collect();
    while spare.pop().is_some() {
        keys.extend(arena.insert_many(0..ROWS as u64));
    }
    let pointers: Vec<_> = keys.iter().map(|&key| PtrHandle::of(&arena, key).unwrap()).collect();
    for left in (1..=keys.len() / ROWS).rev() {
        for &key in &keys[left * ROWS..] {
            arena.remove(key);
        }
        arena.shrink_to_fit();
        for (slot, pointer) in pointers.iter().enumerate() {
            assert_eq!(
                pointer.get(&arena).is_some(),
                slot < left * ROWS,
                "{left} blocks, slot {slot}"
            );
        }
    }
}

/// The tables that lead to blocks double, and so does the book.
#[test]
fn many_blocks_take_few_requests_beside_their_own() {
    let mut arena = PagedArena::builder().block_bytes(8 * size_of::<Row<u64>>()).build();
    let blocks = scaled(4_000, 500);
    let (requests, ()) = requests_of(|| {
        for number in 0..8 * blocks as u64 {
            arena.insert(number);
        }
    });
    assert!((blocks..blocks + 100).contains(&requests), "{requests} requests for {blocks} blocks");
}

/// Whatever the blocks are, which are not counted for more slots than there can be.
#[test]
fn more_slots_than_there_can_be_are_an_error() {
    for builder in [PagedArena::builder(), PagedArena::builder().doubling()] {
        let mut arena = builder.build();
        arena.insert(7_u64);
        for additional in [usize::MAX, usize::MAX - 1, usize::MAX - 16, isize::MAX as usize] {
            let refused = arena.try_reserve(additional);
            assert!(matches!(refused, Err(larder::TryReserveError::CapacityOverflow { .. })));
        }
        arena.validate();
        assert!(arena.values().eq(&[7]));
    }
    // A block that no address space has room for.
    let mut arena = PagedArena::<[u8; 1 << 31]>::builder().block_bytes(usize::MAX).build();
    let refused = arena.try_reserve(1);
    assert!(matches!(refused, Err(larder::TryReserveError::CapacityOverflow { .. })));
    assert_eq!((arena.capacity(), arena.len()), (0, 0));
    arena.validate();
}

#[test]
fn a_value_larger_than_a_block_has_one_of_its_own() {
    let mut arena = PagedArena::builder().block_bytes(1).build();
    let keys: Vec<_> = (0..5).map(|id| arena.insert(Wide::make(id))).collect();
    assert_eq!(arena.capacity(), 5);
    for (id, &key) in keys.iter().enumerate() {
        assert_eq!(arena[key].id(), id as u32);
        assert_eq!(address(&arena[key]) % align_of::<Wide>(), 0);
    }
}

#[test]
fn stale_handles_name_the_container_and_the_line() {
    let mut arena = PagedArena::new();
    let key = arena.insert(1_u32);
    arena.remove(key);
    let panic = larder_testing::caught::panic_of(|| arena[key]);
    assert!(panic.message.starts_with("PagedArena<u32"), "{}", panic.message);
    assert!(panic.message.contains("0v1 is stale: slot 0 is free"), "{}", panic.message);
    assert!(panic.file.ends_with("paged.rs"));
    let full = PagedArena::<u8>::builder().fixed(0).build();
    let panic = larder_testing::caught::panic_of(|| full.clone().insert(1));
    assert!(panic.message.contains("full"), "{}", panic.message);
}

/// Blocks of so many strings.
fn tiny(rows: usize) -> PagedArena<String> {
    PagedArena::builder().block_bytes(rows * (size_of::<String>() + align_of::<String>())).build()
}

#[test]
fn b33_inserters_add_blocks_while_references_are_held() {
    let mut arena = tiny(3);
    let old = arena.insert(String::from("old"));
    let inserter = arena.inserter();
    let mut lent = vec![(old, inserter.get(old).unwrap())];
    for number in 0..scaled(1_000, 40) {
        lent.push(inserter.insert(number.to_string()));
    }
    let (outer, _) = inserter.insert_with_key(|_| {
        inserter.insert(String::from("inner"));
        String::from("outer")
    });
    assert!(
        lent.iter().skip(1).enumerate().all(|(number, (_, text))| **text == number.to_string())
    );
    let places: Vec<_> = lent.into_iter().map(|(key, text)| (key, address(text))).collect();
    arena.validate();
    assert!(places.into_iter().all(|(key, place)| address(&arena[key]) == place));
    assert_eq!(arena[outer], "outer");
}

#[test]
#[cfg(target_has_atomic = "ptr")]
fn b33_many_threads_insert_into_blocks() {
    const EACH: usize = scaled(2_000, 20);
    let mut arena = tiny(3);
    arena.insert(String::new());
    let inserter = arena.shared_inserter(4 * EACH).unwrap();
    let keys: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let inserter = &inserter;
                let insert = move |number| inserter.insert(format!("{thread}.{number}")).0;
                scope.spawn(move || (0..EACH).map(insert).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    drop(inserter);
    arena.validate();
    assert_eq!(arena.len(), 4 * EACH + 1);
    for (thread, keys) in keys.iter().enumerate() {
        for (number, key) in keys.iter().enumerate() {
            assert_eq!(arena[*key], format!("{thread}.{number}"));
        }
    }
}

/// In an empty block lie the generations of its slots, so only those at the end are given back; what is before
/// the last value goes when that moves down.
#[test]
fn empty_blocks_before_the_last_value_stay_until_it_is_moved() {
    const ROWS: usize = (16 << 10) / size_of::<Row<[u8; 160]>>();
    const BLOCK: usize = ROWS * size_of::<Row<[u8; 160]>>();
    const BLOCKS: usize = scaled(1_000, 6);
    let before = live_bytes();
    let mut arena = PagedArena::builder().block_bytes(16 << 10).build();
    let keys: Vec<Handle<[u8; 160]>> =
        arena.insert_many((0..BLOCKS * ROWS).map(|_| [7; 160])).collect();
    let outside = (keys.capacity() * size_of::<Handle<[u8; 160]>>()) as isize;
    let blocks = |arena: &PagedArena<[u8; 160]>| {
        let bytes = (live_bytes() - before - outside) as usize;
        (arena.capacity().div_ceil(ROWS), bytes / BLOCK)
    };
    let kept = [0, BLOCKS / 2 * ROWS];
    arena.retain(|key, _| kept.contains(&(key.slot() as usize)));
    arena.shrink_to_fit();
    let (up_to_the_last, bytes) = blocks(&arena);
    assert_eq!(up_to_the_last, BLOCKS / 2 + 1);
    // (The table and the book take a hundredth of what the blocks do.)
    assert!((up_to_the_last..=up_to_the_last * 51 / 50 + 1).contains(&bytes), "{bytes}");
    assert_eq!(keys.iter().filter(|key| arena.contains_key(**key)).count(), 2);
    arena.compact(|_, _, _| {});
    let (rest, bytes) = blocks(&arena);
    assert!(rest == 1 && bytes <= 3, "{rest} blocks, {bytes} times their bytes");
    assert_eq!(arena.len(), 2);
}
