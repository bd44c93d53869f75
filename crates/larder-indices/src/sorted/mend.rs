//! Mending after a removal: nodes that have become empty are removed, thin ones merged. No user code runs, but for the
//! `Drop` of what is returned, and nothing is allocated.

use core::mem;

use super::node::{FAN, MERGED, NONE, THIN, THIN_INNER};
use super::tree::InOrder;
use larder_core::key::Key;

/// Changes, without user code or memory.
impl<Q, K: Key> InOrder<Q, K> {
    /// Removes a leaf that has become empty, or merges one that has become thin, and returns a separator that is not
    /// needed any more. (Asked once on the way down: after that a leaf beside it may become thin, or it is removed.)
    #[inline(always)]
    pub(super) fn mend(&mut self, number: u32) -> Option<Q> {
        match self.leaves[number].len() {
            0 => self.unlink(number, false),
            THIN => self.merge(number),
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn merge(&mut self, number: u32) -> Option<Q> {
        let leaf = &self.leaves[number];
        let (parent, previous, next) = (leaf.parent, leaf.previous, leaf.next);
        let fits = |other: u32, is_after: bool| {
            let Some(other) = self.leaves.all.get(other as usize) else { return false };
            let room =
                if is_after { other.room() >= leaf.len() } else { leaf.room() >= other.len() };
            room && leaf.len() + other.len() <= MERGED && other.parent == parent
        };
        let is_after = fits(next, true);
        if !is_after && !fits(previous, false) {
            return None;
        }
        let into = if is_after { next } else { previous };
        let (mut properties, mut keys) = self.leaves[number].take_buffers();
        self.places.set_leaves(&keys, into);
        let other = &mut self.leaves[into];
        if !is_after {
            mem::swap(&mut properties, &mut other.properties);
            mem::swap(&mut keys, &mut other.keys);
        }
        other.properties.append(&mut properties);
        other.keys.append(&mut keys);
        let leaf = &mut self.leaves[number];
        (leaf.properties, leaf.keys) = (properties, keys);
        self.unlink(number, is_after)
    }

    /// Removes an empty leaf, whose place the one after it or before it takes, if there is one; returns the separator
    /// between them.
    #[inline(never)]
    pub(super) fn unlink(&mut self, number: u32, is_after: bool) -> Option<Q> {
        let leaf = &mut self.leaves[number];
        let (parent, previous, next) = (leaf.parent, leaf.previous, leaf.next);
        leaf.retire();
        self.chain(previous, next);
        self.leaves.free(number);
        if parent == NONE {
            self.root = NONE;
            return None;
        }
        self.remove_child(parent, number, is_after)
    }

    fn remove_child(&mut self, number: u32, child: u32, is_after: bool) -> Option<Q> {
        let separator = self.inners[number].unlink(child, is_after);
        let above = self.inners[number].parent;
        match self.inners[number].children.len() {
            0 => {
                self.inners.free(number);
                if above == NONE {
                    (self.root, self.height) = (NONE, 0);
                    return separator;
                }
                return self.remove_child(above, number, false);
            }
            THIN_INNER => self.merge_inner(number),
            _ => {}
        }
        self.lower();
        separator
    }

    /// Merges a thin inner node with one beside it.
    fn merge_inner(&mut self, number: u32) {
        let above = self.inners[number].parent;
        let Some(parent) = self.inners.all.get(above as usize) else { return };
        let index = parent.index_of(number);
        let pair = |at: usize| Some((*parent.children.get(at)?, *parent.children.get(at + 1)?));
        let fits = |&(left, right): &(u32, u32)| {
            let (left, right) = (&self.inners[left], &self.inners[right]);
            let (many, more) = (left.children.len(), right.children.len());
            many + more <= FAN * 3 / 4 && left.room() >= more
        };
        let after = pair(index).filter(fits);
        let before = || pair(index.checked_sub(1)?).filter(fits);
        let Some((left, right)) = after.or_else(before) else { return };
        let Some(middle) = self.inners[above].unlink(right, false) else { return };
        let (mut separators, mut children) = self.inners[left].take_buffers();
        separators.push(middle);
        separators.append(&mut self.inners[right].separators);
        children.append(&mut self.inners[right].children);
        self.put_children(left, separators, children);
        self.inners.free(right);
        if self.inners[above].children.len() == THIN_INNER {
            self.merge_inner(above);
        }
    }

    /// Removes roots with one child.
    fn lower(&mut self) {
        while self.height > 0 {
            let root = &mut self.inners[self.root];
            let (is_low, &[child]) = (root.is_low, &root.children[..]) else { return };
            root.children.clear();
            self.inners.free(self.root);
            *self.parent(child, is_low) = NONE;
            self.root = child;
            self.height -= 1;
        }
    }
}
