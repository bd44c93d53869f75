//! Names that are interned and counted go back to checkpoints.

use std::collections::{BTreeMap, BTreeSet};

use larder::pools::{StringPool, Symbol};
use larder::track::{Checkpoint, Reversible, TrackError};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{amount, scaled, thorough};

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, goes_back};

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

/// One of the texts of a history: most are short, some fill a block or have one of their own.
fn text(number: usize) -> String {
    let len = [3, 9, 20, 200, 700, 1_500][[0, 0, 1, 1, 1, 2, 2, 3, 4, 5][number % 10]];
    if number == 0 { String::new() } else { format!("{number:0len$}") }
}

/// A pool whose first slots have had so many texts each.
fn worn(slots: usize, texts: usize) -> StringPool {
    let mut pool = StringPool::new();
    for _ in 0..texts {
        let all: Vec<_> = (0..slots).map(|number| pool.acquire(&text(number))).collect();
        all.into_iter().rev().for_each(|symbol| assert!(pool.release(symbol)));
    }
    pool
}

impl Beside for StringPool {
    type Seen = Seen;

    fn empty() -> Self {
        Self::new()
    }

    fn begun(seed: u64) -> Self {
        if seed % 2 == 0 { worn(10, LIVES - 4) } else { Self::new() }
    }

    fn edit(&mut self, _: &Objects, dice: &mut Dice) -> bool {
        let all: Vec<_> = seen(self).into_iter().collect();
        let text = text(dice.below(30));
        match (dice.below(60), all.get(dice.below(all.len().max(1)))) {
            (0..14, _) => return self.try_intern(&text).is_err(),
            (14 | 15, _) if dice.below(16) == 0 => self.clear(),
            (16..20, Some((symbol, (_, count)))) if *count < MANY - 1 => self.share(*symbol),
            (20..40, Some((symbol, (_, count)))) => assert_eq!(self.release(*symbol), *count == 1),
            _ => return self.try_acquire(&text).is_err(),
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
}

/// After a rollback the calls that were made are made again.
#[test]
fn the_same_calls_return_the_same_symbols_after_a_rollback() {
    let mut pool = worn(9, LIVES - 2);
    let mut kept: Vec<_> = (0..6).map(|number| pool.acquire(&text(number))).collect();
    let then = pool.checkpoint();
    let first = kept.clone();
    let mut made: Vec<Vec<Symbol>> = Vec::new();
    for _ in 0..3 {
        let mut dice = Dice(7);
        let mut issued = Vec::new();
        for number in 0..60 {
            assert!(pool.release(kept.swap_remove(dice.below(kept.len()))));
            kept.push(pool.acquire(&format!("name {number}")));
            issued.extend(kept.last());
        }
        made.push(issued);
        pool.rollback(then).expect("it is held");
        kept.clone_from(&first);
        pool.validate();
    }
    assert!(made[1] == made[0] && made[2] == made[0]);
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

/// A text that was acquired, and then interned, is counted again when that is taken back.
#[test]
fn a_cleared_pool_has_all_again() {
    let mut pool: StringPool = (1..30).map(text).collect();
    let long = "x".repeat(1 << if cfg!(miri) { 12 } else { 24 });
    let first = pool.checkpoint();
    let [wren, long] = ["wren", &long].map(|name| pool.acquire(name));
    pool.share(wren);
    let second = pool.checkpoint();
    assert_eq!(pool.intern("wren"), wren);
    let before = seen(&pool);
    let third = pool.checkpoint();
    pool.clear();
    assert!(pool.is_empty() && pool.find("wren").is_none());
    pool.intern("kite");
    pool.rollback(third).expect("it is held");
    assert_eq!(seen(&pool), before);
    assert_eq!(before[&wren].1, MANY);
    pool.rollback(second).expect("it is held");
    assert_eq!((seen(&pool)[&wren].1, seen(&pool)[&long].1), (2, 1));
    assert!(!pool.release(wren) && pool.release(wren) && pool.release(long));
    pool.validate();
    pool.rollback(first).expect("it is held");
    assert!(seen(&pool).values().all(|(_, references)| *references == MANY));
    assert_eq!(pool.len(), 29);
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

/// A pool with a few texts, and what changes it in all kinds of ways; what asks for memory there may fail.
fn few() -> (StringPool, Vec<Symbol>, impl Fn(&mut StringPool)) {
    let mut pool = StringPool::new();
    let mut symbols: Vec<_> = (1..6).map(|number| pool.intern(&text(number))).collect();
    symbols.extend((6..12).map(|number| pool.acquire(&text(number))));
    let (shared, released) = (symbols[6], [symbols[7], symbols[8]]);
    let texts: Vec<_> = (20..40).chain(8..10).map(text).collect();
    let change = move |pool: &mut StringPool| {
        pool.share(shared);
        assert!(pool.release(released[0]));
        for pair in texts[..20].chunks_exact(2) {
            _ = pool.try_intern(&pair[0]);
            _ = pool.try_acquire(&pair[1]);
        }
        assert!(pool.release(released[1]));
        _ = pool.try_acquire(&texts[20]);
        _ = pool.try_intern(&texts[21]);
    };
    (pool, symbols, change)
}

#[test]
fn where_memory_is_refused_for_recording_checkpoints_are_lost_and_nothing_else() {
    let (mut lost, mut kept) = (0, 0);
    for for_good in [false, true] {
        for grants in 0.. {
            let (mut pool, symbols, change) = few();
            let (first, before) = (pool.checkpoint(), seen(&pool));
            let (refused, ()) = refusing_after(grants, for_good, || change(&mut pool));
            let now = seen(&pool);
            assert!(now[&symbols[6]].1 == 2 && !now.contains_key(&symbols[7]));
            match pool.rollback(first) {
                Ok(()) => {
                    assert_eq!(seen(&pool), before);
                    kept += 1;
                }
                Err(error) => {
                    assert!(refused && error == TrackError::Lost, "{error:?}");
                    assert_eq!(seen(&pool), now);
                    lost += 1;
                }
            }
            // It goes on as any other.
            let again = pool.checkpoint();
            let now = seen(&pool);
            pool.clear();
            pool.rollback(again).expect("it is held");
            assert_eq!(seen(&pool), now);
            if !refused {
                assert!(grants > 5);
                break;
            }
        }
    }
    assert!(lost > 4 && kept > 4, "{lost}, {kept}");
}

/// Goes back to the first of all checkpoints, or one step.
fn go(pool: &mut StringPool, way: Way, first: Checkpoint) -> Result<(), TrackError> {
    match way {
        Way::Back => pool.rollback(first),
        Way::Undo => pool.undo().map(|is_done| assert!(is_done)),
        Way::Redo => pool.redo().map(|is_done| assert!(is_done)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Back,
    Undo,
    Redo,
}

/// Goes a way while memory is refused after so many grants; says whether it was.
fn goes_or_stays(way: Way, grants: usize, for_good: bool) -> bool {
    let (mut pool, _, change) = few();
    let (first, before) = (pool.checkpoint(), seen(&pool));
    change(&mut pool);
    let second = (way == Way::Back).then(|| (pool.checkpoint(), seen(&pool)));
    if way == Way::Back {
        pool.clear();
        pool.intern(&text(50));
    }
    let (mut is, mut aim) = (seen(&pool), before);
    if way == Way::Redo {
        assert_eq!(pool.undo(), Ok(true));
        (is, aim) = (seen(&pool), is);
    }
    let (refused, outcome) = refusing_after(grants, for_good, || go(&mut pool, way, first));
    let now = seen(&pool);
    match outcome {
        Ok(()) => assert_eq!(now, aim),
        Err(TrackError::Memory(_)) => match pool.rollback(first) {
            // That it was taken back was refused, too.
            Err(TrackError::Lost) => assert!(for_good),
            Err(TrackError::Gone) if way == Way::Redo => {
                assert_eq!(now, is, "nothing has changed");
                assert_eq!((pool.redo(), seen(&pool)), (Ok(true), aim));
            }
            again => {
                assert!(now == is || second.is_some_and(|(_, then)| now == then), "{way:?}");
                let before = if way == Way::Redo { is } else { aim };
                assert_eq!((again, seen(&pool)), (Ok(()), before));
            }
        },
        Err(error) => panic!("{way:?}: {error:?}"),
    }
    refused
}

#[test]
fn where_memory_is_refused_on_the_way_it_is_gone_again() {
    for way in [Way::Back, Way::Undo, Way::Redo] {
        for for_good in [false, true] {
            let steps = (0..).take_while(|&grants| goes_or_stays(way, grants, for_good)).count();
            assert!(steps > 2, "{way:?}: {steps}");
        }
    }
}
