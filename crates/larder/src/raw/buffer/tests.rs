//! Blocks that grow, shrink, move and have a tail.

use super::Buffer;
use crate::error::TryReserveError;
use crate::raw::filled::Filled;
use crate::raw::memory::{Lent, Memory};
use crate::raw::rows::Rooms;
use alloc::boxed::Box;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// Writes `number` into every byte from element `from` on, and looks at what was there before.
fn fill<T: Copy + Eq + core::fmt::Debug>(buffer: &Buffer<T>, from: usize, value: T) {
    for index in 0..buffer.capacity() {
        // SAFETY: the element is in the block; those before `from` were written.
        unsafe {
            if index < from {
                assert_eq!(buffer.at(index).read(), value, "element {index}");
            }
            buffer.at(index).write(value);
        }
    }
}

fn elements_stay<T: Copy + Eq + core::fmt::Debug>(value: T) {
    let mut buffer = Buffer::new();
    let mut kept = 0;
    for capacity in [1, 3, 64, 5, 1_000, 1_000, 2, 0, 7] {
        buffer.resize(capacity).unwrap();
        assert_eq!((buffer.capacity(), buffer.bytes()), (capacity, capacity * size_of::<T>()));
        assert!(buffer.start().is_aligned());
        fill(&buffer, capacity.min(kept), value);
        kept = capacity;
    }
}

#[test]
fn elements_stay_the_same_bytes() {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(align(64))]
    struct Aligned([u8; 64]);

    elements_stay(7_u8);
    elements_stay([3_u32; 3]);
    elements_stay(Aligned([9; 64]));
    elements_stay(());
}

#[test]
fn a_tail_comes_and_goes() {
    for capacity in [1, 2, 9] {
        let mut buffer = Buffer::<[u8; 3]>::new();
        let mut kept = 0;
        for (capacity, numbers) in [(capacity, 2), (2 * capacity, 5), (3 * capacity, 1)] {
            let (block, layout) = buffer.block_mut();
            let tail = block.resize_with_tail(layout, capacity, numbers).unwrap();
            for number in 0..numbers {
                // SAFETY: the tail has so many numbers.
                unsafe { tail.add(number).write(u64::MAX) };
            }
            fill(&buffer, kept, [1, 2, 3]);
            kept = capacity;
            let before_tail = (3 * capacity).next_multiple_of(size_of::<u64>());
            assert_eq!(buffer.bytes(), before_tail, "a tail has another owner");
        }
        buffer.resize(capacity).unwrap();
        fill(&buffer, capacity, [1, 2, 3]);
    }
}

#[test]
fn a_block_that_cannot_be_is_refused() {
    let mut buffer = Buffer::<u64>::new();
    buffer.resize(4).unwrap();
    for requested in [Buffer::<u64>::MAX + 1, usize::MAX] {
        let max = Buffer::<u64>::MAX;
        let refused = Err(TryReserveError::CapacityOverflow { requested, max });
        assert_eq!((buffer.check(requested), buffer.resize(requested)), (refused.clone(), refused));
        assert_eq!(buffer.capacity(), 4);
    }
    let mut nothing = Buffer::<()>::new();
    nothing.resize(usize::MAX).unwrap();
    assert_eq!((nothing.capacity(), nothing.bytes()), (usize::MAX, 0));
}

#[test]
fn lent_blocks_lie_apart_and_stay() {
    #[repr(align(8))]
    struct Block([MaybeUninit<u8>; 1_000]);

    let memory = Box::into_raw(Box::new(Block([MaybeUninit::uninit(); 1_000])));
    // SAFETY: it lives until it is freed below.
    let lent = Lent::new(unsafe { &mut (*memory).0 });
    let make = |max| Buffer::<u32>::within(Memory::Lent { max, from: &lent });
    let (mut one, mut other) = (make(10).unwrap(), make(3).unwrap());
    let start = one.start();
    one.resize(10).unwrap();
    other.resize(3).unwrap();
    fill(&one, 0, 1);
    fill(&other, 0, 2);
    fill(&one, 10, 1);
    assert_eq!((one.start(), one.space(), other.space()), (start, 40, 16));
    let max = 10;
    assert_eq!(one.resize(11), Err(TryReserveError::CapacityOverflow { requested: 11, max }));
    assert!(matches!(make(1_000), Err(TryReserveError::BlockTooSmall { .. })));
    assert!(!one.alike().unwrap().grows_in_place(), "there is no more lent memory");
    drop((one, other));
    // SAFETY: nothing that was lent is used any more.
    drop(unsafe { Box::from_raw(memory) });
}

#[test]
fn fresh_numbers_are_filled() {
    let mut numbers = Filled::new();
    for (length, fresh) in [(3, 1), (5, 2), (2, 3), (4, 4)] {
        numbers.resize(length, fresh).unwrap();
    }
    assert_eq!(numbers[..], [1_u32, 1, 4, 4]);
    assert_eq!(numbers.try_clone().unwrap()[..], numbers[..]);
}

#[test]
fn elements_are_aligned_as_they_are_or_as_a_tail() {
    #[repr(align(64))]
    struct Aligned;

    assert_eq!([Buffer::<u8>::ALIGNMENT, Buffer::<[u64; 2]>::ALIGNMENT], [8; 2]);
    assert_eq!([Buffer::<[Aligned; 0]>::ALIGNMENT, Buffer::<Aligned>::ALIGNMENT], [64; 2]);
    assert_eq!((Buffer::<u8>::MAX, Buffer::<()>::MAX), (isize::MAX as usize, usize::MAX));
    assert_eq!(Buffer::<[u8; 3]>::MAX, isize::MAX as usize / 3);
}

/// No bytes are no block: there is nothing to be asked for, nor to be given back.
#[test]
fn nothing_zeroed_is_nowhere() {
    let none = Buffer::<u64>::zeroed(0).unwrap();
    assert_eq!((none.start(), none.capacity(), none.bytes()), (NonNull::dangling(), 0, 0));
    let sizeless = Buffer::<()>::zeroed(9).unwrap();
    assert_eq!((sizeless.start(), sizeless.capacity()), (NonNull::dangling(), 9));
    let some = Buffer::<u64>::zeroed(3).unwrap();
    fill(&some, some.capacity(), 0);
}

/// An address is that of an element if one begins there.
#[test]
fn elements_are_found_by_their_addresses() {
    let mut buffer = Buffer::<[u32; 3]>::new();
    assert_eq!(buffer.index_of(buffer.start().addr().get()), None, "there is none");
    buffer.resize(7).unwrap();
    let first = buffer.start().addr().get();
    for offset in 0..8 * 12 {
        let found = (offset % 12 == 0 && offset < 7 * 12).then_some(offset / 12);
        assert_eq!(buffer.index_of(first + offset), found, "{offset} bytes from the first");
    }
    assert_eq!((buffer.index_of(first - 12), buffer.index_of(usize::MAX)), (None, None));
    let mut sizeless = Buffer::<()>::new();
    sizeless.resize(3).unwrap();
    assert_eq!(sizeless.index_of(sizeless.start().addr().get()), None, "they are all there");
}

#[test]
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn huge_pages_are_asked_for_from_four_megabytes_on_where_they_are_wanted() {
    for huge in [true, false] {
        for (bytes, large) in [(1, false), ((4 << 20) - 1, false), (4 << 20, true)] {
            let mut buffer = Buffer::<u8>::within(Memory::Heap { huge }).unwrap();
            buffer.resize(bytes).unwrap();
            assert_eq!(buffer.is_huge(), huge && large, "{bytes} bytes");
        }
    }
}
