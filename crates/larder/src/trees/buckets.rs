//! Objects in a fixed number of lists: one list for each kind of object, for example.

use core::fmt;

use super::error::ListError;
use super::link_map::LinkMap;
use super::link_store::LinkStore;
use super::list_head::{Link, ListHead};
use crate::containers::container::Container;
use crate::key::Key;
use crate::stats::Stats;

/// Hidden lines of the examples: three things, and buckets for them.
macro_rules! example {
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

/// The objects of one container in `N` lists, each object in one of them or in none.
///
/// The objects of one bucket are walked without visiting the others, and counted in O(1). Buckets are numbered from
/// 0: for an enum without fields, `kind as usize`. They lie beside the container, as a
/// [`KeyList`](crate::trees::KeyList) does.
///
/// Remove an object from its bucket before it is removed from its container. Otherwise its stale key is counted
/// and walked until the next object in its slot is put into a bucket, or [`retain_live`](Self::retain_live) is
/// called. An [`AutoUnlink`](crate::trees::AutoUnlink) owns both, so that this cannot be forgotten.
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
#[doc(alias("Kinds", "type", "tag", "group"))]
#[derive(Clone)]
pub struct Buckets<K: Key, const N: usize> {
    links: LinkMap<K, Link<K>>,
    /// Numbered by their place.
    lists: [ListHead<K>; N],
}

impl<K: Key, const N: usize> Buckets<K, N> {
    /// Makes empty buckets. O(N): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, trees::Buckets};
    ///
    /// assert_eq!(Buckets::<Handle<u8>, 3>::new().count(2), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        let mut lists = [const { ListHead::only() }; N];
        let mut bucket = 0;
        while bucket < N {
            lists[bucket] = ListHead::numbered(bucket as u32);
            bucket += 1;
        }
        Self { links: LinkMap::new(), lists }
    }

    /// Puts an object last into a bucket, and removes it from the one that it was in. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling, or if memory is refused. Then nothing has changed.
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, FISH).unwrap();
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!((kinds.bucket_of(wren), kinds.count(FISH)), (Some(BIRD), 0));
    /// ```
    #[track_caller]
    pub fn set(
        &mut self,
        objects: &impl Container<Key = K>,
        key: K,
        bucket: usize,
    ) -> Result<(), ListError<K>> {
        assert!(bucket < N, "Buckets: there is no bucket {bucket}, only {N}");
        if !objects.contains_key(key) {
            return Err(ListError::Missing { key });
        }
        if self.bucket_of(key) == Some(bucket) {
            return Ok(());
        }
        self.make_room(key)?;
        if let Some(tenant) = self.links.tenant(key.slot()) {
            self.remove(tenant);
        }
        self.links.place(key).map_err(|refusal| ListError::no_place(key, refusal))?;
        self.lists[bucket].push_back(&mut self.links, key)
    }

    /// Puts a key into a bucket that is loaded, whether an object has it or not.
    #[cfg(feature = "serde")]
    pub(crate) fn set_loaded(&mut self, key: K, bucket: usize) -> Result<(), ListError<K>> {
        if self.links.tenant(key.slot()).is_some() {
            return Err(ListError::InList { key });
        }
        self.make_room(key)?;
        self.lists[bucket].push_back(&mut self.links, key)
    }

    fn make_room(&mut self, key: K) -> Result<(), ListError<K>> {
        self.links.make_room(key).map_err(|refusal| ListError::no_place(key, refusal))
    }

    /// Removes a key from its bucket and frees its link.
    pub(crate) fn forget(&mut self, key: K) {
        self.remove(key);
        self.links.vacate(key);
    }

    /// The bucket of an object; `None` if it is in none. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, pike, FISH).unwrap();
    /// assert_eq!((kinds.bucket_of(pike), kinds.bucket_of(wren)), (Some(FISH), None));
    /// ```
    #[doc(alias = "kind_of")]
    #[must_use]
    pub fn bucket_of(&self, key: K) -> Option<usize> {
        self.links.links(key)?.list().map(|bucket| bucket as usize)
    }

    /// Removes an object from its bucket and returns which that was. The object stays in its container. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, pike, FISH).unwrap();
    /// things.remove(pike);
    /// assert_eq!(kinds.remove(pike), Some(FISH));
    /// assert_eq!(kinds.count(FISH), 0);
    /// ```
    pub fn remove(&mut self, key: K) -> Option<usize> {
        let bucket = self.bucket_of(key)?;
        self.lists[bucket].remove(&mut self.links, key);
        Some(bucket)
    }

    /// How many objects are in a bucket, stale ones included. O(1).
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert_eq!(kinds.count(BIRD), 2);
    /// ```
    #[doc(alias = "count_kind")]
    #[must_use]
    #[track_caller]
    pub const fn count(&self, bucket: usize) -> usize {
        self.lists[bucket].len()
    }

    /// Walks the objects in a bucket in the order in which they were put there, from either end. O(1) each.
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert!(kinds.iter(BIRD).eq([wren, kite]));
    /// ```
    #[doc(alias = "for_kind")]
    #[track_caller]
    pub fn iter(&self, bucket: usize) -> impl DoubleEndedIterator<Item = K> {
        self.lists[bucket].iter(&self.links)
    }

    /// The first object in a bucket. O(1). With [`next_key`](Self::next_key) a walk that borrows nothing.
    ///
    /// # Panics
    /// If `bucket` is not below `N`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!((kinds.first(BIRD), kinds.first(FISH)), (Some(wren), None));
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn first(&self, bucket: usize) -> Option<K> {
        self.lists[bucket].first()
    }

    /// The next object in the same bucket; `None` for the last one. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.set(&things, kite, BIRD).unwrap();
    /// assert_eq!((kinds.next_key(wren), kinds.next_key(kite)), (Some(kite), None));
    /// ```
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.lists[self.bucket_of(key)?].next(&self.links, key)
    }

    /// Removes objects that are no longer in the container. O(objects in buckets).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
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

    /// Empties all buckets and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.clear();
    /// assert_eq!(kinds.bucket_of(wren), None);
    /// ```
    pub fn clear(&mut self) {
        self.links.clear();
        self.lists = Self::new().lists;
    }

    /// Gives unused memory back, as far as the allocator agrees. O(slots).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// kinds.remove(wren);
    /// kinds.shrink_to_fit();
    /// assert_eq!(kinds.stats().memory.committed, 0);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.links.shrink_to_fit();
    }

    /// Returns its length, and where its memory goes; `values` are links, also of former members. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// kinds.set(&things, wren, BIRD).unwrap();
    /// assert_eq!(kinds.stats().memory.values, size_of::<larder::trees::Link<larder::Handle<&str>>>());
    /// ```
    #[doc(alias = "memory_usage")]
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::beside(self.lists.iter().map(ListHead::len).sum(), self.links.stats().memory)
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
    /// Empty buckets. Allocates nothing.
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, const N: usize> fmt::Debug for Buckets<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = |list: &ListHead<K>| {
            let members: alloc::vec::Vec<K> = list.iter(&self.links).collect();
            members
        };
        f.debug_list().entries(self.lists.iter().map(members)).finish()
    }
}
