//! Looking around in a hierarchy through the objects.

use super::{Ancestors, Children, Descendants, LinkStore, Links, PostOrder, walk};
use crate::key::Key;

/// Looking around.
impl<K: Key> Links<K> {
    /// The parent of a key; `None` for a root, and for a key that is not there. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// assert_eq!(Links::parent(&things, b), Some(a));
    /// assert_eq!(Links::parent(&things, a), None);
    /// ```
    #[must_use]
    pub fn parent(objects: &impl LinkStore<K, Self>, key: K) -> Option<K> {
        walk::parent(objects, key)
    }

    /// The first child of a key; `None` if there is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// assert_eq!(Links::first_child(&things, a), Some(b));
    /// ```
    #[must_use]
    pub fn first_child(objects: &impl LinkStore<K, Self>, key: K) -> Option<K> {
        walk::first_child(objects, key)
    }

    /// The last child of a key; `None` if there is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// assert_eq!(Links::last_child(&things, a), Some(c));
    /// ```
    #[must_use]
    pub fn last_child(objects: &impl LinkStore<K, Self>, key: K) -> Option<K> {
        walk::last_child(objects, key)
    }

    /// The sibling behind a key; `None` for the last, and for a root. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// assert_eq!(Links::next_sibling(&things, b), Some(c));
    /// assert_eq!(Links::next_sibling(&things, c), None);
    /// ```
    #[must_use]
    pub fn next_sibling(objects: &impl LinkStore<K, Self>, key: K) -> Option<K> {
        walk::next_sibling(objects, key)
    }

    /// The sibling in front of a key; `None` for the first, and for a root. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// assert_eq!(Links::prev_sibling(&things, c), Some(b));
    /// assert_eq!(Links::prev_sibling(&things, b), None);
    /// ```
    #[must_use]
    pub fn prev_sibling(objects: &impl LinkStore<K, Self>, key: K) -> Option<K> {
        walk::prev_sibling(objects, key)
    }

    /// The children of a key in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::children(&things, a).eq([b, d]));
    /// assert!(Links::children(&things, a).rev().eq([d, b]));
    /// ```
    pub fn children<S: LinkStore<K, Self>>(objects: &S, key: K) -> Children<'_, S, K> {
        Children::new(objects, key)
    }

    /// The parent of a key, its parent and so on to the root. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::ancestors(&things, c).eq([b, a]));
    /// ```
    pub fn ancestors<S: LinkStore<K, Self>>(objects: &S, key: K) -> Ancestors<'_, S, K> {
        Ancestors::new(objects, key)
    }

    /// All below a key, each before its children (pre-order), the key itself left out. O(1) each on
    /// average; no recursion, no memory.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::descendants(&things, a).eq([b, c, d]));
    /// ```
    pub fn descendants<S: LinkStore<K, Self>>(objects: &S, key: K) -> Descendants<'_, S, K> {
        Descendants::new(objects, key)
    }

    /// All below a key, each after its children, the key itself left out. O(1) each on average; no
    /// recursion, no memory.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::descendants_post_order(&things, a).eq([c, b, d]));
    /// ```
    pub fn descendants_post_order<S: LinkStore<K, Self>>(
        objects: &S,
        key: K,
    ) -> PostOrder<'_, S, K> {
        PostOrder::new(objects, key)
    }

    /// How many ancestors a key has. O(depth).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert_eq!([a, b, c].map(|key| Links::depth(&things, key)), [0, 1, 2]);
    /// ```
    #[must_use]
    pub fn depth(objects: &impl LinkStore<K, Self>, key: K) -> usize {
        Ancestors::new(objects, key).count()
    }

    /// Whether `above` is the parent of `below`, or its parent, and so on. O(depth).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::is_ancestor(&things, a, c));
    /// assert!(!Links::is_ancestor(&things, d, c) && !Links::is_ancestor(&things, a, a));
    /// ```
    #[must_use]
    pub fn is_ancestor(objects: &impl LinkStore<K, Self>, above: K, below: K) -> bool {
        walk::is_ancestor(objects, above, below)
    }
}
