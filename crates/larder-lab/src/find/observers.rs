//! Objects by a shared property: IDX-OBS. Each object has one property, and all objects with a property
//! are looked up: ten on average, few or very many, or all objects under one property.

use std::collections::hash_map::{Entry, HashMap};

use larder::{Arena, indices::MultiIndex};

use self::circles::Circles;
use super::{Key, remove_from};
use crate::study::prelude::*;

/// The number of objects.
const COUNTS: &[usize] = &[1_000, 10_000, 100_000];
/// If this many objects have one property, the rivals walk all of them to find one: one round is enough.
const LONG: usize = 100_000;

/// The distribution of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    Uniform,
    Skewed,
    Zipf,
    One,
}

/// All of them, with their names.
const SPREADS: [(Spread, &str); 4] = [
    (Spread::Uniform, "uniform"),
    (Spread::Skewed, "skewed"),
    (Spread::Zipf, "zipf"),
    (Spread::One, "one key"),
];

impl Spread {
    /// A property: one of as many as there are tenths of the objects.
    fn property(self, count: usize, random: &mut Random) -> u32 {
        let properties = (count / 10).max(1);
        let any = random.below(properties) as u64;
        let property = match self {
            Self::Uniform => any,
            // The cube of a share: of a thousand properties, the first has a tenth of all objects.
            Self::Skewed => any.pow(3) / (properties as u64).pow(2),
            // A random power: each has a share that is inverse to its number.
            Self::Zipf => (properties as f64).powf(any as f64 / properties as f64) as u64 - 1,
            Self::One => 0,
        };
        property as u32
    }
}

pub(crate) fn parts() -> Vec<Part> {
    let spread = |(spread, name)| {
        let slow = if spread == Spread::One { LONG } else { NEVER_SLOW };
        let counts = if spread == Spread::Zipf { &[LONG] } else { COUNTS };
        study::parts("observers", counts, slow, move |contest| measure(contest, spread, name))
    };
    SPREADS.into_iter().flat_map(spread).collect()
}

/// Measures one distribution.
fn measure(contest: &Contest<'_>, spread: Spread, name: &str) -> Result<Vec<Row>> {
    let plan = &Plan::new(contest.count, spread);
    let is_long = contest.count == LONG && spread == Spread::One;
    let contest = contest.way(name).at_most(if is_long { 1 } else { usize::MAX });
    contest.measure(vec![
        works::<Tables<RandomState>>(plan),
        works::<Tables<Foldhash>>(plan),
        works::<BruteForce>(plan),
        works::<MultiIndex<u32, Key>>(plan),
        works::<Circles>(plan),
    ])
}

/// Random properties, the same for every subject.
struct Plan {
    related: Vec<(Key, u32)>,
    /// Objects and their new properties, in random order.
    moves: Vec<(usize, u32)>,
    /// Objects in the order of their removal.
    removals: Vec<usize>,
    /// Properties to look up.
    asked: Vec<u32>,
    /// The number of objects that finds.
    found: usize,
}

impl Plan {
    fn new(count: usize, spread: Spread) -> Self {
        let mut random = Random::new(0x0B5);
        let mut objects = Arena::new();
        let related: Vec<(Key, u32)> =
            (0..count).map(|_| (objects.insert(0), spread.property(count, &mut random))).collect();
        let mut having = vec![0; count];
        related.iter().for_each(|&(_, property)| having[property as usize] += 1);
        let (mut asked, mut found) = (Vec::new(), 0);
        while found < count && asked.len() < MOST_ASKED {
            let property = related[random.below(count)].1;
            found += having[property as usize];
            asked.push(property);
        }
        let moves = Scatter::new(count, 0x307E).take(count / 4);
        let moves = moves.map(|object| (object, spread.property(count, &mut random))).collect();
        let removals = Scatter::new(count, 0x2E3).collect();
        Self { related, moves, removals, asked, found }
    }
}

/// Properties looked up in a pass, at most.
const MOST_ASKED: usize = 1_000;

fn works<R: Relations + 'static>(plan: &Plan) -> Turns<'_> {
    let count = plan.related.len();
    let is_too_slow = R::WALKS_ALL && count == LONG;
    Works::filled(R::NAME, |all| add(all, plan), |all: &R| find(all, plan))
        .on("add", "an object under its property, from nothing on")
        .filling(count, |_, all| add(all, plan))
        .on("find", "an object that is found under a property asked for")
        .reading(plan.found, |all| find(all, plan))
        .on("search", "a property asked for, whether any object has it")
        .reading(plan.asked.len(), |all| search(all, plan))
        .on("move", "an object that gets another property")
        .only_if(!is_too_slow)
        .changing(plan.moves.len(), |_, all| move_each(all, plan))
        .on("remove", "an object, in random order until nothing is left")
        .only_if(!is_too_slow)
        .changing(count, |_, all| remove_each(all, plan))
        .on("bytes", "bytes an object, as an allocator is asked for them")
        .bytes(count)
        .done()
}

#[inline(never)]
fn add<R: Relations>(relations: &mut R, plan: &Plan) {
    plan.related.iter().for_each(|&(key, property)| relations.add(key, property));
}

#[inline(never)]
fn find<R: Relations>(relations: &R, plan: &Plan) -> u64 {
    let sums = plan.asked.iter().map(|&property| relations.sum(property));
    sums.fold(0, u64::wrapping_add)
}

#[inline(never)]
fn search<R: Relations>(relations: &R, plan: &Plan) -> u64 {
    plan.asked.iter().filter(|&&property| relations.has(property)).count() as u64
}

#[inline(never)]
fn move_each<R: Relations>(relations: &mut R, plan: &Plan) {
    for &(object, to) in &plan.moves {
        let (key, from) = plan.related[object];
        relations.refile(key, from, to);
    }
}

#[inline(never)]
fn remove_each<R: Relations>(relations: &mut R, plan: &Plan) {
    for &object in &plan.removals {
        let (key, property) = plan.related[object];
        relations.remove(key, property);
    }
}

subjects! { ($) relations:
    /// Objects by a property. (All of it is inlined, as in `unique`.)
    pub(super) trait Relations: Default {
        // True if it finds an object by walking all of them.
        const WALKS_ALL: bool = false;

        /// Puts an object under its property.
        fn add(&mut self, key: Key, property: u32);
        /// All objects with a property.
        fn find(&self, property: u32) -> impl Iterator<Item = Key>;
        /// The sum of the keys of all objects with a property.
        fn sum(&self, property: u32) -> u64 = {
            self.find(property).fold(0, |sum, key| sum.wrapping_add(key.to_bits()))
        };
        /// Returns whether any object has a property.
        fn has(&self, property: u32) -> bool = { self.find(property).next().is_some() };
        /// Removes an object from its property.
        fn remove(&mut self, key: Key, property: u32);
        /// Puts an object under another property.
        fn refile(&mut self, key: Key, from: u32, to: u32) = {
            self.remove(key, from);
            self.add(key, to);
        };
    }
}

mod circles;

/// The sum of keys side by side: one function, because a loop's speed depends on where the linker puts it.
#[inline(never)]
fn sum(keys: &[Key]) -> u64 {
    keys.iter().fold(0, |sum, key| sum.wrapping_add(key.to_bits()))
}

relations! { MultiIndex<u32, Key>, "MultiIndex";
    fn add(&mut self, key, property) { self.insert(key, property).expect("the key is live"); }
    fn find(&self, property) { self.get(&property).iter().copied() }
    fn sum(&self, property) { sum(self.get(&property)) }
    fn has(&self, property) { !self.get(&property).is_empty() }
    fn remove(&mut self, key, _property) { self.remove(key); }
    fn refile(&mut self, key, _from, to) { self.add(key, to); }
}

/// A `Vec` of keys under each property.
#[derive(Default)]
struct Tables<S>(HashMap<u32, Vec<Key>, S>);

relations! { Tables<S>, if S::IS_FOLDHASH { "HashMap of Vec, foldhash" } else { "HashMap of Vec" }, [S: Hasher];
    fn add(&mut self, key, property) { self.0.entry(property).or_default().push(key); }
    fn find(&self, property) { self.0.get(&property).into_iter().flatten().copied() }
    fn sum(&self, property) { self.0.get(&property).map_or(0, |keys| sum(keys)) }
    fn has(&self, property) { self.0.get(&property).is_some_and(|keys| !keys.is_empty()) }
    fn remove(&mut self, key, property) {
        let Entry::Occupied(mut having) = self.0.entry(property) else {
            return;
        };
        if remove_from(having.get_mut(), key) {
            having.remove();
        }
    }
}

/// All objects are compared.
#[derive(Default)]
struct BruteForce(Vec<(u32, Key)>);

relations! { BruteForce, "brute force";
    const WALKS_ALL = true;

    fn add(&mut self, key, property) { self.0.push((property, key)); }
    fn find(&self, property) {
        self.0.iter().filter(move |related| related.0 == property).map(|related| related.1)
    }
    fn remove(&mut self, key, _property) {
        if let Some(position) = self.0.iter().position(|related| related.1 == key) {
            self.0.swap_remove(position);
        }
    }
}
