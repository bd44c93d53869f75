//! Tracked containers beside maps of what they contained: checkpoints, going back, undoing and redoing,
//! subscribers, and replicas that are kept alike by deltas: in order, repeated, early, damaged and forged ones.

use core::fmt::Debug;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::track::{
    Checkpoint, DeltaError, Publisher, Replica, Reversible, Revert, Subscriber, Tracked,
};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, PagedArena, Pool, Reuse,
    SecondaryMap, SoaArena,
};

use crate::bytes::Bytes;

/// A container of numbers that can be tracked, or numbers beside objects.
trait Numbers:
    'static + for<'a> Revert<Value = u64, RefMut<'a> = &'a mut u64, Key: Debug> + Clone
{
    fn empty(reuse: Reuse) -> Self;
    fn parked(&mut self, key: Self::Key);
    /// Inserts, if there is room.
    fn next(&mut self, value: u64) -> Option<Self::Key>;
    /// Inserts like `next`, and returns the value that it replaces, too.
    fn put(here: &mut Tracked<Self>, value: u64) -> Option<(Self::Key, Option<u64>)>;
    /// Returns the place of a value, as ranges say it.
    fn place(&self, key: Self::Key) -> usize;
    fn entries(&self) -> BTreeMap<Self::Key, u64>;
    fn has(&self, key: Self::Key) -> bool;
    fn check(&self);
    fn account(&self) -> [usize; 5];
}

macro_rules! numbers {
    ($(
        [$($generics:tt)*] $container:ty, |$reuse:ident| $empty:expr,
        |$this:ident, $key:ident| $parked:expr, place: $place:expr;
    )*) => {$(
        impl<$($generics)*> Numbers for $container {
            fn empty($reuse: Reuse) -> Self {
                $empty
            }
            fn parked(&mut self, $key: K) {
                let $this = self;
                $parked
            }
            fn next(&mut self, value: u64) -> Option<K> {
                self.try_insert(value).ok()
            }
            fn put(here: &mut Tracked<Self>, value: u64) -> Option<(K, Option<u64>)> {
                here.try_insert(value).ok().map(|key| (key, None))
            }
            fn place(&self, $key: K) -> usize {
                let $this = self;
                $place
            }
            fn entries(&self) -> BTreeMap<K, u64> {
                self.iter().map(|(key, &value)| (key, value)).collect()
            }
            fn has(&self, key: K) -> bool {
                self.contains_key(key)
            }
            fn check(&self) {
                self.validate();
            }
            fn account(&self) -> [usize; 5] {
                let stats = self.stats();
                [stats.live, stats.holes, stats.detached, stats.retired, stats.slots]
            }
        }
    )*};
}

numbers! {
    [K: Key + Debug + 'static] Arena<u64, K>, |reuse| Self::builder_with_key().reuse(reuse).build(),
        |this, key| _ = this.detach(key), place: { _ = this; key.slot() as usize };
    [K: Key + Debug + 'static] PagedArena<u64, K>, |reuse| Self::builder_with_key().reuse(reuse).build(),
        |this, key| _ = this.detach(key), place: { _ = this; key.slot() as usize };
    [K: Key + Debug + 'static] SoaArena<u64, K>, |reuse| Self::builder_with_key().reuse(reuse).build(),
        |this, key| _ = this.detach(key), place: { _ = this; key.slot() as usize };
    [K: Key + Debug + 'static] DenseArena<u64, K>, |reuse| Self::builder_with_key().reuse(reuse).build(),
        |this, key| _ = this.detach(key), place: this.get_index_of(key).expect("it is live");
    [K: Key + Debug + 'static] DenseSoaArena<u64, K>, |reuse| Self::builder_with_key().reuse(reuse).build(),
        |this, key| _ = this.detach(key), place: this.get_index_of(key).expect("it is live");
    [const N: usize, K: Key + Debug + 'static] InlineArena<u64, N, K>, |_reuse| Self::with_key(),
        |this, key| _ = this.detach(key), place: { _ = this; key.slot() as usize };
    // (It cannot detach by itself.)
    [K: Key + Debug + 'static] Pool<u64, K>, |reuse| Self::builder_with_key(|| 0).reuse(reuse).build(),
        |this, key| _ = (this, key), place: { _ = this; key.slot() as usize };
}

/// Keys of few slots: a forged delta would only ask for memory.
type Id = Handle32<u8, 12>;

/// The objects that a map is beside.
fn objects() -> &'static [Id] {
    static OBJECTS: OnceLock<Vec<Id>> = OnceLock::new();
    OBJECTS.get_or_init(|| {
        let mut objects = Arena::<u8, Id>::with_key();
        (0..=255).map(|value| objects.insert(value)).collect()
    })
}

macro_rules! side {
    ($($map:ident, place: $place:expr;)*) => {$(
        impl Numbers for $map<Id, u64> {
            fn empty(_reuse: Reuse) -> Self {
                Self::new()
            }
            fn parked(&mut self, _key: Id) {}
            fn next(&mut self, value: u64) -> Option<Id> {
                // (A later key of the slot may have come with a forged delta.)
                let key = objects()[value as usize % 256];
                self.try_insert(key, value).is_ok().then_some(key)
            }
            fn put(here: &mut Tracked<Self>, value: u64) -> Option<(Id, Option<u64>)> {
                let key = objects()[(value * 97) as usize % 256];
                let old = here.get(key).copied();
                here.insert(key, value);
                Some((key, old))
            }
            fn place(&self, key: Id) -> usize {
                $place(self, key)
            }
            fn entries(&self) -> BTreeMap<Id, u64> {
                self.iter().map(|(key, &value)| (key, value)).collect()
            }
            fn has(&self, key: Id) -> bool {
                self.contains_key(key)
            }
            fn check(&self) {
                self.validate();
            }
            fn account(&self) -> [usize; 5] {
                [self.len(), 0, 0, 0, 0]
            }
        }
    )*};
}

side! {
    SecondaryMap, place: |_: &Self, key: Id| key.slot() as usize;
    SparseSecondaryMap, place: |map: &Self, key| {
        map.keys().position(|other| other == key).expect("it is there")
    };
}

/// The contents of a container at a checkpoint.
type Contents<A> = BTreeMap<<A as larder::containers::Container>::Key, u64>;

struct Trial<A: Numbers> {
    here: Tracked<A>,
    now: Contents<A>,
    keys: Vec<A::Key>,
    /// The checkpoints that can be returned to, oldest first, and what can be redone, next last.
    held: Vec<(Checkpoint, Contents<A>)>,
    undone: Vec<(Checkpoint, Contents<A>)>,
    seen: Contents<A>,
    subscriber: Subscriber<A::Key>,
    publisher: Publisher,
    deltas: Vec<Vec<u8>>,
    there: Replica<A>,
    reuse: Reuse,
}

impl<A: Numbers> Trial<A> {
    fn new(bytes: &mut Bytes<'_>) -> Self {
        let reuse = [Reuse::Packed, Reuse::Lifo, Reuse::Fifo][bytes.below(3)];
        let mut arena = A::empty(reuse);
        let mut keys: Vec<_> =
            (0..u64::from(bytes.byte())).filter_map(|value| arena.next(value)).collect();
        keys.iter().step_by(7).for_each(|&key| arena.parked(key));
        keys.push(A::Key::DANGLING);
        let (now, mut here) = (arena.entries(), Tracked::new(arena));
        let (subscriber, publisher) = (here.subscribe(), here.publish(7).expect("there is memory"));
        let (there, seen) = (Replica::new(A::empty(reuse)), now.clone());
        let (held, undone, deltas) = (vec![], vec![], vec![]);
        Self { here, now, keys, held, undone, seen, subscriber, publisher, deltas, there, reuse }
    }

    fn step(&mut self, bytes: &mut Bytes<'_>, value: u64) {
        let kind = bytes.byte() % 32;
        let key = bytes.one_of(&self.keys).expect("one is dangling");
        match kind {
            0..=8 => self.insert(value),
            9..=13 => {
                let removed = self.now.remove(&key);
                assert_eq!(self.here.remove(key), removed);
                self.changed_if(removed.is_some());
            }
            14..=16 => {
                let found = self.here.get_mut(key).map(|old| *old = value).is_some();
                assert_eq!(found, self.now.contains_key(&key));
                self.now.entry(key).and_modify(|old| *old = value);
                self.changed_if(found);
            }
            17 => {
                self.here.iter_mut().for_each(|(_, value)| *value += 1);
                self.now.values_mut().for_each(|value| *value += 1);
                self.changed_if(!self.now.is_empty());
            }
            18 => {
                self.here.retain(|_, key| key.slot() as u64 % 5 != value % 5);
                let before = self.now.len();
                self.now.retain(|key, _| key.slot() as u64 % 5 != value % 5);
                self.changed_if(self.now.len() < before);
            }
            19 if bytes.byte() % 8 == 0 => {
                let detached = self.here.account()[2];
                self.here.clear();
                self.changed_if(!self.now.is_empty() || detached > 0);
                self.now.clear();
            }
            19 => (0..bytes.byte()).for_each(|_| self.insert(value)),
            20 | 21 => {
                let checkpoint = self.here.checkpoint();
                self.held.push((checkpoint, self.now.clone()));
                self.undone.clear();
            }
            22 | 23 => {
                assert_eq!(self.here.undo(), Ok(!self.held.is_empty()));
                if let Some((checkpoint, then)) = self.held.pop() {
                    self.undone.push((checkpoint, core::mem::replace(&mut self.now, then)));
                }
            }
            24 | 25 => {
                assert_eq!(self.here.redo(), Ok(!self.undone.is_empty()));
                if let Some((checkpoint, then)) = self.undone.pop() {
                    self.held.push((checkpoint, core::mem::replace(&mut self.now, then)));
                }
            }
            26 if !self.held.is_empty() => {
                let to = bytes.below(self.held.len());
                let gone: Vec<_> = self.held.drain(to + 1..).chain(self.undone.drain(..)).collect();
                self.here.rollback(self.held[to].0).expect("it is held");
                self.now = self.held[to].1.clone();
                assert!(gone.iter().all(|gone| self.here.rollback(gone.0).is_err()));
            }
            27 if !self.held.is_empty() => {
                let before = bytes.below(self.held.len());
                self.here.forget(self.held[before].0).expect("it is held");
                for gone in self.held.drain(..before) {
                    assert!(
                        self.here.rollback(gone.0).is_err() && self.here.forget(gone.0).is_err()
                    );
                }
            }
            28 if bytes.byte() % 8 == 0 => {
                self.here.forget_all();
                self.held.clear();
                self.undone.clear();
            }
            29 => self.poll(),
            30 => self.delta(),
            _ => self.hostile(bytes),
        }
    }

    fn insert(&mut self, value: u64) {
        let Some((key, old)) = A::put(&mut self.here, value) else { return };
        assert_eq!(self.now.insert(key, value), old, "{key:?} is taken");
        self.keys.push(key);
        self.undone.clear();
    }

    /// Forgets the steps that were undone, which cannot be redone after a change.
    fn changed_if(&mut self, is_changed: bool) {
        if is_changed {
            self.undone.clear();
        }
    }

    fn poll(&mut self) {
        let changes = self.here.poll(&mut self.subscriber).expect("it is its own");
        let mut now = self.seen.clone();
        let gone = changes.removed().iter().all(|key| now.remove(key).is_some());
        let ranges: Vec<_> = changes.ranges(2).collect();
        for &key in changes.inserted().iter().chain(changes.changed()) {
            assert!(ranges.iter().any(|range| range.contains(&self.here.place(key))));
            now.insert(key, self.now[&key]);
        }
        assert!(gone && now == self.now, "the changes lead from what was to what is");
        self.seen = now;
    }

    fn delta(&mut self) {
        let delta = self.here.delta(&mut self.publisher).expect("there is memory");
        assert_eq!(self.there.apply(&delta), Ok(()));
        let sequence = self.deltas.len() as u64;
        assert_eq!(self.there.apply(&delta), Err(DeltaError::Repeated { sequence }));
        self.deltas.push(delta);
        self.there.check();
        assert_eq!(self.there.entries(), self.now);
        assert_eq!(self.there.account(), self.here.account());
        let (mut here, mut there) = (A::clone(&self.here), self.there.clone());
        for value in 0..20 {
            assert_eq!(here.next(value), there.next(value), "free slots in the same order");
        }
    }

    /// Another replica, to which anything is applied but what comes next.
    fn hostile(&self, bytes: &mut Bytes<'_>) {
        let mut other = Replica::new(A::empty(self.reuse));
        let next = bytes.below(self.deltas.len() + 1);
        for delta in &self.deltas[..next] {
            assert_eq!(other.apply(delta), Ok(()));
        }
        let before = (other.entries(), other.account());
        let number = bytes.below(self.deltas.len());
        let Some(delta) = self.deltas.get(number) else { return };
        let mut forged = delta.split_last_chunk::<4>().expect("it has a checksum").0.to_vec();
        for _ in 0..bytes.byte() % 4 {
            let (at, value) = (bytes.below(forged.len().min(1 << 16)), bytes.byte());
            match value % 4 {
                0 => forged.truncate(at.max(1)),
                1 => forged.push(bytes.byte()),
                _ => forged[at] = bytes.byte(),
            }
        }
        forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
        let applied = other.apply(&forged);
        other.check();
        if applied.is_err() {
            assert_eq!((other.entries(), other.account()), before, "{applied:?}");
        }
        let mut arena = other.into_inner();
        if arena.account()[4] < 1 << 20 {
            let key = arena.next(1);
            assert!(key.is_none_or(|key| arena.has(key)));
            arena.check();
        }
    }

    fn check(&self) {
        self.here.check();
        assert_eq!(self.here.entries(), self.now);
        let has = |key: &A::Key| self.here.has(*key) == self.now.contains_key(key);
        assert!(self.keys.iter().all(has));
    }
}

fn history<A: Numbers>(bytes: &mut Bytes<'_>) {
    let mut trial = Trial::<A>::new(bytes);
    let mut steps = 0;
    while !bytes.is_empty() && steps < 300 && trial.keys.len() < 5_000 {
        steps += 1;
        trial.step(bytes, steps);
        if steps % 4 == 0 {
            trial.check();
        }
    }
    trial.check();
    trial.poll();
    trial.delta();
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let histories = [
        history::<Arena<u64, Handle<u64>>>,
        history::<Arena<u64, Handle32<u64, 29>>>,
        history::<Arena<u64, Handle32<u64, 30>>>,
        history::<Arena<u64, Serial<u64>>>,
        history::<Arena<u64, BareHandle<u64>>>,
        history::<PagedArena<u64>>,
        history::<PagedArena<u64, Handle32<u64, 30>>>,
        history::<SoaArena<u64>>,
        history::<SoaArena<u64, Serial<u64>>>,
        history::<SoaArena<u64, Handle32<u64, 30>>>,
        history::<DenseArena<u64>>,
        history::<DenseArena<u64, Handle32<u64, 29>>>,
        history::<DenseSoaArena<u64, Serial<u64>>>,
        history::<Pool<u64, Handle32<u64, 30>>>,
        history::<InlineArena<u64, 1_000, Handle32<u64, 30>>>,
        history::<SecondaryMap<Id, u64>>,
        history::<SparseSecondaryMap<Id, u64>>,
    ];
    histories[bytes.below(histories.len())](&mut bytes);
}
