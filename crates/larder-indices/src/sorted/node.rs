//! The nodes of the tree, and the leaf of each key, by slot.
//!
//! **Invariant** of [`Places`]. A slot has a position if it has a leaf and there was ever a long leaf. (Only
//! those of keys of long leaves are right.)

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::mem;
use core::ops::Range;

use crate::raw::simd::bits;
use larder_core::TryReserveError;
use larder_core::key::Key;
use larder_core::maps::BySlot;
use larder_core::room::{reserve, reserve_exact};

/// A leaf with more keys than this has one property only.
pub(super) const LEAF: usize = 32;
/// A leaf that has lost keys until it has this many is merged with one beside it.
pub(super) const THIN: usize = LEAF / 4;
/// Leaves that have this many keys together are merged.
pub(super) const MERGED: usize = LEAF * 3 / 4;
/// The largest number of children of an inner node.
pub(super) const FAN: usize = 64;
/// An inner node that has lost children until it has this many is merged with one beside it.
pub(super) const THIN_INNER: usize = FAN / 4;

/// Properties and their keys, the greatest first: so the least one is taken from the end, without moving others.
/// (A search reads one line of the cache here, and those of what it looks for.)
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Leaf<Q, K> {
    pub(super) properties: Vec<Q>,
    pub(super) keys: Vec<K>,
    pub(super) parent: u32,
    pub(super) previous: u32,
    /// The next leaf; for a free leaf, the next free one.
    pub(super) next: u32,
}

impl<Q, K> Leaf<Q, K> {
    const EMPTY: Self =
        Self { properties: Vec::new(), keys: Vec::new(), parent: NONE, previous: NONE, next: NONE };

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether it has one property, whose keys know their positions.
    #[inline]
    pub(super) fn is_long(&self) -> bool {
        self.len() > LEAF
    }

    /// Has room for one more key.
    #[inline]
    pub(super) fn make_room(&mut self) -> Result<(), TryReserveError> {
        if self.has_room() {
            return Ok(());
        }
        reserve(&mut self.properties, 1)?;
        reserve(&mut self.keys, 1)
    }

    /// Has room for [`LEAF`] keys.
    pub(super) fn make_room_for_all(&mut self) -> Result<(), TryReserveError> {
        let additional = LEAF.saturating_sub(self.len());
        reserve_exact(&mut self.properties, additional)?;
        reserve_exact(&mut self.keys, additional)
    }

    /// Returns whether there is room for another key. (So that a vector does not ask again, it is compared as there.)
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.properties.len() < self.properties.capacity() && self.len() < self.keys.capacity()
    }

    /// Returns the number of keys for which there is room.
    pub(super) fn room(&self) -> usize {
        (self.properties.capacity() - self.properties.len()).min(self.keys.capacity() - self.len())
    }

    /// Returns the positions of the property's keys, or the position at which they would be.
    #[inline(always)]
    pub(super) fn group<B: Ord + ?Sized>(&self, property: &B) -> Range<usize>
    where
        Q: Borrow<B>,
    {
        if self.is_long() {
            return self.whole(property);
        }
        let start = self.above(property);
        if is_plain::<Q>() {
            return start..self.from(property).max(start);
        }
        let rest = self.properties[start..].iter();
        start..start + rest.take_while(|other| (*other).borrow().cmp(property).is_eq()).count()
    }

    /// Returns the number of properties that are greater.
    #[inline(always)]
    pub(super) fn above<B: Ord + ?Sized>(&self, property: &B) -> usize
    where
        Q: Borrow<B>,
    {
        if self.is_long() {
            return self.whole(property).start;
        }
        leading::<Q, LEAF>(&self.properties, move |other: &Q| other.borrow().cmp(property).is_gt())
    }

    /// Returns the number of properties that are greater or equal.
    #[inline(always)]
    pub(super) fn from<B: Ord + ?Sized>(&self, property: &B) -> usize
    where
        Q: Borrow<B>,
    {
        if self.is_long() {
            return self.whole(property).end;
        }
        leading::<Q, LEAF>(&self.properties, move |other: &Q| other.borrow().cmp(property).is_ge())
    }

    /// Returns [`group`](Self::group) of a leaf with one property, in a single comparison.
    #[inline(never)]
    fn whole<B: Ord + ?Sized>(&self, property: &B) -> Range<usize>
    where
        Q: Borrow<B>,
    {
        let len = self.len();
        match self.properties.first().map(|first| first.borrow().cmp(property)) {
            Some(Ordering::Greater) => len..len,
            Some(Ordering::Equal) => 0..len,
            _ => 0..0,
        }
    }

    /// Returns the position of a slot's key, if it is in this leaf.
    ///
    /// Keys are compared in rows, the last of which is a whole one, too.
    #[inline(always)]
    pub(super) fn position_of(&self, slot: u32) -> Option<usize>
    where
        K: Key,
    {
        let Some(most) = self.keys.len().checked_sub(ROW) else {
            return self.keys.iter().position(|key| key.slot() == slot);
        };
        let mut start = 0;
        loop {
            let row = self.keys[start.min(most)..].first_chunk()?;
            let found = bits_of_row(row, |key: &K| key.slot() == slot);
            if found != 0 {
                return Some(start.min(most) + found.trailing_zeros() as usize);
            }
            if start >= most {
                return None;
            }
            start += ROW;
        }
    }

    /// Returns the position nearest to the middle at which the leaf can be divided between two properties.
    pub(super) fn border(&self) -> Option<usize>
    where
        Q: Ord,
    {
        let middle = self.len() / 2;
        let differs = |at: &usize| {
            let pair = self.properties.get(at - 1..=*at);
            pair.is_some_and(|pair| pair[0].cmp(&pair[1]).is_ne())
        };
        (0..middle).flat_map(|far| [middle - far, middle + far]).find(differs)
    }

    pub(super) fn take_buffers(&mut self) -> (Vec<Q>, Vec<K>) {
        (mem::take(&mut self.properties), mem::take(&mut self.keys))
    }

    /// Makes a free leaf of one without properties. Memory beyond that of a leaf is freed.
    pub(super) fn retire(&mut self) {
        let (properties, keys) = self.take_buffers();
        *self = Self::EMPTY;
        if keys.capacity() <= 2 * LEAF {
            (self.properties, self.keys) = (properties, keys);
            self.keys.clear();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.properties.capacity() * size_of::<Q>() + self.keys.capacity() * size_of::<K>()
    }
}

/// Children and separators: `separators[i]` is greater than all properties of `children[i]`, and at most all of those
/// of `children[i + 1]`.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Inner<Q> {
    pub(super) separators: Vec<Q>,
    pub(super) children: Vec<u32>,
    /// The parent; for a free node, the next free one.
    pub(super) parent: u32,
    /// True if the children are leaves.
    pub(super) is_low: bool,
}

impl<Q> Inner<Q> {
    const EMPTY: Self =
        Self { separators: Vec::new(), children: Vec::new(), parent: NONE, is_low: true };

    /// The number of the child with this property.
    #[inline(always)]
    pub(super) fn find<B: Ord + ?Sized>(&self, property: &B) -> usize
    where
        Q: Borrow<B>,
    {
        leading::<Q, FAN>(&self.separators, move |separator: &Q| {
            separator.borrow().cmp(property).is_le()
        })
    }

    /// Returns the position of a child among the children.
    pub(super) fn index_of(&self, child: u32) -> usize {
        self.children.iter().position(|&other| other == child).unwrap_or(0)
    }

    /// Has room for one more child.
    pub(super) fn make_room(&mut self) -> Result<(), TryReserveError> {
        let additional = FAN.saturating_sub(self.children.len());
        reserve_exact(&mut self.children, additional)?;
        reserve_exact(&mut self.separators, additional)
    }

    /// Inserts a child before another or after it.
    pub(super) fn link(&mut self, beside: u32, is_after: bool, child: u32, separator: Q) {
        let index = self.index_of(beside);
        self.separators.insert(index, separator);
        self.children.insert(index + usize::from(is_after), child);
    }

    /// Removes a child, and the separator after or before it.
    pub(super) fn unlink(&mut self, child: u32, is_after: bool) -> Option<Q> {
        let index = self.index_of(child);
        self.children.remove(index);
        let separator = if is_after { index } else { index.saturating_sub(1) };
        (separator < self.separators.len()).then(|| self.separators.remove(separator))
    }

    pub(super) fn take_buffers(&mut self) -> (Vec<Q>, Vec<u32>) {
        (mem::take(&mut self.separators), mem::take(&mut self.children))
    }

    pub(super) fn room(&self) -> usize {
        let separators = self.separators.capacity() - self.separators.len();
        separators.min(self.children.capacity() - self.children.len())
    }

    pub(super) fn bytes(&self) -> usize {
        self.separators.capacity() * size_of::<Q>() + self.children.capacity() * size_of::<u32>()
    }
}

/// Returns whether comparing is so cheap that values are compared side by side, rather than one after the other.
const fn is_plain<Q>() -> bool {
    !mem::needs_drop::<Q>() && size_of::<Q>() <= 8
}

/// The number of values that are compared at once: a leaf has four rows at most, an inner node eight.
const ROW: usize = 8;
const _: () = assert!(LEAF == 4 * ROW && FAN == 8 * ROW);

/// Returns the length of the leading run of values for which `is` holds.
///
/// Plain values are counted without branches: a branch at each step would be mispredicted half of the time. All rows
/// that a node may have are read, because each node has another number of values, so that a loop that ends with them
/// would be mispredicted, too.
#[inline(always)]
fn leading<Q, const MOST: usize>(values: &[Q], is: impl Fn(&Q) -> bool + Copy) -> usize {
    if !is_plain::<Q>() {
        return values.partition_point(is);
    }
    if size_of::<Q>() <= 4 {
        return leading_small::<Q, MOST>(values, is);
    }
    let Some(most) = values.len().checked_sub(ROW) else { return few(values, is) };
    let each = const { MOST / ROW / 4 };
    let mut rows = is_each_past(values, each, is);
    if each > 1 {
        rows += is_row_past(values, rows + 1, is);
    }
    let start = (rows * ROW).min(most);
    let Some(row) = values[start..].first_chunk::<ROW>() else { return start };
    start + few(row, is)
}

/// Returns [`leading`] of values that are compared four at once. All values of a leaf are compared, so that no step
/// waits for another one. In an inner node the last value of every second row selects two rows, which are compared.
#[inline(always)]
fn leading_small<Q, const MOST: usize>(values: &[Q], is: impl Fn(&Q) -> bool + Copy) -> usize {
    let len = values.len();
    let (Some(first), Some(last)) = (values.first_chunk(), values.last_chunk()) else {
        let (Some(first), Some(last)) = (values.first_chunk(), values.last_chunk()) else {
            return few(values, is);
        };
        let found = bits_of_row(first, is) | bits_of_row(last, is) << (len - ROW);
        return found.trailing_ones() as usize;
    };
    let most = len - 2 * ROW;
    if MOST == LEAF {
        let found = bits_of_two(first, is) | bits_of_two(last, is) << most;
        return found.trailing_ones() as usize;
    }
    let start = (is_each_past(values, 2, is) * ROW).min(most);
    let Some(two) = values[start..].first_chunk() else { return start };
    start + bits_of_two(two, is).trailing_ones() as usize
}

/// Returns the number of leading rows in which `is` holds for all values, rounded down to a multiple of `each`, and at
/// most three times `each`.
#[inline(always)]
fn is_each_past<Q>(values: &[Q], each: usize, is: impl Fn(&Q) -> bool + Copy) -> usize {
    let past = is_row_past(values, each, is)
        + is_row_past(values, 2 * each, is)
        + is_row_past(values, 3 * each, is);
    past * each
}

/// Returns 1 if `is` holds for the last value of the first `rows` rows. (It is a function, since the compiler calls
/// closures and loops of this.)
#[inline(always)]
fn is_row_past<Q>(values: &[Q], rows: usize, is: impl Fn(&Q) -> bool) -> usize {
    usize::from(is(&values[(rows * ROW - 1).min(values.len() - 1)]))
}

/// Returns a bit for each value for which `is` holds.
#[inline(always)]
fn bits_of_row<E>(row: &[E; ROW], is: impl Fn(&E) -> bool) -> u32 {
    let [a, b, c, d, e, f, g, h] = row;
    bits([is(a), is(b), is(c), is(d)]) | bits([is(e), is(f), is(g), is(h)]) << 4
}

/// Returns the bits of two rows, like [`bits_of_row`]. (Named values let the compiler make all sixteen results in one
/// step.)
#[inline(always)]
fn bits_of_two<E>(rows: &[E; 2 * ROW], is: impl Fn(&E) -> bool) -> u32 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = rows;
    let first = bits([is(a), is(b), is(c), is(d)]) | bits([is(e), is(f), is(g), is(h)]) << 4;
    let last = bits([is(i), is(j), is(k), is(l)]) | bits([is(m), is(n), is(o), is(p)]) << 4;
    first | last << ROW
}

/// Returns [`leading`] of at most one row.
#[inline(always)]
fn few<Q>(values: &[Q], is: impl Fn(&Q) -> bool) -> usize {
    values.iter().map(|value| u32::from(is(value))).sum::<u32>() as usize
}

/// A kind of node.
pub(super) trait Node {
    const EMPTY: Self;

    /// The field that has the next free one.
    fn next_free(&mut self) -> &mut u32;

    /// Drops its properties, and makes a free node of it, with its memory.
    fn empty(&mut self);
}

impl<Q, K> Node for Leaf<Q, K> {
    const EMPTY: Self = Self::EMPTY;

    fn next_free(&mut self) -> &mut u32 {
        &mut self.next
    }

    fn empty(&mut self) {
        self.properties.clear();
        self.retire();
    }
}

impl<Q> Node for Inner<Q> {
    const EMPTY: Self = Self::EMPTY;

    fn next_free(&mut self) -> &mut u32 {
        &mut self.parent
    }

    fn empty(&mut self) {
        self.separators.clear();
        self.children.clear();
    }
}

/// Nodes by number.
#[derive(Clone, Debug)]
pub(super) struct Nodes<N> {
    pub(super) all: Vec<N>,
    free: u32,
}

impl<N: Node> Nodes<N> {
    pub(super) const fn new() -> Self {
        Self { all: Vec::new(), free: NONE }
    }

    /// The number of a free node. It is free until it is [taken](Self::take).
    pub(super) fn find_free(&mut self) -> Result<u32, TryReserveError> {
        if self.free == NONE {
            let number = self.all.len();
            if number == self.all.capacity() {
                // (By a quarter where there are many: what is not used is little.)
                reserve_exact(&mut self.all, if number < 64 { number.max(4) } else { number / 4 })?;
            }
            self.all.push(N::EMPTY);
            self.free = number as u32;
        }
        Ok(self.free)
    }

    /// Takes what [`find_free`](Self::find_free) has returned.
    pub(super) fn take(&mut self) -> u32 {
        let number = self.free;
        self.free = mem::replace(self[number].next_free(), NONE);
        number
    }

    pub(super) fn free(&mut self, number: u32) {
        *self[number].next_free() = mem::replace(&mut self.free, number);
    }

    /// Makes `nodes` nodes in all, each with the room that `make_room` makes. On an error nothing visible has changed.
    pub(super) fn try_reserve(
        &mut self,
        nodes: usize,
        make_room: impl Fn(&mut N) -> Result<(), TryReserveError>,
    ) -> Result<(), TryReserveError> {
        let before = self.all.len();
        let more = nodes.saturating_sub(before);
        reserve_exact(&mut self.all, more)?;
        self.all.extend((0..more).map(|_| N::EMPTY));
        (before..before + more).rev().for_each(|number| self.free(number as u32));
        self.all.iter_mut().try_for_each(make_room)
    }

    /// Drops the memory of free nodes and returns their numbers in ascending order; they are not free any more. If
    /// allocation fails, it returns none, and nothing has changed.
    pub(super) fn take_free(&mut self) -> Vec<u32> {
        let (mut numbers, mut number) = (Vec::new(), self.free);
        while number != NONE {
            if reserve(&mut numbers, 1).is_err() {
                return Vec::new();
            }
            numbers.push(number);
            number = *self[number].next_free();
        }
        self.free = NONE;
        numbers.iter().for_each(|&number| self[number] = N::EMPTY);
        numbers.sort_unstable();
        numbers
    }

    /// Has only the first nodes, and no room for others, as far as the allocator agrees.
    pub(super) fn truncate(&mut self, nodes: usize) {
        self.all.truncate(nodes);
        let mut fitting = Vec::new();
        if reserve_exact(&mut fitting, nodes).is_ok() {
            fitting.append(&mut self.all);
            self.all = fitting;
        }
    }

    /// Drops all properties, and frees all nodes.
    pub(super) fn free_all(&mut self) {
        self.free = NONE;
        for number in 0..self.all.len() {
            self.all[number].empty();
            self.free(number as u32);
        }
    }
}

impl<N> Nodes<N> {
    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<N>()
    }
}

impl<Q> Nodes<Inner<Q>> {
    /// The leaf in which a property is, or would be, below a root of this height.
    #[inline(always)]
    pub(super) fn leaf_below<B: Ord + ?Sized>(&self, root: u32, height: usize, property: &B) -> u32
    where
        Q: Borrow<B>,
    {
        let mut node = root;
        for _ in 0..height {
            let inner = &self[node];
            node = inner.children[inner.find(property)];
        }
        node
    }
}

impl<N> core::ops::Index<u32> for Nodes<N> {
    type Output = N;

    #[inline]
    fn index(&self, number: u32) -> &N {
        &self.all[number as usize]
    }
}

impl<N> core::ops::IndexMut<u32> for Nodes<N> {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut N {
        &mut self.all[number as usize]
    }
}

/// No leaf, and no node.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LeafNumber(pub(super) u32);

impl Default for LeafNumber {
    #[inline]
    fn default() -> Self {
        Self(NONE)
    }
}

/// The leaf of each key, and where in its leaf it is, once there was a long leaf.
#[derive(Clone, Debug)]
pub(super) struct Places {
    leaves: BySlot<LeafNumber>,
    /// By slot, one more than the position.
    positions: Option<BySlot<u32>>,
}

impl Places {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { leaves: BySlot::new(), positions: None }
    }

    /// The leaf of the key in a slot, or [`NONE`].
    #[inline]
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        self.leaves.get(slot).0
    }

    /// The position of the key in a slot, which is in a long leaf.
    #[inline]
    pub(super) fn position(&self, slot: u32) -> usize {
        let position = self.positions.as_ref().map_or(0, |positions| positions.get(slot));
        position.saturating_sub(1) as usize
    }

    /// Lends the leaf of a slot without a key, if a key is filed by setting that alone: the slot is within the array,
    /// and there are no positions to write.
    #[inline]
    pub(super) fn vacant_mut(&mut self, slot: u32) -> Option<&mut LeafNumber> {
        if self.positions.is_some() {
            return None;
        }
        self.leaves.near_mut(slot).filter(|leaf| **leaf == LeafNumber::default())
    }

    /// Sets the leaf of a key for which there is room, or which has one.
    #[inline]
    pub(super) fn set_leaf(&mut self, slot: u32, leaf: u32) {
        self.leaves.set(slot, LeafNumber(leaf));
        if let Some(positions) = &mut self.positions {
            positions.set(slot, positions.get(slot).max(1));
        }
    }

    /// Sets the leaf of keys that have one.
    pub(super) fn set_leaves<K: Key>(&mut self, keys: &[K], leaf: u32) {
        keys.iter().for_each(|key| self.leaves.set(key.slot(), LeafNumber(leaf)));
    }

    /// Sets where in its long leaf a key is, whose leaf is set.
    #[inline]
    pub(super) fn set_position(&mut self, slot: u32, position: usize) {
        if let Some(positions) = &mut self.positions {
            positions.set(slot, position as u32 + 1);
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        self.leaves.take(slot);
        if let Some(positions) = &mut self.positions {
            positions.take(slot);
        }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.leaves.clear();
        if let Some(positions) = &mut self.positions {
            positions.clear();
        }
    }

    /// Makes room for a slot beside `others` other slots. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room(&mut self, slot: u32, others: usize) -> Result<(), TryReserveError> {
        if let Some(positions) = &mut self.positions {
            positions.make_room(slot, others)?;
        }
        self.leaves.make_room(slot, others)
    }

    /// Makes room for a slot that had a leaf before. On an error nothing visible has changed.
    #[inline]
    pub(super) fn make_room_again(&mut self, slot: u32) -> Result<(), TryReserveError> {
        if let Some(positions) = &mut self.positions {
            positions.make_room_again(slot)?;
        }
        self.leaves.make_room_again(slot)
    }

    /// Makes room for `additional` more keys, of `max`, if their slots are side by side. On an error nothing visible
    /// has changed.
    #[inline]
    pub(super) fn try_reserve(
        &mut self,
        additional: usize,
        used: usize,
        max: u32,
    ) -> Result<(), TryReserveError> {
        if let Some(positions) = &mut self.positions {
            positions.try_reserve(additional, used, max)?;
        }
        self.leaves.try_reserve(additional, used, max)
    }

    /// Makes room for positions. On an error nothing has changed.
    #[inline]
    pub(super) fn keep_positions(&mut self) -> Result<(), TryReserveError> {
        if self.positions.is_none() {
            self.positions = Some(self.leaves.try_map(|_| 1)?);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn shrink_to_fit(&mut self) {
        self.leaves.shrink_to_fit();
        if let Some(positions) = &mut self.positions {
            positions.shrink_to_fit();
        }
    }

    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.leaves.bytes() + self.positions.as_ref().map_or(0, BySlot::bytes)
    }

    /// Returns the number of keys that have a leaf.
    #[cfg(feature = "__test")]
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.leaves.count()
    }
}
