//! Keys in the order of their properties.
//!
//! ```text
//! order     property → number            the standard library's B-tree
//! groups    property, list │ …           by number
//! members   lists and places             as in keys_by_property.rs; a group's note is its number
//! ```
//! **Invariant.** Each group with members is in the order under its property, and the members' groups
//! have the numbers of these.
//!
//! Changes have the phases of [`TwoPhase`](super::two_phase::TwoPhase). The tree compares properties even to remove one,
//! and an `Ord` may panic: so `prepare` inserts a new group into the tree, without members, and only `settle` removes
//! one. After a panic an empty group may stay: it is not visible, and used for the next key with its property. (With an
//! inconsistent `Ord` lookups may miss groups; their keys stay filed.)

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::{Entry, OccupiedEntry};
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::mem;
use core::ops::RangeBounds;

use super::error::IndexError;
use super::group_members::{Members, Room};
use crate::containers::arena::Arena;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::{BareHandle, Key};
use crate::maps::secondary::SecondaryMap;
use crate::pools::list_pool::ListHandle;
use crate::scratch::reserve;
use crate::stats::MemoryUsage;

#[derive(Clone, Debug)]
struct Group<Q, K> {
    property: Q,
    list: ListHandle<K>,
}

/// A group's number, unique among the groups in the tree.
type Number = BareHandle<()>;

type Tree<Q> = BTreeMap<Q, Number>;

#[derive(Clone, Debug)]
pub(crate) struct KeysInOrder<Q, K: Key> {
    order: Tree<Q>,
    groups: Arena<Group<Q, K>, Number>,
    members: Members<K>,
}

/// A key for which there is room in a group. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct Ticket<K> {
    key: K,
    group: Number,
    room: Room<K>,
}

/// A group that may have been emptied.
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct Leftover(Option<Number>);

/// Properties and keys for filing at once, with one key for each slot.
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct Bulk<Q, K: Key> {
    pairs: Vec<(Q, K)>,
    /// By slot: where the key's pair is.
    positions: SecondaryMap<K, u32>,
}

impl<Q, K: Key> Default for Bulk<Q, K> {
    fn default() -> Self {
        Self { pairs: Vec::new(), positions: SecondaryMap::new() }
    }
}

impl<Q, K: Key> Bulk<Q, K> {
    /// Adds a pair, in place of any pair of the same slot.
    pub(crate) fn push(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        let tenant = self.positions.map.make_room_for(key)?;
        let position = tenant.and_then(|tenant| self.positions.get(tenant)).copied();
        if position.is_none() {
            reserve(&mut self.pairs, 1)?;
        }
        self.positions.insert(key, position.unwrap_or(self.pairs.len() as u32));
        match position {
            Some(position) => {
                drop(mem::replace(&mut self.pairs[position as usize], (property, key)))
            }
            None => self.pairs.push((property, key)),
        }
        Ok(())
    }
}

/// With comparison of properties.
impl<Q: Ord, K: Key> KeysInOrder<Q, K> {
    pub(crate) fn find<B: Ord + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        self.order.get(property).map_or(&[], |&group| self.of(group))
    }

    pub(crate) fn range<B: Ord + ?Sized>(
        &self,
        range: impl RangeBounds<B>,
    ) -> impl DoubleEndedIterator<Item = (&Q, K)> + Clone
    where
        Q: Borrow<B>,
    {
        self.order.range(range).flat_map(|(property, &group)| self.pairs(property, group))
    }

    pub(crate) fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<K>, IndexError<K>>
    where
        Q: Clone,
    {
        let group = match self.order.entry(property) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let group = Group { property: entry.key().clone(), list: ListHandle::EMPTY };
                let number = self.groups.try_insert(group).map_err(|refused| refused.reason)?;
                *entry.insert(number)
            }
        };
        self.admit(key, group).inspect_err(|_| self.settle(Leftover(Some(group))))
    }

    /// Files what was collected in an empty index: sorts it and builds the tree bottom-up. On an error or a panic nothing
    /// has changed. O(n log n), O(n) if it is sorted.
    pub(crate) fn fill(&mut self, bulk: Bulk<Q, K>) -> Result<(), IndexError<K>>
    where
        Q: Clone,
    {
        let Bulk { mut pairs, positions } = bulk;
        drop(positions);
        // (In place, since a stable sort aborts if memory is refused. It may panic if `Ord` is inconsistent.)
        pairs.sort_unstable_by(|(a, key), (b, other)| a.cmp(b).then(key.cmp(other)));
        let mut filled = Self::new();
        filled.members.try_reserve(pairs.len())?;
        let mut order: Vec<(Q, Number)> = Vec::new();
        for (property, key) in pairs {
            let group = match order.last() {
                Some((last, group)) if last.cmp(&property).is_eq() => *group,
                _ => {
                    reserve(&mut order, 1)?;
                    let group = Group { property: property.clone(), list: ListHandle::EMPTY };
                    let inserted = filled.groups.try_insert(group);
                    let number = inserted.map_err(|refused| refused.reason)?;
                    order.push((property, number));
                    number
                }
            };
            let ticket = filled.admit(key, group)?;
            filled.file(ticket);
        }
        filled.order = BTreeMap::from_iter(order);
        drop(mem::replace(self, filled));
        Ok(())
    }

    /// Removes the first key.
    pub(crate) fn pop_first(&mut self) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        self.pop(BTreeMap::first_entry, <[K]>::first)
    }

    /// Removes the last key.
    pub(crate) fn pop_last(&mut self) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        self.pop(BTreeMap::last_entry, <[K]>::last)
    }

    /// Removes a key at an end of the tree, without comparison. Empty groups that a panic left at this end are removed
    /// too.
    fn pop(
        &mut self,
        end: impl Fn(&mut Tree<Q>) -> Option<OccupiedEntry<'_, Q, Number>>,
        which: impl Fn(&[K]) -> Option<&K>,
    ) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        loop {
            let entry = end(&mut self.order)?;
            let number = *entry.get();
            let list = self.groups.get(number).map_or(ListHandle::EMPTY, |group| group.list);
            let members = self.members.of(list);
            let Some(&key) = which(members) else {
                entry.remove();
                self.groups.remove(number);
                continue;
            };
            if members.len() > 1 {
                let property = entry.key().clone();
                self.members.take(key);
                return Some((property, key));
            }
            let (property, _) = entry.remove_entry();
            self.members.take(key);
            self.groups.remove(number);
            return Some((property, key));
        }
    }

    /// Removes a group without members from the tree.
    pub(crate) fn settle(&mut self, leftover: Leftover) {
        let Leftover(Some(number)) = leftover else { return };
        let Some(group) = self.groups.get(number).filter(|group| group.list == ListHandle::EMPTY)
        else {
            return;
        };
        if self.order.remove(&group.property) == Some(number) {
            self.groups.remove(number);
        }
    }

    pub(crate) fn retain_live(&mut self, of: &impl Container<Key = K>) {
        for group in self.groups.values_mut() {
            if !self.members.retain(group.list, |key| of.contains_key(key)) {
                group.list = ListHandle::EMPTY;
            }
        }
        let groups = &self.groups;
        let has_members =
            |number| groups.get(number).is_some_and(|group| group.list != ListHandle::EMPTY);
        // (It asks for `Ord`, and compares nothing.)
        self.order.retain(|_, &mut number| has_members(number));
        self.groups.retain(|_, group| group.list != ListHandle::EMPTY);
    }

    pub(crate) fn cancel(&mut self, ticket: Ticket<K>) {
        self.settle(Leftover(Some(ticket.group)));
    }
}

/// Without comparison.
impl<Q, K: Key> KeysInOrder<Q, K> {
    pub(crate) const fn new() -> Self {
        Self { order: BTreeMap::new(), groups: Arena::with_key(), members: Members::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    fn of(&self, group: Number) -> &[K] {
        self.groups.get(group).map_or(&[], |group| self.members.of(group.list))
    }

    fn pairs<'a>(
        &'a self,
        property: &'a Q,
        group: Number,
    ) -> impl DoubleEndedIterator<Item = (&'a Q, K)> + Clone {
        self.of(group).iter().map(move |&key| (property, key))
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&Q, K)> + Clone {
        self.order.iter().flat_map(|(property, &group)| self.pairs(property, group))
    }

    pub(crate) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.members.try_reserve(keys)
    }

    /// Makes room for a key in a group.
    fn admit(&mut self, key: K, group: Number) -> Result<Ticket<K>, IndexError<K>> {
        let list = self.groups.get(group).map_or(ListHandle::EMPTY, |group| group.list);
        let room = self.members.make_room(key, list)?;
        Ok(Ticket { key, group, room })
    }

    pub(crate) fn file(&mut self, ticket: Ticket<K>) -> Leftover {
        let Ticket { key, group: number, room } = ticket;
        let Some(group) = self.groups.get_mut(number) else { return Leftover(None) };
        let (list, emptied) = self.members.put(key, room, number.slot());
        group.list = list;
        self.without_members(emptied.map(|emptied| emptied.note))
    }

    pub(crate) fn unfile(&mut self, key: K) -> Leftover {
        let emptied = self.members.take(key).and_then(|(_, emptied)| emptied);
        self.without_members(emptied.map(|emptied| emptied.note))
    }

    fn without_members(&mut self, emptied: Option<u32>) -> Leftover {
        let number = emptied.and_then(Number::from_index);
        if let Some(group) = number.and_then(|number| self.groups.get_mut(number)) {
            group.list = ListHandle::EMPTY;
        }
        Leftover(number)
    }

    pub(crate) fn contains_key(&self, key: K) -> bool {
        self.members.contains_key(key)
    }

    pub(crate) fn property(&self, key: K) -> Option<&Q> {
        let note = self.members.group(key)?.note;
        let group = self.groups.get(Number::from_index(note)?)?;
        Some(&group.property)
    }

    /// The tree first: if the `Drop` of a property panics, groups outside of the tree are harmless.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.groups.values_mut().for_each(|group| group.list = ListHandle::EMPTY);
        self.order.clear();
        self.groups.clear();
    }

    /// The tree is counted as its properties and numbers, since its real size is not known.
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let mut usage = self.members.memory_usage();
        let tree = self.order.len() * (size_of::<Q>() + size_of::<Number>());
        let beside = self.groups.stats().memory.committed + tree;
        usage.bookkeeping += beside;
        usage.committed += beside;
        usage.reserved += beside;
        usage
    }

    /// Panics if it is inconsistent.
    pub(crate) fn validate(&self) {
        self.members.validate();
        self.groups.validate();
        let mut met = 0;
        for (number, group) in &self.groups {
            let members = self.members.of(group.list);
            assert_eq!(
                members.is_empty(),
                group.list == ListHandle::EMPTY,
                "a list without members"
            );
            met += members.len();
            for &key in members {
                let found = self.members.group(key);
                let is_found = found
                    .is_some_and(|found| found.list == group.list && found.note == number.slot());
                assert!(is_found, "{key:?} does not lead to its group");
            }
        }
        assert_eq!(met, self.len(), "keys are in no group");
    }

    /// Whether each property in the tree has a key: always, unless an `Ord` has panicked or is inconsistent.
    pub(crate) fn is_tidy(&self) -> bool {
        self.order.len() == self.groups.len()
            && self.order.values().all(|&number| !self.of(number).is_empty())
    }
}
