//! A container and what is linked beside it, so that no removal is forgotten.
//!
//! **Invariant.** Every key that is linked is one of the container's: methods that link ask it, and an object is
//! unlinked before it is removed.

use alloc::vec::Vec;
use core::mem;
use core::ops::{Index, IndexMut};

use super::link_store::{LinkStore, LinkStoreMut};
use super::tree::Tree;
use super::unlink::Unlink;
use crate::containers::container::{Container, RowContainer, rows_inside};
use crate::error::{InsertError, TryReserveError};
use crate::explain;
use crate::key::Key;
use crate::macros::derefs;
use crate::raw::OnDrop;
#[cfg(feature = "columns")]
use crate::{
    DenseSoaArena, SoaArena,
    soa::{Fill, Soa, view},
};

/// Hidden lines of the examples: four things, a tree and a list of them.
macro_rules! example {
    () => {
        "# use larder::{Arena, Tree, trees::{AutoUnlink, KeyList}};\n\
         # let mut things = AutoUnlink::new(Arena::new(), (Tree::new(), KeyList::new()));\n\
         # let [a, b, c, d] = [\"a\", \"b\", \"c\", \"d\"].map(|thing| things.insert(thing));"
    };
}

/// A container together with the trees, lists, buckets and side data of its objects: an object that is removed is
/// unlinked from all of them, and its side data leaves with it.
///
/// `L` is a [`Tree`], a [`KeyList`](super::KeyList), [`Buckets`](super::Buckets), a
/// [`SecondaryMap`](crate::SecondaryMap), a tuple of up to six or an
/// array of these, or any other type that implements [`Unlink`]. It dereferences to the container, for
/// reading. There is no `&mut` to the container, since removing through it would unlink nothing: objects are
/// changed by the methods here, or, in any other way, by [`change`](Self::change). An
/// [`Indexed`](crate::indices::Indexed) can have an `AutoUnlink` for its container.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, trees::{AutoUnlink, Buckets, KeyList}};
///
/// let mut things = AutoUnlink::new(Arena::new(), (Tree::new(), KeyList::new(), Buckets::<_, 2>::new()));
/// let [chest, sword, lamp] = ["chest", "sword", "lamp"].map(|thing| things.insert(thing));
///
/// let (objects, (inside, burning, kinds)) = things.parts_mut();
/// inside.append(objects, chest, sword).unwrap();
/// inside.append(objects, chest, lamp).unwrap();
/// burning.push_back(objects, lamp).unwrap();
/// kinds.set(objects, lamp, 1).unwrap();
///
/// things.remove(lamp);
/// let (inside, burning, kinds) = things.links();
/// assert!(inside.children(chest).eq([sword]) && burning.is_empty());
/// assert_eq!(kinds.count(1), 0);
///
/// assert_eq!(things.remove_subtree(|(inside, ..)| inside, chest), 2);
/// assert!(things.is_empty());
/// ```
/// Side data:
/// ```
/// use larder::{Arena, SecondaryMap, Tree, trees::AutoUnlink};
///
/// let mut things = AutoUnlink::new(Arena::new(), (Tree::new(), SecondaryMap::new()));
/// let [chest, sword] = ["chest", "sword"].map(|thing| things.insert(thing));
/// let (objects, (inside, weights)) = things.parts_mut();
/// inside.append(objects, chest, sword).unwrap();
/// weights.insert(sword, 3);
/// things.remove(sword);
/// assert!(things.links().1.is_empty());
/// ```
#[doc(alias("WithLinks", "world", "scene", "registry"))]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AutoUnlink<C, L> {
    container: C,
    links: L,
}

/// A container whose objects are linked: a [`LinkStore`], through which nothing can be removed. Made by
/// [`AutoUnlink::linking`].
#[derive(Debug)]
pub struct Linking<'a, C>(&'a mut C);

derefs!([C] Linking<'_, C>, 0: C);

impl<C: LinkStore<L>, L> LinkStore<L> for Linking<'_, C> {
    type Key = C::Key;

    #[inline]
    fn links(&self, key: C::Key) -> Option<&L> {
        self.0.links(key)
    }
}

impl<C: LinkStoreMut<L>, L> LinkStoreMut<L> for Linking<'_, C> {
    #[inline]
    fn links_mut(&mut self, key: C::Key) -> Option<&mut L> {
        self.0.links_mut(key)
    }
}

/// A container whose objects an [`AutoUnlink`] adds and lends, in rows or in columns.
#[expect(unnameable_types, reason = "it says which containers these are, and nothing more")]
pub trait Lends: Container {
    type Value;

    /// Lends an object for mutation: `&mut Value`, or a reference to each field.
    type RefMut<'a>
    where
        Self: 'a;

    fn lend_mut(&mut self, key: Self::Key) -> Option<Self::RefMut<'_>>;

    /// Makes room for an object, and returns the key that it will have.
    fn make_room(&mut self) -> Result<Self::Key, TryReserveError>;

    fn add(&mut self, value: Self::Value) -> Result<Self::Key, InsertError<Self::Value>>;
}

impl<C: RowContainer> Lends for C {
    type Value = C::Value;
    type RefMut<'a>
        = &'a mut C::Value
    where
        Self: 'a;

    #[inline]
    fn lend_mut(&mut self, key: C::Key) -> Option<&mut C::Value> {
        self.get_mut(key)
    }

    #[inline]
    fn make_room(&mut self) -> Result<C::Key, TryReserveError> {
        self.next_key()
    }

    #[inline]
    fn add(&mut self, value: C::Value) -> Result<C::Key, InsertError<C::Value>> {
        self.try_insert(value)
    }
}

#[cfg(feature = "columns")]
impl<T: Soa + Fill, K: Key> Lends for SoaArena<T, K> {
    type Value = T;
    type RefMut<'a>
        = view::RefMut<'a, T>
    where
        Self: 'a;

    #[inline]
    fn lend_mut(&mut self, key: K) -> Option<view::RefMut<'_, T>> {
        self.get_mut(key)
    }

    #[inline]
    fn make_room(&mut self) -> Result<K, TryReserveError> {
        self.try_vacant_entry().map(|entry| entry.key())
    }

    #[inline]
    fn add(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.try_insert(value)
    }
}

#[cfg(feature = "columns")]
impl<T: Soa, K: Key> Lends for DenseSoaArena<T, K> {
    type Value = T;
    type RefMut<'a>
        = view::RefMut<'a, T>
    where
        Self: 'a;

    #[inline]
    fn lend_mut(&mut self, key: K) -> Option<view::RefMut<'_, T>> {
        self.get_mut(key)
    }

    #[inline]
    fn make_room(&mut self) -> Result<K, TryReserveError> {
        self.try_vacant_entry().map(|entry| entry.key())
    }

    #[inline]
    fn add(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.try_insert(value)
    }
}

/// Making and reading.
impl<C: Container, L: Unlink<C>> AutoUnlink<C, L> {
    /// Takes a container and its links. Links of keys that the container does not have are removed. O(linked).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, trees::{AutoUnlink, KeyList}};
    ///
    /// let mut birds = Arena::from_iter(["wren", "kite"]);
    /// let mut seen = KeyList::new();
    /// birds.keys().for_each(|bird| seen.push_back(&birds, bird).unwrap());
    /// birds.remove(seen.first().unwrap());
    /// let birds = AutoUnlink::new(birds, seen);
    /// assert_eq!(birds.links().len(), 1);
    /// ```
    #[must_use]
    pub fn new(mut container: C, mut links: L) -> Self {
        links.mend(&mut container);
        Self { container, links }
    }

    /// Returns the trees and lists, for reading. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (tree, list) = things.links();
    /// assert!(tree.roots().next().is_none() && list.is_empty());
    /// ```
    #[must_use]
    pub const fn links(&self) -> &L {
        &self.links
    }

    /// Returns the container, for reading, and the trees and lists, for linking. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (objects, (tree, list)) = things.parts_mut();
    /// tree.append(objects, a, b).unwrap();
    /// list.push_back(objects, b).unwrap();
    /// assert!(things.links().0.children(a).eq([b]));
    /// ```
    #[must_use]
    pub const fn parts_mut(&mut self) -> (&C, &mut L) {
        (&self.container, &mut self.links)
    }

    /// Returns the links in the objects, and the trees and lists, for linking: an
    /// [`IntrusiveList`](crate::trees::IntrusiveList) takes the first. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, trees::{AutoUnlink, IntrusiveList, Link, link_field}};
    ///
    /// #[derive(Default)]
    /// struct Thing {
    ///     burning: Link<Handle<Thing>>,
    /// }
    /// link_field!(Thing.burning: Link<Handle<Thing>>);
    ///
    /// let mut things = AutoUnlink::new(Arena::new(), IntrusiveList::numbered(0));
    /// let [torch, lamp] = [(); 2].map(|()| things.insert(Thing::default()));
    /// let (mut objects, burning) = things.linking();
    /// burning.push_back(&mut objects, torch).unwrap();
    /// burning.push_back(&mut objects, lamp).unwrap();
    /// things.remove(torch);
    /// assert!(things.links().iter(&*things).eq([lamp]));
    /// ```
    #[must_use]
    pub const fn linking(&mut self) -> (Linking<'_, C>, &mut L) {
        (Linking(&mut self.container), &mut self.links)
    }

    /// Returns the container and the trees and lists, which are independent from then on. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (mut objects, (_, list)) = things.into_parts();
    /// objects.remove(a);
    /// assert!(objects.len() == 3 && list.is_empty());
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (C, L) {
        (self.container, self.links)
    }
}

/// Removing.
impl<C: Container, L: Unlink<C>> AutoUnlink<C, L> {
    /// Removes an object and unlinks it; its children become roots. Returns what the container does, usually the
    /// object; `None` if the key is stale, foreign or dangling. O(children), and the cost in the container.
    ///
    /// If the `Drop` of its side data panics, the object is removed, and everything is consistent.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (objects, (tree, list)) = things.parts_mut();
    /// tree.append(objects, a, b).unwrap();
    /// list.push_back(objects, a).unwrap();
    /// assert_eq!(things.remove(a), Some("a"));
    /// assert_eq!((things.links().0.parent(b), things.links().1.len()), (None, 0));
    /// ```
    #[doc(alias("despawn", "destroy"))]
    pub fn remove(&mut self, key: C::Key) -> Option<C::Removed> {
        if !self.container.contains_key(key) {
            return None;
        }
        let leftover = self.links.unlink(&mut self.container, key);
        let removed = self.container.remove(key);
        drop(leftover);
        removed
    }

    /// Removes and unlinks an object and everything below it in one of the trees, children before their parents,
    /// and returns how many there were. O(removed), without recursion or memory.
    ///
    /// If the `Drop` of an object or of its side data panics, that object is removed, everything is consistent, and the
    /// call can be repeated.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (objects, (tree, list)) = things.parts_mut();
    /// tree.append(objects, a, b).unwrap();
    /// tree.append(objects, b, c).unwrap();
    /// list.push_back(objects, c).unwrap();
    /// assert_eq!(things.remove_subtree(|(tree, _)| tree, b), 2);
    /// assert!(things.contains_key(a) && things.links().1.is_empty());
    /// ```
    #[doc(alias("despawn_recursive"))]
    pub fn remove_subtree(&mut self, tree: impl Fn(&L) -> &Tree<C::Key>, key: C::Key) -> usize {
        self.remove_subtree_with(tree, key, |_, _| ())
    }

    /// Like [`remove_subtree`](Self::remove_subtree), and passes each removed object to `taken`, with its key. If
    /// that panics, everything is consistent. O(removed).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (objects, (tree, _)) = things.parts_mut();
    /// tree.append(objects, a, b).unwrap();
    /// let mut order = Vec::new();
    /// things.remove_subtree_with(|(tree, _)| tree, a, |_, thing| order.push(thing));
    /// assert_eq!(order, ["b", "a"]);
    /// ```
    pub fn remove_subtree_with(
        &mut self,
        tree: impl Fn(&L) -> &Tree<C::Key>,
        key: C::Key,
        mut taken: impl FnMut(C::Key, C::Removed),
    ) -> usize {
        Tree::remove_subtree_of(
            self,
            key,
            |this| tree(&this.links),
            |this, key| this.remove(key).map(|object| taken(key, object)).is_some(),
        )
    }

    /// Changes the container in any other way, and then unlinks what was removed from trees, lists and buckets beside
    /// it, also if the closure panics. O(linked).
    ///
    /// Links in the objects, of [`InObjects`](super::InObjects) and an [`IntrusiveList`](super::IntrusiveList), are
    /// left with gaps, which [`Links::mend`](super::Links::mend) and
    /// [`IntrusiveList::mend`](super::IntrusiveList::mend) close.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (objects, (_, list)) = things.parts_mut();
    /// list.push_back(objects, c).unwrap();
    /// things.change(|objects| objects.drain().for_each(drop));
    /// assert!(things.is_empty() && things.links().1.is_empty());
    /// ```
    pub fn change<R>(&mut self, change: impl FnOnce(&mut C) -> R) -> R {
        let Self { container, links } = self;
        let unlinking = OnDrop::new(container, |container| links.mend(container));
        change(unlinking.held)
    }
}

/// Adding and changing objects.
impl<C: Lends, L: Unlink<C>> AutoUnlink<C, L> {
    /// Inserts an object, which is linked in an [`InsertionOrder`](crate::trees::InsertionOrder) only. O(1)
    /// amortised.
    ///
    /// # Panics
    /// If there is no room.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let e = things.insert("e");
    /// assert_eq!(things[e], "e");
    /// ```
    #[doc(alias("spawn"))]
    #[track_caller]
    pub fn insert(&mut self, value: C::Value) -> C::Key {
        explain::granted::<Self, _>(self.try_insert(value).map_err(|refused| refused.reason))
    }

    /// Like [`insert`](Self::insert), but returns the object in the error. O(1) amortised.
    ///
    /// # Errors
    /// If there is no room. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(things.try_insert("e").is_ok());
    /// ```
    pub fn try_insert(&mut self, value: C::Value) -> Result<C::Key, InsertError<C::Value>> {
        if L::LINKS_INSERTED { self.insert_linked(value) } else { self.container.add(value) }
    }

    /// Inserts an object and links it, also if the container panics when it has the object.
    fn insert_linked(&mut self, value: C::Value) -> Result<C::Key, InsertError<C::Value>> {
        let Self { container, links } = self;
        let next = container.make_room();
        let key = match next.and_then(|key| links.reserve_for(key).map(|()| key)) {
            Ok(key) => key,
            Err(reason) => return Err(InsertError { value, reason }),
        };
        let entering = OnDrop::new(&mut *container, |container| {
            if container.contains_key(key) {
                links.inserted(container, key);
            }
        });
        let inserted = entering.held.add(value);
        mem::forget(entering);
        let key = inserted?;
        links.inserted(container, key);
        Ok(key)
    }

    /// Returns an object for mutation, or a reference to each of its fields if they lie in columns; `None` if the key
    /// is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// *things.get_mut(a).unwrap() = "alpha";
    /// assert_eq!(things[a], "alpha");
    /// ```
    #[inline]
    pub fn get_mut(&mut self, key: C::Key) -> Option<C::RefMut<'_>> {
        self.container.lend_mut(key)
    }
}

/// Choosing among objects in rows.
impl<C: RowContainer, L: Unlink<C>> AutoUnlink<C, L> {
    /// Removes and unlinks the objects for which `keep` returns `false`. If it panics, nothing has changed.
    /// O(objects), with memory for the removed keys.
    ///
    /// # Panics
    /// If allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let (objects, (_, list)) = things.parts_mut();
    /// [a, b, c, d].map(|key| list.push_back(objects, key).unwrap());
    /// things.retain(|_, thing| *thing < "c");
    /// assert!(things.len() == 2 && things.links().1.iter().eq([a, b]));
    /// ```
    #[track_caller]
    pub fn retain(&mut self, mut keep: impl FnMut(C::Key, &C::Value) -> bool) {
        let mut doomed = Vec::new();
        for (key, value) in self.container.iter() {
            if keep(key, value) {
                continue;
            }
            explain::push::<Self, _>(&mut doomed, key);
        }
        for key in doomed {
            self.remove(key);
        }
    }
}

#[cfg(feature = "columns")]
impl<T: Soa + Fill, K: Key, L, F> LinkStore<F> for AutoUnlink<SoaArena<T, K>, L>
where
    SoaArena<T, K>: LinkStore<F, Key = K>,
{
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&F> {
        self.container.links(key)
    }
}

#[cfg(feature = "columns")]
impl<T: Soa + Fill, K: Key, L, F> LinkStoreMut<F> for AutoUnlink<SoaArena<T, K>, L>
where
    SoaArena<T, K>: LinkStoreMut<F, Key = K>,
{
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut F> {
        self.container.links_mut(key)
    }
}

#[cfg(feature = "columns")]
impl<T: Soa, K: Key, L, F> LinkStore<F> for AutoUnlink<DenseSoaArena<T, K>, L>
where
    DenseSoaArena<T, K>: LinkStore<F, Key = K>,
{
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&F> {
        self.container.links(key)
    }
}

#[cfg(feature = "columns")]
impl<T: Soa, K: Key, L, F> LinkStoreMut<F> for AutoUnlink<DenseSoaArena<T, K>, L>
where
    DenseSoaArena<T, K>: LinkStoreMut<F, Key = K>,
{
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut F> {
        self.container.links_mut(key)
    }
}

impl<C: Container, L: Unlink<C>> Container for AutoUnlink<C, L> {
    type Key = C::Key;
    type Removed = C::Removed;

    #[inline]
    fn contains_key(&self, key: C::Key) -> bool {
        self.container.contains_key(key)
    }

    fn remove(&mut self, key: C::Key) -> Option<C::Removed> {
        self.remove(key)
    }
}

rows_inside!([C: RowContainer, L: Unlink<C>] AutoUnlink<C, L>, C, |self, value| self.try_insert(value));

derefs!([C, L] AutoUnlink<C, L>, container: C);

impl<C: Index<Q>, L, Q> Index<Q> for AutoUnlink<C, L> {
    type Output = C::Output;

    /// Indexes the container by the key.
    #[inline]
    #[track_caller]
    fn index(&self, key: Q) -> &C::Output {
        &self.container[key]
    }
}

impl<C: IndexMut<Q>, L, Q> IndexMut<Q> for AutoUnlink<C, L> {
    /// Indexes the container by the key, for mutation.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: Q) -> &mut C::Output {
        &mut self.container[key]
    }
}

impl<'a, C, L> IntoIterator for &'a AutoUnlink<C, L>
where
    &'a C: IntoIterator,
{
    type Item = <&'a C as IntoIterator>::Item;
    type IntoIter = <&'a C as IntoIterator>::IntoIter;

    /// Walks the container.
    fn into_iter(self) -> Self::IntoIter {
        (&self.container).into_iter()
    }
}

impl<'a, C, L> IntoIterator for &'a mut AutoUnlink<C, L>
where
    &'a mut C: IntoIterator,
{
    type Item = <&'a mut C as IntoIterator>::Item;
    type IntoIter = <&'a mut C as IntoIterator>::IntoIter;

    /// Walks the container, for changing objects.
    fn into_iter(self) -> Self::IntoIter {
        (&mut self.container).into_iter()
    }
}

impl<C: Container + Default, L: Unlink<C> + Default> Default for AutoUnlink<C, L> {
    /// An empty container, and nothing linked.
    fn default() -> Self {
        Self::new(C::default(), L::default())
    }
}
