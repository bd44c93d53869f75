//! The methods of [`IntrusiveList`] and of [`KeyList`], written once: both are a head, and links that it takes
//! from the objects or has beside them.

use super::error::ListError;
use super::intrusive_list::{IntrusiveList, intrusive_example};
#[cfg(feature = "alloc")]
use super::key_list::{KeyList, key_list_example};
use super::link_store::{LinkStore, LinkStoreMut};
use super::list_head::Link;
#[cfg(feature = "alloc")]
use crate::containers::container::Container;
use crate::key::Key;

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
        edit: ($($edit:tt)*) of $self:ident in $store:expr,
        place: $place:expr, key: |$found:ident| $of:expr $(,)?
    ) => {
        /// Reading.
        impl<K: Key> $type<K> {
            /// How many members there are, stale ones included. O(1).
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

            /// Whether there are no members. O(1).
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

            /// The first member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            #[doc = concat!("list.push_back(", $on, "b).unwrap();")]
            /// assert_eq!(list.first(), Some(b));
            /// ```
            #[doc(alias("front", "head", "id_begin"))]
            #[must_use]
            pub fn first(&$self) -> Option<K> {
                $self.head.first().map(|$found| $of)
            }

            /// The last member. O(1).
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

            /// Whether a key is a member. O(1).
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

            /// The member after a member; `None` for the last one and for a key that is no member. O(1).
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

            /// The member before a member; `None` for the first one and for a key that is no member. O(1).
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
                $self.head.push_back($store, place).map_err(|error| error.of(|$found| $of))
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
                $self.head.push_front($store, place).map_err(|error| error.of(|$found| $of))
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
                $self.head.insert_before($store, member, place).map_err(|error| error.of(|$found| $of))
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
                $self.head.insert_after($store, member, place).map_err(|error| error.of(|$found| $of))
            }
        }

        /// Removing. The objects stay in their container.
        impl<K: Key> $type<K> {
            /// Removes a member from the list and returns the one after it; `None` if it was the last one,
            /// or no member. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $setup!()]
            /// for key in [a, b, c, d] {
            #[doc = concat!("    list.push_back(", $on, "key).unwrap();")]
            /// }
            /// let mut at = list.first();
            /// while let Some(key) = at {
            ///     let goes = key == b || key == d;
            #[doc = concat!("    at = if goes { list.remove(", $by, "key) } else { list.next_key(", $at, "key) };")]
            /// }
            #[doc = concat!("assert!(list.iter(", $all, ").eq([a, c]));")]
            /// ```
            #[doc(alias("erase", "unlink"))]
            pub fn remove($($edit)*, key: K) -> Option<K> {
                let $key = key;
                let place = $place?;
                $self.head.remove($store, place).map(|$found| $of)
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
                $self.head.pop_front($store).map(|$found| $of)
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
                $self.head.pop_back($store).map(|$found| $of)
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
    edit: (&mut self, objects: &mut impl LinkStoreMut<Link<K>, Key = K>) of self in objects,
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
    edit: (&mut self) of self in &mut self.nodes,
    place: self.nodes.place_of(key), key: |place| self.nodes.key_of(place),
}
