//! The handle of a list, and the key in it: what an object has of a list.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

/// A list: from above its generation, the number of its pool, and the slot of its head. Zero is no list.
///
/// The upper half is the *tag*, which the head has too: so one comparison checks the generation and most of
/// the number. The lower half has the rest of the number above the slot: a pool turns it into a slot by its
/// *twist*, and makes a number beyond all slots of that of another pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C, packed(4))] // so that an object with a list and 4 bytes more has no padding
pub(crate) struct ListKey(pub(crate) u64);

const SLOT_BITS: u32 = 28;
const BRAND_BITS: u32 = 16;

/// The number of bits of a pool's number in the lower half.
const LOW_BITS: u32 = u32::BITS - SLOT_BITS;

impl ListKey {
    /// The position of the generation in the tag.
    pub(crate) const GENERATION_AT: u32 = BRAND_BITS - LOW_BITS;

    /// The number of bits in a generation.
    pub(crate) const GENERATION_BITS: u32 = u32::BITS - Self::GENERATION_AT;

    /// The greatest number of lists in a pool.
    pub(crate) const MAX_SLOTS: u32 = (1 << SLOT_BITS) - 1;

    /// No list.
    pub(crate) const NONE: Self = Self(0);

    /// The list of this head in a pool.
    #[inline]
    pub(crate) const fn of(tag: u32, slot: u32, brand: u16) -> Self {
        Self((tag as u64) << 32 | (slot ^ Self::twist(brand)) as u64)
    }

    #[inline]
    pub(crate) const fn tag_of(generation: u32, brand: u16) -> u32 {
        generation << Self::GENERATION_AT | brand as u32 >> LOW_BITS
    }

    #[inline]
    pub(crate) const fn twist(brand: u16) -> u32 {
        (brand as u32) << SLOT_BITS
    }

    #[inline]
    pub(crate) const fn tag(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    pub(crate) const fn low(self) -> u32 {
        self.0 as u32
    }

    /// The slot of the head, in the list's own pool.
    #[inline]
    pub(crate) const fn slot(self) -> u32 {
        self.low() & Self::MAX_SLOTS
    }

    /// Odd, but of no list.
    #[inline]
    pub(crate) const fn generation(self) -> u32 {
        self.tag() >> Self::GENERATION_AT
    }

    /// The number of its pool.
    #[inline]
    pub(crate) const fn brand(self) -> u16 {
        (self.0 >> SLOT_BITS) as u16
    }
}

/// A list in a [`ListPool`](crate::ListPool): 8 bytes in the object that owns it, aligned as a `u32`, copyable.
///
/// It stays valid when the list grows or moves, and is stale once the list is [freed](crate::ListPool::free);
/// other pools refuse it. [`ListHandle::EMPTY`], the default, is a list without values or memory, in any pool: the
/// first value that is inserted makes it a list of that pool.
///
/// All copies of a handle name the same list, except that a copy of `EMPTY` stays `EMPTY` when the original becomes a
/// list. Prints as `12v3`, as [`Handle`](larder_core::Handle) does.
///
/// # Examples
/// ```
/// use larder::pools::list_pool::{ListHandle, ListPool};
///
/// #[derive(Default)]
/// struct Node {
///     kind: u32,
///     children: ListHandle<u32>,
/// }
/// assert_eq!(size_of::<Node>(), 12);
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
    pub(crate) key: ListKey,
    marker: PhantomData<fn() -> T>,
}

const _: () = assert!(size_of::<ListHandle<[u8; 99]>>() == 8);
const _: () = assert!(align_of::<ListHandle<[u8; 99]>>() == align_of::<u32>());

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

    /// Returns the handle as a number, for scripts and debuggers. O(1). It is valid for this pool, and one
    /// that is loaded of it.
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

    /// Returns the handle with this number; `None` if no handle can have it. O(1).
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

    /// Returns whether this is [`EMPTY`](Self::EMPTY), without a look at the pool. O(1).
    ///
    /// A list whose values were all removed is not: it keeps its room, until
    /// [`free_if_empty`](crate::ListPool::free_if_empty) makes its handle `EMPTY`.
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

    pub(crate) const fn of(key: ListKey) -> Self {
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
