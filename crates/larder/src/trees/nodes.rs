//! Links beside a container: nodes side by side that name each other by their place, and for each slot the place
//! of its node.
//!
//! **Invariant.** A place that an index entry or a link names is that of a node in use. Every node in use has one
//! index entry, that of its key's slot, which lies in `near` if that is long enough, and otherwise in `far`. A
//! vacant node has no key; its `next` is the vacant node after it.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use super::link_store::{LinkStore, LinkStoreMut};
use super::ring::HasRing;
use crate::error::{SecondaryInsertErrorKind, TryReserveError};
use crate::key::Key;
use crate::maps::sparse_secondary::SparseSecondaryMap;
use crate::raw::keyed::can_be_live;
use crate::scratch::reserve;
use crate::stats::MemoryUsage;

/// The index of slots by number has at most this many, and rounded up to a power of two, for each node.
const SPARSEST: usize = 8;

/// Where a node lies: its position, which is never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(unnameable_types, reason = "a walk of a `Tree` names its nodes by it")]
pub struct Place(NonZeroU32);

impl Place {
    #[inline]
    fn of(position: usize) -> Self {
        let number = u32::try_from(position).ok().and_then(NonZeroU32::new);
        Self(number.expect("there are no more nodes than slots"))
    }

    #[inline]
    const fn position(self) -> usize {
        self.0.get() as usize
    }
}

/// Links that can lie in a node.
pub(crate) trait Linkage: HasRing<Place> + Copy + Default + PartialEq {
    /// Changes all places that it names.
    fn relocate(&mut self, to: impl Fn(Place) -> Place);
}

#[derive(Clone)]
struct Node<K, L> {
    /// Whose links these are; dangling if the node is vacant.
    key: K,
    links: L,
}

/// Links of type `L` for keys, at most one key of each slot.
#[derive(Clone)]
pub(crate) struct Nodes<K: Key, L> {
    /// Nothing, or nodes after one that is never used.
    nodes: Vec<Node<K, L>>,
    vacant: Option<Place>,
    in_use: usize,
    near: Vec<Option<Place>>,
    far: SparseSecondaryMap<K, Place>,
}

impl<K: Key, L> Nodes<K, L> {
    pub(crate) const fn new() -> Self {
        let far = SparseSecondaryMap::new();
        Self { nodes: Vec::new(), vacant: None, in_use: 0, near: Vec::new(), far }
    }

    /// The node of a key.
    #[inline]
    pub(crate) fn place_of(&self, key: K) -> Option<Place> {
        let place = match self.near.get(key.slot() as usize) {
            Some(place) => (*place)?,
            None => return self.far.get(key).copied(),
        };
        (self.key_of(place) == key).then_some(place)
    }

    /// Whose a node is; a dangling key if it is vacant.
    #[inline]
    pub(crate) fn key_of(&self, place: Place) -> K {
        self.nodes[place.position()].key
    }

    /// The key of a slot that has a node.
    pub(crate) fn tenant(&self, slot: u32) -> Option<K> {
        match self.near.get(slot as usize) {
            Some(place) => place.map(|place| self.key_of(place)),
            None => self.far.key_of_slot(slot),
        }
    }

    /// How many keys have a node.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.in_use
    }

    /// Nodes are in positions below this.
    pub(crate) const fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// The key of the node in a position, if that is in use.
    pub(crate) fn key_in(&self, position: usize) -> Option<K> {
        self.nodes.get(position).map(|node| node.key).filter(|&key| key != K::DANGLING)
    }

    /// The nodes in use, by slot, then those far from all others.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.near.iter().copied().flatten().chain(self.far.values().copied())
    }

    pub(crate) fn memory(&self) -> MemoryUsage {
        let node = size_of::<Node<K, L>>();
        let values = self.in_use * node;
        let holes = self.nodes.len() * node - values;
        let unused = (self.nodes.capacity() - self.nodes.len()) * node;
        let bookkeeping =
            self.near.capacity() * size_of::<Option<Place>>() + self.far.stats().memory.committed;
        let committed = values + holes + unused + bookkeeping;
        MemoryUsage { values, holes, unused, bookkeeping, committed, reserved: committed }
    }
}

impl<K: Key, L: Linkage> Nodes<K, L> {
    /// The node of a key, which is given one; `None` if another key of its slot has one. On an error nothing has
    /// changed.
    #[inline]
    pub(crate) fn place(&mut self, key: K) -> Result<Option<Place>, SecondaryInsertErrorKind<K>> {
        match self.near.get(key.slot() as usize) {
            Some(&Some(place)) => Ok(Some(place).filter(|&place| self.key_of(place) == key)),
            None if self.far.key_of_slot(key.slot()).is_some() => Ok(self.place_of(key)),
            _ => self.place_new(key).map(Some),
        }
    }

    #[inline(never)]
    fn place_new(&mut self, key: K) -> Result<Place, SecondaryInsertErrorKind<K>> {
        if !can_be_live(key) {
            return Err(SecondaryInsertErrorKind::Dangling);
        }
        if self.vacant.is_none() {
            let additional = 1 + usize::from(self.nodes.is_empty());
            reserve(&mut self.nodes, additional).map_err(SecondaryInsertErrorKind::NoMemory)?;
        }
        let place = self.vacant.unwrap_or_else(|| Place::of(self.nodes.len().max(1)));
        self.enter(key, place)?;
        match self.nodes.get_mut(place.position()) {
            Some(node) => {
                self.vacant = node.links.ring().next;
                *node = Node { key, links: L::default() };
            }
            None => {
                if self.nodes.is_empty() {
                    self.nodes.push(Node { key: K::DANGLING, links: L::default() });
                }
                self.nodes.push(Node { key, links: L::default() });
            }
        }
        self.in_use += 1;
        Ok(place)
    }

    /// Says where the node of a key is. On an error nothing has changed.
    fn enter(&mut self, key: K, place: Place) -> Result<(), SecondaryInsertErrorKind<K>> {
        let slot = key.slot() as usize;
        if slot >= self.near.len() && slot / SPARSEST <= self.nodes.len() {
            self.lengthen(slot + 1).map_err(SecondaryInsertErrorKind::NoMemory)?;
        }
        match self.near.get_mut(slot) {
            Some(entry) => *entry = Some(place),
            None => drop(self.far.try_insert(key, place).map_err(|refused| refused.reason)?),
        }
        Ok(())
    }

    /// Makes the near part of the index one of at least so many slots. On an error nothing has changed.
    #[cold]
    #[inline(never)]
    fn lengthen(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let slots = slots.checked_next_power_of_two().unwrap_or(slots).max(4);
        let additional = slots - self.near.len();
        reserve(&mut self.near, additional)?;
        self.near.resize(slots, None);
        let near = &mut self.near;
        self.far.retain(|key, place| match near.get_mut(key.slot() as usize) {
            Some(entry) => {
                *entry = Some(*place);
                false
            }
            None => true,
        });
        Ok(())
    }

    /// Frees a node. No link leads to it.
    pub(crate) fn vacate(&mut self, place: Place) {
        let key = self.key_of(place);
        match self.near.get_mut(key.slot() as usize) {
            Some(entry) => *entry = None,
            None => drop(self.far.remove(key)),
        }
        let node = &mut self.nodes[place.position()];
        *node = Node { key: K::DANGLING, links: L::default() };
        node.links.ring_mut().next = self.vacant.replace(place);
        self.in_use -= 1;
    }

    /// Removes all links and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.near.clear();
        self.far.clear();
        (self.vacant, self.in_use) = (None, 0);
    }

    /// Gives back the memory that is not needed for linked keys. `outside` is a place that is named outside.
    pub(crate) fn shrink_to_fit(&mut self, outside: Option<&mut Place>) {
        for position in 0..self.nodes.len() {
            if self.key_in(position).is_some() && self.nodes[position].links == L::default() {
                self.vacate(Place::of(position));
            }
        }
        self.close_up(outside);
        self.nodes.shrink_to_fit();
        self.shorten();
        self.near.shrink_to_fit();
        self.far.shrink_to_fit();
    }

    /// Moves the last nodes into the vacant ones.
    fn close_up(&mut self, outside: Option<&mut Place>) {
        let (length, mut hole) = (self.in_use + 1, 1);
        if self.in_use == 0 {
            self.nodes.clear();
        }
        for position in length..self.nodes.len() {
            if self.key_in(position).is_some() {
                while self.key_in(hole).is_some() {
                    hole += 1;
                }
                self.nodes.swap(hole, position);
                // The vacant node that is left here says where the other is.
                self.nodes[position].links.ring_mut().next = Some(Place::of(hole));
            }
        }
        let length = length.min(self.nodes.len());
        let (kept, left) = self.nodes.split_at_mut(length);
        let moved = |place: Place| match place.position().checked_sub(length) {
            Some(position) => left[position].links.ring().next.unwrap_or(place),
            None => place,
        };
        kept.iter_mut().for_each(|node| node.links.relocate(moved));
        let index = self.near.iter_mut().flatten().chain(self.far.values_mut());
        index.chain(outside).for_each(|place| *place = moved(*place));
        self.nodes.truncate(length);
        self.vacant = None;
    }

    /// Leaves no more of the near part than the nodes are worth. What memory is refused for stays near.
    fn shorten(&mut self) {
        while let Some(last) = self.near.pop() {
            let Some(place) = last else {
                continue;
            };
            let is_far = self.near.len() / (2 * SPARSEST) > self.nodes.len();
            if !is_far || self.far.try_insert(self.key_of(place), place).is_err() {
                self.near.push(last);
                break;
            }
        }
    }

    /// Panics where the nodes and the index contradict each other.
    pub(crate) fn validate(&self) {
        for place in self.places() {
            let key = self.key_of(place);
            assert!(key != K::DANGLING && self.place_of(key) == Some(place), "{key:?}");
        }
        let vacant = self.nodes.iter().skip(1).filter(|node| node.key == K::DANGLING).count();
        assert_eq!(self.places().count(), self.in_use, "each has one entry");
        assert_eq!(self.in_use + vacant, self.nodes.len().saturating_sub(1));
        let next = |place: &Place| self.nodes[place.position()].links.ring().next;
        let free = core::iter::successors(self.vacant, next).take(self.nodes.len() + 1);
        assert_eq!(free.count(), vacant, "each is found again");
    }
}

impl<K: Key, L> LinkStore<L> for Nodes<K, L> {
    type Key = Place;

    #[inline]
    fn links(&self, place: Place) -> Option<&L> {
        self.nodes.get(place.position()).map(|node| &node.links)
    }
}

impl<K: Key, L> LinkStoreMut<L> for Nodes<K, L> {
    #[inline]
    fn links_mut(&mut self, place: Place) -> Option<&mut L> {
        self.nodes.get_mut(place.position()).map(|node| &mut node.links)
    }
}
