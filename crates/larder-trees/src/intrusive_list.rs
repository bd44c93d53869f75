//! A list whose links lie in its members, and these links. Methods that a [`KeyList`](crate::KeyList) has, too, are said
//! in full there.

use core::borrow::Borrow;
use core::iter::FusedIterator;
use core::num::NonZeroU32;

use super::ListError;
use super::check::CheckError;
use super::list_head::{ListHead, ListLinks};
use super::ring::{Arc, HasRing, Ring};
use larder_core::containers::{LinkStore, LinkStoreMut, LinksOf};
use larder_core::key::Key;
#[cfg(feature = "columns")]
use larder_core::soa::Fill;

/// A list of objects that contain its links.
///
/// The methods take a [`LinkStore`]: a container whose values return a [`Link`] by [`AsRef`] and [`AsMut`],
/// or a [`Field`](crate::Field) of a container. Several lists of different objects may use the same
/// field: each has a [number](Self::numbered), which its members carry. A member of another list is refused,
/// and never removed from it.
///
/// Remove an object from its lists before it is removed from its container. Otherwise the list is torn: walks
/// end there, and pushing there is an error, until [`mend`](Self::mend) has closed the gap. A stale key never
/// leads to the next object in its slot.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
/// # struct Thing;
/// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
/// # let mut list = IntrusiveList::numbered(0);
/// for key in [a, b, c] {
///     list.push_back(&mut things, key)?;
/// }
/// assert!(list.remove(&mut things, b));
/// assert!(list.iter(&things).eq([a, c]));
/// # Ok::<(), larder::trees::ListError<Handle<Thing>>>(())
/// ```
#[doc(alias("intrusive", "linked list", "KeyList", "List"))]
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct IntrusiveList<K> {
    pub(crate) head: ListHead<K>,
}

impl<K> IntrusiveList<K> {
    /// Makes an empty list with the number by which its members know it. O(1).
    ///
    /// Lists that use the same links need different numbers: two lists with the same one would take each
    /// other's members for their own. A counter, an enum or the slot of the list's owner can give the number.
    ///
    /// # Panics
    /// If the number is `u32::MAX`.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
    /// let mut other = IntrusiveList::numbered(1);
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(other.push_back(&mut things, a).is_err()); // a link is in one list at most
    /// assert!(!other.remove(&mut things, a)); // not its member
    /// assert_eq!(list.len(), 1);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn numbered(number: u32) -> Self {
        Self { head: ListHead::numbered(number) }
    }
}

/// Reading.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
/// # struct Thing;
/// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
/// # let mut list = IntrusiveList::numbered(0);
/// for key in [c, a] {
///     list.push_back(&mut things, key).unwrap();
/// }
/// assert_eq!(list.len(), 2);
/// assert_eq!((list.first(&things), list.last(&things)), (Some(c), Some(a)));
/// assert_eq!((list.next_key(&things, c), list.prev_key(&things, c)), (Some(a), None));
/// assert!(list.contains(&things, a) && !list.contains(&things, b));
/// ```
impl<K: Key> IntrusiveList<K> {
    /// Returns how many members there are, those included that were removed from their container alone. O(1).
    /// See [`KeyList::len`](crate::KeyList::len).
    #[must_use]
    pub const fn len(&self) -> usize {
        self.head.len()
    }

    /// Returns whether there are no members. O(1). See [`KeyList::is_empty`](crate::KeyList::is_empty).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// Returns the first member. O(1). See [`KeyList::first`](crate::KeyList::first).
    #[doc(alias("front", "head", "id_begin"))]
    #[must_use]
    pub fn first(&self, objects: &impl LinkStore<Link<K>, Key = K>) -> Option<K> {
        self.head.first(objects)
    }

    /// Returns the last member. O(1). See [`KeyList::last`](crate::KeyList::last).
    #[doc(alias("back", "tail"))]
    #[must_use]
    pub fn last(&self, objects: &impl LinkStore<Link<K>, Key = K>) -> Option<K> {
        self.head.last(objects)
    }

    /// Returns whether a key is a member. O(1). See [`KeyList::contains`](crate::KeyList::contains).
    #[must_use]
    pub fn contains(&self, objects: &impl LinkStore<Link<K>, Key = K>, key: K) -> bool {
        self.head.member(objects, key).is_some()
    }

    /// Returns the member after a member; `None` for the last one and for a key that is no member. O(1).
    /// See [`KeyList::next_key`](crate::KeyList::next_key).
    #[doc(alias("id_next"))]
    #[inline]
    #[must_use]
    pub fn next_key(&self, objects: &impl LinkStore<Link<K>, Key = K>, key: K) -> Option<K> {
        self.head.next(objects, key)
    }

    /// Returns the member before a member; `None` for the first one and for a key that is no member. O(1).
    /// See [`KeyList::prev_key`](crate::KeyList::prev_key).
    #[inline]
    #[must_use]
    pub fn prev_key(&self, objects: &impl LinkStore<Link<K>, Key = K>, key: K) -> Option<K> {
        self.head.prev(objects, key)
    }
}

/// Inserting.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
/// # struct Thing;
/// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
/// # let mut list = IntrusiveList::numbered(0);
/// list.push_back(&mut things, a).unwrap();
/// list.push_front(&mut things, b).unwrap();
/// list.insert_before(&mut things, a, c).unwrap();
/// list.insert_after(&mut things, a, d).unwrap();
/// assert!(list.iter(&things).eq([b, c, a, d]));
/// assert!(list.push_back(&mut things, a).is_err()); // it is a member
/// ```
impl<K: Key> IntrusiveList<K> {
    /// Makes a key the last member. O(1). See [`KeyList::push_back`](crate::KeyList::push_back).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, or in a list by this link already, or if the list is torn there (see
    /// [`mend`](Self::mend)). Then nothing has changed.
    pub fn push_back(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.head.push_back(objects, key)
    }

    /// Makes a key the first member. O(1). See [`KeyList::push_front`](crate::KeyList::push_front).
    ///
    /// # Errors
    /// Fails as [`push_back`](Self::push_back) does.
    pub fn push_front(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.head.push_front(objects, key)
    }

    /// Makes a key a member, before another. O(1).
    /// See [`KeyList::insert_before`](crate::KeyList::insert_before).
    ///
    /// # Errors
    /// Fails as [`push_back`](Self::push_back) does, and if `member` is not a member.
    pub fn insert_before(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.head.insert_before(objects, member, key)
    }

    /// Makes a key a member, after another. O(1). See [`KeyList::insert_after`](crate::KeyList::insert_after).
    ///
    /// # Errors
    /// Fails as [`push_back`](Self::push_back) does, and if `member` is not a member.
    pub fn insert_after(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.head.insert_after(objects, member, key)
    }
}

/// Removing. The objects stay in their container.
///
/// # Examples
/// ```
/// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
/// # struct Thing;
/// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
/// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
/// # let mut list = IntrusiveList::numbered(0);
/// for key in [a, b, c, d] {
///     list.push_back(&mut things, key).unwrap();
/// }
/// assert_eq!(list.remove_and_next(&mut things, b), Some(c));
/// assert!(list.remove(&mut things, c) && !list.remove(&mut things, c));
/// assert_eq!((list.pop_front(&mut things), list.pop_back(&mut things)), (Some(a), Some(d)));
/// assert!(list.is_empty());
/// ```
impl<K: Key> IntrusiveList<K> {
    /// Removes a member from the list and returns whether it was one. O(1).
    /// See [`KeyList::remove`](crate::KeyList::remove).
    #[doc(alias("unlink"))]
    #[inline]
    pub fn remove(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>, key: K) -> bool {
        self.head.remove(objects, key).is_some()
    }

    /// Removes a member from the list, in a loop, and returns the one after it; `None` if it was the last one,
    /// or no member. O(1). See [`KeyList::remove_and_next`](crate::KeyList::remove_and_next).
    #[doc(alias("erase"))]
    #[inline]
    pub fn remove_and_next(
        &mut self,
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        key: K,
    ) -> Option<K> {
        self.head.remove(objects, key)?
    }

    /// Removes the first member from the list and returns it. O(1).
    /// See [`KeyList::pop_front`](crate::KeyList::pop_front).
    pub fn pop_front(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) -> Option<K> {
        self.head.pop_front(objects)
    }

    /// Removes the last member from the list and returns it. O(1).
    /// See [`KeyList::pop_back`](crate::KeyList::pop_back).
    pub fn pop_back(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) -> Option<K> {
        self.head.pop_back(objects)
    }
}

/// Several members at once.
impl<K: Key> IntrusiveList<K> {
    /// Walks the members in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
    /// for key in [c, a, b] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// assert!(list.iter(&things).eq([c, a, b]));
    /// assert!(list.iter(&things).rev().eq([b, a, c]));
    /// ```
    pub fn iter<'a, S: LinkStore<Link<K>, Key = K>>(&'a self, objects: &'a S) -> Members<'a, S, K> {
        Members {
            list: &self.head,
            objects,
            arc: Arc::from(self.head.first),
            left: self.head.len() as u32,
        }
    }

    /// Moves all members of another list before `before`, or to the end if that is `None`. O(moved).
    ///
    /// # Errors
    /// If `before` is not a member, one of the lists is torn, or they share members, as a list and its clone do. Then
    /// nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
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
        objects: &mut impl LinkStoreMut<Link<K>, Key = K>,
        before: Option<K>,
        other: &mut Self,
    ) -> Result<(), ListError<K>> {
        self.head.splice(objects, before, &mut other.head)
    }

    /// Removes the members for which `keep` returns `false` from the list. If it panics, the members visited
    /// before are decided. O(members).
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
    /// for key in [a, b, c] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// list.retain(&mut things, |_, key| key != b);
    /// assert!(list.iter(&things).eq([a, c]));
    /// ```
    pub fn retain<S: LinkStoreMut<Link<K>, Key = K>>(
        &mut self,
        objects: &mut S,
        keep: impl FnMut(&S, K) -> bool,
    ) {
        self.head.retain(objects, keep);
    }

    /// Removes all members from the list. O(members).
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
    /// list.push_back(&mut things, a).unwrap();
    /// list.clear(&mut things);
    /// assert!(list.is_empty() && things[a].list().is_none());
    /// ```
    pub fn clear(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) {
        self.head.clear(objects);
    }
}

/// Links that were not told of a removal, or were loaded from a file.
impl<K: Key> IntrusiveList<K> {
    /// Closes the gaps around members that were removed from their container alone. `keys` are all keys of the
    /// container. O(keys).
    ///
    /// Members keep their order, unless several were removed: then the remaining pieces follow each other in the
    /// order of `keys`. So do all members of a list that a file made inconsistent beyond that.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
    /// for key in [a, b, c, d] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// things.remove(c); // and not from the list
    /// let keys: Vec<_> = things.keys().collect();
    /// list.mend(&mut things, &keys);
    /// assert!(list.iter(&things).eq([a, b, d]));
    /// assert_eq!(list.len(), 3);
    /// ```
    pub fn mend<Keys>(&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>, keys: Keys)
    where
        Keys: IntoIterator<Item: Borrow<K>, IntoIter: Clone>,
    {
        self.head.mend(objects, keys.into_iter().map(|key| *key.borrow()));
    }

    /// Checks that the list and its members' links agree, for example after loading. `keys` are all keys of the
    /// container. O(keys).
    ///
    /// # Errors
    /// If they disagree. Such a list is safe: links that disagree are not followed, and every walk ends.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle, trees::{IntrusiveList, Link}};
    /// # struct Thing;
    /// # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    /// # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));
    /// # let mut list = IntrusiveList::numbered(0);
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(list.check(&things, things.keys()).is_ok());
    /// things.remove(a);
    /// assert!(list.check(&things, things.keys()).is_err());
    /// ```
    pub fn check<Keys>(
        &self,
        objects: &impl LinkStore<Link<K>, Key = K>,
        keys: Keys,
    ) -> Result<(), CheckError<K>>
    where
        Keys: IntoIterator<Item: Borrow<K>, IntoIter: Clone>,
    {
        self.head.check(objects, keys.into_iter().map(|key| *key.borrow()))
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
        self.arc.next_counted(|key| list.member(objects, key))
    }

    /// The list may be torn, and then walks end there.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let some = self.clone().next().is_some();
        (usize::from(some), Some(if some { self.left as usize } else { 0 }))
    }
}

impl<S: LinkStore<Link<K>, Key = K>, K: Copy + Eq> DoubleEndedIterator for Members<'_, S, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        let Self { list, objects, .. } = *self;
        self.left = self.left.checked_sub(1)?;
        self.arc.next_back(|key| list.member(objects, key))
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

impl<K> LinksOf<K> for Link<K> {}

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
