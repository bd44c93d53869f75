//! The use of memory: the numbers add up, and are those that the allocator gave.

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, PagedArena, Pool, Reuse,
    SecondaryMap, SoaArena,
    containers::MemoryUsage,
    key::{BareHandle, Serial},
    maps::SparseSecondaryMap,
    trees::{Buckets, IntrusiveList, KeyList, Links, Tree},
};
use larder_testing::allocator::{live_bytes, requests_of, resized_bytes_of};
use larder_testing::both::test_both;
use larder_testing::common::REUSE_ORDERS;
use larder_testing::fields::{Lanes8, Plain};
use larder_testing::subject::{self, Config, Memory};
use larder_testing::values::Value;

/// Returns the bytes that `make` allocated and still holds, and its result.
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

/// The reported bytes are those that are held: there are values, holes, and a detached slot.
fn usage_of<S: subject::Subject>() {
    let size = |subject: &S| {
        let usage = subject.stats().memory;
        adds_up(usage);
        usage
    };
    for reuse in [Reuse::Packed, Reuse::Fifo] {
        let (bytes, mut subject) = held(|| {
            let mut subject = S::build(Config::new(reuse, None));
            subject.extend((0..1_000).map(S::Value::make));
            subject
        });
        let usage = size(&subject);
        assert_eq!([usage.committed, usage.reserved], [bytes; 2]);
        let value = usage.values / 1_000;
        assert!(value > 0 && usage.values == 1_000 * value);
        let keys: Vec<_> = subject.keys().collect();
        keys.iter().skip(250).for_each(|&key| assert!(subject.remove(key).is_some()));
        let usage = size(&subject);
        // Packed values leave room when they go, where others leave holes.
        let left = if S::DENSE { usage.unused + usage.holes } else { usage.holes };
        assert!(usage.values == 250 * value && left >= 750 * value, "{usage:?}");
        assert_eq!(usage.committed, bytes);
        assert!(subject.detach(keys[0]).is_some());
        assert_eq!(size(&subject).values, 249 * value, "a detached slot has no value");
        subject.clear();
        subject.shrink_to_fit();
        assert!(size(&subject).committed < bytes / 8, "{:?}", size(&subject));
    }
    let fixed = S::build(Config::new(Reuse::Packed, Some(100)));
    assert_eq!(size(&fixed).values, 0);
    if !S::PAGED {
        const MANY: usize = 1_000_000;
        let mut reserved = S::build(Config::within(Memory::Reserved, Reuse::Packed, MANY));
        reserved.extend((0..100).map(S::Value::make));
        let usage = size(&reserved);
        assert!(usage.reserved >= MANY * usage.values / 100, "{usage:?}");
        assert!(cfg!(miri) || usage.committed < 1 << 20, "{usage:?}");
    }
}

#[test]
fn b37_usage_is_what_was_allocated() {
    usage_of::<Arena<u32>>();
    usage_of::<PagedArena<u32>>();
    usage_of::<DenseArena<u32>>();
    usage_of::<Pool<u32>>();
    usage_of::<SoaArena<Plain>>();
    usage_of::<SoaArena<Lanes8>>();
    usage_of::<DenseSoaArena<Plain>>();
    usage_of::<DenseSoaArena<Lanes8>>();
}

test_both!(usage_of_reserved_memory_tells_addresses_from_memory, Container => {
    let mut arena = Container::reserved(1_000_000);
    assert!(cfg!(miri) || arena.stats().memory.committed < 256, "addresses only");
    arena.extend(0..100_u64);
    let usage = arena.stats().memory;
    adds_up(usage);
    assert!(usage.reserved >= 8_000_000 && usage.committed < 1 << 20 && usage.values == 800);
    // (A pool, and a slot of it is a value and its generation.)
    let usage = Pool::reserved(1_000_000, || 0_u64).stats().memory;
    adds_up(usage);
    assert!((12_000_000..12_000_000 + (2 << 20)).contains(&usage.reserved), "{usage:?}");
});

/// Settings that rarely matter must not be stored in every container.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_container_itself_is_small() {
    type Rows = [u64; 9];
    assert_eq!([size_of::<Arena<u64>>(), size_of::<Arena<Rows, Handle32<()>>>()], [72; 2]);
    assert_eq!(size_of::<Arena<u64, BareHandle<()>>>(), 72);
    // (What it remembers of generations has 8 bytes.)
    assert_eq!(size_of::<Arena<u64, Serial<()>>>(), 80);
    assert!(size_of::<SoaArena<(u64,)>>() <= 120 && size_of::<Pool<u64>>() <= 136);
    assert!(size_of::<PagedArena<u64>>() <= 136);
    assert_eq!([size_of::<DenseArena<u64>>(), size_of::<DenseSoaArena<(u64,)>>()], [112, 128]);
    type Key = Handle<u64>;
    assert_eq!(size_of::<SecondaryMap<Key, u64>>(), 88);
    assert!(size_of::<SparseSecondaryMap<Key, u64>>() <= 56);
    assert_eq!([size_of::<Tree<Key>>(), size_of::<KeyList<Key>>()], [80, 96]);
    assert_eq!([size_of::<Links<Key>>(), size_of::<IntrusiveList<Key>>()], [32, 16]);
    // None of them takes more for being absent.
    assert_eq!([size_of::<Option<Arena<u64>>>(), size_of::<Option<DenseArena<u64>>>()], [72, 112]);
    assert_eq!(size_of::<Option<PagedArena<u64>>>(), size_of::<PagedArena<u64>>());
}

/// The bytes that three small values take beside the container itself, and one that is kept for a removed one.
#[test]
#[cfg(target_pointer_width = "64")]
fn few_values_take_little_memory() {
    macro_rules! of_three {
        ($make:expr) => {{
            let (bytes, mut container) = held(|| {
                let mut container = $make;
                container.extend([1_u32, 2, 3]);
                container
            });
            assert_eq!(container.stats().memory.committed, bytes);
            let key = container.keys().next().expect("it has three");
            container.remove(key);
            container.insert(4);
            assert_eq!(container.stats().memory.committed, bytes, "removal needs no memory");
            bytes
        }};
    }

    // The rows of four, and of their book the hand, the word and its summaries.
    assert_eq!(of_three!(Arena::<u32>::new()), 4 * 8 + 72);
    assert!(of_three!(PagedArena::<u32>::new()) <= 4 * 8 + 180);
    assert!(of_three!(DenseArena::<u32>::new()) <= 8 * (4 + 8 + 4) + 120);
}

/// The bytes that three objects take in structures beside their container: links of four, of which one is never used, and eight
/// places by slot. Buckets have pieces of 64 keys, and room for one piece more than they use.
#[test]
#[cfg(target_pointer_width = "64")]
fn few_objects_take_little_memory_beside_their_container() {
    type Key = Handle<u32>;
    let objects = Arena::from_iter([1_u32, 2, 3]);
    let keys: Vec<Key> = objects.keys().collect();
    let (in_tree, tree) = held(|| {
        let mut tree = Tree::<Key>::new();
        keys[1..].iter().for_each(|&key| tree.append(&objects, keys[0], key).expect("it is live"));
        tree
    });
    let (in_list, list) = held(|| {
        let mut list = KeyList::<Key>::new();
        keys.iter().for_each(|&key| list.push_back(&objects, key).expect("it is live"));
        list
    });
    let (in_buckets, buckets) = held(|| {
        let mut buckets = Buckets::<Key, 4>::new();
        keys.iter().for_each(|&key| buckets.set(&objects, key, 1).expect("it is live"));
        buckets
    });
    let said = [tree.stats().memory, list.stats().memory, buckets.stats().memory];
    assert_eq!(said.map(|usage| usage.committed), [in_tree, in_list, in_buckets]);
    assert_eq!([in_tree, in_list], [4 * 24 + 8 * 4, 4 * 16 + 8 * 4]);
    assert!(in_buckets <= 2 * 64 * 8 + 4 * 24 + 8 * 4, "{in_buckets} bytes");
}

#[test]
fn usage_of_maps_is_what_was_allocated() {
    macro_rules! usage_of_a_map {
        ($Map:ident) => {
            let keys: Vec<Handle<()>> = Arena::from_iter([(); 1_000]).keys().collect();
            let (bytes, mut map) = held(|| {
                let mut map: $Map<Handle<()>, u64> = $Map::new();
                keys.iter()
                    .zip(0..)
                    .for_each(|(&key, value)| assert!(map.insert(key, value).is_none()));
                map
            });
            let usage = map.stats().memory;
            adds_up(usage);
            assert_eq!((usage.values, usage.committed), (1_000 * 8, bytes));
            map.retain(|_, value| *value % 4 == 0);
            adds_up(map.stats().memory);
            assert_eq!(map.stats().memory.values, 250 * 8);
        };
    }
    usage_of_a_map!(SecondaryMap);
    usage_of_a_map!(SparseSecondaryMap);
}

#[test]
fn values_without_a_size_take_none() {
    let mut arena = Arena::new();
    arena.extend([(); 100]);
    let usage = arena.stats().memory;
    adds_up(usage);
    assert_eq!((usage.values, usage.holes), (0, 0));
    let mut dense: DenseArena<(), BareHandle<()>> = DenseArena::with_key();
    dense.extend([(); 100]);
    adds_up(dense.stats().memory);
}

#[test]
fn b7_an_empty_container_of_any_kind_asks_for_nothing() {
    macro_rules! asks_for_nothing {
        ($($container:expr),* $(,)?) => {$(
            let (requests, container) = requests_of(|| $container);
            assert_eq!((requests, container.stats().memory), (0, MemoryUsage::default()));
        )*};
    }
    asks_for_nothing![
        Arena::<String>::new(),
        Arena::<String>::fixed(0),
        Arena::<String>::builder().reuse(Reuse::Fifo).build(),
        DenseArena::<String>::new(),
        PagedArena::<String>::new(),
        Pool::new(String::new),
        SoaArena::<Plain>::new(),
        DenseSoaArena::<Plain>::new(),
        SoaArena::<Lanes8>::new(),
        SecondaryMap::<Handle<()>, String>::new(),
        SparseSecondaryMap::<Handle<()>, String>::new(),
    ];
}

#[test]
fn b7_a_thousand_values_take_a_handful_of_allocations() {
    let requests_for = |fill: &dyn Fn()| requests_of(fill).0;
    let values = || (0..1_000_u64).filter(|_| true); // an iterator that does not say how many
    assert!(requests_for(&|| drop(Arena::from_iter(values()))) <= 2 * 9);
    assert!(requests_for(&|| drop(DenseArena::from_iter(values()))) <= 4 * 8);
    let (arena, dense) = (Arena::from_iter(values()), DenseArena::from_iter(values()));
    assert!(
        requests_for(&|| drop(arena.clone())) <= 4 && requests_for(&|| drop(dense.clone())) <= 4
    );
    assert!(requests_for(&|| drop(DenseArena::<u64>::with_capacity(100_000))) <= 4);
    assert!(requests_for(&|| Pool::new(|| 0).extend(values())) <= 3 * 9);
    // Rows and book are one block, up to 1,024 slots.
    let of = |count| requests_for(&|| drop(Arena::from_iter((0..count).filter(|_| true))));
    assert_eq!([of(10), of(100), of(1_000)], [2, 4, 7]);
    // After a small block, one of 16 KiB has 1,024 of them.
    assert!(requests_for(&|| drop(PagedArena::from_iter(values()))) <= 8);
    assert_eq!(requests_for(&|| drop(Box::new(InlineArena::<_, 1_000>::from_iter(values())))), 1);
    let fixed = requests_for(&|| Arena::fixed(1_000).extend(values()));
    assert!(fixed <= 3, "{fixed}");
}

/// The values that fit into so many bytes with everything do fit; nothing is allocated later.
fn fits_within<C: Extend<u8>>(
    within: impl Fn(usize, Reuse) -> C,
    fixed: impl Fn(usize, Reuse) -> C,
    capacity: impl Fn(&C) -> usize,
) {
    for reuse in REUSE_ORDERS {
        for bytes in [600, 1_000, 4_096, 100_000] {
            let (taken, mut container) = held(|| within(bytes, reuse));
            let count = capacity(&container);
            assert!(count > 0 && taken <= bytes, "{reuse:?}: {count} values in {taken} of {bytes}");
            // (Arrays in pieces of their own need no padding between them: so a few more may fit.)
            let (more, _) = held(|| fixed(count + 8, reuse));
            assert!(more > bytes, "{reuse:?}: {more} bytes hold {count} and eight more");
            let (requests, ()) = requests_of(|| container.extend((0..count).map(|_| 7)));
            assert_eq!((requests, capacity(&container)), (0, count));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "the blocks of its allocator are of other sizes")]
fn a_container_fits_within_its_bytes() {
    macro_rules! fits {
        ($($container:ident<$key:ty>;)*) => {$(
            fits_within(
                |bytes, reuse| {
                    $container::<u8, $key>::builder_with_key().reuse(reuse).fixed_within(bytes).build()
                },
                |count, reuse| {
                    $container::<u8, $key>::builder_with_key().reuse(reuse).fixed(count).build()
                },
                $container::capacity,
            );
        )*};
    }
    fits! {
        Arena<Handle<u8>>;
        Arena<Handle32<u8>>;
        Arena<BareHandle<u8>>;
        DenseArena<Handle<u8>>;
        DenseArena<Serial<u8>>;
        SoaArena<Handle32<u8, 25>>;
        DenseSoaArena<Handle<u8>>;
    }
    fits_within(
        |bytes, reuse| Pool::builder(|| 1).reuse(reuse).fixed_within(bytes).build(),
        |count, reuse| Pool::builder(|| 1).reuse(reuse).fixed(count).build(),
        Pool::capacity,
    );
    // Whole blocks, with their tables and the book; a block more would not fit.
    for bytes in [100, 1_000, 4_200, 100_000, 1_000_003] {
        for builder in [
            || PagedArena::<u16>::builder().block_bytes(256),
            || PagedArena::<u16>::builder().doubling(),
            || PagedArena::<u16>::builder().block_bytes(256).reuse(Reuse::Fifo),
        ] {
            let (requests, mut arena) = held(|| builder().fixed_within(bytes).build());
            let committed = |arena: &PagedArena<u16>| arena.stats().memory.committed;
            assert!(committed(&arena) <= bytes && requests <= bytes, "{requests} of {bytes}");
            let count = arena.capacity();
            arena.extend((0..count).map(|_| 7));
            assert!(arena.try_insert(8).is_err());
            assert!(committed(&builder().fixed(count + 1).build()) > bytes);
        }
    }
    // Values without a size need room, too: for what tells them apart.
    let units: Arena<()> = Arena::builder().fixed_within(1_000).build();
    assert!((150..250).contains(&units.capacity()), "{}", units.capacity());
    assert_eq!(Arena::<u64>::builder().fixed_within(3).build().capacity(), 0);
}

/// The occupancy bits of a small arena lie behind its values.
#[test]
fn small_arenas_are_one_block() {
    for capacity in [1, 100, 1_000] {
        let (requests, arena) = requests_of(|| Arena::<u64>::with_capacity(capacity));
        assert_eq!((requests, arena.capacity()), (1, capacity));
        type Units = Arena<(), BareHandle<()>>; // nothing but occupancy bits
        let (requests, arena) = requests_of(|| Units::with_capacity_and_key(capacity));
        assert_eq!((requests, arena.capacity()), (1, capacity));
    }
}

/// Returns the bytes that the allocator is asked to make larger or smaller, for an arena whose capacity changes so.
fn resized(huge: bool, from: usize, to: usize) -> usize {
    let mut arena = DenseArena::<[u64; 8]>::builder().huge_pages(huge).capacity(from).build();
    resized_bytes_of(|| if to > from { arena.reserve(to) } else { arena.shrink_to(to) })
}

#[test]
fn blocks_that_change_their_size_are_left_to_the_allocator() {
    const LARGE: usize = 100_000; // 6.4 MB of values
    for (from, to) in [(1_000, 2_000), (1_000, 500), (LARGE, LARGE / 2)] {
        for huge in [false, true] {
            assert!(resized(huge, from, to) >= from * 64, "{from} to {to}, huge: {huge}");
        }
    }
    assert!(resized(false, LARGE, 2 * LARGE) >= LARGE * 64, "without huge pages");
}

/// Moving huge pages takes longer than touching new ones does.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn blocks_of_huge_pages_that_grow_are_copied() {
    if std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        assert!(resized(true, 100_000, 200_000) < 4 << 20);
    }
}

/// Rooms in numbers of slots: a full container has none left, one without values has nothing else.
#[test]
fn what_is_not_used_is_counted_exactly() {
    macro_rules! counted {
        ($($container:expr, $slot:expr;)*) => {$(
            let mut values = $container;
            let (capacity, usage) = (values.capacity(), values.stats().memory);
            assert_eq!((capacity, usage.unused), (96, 96 * $slot));
            (0..50).for_each(|number| _ = values.insert(number));
            assert_eq!(values.stats().memory.unused, 46 * $slot);
            (50..96).for_each(|number| _ = values.insert(number));
            let usage = values.stats().memory;
            assert_eq!((usage.unused, usage.values), (0, 96 * 8));
            adds_up(usage);
        )*};
    }
    counted! {
        Arena::<u64>::fixed(96), size_of::<(u64, u32)>();
        Pool::fixed(96, || 0_u64), 8 + 4;
        Pool::<u64, BareHandle<u64>>::builder_with_key(|| 0).fixed(96).build(), 8;
        SoaArena::<u64>::fixed(96), 8 + 4;
        DenseArena::<u64>::fixed(96), 8 + 8 + 4;
        DenseArena::<u64, BareHandle<u64>>::builder_with_key().fixed(96).build(), 8 + 4 + 4;
        DenseSoaArena::<u64>::fixed(96), 8 + 8 + 4;
    }
}

/// Small values come by several at first, so that growing is rare; large ones one by one, so that none is wasted.
#[test]
fn the_first_room_is_for_some_small_values_or_for_one_large_one() {
    macro_rules! first_room {
        ($Container:ident, $($bytes:literal: $room:expr),*) => {
            $(
                let mut values = $Container::<[u8; $bytes]>::new();
                values.insert([1; $bytes]);
                assert_eq!(values.capacity(), $room, "of {} bytes", $bytes);
            )*
        };
    }
    first_room!(Arena, 8: 4, 250: 4, 300: 4, 1_000: 4, 1_100: 1);
    first_room!(DenseArena, 8: 8, 128: 8, 129: 4, 1_024: 4, 1_025: 1);
    let mut small = Pool::new(|| [0_u8; 1_024]);
    small.insert([1; 1_024]);
    let mut large = Pool::new(|| [0_u8; 1_025]);
    large.insert([1; 1_025]);
    assert_eq!((small.capacity(), large.capacity()), (4, 1));
}
