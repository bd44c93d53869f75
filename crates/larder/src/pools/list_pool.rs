//! Lists of any length, owned by objects, in one block of memory.

mod bulk;
mod editing;
mod handle;

use core::ops::{Index, IndexMut};

pub use bulk::ListStats;
pub use handle::ListHandle;

use crate::error::TryReserveError;
use crate::explain;
use crate::pools::pool_numbers::{Brands, GENERATIONS};
use crate::raw::lists::{ListKey, Lists};
use editing::Unfinished;

/// The numbers of pools, each a brand minus [`FIRST`]. (Memory of numbers that were never used is untouched.)
static NUMBERS: Brands<{ if cfg!(feature = "std") { 65_534 } else { 1_022 } }> = Brands::new();

const _: () = assert!(GENERATIONS == 1 << ListKey::GENERATION_BITS);

/// The brand of a pool that has none yet.
const UNBRANDED: u16 = 0;

/// The brand of all pools whose handles are never passed to another pool.
const PRIVATE: u16 = u16::MAX;

/// The brand of the pool with number 0.
const FIRST: u16 = 1;

/// Many lists in one block of memory, each owned by an object through a [`ListHandle`] of 8 bytes.
///
/// A `Vec` in each of a hundred thousand objects is an allocation each; here all values lie in one growing block.
/// Each list is a slice: `lists[node.children]` is a `[T]`, for indexing, walking and sorting. (The members of an
/// [`IntrusiveList`](crate::trees::IntrusiveList), in contrast, are objects of a container.)
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
/// A freed list is never taken for a later one, nor a list of another pool for one of this pool:
/// [`get`](Self::get) returns `None`, and all other methods panic.
///
/// # Limits of these checks
/// - A clone of a pool counts as the same pool: a list made in one of them afterwards may be taken for one of the
///   other.
/// - Pools are told apart by 65,534 numbers (1,022 without the feature `std`). A pool takes one with its first list
///   and returns it when it is dropped. If more pools have lists at the same time, some share a number, as clones
///   do.
/// - A number that was returned continues with later generations, so a list of a dropped pool is not taken for one
///   of a later pool. Numbers are used from the beginning again when all free ones are used up: after
///   1,000,000,000 pools at the earliest (16,000,000 without `std`), where a pool counts once for every 16 lists
///   that one of its slots has had.
/// - On targets without 32-bit atomics pools are not told apart.
///
/// # Layout
/// ```text
/// heads    start, length, class │ …          16 bytes a list, in slots with generations
/// block    list 0 · · │ list 1 │ (free) │ …  pieces of 4, 8, 16, … values
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
/// A pool is limited to 2²⁸ - 1 lists and 2³² - 1 values. The slot of a list, 16 bytes, is retired after 2¹⁹ lists (at
/// least 2¹⁸, if the pool's number was used before). A pool without lists replaces its slots by fresh ones if half of
/// them are retired, so memory does not grow if all lists are freed from time to time. Dropping a pool is O(slots),
/// and O(values) if they need `Drop`.
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
    lists: Lists<T>,
    /// Tells handles of this pool from others. Taken with the first list.
    brand: u16,
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
        Self { lists: Lists::new(), brand: UNBRANDED }
    }

    /// A pool whose handles are never passed to another pool: it takes no number.
    pub(crate) const fn private() -> Self {
        Self { lists: Lists::new(), brand: PRIVATE }
    }

    /// Makes a pool without lists, with room for `values` values. O(1).
    ///
    /// The room of each list is rounded up to a power of two.
    ///
    /// # Panics
    /// If memory is refused, or `values` is more than 2³² - 1.
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
        if let Err(reason) = pool.lists.reserve_rooms(values) {
            explain::refused::<Self>(&reason);
        }
        pool
    }

    /// Makes room for this many more values in new lists.
    pub(crate) fn try_reserve_rooms(&mut self, values: usize) -> Result<(), TryReserveError> {
        self.lists.reserve_rooms(values)
    }

    /// Makes a list of the values; [`ListHandle::EMPTY`] if there are none. O(values).
    ///
    /// If the iterator panics, nothing has changed.
    ///
    /// # Panics
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make(["a", "b"]);
    /// assert_eq!(lists[list], ["a", "b"]);
    /// ```
    #[doc(alias("collect", "from_iter", "from_slice"))]
    #[track_caller]
    pub fn make(&mut self, values: impl IntoIterator<Item = T>) -> ListHandle<T> {
        let mut made = Unfinished { pool: self, list: ListHandle::EMPTY };
        made.pool.extend(&mut made.list, values);
        made.finish()
    }

    /// The values of a list; `None` if it was freed, or is of another pool. O(1): two cache lines.
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
        if list == ListHandle::EMPTY {
            return Some(&[]);
        }
        self.lists.get(self.own(list)?)
    }

    /// The values of a list, for changing and sorting; `None` if it was freed, or is of another pool. O(1).
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
        if list == ListHandle::EMPTY {
            return Some(&mut []);
        }
        self.lists.get_mut(self.own(list)?)
    }

    /// Whether a list is of this pool and was not freed, or is [`ListHandle::EMPTY`]. O(1).
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
        list == ListHandle::EMPTY || self.own(list).is_some_and(|key| self.lists.contains(key))
    }

    /// How many values a list has room for without moving.
    pub(crate) fn room(&self, list: ListHandle<T>) -> usize {
        self.own(list).map_or(0, |key| self.lists.room(key))
    }

    /// Makes room for one more value, and returns its position in the list. On an error nothing has changed. O(1)
    /// amortised.
    #[inline]
    #[track_caller]
    pub(crate) fn make_room(&mut self, list: &mut ListHandle<T>) -> Result<usize, TryReserveError> {
        match self.own(*list).and_then(|key| self.lists.make_room(key)) {
            Some(made) => made,
            // `EMPTY`, or a stale list.
            None => self.try_reserve(list, 1).map(|()| 0),
        }
    }

    /// The key of a handle of this pool.
    #[inline]
    fn own(&self, list: ListHandle<T>) -> Option<ListKey> {
        (list.pool() == self.brand && list != ListHandle::EMPTY).then(|| list.key())
    }

    /// The key of a list that exists, or `None` for `EMPTY`.
    #[inline]
    #[track_caller]
    fn find(&self, list: ListHandle<T>) -> Option<ListKey> {
        if list == ListHandle::EMPTY {
            return None;
        }
        match self.own(list) {
            Some(key) if self.lists.contains(key) => Some(key),
            _ => explain::no_list::<Self>(list, list.pool() != self.brand),
        }
    }

    /// Makes `EMPTY` a list of its own.
    fn make_empty(&mut self, list: &mut ListHandle<T>) -> Result<ListKey, TryReserveError> {
        if self.brand == UNBRANDED {
            let (number, generation) = NUMBERS.take();
            self.brand = number + FIRST;
            self.lists.begin_above(generation);
        }
        let key = self.lists.make()?;
        *list = ListHandle::of(key, self.brand);
        Ok(key)
    }

    /// Replaces the slots of a pool without lists by fresh ones, if half of them are retired. The pool takes another
    /// number then.
    fn renew_slots(&mut self) {
        if self.is_empty() && self.lists.renew_if_worn() {
            self.leave_brand(None);
        }
    }

    /// The brand, for a clone.
    fn share_brand(&self) -> u16 {
        if self.has_number() {
            NUMBERS.share(self.brand - FIRST);
        }
        self.brand
    }

    /// Whether the brand is a number that has to be returned.
    fn has_number(&self) -> bool {
        self.brand != PRIVATE && self.brand != UNBRANDED
    }

    /// Returns the number, under which lists had generations up to `reached`, or all.
    fn leave_brand(&mut self, reached: Option<u32>) {
        if self.has_number() {
            NUMBERS.give_back(self.brand - FIRST, reached);
            self.brand = UNBRANDED;
        }
    }
}

impl<T> Drop for ListPool<T> {
    fn drop(&mut self) {
        if self.has_number() {
            self.leave_brand(self.lists.reached());
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
            None => explain::no_list::<Self>(list, list.pool() != self.brand),
        }
    }
}

impl<T> IndexMut<ListHandle<T>> for ListPool<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, list: ListHandle<T>) -> &mut [T] {
        let brand = self.brand;
        match self.get_mut(list) {
            Some(values) => values,
            None => explain::no_list::<Self>(list, list.pool() != brand),
        }
    }
}
