//! A list beside a container, for objects that do not contain links.

use core::fmt;
use core::marker::PhantomData;

use super::ListError;
use super::list_head::ListHead;
use super::nodes::{Nodes, Place, editing_nodes};
use super::ring::Ring;
use larder_core::TryReserveError;
use larder_core::containers::Stats;
use larder_core::containers::{Container, LinkStore};
use larder_core::key::Key;
use larder_core::room;

/// A list of objects of one container, each at most once, in an order independent of the container's.
///
/// The links lie beside the container, so an object may be in any number of these lists. To iterate in order
/// of insertion, push every inserted key to a list. [`IntrusiveList`](crate::IntrusiveList) has its
/// links in the objects.
///
/// Remove an object from the list before it is removed from its container. Otherwise its stale key stays a
/// member until the next object in its slot is pushed, or [`retain_live`](Self::retain_live) is called; the list
/// stays consistent. A [`Table`](larder_core::track::Table) owns both, so that this cannot be forgotten.
///
/// # Layout
/// A node of 16 bytes (with keys of 8) for each member, which refers to its neighbours by position, and 4
/// bytes for each slot, which locate its node, as in a [`Tree`](crate::Tree). If few of a container's objects are members,
/// these are in a hash table, and a member takes some 70 bytes: for many short lists use an
/// [`IntrusiveList`](crate::IntrusiveList).
///
/// # Examples
/// ```
/// use larder::{Arena, trees::KeyList};
///
/// let mut birds = Arena::new();
/// let mut arrived = KeyList::new();
/// let [wren, kite] = ["wren", "kite"].map(|bird| birds.insert(bird));
/// arrived.push_back(&birds, wren)?;
/// arrived.push_back(&birds, kite)?;
/// arrived.remove(wren);
/// birds.remove(wren);
/// let owl = birds.insert("owl"); // in the wren's slot
/// arrived.push_back(&birds, owl)?;
/// assert!(arrived.iter().map(|bird| birds[bird]).eq(["kite", "owl"]));
/// # Ok::<(), larder::trees::ListError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("insertion order", "linked list", "SideList", "LRU"))]
#[derive(Clone)]
pub struct KeyList<K: Key> {
    pub(super) nodes: Nodes<K, Ring<Place>, ListHead<Place>>,
    pub(super) head: ListHead<Place>,
}

impl<K: Key> KeyList<K> {
    /// Makes an empty list. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::KeyList};
    ///
    /// assert!(KeyList::<Handle<u8>>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { nodes: Nodes::new(), head: ListHead::only() }
    }

    /// Walks the members in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for key in [c, a, b] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// assert!(list.iter().eq([c, a, b]));
    /// assert!(list.iter().rev().eq([b, a, c]));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone {
        let first = self.head.first;
        Walk { nodes: &self.nodes, front: first, end: first, left: self.len() }
    }

    /// Removes the members for which `keep` returns `false` from the list. If it panics, the members visited
    /// before are decided. O(members).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for key in [a, b, c] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// list.retain(|key| things[key] != "b");
    /// assert!(list.iter().eq([a, c]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(K) -> bool) {
        editing_nodes!(self.nodes, |nodes| {
            self.head.retain(nodes, |nodes, place| keep(Nodes::key_of(nodes, place)));
        });
    }

    /// Removes the members that are no longer in the container. O(members).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// things.remove(a);
    /// list.retain_live(&things);
    /// assert!(list.iter().eq([b]));
    /// ```
    pub fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        self.retain(|key| objects.contains_key(key));
    }

    /// Moves all members of another list of the same container before `before`, or to the end if that is
    /// `None`. Members of both lists keep their place in this one. O(moved).
    ///
    /// # Errors
    /// If `before` is not a member, or no longer there. Then nothing has changed. If allocation fails: members
    /// moved until then are here, the others there.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// let mut other = KeyList::new();
    /// list.push_back(&things, a).unwrap();
    /// for key in [b, c] {
    ///     other.push_back(&things, key).unwrap();
    /// }
    /// list.splice(&things, Some(a), &mut other).unwrap();
    /// assert!(list.iter().eq([b, c, a]) && other.is_empty());
    /// ```
    #[doc(alias("append"))]
    pub fn splice(
        &mut self,
        objects: &impl Container<Key = K>,
        before: Option<K>,
        other: &mut Self,
    ) -> Result<(), ListError<K>> {
        if let Some(key) = before.filter(|&key| !objects.contains_key(key)) {
            return Err(ListError::Missing { key });
        }
        if let Some(key) = before.filter(|&key| !self.contains(key)) {
            return Err(ListError::NotMember { key });
        }
        while let Some(key) = other.first() {
            let put = match before {
                Some(member) => self.insert_before(objects, member, key),
                None => self.push_back(objects, key),
            };
            match put {
                Err(refused @ ListError::Memory(_)) => return Err(refused),
                // In the list already, or no longer in the container.
                Ok(()) | Err(_) => other.pop_front(),
            };
        }
        Ok(())
    }

    /// Removes all members from the list and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.clear();
    /// assert!(list.is_empty() && list.push_back(&things, a).is_ok());
    /// ```
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.head = ListHead::only();
    }

    /// Returns how many members there is room for: as long as the slots of all keys are below this number, nothing is
    /// allocated. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.reserve(100);
    /// list.push_back(&things, a).unwrap();
    /// assert!(list.capacity() >= 100);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// Makes room for at least `additional` members more: as long as the slots of all keys are below the
    /// [`capacity`](Self::capacity) then, as those of a container of this capacity are, nothing is allocated, however
    /// often members are removed and others pushed. O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or no key can name so many slots.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.reserve(100);
    /// list.push_back(&things, a).unwrap();
    /// assert!(list.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<Self, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or no key can name so many slots. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// assert!(list.try_reserve(100).is_ok());
    /// list.push_back(&things, a).unwrap();
    /// assert!(list.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.nodes.try_reserve(additional)
    }

    /// Gives unused memory back, as far as the allocator agrees. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.pop_back();
    /// list.shrink_to_fit();
    /// assert!(list.is_empty());
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit(self.head.first.as_mut());
    }

    /// Returns its length, and where its memory goes; `values` are nodes, also of former members. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!((list.stats().live, list.stats().memory.values), (1, 16));
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::beside(self.len(), self.nodes.memory())
    }

    /// Panics if the list is inconsistent; for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.nodes.validate();
        assert_eq!(self.head.check(&self.nodes, self.nodes.places()), Ok(()));
    }
}

/// Reading.
impl<K: Key> KeyList<K> {
    /// Returns how many members there are, stale ones included. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
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
    #[doc = things_example!()]
    /// assert!(list.is_empty());
    /// list.push_back(&things, a).unwrap();
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
    #[doc = things_example!()]
    /// list.push_back(&things, b).unwrap();
    /// assert_eq!(list.first(), Some(b));
    /// ```
    #[doc(alias("front", "head", "id_begin"))]
    #[must_use]
    pub fn first(&self) -> Option<K> {
        self.head.first(&self.nodes).map(|place| self.nodes.key_of(place))
    }

    /// Returns the last member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, b).unwrap();
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.last(), Some(a));
    /// ```
    #[doc(alias("back", "tail"))]
    #[must_use]
    pub fn last(&self) -> Option<K> {
        self.head.last(&self.nodes).map(|place| self.nodes.key_of(place))
    }

    /// Returns whether a key is a member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// assert!(list.contains(a) && !list.contains(b));
    /// ```
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.nodes.place_of(key).is_some_and(|place| self.head.member(&self.nodes, place).is_some())
    }

    /// Returns the member after a member; `None` for the last one and for a key that is no member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, c).unwrap();
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.next_key(c), Some(a));
    /// assert_eq!(list.next_key(a), None);
    /// ```
    #[doc(alias("id_next"))]
    #[inline]
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.head.next(&self.nodes, self.nodes.place_of(key)?).map(|place| self.nodes.key_of(place))
    }

    /// Returns the member before a member; `None` for the first one and for a key that is no member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, c).unwrap();
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.prev_key(a), Some(c));
    /// ```
    #[inline]
    #[must_use]
    pub fn prev_key(&self, key: K) -> Option<K> {
        self.head.prev(&self.nodes, self.nodes.place_of(key)?).map(|place| self.nodes.key_of(place))
    }
}

/// Inserting.
impl<K: Key> KeyList<K> {
    /// Makes a key the last member. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, or in a list by this link already,
    /// or if allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// assert!(list.push_back(&things, a).is_err()); // it is a member
    /// assert!(list.iter().eq([a, b]));
    /// ```
    pub fn push_back(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        let place = self.admit(objects, key)?;
        let put = editing_nodes!(self.nodes, |nodes| self.head.push_back(nodes, place));
        put.map_err(|error| error.of(|place| self.nodes.key_of(place)))
    }

    /// Makes a key the first member. O(1).
    ///
    /// # Errors
    /// Fails as [`push_back`](Self::push_back) does.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_front(&things, a).unwrap();
    /// list.push_front(&things, b).unwrap();
    /// assert!(list.iter().eq([b, a]));
    /// ```
    pub fn push_front(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        let place = self.admit(objects, key)?;
        let put = editing_nodes!(self.nodes, |nodes| self.head.push_front(nodes, place));
        put.map_err(|error| error.of(|place| self.nodes.key_of(place)))
    }

    /// Makes a key a member, before another. O(1).
    ///
    /// # Errors
    /// Fails as [`push_back`](Self::push_back) does, and if `member` is not a member.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.insert_before(&things, a, b).unwrap();
    /// assert!(list.iter().eq([b, a]));
    /// assert!(list.insert_before(&things, c, d).is_err()); // c is not a member
    /// ```
    pub fn insert_before(
        &mut self,
        objects: &impl Container<Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        let place = self.admit(objects, key)?;
        let member = self.place_beside(member, key)?;
        let put = editing_nodes!(self.nodes, |nodes| self.head.insert_before(nodes, member, place));
        put.map_err(|error| error.of(|place| self.nodes.key_of(place)))
    }

    /// Makes a key a member, after another. O(1).
    ///
    /// # Errors
    /// Fails as [`push_back`](Self::push_back) does, and if `member` is not a member.
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// list.insert_after(&things, a, c).unwrap();
    /// assert!(list.iter().eq([a, c, b]));
    /// ```
    pub fn insert_after(
        &mut self,
        objects: &impl Container<Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        let place = self.admit(objects, key)?;
        let member = self.place_beside(member, key)?;
        let put = editing_nodes!(self.nodes, |nodes| self.head.insert_after(nodes, member, place));
        put.map_err(|error| error.of(|place| self.nodes.key_of(place)))
    }
}

/// Removing. The objects stay in their container.
impl<K: Key> KeyList<K> {
    /// Removes a member from the list and returns whether it was one. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// assert!(list.remove(a));
    /// assert!(!list.remove(a));
    /// ```
    #[doc(alias("unlink"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        let Some(place) = self.nodes.place_of(key) else { return false };
        editing_nodes!(self.nodes, |nodes| self.head.remove(nodes, place)).is_some()
    }

    /// Removes a member from the list, in a loop, and returns the one after it; `None` if it was the last
    /// one, or no member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// for key in [a, b, c, d] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// let mut at = list.first();
    /// while let Some(key) = at {
    ///     let goes = key == b || key == d;
    ///     at = if goes {
    ///         list.remove_and_next(key)
    ///     } else {
    ///         list.next_key(key)
    ///     };
    /// }
    /// assert!(list.iter().eq([a, c]));
    /// ```
    #[doc(alias("erase"))]
    #[inline]
    pub fn remove_and_next(&mut self, key: K) -> Option<K> {
        let place = self.nodes.place_of(key)?;
        let next = editing_nodes!(self.nodes, |nodes| self.head.remove(nodes, place))?;
        next.map(|place| self.nodes.key_of(place))
    }

    /// Removes the first member from the list and returns it. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.pop_front(), Some(a));
    /// assert_eq!(list.pop_front(), None);
    /// ```
    pub fn pop_front(&mut self) -> Option<K> {
        let popped = editing_nodes!(self.nodes, |nodes| self.head.pop_front(nodes));
        popped.map(|place| self.nodes.key_of(place))
    }

    /// Removes the last member from the list and returns it. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things_example!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// assert_eq!(list.pop_back(), Some(b));
    /// ```
    pub fn pop_back(&mut self) -> Option<K> {
        let popped = editing_nodes!(self.nodes, |nodes| self.head.pop_back(nodes));
        popped.map(|place| self.nodes.key_of(place))
    }
}

/// The steps of which inserting and removing consist.
impl<K: Key> KeyList<K> {
    /// The node of a key; a stale member of its slot is removed.
    pub(super) fn admit(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
    ) -> Result<Place, ListError<K>> {
        if !objects.contains_key(key) {
            return Err(ListError::Missing { key });
        }
        if let Some(place) = self.place(key)? {
            return Ok(place);
        }
        if let Some(gone) = self.nodes.tenant(key.slot()) {
            self.forget(gone);
        }
        self.place(key)?.ok_or(ListError::Missing { key })
    }

    /// The node of a key, if its slot is no other key's.
    pub(super) fn place(&mut self, key: K) -> Result<Option<Place>, ListError<K>> {
        self.nodes.place(key).map_err(|refusal| ListError::no_place(key, refusal))
    }

    /// The node of a member that a key is to be inserted beside.
    pub(super) fn place_beside(&self, member: K, key: K) -> Result<Place, ListError<K>> {
        self.nodes.place_of(member).ok_or(if self.contains(key) {
            ListError::InList { key }
        } else {
            ListError::NotMember { key: member }
        })
    }

    /// Makes room for a key, which is then inserted without memory.
    pub(crate) fn reserve_for(&mut self, key: K) -> Result<(), TryReserveError> {
        self.nodes.make_room(key)
    }

    /// Makes the key of an object that was just inserted the last member. It was [made room for](Self::reserve_for).
    #[cfg(feature = "track")]
    pub(crate) fn append_live(&mut self, key: K) {
        // (It is new, unless this was the list of another container.)
        if self.push_back(&LiveKeys(PhantomData), key).is_err() {
            self.forget(key);
            let _ = self.push_back(&LiveKeys(PhantomData), key);
        }
    }

    /// Removes a key from the list and frees its node.
    pub(crate) fn forget(&mut self, key: K) {
        if let Some(place) = self.nodes.place_of(key) {
            editing_nodes!(self.nodes, |nodes| {
                self.head.remove(nodes, place);
                nodes.vacate(place);
            });
        }
    }
}

/// A walk over the members. Links beside a container always agree, so only their number ends it.
#[derive(Clone)]
struct Walk<'a, K: Key> {
    nodes: &'a Nodes<K, Ring<Place>, ListHead<Place>>,
    front: Option<Place>,
    /// The first, or the last one visited from the back.
    end: Option<Place>,
    left: usize,
}

impl<K: Key> Iterator for Walk<'_, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        self.left = self.left.checked_sub(1)?;
        let (key, ring) = self.nodes.entry(self.front?)?;
        self.front = ring.next;
        Some(key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K: Key> DoubleEndedIterator for Walk<'_, K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        self.left = self.left.checked_sub(1)?;
        self.end = self.nodes.links(self.end?)?.prev;
        Some(self.nodes.key_of(self.end?))
    }
}

impl<K: Key> ExactSizeIterator for Walk<'_, K> {}

impl<K: Key> Default for KeyList<K> {
    /// An empty list. Allocates nothing.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key> fmt::Debug for KeyList<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A container that has every key.
#[cfg(feature = "track")]
struct LiveKeys<K>(PhantomData<K>);

#[cfg(feature = "track")]
impl<K: Key> Container for LiveKeys<K> {
    type Key = K;
    type Removed = ();

    fn contains_key(&self, _: K) -> bool {
        true
    }

    fn remove(&mut self, _: K) -> Option<()> {
        None
    }
}
