//! Lists that objects are members of: links in the objects, or beside them.
//!
//! ```text
//! List            ┌────────┐ next  ┌────────┐ next  ┌────────┐
//! ┌────────┐      │ object │ ────▶ │ object │ ────▶ │ object │ ──┐
//! │ first ─┼────▶ │        │ ◀──── │        │ ◀──── │        │   │
//! │ length │      └────────┘  prev └────────┘  prev └────────┘   │
//! └────────┘          ▲  └ prev of the first: the last           │
//!                     └──────────────────────────────────────────┘
//! ```
//! A [`IntrusiveList`] is a head: the members' [`Link`]s lie in the objects, and methods take what the objects
//! are in. A [`KeyList`](crate::trees::KeyList) has the links beside the objects.

/// Makes the examples short: four things that are nothing but their links, and a list.
macro_rules! things {
    () => {
        "# use larder::{Arena, Handle, trees::{IntrusiveList, Link}};\n\
         # struct Thing;\n\
         # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();\n\
         # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));\n\
         # let mut list = IntrusiveList::numbered(0);"
    };
}

mod error;
mod members;
mod mending;
mod removal;

use core::num::NonZeroU32;

pub use error::ListError;
pub use members::Members;

use crate::key::Key;
use crate::trees::links::ring::{self, HasRing, Ring};
use crate::trees::links::{LinkStore, LinkStoreMut};

/// A place in a list, as a field of the objects that are in it.
///
/// All zero is a place in no list, and so is [`new`](Self::new). An object that is to be in several
/// lists at once has several of these, and a [`Field`](crate::trees::Field) says which one is meant. A copy of
/// an object has a copy of its links, which nothing links back to: give it new ones.
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
pub struct Link<K> {
    /// The number of the list.
    list: Option<NonZeroU32>,
    ring: Ring<K>,
}

impl<K> Link<K> {
    /// In no list. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Link};
    ///
    /// assert!(!Link::<Handle<u8>>::new().is_in_list());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { list: None, ring: Ring::OPEN }
    }

    /// Whether this is a place in some list. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(things[a].is_in_list() && !things[b].is_in_list());
    /// ```
    #[must_use]
    pub const fn is_in_list(&self) -> bool {
        self.list.is_some()
    }

    /// The [number](IntrusiveList::numbered) of the list; `None` if this is in no list. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list = IntrusiveList::numbered(7);
    /// list.push_back(&mut things, a).unwrap();
    /// assert_eq!(things[a].list(), Some(7));
    /// ```
    #[must_use]
    pub fn list(&self) -> Option<u32> {
        self.list.map(|number| number.get() - 1)
    }
}

impl<K> Default for Link<K> {
    /// In no list.
    fn default() -> Self {
        Self::new()
    }
}

impl<K> HasRing<K> for Link<K> {
    #[inline]
    fn ring(&self) -> &Ring<K> {
        &self.ring
    }

    #[inline]
    fn ring_mut(&mut self) -> &mut Ring<K> {
        &mut self.ring
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

/// A list of objects, by links in the objects themselves.
///
/// The methods take whatever the objects are in: a container whose values give a [`Link`] out by
/// [`AsRef`] and [`AsMut`], or a [`Field`](crate::trees::Field) of one. Several lists may use the same field, of
/// different objects: each has a [number](Self::numbered) of its own, which its members carry. What is a
/// member of another list is refused, and never taken out.
///
/// Take an object out of its lists before it is removed from its container. Where that was
/// forgotten the list is torn: walks end there, pushing there is an error, and
/// [`mend`](Self::mend) closes it. A stale key never leads to who is in its slot now.
///
/// # Examples
/// ```
#[doc = things!()]
/// for key in [a, b, c] {
///     list.push_back(&mut things, key)?;
/// }
/// assert_eq!(list.remove(&mut things, b), Some(c)); // the next
/// assert!(list.iter(&things).eq([a, c]));
/// # Ok::<(), larder::trees::ListError<Handle<Thing>>>(())
/// ```
#[doc(alias("intrusive", "linked list", "KeyList"))]
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "List")]
pub struct IntrusiveList<K> {
    number: NonZeroU32,
    length: u32,
    first: Option<K>,
}

impl<K> IntrusiveList<K> {
    /// Makes an empty list, with the number by which its members know it. O(1).
    ///
    /// There is no list without one: of two lists with the same number, over the same links, each
    /// would take the other's members for its own. What gives the number is up to you: one counter,
    /// an enum, the slot of the object whose list it is.
    ///
    /// # Panics
    /// If the number is `u32::MAX`.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// let mut other = IntrusiveList::numbered(1);
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(other.push_back(&mut things, a).is_err()); // one link, one list
    /// assert_eq!(other.remove(&mut things, a), None); // not its member
    /// assert_eq!(list.len(), 1);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn numbered(number: u32) -> Self {
        match NonZeroU32::MIN.checked_add(number) {
            Some(number) => Self { number, length: 0, first: None },
            None => panic!("List: the number u32::MAX is none of a list"),
        }
    }

    /// How many members there are; those that were removed from their container and not from the
    /// list are counted until it is [mended](Self::mend). O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// assert_eq!(list.len(), 1);
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there are no members. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.pop_back(&mut things);
    /// assert!(list.is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }
}

/// Looking around.
impl<K: Key> IntrusiveList<K> {
    /// The first member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_front(&mut things, a).unwrap();
    /// assert_eq!(list.first(), Some(a));
    /// ```
    #[doc(alias("front", "head", "id_begin"))]
    #[must_use]
    pub const fn first(&self) -> Option<K> {
        self.first
    }

    /// The last member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.push_back(&mut things, b).unwrap();
    /// assert_eq!(list.last(&things), Some(b));
    /// ```
    #[doc(alias("back", "tail"))]
    #[must_use]
    pub fn last(&self, objects: &impl LinkStore<K, Link<K>>) -> Option<K> {
        self.member(objects, ring::prev(objects, self.first?)?)
    }

    /// Whether a key is a member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(list.contains(&things, a) && !list.contains(&things, b));
    /// ```
    #[must_use]
    pub fn contains(&self, objects: &impl LinkStore<K, Link<K>>, key: K) -> bool {
        self.member(objects, key).is_some()
    }

    /// The member behind a member; `None` for the last, and for who is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [c, a] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// assert_eq!(list.next_key(&things, c), Some(a));
    /// assert_eq!(list.next_key(&things, a), None);
    /// ```
    #[doc(alias("id_next"))]
    #[inline]
    #[must_use]
    pub fn next_key(&self, objects: &impl LinkStore<K, Link<K>>, key: K) -> Option<K> {
        let link = self.link(objects, key)?;
        let next = link.ring.next.filter(|_| link.ring.next != self.first)?;
        (self.link(objects, next)?.ring.prev == Some(key)).then_some(next)
    }

    /// The member in front of a member; `None` for the first, and for who is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [c, a] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// assert_eq!(list.prev_key(&things, a), Some(c));
    /// assert_eq!(list.prev_key(&things, c), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn prev_key(&self, objects: &impl LinkStore<K, Link<K>>, key: K) -> Option<K> {
        let prev = self.link(objects, key)?.ring.prev.filter(|_| self.first != Some(key))?;
        (self.link(objects, prev)?.ring.next == Some(key)).then_some(prev)
    }

    /// The members in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [c, a, b] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// assert!(list.iter(&things).eq([c, a, b]));
    /// assert!(list.iter(&things).rev().eq([b, a, c]));
    /// ```
    pub fn iter<'a, S: LinkStore<K, Link<K>>>(&'a self, objects: &'a S) -> Members<'a, S, K> {
        Members::new(self, objects)
    }

    /// The link of a member.
    #[inline]
    fn link<'a>(&self, objects: &'a impl LinkStore<K, Link<K>>, key: K) -> Option<&'a Link<K>> {
        objects.links(key).filter(|link| link.list == Some(self.number))
    }

    /// The key, if it is a member. (A list of no length has none, whatever a file says of objects.)
    #[inline]
    fn member(&self, objects: &impl LinkStore<K, Link<K>>, key: K) -> Option<K> {
        self.link(objects, key).filter(|_| !self.is_empty()).map(|_| key)
    }
}

/// Putting in.
impl<K: Key> IntrusiveList<K> {
    /// Makes a key the last member. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, if its link is in a list already, or if the list is torn
    /// there; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.push_back(&mut things, b).unwrap();
    /// assert!(list.push_back(&mut things, a).is_err()); // it is in the list
    /// assert!(list.iter(&things).eq([a, b]));
    /// ```
    pub fn push_back(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        match self.first {
            Some(first) => self.put_before(objects, first, key),
            None => {
                self.first = Some(key);
                self.put(objects, key, key, key);
                Ok(())
            }
        }
    }

    /// Makes a key the first member. O(1).
    ///
    /// # Errors
    /// As [`push_back`](Self::push_back).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_front(&mut things, a).unwrap();
    /// list.push_front(&mut things, b).unwrap();
    /// assert!(list.iter(&things).eq([b, a]));
    /// ```
    pub fn push_front(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        key: K,
    ) -> Result<(), ListError<K>> {
        // In a circle the place behind the last is that before the first.
        self.push_back(objects, key)?;
        self.first = Some(key);
        Ok(())
    }

    /// Makes a key a member, in front of another. O(1).
    ///
    /// # Errors
    /// As [`push_back`](Self::push_back), and if `member` is none.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.insert_before(&mut things, a, b).unwrap();
    /// assert!(list.iter(&things).eq([b, a]));
    /// assert!(list.insert_before(&mut things, c, d).is_err()); // c is no member
    /// ```
    pub fn insert_before(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.member(objects, member).ok_or(ListError::NotMember { key: member })?;
        self.put_before(objects, member, key)?;
        if self.first == Some(member) {
            self.first = Some(key);
        }
        Ok(())
    }

    /// Makes a key a member, behind another. O(1).
    ///
    /// # Errors
    /// As [`push_back`](Self::push_back), and if `member` is none.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&mut things, a).unwrap();
    /// list.push_back(&mut things, b).unwrap();
    /// list.insert_after(&mut things, a, c).unwrap();
    /// assert!(list.iter(&things).eq([a, c, b]));
    /// ```
    pub fn insert_after(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.member(objects, member).ok_or(ListError::NotMember { key: member })?;
        let next = ring::next(objects, member).ok_or(ListError::Torn { key: member })?;
        self.put(objects, member, key, next);
        Ok(())
    }

    /// Moves all members of another list, in front of `before`, or to the end where that is `None`.
    /// O(moved): each learns the number of its list.
    ///
    /// # Errors
    /// If `before` is not a member, or one of the lists is torn; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// let mut other = IntrusiveList::numbered(1);
    /// list.push_back(&mut things, a).unwrap();
    /// for key in [b, c] {
    ///     other.push_back(&mut things, key).unwrap();
    /// }
    /// list.splice(&mut things, Some(a), &mut other).unwrap();
    /// assert!(list.iter(&things).eq([b, c, a]) && other.is_empty());
    /// ```
    #[doc(alias("append"))]
    pub fn splice(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        before: Option<K>,
        other: &mut Self,
    ) -> Result<(), ListError<K>> {
        if let Some(key) = before {
            self.member(objects, key).ok_or(ListError::NotMember { key })?;
        }
        let Some(first) = other.first else {
            return Ok(());
        };
        let last = other.last_of_whole(objects).ok_or(ListError::Torn { key: first })?;
        if let Some(behind) = before.or(self.first) {
            let prev = ring::prev(objects, behind).ok_or(ListError::Torn { key: behind })?;
            ring::join(objects, prev, first);
            ring::join(objects, last, behind);
        }
        if before == self.first {
            self.first = Some(first);
        }
        self.adopt(objects, first, last);
        self.length = self.length.saturating_add(core::mem::take(&mut other.length));
        other.first = None;
        Ok(())
    }

    /// The last member, if a walk comes to it.
    fn last_of_whole(&self, objects: &impl LinkStore<K, Link<K>>) -> Option<K> {
        let last = self.iter(objects).last()?;
        (ring::next(objects, last) == self.first).then_some(last)
    }

    /// Makes members of those from `first` to `last`.
    fn adopt(&self, objects: &mut impl LinkStoreMut<K, Link<K>>, first: K, last: K) {
        let mut at = Some(first);
        while let Some(key) = at {
            if let Some(link) = objects.links_mut(key) {
                link.list = Some(self.number);
            }
            at = if key == last { None } else { ring::next(objects, key) };
        }
    }

    /// Refuses what cannot become a member.
    fn admit(&self, objects: &impl LinkStore<K, Link<K>>, key: K) -> Result<(), ListError<K>> {
        match objects.links(key) {
            None => Err(ListError::Missing { key }),
            Some(link) if link.is_in_list() => Err(ListError::InList { key }),
            Some(_) => Ok(()),
        }
    }

    fn put_before(
        &mut self,
        objects: &mut impl LinkStoreMut<K, Link<K>>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        let prev = ring::prev(objects, member).ok_or(ListError::Torn { key: member })?;
        self.put(objects, prev, key, member);
        Ok(())
    }

    fn put(&mut self, objects: &mut impl LinkStoreMut<K, Link<K>>, prev: K, key: K, next: K) {
        ring::insert(objects, prev, key, next);
        if let Some(link) = objects.links_mut(key) {
            link.list = Some(self.number);
        }
        // A length may be forged; the members of a container are fewer than that.
        self.length = self.length.saturating_add(1);
    }
}
