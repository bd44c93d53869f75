//! Lists of any length, owned by objects, in one block of memory.

mod bulk;
mod editing;
mod past;
#[cfg(feature = "serde")]
mod serde;

use core::ops::{Index, IndexMut};

pub use crate::list_handle::ListHandle;
pub use bulk::ListStats;

use crate::explain;
use crate::list_handle::ListKey;
use crate::pool_numbers::{Brands, GENERATIONS};
use crate::raw::lists::Lists;
use editing::Unfinished;
use larder_core::room;
use past::Recorder;

/// The numbers of pools, each a brand minus [`FIRST`]. (Memory of numbers that were never used is untouched.)
pub(super) static NUMBERS: Brands<{ if cfg!(feature = "std") { 65_534 } else { 1_022 } }> =
    Brands::new();

const _: () = assert!(GENERATIONS == 1 << ListKey::GENERATION_BITS);

/// The brand of a pool that has none yet.
pub(super) const UNBRANDED: u16 = 0;

/// The brand of the pool with number 0.
pub(super) const FIRST: u16 = 1;

/// Many lists in one block of memory, each owned by an object through a [`ListHandle`] of 8 bytes.
///
/// A `Vec` in each of a hundred thousand objects is a hundred thousand allocations; here all values lie in
/// one growing block. Each list is a slice: `lists[node.children]` is a `[T]`, for indexing, walking and
/// sorting. (The members of an `IntrusiveList`, in contrast, are objects of a
/// container.)
///
/// # Owning a list
/// A handle is `Copy` and frees nothing when it is dropped. Free the lists of an object that is removed:
/// ```
/// use larder::pools::list_pool::{ListHandle, ListPool};
/// use larder::{Arena, Handle};
///
/// struct Node {
///     children: ListHandle<Handle<Node>>,
/// }
///
/// let mut nodes = Arena::new();
/// let mut lists = ListPool::new();
/// let leaf = nodes.insert(Node { children: ListHandle::EMPTY });
/// let root = nodes.insert(Node { children: lists.make([leaf]) });
///
/// if let Some(node) = nodes.remove(root) {
///     lists.free(node.children);
/// }
/// assert_eq!(lists.stats().used, 0);
/// ```
/// If objects are removed in many places, [`retain`](Self::retain) frees all lists without an owner.
///
/// A handle to a freed list never refers to a later list, nor a handle of another pool to a list of this
/// pool: [`get`](Self::get) returns `None`, and all other methods panic.
///
/// # Limits of these checks
/// - A clone of a pool counts as the same pool: a handle to a list that one of them makes afterwards may
///   refer to a list of the other.
/// - Pools are told apart by 65,534 numbers (1,022 without the feature `std`). A pool takes one with its first list
///   and returns it when it is dropped. If more pools have lists at the same time, some share a number, as clones
///   do.
/// - A number that was returned continues with later generations, so a handle of a dropped pool does not
///   refer to a list of a later pool. Numbers are reused from the beginning when all free ones are used up:
///   after 1,000,000,000 pools at the earliest (16,000,000 without `std`), where a pool counts once for every
///   16 lists that one of its slots has had.
/// - A pool that is loaded continues with the number that it was saved with, which a pool of this run may have, too.
/// - On targets without 32-bit atomics pools are not told apart.
///
/// # Layout
/// ```text
/// heads    generation, start, length │ …     12 bytes a list, in slots
/// block    list 0 · · │ list 1 │ (free) │ …  pieces of 2, 4, 8, 16, … values
/// ```
/// A list lies in a piece whose size is a power of two. Growing beyond it moves the list to a larger piece, unless
/// it is the last, which grows in place. Free pieces are linked in their own memory, and used again for lists of
/// that size, or split before the block has to grow. They are not joined: [`compact`](Self::compact) moves all
/// lists together.
///
/// # Costs
/// | | |
/// |---|---|
/// | `push`, `pop`, `swap_remove` | O(1); `push` amortised |
/// | `insert`, `remove`, `splice` | O(values after the position) |
/// | `free`, `clear`, `truncate` | O(values), O(1) if they need no `Drop` |
///
/// A pool is invariant in `T`: a `ListPool<&'static str>` cannot stand in for a `ListPool<&str>`, because its
/// [checkpoints](larder_core::track::Reversible) clone values by the `Clone` of the type that it had when the first was
/// set, which may be implemented for the longer lifetime only.
///
/// A pool is limited to 2²⁸ - 1 lists and 2³² - 1 values, a list to 2²⁶ values. The slot of a list, 12 bytes,
/// is retired after 2¹⁹ lists (at least 2¹⁸, if the pool's number was used before). A pool without lists
/// replaces its slots by fresh ones if half of them are retired, so memory does not grow if all lists are
/// freed from time to time. Dropping a pool is O(slots), and O(values) if they need `Drop`.
///
/// # Examples
/// ```
/// use larder::pools::list_pool::{ListHandle, ListPool};
///
/// let mut lists = ListPool::new();
/// let mut primes = ListHandle::EMPTY;
/// lists.extend(&mut primes, [7, 3, 2]);
/// lists.insert(&mut primes, 1, 5);
/// lists[primes].sort();
/// assert_eq!(lists[primes], [2, 3, 5, 7]);
///
/// lists.free(primes);
/// assert_eq!(lists.get(primes), None);
/// ```
#[doc(alias("EntityList", "array of arrays", "jagged array", "vector of vectors"))]
pub struct ListPool<T> {
    /// With the number of the pool, which is taken with the first list.
    pub(super) lists: Lists<T>,
    recorder: Recorder<T>,
}

/// Making and finding.
impl<T> ListPool<T> {
    /// Makes a pool without lists. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// let lists = larder::pools::ListPool::<u32>::new();
    /// assert_eq!(lists.stats().bytes, 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { lists: Lists::new(UNBRANDED), recorder: Recorder::new(false) }
    }

    /// Makes a pool without lists, with room for `values` values. O(1).
    ///
    /// The room of each list is rounded up to a power of two. [`reserve_lists`](Self::reserve_lists) makes room that is
    /// enough for lists that come, grow and go.
    ///
    /// # Panics
    /// If allocation fails, or `values` is more than 2³² - 1.
    ///
    /// # Examples
    /// ```
    /// let lists = larder::pools::ListPool::<u32>::with_capacity(100);
    /// assert_eq!(lists.stats().unused, 400);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_capacity(values: usize) -> Self {
        let mut pool = Self::new();
        room::granted::<Self, _>(pool.lists.reserve_rooms(values));
        pool
    }

    /// Makes a list of the values; [`ListHandle::EMPTY`] if there are none. O(values).
    ///
    /// If the iterator panics, nothing has changed.
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make(["a", "b"]);
    /// assert_eq!(lists[list], ["a", "b"]);
    /// ```
    #[doc(alias("collect", "from_iter", "from_slice"))]
    #[inline]
    #[track_caller]
    pub fn make(&mut self, values: impl IntoIterator<Item = T>) -> ListHandle<T> {
        let mut values = values.into_iter();
        let expected = values.size_hint().0;
        if expected == 0 || self.recorder.is_on() {
            return self.make_by_extending(&mut values);
        }
        self.have_brand();
        let made = self.lists.make_of(expected, &mut values);
        let (list, is_full) = room::granted::<Self, _>(made);
        let mut made = Unfinished { pool: self, list: ListHandle::of(list) };
        if is_full {
            if let Some(next) = values.next() {
                made.extend(next, &mut values);
            }
        }
        made.finish()
    }

    /// Returns the values of a list; `None` if it was freed, or is of another pool. O(1): two cache lines.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1, 2]);
    /// assert_eq!(lists.get(list), Some(&[1, 2][..]));
    /// lists.free(list);
    /// assert_eq!(lists.get(list), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, list: ListHandle<T>) -> Option<&[T]> {
        match self.lists.get(list.key) {
            None if list.is_empty() => Some(&[]),
            found => found,
        }
    }

    /// Returns the values of a list for mutation; `None` if it was freed, or is of another pool. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([2, 1]);
    /// if let Some(values) = lists.get_mut(list) {
    ///     values.sort();
    /// }
    /// assert_eq!(lists[list], [1, 2]);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, list: ListHandle<T>) -> Option<&mut [T]> {
        self.touch(list);
        match self.lists.get_mut(list.key) {
            None if list.is_empty() => Some(&mut []),
            found => found,
        }
    }

    /// Returns whether a list is of this pool and was not freed, or is [`ListHandle::EMPTY`]. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1]);
    /// assert!(lists.contains(list));
    /// lists.free(list);
    /// assert!(!lists.contains(list));
    /// ```
    #[inline]
    #[must_use]
    pub fn contains(&self, list: ListHandle<T>) -> bool {
        list.is_empty() || self.lists.contains(list.key)
    }

    /// Panics unless a list exists, or is `EMPTY`.
    #[inline]
    #[track_caller]
    fn check(&self, list: ListHandle<T>) {
        if !self.contains(list) {
            Self::refuse(list, self.lists.brand());
        }
    }

    /// Panics for a list that a pool of this number does not have.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn refuse(list: ListHandle<T>, brand: u16) -> ! {
        explain::no_list::<Self>(list, list.key.brand() != brand)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn make_by_extending(&mut self, values: &mut impl Iterator<Item = T>) -> ListHandle<T> {
        let mut made = Unfinished { pool: self, list: ListHandle::EMPTY };
        made.pool.extend(&mut made.list, values);
        made.finish()
    }

    /// Makes sure that the pool has a number, which lists begin with.
    #[inline]
    fn have_brand(&mut self) {
        if self.lists.brand() == UNBRANDED {
            self.take_brand();
        }
    }

    #[cold]
    #[inline(never)]
    fn take_brand(&mut self) {
        let (number, generation) = NUMBERS.take();
        self.lists.set_brand(number + FIRST, generation);
    }

    /// Replaces the slots of a pool without lists by fresh ones, if half of them are retired and no past names them.
    /// The pool takes another number then.
    #[inline]
    fn renew_slots(&mut self) {
        if self.is_empty() && !self.recorder.is_on() && self.lists.renew_if_worn() {
            self.leave_brand(None);
        }
    }

    /// Returns whether the pool has a number, which has to be returned when the pool is dropped.
    fn has_number(&self) -> bool {
        self.lists.brand() != UNBRANDED
    }

    /// Returns the number, under which lists had generations up to `reached`, or all.
    #[cold]
    fn leave_brand(&mut self, reached: Option<u32>) {
        if self.has_number() {
            NUMBERS.give_back(self.lists.brand() - FIRST, reached);
            self.lists.set_brand(UNBRANDED, 0);
        }
    }
}

impl<T> Drop for ListPool<T> {
    fn drop(&mut self) {
        if self.has_number() {
            NUMBERS.give_back(self.lists.brand() - FIRST, self.lists.reached());
        }
    }
}

impl<T> Index<ListHandle<T>> for ListPool<T> {
    type Output = [T];

    #[inline]
    #[track_caller]
    fn index(&self, list: ListHandle<T>) -> &[T] {
        match self.get(list) {
            Some(values) => values,
            None => Self::refuse(list, self.lists.brand()),
        }
    }
}

impl<T> IndexMut<ListHandle<T>> for ListPool<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, list: ListHandle<T>) -> &mut [T] {
        let brand = self.lists.brand();
        match self.get_mut(list) {
            Some(values) => values,
            None => Self::refuse(list, brand),
        }
    }
}
