//! Objects of one kind among objects of all kinds: spawned, walked, removed.

use larder::{Arena, Handle, trees::Buckets};
use slotmap::{DefaultKey, SlotMap};

use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "kinds";
/// The number of things.
pub(crate) const COUNTS: &[usize] = &[1_000, 65_536];
/// The number of kinds; each has about as many things.
const KINDS: usize = 16;
/// The kind that is walked.
const KIND: usize = 3;

jobs! {
    Spawn = "spawn", "a thing of one of 16 kinds, from nothing on";
    Walk = "walk", "all things of one kind of 16";
    WalkThinned = "walk_thinned", "as walk, after a quarter of all things was removed at random";
    Remove = "remove", "a removal, in random order until nothing is left";
}

pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let count = contest.count;
    let mut all: Contestants<'_, Job> = contestants![
        Bench::new(count): Filtered<SlotMap<DefaultKey, Thing>>, KeysByKind, Filtered<Arena<Thing>>,
        ArenaAndKinds
    ];
    contest.measure_all(&mut all)
}

/// An object of a kind.
#[derive(Clone, Copy, Debug)]
struct Thing {
    kind: u32,
    number: u32,
    _place_and_size: [f32; 6],
}

/// Things that can be found by their kind.
trait ByKind: Sized + Clone {
    type Key: Copy;

    const NAME: &'static str;

    fn new() -> Self;

    fn spawn(&mut self, thing: Thing) -> Self::Key;

    fn remove(&mut self, key: Self::Key) -> Option<Thing>;

    /// The sum of the numbers of all things of a kind.
    fn walk(&self, kind: usize) -> u64;
}

/// larder: an arena, and the kinds beside it.
#[derive(Clone)]
struct ArenaAndKinds {
    things: Arena<Thing>,
    kinds: Buckets<Handle<Thing>, KINDS>,
}

impl ByKind for ArenaAndKinds {
    type Key = Handle<Thing>;

    const NAME: &'static str = "Arena and Buckets";

    fn new() -> Self {
        Self { things: Arena::new(), kinds: Buckets::new() }
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        let key = self.things.insert(thing);
        self.kinds.set(&self.things, key, thing.kind as usize).expect("it is there");
        key
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<Thing> {
        self.kinds.remove(key);
        self.things.remove(key)
    }

    #[inline(never)]
    fn walk(&self, kind: usize) -> u64 {
        self.kinds.iter(kind).fold(0, |sum, key| sum + u64::from(self.things[key].number))
    }
}

/// Written by hand with `slotmap`: the keys of each kind, and the position of each thing's own.
#[derive(Clone)]
struct KeysByKind {
    things: SlotMap<DefaultKey, (Thing, u32)>,
    keys: [Vec<DefaultKey>; KINDS],
}

impl ByKind for KeysByKind {
    type Key = DefaultKey;

    const NAME: &'static str = "SlotMap and Vec of keys";

    fn new() -> Self {
        Self { things: SlotMap::new(), keys: [const { Vec::new() }; KINDS] }
    }

    #[inline(always)]
    fn spawn(&mut self, thing: Thing) -> Self::Key {
        let keys = &mut self.keys[thing.kind as usize];
        let key = self.things.insert((thing, keys.len() as u32));
        keys.push(key);
        key
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<Thing> {
        let (thing, position) = self.things.remove(key)?;
        let keys = &mut self.keys[thing.kind as usize];
        keys.swap_remove(position as usize);
        if let Some(&moved) = keys.get(position as usize) {
            self.things[moved].1 = position;
        }
        Some(thing)
    }

    #[inline(never)]
    fn walk(&self, kind: usize) -> u64 {
        self.keys[kind].iter().fold(0, |sum, &key| sum + u64::from(self.things[key].0.number))
    }
}

/// All things, filtered by their kind.
#[derive(Clone)]
struct Filtered<C>(C);

macro_rules! filtered {
    ($container:ty, $key:ty, $name:literal) => {
        impl ByKind for Filtered<$container> {
            type Key = $key;

            const NAME: &'static str = $name;

            fn new() -> Self {
                Self(<$container>::new())
            }

            #[inline(always)]
            fn spawn(&mut self, thing: Thing) -> $key {
                self.0.insert(thing)
            }

            #[inline(always)]
            fn remove(&mut self, key: $key) -> Option<Thing> {
                self.0.remove(key)
            }

            #[inline(never)]
            fn walk(&self, kind: usize) -> u64 {
                let of_kind = self.0.values().filter(|thing| thing.kind == kind as u32);
                of_kind.fold(0, |sum, thing| sum + u64::from(thing.number))
            }
        }
    };
}

filtered!(Arena<Thing>, Handle<Thing>, "Arena, filtered");
filtered!(SlotMap<DefaultKey, Thing>, DefaultKey, "SlotMap, filtered");

/// A container of things, and the things themselves.
struct Bench<C: ByKind> {
    things: Vec<Thing>,
    full: C,
    /// Without a quarter of the things.
    thinned: C,
    /// In random order.
    keys: Vec<C::Key>,
    /// How many things are of the kind that is walked, in all and without that quarter.
    members: [usize; 2],
}

impl<C: ByKind> Bench<C> {
    fn new(count: usize) -> Self {
        let mut random = Random::new(0x417D);
        let thing = |number| Thing {
            kind: random.below(KINDS) as u32,
            number,
            _place_and_size: [number as f32; 6],
        };
        let things: Vec<Thing> = (0..count as u32).map(thing).collect();
        let mut full = C::new();
        let keys = spawn_each(&mut full, &things);
        let order: Vec<_> = Scatter::new(count, 0xDE1).collect();
        let keys: Vec<_> = order.iter().map(|&at| keys[at]).collect();
        let mut thinned = full.clone();
        remove_each(&mut thinned, &keys[..count / 4]);
        let of_kind = |from: usize| {
            order[from..].iter().filter(|&&at| things[at].kind == KIND as u32).count()
        };
        let members = [of_kind(0), of_kind(count / 4)];
        Self { things, full, thinned, keys, members }
    }
}

#[inline(never)]
fn spawn_each<C: ByKind>(all: &mut C, things: &[Thing]) -> Vec<C::Key> {
    things.iter().map(|&thing| all.spawn(thing)).collect()
}

#[inline(never)]
fn remove_each<C: ByKind>(all: &mut C, keys: &[C::Key]) -> u64 {
    keys.iter().fold(0_u64, |sum, &key| {
        sum.rotate_left(1) ^ all.remove(key).map_or(0, |thing| u64::from(thing.number))
    })
}

impl<C: ByKind> Contestant<Job> for Bench<C> {
    fn sample(&mut self, job: Job, repeats: u32) -> Sample {
        let count = self.things.len();
        match job {
            Job::Spawn => {
                let work = |all: &mut C| spawn_each(all, &self.things);
                consuming(count, repeats, C::new, work, |all, _| all.walk(KIND))
            }
            Job::Walk => reading(&self.full, self.members[0], repeats, |all| all.walk(KIND)),
            Job::WalkThinned => {
                reading(&self.thinned, self.members[1], repeats, |all| all.walk(KIND))
            }
            Job::Remove => {
                let work = |all: &mut C| remove_each(all, &self.keys);
                consuming(count, repeats, || self.full.clone(), work, |_, &sum| sum)
            }
        }
    }
}
