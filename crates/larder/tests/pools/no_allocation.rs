//! Room that was reserved is enough: a program that must not allocate after its start can use pools.

use larder::pools::list_pool::ListHandle;
use larder::pools::{ListPool, StringPool};
use larder_testing::common::{SplitMix, allocations_of, scaled};

const ROOM: usize = if cfg!(miri) { 60 } else { 1_000 };

/// Does to lists what can be done, at random, with up to so many of up to `longest` values. Returns how often it allocated.
fn allocations_of_lists<T: Clone>(
    lists: &mut ListPool<T>,
    (most, longest): (usize, usize),
    seed: u64,
    value: impl Fn() -> T,
) -> usize {
    let mut handles = Vec::<ListHandle<T>>::with_capacity(most);
    let mut random = SplitMix::new(seed);
    let requests = allocations_of(|| {
        for _ in 0..scaled(3_000, 60) {
            if handles.len() < most && random.below(3) == 0 {
                // Of a length that is known, or not.
                let values = (0..random.below(longest + 1)).map(|_| value());
                handles.push(match random.below(2) {
                    0 => lists.make(values),
                    _ => lists.make(values.filter(|_| true)),
                });
                continue;
            }
            if handles.is_empty() {
                continue;
            }
            let at = random.below(handles.len());
            let len = lists[handles[at]].len();
            match random.below(7) {
                0 => lists.free(handles.swap_remove(at)),
                1 => _ = lists.pop(handles[at]),
                2 => lists.truncate(handles[at], len / 2),
                3 => lists.reserve(&mut handles[at], longest - len),
                4 if handles.len() < most => handles.push(lists.clone_list(handles[at])),
                _ if len < longest => {
                    let more = (0..=random.below(longest - len)).map(|_| value());
                    lists.extend(&mut handles[at], more.filter(|_| true));
                }
                _ => lists.clear(handles[at]),
            }
        }
    });
    handles.into_iter().for_each(|list| lists.free(list));
    requests
}

#[test]
fn a_reserved_pool_of_lists_does_not_allocate() {
    for (seed, most) in (0..).zip([1, 2, 3, 7, ROOM / 4]) {
        for longest in [1, 2, 3, 4, 5, 8, 20, 100] {
            let mut lists = ListPool::<u32>::new();
            lists.reserve_lists(most, longest);
            let capacity = lists.capacity();
            assert!((most * longest..=most.max(1) * longest.max(4) * 4).contains(&capacity));
            for round in 0..4 {
                let requests =
                    allocations_of_lists(&mut lists, (most, longest), seed + round, || 7);
                assert_eq!(requests, 0, "{most} lists of {longest}");
                lists.validate();
                if round == 1 {
                    lists.free_all();
                }
            }
            lists.reserve_lists(most, longest);
            assert_eq!(lists.capacity(), capacity, "there is as much room already");
        }
    }
}

/// One piece after the other may become as large as is needed once; but there is a free one.
#[test]
fn a_list_at_the_end_takes_a_free_piece_before_it_grows_in_place() {
    let mut lists = ListPool::<u32>::new();
    lists.reserve_lists(2, 64);
    let requests = allocations_of(|| {
        for _ in 0..100 {
            let mut large = lists.make([1]);
            lists.extend(&mut large, (0..63).filter(|_| true));
            let small = lists.make([2]);
            lists.free(large);
            lists.free(small);
        }
        // All of which is not in pieces that are too small.
        let both = [lists.make([3; 64]), lists.make([4; 64])];
        assert!(both.iter().all(|&list| lists[list].len() == 64));
    });
    assert_eq!((requests, lists.stats().free <= 2 * (4 + 8 + 16 + 32) * 4), (0, true));
    lists.validate();
}

/// Room for more lists is beside that of those that are there; others of more values are kept; values may lie nowhere.
#[test]
fn room_for_lists_is_reserved_beside_what_is_there() {
    let mut lists = ListPool::<u64>::new();
    let first: Vec<_> = (0..20).map(|len| lists.make(0..len * 5)).collect();
    first.iter().step_by(2).for_each(|&list| lists.free(list));
    lists.reserve_lists(10, 30);
    assert_eq!(allocations_of_lists(&mut lists, (10, 30), 3, || 1), 0);
    lists.reserve_lists(0, usize::MAX);
    assert!(lists.try_reserve_lists(1, usize::MAX).is_err());
    assert!(lists.try_reserve_lists(usize::MAX, 1).is_err());
    assert!(first.iter().skip(1).step_by(2).all(|&list| lists.contains(list)));

    let mut nothing = ListPool::<()>::new();
    nothing.reserve_lists(10, 1_000);
    assert_eq!(nothing.capacity(), u32::MAX as usize);
    assert_eq!(allocations_of_lists(&mut nothing, (10, 30), 3, || ()), 0);
}

/// Acquires, interns and releases texts of up to `longest` bytes at random, up to `most` at once, so often that no slot is
/// used up. Returns how often that allocated.
fn allocations_of_texts(
    names: &mut StringPool,
    (most, longest): (usize, usize),
    seed: u64,
) -> usize {
    let times = scaled(most * 60, most * 4);
    let texts: Vec<_> = (0..2 * most)
        .map(|number| format!("{number}{}", "x".repeat(longest))[..longest].to_owned())
        .collect();
    let mut held = Vec::with_capacity(most);
    let mut random = SplitMix::new(seed);
    let requests = allocations_of(|| {
        for time in 0..times {
            // Many come, and many go in the order in which they came, or at random.
            let are_leaving = time / most % 2 == 1;
            if held.len() == most || are_leaving && random.below(4) > 0 {
                if !held.is_empty() {
                    let at = random.below(if seed % 2 == 0 { held.len() } else { 1 });
                    names.release(held.swap_remove(at));
                }
                continue;
            }
            // Most are short, but for a few.
            let text = &texts[random.below(texts.len())];
            let len = if random.below(9) == 0 { longest } else { random.below(longest.min(9)) + 1 };
            held.push(names.acquire(&text[..len.min(longest)]));
        }
    });
    held.into_iter().for_each(|symbol| _ = names.release(symbol));
    requests
}

#[test]
fn a_reserved_pool_of_texts_does_not_allocate() {
    for most in [1, 2, 7, 50, ROOM] {
        for longest in [1, 2, 9, 100, 1_024] {
            for seed in 0..4 {
                let mut names = StringPool::new();
                // (Beside each two slots one, for those that are retired.)
                names.reserve_texts(most + most.div_ceil(2), most * longest);
                let bytes = names.stats().bytes;
                let requests = allocations_of_texts(&mut names, (most, longest), seed);
                assert_eq!(requests, 0, "{most} texts of {longest}, {seed}");
                names.validate();
                names.reserve_texts(most, most * longest);
                assert_eq!(names.stats().bytes, bytes, "there is as much room already");
            }
        }
    }
}

/// Releases do not pay for emptying blocks of which they leave many short texts: what comes next has to empty them.
#[test]
fn blocks_that_are_made_sparse_at_once_are_emptied_for_what_comes_next() {
    const TINY: usize = 86;
    let blocks = scaled(300, 10);
    let tiny: Vec<_> = ('\u{800}'..).take(TINY * blocks).map(String::from).collect();
    // So long that these and the short ones of a block leave no room for one of half a block.
    let middle: Vec<_> = (0..blocks).map(|number| format!("{number:0422}")).collect();
    let large: Vec<_> = (0..blocks * 2 / 5).map(|number| format!("{number:01024}")).collect();
    let mut names = StringPool::new();
    names.reserve_texts((TINY + 1) * blocks + 1, (TINY * 3 + 422) * blocks + 1_024);
    let mut kept = Vec::with_capacity(tiny.len());
    let mut gone = Vec::with_capacity(blocks);
    let requests = allocations_of(|| {
        for (tiny, middle) in tiny.chunks(TINY).zip(&middle) {
            kept.extend(tiny.iter().map(|text| names.acquire(text)));
            gone.push(names.acquire(middle));
            let next = names.acquire(&large[0]);
            assert!(names.release(next));
        }
        gone.iter().for_each(|&symbol| assert!(names.release(symbol)));
        large.iter().for_each(|text| _ = names.acquire(text));
    });
    assert_eq!(requests, 0);
    names.validate();
    assert!(kept.iter().zip(&tiny).all(|(&symbol, text)| names[symbol] == **text));
}

/// Room for more texts is beside that of those that are there, interned ones too, which stay; what is more than was
/// reserved is given back when it goes.
#[test]
fn room_for_texts_is_reserved_beside_what_is_there() {
    let mut names = StringPool::new();
    let kept = names.intern("kept");
    let some: Vec<_> = (0..100).map(|n| names.acquire(&format!("{n:090}"))).collect();
    names.reserve_texts(250, 100 * 40);
    assert_eq!(allocations_of_texts(&mut names, (100, 40), 2), 0);
    // Those that were there before may be replaced as well.
    some.into_iter().for_each(|symbol| assert!(names.release(symbol)));
    assert_eq!(allocations_of_texts(&mut names, (200, 60), 3), 0);
    assert_eq!(&names[kept], "kept");

    let room = |names: &StringPool| names.stats().used + names.stats().wasted;
    let before = room(&names);
    let more: Vec<_> = (0..1_000).map(|n| names.acquire(&format!("{n:01000}"))).collect();
    assert!(room(&names) > 1_000 * 1_000);
    more.into_iter().for_each(|symbol| assert!(names.release(symbol)));
    assert!(room(&names) <= 2 * before, "{before}, then {}", room(&names));
    names.shrink_to_fit();
    assert!(room(&names) <= 3 * 2_048, "{}", room(&names));

    let bytes = names.stats().bytes;
    assert!(names.try_reserve_texts(usize::MAX, 0).is_err());
    assert!(names.try_reserve_texts(0, usize::MAX).is_err());
    assert_eq!(names.stats().names, 1);
    assert!(names.stats().bytes <= bytes + 4 * names.stats().bookkeeping);
}

/// A pool that is filled and cleared over and over.
#[test]
fn a_reserved_pool_that_interns_and_is_cleared_does_not_allocate() {
    let mut names = StringPool::new();
    let texts: Vec<_> = (0..ROOM).map(|number| format!("the name {number}")).collect();
    names.reserve_texts(ROOM, texts.iter().map(String::len).sum());
    let requests = allocations_of(|| {
        for _ in 0..scaled(300, 3) {
            texts.iter().for_each(|text| _ = names.intern(text));
            names.clear();
        }
    });
    assert_eq!(requests, 0);
    names.validate();
}
