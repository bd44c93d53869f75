//! The methods of [`Tree`] and of [`Links`], written once.
//!
//! Both do the same to a [`LinkStore`]: a `Tree` is one, and the methods of `Links` take one. The macros have
//! the signature's receiver, and the store it leads to, as parameters; and for examples how a method is
//! called and what is passed first.

#[cfg(feature = "alloc")]
use core::cmp::Ordering;

use super::error::{CheckError, LinkError};
use super::link_store::{LinkStore, LinkStoreMut};
use super::links::{Links, links_example};
#[cfg(feature = "alloc")]
use super::tree::{Tree, tree_example};
use super::walk::{Ancestors, Children, Descendants, PostOrder};
use super::{edit, walk};
use crate::containers::container::Container;
#[cfg(feature = "alloc")]
use crate::explain;
use crate::key::Key;

/// All that both have. The parameters are
/// - the macro of an example's hidden lines, how a method is called there, and the first arguments of methods
///   that read, attach and change;
/// - the arguments, before the key, of methods that read, attach, change and remove, and the store that these
///   lead to;
/// - what has to be done before keys are attached, what unlinks a key, and what removes a subtree.
macro_rules! hierarchy {
    (
        $type:ident, example: $setup:ident, $call:literal, $at:literal, $on:literal, $by:literal,
        read: [$($S:tt)*] ($($read:tt)*) in $stored:ident: $Store:ty,
        attach: ($($attach:tt)*) |$to:ident, $key:ident| $admit:expr, or $refusal:literal,
        edit: ($($edit:tt)*) in $store:expr,
        remove: ($($remove:tt)*) from $container:ident: [$($objects:tt)*], $($pass:expr),*;
        unlink: $unlink:expr,
        subtree: |$taken:ident| $subtree:expr $(,)?
    ) => {
        /// Reading.
        impl<K: Key> $type<K> {
            /// The parent of a key; `None` for a root and for a key that is not there. O(1).
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
                walk::parent($stored, key)
            }

            /// The first child of a key, if it has children. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!($call, "append(", $on, "a, b).unwrap();")]
            #[doc = concat!("assert_eq!(", $call, "first_child(", $at, "a), Some(b));")]
            /// ```
            #[must_use]
            pub fn first_child$($S)*($($read)*, key: K) -> Option<K> {
                walk::first_child($stored, key)
            }

            /// The last child of a key, if it has children. O(1).
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
                walk::last_child($stored, key)
            }

            /// The sibling after a key; `None` for the last one and for a root. O(1).
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
                walk::next_sibling($stored, key)
            }

            /// The sibling before a key; `None` for the first one and for a root. O(1).
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
                walk::prev_sibling($stored, key)
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
            /// ```
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
            pub fn descendants_post_order$($S)*($($read)*, key: K) -> PostOrder<'_, $Store, K> {
                PostOrder::new($stored, key)
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
            pub fn append($($attach)*, parent: K, child: K) -> Result<(), LinkError<K>> {
                let ($to, $key) = (parent, child);
                $admit;
                edit::append($store, parent, child)
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
                $admit;
                edit::prepend($store, parent, child)
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
                $admit;
                edit::insert_before($store, sibling, child)
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
                $admit;
                edit::insert_after($store, sibling, child)
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
                edit::detach($store, key)
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
                edit::orphan_children($store, key);
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
                edit::promote_children($store, key);
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

            /// As [`remove_subtree`](Self::remove_subtree), and passes each removed object to `taken`,
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
                taken: impl FnMut(K, C::Removed),
            ) -> usize {
                let ($key, mut $taken) = (key, taken);
                $subtree
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
                edit::promote_children($store, key);
                let $key = key;
                $unlink;
                $container.remove(key)
            }
        }
    };
}

hierarchy! {
    Links, example: links_example, "Links::", "&things, ", "&mut things, ", "&mut things, ",
    read: [<S: LinkStore<K, Self>>] (objects: &S) in objects: S,
    attach: (objects: &mut impl LinkStoreMut<K, Self>) |to, key| _ = (to, key),
        or "the links beside are torn (see [`mend`](Self::mend))",
    edit: (objects: &mut impl LinkStoreMut<K, Self>) in objects,
    remove: (objects: &mut C) from objects: [Container<Key = K> + LinkStoreMut<K, Self>], objects;
    unlink: edit::unlink(objects, key),
    subtree: |taken| edit::remove_subtree(objects, key, |objects| objects, |objects, key| {
        edit::detach(objects, key);
        objects.remove(key).map(|object| taken(key, object)).is_some()
    }),
}

#[cfg(feature = "alloc")]
hierarchy! {
    Tree, example: tree_example, "tree.", "", "&things, ", "",
    read: [] (&self) in self: Self,
    attach: (&mut self, objects: &impl Container<Key = K>) |to, key| self.admit(objects, to, key)?,
        or "memory is refused",
    edit: (&mut self) in &mut self.nodes,
    remove: (&mut self, objects: &mut C) from objects: [Container<Key = K>], self, objects;
    unlink: self.forget(key),
    subtree: |taken| edit::remove_subtree(self, key, |tree| tree, |tree, key| {
        tree.forget(key);
        objects.remove(key).map(|object| taken(key, object)).is_some()
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
    pub fn sort_children_by<S: LinkStoreMut<K, Self>>(
        objects: &mut S,
        key: K,
        compare: impl FnMut(&S, K, K) -> Ordering,
    ) {
        if let Err(reason) = edit::sort_children(objects, key, compare) {
            explain::refused::<Self>(&reason);
        }
    }
}

/// Sorting siblings.
#[cfg(feature = "alloc")]
impl<K: Key> Tree<K> {
    /// Sorts the children of a key; stable. If `compare` panics, nothing has changed. O(n log n), with memory
    /// for n keys.
    ///
    /// # Panics
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = tree_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// tree.sort_children_by(a, |x, y| things[y].cmp(things[x])); // descending
    /// assert!(tree.children(a).eq([c, b]));
    /// ```
    #[track_caller]
    pub fn sort_children_by(&mut self, key: K, mut compare: impl FnMut(K, K) -> Ordering) {
        let sorted = edit::sort_children(&mut self.nodes, key, |_, a, b| compare(a, b));
        if let Err(reason) = sorted {
            explain::refused::<Self>(&reason);
        }
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
    pub fn mend(objects: &mut impl LinkStoreMut<K, Self>, keys: &[K]) {
        edit::mend(objects, keys);
    }

    /// Checks that all links agree, for example after loading. `keys` are all keys of the container. O(keys).
    ///
    /// Links that disagree are safe: they are not followed, and every walk ends.
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
    pub fn check(
        objects: &impl LinkStore<K, Self>,
        keys: impl Iterator<Item = K>,
    ) -> Result<(), CheckError<K>> {
        edit::check(objects, keys)
    }
}
