//! The naive model: what every key ever issued must answer, and which slot comes next.

use crate::erased::{Erased, Name, Type};
use crate::subject::Config;
use core::ops::Range;
use larder::Reuse;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a key that was issued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    /// It names the value that was made from this number.
    Live(u32),
    /// Its slot is kept for it, without a value.
    Detached,
    /// Its object is gone for good.
    Dead,
}

/// The model of one container.
#[derive(Clone)]
pub struct Model {
    pub of: Type,
    pub config: Config,
    /// The live keys in the order of a walk.
    pub order: Vec<Name>,
    /// Every key ever issued.
    pub states: BTreeMap<Name, State>,
    /// The same keys, oldest first, for choosing among them.
    pub issued: Vec<Name>,
    /// The free slots below the high-water mark. Their order is known unless reuse is packed.
    pub holes: Vec<u32>,
    pub retired: BTreeSet<u32>,
    /// The number of slots that were ever used.
    pub slots: u32,
    pub alive_before: Option<isize>,
    last_id: u32,
}

impl Model {
    pub fn new(of: Type, config: Config) -> Self {
        Model {
            of,
            config,
            order: Vec::new(),
            states: BTreeMap::new(),
            issued: Vec::new(),
            holes: Vec::new(),
            retired: BTreeSet::new(),
            slots: 0,
            alive_before: (of.alive)(),
            last_id: 0,
        }
    }

    /// A number that no value of this history has.
    pub fn fresh_id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    /// So many numbers, in a row.
    pub fn fresh_ids(&mut self, count: u32) -> Range<u32> {
        let first = self.last_id + 1;
        self.last_id += count;
        first..first + count
    }

    pub fn state(&self, key: Name) -> State {
        self.states[&key]
    }

    /// The number of the value at `key`, where there is one.
    pub fn id(&self, key: Name) -> Option<u32> {
        match self.states.get(&key) {
            Some(&State::Live(id)) => Some(id),
            _ => None,
        }
    }

    pub fn set_id(&mut self, key: Name, id: u32) {
        let old = self.states.insert(key, State::Live(id));
        assert!(matches!(old, Some(State::Live(_))));
    }

    /// Returns the number of slots that could still be filled: holes and fresh ones.
    pub fn room(&self) -> usize {
        self.holes.len() + self.fresh_room()
    }

    /// Returns the number of slots that could still be begun.
    pub fn fresh_room(&self) -> usize {
        match self.config.limit {
            Some(slots) => slots - self.slots as usize,
            None => usize::MAX / 2,
        }
    }

    /// Notes a key that was just issued, and checks that it may be this one.
    pub fn born(&mut self, key: Name, id: u32) {
        let slot = key.slot();
        match self.config.reuse {
            Reuse::Lifo | Reuse::Fifo if !self.holes.is_empty() => {
                assert_eq!(slot, self.holes[0], "reuse in the wrong order: {self:?}");
            }
            _ if !self.holes.is_empty() => {
                assert!(self.holes.contains(&slot), "a fresh slot beside holes: {self:?}");
            }
            _ => assert_eq!(slot, self.slots, "not the next fresh slot: {self:?}"),
        }
        if slot == self.slots {
            self.slots += 1;
        } else {
            self.holes.retain(|&hole| hole != slot);
        }
        self.issue(key, id);
    }

    /// Notes a key of a slot that was begun although there may be holes.
    pub fn begun(&mut self, key: Name, id: u32) {
        assert_eq!(key.slot(), self.slots, "{self:?}");
        self.slots += 1;
        self.issue(key, id);
    }

    /// Notes a key whose value was leaked before its slot was the container's.
    pub fn leaked(&mut self, key: Name) {
        self.alive_before = self.alive_before.map(|alive| alive + 1);
        if self.of.remembers {
            assert_eq!(self.states.insert(key, State::Dead), None, "{key:?} was issued twice");
            self.issued.push(key);
        }
    }

    /// A key that was never seen before, unless it remembers nothing.
    fn issue(&mut self, key: Name, id: u32) {
        match self.states.insert(key, State::Live(id)) {
            None => self.issued.push(key),
            Some(before) => {
                assert_eq!(before, State::Dead, "{key:?} was issued while it was taken");
                assert!(!self.of.remembers, "{key:?} was issued twice");
            }
        }
        self.joins(key);
    }

    /// Puts a live key into the order of walks.
    fn joins(&mut self, key: Name) {
        let position = if self.of.is_dense {
            self.order.len()
        } else {
            self.order.partition_point(|live| live.slot() < key.slot())
        };
        self.order.insert(position, key);
    }

    /// Takes a live key out of the order of walks; in a dense container the last one fills the gap.
    fn leaves(&mut self, key: Name) {
        let position = self.position(key);
        if self.of.is_dense {
            self.order.swap_remove(position);
        } else {
            self.order.remove(position);
        }
    }

    pub fn position(&self, key: Name) -> usize {
        let live = self.order.iter().position(|&live| live == key);
        live.expect("a live key")
    }

    /// Notes that the object at `key` went, the last one filling its gap where values are packed.
    pub fn died(&mut self, key: Name) {
        self.leaves(key);
        self.states.insert(key, State::Dead);
        self.frees(key);
    }

    /// Notes that the object at `key` went and that the others kept their order.
    pub fn died_in_order(&mut self, key: Name) {
        let position = self.position(key);
        self.order.remove(position);
        self.states.insert(key, State::Dead);
        self.frees(key);
    }

    fn frees(&mut self, key: Name) {
        if key.is_last {
            self.retired.insert(key.slot());
        } else if self.config.reuse == Reuse::Lifo {
            self.holes.insert(0, key.slot());
        } else {
            self.holes.push(key.slot());
        }
    }

    /// Notes that everything live went, in the order of a walk.
    pub fn all_died(&mut self) {
        for key in core::mem::take(&mut self.order) {
            self.released(key);
        }
    }

    /// Notes that everything went, what was detached too: slots are reused in ascending order.
    pub fn cleared(&mut self) {
        self.all_died();
        let detached = |&key: &Name| self.state(key) == State::Detached;
        let detached: Vec<_> = self.issued.iter().copied().filter(detached).collect();
        detached.into_iter().for_each(|key| self.released(key));
        self.holes.sort_unstable();
    }

    pub fn detached(&mut self, key: Name) {
        self.leaves(key);
        self.states.insert(key, State::Detached);
    }

    pub fn reattached(&mut self, key: Name, id: u32) {
        self.states.insert(key, State::Live(id));
        self.joins(key);
    }

    pub fn released(&mut self, key: Name) {
        self.states.insert(key, State::Dead);
        self.frees(key);
    }

    /// Notes that free slots at the end were given back, as many as `slots` says are left.
    pub fn shrunk(&mut self, slots: usize) {
        assert!(slots <= self.slots as usize);
        for slot in slots as u32..self.slots {
            let hole = self.holes.iter().position(|&hole| hole == slot);
            self.holes.remove(hole.expect("only free slots are given back"));
        }
        self.slots = slots as u32;
    }

    /// Notes that a value was moved: the one of the highest slot, into the lowest hole.
    pub fn moved(&mut self, old: Name, new: Name) {
        assert_eq!(self.order.last(), Some(&old), "{self:?}");
        assert_eq!(self.holes.iter().min(), Some(&new.slot()), "{self:?}");
        assert!(new.slot() < old.slot());
        let id = self.states_id(old);
        self.died(old);
        self.holes.retain(|&hole| hole != new.slot());
        self.issue(new, id);
    }

    /// Notes that the lowest free slot is the next from here on.
    pub fn relinked(&mut self) {
        self.holes.sort_unstable();
    }

    /// Returns whether no hole lies below a value.
    pub fn is_compact(&self) -> bool {
        let last = self.order.last().map(|key| key.slot());
        last.is_none_or(|last| self.holes.iter().all(|&hole| hole > last))
    }

    /// Returns whether the last slot is free.
    pub fn ends_in_a_hole(&self) -> bool {
        self.holes.iter().any(|&hole| hole + 1 == self.slots)
    }

    fn count_detached(&self) -> usize {
        let states = self.states.values();
        states.filter(|&&state| state == State::Detached).count()
    }

    /// Checks everything the container can be asked.
    pub fn check(&self, subject: &dyn Erased) {
        subject.validate();
        self.check_counts(subject);
        self.check_keys(subject);
        self.check_walks(subject);
        let ids = self.order.iter().map(|&key| (key, self.of.seen(self.states_id(key))));
        subject.check_columns(&ids.collect::<Vec<_>>(), self.slots as usize);
    }

    fn check_counts(&self, subject: &dyn Erased) {
        let (live, detached) = (self.order.len(), self.count_detached());
        assert_eq!(subject.len(), live);
        assert_eq!(subject.is_empty(), live == 0);
        let stats = subject.stats();
        assert_eq!(stats.live, live, "{self:?}");
        assert_eq!(stats.holes, self.holes.len(), "{self:?}");
        assert_eq!(stats.detached, detached, "{self:?}");
        assert_eq!(stats.retired, self.retired.len(), "{self:?}");
        assert_eq!(stats.slots, self.slots as usize, "{self:?}");
        assert_eq!(stats.capacity, subject.capacity());
        assert!(subject.capacity() >= live + detached, "{stats:?}");
        if let Some(slots) = self.config.limit {
            assert_eq!(subject.capacity(), slots - self.retired.len(), "{stats:?}");
            assert_eq!(subject.remaining(), self.room());
        }
    }

    fn check_keys(&self, subject: &dyn Erased) {
        for (&key, &state) in &self.states {
            let id = match state {
                State::Live(id) => Some(self.of.seen(id)),
                _ => None,
            };
            assert_eq!(subject.get(key), id, "{key:?} of {self:?}");
            assert_eq!(subject.contains_key(key), id.is_some());
        }
        assert!(subject.get(self.of.dangling).is_none());
        assert!(!subject.contains_key(self.of.dangling));
        assert_eq!(subject.keys().next(), self.order.first().copied());
        assert_eq!(subject.keys().next_back(), self.order.last().copied());
    }

    fn check_walks(&self, subject: &dyn Erased) {
        assert!(subject.keys().eq(self.order.iter().copied()), "{self:?}");
        let ids = self.order.iter().map(|key| self.of.seen(self.states_id(*key)));
        assert!(subject.values().eq(ids.clone()), "{self:?}");
        let pairs = self.order.iter().copied().zip(ids);
        assert!(subject.iter().eq(pairs.clone()), "{self:?}");
        assert!(subject.iter().rev().eq(pairs.rev()), "{self:?}");
    }

    fn states_id(&self, key: Name) -> u32 {
        self.id(key).expect("a live key")
    }

    /// Checks that exactly these many values are alive, where the type counts them.
    pub fn check_alive(&self, expected: usize) {
        if let (Some(before), Some(now)) = (self.alive_before, (self.of.alive)()) {
            assert_eq!(now - before, expected as isize, "values leaked or dropped twice");
        }
    }
}

impl core::fmt::Debug for Model {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Model")
            .field("config", &self.config)
            .field("order", &self.order)
            .field("states", &self.states)
            .field("holes", &self.holes)
            .field("retired", &self.retired)
            .field("slots", &self.slots)
            .finish()
    }
}
