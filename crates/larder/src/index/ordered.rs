//! Keys in the order of their properties.
//!
//! ```text
//! order     property → number            the standard library's B-tree
//! groups    property, list │ …           by number
//! members   lists and places             as in groups.rs; a group's note is its number
//! ```
//! **Invariant.** Each group with members is in the order under its property, and the members' groups
//! have the numbers of these.
//!
//! Filing has the steps of [`Filing`](super::filing::Filing). The tree asks for the order of properties
//! even to remove one, and an `Ord` may panic: so `prepare` puts a new group into the tree, without members,
//! and only `settle` takes one out. Where either is cut off by a panic, an empty group stays: nobody sees it,
//! and it is used when its property comes again. (Where an `Ord` lies, groups may be out of reach for
//! lookups; their keys are filed all the same.)

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use core::borrow::Borrow;
use core::ops::RangeBounds;

use super::IndexError;
use super::members::{Members, Room};
use crate::arena::Arena;
use crate::container::Container;
use crate::key::{Key, Slot};
use crate::list_pool::List;
use crate::stats::MemoryUsage;

#[derive(Clone, Debug)]
struct Group<Q, K> {
    property: Q,
    list: List<K>,
}

/// A group's number, which no other has as long as it is in the tree.
type Number = Slot<()>;

#[derive(Clone, Debug)]
pub(crate) struct Ordered<Q, K: Key> {
    order: BTreeMap<Q, Number>,
    groups: Arena<Group<Q, K>, Number>,
    members: Members<K>,
}

/// A key for which there is room in a group. Good until the index is changed by anything else.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `By`")]
pub struct Ticket<K> {
    key: K,
    group: Number,
    room: Room<K>,
}

/// A group that may have no members any more.
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `By`")]
pub struct Leftover(Option<Number>);

/// What compares properties.
impl<Q: Ord, K: Key> Ordered<Q, K> {
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
                let group = Group { property: entry.key().clone(), list: List::EMPTY };
                let number = self.groups.try_insert(group).map_err(|refused| refused.reason)?;
                *entry.insert(number)
            }
        };
        let list = self.groups.get(group).map_or(List::EMPTY, |group| group.list);
        match self.members.make_room(key, list) {
            Ok(room) => Ok(Ticket { key, group, room }),
            Err(reason) => {
                self.settle(Leftover(Some(group)));
                Err(reason)
            }
        }
    }

    /// Takes a group out of the tree that has no members.
    pub(crate) fn settle(&mut self, leftover: Leftover) {
        let Leftover(Some(number)) = leftover else { return };
        let Some(group) = self.groups.get(number).filter(|group| group.list == List::EMPTY) else {
            return;
        };
        if self.order.remove(&group.property) == Some(number) {
            self.groups.remove(number);
        }
    }

    pub(crate) fn retain_live(&mut self, of: &impl Container<Key = K>) {
        for group in self.groups.values_mut() {
            if !self.members.retain(group.list, |key| of.contains_key(key)) {
                group.list = List::EMPTY;
            }
        }
        let groups = &self.groups;
        let has_members =
            |number| groups.get(number).is_some_and(|group| group.list != List::EMPTY);
        // (It asks for `Ord`, and compares nothing.)
        self.order.retain(|_, &mut number| has_members(number));
        self.groups.retain(|_, group| group.list != List::EMPTY);
    }

    pub(crate) fn cancel(&mut self, ticket: Ticket<K>) {
        self.settle(Leftover(Some(ticket.group)));
    }
}

/// What does not.
impl<Q, K: Key> Ordered<Q, K> {
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
            group.list = List::EMPTY;
        }
        Leftover(number)
    }

    pub(crate) fn property(&self, key: K) -> Option<&Q> {
        let note = self.members.group(key)?.note;
        let group = self.groups.get(Number::from_index(note)?)?;
        Some(&group.property)
    }

    /// The tree first: if the `Drop` of a property panics, a group outside of it harms nobody.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.groups.values_mut().for_each(|group| group.list = List::EMPTY);
        self.order.clear();
        self.groups.clear();
    }

    /// The standard library does not tell what its tree takes: that of properties and numbers is counted.
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let mut usage = self.members.memory_usage();
        let tree = self.order.len() * (size_of::<Q>() + size_of::<Number>());
        let beside = self.groups.memory_usage().committed + tree;
        usage.bookkeeping += beside;
        usage.committed += beside;
        usage.reserved += beside;
        usage
    }

    /// Panics where the index contradicts itself.
    pub(crate) fn validate(&self) {
        self.members.validate();
        self.groups.validate();
        let mut met = 0;
        for (number, group) in &self.groups {
            let members = self.members.of(group.list);
            assert_eq!(members.is_empty(), group.list == List::EMPTY, "a list without members");
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

    /// Whether each property in the tree has a key, as it is unless an `Ord` panicked or lied.
    pub(crate) fn is_tidy(&self) -> bool {
        self.order.len() == self.groups.len()
            && self.order.values().all(|&number| !self.of(number).is_empty())
    }
}
