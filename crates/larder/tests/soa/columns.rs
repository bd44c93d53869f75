//! The places of columns: apart, aligned, in one block, in whatever memory; and acts that no shape may do.

use core::cell::Cell;
use core::marker::PhantomData;
use larder::containers::dense_soa_arena::Iter;
use larder::soa::Split;
use larder::soa::derived::Leaf;
use larder::soa::view::{Forms, View};
use larder::{DenseSoaArena, Handle, Soa, SoaArena, TryReserveError};
use larder_testing::allocator::{lent, live_bytes, requests_of};
use larder_testing::auto_traits;
use larder_testing::caught::panic_of;
use larder_testing::common::scaled;
use larder_testing::fields::{Lanes8, Lanes64};
use std::rc::Rc;

/// Returns the address at which a slice begins.
fn start<F>(column: &[F]) -> usize {
    assert!(column.as_ptr().is_aligned());
    column.as_ptr().addr()
}

// Apart.

/// Ten columns of sizes from 1 to 32 bytes.
#[derive(Soa)]
struct Ten(u8, [u32; 3], f64, u16, [u64; 4], f32, [u8; 3], u64, u128, i16);

/// The address and the bytes of each column.
fn places(arena: &DenseSoaArena<Ten>) -> [(usize, usize); 10] {
    let TenColumns(a, b, c, d, e, f, g, h, i, j) = arena.columns();
    [
        (start(a), size_of_val(a)),
        (start(b), size_of_val(b)),
        (start(c), size_of_val(c)),
        (start(d), size_of_val(d)),
        (start(e), size_of_val(e)),
        (start(f), size_of_val(f)),
        (start(g), size_of_val(g)),
        (start(h), size_of_val(h)),
        (start(i), size_of_val(i)),
        (start(j), size_of_val(j)),
    ]
}

/// Capacities of every kind: all small ones, and powers of two with their neighbours.
fn capacities() -> impl Iterator<Item = usize> {
    let powers = (5..scaled(18, 8) as u32).flat_map(|exponent| {
        let power = 1_usize << exponent;
        [power - 1, power, power + 1]
    });
    (1..scaled(1_200, 40)).step_by(scaled(1, 13)).chain(powers)
}

fn check_apart(arena: &mut DenseSoaArena<Ten>, capacity: usize, in_one_piece: bool) {
    arena.extend((0..capacity).map(|n| {
        Ten(n as u8, [n as u32; 3], n as f64, 0, [n as u64; 4], 0.0, [1; 3], 2, n as u128, 3)
    }));
    let mut all = places(arena);
    let bytes: usize = all.iter().map(|(_, bytes)| bytes).sum();
    // One cache line is no two large columns' modulo 4 KiB.
    let mut lines: Vec<_> =
        all.iter().filter(|(_, bytes)| *bytes >= 1024).map(|(at, _)| at / 64 % 64).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count, "columns of {capacity} share a cache line: {all:?}");
    // They do not overlap, and little lies between them.
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{all:?}");
    let (last, last_bytes) = all[9];
    let between = last + last_bytes - all[0].0 - bytes;
    let most = if 32 * capacity < 1024 { 10 * 32 } else { 10 * (4096 + 64) };
    let most = if in_one_piece { most } else { usize::MAX };
    assert!(between <= most, "{between} bytes between columns of {capacity}");
}

#[test]
fn b49_columns_begin_at_different_cache_lines_at_every_capacity() {
    for capacity in capacities() {
        check_apart(&mut DenseSoaArena::fixed(capacity), capacity, true);
    }
    for capacity in capacities().step_by(11) {
        // (There each column begins a page of its own.)
        check_apart(&mut DenseSoaArena::reserved(capacity), capacity, false);
        let block = lent(DenseSoaArena::<Ten>::bytes_for(capacity));
        check_apart(&mut DenseSoaArena::in_memory(block).unwrap(), capacity, true);
    }
}

// Alignment.

#[test]
fn alignment_beyond_pages_is_kept() {
    #[derive(Clone)]
    #[repr(align(8192))]
    struct Page(u8);

    const FEW: usize = 20 * 8192;

    fn check(mut arena: DenseSoaArena<(u8, Page, Page)>, most: usize) {
        arena.extend((0..6).map(|n| (n, Page(n), Page(n))));
        let (_, first, second) = arena.columns();
        assert_eq!((start(first) % 8192, start(second) % 8192), (0, 0));
        let values = first.iter().zip(second).enumerate();
        assert!(values.into_iter().all(|(n, (a, b))| a.0 == b.0 && a.0 as usize == n));
        let committed = arena.stats().memory.committed;
        assert!(committed < most, "{committed} bytes: not so much for alignment");
        arena.validate();
    }

    check(DenseSoaArena::new(), FEW);
    check(DenseSoaArena::fixed(6), FEW);
    // (In a reservation each of eight parts is committed by 64 KiB.)
    check(DenseSoaArena::reserved(6), 9 << 16);
    if !cfg!(miri) {
        // (Checked by symbols, a block that is aligned to 64 is aligned to nothing more.)
        let block = lent(DenseSoaArena::<(u8, Page, Page)>::bytes_for(6));
        check(DenseSoaArena::in_memory(block).unwrap(), FEW);
    }
}

#[derive(Soa)]
struct Aligned {
    any: u8,
    #[soa(align = 256)]
    aligned: u8,
}

#[test]
fn an_alignment_that_was_asked_for_is_kept() {
    for count in [1, 3, 300, scaled(9_000, 400)] {
        let mut arena = DenseSoaArena::new();
        arena.extend((0..count).map(|n| Aligned { any: n as u8, aligned: !n as u8 }));
        assert_eq!(start(arena.columns().aligned) % 256, 0);
        assert!(arena.values().all(|row| *row.any == !*row.aligned));
    }
}

// Values without a size, and of one field.

#[test]
fn rows_without_a_size_take_no_memory_for_values() {
    let before = live_bytes();
    let mut arena = SoaArena::<((), [u64; 0], PhantomData<String>)>::new();
    let keys: Vec<_> = (0..200).map(|_| arena.insert(((), [], PhantomData))).collect();
    assert_eq!(arena.columns().1.len(), 200);
    assert!(keys.iter().step_by(2).all(|&key| arena.remove(key).is_some()));
    arena.validate();
    assert_eq!(arena.runs().map(|(units, _, _)| units.len()).sum::<usize>(), 100);
    arena.shrink_to_fit();
    drop((arena, keys));
    assert_eq!(live_bytes(), before);
}

#[test]
fn a_struct_of_one_field_is_one_column() {
    let mut arena = SoaArena::<(f32,)>::new();
    let key = arena.insert((1.5,));
    assert_eq!(arena.columns().0, [1.5]);
    assert_eq!(arena.get(key), Some((&1.5,)));
    assert_eq!(arena.remove(key), Some((1.5,)));
    assert_eq!(arena.columns().0, [0.0]);
}

// Too much.

#[test]
fn capacities_beyond_all_memory_are_an_error() {
    fn overflows<A>(made: Result<A, TryReserveError>) {
        let Err(TryReserveError::CapacityOverflow { requested, max }) = made else {
            panic!("there is no such capacity")
        };
        assert!(requested > max, "{requested} {max}");
    }

    for capacity in [usize::MAX, usize::MAX / 2, usize::MAX / 8, isize::MAX as usize / 20] {
        overflows(SoaArena::<Ten>::builder().reserved(capacity).try_build());
        overflows(DenseSoaArena::<Ten>::builder().reserved(capacity).try_build());
        overflows(SoaArena::<Ten>::builder().fixed(capacity).try_build());
        overflows(DenseSoaArena::<Lanes8>::builder().capacity(capacity).try_build());
        overflows(SoaArena::<Lanes64>::builder().reserved(capacity).try_build());
        let panic = panic_of(|| DenseSoaArena::<Ten>::fixed(capacity));
        assert!(panic.message.contains("capacity overflow"), "{}", panic.message);
        assert!(panic.file.ends_with("columns.rs"));
    }
}

// The memory of columns.

#[test]
fn b45_all_columns_are_one_allocation() {
    let (of_ten, wide) = requests_of(|| DenseSoaArena::<Ten>::with_capacity(100));
    let (of_one, narrow) = requests_of(|| DenseSoaArena::<u32>::with_capacity(100));
    assert_eq!(of_ten, of_one);
    let (bytes, usage) = (live_bytes(), wide.stats().memory);
    drop(wide);
    assert_eq!((bytes - live_bytes()) as usize, usage.committed, "it says what it takes");
    drop(narrow);
    let (of_three, lanes) = requests_of(|| SoaArena::<Lanes8>::with_capacity(100));
    let (of_one, _narrow) = requests_of(|| SoaArena::<u32>::with_capacity(100));
    assert_eq!(of_three, of_one);
    let (bytes, usage) = (live_bytes(), lanes.stats().memory);
    drop(lanes);
    assert_eq!((bytes - live_bytes()) as usize, usage.committed);
}

#[test]
#[cfg(not(miri))]
fn reserved_columns_never_move_and_give_their_pages_back() {
    const MANY: usize = 400_000;

    let mut arena = SoaArena::<(u64, u8, [u32; 5])>::reserved(MANY);
    let first = arena.insert((0, 0, [0; 5]));
    let places = |arena: &SoaArena<(u64, u8, [u32; 5])>| {
        let (a, b, c) = arena.columns();
        [start(a), start(b), start(c)]
    };
    let (begun, empty) = (places(&arena), arena.stats().memory.committed);
    arena.extend((1..MANY as u64).map(|n| (n, n as u8, [n as u32; 5])));
    assert_eq!((places(&arena), arena.capacity() - arena.len()), (begun, 0));
    let (full, bytes) = (arena.stats().memory.committed, MANY * (8 + 1 + 20));
    assert!(full > bytes && full < bytes + bytes / 4 + (1 << 20), "{full} for {bytes}");
    let whole = |(n, row): (usize, (&u64, &u8, &[u32; 5]))| {
        (*row.0, *row.1, *row.2) == (n as u64, n as u8, [n as u32; 5])
    };
    assert!(arena.values().enumerate().all(whole));
    arena.retain(|_, row| *row.0 == 0);
    arena.shrink_to_fit();
    assert_eq!((places(&arena), arena.get(first)), (begun, Some((&0, &0, &[0; 5]))));
    assert!(arena.stats().memory.committed <= empty);
    arena.extend((1..MANY as u64).map(|n| (n, n as u8, [n as u32; 5])));
    assert_eq!(places(&arena), begun);
    assert!(arena.values().enumerate().all(whole));
    arena.validate();
}

// The columns of a reservation begin at multiples of the unit in which memory is committed. If that makes it large
// enough for huge pages, they are multiples of those.
#[test]
#[cfg(not(miri))]
fn reservations_at_the_edge_of_huge_pages_hold_what_they_should() {
    const EDGE: usize = (4 << 20) / 32;

    for below in [0, 1, 1_000, 4_000, 8_000, 20_000] {
        let max = EDGE - below;
        let mut arena: DenseSoaArena<(u64, u64, u64, u64)> =
            DenseSoaArena::builder().reserved(max).huge_pages(true).build();
        arena.extend((0..max as u64).map(|n| (n, n + 1, n + 2, n + 3)));
        let (a, b, c, d) = arena.columns();
        let rows = a.iter().zip(b).zip(c.iter().zip(d)).enumerate();
        for (n, ((a, b), (c, d))) in rows {
            let n = n as u64;
            assert_eq!((*a, *b, *c, *d), (n, n + 1, n + 2, n + 3), "{max}");
        }
        let usage = arena.stats().memory;
        assert!(usage.committed <= usage.reserved, "{usage:?}");
    }
}

// The acts that no shape may do.

macro_rules! unused {
    ($(fn $name:ident[$($generics:tt)*]($($arg:tt : $type:ty),*) -> $result:ty;)*) => {
        $(fn $name<'a, $($generics)*>($($arg: $type),*) -> $result
        where
            Self: 'a,
        {
            unreachable!("nothing asks this of the shape")
        })*
    };
}

/// Shows one thing, and keeps another in its columns: a shape that no derive makes.
struct Disguised<F>(u32, PhantomData<fn() -> F>);

impl<F: From<u32> + Into<u32> + 'static> Soa for Disguised<F> {
    type Shape = Leaf<F>;
    type Arrangement = Split;
    type View = Self;
}

impl<'a, F: From<u32> + Into<u32> + 'static> Forms<'a, Self> for Disguised<F> {
    type Ref = &'a F;
    type RefMut = &'a mut F;
    type Columns = &'a [F];
    type ColumnsMut = &'a mut [F];
    type Lanes<const L: usize> = &'a [F; L];
    type LanesMut<const L: usize> = &'a mut [F; L];
}

impl<F: From<u32> + Into<u32> + 'static> View<Self> for Disguised<F> {
    fn into_parts(value: Self) -> F {
        value.0.into()
    }

    fn from_parts(parts: F) -> Self {
        Disguised(parts.into(), PhantomData)
    }

    fn lend(_: &Self) -> &F {
        unreachable!("nothing asks this of the shape")
    }

    // All other functions are not called here.

    unused! {
        fn ref_of_mut['b: 'a](_: &'a &'b mut F) -> &'a F;
        fn ref_reborrow['b: 'a](_: &'a mut &'b mut F) -> &'a mut F;
        fn ref_replace[](_: &mut &'a mut F, _: Self) -> Self;
        fn columns_of_mut['b: 'a](_: &'a &'b mut [F]) -> &'a [F];
        fn columns_reborrow['b: 'a](_: &'a mut &'b mut [F]) -> &'a mut [F];
        fn lanes_of_mut['b: 'a, const L: usize](_: &'a &'b mut [F; L]) -> &'a [F; L];
        fn lanes_reborrow['b: 'a, const L: usize](_: &'a mut &'b mut [F; L]) -> &'a mut [F; L];
    }
}

// A container is as its columns are: what values show does not count.
#[test]
fn columns_that_threads_must_not_share_are_not_shared() {
    struct Shared(Rc<u32>);

    impl From<u32> for Shared {
        fn from(number: u32) -> Self {
            Shared(Rc::new(number))
        }
    }

    impl From<Shared> for u32 {
        fn from(shared: Shared) -> u32 {
            *shared.0
        }
    }

    struct Celled(Cell<u32>);

    impl From<u32> for Celled {
        fn from(number: u32) -> Self {
            Celled(Cell::new(number))
        }
    }

    impl From<Celled> for u32 {
        fn from(celled: Celled) -> u32 {
            celled.0.get()
        }
    }

    type Walk = Iter<'static, Disguised<Celled>, Handle<Disguised<Celled>>>;
    assert!(auto_traits!(Disguised<Shared>)[0] && auto_traits!(Disguised<Celled>)[1]);
    assert_eq!(auto_traits!(DenseSoaArena<Disguised<u32>>)[..2], [true, true]);
    assert_eq!(auto_traits!(DenseSoaArena<Disguised<Shared>>)[..2], [false, false]);
    assert_eq!(auto_traits!(DenseSoaArena<Disguised<Celled>>)[..2], [true, false]);
    assert!(!auto_traits!(Walk)[0]);

    let mut arena = DenseSoaArena::<Disguised<Shared>>::new();
    let key = arena.insert(Disguised(7, PhantomData));
    assert_eq!(*arena.get(key).unwrap().0, 7);
    assert_eq!(arena.remove(key).unwrap().0, 7);
}

// A value that is half taken apart cannot be dropped, so the process aborts if taking it apart panics. (A derive's code
// cannot panic.)
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn taking_a_value_apart_must_not_panic() {
    struct Refuses;

    impl From<u32> for Refuses {
        fn from(number: u32) -> Self {
            assert!(number != 13, "not this number");
            Refuses
        }
    }

    impl From<Refuses> for u32 {
        fn from(_: Refuses) -> u32 {
            0
        }
    }

    const CHILD: &str = "LARDER_TEST_OF_A_CONVERSION";

    if std::env::var_os(CHILD).is_some() {
        let mut arena = DenseSoaArena::<Disguised<Refuses>>::new();
        let inserted = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
            arena.insert(Disguised(13, PhantomData));
        }));
        // Going on is success, which the parent does not expect.
        drop(inserted);
        return;
    }
    let this = "columns::taking_a_value_apart_must_not_panic";
    let mut child = std::process::Command::new(std::env::current_exe().expect("this test"));
    let ended = child.args([this, "--exact", "--nocapture"]).env(CHILD, "1").output().unwrap();
    let blamed = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success(), "it went on: {blamed}");
    assert!(blamed.contains("an implementation of `Soa` panicked"), "{blamed}");
}
