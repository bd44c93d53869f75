//! Pools of names and of lists that are emptied again and again: their slots are used up, and they begin
//! with fresh ones. And which pool a symbol or a list is of.

use std::collections::HashSet;

use crate::pool_numbers::Brands;
use hashbrown::DefaultHashBuilder;
use larder::pools::list_pool::ListHandle;
use larder::pools::{ListPool, StringPool, Symbol};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::panic_of;
use larder_testing::common::{SplitMix, amount, scaled};

type Names = StringPool<DefaultHashBuilder>;

fn numbered(number: u32) -> Names {
    StringPool::numbered(number, DefaultHashBuilder::default())
}

/// The largest number of texts.
const MANY: usize = scaled(1_000, 20);

/// Clears a pool again and again; before each time `texts` says how many to intern. Answers with the most
/// bytes that it took.
fn cleared(pool: &mut Names, times: usize, mut texts: impl FnMut() -> usize) -> usize {
    let names: Vec<_> = (0..MANY).map(|n| format!("name {n}")).collect();
    let mut seen = HashSet::new();
    let mut most = 0;
    for _ in 0..times {
        for name in &names[..texts()] {
            let symbol = pool.intern(name);
            assert!(seen.insert(symbol), "{symbol} came back");
        }
        most = most.max(pool.stats().bytes);
        pool.clear();
    }
    pool.validate();
    assert!(seen.iter().all(|&symbol| pool.get(symbol).is_none()));
    most
}

#[test]
fn a_pool_that_is_cleared_every_frame_takes_no_more_memory() {
    for (texts, times) in
        [(MANY, amount(1_000, 300, 2)), (scaled(3, 1), amount(100_000, 10_000, 150))]
    {
        let full = cleared(&mut StringPool::new(), times.min(128), || texts);
        let most = cleared(&mut StringPool::new(), times, || texts);
        assert!(most <= full, "{most} bytes, {full} until its slots were used up");
    }
}

/// Low slots are used up before high ones: there are at most twice as many as texts at once.
#[test]
fn a_pool_that_is_cleared_with_few_texts_and_many_takes_no_more_than_twice_the_memory() {
    let full = cleared(&mut StringPool::new(), 1, || MANY);
    let mut random = SplitMix::new(1);
    let most = cleared(&mut StringPool::new(), scaled(3_000, 2), || {
        let most = if random.below(10) == 0 { MANY } else { MANY / 30 };
        random.below(most + 1)
    });
    assert!(most <= 2 * full, "{most} bytes, {full} with all texts once");
}

#[test]
fn a_pool_that_is_emptied_by_releasing_takes_no_more_memory() {
    let mut pool = StringPool::new();
    let mut seen = HashSet::new();
    let mut most = 0;
    for round in 0..amount(50_000, 10_000, 150) {
        let symbols = ["a", "b", "c"].map(|text| pool.acquire(text));
        assert!(symbols.iter().all(|&symbol| seen.insert(symbol)), "a symbol came back");
        symbols[round % 3..].iter().for_each(|&symbol| assert!(pool.release(symbol)));
        symbols[..round % 3].iter().for_each(|&symbol| assert!(pool.release(symbol)));
        if round == 0 {
            most = pool.stats().bytes;
        }
        assert!(pool.stats().bytes <= most, "{:?}", pool.stats());
    }
    pool.validate();
    assert!(seen.iter().all(|&symbol| pool.get(symbol).is_none()));
}

/// Some pools begin so near the last number that the numbers of their slots go round.
#[test]
fn numbers_of_slots_go_round() {
    if cfg!(miri) {
        return;
    }
    let numbers = [28_657, 46_368, 75_025, 121_393];
    let goes_round = |number| {
        let mut pool = numbered(number);
        let slots: Vec<_> =
            (0..300).map(|n| pool.intern(&n.to_string()).to_bits() & 0xff_ffff).collect();
        slots.iter().max() == Some(&0xff_ffff) && slots.contains(&0)
    };
    let round: Vec<_> = numbers.into_iter().filter(|&number| goes_round(number)).collect();
    assert!(!round.is_empty());
    for number in round {
        let mut pool = numbered(number);
        let full = cleared(&mut pool, 128, || 300);
        assert!(cleared(&mut pool, 400, || 300) <= full);
    }
}

/// If allocation of fresh slots fails, the old ones are used on.
#[test]
fn clearing_a_worn_pool_needs_no_memory() {
    let mut pool = StringPool::new();
    let mut seen = HashSet::new();
    for _ in 0..scaled(300, 140) {
        let symbol = pool.intern("name");
        assert!(seen.insert(symbol));
        refusing_after(0, true, || pool.clear());
        pool.validate();
        assert_eq!(pool.get(symbol), None);
    }
    assert!(seen.iter().all(|&symbol| pool.get(symbol).is_none()));
}

fn filled(number: u32, texts: usize) -> (Names, Vec<Symbol>) {
    let mut pool = numbered(number);
    let symbols = (0..texts).map(|n| pool.intern(&n.to_string())).collect();
    (pool, symbols)
}

fn are_told_apart(one: &(Names, Vec<Symbol>), other: &(Names, Vec<Symbol>)) -> bool {
    let strange =
        |pool: &Names, symbols: &[Symbol]| symbols.iter().all(|&symbol| pool.get(symbol).is_none());
    strange(&one.0, &other.1) && strange(&other.0, &one.1)
}

/// The kth pool after another has other slots for 5,000,000 / k texts, as the type promises. Every 128th pool begins
/// with the same life.
#[test]
fn the_kth_pool_after_has_other_slots() {
    if cfg!(miri) {
        return;
    }
    for first in [0, 77, u32::MAX - 1_000] {
        let texts = 1_950;
        let one = filled(first, texts);
        for k in (128..=2_560).step_by(128).chain([1, 2, 55, 89, 987, 1_597]) {
            assert!(are_told_apart(&one, &filled(first.wrapping_add(k), texts)), "{k} apart");
        }
        let one = filled(first, 66);
        for k in [2_584, 10_946, 28_657, 46_368, 64_000, 75_000] {
            assert!(are_told_apart(&one, &filled(first.wrapping_add(k), 66)), "{k} apart");
        }
    }
}

/// And of any number of texts up to the 127th, if all are interned: these have numbers of slots in common.
#[test]
fn the_127_pools_after_have_other_lives() {
    if cfg!(miri) {
        return;
    }
    let slots = |(_, symbols): &(Names, Vec<Symbol>)| -> HashSet<u32> {
        symbols.iter().map(|symbol| symbol.to_bits() & 0xff_ffff).collect()
    };
    let one = filled(100, 150_000);
    for k in [55, 89] {
        let other = filled(100 + k, 150_000);
        assert!(!slots(&one).is_disjoint(&slots(&other)));
        assert!(are_told_apart(&one, &other), "{k} apart");
    }
}

/// The type does not promise this: nothing tells pools apart if slots and lives are the same.
#[test]
fn a_clone_counts_as_the_same_pool() {
    let mut pool = StringPool::new();
    let before = pool.intern("before");
    let mut clone = pool.clone();
    let (here, there) = (pool.intern("here"), clone.intern("there"));
    assert_eq!((&pool[before], &clone[before]), ("before", "before"));
    assert_eq!(here, there);
    assert_eq!((&pool[there], &clone[here]), ("here", "there"));

    let mut lists = ListPool::new();
    let before = lists.make([1]);
    let mut clone = lists.clone();
    let (here, there, more) = (lists.make([2]), clone.make([3, 3]), clone.make([4]));
    assert_eq!((&lists[before], &clone[before]), (&[1][..], &[1][..]));
    assert_eq!((&lists[there], &clone[here]), (&[2][..], &[3, 3][..]));
    assert_eq!(lists.get(more), None);
    lists.free(here);
    assert_eq!((lists.get(there), &clone[there]), (None, &[3, 3][..]));
}

/// More pools of lists than there are numbers for them, most of them gone: no two lists are equal, and
/// none answers in another's pool.
#[test]
fn lists_of_pools_that_are_gone_answer_in_no_later_pool() {
    const POOLS: usize = scaled(3 * 65_534, 300);
    let mut staying = ListPool::new();
    let kept = staying.make([1]);
    let mut seen = HashSet::from([kept]);
    let mut gone: Vec<ListHandle<u32>> = vec![];
    for number in 0..POOLS {
        let mut pool = ListPool::new();
        let list = pool.make([number as u32]);
        assert!(seen.insert(list), "{list} of pool {number} was another's");
        assert_eq!((staying.get(list), pool.get(kept)), (None, None));
        if number % 1_000 == 0 {
            assert!(gone.iter().all(|&old| pool.get(old).is_none()));
            gone.push(list);
            let said = panic_of(|| staying.free(list)).message;
            assert!(said.contains("of another pool"), "{said}");
        }
    }
    assert_eq!(staying[kept], [1]);
    assert!(gone.iter().all(|&list| staying.get(list).is_none()));
}

/// A number goes on above every generation of the pool that had it.
#[test]
fn a_number_of_pools_goes_on_where_it_was_left() {
    let brands = Brands::<2>::new();
    assert_eq!([brands.take(), brands.take()], [(0, 0), (1, 0)]);
    brands.give_back(1, Some(1));
    assert_eq!(brands.take(), (1, 32));
    brands.give_back(1, Some(64));
    brands.give_back(0, Some(33));
    assert_eq!([brands.take(), brands.take()], [(0, 64), (1, 64)]);
    for reached in (65..10_000).step_by(77) {
        brands.give_back(0, Some(reached));
        let (number, from) = brands.take();
        assert_eq!((number, from % 2), (0, 0));
        assert!((reached..reached + 32).contains(&from), "{from} after {reached}");
    }
}

/// The clones of a pool have its number until the last of them is gone.
#[test]
fn a_number_is_shared_by_clones() {
    let brands = Brands::<2>::new();
    let (number, _) = brands.take();
    brands.share(number);
    brands.give_back(number, Some(1_000));
    assert_eq!([brands.take(), brands.take()].map(|(number, _)| number), [1, 0], "none is free");
    brands.give_back(0, Some(1));
    brands.give_back(0, Some(40));
    assert_eq!(brands.take(), (0, 1_024));
    // The last of so many that they cannot be counted is not known to be gone.
    (0..scaled(70_000, 0)).for_each(|_| brands.share(0));
    (0..scaled(70_000, 0)).for_each(|_| brands.give_back(0, None));
    brands.give_back(1, Some(0));
    assert_eq!(brands.take(), (1, 0));
}

/// If more pools have lists than there are numbers, they share numbers; one that is given back is free.
#[test]
fn numbers_that_are_all_taken_are_shared() {
    let brands = Brands::<3>::new();
    let taken: Vec<_> = (0..9).map(|_| brands.take().0).collect();
    assert!((0..3).all(|number| taken.iter().filter(|&&of| of == number).count() == 3));
    (0..3).for_each(|_| brands.give_back(1, Some(7)));
    assert_eq!(brands.take(), (1, 32), "the only one that is free");
}

/// Worn numbers are left alone until there are only those.
#[test]
fn worn_numbers_are_taken_last() {
    let brands = Brands::<3>::new();
    let taken = [brands.take(), brands.take(), brands.take()];
    assert_eq!(taken, [(0, 0), (1, 0), (2, 0)]);
    brands.give_back(0, None);
    brands.give_back(1, Some(1 << 19));
    brands.give_back(2, Some((1 << 19) - 32));
    for _ in 0..5 {
        assert_eq!(brands.take(), (2, (1 << 19) - 32));
        brands.give_back(2, Some((1 << 19) - 32));
    }
    let last = brands.take();
    assert_eq!([brands.take(), brands.take()], [(0, 0), (1, 0)], "they begin anew");
    brands.give_back(last.0, Some((1 << 19) + 1));
    assert_eq!(brands.take(), (2, 0));
}

/// From many threads at once each number is one pool's at a time.
#[test]
fn numbers_are_taken_by_many_threads() {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    let (brands, taken) = (Brands::<4>::new(), [const { AtomicBool::new(false) }; 4]);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for reached in 0..scaled(20_000, 30) as u32 {
                    let (number, from) = brands.take();
                    assert!(!taken[number as usize].swap(true, SeqCst), "{number} is taken twice");
                    taken[number as usize].store(false, SeqCst);
                    brands.give_back(number, Some(from + reached % 2));
                }
            });
        }
    });
    let all: HashSet<u16> = (0..4).map(|_| brands.take().0).collect();
    assert_eq!(all.len(), 4, "all were given back");
}

/// A pool whose slots are used up goes on under another number.
#[test]
fn a_pool_renews_its_slots_under_a_later_number() {
    if cfg!(miri) {
        return;
    }
    let (mut pool, mut made) = (ListPool::new(), Vec::with_capacity(LIVES + 100));
    for _ in 0..LIVES + 100 {
        made.push(pool.make([0]));
        pool.free(made[made.len() - 1]);
    }
    pool.validate();
    made.sort_unstable();
    assert!(made.windows(2).all(|pair| pair[0] != pair[1]), "a list came back");
}

/// The number of lists that a slot can have.
const LIVES: usize = 1 << 19;

/// Frees by `free` what was made, until the slots were used up more than once.
fn worn_by(mut free: impl FnMut(&mut ListPool<u32>, [ListHandle<u32>; 2])) {
    if cfg!(miri) {
        return;
    }
    let mut pool = ListPool::new();
    let first = [pool.make([0]), pool.make([0, 1])];
    let bytes = pool.stats().bytes;
    let mut old = vec![first[0], first[1]];
    free(&mut pool, first);
    for round in 1..LIVES + 1_000 {
        let lists = [pool.make([0]), pool.make([0, 1])];
        if round % 10_000 == 0 || round.abs_diff(LIVES) < 10 {
            assert!(old.iter().all(|&old| !pool.contains(old)));
            old.extend(lists);
        }
        free(&mut pool, lists);
    }
    pool.validate();
    assert!(pool.stats().bytes <= bytes, "{:?}, {bytes} at first", pool.stats());
    assert!(old.iter().all(|&old| pool.get(old).is_none()));
    let said = panic_of(|| pool.free(first[0])).message;
    assert!(said.contains("or was freed long ago"), "{said}");
}

#[test]
fn a_pool_of_lists_that_is_emptied_every_frame_takes_no_more_memory() {
    worn_by(|pool, _| pool.free_all());
}

#[test]
fn a_pool_of_lists_that_are_freed_one_by_one_takes_no_more_memory() {
    worn_by(|pool, lists| lists.into_iter().for_each(|list| pool.free(list)));
}

#[test]
fn a_pool_of_lists_that_are_not_kept_takes_no_more_memory() {
    worn_by(|pool, _| pool.retain(|_, _| false));
}
