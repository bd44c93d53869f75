//! Numbers of lists and of symbols that were never handed out.

use std::collections::BTreeSet;

use larder::pools::{ListPool, StringPool, Symbol, list_pool::ListHandle};
use larder_testing::common::scaled;

/// The distance from each bit to the next one that is flipped with it.
const STEP: usize = if cfg!(miri) { 21 } else { 1 };

/// Any number as a list's, of pools with and without lists, with brands and without.
#[test]
fn forged_lists() {
    let mut pool = ListPool::new();
    let mut lists: Vec<ListHandle<String>> = (0..5).map(|n| pool.make([n.to_string()])).collect();
    let issued = lists.clone();
    pool.free(lists.remove(3));
    pool.free(lists.remove(1));
    lists.push(pool.make(["again".into()]));
    let empty = ListPool::<String>::new();
    let before = pool.clone();
    for of in issued.into_iter().chain([*lists.last().unwrap()]) {
        let turned = (0..64).step_by(STEP).flat_map(|a| (0..64).map(move |b| 1 << a ^ 1 << b));
        let bits = turned.map(|turned| of.to_bits() ^ turned);
        for list in bits.chain([0, 1, u64::MAX]).filter_map(ListHandle::from_bits) {
            let there = lists.contains(&list) || list == ListHandle::EMPTY;
            assert_eq!((pool.contains(list), pool.get(list).is_some()), (there, there), "{list}");
            assert_eq!(pool.get_mut(list).is_some(), there);
            assert_eq!(empty.contains(list), list == ListHandle::EMPTY);
        }
    }
    assert!(pool.iter().eq(before.iter()));
    pool.validate();
}

/// Any number as a symbol, of a pool with slots that are live, free and retired.
#[test]
fn forged_symbols() {
    let mut pool = StringPool::new();
    let mut live: BTreeSet<Symbol> = (0..4).map(|n| pool.intern(&n.to_string())).collect();
    let mut issued = live.clone();
    for n in 0..scaled(300, 4) {
        let symbol = pool.acquire(&format!("short {n}"));
        issued.insert(symbol);
        assert!(pool.release(symbol));
    }
    live.insert(pool.acquire("again"));
    issued.extend(live.clone());
    for of in issued {
        let turned = (0..32).step_by(STEP).flat_map(|a| (0..32).map(move |b| 1 << a ^ 1 << b));
        let bits = turned.map(|turned: u32| of.to_bits() ^ turned);
        for symbol in bits.chain([u32::MAX, 1]).filter_map(Symbol::from_bits) {
            assert_eq!(pool.get(symbol).is_some(), live.contains(&symbol), "{symbol}");
        }
    }
    pool.validate();
}
