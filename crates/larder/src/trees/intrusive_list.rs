//! A list whose links lie in its members. The methods that it shares with `KeyList` are in `list_methods.rs`.

use core::borrow::Borrow;

use super::error::ListError;
use super::link_store::{LinkStore, LinkStoreMut};
use super::list_head::{Link, ListHead, Members};
use crate::key::Key;

/// Hidden lines of the examples: four things that consist of their links, and a list.
macro_rules! intrusive_example {
    () => {
        "# use larder::{Arena, Handle, trees::{IntrusiveList, Link}};\n\
         # struct Thing;\n\
         # let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();\n\
         # let [a, b, c, d] = [(); 4].map(|()| things.insert(Link::new()));\n\
         # let mut list = IntrusiveList::numbered(0);"
    };
}
pub(super) use intrusive_example;

/// A list of objects that contain its links.
///
/// The methods take a [`LinkStore`]: a container whose values return a [`Link`] by [`AsRef`] and [`AsMut`], or a
/// [`Field`](crate::trees::Field) of a container. Several lists of different objects may use the same field: each
/// has a [number](Self::numbered), which its members carry. A member of another list is refused, and never
/// taken out.
///
/// Remove an object from its lists before it is removed from its container. Otherwise the list is torn: walks
/// end there, and pushing there is an error, until [`mend`](Self::mend) has closed it. A stale key never leads to
/// the next object in its slot.
///
/// # Examples
/// ```
#[doc = intrusive_example!()]
/// for key in [a, b, c] {
///     list.push_back(&mut things, key)?;
/// }
/// assert_eq!(list.remove(&mut things, b), Some(c)); // the next
/// assert!(list.iter(&things).eq([a, c]));
/// # Ok::<(), larder::trees::ListError<Handle<Thing>>>(())
/// ```
#[doc(alias("intrusive", "linked list", "KeyList", "List"))]
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct IntrusiveList<K> {
    pub(super) head: ListHead<K>,
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
    #[doc = intrusive_example!()]
    /// let mut other = IntrusiveList::numbered(1);
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(other.push_back(&mut things, a).is_err()); // a link is in one list at most
    /// assert_eq!(other.remove(&mut things, a), None); // not its member
    /// assert_eq!(list.len(), 1);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn numbered(number: u32) -> Self {
        Self { head: ListHead::numbered(number) }
    }
}

/// Several members at once.
impl<K: Key> IntrusiveList<K> {
    /// Walks the members in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = intrusive_example!()]
    /// for key in [c, a, b] {
    ///     list.push_back(&mut things, key).unwrap();
    /// }
    /// assert!(list.iter(&things).eq([c, a, b]));
    /// assert!(list.iter(&things).rev().eq([b, a, c]));
    /// ```
    pub fn iter<'a, S: LinkStore<Link<K>, Key = K>>(&'a self, objects: &'a S) -> Members<'a, S, K> {
        self.head.iter(objects)
    }

    /// Moves all members of another list before `before`, or to the end if that is `None`. O(moved).
    ///
    /// # Errors
    /// If `before` is not a member, or one of the lists is torn. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = intrusive_example!()]
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
    #[doc = intrusive_example!()]
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
    #[doc = intrusive_example!()]
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
    /// order of `keys`.
    ///
    /// # Examples
    /// ```
    #[doc = intrusive_example!()]
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
    #[doc = intrusive_example!()]
    /// list.push_back(&mut things, a).unwrap();
    /// assert!(list.check(&things, things.keys()).is_ok());
    /// things.remove(a);
    /// assert!(list.check(&things, things.keys()).is_err());
    /// ```
    pub fn check<Keys>(
        &self,
        objects: &impl LinkStore<Link<K>, Key = K>,
        keys: Keys,
    ) -> Result<(), ListError<K>>
    where
        Keys: IntoIterator<Item: Borrow<K>, IntoIter: Clone>,
    {
        self.head.check(objects, keys.into_iter().map(|key| *key.borrow()))
    }
}
