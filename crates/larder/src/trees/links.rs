//! A hierarchy through the objects: parent, first child and siblings, as keys that are checked.
//!
//! ```text
//!                  ┌───────┐
//!       ┌─────────▶│ chest │◀────────┬──────────────┐
//!       │          └───┬───┘         │ parent       │ parent
//!       │ parent       │ first child │              │
//!       │  ┌───────────┘             │              │
//!       │  ▼                         │              │
//!    ┌──┴────┐  next            ┌────┴──┐  next   ┌─┴─────┐
//! ┌─▶│ sword │ ───────────────▶ │ rope  │ ──────▶ │ torch │ ─┐
//! │  └───────┘ ◀─────────────── └───────┘ ◀────── └───────┘  │
//! │               prev                      prev             │
//! └──────────────────────────────────────────────────────────┘   (and prev the other way round)
//! ```
//! The siblings are a circle, so that the last is the one before the first. Nothing has to be
//! allocated, walked or searched to attach, detach or remove.
//!
//! [`Links`] lie inside the objects. A [`Tree`](crate::Tree) has the same links beside them. Both
//! do the same by the same code.

/// Makes the examples short: four things that are nothing but their links.
macro_rules! things {
    () => {
        "# use larder::{Arena, Handle, trees::Links};\n\
         # struct Thing;\n\
         # let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();\n\
         # let [a, b, c, d] = [(); 4].map(|()| things.insert(Links::new()));"
    };
}

pub(crate) mod edit;
mod error;
mod linked;
mod looking;
mod mend;
pub(crate) mod ring;
pub(crate) mod walk;

#[cfg(feature = "alloc")]
use core::cmp::Ordering;

use crate::containers::container::Container;
#[cfg(feature = "alloc")]
use crate::explain;
use crate::key::Key;
pub use error::{CheckError, LinkError, LinkErrorKind};
pub use linked::{Field, LinkStore, LinkStoreMut};
pub(crate) use mend::tail;
use ring::{HasRing, Ring};
pub use walk::{Ancestors, Children, Cursor, Descendants, PostOrder};
/// A place in a hierarchy, as a field of the objects that are in it.
///
/// The functions take whatever the objects are in: a container whose values give their links out by
/// [`AsRef`] and [`AsMut`], or a [`Field`] of a container. Each key is checked when it is followed,
/// and followed only if the other end links back. So the links of an object that was removed lead
/// nowhere, never to who is in its slot now.
///
/// All zero is a place in no hierarchy, and so is [`new`](Self::new). A copy of an object has a copy
/// of its links, which nothing links back to: give it new ones.
///
/// # Removing
/// An object's links go with it. [`remove_subtree`](Self::remove_subtree),
/// [`remove_promoting`](Self::remove_promoting) and [`remove_orphaning`](Self::remove_orphaning) remove
/// it and tell those that it was linked with. Where an object was removed from its container alone,
/// its children are roots, and the circle of its siblings is torn: walks end there, and attaching at
/// this place is an error, until [`mend`](Self::mend) has closed it.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::Links};
///
/// struct Thing {
///     name: &'static str,
///     family: Links<Handle<Thing>>,
/// }
/// impl Thing {
///     fn new(name: &'static str) -> Self {
///         Self { name, family: Links::new() }
///     }
/// }
/// impl AsRef<Links<Handle<Thing>>> for Thing {
///     fn as_ref(&self) -> &Links<Handle<Thing>> {
///         &self.family
///     }
/// }
/// impl AsMut<Links<Handle<Thing>>> for Thing {
///     fn as_mut(&mut self) -> &mut Links<Handle<Thing>> {
///         &mut self.family
///     }
/// }
///
/// let mut things = Arena::new();
/// let [chest, sword, rope] = ["chest", "sword", "rope"].map(|name| things.insert(Thing::new(name)));
/// Links::append(&mut things, chest, sword)?;
/// Links::append(&mut things, chest, rope)?;
/// let inside: Vec<_> = Links::children(&things, chest).map(|key| things[key].name).collect();
/// assert_eq!(inside, ["sword", "rope"]);
///
/// assert_eq!(Links::remove_subtree(&mut things, chest), 3);
/// assert!(things.is_empty());
/// # Ok::<(), larder::trees::LinkError<Handle<Thing>>>(())
/// ```
#[doc(alias("intrusive", "hierarchy", "first_child", "parent", "node"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Links<K> {
    parent: Option<K>,
    first_child: Option<K>,
    ring: Ring<K>,
}

impl<K> HasRing<K> for Links<K> {
    #[inline]
    fn ring(&self) -> &Ring<K> {
        &self.ring
    }

    #[inline]
    fn ring_mut(&mut self) -> &mut Ring<K> {
        &mut self.ring
    }
}

impl<K> AsRef<Self> for Links<K> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<K> AsMut<Self> for Links<K> {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

impl<K> Default for Links<K> {
    /// In no hierarchy.
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Links<K> {
    /// In no hierarchy. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Links};
    ///
    /// assert!(Links::<Handle<u8>>::new().is_alone());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { parent: None, first_child: None, ring: Ring::OPEN }
    }

    /// Whether there is neither a parent nor a child. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// assert!(!things[a].is_alone() && !things[b].is_alone() && things[c].is_alone());
    /// ```
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.parent.is_none() && self.first_child.is_none()
    }
}

/// Attaching and detaching.
impl<K: Key> Links<K> {
    /// Attaches `child` as the last child of `parent`, with all below it; if it was attached
    /// elsewhere, it moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `child` is `parent` or above it, or if the place
    /// is torn; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// assert!(Links::children(&things, a).eq([b, c]));
    /// assert!(Links::append(&mut things, c, a).is_err()); // it would hang below itself
    /// ```
    #[doc(alias("add_child", "push_back", "attach", "reparent"))]
    pub fn append(
        objects: &mut impl LinkStoreMut<K, Self>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        edit::append(objects, parent, child)
    }

    /// Attaches `child` as the first child of `parent`, with all below it; if it was attached
    /// elsewhere, it moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `child` is `parent` or above it, or if the place
    /// is torn; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::prepend(&mut things, a, c).unwrap();
    /// assert!(Links::children(&things, a).eq([c, b]));
    /// ```
    #[doc(alias("push_front"))]
    pub fn prepend(
        objects: &mut impl LinkStoreMut<K, Self>,
        parent: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        edit::prepend(objects, parent, child)
    }

    /// Attaches `child` in front of `sibling`, with all below it; if it was attached elsewhere, it
    /// moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `sibling` has no parent, or `child` is `sibling`
    /// or above it, or if the place is torn; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::insert_before(&mut things, b, c).unwrap();
    /// assert!(Links::children(&things, a).eq([c, b]));
    /// assert!(Links::insert_before(&mut things, a, d).is_err()); // a root has no siblings
    /// ```
    pub fn insert_before(
        objects: &mut impl LinkStoreMut<K, Self>,
        sibling: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        edit::insert_before(objects, sibling, child)
    }

    /// Attaches `child` behind `sibling`, with all below it; if it was attached elsewhere, it
    /// moves. O(1); O(depth) if it has children.
    ///
    /// # Errors
    /// If a key is stale, foreign or dangling, if `sibling` has no parent, or `child` is `sibling`
    /// or above it, or if the place is torn; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// Links::insert_after(&mut things, b, d).unwrap();
    /// assert!(Links::children(&things, a).eq([b, d, c]));
    /// ```
    pub fn insert_after(
        objects: &mut impl LinkStoreMut<K, Self>,
        sibling: K,
        child: K,
    ) -> Result<(), LinkError<K>> {
        edit::insert_after(objects, sibling, child)
    }

    /// Takes a key from its parent, with all below it: it is a root then. Says whether it had a
    /// parent. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, b, c).unwrap();
    /// assert!(Links::make_root(&mut things, b));
    /// assert_eq!(Links::parent(&things, b), None);
    /// assert_eq!(Links::parent(&things, c), Some(b));
    /// assert!(!Links::make_root(&mut things, b));
    /// ```
    #[doc(alias = "detach")]
    pub fn make_root(objects: &mut impl LinkStoreMut<K, Self>, key: K) -> bool {
        edit::detach(objects, key)
    }

    /// Takes all children from a key: each is a root then, with all below it. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// Links::orphan_children(&mut things, a);
    /// assert_eq!(Links::parent(&things, c), None);
    /// assert_eq!(Links::first_child(&things, a), None);
    /// ```
    pub fn orphan_children(objects: &mut impl LinkStoreMut<K, Self>, key: K) {
        edit::orphan_children(objects, key);
    }

    /// Hands the children of a key to its parent, in its place in front of it; those of a root
    /// become roots. O(children).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (b, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// Links::promote_children(&mut things, b);
    /// assert!(Links::children(&things, a).eq([c, d, b]));
    /// ```
    pub fn promote_children(objects: &mut impl LinkStoreMut<K, Self>, key: K) {
        edit::promote_children(objects, key);
    }

    /// Sorts the children of a key by what `compare` says of two of their keys; stable. It is given
    /// the objects, too. If it panics nothing has changed. O(n log n), with memory for n keys.
    ///
    /// # Panics
    /// If memory is refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, trees::Links};
    ///
    /// struct Thing;
    /// let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
    /// let [a, b, c] = [(); 3].map(|()| things.insert(Links::new()));
    /// Links::append(&mut things, a, b).unwrap();
    /// Links::append(&mut things, a, c).unwrap();
    /// Links::sort_children_by(&mut things, a, |_, x, y| y.slot().cmp(&x.slot()));
    /// assert!(Links::children(&things, a).eq([c, b]));
    /// ```
    #[cfg(feature = "alloc")]
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

/// Removing objects with their links.
impl<K: Key> Links<K> {
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
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert_eq!(Links::remove_subtree(&mut things, b), 2);
    /// assert!(Links::children(&things, a).eq([d]));
    /// assert_eq!(things.get(c), None);
    /// ```
    #[doc(alias("destroy", "despawn_recursive"))]
    pub fn remove_subtree<C: Container<Key = K> + LinkStoreMut<K, Self>>(
        objects: &mut C,
        key: K,
    ) -> usize {
        Self::remove_subtree_with(objects, key, |_, _| ())
    }

    /// As [`remove_subtree`](Self::remove_subtree), and hands every removed object to `taken`, with
    /// its key. If that panics, what is left is whole. O(removed).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for (parent, child) in [(a, b), (b, c), (a, d)] {
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// let mut order = Vec::new();
    /// Links::remove_subtree_with(&mut things, a, |key, _| order.push(key));
    /// assert_eq!(order, [c, b, d, a]);
    /// ```
    pub fn remove_subtree_with<C: Container<Key = K> + LinkStoreMut<K, Self>>(
        objects: &mut C,
        key: K,
        mut taken: impl FnMut(K, C::Removed),
    ) -> usize {
        edit::remove_subtree(
            objects,
            key,
            |objects| objects,
            |objects, key| {
                edit::detach(objects, key);
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
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::remove_orphaning(&mut things, b).is_some());
    /// assert_eq!(Links::parent(&things, c), None);
    /// assert!(Links::children(&things, a).eq([d]));
    /// ```
    pub fn remove_orphaning<C: Container<Key = K> + LinkStoreMut<K, Self>>(
        objects: &mut C,
        key: K,
    ) -> Option<C::Removed> {
        edit::orphan_children(objects, key);
        edit::detach(objects, key);
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
    ///     Links::append(&mut things, parent, child).unwrap();
    /// }
    /// assert!(Links::remove_promoting(&mut things, b).is_some());
    /// assert!(Links::children(&things, a).eq([c, d]));
    /// ```
    pub fn remove_promoting<C: Container<Key = K> + LinkStoreMut<K, Self>>(
        objects: &mut C,
        key: K,
    ) -> Option<C::Removed> {
        edit::promote_children(objects, key);
        edit::detach(objects, key);
        objects.remove(key)
    }
}

/// Links that nobody was told of.
impl<K: Key> Links<K> {
    /// Closes the gaps that objects left which were removed without their links: children of what
    /// is gone become roots, circles of siblings are closed again. Give it all keys of the
    /// container. O(keys).
    ///
    /// The siblings stay in their order, but where several of one circle are gone: then the pieces
    /// follow each other in the order of the keys.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for child in [b, c, d] {
    ///     Links::append(&mut things, a, child).unwrap();
    /// }
    /// things.remove(c);
    /// assert!(Links::children(&things, a).eq([b])); // and no further
    ///
    /// let keys: Vec<_> = things.keys().collect();
    /// Links::mend(&mut things, &keys);
    /// assert!(Links::children(&things, a).eq([b, d]));
    /// ```
    pub fn mend(objects: &mut impl LinkStoreMut<K, Self>, keys: &[K]) {
        mend::mend(objects, keys);
    }

    /// Whether the links fit each other: for those that came from a file. Give it all keys of the
    /// container. O(keys).
    ///
    /// Links that do not fit do no harm: what does not fit is not followed, and every walk ends.
    ///
    /// # Errors
    /// If links contradict each other, lead to what is not there, or go in a circle.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// Links::append(&mut things, a, b).unwrap();
    /// assert_eq!(Links::check(&things, things.keys()), Ok(()));
    /// things[b] = Links::new();
    /// assert!(Links::check(&things, things.keys()).is_err());
    /// ```
    pub fn check(
        objects: &impl LinkStore<K, Self>,
        keys: impl Iterator<Item = K>,
    ) -> Result<(), CheckError<K>> {
        mend::check(objects, keys)
    }
}
