//! What an [`AutoUnlink`] unlinks beside trees and lists of its own: links in the objects, and the order in which
//! they were inserted.
//!
//! [`AutoUnlink`]: crate::trees::AutoUnlink

use core::ops::Deref;

use super::auto_unlink::Unlink;
use super::edit;
use super::intrusive_list::IntrusiveList;
use super::key_list::KeyList;
use super::link_store::LinkStoreMut;
use super::links::Links;
use super::list_head::Link;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::Key;

/// The hierarchy whose [`Links`] are in the objects: an [`AutoUnlink`](crate::trees::AutoUnlink) with it takes an object
/// that is removed out of the hierarchy.
///
/// Which field has the links says [`link_field!`](crate::trees::link_field), or [`AsRef`] and [`AsMut`]. Objects that
/// [`change`](crate::trees::AutoUnlink::change) removes leave gaps, as they do in a container alone:
/// [`Links::mend`] closes them.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{AutoUnlink, InObjects, Links, link_field}};
///
/// #[derive(Default)]
/// struct Thing {
///     family: Links<Handle<Thing>>,
/// }
/// link_field!(Thing.family: Links<Handle<Thing>>);
///
/// let mut things = AutoUnlink::new(Arena::new(), InObjects);
/// let [a, b, c, d] = [(); 4].map(|()| things.insert(Thing::default()));
/// for child in [b, c, d] {
///     Links::append(&mut things, a, child).unwrap();
/// }
/// things.remove(c);
/// assert!(Links::children(&things, a).eq([b, d]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InObjects;

impl<C, K: Key> Unlink<C> for InObjects
where
    C: Container<Key = K> + LinkStoreMut<Links<K>, Key = K>,
{
    fn unlink(&mut self, objects: &mut C, key: K) {
        edit::unlink(objects, key);
    }

    fn retain_live(&mut self, _: &C) {}
}

/// A list in an [`AutoUnlink`](crate::trees::AutoUnlink) loses the objects that are removed; it is pushed to through
/// [`linking`](crate::trees::AutoUnlink::linking). Objects that `change` removes leave gaps, which
/// [`mend`](IntrusiveList::mend) closes.
impl<C, K: Key> Unlink<C> for IntrusiveList<K>
where
    C: Container<Key = K> + LinkStoreMut<Link<K>, Key = K>,
{
    fn unlink(&mut self, objects: &mut C, key: K) {
        self.remove(objects, key);
    }

    fn retain_live(&mut self, _: &C) {}
}

/// The objects of an [`AutoUnlink`](crate::trees::AutoUnlink) in the order in which they were inserted: each
/// insertion is pushed to this list, and each removal leaves it. It dereferences to the list, for reading.
///
/// Objects that [`change`](crate::trees::AutoUnlink::change) inserts are not in it, nor those of the container that the
/// `AutoUnlink` was made of.
///
/// # Examples
/// ```
/// use larder::{Arena, trees::{AutoUnlink, InsertionOrder}};
///
/// let mut birds = AutoUnlink::new(Arena::new(), InsertionOrder::new());
/// let [wren, kite] = ["wren", "kite"].map(|bird| birds.insert(bird));
/// birds.remove(wren);
/// let owl = birds.insert("owl"); // in the wren's slot
/// assert!(birds.links().iter().eq([kite, owl]));
/// ```
#[doc(alias("slot_list", "insertion order", "IndexMap"))]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "K: serde::Serialize", deserialize = "K: serde::Deserialize<'de>"))
)]
pub struct InsertionOrder<K: Key>(KeyList<K>);

impl<K: Key> InsertionOrder<K> {
    /// Makes an empty order. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::InsertionOrder};
    ///
    /// assert!(InsertionOrder::<Handle<u8>>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self(KeyList::new())
    }
}

impl<K: Key> Default for InsertionOrder<K> {
    /// An empty order.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key> Deref for InsertionOrder<K> {
    type Target = KeyList<K>;

    #[inline]
    fn deref(&self) -> &KeyList<K> {
        &self.0
    }
}

impl<C: Container<Key = K>, K: Key> Unlink<C> for InsertionOrder<K> {
    fn unlink(&mut self, _: &mut C, key: K) {
        self.0.forget(key);
    }

    fn retain_live(&mut self, objects: &C) {
        self.0.retain_live(objects);
    }

    fn reserve_for(&mut self, key: K) -> Result<(), TryReserveError> {
        self.0.reserve_for(key)
    }

    fn inserted(&mut self, objects: &mut C, key: K) {
        // There is room, and the key is new.
        let pushed = self.0.push_back(objects, key);
        debug_assert!(pushed.is_ok(), "the container has a new key");
    }

    const LINKS_INSERTED: bool = true;
}
