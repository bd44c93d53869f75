//! Objects of one kind among objects of all kinds: spawned, walked, removed.

use larder::{Arena, Handle, trees::Buckets};
use slotmap::{DefaultKey, SlotMap};

use crate::study::prelude::*;

/// The number of kinds; each has about as many things.
const KINDS: usize = 16;
/// The kind that is walked.
const KIND: usize = 3;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("kinds", &[1_000, 65_536], NEVER_SLOW, |contest| {
        let count = contest.count;
        contest.measure(vec![
            works::<Filtered<SlotMap<DefaultKey, Thing>>>(count),
            works::<KeysByKind>(count),
            works::<Filtered<Arena<Thing>>>(count),
            works::<ArenaAndKinds>(count),
        ])
    })
}

/// An object of a kind.
#[derive(Clone, Copy, Debug)]
struct Thing {
    kind: u32,
    number: u32,
    _place_and_size: [f32; 6],
}

subjects! { ($) by_kind:
    /// Things that can be found by their kind.
    trait ByKind: Clone Default {
        type Key: Copy;

        fn spawn(&mut self, thing: Thing) -> Self::Key;
        fn remove(&mut self, key: Self::Key) -> Option<Thing>;
        /// The sum of the numbers of all things of a kind.
        #[inline(never)]
        fn walk(&self, kind: usize) -> u64;
    }
}

/// larder: an arena, and the kinds beside it.
#[derive(Clone, Default)]
struct ArenaAndKinds {
    things: Arena<Thing>,
    kinds: Buckets<Handle<Thing>, KINDS>,
}

by_kind! { ArenaAndKinds, "Arena and Buckets";
    type Key = Handle<Thing>;

    fn spawn(&mut self, thing) {
        let key = self.things.insert(thing);
        self.kinds.set(&self.things, key, thing.kind as usize).expect("it is there");
        key
    }
    fn remove(&mut self, key) {
        self.kinds.remove(key);
        self.things.remove(key)
    }
    fn walk(&self, kind) { self.kinds.iter(kind).fold(0, |sum, key| sum + u64::from(self.things[key].number)) }
}

/// Written by hand with `slotmap`: the keys of each kind, and the position of each thing's own.
#[derive(Clone, Default)]
struct KeysByKind {
    things: SlotMap<DefaultKey, (Thing, u32)>,
    keys: [Vec<DefaultKey>; KINDS],
}

by_kind! { KeysByKind, "SlotMap and Vec of keys";
    type Key = DefaultKey;

    fn spawn(&mut self, thing) {
        let keys = &mut self.keys[thing.kind as usize];
        let key = self.things.insert((thing, keys.len() as u32));
        keys.push(key);
        key
    }
    fn remove(&mut self, key) {
        let (thing, position) = self.things.remove(key)?;
        let keys = &mut self.keys[thing.kind as usize];
        keys.swap_remove(position as usize);
        if let Some(&moved) = keys.get(position as usize) {
            self.things[moved].1 = position;
        }
        Some(thing)
    }
    fn walk(&self, kind) {
        self.keys[kind].iter().fold(0, |sum, &key| sum + u64::from(self.things[key].0.number))
    }
}

/// All things, filtered by their kind.
#[derive(Clone, Default)]
struct Filtered<C>(C);

macro_rules! filtered {
    ($container:ty, $key:ty, $name:literal) => {
        by_kind! { Filtered<$container>, $name;
            type Key = $key;

            fn spawn(&mut self, thing) { self.0.insert(thing) }
            fn remove(&mut self, key) { self.0.remove(key) }
            fn walk(&self, kind) {
                let of_kind = self.0.values().filter(|thing| thing.kind == kind as u32);
                of_kind.fold(0, |sum, thing| sum + u64::from(thing.number))
            }
        }
    };
}

filtered!(Arena<Thing>, Handle<Thing>, "Arena, filtered");
filtered!(SlotMap<DefaultKey, Thing>, DefaultKey, "SlotMap, filtered");

/// A container of things, and the things themselves.
struct Things<C: ByKind> {
    things: Vec<Thing>,
    full: C,
    /// Without a quarter of the things.
    thinned: C,
    /// In random order.
    keys: Vec<C::Key>,
}

fn works<C: ByKind + 'static>(count: usize) -> Turns<'static> {
    let mut random = Random::new(0x417D);
    let thing = |number| Thing {
        kind: random.below(KINDS) as u32,
        number,
        _place_and_size: [number as f32; 6],
    };
    let things: Vec<Thing> = (0..count as u32).map(thing).collect();
    let mut full = C::default();
    let keys = spawn_each(&mut full, &things);
    let order: Vec<_> = Scatter::new(count, 0xDE1).collect();
    let keys: Vec<_> = order.iter().map(|&at| keys[at]).collect();
    let mut thinned = full.clone();
    remove_each(&mut thinned, &keys[..count / 4]);
    let is_of_kind = |at: &&usize| things[**at].kind == KIND as u32;
    let of_kind = |from: usize| order[from..].iter().filter(is_of_kind).count();
    let [members, left] = [0, count / 4].map(of_kind);
    let all = Things { things, full, thinned, keys };
    Works::new(C::NAME, all, |all| all.full.clone(), |all| all.walk(KIND))
        .on("spawn", "a thing of one of 16 kinds, from nothing on")
        .filling(count, |all, new| spawn_each(new, &all.things))
        .on("walk", "all things of one kind of 16")
        .reading(members, |all| all.full.walk(KIND))
        .on("walk_thinned", "as walk, after a quarter of all things was removed at random")
        .reading(left, |all| all.thinned.walk(KIND))
        .on("remove", "a removal, in random order until nothing is left")
        .changing(count, |all, full| remove_each(full, &all.keys))
        .done()
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
