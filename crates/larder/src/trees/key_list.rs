//! A list beside a container: for objects that know nothing of it.

use core::fmt;

use crate::containers::container::Container;
use crate::key::Key;
use crate::stats::MemoryUsage;
use crate::trees::intrusive_list::{IntrusiveList, Link, ListError, Members};
use crate::trees::tree::beside::Beside;

/// Makes the examples short: four things, and a list of them.
macro_rules! things {
    () => {
        "# use larder::{Arena, trees::KeyList};\n\
         # let mut things = Arena::from_iter([\"a\", \"b\", \"c\", \"d\"]);\n\
         # let keys: Vec<_> = things.keys().collect();\n\
         # let [a, b, c, d] = keys[..] else { unreachable!() };\n\
         # let mut list = KeyList::new();"
    };
}

/// Objects of one container in an order of their own, each at most once: the links of a
/// [`IntrusiveList`], in a column beside the container.
///
/// An object may be in any number of these. With one that every insertion is pushed to, a container
/// is walked in the order of insertion.
///
/// Take an object out before it is removed from its container. Where that was forgotten its key stays
/// a member, stale everywhere else, until somebody in its slot is pushed, or
/// [`retain_live`](Self::retain_live) is called; the list is whole all the same. A
/// [`AutoUnlink`](crate::trees::AutoUnlink) owns both, so that this cannot be forgotten.
///
/// # Layout
/// Two links, a number and a generation (32 bytes with keys of 8) for each member. They lie as the values
/// of a [`SecondaryMap`](crate::SecondaryMap) do, so that memory is that of the members, whatever slots
/// keys name.
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
    links: Beside<K, Link<K>>,
    list: IntrusiveList<K>,
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
        Self { links: Beside::new(), list: IntrusiveList::numbered(0) }
    }

    /// How many members there are. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.len(), 1);
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no members. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// assert!(list.is_empty());
    /// list.push_back(&things, a).unwrap();
    /// assert!(!list.is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, b).unwrap();
    /// assert_eq!(list.first(), Some(b));
    /// ```
    #[doc(alias("front", "head", "id_begin"))]
    #[must_use]
    pub const fn first(&self) -> Option<K> {
        self.list.first()
    }

    /// The last member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, b).unwrap();
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.last(), Some(a));
    /// ```
    #[doc(alias("back", "tail"))]
    #[must_use]
    pub fn last(&self) -> Option<K> {
        self.list.last(&self.links)
    }

    /// Whether a key is a member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// assert!(list.contains(a) && !list.contains(b));
    /// ```
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.list.contains(&self.links, key)
    }

    /// The member behind a member; `None` for the last, and for who is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [c, a] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// assert_eq!(list.next_key(c), Some(a));
    /// assert_eq!(list.next_key(a), None);
    /// ```
    #[doc(alias("id_next"))]
    #[inline]
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.list.next_key(&self.links, key)
    }

    /// The member in front of a member; `None` for the first, and for who is none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [c, a] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// assert_eq!(list.prev_key(a), Some(c));
    /// ```
    #[inline]
    #[must_use]
    pub fn prev_key(&self, key: K) -> Option<K> {
        self.list.prev_key(&self.links, key)
    }

    /// The members in order, from either end. O(1) each.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [c, a, b] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// assert!(list.iter().eq([c, a, b]));
    /// assert!(list.iter().rev().eq([b, a, c]));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = K> {
        self.members()
    }

    fn members(&self) -> Members<'_, Beside<K, Link<K>>, K> {
        self.list.iter(&self.links)
    }
}

/// Putting in. The container says which objects there are.
impl<K: Key> KeyList<K> {
    /// Makes a key the last member. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, if it is a member already, or if memory is refused;
    /// nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// assert!(list.push_back(&things, a).is_err()); // it is in the list
    /// assert!(list.iter().eq([a, b]));
    /// ```
    pub fn push_back(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.list.push_back(&mut self.links, key)
    }

    /// Makes a key the first member. O(1).
    ///
    /// # Errors
    /// As [`push_back`](Self::push_back).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_front(&things, a).unwrap();
    /// list.push_front(&things, b).unwrap();
    /// assert!(list.iter().eq([b, a]));
    /// ```
    pub fn push_front(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.list.push_front(&mut self.links, key)
    }

    /// Makes a key a member, in front of another. O(1).
    ///
    /// # Errors
    /// As [`push_back`](Self::push_back), and if `member` is none.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// list.insert_before(&things, a, b).unwrap();
    /// assert!(list.iter().eq([b, a]));
    /// ```
    pub fn insert_before(
        &mut self,
        objects: &impl Container<Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.list.insert_before(&mut self.links, member, key)
    }

    /// Makes a key a member, behind another. O(1).
    ///
    /// # Errors
    /// As [`push_back`](Self::push_back), and if `member` is none.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
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
        self.admit(objects, key)?;
        self.list.insert_after(&mut self.links, member, key)
    }

    /// Makes a key the last member, whether an object has it or not, as lists are loaded.
    #[cfg(feature = "serde")]
    pub(crate) fn push_loaded(&mut self, key: K) -> Result<(), ListError<K>> {
        if self.links.tenant(key.slot()).is_some() {
            return Err(ListError::InList { key });
        }
        self.make_room(key)?;
        self.list.push_back(&mut self.links, key)
    }

    /// Makes room for a key's link, and takes out who was in its slot before.
    fn admit(&mut self, objects: &impl Container<Key = K>, key: K) -> Result<(), ListError<K>> {
        if !objects.contains_key(key) {
            return Err(ListError::Missing { key });
        }
        self.make_room(key)?;
        if let Some(gone) = self.links.tenant(key.slot()).filter(|&tenant| tenant != key) {
            self.forget(gone);
            self.links.place(key).map_err(|refusal| ListError::no_place(key, refusal))?;
        }
        Ok(())
    }

    fn make_room(&mut self, key: K) -> Result<(), ListError<K>> {
        self.links.make_room(key).map_err(|refusal| ListError::no_place(key, refusal))
    }

    /// Takes a key out, and gives its place away.
    pub(crate) fn forget(&mut self, key: K) {
        self.list.remove(&mut self.links, key);
        self.links.vacate(key);
    }
}

/// Taking out. The objects stay in their container.
impl<K: Key> KeyList<K> {
    /// Takes a member out, and answers the one that was behind it: `None` if it was the last, or no
    /// member. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [a, b, c, d] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// // While walking.
    /// let mut at = list.first();
    /// while let Some(key) = at {
    ///     let goes = key == b || key == d;
    ///     at = if goes { list.remove(key) } else { list.next_key(key) };
    /// }
    /// assert!(list.iter().eq([a, c]));
    /// ```
    #[doc(alias("erase", "unlink"))]
    pub fn remove(&mut self, key: K) -> Option<K> {
        self.list.remove(&mut self.links, key)
    }

    /// Takes the first member out. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!((list.pop_front(), list.pop_front()), (Some(a), None));
    /// ```
    pub fn pop_front(&mut self) -> Option<K> {
        self.list.pop_front(&mut self.links)
    }

    /// Takes the last member out. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// assert_eq!(list.pop_back(), Some(b));
    /// ```
    pub fn pop_back(&mut self) -> Option<K> {
        self.list.pop_back(&mut self.links)
    }

    /// Takes out the members for which `keep` answers `false`. If it panics, what was decided before
    /// is done. O(members).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// for key in [a, b, c] {
    ///     list.push_back(&things, key).unwrap();
    /// }
    /// list.retain(|key| things[key] != "b");
    /// assert!(list.iter().eq([a, c]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(K) -> bool) {
        self.list.retain(&mut self.links, |_, key| keep(key));
    }

    /// Takes out the members that are no longer in the container. O(members).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// list.push_back(&things, b).unwrap();
    /// things.remove(a);
    /// list.retain_live(&things);
    /// assert!(list.iter().eq([b]));
    /// ```
    pub fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        self.retain(|key| objects.contains_key(key));
    }

    /// Moves all members of another list of the same container to the end of this one, in their order;
    /// those that are members of both keep their place here. O(moved).
    ///
    /// # Errors
    /// If memory is refused; what was moved before stays here, the rest there.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// let mut other = KeyList::new();
    /// list.push_back(&things, a).unwrap();
    /// for key in [b, a, c] {
    ///     other.push_back(&things, key).unwrap();
    /// }
    /// list.append(&things, &mut other).unwrap();
    /// assert!(list.iter().eq([a, b, c]) && other.is_empty());
    /// ```
    pub fn append(
        &mut self,
        objects: &impl Container<Key = K>,
        other: &mut Self,
    ) -> Result<(), ListError<K>> {
        self.splice(objects, None, other)
    }

    /// Moves all members of another list of the same container, in front of `before`, or to the end where
    /// that is `None`, in their order; those that are members of both keep their place here. O(moved):
    /// each list has links of its own.
    ///
    /// # Errors
    /// If `before` is not a member, or no longer there; nothing has changed then. If memory is refused;
    /// what was moved before stays here, the rest there.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// let mut other = KeyList::new();
    /// list.push_back(&things, a).unwrap();
    /// for key in [b, c] {
    ///     other.push_back(&things, key).unwrap();
    /// }
    /// list.splice(&things, Some(a), &mut other).unwrap();
    /// assert!(list.iter().eq([b, c, a]) && other.is_empty());
    /// ```
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

    /// Takes all members out, and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// list.clear();
    /// assert!(list.is_empty() && list.push_back(&things, a).is_ok());
    /// ```
    pub fn clear(&mut self) {
        self.links.clear();
        self.list = IntrusiveList::numbered(0);
    }

    /// Gives back what memory is not needed for the members. O(slots). If the allocator refuses, the memory
    /// stays.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// list.pop_back();
    /// list.shrink_to_fit();
    /// assert!(list.is_empty());
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.links.shrink_to_fit();
    }

    /// What its memory is used for, in bytes; values are links, also of those that were members. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// list.push_back(&things, a).unwrap();
    /// assert_eq!(list.memory_usage().values, size_of::<larder::trees::Link<larder::Handle<&str>>>());
    /// ```
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.links.memory_usage()
    }

    /// Panics where the list contradicts itself; for the project's own tests.
    #[doc(hidden)]
    pub fn validate(&self) {
        assert_eq!(self.list.check(&self.links, self.links.keys()), Ok(()));
    }
}

impl<K: Key> Default for KeyList<K> {
    /// An empty list. Allocates nothing.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key> fmt::Debug for KeyList<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.members()).finish()
    }
}
