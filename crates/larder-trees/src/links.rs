//! A place in a hierarchy: parent, first child and siblings, as keys that are checked when they are followed.
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
//! └──────────────────────────────────────────────────────────┘   (and prev in the other direction)
//! ```
//! Siblings form a circle, so the last child is found through the first. Attaching, detaching and removing
//! need no memory, walk or search.

use core::num::NonZeroU32;

use super::list_head::ListLinks;
#[cfg(feature = "alloc")]
use super::nodes::{Linkage, Place};
use super::ring::{HasRing, Ring};
use larder_core::containers::LinksOf;
#[cfg(feature = "columns")]
use larder_core::soa::Fill;

/// A place in a hierarchy, as a field of the objects that are in it.
///
/// The functions take a [`LinkStore`](crate::LinkStore): a container whose values return their links
/// by [`AsRef`] and [`AsMut`], or a [`Field`](crate::Field) of a container. A key is checked when it
/// is followed, and followed only if the other object links back. So a link to a removed object never leads
/// to the next object in its slot.
///
/// An all-zero value is in no hierarchy, like the result of [`new`](Self::new). No object links back to the
/// links in a clone of an object: give the clone new ones.
///
/// # Removing
/// [`remove_subtree`](Self::remove_subtree), [`remove_promoting`](Self::remove_promoting) and
/// [`remove_orphaning`](Self::remove_orphaning) remove an object and unlink it. If an object is removed from
/// its container alone, its children become roots, and the circle of its siblings is torn: walks end there,
/// and attaching there is an error, until [`mend`](Self::mend) has closed the gap.
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
#[repr(C)]
pub struct Links<K> {
    pub(super) ring: Ring<K>,
    pub(super) parent: Option<K>,
    pub(super) first_child: Option<K>,
}

impl<K> Links<K> {
    /// Makes links of an object in no hierarchy. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Links};
    ///
    /// assert_eq!(Links::<Handle<u8>>::new(), Links::default());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { parent: None, first_child: None, ring: Ring::OPEN }
    }
}

impl<K> LinksOf<K> for Links<K> {}
impl<K> LinksOf<K> for Link<K> {}

impl<K: Copy> HasRing<K> for Links<K> {
    #[inline]
    fn ring(&self) -> Ring<K> {
        self.ring
    }

    #[inline]
    fn set_prev(&mut self, prev: Option<K>) {
        self.ring.prev = prev;
    }

    #[inline]
    fn set_next(&mut self, next: Option<K>) {
        self.ring.next = next;
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

#[cfg(feature = "columns")]
impl<K> Fill for Links<K> {
    const FILL: Self = Self::new();
}

impl<K> Default for Links<K> {
    /// Makes the links of an object in no hierarchy.
    fn default() -> Self {
        Self::new()
    }
}

/// A place in a list, as a field of the objects that are in it.
///
/// An all-zero value is in no list, like the result of [`new`](Self::new). An object that can be in several
/// lists at once has several of these; a [`Field`](crate::Field) tells them apart. No object links
/// back to the links in a clone of an object: give the clone new ones.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
///
/// struct Sound {
///     name: &'static str,
///     playing: Link<Handle<Sound>>,
/// }
/// impl AsRef<Link<Handle<Sound>>> for Sound {
///     fn as_ref(&self) -> &Link<Handle<Sound>> {
///         &self.playing
///     }
/// }
/// impl AsMut<Link<Handle<Sound>>> for Sound {
///     fn as_mut(&mut self) -> &mut Link<Handle<Sound>> {
///         &mut self.playing
///     }
/// }
///
/// let mut sounds = Arena::new();
/// let horn = sounds.insert(Sound { name: "horn", playing: Link::new() });
/// let mut playing = IntrusiveList::numbered(0);
/// playing.push_back(&mut sounds, horn).unwrap();
/// assert!(playing.iter(&sounds).all(|sound| sounds[sound].name == "horn"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "K: Copy + serde::Serialize")))]
#[repr(C, packed(4))] // without padding: an object in several lists takes fewer cache lines
pub struct Link<K> {
    /// The number of the list, plus 1.
    list: Option<NonZeroU32>,
    ring: Ring<K>,
}

impl<K> Link<K> {
    /// Makes the link of an object in no list. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Link};
    ///
    /// assert_eq!(Link::<Handle<u8>>::new().list(), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { list: None, ring: Ring::OPEN }
    }

    /// Returns the [number](crate::IntrusiveList::numbered) of the list that the object is in by this link, if
    /// any. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b] = [(); 2].map(|()| things.insert(Link::new()));
    /// let mut list = IntrusiveList::numbered(7);
    /// list.push_back(&mut things, a).unwrap();
    /// assert_eq!((things[a].list(), things[b].list()), (Some(7), None));
    /// ```
    #[must_use]
    pub fn list(&self) -> Option<u32> {
        self.list.map(|number| number.get() - 1)
    }
}

impl<K: Copy> HasRing<K> for Link<K> {
    #[inline]
    fn ring(&self) -> Ring<K> {
        self.ring
    }

    #[inline]
    fn set_prev(&mut self, prev: Option<K>) {
        self.ring.prev = prev;
    }

    #[inline]
    fn set_next(&mut self, next: Option<K>) {
        self.ring.next = next;
    }
}

impl<K> AsRef<Self> for Link<K> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<K> AsMut<Self> for Link<K> {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

#[cfg(feature = "columns")]
impl<K> Fill for Link<K> {
    const FILL: Self = Self::new();
}

impl<K> Default for Link<K> {
    /// Makes the link of an object in no list.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Copy> ListLinks<K> for Link<K> {
    #[inline]
    fn is_listed(&self) -> bool {
        self.list.is_some()
    }

    #[inline]
    fn is_in(&self, number: NonZeroU32) -> bool {
        self.list == Some(number)
    }

    #[inline]
    fn enlist(&mut self, number: NonZeroU32) {
        self.list = Some(number);
    }
}

#[cfg(feature = "alloc")]
impl Linkage for Links<Place> {
    fn relocate(&mut self, to: impl Fn(Place) -> Place) {
        let Self { parent, first_child, ring } = self;
        for place in [parent, first_child, &mut ring.prev, &mut ring.next] {
            *place = place.map(&to);
        }
    }
}
