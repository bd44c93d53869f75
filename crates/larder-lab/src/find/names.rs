//! Interned names: AOA-STR. A million texts, one in a hundred of which is new.

use alloc::rc::Rc;
use core::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use larder::pools::{StringPool, Symbol};
use lasso::{Rodeo, Spur};
use string_interner::DefaultStringInterner;
use string_interner::symbol::SymbolU32;

use crate::measure::clock::{nanoseconds_per_tick, now};
use crate::study::prelude::*;

/// The number of times that each text comes, on average.
const TIMES: usize = 100;
/// The percentage of texts that are released.
const RELEASED: usize = 60;
/// The number of times that each release is timed.
const PASSES: usize = 5;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("names", &[100_000, 1_000_000], NEVER_SLOW, |contest| {
        let plan = &Plan::new(contest.count);
        contest.measure(vec![
            works::<Counted>(plan),
            works::<ByHand>(plan),
            works::<Lasso>(plan),
            works::<Lasso<Foldhash>>(plan),
            works::<Interner>(plan),
            works::<LarderKept>(plan),
            works::<LarderCounted>(plan),
        ])
    })
}

/// Names of one kind.
struct Held<N: Names> {
    names: N,
    /// In the order of the arrivals.
    symbols: Vec<N::Symbol>,
    /// The times of single releases, once measured.
    singles: OnceCell<Vec<f64>>,
}

fn works<N: Names + 'static>(plan: &Plan) -> Turns<'_> {
    let arrivals = plan.arrivals.len();
    let (names, symbols) = interned::<N>(plan);
    // The time that only so many releases of all exceed, the same in all rounds.
    let exceeded_by = |exceeding: usize| {
        move |all: &Held<N>, _: u32| {
            let singles = all.singles.get_or_init(|| singles::<N>(plan));
            Sample { nanos: singles[exceeding], operations: 1.0, answer: 0 }
        }
    };
    let held = Held { names, symbols, singles: OnceCell::new() };
    Works::new(N::NAME, held, |_| referred::<N>(plan), digest_of_the_rest)
        .on("intern", "a text, of which one in a hundred is new, from nothing on")
        .consuming(
            |_| N::default(),
            arrivals,
            |_, names| intern_each(names, plan.arriving()),
            |names, symbols| digest(names, symbols),
        )
        .on("intern_new", "a text that is new, from nothing on")
        .consuming(
            |_| N::default(),
            plan.texts.len(),
            |_, names| intern_each(names, plan.texts.iter().map(String::as_str)),
            |names, symbols| digest(names, symbols),
        )
        .on("find", "the symbol of a text that is known")
        .reading(arrivals, |all| {
            plan.arriving().filter(|text| all.names.contains(text)).count() as u64
        })
        .on("resolve", "the text of a random symbol")
        .reading(arrivals, |all| {
            all.symbols.iter().fold(0, |sum, symbol| sum + all.names.resolve(symbol))
        })
        .on("release", "a reference given back, until 60 of 100 texts have none left")
        .only_if(N::RELEASES)
        .changing(plan.released.len(), |_, (names, symbols)| {
            release_each(names, symbols, &plan.released);
        })
        .on("release_rare", "what one release in 1,000 takes longer than")
        .only_if(N::RELEASES)
        .sampling(exceeded_by(plan.released.len() / 1_000))
        .on("release_fourth", "the fourth longest of these releases")
        .only_if(N::RELEASES)
        .sampling(exceeded_by(3))
        .on("release_worst", "the longest of these releases")
        .only_if(N::RELEASES)
        .sampling(exceeded_by(0))
        .on("bytes", "bytes a text, when all are new")
        .sampling(|_, _| bytes::<N>(plan))
        .on("bytes_released", "bytes a text that is left, when 60 of 100 were released")
        .only_if(N::RELEASES)
        .sampling(|_, _| bytes_released::<N>(plan))
        .done()
}

/// Bytes, without those of the symbols.
fn bytes<N: Names>(plan: &Plan) -> Sample {
    let mut symbols = Vec::with_capacity(plan.texts.len());
    let fill = |names: &mut N| symbols.extend(plan.texts.iter().map(|text| names.intern(text)));
    let (names, bytes) = bytes_kept_by(|| filled(fill));
    counting(bytes, plan.texts.len(), digest(&names, &symbols))
}

/// The same after the releases; the remaining texts have many references.
fn bytes_released<N: Names>(plan: &Plan) -> Sample {
    let mut symbols = Vec::with_capacity(plan.arrivals.len());
    let fill = |names: &mut N| {
        symbols.extend(plan.arriving().map(|text| Some(names.intern(text))));
        release_each(names, &mut symbols, &plan.released);
    };
    let (names, bytes) = bytes_kept_by(|| filled(fill));
    let left = plan.distinct * (100 - RELEASED) / 100;
    counting(bytes, left.max(1), digest_of_the_rest(&(names, symbols)))
}

/// The texts and the order in which they come: random, the same for every subject.
struct Plan {
    /// All different.
    texts: Vec<String>,
    /// The number of texts, the first ones, that `intern` sees repeatedly.
    distinct: usize,
    /// The texts in the order of their arrival.
    arrivals: Vec<u32>,
    /// Arrivals that are released, in random order: all of 60 texts in 100.
    released: Vec<u32>,
}

impl Plan {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x7E27);
        let distinct = (count / TIMES).max(1);
        // All that are new together are as many as a tenth of those that are not.
        let texts = (0..count / 10).map(|number| text(number, &mut random)).collect();
        let arrivals: Vec<u32> = (0..count).map(|_| random.below(distinct) as u32).collect();
        let gone = |arrival: &usize| (arrivals[*arrival] as usize * 7) % 100 < RELEASED;
        let released = Scatter::new(count, 0x2E1).filter(gone).map(|at| at as u32).collect();
        Self { texts, distinct, arrivals, released }
    }

    /// Texts of which one in a hundred is new.
    fn arriving(&self) -> impl Iterator<Item = &str> {
        self.arrivals.iter().map(|&text| self.texts[text as usize].as_str())
    }
}

/// A text like the names in programs: a few syllables, rarely many, and a number that makes it unique.
fn text(number: usize, random: &mut Random) -> String {
    const SYLLABLES: [&str; 16] = [
        "pos", "vel", "_", "item", "get", "is", "Node", "x", "count", "max", "On", "name", "id",
        "ren", "der", "Mesh",
    ];
    let many = if random.below(50) == 0 { 20 } else { 1 + random.below(4) };
    let syllables = (0..many).map(|_| SYLLABLES[random.below(16)]);
    syllables.collect::<String>() + &number.to_string()
}

#[inline(never)]
fn intern_each<'a, N: Names>(
    names: &mut N,
    texts: impl Iterator<Item = &'a str>,
) -> Vec<N::Symbol> {
    texts.map(|text| names.intern(text)).collect()
}

/// Names with a reference for each arrival.
type Referred<N> = (N, Vec<Option<<N as Names>::Symbol>>);

fn referred<N: Names>(plan: &Plan) -> Referred<N> {
    let (names, symbols) = interned(plan);
    (names, symbols.into_iter().map(Some).collect())
}

fn interned<N: Names>(plan: &Plan) -> (N, Vec<N::Symbol>) {
    let mut names = N::default();
    let symbols = intern_each(&mut names, plan.arriving());
    (names, symbols)
}

#[inline(never)]
fn release_each<N: Names>(names: &mut N, symbols: &mut [Option<N::Symbol>], which: &[u32]) {
    for &at in which {
        if let Some(symbol) = symbols[at as usize].take() {
            names.release(symbol);
        }
    }
}

/// Returns the part of a text in an answer.
#[inline(always)]
fn one(text: &str) -> u64 {
    let first = text.as_bytes().first().copied().unwrap_or(0);
    text.len() as u64 + (u64::from(first) << 8)
}

fn digest<'a, N: Names + 'a>(
    names: &'a N,
    symbols: impl IntoIterator<Item = &'a N::Symbol>,
) -> u64 {
    let texts = symbols.into_iter().map(|symbol| names.resolve(symbol));
    texts.fold(0, |digest, text| digest.rotate_left(5) ^ text)
}

fn digest_of_the_rest<N: Names>((names, symbols): &Referred<N>) -> u64 {
    digest(names, symbols.iter().flatten())
}

/// Returns the nanoseconds of single releases, in descending order: a mean hides the one that empties a block.
///
/// The same releases are timed several times on new interners, and the shortest time of each counts: the
/// interner does the same each time, and other work of the machine only adds. Every number includes the
/// reading of the clock, some 10 to 20 nanoseconds.
fn singles<N: Names>(plan: &Plan) -> Vec<f64> {
    let mut ticks = vec![u64::MAX; plan.released.len()];
    for _ in 0..PASSES {
        time_each(&mut referred::<N>(plan), &plan.released, &mut ticks);
    }
    ticks.sort_unstable_by_key(|&ticks| core::cmp::Reverse(ticks));
    let nanoseconds_per_tick = nanoseconds_per_tick();
    ticks.into_iter().map(|ticks| ticks as f64 * nanoseconds_per_tick).collect()
}

#[inline(never)]
fn time_each<N: Names>((names, symbols): &mut Referred<N>, which: &[u32], ticks: &mut [u64]) {
    for (&at, shortest) in which.iter().zip(ticks) {
        if let Some(symbol) = symbols[at as usize].take() {
            let before = now();
            names.release(symbol);
            *shortest = now().wrapping_sub(before).min(*shortest);
        }
    }
}

subjects! { ($) names:
    /// Texts that are stored once each. (All of it is inlined, as in `unique`.)
    trait Names: Default {
        // A small value that stands for a text.
        type Symbol;
        // True if texts without references are removed.
        const RELEASES: bool = false;

        /// The symbol of a text, which is stored if it is new.
        fn intern(&mut self, text: &str) -> Self::Symbol;
        /// Returns whether a text is known.
        fn contains(&self, text: &str) -> bool;
        /// Returns the part of a symbol's text in an answer.
        fn resolve(&self, symbol: &Self::Symbol) -> u64;
        /// Releases a reference.
        fn release(&mut self, _symbol: Self::Symbol) = { unreachable!("it cannot do this") };
    }
}

/// larder's pool, by one of its two ways to store a text.
macro_rules! larder_names {
    ($(#[$doc:meta])* $names:ident, $name:literal, $store:ident; $($others:tt)*) => {
        $(#[$doc])*
        #[derive(Default)]
        struct $names(StringPool);

        names! { $names, $name;
            type Symbol = Symbol;
            $($others)*
            fn intern(&mut self, text) { self.0.$store(text) }
            fn contains(&self, text) { self.0.find(text).is_some() }
            fn resolve(&self, symbol) { one(&self.0[*symbol]) }
        }
    };
}

larder_names! {
    /// larder: texts that are never removed.
    LarderKept, "StringPool, intern", intern;
}
larder_names! {
    /// larder: texts whose references are counted.
    LarderCounted, "StringPool, acquire", acquire;
    const RELEASES = true;
    fn release(&mut self, symbol) { self.0.release(symbol); }
}

/// Written by hand: each text twice, in a table and in a list.
#[derive(Default)]
struct ByHand {
    numbers: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

names! { ByHand, "HashMap and Vec";
    type Symbol = u32;

    fn intern(&mut self, text) {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }
    fn contains(&self, text) { self.numbers.contains_key(text) }
    fn resolve(&self, symbol) { one(&self.texts[*symbol as usize]) }
}

/// Written by hand with texts that are removed: counted by the standard library. (With the hasher of
/// `StringPool`, since releasing takes a hash here.)
#[derive(Default)]
struct Counted(HashSet<Rc<str>, Foldhash>);

names! { Counted, "HashSet<Rc<str>>, foldhash";
    type Symbol = Rc<str>;
    const RELEASES = true;

    fn intern(&mut self, text) {
        if let Some(known) = self.0.get(text) {
            return Rc::clone(known);
        }
        let new: Rc<str> = text.into();
        self.0.insert(Rc::clone(&new));
        new
    }
    fn contains(&self, text) { self.0.contains(text) }
    fn resolve(&self, symbol) { one(symbol) }
    fn release(&mut self, symbol) {
        // The other one is the set's.
        if Rc::strong_count(&symbol) == 2 {
            self.0.remove(&symbol);
        }
    }
}

/// `lasso`.
struct Lasso<S = RandomState>(Rodeo<Spur, S>);

impl<S: Hasher> Default for Lasso<S> {
    fn default() -> Self {
        Self(Rodeo::with_hasher(S::default()))
    }
}

names! { Lasso<S>, if S::IS_FOLDHASH { "lasso, foldhash" } else { "lasso" }, [S: Hasher];
    type Symbol = Spur;

    fn intern(&mut self, text) { self.0.get_or_intern(text) }
    fn contains(&self, text) { self.0.contains(text) }
    fn resolve(&self, symbol) { one(self.0.resolve(symbol)) }
}

/// `string-interner`.
#[derive(Default)]
struct Interner(DefaultStringInterner);

names! { Interner, "string-interner";
    type Symbol = SymbolU32;

    fn intern(&mut self, text) { self.0.get_or_intern(text) }
    fn contains(&self, text) { self.0.get(text).is_some() }
    fn resolve(&self, symbol) { one(self.0.resolve(*symbol).expect("it was interned here")) }
}
