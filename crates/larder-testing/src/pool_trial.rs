//! A pool and its model side by side: a [`Trial`](trial::Trial) like those of other containers, and the numbers of the
//! values in all slots, also in free ones.

use crate::allocator::lent;
use crate::erased::{Erased, Name, Type};
use crate::operation::Operation;
use crate::subject::{Config, Memory, TestKey};
use crate::trial;
use crate::values::Value;
use core::ops::{Deref, DerefMut};
use larder::{Pool, Reuse};

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

/// A pool without its type: all its slots hold a value.
pub trait Slots {
    /// Returns the numbers of the values in all slots, used or not.
    fn numbers(&self) -> Vec<u32>;

    /// Inserts, in one of three ways, by filling the value that lies in a slot. Returns the key, unless it is refused,
    /// and what the value was.
    fn fill(&mut self, id: u32, how: usize) -> (Option<Name>, Option<u32>);

    /// Changes the value of a vacant entry, or not, and occupies it, or not. Returns its key, what its value was, and
    /// what it is when it is occupied; `None` if there is no room.
    fn vacant_entry(&mut self, id: u32, how: usize) -> Option<(Name, u32, Option<u32>)>;

    fn process_all(&mut self, ids: &[u32]);
    fn recycle(&mut self, key: Name) -> Option<u32>;
    fn check_slots(&self, live: &[Name]);
}

impl<V: Value, K: TestKey> Slots for Pool<V, K> {
    fn numbers(&self) -> Vec<u32> {
        self.slots().iter().map(V::id).collect()
    }

    fn fill(&mut self, id: u32, how: usize) -> (Option<Name>, Option<u32>) {
        let (mut found, mut told) = (None, None);
        let mut fill = |value: &mut V| {
            found = Some(value.id());
            *value = V::make(id);
        };
        let inserted = match how % 3 {
            0 => self.try_insert_with(fill),
            1 => Ok(self.insert_with(fill)),
            _ => {
                let mut entry = self.vacant_entry();
                told = Some(entry.key());
                fill(entry.value_mut());
                entry.occupy();
                Ok(told.expect("it was just told"))
            }
        };
        assert!(told.is_none() || told == inserted.as_ref().ok().copied());
        (inserted.ok().map(Name::of), found)
    }

    fn vacant_entry(&mut self, id: u32, how: usize) -> Option<(Name, u32, Option<u32>)> {
        let mut entry = self.try_vacant_entry().ok()?;
        let (key, found) = (entry.key(), entry.value_mut().id());
        if how % 2 == 0 {
            *entry.value_mut() = V::make(id);
        }
        let becomes = match how % 6 {
            0 | 3 => Some(entry.occupy().id()),
            1 => Some(entry.insert(V::make(id)).id()),
            _ => None,
        };
        Some((Name::of(key), found, becomes))
    }

    fn process_all(&mut self, ids: &[u32]) {
        self.slots_mut().iter_mut().zip(ids).for_each(|(value, &id)| *value = V::make(id));
    }

    fn recycle(&mut self, key: Name) -> Option<u32> {
        self.recycle(key.key()).map(|value| value.id())
    }

    fn check_slots(&self, live: &[Name]) {
        for (slot, value) in (0..).zip(self.slots()) {
            let key = self.key_of_slot(slot);
            assert_eq!(key.map(Name::of), live.iter().copied().find(|key| key.slot() == slot));
            assert!(size_of::<V>() == 0 || self.key_of(value) == key);
        }
        assert!(self.key_of_slot(self.slots().len() as u32).is_none());
    }
}

/// A pool under test and what it should be.
pub struct Trial {
    trial: trial::Trial,
    kind: Kind,
    /// The number of the value in each slot that has one.
    contents: Vec<u32>,
}

impl Deref for Trial {
    type Target = trial::Trial;

    fn deref(&self) -> &Self::Target {
        &self.trial
    }
}

impl DerefMut for Trial {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.trial
    }
}

impl Trial {
    pub fn new<V: Value, K: TestKey>(config: Config, kind: Kind) -> Self {
        let of = Type::of::<Pool<V, K>>();
        let build = |config| -> Box<dyn Erased> { Box::new(build::<V, K>(config, kind)) };
        let trial = trial::Trial::begun(of, config, &build);
        let contents = vec![EMPTY; trial.model.config.fixed().unwrap_or(0)];
        Trial { trial, kind, contents }
    }

    fn pool(&mut self) -> &mut dyn Slots {
        self.subject.as_pool().expect("it is a pool")
    }

    /// One of all keys ever issued.
    fn pick(&self, which: usize) -> Option<Name> {
        let issued = &self.model.issued;
        (!issued.is_empty()).then(|| issued[which % issued.len()])
    }

    // Operations of all containers.

    /// Does an operation, and follows what it does to slots.
    pub fn run(&mut self, operation: &Operation) {
        let before = self.model.order.clone();
        let made = self.contents.len();
        let moves = match operation {
            Operation::Compact { panics_at } => panics_at.map_or(usize::MAX, |at| at as usize + 1),
            _ => 0,
        };
        self.exchange(moves);
        let reserved = match *operation {
            Operation::Reserve(more) if usize::from(more) <= self.model.room() => {
                self.model.slots as usize + usize::from(more).saturating_sub(self.model.holes.len())
            }
            _ => 0,
        };
        operation.run(&mut self.trial);
        // A removal leaves what the pool's functions make of a value that goes, or of one that is taken.
        for &key in &before {
            let slot = key.slot() as usize;
            let is_live = self.model.order.iter().any(|live| live.slot() == key.slot());
            if !is_live && moves == 0 {
                self.contents[slot] = match operation {
                    Operation::Clear | Operation::Retain(_) => {
                        self.kind.leaves(self.contents[slot])
                    }
                    _ => EMPTY,
                };
            }
        }
        let (now, slots) = (self.subject.held(), self.model.slots as usize);
        let shrunk = |least: usize| match self.model.config.fixed() {
            None => made.min(slots.max(least + self.model.retired.len())),
            Some(_) => made,
        };
        match *operation {
            Operation::Reserve(_) => assert_eq!(now, made.max(reserved), "made ahead"),
            Operation::ShrinkTo(least) => assert_eq!(now, shrunk(least.into())),
            Operation::ShrinkToFit | Operation::Compact { panics_at: None } => {
                assert_eq!(now, shrunk(0));
            }
            Operation::Compact { .. } => assert!(now <= made),
            // (That of a vacant entry is made, too.)
            _ => assert!(now <= made.max(slots + 1), "none was asked for"),
        }
        self.fill_live();
    }

    /// Exchanges the values of the last slots, at most `most`, with what lies in holes below them.
    fn exchange(&mut self, most: usize) {
        let mut holes = self.model.holes.clone();
        holes.sort_unstable();
        let live = self.model.order.iter().rev().map(|key| key.slot());
        let moves: Vec<_> = holes.into_iter().zip(live).take(most).collect();
        for (hole, live) in moves.into_iter().filter(|(hole, live)| hole < live) {
            self.contents.swap(hole as usize, live as usize);
        }
    }

    /// Notes the numbers of live values, and that of all others which were made.
    fn fill_live(&mut self) {
        self.contents.resize(self.subject.held(), EMPTY);
        for key in self.model.order.clone() {
            self.contents[key.slot() as usize] = self.model.id(key).expect("it is live");
        }
    }

    pub fn insert(&mut self) {
        self.run(&Operation::Insert);
    }

    pub fn take(&mut self, which: usize) {
        self.run(&Operation::Remove(which as u8));
    }

    pub fn retain(&mut self, mask: u64) {
        self.run(&Operation::Retain(mask));
    }

    pub fn clear(&mut self) {
        self.run(&Operation::Clear);
    }

    pub fn reserve(&mut self, additional: u8) {
        self.run(&Operation::Reserve(additional));
    }

    pub fn shrink(&mut self, least: Option<u8>) {
        self.run(&least.map_or(Operation::ShrinkToFit, Operation::ShrinkTo));
    }

    pub fn compact(&mut self) {
        self.run(&Operation::Compact { panics_at: None });
    }

    pub fn copy(&mut self) {
        self.run(&Operation::Copy(0));
    }

    // Operations of pools.

    pub fn insert_with(&mut self, how: usize) {
        let id = self.model.fresh_id();
        let full = self.model.room() == 0;
        if full && how % 3 > 0 {
            return;
        }
        let (key, found) = self.pool().fill(id, how);
        let Some(key) = key else {
            assert!(full && found.is_none(), "refused with room, or filled all the same");
            return;
        };
        let recycled = self.contents.get(key.slot() as usize).copied().unwrap_or(EMPTY);
        assert_eq!(found, Some(self.model.of.seen(recycled)));
        self.model.born(key, id);
        self.fill_live();
    }

    pub fn vacant_entry(&mut self, how: usize) {
        let (id, full) = (self.model.fresh_id(), self.model.room() == 0);
        let entry = self.pool().vacant_entry(id, how);
        assert_eq!(entry.is_none(), full);
        let Some((key, found, becomes)) = entry else { return };
        let slot = key.slot() as usize;
        self.contents.resize(self.trial.subject.held(), EMPTY);
        assert_eq!(found, self.model.of.seen(self.contents[slot]));
        if how % 2 == 0 || how % 6 == 1 {
            self.contents[slot] = id;
        }
        let lies_there = self.contents[slot];
        if let Some(becomes) = becomes {
            assert_eq!(becomes, self.model.of.seen(lies_there));
            self.model.born(key, lies_there);
        }
    }

    /// Changes every slot, used or not, as code does that processes them blindly.
    pub fn process_all(&mut self) {
        let count = self.contents.len() as u32;
        let ids: Vec<u32> = self.model.fresh_ids(count).collect();
        self.pool().process_all(&ids);
        self.contents = ids;
        for key in self.model.order.clone() {
            let id = self.contents[key.slot() as usize];
            self.model.set_id(key, id);
        }
    }

    /// Recycles a value.
    pub fn remove(&mut self, which: usize) {
        let Some(key) = self.pick(which) else { return };
        let id = self.model.id(key);
        let left = id.map(|id| self.kind.leaves(id));
        let recycled = self.pool().recycle(key);
        assert_eq!(recycled, left.map(|left| self.model.of.seen(left)));
        if let Some(left) = left {
            self.model.died(key);
            self.contents[key.slot() as usize] = left;
        }
    }

    // Checking.

    /// Checks everything that a pool can be asked.
    pub fn check(&mut self) {
        self.trial.check();
        let (of, live) = (self.model.of, self.model.order.clone());
        let seen: Vec<u32> = self.contents.iter().map(|&id| of.seen(id)).collect();
        assert_eq!(self.pool().numbers(), seen);
        self.pool().check_slots(&live);
    }

    /// Takes the pool apart, and checks that every value went with it.
    pub fn finish(self) {
        self.trial.finish(2, 1);
    }

    /// Does what a number stands for: 0 is an insertion, any other number is something.
    pub fn step(&mut self, bits: u64) {
        let [kind, _, a, ..] = bits.to_le_bytes().map(usize::from);
        match kind % 8 {
            1 => self.insert_with(a),
            2 => self.vacant_entry(a),
            3 => self.remove(a),
            4 if a % 8 == 0 => self.process_all(),
            _ => self.run(&Operation::decode(bits >> 8)),
        }
    }
}
