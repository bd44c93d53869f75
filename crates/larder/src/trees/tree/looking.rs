//! Looking around in a tree.

use super::Tree;
use crate::key::Key;
use crate::trees::links::{Ancestors, Children, Descendants, LinkStore, PostOrder, walk};

/// Looking around.
impl<K: Key> Tree<K> {
    /// The parent of a key; `None` for a root, and for a key that is not there. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.parent(b), Some(a));
    /// assert_eq!(tree.parent(a), None);
    /// ```
    #[must_use]
    pub fn parent(&self, key: K) -> Option<K> {
        walk::parent(self, key)
    }

    /// The first child of a key; `None` if there is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.first_child(a), Some(b));
    /// ```
    #[must_use]
    pub fn first_child(&self, key: K) -> Option<K> {
        walk::first_child(self, key)
    }

    /// The last child of a key; `None` if there is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.last_child(a), Some(c));
    /// ```
    #[must_use]
    pub fn last_child(&self, key: K) -> Option<K> {
        walk::last_child(self, key)
    }

    /// The sibling behind a key; `None` for the last, and for a root. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.next_sibling(b), Some(c));
    /// assert_eq!(tree.next_sibling(c), None);
    /// ```
    #[must_use]
    pub fn next_sibling(&self, key: K) -> Option<K> {
        walk::next_sibling(self, key)
    }

    /// The sibling in front of a key; `None` for the first, and for a root. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.prev_sibling(c), Some(b));
    /// assert_eq!(tree.prev_sibling(b), None);
    /// ```
    #[must_use]
    pub fn prev_sibling(&self, key: K) -> Option<K> {
        walk::prev_sibling(self, key)
    }

    /// The children of a key in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.children(a).eq([b, d]));
    /// assert!(tree.children(a).rev().eq([d, b]));
    /// ```
    pub fn children(&self, key: K) -> Children<'_, Self, K> {
        Children::new(self, key)
    }

    /// The parent of a key, its parent and so on to the root. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.ancestors(c).eq([b, a]));
    /// ```
    pub fn ancestors(&self, key: K) -> Ancestors<'_, Self, K> {
        Ancestors::new(self, key)
    }

    /// All below a key, each before its children (pre-order), the key itself left out. O(1) each on
    /// average; no recursion, no memory.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.descendants(a).eq([b, c, d]));
    /// ```
    pub fn descendants(&self, key: K) -> Descendants<'_, Self, K> {
        Descendants::new(self, key)
    }

    /// All below a key, each after its children, the key itself left out. O(1) each on average; no
    /// recursion, no memory.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.descendants_post_order(a).eq([c, b, d]));
    /// ```
    pub fn descendants_post_order(&self, key: K) -> PostOrder<'_, Self, K> {
        PostOrder::new(self, key)
    }

    /// How many ancestors a key has. O(depth).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert_eq!([a, b, c].map(|key| tree.depth(key)), [0, 1, 2]);
    /// ```
    #[must_use]
    pub fn depth(&self, key: K) -> usize {
        self.ancestors(key).count()
    }

    /// Whether `above` is the parent of `below`, or its parent, and so on. O(depth).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.is_ancestor(a, c));
    /// assert!(!tree.is_ancestor(d, c) && !tree.is_ancestor(a, a));
    /// ```
    #[must_use]
    pub fn is_ancestor(&self, above: K, below: K) -> bool {
        walk::is_ancestor(self, above, below)
    }

    /// The keys that have children and no parent, by slot. (What has neither is not in the tree.)
    /// O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, b, a).unwrap();
    /// tree.append(&things, c, d).unwrap();
    /// assert!(tree.roots().eq([b, c]));
    /// ```
    pub fn roots(&self) -> impl Iterator<Item = K> {
        self.nodes.keys().filter(|&key| self.parent(key).is_none())
    }

    /// Whether a key has a parent or children. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// assert!(tree.contains_key(a) && !tree.contains_key(c));
    /// ```
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.nodes.links(key).is_some_and(|links| !links.is_alone())
    }
}
