//! Names that are interned and counted go back to checkpoints.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use larder::pools::{StringPool, Symbol};
use larder::track::Reversible;
use larder_testing::common::{amount, scaled, thorough};

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, goes_back, memory_is_refused};

/// More references than a test counts: the text is kept.
const MANY: u32 = 40;

/// The number of texts that a slot can have.
const LIVES: usize = 128;

/// The text of each symbol, and how many releases remove it.
type Seen = BTreeMap<Symbol, (String, u32)>;

fn seen(pool: &StringPool) -> Seen {
    pool.validate();
    let mut counted = pool.clone();
    let entry = |(symbol, text): (Symbol, &str)| {
        assert_eq!((pool.get(symbol), pool.find(text)), (Some(text), Some(symbol)));
        let references = (1..MANY).find(|_| counted.release(symbol)).unwrap_or(MANY);
        (symbol, (text.to_owned(), references))
    };
    pool.iter().map(entry).collect()
}

/// Returns the results of the same calls.
fn later(pool: &StringPool) -> Vec<Symbol> {
    let mut pool = pool.clone();
    let mut symbols: Vec<_> = (0..8).map(|text| pool.acquire(&format!("later {text}"))).collect();
    symbols[2..5].iter().for_each(|&symbol| assert!(pool.release(symbol)));
    symbols.extend((0..6).map(|text| pool.intern(&format!("latest {text}"))));
    symbols
}

/// One of the texts of a history: most are short, some fill a block or have one of their own. (They are made before, since
/// memory may be refused while one is asked for.)
fn text(number: usize) -> &'static str {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let lens = [3, 3, 9, 9, 9, 20, 20, 200, 700, 1_500];
        let text = |number: usize| format!("{number:0len$}", len = lens[number % 10]);
        [String::new()].into_iter().chain((1..30).map(text)).collect()
    });
    &TEXTS[number]
}

/// A pool whose first slots have had so many texts each.
fn worn(slots: usize, texts: usize) -> StringPool {
    let mut pool = StringPool::new();
    for _ in 0..texts {
        let all: Vec<_> = (0..slots).map(|number| pool.acquire(text(number))).collect();
        all.into_iter().rev().for_each(|symbol| assert!(pool.release(symbol)));
    }
    pool
}

impl Beside for StringPool {
    type Seen = Seen;
    const MAY_BE_TORN: bool = true;

    fn empty() -> Self {
        Self::new()
    }

    fn begun(seed: u64) -> Self {
        if seed % 2 == 0 { worn(10, LIVES - 4) } else { Self::new() }
    }

    fn edit(&mut self, _: &Objects, dice: &mut Dice) -> bool {
        let text = text(dice.below(30));
        let any = self.iter().nth(dice.below(self.len().max(1))).map(|(symbol, _)| symbol);
        match (dice.below(60), any) {
            (0..14, _) => return self.try_intern(text).is_err(),
            (14, _) if dice.below(6) == 0 => self.clear(),
            (16..20, Some(symbol)) => self.share(symbol),
            (20..40, Some(symbol)) => {
                assert_eq!(self.release(symbol), self.get(symbol).is_none());
            }
            _ => return self.try_acquire(text).is_err(),
        }
        false
    }

    fn tidy(&mut self) {
        self.shrink_to_fit();
    }

    fn seen(&self, _: &Objects) -> Seen {
        seen(self)
    }

    fn issued(&self) -> BTreeSet<u64> {
        self.iter().map(|(symbol, _)| symbol.to_bits().into()).collect()
    }

    fn check(&self) {
        self.validate();
    }
}

#[test]
fn names_go_back() {
    for seed in 1..=thorough(24, 2) as u64 {
        goes_back::<StringPool>(&Objects::new(), seed, amount(400, 150, 40));
    }
    for for_good in [false, true] {
        assert!(memory_is_refused::<StringPool>(&Objects::new(), for_good) > 0);
    }
}

#[test]
fn symbols_that_were_undone_stay_stale_for_good() {
    let mut pool = StringPool::new();
    let [wren, kite] = ["wren", "kite"].map(|name| pool.acquire(name));
    pool.checkpoint();
    // Its slot has other texts; then the first is back, in a life before them.
    assert!(pool.release(wren));
    let mut undone = Vec::new();
    for number in 0..5 {
        undone.push(pool.acquire(&format!("name {number}")));
        assert!(pool.release(undone[number]));
    }
    undone.extend((0..3).map(|number| pool.intern(&format!("more {number}"))));
    assert_eq!(pool.undo(), Ok(true));
    assert_eq!((pool.get(wren), pool.get(kite)), (Some("wren"), Some("kite")));
    let mut both = [pool.clone(), pool];
    for pool in &mut both {
        assert!(pool.release(wren) && pool.release(kite));
        let mut symbols = BTreeSet::new();
        // (So many that all slots are replaced by fresh ones, under the following numbers.)
        for number in 0..scaled(4 * LIVES, LIVES + 9) {
            for name in ["late", "later", "latest"] {
                let symbol = pool.acquire(&format!("{name} {number}"));
                assert!(symbols.insert(symbol) && !undone.contains(&symbol), "it is another");
            }
            assert!(undone.iter().all(|&symbol| pool.get(symbol).is_none()), "they are stale");
            pool.clear();
            pool.validate();
        }
    }
}

/// The numbers of the slots of symbols.
fn slots(pool: &StringPool, symbols: &[Symbol]) -> Vec<Option<u32>> {
    symbols.iter().map(|&symbol| pool.slot(symbol)).collect()
}

#[test]
fn a_slot_that_is_retired_comes_back() {
    let mut pool = worn(1, LIVES - 1);
    let before = pool.checkpoint();
    let last = pool.acquire("its last");
    let with_last = pool.checkpoint();
    assert!(pool.release(last));
    let other = pool.acquire("in another slot");
    assert_eq!(slots(&pool, &[last, other]), [None, Some(1)]);
    pool.rollback(with_last).expect("it is held");
    assert_eq!((pool.get(last), pool.get(other)), (Some("its last"), None));
    assert!(pool.release(last));
    pool.validate();
    assert_eq!(pool.acquire("another"), other, "it is retired again");
    pool.rollback(before).expect("it is held");
    assert_eq!(pool.acquire("its last"), last);
    pool.validate();

    // The slot is retired as well when its text is undone, and a text that is redone comes back there.
    assert_eq!(pool.undo(), Ok(true));
    assert_eq!((pool.get(last), slots(&pool, &later(&pool)[..1])), (None, vec![None]));
    pool.validate();
    assert_eq!(pool.redo(), Ok(true));
    assert_eq!((pool.get(last), pool.len()), (Some("its last"), 1));
    assert_eq!(pool.undo(), Ok(true));
    let next = pool.acquire("next");
    assert_eq!(slots(&pool, &[next]), [Some(1)]);
    pool.validate();
}

/// Fresh slots, under other numbers, could not be gone back from.
#[test]
fn slots_are_replaced_by_fresh_ones_only_when_no_checkpoint_is_left() {
    let mut pool = worn(1, LIVES - 1);
    let then = pool.checkpoint();
    for expected in [0, 1, 1] {
        let symbol = pool.acquire("a name");
        assert_eq!(pool.slot(symbol), Some(expected));
        if expected == 0 { assert!(pool.release(symbol)) } else { pool.clear() }
    }
    pool.shrink_to_fit();
    pool.rollback(then).expect("it is held");
    pool.forget_all();
    for expected in [0, 0] {
        let symbol = pool.acquire("a name");
        assert_eq!(pool.slot(symbol), Some(expected));
        pool.clear();
    }
}

/// Texts that were interned leave no holes when that is taken back.
#[test]
fn what_is_interned_and_taken_back_takes_its_bytes_along() {
    let mut pool: StringPool = StringPool::from_iter(["wren"]);
    let then = pool.checkpoint();
    let mut most = None;
    for _ in 0..scaled(40, 4) {
        (0..100).for_each(|number| _ = pool.intern(&format!("name {number}")));
        let now = pool.stats();
        assert_eq!(*most.get_or_insert(now), now);
        pool.rollback(then).expect("it is held");
        assert_eq!(pool.stats().used, 4);
    }
}
