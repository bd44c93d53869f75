//! Columns in the caller's own memory: the fit, the missing bytes, and that nothing beside it is touched. (Rows are
//! tested in `lent`.)

use core::mem::MaybeUninit;
use larder::{DenseSoaArena, Soa, SoaArena, TryReserveError};
use larder_testing::allocator::lent;
use larder_testing::common::scaled;
use larder_testing::fields::Lanes8;
use larder_testing::values::Value;

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

/// A block of so many bytes that begins there, between two stretches of 64 bytes.
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

/// Values that were said to fit do fit, wherever the block begins, and come out as they went in.
macro_rules! columns_fit {
    ($Container:ident<$T:ty>, $make:expr) => {
        for count in (1..scaled(72, 12)).step_by(scaled(1, 5)) {
            for offset in OFFSETS {
                let bytes = $Container::<$T>::bytes_for(count);
                let (block, fence) = Fenced::new(offset, bytes);
                let mut arena: $Container<$T> = $Container::in_memory(block).unwrap();
                assert!(arena.capacity() >= count, "{count} values in {bytes} bytes");
                let all = 0..arena.capacity() as u32;
                let keys: Vec<_> = all.clone().map(|n| arena.insert($make(n))).collect();
                assert!(arena.try_insert($make(0)).is_err());
                arena.validate();
                for (n, key) in all.zip(keys) {
                    assert_eq!(arena.remove(key), Some($make(n)));
                }
                arena.validate();
                fence.check();
            }
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

/// A test of that name of both containers, for each kind of columns.
macro_rules! test_columns {
    ($name:ident, $check:ident) => {
        mod $name {
            use super::*;

            #[test]
            fn ten_columns() {
                $check!(SoaArena<Ten>, ten);
                $check!(DenseSoaArena<Ten>, ten);
            }

            #[test]
            fn lanes_of_8() {
                $check!(SoaArena<Lanes8>, Lanes8::make);
                $check!(DenseSoaArena<Lanes8>, Lanes8::make);
            }

            // (Checked by symbols, a block that is aligned to 64 is aligned to nothing more.)
            #[test]
            #[cfg_attr(miri, ignore = "aligned to more than is known")]
            fn aligned_to_256() {
                $check!(SoaArena<Aligned>, aligned);
                $check!(DenseSoaArena<Aligned>, aligned);
            }
        }
    };
}

test_columns!(b8_bytes_for_is_enough_for_columns_wherever_the_block_begins, columns_fit);
test_columns!(what_is_missing_for_columns_is_exact, missing_is_exact);

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
