//! The caller's own memory: the fit, the missing bytes, and that nothing beside it is used. (That lent
//! containers do what the model does is in `history`.)

use core::mem::MaybeUninit;
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, Pool, Reuse, Soa, SoaArena,
    TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::{lent, requests_of};
use larder_testing::both::test_both;
use larder_testing::caught::panic_of;
use larder_testing::common::{REUSE_ORDERS, address, for_both, scaled};
use larder_testing::fields::Lanes8;
use larder_testing::values::{Unit, Value, Wide};

/// Ten columns of sizes from 1 to 32 bytes.
#[derive(Soa, Debug, PartialEq)]
struct Ten(u8, [u32; 3], f64, u16, [u64; 4], f32, [u8; 3], u64, u128, i16);

fn ten(n: u32) -> Ten {
    let (byte, wide) = (n as u8, u64::from(n));
    Ten(byte, [n; 3], f64::from(n), n as u16, [wide; 4], 0.5, [byte; 3], wide, wide.into(), -1)
}

#[derive(Soa, Debug, PartialEq)]
struct Aligned {
    any: u8,
    #[soa(align = 256)]
    aligned: u8,
}

fn aligned(n: u32) -> Aligned {
    Aligned { any: n as u8, aligned: !n as u8 }
}

/// The offsets at which blocks begin, counted from a multiple of 256.
const OFFSETS: [usize; 5] = [0, 1, 8, 15, 63];

/// The two stretches of 64 bytes between which a lent block lies; nothing may write there.
struct Fenced {
    before: &'static mut [MaybeUninit<u8>],
    after: &'static mut [MaybeUninit<u8>],
}

impl Fenced {
    const POST: MaybeUninit<u8> = MaybeUninit::new(0xA5);

    fn new(offset: usize, bytes: usize) -> (&'static mut [MaybeUninit<u8>], Self) {
        let whole = lent(64 + 256 + offset + bytes + 64);
        let begin = 64 + whole[64..].as_ptr().align_offset(256) + offset;
        let (before, rest) = whole[..begin + bytes + 64].split_at_mut(begin);
        let (block, after) = rest.split_at_mut(bytes);
        before.fill(Self::POST);
        after.fill(Self::POST);
        (block, Self { before, after })
    }

    fn check(&self) {
        for byte in self.before.iter().chain(&*self.after) {
            // SAFETY: all of them were written.
            assert_eq!(unsafe { byte.assume_init() }, 0xA5, "written to beside the block");
        }
    }
}

/// The numbers of values with which blocks are tried, and the offsets at which these begin.
fn tried() -> Vec<(usize, usize)> {
    let counts = (1..scaled(72, 12)).step_by(scaled(1, 5)).chain([127, 128, 129, 199]);
    counts.flat_map(|count| OFFSETS.map(|offset| (count, offset))).collect()
}

/// Values that were said to fit do fit, wherever the block begins, and come out as they went in.
macro_rules! fits {
    ($Container:ident<$T:ty $(, $K:ty)?>, $make:expr $(, $empty:expr)?) => {
        for (count, offset) in tried() {
            let bytes = $Container::<$T $(, $K)?>::bytes_for(count);
            let (block, fence) = Fenced::new(offset, bytes);
            let builder = $Container::builder_with_key($($empty)?).in_memory(block);
            let (requests, mut arena) = requests_of(|| -> $Container<$T $(, $K)?> { builder.build() });
            assert_eq!(requests, 0, "it lies in the block");
            assert!(arena.capacity() >= count, "{count} values in {bytes} bytes");
            assert!(arena.stats().memory.committed <= bytes);
            let mut keys = Vec::new();
            for n in 0..arena.capacity() as u32 {
                keys.push(arena.insert($make(n)));
            }
            assert!(arena.try_insert($make(0_u32)).is_err());
            arena.validate();
            for (n, key) in (0_u32..).zip(keys) {
                assert_eq!(arena.remove(key), Some($make(n)));
            }
            arena.validate();
            fence.check();
        }
    };
}

/// The number of bytes that are said to be missing for one value is exact.
macro_rules! missing_is_exact {
    ($Container:ident<$T:ty>, $make:expr) => {
        for offset in OFFSETS {
            let missing =
                |bytes: usize| match $Container::<$T>::in_memory(Fenced::new(offset, bytes).0) {
                    Err(TryReserveError::BlockTooSmall { missing }) => missing,
                    other => panic!("{:?} in {bytes} bytes", other.map(|it| it.capacity())),
                };
            let needed = missing(0);
            assert!(needed <= $Container::<$T>::bytes_for(1));
            assert_eq!((missing(needed - 1), missing(7)), (1, needed - 7));
            let (block, fence) = Fenced::new(offset, needed);
            let mut arena: $Container<$T> = $Container::in_memory(block).unwrap();
            assert!(arena.capacity() >= 1, "{needed} bytes are enough");
            for n in 0..arena.capacity() as u32 {
                arena.insert($make(n));
            }
            arena.validate();
            fence.check();
        }
    };
}

#[test]
fn b8_bytes_for_is_enough_wherever_the_block_begins() {
    for_both!(Container => {
        fits!(Container<u8, Handle<u8>>, |n| n as u8);
        fits!(Container<[u16; 5], Serial<[u16; 5]>>, |n| [n as u16; 5]);
        fits!(Container<Unit, BareHandle<Unit>>, Unit::make);
        fits!(Container<Wide, Handle<Wide>>, Wide::make);
    });
}

#[test]
fn b8_bytes_for_is_enough_for_columns() {
    fits!(Pool<[u16; 5], Serial<[u16; 5]>>, |n| [n as u16; 5], || [7; 5]);
    fits!(SoaArena<Ten>, ten);
    fits!(DenseSoaArena<Ten>, ten);
    fits!(SoaArena<Lanes8>, Lanes8::make);
    fits!(DenseSoaArena<Lanes8>, Lanes8::make);
}

#[test]
fn what_is_missing_is_exact() {
    for_both!(Container => {
        missing_is_exact!(Container<u64>, u64::from);
        let refused = Container::<u64>::in_memory(lent(3)).unwrap_err().to_string();
        assert!(refused.contains("one value needs") && refused.contains("bytes more"), "{refused}");
    });
    let refused = Pool::in_memory(lent(3), || 0_u64).err();
    assert!(matches!(refused, Some(TryReserveError::BlockTooSmall { .. })));
    missing_is_exact!(SoaArena<Ten>, ten);
    missing_is_exact!(DenseSoaArena<Ten>, ten);
    missing_is_exact!(SoaArena<Lanes8>, Lanes8::make);
    missing_is_exact!(DenseSoaArena<Lanes8>, Lanes8::make);
}

// (Checked by symbols, a block that is aligned to 64 is aligned to nothing more.)
#[test]
#[cfg_attr(miri, ignore = "aligned to more than is known")]
fn columns_aligned_to_256_fit() {
    fits!(SoaArena<Aligned>, aligned);
    fits!(DenseSoaArena<Aligned>, aligned);
    missing_is_exact!(SoaArena<Aligned>, aligned);
    missing_is_exact!(DenseSoaArena<Aligned>, aligned);
}

/// Columns lie apart by more or less, so more values may fit where a few less do not: they are found.
#[test]
fn b8_as_many_columns_as_fit_are_found() {
    macro_rules! all_fit {
        ($Container:ident) => {
            for count in [1, 2, 63, 64, 65, 200].into_iter().chain(scaled(510, 528)..530) {
                // (At a cache line no byte is spent on where it begins.)
                let bytes = $Container::<Ten>::bytes_for(count) - 63;
                let arena = $Container::<Ten>::builder().fixed_within(bytes).build();
                assert!(arena.capacity() >= count, "{count}, not {}", arena.capacity());
                assert!(arena.stats().memory.committed <= bytes);
            }
        };
    }
    all_fit!(SoaArena);
    all_fit!(DenseSoaArena);
}

// The links of other orders lie in the block, too.
test_both!(c1_e3_nothing_is_allocated_ever, Container => {
    for reuse in REUSE_ORDERS {
        let block = lent(2 * Container::<String>::bytes_for(100));
        let text = || String::new();
        let (requests, arena) = requests_of(|| {
            let mut arena = Container::builder().reuse(reuse).in_memory(block).build();
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
        assert_eq!((requests, arena.len()), (0, 100), "{reuse:?}");
        arena.validate();
    }
});

// In any memory that does not grow.
test_both!(full_says_so_and_room_is_used_again, Container => {
    const BYTES: usize = Container::<&str>::bytes_for(2);
    let lent = Container::in_memory(lent(BYTES)).unwrap();
    for mut arena in [Container::fixed(2), Container::reserved(2), lent] {
        assert_eq!((arena.capacity(), arena.len()), (2, 0));
        let (a, _) = (arena.insert("a"), arena.insert("b"));
        let refused = arena.try_insert("c").unwrap_err();
        assert_eq!((refused.value, refused.reason), ("c", TryReserveError::Full { capacity: 2 }));
        assert!(panic_of(|| arena.insert("c")).message.contains("room for 2 values"));
        assert!(panic_of(|| arena.extend(["c"])).message.contains("full"));
        assert_eq!(arena.try_reserve(1), Err(TryReserveError::Full { capacity: 2 }));
        arena.remove(a);
        assert_eq!((arena.try_reserve(0), arena.try_reserve(1)), (Ok(()), Ok(())));
        let c = arena.insert("c");
        assert_eq!((arena.get(a), arena[c]), (None, "c"));
    }
    for mut none in [Container::fixed(0), Container::reserved(0)] {
        assert_eq!((none.capacity(), none.try_insert('x').unwrap_err().value), (0, 'x'));
        none.shrink_to_fit();
        assert!(none.clone().try_insert('x').is_err());
    }
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
