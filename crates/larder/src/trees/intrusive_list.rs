//! A list whose links lie in its members, and the methods of it and of [`KeyList`], written once: both are a head, and
//! links that it takes from the objects or has beside them.

use core::borrow::Borrow;
use core::iter::FusedIterator;

use super::ListError;
use super::check::CheckError;
#[cfg(feature = "alloc")]
use super::key_list::{KeyList, key_list_example};
use super::link_store::{LinkStore, LinkStoreMut, editing_links};
use super::links::Link;
use super::list_head::ListHead;
#[cfg(feature = "alloc")]
use super::nodes::editing_nodes;
use super::ring::Arc;
#[cfg(feature = "alloc")]
use crate::containers::container::Container;
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

/// A list of objects that contain its links.
///
/// The methods take a [`LinkStore`]: a container whose values return a [`Link`] by [`AsRef`] and [`AsMut`],
/// or a [`Field`](crate::trees::Field) of a container. Several lists of different objects may use the same
/// field: each has a [number](Self::numbered), which its members carry. A member of another list is refused,
/// and never removed from it.
///
/// Remove an object from its lists before it is removed from its container. Otherwise the list is torn: walks
/// end there, and pushing there is an error, until [`mend`](Self::mend) has closed the gap. A stale key never
/// leads to the next object in its slot.
///
/// # Examples
/// ```
#[doc = intrusive_example!()]
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
    /// assert!(!other.remove(&mut things, a)); // not its member
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
    /// order of `keys`. So do all members of a list that a file made inconsistent beyond that.
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

/// All that both have. The parameters are
/// - the macro of an example's hidden lines, and the first arguments there of methods that read, insert and
///   change (where a key follows, with a comma);
/// - the arguments, before the key, of methods that read, insert and change, and the links that these lead to;
/// - what the links name a key by that is to be inserted, the member beside it, and any key, and the key of what
///   they name.
macro_rules! list {
    (
        $type:ident, example: $setup:ident, $at:literal, $on:literal, $by:literal, $all:literal, $change:literal,
        read: ($($read:tt)*) in $stored:expr,
        insert: ($($insert:tt)*) |$key:ident| $admit:expr, or $refusal:literal,
        beside: |$member:ident| $beside:expr,
        edit: ($($edit:tt)*) of $self:ident by $editing:ident in $store:expr,
        place: $place:expr, key: |$found:ident| $of:expr $(,)?
    ) => {
        /// Reading.
        impl<K: Key> $type<K> {
            /// Returns how many members there are, stale ones included. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            /// assert_eq!(list.len(), 1);
            /// ```
            #[must_use]
            pub const fn len(&self) -> usize {
                self.head.len()
            }

            /// Returns whether there are no members. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// assert!(list.is_empty());
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            /// assert!(!list.is_empty());
            /// ```
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                self.head.is_empty()
            }

            /// Returns the first member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "b).unwrap();")]
            #[doc = concat!("assert_eq!(list.first(", $all, "), Some(b));")]
            /// ```
            #[doc(alias("front", "head", "id_begin"))]
            #[must_use]
            pub fn first($($read)*) -> Option<K> {
                $self.head.first($stored).map(|$found| $of)
            }

            /// Returns the last member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "b).unwrap();")]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("assert_eq!(list.last(", $all, "), Some(a));")]
            /// ```
            #[doc(alias("back", "tail"))]
            #[must_use]
            pub fn last($($read)*) -> Option<K> {
                $self.head.last($stored).map(|$found| $of)
            }

            /// Returns whether a key is a member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("assert!(list.contains(", $at, "a) && !list.contains(", $at, "b));")]
            /// ```
            #[must_use]
            pub fn contains($($read)*, key: K) -> bool {
                let $key = key;
                $place.is_some_and(|place| $self.head.member($stored, place).is_some())
            }

            /// Returns the member after a member; `None` for the last one and for a key that is no member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "c).unwrap();")]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("assert_eq!(list.next_key(", $at, "c), Some(a));")]
            #[doc = concat!("assert_eq!(list.next_key(", $at, "a), None);")]
            /// ```
            #[doc(alias("id_next"))]
            #[inline]
            #[must_use]
            pub fn next_key($($read)*, key: K) -> Option<K> {
                let $key = key;
                $self.head.next($stored, $place?).map(|$found| $of)
            }

            /// Returns the member before a member; `None` for the first one and for a key that is no member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "c).unwrap();")]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("assert_eq!(list.prev_key(", $at, "a), Some(c));")]
            /// ```
            #[inline]
            #[must_use]
            pub fn prev_key($($read)*, key: K) -> Option<K> {
                let $key = key;
                $self.head.prev($stored, $place?).map(|$found| $of)
            }
        }

        /// Inserting.
        impl<K: Key> $type<K> {
            /// Makes a key the last member. O(1).
            ///
            /// # Errors
            /// If the key is stale, foreign or dangling, or in a list by this link already,
            #[doc = concat!("or if ", $refusal, ". Then nothing has changed.")]
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("list.push_back(", $on, "b).unwrap();")]
            #[doc = concat!("assert!(list.push_back(", $on, "a).is_err()); // it is a member")]
            #[doc = concat!("assert!(list.iter(", $all, ").eq([a, b]));")]
            /// ```
            pub fn push_back($($insert)*, key: K) -> Result<(), ListError<K>> {
                let $key = key;
                let place = $admit?;
                let put = $editing!($store, |store| $self.head.push_back(store, place));
                put.map_err(|error| error.of(|$found| $of))
            }

            /// Makes a key the first member. O(1).
            ///
            /// # Errors
            /// As [`push_back`](Self::push_back).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_front(", $on, "a).unwrap();")]
            #[doc = concat!("list.push_front(", $on, "b).unwrap();")]
            #[doc = concat!("assert!(list.iter(", $all, ").eq([b, a]));")]
            /// ```
            pub fn push_front($($insert)*, key: K) -> Result<(), ListError<K>> {
                let $key = key;
                let place = $admit?;
                let put = $editing!($store, |store| $self.head.push_front(store, place));
                put.map_err(|error| error.of(|$found| $of))
            }

            /// Makes a key a member, before another. O(1).
            ///
            /// # Errors
            /// As [`push_back`](Self::push_back), and if `member` is not a member.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("list.insert_before(", $on, "a, b).unwrap();")]
            #[doc = concat!("assert!(list.iter(", $all, ").eq([b, a]));")]
            #[doc = concat!("assert!(list.insert_before(", $on, "c, d).is_err()); // c is not a member")]
            /// ```
            pub fn insert_before($($insert)*, member: K, key: K) -> Result<(), ListError<K>> {
                let ($member, $key) = (member, key);
                let (place, member) = ($admit?, $beside?);
                let put = $editing!($store, |store| $self.head.insert_before(store, member, place));
                put.map_err(|error| error.of(|$found| $of))
            }

            /// Makes a key a member, after another. O(1).
            ///
            /// # Errors
            /// As [`push_back`](Self::push_back), and if `member` is not a member.
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("list.push_back(", $on, "b).unwrap();")]
            #[doc = concat!("list.insert_after(", $on, "a, c).unwrap();")]
            #[doc = concat!("assert!(list.iter(", $all, ").eq([a, c, b]));")]
            /// ```
            pub fn insert_after($($insert)*, member: K, key: K) -> Result<(), ListError<K>> {
                let ($member, $key) = (member, key);
                let (place, member) = ($admit?, $beside?);
                let put = $editing!($store, |store| $self.head.insert_after(store, member, place));
                put.map_err(|error| error.of(|$found| $of))
            }
        }

        /// Removing. The objects stay in their container.
        impl<K: Key> $type<K> {
            /// Removes a member from the list and returns whether it was one. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("assert!(list.remove(", $by, "a));")]
            #[doc = concat!("assert!(!list.remove(", $by, "a));")]
            /// ```
            #[doc(alias("unlink"))]
            #[inline]
            pub fn remove($($edit)*, key: K) -> bool {
                let $key = key;
                let Some(place) = $place else { return false };
                $editing!($store, |store| $self.head.remove(store, place)).is_some()
            }

            /// Removes a member from the list, in a loop, and returns the one after it; `None` if it was the last
            /// one, or no member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for key in [a, b, c, d] {
            #[doc = concat!("    list.push_back(", $on, "key).unwrap();")]
            /// }
            #[doc = concat!("let mut at = list.first(", $all, ");")]
            /// while let Some(key) = at {
            ///     let goes = key == b || key == d;
            ///     at = if goes {
            #[doc = concat!("        list.remove_and_next(", $by, "key)")]
            ///     } else {
            #[doc = concat!("        list.next_key(", $at, "key)")]
            ///     };
            /// }
            #[doc = concat!("assert!(list.iter(", $all, ").eq([a, c]));")]
            /// ```
            #[doc(alias("erase"))]
            #[inline]
            pub fn remove_and_next($($edit)*, key: K) -> Option<K> {
                let $key = key;
                let place = $place?;
                let next = $editing!($store, |store| $self.head.remove(store, place))?;
                next.map(|$found| $of)
            }

            /// Removes the first member from the list and returns it. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("assert_eq!(list.pop_front(", $change, "), Some(a));")]
            #[doc = concat!("assert_eq!(list.pop_front(", $change, "), None);")]
            /// ```
            pub fn pop_front($($edit)*) -> Option<K> {
                let popped = $editing!($store, |store| $self.head.pop_front(store));
                popped.map(|$found| $of)
            }

            /// Removes the last member from the list and returns it. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "a).unwrap();")]
            #[doc = concat!("list.push_back(", $on, "b).unwrap();")]
            #[doc = concat!("assert_eq!(list.pop_back(", $change, "), Some(b));")]
            /// ```
            pub fn pop_back($($edit)*) -> Option<K> {
                let popped = $editing!($store, |store| $self.head.pop_back(store));
                popped.map(|$found| $of)
            }
        }
    };
}

list! {
    IntrusiveList,
    example: intrusive_example, "&things, ", "&mut things, ", "&mut things, ", "&things", "&mut things",
    read: (&self, objects: &impl LinkStore<Link<K>, Key = K>) in objects,
    insert: (&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) |key| Ok::<K, ListError<K>>(key),
        or "the list is torn there (see [`mend`](Self::mend))",
    beside: |member| Ok::<K, ListError<K>>(member),
    edit: (&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) of self by editing_links in objects,
    place: Some(key), key: |place| place,
}

#[cfg(feature = "alloc")]
list! {
    KeyList,
    example: key_list_example, "", "&things, ", "", "", "",
    read: (&self) in &self.nodes,
    insert: (&mut self, objects: &impl Container<Key = K>) |key| self.admit(objects, key),
        or "memory is refused",
    beside: |member| self.place_beside(member, key),
    edit: (&mut self) of self by editing_nodes in self.nodes,
    place: self.nodes.place_of(key), key: |place| self.nodes.key_of(place),
}
