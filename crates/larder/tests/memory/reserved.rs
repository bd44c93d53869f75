//! Reserved address space: what never moves, what goes back, what is refused. (That reserved
//! containers do what the model does is in `history`.)

use larder::{
    Arena, DenseArena, DenseSoaArena, PagedArena, Reuse, SoaArena, TryReserveError,
    containers::Builder,
};
use larder_testing::both::test_both;
use larder_testing::caught::panic_of;
use larder_testing::common::{address, for_both, scaled, thorough};

/// So many values that every step of growth is met, up to those of 1 MiB.
const MANY: usize = scaled(400_000, 300);

// The addresses that never change.

#[test]
fn b33_b38_addresses_in_an_arena_are_permanent() {
    for reuse in [Reuse::Packed, Reuse::Fifo] {
        let mut arena: Arena<u64> = Arena::builder().reuse(reuse).reserved(MANY).build();
        let (first, second) = (arena.insert(0), arena.insert(1));
        let kept = arena.insert(2);
        arena.detach(second);
        let (at_first, at_kept) = (address(&arena[first]), address(&arena[kept]));
        arena.extend((3..MANY as u64).filter(|_| true));
        assert_eq!((address(&arena[first]), address(&arena[kept])), (at_first, at_kept));
        assert_eq!((arena.capacity(), arena.len()), (MANY, MANY - 1)); // one is detached
        assert!(arena.reattach(second, 1).is_ok());
        assert!(arena.values().copied().eq(0..MANY as u64));
        arena.validate();

        arena.retain(|_, value| *value % 100 == 0);
        arena.shrink_to_fit();
        let last = arena.keys().next_back().unwrap();
        let at_last = address(&arena[last]);
        arena.extend(0..MANY as u64 / 2);
        assert_eq!((address(&arena[first]), address(&arena[last])), (at_first, at_last));
        arena.validate();
    }
}

#[test]
fn b36_a_dense_arena_grows_in_place() {
    let mut dense = DenseArena::reserved(MANY);
    let first = dense.insert(0_u64);
    let (values, keys) = (dense.as_slice().as_ptr(), dense.keys_as_slice().as_ptr());
    dense.extend((1..MANY as u64).filter(|_| true));
    assert_eq!(dense.as_slice().as_ptr(), values);
    assert_eq!(dense.keys_as_slice().as_ptr(), keys);
    assert_eq!((dense[first], dense.len(), dense.capacity() - dense.len()), (0, MANY, 0));
    assert!(dense.values().copied().eq(0..MANY as u64));
    dense.validate();
}

test_both!(alignments_of_all_kinds_are_kept, Container => {
    #[derive(Clone)]
    #[repr(align(8192))]
    struct Aligned(u8);

    let mut aligned = Container::reserved(3);
    let key = aligned.insert(Aligned(1));
    aligned.insert(Aligned(2));
    assert_eq!(address(&aligned[key]) % align_of::<Aligned>(), 0);
    let copy = aligned.clone();
    assert_eq!((copy[key].0, address(&copy[key]) % align_of::<Aligned>()), (1, 0));
});

#[test]
#[cfg(not(miri))]
fn b30_e3_growing_asks_no_allocator_and_copies_nothing() {
    use larder_testing::allocator::requests_of;

    for_both!(Container => {
        let mut arena = Container::reserved(MANY);
        let (requests, arena) = requests_of(|| {
            let first = arena.insert(0_u64);
            let before = address(&arena[first]);
            for value in 1..MANY as u64 {
                arena.insert(value);
                assert_eq!(address(&arena[first]), before);
            }
            arena.detach(first);
            arena.clear();
            arena
        });
        assert_eq!((requests, arena.capacity()), (0, MANY));
    });
}

// The amount of memory that is taken.

#[test]
#[cfg(not(miri))]
fn b31_b37_commits_are_rare_and_waste_an_eighth_at_most() {
    for_both!(Container => {
        let mut arena = Container::<[u8; 60]>::reserved(MANY);
        let (mut commits, mut committed) = (0, arena.stats().memory.committed);
        assert!(committed < 256, "addresses only");
        for _ in 0..MANY {
            arena.insert([0; 60]);
            let bytes = arena.stats().memory.committed;
            if bytes != committed {
                (commits, committed) = (commits + 1, bytes);
                // A value in an `Arena` takes 64.13 bytes, in a `DenseArena` 72.13.
                let most = arena.len() * 73 / 8 * 9;
                assert!(bytes <= most + (6 << 16) + 256, "{bytes} for {} values", arena.len());
            }
        }
        assert!(commits < 200, "{commits}");
        assert!(committed < MANY * 73 + (1 << 21), "1 MiB ahead, and what is rounded");
    });
}

#[test]
#[cfg(all(target_pointer_width = "64", not(miri)))]
fn z1_address_space_for_a_thousand_million() {
    for_both!(Container => {
        let mut tables: Vec<_> = (0..100).map(|_| Container::<u64>::reserved(1_000_000_000)).collect();
        for table in &mut tables {
            assert_eq!((table.capacity(), table.len()), (1_000_000_000, 0));
            assert!(table.stats().memory.committed < 256, "addresses only");
            let key = table.insert(7);
            table.clear();
            assert!(!table.contains_key(key));
            assert!(table.stats().memory.committed < 1 << 20, "what was used, not what was reserved");
            table.shrink_to_fit();
            table.insert(8);
        }
    });
}

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn z1_memory_goes_back_on_shrink_and_the_addresses_stay() {
    /// Returns the number of bytes of memory that this process has, at least.
    fn resident() -> usize {
        let statm = std::fs::read_to_string("/proc/self/statm").expect("this is Linux");
        statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap() * 4096
    }

    const MIB: usize = 1 << 20;
    for_both!(Container => {
        let mut arena = Container::<[u64; 8]>::reserved(10_000_000);
        let first = arena.insert([0; 8]);
        let before = (address(&arena[first]), resident(), arena.stats().memory.committed);
        arena.extend((0..3_000_000).map(|value| [value; 8]));
        // (Other tests run meanwhile, and take and free memory, too.)
        assert!(resident() > before.1 + 100 * MIB && arena.stats().memory.committed > 180 * MIB);
        let full = resident();
        arena.retain(|key, _| key == first);
        arena.shrink_to_fit();
        assert!(resident() + 60 * MIB < full, "{} of {full} bytes left", resident());
        assert!(arena.stats().memory.committed <= before.2);
        assert_eq!((address(&arena[first]), arena.capacity()), (before.0, 10_000_000));
        arena.extend((0..1_000).map(|value| [value; 8]));
        arena.validate();
    });
}

// Pages that are touched beforehand.

/// Returns the system's lines about the mapping at an address, as the words of each.
#[cfg(all(target_os = "linux", not(miri)))]
fn mapping_at(address: usize) -> Vec<Vec<String>> {
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("this is Linux");
    let is_here = |line: &&str| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).ok();
        let range = range.and_then(|(a, b)| Some(number(a)?..number(b)?));
        range.is_some_and(|range| range.contains(&address))
    };
    // (Lines about a mapping begin with a capital letter, the first line of the next with a number.)
    let rest = maps.lines().skip_while(|line| !is_here(line)).skip(1);
    let lines = rest.take_while(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Returns the words under a name for the mapping at an address.
#[cfg(all(target_os = "linux", not(miri)))]
fn said_at(address: usize, name: &str) -> Vec<String> {
    let said = mapping_at(address).into_iter().find(|words| words[0] == name);
    said.map(|mut words| words.split_off(1)).unwrap_or_default()
}

/// Returns the memory of the mapping at an address, in KiB, and the number of pages that this thread was first to
/// touch.
#[cfg(all(target_os = "linux", not(miri)))]
fn resident_and_faults(address: usize) -> (usize, usize) {
    let resident: usize = said_at(address, "Rss:")[0].parse().expect("a number of KiB");
    let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("this is Linux");
    let (_, rest) = stat.rsplit_once(") ").expect("a name in parentheses");
    (resident << 10, rest.split(' ').nth(7).and_then(|faults| faults.parse().ok()).unwrap())
}

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn b32_pages_that_are_touched_ahead_are_there_when_they_are_needed() {
    const COUNT: u64 = (960 << 10) / size_of::<(u64, u32)>() as u64; // less than 1 MiB of slots
    let faults = |ahead: bool| {
        let mut arena = Arena::builder().reserved(10_000_000).commit_ahead(ahead).build();
        let first = arena.insert(0_u64);
        let at = address(&arena[first]);
        let began = std::time::Instant::now();
        while ahead && resident_and_faults(at).0 < 1 << 20 {
            assert!(began.elapsed().as_secs() < 30, "the helper does not help");
            std::thread::sleep(core::time::Duration::from_millis(1));
        }
        let (_, before) = resident_and_faults(at);
        arena.extend((1..COUNT).filter(|_| true));
        let (_, after) = resident_and_faults(at);
        assert_eq!(arena.values().sum::<u64>(), COUNT * (COUNT - 1) / 2);
        after - before
    };
    assert!(faults(false) > 200, "a fault for each page of 4 KiB");
    let helped = faults(true);
    assert!(helped < 60, "{helped} faults, for 960 KiB that were there");
}

test_both!(b32_a_helper_keeps_away_from_what_goes, Container => {
    let mut builds = Vec::new();
    for round in 0..thorough(40, 2) {
        let build = move || {
            let builder = Container::<[u64; 4]>::builder().reserved(2_000_000);
            let mut arena = builder.commit_ahead(true).huge_pages(round % 5 == 0).build();
            for _ in 0..scaled(3, 1) {
                arena.extend((0..scaled(100_000, 20) as u64).map(|value| [value; 4]));
                arena.clear();
                arena.shrink_to_fit();
                assert!(arena.stats().memory.committed <= 8 << 20, "{}", arena.stats().memory.committed);
                arena.insert([7; 4]);
            }
            let copy = arena.clone();
            drop(arena);
            copy.validate();
            assert!(copy.values().eq(&[[7; 4]]));
        };
        builds.push(std::thread::spawn(build));
        if builds.len() == 4 {
            builds.drain(..).for_each(|build| build.join().unwrap());
        }
    }
});

/// Memory ahead of use ends with each column's own addresses, at most.
#[test]
fn b32_columns_ahead_of_use_end_where_the_next_ones_begin() {
    type Three = (u64, u8, [u32; 3]);
    let three = |n: u32| (u64::from(n), n as u8, [n; 3]);
    for count in [100, 10_000, scaled(300_000, 12_000)] {
        let mut arena = SoaArena::<Three>::builder().reserved(count).commit_ahead(true).build();
        for until in [1, count / 2, count] {
            arena.extend((arena.len()..until).map(|n| three(n as u32)));
            let usage = arena.stats().memory;
            assert!(usage.committed <= usage.reserved, "{usage:?}");
            assert!((0..).map(three).zip(arena.values()).all(|(it, (a, b, c))| it == (*a, *b, *c)));
        }
        arena.retain(|key, _| key.slot() < 50);
        arena.shrink_to_fit();
        assert!((0..50).map(three).eq(arena.values().map(|(a, b, c)| (*a, *b, *c))));
    }
}

// The maximum.

test_both!(an_iterator_that_promises_too_much_fills_what_there_is, Container => {
    let mut arena = Container::reserved(100);
    assert!(panic_of(|| arena.extend(0..1_000)).message.contains("full"));
    assert!(arena.values().copied().eq(0..100));
});

// Huge pages.

test_both!(huge_pages_change_nothing_that_can_be_seen, Container => {
    let slots = scaled(300_000, 70);
    for wanted in [true, false] {
        let mut reserved = Container::builder().reserved(slots).huge_pages(wanted).build();
        reserved.extend(0..slots as u64);
        assert!(reserved.clone().values().copied().eq(0..slots as u64));
        reserved.retain(|_, value| *value < 10);
        reserved.shrink_to_fit();
        reserved.extend(10..slots as u64);
        assert!(reserved.values().copied().eq(0..slots as u64));
        reserved.validate();

        let mut heap = Container::builder().capacity(slots).huge_pages(wanted).build();
        heap.extend(0..2 * slots as u64);
        assert!(heap.clone().values().copied().eq(0..2 * slots as u64));
        heap.validate();
    }
});

/// The advice to the system about huge pages.
#[cfg(all(target_os = "linux", not(miri)))]
#[derive(Debug, PartialEq)]
enum Advice {
    Nothing,
    Huge,
    NotHuge,
}

/// Returns the advice about the place of the third value of a container that is made so: the first page may be
/// another's.
#[cfg(all(target_os = "linux", not(miri)))]
macro_rules! advice_to {
    ($Container:ident, $memory:expr) => {{
        let build = $memory;
        let mut arena: $Container<Page> = build($Container::builder()).build();
        arena.extend([[0; 4096]; 3]);
        let last = arena.values().next_back().unwrap();
        let flags = said_at(address(last), "VmFlags:");
        assert!(!flags.is_empty(), "the system does not say");
        let has = |flag: &str| flags.iter().any(|word| word == flag);
        match (has("hg"), has("nh")) {
            (false, false) => Advice::Nothing,
            (true, false) => Advice::Huge,
            (false, true) => Advice::NotHuge,
            _ => panic!("{flags:?}"),
        }
    }};
}

/// (The allocator's own memory, where blocks up to 32 MiB may lie, may have been advised before.)
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn huge_pages_are_what_the_system_is_advised_of() {
    type Page = [u8; 4096];
    const LARGE: usize = (40 << 20) / size_of::<Page>();

    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        return;
    }
    macro_rules! check {
        ($Container:ident) => {
            let advice = advice_to!($Container, |it: Builder<_>| it.capacity(LARGE));
            assert_eq!(advice, Advice::Huge, "from the allocator");
            let advice = advice_to!($Container, |it: Builder<_>| it.fixed(LARGE / 8));
            assert_eq!(advice, Advice::Huge, "fixed, of 5 MiB");
            let advice =
                advice_to!($Container, |it: Builder<_>| it.capacity(LARGE).huge_pages(false));
            assert_eq!(advice, Advice::Nothing, "switched off");
            let advice = advice_to!($Container, |it: Builder<_>| it.reserved(LARGE));
            assert_eq!(advice, Advice::NotHuge, "reserved");
            let advice =
                advice_to!($Container, |it: Builder<_>| it.reserved(LARGE).huge_pages(true));
            assert_eq!(advice, Advice::Huge, "reserved, of huge pages");
        };
    }
    check!(Arena);
    check!(DenseArena);
    check!(SoaArena);
    check!(DenseSoaArena);
    let blocks = |it: Builder<_>| it.block_bytes(40 << 20);
    assert_eq!(advice_to!(PagedArena, blocks), Advice::Huge);
    let blocks = |it: Builder<_>| it.block_bytes(40 << 20).huge_pages(false);
    assert_eq!(advice_to!(PagedArena, blocks), Advice::Nothing);
}

// The reservations that are refused.

#[test]
fn z1_more_addresses_than_there_are() {
    for_both!(Container => {
        let overflow = Container::<u64>::builder().reserved(usize::MAX).try_build();
        let Err(TryReserveError::CapacityOverflow { requested: usize::MAX, .. }) = overflow else {
            panic!("{overflow:?}")
        };
    });
}

#[test]
#[cfg(all(target_pointer_width = "64", not(miri)))]
fn z1_refused_addresses_are_an_error_in_the_systems_words() {
    const MANY: usize = 1 << 31;

    for_both!(Container => {
        // Nearly `isize::MAX` bytes.
        let refused = Container::<[u8; MANY]>::builder().reserved(MANY - 1).try_build().unwrap_err();
        let TryReserveError::ReserveRefused { bytes, code } = refused else { panic!("{refused}") };
        assert!(bytes >= MANY * (MANY - 1));
        let words = std::io::Error::from_raw_os_error(code).to_string();
        let message = refused.to_string();
        assert!(message.contains(&bytes.to_string()) && message.contains(&words), "{message}");
        let panic = panic_of(|| Container::<[u8; MANY]>::reserved(MANY - 1));
        assert!(panic.message.contains("refused to reserve"), "{}", panic.message);
        assert!(panic.file.ends_with("reserved.rs"));
    });
}

/// Without virtual memory it is the allocator that may refuse.
#[test]
#[cfg(miri)]
fn reservations_refused_by_the_allocator() {
    use larder_testing::allocator::refusing_after;

    for_both!(Container => {
        for grants in 0.. {
            let reserved = || Container::<u32>::builder().reuse(Reuse::Fifo).reserved(10).try_build();
            let (refused, made) = refusing_after(grants, true, reserved);
            assert_eq!(refused, made.is_err());
            assert!(made.is_ok() || matches!(made, Err(TryReserveError::AllocRefused { .. })));
            if !refused {
                break;
            }
        }
    });
}

/// Slots at hand whose word has no other value, when the book comes to have summaries.
#[test]
fn a_book_that_grows_in_place_knows_of_words_without_values() {
    let mut arena: Arena<usize> = Arena::reserved(200_000);
    arena.extend(0..4_096);
    arena.shrink_to_fit();
    arena.retain(|_, number| *number != 255 && *number / 64 != 4);
    arena.insert(0); // takes the first hole, and the other 63 are at hand
    arena.validate();
    arena.reserve(6_000);
    arena.validate();
    assert_eq!(arena.iter().count(), arena.len());
}
