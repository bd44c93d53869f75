//! The methods of [`Tree`](crate::Tree) and of [`Links`], written once.
//!
//! Both do the same to a [`LinkStore`]: a `Tree` has one, and the methods of `Links` take one.

use core::borrow::Borrow;
#[cfg(feature = "alloc")]
use core::cmp::Ordering;

use super::LinkError;
use super::check::{self, CheckError};
use super::edit;
use super::link_store::{LinkStore, LinkStoreMut, editing_links};
use super::links::{Links, links_example};
use super::walk::{Ancestors, Children, Descendants, Hierarchy, Steps, Traverse};
use crate::containers::container::Container;
#[cfg(feature = "alloc")]
use crate::explain;
use crate::key::Key;

/// All that both have. The parameters are
/// - for examples: their hidden lines, how a method is called, and what it is passed first to read, attach and change;
/// - the arguments, before the key, of methods that read, attach, change and remove, and the store these lead to;
/// - what the links name keys by that are to be attached, and what appends one; what unlinks a key, and what
///   removes a subtree.
macro_rules! hierarchy {
    (
        $type:ident, example: $setup:ident, $call:literal, $at:literal, $on:literal, $by:literal,
        read: [$($S:tt)*] ($($read:tt)*) in $stored:ident: $Store:ty,
        attach: ($($attach:tt)*) |$to:ident, $key:ident| $admit:expr, append $append:expr, or $refusal:literal,
        edit: ($($edit:tt)*) at $place:expr, by $editing:ident in $store:expr,
        remove: ($($remove:tt)*) from $container:ident: [$($objects:tt)*], $($pass:expr),*; children of $children:expr;
        unlink: $unlink:expr,
        subtree: |$taken:ident| $subtree:expr $(,)?
    ) => {
        /// Reading.
        impl<K: Key> $type<K> {
            /// Returns the parent of a key; `None` for a root and for a key that is not there. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!("assert_eq!(", $call, "parent(", $at, "b), Some(a));")]
            #[doc = concat!("assert_eq!(", $call, "parent(", $at, "a), None);")]
            /// ```
            #[must_use]
            pub fn parent$($S)*($($read)*, key: K) -> Option<K> {
                $stored.ask(key, |of, found| of.parent_of(found))
            }

            /// Returns the first child of a key, if it has children. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!("assert_eq!(", $call, "first_child(", $at, "a), Some(b));")]
            /// ```
            #[must_use]
            pub fn first_child$($S)*($($read)*, key: K) -> Option<K> {
                $stored.ask(key, |of, found| of.first_child_of(found))
            }

            /// Returns the last child of a key, if it has children. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert_eq!(", $call, "last_child(", $at, "a), Some(c));")]
            /// ```
            #[must_use]
            pub fn last_child$($S)*($($read)*, key: K) -> Option<K> {
                $stored.ask(key, |of, found| {
                    of.first_child_of(found).and_then(|first| of.find(of.last_sibling_of(first)?))
                })
            }

            /// Returns the sibling after a key; `None` for the last one and for a root. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert_eq!(", $call, "next_sibling(", $at, "b), Some(c));")]
            #[doc = concat!("assert_eq!(", $call, "next_sibling(", $at, "c), None);")]
            /// ```
            #[must_use]
            pub fn next_sibling$($S)*($($read)*, key: K) -> Option<K> {
                $stored.ask(key, |of, found| of.next_sibling_of(found))
            }

            /// Returns the sibling before a key; `None` for the first one and for a root. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert_eq!(", $call, "prev_sibling(", $at, "c), Some(b));")]
            #[doc = concat!("assert_eq!(", $call, "prev_sibling(", $at, "b), None);")]
            /// ```
            #[must_use]
            pub fn prev_sibling$($S)*($($read)*, key: K) -> Option<K> {
                $stored.ask(key, |of, found| of.prev_sibling_of(found))
            }

            /// Walks the children of a key in order, from either end. O(1) each.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([b, c]));")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).rev().eq([c, b]));")]
            /// ```
            pub fn children$($S)*($($read)*, key: K) -> Children<'_, $Store, K> {
                Children::new($stored, key)
            }

            /// Walks the siblings after a key in order; none for a root. O(1) each.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for child in [b, c, d] {
            #[doc = concat!("    ", $call, "append(", $on, "a, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "next_siblings(", $at, "b).eq([c, d]));")]
            /// ```
            #[doc(alias("following_siblings"))]
            pub fn next_siblings$($S)*($($read)*, key: K) -> impl Iterator<Item = K> + Clone {
                $stored.siblings(key, |of, found| of.next_sibling_of(found))
            }

            /// Walks the siblings before a key, the nearest first; none for a root. O(1) each.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for child in [b, c, d] {
            #[doc = concat!("    ", $call, "append(", $on, "a, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "prev_siblings(", $at, "d).eq([c, b]));")]
            /// ```
            #[doc(alias("preceding_siblings"))]
            pub fn prev_siblings$($S)*($($read)*, key: K) -> impl Iterator<Item = K> + Clone {
                $stored.siblings(key, |of, found| of.prev_sibling_of(found))
            }

            /// Walks the parent of a key, its parent and so on to the root. O(1) each.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "b, c).unwrap();")]
            #[doc = concat!("assert!(", $call, "ancestors(", $at, "c).eq([b, a]));")]
            #[doc = concat!("assert_eq!(", $call, "ancestors(", $at, "c).count(), 2); // its depth")]
            /// ```
            #[doc(alias("depth", "is_ancestor"))]
            pub fn ancestors$($S)*($($read)*, key: K) -> Ancestors<'_, $Store, K> {
                Ancestors::new($stored, key)
            }

            /// Walks everything below a key, each before its children (pre-order), without the key
            /// itself. O(1) each on average, without recursion or memory.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "descendants(", $at, "a).eq([b, c, d]));")]
            #[doc = concat!("let is_leaf = |&key: &_| ", $call, "first_child(", $at, "key).is_none();")]
            #[doc = concat!("assert!(", $call, "descendants(", $at, "a).filter(is_leaf).eq([c, d]));")]
            /// ```
            #[doc(alias = "leaves")]
            pub fn descendants$($S)*($($read)*, key: K) -> Descendants<'_, $Store, K> {
                Descendants::new($stored, key)
            }

            /// Walks everything below a key, each after its children, without the key itself. O(1) each
            /// on average, without recursion or memory.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "descendants_post_order(", $at, "a).eq([c, b, d]));")]
            /// ```
            pub fn descendants_post_order$($S)*($($read)*, key: K) -> impl Iterator<Item = K> + Clone {
                $stored.post_order(key)
            }

            /// Walks everything below a key, without the key itself: enters each before its children and
            /// leaves it after them. O(1) each, without recursion or memory.
            ///
            /// # Examples
            /// ```
            /// use larder::trees::Visit::{Enter, Leave};
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            /// let steps = [Enter(b), Enter(c), Leave(c), Leave(b), Enter(d), Leave(d)];
            #[doc = concat!("assert!(", $call, "traverse(", $at, "a).eq(steps));")]
            /// ```
            pub fn traverse$($S)*($($read)*, key: K) -> Traverse<'_, $Store, K> {
                Traverse::new($stored, key)
            }

            /// Walks everything below a key level by level, without the key itself. O(1) each, with memory
            /// for the keys of a level.
            ///
            /// # Panics
            /// On the way, if memory is refused.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "descendants_breadth_first(", $at, "a).eq([b, d, c]));")]
            /// ```
            #[cfg(feature = "alloc")]
            pub fn descendants_breadth_first$($S)*($($read)*, key: K) -> impl Iterator<Item = K> + Clone {
                $stored.breadth_first(key)
            }
        }

        /// Attaching. A key that is attached elsewhere moves, with everything below it.
        impl<K: Key> $type<K> {
            /// Attaches `child` as the last child of `parent`. O(1); O(depth) if it has children.
            ///
            /// # Errors
            /// If a key is stale, foreign or dangling, if `child` is `parent` or above it,
            #[doc = concat!("or if ", $refusal, ". Then nothing has changed.")]
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([b, c]));")]
            #[doc = concat!("assert!(", $call, "append(", $on, "c, a).is_err()); // it would hang below itself")]
            /// ```
            #[doc(alias("add_child", "push_back", "attach", "reparent"))]
            #[inline]
            pub fn append($($attach)*, parent: K, child: K) -> Result<(), LinkError<K>> {
                let ($to, $key) = (parent, child);
                $append
            }

            /// Attaches `child` as the first child of `parent`. O(1); O(depth) if it has children.
            ///
            /// # Errors
            /// As [`append`](Self::append).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "prepend(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([c, b]));")]
            /// ```
            #[doc(alias("push_front"))]
            pub fn prepend($($attach)*, parent: K, child: K) -> Result<(), LinkError<K>> {
                let ($to, $key) = (parent, child);
                let linked = $admit.and_then(|(to, key)| $editing!($store, |store| edit::prepend(store, to, key)));
                linked.map_err(|reason| LinkError { key: child, to: parent, reason })
            }

            /// Attaches `child` before `sibling`. O(1); O(depth) if it has children.
            ///
            /// # Errors
            /// As [`append`](Self::append), and if `sibling` has no parent.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "insert_before(", $on, "b, c).unwrap();")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([c, b]));")]
            #[doc = concat!("assert!(", $call, "insert_before(", $on, "a, d).is_err()); // a root has no siblings")]
            /// ```
            pub fn insert_before($($attach)*, sibling: K, child: K) -> Result<(), LinkError<K>> {
                let ($to, $key) = (sibling, child);
                let linked = $admit.and_then(|(to, key)| $editing!($store, |store| edit::insert_before(store, to, key)));
                linked.map_err(|reason| LinkError { key: child, to: sibling, reason })
            }

            /// Attaches `child` after `sibling`. O(1); O(depth) if it has children.
            ///
            /// # Errors
            /// As [`append`](Self::append), and if `sibling` has no parent.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "a, c).unwrap();")]
            #[doc = concat!($call, "insert_after(", $on, "b, d).unwrap();")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([b, d, c]));")]
            /// ```
            pub fn insert_after($($attach)*, sibling: K, child: K) -> Result<(), LinkError<K>> {
                let ($to, $key) = (sibling, child);
                let linked = $admit.and_then(|(to, key)| $editing!($store, |store| edit::insert_after(store, to, key)));
                linked.map_err(|reason| LinkError { key: child, to: sibling, reason })
            }
        }

        /// Detaching. The objects stay in their container.
        impl<K: Key> $type<K> {
            /// Detaches a key from its parent, with everything below it, and returns whether it had a
            /// parent. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "append(", $on, "b, c).unwrap();")]
            #[doc = concat!("assert!(", $call, "make_root(", $by, "b));")]
            #[doc = concat!("assert_eq!(", $call, "parent(", $at, "b), None);")]
            #[doc = concat!("assert_eq!(", $call, "parent(", $at, "c), Some(b));")]
            /// ```
            #[doc(alias = "detach")]
            pub fn make_root($($edit)*, key: K) -> bool {
                let $key = key;
                $place.is_some_and(|place| $editing!($store, |store| edit::detach(store, place)))
            }

            /// Makes roots of all children of a key. O(children).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!($call, "orphan_children(", $by, "a);")]
            #[doc = concat!("assert_eq!(", $call, "parent(", $at, "b), None);")]
            /// ```
            pub fn orphan_children($($edit)*, key: K) {
                let $key = key;
                if let Some(place) = $place {
                    $editing!($store, |store| edit::orphan_children(store, place));
                }
            }

            /// Gives the children of a key to its parent, directly before the key. Those of a root
            /// become roots. O(children).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (b, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!($call, "promote_children(", $by, "b);")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([c, d, b]));")]
            /// ```
            pub fn promote_children($($edit)*, key: K) {
                let $key = key;
                if let Some(place) = $place {
                    $editing!($store, |store| edit::promote_children(store, place));
                }
            }
        }

        /// Removing objects, from the container and the hierarchy at once.
        impl<K: Key> $type<K> {
            /// Removes an object and everything below it, children before their parents, and returns
            /// how many there were: 0 if the key is stale, foreign or dangling. O(removed), without
            /// recursion or memory.
            ///
            /// If the `Drop` of an object panics, that object is removed, the hierarchy is consistent,
            /// and the call can be repeated.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert_eq!(", $call, "remove_subtree(&mut things, b), 2);")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([d]));")]
            /// assert_eq!(things.get(c), None);
            /// ```
            #[doc(alias("destroy", "despawn_recursive"))]
            pub fn remove_subtree<C: $($objects)*>($($remove)*, key: K) -> usize {
                Self::remove_subtree_with($($pass),*, key, |_, _| ())
            }

            /// Like [`remove_subtree`](Self::remove_subtree), and passes each removed object to `taken`,
            /// with its key. If that panics, the hierarchy is consistent. O(removed).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            /// let mut order = Vec::new();
            #[doc = concat!($call, "remove_subtree_with(&mut things, a, |key, _| order.push(key));")]
            /// assert_eq!(order, [c, b, d, a]);
            /// ```
            pub fn remove_subtree_with<C: $($objects)*>(
                $($remove)*,
                key: K,
                mut taken: impl FnMut(K, C::Removed),
            ) -> usize {
                let ($key, $taken) = (key, &mut taken);
                if $container.contains_key(key) { $subtree } else { 0 }
            }

            /// Removes everything below an object, but not the object, and returns how many there were.
            /// As [`remove_subtree`](Self::remove_subtree). O(removed).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert_eq!(", $call, "remove_children(&mut things, a), 3);")]
            /// assert!(things.contains_key(a) && things.len() == 1);
            /// ```
            pub fn remove_children<C: $($objects)*>($($remove)*, key: K) -> usize {
                let mut removed = 0;
                if !$container.contains_key(key) {
                    return removed;
                }
                while let Some($key) = Self::first_child($children, key) {
                    let $taken = &mut |_, _| ();
                    removed += $subtree;
                    if Self::first_child($children, key) == Some($key) {
                        break; // user code is wrong
                    }
                }
                removed
            }

            /// Removes an object; its children become roots. Returns what the container does, usually
            /// the object; `None` if the key is stale, foreign or dangling. O(children).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "remove_orphaning(&mut things, b).is_some());")]
            #[doc = concat!("assert_eq!(", $call, "parent(", $at, "c), None);")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([d]));")]
            /// ```
            pub fn remove_orphaning<C: $($objects)*>($($remove)*, key: K) -> Option<C::Removed> {
                let $key = key;
                $unlink;
                $container.remove(key)
            }

            /// Removes an object and puts its children in its place. Those of a root become roots.
            /// Returns what the container does, usually the object; `None` if the key is stale, foreign
            /// or dangling. O(children).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for (parent, child) in [(a, b), (b, c), (a, d)] {
            #[doc = concat!("    ", $call, "append(", $on, "parent, child).unwrap();")]
            /// }
            #[doc = concat!("assert!(", $call, "remove_promoting(&mut things, b).is_some());")]
            #[doc = concat!("assert!(", $call, "children(", $at, "a).eq([c, d]));")]
            /// ```
            pub fn remove_promoting<C: $($objects)*>($($remove)*, key: K) -> Option<C::Removed> {
                let $key = key;
                if let Some(place) = $place {
                    $editing!($store, |store| edit::promote_children(store, place));
                }
                $unlink;
                $container.remove(key)
            }
        }
    };
}

#[cfg(feature = "alloc")]
pub(super) use hierarchy;

hierarchy! {
    Links, example: links_example, "Links::", "&things, ", "&mut things, ", "&mut things, ",
    read: [<S: LinkStore<Self, Key = K>>] (objects: &S) in objects: S,
    attach: (objects: &mut impl LinkStoreMut<Self, Key = K>) |to, key| Ok((to, key)),
        append edit::append(objects, to, key).map_err(|reason| LinkError { key, to, reason }),
        or "the links beside are torn (see [`mend`](Self::mend))",
    edit: (objects: &mut impl LinkStoreMut<Self, Key = K>) at Some(key), by editing_links in objects,
    remove: (objects: &mut C) from objects: [Container<Key = K> + LinkStoreMut<Self, Key = K>],
        objects; children of objects;
    unlink: edit::unlink(objects, key),
    subtree: |taken| edit::remove_subtree(objects, key, |objects| objects, |objects, leaf| {
        edit::detach_found(objects, leaf);
        (objects.remove(leaf.at).map(|object| taken(leaf.at, object)).is_some(), leaf.links.parent)
    }),
}

/// Sorting siblings.
#[cfg(feature = "alloc")]
impl<K: Key> Links<K> {
    /// Sorts the children of a key; stable. `compare` gets the objects and two keys; if it panics, nothing has
    /// changed. O(n log n), with memory for n keys.
    ///
    /// # Panics
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = links_example!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// Links::sort_children_by(&mut things, a, |_, x, y| y.slot().cmp(&x.slot()));
    /// assert!(Links::children(&things, a).eq([c, b]));
    /// ```
    #[track_caller]
    pub fn sort_children_by<S: LinkStoreMut<Self, Key = K>>(
        objects: &mut S,
        key: K,
        compare: impl FnMut(&S, K, K) -> Ordering,
    ) {
        explain::granted::<Self, _>(edit::sort_children(objects, key, compare));
    }
}

/// Links that were not told of a removal, or were loaded from a file.
impl<K: Key> Links<K> {
    /// Repairs the links around objects that were removed without their links: their children become roots,
    /// and the circles of their siblings are closed. `keys` are all keys of the container. O(keys).
    ///
    /// Siblings keep their order, unless several of one circle were removed: then the remaining pieces follow
    /// each other in the order of `keys`.
    ///
    /// # Examples
    /// ```
    #[doc = links_example!()]
    /// for child in [b, c, d] {
    ///     Links::append(&mut things, a, child).unwrap();
    /// }
    /// things.remove(c);
    /// assert!(Links::children(&things, a).eq([b])); // the walk ends at the gap
    ///
    /// let keys: Vec<_> = things.keys().collect();
    /// Links::mend(&mut things, &keys);
    /// assert!(Links::children(&things, a).eq([b, d]));
    /// ```
    pub fn mend<Keys>(objects: &mut impl LinkStoreMut<Self, Key = K>, keys: Keys)
    where
        Keys: IntoIterator<Item: Borrow<K>, IntoIter: Clone>,
    {
        edit::mend(objects, keys.into_iter().map(|key| *key.borrow()));
    }

    /// Checks that all links agree, for example after loading. `keys` are all keys of the container. O(keys).
    ///
    /// Links that disagree are safe: they are not followed, and every walk ends. The links of a
    /// [`Tree`](crate::Tree) always agree.
    ///
    /// # Errors
    /// If links contradict each other, lead to missing objects, or form a cycle.
    ///
    /// # Examples
    /// ```
    #[doc = links_example!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// assert_eq!(Links::check(&things, things.keys()), Ok(()));
    /// things[b] = Links::new();
    /// assert!(Links::check(&things, things.keys()).is_err());
    /// ```
    pub fn check<Keys>(objects: &impl Hierarchy<K>, keys: Keys) -> Result<(), CheckError<K>>
    where
        Keys: IntoIterator<Item: Borrow<K>, IntoIter: Clone>,
    {
        check::check(objects, keys.into_iter().map(|key| *key.borrow()))
    }
}
