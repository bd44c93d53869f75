//! The handle of a list.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use crate::raw::lists::ListKey;

/// A list in a [`ListPool`](crate::pools::ListPool): 8 bytes in the object that owns it, copyable.
///
/// It stays valid when the list grows or moves, and is stale once the list is [freed](crate::pools::ListPool::free);
/// other pools refuse it. [`ListHandle::EMPTY`], the default, is a list without values or memory, in any pool: the
/// first value that is inserted makes it a list of that pool.
///
/// All copies of a handle name the same list, except that a copy of `EMPTY` stays `EMPTY` when the original becomes a
/// list. Prints as `12v3`, as [`Handle`](crate::Handle) does.
///
/// # Examples
/// ```
/// use larder::pools::list_pool::{ListHandle, ListPool};
///
/// #[derive(Default)]
/// struct Node {
///     children: ListHandle<u32>,
/// }
/// assert_eq!(size_of::<Node>(), 8);
///
/// let mut lists = ListPool::new();
/// let mut node = Node::default();
/// lists.push(&mut node.children, 7);
/// assert_eq!(lists[node.children], [7]);
/// ```
#[doc(alias("EntityList", "array of arrays", "vector"))]
#[doc(alias = "List")]
#[repr(transparent)]
pub struct ListHandle<T> {
    pub(super) key: ListKey,
    marker: PhantomData<fn() -> T>,
}

const _: () = assert!(size_of::<ListHandle<[u8; 99]>>() == 8);

impl<T> ListHandle<T> {
    /// The list without values or memory, in any pool.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let lists = ListPool::<char>::new();
    /// assert!(lists[ListHandle::EMPTY].is_empty());
    /// ```
    pub const EMPTY: Self = Self::of(ListKey::NONE);

    /// The handle as a number, for scripts and debuggers. O(1). It is valid for this pool in this run of the
    /// program.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let list = ListPool::new().make(['a']);
    /// assert_eq!(ListHandle::from_bits(list.to_bits()), Some(list));
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.key.0
    }

    /// The handle with this number; `None` if no handle can have it. O(1).
    ///
    /// Any handle is safe to use: one that was never issued is stale, or of another pool.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::ListHandle;
    ///
    /// assert_eq!(ListHandle::<char>::from_bits(0), Some(ListHandle::EMPTY));
    /// assert_eq!(ListHandle::<char>::from_bits(1), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        let key = ListKey(bits);
        if key.generation() % 2 == 1 || bits == 0 { Some(Self::of(key)) } else { None }
    }

    /// Whether this is [`EMPTY`](Self::EMPTY), without a look at the pool. O(1).
    ///
    /// A list whose values were all removed is not: it keeps its room, until
    /// [`free_if_empty`](crate::pools::ListPool::free_if_empty) makes its handle `EMPTY`.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::list_pool::{ListHandle, ListPool};
    ///
    /// let mut lists = ListPool::new();
    /// let mut list = ListHandle::EMPTY;
    /// assert!(list.is_empty());
    /// lists.push(&mut list, 7);
    /// assert!(!list.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.key.0 == 0
    }

    pub(super) const fn of(key: ListKey) -> Self {
        Self { key, marker: PhantomData }
    }
}

impl<T> Clone for ListHandle<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ListHandle<T> {}

impl<T> Default for ListHandle<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> PartialEq for ListHandle<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<T> Eq for ListHandle<T> {}

impl<T> PartialOrd for ListHandle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for ListHandle<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<T> Hash for ListHandle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl<T> fmt::Display for ListHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("EMPTY");
        }
        write!(f, "{}v{}", self.key.slot(), self.key.generation())
    }
}

impl<T> fmt::Debug for ListHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
