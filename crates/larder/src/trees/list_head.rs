//! Links of lists, and the head that all operations on a list go through: [`IntrusiveList`] and [`KeyList`] are
//! a head each, with the links in the objects or beside them.
//!
//! ```text
//! head            ┌────────┐ next  ┌────────┐ next  ┌────────┐
//! ┌────────┐      │ object │ ────▶ │ object │ ────▶ │ object │ ──┐
//! │ first ─┼────▶ │        │ ◀──── │        │ ◀──── │        │   │
//! │ length │      └────────┘  prev └────────┘  prev └────────┘   │
//! └────────┘          ▲  └ prev of the first: the last           │
//!                     └──────────────────────────────────────────┘
//! ```
//! [`IntrusiveList`]: crate::trees::IntrusiveList
//! [`KeyList`]: crate::trees::KeyList

use core::iter::FusedIterator;
use core::num::NonZeroU32;

use super::error::ListError;
use super::link_store::{LinkStore, LinkStoreMut};
#[cfg(feature = "alloc")]
use super::nodes::{Linkage, Place};
use super::ring::{self, Arc, HasRing, Ring, tail};
use crate::soa::Fill;

/// A place in a list, as a field of the objects that are in it.
///
/// An all-zero value is a place in no list, as [`new`](Self::new) makes it. An object that can be in several lists
/// at once has several of these; a [`Field`](crate::trees::Field) tells them apart. Links in a clone of an object
/// are not linked back to: give the clone new ones.
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
    /// Which list, plus 1.
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

    /// The [number](crate::trees::IntrusiveList::numbered) of the list; `None` if the object is in no list by this
    /// link. O(1).
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

    /// The keys of the members before and after, in a circle: before the first is the last. The methods of the
    /// list check them. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b] = [(); 2].map(|()| things.insert(Link::new()));
    /// let mut list = IntrusiveList::numbered(7);
    /// list.push_back(&mut things, a).unwrap();
    /// list.push_back(&mut things, b).unwrap();
    /// assert_eq!(things[a].neighbor_keys(), (Some(b), Some(b)));
    /// ```
    #[must_use]
    pub const fn neighbor_keys(&self) -> (Option<K>, Option<K>)
    where
        K: Copy,
    {
        (self.ring.prev, self.ring.next)
    }
}

impl<K> Fill for Link<K> {
    const FILL: Self = Self::new();
}

impl<K> Default for Link<K> {
    /// The link of an object in no list.
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

/// The first member of a list, how many there are, and the number by which members know their list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "IntrusiveList"))]
pub(crate) struct ListHead<K> {
    number: NonZeroU32,
    length: u32,
    first: Option<K>,
}

impl<K> ListHead<K> {
    #[track_caller]
    pub(super) const fn numbered(number: u32) -> Self {
        match NonZeroU32::MIN.checked_add(number) {
            Some(number) => Self { number, length: 0, first: None },
            None => panic!("IntrusiveList: a list cannot have the number u32::MAX"),
        }
    }

    /// The head of the only list that uses its links.
    #[cfg(feature = "alloc")]
    pub(super) const fn only() -> Self {
        Self { number: NonZeroU32::MIN, length: 0, first: None }
    }

    pub(super) const fn len(&self) -> usize {
        self.length as usize
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.length == 0
    }
}

/// Reading.
impl<K: Copy + Eq> ListHead<K> {
    pub(super) const fn first(&self) -> Option<K> {
        self.first
    }

    #[cfg(feature = "alloc")]
    pub(super) const fn first_mut(&mut self) -> Option<&mut K> {
        self.first.as_mut()
    }

    pub(super) fn last(&self, objects: &impl LinkStore<Link<K>, Key = K>) -> Option<K> {
        let last = ring::prev(objects, self.first?)?;
        self.member(objects, last).map(|_| last)
    }

    #[inline]
    pub(super) fn next(&self, objects: &impl LinkStore<Link<K>, Key = K>, key: K) -> Option<K> {
        self.after(objects, key, self.member(objects, key)?.next)
    }

    #[inline]
    pub(super) fn prev(&self, objects: &impl LinkStore<Link<K>, Key = K>, key: K) -> Option<K> {
        let Ring { prev, .. } = self.member(objects, key)?;
        let prev = prev.filter(|_| self.first != Some(key))?;
        (self.member(objects, prev)?.next == Some(key)).then_some(prev)
    }

    pub(super) fn iter<'a, S: LinkStore<Link<K>, Key = K>>(
        &'a self,
        objects: &'a S,
    ) -> Members<'a, S, K> {
        let whole = Arc::from(self.first, |first| self.member(objects, first));
        Members { list: self, objects, arc: whole, left: self.length }
    }

    /// The neighbours of a key that is a member. (A list of length 0 has none, whatever a file says of objects.)
    #[inline]
    pub(super) fn member<S: LinkStore<Link<K>, Key = K>>(
        &self,
        objects: &S,
        key: K,
    ) -> Option<Ring<K>> {
        let link = self.link(objects, key)?;
        (!self.is_empty()).then_some(link.ring)
    }

    /// The link of a key by which it is in this list.
    #[inline]
    fn link<'a>(
        &self,
        objects: &'a impl LinkStore<Link<K>, Key = K>,
        key: K,
    ) -> Option<&'a Link<K>> {
        objects.links(key).filter(|link| link.list == Some(self.number))
    }

    /// The neighbours of a key that another member names.
    #[inline]
    fn ring<S: LinkStore<Link<K>, Key = K>>(&self, objects: &S, key: K) -> Option<Ring<K>> {
        let link = objects.links(key)?;
        (!S::MAY_TEAR || link.list == Some(self.number)).then_some(link.ring)
    }

    /// `next`, which follows a member, if it is a member too and links back; `None` after the last one.
    #[inline]
    fn after<S: LinkStore<Link<K>, Key = K>>(
        &self,
        objects: &S,
        key: K,
        next: Option<K>,
    ) -> Option<K> {
        let next = next.filter(|_| next != self.first)?;
        (!S::MAY_TEAR || self.member(objects, next)?.prev == Some(key)).then_some(next)
    }
}

/// Inserting.
impl<K: Copy + Eq> ListHead<K> {
    pub(super) fn push_back(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
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

    pub(super) fn push_front(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        // In a circle the place behind the last is that before the first.
        self.push_back(objects, key)?;
        self.first = Some(key);
        Ok(())
    }

    pub(super) fn insert_before(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
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

    pub(super) fn insert_after(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.member(objects, member).ok_or(ListError::NotMember { key: member })?;
        let next = ring::next(objects, member).ok_or(ListError::Torn { key: member })?;
        self.put(objects, member, key, next);
        Ok(())
    }

    pub(super) fn splice(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
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

    /// The last member, if a walk reaches it.
    fn last_of_whole(&self, objects: &impl LinkStore<Link<K>, Key = K>) -> Option<K> {
        let last = self.iter(objects).last()?;
        (ring::next(objects, last) == self.first).then_some(last)
    }

    /// Gives the members from `first` to `last` the number of this list.
    fn adopt(&self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>, first: K, last: K) {
        let mut at = Some(first);
        while let Some(key) = at {
            if let Some(link) = objects.links_mut(key) {
                link.list = Some(self.number);
            }
            at = if key == last { None } else { ring::next(objects, key) };
        }
    }

    /// Refuses a key that cannot become a member.
    fn admit(
        &self,
        objects: &impl LinkStore<Link<K>, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        match objects.links(key) {
            None => Err(ListError::Missing { key }),
            Some(link) if link.list.is_some() => Err(ListError::InList { key }),
            Some(_) => Ok(()),
        }
    }

    fn put_before(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        let prev = ring::prev(objects, member).ok_or(ListError::Torn { key: member })?;
        self.put(objects, prev, key, member);
        Ok(())
    }

    #[inline]
    fn put(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>, prev: K, key: K, next: K) {
        ring::insert(objects, prev, key, next, |link| link.list = Some(self.number));
        // A length may be forged; the members of a container are fewer than that.
        self.length = self.length.saturating_add(1);
    }
}

/// Removing. The objects stay in their container.
impl<K: Copy + Eq> ListHead<K> {
    #[inline]
    pub(super) fn remove<S: LinkStoreMut<Link<K>, Key = K>>(
        &mut self,
        objects: &mut S,
        key: K,
    ) -> Option<K> {
        let ring = self.member(objects, key)?;
        let beside = ring::unlink(objects, key, ring);
        *objects.links_mut(key)? = Link::new();
        if S::MAY_TEAR && self.link(objects, key).is_some() {
            return None; // what is read is not what was written: see `Field::new`
        }
        let is_member = |next: &K| !S::MAY_TEAR || self.link(objects, *next).is_some();
        let next = beside.next.filter(|_| beside.next != self.first).filter(is_member);
        if self.first == Some(key) {
            self.first = beside.next.or(beside.prev);
        }
        self.length -= 1;
        next
    }

    pub(super) fn pop_front(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
    ) -> Option<K> {
        let first = self.first?;
        self.pop(objects, first)
    }

    pub(super) fn pop_back(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
    ) -> Option<K> {
        let last = self.last(objects)?;
        self.pop(objects, last)
    }

    /// Removes a key if it is a member, and says so.
    fn pop(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>, key: K) -> Option<K> {
        self.member(objects, key)?;
        self.remove(objects, key);
        self.member(objects, key).is_none().then_some(key)
    }

    pub(super) fn retain<S: LinkStoreMut<Link<K>, Key = K>>(
        &mut self,
        objects: &mut S,
        mut keep: impl FnMut(&S, K) -> bool,
    ) {
        let mut at = self.first.filter(|&first| self.member(objects, first).is_some());
        while let Some(key) = at {
            at = if keep(objects, key) {
                self.next(objects, key)
            } else {
                self.remove(objects, key)
            };
        }
    }

    pub(super) fn clear(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) {
        while self.pop_front(objects).is_some() {}
        (self.first, self.length) = (None, 0);
    }
}

/// Links that were not told of a removal, or were loaded from a file.
impl<K: Copy + Eq> ListHead<K> {
    pub(super) fn mend(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        keys: impl Iterator<Item = K> + Clone,
    ) {
        self.first = self.first.filter(|&first| self.link(objects, first).is_some());
        let is_member = |key: &K| self.link(objects, *key).is_some();
        self.length = keys.clone().filter(is_member).count() as u32;
        // The piece with the first member is closed first, so that the others find where to join.
        keys.clone().for_each(|key| self.close(objects, key, true));
        keys.for_each(|key| self.close(objects, key, false));
        self.length = self.iter(objects).count() as u32;
    }

    /// Closes the piece that begins with `head`, or joins it to the closed ones.
    fn close(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        head: K,
        only_with_first: bool,
    ) {
        if self.link(objects, head).is_none() || ring::prev(objects, head).is_some() {
            return; // not a head
        }
        let (tail, with_first) = tail(objects, head, self.first);
        if self.first.is_none() || with_first {
            ring::join(objects, tail, head);
            self.first = self.first.or(Some(head));
        } else if let Some((first, last)) = self.first.zip(self.last(objects)) {
            if !only_with_first {
                ring::join(objects, last, head);
                ring::join(objects, tail, first);
            }
        }
    }

    pub(super) fn check(
        &self,
        objects: &impl LinkStore<Link<K>, Key = K>,
        keys: impl Iterator<Item = K>,
    ) -> Result<(), ListError<K>> {
        let members = keys.filter(|&key| self.link(objects, key).is_some()).count();
        let met = self.iter(objects).count();
        let whole = self.last_of_whole(objects).is_some() || self.first.is_none();
        if whole && met == members && met == self.len() {
            Ok(())
        } else {
            Err(ListError::Inconsistent { met, members, length: self.len() })
        }
    }
}

/// A walk over the members of a list, from either end. Made by `iter`.
pub struct Members<'a, S, K> {
    list: &'a ListHead<K>,
    objects: &'a S,
    arc: Arc<K>,
    /// The walk visits no more than this.
    left: u32,
}

impl<S: LinkStore<Link<K>, Key = K>, K: Copy + Eq> Iterator for Members<'_, S, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        let Self { list, objects, .. } = *self;
        self.left = self.left.checked_sub(1)?;
        self.arc.next(S::MAY_TEAR, |key| list.ring(objects, key))
    }

    /// Exact beside a container. In objects the list may be torn, and then walks end there.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = if self.arc.is_over() { 0 } else { self.left as usize };
        (if S::MAY_TEAR { most.min(1) } else { most }, Some(most))
    }
}

impl<S: LinkStore<Link<K>, Key = K>, K: Copy + Eq> DoubleEndedIterator for Members<'_, S, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        let Self { list, objects, .. } = *self;
        self.left = self.left.checked_sub(1)?;
        self.arc.next_back(|key| list.ring(objects, key))
    }
}

impl<S: LinkStore<Link<K>, Key = K>, K: Copy + Eq> FusedIterator for Members<'_, S, K> {}

impl<S, K: Copy> Clone for Members<'_, S, K> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<S, K> core::fmt::Debug for Members<'_, S, K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
impl Linkage for Link<Place> {
    fn relocate(&mut self, to: impl Fn(Place) -> Place) {
        for place in [&mut self.ring.prev, &mut self.ring.next] {
            *place = place.map(&to);
        }
    }
}
