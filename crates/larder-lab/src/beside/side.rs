//! Side data: maps under other containers' keys, where all, half, some or few objects have an entry.

use larder::{Arena, Handle, join};
use slotmap::{DefaultKey, SlotMap};

use crate::study::prelude::*;

/// The percentage of objects that have an entry.
const PERCENT: [usize; 4] = [100, 50, 10, 1];
/// Objects looked up one by one in a pass, at most.
const MOST_PICKS: usize = 1_000_000;

pub(crate) fn parts() -> Vec<Part> {
    let dense = |percent| {
        let counts = &[1_000, 10_000, 100_000, 1_000_000];
        study::parts("side", counts, 1_000_000, move |contest| measure(contest, percent))
    };
    PERCENT.into_iter().flat_map(dense).collect()
}

fn measure(contest: &Contest<'_>, percent: usize) -> Result<Vec<Row>> {
    let count = contest.count;
    contest.way(format!("{percent} %")).measure(vec![
        works::<SlotmapDense>(count, percent),
        works::<SlotmapSparse>(count, percent),
        works::<SlotmapSparse<Foldhash>>(count, percent),
        works::<LarderDense>(count, percent),
        works::<LarderSparse>(count, percent),
    ])
}

/// An object's entry.
type Stat = [u32; 4];

subjects! { ($) side_maps:
    /// A map of side data.
    trait SideMap: Clone Default {
        // The objects' keys.
        type Key: Copy;
        // The map with an entry for every object, which is not sparse.
        type Wide;

        // The keys of so many objects, in slot order, and the map with an entry for each.
        static fn objects(count: usize) -> (Vec<Self::Key>, Self::Wide);

        fn insert(&mut self, key: Self::Key, stat: Stat);
        fn get(&self, key: Self::Key) -> Option<&Stat>;
        fn remove(&mut self, key: Self::Key) -> Option<Stat>;
        /// The sum of all entries.
        #[inline(never)]
        fn walk(&self) -> u64;
        /// The sum over the objects with an entry in both.
        #[inline(never)]
        fn join2(&self, wide: &Self::Wide) -> u64;
        /// The sum over the objects with an entry in all three.
        #[inline(never)]
        fn join3(&self, other: &Self, wide: &Self::Wide) -> u64;
    }
}

/// Returns the part of one entry in the sum.
#[inline(always)]
fn one(stat: &Stat) -> u64 {
    stat.iter().fold(0, |sum, &number| sum + u64::from(number))
}

/// Returns the part of two entries of an object in the sum.
#[inline(always)]
fn two(a: &Stat, b: &Stat) -> u64 {
    u64::from(a[0]) * u64::from(b[1])
}

/// Returns the part of three entries of an object in the sum.
#[inline(always)]
fn three(a: &Stat, b: &Stat, c: &Stat) -> u64 {
    u64::from(a[0]) * u64::from(b[1]) + u64::from(c[2])
}

fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::wrapping_add)
}

/// The map with an entry for each of these keys.
fn wide<K: Copy, M: FromIterator<(K, Stat)>>(keys: Vec<K>) -> (Vec<K>, M) {
    let entries = (1..).zip(&keys).map(|(number, &key)| (key, [number; 4])).collect();
    (keys, entries)
}

type LarderKey = Handle<u8>;
type LarderDense = larder::SecondaryMap<LarderKey, Stat>;
type LarderSparse = larder::maps::SparseSecondaryMap<LarderKey, Stat>;
type SlotmapDense = slotmap::SecondaryMap<DefaultKey, Stat>;
type SlotmapSparse<S = RandomState> = slotmap::SparseSecondaryMap<DefaultKey, Stat, S>;

/// The common objects of two or three maps are found by `join`.
macro_rules! larder_map {
    ($map:ty, $name:literal) => {
        side_maps! { $map, $name;
            type Key = LarderKey;
            type Wide = LarderDense;

            fn objects(count) {
                let mut objects = Arena::new();
                wide((0..count).map(|_| objects.insert(0)).collect())
            }
            fn insert(&mut self, key, stat) { self.insert(key, stat); }
            fn get(&self, key) { self.get(key) }
            fn remove(&mut self, key) { self.remove(key) }
            fn walk(&self) { sum(self.values().map(one)) }
            fn join2(&self, wide) { sum(join((self, wide)).map(|(_, (a, b))| two(a, b))) }
            fn join3(&self, other, wide) { sum(join((self, other, wide)).map(|(_, (a, b, c))| three(a, b, c))) }
        }
    };
}

larder_map!(LarderDense, "SecondaryMap");
larder_map!(LarderSparse, "SparseSecondaryMap");

/// The common objects of maps are found by walking the one with the fewest entries, and looking them up
/// in the others.
macro_rules! slotmap_map {
    ($map:ty, $name:expr $(, [$($generics:tt)*])?) => {
        side_maps! { $map, $name $(, [$($generics)*])?;
            type Key = DefaultKey;
            type Wide = SlotmapDense;

            fn objects(count) {
                let mut objects = SlotMap::new();
                wide((0..count).map(|_| objects.insert(0_u8)).collect())
            }
            fn insert(&mut self, key, stat) { self.insert(key, stat); }
            fn get(&self, key) { self.get(key) }
            fn remove(&mut self, key) { self.remove(key) }
            fn walk(&self) { sum(self.values().map(one)) }
            fn join2(&self, wide) { sum(self.iter().filter_map(|(key, a)| Some(two(a, wide.get(key)?)))) }
            fn join3(&self, other, wide) {
                sum(self.iter().filter_map(|(key, a)| Some(three(a, other.get(key)?, wide.get(key)?))))
            }
        }
    };
}

slotmap_map!(SlotmapDense, "slotmap SecondaryMap");
slotmap_map!(
    SlotmapSparse<S>,
    if S::IS_FOLDHASH { "slotmap SparseSecondaryMap, foldhash" } else { "slotmap SparseSecondaryMap" },
    [S: Hasher]
);

/// Maps of one kind, and the objects that have entries.
struct Maps<M: SideMap> {
    /// The keys of objects with an entry, in slot order.
    keys: Vec<M::Key>,
    /// The same in random order.
    scattered: Vec<M::Key>,
    /// Random objects.
    asked: Vec<M::Key>,
    /// A map with an entry for every object.
    wide: M::Wide,
    map: M,
    /// A map with about as many entries as `map`, of other objects.
    other: M,
}

impl<M: SideMap> Maps<M> {
    fn new(count: usize, percent: usize) -> Self {
        let (objects, wide) = M::objects(count);
        let chosen = |seed| {
            let mut random = Random::new(seed);
            let chosen = objects.iter().filter(|_| random.below(100) < percent);
            chosen.copied().collect::<Vec<_>>()
        };
        let keys = chosen(0x51DE);
        let scattered = Scatter::new(keys.len(), 0x6E7).take(MOST_PICKS);
        let scattered = scattered.map(|at| keys[at]).collect();
        let asked = Scatter::new(count, 0xA5C).take(MOST_PICKS).map(|at| objects[at]).collect();
        let full = |keys: &[M::Key]| filled(|map| insert_each(map, keys));
        let (map, other) = (full(&keys), full(&chosen(0x07E)));
        Self { keys, scattered, asked, wide, map, other }
    }
}

fn works<M: SideMap + 'static>(count: usize, percent: usize) -> Turns<'static> {
    let all = Maps::<M>::new(count, percent);
    let (entries, picked, asked) = (all.keys.len(), all.scattered.len(), all.asked.len());
    Works::new(M::NAME, all, |all| all.map.clone(), M::walk)
        .on("insert", "an insertion, from nothing on, in the order of slots")
        .filling(entries, |all, map| insert_each(map, &all.keys))
        .on("get", "a random object's entry")
        .reading(picked, |all| get_each(&all.map, &all.scattered))
        .on("ask", "a random object's entry, if it has one")
        .reading(asked, |all| get_each(&all.map, &all.asked))
        .on("walk", "all entries")
        .reading(entries, |all| all.map.walk())
        .on("join2", "all entries, each with that of a map that has one for every object")
        .reading(entries, |all| all.map.join2(&all.wide))
        .on("join3", "as join2, with a third map of as many other entries, per entry of one")
        .reading(entries, |all| all.map.join3(&all.other, &all.wide))
        .on("remove", "a removal, in random order until nothing is left")
        .changing(picked, |all, map| remove_each(map, &all.scattered))
        .done()
}

/// The entry of the object at this position.
fn stat(position: usize) -> Stat {
    [1, 2, 3, 4].map(|number| position as u32 * 5 + number)
}

#[inline(never)]
fn insert_each<M: SideMap>(map: &mut M, keys: &[M::Key]) {
    for (position, &key) in keys.iter().enumerate() {
        barrier();
        map.insert(key, stat(position));
    }
}

#[inline(never)]
fn get_each<M: SideMap>(map: &M, keys: &[M::Key]) -> u64 {
    let mut sum = 0;
    for &key in keys {
        barrier();
        sum += map.get(key).map_or(0, |stat| u64::from(stat[0]));
    }
    sum
}

#[inline(never)]
fn remove_each<M: SideMap>(map: &mut M, keys: &[M::Key]) -> u64 {
    let mut sum = 0;
    for &key in keys {
        barrier();
        sum += map.remove(key).map_or(0, |stat| u64::from(stat[0]));
    }
    sum
}
