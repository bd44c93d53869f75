//! Tracked containers beside maps of what they contained: checkpoints, going back, undoing and redoing,
//! subscribers, and replicas that are kept alike by deltas: in order, repeated, early, damaged and forged ones.

use core::fmt::Debug;
use std::collections::BTreeMap;

use larder::key::{BareHandle, Serial};
use larder::track::{Checkpoint, DeltaError, Publisher, Replica, Revert, Subscriber, Tracked};
use larder::{Arena, Handle, Handle32, Key, PagedArena, Reuse, SoaArena};

use crate::bytes::Bytes;

/// A container of numbers that can be tracked.
trait Numbers:
    'static
    + for<'a> Revert<Value = u64, RefMut<'a> = &'a mut u64, Key: Debug>
    + larder::track::Insert
    + Clone
{
    fn empty(reuse: Reuse) -> Self;
    fn parked(&mut self, key: Self::Key);
    fn next(&mut self, value: u64) -> Self::Key;
    fn entries(&self) -> BTreeMap<Self::Key, u64>;
    fn has(&self, key: Self::Key) -> bool;
    fn check(&self);
    fn account(&self) -> [usize; 5];
}

macro_rules! numbers {
    ($($container:ident)*) => {$(
        impl<K: Key + Debug + 'static> Numbers for $container<u64, K> {
            fn empty(reuse: Reuse) -> Self {
                Self::builder_with_key().reuse(reuse).build()
            }
            fn parked(&mut self, key: K) {
                self.detach(key);
            }
            fn next(&mut self, value: u64) -> K {
                self.insert(value)
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

numbers!(Arena PagedArena SoaArena);

/// What a container contained.
type Contents<A> = BTreeMap<<A as larder::track::Track>::Key, u64>;

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
            (0..u64::from(bytes.byte())).map(|value| arena.next(value)).collect();
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
                self.here.clear();
                self.changed_if(!self.now.is_empty());
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
        let key = self.here.insert(value);
        assert_eq!(self.now.insert(key, value), None, "{key:?} is taken");
        self.keys.push(key);
        self.undone.clear();
    }

    /// What was undone cannot be redone after something was changed.
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
            assert!(ranges.iter().any(|range| range.contains(&(key.slot() as usize))));
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
        let (mut here, mut there) = (self.here.clone(), self.there.clone());
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
            assert!(arena.has(key));
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
    ];
    histories[bytes.below(histories.len())](&mut bytes);
}
