//! Names in a pool against a map: random histories, all short ones, hashers that lie and panic,
//! refused memory, and symbols that are none of the pool's.

use core::hash::{BuildHasher, Hasher};
use larder::pools::{StringPool, Symbol};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{panic_of, panicking_after, step};
use larder_testing::common::{deeper, scaled};
use larder_testing::random::random_histories;
use larder_testing::trouble::Refusals;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, RandomState};

/// References to a text; `None` where it is kept.
type References = Option<usize>;

struct Trial<S> {
    pool: StringPool<S>,
    model: BTreeMap<String, (Symbol, References)>,
    dead: Vec<Symbol>,
}

/// Short and long texts, empty, of several bytes a character, and around half a block.
fn text(number: usize) -> String {
    match number % 8 {
        0 => String::new(),
        1 => "é".repeat(number * 40),
        2 => "x".repeat(2040 + number % 20),
        3 => "y".repeat(4090 + number % 20),
        _ => format!("name {number} {}", "-".repeat(number * 37 % 900)),
    }
}

impl<S: BuildHasher + Clone> Trial<S> {
    fn of(pool: StringPool<S>) -> Self {
        Self { pool, model: BTreeMap::new(), dead: vec![] }
    }

    fn run(&mut self, kind: u8, number: usize) {
        let text = text(number);
        let known = self.model.get(&text).copied();
        match kind % 8 {
            0 => {
                let symbol = self.pool.intern(&text);
                assert!(known.is_none_or(|(known, _)| known == symbol));
                self.model.insert(text, (symbol, None));
            }
            1..4 => {
                let symbol = self.pool.acquire(&text);
                assert!(known.is_none_or(|(known, _)| known == symbol));
                let references = known.map_or(Some(1), |(_, count)| count.map(|count| count + 1));
                self.model.insert(text, (symbol, references));
            }
            4..7 => {
                let Some((symbol, references)) = known else { return };
                let gone = self.pool.release(symbol);
                assert_eq!(gone, references == Some(1));
                match references {
                    Some(1) => {
                        self.model.remove(&text);
                        self.dead.push(symbol);
                    }
                    _ => {
                        let left = references.map(|count| count - 1);
                        self.model.insert(text, (symbol, left));
                    }
                }
            }
            _ if number == 0 => {
                self.pool.clear();
                let model = core::mem::take(&mut self.model);
                self.dead.extend(model.into_values().map(|(symbol, _)| symbol));
            }
            _ if number == 1 => self.pool = self.pool.clone(),
            _ => assert_eq!(self.pool.find(&text), known.map(|(symbol, _)| symbol)),
        }
    }

    fn check(&self) {
        self.pool.validate();
        assert!(self.pool.blocks_are_half_full());
        assert_eq!(
            (self.pool.len(), self.pool.iter().count()),
            (self.model.len(), self.model.len())
        );
        for (text, (symbol, _)) in &self.model {
            assert_eq!(&self.pool[*symbol], text);
        }
        for symbol in &self.dead {
            assert_eq!(self.pool.get(*symbol), None);
        }
        let used: usize = self.model.keys().map(|text| text.len().max(1)).sum();
        assert_eq!(self.pool.stats().used, used);
    }
}

fn history(steps: &[(u8, usize)], pool: StringPool<impl BuildHasher + Clone>) {
    let mut trial = Trial::of(pool);
    for &(kind, number) in steps {
        trial.run(kind, number);
        trial.check();
    }
}

/// Sends all texts to one place.
#[derive(Clone, Default)]
struct Same;

impl BuildHasher for Same {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same
    }
}

impl Hasher for Same {
    fn finish(&self) -> u64 {
        7
    }

    fn write(&mut self, _: &[u8]) {}
}

/// An empty pool with so many slots, half of them with one life left, half with two.
fn nearly_worn<S: BuildHasher + Default>(slots: usize) -> StringPool<S> {
    let mut pool = StringPool::default();
    for round in 0..127 {
        let texts = if round < 126 { slots } else { slots / 2 };
        for n in 0..texts {
            pool.intern(&text(n));
        }
        pool.clear();
    }
    pool
}

fn random<S: BuildHasher + Clone + Default>() {
    random_histories(scaled(120, 40), &|_, numbers| {
        let step = |number: &u64| (*number as u8, (number >> 8) as usize % 40);
        let steps: Vec<_> = numbers.iter().map(step).collect();
        history(&steps, StringPool::<S>::default());
        if !cfg!(miri) {
            history(&steps, nearly_worn::<S>(3));
        }
    });
}

#[test]
fn random_histories_of_texts() {
    random::<RandomState>();
    random::<Same>(); // one hash for all
}

/// Everything that can be done in four steps (under Miri in two) with three texts.
#[test]
fn all_short_histories() {
    let depth = deeper(3, 2) as u32;
    let texts = [0, 3, 4];
    let choices: Vec<_> =
        [0, 1, 4, 7].into_iter().flat_map(|kind| texts.map(|number| (kind, number))).collect();
    let worn = nearly_worn::<Same>(2);
    for number in 0..choices.len().pow(depth) {
        let step = |step| choices[number / choices.len().pow(step) % choices.len()];
        let steps: Vec<_> = (0..depth).map(step).collect();
        history(&steps, StringPool::<Same>::default());
        if !cfg!(miri) {
            history(&steps, worn.clone());
        }
    }
}

#[test]
fn a_symbol_that_was_released_is_caught() {
    let mut pool = StringPool::new();
    let old = pool.acquire("old");
    pool.release(old);
    for _ in 0..2 {
        for act in [
            &mut |pool: &mut StringPool| assert!(pool.release(old)),
            &mut |pool: &mut StringPool| pool.share(old),
            &mut |pool: &mut StringPool| drop(pool[old].to_owned()),
        ] as [&mut dyn FnMut(&mut StringPool); 3]
        {
            let caught = panic_of(|| act(&mut pool));
            assert!(caught.message.contains("has no text"), "{}", caught.message);
            assert!(caught.file.ends_with("strings.rs"), "blames {}", caught.file);
        }
        assert_eq!(pool.get(old), None);
        pool.acquire("new"); // in its place
    }
    pool.validate();
}

/// A foreign symbol is caught as the type promises: always, if texts stay.
#[test]
fn a_symbol_of_another_pool_is_caught() {
    for _ in 0..if cfg!(miri) { 9 } else { 200 } {
        // Made right after one another: other tests' pools would have to be 126 between them for
        // the two to be taken for one.
        let mut pools = [StringPool::new(), StringPool::new()];
        let symbols = pools.each_mut().map(|pool| pool.intern("same"));
        for (mine, pool) in pools.iter().enumerate() {
            for (theirs, &symbol) in symbols.iter().enumerate() {
                assert_eq!(pool.get(symbol).is_some(), mine == theirs);
            }
        }
    }
}

/// Takes a step for each hash.
#[derive(Clone, Default)]
struct Stepping;

impl BuildHasher for Stepping {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        step();
        DefaultHasher::new()
    }
}

/// Each hash is another.
#[derive(Default)]
struct Lying(core::cell::Cell<u64>);

impl BuildHasher for Lying {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        self.0.set(self.0.get() + 1);
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.0.get());
        hasher
    }
}

#[test]
fn a_hasher_that_panics_changes_nothing() {
    for steps in 0..40 {
        let mut pool = StringPool::with_hasher(Stepping);
        let mut symbols = Vec::new();
        let panicked = panicking_after(steps, || {
            for n in 0..30 {
                symbols.push(pool.acquire(&format!("{n}{}", text(n))));
            }
        });
        assert_eq!(panicked, steps < 30);
        pool.validate();
        assert_eq!(pool.len(), symbols.len());
        // Releasing asks for no hash.
        panicking_after(0, || symbols.iter().for_each(|&symbol| assert!(pool.release(symbol))));
        assert!(pool.is_empty());
    }
}

#[test]
fn a_hasher_that_lies_makes_two_symbols_of_one_text() {
    let mut pool = StringPool::with_hasher(Lying::default());
    let symbols: Vec<_> = (0..100).map(|n| pool.acquire(&text(n % 10))).collect();
    pool.validate();
    assert!(symbols.iter().enumerate().all(|(n, &symbol)| pool[symbol] == text(n % 10)));
    // (By chance a text may be found.)
    for (n, &symbol) in symbols.iter().enumerate() {
        assert_eq!(pool.release(symbol), !symbols[n + 1..].contains(&symbol));
    }
    pool.validate();
    assert!(pool.is_empty());
}

/// If allocation fails at the n-th request, nothing has changed; methods that panic say so at the caller's line. In a
/// pool whose slots have a life or two left, each of these needs memory to be remembered.
#[test]
fn refused_memory_changes_nothing() {
    let worn = nearly_worn::<RandomState>(scaled(9, 0));
    let fresh = || {
        let mut pool = StringPool::default();
        let symbols: Vec<_> = (1..14).map(|n| pool.acquire(&format!("{n}{}", text(n)))).collect();
        symbols.iter().step_by(3).for_each(|&symbol| assert!(pool.release(symbol)));
        pool
    };
    let worn = || {
        let mut pool = worn.clone();
        let symbols: Vec<_> = (0..7).map(|n| pool.acquire(&n.to_string())).collect();
        symbols[..3].iter().for_each(|&symbol| assert!(pool.release(symbol)));
        pool
    };
    let view = |pool: &StringPool<RandomState>| {
        pool.validate();
        pool.iter().map(|(symbol, text)| (symbol, text.to_owned())).collect::<BTreeMap<_, _>>()
    };
    for make in [&StringPool::default as &dyn Fn() -> _, &fresh, &worn] {
        let pools = Refusals { make, view: &view };
        for length in 0..scaled(16, 2) {
            let long = text(length + 100);
            pools.of(&|pool| pool.try_intern(&long).is_ok());
            pools.of(&|pool| pool.try_acquire(&long).is_ok());
        }
        pools.of_panics_here(&|pool| _ = pool.intern("more"));
        pools.of_panics_here(&|pool| _ = pool.acquire("more"));
    }
}

/// A copy's blocks have room for as much: otherwise texts would be moved to ever larger blocks.
#[test]
fn the_blocks_of_a_clone_are_as_large() {
    let mut pool = StringPool::new();
    let long = pool.acquire(&"long".repeat(1_000));
    let short = pool.acquire("short");
    let mut clone = pool.clone();
    let room = |pool: &StringPool| pool.stats().used + pool.stats().wasted;
    assert_eq!(room(&clone), room(&pool));
    for n in 0..100 {
        for pool in [&mut pool, &mut clone] {
            pool.acquire(&format!("another {n}"));
        }
    }
    assert_eq!(room(&clone), room(&pool));
    clone.validate();
    assert_eq!((&clone[short], clone[long].len()), ("short", 4_000));
}

/// Half of a block that waits is in use, about: much is not wasted, whatever is released first.
#[test]
fn what_waits_to_be_moved_is_bounded() {
    for (short, long) in [(1, 2_000), (3, 900), (40, 40), (1, 1)] {
        let mut pool = StringPool::new();
        let text = |n: usize| format!("{n:0width$}", width = if n % 9 == 0 { long } else { short });
        let count = scaled(3_000, 60);
        let symbols: Vec<_> = (0..count).map(|n| pool.acquire(&text(n))).collect();
        let of = |rest: usize| (0..count).filter(move |n| usize::from(n % 9 != 0) == rest);
        for n in of(0).chain(of(1).step_by(2)) {
            assert!(pool.release(symbols[n]));
            let stats = pool.stats();
            // Each text has four bytes before it.
            let used = stats.used + 4 * pool.len();
            assert!(stats.wasted <= 3 * used + 3 * 4096, "{short}, {long}: {stats:?}");
        }
        pool.validate();
        assert!(pool.blocks_are_half_full());
        assert!(of(1).skip(1).step_by(2).all(|n| pool[symbols[n]] == text(n)));
    }
}

/// Texts as long as a place can tell, and longer ones.
#[test]
fn the_longest_texts_have_their_own_length() {
    if cfg!(miri) {
        return;
    }
    let mut pool = StringPool::new();
    const LENGTHS: [usize; 4] = [(1 << 24) - 3, (1 << 24) - 2, (1 << 24) - 1, 1 << 24];
    let texts = LENGTHS.map(|length| "x".repeat(length));
    let symbols: Vec<_> = texts.iter().map(|text| pool.acquire(text)).collect();
    assert!(texts.iter().zip(&symbols).all(|(text, &symbol)| pool[symbol] == **text));
    assert!(texts.iter().zip(&symbols).all(|(text, &symbol)| pool.find(text) == Some(symbol)));
    pool.validate();
    assert_eq!(pool.stats().used, LENGTHS.iter().sum::<usize>());
    assert!(symbols.iter().all(|&symbol| pool.release(symbol)));
    assert_eq!(pool.stats().used + pool.stats().wasted, 0);
}

/// Interned and acquired texts in turn, in slots that both have had.
#[test]
fn slots_of_kept_and_of_counted_texts_are_used_by_both() {
    let mut pool = StringPool::new();
    let kept = pool.intern("kept");
    let a = pool.acquire("a");
    assert!(pool.release(a));
    let b = pool.intern("b");
    assert_eq!(pool.slot(b), Some(1), "the slot that was free");
    pool.share(b);
    assert!(!pool.release(b) && !pool.release(b) && !pool.release(kept));
    let c = pool.acquire("c");
    assert_eq!(pool.intern("c"), c);
    assert!(!pool.release(c) && !pool.release(c));
    assert_eq!([kept, b, c].map(|symbol| &pool[symbol]), ["kept", "b", "c"]);
    pool.validate();
}

#[test]
fn room_for_texts_is_made_at_once_and_given_back() {
    let texts: Vec<_> = (0..scaled(500, 20)).map(|n| n.to_string()).collect();
    let mut pool = StringPool::with_capacity(texts.len());
    let room = pool.stats().bookkeeping;
    let mut symbols = Vec::with_capacity(texts.len());
    // For the first block, its address, its record, and itself when it is emptied there is no room yet.
    let (refused, ()) = refusing_after(5, true, || {
        symbols.extend(texts.iter().filter_map(|text| pool.try_intern(text).ok()));
    });
    assert_eq!((refused, symbols.len()), (false, texts.len()));
    assert!(pool.stats().bookkeeping < room + 250);
    let slots: Vec<_> = symbols.iter().map(|&symbol| pool.slot(symbol)).collect();
    assert!(slots.into_iter().eq((0..).take(texts.len()).map(Some)), "they are dense");
    pool.reserve(10_000);
    let before = pool.stats().bytes;
    refusing_after(0, true, || pool.shrink_to_fit());
    pool.shrink_to_fit();
    assert!(pool.stats().bytes < before / 2);
    pool.validate();
    assert!(texts.iter().zip(&symbols).all(|(text, &symbol)| pool[symbol] == **text));
    let refused = panic_of(|| pool.reserve(usize::MAX));
    assert!(refused.message.contains("StringPool"), "{}", refused.message);
    assert_eq!(pool.slot(Symbol::from_bits(symbols[0].to_bits() ^ 1 << 31).unwrap()), None);
}

#[test]
fn pools_are_collections_of_texts() {
    let mut pool: StringPool = ["a", "b", "a"].into_iter().collect();
    pool.extend([String::from("c")]);
    assert_eq!(pool.len(), 3);
    let mut other = StringPool::with_hasher(RandomState::new());
    let _ = ["c", "b"].map(|text| other.acquire(text));
    assert_ne!(pool, other);
    assert_ne!(other, pool);
    let a = other.acquire("a");
    assert_eq!(pool, other);
    assert_eq!(other, pool);
    other.release(a);
    other.acquire("d");
    assert_ne!(pool, other, "as many, but others");
}
