//! Random histories of a tracked container, each call made on a plain clone, too: what is returned, the keys
//! above all, is the same, also after going back to a checkpoint.

use core::cell::Cell;
use core::fmt::Debug;
use std::collections::BTreeMap;

use larder::key::{BareHandle, Serial};
use larder::soa::Fill;
use larder::track::{Checkpoint, Insert, Reversible, Revert, Subscriber, Tracked};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool, Reuse,
    Soa, SoaArena,
};
use larder_testing::common::{REUSE_ORDERS, amount, thorough};

/// Numbers that look random.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

thread_local! {
    static CLONES: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of names that `act` clones.
pub(crate) fn clones_of(act: impl FnOnce()) -> usize {
    CLONES.set(0);
    act();
    CLONES.get()
}

/// A text whose clones are counted.
#[derive(Debug, PartialEq)]
pub(crate) struct Name(String);

impl Clone for Name {
    fn clone(&self) -> Self {
        CLONES.set(CLONES.get() + 1);
        Self(self.0.clone())
    }
}

impl Fill for Name {
    const FILL: Self = Self(String::new());
}

/// A value that owns memory, and can lie in columns. All tests share it, since every container is compiled again for each
/// type of values.
#[derive(Clone, Debug, PartialEq, Soa)]
pub(crate) struct Ship {
    pub(crate) number: u64,
    name: Name,
}

impl Ship {
    pub(crate) fn new(number: u64) -> Self {
        Self { number, name: Name(format!("ship {number}")) }
    }
}

/// Plain data that can lie in columns, shared in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Soa, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Spot {
    pub(crate) x: u32,
    pub(crate) y: u32,
}

/// The operations of the test on a container, tracked or not.
pub(crate) trait Plain: Insert + Revert<Value = Ship, Key: Debug + Ord> + Clone {
    /// True if the container itself can detach.
    const PARKS: bool = true;
    fn make(reuse: Reuse) -> Self;
    fn add(&mut self, ship: Ship) -> Self::Key;
    fn drop_out(&mut self, key: Self::Key) -> Option<Ship>;
    fn rename(&mut self, key: Self::Key, number: u64) -> bool;
    fn rename_tracked(tracked: &mut Tracked<Self>, key: Self::Key, number: u64) -> bool;
    fn rename_all(&mut self);
    fn rename_all_tracked(tracked: &mut Tracked<Self>);
    fn park(&mut self, key: Self::Key) -> Option<Ship>;
    fn unpark(&mut self, key: Self::Key, ship: Ship) -> bool;
    /// Returns the place of a value, as ranges say it.
    fn place(&self, key: Self::Key) -> usize;
    fn entries(&self) -> Vec<(Self::Key, Ship)>;
    fn has(&self, key: Self::Key) -> bool;
    fn check(&self);
    fn numbers(&self) -> (usize, usize, usize, usize, usize);
}

macro_rules! plain {
    ([$($generics:tt)*] $container:ty, |$ship:ident| $number:expr, $name:expr, $read:expr,
     make: |$reuse:ident| $make:expr, place: |$this:ident, $of:ident| $place:expr $(, $take:ident)?) => {
        impl<$($generics)*> Plain for $container {
            fn make($reuse: Reuse) -> Self {
                $make
            }
            fn add(&mut self, ship: Ship) -> K {
                self.insert(ship)
            }
            fn rename(&mut self, key: K, number: u64) -> bool {
                self.get_mut(key).map(|$ship| ($number, $name) = parts(number)).is_some()
            }
            fn rename_tracked(tracked: &mut Tracked<Self>, key: K, number: u64) -> bool {
                tracked.get_mut(key).map(|$ship| ($number, $name) = parts(number)).is_some()
            }
            fn rename_all(&mut self) {
                self.iter_mut().for_each(|(_, $ship)| $number += 1);
            }
            fn rename_all_tracked(tracked: &mut Tracked<Self>) {
                tracked.iter_mut().for_each(|(_, $ship)| $number += 1);
            }
            fn place(&self, key: K) -> usize {
                let ($this, $of) = (self, key);
                $place
            }
            fn entries(&self) -> Vec<(K, Ship)> {
                self.iter().map(|(key, $ship)| (key, $read)).collect()
            }
            fn has(&self, key: K) -> bool {
                self.contains_key(key)
            }
            fn check(&self) {
                self.validate();
            }
            fn numbers(&self) -> (usize, usize, usize, usize, usize) {
                let stats = self.stats();
                (stats.live, stats.holes, stats.detached, stats.retired, stats.slots)
            }
            plain!(@taking $($take)?);
        }
    };
    (@taking take) => {
        const PARKS: bool = false;
        fn drop_out(&mut self, key: K) -> Option<Ship> {
            self.remove(key)
        }
        fn park(&mut self, _key: K) -> Option<Ship> {
            None
        }
        fn unpark(&mut self, _key: K, _ship: Ship) -> bool {
            false
        }
    };
    (@taking) => {
        fn drop_out(&mut self, key: K) -> Option<Ship> {
            self.remove(key)
        }
        fn park(&mut self, key: K) -> Option<Ship> {
            self.detach(key)
        }
        fn unpark(&mut self, key: K, ship: Ship) -> bool {
            self.reattach(key, ship).is_ok()
        }
    };
}

fn parts(number: u64) -> (u64, Name) {
    let Ship { number, name } = Ship::new(number);
    (number, name)
}

plain!(
    [K: Key + Debug + Ord] Arena<Ship, K>, |ship| ship.number, ship.name, ship.clone(),
    make: |reuse| Self::builder_with_key().reuse(reuse).build(),
    place: |_this, key| key.slot() as usize
);
plain!(
    [K: Key + Debug + Ord] PagedArena<Ship, K>, |ship| ship.number, ship.name, ship.clone(),
    make: |reuse| Self::builder_with_key().reuse(reuse).build(),
    place: |_this, key| key.slot() as usize
);
plain!(
    [const N: usize, K: Key + Debug + Ord] InlineArena<Ship, N, K>, |ship| ship.number, ship.name, ship.clone(),
    make: |_reuse| Self::with_key(),
    place: |_this, key| key.slot() as usize
);
plain!(
    [K: Key + Debug + Ord] Pool<Ship, K>, |ship| ship.number, ship.name, ship.clone(),
    make: |reuse| Self::builder_with_key(|| Ship::new(0)).reuse(reuse).build(),
    place: |_this, key| key.slot() as usize, take
);
plain!(
    [K: Key + Debug + Ord] DenseArena<Ship, K>, |ship| ship.number, ship.name, ship.clone(),
    make: |reuse| {
        let mut shrunk = Self::builder_with_key().reuse(reuse).build();
        // Once many values were there, and the memory of their positions was given back.
        let keys: Vec<K> = shrunk.insert_many((0..100).map(Ship::new)).collect();
        shrunk.retain(|key, _| key == keys[99]);
        shrunk.shrink_to_fit();
        shrunk.remove(keys[99]);
        shrunk
    },
    place: |this, key| this.get_index_of(key).expect("it is live")
);
plain!(
    [K: Key + Debug + Ord] SoaArena<Ship, K>, |ship| *ship.number, *ship.name,
    Ship { number: *ship.number, name: ship.name.clone() },
    make: |reuse| Self::builder_with_key().reuse(reuse).build(),
    place: |_this, key| key.slot() as usize
);
plain!(
    [K: Key + Debug + Ord] DenseSoaArena<Ship, K>, |ship| *ship.number, *ship.name,
    Ship { number: *ship.number, name: ship.name.clone() },
    make: |reuse| {
        let mut shrunk = Self::builder_with_key().reuse(reuse).build();
        // Once many values were there, and the memory of their positions was given back.
        let keys: Vec<K> = shrunk.insert_many((0..100).map(Ship::new)).collect();
        shrunk.retain(|key, _| key == keys[99]);
        shrunk.shrink_to_fit();
        shrunk.remove(keys[99]);
        shrunk
    },
    place: |this, key| this.get_index_of(key).expect("it is live")
);

/// A subscriber, and what it knows of the container.
pub(crate) struct View<A: Plain> {
    pub(crate) subscriber: Subscriber<A::Key>,
    pub(crate) seen: BTreeMap<A::Key, Ship>,
}

impl<A: Plain> View<A> {
    pub(crate) fn poll(&mut self, tracked: &mut Tracked<A>) {
        let changes = tracked.poll(&mut self.subscriber).expect("it is its own");
        let now: BTreeMap<A::Key, Ship> = tracked.entries().into_iter().collect();
        let (then, ranges) = (&self.seen, changes.ranges(2).collect::<Vec<_>>());
        let only = |some: &BTreeMap<A::Key, Ship>, other: &BTreeMap<A::Key, Ship>| {
            some.keys().filter(|key| !other.contains_key(key)).copied().collect::<Vec<_>>()
        };
        let sorted = |keys: &[A::Key]| {
            assert!(keys.is_sorted_by_key(|key| key.slot()), "in slot order");
            let mut keys = keys.to_vec();
            keys.sort_unstable();
            keys
        };
        assert_eq!(sorted(changes.inserted()), only(&now, then));
        assert_eq!(sorted(changes.removed()), only(then, &now));
        for (key, ship) in &now {
            let known = changes.inserted().contains(key) || changes.changed().contains(key);
            assert!(known || then.get(key) == Some(ship), "{key:?} has changed");
            let place = tracked.place(*key);
            assert!(!known || ranges.iter().any(|range| range.contains(&place)), "in a range");
        }
        assert!(
            changes.changed().iter().all(|key| now.contains_key(key) && then.contains_key(key))
        );
        assert!(ranges.windows(2).all(|two| two[0].end + 2 < two[1].start), "few ranges");
        self.seen = now;
    }
}

fn history<A: Plain>(reuse: Reuse, seed: u64, steps: usize) {
    let mut dice = Dice(seed * 2 + 0x9E37_79B9_7F4A_7C15);
    let mut plain = A::make(reuse);
    let mut keys: Vec<A::Key> = (0..40).map(|number| plain.add(Ship::new(number))).collect();
    keys.iter().skip(30).for_each(|&key| drop(plain.park(key)));
    let mut tracked = Tracked::new(plain.clone());
    let mut held: Vec<(Checkpoint, A)> = Vec::new();
    let mut views: Vec<View<A>> = Vec::new();
    for step in 0..steps as u64 {
        let some_key = keys[dice.below(keys.len())];
        match dice.below(42) {
            40 if A::PARKS => assert_eq!(tracked.detach(some_key), plain.park(some_key)),
            41 if A::PARKS => {
                let back = tracked.reattach(some_key, Ship::new(step)).is_ok();
                assert_eq!(back, plain.unpark(some_key, Ship::new(step)));
            }
            0..12 => {
                let key = plain.add(Ship::new(step));
                assert_eq!(tracked.insert(Ship::new(step)), key, "the same key");
                keys.push(key);
            }
            12..23 => assert_eq!(tracked.remove(some_key), plain.drop_out(some_key)),
            23..30 => {
                let renamed = A::rename_tracked(&mut tracked, some_key, step);
                assert_eq!(renamed, plain.rename(some_key, step));
            }
            30 => {
                A::rename_all_tracked(&mut tracked);
                plain.rename_all();
            }
            31 if dice.below(8) == 0 => {
                tracked.clear();
                let mut entries: Vec<A::Key> =
                    plain.entries().iter().map(|(key, _)| *key).collect();
                entries.sort_unstable();
                entries.iter().for_each(|key| drop(plain.drop_out(*key)));
            }
            32..35 if held.len() < 12 => held.push((tracked.checkpoint(), plain.clone())),
            35 if !held.is_empty() => {
                let to = dice.below(held.len());
                held.truncate(to + 1);
                tracked.rollback(held[to].0).expect("it is held");
                plain = held[to].1.clone();
            }
            36 if !held.is_empty() => {
                let before = dice.below(held.len());
                tracked.forget(held[before].0).expect("it is held");
                held.drain(..before);
            }
            37 if views.len() < 3 => views.push(View {
                subscriber: tracked.subscribe(),
                seen: tracked.entries().into_iter().collect(),
            }),
            38 if !views.is_empty() => {
                let view = dice.below(views.len());
                views[view].poll(&mut tracked);
                if dice.below(4) == 0 {
                    tracked.unsubscribe(views.remove(view).subscriber).expect("it is its own");
                }
            }
            _ => {}
        }
        if step % 7 == 0 {
            assert_eq!(tracked.entries(), plain.entries());
            assert_eq!(tracked.numbers(), plain.numbers());
            tracked.check();
        }
    }
    views.iter_mut().for_each(|view| view.poll(&mut tracked));
    assert_eq!(tracked.entries(), plain.entries());
}

fn histories<A: Plain>() {
    for (number, reuse) in REUSE_ORDERS.into_iter().enumerate() {
        for seed in 1..=thorough(8, 1) as u64 {
            history::<A>(reuse, seed * 3 + number as u64, amount(600, 300, 60));
        }
    }
}

/// A key of few bits: after four of them, a slot is retired. Most layouts are tried with this one, which has all that
/// [`Handle`] has: each pair of a layout and a key takes a second to compile.
pub(crate) type Small = Handle32<Ship, 29>;

#[test]
fn arenas_go_back_exactly() {
    histories::<Arena<Ship, Handle<Ship>>>();
    histories::<Arena<Ship, Small>>();
    histories::<Arena<Ship, Serial<Ship>>>();
    histories::<Arena<Ship, BareHandle<Ship>>>();
}

#[test]
fn arenas_in_blocks_inside_and_pools_go_back_exactly() {
    histories::<PagedArena<Ship, Small>>();
    histories::<InlineArena<Ship, 700, Small>>();
    histories::<Pool<Ship, Serial<Ship>>>();
}

#[test]
fn packed_values_go_back_exactly_in_their_order() {
    histories::<DenseArena<Ship>>();
    histories::<DenseArena<Ship, BareHandle<Ship>>>();
    histories::<DenseArena<Ship, Serial<Ship>>>();
    histories::<DenseSoaArena<Ship, Small>>();
}

#[test]
fn columns_go_back_exactly() {
    histories::<SoaArena<Ship, Small>>();
}

/// A document that is undone and redone: what it contained, step by step, and all keys that it ever issued.
fn document<A: Plain>(reuse: Reuse, seed: u64, steps: usize, versioned: bool) {
    let mut dice = Dice(seed * 2 + 0x9E37_79B9_7F4A_7C15);
    let mut tracked = Tracked::new(A::make(reuse));
    let mut now: BTreeMap<A::Key, Ship> = BTreeMap::new();
    let (mut undone, mut redone) = (Vec::new(), Vec::new());
    let mut issued: Vec<A::Key> = Vec::new();
    let mut view = View { subscriber: tracked.subscribe(), seen: BTreeMap::new() };
    for step in 0..steps as u64 {
        match dice.below(12) {
            0 => {
                tracked.checkpoint();
                undone.push(now.clone());
                redone.clear();
            }
            1 => {
                assert_eq!(tracked.undo(), Ok(!undone.is_empty()));
                if let Some(then) = undone.pop() {
                    redone.push(core::mem::replace(&mut now, then));
                }
            }
            2 => {
                assert_eq!(tracked.redo(), Ok(!redone.is_empty()));
                if let Some(then) = redone.pop() {
                    undone.push(core::mem::replace(&mut now, then));
                }
            }
            3..8 => {
                let key = tracked.insert(Ship::new(step));
                assert!(!versioned || !issued.contains(&key), "{key:?} was issued before");
                issued.push(key);
                assert_eq!(now.insert(key, Ship::new(step)), None);
                redone.clear();
            }
            _ if issued.is_empty() => {}
            kind => {
                let key = issued[dice.below(issued.len())];
                if now.contains_key(&key) {
                    redone.clear();
                }
                if kind < 11 {
                    assert_eq!(tracked.remove(key), now.remove(&key));
                } else {
                    assert_eq!(A::rename_tracked(&mut tracked, key, step), now.contains_key(&key));
                    now.entry(key).and_modify(|ship| *ship = Ship::new(step));
                }
            }
        }
        if step % 5 == 0 {
            tracked.check();
            let entries: BTreeMap<A::Key, Ship> = tracked.entries().into_iter().collect();
            assert_eq!(entries, now);
            assert!(issued.iter().all(|&key| tracked.has(key) == now.contains_key(&key)));
        }
        if step % 31 == 0 {
            view.poll(&mut tracked);
        }
    }
}

fn documents<A: Plain>(versioned: bool) {
    for (number, reuse) in REUSE_ORDERS.into_iter().enumerate() {
        for seed in 1..=thorough(8, 1) as u64 {
            document::<A>(reuse, seed * 3 + number as u64, amount(500, 250, 60), versioned);
        }
    }
}

#[test]
fn no_key_of_an_undone_step_comes_back_but_by_redoing_it() {
    documents::<Arena<Ship, Handle<Ship>>>(true);
    documents::<Arena<Ship, Small>>(true);
    documents::<Arena<Ship, Serial<Ship>>>(true);
    documents::<PagedArena<Ship, Small>>(true);
    documents::<SoaArena<Ship, Small>>(true);
    documents::<InlineArena<Ship, 700, Small>>(true);
    documents::<Pool<Ship, Small>>(true);
    documents::<DenseArena<Ship>>(true);
    documents::<DenseSoaArena<Ship, Small>>(true);
    documents::<Arena<Ship, BareHandle<Ship>>>(false);
}
