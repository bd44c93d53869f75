//! Objects by kind: as many lists as there are kinds, through one column of links.

use core::fmt;

use crate::containers::container::Container;
use crate::key::Key;
use crate::stats::MemoryUsage;
use crate::trees::intrusive_list::{IntrusiveList, Link, ListError};
use crate::trees::tree::beside::Beside;

/// Makes the examples short: three things, and their kinds.
macro_rules! things {
    () => {
        "# use larder::{Arena, trees::Buckets};\n\
         # const BIRD: usize = 0;\n\
         # const FISH: usize = 1;\n\
         # let mut things = Arena::from_iter([\"wren\", \"pike\", \"kite\"]);\n\
         # let keys: Vec<_> = things.keys().collect();\n\
         # let [wren, pike, kite] = keys[..] else { unreachable!() };\n\
         # let mut kinds = Buckets::<_, 2>::new();"
    };
}

/// Of each of `N` kinds, which objects of one container are of it: walked at the cost of those only,
/// counted in O(1).
///
/// An object has one kind, or none. A kind is a number below `N`: of an enum without fields,
/// `kind as usize`. Beside the container, as a [`KeyList`](crate::trees::KeyList) is, and as that one an
/// object that was removed without telling stays a member under its stale key until somebody in its slot
/// is given a kind, or [`retain_live`](Self::retain_live) is called: until then it is counted and walked. A
/// [`AutoUnlink`](crate::trees::AutoUnlink) owns both, so that this cannot be forgotten.
///
/// # Examples
/// ```
/// use larder::{Arena, trees::Buckets};
///
/// enum Kind {
///     Item,
///     Monster,
/// }
/// let mut things = Arena::new();
/// let mut kinds = Buckets::<_, 2>::new();
/// let (sword, orc) = (things.insert("sword"), things.insert("orc"));
/// kinds.set(&things, sword, Kind::Item as usize)?;
/// kinds.set(&things, orc, Kind::Monster as usize)?;
/// assert!(kinds.iter(Kind::Monster as usize).eq([orc]));
/// assert_eq!(kinds.count(Kind::Item as usize), 1);
/// # Ok::<(), larder::trees::ListError<larder::Handle<&str>>>(())
/// ```
#[doc(alias("type", "tag", "group", "for_kind", "count_kind"))]
#[derive(Clone)]
#[doc(alias = "Kinds")]
pub struct Buckets<K: Key, const N: usize> {
    links: Beside<K, Link<K>>,
    /// Numbered by their kind.
    lists: [IntrusiveList<K>; N],
}

impl<K: Key, const N: usize> Buckets<K, N> {
    /// Nothing has a kind yet. O(N): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Buckets};
    ///
    /// assert_eq!(Buckets::<Handle<u8>, 3>::new().count(2), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        let mut lists = [const { IntrusiveList::numbered(0) }; N];
        let mut kind = 0;
        while kind < N {
            lists[kind] = IntrusiveList::numbered(kind as u32);
            kind += 1;
        }
        Self { links: Beside::new(), lists }
    }

    /// Gives an object its kind; if it had another, it is of that no longer. It comes last of its
    /// kind. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, or if memory is refused; nothing has changed then.
    ///
    /// # Panics
    /// If `kind` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, FISH).unwrap();
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!((kinds.kind_of(wren), kinds.count(FISH)), (Some(BIRD), 0));
    /// ```
    #[track_caller]
    pub fn set(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
        kind: usize,
    ) -> Result<(), ListError<K>> {
        assert!(kind < N, "Buckets: there is no kind {kind} of {N}");
        if !objects.contains_key(key) {
            return Err(ListError::Missing { key });
        }
        if self.kind_of(key) == Some(kind) {
            return Ok(());
        }
        self.make_room(key)?;
        if let Some(tenant) = self.links.tenant(key.slot()) {
            self.remove(tenant);
        }
        self.links.place(key).map_err(|refusal| ListError::no_place(key, refusal))?;
        self.lists[kind].push_back(&mut self.links, key)
    }

    /// Gives a key its kind, whether an object has it or not, as kinds are loaded.
    #[cfg(feature = "serde")]
    pub(crate) fn set_loaded(&mut self, key: K, kind: usize) -> Result<(), ListError<K>> {
        if self.links.tenant(key.slot()).is_some() {
            return Err(ListError::InList { key });
        }
        self.make_room(key)?;
        self.lists[kind].push_back(&mut self.links, key)
    }

    fn make_room(&mut self, key: K) -> Result<(), ListError<K>> {
        self.links.make_room(key).map_err(|refusal| ListError::no_place(key, refusal))
    }

    /// Takes its kind from a key, and gives its place away.
    pub(crate) fn forget(&mut self, key: K) {
        self.remove(key);
        self.links.vacate(key);
    }

    /// The kind of an object; `None` if it has none, or is not there. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, pike, FISH).unwrap();
    /// assert_eq!((kinds.kind_of(pike), kinds.kind_of(wren)), (Some(FISH), None));
    /// ```
    #[must_use]
    pub fn kind_of(&self, key: K) -> Option<usize> {
        use crate::trees::links::LinkStore;
        self.links.links(key)?.list().map(|kind| kind as usize)
    }

    /// Takes an object's kind from it, and says which it was. Call it when the object is removed. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, pike, FISH).unwrap();
    /// things.remove(pike);
    /// assert_eq!(kinds.remove(pike), Some(FISH));
    /// assert_eq!(kinds.count(FISH), 0);
    /// ```
    pub fn remove(&mut self, key: K) -> Option<usize> {
        let kind = self.kind_of(key)?;
        self.lists[kind].remove(&mut self.links, key);
        Some(kind)
    }

    /// How many objects are of a kind. O(1).
    ///
    /// # Panics
    /// If `kind` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert_eq!(kinds.count(BIRD), 2);
    /// ```
    #[doc(alias("count_kind"))]
    #[must_use]
    #[track_caller]
    pub const fn count(&self, kind: usize) -> usize {
        self.lists[kind].len()
    }

    /// The objects of a kind, in the order in which it was given to them, from either end. O(1) each.
    ///
    /// # Panics
    /// If `kind` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert!(kinds.iter(BIRD).eq([wren, kite]));
    /// ```
    #[doc(alias("for_kind"))]
    #[track_caller]
    pub fn iter(&self, kind: usize) -> impl DoubleEndedIterator<Item = K> {
        self.lists[kind].iter(&self.links)
    }

    /// The first object of a kind. O(1). With [`next_key`](Self::next_key) a walk that borrows nothing.
    ///
    /// # Panics
    /// If `kind` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!((kinds.first(BIRD), kinds.first(FISH)), (Some(wren), None));
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn first(&self, kind: usize) -> Option<K> {
        self.lists[kind].first()
    }

    /// The next object of the same kind; `None` for the last. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert_eq!((kinds.next_key(wren), kinds.next_key(kite)), (Some(kite), None));
    /// ```
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.lists[self.kind_of(key)?].next_key(&self.links, key)
    }

    /// Forgets those that are no longer in the container. O(objects with a kind).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// things.remove(wren); // without telling
    /// kinds.retain_live(&things);
    /// assert_eq!(kinds.count(BIRD), 0);
    /// ```
    pub fn retain_live(&mut self, objects: &impl Container<Key = K>) {
        for list in &mut self.lists {
            list.retain(&mut self.links, |_, key| objects.contains_key(key));
        }
    }

    /// Takes their kind from all objects, and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.clear();
    /// assert_eq!(kinds.kind_of(wren), None);
    /// ```
    pub fn clear(&mut self) {
        self.links.clear();
        self.lists = Self::new().lists;
    }

    /// Gives back what memory is not needed for objects that have a kind. O(slots). If the allocator
    /// refuses, the memory stays.
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.remove(wren);
    /// kinds.shrink_to_fit();
    /// assert_eq!(kinds.memory_usage().committed, 0);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.links.shrink_to_fit();
    }

    /// What its memory is used for, in bytes; values are links, also of those that had a kind. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = things!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!(kinds.memory_usage().values, size_of::<larder::trees::Link<larder::Handle<&str>>>());
    /// ```
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.links.memory_usage()
    }

    /// Panics where the lists contradict themselves; for the project's own tests.
    #[doc(hidden)]
    pub fn validate(&self) {
        for list in &self.lists {
            assert_eq!(list.check(&self.links, self.links.keys()), Ok(()));
        }
    }
}

impl<K: Key, const N: usize> Default for Buckets<K, N> {
    /// Nothing has a kind. Allocates nothing.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, const N: usize> fmt::Debug for Buckets<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = |list: &IntrusiveList<K>| {
            let members: alloc::vec::Vec<K> = list.iter(&self.links).collect();
            members
        };
        f.debug_list().entries(self.lists.iter().map(members)).finish()
    }
}
