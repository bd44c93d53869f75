//! Walks over properties and keys in order; and over the nodes, to count and to check them.

use core::borrow::Borrow;
use core::mem;
use core::ops::{Bound, RangeBounds};

use super::node::{Leaf, NONE, Nodes};
use super::tree::InOrder;
use larder_core::key::Key;

/// The rest of a leaf in a walk: properties, and as many keys, the least at the end.
#[derive(Debug)]
struct Rest<'a, Q, K> {
    properties: &'a [Q],
    keys: &'a [K],
}

impl<Q, K> Clone for Rest<'_, Q, K> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, Q, K: Copy> Rest<'a, Q, K> {
    #[inline]
    fn pop(&mut self) -> Option<(&'a Q, K)> {
        let ((property, properties), (&key, keys)) =
            (self.properties.split_last()?, self.keys.split_last()?);
        *self = Rest { properties, keys };
        Some((property, key))
    }

    #[inline]
    fn pop_greatest(&mut self) -> Option<(&'a Q, K)> {
        let ((property, properties), (&key, keys)) =
            (self.properties.split_first()?, self.keys.split_first()?);
        *self = Rest { properties, keys };
        Some((property, key))
    }

    /// From the least on.
    #[inline]
    fn fold<A>(self, folded: A, mut f: impl FnMut(A, (&'a Q, K)) -> A) -> A {
        let keys = &self.keys[..self.properties.len()];
        (0..keys.len()).rev().fold(folded, |folded, at| f(folded, (&self.properties[at], keys[at])))
    }
}

fn nothing<'a, Q, K>() -> Rest<'a, Q, K> {
    Rest { properties: &[], keys: &[] }
}

/// Properties and keys, from either end.
#[derive(Debug)]
pub(super) struct Walk<'a, Q, K> {
    leaves: &'a Nodes<Leaf<Q, K>>,
    first: Rest<'a, Q, K>,
    /// Empty if there is one leaf only.
    last: Rest<'a, Q, K>,
    first_leaf: u32,
    last_leaf: u32,
}

impl<Q, K> Clone for Walk<'_, Q, K> {
    fn clone(&self) -> Self {
        Self { first: self.first.clone(), last: self.last.clone(), ..*self }
    }
}

impl<'a, Q, K> Walk<'a, Q, K> {
    /// Goes on with the next leaf, if there is one.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        let is_more = self.first_leaf != self.last_leaf;
        if is_more {
            self.enter_next();
        }
        is_more
    }

    #[inline(never)]
    fn enter_next(&mut self) {
        self.first_leaf = self.leaves[self.first_leaf].next;
        match self.first_leaf {
            leaf if leaf == self.last_leaf => self.first = mem::replace(&mut self.last, nothing()),
            NONE => self.finish(),
            leaf => self.first = self.leaves[leaf].rest(),
        }
    }

    /// Goes on with the leaf before the last, if there is one.
    fn retreat(&mut self) -> bool {
        if self.first_leaf == self.last_leaf {
            return false;
        }
        self.last_leaf = self.leaves[self.last_leaf].previous;
        match self.last_leaf {
            leaf if leaf == self.first_leaf => {}
            NONE => self.finish(),
            leaf => self.last = self.leaves[leaf].rest(),
        }
        true
    }

    /// (An inconsistent `Ord` may have a range end before it starts.)
    #[cold]
    fn finish(&mut self) {
        (self.first, self.last) = (nothing(), nothing());
        (self.first_leaf, self.last_leaf) = (NONE, NONE);
    }
}

impl<'a, Q, K: Copy> Iterator for Walk<'a, Q, K> {
    type Item = (&'a Q, K);

    #[inline]
    fn next(&mut self) -> Option<(&'a Q, K)> {
        loop {
            if let Some(pair) = self.first.pop() {
                return Some(pair);
            }
            if !self.advance() {
                return None;
            }
        }
    }

    #[inline]
    fn fold<A, F: FnMut(A, (&'a Q, K)) -> A>(self, mut folded: A, mut f: F) -> A {
        // (The walk is taken apart, because a walk in memory would be copied here, which waits for it to be written.)
        let Self { leaves, first: mut rest, last, first_leaf: mut leaf, last_leaf } = self;
        loop {
            folded = rest.fold(folded, &mut f);
            if leaf == last_leaf {
                return folded;
            }
            leaf = leaves[leaf].next;
            rest = match leaf {
                leaf if leaf == last_leaf => last.clone(),
                // (An inconsistent `Ord` may have a range end before it starts.)
                NONE => return folded,
                leaf => leaves[leaf].rest(),
            };
        }
    }
}

impl<Q, K: Copy> DoubleEndedIterator for Walk<'_, Q, K> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        loop {
            let is_one = self.first_leaf == self.last_leaf;
            let last = if is_one { &mut self.first } else { &mut self.last };
            if let Some(pair) = last.pop_greatest() {
                return Some(pair);
            }
            if !self.retreat() {
                return None;
            }
        }
    }
}

impl<Q, K> Leaf<Q, K> {
    fn rest(&self) -> Rest<'_, Q, K> {
        Rest { properties: &self.properties, keys: &self.keys }
    }

    fn rest_of(&self, start: usize, end: usize) -> Rest<'_, Q, K> {
        // (An inconsistent `Ord` may have any positions.)
        let start = start.min(end);
        Rest { properties: &self.properties[start..end], keys: &self.keys[start..end] }
    }
}

impl<Q, K: Key> InOrder<Q, K> {
    pub(super) fn iter(&self) -> Walk<'_, Q, K> {
        let last = |leaf: u32| if leaf == NONE { 0 } else { self.leaves[leaf].len() };
        self.walk((self.first, last(self.first)), (self.last, 0))
    }

    /// Those in a range, which must not start after its end.
    #[inline(always)]
    pub(super) fn range<B: Ord + ?Sized>(&self, range: &impl RangeBounds<B>) -> Walk<'_, Q, K>
    where
        Q: Borrow<B>,
    {
        if self.first == NONE {
            return self.iter();
        }
        let [start, end] = self.ends(range);
        self.walk(start, end)
    }

    /// Returns the leaf and the position in it at which a range starts, and those at which it ends. There is a leaf.
    ///
    /// It is out of line, so that what a caller has of its own is small: the walk.
    #[inline(never)]
    fn ends<B: Ord + ?Sized>(&self, range: &impl RangeBounds<B>) -> [(u32, usize); 2]
    where
        Q: Borrow<B>,
    {
        let start = match range.start_bound() {
            Bound::Unbounded => (self.first, self.leaves[self.first].len()),
            Bound::Included(property) => self.cut(self.leaf_of(property), property, false),
            Bound::Excluded(property) => self.cut(self.leaf_of(property), property, true),
        };
        let end = match range.end_bound() {
            Bound::Unbounded => (self.last, 0),
            Bound::Included(property) => {
                self.cut(self.leaf_near(start.0, property), property, true)
            }
            Bound::Excluded(property) => {
                self.cut(self.leaf_near(start.0, property), property, false)
            }
        };
        [start, end]
    }

    /// Returns the position in a leaf at which the properties below `property` begin, or if `is_above` those at most
    /// `property`.
    #[inline(always)]
    fn cut<B: Ord + ?Sized>(&self, number: u32, property: &B, is_above: bool) -> (u32, usize)
    where
        Q: Borrow<B>,
    {
        let leaf = &self.leaves[number];
        (number, if is_above { leaf.above(property) } else { leaf.from(property) })
    }

    /// Returns [`leaf_of`](Self::leaf_of), but tries `near` and the next leaf first, because most short ranges end
    /// there.
    #[inline]
    fn leaf_near<B: Ord + ?Sized>(&self, near: u32, property: &B) -> u32
    where
        Q: Borrow<B>,
    {
        let reaches = |number: u32| {
            let leaf = self.leaves.all.get(number as usize);
            let greatest = leaf.and_then(|leaf| leaf.properties.first());
            greatest.is_some_and(|greatest| greatest.borrow().cmp(property).is_ge())
        };
        let next = self.leaves[near].next;
        if reaches(near) {
            near
        } else if reaches(next) {
            next
        } else {
            self.leaf_far(property)
        }
    }

    #[inline(never)]
    fn leaf_far<B: Ord + ?Sized>(&self, property: &B) -> u32
    where
        Q: Borrow<B>,
    {
        self.leaf_of(property)
    }

    /// From before a position in one leaf to a position in another.
    #[inline(always)]
    fn walk(&self, (first, end): (u32, usize), (last, start): (u32, usize)) -> Walk<'_, Q, K> {
        let leaves = &self.leaves;
        let mut walk =
            Walk { leaves, first: nothing(), last: nothing(), first_leaf: first, last_leaf: last };
        if first == last && first != NONE {
            walk.first = leaves[first].rest_of(start, end);
        } else if first != NONE {
            walk.first = leaves[first].rest_of(0, end);
            walk.last = leaves[last].rest_of(start, leaves[last].len());
        }
        walk
    }
}
