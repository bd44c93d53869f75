//! A hierarchy beside a container: the links of [`links`](crate::trees::links), for objects that know
//! nothing of it.

/// Makes the examples short: four things, and a tree of them.
macro_rules! things {
    () => {
        "# use larder::{Arena, Tree};\n\
         # let mut things = Arena::from_iter([\"a\", \"b\", \"c\", \"d\"]);\n\
         # let keys: Vec<_> = things.keys().collect();\n\
         # let [a, b, c, d] = keys[..] else { unreachable!() };\n\
         # let mut tree = Tree::new();"
    };
}

pub(crate) mod beside;
mod looking;

use core::cmp::Ordering;
use core::fmt;

use beside::Beside;

use crate::containers::container::Container;
use crate::explain;
use crate::key::Key;
use crate::stats::MemoryUsage;
use crate::trees::links::{LinkError, LinkErrorKind, LinkStore, Links, edit};

/// Who is whose child, of the objects of one container.
///
/// Beside the container: the objects know nothing of it, and there may be several trees of the same
/// objects. Only what is attached, or has children, is in it. For objects that are to hold their links
/// themselves there are [`Links`], which do the same.
///
/// Every key is checked when it is followed: a stale one never answers for who is in its slot now.
/// (Keys without a generation, [`BareHandle`](crate::key::BareHandle), cannot tell: remove their objects through the tree.)
///
/// # Removing
/// [`remove_subtree`](Self::remove_subtree), [`remove_promoting`](Self::remove_promoting) and
/// [`remove_orphaning`](Self::remove_orphaning) remove from the container and the tree at once. An object
/// that was removed from the container alone stays a place in the tree, under a key that is stale
/// everywhere else, until somebody in its slot is attached, or [`retain_live`](Self::retain_live) is
/// called. Its children become roots then. A [`AutoUnlink`](crate::trees::AutoUnlink) owns both, so that this cannot
/// be forgotten.
///
/// # Layout
/// ```text
/// slot        0                1                …
///           ┌ parent         ┬ parent         ┬
///           │ first child    │ first child    │
///           │ prev │ next    │ prev │ next    │            siblings, in a circle
///           │ generation     │ generation     │            a node knows whose it is
///           └────────────────┴────────────────┴
/// ```
/// A node takes 40 bytes with keys of 8. They lie as the values of a
/// [`SecondaryMap`](crate::SecondaryMap) do, so that memory is that of what is attached, whatever slots
/// keys name.
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
/// assert!(tree.append(&parts, piston, car).is_err()); // nothing can hang below itself
///
/// tree.remove_subtree(&mut parts, engine); // from both
/// assert_eq!(parts.len(), 2);
/// # Ok::<(), larder::trees::LinkError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("hierarchy", "scene graph", "children", "parent"))]
#[derive(Clone)]
pub struct Tree<K: Key> {
    nodes: Beside<K, Links<K>>,
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
        Self { nodes: Beside::new() }
    }
}

/// Attaching and detaching. The container says which objects there are.
impl<K: Key> Tree<K> {
    /// Attaches `child` as the last child of `parent`, with all below it; if it was attached
    /// elsewhere, it moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `child` is `parent` or above it, or if memory is
    /// refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// assert!(tree.children(a).eq([b, c]));
    /// assert!(tree.append(&things, c, a).is_err()); // it would hang below itself
    /// ```
    #[doc(alias("add_child", "push_back", "attach", "reparent"))]
    pub fn append(
        &mut self,
        objects: &impl Container<Key = K>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        self.admit(objects, parent, child)?;
        edit::append(&mut self.nodes, parent, child)
    }

    /// Attaches `child` as the first child of `parent`, with all below it; if it was attached
    /// elsewhere, it moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `child` is `parent` or above it, or if memory is
    /// refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        self.admit(objects, parent, child)?;
        edit::prepend(&mut self.nodes, parent, child)
    }

    /// Attaches `child` in front of `sibling`, with all below it; if it was attached elsewhere, it
    /// moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `sibling` has no parent, or `child` is `sibling`
    /// or above it, or if memory is refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        self.admit(objects, sibling, child)?;
        edit::insert_before(&mut self.nodes, sibling, child)
    }

    /// Attaches `child` behind `sibling`, with all below it; if it was attached elsewhere, it
    /// moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `sibling` has no parent, or `child` is `sibling`
    /// or above it, or if memory is refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        self.admit(objects, sibling, child)?;
        edit::insert_after(&mut self.nodes, sibling, child)
    }

    /// Takes a key from its parent, with all below it: it is a root then. Says whether it had a
    /// parent. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, b, c).unwrap();
    /// assert!(tree.make_root(b));
    /// assert_eq!(tree.parent(b), None);
    /// assert_eq!(tree.parent(c), Some(b));
    /// assert!(!tree.make_root(b));
    /// ```
    #[doc(alias = "detach")]
    pub fn make_root(&mut self, key: K) -> bool {
        edit::detach(&mut self.nodes, key)
    }

    /// Takes all children from a key: each is a root then, with all below it. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// tree.orphan_children(a);
    /// assert_eq!(tree.parent(c), None);
    /// assert_eq!(tree.first_child(a), None);
    /// ```
    pub fn orphan_children(&mut self, key: K) {
        edit::orphan_children(&mut self.nodes, key);
    }

    /// Hands the children of a key to its parent, in its place in front of it; those of a root
    /// become roots. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (b, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// tree.promote_children(b);
    /// assert!(tree.children(a).eq([c, d, b]));
    /// ```
    pub fn promote_children(&mut self, key: K) {
        edit::promote_children(&mut self.nodes, key);
    }

    /// Sorts the children of a key by what `compare` says of two of their keys; stable. If it panics
    /// nothing has changed. O(n log n), with memory for n keys.
    ///
    /// # Panics
    /// If memory is refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.append(&things, a, c).unwrap();
    /// tree.sort_children_by(a, |x, y| things[y].cmp(things[x])); // backwards
    /// assert!(tree.children(a).eq([c, b]));
    /// ```
    #[track_caller]
    pub fn sort_children_by(&mut self, key: K, mut compare: impl FnMut(K, K) -> Ordering) {
        let sorted = edit::sort_children(&mut self.nodes, key, |_, a, b| compare(a, b));
        if let Err(reason) = sorted {
            explain::refused::<Self>(&reason);
        }
    }

    /// Makes room for the links of both; nothing else changes unless they are of objects.
    fn admit(
        &mut self,
        objects: &impl Container<Key = K>,
        to: K,
        key: K,
    ) -> Result<(), LinkError<K>> {
        let refuse = |reason| LinkError { key, to, reason };
        if !objects.contains_key(to) {
            return Err(refuse(LinkErrorKind::TargetMissing));
        }
        if !objects.contains_key(key) {
            return Err(refuse(LinkErrorKind::Missing));
        }
        // What may be refused comes first: who is gone is forgotten once there is room.
        for key in [to, key] {
            self.nodes
                .make_room(key)
                .map_err(|refusal| refuse(LinkErrorKind::no_place(refusal)))?;
        }
        for key in [to, key] {
            if let Some(gone) = self.nodes.tenant(key.slot()).filter(|&tenant| tenant != key) {
                self.forget(gone);
                self.nodes
                    .place(key)
                    .map_err(|refusal| refuse(LinkErrorKind::no_place(refusal)))?;
            }
        }
        Ok(())
    }

    /// Attaches a key that was in no tree, whether an object has it or not, as trees are loaded.
    #[cfg(feature = "serde")]
    pub(crate) fn append_loaded(&mut self, parent: K, child: K) -> Result<(), LinkError<K>> {
        let refuse = |reason| LinkError { key: child, to: parent, reason };
        for key in [parent, child] {
            if self.nodes.tenant(key.slot()).is_some_and(|tenant| tenant != key) {
                return Err(refuse(LinkErrorKind::Missing)); // one slot, two keys
            }
            self.nodes.place(key).map_err(|refusal| refuse(LinkErrorKind::no_place(refusal)))?;
        }
        edit::append(&mut self.nodes, parent, child)
    }

    /// Unlinks a key: its children become roots.
    fn unlink(&mut self, key: K) {
        edit::orphan_children(&mut self.nodes, key);
        edit::detach(&mut self.nodes, key);
    }

    /// Unlinks a key, and gives its place away.
    pub(crate) fn forget(&mut self, key: K) {
        self.unlink(key);
        self.nodes.vacate(key);
    }
}

/// Removing objects from the container and the tree at once.
impl<K: Key> Tree<K> {
    /// Removes a key's object and all below it, from the container and the hierarchy; says how
    /// many. Children go before their parents. 0 if the key is stale, foreign or dangling.
    /// O(removed); no recursion, no memory.
    ///
    /// If an object panics as it is dropped, that one is removed, what is left is whole, and the
    /// rest can be removed again.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     tree.append(&things, parent, child).unwrap();
    /// }
    /// assert_eq!(tree.remove_subtree(&mut things, b), 2);
    /// assert!(tree.children(a).eq([d]));
    /// assert_eq!(things.get(c), None);
    /// ```
    #[doc(alias("destroy", "despawn_recursive"))]
    pub fn remove_subtree(&mut self, objects: &mut impl Container<Key = K>, key: K) -> usize {
        self.remove_subtree_with(objects, key, |_, _| ())
    }

    /// As [`remove_subtree`](Self::remove_subtree), and hands every removed object to `taken`, with
    /// its key. If that panics, what is left is whole. O(removed).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        mut taken: impl FnMut(K, C::Removed),
    ) -> usize {
        edit::remove_subtree(
            self,
            key,
            |tree| tree,
            |tree, key| {
                tree.forget(key);
                objects.remove(key).map(|object| taken(key, object)).is_some()
            },
        )
    }

    /// Removes a key's object from the container and the hierarchy; its children become roots.
    /// `None` if the key is stale, foreign or dangling. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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

    /// Removes a key's object from the container and the hierarchy; its parent takes its children,
    /// in its place. Those of a root become roots. `None` if the key is stale, foreign or dangling.
    /// O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        self.promote_children(key);
        self.forget(key);
        objects.remove(key)
    }
}

/// Cleaning up.
impl<K: Key> Tree<K> {
    /// Unlinks what is no longer in the container; its children become roots. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        for place in 0..self.nodes.places() {
            if let Some(gone) = self.nodes.key_in(place).filter(|&key| !objects.contains_key(key)) {
                self.unlink(gone); // and its place stays, so that the others stay in theirs
            }
        }
    }

    /// Forgets all links, and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.clear();
    /// assert_eq!(tree.parent(b), None);
    /// ```
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Gives back what memory is not needed for what is attached. O(slots). If the allocator refuses, the
    /// memory stays.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// tree.make_root(b);
    /// tree.shrink_to_fit();
    /// assert!(tree.append(&things, a, b).is_ok());
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
    }

    /// What its memory is used for, in bytes; values are links. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// tree.append(&things, a, b).unwrap();
    /// assert_eq!(tree.memory_usage().values, 2 * size_of::<larder::trees::Links<larder::Handle<&str>>>());
    /// ```
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.nodes.memory_usage()
    }
}

impl<K: Key> LinkStore<K, Links<K>> for Tree<K> {
    #[inline]
    fn links(&self, key: K) -> Option<&Links<K>> {
        self.nodes.links(key)
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
        let parents = self.nodes.keys().filter_map(|key| Some((key, self.parent(key)?)));
        f.debug_map().entries(parents).finish()
    }
}
