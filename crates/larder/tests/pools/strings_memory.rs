//! The memory of a pool of texts: how much there is, what it is used for, and how it is emptied.

use larder::TryReserveError;
use larder::pools::{StringPool, Symbol};
use larder_testing::allocator::{live_bytes, refusing_after, requests_of};

/// Returns the number of bytes in the blocks.
fn room(pool: &StringPool) -> usize {
    pool.stats().used + pool.stats().wasted
}

/// A pool with these texts, and their symbols.
fn with(texts: impl IntoIterator<Item = String>) -> (StringPool, Vec<Symbol>) {
    let mut pool = StringPool::new();
    let symbols = texts.into_iter().map(|text| pool.acquire(&text)).collect();
    (pool, symbols)
}

/// So many digits.
fn digits(number: usize, len: usize) -> String {
    format!("{number:0len$}")
}

/// Returns the number of these texts that lie somewhere else after `act`.
fn moved_by(pool: &mut StringPool, symbols: &[Symbol], act: impl FnOnce(&mut StringPool)) -> usize {
    let places = |pool: &StringPool| -> Vec<usize> {
        symbols.iter().map(|&symbol| pool[symbol].as_ptr().addr()).collect()
    };
    let before = places(pool);
    act(pool);
    before.iter().zip(places(pool)).filter(|(before, after)| **before != *after).count()
}

/// A block has 2 KiB, and a text of more than half of that has a block of its own, as the type promises.
#[test]
fn a_block_is_of_two_kibibytes_unless_it_is_of_one_text() {
    for is_counted in [false, true] {
        let add = |pool: &mut StringPool, text: &str| match is_counted {
            true => pool.acquire(text),
            false => pool.intern(text),
        };
        let spare = if is_counted { 2_048 } else { 0 }; // (for emptying)
        let head = if is_counted { 4 } else { 0 };
        for (len, bytes) in
            [(0, 2_048 + spare), (1_024, 2_048 + spare), (1_025, 1_025), (3_000, 3_000)]
        {
            let mut pool = StringPool::new();
            let symbol = add(&mut pool, &digits(1, len));
            assert_eq!((room(&pool), pool[symbol].len()), (bytes, len.max(1)), "of {len} bytes");
            pool.validate();
            if is_counted && len > 1_024 {
                assert!(pool.release(symbol));
                assert_eq!(room(&pool), 0, "no other text has that length");
            }
        }
        // A block is filled to its last byte.
        let mut pool = StringPool::new();
        let half = 1_024 - head;
        for (number, blocks) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)] {
            add(&mut pool, &digits(number, half));
            assert_eq!(room(&pool), blocks * 2_048 + spare);
        }
        pool.validate();
    }
}

#[test]
fn there_can_be_as_many_texts_as_it_says() {
    const MOST: usize = (1 << 24) - 1;
    let mut pool = StringPool::new();
    let (_, refused) = refusing_after(0, true, || pool.try_reserve(MOST));
    assert!(matches!(refused, Err(TryReserveError::AllocRefused { .. })), "{refused:?}");
    let (_, refused) = refusing_after(0, true, || pool.try_reserve(MOST + 1));
    assert_eq!(refused, Err(TryReserveError::CapacityOverflow { requested: MOST + 1, max: MOST }));
}

/// The statistics report the bytes that the allocator gave.
#[test]
fn statistics_say_what_was_allocated() {
    let before = live_bytes();
    let (mut pool, symbols) =
        with((0..400).map(|n| digits(n, if n % 50 == 0 { 1_500 } else { 31 })));
    let held = |pool: &StringPool| {
        assert_eq!(pool.stats().bytes as isize, live_bytes() - before - heap_of(&symbols))
    };
    fn heap_of(symbols: &Vec<Symbol>) -> isize {
        (symbols.capacity() * size_of::<Symbol>()) as isize
    }
    held(&pool);
    symbols.iter().step_by(3).for_each(|&symbol| assert!(pool.release(symbol)));
    held(&pool);
    pool.shrink_to_fit();
    held(&pool);
}

/// Blocks are emptied without any memory, also where the spare one was just used for a text that is kept.
#[test]
fn sparse_blocks_are_emptied_where_no_memory_is_to_be_had() {
    for (keeps, copies) in [(false, false), (true, false), (false, true)] {
        // 28 fill a block, but for four bytes.
        let (mut pool, symbols) = with((0..28 * 20).map(|n| digits(n, 69)));
        if keeps {
            pool.intern("a text that is kept");
        }
        if copies {
            pool = pool.clone();
        }
        let (_, ()) = refusing_after(0, true, || {
            for (n, &symbol) in symbols.iter().enumerate() {
                assert!(n % 14 == 0 || pool.release(symbol));
            }
        });
        pool.validate();
        // 40 are left, which two blocks have room for: others are of texts that are kept,
        // spare, or being filled.
        assert!(room(&pool) <= 7 * 2_048, "{} bytes, {keeps}, {copies}", room(&pool));
        assert!(
            symbols
                .iter()
                .step_by(14)
                .zip((0..).step_by(14))
                .all(|(&s, n)| pool[s] == digits(n, 69))
        );
    }
}

/// Blocks that are at least half in use stay as they are.
#[test]
fn texts_of_blocks_that_are_half_in_use_stay_where_they_are() {
    let (mut pool, symbols) = with((0..10).map(|n| digits(n, 1_020)));
    for pair in 0..4 {
        let (gone, left) = (symbols[2 * pair], &symbols[2 * pair + 1..]);
        assert_eq!(moved_by(&mut pool, left, |pool| assert!(pool.release(gone))), 0);
    }
    let (mut pool, symbols) = with((0..28 * 4).map(|n| digits(n, 69)));
    assert_eq!(moved_by(&mut pool, &symbols[1..], |pool| assert!(pool.release(symbols[0]))), 0);
}

/// A release moves as many texts as the type promises: four, and one for each 16 bytes of its own text; but no more for
/// a long text than for half a block.
#[test]
fn a_release_moves_as_many_texts_as_it_says() {
    // In each block two texts of 500 bytes, without which it is sparse, and 140 of three bytes.
    let mut pool = StringPool::new();
    let (mut large, mut tiny) = (vec![], vec![]);
    let mut kanji = ('\u{4E00}'..).map(String::from);
    for block in 0..12 {
        large.extend([0, 1].map(|n| pool.acquire(&digits(2 * block + n, 500))));
        tiny.extend(kanji.by_ref().take(140).map(|text| pool.acquire(&text)));
    }
    let long = pool.acquire(&"long".repeat(25_000));
    let short = pool.acquire(&digits(2, 2));
    large.iter().take(20).for_each(|&symbol| assert!(pool.release(symbol)));
    pool.validate();
    // (In memory of a block and its record at most.)
    let release = |symbol| {
        move |pool: &mut StringPool| {
            let (requests, is_gone) = requests_of(|| pool.release(symbol));
            assert!(is_gone && requests <= 2, "{requests} requests");
        }
    };
    let moved = moved_by(&mut pool, &tiny, release(short));
    assert!((3..=4).contains(&moved), "{moved} texts were moved for a short one");
    let moved = moved_by(&mut pool, &tiny, release(long));
    assert!((50..=4 + 64).contains(&moved), "{moved} texts were moved for a long one");
}
