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

#[cfg(feature = "alloc")]
impl Linkage for Links<Place> {
    fn relocate(&mut self, to: impl Fn(Place) -> Place) {
        let Self { parent, first_child, ring } = self;
        for place in [parent, first_child, &mut ring.prev, &mut ring.next] {
            *place = place.map(&to);
        }
    }
}
