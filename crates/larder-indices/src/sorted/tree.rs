//! A B+tree of properties and keys, in which a key's removal begins at its leaf.
//!
//! ```text
//! inner    child │ property │ child │ property │ child      up to 64 children
//! leaf     properties, keys, parent, leaf before, leaf after
//! place    leaf                                             by slot
//! ```
//! A property's keys are in one leaf, side by side. A leaf has up to [`LEAF`] keys, or more if all have the
//! same property: a long leaf, whose keys know their positions too.
//!
//! **Invariant.** Each key has a place, which names its leaf. No leaf is empty, except for one for which a key is
//! prepared. (The order of properties is whatever `Ord` says: no code depends on its consistency but to find keys.)
//!
//! Changes have the phases of [`TwoPhase`](crate::two_phase::TwoPhase): comparing, cloning and allocating is
//! done by `prepare`. Nothing else asks for it, and a removal begins at the place of its key.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::mem;
use core::ops::Range;

use super::node::{FAN, Inner, LEAF, Leaf, LeafNumber, NONE, Nodes, Places};
use crate::IndexError;
use larder_core::TryReserveError;
use larder_core::key::Key;
use larder_core::past::{Past, Reverse, Way};

/// Keys in the order of their property, as those of a [`SortedIndex`](crate::SortedIndex).
///
/// # Examples
/// ```
/// use larder::{Handle, indices::{KeyIndex, SortedIndex, layout::InOrder}};
///
/// let by_weight: KeyIndex<InOrder<u32, Handle<&str>>> = SortedIndex::new();
/// assert!(by_weight.is_empty());
/// ```
pub struct InOrder<Q, K: Key> {
    pub(super) leaves: Nodes<Leaf<Q, K>>,
    pub(super) inners: Nodes<Inner<Q>>,
    pub(super) places: Places,
    pub(super) len: usize,
    pub(super) root: u32,
    /// The number of inner nodes above a leaf.
    pub(super) height: usize,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) past: Past<SortedChange<Q, K>, ()>,
}

/// A change of an index in order.
///
/// A key is put before the others of its property, or behind them all if they are [many](LEAF), and removed from where
/// it is; so the order of these depends on what was done with them alone, not on the nodes. Nodes are not recorded: a
/// key that comes back is filed like others, by comparing its property.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub enum SortedChange<Q, K> {
    /// The key was added.
    Added(K),
    /// The key was removed.
    Removed { key: K, property: Q, from: FormerPosition<K> },
}

/// The position of a key among those of its property.
#[derive(Clone, Copy, Debug)]
#[expect(unnameable_types, reason = "it seals a public trait")]
pub enum FormerPosition<K> {
    /// Behind this key, or before all others if that has another property or is dangling.
    Behind(K),
    /// In a long leaf, where the last key took its position.
    At(u32),
}

impl<Q, K: Key> Leaf<Q, K> {
    /// Returns where the key at a position is, for its removal.
    fn place(&self, position: usize) -> FormerPosition<K> {
        if self.is_long() {
            return FormerPosition::At(position as u32);
        }
        FormerPosition::Behind(
            position.checked_sub(1).map_or(K::DANGLING, |before| self.keys[before]),
        )
    }
}

impl<Q, K> SortedChange<Q, K> {
    /// The property of a removed key.
    fn property(self) -> Option<Q> {
        match self {
            Self::Removed { property, .. } => Some(property),
            Self::Added(_) => None,
        }
    }
}

/// A key for which there is room in a leaf. Valid until anything else is changed; keys may be removed before it is
/// cancelled.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct SortedTicket<Q, K> {
    key: K,
    property: Q,
    leaf: u32,
    position: usize,
    /// True if no key of its slot is filed.
    is_new: bool,
}

/// Properties that are not needed any more: of a key, and of an inner node.
pub(super) type Leftover<Q> = [Option<Q>; 2];

/// Finding.
impl<Q, K: Key> InOrder<Q, K> {
    pub(super) const fn new() -> Self {
        Self {
            leaves: Nodes::new(),
            inners: Nodes::new(),
            places: Places::new(),
            len: 0,
            root: NONE,
            height: 0,
            first: NONE,
            last: NONE,
            past: Past::new(),
        }
    }

    /// The leaf in which a property is, or would be; [`NONE`] if there is none.
    #[inline(always)]
    pub(super) fn leaf_of<B: Ord + ?Sized>(&self, property: &B) -> u32
    where
        Q: Borrow<B>,
    {
        self.inners.leaf_below(self.root, self.height, property)
    }

    #[inline]
    pub(super) fn find<B: Ord + ?Sized>(&self, property: &B) -> &[K]
    where
        Q: Borrow<B>,
    {
        let leaf = self.leaves.all.get(self.leaf_of(property) as usize);
        leaf.map_or(&[], |leaf| &leaf.keys[leaf.group(property)])
    }

    /// Returns the leaf of a slot's key, and its position in that leaf.
    #[inline]
    fn find_slot(&self, slot: u32) -> Option<(u32, usize)> {
        let number = self.places.leaf(slot);
        let leaf = self.leaves.all.get(number as usize)?;
        let position =
            if leaf.is_long() { self.places.position(slot) } else { leaf.position_of(slot)? };
        Some((number, position))
    }

    #[inline]
    pub(super) fn find_key(&self, key: K) -> Option<(u32, usize)> {
        self.find_slot(key.slot()).filter(|&(leaf, at)| self.leaves[leaf].keys[at] == key)
    }

    pub(super) fn property(&self, key: K) -> Option<&Q> {
        let (leaf, position) = self.find_key(key)?;
        Some(&self.leaves[leaf].properties[position])
    }
}

/// Filing.
impl<Q: Ord + Clone, K: Key> InOrder<Q, K> {
    #[inline]
    pub(super) fn prepare(
        &mut self,
        key: K,
        property: Q,
    ) -> Result<SortedTicket<Q, K>, IndexError<K>> {
        let is_new = self.admit(key)?;
        if self.past.is_on() {
            self.past.reserve(2)?;
        }
        let (leaf, position) = self.find_room(self.leaf_of(&property), &property)?;
        Ok(SortedTicket { key, property, leaf, position, is_new })
    }

    /// Has room for one more key of this property, in its leaf, if there is one; returns where. Nothing visible has
    /// changed.
    #[inline(always)]
    fn find_room(&mut self, leaf: u32, property: &Q) -> Result<(u32, usize), TryReserveError> {
        if leaf == NONE {
            return Ok((self.begin()?, 0));
        }
        let node = &mut self.leaves[leaf];
        if node.len() < LEAF {
            node.make_room()?;
            return Ok((leaf, node.above(property)));
        }
        let group = node.group(property);
        // (All of a long leaf are one group.)
        if node.is_long() && !group.is_empty() && node.has_room() {
            return Ok((leaf, node.len()));
        }
        self.make_room(leaf, group, property)
    }

    /// Both phases. Most keys are new, and go to a leaf that has room: then there is nothing to keep between
    /// the phases.
    #[inline]
    pub(super) fn insert(&mut self, key: K, property: Q) -> Result<Leftover<Q>, IndexError<K>> {
        let can_be_added = key.can_be_live() && !self.past.is_on();
        let place = self.places.vacant_mut(key.slot()).filter(|_| can_be_added);
        let Some(place) = place else { return self.insert_slowly(key, property) };
        let number = self.inners.leaf_below(self.root, self.height, &property);
        let leaf = self.leaves.all.get_mut(number as usize);
        let has_room = |leaf: &&mut Leaf<Q, K>| leaf.len() < LEAF && leaf.has_room();
        let Some(leaf) = leaf.filter(has_room) else {
            return self.insert_in(number, key, property);
        };
        let position = leaf.above(&property);
        *place = LeafNumber(number);
        self.len += 1;
        leaf.keys.insert(position, key);
        leaf.properties.insert(position, property);
        Ok([None, None])
    }

    #[inline(never)]
    fn insert_slowly(&mut self, key: K, property: Q) -> Result<Leftover<Q>, IndexError<K>> {
        let ticket = self.prepare(key, property)?;
        let leftover = self.file(ticket);
        if leftover.iter().all(Option::is_none) {
            self.past.settle();
        }
        Ok(leftover)
    }

    /// Files a new key where nothing is recorded, in the leaf of its property, if there is one.
    #[inline(never)]
    fn insert_in(&mut self, leaf: u32, key: K, property: Q) -> Result<Leftover<Q>, IndexError<K>> {
        let (leaf, position) = self.find_room(leaf, &property)?;
        self.list(key, property, leaf, position);
        Ok([None, None])
    }

    /// Has room for one more key of this property, beside the keys of its group, if any, where a leaf is full or long;
    /// returns where. Nothing visible has changed.
    #[inline(never)]
    fn make_room(
        &mut self,
        number: u32,
        group: Range<usize>,
        property: &Q,
    ) -> Result<(u32, usize), TryReserveError> {
        let (is_new, at) = (group.is_empty(), group.start);
        let leaf = &self.leaves[number];
        let is_after = is_new && at == 0;
        let is_outermost =
            is_after && leaf.next == NONE || is_new && at == leaf.len() && leaf.previous == NONE;
        // (Leaves are filled while properties ascend.)
        let border = if leaf.is_long() || is_outermost { None } else { leaf.border() };
        match border {
            Some(border) => self.divide(number, border, at),
            // A leaf of its own.
            None if is_after => Ok((self.add_leaf(number, true, property.clone())?, 0)),
            None if is_new => {
                let above = leaf.properties.last().unwrap_or(property).clone();
                Ok((self.add_leaf(number, false, above)?, 0))
            }
            None => {
                self.make_room_for_long(number)?;
                Ok((number, self.leaves[number].len()))
            }
        }
    }

    /// Moves the least properties of a leaf to a new one, and has room for one more key; returns where.
    fn divide(
        &mut self,
        number: u32,
        border: usize,
        at: usize,
    ) -> Result<(u32, usize), TryReserveError> {
        let separator = self.leaves[number].properties[border - 1].clone();
        let new = self.add_leaf(number, false, separator)?;
        let (mut properties, mut keys) = self.leaves[new].take_buffers();
        let leaf = &mut self.leaves[number];
        properties.extend(leaf.properties.drain(border..));
        keys.extend_from_slice(&leaf.keys[border..]);
        leaf.keys.truncate(border);
        self.places.set_leaves(&keys, new);
        let divided = &mut self.leaves[new];
        (divided.properties, divided.keys) = (properties, keys);
        Ok(if at < border { (number, at) } else { (new, at - border) })
    }
}

/// Room, without user code.
impl<Q, K: Key> InOrder<Q, K> {
    /// Has room for the place of a key, if it can be filed; returns whether its slot has none.
    #[inline]
    fn admit(&mut self, key: K) -> Result<bool, IndexError<K>> {
        let tenant = self.find_slot(key.slot()).map(|(leaf, at)| self.leaves[leaf].keys[at]);
        match tenant {
            _ if !key.can_be_live() => Err(IndexError::Dangling),
            Some(tenant) if key.is_older_than(tenant) => Err(IndexError::Stale { tenant }),
            Some(_) => Ok(false),
            None => Ok(self.places.make_room(key.slot(), self.len).map(|()| true)?),
        }
    }

    /// Makes the leaf of an empty tree, with room for one key.
    fn begin(&mut self) -> Result<u32, TryReserveError> {
        let free = self.leaves.find_free()?;
        self.leaves[free].make_room()?;
        let first = self.leaves.take();
        (self.root, self.first, self.last, self.height) = (first, first, first, 0);
        Ok(first)
    }

    /// Makes an empty leaf before another or after it.
    fn add_leaf(
        &mut self,
        beside: u32,
        is_after: bool,
        separator: Q,
    ) -> Result<u32, TryReserveError> {
        let free = self.leaves.find_free()?;
        self.leaves[free].make_room_for_all()?;
        let parent = self.make_room_above(beside, true)?;
        let new = self.leaves.take();
        self.inners[parent].link(beside, is_after, new, separator);
        self.leaves[new].parent = parent;
        let Leaf { previous, next, .. } = self.leaves[beside];
        let (before, after) = if is_after { (beside, next) } else { (previous, beside) };
        self.chain(before, new);
        self.chain(new, after);
        Ok(new)
    }

    /// Has one leaf follow another; or be the first, or the last.
    pub(super) fn chain(&mut self, before: u32, after: u32) {
        match before {
            NONE => self.first = after,
            before => self.leaves[before].next = after,
        }
        match after {
            NONE => self.last = before,
            after => self.leaves[after].previous = before,
        }
    }

    /// Has room for one more child in the node above a leaf or an inner node, which it returns.
    fn make_room_above(&mut self, child: u32, is_leaf: bool) -> Result<u32, TryReserveError> {
        let parent = *self.parent(child, is_leaf);
        if parent == NONE {
            let root = self.add_inner(is_leaf)?;
            self.inners[root].children.push(child);
            *self.parent(child, is_leaf) = root;
            self.root = root;
            self.height += 1;
            return Ok(root);
        }
        if self.inners[parent].children.len() < FAN {
            self.inners[parent].make_room()?;
            return Ok(parent);
        }
        self.divide_inner(parent)?;
        // (Divided, it or the new one is above the child.)
        Ok(*self.parent(child, is_leaf))
    }

    /// Moves half of the children of an inner node to a new one.
    fn divide_inner(&mut self, number: u32) -> Result<(), TryReserveError> {
        let above = self.make_room_above(number, false)?;
        let new = self.add_inner(self.inners[number].is_low)?;
        let (mut separators, mut children) = self.inners[new].take_buffers();
        let inner = &mut self.inners[number];
        separators.extend(inner.separators.drain(FAN / 2..));
        children.extend(inner.children.drain(FAN / 2..));
        if let Some(middle) = inner.separators.pop() {
            self.inners[above].link(number, true, new, middle);
        }
        self.inners[new].parent = above;
        self.put_children(new, separators, children);
        Ok(())
    }

    fn add_inner(&mut self, is_low: bool) -> Result<u32, TryReserveError> {
        let free = self.inners.find_free()?;
        self.inners[free].make_room()?;
        let new = self.inners.take();
        self.inners[new].is_low = is_low;
        Ok(new)
    }

    pub(super) fn parent(&mut self, child: u32, is_leaf: bool) -> &mut u32 {
        if is_leaf { &mut self.leaves[child].parent } else { &mut self.inners[child].parent }
    }

    pub(super) fn put_children(&mut self, number: u32, separators: Vec<Q>, children: Vec<u32>) {
        let is_leaf = self.inners[number].is_low;
        children.iter().for_each(|&child| *self.parent(child, is_leaf) = number);
        let inner = &mut self.inners[number];
        (inner.separators, inner.children) = (separators, children);
    }

    /// Has room for one more key in a leaf that is long with it, and for positions.
    fn make_room_for_long(&mut self, number: u32) -> Result<(), TryReserveError> {
        self.leaves[number].make_room()?;
        self.places.keep_positions()
    }
}

/// Changes, without user code or memory.
impl<Q, K: Key> InOrder<Q, K> {
    /// Files what was prepared.
    #[inline]
    pub(super) fn file(&mut self, ticket: SortedTicket<Q, K>) -> Leftover<Q> {
        if !ticket.is_new {
            return self.refile(ticket);
        }
        self.list(ticket.key, ticket.property, ticket.leaf, ticket.position);
        if self.past.is_on() {
            self.past.add(SortedChange::Added(ticket.key));
        }
        [None, None]
    }

    /// Files what was prepared instead of the key of the same slot.
    #[inline(never)]
    fn refile(&mut self, ticket: SortedTicket<Q, K>) -> Leftover<Q> {
        let SortedTicket { key, property, leaf, mut position, .. } = ticket;
        let Some((former, at)) = self.find_slot(key.slot()) else { return [Some(property), None] };
        if former == leaf && at < position {
            position -= 1;
        }
        let before = self.remove_at(former, at);
        self.list(key, property, leaf, position);
        if self.past.is_on() {
            self.past.add(SortedChange::Added(key));
        }
        [before, self.mend(former)]
    }

    /// Removes an empty leaf. Keys may have been removed since `prepare`, and the leaf with them: then it is
    /// free, which is one that is neither below a node nor the first.
    pub(super) fn cancel(&mut self, ticket: SortedTicket<Q, K>) -> Leftover<Q> {
        let is_linked = self.is_linked(ticket.leaf);
        [Some(ticket.property), if is_linked { self.mend(ticket.leaf) } else { None }]
    }

    fn is_linked(&self, leaf: u32) -> bool {
        self.leaves[leaf].parent != NONE || self.first == leaf
    }

    /// Removes a key, and returns whether it was filed.
    #[inline]
    pub(super) fn remove(&mut self, key: K) -> bool {
        if !self.past.is_on() {
            return self.unfile_unrecorded(key)[0].is_some();
        }
        let before = self.len;
        drop(self.unfile_recorded(key));
        self.past.settle();
        self.len < before
    }

    #[inline]
    pub(super) fn unfile(&mut self, key: K) -> Leftover<Q> {
        if self.past.is_on() { self.unfile_recorded(key) } else { self.unfile_unrecorded(key) }
    }

    #[cold]
    #[inline(never)]
    fn unfile_recorded(&mut self, key: K) -> Leftover<Q> {
        let Some((leaf, position)) = self.find_key(key) else { return [None, None] };
        [self.remove_at(leaf, position), self.mend(leaf)]
    }

    /// Removes the key at the end of a leaf.
    pub(super) fn remove_end(&mut self, leaf: u32) -> Leftover<Q> {
        let Some(end) = self.leaves[leaf].len().checked_sub(1) else { return [None, None] };
        [self.remove_at(leaf, end), self.mend(leaf)]
    }

    /// Removes the key at a position of a leaf, which is to be mended. Returns its property, unless it is recorded.
    pub(super) fn remove_at(&mut self, leaf: u32, position: usize) -> Option<Q> {
        if !self.past.is_on() {
            return Some(self.unlist(leaf, position));
        }
        let removal = self.take_at(leaf, position);
        self.past.add(removal)?.property()
    }

    /// Removes the key at a position of a leaf, which is to be mended. Returns what puts it back.
    fn take_at(&mut self, number: u32, position: usize) -> SortedChange<Q, K> {
        let leaf = &self.leaves[number];
        let (key, from) = (leaf.keys[position], leaf.place(position));
        SortedChange::Removed { key, property: self.unlist(number, position), from }
    }

    #[inline]
    fn unfile_unrecorded(&mut self, key: K) -> Leftover<Q> {
        let number = self.places.leaf(key.slot());
        let Some(leaf) = self.leaves.all.get_mut(number as usize) else { return [None, None] };
        if leaf.is_long() {
            return self.unfile_of_long(key, number);
        }
        let found = leaf.position_of(key.slot());
        let Some(position) = found.filter(|&position| leaf.keys[position] == key) else {
            return [None, None];
        };
        leaf.keys.remove(position);
        let property = leaf.properties.remove(position);
        self.places.remove(key.slot());
        self.len -= 1;
        [Some(property), self.mend(number)]
    }

    #[inline(never)]
    fn unfile_of_long(&mut self, key: K, number: u32) -> Leftover<Q> {
        let position = self.places.position(key.slot());
        if self.leaves[number].keys.get(position) != Some(&key) {
            return [None, None];
        }
        [Some(self.unlist(number, position)), self.mend(number)]
    }

    #[inline]
    pub(super) fn pop_first(&mut self) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        let number = self.first;
        if self.past.is_on() {
            self.note_removal(number, true);
        }
        let leaf = self.leaves.all.get_mut(number as usize)?;
        let (key, property) = (leaf.keys.pop()?, leaf.properties.pop()?);
        self.len -= 1;
        self.places.remove(key.slot());
        // (The `Drop` of a separator may panic; the key is removed by then.)
        drop(self.mend(number));
        Some((property, key))
    }

    #[inline]
    pub(super) fn pop_last(&mut self) -> Option<(Q, K)>
    where
        Q: Clone,
    {
        let number = self.last;
        if self.past.is_on() {
            self.note_removal(number, false);
        }
        let key = *self.leaves.all.get(number as usize)?.keys.first()?;
        let property = self.unlist(number, 0);
        drop(self.mend(number));
        Some((property, key))
    }

    /// Records that the least or the greatest key of a leaf, if there is one, is removed next. Its property is cloned.
    #[cold]
    #[inline(never)]
    fn note_removal(&mut self, number: u32, is_least: bool)
    where
        Q: Clone,
    {
        let Some(leaf) = self.leaves.all.get(number as usize) else { return };
        let Some(end) = leaf.len().checked_sub(1) else { return };
        let position = if is_least { end } else { 0 };
        let (key, from, property) =
            (leaf.keys[position], leaf.place(position), leaf.properties[position].clone());
        self.past.forget_undone();
        self.past.add(SortedChange::Removed { key, property, from });
    }

    /// Inserts into a leaf that has room. (At a position of a short leaf: the end, if there is none.)
    #[inline(always)]
    fn list(&mut self, key: K, property: Q, number: u32, position: usize) {
        let leaf = &mut self.leaves[number];
        let end = leaf.len();
        self.places.set_leaf(key.slot(), number);
        let position = if end < LEAF { position.min(end) } else { end };
        if end == LEAF {
            for (position, &key) in leaf.keys.iter().enumerate() {
                self.places.set_position(key.slot(), position);
            }
        }
        if end >= LEAF {
            self.places.set_position(key.slot(), end);
        }
        leaf.properties.insert(position, property);
        leaf.keys.insert(position, key);
        self.len += 1;
    }

    #[inline(always)]
    pub(super) fn unlist(&mut self, number: u32, position: usize) -> Q {
        let leaf = &mut self.leaves[number];
        self.len -= 1;
        if !leaf.is_long() && position + 1 < leaf.keys.len() {
            self.places.remove(leaf.keys.remove(position).slot());
            return leaf.properties.remove(position);
        }
        self.places.remove(leaf.keys.swap_remove(position).slot());
        if let Some(&moved) = leaf.keys.get(position) {
            self.places.set_position(moved.slot(), position);
        }
        leaf.properties.swap_remove(position)
    }
}

/// Compares properties on the way back, to find their leaves.
impl<Q: Ord + Clone, K: Key> Reverse for InOrder<Q, K> {
    type Change = SortedChange<Q, K>;
    type State = ();
    type Kept = ();

    fn past(&mut self) -> &mut Past<SortedChange<Q, K>, ()> {
        &mut self.past
    }

    fn state(&mut self) {}

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(
        &mut self,
        change: &mut SortedChange<Q, K>,
        (): &mut (),
        _: Way,
    ) -> Result<(), TryReserveError> {
        let (key, property, from) = match change {
            SortedChange::Removed { key, property, from } => (*key, property, *from),
            SortedChange::Added(key) => {
                let found = self.find_key(*key);
                let (leaf, at) = found.unwrap_or_else(|| unreachable!("it was filed"));
                *change = self.take_at(leaf, at);
                drop(self.mend(leaf));
                return Ok(());
            }
        };
        self.places.make_room_again(key.slot())?;
        let leaf = self.leaf_of(&*property);
        let (leaf, start) = self.find_room(leaf, property)?;
        let position = match from {
            FormerPosition::Behind(other) => match self.find_key(other) {
                Some((beside, at)) if beside == leaf && at >= start => at + 1,
                _ => start,
            },
            FormerPosition::At(_) => start,
        };
        if let Some(property) = mem::replace(change, SortedChange::Added(key)).property() {
            self.list(key, property, leaf, position);
        }
        if let FormerPosition::At(position) = from {
            self.exchange_with_last(leaf, position as usize);
        }
        Ok(())
    }
}

impl<Q, K: Key> InOrder<Q, K> {
    /// Exchanges a key of a long leaf with the last one.
    fn exchange_with_last(&mut self, number: u32, position: usize) {
        let leaf = &mut self.leaves[number];
        let last = leaf.len() - 1;
        // (An inconsistent `Ord` may have led to another leaf.)
        if position < last {
            leaf.keys.swap(position, last);
            leaf.properties.swap(position, last);
            for at in [position, last] {
                self.places.set_position(leaf.keys[at].slot(), at);
            }
        }
    }
}

/// A tree for which nothing is prepared: the one that is cloned may have an empty leaf.
impl<Q: Clone, K: Key> Clone for InOrder<Q, K> {
    fn clone(&self) -> Self {
        let mut tree = Self {
            leaves: self.leaves.clone(),
            inners: self.inners.clone(),
            places: self.places.clone(),
            past: Past::new(),
            ..*self
        };
        let is_empty = |&leaf: &u32| tree.leaves[leaf].len() == 0 && tree.is_linked(leaf);
        if let Some(empty) = (0..tree.leaves.all.len() as u32).find(is_empty) {
            drop(tree.unlink(empty, false));
        }
        tree
    }
}
