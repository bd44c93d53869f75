//! A part of each value that has links, found by the key: in a container, whole or in columns, or as one field of
//! several. Other structures that have such parts are stores of links, too: side data, tables, nodes beside a
//! container.

use core::ops::{Deref, DerefMut};

use super::container::{Container, RowContainer};
#[cfg(feature = "columns")]
use super::{DenseSoaArena, SoaArena};
#[cfg(feature = "columns")]
use crate::key::Key;
#[cfg(feature = "columns")]
use crate::soa::{Fill, Soa, view};

/// A source of links of type `L` by key: `Links` of a hierarchy, or a `Link` of a list (module `trees`).
///
/// Implemented by containers and a [`SecondaryMap`](crate::maps::SecondaryMap) whose values return their links by
/// [`AsRef`], by [`Field`] where objects have several links of one type.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{LinkStore, Links}};
///
/// struct Thing {
///     family: Links<Handle<Thing>>,
/// }
/// impl AsRef<Links<Handle<Thing>>> for Thing {
///     fn as_ref(&self) -> &Links<Handle<Thing>> {
///         &self.family
///     }
/// }
///
/// let mut things = Arena::new();
/// let thing = things.insert(Thing { family: Links::new() });
/// assert_eq!(things.links(thing), Some(&Links::new()));
/// things.remove(thing);
/// assert_eq!(things.links(thing), None);
/// ```
#[doc(alias = "Linked")]
#[diagnostic::on_unimplemented(
    message = "the values of `{Self}` have no links of type `{L}`",
    label = "has no such links",
    note = "`larder::trees::link_field!(Thing.links: {L})` says which field of a value has its links (for values in \
            columns, with `, in columns` at the end)",
    note = "where objects have several links of one type, `larder::trees::Field` takes one of them"
)]
pub trait LinkStore<L> {
    /// The key by which an object is found.
    type Key: Copy + Eq;

    /// True if links may contradict each other or name an absent object. Links in objects may, since objects are
    /// removed without being unlinked, changed by user code and loaded from files: walks then check each link that they
    /// follow. A store that says `false` of such links is walked wrongly, or without end.
    const MAY_TEAR: bool = true;

    /// The links of a key; `None` if the key is stale, foreign or dangling. O(1).
    fn links(&self, key: Self::Key) -> Option<&L>;
}

/// A [`LinkStore`] whose links can be changed: values return them by [`AsMut`].
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{LinkStore, Links}};
///
/// // For brevity, a thing that consists of its links.
/// struct Thing;
/// let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// let [a, b] = [(); 2].map(|()| things.insert(Links::new()));
/// Links::append(&mut things, a, b).unwrap(); // takes a `LinkStoreMut`
/// assert_eq!(Links::parent(&things, b), Some(a));
/// ```
#[doc(alias = "LinkedMut")]
#[diagnostic::on_unimplemented(
    message = "the values of `{Self}` have no links of type `{L}` that can be changed",
    label = "has no such links",
    note = "`larder::trees::link_field!(Thing.links: {L})` says which field of a value has its links (for values in \
            columns, with `, in columns` at the end)",
    note = "where objects have several links of one type, `larder::trees::Field` takes one of them"
)]
pub trait LinkStoreMut<L>: LinkStore<L> {
    /// The links of a key, for changing them; `None` if the key is stale, foreign or dangling. O(1).
    fn links_mut(&mut self, key: Self::Key) -> Option<&mut L>;

    /// True if lending links may run user code, the `Clone` of what is recorded: then an edit has all links lent before
    /// it changes one.
    const MAY_RECORD: bool = false;

    /// Returns whether lending links runs user code now, where it [may](Self::MAY_RECORD). O(1).
    #[inline]
    fn records(&self) -> bool {
        Self::MAY_RECORD
    }
}

#[diagnostic::do_not_recommend]
impl<C: RowContainer<Value: AsRef<L>>, L> LinkStore<L> for C {
    type Key = C::Key;

    #[inline]
    fn links(&self, key: C::Key) -> Option<&L> {
        self.get(key).map(AsRef::as_ref)
    }
}

#[diagnostic::do_not_recommend]
impl<C: RowContainer<Value: AsRef<L> + AsMut<L>>, L> LinkStoreMut<L> for C {
    #[inline]
    fn links_mut(&mut self, key: C::Key) -> Option<&mut L> {
        self.get_mut(key).map(AsMut::as_mut)
    }
}

#[cfg(feature = "columns")]
/// Values in columns, one of which has links of type `L`; [`link_field!`](crate::link_field) implements it.
///
/// # Examples
/// ```
/// # #[cfg(feature = "derive")] {
/// use larder::trees::{LinkStore, Links, link_field};
/// use larder::{DenseSoaArena, Handle, Soa};
///
/// #[derive(Soa)]
/// struct Thing {
///     weight: u32,
///     family: Links<Handle<Thing>>,
/// }
/// link_field!(Thing.family: Links<Handle<Thing>>, in columns);
///
/// let mut things = DenseSoaArena::new();
/// let thing = things.insert(Thing { weight: 7, family: Links::new() });
/// assert_eq!(things.links(thing), Some(&Links::new()));
/// # }
/// ```
pub trait LinkColumn<L>: Soa {
    /// The links among the fields of a value. O(1).
    fn links_of<'a>(fields: view::Ref<'a, Self>) -> &'a L
    where
        Self: 'a;

    /// The links among the fields of a value, for changing them. O(1).
    fn links_of_mut<'a>(fields: view::RefMut<'a, Self>) -> &'a mut L
    where
        Self: 'a;
}

#[cfg(feature = "columns")]
#[diagnostic::do_not_recommend]
impl<T: LinkColumn<L> + Fill, K: Key, L> LinkStore<L> for SoaArena<T, K> {
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&L> {
        self.get(key).map(T::links_of)
    }
}

#[cfg(feature = "columns")]
#[diagnostic::do_not_recommend]
impl<T: LinkColumn<L> + Fill, K: Key, L> LinkStoreMut<L> for SoaArena<T, K> {
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut L> {
        self.get_mut(key).map(T::links_of_mut)
    }
}

#[cfg(feature = "columns")]
#[diagnostic::do_not_recommend]
impl<T: LinkColumn<L>, K: Key, L> LinkStore<L> for DenseSoaArena<T, K> {
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&L> {
        self.get(key).map(T::links_of)
    }
}

#[cfg(feature = "columns")]
#[diagnostic::do_not_recommend]
impl<T: LinkColumn<L>, K: Key, L> LinkStoreMut<L> for DenseSoaArena<T, K> {
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut L> {
        self.get_mut(key).map(T::links_of_mut)
    }
}

/// A type of links between objects, which a `Table` (module `track`) lends for changing them: it records the changes,
/// but its observers do not learn of them. So no observer may look at what links consist of.
///
/// # Examples
/// ```
/// use larder::Handle;
/// use larder::containers::LinksOf;
///
/// /// A link of a program's own.
/// struct Leader(Option<Handle<u8>>);
/// impl LinksOf<Handle<u8>> for Leader {}
/// ```
pub trait LinksOf<K> {}

/// Determines the field of a struct that has its links: `link_field!(Thing.family: Links<Id>)` implements
/// [`AsRef`] and [`AsMut`] for `Thing`, and with `, in columns` at the end [`LinkColumn`] too, so that
/// containers of either kind are a [`LinkStore`]. The fields of a tuple struct are named by their numbers:
/// `link_field!(Thing.0: Links<Id>)`.
///
/// # Examples
/// ```
/// # #[cfg(feature = "derive")] {
/// use larder::trees::{IntrusiveList, Link, Links, link_field};
/// use larder::{Arena, Handle, Soa, SoaArena};
///
/// type Id = Handle<Thing>;
///
/// #[derive(Default, Soa)]
/// struct Thing {
///     weight: u32,
///     family: Links<Id>,
///     burning: Link<Id>,
/// }
/// link_field!(Thing.family: Links<Id>, in columns);
/// link_field!(Thing.burning: Link<Id>, in columns);
///
/// let (mut rows, mut columns) = (Arena::new(), SoaArena::new());
/// let [a, b] = [(); 2].map(|()| rows.insert(Thing::default()));
/// Links::append(&mut rows, a, b).unwrap();
/// let [a, b] = [(); 2].map(|()| columns.insert(Thing::default()));
/// Links::append(&mut columns, a, b).unwrap();
/// let mut burning = IntrusiveList::numbered(0);
/// burning.push_back(&mut columns, b).unwrap();
/// assert!(Links::children(&columns, a).eq(burning.iter(&columns)));
/// # }
/// ```
///
/// A tuple struct:
/// ```
/// use larder::trees::{Links, link_field};
/// use larder::{Arena, Handle};
///
/// struct Room(&'static str, Links<Handle<Room>>);
/// link_field!(Room.1: Links<Handle<Room>>);
///
/// let mut rooms = Arena::new();
/// let [house, hall] = ["house", "hall"].map(|name| rooms.insert(Room(name, Links::new())));
/// Links::append(&mut rooms, house, hall).unwrap();
/// assert_eq!(Links::parent(&rooms, hall).map(|room| rooms[room].0), Some("house"));
/// ```
#[macro_export]
macro_rules! link_field {
    ($object:ident.$field:tt: $links:ty) => {
        impl ::core::convert::AsRef<$links> for $object {
            #[inline]
            fn as_ref(&self) -> &$links {
                &self.$field
            }
        }

        impl ::core::convert::AsMut<$links> for $object {
            #[inline]
            fn as_mut(&mut self) -> &mut $links {
                &mut self.$field
            }
        }
    };
    ($object:ident.$field:tt: $links:ty, in columns) => {
        $crate::link_field!($object.$field: $links);

        impl $crate::containers::LinkColumn<$links> for $object {
            #[inline]
            fn links_of<'a>(fields: $crate::soa::view::Ref<'a, Self>) -> &'a $links
            where
                Self: 'a,
            {
                fields.$field
            }

            #[inline]
            fn links_of_mut<'a>(fields: $crate::soa::view::RefMut<'a, Self>) -> &'a mut $links
            where
                Self: 'a,
            {
                fields.$field
            }
        }
    };
}
/// A container, and one of several links in its values, so that an object can be in several lists or
/// hierarchies at once.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{Field, IntrusiveList, Link}};
///
/// #[derive(Default)]
/// struct Thing {
///     near: Link<Handle<Thing>>,
///     burning: Link<Handle<Thing>>,
/// }
///
/// let mut things = Arena::new();
/// let [a, b] = [(); 2].map(|()| things.insert(Thing::default()));
/// let (mut near, mut burning) = (IntrusiveList::numbered(0), IntrusiveList::numbered(0));
/// for key in [a, b] {
///     let mut field = Field::new(&mut things, |thing| &thing.near, |thing| &mut thing.near);
///     near.push_back(&mut field, key).unwrap();
/// }
/// let mut field = Field::new(&mut things, |thing| &thing.burning, |thing| &mut thing.burning);
/// burning.push_back(&mut field, b).unwrap();
/// assert_eq!((near.len(), burning.first(&field)), (2, Some(b)));
/// ```
pub struct Field<C, Get, GetMut> {
    container: C,
    get: Get,
    get_mut: GetMut,
}

impl<C: Deref<Target: RowContainer>, Get, GetMut> Field<C, Get, GetMut> {
    /// Takes a reference to a container (`&` is enough for reading) and two functions that return the same field
    /// of a value. O(1).
    ///
    /// If they return different fields, links are wrong, but every walk still ends.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle, trees::{Field, IntrusiveList, Link}};
    ///
    /// struct Thing(Link<Handle<Thing>>);
    /// let things: Arena<Thing> = Arena::new();
    /// let list = IntrusiveList::numbered(0);
    /// let field = Field::new(&things, |thing: &Thing| &thing.0, |thing| &mut thing.0);
    /// assert_eq!(list.iter(&field).next(), None);
    /// ```
    pub fn new<L>(container: C, get: Get, get_mut: GetMut) -> Self
    where
        Get: Fn(&<C::Target as RowContainer>::Value) -> &L,
        GetMut: Fn(&mut <C::Target as RowContainer>::Value) -> &mut L,
    {
        Self { container, get, get_mut }
    }
}

impl<C, Get, GetMut, L> LinkStore<L> for Field<C, Get, GetMut>
where
    C: Deref<Target: RowContainer>,
    Get: Fn(&<C::Target as RowContainer>::Value) -> &L,
{
    type Key = <C::Target as Container>::Key;

    #[inline]
    fn links(&self, key: <C::Target as Container>::Key) -> Option<&L> {
        self.container.get(key).map(&self.get)
    }
}

impl<C, Get, GetMut, L> LinkStoreMut<L> for Field<C, Get, GetMut>
where
    C: DerefMut<Target: RowContainer>,
    Get: Fn(&<C::Target as RowContainer>::Value) -> &L,
    GetMut: Fn(&mut <C::Target as RowContainer>::Value) -> &mut L,
{
    #[inline]
    fn links_mut(&mut self, key: <C::Target as Container>::Key) -> Option<&mut L> {
        self.container.get_mut(key).map(&self.get_mut)
    }
}

impl<C, Get, GetMut> core::fmt::Debug for Field<C, Get, GetMut> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Field").finish_non_exhaustive()
    }
}
