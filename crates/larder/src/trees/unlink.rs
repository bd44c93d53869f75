//! The structures that an [`AutoUnlink`] tells of removals: trees, lists and buckets, links in the objects, the order
//! in which they were inserted, and side data.
//!
//! [`AutoUnlink`]: crate::trees::AutoUnlink

use core::mem;

use super::buckets::Buckets;
use super::edit;
use super::intrusive_list::IntrusiveList;
use super::key_list::KeyList;
use super::link_store::LinkStoreMut;
use super::links::{Link, Links};
use super::tree::Tree;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::macros::{derefs, each_prefix};
use crate::maps::SecondaryMap;
#[cfg(feature = "hashbrown")]
use crate::maps::SparseSecondaryMap;
use crate::raw::OnDrop;

/// A structure that links the objects of a container, or has side data of them: the part of an
/// [`AutoUnlink`](crate::trees::AutoUnlink) that is told of removals.
///
/// # Examples
/// Links in the objects are unlinked by [`InObjects`] and by an
/// [`IntrusiveList`]. For other fields, implement it for a type of your own:
/// ```
/// use larder::{Arena, Handle, trees::{AutoUnlink, Field, IntrusiveList, Link, Links, Unlink}};
///
/// #[derive(Default)]
/// struct Thing {
///     family: Links<Handle<Thing>>,
///     burning: Link<Handle<Thing>>,
/// }
/// # impl AsRef<Links<Handle<Thing>>> for Thing {
/// #     fn as_ref(&self) -> &Links<Handle<Thing>> { &self.family }
/// # }
/// # impl AsMut<Links<Handle<Thing>>> for Thing {
/// #     fn as_mut(&mut self) -> &mut Links<Handle<Thing>> { &mut self.family }
/// # }
///
/// struct Lists {
///     burning: IntrusiveList<Handle<Thing>>,
/// }
/// impl Unlink<Arena<Thing>> for Lists {
///     type Leftover = ();
///
///     fn unlink(&mut self, things: &mut Arena<Thing>, key: Handle<Thing>) {
///         Links::orphan_children(things, key);
///         Links::make_root(things, key);
///         let mut field = Field::new(things, |thing| &thing.burning, |thing| &mut thing.burning);
///         self.burning.remove(&mut field, key);
///     }
///     fn retain_live(&mut self, _: &Arena<Thing>) {} // the links go with their objects
/// }
///
/// let lists = Lists { burning: IntrusiveList::numbered(0) };
/// let mut things = AutoUnlink::new(Arena::new(), lists);
/// let [torch, flame] = [(); 2].map(|()| things.insert(Thing::default()));
/// Links::append(&mut things, torch, flame).unwrap();
/// things.remove(flame);
/// assert_eq!(Links::check(&things, things.keys()), Ok(()));
/// ```
pub trait Unlink<C: Container> {
    /// The side data that leaves with an object, or `()`.
    type Leftover;

    /// Unlinks an object that is about to be removed from the container. Returns its side data, which is dropped once
    /// the object is removed: so a `Drop` that panics leaves nothing half removed.
    fn unlink(&mut self, objects: &mut C, key: C::Key) -> Self::Leftover;

    /// Unlinks objects that are not in the container.
    fn retain_live(&mut self, objects: &C);

    /// Unlinks removed objects, like [`retain_live`](Self::retain_live), where that has to change links in the
    /// remaining objects. Called after objects were removed without [`unlink`](Self::unlink).
    fn mend(&mut self, objects: &mut C) {
        self.retain_live(objects);
    }

    /// Makes room for linking an object that is about to be inserted.
    ///
    /// # Errors
    /// If allocation fails. Then nothing has changed.
    fn reserve_for(&mut self, key: C::Key) -> Result<(), TryReserveError> {
        let _ = key;
        Ok(())
    }

    /// Links an object that was just inserted, for which there is [room](Self::reserve_for).
    fn inserted(&mut self, objects: &mut C, key: C::Key) {
        let _ = (objects, key);
    }

    /// True if [`reserve_for`](Self::reserve_for) and [`inserted`](Self::inserted) have to be called.
    const LINKS_INSERTED: bool = false;
}

impl<C: Container> Unlink<C> for Tree<C::Key> {
    type Leftover = ();

    fn unlink(&mut self, _: &mut C, key: C::Key) {
        self.forget(key);
    }

    fn retain_live(&mut self, objects: &C) {
        self.retain_live(objects);
    }
}

impl<C: Container> Unlink<C> for KeyList<C::Key> {
    type Leftover = ();

    fn unlink(&mut self, _: &mut C, key: C::Key) {
        self.forget(key);
    }

    fn retain_live(&mut self, objects: &C) {
        self.retain_live(objects);
    }
}

impl<C: Container, const N: usize> Unlink<C> for Buckets<C::Key, N> {
    type Leftover = ();

    fn unlink(&mut self, _: &mut C, key: C::Key) {
        self.remove(key);
    }

    fn retain_live(&mut self, objects: &C) {
        self.retain_live(objects);
    }
}

/// A map in an [`AutoUnlink`](crate::trees::AutoUnlink) loses the values of objects that are removed.
impl<C: Container, V> Unlink<C> for SecondaryMap<C::Key, V> {
    type Leftover = Option<V>;

    fn unlink(&mut self, _: &mut C, key: C::Key) -> Option<V> {
        self.remove(key)
    }

    fn retain_live(&mut self, objects: &C) {
        again_on_panic(self, |map| map.retain_live(objects));
    }
}

/// A map in an [`AutoUnlink`](crate::trees::AutoUnlink) loses the values of objects that are removed.
#[cfg(feature = "hashbrown")]
impl<C: Container, V> Unlink<C> for SparseSecondaryMap<C::Key, V> {
    type Leftover = Option<V>;

    fn unlink(&mut self, _: &mut C, key: C::Key) -> Option<V> {
        self.remove(key)
    }

    fn retain_live(&mut self, objects: &C) {
        again_on_panic(self, |map| map.retain_live(objects));
    }
}

/// Calls `retain` on a map, and once more if the `Drop` of a value panics: the others leave then, too.
fn again_on_panic<M>(map: &mut M, retain: impl Fn(&mut M)) {
    let again = OnDrop::new(map, |map| retain(map));
    retain(again.held);
    mem::forget(again);
}

/// Calls `act` for each, for all even if it panics.
fn for_each<L, H>(all: &mut [L], held: &mut H, act: fn(&mut L, &mut H)) {
    let Some((first, others)) = all.split_first_mut() else { return };
    let others = OnDrop::new(held, |held: &mut &mut H| for_each(others, *held, act));
    act(first, others.held);
}

impl<C: Container, L: Unlink<C>, const N: usize> Unlink<C> for [L; N] {
    type Leftover = [L::Leftover; N];

    fn unlink(&mut self, objects: &mut C, key: C::Key) -> Self::Leftover {
        self.each_mut().map(|links| links.unlink(objects, key))
    }

    fn retain_live(&mut self, mut objects: &C) {
        for_each(self, &mut objects, |links, objects| links.retain_live(objects));
    }

    fn mend(&mut self, objects: &mut C) {
        for_each(self, objects, L::mend);
    }

    fn reserve_for(&mut self, key: C::Key) -> Result<(), TryReserveError> {
        self.iter_mut().try_for_each(|links| links.reserve_for(key))
    }

    fn inserted(&mut self, objects: &mut C, key: C::Key) {
        self.iter_mut().for_each(|links| links.inserted(objects, key));
    }

    const LINKS_INSERTED: bool = L::LINKS_INSERTED;
}

/// Unlinks from each member of a tuple.
macro_rules! tuple {
    ($([$L:ident $at:tt])+) => {
        impl<C: Container, $($L: Unlink<C>),+> Unlink<C> for ($($L,)+) {
            type Leftover = ($($L::Leftover,)+);

            fn unlink(&mut self, objects: &mut C, key: C::Key) -> Self::Leftover {
                ($(self.$at.unlink(objects, key),)+)
            }

            fn retain_live(&mut self, objects: &C) {
                let all: &mut [&mut dyn FnMut()] = &mut [$(&mut || self.$at.retain_live(objects)),+];
                for_each(all, &mut (), |retain_live, _| retain_live());
            }

            fn mend(&mut self, objects: &mut C) {
                let all: &mut [&mut dyn FnMut(&mut C)] =
                    &mut [$(&mut |objects| self.$at.mend(objects)),+];
                for_each(all, objects, |mend, objects| mend(objects));
            }

            fn reserve_for(&mut self, key: C::Key) -> Result<(), TryReserveError> {
                $(self.$at.reserve_for(key)?;)+
                Ok(())
            }

            fn inserted(&mut self, objects: &mut C, key: C::Key) {
                $(self.$at.inserted(objects, key);)+
            }

            const LINKS_INSERTED: bool = $($L::LINKS_INSERTED)||+;
        }
    };
}

each_prefix!(tuple: [A 0] [B 1] [D 2] [E 3] [F 4] [G 5]);

/// The hierarchy whose [`Links`] are in the objects: an [`AutoUnlink`](crate::trees::AutoUnlink) with it
/// removes an object from the hierarchy when it is removed from the container.
///
/// [`link_field!`](crate::trees::link_field), or [`AsRef`] and [`AsMut`], determine the field that has the
/// links. Objects that [`change`](crate::trees::AutoUnlink::change) removes leave gaps, as they do in a
/// container alone: [`Links::mend`] closes them.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InObjects;

impl<C, K: Key> Unlink<C> for InObjects
where
    C: Container<Key = K> + LinkStoreMut<Links<K>, Key = K>,
{
    type Leftover = ();

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
    type Leftover = ();

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
pub struct InsertionOrder<K: Key> {
    list: KeyList<K>,
    /// The key of an object that is about to be inserted, for which there is room.
    #[cfg_attr(feature = "serde", serde(skip, default))]
    next: Option<K>,
}

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
        Self { list: KeyList::new(), next: None }
    }

    /// Makes room for at least `additional` objects more, as [`KeyList::reserve`] does. O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, trees::{AutoUnlink, InsertionOrder}};
    ///
    /// let mut order = InsertionOrder::new();
    /// order.reserve(100);
    /// let mut birds = AutoUnlink::new(Arena::with_capacity(100), order);
    /// birds.insert("wren");
    /// assert!(birds.links().capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        self.list.reserve(additional);
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::InsertionOrder};
    ///
    /// assert!(InsertionOrder::<Handle<u8>>::new().try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.list.try_reserve(additional)
    }
}

/// The phases in which a table tells it of an insertion.
#[cfg(feature = "track")]
impl<K: Key> InsertionOrder<K> {
    /// Makes room for a key, which comes [next](Self::commit).
    pub(crate) fn prepare(&mut self, key: K) -> Result<(), TryReserveError> {
        self.list.reserve_for(key)?;
        self.next = Some(key);
        Ok(())
    }

    /// Appends the prepared key, if any.
    pub(crate) fn commit(&mut self) {
        if let Some(key) = self.next.take() {
            self.list.append_live(key);
        }
    }

    pub(crate) const fn list_mut(&mut self) -> &mut KeyList<K> {
        &mut self.list
    }

    pub(crate) const fn cancel(&mut self) {
        self.next = None;
    }

    pub(crate) fn forget(&mut self, key: K) {
        self.list.forget(key);
    }

    pub(crate) fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        self.list.retain_live(objects);
    }
}

impl<K: Key> Default for InsertionOrder<K> {
    /// An empty order.
    fn default() -> Self {
        Self::new()
    }
}

derefs!([K: Key] InsertionOrder<K>, list: KeyList<K>);

impl<C: Container<Key = K>, K: Key> Unlink<C> for InsertionOrder<K> {
    type Leftover = ();

    fn unlink(&mut self, _: &mut C, key: K) {
        self.list.forget(key);
    }

    fn retain_live(&mut self, objects: &C) {
        self.list.retain_live(objects);
    }

    fn reserve_for(&mut self, key: K) -> Result<(), TryReserveError> {
        self.list.reserve_for(key)
    }

    fn inserted(&mut self, objects: &mut C, key: K) {
        // There is room, and the key is new, unless this was the order of another container.
        if self.list.push_back(objects, key).is_err() {
            self.list.forget(key);
            self.list.retain_live(objects);
            let _ = self.list.push_back(objects, key);
        }
    }

    const LINKS_INSERTED: bool = true;
}
