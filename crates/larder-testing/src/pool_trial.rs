//! A pool and its model side by side. The model of keys, slots and order is that of an `Arena`, which hands out the
//! same ones; the contents of the slots, free ones too, are one list more.

use crate::allocator::lent;
use crate::model::{Model, State};
use crate::subject::{Config, Memory, TestKey};
use crate::values::Value;
use larder::{Arena, Pool, Reuse, containers::GetDisjointMutError};

/// The number of the value in a slot that was never used.
pub const EMPTY: u32 = 0;

/// The amount that a reset adds to the number of a removed value.
const RESET: u32 = 1_000_000;

/// The treatment of removed values by a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// They are replaced by new ones.
    Replaces,
    /// They are reset, which can be seen.
    Resets,
    /// They stay as they were.
    Leaves,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Replaces, Kind::Resets, Kind::Leaves];

    /// Returns the number that a removal leaves in a value's place.
    fn leaves(self, id: u32) -> u32 {
        match self {
            Kind::Replaces => EMPTY,
            Kind::Resets => id + RESET,
            Kind::Leaves => id,
        }
    }
}

/// A pool as that.
pub fn build<V: Value, K: TestKey>(config: Config, kind: Kind) -> Pool<V, K> {
    let builder = Pool::builder_with_key(|| V::make(EMPTY)).reuse(config.reuse);
    let builder = match kind {
        Kind::Replaces => builder,
        Kind::Resets => builder.recycling(|value: &mut V| *value = V::make(value.id() + RESET)),
        Kind::Leaves => builder.recycling(|_| {}),
    };
    match (config.limit, config.memory) {
        (Some(max), Memory::Reserved) => builder.reserved(max).build(),
        (Some(slots @ 1..), Memory::Lent) => {
            let links = if config.reuse == Reuse::Packed { 0 } else { 4 * slots.div_ceil(64) * 64 };
            builder.in_memory(lent(Pool::<V, K>::bytes_for(slots) + links)).build()
        }
        (Some(slots), _) => builder.fixed(slots).build(),
        (None, _) => builder.build(),
    }
}

/// A pool under test and what it should be.
pub struct Trial<V: Value, K: TestKey> {
    pub pool: Pool<V, K>,
    pub model: Model<Arena<V, K>>,
    kind: Kind,
    /// The number of the value in each slot that has one.
    contents: Vec<u32>,
}

fn bit(mask: u64, n: u32) -> bool {
    mask >> (n % 64) & 1 == 1
}

impl<V: Value, K: TestKey> Trial<V, K> {
    pub fn new(config: Config, kind: Kind) -> Self {
        let alive_before = V::alive();
        let pool: Pool<V, K> = build(config, kind);
        let limit = config.limit.map(|slots| pool.capacity().max(slots));
        let config = Config { limit, ..config };
        let mut model = Model::new(config);
        model.alive_before = alive_before;
        let contents = vec![EMPTY; config.fixed().unwrap_or(0)];
        Trial { pool, model, kind, contents }
    }

    /// One of all keys ever issued.
    fn pick(&self, which: usize) -> Option<K> {
        let issued = &self.model.issued;
        (!issued.is_empty()).then(|| issued[which % issued.len()])
    }

    /// Notes a key that was just issued, and what lies in its slot.
    fn born(&mut self, key: K, id: u32) {
        self.model.born(key, id);
        let slot = key.slot() as usize;
        if slot == self.contents.len() {
            self.contents.push(id);
        }
        self.contents[slot] = id;
    }

    fn died(&mut self, key: K, left: u32) {
        self.model.died(key);
        self.contents[key.slot() as usize] = left;
    }

    // Inserting.

    pub fn insert(&mut self) {
        if self.model.room() == 0 {
            return self.try_insert();
        }
        let id = self.model.fresh_id();
        let key = self.pool.insert(V::make(id));
        self.born(key, id);
    }

    pub fn try_insert(&mut self) {
        let id = self.model.fresh_id();
        match self.pool.try_insert(V::make(id)) {
            Ok(key) => self.born(key, id),
            Err(refused) => {
                assert_eq!(self.model.room(), 0);
                assert_eq!(refused.value.id(), V::seen(id));
            }
        }
    }

    /// Returns the number that a closure should find in the slot that it fills.
    fn recycled(&self, key: K) -> u32 {
        V::seen(self.contents.get(key.slot() as usize).copied().unwrap_or(EMPTY))
    }

    pub fn insert_with(&mut self, how: usize) {
        let id = self.model.fresh_id();
        let (mut found, mut told) = (None, None);
        let mut fill = |value: &mut V| {
            found = Some(value.id());
            *value = V::make(id);
        };
        let full = self.model.room() == 0;
        let inserted = match how % 3 {
            0 => self.pool.try_insert_with(fill),
            _ if full => return,
            1 => Ok(self.pool.insert_with(fill)),
            _ => {
                let mut entry = self.pool.vacant_entry();
                told = Some(entry.key());
                fill(entry.value_mut());
                entry.occupy();
                Ok(told.expect("it was just told"))
            }
        };
        let Ok(key) = inserted else {
            assert!(full && found.is_none(), "refused with room, or filled all the same");
            return;
        };
        assert_eq!(found, Some(self.recycled(key)));
        assert!(told.is_none() || told == Some(key));
        self.born(key, id);
    }

    pub fn vacant_entry(&mut self, how: usize) {
        if self.model.room() == 0 {
            assert!(self.pool.try_vacant_entry().is_err());
            return;
        }
        let mut entry = self.pool.vacant_entry();
        let (key, found) = (entry.key(), entry.value_mut().id());
        let slot = key.slot() as usize;
        let id = self.model.fresh_id();
        if how % 2 == 0 {
            *entry.value_mut() = V::make(id);
        }
        let becomes = match how % 6 {
            0 => Some(entry.occupy().id()),
            1 => Some(entry.insert(V::make(id)).id()),
            3 => Some(entry.occupy().id()),
            _ => None,
        };
        if slot == self.contents.len() {
            self.contents.push(EMPTY);
        }
        assert_eq!(found, V::seen(self.contents[slot]));
        if how % 2 == 0 || how % 6 == 1 {
            self.contents[slot] = id;
        }
        let lies_there = self.contents[slot];
        if let Some(becomes) = becomes {
            assert_eq!(becomes, V::seen(lies_there));
            self.born(key, lies_there);
        }
    }

    /// `extend` tells no keys: those of values that were not there before are they.
    pub fn extend(&mut self, count: usize) {
        let count = count.min(self.model.room()) as u32;
        let before: Vec<_> = self.pool.keys().collect();
        if V::FORGETFUL || !K::REMEMBERS {
            return (0..count).for_each(|_| self.insert());
        }
        let ids = self.model.fresh_ids(count);
        self.pool.extend(ids.clone().map(V::make));
        let new = self.pool.iter().filter(|(key, _)| !before.contains(key));
        let mut new: Vec<_> = new.map(|(key, value)| (value.id(), key)).collect();
        new.sort_unstable();
        assert!(new.iter().map(|&(id, _)| id).eq(ids));
        for (id, key) in new {
            self.born(key, id);
        }
    }

    // Reaching values.

    pub fn get_mut(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let id = self.model.fresh_id();
        match (self.pool.get_mut(key), self.model.id(key)) {
            (Some(value), Some(old)) => {
                assert_eq!(value.id(), V::seen(old));
                *value = V::make(id);
                self.model.set_id(key, id);
                self.contents[key.slot() as usize] = id;
            }
            (None, None) => {}
            (found, expected) => panic!("{key:?} gave {found:?} for {expected:?}"),
        }
    }

    pub fn get_disjoint_mut(&mut self, a: usize, b: usize) {
        let Some(first) = self.pick(a) else { return };
        let keys = [first, self.pick(b).unwrap()];
        let ids = keys.map(|key| self.model.id(key));
        match self.pool.get_disjoint_mut(keys) {
            Ok([x, y]) => {
                core::mem::swap(x, y);
                for (key, id) in keys.into_iter().zip([ids[1], ids[0]]) {
                    self.model.set_id(key, id.unwrap());
                    self.contents[key.slot() as usize] = id.unwrap();
                }
            }
            Err(GetDisjointMutError::NotFound { position }) => assert_eq!(ids[position], None),
            Err(GetDisjointMutError::Overlapping { .. }) => {
                assert_eq!(keys[0].slot(), keys[1].slot());
            }
        }
    }

    /// Changes every slot, used or not, as code does that processes them blindly.
    pub fn process_all(&mut self) {
        let ids = self.model.fresh_ids(self.contents.len() as u32);
        for (value, id) in self.pool.slots_mut().iter_mut().zip(ids.clone()) {
            *value = V::make(id);
        }
        self.contents = ids.collect();
        for key in self.model.order.clone() {
            self.model.set_id(key, self.contents[key.slot() as usize]);
        }
    }

    // Removing.

    pub fn remove(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let id = self.model.id(key);
        assert_eq!(self.pool.recycle(key).is_some(), id.is_some());
        if let Some(id) = id {
            self.died(key, self.kind.leaves(id));
        }
    }

    pub fn take(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let id = self.model.id(key);
        let taken = self.pool.remove(key).map(|value| value.id());
        assert_eq!(taken, id.map(V::seen));
        if id.is_some() {
            self.died(key, EMPTY);
        }
    }

    pub fn retain(&mut self, mask: u64) {
        let order = self.model.order.clone();
        let mut asked = Vec::new();
        self.pool.retain(|key, value| {
            asked.push((key, value.id()));
            bit(mask, key.slot())
        });
        let expected = order.iter().map(|&key| (key, V::seen(self.model.id(key).unwrap())));
        assert!(asked.into_iter().eq(expected));
        for key in order.into_iter().filter(|key| !bit(mask, key.slot())) {
            let id = self.model.id(key).unwrap();
            self.died(key, self.kind.leaves(id));
        }
    }

    pub fn clear(&mut self) {
        for &key in &self.model.order {
            let id = self.model.id(key).unwrap();
            self.contents[key.slot() as usize] = self.kind.leaves(id);
        }
        self.pool.clear();
        self.model.cleared();
    }

    // Capacity.

    pub fn reserve(&mut self, additional: usize) {
        if additional > self.model.room() {
            assert!(self.pool.try_reserve(additional).is_err());
            return;
        }
        self.pool.reserve(additional);
        assert!(self.pool.capacity() - self.pool.len() >= additional);
        let fresh = additional.saturating_sub(self.model.holes.len());
        let made = self.contents.len().max(self.model.slots as usize + fresh);
        self.contents.resize(made, EMPTY);
    }

    pub fn shrink(&mut self, capacity: Option<usize>) {
        let before = self.pool.capacity() + self.model.retired.len();
        match capacity {
            Some(capacity) => self.pool.shrink_to(capacity),
            None => self.pool.shrink_to_fit(),
        }
        self.shrunk(capacity, before);
    }

    /// Moves values into holes; what lay there takes their places.
    pub fn compact(&mut self) {
        let before = self.pool.capacity() + self.model.retired.len();
        let mut moves = Vec::new();
        self.pool.compact(|old, new, _| moves.push((old, new)));
        for (old, new) in moves {
            self.model.moved(old, new);
            self.contents.swap(old.slot() as usize, new.slot() as usize);
        }
        self.model.relinked();
        self.shrunk(None, before);
        assert!(self.model.is_compact(), "{:?}", self.model);
    }

    /// Notes that there is room for no more than is needed, where there was room for `before`.
    fn shrunk(&mut self, capacity: Option<usize>, before: usize) {
        if self.model.config.fixed().is_some() {
            return;
        }
        let slots = self.pool.stats().slots;
        self.model.shrunk(slots);
        assert!(!self.model.ends_in_a_hole() || K::LIVES < u64::MAX);
        let kept = slots.max(capacity.unwrap_or(0) + self.model.retired.len());
        self.contents.truncate(kept);
        if self.model.config.limit.is_none() {
            assert_eq!(self.pool.capacity() + self.model.retired.len(), before.min(kept));
        }
    }

    /// Goes on with a copy.
    pub fn copy(&mut self) {
        let copy = self.pool.clone();
        assert_eq!(copy, self.pool);
        assert_eq!(copy.slots(), self.pool.slots());
        self.pool = copy;
    }

    // Checking.

    /// Checks everything that a pool can be asked.
    pub fn check(&self) {
        self.pool.validate();
        self.check_counts();
        let seen = self.contents.iter().map(|&id| V::seen(id));
        assert!(self.pool.slots().iter().map(V::id).eq(seen), "{:?}", self.contents);
        self.check_keys();
        self.check_walks();
        self.model.check_alive(self.contents.len());
    }

    fn check_counts(&self) {
        let (pool, model) = (&self.pool, &self.model);
        let (live, stats) = (model.order.len(), self.pool.stats());
        assert_eq!((pool.len(), pool.is_empty()), (live, live == 0));
        assert_eq!((stats.live, stats.holes), (live, model.holes.len()));
        assert_eq!((stats.detached, stats.retired), (0, model.retired.len()));
        assert_eq!((stats.slots, stats.capacity), (model.slots as usize, pool.capacity()));
        if let Some(slots) = model.config.limit {
            assert_eq!(pool.capacity(), slots - model.retired.len());
            assert_eq!(pool.capacity() - live, model.room());
        }
    }

    fn check_keys(&self) {
        for (&key, &state) in &self.model.states {
            let id = match state {
                State::Live(id) => Some(V::seen(id)),
                _ => None,
            };
            let value = self.pool.get(key);
            assert_eq!(value.map(V::id), id, "{key:?} of {:?}", self.model);
            assert_eq!(self.pool.contains_key(key), id.is_some());
            let sized = size_of::<V>() > 0;
            assert_eq!(
                value.and_then(|value| self.pool.key_of(value)),
                id.filter(|_| sized).map(|_| key)
            );
        }
        for (slot, value) in self.pool.slots().iter().enumerate() {
            let key = self.pool.key_of_slot(slot as u32);
            assert_eq!(key.is_some(), self.model.order.iter().any(|key| key.slot() == slot as u32));
            assert!(size_of::<V>() == 0 || self.pool.key_of(value) == key);
        }
        assert!(self.pool.get(K::DANGLING).is_none());
        assert!(self.pool.key_of_slot(self.contents.len() as u32).is_none());
    }

    fn check_walks(&self) {
        let (pool, order) = (&self.pool, &self.model.order);
        assert!(pool.keys().eq(order.iter().copied()), "{:?}", self.model);
        let seen = |&key: &K| (key, V::seen(self.model.id(key).expect("live")));
        let pairs: Vec<_> = order.iter().map(seen).collect();
        let iter = pool.iter().map(|(key, value)| (key, value.id()));
        assert!(iter.clone().eq(pairs.iter().copied()));
        assert!(iter.clone().rev().eq(pairs.iter().rev().copied()));
        let mut folded = Vec::new();
        iter.clone().for_each(|pair| folded.push(pair));
        assert_eq!(folded, pairs);
        assert!(pool.values().map(V::id).eq(pairs.iter().map(|pair| pair.1)));
        let middle = pairs.len() / 2;
        assert_eq!(iter.clone().nth(middle), pairs.get(middle).copied());
        assert_eq!(
            (iter.len(), iter.clone().count(), iter.last()),
            (pairs.len(), pairs.len(), pairs.last().copied())
        );
        let after = |key: Option<K>| key.and_then(|key| pool.next_key(key));
        assert!(
            core::iter::successors(pool.keys().next(), |&key| after(Some(key)))
                .eq(order.iter().copied())
        );
        assert!(pool.keys().rev().eq(order.iter().rev().copied()));
    }

    /// Drops the pool and checks that every value went with it.
    pub fn finish(self) {
        let Trial { pool, model, .. } = self;
        drop(pool);
        model.check_alive(0);
    }
}

impl<V: Value, K: TestKey> Trial<V, K> {
    /// Does what a number stands for: 0 is an insertion, any other number is something.
    pub fn step(&mut self, bits: u64) {
        let [kind, a, b, ..] = bits.to_le_bytes();
        let (a, b, mask) = (usize::from(a), usize::from(b), mask(bits));
        match kind % 64 {
            0..9 => self.insert(),
            9..11 => self.try_insert(),
            11..19 => self.insert_with(a),
            19..23 => self.vacant_entry(a),
            23..25 => self.extend(a % 6),
            25 => self.extend(a % if cfg!(miri) { 70 } else { 140 }),
            26..28 => self.get_mut(a),
            28..30 => self.get_disjoint_mut(a, b),
            30 => self.process_all(),
            31..45 => self.remove(a),
            45..49 => self.take(a),
            49 => self.clear(),
            50..54 => self.retain(mask),
            54..56 => self.reserve(a),
            56..58 => self.shrink(Some(a)),
            58..60 => self.shrink(None),
            60..62 => self.compact(),
            _ => self.copy(),
        }
    }
}

/// Returns the slots that stay, as bits: none, all, all but one, or some without a pattern.
fn mask(bits: u64) -> u64 {
    match bits >> 24 & 7 {
        0 => 0,
        1 => u64::MAX,
        2 => !(1 << (bits >> 32 & 63)),
        _ => (bits >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15),
    }
}
