//! A sorted index of many keys against a sorted set: leaves and nodes that are divided, merged and freed.

use core::fmt::Debug;
use core::ops::Bound::{Excluded, Included, Unbounded};
use std::collections::{BTreeMap, BTreeSet};

use larder::Arena;
use larder::indices::SortedIndex;

use crate::asked::{Asked, Dropping, asked};
use crate::every::{Id, keys};
use larder_testing::allocator::requests_of;
use larder_testing::common::{SplitMix, amount, scaled};
use larder_testing::forge::MadeKey;

/// An index, and the same as a set of pairs and a map.
struct Trial<Q> {
    index: SortedIndex<Q, Id>,
    pairs: BTreeSet<(Q, Id)>,
    properties: BTreeMap<Id, Q>,
    objects: Arena<u32>,
    keys: Vec<Id>,
}

impl<Q: Ord + Clone + Debug> Trial<Q> {
    fn new() -> Self {
        Self {
            index: SortedIndex::new(),
            pairs: BTreeSet::new(),
            properties: BTreeMap::new(),
            objects: Arena::new(),
            keys: Vec::new(),
        }
    }

    fn file(&mut self, key: Id, property: Q) {
        self.index.insert(key, property.clone()).unwrap();
        self.forget(key);
        self.pairs.insert((property.clone(), key));
        self.properties.insert(key, property);
    }

    fn forget(&mut self, key: Id) -> bool {
        let Some(property) = self.properties.remove(&key) else { return false };
        self.pairs.remove(&(property, key))
    }

    fn step(&mut self, random: &mut SplitMix, property: &mut dyn FnMut(&mut SplitMix) -> Q) {
        match random.below(16) {
            0..=6 => {
                let key = self.objects.insert(0);
                self.keys.push(key);
                self.file(key, property(random));
            }
            7..=9 if !self.keys.is_empty() => {
                let key = self.keys[random.below(self.keys.len())];
                self.file(key, property(random));
            }
            10..=13 if !self.keys.is_empty() => {
                let key = random.take(&mut self.keys);
                assert_eq!(self.index.remove(key), self.forget(key));
                self.objects.remove(key);
            }
            14 => self.pop(random.below(2) == 0),
            _ => {
                let (a, b) = (property(random), property(random));
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                self.compare_range(&a, &b);
            }
        }
    }

    fn pop(&mut self, is_first: bool) {
        let popped = if is_first { self.index.pop_first() } else { self.index.pop_last() };
        let end = if is_first { self.pairs.first() } else { self.pairs.last() };
        assert_eq!(popped.as_ref().map(|pair| &pair.0), end.map(|pair| &pair.0));
        if let Some((property, key)) = popped {
            assert_eq!(self.properties.get(&key), Some(&property));
            assert!(self.forget(key));
        }
    }

    fn compare_range(&self, a: &Q, b: &Q) {
        let found = |pairs: Vec<(&Q, Id)>| -> Vec<(Q, Id)> {
            let mut pairs: Vec<_> = pairs.into_iter().map(|(q, key)| (q.clone(), key)).collect();
            assert!(pairs.is_sorted_by(|x, y| x.0 <= y.0));
            pairs.sort_unstable();
            pairs
        };
        let expected = |is: &dyn Fn(&Q) -> bool| -> Vec<(Q, Id)> {
            self.pairs.iter().filter(|pair| is(&pair.0)).cloned().collect()
        };
        let index = &self.index;
        assert_eq!(found(index.range(a..b).collect()), expected(&|q| a <= q && q < b));
        assert_eq!(found(index.range(a..=b).collect()), expected(&|q| a <= q && q <= b));
        assert_eq!(found(index.range(..b).collect()), expected(&|q| q < b));
        let above = (Excluded(a), Unbounded);
        assert_eq!(found(index.range::<Q>(above).collect()), expected(&|q| a < q));
        let mut backwards: Vec<_> = index.range::<Q>((Included(a), Included(b))).rev().collect();
        backwards.reverse();
        assert_eq!(found(backwards), expected(&|q| a <= q && q <= b));
        let one: BTreeSet<_> = index.get(a).iter().copied().collect();
        assert_eq!(one, expected(&|q| q == a).into_iter().map(|pair| pair.1).collect());
    }

    fn check(&self) {
        self.index.validate();
        assert_eq!(self.index.len(), self.pairs.len());
        let mut walked: Vec<_> = self.index.iter().collect();
        let mut backwards: Vec<_> = self.index.iter().rev().collect();
        backwards.reverse();
        assert_eq!(walked, backwards);
        // From both ends in turn, and by `fold`.
        let mut ends = self.index.iter();
        let (mut first, mut last) = (Vec::new(), Vec::new());
        while let Some(pair) = ends.next() {
            first.push(pair);
            last.extend(ends.next_back());
        }
        first.extend(last.into_iter().rev());
        assert_eq!(walked, first);
        let folded = self.index.iter().fold(Vec::new(), |mut all, pair| {
            all.push(pair);
            all
        });
        assert_eq!(walked, folded);
        assert!(walked.is_sorted_by(|a, b| a.0 <= b.0));
        walked.sort_unstable();
        assert!(walked.into_iter().eq(self.pairs.iter().map(|(property, key)| (property, *key))));
        for (&key, property) in &self.properties {
            assert_eq!(self.index.property(key), Some(property));
        }
    }
}

/// Grows, is churned, loses what its container has lost, is filled at once, and shrinks to nothing.
fn grows_and_shrinks<Q: Ord + Clone + Debug>(property: &mut dyn FnMut(&mut SplitMix) -> Q) {
    let mut random = SplitMix::new(16);
    let mut trial = Trial::new();
    let steps = amount(24_000, 3_000, 150);
    for step in 0..steps {
        trial.step(&mut random, property);
        if step % (steps / 8) == 0 {
            trial.check();
        }
    }
    trial.check();
    let copy = trial.index.clone();
    copy.validate();
    assert!(copy.iter().eq(trial.index.iter()));
    let doomed: Vec<_> = trial.keys.iter().copied().filter(|key| key.slot() % 3 > 0).collect();
    for key in doomed {
        trial.objects.remove(key);
        trial.forget(key);
    }
    trial.index.retain_live(&trial.objects);
    trial.check();
    let pairs: Vec<_> = trial.properties.iter().map(|(&key, q)| (key, q.clone())).collect();
    trial.index.clear();
    trial.index.validate();
    assert!(trial.index.is_empty() && trial.index.first().is_none());
    trial.index.extend(pairs).unwrap();
    trial.check();
    let mut left: Vec<_> = trial.properties.keys().copied().collect();
    while !left.is_empty() {
        let key = random.take(&mut left);
        assert!(trial.index.remove(key) && trial.forget(key));
        if left.len() % 500 == 0 {
            trial.check();
        }
    }
    trial.check();
    assert_eq!(trial.index.iter().count(), 0);
}

#[test]
fn ten_each() {
    grows_and_shrinks(&mut |random| random.below(400) as u32);
}

#[test]
fn many_or_few_properties_with_few_keys_each_or_many() {
    grows_and_shrinks(&mut |random| random.next() as u32);
    grows_and_shrinks(&mut |random| random.below(3) as u32);
    grows_and_shrinks(&mut |random| match random.below(3) {
        0 => 500,
        1 => 501,
        _ => random.below(1_000) as u32,
    });
}

#[test]
fn ascending_and_descending() {
    let (mut low, mut high) = (0..u32::MAX, (0..u32::MAX).rev());
    grows_and_shrinks(&mut |_| low.next().unwrap());
    grows_and_shrinks(&mut |_| high.next().unwrap());
}

#[test]
fn texts_and_nothing_at_all() {
    grows_and_shrinks(&mut |random| format!("{:04}", random.below(2_000)));
    grows_and_shrinks(&mut |_| ());
}

/// Ascending properties fill their leaves.
#[test]
fn what_ascends_lies_close_together() {
    let keys = keys(scaled(10_000, 500));
    let (mut ascending, mut at_once) = (SortedIndex::new(), SortedIndex::new());
    keys.iter().for_each(|&key| ascending.insert(key, key.slot()).unwrap());
    at_once.extend(keys.iter().map(|&key| (key, key.slot()))).unwrap();
    assert!(at_once.iter().eq(ascending.iter()));
    for index in [ascending, at_once] {
        let bytes = index.stats().memory.committed / keys.len();
        assert!(bytes <= 28, "{bytes} bytes a key");
    }
}

/// Slots that no container could have side by side take memory by their number, not by the highest.
#[test]
fn far_slots_take_the_memory_of_few_keys() {
    let far = |n: u32| Id::made(u32::MAX - 1 - n * 1_000, 1);
    let near = keys(100);
    let mut index = SortedIndex::new();
    for n in 0..100_u32 {
        index.insert(far(n), n % 3).unwrap();
        index.insert(near[n as usize], n % 7).unwrap();
    }
    index.validate();
    assert!(index.stats().memory.committed < 20_000);
    for n in 0..100 {
        index.insert(far(n), n).unwrap();
        assert_eq!(index.property(far(n)), Some(&n));
    }
    index.validate();
    for n in 0..100 {
        assert!(index.remove(far(n)) && !index.remove(far(n)));
    }
    index.validate();
    assert_eq!(index.len(), 100);
    // From the end on: at first far from all others, then not.
    let slots = scaled(2_000, 200) as u32;
    let mut index = SortedIndex::new();
    for slot in (0..slots).rev() {
        index.insert(Id::made(slot, 1), slot % 5).unwrap();
    }
    index.validate();
    assert!(index.stats().memory.committed < slots as usize * 80);
}

/// Comparisons an operation: of adding, of moving, of finding, and of a range of which one key is read.
fn comparisons_among(count: usize, each: usize) -> [f64; 4] {
    let mut random = SplitMix::new(5);
    let keys = keys(count);
    // (With a `Drop`: not all of a node's are compared.)
    let mut property = || Asked(random.below((count / each).max(1)) as u32, Dropping);
    let mut index = SortedIndex::new();
    let (_, added, clones) =
        asked(|| keys.iter().for_each(|&key| index.insert(key, property()).unwrap()));
    assert!(clones < count / 12, "{clones} clones: one a leaf");
    let (_, moved, _) =
        asked(|| keys.iter().for_each(|&key| index.insert(key, property()).unwrap()));
    let (_, found, clones) = asked(|| {
        keys.iter().for_each(|_| assert!(index.get(&property()).len() <= count));
    });
    assert_eq!(clones, 0);
    let (_, ranged, clones) = asked(|| {
        keys.iter().for_each(|_| assert!(index.range(property()..).take(1).count() <= 1));
    });
    assert_eq!(clones, 0);
    // Removing asks for nothing, neither one by one nor from the ends.
    let mut doomed = keys.clone();
    let (requests, asked) = requests_of(|| {
        asked(|| {
            for _ in 0..count / 2 {
                assert!(index.remove(random.take(&mut doomed)));
            }
            assert!(index.pop_first().is_some() && index.pop_last().is_some());
            while index.pop_first().is_some() {}
        })
    });
    assert_eq!((requests, asked), (0, (0, 0, 0)));
    assert!(index.is_empty());
    [added, moved, found, ranged].map(|comparisons| comparisons as f64 / count as f64)
}

#[test]
fn comparisons_grow_with_the_logarithm_and_removals_make_none() {
    let count = scaled(8_000, 200);
    for each in [1, 10, usize::MAX] {
        let by_size = [1, 2, 4].map(|times| comparisons_among(count * times, each));
        for operation in 0..4 {
            let [one, two, four] = by_size.map(|comparisons| comparisons[operation]);
            // Twice as many are one comparison more, about. (A group is compared as a whole.)
            assert!(four < 32.0, "{four} comparisons");
            assert!(two - one < 2.0 && four - two < 2.0, "{one}, {two}, {four}");
        }
    }
}
