//! A hierarchy beside a container, for objects that do not contain links.

use core::cmp::Ordering;
use core::fmt;

use super::edit;
use super::links::Links;
use super::nodes::{Nodes, Place, editing_nodes};
use super::walk::{Ancestors, Children, Descendants, Hierarchy, Steps, Traverse};
use super::{LinkError, LinkErrorKind};
use larder_core::TryReserveError;
use larder_core::containers::Stats;
use larder_core::containers::{Container, LinkStore};
use larder_core::key::Key;
use larder_core::room;

/// The hierarchy of the objects of one container.
///
/// It is separate from the container: the objects contain no links, and may be in several trees. Only objects
/// with a parent or children take memory in it. [`Links`] are the same hierarchy inside the objects.
///
/// Every key is checked: a stale key never refers to the next object in its slot. (With
/// [`BareHandle`](larder_core::key::BareHandle) keys, which have no generation, this cannot be detected: remove
/// their objects through the tree.)
///
/// # Removing
/// [`remove_subtree`](Self::remove_subtree), [`remove_promoting`](Self::remove_promoting) and
/// [`remove_orphaning`](Self::remove_orphaning) remove from the container and the tree at once. If an object
/// is removed from the container alone, its stale key stays in the tree until the next object in its slot is
/// attached, or [`retain_live`](Self::retain_live) is called; its children then become roots. A
/// [`Table`](larder_core::track::Table) owns both container and tree, so that this cannot be forgotten.
///
/// # Other values under the same keys
/// A tree relates keys, not values, so it also applies to other values under the same keys, as in a
/// [`SecondaryMap`](larder_core::maps::SecondaryMap).
/// ```
/// use larder::{Arena, SecondaryMap, Tree};
///
/// let files = Arena::from_iter(["home", "notes", "song"]);
/// let keys: Vec<_> = files.keys().collect();
/// let mut tree = Tree::new();
/// tree.append(&files, keys[0], keys[1])?;
/// tree.append(&files, keys[0], keys[2])?;
///
/// let bytes: SecondaryMap<_, _> = files.iter().map(|(key, name)| (key, name.len())).collect();
/// assert_eq!(tree.descendants(keys[0]).map(|key| bytes[key]).sum::<usize>(), 9);
/// # Ok::<(), larder::trees::LinkError<larder::Handle<&str>>>(())
/// ```
///
/// # Layout
/// ```text
/// slot     0      1      2      3      …
///        ┌ node ┬ node ┬ ──── ┬ node ┬                 4 bytes a slot: which node is the object's
///          │      └──────┐
///          ▼             ▼                             24 bytes a node, with keys of 8
///        ┌ key         ┬ key         ┬                 whose node it is
///        │ parent      │ parent      │                 links name nodes, not keys
///        │ first child │ first child │
///        │ prev │ next │ prev │ next │ …               siblings, in a circle
///        └─────────────┴─────────────┴
/// ```
/// A walk looks at nodes only: a key is looked up once, where the walk begins. Slots far from all others are in a
/// hash table instead of the array.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree};
///
/// let mut parts = Arena::new();
/// let [car, engine, piston, wheel] = ["car", "engine", "piston", "wheel"].map(|part| parts.insert(part));
/// let mut tree = Tree::new();
/// tree.append(&parts, car, engine)?;
/// tree.append(&parts, engine, piston)?;
/// tree.append(&parts, car, wheel)?;
///
/// let below: Vec<_> = tree.descendants(car).map(|part| parts[part]).collect();
/// assert_eq!(below, ["engine", "piston", "wheel"]);
/// assert!(tree.append(&parts, piston, car).is_err()); // it would hang below itself
///
/// tree.remove_subtree(&mut parts, engine); // from both
/// assert_eq!(parts.len(), 2);
/// # Ok::<(), larder::trees::LinkError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("hierarchy", "scene graph", "children", "parent"))]
#[derive(Clone)]
pub struct Tree<K: Key> {
    pub(super) nodes: Nodes<K, Links<Place>>,
}

impl<K: Key> Tree<K> {
    /// Makes an empty tree. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Tree};
    ///
    /// static EMPTY: Tree<Handle<u8>> = Tree::new();
    /// assert_eq!(EMPTY.roots().count(), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { nodes: Nodes::new() }
    }
}

/// Reading.
impl<K: Key> Tree<K> {
    /// Returns the parent of a key; `None` for a root and for a key that is not there. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// assert_eq!(tree.parent(b), Some(a));
    /// assert_eq!(tree.parent(a), None);
    /// ```
    #[must_use]
    pub fn parent(&self, key: K) -> Option<K> {
        self.ask(key, Self::parent_of)
    }

    /// Returns the first child of a key, if it has children. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// assert_eq!(tree.first_child(a), Some(b));
    /// ```
    #[must_use]
    pub fn first_child(&self, key: K) -> Option<K> {
        self.ask(key, Self::first_child_of)
    }

    /// Returns the last child of a key, if it has children. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.last_child(a), Some(c));
    /// ```
    #[must_use]
    pub fn last_child(&self, key: K) -> Option<K> {
        self.ask(key, Self::last_child_of)
    }

    /// Returns the sibling after a key; `None` for the last one and for a root. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.next_sibling(b), Some(c));
    /// assert_eq!(tree.next_sibling(c), None);
    /// ```
    #[must_use]
    pub fn next_sibling(&self, key: K) -> Option<K> {
        self.ask(key, Self::next_sibling_of)
    }

    /// Returns the sibling before a key; `None` for the first one and for a root. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert_eq!(tree.prev_sibling(c), Some(b));
    /// assert_eq!(tree.prev_sibling(b), None);
    /// ```
    #[must_use]
    pub fn prev_sibling(&self, key: K) -> Option<K> {
        self.ask(key, Self::prev_sibling_of)
    }

    /// Walks the children of a key in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert!(tree.children(a).eq([b, c]));
    /// assert!(tree.children(a).rev().eq([c, b]));
    /// ```
    pub fn children(&self, key: K) -> Children<'_, Self, K> {
        Children::new(self, key)
    }

    /// Walks the siblings after a key in order; none for a root. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for child in [b, c, d] {
    ///     tree.append(&things, a, child).unwrap();
    /// }
    /// assert!(tree.next_siblings(b).eq([c, d]));
    /// ```
    #[doc(alias("following_siblings"))]
    pub fn next_siblings(&self, key: K) -> impl Iterator<Item = K> + Clone {
        self.siblings(key, Self::next_sibling_of)
    }

    /// Walks the siblings before a key, the nearest first; none for a root. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for child in [b, c, d] {
    ///     tree.append(&things, a, child).unwrap();
    /// }
    /// assert!(tree.prev_siblings(d).eq([c, b]));
    /// ```
    #[doc(alias("preceding_siblings"))]
    pub fn prev_siblings(&self, key: K) -> impl Iterator<Item = K> + Clone {
        self.siblings(key, Self::prev_sibling_of)
    }

    /// Walks the parent of a key, its parent and so on to the root. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, b, c).unwrap();
    /// assert!(tree.ancestors(c).eq([b, a]));
    /// assert_eq!(tree.ancestors(c).count(), 2); // its depth
    /// ```
    #[doc(alias("depth", "is_ancestor"))]
    pub fn ancestors(&self, key: K) -> Ancestors<'_, Self, K> {
        Ancestors::new(self, key)
    }

    /// Walks everything below a key, each before its children (pre-order), without the key
    /// itself. O(1) each on average, without recursion or memory.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.descendants(a).eq([b, c, d]));
    /// let is_leaf = |&key: &_| tree.first_child(key).is_none();
    /// assert!(tree.descendants(a).filter(is_leaf).eq([c, d]));
    /// ```
    #[doc(alias = "leaves")]
    pub fn descendants(&self, key: K) -> Descendants<'_, Self, K> {
        Descendants::new(self, key)
    }

    /// Walks everything below a key, each after its children, without the key itself. O(1) each
    /// on average, without recursion or memory.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.descendants_post_order(a).eq([c, b, d]));
    /// ```
    pub fn descendants_post_order(&self, key: K) -> impl Iterator<Item = K> + Clone {
        self.post_order(key)
    }

    /// Walks everything below a key, without the key itself: enters each before its children and
    /// leaves it after them. O(1) each, without recursion or memory.
    ///
    /// # Examples
    /// ```
    /// use larder::trees::Visit::{Enter, Leave};
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// let steps = [Enter(b), Enter(c), Leave(c), Leave(b), Enter(d), Leave(d)];
    /// assert!(tree.traverse(a).eq(steps));
    /// ```
    pub fn traverse(&self, key: K) -> Traverse<'_, Self, K> {
        Traverse::new(self, key)
    }

    /// Walks everything below a key level by level, without the key itself. O(1) each, with memory
    /// for the keys of a level.
    ///
    /// # Panics
    /// On the way, if allocation fails.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.descendants_breadth_first(a).eq([b, d, c]));
    /// ```
    pub fn descendants_breadth_first(&self, key: K) -> impl Iterator<Item = K> + Clone {
        self.breadth_first(key)
    }
}

/// Attaching. A key that is attached elsewhere moves, with everything below it.
impl<K: Key> Tree<K> {
    /// Attaches `child` as the last child of `parent`. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `child` is `parent` or above it,
    /// or if allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert!(tree.children(a).eq([b, c]));
    /// assert!(tree.append(&things, c, a).is_err()); // it would hang below itself
    /// ```
    #[doc(alias("add_child", "push_back", "attach", "reparent"))]
    #[inline]
    pub fn append(
        &mut self,
        objects: &impl Container<Key = K>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        if self.append_new(objects, parent, child) {
            Ok(())
        } else {
            self.append_any(objects, parent, child)
        }
    }

    /// Attaches `child` as the first child of `parent`. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// Fails as [`append`](Self::append) does.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.prepend(&things, a, c).unwrap();
    /// assert!(tree.children(a).eq([c, b]));
    /// ```
    #[doc(alias("push_front"))]
    pub fn prepend(
        &mut self,
        objects: &impl Container<Key = K>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let places = self.admit(objects, parent, child);
        let linked = places.and_then(|(to, key)| {
            editing_nodes!(self.nodes, |nodes| edit::prepend(nodes, to, key))
        });
        linked.map_err(|reason| LinkError { key: child, to: parent, reason })
    }

    /// Attaches `child` before `sibling`. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// Fails as [`append`](Self::append) does, and if `sibling` has no parent.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.insert_before(&things, b, c).unwrap();
    /// assert!(tree.children(a).eq([c, b]));
    /// assert!(tree.insert_before(&things, a, d).is_err()); // a root has no siblings
    /// ```
    pub fn insert_before(
        &mut self,
        objects: &impl Container<Key = K>,
        sibling: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let places = self.admit(objects, sibling, child);
        let linked = places.and_then(|(to, key)| {
            editing_nodes!(self.nodes, |nodes| edit::insert_before(nodes, to, key))
        });
        linked.map_err(|reason| LinkError { key: child, to: sibling, reason })
    }

    /// Attaches `child` after `sibling`. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// Fails as [`append`](Self::append) does, and if `sibling` has no parent.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// tree.insert_after(&things, b, d).unwrap();
    /// assert!(tree.children(a).eq([b, d, c]));
    /// ```
    pub fn insert_after(
        &mut self,
        objects: &impl Container<Key = K>,
        sibling: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        let places = self.admit(objects, sibling, child);
        let linked = places.and_then(|(to, key)| {
            editing_nodes!(self.nodes, |nodes| edit::insert_after(nodes, to, key))
        });
        linked.map_err(|reason| LinkError { key: child, to: sibling, reason })
    }
}

/// Detaching. The objects stay in their container.
impl<K: Key> Tree<K> {
    /// Detaches a key from its parent, with everything below it, and returns whether it had a
    /// parent. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, b, c).unwrap();
    /// assert!(tree.make_root(b));
    /// assert_eq!(tree.parent(b), None);
    /// assert_eq!(tree.parent(c), Some(b));
    /// ```
    #[doc(alias = "detach")]
    pub fn make_root(&mut self, key: K) -> bool {
        let Some(place) = self.nodes.place_of(key) else { return false };
        editing_nodes!(self.nodes, |nodes| edit::detach(nodes, place))
    }

    /// Makes roots of all children of a key. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.orphan_children(a);
    /// assert_eq!(tree.parent(b), None);
    /// ```
    pub fn orphan_children(&mut self, key: K) {
        if let Some(place) = self.nodes.place_of(key) {
            editing_nodes!(self.nodes, |nodes| edit::orphan_children(nodes, place));
        }
    }

    /// Gives the children of a key to its parent, directly before the key. Those of a root
    /// become roots. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (b, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// tree.promote_children(b);
    /// assert!(tree.children(a).eq([c, d, b]));
    /// ```
    pub fn promote_children(&mut self, key: K) {
        if let Some(place) = self.nodes.place_of(key) {
            editing_nodes!(self.nodes, |nodes| edit::promote_children(nodes, place));
        }
    }
}

/// Removing objects, from the container and the hierarchy at once.
impl<K: Key> Tree<K> {
    /// Removes an object and everything below it, children before their parents, and returns
    /// how many there were: 0 if the key is stale, foreign or dangling. O(removed), without
    /// recursion or memory.
    ///
    /// If the `Drop` of an object panics, that object is removed, the hierarchy is consistent,
    /// and the call can be repeated.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert_eq!(tree.remove_subtree(&mut things, b), 2);
    /// assert!(tree.children(a).eq([d]));
    /// assert_eq!(things.get(c), None);
    /// ```
    #[doc(alias("destroy", "despawn_recursive"))]
    pub fn remove_subtree<C: Container<Key = K>>(&mut self, objects: &mut C, key: K) -> usize {
        self.remove_subtree_with(objects, key, |_, _| ())
    }

    /// Like [`remove_subtree`](Self::remove_subtree), and passes each removed object to `taken`,
    /// with its key. If that panics, the hierarchy is consistent. O(removed).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// let mut order = Vec::new();
    /// tree.remove_subtree_with(&mut things, a, |key, _| order.push(key));
    /// assert_eq!(order, [c, b, d, a]);
    /// ```
    pub fn remove_subtree_with<C: Container<Key = K>>(
        &mut self,
        objects: &mut C,
        key: K,
        taken: impl FnMut(K, C::Removed),
    ) -> usize {
        if objects.contains_key(key) { self.take_subtree(objects, key, taken) } else { 0 }
    }

    /// Removes everything below an object, but not the object, and returns the number of objects removed, like
    /// [`remove_subtree`](Self::remove_subtree). O(removed).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert_eq!(tree.remove_children(&mut things, a), 3);
    /// assert!(things.contains_key(a) && things.len() == 1);
    /// ```
    pub fn remove_children<C: Container<Key = K>>(&mut self, objects: &mut C, key: K) -> usize {
        let mut removed = 0;
        if !objects.contains_key(key) {
            return removed;
        }
        while let Some(child) = self.first_child(key) {
            removed += self.take_subtree(objects, child, |_, _| ());
            if self.first_child(key) == Some(child) {
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
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.remove_orphaning(&mut things, b).is_some());
    /// assert_eq!(tree.parent(c), None);
    /// assert!(tree.children(a).eq([d]));
    /// ```
    pub fn remove_orphaning<C: Container<Key = K>>(
        &mut self,
        objects: &mut C,
        key: K,
    ) -> Option<C::Removed> {
        self.forget(key);
        objects.remove(key)
    }

    /// Removes an object and puts its children in its place. Those of a root become roots.
    /// Returns what the container does, usually the object; `None` if the key is stale, foreign
    /// or dangling. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert!(tree.remove_promoting(&mut things, b).is_some());
    /// assert!(tree.children(a).eq([c, d]));
    /// ```
    pub fn remove_promoting<C: Container<Key = K>>(
        &mut self,
        objects: &mut C,
        key: K,
    ) -> Option<C::Removed> {
        if let Some(place) = self.nodes.place_of(key) {
            editing_nodes!(self.nodes, |nodes| edit::promote_children(nodes, place));
        }
        self.forget(key);
        objects.remove(key)
    }

    /// Removes a key and everything below it, also if its object is gone already.
    fn take_subtree<C: Container<Key = K>>(
        &mut self,
        objects: &mut C,
        key: K,
        mut taken: impl FnMut(K, C::Removed),
    ) -> usize {
        let mut remove = |key| objects.remove(key).map(|object| taken(key, object)).is_some();
        let Some(root) = self.nodes.place_of(key) else {
            return usize::from(remove(key));
        };
        editing_nodes!(self.nodes, |nodes| {
            edit::remove_subtree(nodes, root, |nodes, leaf| {
                let next = edit::leave(nodes, leaf);
                (remove(nodes.vacate(leaf.at)), next)
            })
        })
    }
}

/// Sorting siblings.
impl<K: Key> Tree<K> {
    /// Sorts the children of a key; stable. If `compare` panics, nothing has changed. O(n log n), with memory
    /// for n keys.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// tree.sort_children_by(a, |x, y| things[y].cmp(things[x])); // descending
    /// assert!(tree.children(a).eq([c, b]));
    /// ```
    #[track_caller]
    pub fn sort_children_by(&mut self, key: K, mut compare: impl FnMut(K, K) -> Ordering) {
        let Some(place) = self.nodes.place_of(key) else {
            return;
        };
        let sorted = editing_nodes!(self.nodes, |nodes| {
            edit::sort_children(nodes, place, |nodes, a, b| {
                compare(Nodes::key_of(nodes, a), Nodes::key_of(nodes, b))
            })
        });
        room::granted::<Self, _>(sorted);
    }
}

/// The steps of which linking and unlinking consist.
impl<K: Key> Tree<K> {
    /// The nodes of both keys. On an error nothing has changed.
    pub(super) fn admit(
        &mut self,
        objects: &impl Container<Key = K>,
        to: K,
        key: K,
    ) -> Result<(Place, Place), LinkErrorKind> {
        if !objects.contains_key(to) {
            return Err(LinkErrorKind::TargetMissing);
        }
        if !objects.contains_key(key) {
            return Err(LinkErrorKind::Missing);
        }
        self.place_both(to, key)
    }

    #[inline(never)]
    fn append_any(
        &mut self,
        objects: &impl Container<Key = K>,
        to: K,
        key: K,
    ) -> Result<(), LinkError<K>> {
        let places = self.admit(objects, to, key);
        let linked = places
            .and_then(|(to, key)| editing_nodes!(self.nodes, |nodes| edit::append(nodes, to, key)));
        linked.map_err(|reason| LinkError { key, to, reason })
    }

    /// Appends an object that has no node to one that has, where there is room: what is done most while a
    /// tree is built. Otherwise nothing has changed.
    #[inline(always)]
    fn append_new(&mut self, objects: &impl Container<Key = K>, to: K, key: K) -> bool {
        if !(objects.contains_key(to) && objects.contains_key(key)) {
            return false;
        }
        let Some(parent) = self.nodes.place_nearby(to) else { return false };
        self.nodes.place_quickly(key, |nodes, child| edit::append_new(nodes, parent, child))
    }

    #[inline]
    pub(super) fn place_both(&mut self, to: K, key: K) -> Result<(Place, Place), LinkErrorKind> {
        if let (Some(to), Some(key)) = (self.place(to)?, self.place(key)?) {
            return Ok((to, key));
        }
        // There is room for both. A node whose key is stale, since another object has its slot now, is freed.
        for key in [to, key] {
            if let Some(gone) = self.nodes.tenant(key.slot()).filter(|&tenant| tenant != key) {
                self.forget(gone);
            }
        }
        // (Two keys of one slot have one node at most: then the container is wrong.)
        Ok((
            self.place(to)?.ok_or(LinkErrorKind::TargetMissing)?,
            self.place(key)?.ok_or(LinkErrorKind::Missing)?,
        ))
    }

    #[inline]
    fn place(&mut self, key: K) -> Result<Option<Place>, LinkErrorKind> {
        self.nodes.place(key).map_err(LinkErrorKind::no_place)
    }

    /// Returns the first of those below a key that have no children, or itself, and the parent of that.
    #[cfg(feature = "track")]
    #[inline]
    pub(super) fn first_leaf_below(&self, key: K) -> (K, Option<K>) {
        let Some(found) = self.find_key(key) else { return (key, None) };
        let leaf = self.first_leaf(found, found.at);
        (self.key_of(leaf.at), leaf.links.parent.map(|parent| self.key_of(parent)))
    }

    /// Unlinks a key and frees its links.
    pub(crate) fn forget(&mut self, key: K) {
        if let Some(place) = self.nodes.place_of(key) {
            editing_nodes!(self.nodes, |nodes| {
                edit::unlink(nodes, place);
                nodes.vacate(place);
            });
        }
    }
}

/// The tree as a whole.
impl<K: Key> Tree<K> {
    /// Walks the keys that have children and no parent, by slot. (A key with neither is not in the tree.)
    /// O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, b, a).unwrap();
    /// tree.append(&things, c, d).unwrap();
    /// assert!(tree.roots().eq([b, c]));
    /// ```
    pub fn roots(&self) -> impl Iterator<Item = K> {
        let is_root = |place: &Place| {
            let links = self.nodes.links(*place);
            links.is_some_and(|links| links.parent.is_none() && links.first_child.is_some())
        };
        self.nodes.places().filter(is_root).map(|place| self.nodes.key_of(place))
    }

    /// Returns whether a key has a parent or children. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// assert!(tree.contains_key(a) && !tree.contains_key(c));
    /// ```
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        let links = self.nodes.place_of(key).and_then(|place| self.nodes.links(place));
        links.is_some_and(|links| links.parent.is_some() || links.first_child.is_some())
    }

    /// Unlinks objects that are no longer in the container; their children become roots. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, b, c).unwrap();
    /// things.remove(b); // without telling the tree
    /// assert!(tree.children(a).eq([b]));
    ///
    /// tree.retain_live(&things);
    /// assert_eq!(tree.first_child(a), None);
    /// assert_eq!(tree.parent(c), None);
    /// ```
    pub fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        for position in 0..self.nodes.positions() {
            let key = self.nodes.key_in(position);
            if let Some(gone) = key.filter(|&key| !objects.contains_key(key)) {
                self.forget(gone);
            }
        }
    }

    /// Unlinks everything and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.clear();
    /// assert_eq!(tree.parent(b), None);
    /// ```
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Returns how many linked objects there is room for: as long as the slots of all keys are below this number,
    /// nothing is allocated. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.reserve(100);
    /// tree.append(&things, a, b).unwrap();
    /// assert!(tree.capacity() >= 100);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// Makes room for at least `additional` linked objects more: as long as the slots of all keys are below the
    /// [`capacity`](Self::capacity) then, as those of a container of this capacity are, nothing is allocated, however
    /// often objects are unlinked and others attached. O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.reserve(100);
    /// tree.append(&things, a, b).unwrap();
    /// assert!(tree.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<Self, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// assert!(tree.try_reserve(100).is_ok());
    /// tree.append(&things, a, b).unwrap();
    /// assert!(tree.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.nodes.try_reserve(additional)
    }

    /// Frees unused memory, as far as the allocator agrees. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.make_root(b);
    /// tree.shrink_to_fit();
    /// assert!(tree.append(&things, a, b).is_ok());
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit(None);
    }

    /// Returns how many nodes it has, and where its memory goes; `values` are nodes. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// tree.append(&things, a, b).unwrap();
    /// assert_eq!((tree.stats().live, tree.stats().memory.values), (2, 2 * 24));
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::beside(self.nodes.len(), self.nodes.memory())
    }

    /// Panics if the tree is inconsistent; for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.nodes.validate();
        let keys = self.nodes.places().map(|place| self.nodes.key_of(place));
        assert_eq!(super::check::check(self, keys), Ok(()));
    }
}

impl<K: Key> Hierarchy<K> for Tree<K> {
    type Place = Place;

    /// Nothing is attached below itself, and trees that are loaded are attached key by key.
    const MAY_TEAR: bool = false;

    #[inline]
    fn links_at(&self, place: Place) -> Option<Links<Place>> {
        self.nodes.links(place).copied()
    }

    #[inline]
    fn place_of(&self, key: K) -> Option<Place> {
        self.nodes.place_of(key)
    }

    #[inline]
    fn key_of(&self, place: Place) -> K {
        self.nodes.key_of(place)
    }

    #[inline]
    fn most(&self) -> Option<usize> {
        Some(self.nodes.len())
    }
}

impl<K: Key> Default for Tree<K> {
    /// An empty tree. Allocates nothing.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key> fmt::Debug for Tree<K> {
    /// The parent of each key that has one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.nodes.places().map(|place| self.nodes.key_of(place));
        f.debug_map().entries(keys.filter_map(|key| Some((key, self.parent(key)?)))).finish()
    }
}
