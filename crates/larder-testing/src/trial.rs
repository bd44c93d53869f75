//! A container and its model side by side: each method does one operation to both and compares.

use crate::erased::{Erased, Name, Type};
use crate::model::{Model, State};
use crate::ordered::{Ordered, rank};
use crate::subject::{Config, Memory};
use larder::{Reuse, containers::GetDisjointMutError};

/// A container under test and what it should be.
pub struct Trial {
    pub subject: Box<dyn Erased>,
    pub model: Model,
}

/// Returns whether bit `n` is set, modulo the number of bits.
fn bit(mask: u64, n: u32) -> bool {
    mask >> (n % 64) & 1 == 1
}

/// The positions that the elements of a sorted list had before.
fn sorted_places(ranks: Vec<u32>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ranks.len()).collect();
    places.sort_by_key(|&place| ranks[place]);
    places
}

impl Trial {
    pub fn new(of: Type, config: Config) -> Self {
        Self::begun(of, config, &of.build)
    }

    /// Begins with what `build` makes.
    pub fn begun(of: Type, config: Config, build: &dyn Fn(Config) -> Box<dyn Erased>) -> Self {
        let mut config = match of.slots {
            Some(slots) => Config::new(Reuse::Packed, Some(slots)),
            None => config,
        };
        if of.is_paged && config.memory == Memory::Reserved {
            config.memory = Memory::Heap;
        }
        let alive_before = (of.alive)();
        let subject = build(config);
        if config.memory == Memory::Lent {
            config.limit = config.limit.map(|_| subject.capacity());
        }
        let mut model = Model::new(of, config);
        model.alive_before = alive_before;
        Trial { subject, model }
    }

    pub fn check(&self) {
        self.model.check(&*self.subject);
        self.model.check_alive(self.subject.held());
    }

    /// One of all keys ever issued.
    fn pick(&self, which: usize) -> Option<Name> {
        let issued = &self.model.issued;
        (!issued.is_empty()).then(|| issued[which % issued.len()])
    }

    /// Returns the number that the value at `key` should show, or none.
    fn seen(&self, key: Name) -> Option<u32> {
        self.model.id(key).map(|id| self.model.of.seen(id))
    }

    // Inserting.

    pub fn insert(&mut self) {
        if self.model.room() == 0 {
            return self.try_insert();
        }
        let id = self.model.fresh_id();
        let (holes, capacity) = (self.model.holes.len(), self.subject.capacity());
        let key = self.subject.insert(id);
        // (Packed values have no holes.)
        let fills = holes > 0 && !self.model.of.is_dense;
        assert!(!fills || self.subject.capacity() == capacity, "it grew, and has a hole");
        self.model.born(key, id);
    }

    pub fn try_insert(&mut self) {
        let id = self.model.fresh_id();
        match self.subject.try_insert(id) {
            Ok(key) => self.model.born(key, id),
            Err(refused) => {
                assert_eq!(self.model.room(), 0);
                assert_eq!(refused, self.model.of.seen(id));
            }
        }
    }

    pub fn insert_with_key(&mut self) {
        if self.model.room() > 0 {
            let id = self.model.fresh_id();
            let (told, key) = self.subject.insert_with_key(id);
            assert_eq!(told, Some(key));
            self.model.born(key, id);
        }
    }

    pub fn try_insert_with_key(&mut self, fails: bool) {
        if self.model.room() > 0 {
            let id = self.model.fresh_id();
            let (told, inserted) = self.subject.try_insert_with_key(id, fails);
            match inserted {
                Ok(key) => {
                    assert_eq!(told, Some(key));
                    self.model.born(key, id);
                }
                Err(value) => assert!(fails && value == self.model.of.seen(id)),
            }
        }
    }

    pub fn vacant_entry(&mut self, used: bool) {
        if self.model.room() > 0 {
            let promised = self.subject.vacant_key();
            self.check();
            assert_eq!(self.subject.vacant_key(), promised);
            if used {
                let id = self.model.fresh_id();
                assert_eq!(self.subject.vacant_insert(id), promised);
                self.model.born(promised, id);
            }
        }
    }

    pub fn insert_many(&mut self, count: usize) {
        let count = count.min(self.model.room());
        let ids = self.model.fresh_ids(count as u32);
        let issued = self.subject.insert_many(ids.clone());
        assert_eq!(issued.len(), count, "a key for each value");
        for (key, id) in issued.into_iter().zip(ids) {
            self.model.born(key, id);
        }
    }

    /// `extend` tells no keys: they are found by the values, which must tell themselves apart.
    pub fn extend(&mut self, count: usize) {
        if self.model.of.is_forgetful {
            return self.insert_many(count);
        }
        let count = count.min(self.model.room()) as u32;
        let ids = self.model.fresh_ids(count);
        self.subject.extend(ids.clone());
        let new = self.subject.iter().map(|(key, id)| (id, key));
        let new: Vec<_> = new.filter(|(id, _)| ids.contains(id)).collect();
        let places = sorted_places(new.iter().map(|&(id, _)| id).collect());
        assert!(places.iter().map(|&place| new[place].0).eq(ids));
        for place in places {
            let (id, key) = new[place];
            self.model.born(key, id);
        }
    }

    // Reaching values.

    pub fn get_mut(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let id = self.model.fresh_id();
        assert_eq!(self.subject.set(key, id), self.seen(key), "{key:?}");
        if self.model.id(key).is_some() {
            self.model.set_id(key, id);
        }
    }

    pub fn get_disjoint_mut(&mut self, which: [usize; 3]) {
        let Some(a) = self.pick(which[0]) else { return };
        let keys = [a, self.pick(which[1]).unwrap(), self.pick(which[2]).unwrap()];
        let ids = keys.map(|key| self.model.id(key));
        match self.subject.exchange(keys) {
            Ok(were) => {
                assert_eq!(were.map(Some), keys.map(|key| self.seen(key)));
                assert!(a != keys[1] && a != keys[2] && keys[1] != keys[2]);
                for (key, from) in keys.into_iter().zip([1, 2, 0]) {
                    self.model.set_id(key, ids[from].unwrap());
                }
            }
            Err(GetDisjointMutError::NotFound { position }) => assert_eq!(ids[position], None),
            Err(GetDisjointMutError::Overlapping { first, second }) => {
                assert!(first < second);
                assert_eq!(keys[first].slot(), keys[second].slot());
            }
        }
    }

    /// Walks from both ends at once, then goes back and forth by keys.
    pub fn walk(&mut self, mask: u64) {
        let order = &self.model.order;
        let (mut pairs, mut low, mut high) = (self.subject.iter(), 0, order.len());
        for turn in 0.. {
            assert_eq!(pairs.len(), high - low);
            let key = if bit(mask, turn) {
                low += usize::from(low < high);
                pairs.next().map(|(key, _)| (key, order[low - 1]))
            } else {
                high -= usize::from(low < high);
                pairs.next_back().map(|(key, _)| (key, order[high]))
            };
            let Some((key, expected)) = key else { break };
            assert_eq!(key, expected);
        }
        self.walk_by_key();
    }

    fn walk_by_key(&self) {
        let order = &self.model.order;
        let forward =
            core::iter::successors(self.subject.keys().next(), |&key| self.subject.next_key(key));
        assert!(forward.eq(order.iter().copied()));
        assert!(self.subject.keys().rev().eq(order.iter().rev().copied()));
        for (&key, &state) in &self.model.states {
            if matches!(state, State::Live(_)) {
                continue;
            }
            let after = |live: &Name| !self.model.of.is_dense && live.slot() > key.slot();
            let next = order.iter().copied().find(after);
            assert_eq!(self.subject.next_key(key), next, "{key:?} of {:?}", self.model);
        }
    }

    // Removing.

    pub fn remove(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        assert_eq!(self.subject.remove(key), self.seen(key));
        if self.model.id(key).is_some() {
            self.model.died(key);
        }
    }

    pub fn clear(&mut self) {
        self.subject.clear();
        self.model.cleared();
    }

    pub fn retain(&mut self, mask: u64) {
        let mut seen = Vec::new();
        self.subject.retain(&mut |key, id| {
            seen.push((key, id));
            bit(mask, key.slot())
        });
        self.were_all_visited(seen);
        for key in self.model.order.clone() {
            if !bit(mask, key.slot()) {
                self.model.died_in_order(key);
            }
        }
    }

    fn were_all_visited(&self, seen: Vec<(Name, u32)>) {
        let order = self.model.order.iter();
        let expected = order.map(|&key| (key, self.seen(key).expect("a live key")));
        assert!(seen.into_iter().eq(expected));
    }

    pub fn extract_if(&mut self, mask: u64, most: usize) {
        let mut visited = 0;
        let mut take = |key: Name, _| {
            visited += 1;
            bit(mask, key.slot())
        };
        let taken = self.subject.extract_if(&mut take, most);
        assert!(taken.len() <= most);
        // The model finds values that died in the order of the container: the last one fills a gap in a dense one.
        let (objects, mut position) = (self.model.order.len(), 0);
        let mut taken = taken.into_iter();
        while let Some(&key) = self.model.order.get(position) {
            if !bit(mask, key.slot()) {
                position += 1;
                continue;
            }
            let Some((found, id)) = taken.next() else { break };
            assert_eq!((found, Some(id)), (key, self.seen(key)));
            self.model.died(key);
        }
        assert!(taken.next().is_none());
        assert!(visited <= objects, "an element was visited twice");
    }

    pub fn drain(&mut self, front: usize, back: usize) {
        let order = self.model.order.clone();
        let front = front.min(order.len());
        let back = back.min(order.len() - front);
        let mut taken = Vec::new();
        let mut drain = self.subject.drain();
        taken.extend(drain.by_ref().take(front));
        taken.extend(drain.by_ref().rev().take(back));
        assert_eq!(drain.len(), order.len() - front - back);
        drop(drain);
        let from_back = order.iter().rev().take(back);
        for (&key, (taken, id)) in order.iter().take(front).chain(from_back).zip(taken) {
            assert_eq!((taken, Some(id)), (key, self.seen(key)));
            if !self.model.of.is_dense {
                self.model.died_in_order(key);
            }
        }
        // A dense container frees all slots at once, in order; another as values are taken.
        self.model.all_died();
    }

    // Slots without values.

    pub fn detach(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        assert_eq!(self.subject.detach(key), self.seen(key));
        if self.model.id(key).is_some() {
            self.model.detached(key);
        }
    }

    pub fn reattach(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let id = self.model.fresh_id();
        match self.subject.reattach(key, id) {
            Ok(()) => {
                assert_eq!(self.model.state(key), State::Detached);
                self.model.reattached(key, id);
            }
            Err(refused) => {
                assert_ne!(self.model.state(key), State::Detached);
                assert_eq!(refused, self.model.of.seen(id));
            }
        }
    }

    pub fn release(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let is_detached = self.model.state(key) == State::Detached;
        assert_eq!(self.subject.release(key), is_detached);
        if is_detached {
            self.model.released(key);
        }
    }

    // Capacity.

    pub fn reserve(&mut self, additional: usize) {
        let config = self.model.config;
        if config.limit.is_none()
            || (config.memory == Memory::Reserved && additional <= self.model.room())
        {
            self.subject.reserve(additional);
            assert!(self.subject.remaining() >= additional);
        }
    }

    pub fn shrink(&mut self, least: Option<usize>) {
        let before = self.subject.stats();
        match least {
            Some(least) => self.subject.shrink_to(least),
            None => self.subject.shrink_to_fit(),
        }
        let after = self.subject.stats();
        assert!(after.capacity <= before.capacity && after.slots <= before.slots);
        assert!(after.capacity >= least.unwrap_or(0).min(before.capacity));
        if self.model.config.fixed().is_some() {
            assert_eq!((after.capacity, after.slots), (before.capacity, before.slots));
        }
        self.model.shrunk(after.slots);
        if least.is_none() && self.model.config.fixed().is_none() && !self.model.of.wears_out {
            assert!(!self.model.ends_in_a_hole(), "free slots were kept: {:?}", self.model);
        }
    }

    // Copies.

    /// Goes on with a copy, made in a way that `how` chooses.
    pub fn copy(&mut self, how: usize) {
        let mut copy = match how % 3 {
            0 => self.subject.copied(),
            over => self.copied_over(over),
        };
        assert!(copy.is_equal(&*self.subject), "{:?}", self.model);
        self.model.check(&*copy);
        self.model.check_alive(copy.held() + self.subject.held());
        if self.model.room() > 0 {
            assert_eq!(copy.vacant_key(), self.subject.vacant_key());
        }
        self.subject = copy;
    }

    /// A copy over a container that had a life of its own.
    fn copied_over(&mut self, lives: usize) -> Box<dyn Erased> {
        let of = self.model.of;
        let mut other = (of.build)(match self.model.config {
            Config { memory: Memory::Reserved, limit: Some(max), .. } if max >= 5 => {
                Config::within(Memory::Reserved, Reuse::Packed, max)
            }
            _ => Config::new(Reuse::Packed, (lives == 1).then_some(5)),
        });
        let count = of.slots.map_or(5, |slots| slots.min(5) as u32);
        let keys: Vec<_> = (0..count).map(|id| other.insert(id)).collect();
        keys.get(1).map(|&key| other.remove(key));
        keys.get(3).map(|&key| other.detach(key));
        other.copy_over(&*self.subject);
        other
    }

    /// Takes the container apart, some of it from each end, and checks that all of it was dropped.
    pub fn finish(self, front: usize, back: usize) {
        let Trial { subject, model } = self;
        let mut pairs = subject.into_iter();
        let expected = |&key: &Name| (key, model.of.seen(model.id(key).expect("live")));
        let front = front.min(model.order.len());
        let taken: Vec<_> = pairs.by_ref().take(front).collect();
        assert!(taken.into_iter().eq(model.order.iter().take(front).map(expected)));
        let back = back.min(model.order.len() - front);
        let taken: Vec<_> = pairs.by_ref().rev().take(back).collect();
        assert!(taken.into_iter().eq(model.order.iter().rev().take(back).map(expected)));
        assert_eq!(pairs.len(), model.order.len() - front - back);
        drop(pairs);
        model.check_alive(0);
    }

    // Operations that only a dense container has.

    fn dense(&mut self) -> Option<&mut dyn Ordered> {
        self.subject.as_dense()
    }

    pub fn sort(&mut self, how: usize) {
        let of = self.model.of;
        let Some(dense) = self.dense() else { return };
        // Equal values have one sorted order only if the sort is stable.
        let how = if of.is_forgetful { 0 } else { how % 5 };
        dense.sort(how);
        let states = &self.model.states;
        let id = |key: &Name| match states[key] {
            State::Live(id) => of.seen(id),
            state => panic!("{key:?} is {state:?}"),
        };
        let ranks = self.model.order.iter().map(|key| rank(how, id(key))).collect();
        let order = sorted_places(ranks).into_iter().map(|place| self.model.order[place]);
        self.model.order = order.collect();
        self.check_positions();
    }

    /// Checks slices and positions against the order of the model.
    fn check_positions(&mut self) {
        let order = self.model.order.clone();
        let ids: Vec<_> = order.iter().map(|&key| self.seen(key)).collect();
        let Some(dense) = self.dense() else { return };
        assert_eq!(dense.positions(), order);
        for (position, &key) in order.iter().enumerate() {
            assert_eq!(dense.position_of(key), Some(position));
            assert_eq!(dense.key_at(position), Some(key));
            assert_eq!(dense.id_at(position), ids[position]);
        }
        assert!(dense.key_at(order.len()).is_none() && dense.id_at(order.len()).is_none());
    }

    pub fn swap_positions(&mut self, a: usize, b: usize) {
        let len = self.model.order.len();
        if let (Some(dense), 1..) = (self.dense(), len) {
            dense.swap_positions(a % len, b % len);
            self.model.order.swap(a % len, b % len);
            self.check_positions();
        }
    }

    pub fn remove_at(&mut self, position: usize) {
        let len = self.model.order.len();
        let expected = self.model.order.get(position % (len + 1)).copied();
        let Some(dense) = self.dense() else { return };
        let removed = dense.remove_at(position % (len + 1));
        let removed = removed.map(|(key, id)| (key, Some(id)));
        assert_eq!(removed, expected.map(|key| (key, self.seen(key))));
        if let Some(key) = expected {
            self.model.died(key);
            self.check_positions();
        }
    }

    pub fn remove_ordered(&mut self, which: usize) {
        let (Some(key), Some(dense)) = (self.pick(which), self.subject.as_dense()) else {
            return;
        };
        let removed = dense.remove_ordered(key);
        assert_eq!(removed, self.seen(key));
        if removed.is_some() {
            self.model.died_in_order(key);
            self.check_positions();
        }
    }
}
