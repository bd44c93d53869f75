//! Code of properties that lies, `Hash`, `Eq` and `Ord`: keys may be lost sight of, and nothing breaks.

use larder::{
    Arena, Handle,
    indices::{IndexBy, MultiIndex, SortedIndex, UniqueIndex},
    track::Table,
};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use larder_testing::caught::attempt;
use larder_testing::common::{SplitMix, scaled};

/// Equal, less and hashed by chance.
#[derive(Clone, Debug)]
struct Liar;

thread_local! {
    static CHANCE: core::cell::RefCell<SplitMix> = const { core::cell::RefCell::new(SplitMix::new(7)) };
}

fn chance(bound: usize) -> usize {
    CHANCE.with_borrow_mut(|random| random.below(bound))
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        chance(3).hash(state);
    }
}

impl PartialEq for Liar {
    fn eq(&self, _: &Self) -> bool {
        chance(2) == 0
    }
}

impl Eq for Liar {}

impl PartialOrd for Liar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Liar {
    fn cmp(&self, _: &Self) -> Ordering {
        [Ordering::Less, Ordering::Equal, Ordering::Greater][chance(3)]
    }
}

#[test]
fn lies_lose_sight_of_keys_and_break_nothing() {
    type Lying = (
        IndexBy<UniqueIndex<Liar, Handle<u32>>, fn(&u32) -> Liar>,
        IndexBy<MultiIndex<Liar, Handle<u32>>, fn(&u32) -> Liar>,
        IndexBy<SortedIndex<Liar, Handle<u32>>, fn(&u32) -> Liar>,
    );
    let lying: Lying =
        (UniqueIndex::by(|_| Liar), MultiIndex::by(|_| Liar), SortedIndex::by(|_| Liar));
    let mut table = Table::with(Arena::new(), lying);
    let mut live = Vec::new();
    let mut random = SplitMix::new(3);
    for n in 0..scaled(3_000, 60) as u32 {
        match random.below(4) {
            0 | 1 => live.extend(table.try_insert(n)),
            2 if !live.is_empty() => {
                let key = random.take(&mut live);
                assert!(table.remove(key).is_some());
            }
            3 if !live.is_empty() => {
                let _ = table.modify(live[0], |number| *number += 1);
            }
            _ => {}
        }
        let (one, many, sorted) = table.observers();
        let lens = [one.len(), many.len(), sorted.len(), table.len()];
        assert_eq!(lens, [live.len(); 4]);
        one.validate();
        many.validate();
        sorted.validate();
        assert!(one.get(&Liar).is_none_or(|key| table.contains_key(key)));
        assert!(many.get(&Liar).iter().all(|&key| table.contains_key(key)));
        assert!(sorted.get(&Liar).iter().all(|&key| table.contains_key(key)));
    }
}

/// Sorting finds out that an `Ord` lies, or does not; either is well.
#[test]
fn lies_are_filed_together() {
    let keys: Vec<_> = Arena::from_iter(0..200_u8).keys().collect();
    for _ in 0..scaled(40, 2) {
        let mut order = SortedIndex::new();
        let filed = attempt(|| order.extend(keys.iter().map(|&key| (key, Liar))).unwrap());
        order.validate();
        assert_eq!(order.len(), if filed.is_ok() { 200 } else { 0 });
        let popped = core::iter::from_fn(|| order.pop_first()).take(200).count();
        order.validate();
        assert_eq!(order.len() + popped, if filed.is_ok() { 200 } else { 0 });
        for &key in &keys {
            order.remove(key);
        }
        order.validate();
        assert!(order.is_empty());
    }
}
