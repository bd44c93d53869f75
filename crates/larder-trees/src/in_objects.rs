//! A hierarchy whose links lie in the objects: the methods of [`Links`]. Those of a [`Tree`](crate::Tree) have the same
//! names, and say in full what each does.

use core::borrow::Borrow;
#[cfg(feature = "alloc")]
use core::cmp::Ordering;

use super::LinkError;
use super::check::{self, CheckError};
use super::edit;
use super::links::Links;
use super::walk::{Ancestors, Children, Descendants, Hierarchy, Steps, Traverse};
use larder_core::containers::{Container, LinkStore, LinkStoreMut};
use larder_core::key::Key;
#[cfg(feature = "alloc")]
use larder_core::room;

/// The hierarchy whose [`Links`] are in the objects of a [`Table`](larder_core::track::Table), as its observer: an
/// object that is removed leaves the hierarchy.
///
/// [`link_field!`](crate::link_field), or [`AsRef`] and [`AsMut`], determine the field that has the links.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, track::Table, trees::{InObjects, Links, link_field}};
///
/// #[derive(Default)]
/// struct Thing {
///     family: Links<Handle<Thing>>,
/// }
/// link_field!(Thing.family: Links<Handle<Thing>>);
///
/// let mut things = Table::with(Arena::new(), InObjects);
/// let [a, b, c, d] = [(); 4].map(|()| things.insert(Thing::default()));
/// for child in [b, c, d] {
///     Links::append(&mut things, a, child).unwrap();
/// }
/// things.remove(c);
/// assert!(Links::children(&things, a).eq([b, d]));
/// ```
#[cfg(feature = "track")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InObjects;

/// Reading.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::Links};
/// # struct Thing;
/// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
/// for (parent, child) in [(a, b), (b, c), (a, d)] {
///     Links::append(&mut things, parent, child).unwrap();
/// }
/// assert_eq!(Links::parent(&things, b), Some(a));
/// assert!(Links::children(&things, a).eq([b, d]));
/// assert!(Links::descendants(&things, a).eq([b, c, d]));
/// assert!(Links::ancestors(&things, c).eq([b, a]));
/// ```
impl<K: Key> Links<K> {
    /// Returns the parent of a key; `None` for a root and for a key that is not there. O(1).
    /// See [`Tree::parent`](crate::Tree::parent).
    #[must_use]
    pub fn parent<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Option<K> {
        objects.ask(key, S::parent_of)
    }

    /// Returns the first child of a key, if it has children. O(1).
    /// See [`Tree::first_child`](crate::Tree::first_child).
    #[must_use]
    pub fn first_child<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Option<K> {
        objects.ask(key, S::first_child_of)
    }

    /// Returns the last child of a key, if it has children. O(1).
    /// See [`Tree::last_child`](crate::Tree::last_child).
    #[must_use]
    pub fn last_child<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Option<K> {
        objects.ask(key, S::last_child_of)
    }

    /// Returns the sibling after a key; `None` for the last one and for a root. O(1).
    /// See [`Tree::next_sibling`](crate::Tree::next_sibling).
    #[must_use]
    pub fn next_sibling<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Option<K> {
        objects.ask(key, S::next_sibling_of)
    }

    /// Returns the sibling before a key; `None` for the first one and for a root. O(1).
    /// See [`Tree::prev_sibling`](crate::Tree::prev_sibling).
    #[must_use]
    pub fn prev_sibling<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Option<K> {
        objects.ask(key, S::prev_sibling_of)
    }

    /// Walks the children of a key in order, from either end. O(1) each.
    /// See [`Tree::children`](crate::Tree::children).
    pub fn children<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Children<'_, S, K> {
        Children::new(objects, key)
    }

    /// Walks the siblings after a key in order; none for a root. O(1) each.
    /// See [`Tree::next_siblings`](crate::Tree::next_siblings).
    #[doc(alias("following_siblings"))]
    pub fn next_siblings<S: LinkStore<Self, Key = K>>(
        objects: &S,
        key: K,
    ) -> impl Iterator<Item = K> + Clone {
        objects.siblings(key, S::next_sibling_of)
    }

    /// Walks the siblings before a key, the nearest first; none for a root. O(1) each.
    /// See [`Tree::prev_siblings`](crate::Tree::prev_siblings).
    #[doc(alias("preceding_siblings"))]
    pub fn prev_siblings<S: LinkStore<Self, Key = K>>(
        objects: &S,
        key: K,
    ) -> impl Iterator<Item = K> + Clone {
        objects.siblings(key, S::prev_sibling_of)
    }

    /// Walks the parent of a key, its parent and so on to the root. O(1) each.
    /// See [`Tree::ancestors`](crate::Tree::ancestors).
    #[doc(alias("depth", "is_ancestor"))]
    pub fn ancestors<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Ancestors<'_, S, K> {
        Ancestors::new(objects, key)
    }

    /// Walks everything below a key, each before its children. O(1) each on average.
    /// See [`Tree::descendants`](crate::Tree::descendants).
    #[doc(alias = "leaves")]
    pub fn descendants<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Descendants<'_, S, K> {
        Descendants::new(objects, key)
    }

    /// Walks everything below a key, each after its children. O(1) each on average.
    /// See [`Tree::descendants_post_order`](crate::Tree::descendants_post_order).
    pub fn descendants_post_order<S: LinkStore<Self, Key = K>>(
        objects: &S,
        key: K,
    ) -> impl Iterator<Item = K> + Clone {
        objects.post_order(key)
    }

    /// Walks everything below a key: enters each before its children and leaves it after them. O(1) each.
    /// See [`Tree::traverse`](crate::Tree::traverse).
    pub fn traverse<S: LinkStore<Self, Key = K>>(objects: &S, key: K) -> Traverse<'_, S, K> {
        Traverse::new(objects, key)
    }

    /// Walks everything below a key level by level. O(1) each, with memory for the keys of a level.
    /// See [`Tree::descendants_breadth_first`](crate::Tree::descendants_breadth_first).
    ///
    /// # Panics
    /// On the way, if allocation fails.
    #[cfg(feature = "alloc")]
    pub fn descendants_breadth_first<S: LinkStore<Self, Key = K>>(
        objects: &S,
        key: K,
    ) -> impl Iterator<Item = K> + Clone {
        objects.breadth_first(key)
    }
}

/// Attaching. A key that is attached elsewhere moves, with everything below it.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::Links};
/// # struct Thing;
/// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
/// Links::append(&mut things, a, b).unwrap();
/// Links::prepend(&mut things, a, c).unwrap();
/// Links::insert_after(&mut things, c, d).unwrap();
/// assert!(Links::children(&things, a).eq([c, d, b]));
/// assert!(Links::append(&mut things, b, a).is_err()); // it would hang below itself
/// ```
impl<K: Key> Links<K> {
    /// Attaches `child` as the last child of `parent`. O(1); O(depth) if it has children.
    /// See [`Tree::append`](crate::Tree::append).
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `child` is `parent` or above it, or if the links beside are torn (see
    /// [`mend`](Self::mend)). Then nothing has changed.
    #[doc(alias("add_child", "push_back", "attach", "reparent"))]
    #[inline]
    pub fn append(
        objects: &mut impl LinkStoreMut<Self, Key = K>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let linked = edit::append(objects, parent, child);
        linked.map_err(|reason| LinkError { key: child, to: parent, reason })
    }

    /// Attaches `child` as the first child of `parent`. O(1); O(depth) if it has children.
    /// See [`Tree::prepend`](crate::Tree::prepend).
    ///
    /// # Errors
    /// Fails as [`append`](Self::append) does.
    #[doc(alias("push_front"))]
    pub fn prepend(
        objects: &mut impl LinkStoreMut<Self, Key = K>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let linked = edit::prepend(objects, parent, child);
        linked.map_err(|reason| LinkError { key: child, to: parent, reason })
    }

    /// Attaches `child` before `sibling`. O(1); O(depth) if it has children.
    /// See [`Tree::insert_before`](crate::Tree::insert_before).
    ///
    /// # Errors
    /// Fails as [`append`](Self::append) does, and if `sibling` has no parent.
    pub fn insert_before(
        objects: &mut impl LinkStoreMut<Self, Key = K>,
        sibling: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let linked = edit::insert_before(objects, sibling, child);
        linked.map_err(|reason| LinkError { key: child, to: sibling, reason })
    }

    /// Attaches `child` after `sibling`. O(1); O(depth) if it has children.
    /// See [`Tree::insert_after`](crate::Tree::insert_after).
    ///
    /// # Errors
    /// Fails as [`append`](Self::append) does, and if `sibling` has no parent.
    pub fn insert_after(
        objects: &mut impl LinkStoreMut<Self, Key = K>,
        sibling: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let linked = edit::insert_after(objects, sibling, child);
        linked.map_err(|reason| LinkError { key: child, to: sibling, reason })
    }
}

/// Detaching. The objects stay in their container.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::Links};
/// # struct Thing;
/// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
/// for (parent, child) in [(a, b), (b, c), (b, d)] {
///     Links::append(&mut things, parent, child).unwrap();
/// }
/// Links::promote_children(&mut things, b);
/// assert!(Links::children(&things, a).eq([c, d, b]));
/// assert!(Links::make_root(&mut things, b));
/// Links::orphan_children(&mut things, a);
/// assert_eq!((Links::parent(&things, b), Links::parent(&things, c)), (None, None));
/// ```
impl<K: Key> Links<K> {
    /// Detaches a key from its parent, with everything below it, and returns whether it had a parent. O(1).
    /// See [`Tree::make_root`](crate::Tree::make_root).
    #[doc(alias = "detach")]
    pub fn make_root(objects: &mut impl LinkStoreMut<Self, Key = K>, key: K) -> bool {
        edit::detach(objects, key)
    }

    /// Makes roots of all children of a key. O(children). See [`Tree::orphan_children`](crate::Tree::orphan_children).
    pub fn orphan_children(objects: &mut impl LinkStoreMut<Self, Key = K>, key: K) {
        edit::orphan_children(objects, key);
    }

    /// Gives the children of a key to its parent, directly before the key; those of a root become roots. O(children).
    /// See [`Tree::promote_children`](crate::Tree::promote_children).
    pub fn promote_children(objects: &mut impl LinkStoreMut<Self, Key = K>, key: K) {
        edit::promote_children(objects, key);
    }
}

/// Removing objects, from the container and the hierarchy at once.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::Links};
/// # struct Thing;
/// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
/// for (parent, child) in [(a, b), (b, c), (a, d)] {
///     Links::append(&mut things, parent, child).unwrap();
/// }
/// assert!(Links::remove_promoting(&mut things, b).is_some());
/// assert!(Links::children(&things, a).eq([c, d]));
/// assert_eq!(Links::remove_subtree(&mut things, a), 3);
/// assert!(things.is_empty());
/// ```
impl<K: Key> Links<K> {
    /// Removes an object and everything below it, children before their parents, and returns how many there were,
    /// 0 if the key is stale, foreign or dangling. O(removed).
    /// See [`Tree::remove_subtree`](crate::Tree::remove_subtree).
    #[doc(alias("destroy", "despawn_recursive"))]
    pub fn remove_subtree<C: Container<Key = K> + LinkStoreMut<Self, Key = K>>(
        objects: &mut C,
        key: K,
    ) -> usize {
        Self::remove_subtree_with(objects, key, |_, _| ())
    }

    /// Like [`remove_subtree`](Self::remove_subtree), and passes each removed object to `taken`, with its key.
    /// O(removed). See [`Tree::remove_subtree_with`](crate::Tree::remove_subtree_with).
    pub fn remove_subtree_with<C: Container<Key = K> + LinkStoreMut<Self, Key = K>>(
        objects: &mut C,
        key: K,
        taken: impl FnMut(K, C::Removed),
    ) -> usize {
        if objects.contains_key(key) { Self::take_subtree(objects, key, taken) } else { 0 }
    }

    /// Removes everything below an object, but not the object, and returns how many there were. O(removed).
    /// See [`Tree::remove_children`](crate::Tree::remove_children).
    pub fn remove_children<C: Container<Key = K> + LinkStoreMut<Self, Key = K>>(
        objects: &mut C,
        key: K,
    ) -> usize {
        let mut removed = 0;
        if !objects.contains_key(key) {
            return removed;
        }
        while let Some(child) = Self::first_child(objects, key) {
            removed += Self::take_subtree(objects, child, |_, _| ());
            if Self::first_child(objects, key) == Some(child) {
                break; // user code is wrong
            }
        }
        removed
    }

    /// Removes an object; its children become roots. Returns what the container does, usually the object; `None` if the
    /// key is stale, foreign or dangling. O(children).
    /// See [`Tree::remove_orphaning`](crate::Tree::remove_orphaning).
    pub fn remove_orphaning<C: Container<Key = K> + LinkStoreMut<Self, Key = K>>(
        objects: &mut C,
        key: K,
    ) -> Option<C::Removed> {
        edit::unlink(objects, key);
        objects.remove(key)
    }

    /// Removes an object and puts its children in its place. Returns what the container does, usually the object;
    /// `None` if the key is stale, foreign or dangling. O(children).
    /// See [`Tree::remove_promoting`](crate::Tree::remove_promoting).
    pub fn remove_promoting<C: Container<Key = K> + LinkStoreMut<Self, Key = K>>(
        objects: &mut C,
        key: K,
    ) -> Option<C::Removed> {
        edit::promote_children(objects, key);
        edit::unlink(objects, key);
        objects.remove(key)
    }

    /// Removes a key, which the container has, and everything below it.
    fn take_subtree<C: Container<Key = K> + LinkStoreMut<Self, Key = K>>(
        objects: &mut C,
        key: K,
        mut taken: impl FnMut(K, C::Removed),
    ) -> usize {
        edit::remove_subtree(objects, key, |objects, leaf| {
            edit::detach_found(objects, leaf);
            let removed = objects.remove(leaf.at).map(|object| taken(leaf.at, object));
            (removed.is_some(), leaf.links.parent)
        })
    }
}

/// Sorting siblings.
#[cfg(feature = "alloc")]
impl<K: Key> Links<K> {
    /// Sorts the children of a key; stable. `compare` gets the objects and two keys; if it panics, nothing has
    /// changed. O(n log n), with memory for n keys.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::Links};
    /// # struct Thing;
    /// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
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
        room::granted::<Self, _>(edit::sort_children(objects, key, compare));
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
    /// # use larder::{Arena, Handle, trees::Links};
    /// # struct Thing;
    /// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
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
    /// # use larder::{Arena, Handle, trees::Links};
    /// # struct Thing;
    /// # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));
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
