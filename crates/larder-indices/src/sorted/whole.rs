//! The tree as the layout of an index: as a whole, and the phases of its changes.

use alloc::vec::Vec;
use core::{fmt, iter, mem};

#[cfg(feature = "__test")]
use super::node::FAN;
use super::node::{Inner, Leaf, NONE, Node, Places, THIN, THIN_INNER};
use super::tree::{InOrder, Leftover, SortedTicket};
use crate::IndexError;
use crate::key_index::shown;
use crate::two_phase::{self, KeyLayout, TwoPhase};
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::MemoryUsage;
use larder_core::key::Key;

/// Moving nodes to other numbers.
impl<Q, K: Key> InOrder<Q, K> {
    /// Gives a leaf the number of one that there is not.
    fn move_leaf(&mut self, from: u32, to: u32) {
        let leaf = mem::replace(&mut self.leaves[from], Node::EMPTY);
        let (parent, previous, next) = (leaf.parent, leaf.previous, leaf.next);
        self.places.set_leaves(&leaf.keys, to);
        self.leaves[to] = leaf;
        self.chain(previous, to);
        self.chain(to, next);
        self.renumber_child(parent, from, to);
    }

    /// Gives an inner node the number of one that there is not.
    fn move_inner(&mut self, from: u32, to: u32) {
        let inner = mem::replace(&mut self.inners[from], Node::EMPTY);
        let parent = inner.parent;
        inner.children.iter().for_each(|&child| *self.parent(child, inner.is_low) = to);
        self.inners[to] = inner;
        self.renumber_child(parent, from, to);
    }

    fn renumber_child(&mut self, parent: u32, from: u32, to: u32) {
        if parent == NONE {
            self.root = to;
        } else {
            let parent = &mut self.inners[parent];
            let index = parent.index_of(from);
            parent.children[index] = to;
        }
    }
}

/// Returns the moves after which only the first numbers are in use, each from a number to a number. The numbers of free
/// nodes ascend.
#[inline]
fn moves(nodes: usize, free: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let used = (nodes - free.len()) as u32;
    let is_used = |number: &u32| free.binary_search(number).is_err();
    (used..nodes as u32).filter(is_used).zip(free.iter().copied())
}

impl<Q, K: Key> KeyLayout for InOrder<Q, K> {
    type Key = K;
    type Property = Q;
    type Shown = shown::SortedIndex<Q, K>;

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    fn contains_key(&self, key: K) -> bool {
        self.find_key(key).is_some()
    }

    /// Removes the keys that a container does not have. If the container or the `Drop` of a property panics,
    /// the keys visited before the panic are kept or removed as requested.
    fn retain_live(&mut self, of: &impl Container<Key = K>) {
        let mut number = self.first;
        while number != NONE {
            let next = self.leaves[number].next;
            // From the end, so that what fills a gap was visited before.
            for position in (0..self.leaves[number].len()).rev() {
                if of.contains_key(self.leaves[number].keys[position]) {
                    continue;
                }
                let property = self.remove_at(number, position);
                let is_empty = self.leaves[number].len() == 0;
                drop([property, if is_empty { self.unlink(number, false) } else { None }]);
            }
            if (1..=THIN).contains(&self.leaves[number].len()) {
                drop(self.merge(number));
            }
            number = next;
        }
        self.past.settle();
    }

    /// Removes everything and keeps the memory.
    fn clear(&mut self) {
        while self.past.is_on() && self.first != NONE {
            drop(self.remove_end(self.first));
        }
        self.past.settle();
        self.places.clear();
        let places = mem::replace(&mut self.places, Places::new());
        let past = mem::take(&mut self.past);
        let mut before = mem::replace(self, Self { places, past, ..Self::new() });
        // If the `Drop` of a property panics, this memory is freed.
        before.leaves.free_all();
        before.inners.free_all();
        (self.leaves, self.inners) = (before.leaves, before.inners);
    }

    /// Makes room for `additional` more keys, and for the nodes that they need if few have the same property. O(keys).
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.expect(additional)?;
        // Leaves are divided in the middle, and of two side by side below one node one has more than `THIN` keys, or
        // they are merged. The same is true of inner nodes and their children.
        let leaves = (self.len + additional) * 2 / THIN + 2;
        let above = |&nodes: &usize| (nodes > 1).then_some(nodes * 2 / THIN_INNER + 1);
        let inners = iter::successors(above(&leaves), above).sum();
        self.leaves.try_reserve(leaves, Leaf::make_room_for_all)?;
        self.inners.try_reserve(inners, Inner::make_room)
    }

    /// Gives the nodes that are used the lowest numbers, and drops the others. O(nodes + keys).
    fn shrink_to_fit(&mut self) {
        let free = self.leaves.take_free();
        let leaves = self.leaves.all.len();
        moves(leaves, &free).for_each(|(from, to)| self.move_leaf(from, to));
        self.leaves.truncate(leaves - free.len());
        let free = self.inners.take_free();
        let inners = self.inners.all.len();
        moves(inners, &free).for_each(|(from, to)| self.move_inner(from, to));
        self.inners.truncate(inners - free.len());
        self.places.shrink_to_fit();
    }

    /// Makes room for the places of `additional` more keys.
    fn expect(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.places.try_reserve(additional, self.len, K::MAX_SLOTS)
    }

    /// `values` are the keys.
    fn memory_usage(&self) -> MemoryUsage {
        let values = self.len * size_of::<K>();
        let leaves = self.leaves.bytes() + self.leaves.all.iter().map(Leaf::bytes).sum::<usize>();
        let inners = self.inners.bytes() + self.inners.all.iter().map(Inner::bytes).sum::<usize>();
        MemoryUsage::new(values, 0, 0, leaves + inners + self.places.bytes() - values)
    }

    #[cfg(feature = "__test")]
    fn validate(&self) {
        let (mut level, mut above) = (Vec::new(), Vec::from([(self.root, NONE)]));
        for height in (0..self.height).rev() {
            for (number, parent) in above.drain(..) {
                let Inner { separators, children, .. } = &self.inners[number];
                let node = (self.inners[number].parent, self.inners[number].is_low);
                assert_eq!(node, (parent, height == 0), "the node above {number}");
                assert_eq!(separators.len() + 1, children.len(), "between each two children");
                assert!(children.len() <= FAN, "a node has too many children");
                level.extend(children.iter().map(|&child| (child, number)));
            }
            mem::swap(&mut level, &mut above);
        }
        let (mut next, mut before, mut met, mut empty) = (self.first, NONE, 0, 0);
        for (number, parent) in above.into_iter().filter(|&(root, _)| root != NONE) {
            let leaf = &self.leaves[number];
            assert_eq!((next, leaf.previous, leaf.parent), (number, before, parent));
            assert_eq!(leaf.properties.len(), leaf.len(), "each key of {number} has a property");
            empty += usize::from(leaf.len() == 0);
            for (position, &key) in leaf.keys.iter().enumerate() {
                assert_eq!(self.find_key(key), Some((number, position)), "{key:?} is elsewhere");
            }
            met += leaf.len();
            (before, next) = (number, leaf.next);
        }
        assert!(empty <= 1, "but for one for which a key is prepared, no leaf is empty");
        assert_eq!((met, self.places.count()), (self.len, self.len), "keys are lost");
        assert_eq!((next, self.last), (NONE, before), "leaves are in order");
    }
}

impl<Q: Ord + Clone, K: Key> TwoPhase for InOrder<Q, K> {
    type Ticket = SortedTicket<Q, K>;
    type Leftover = Leftover<Q>;

    fn prepare(
        &mut self,
        key: K,
        property: Q,
    ) -> Result<Option<SortedTicket<Q, K>>, IndexError<K>> {
        if self.property(key).is_some_and(|filed| filed.cmp(&property).is_eq()) {
            return Ok(None);
        }
        self.prepare(key, property).map(Some)
    }

    #[inline]
    fn insert(&mut self, key: K, property: Q) -> Result<(), IndexError<K>> {
        self.insert(key, property).map(drop)
    }

    fn file(&mut self, ticket: SortedTicket<Q, K>) -> Leftover<Q> {
        self.file(ticket)
    }

    fn unfile(&mut self, key: K) -> Leftover<Q> {
        self.unfile(key)
    }

    fn settle(&mut self, leftover: Leftover<Q>) {
        drop(leftover);
        self.past.settle();
    }

    fn cancel(&mut self, ticket: SortedTicket<Q, K>) {
        drop(self.cancel(ticket));
    }

    fn may_wait(&self, _property: &Q) -> bool {
        true
    }

    /// The greatest first, so that each one goes to the end of a leaf.
    fn arrange(&self, pairs: &mut Vec<(K, Q)>) {
        pairs.sort_unstable_by(|(key, property), (other, against)| {
            against.cmp(property).then(key.slot().cmp(&other.slot()))
        });
    }

    fn extend(&mut self, pairs: impl IntoIterator<Item = (K, Q)>) -> Result<(), IndexError<K>> {
        if self.len() > 0 || self.past.is_on() {
            return two_phase::extend(self, pairs);
        }
        // If user code panics, the index stays empty.
        let past = mem::take(&mut self.past);
        let mut filed = mem::replace(self, Self { past, ..Self::new() });
        let outcome = two_phase::extend(&mut filed, pairs);
        filed.past = mem::take(&mut self.past);
        *self = filed;
        outcome
    }
}

impl<Q, K: Key> Default for InOrder<Q, K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Q: fmt::Debug, K: Key> fmt::Debug for InOrder<Q, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
