//! Objects with one property in a circle of links, as a source document describes it (X7 to X12 in
//! `records/sources.md`). Larder's `MultiIndex` keeps them side by side instead. This measures circles with
//! the index's promises: lookups give whole keys, stale keys are not found, and a removal needs no
//! property.
//!
//! ```text
//! groups    property, hash, first │ …             found by hash
//! members   next, prev, generation, group │ …     by slot; 16 bytes, so in one cache line
//! ```

use core::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::{Key, Relations};
use crate::study::prelude::Foldhash;

/// A property that an object has.
struct Group {
    property: u32,
    hash: u32,
    /// The slot of an object that has it.
    first: u32,
}

#[derive(Clone, Copy)]
struct Member {
    next: u32,
    prev: u32,
    /// The generation of the key that is filed, or `NOBODY`.
    generation: u32,
    /// The hash of the group, which is even; and 1 more of the group's first.
    group: u32,
}

const NOBODY: u32 = 0;
const VACANT: Member = Member { next: 0, prev: 0, generation: NOBODY, group: 0 };

/// Circles of links by slot, and where each begins.
#[derive(Default)]
pub(crate) struct Circles {
    groups: HashTable<Group>,
    members: Vec<Member>,
    hasher: Foldhash,
}

/// A stored hash widened for the table, which uses both ends of it.
fn wide(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl Circles {
    fn hash(&self, property: u32) -> u32 {
        (self.hasher.hash_one(property) >> 32) as u32 & !1
    }

    fn at(&mut self, slot: u32) -> &mut Member {
        &mut self.members[slot as usize]
    }

    fn key(&self, slot: u32) -> Option<Key> {
        let generation = self.members[slot as usize].generation;
        Key::from_bits(u64::from(generation) << 32 | u64::from(slot))
    }

    /// Links an unlinked key: after the first of its group, or alone.
    fn link(&mut self, key: Key, property: u32) {
        let (slot, generation) = (key.slot(), key.generation().get());
        let hash = self.hash(property);
        let same = |group: &Group| group.hash == hash && group.property == property;
        match self.groups.entry(wide(hash), same, |group| wide(group.hash)) {
            Entry::Occupied(group) => {
                let first = group.get().first;
                let next = self.at(first).next;
                self.at(first).next = slot;
                self.at(next).prev = slot;
                *self.at(slot) = Member { next, prev: first, generation, group: hash };
            }
            Entry::Vacant(place) => {
                place.insert(Group { property, hash, first: slot });
                *self.at(slot) = Member { next: slot, prev: slot, generation, group: hash | 1 };
            }
        }
    }

    /// Unlinks the key in a slot. If it was the first of its group, the next one becomes that; a group is
    /// removed with its last member.
    fn unlink(&mut self, slot: u32) {
        let Member { next, prev, group, .. } = core::mem::replace(self.at(slot), VACANT);
        let is_first = group & 1 == 1;
        if next != slot {
            self.at(prev).next = next;
            self.at(next).prev = prev;
            self.at(next).group |= group & 1;
        }
        if is_first {
            let found = self.groups.find_entry(wide(group & !1), |group| group.first == slot);
            let mut group = found.ok().expect("the table leads to the first of each group");
            if next == slot {
                group.remove();
            } else {
                group.get_mut().first = next;
            }
        }
    }
}

relations! { Circles, "circles of links";
    fn add(&mut self, key, property) {
        let slot = key.slot();
        if slot as usize >= self.members.len() {
            self.members.resize(slot as usize + 1, VACANT);
        }
        match self.at(slot).generation {
            NOBODY => {}
            later if later > key.generation().get() => return,
            _ => self.unlink(slot),
        }
        self.link(key, property);
    }
    fn find(&self, property) {
        let hash = self.hash(property);
        let same = |group: &Group| group.hash == hash && group.property == property;
        let first = self.groups.find(wide(hash), same).map(|group| group.first);
        let mut next = first;
        core::iter::from_fn(move || {
            let slot = next?;
            let behind = self.members[slot as usize].next;
            next = (Some(behind) != first).then_some(behind);
            self.key(slot)
        })
    }
    fn remove(&mut self, key, _property) {
        let member = self.members.get(key.slot() as usize);
        if member.is_some_and(|member| member.generation == key.generation().get()) {
            self.unlink(key.slot());
        }
    }
    fn refile(&mut self, key, _from, to) { self.add(key, to); }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use larder::Arena;

    use super::*;
    use crate::measure::random::Random;

    #[test]
    fn circles_have_what_a_model_has_and_no_stale_keys() {
        let mut random = Random::new(0xC18C1E);
        let mut objects = Arena::new();
        let mut keys: Vec<Key> = (0..20).map(|_| objects.insert(0)).collect();
        let (mut circles, mut model) = (Circles::default(), HashMap::new());
        for _ in 0..5_000 {
            let at = random.below(keys.len());
            let (key, property) = (keys[at], random.below(6) as u32);
            match random.below(10) {
                0..4 => {
                    circles.remove(key, property);
                    model.remove(&key);
                }
                4 => {
                    // Another object takes the slot, which the stale key still refers to.
                    objects.remove(key);
                    keys[at] = objects.insert(0);
                    circles.add(keys[at], property);
                    circles.remove(key, property);
                    circles.add(key, property);
                    model.remove(&key);
                    model.insert(keys[at], property);
                }
                _ => {
                    circles.refile(key, property, property);
                    model.insert(key, property);
                }
            }
            for property in 0..6 {
                let mut found: Vec<Key> = circles.find(property).collect();
                found.sort_unstable();
                let having = model.iter().filter(|having| *having.1 == property);
                let mut expected: Vec<Key> = having.map(|having| *having.0).collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "those of {property}");
            }
            let properties: HashSet<&u32> = model.values().collect();
            assert_eq!(circles.groups.len(), properties.len(), "a group has no members");
        }
    }

    #[test]
    fn a_member_is_sixteen_bytes() {
        assert_eq!(size_of::<Member>(), 16);
    }
}
