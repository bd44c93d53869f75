//! Values inside their owner.

use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::explain;
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::inline::{self as rows, Inline};
use crate::stats::{MemoryUsage, Stats};

/// At most `N` values, inside whatever owns the arena: a struct, the stack, a `static`. Never allocates.
///
/// As a [fixed](crate::Arena::fixed) [`Arena`](crate::Arena), but its slots are part of it: moving it
/// moves the values, and memory that is all zero is an empty one (so that a `static` takes no room in
/// the program's file, and zeroed memory from elsewhere can be one).
///
/// For few values: what owns it is as large as all its slots. For many values at a place that stays, see
/// [`Arena::in_memory`](crate::Arena::in_memory).
///
/// # Layout
/// ```text
/// book   counts │ 2 bits a slot, in a byte a slot and 16
/// slots  value 0 │ gen ┬ value 1 │ gen ┬ (hole)  │ gen ┬ …     N of them
/// ```
/// A slot is the value and its generation (4 bytes for [`Handle`]), padded to the alignment of the
/// value. The length of an array of bits cannot be computed from `N` in Rust yet, so there are bytes.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1), and a step for each 64 slots in use before the first hole |
/// | `remove`, `get` | O(1) |
/// | walk, `clear`, `retain` | O(live + slots / 64) |
/// | moving it | O(N) |
///
/// The lowest free slot is used first.
///
/// # Examples
/// ```
/// use larder::{Handle, InlineArena};
///
/// struct Monster {
///     wounds: InlineArena<u8, 4>, // inside the monster: no allocation of its own
/// }
///
/// let mut monster = Monster { wounds: InlineArena::new() };
/// let bite: Handle<u8> = monster.wounds.insert(3);
/// monster.wounds.insert(5);
/// assert_eq!(monster.wounds.values().sum::<u8>(), 8);
/// monster.wounds.remove(bite);
/// assert_eq!(monster.wounds.get(bite), None);
/// ```
///
/// ```
/// use larder::InlineArena;
/// use std::sync::Mutex;
///
/// static NAMES: Mutex<InlineArena<&str, 100>> = Mutex::new(InlineArena::new());
/// let key = NAMES.lock().unwrap().insert("larder");
/// assert_eq!(NAMES.lock().unwrap()[key], "larder");
/// ```
#[doc(alias("static arena", "fixed array", "heapless"))]
pub struct InlineArena<T, const N: usize, K: Key = Handle<T>> {
    pub(crate) rows: Inline<T, K, N>,
}

/// Constructors for the default key, so that it need not be named.
impl<T, const N: usize> InlineArena<T, N> {
    /// Makes an empty arena with room for `N` values. O(N / 8): the book is zeroed, a byte a slot; the
    /// slots are not touched.
    ///
    /// # Examples
    /// ```
    /// use larder::InlineArena;
    ///
    /// static EMPTY: InlineArena<u32, 8> = InlineArena::new();
    /// assert!(EMPTY.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::with_key()
    }
}

/// For any key.
impl<T, K: Key, const N: usize> InlineArena<T, N, K> {
    /// Makes an empty arena with keys of type `K`. O(N / 8).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle32, InlineArena};
    ///
    /// let mut arena: InlineArena<&str, 8, Handle32<&str>> = InlineArena::with_key();
    /// assert_eq!(size_of_val(&arena.insert("small")), 4);
    /// ```
    #[must_use]
    pub const fn with_key() -> Self {
        Self { rows: Inline::new() }
    }

    /// How many values there are. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::InlineArena::<_, 8>::from_iter(['a', 'b']);
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none. O(1).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::InlineArena::<u8, 8>::new().is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values fit: `N`, and fewer where slots are retired. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::InlineArena::<u8, 8>::new().capacity(), 8);
    /// ```
    #[inline]
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.rows.capacity()
    }

    /// How many values can be added. Slots of detached keys do not count. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::InlineArena::<_, 8>::from_iter(['a', 'b']);
    /// assert_eq!(arena.remaining(), 6);
    /// ```
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rows.remaining()
    }

    /// Makes sure that there is room for `additional` values, which it cannot make. O(1).
    ///
    /// # Panics
    /// If there is less.
    ///
    /// # Examples
    /// ```
    /// larder::InlineArena::<u8, 8>::new().reserve(8);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(reason) = self.try_reserve(additional) {
            explain::refused::<Self>(&reason);
        }
    }

    /// As [`reserve`](Self::reserve), but says so where there is less room. O(1).
    ///
    /// # Errors
    /// If there is less.
    ///
    /// # Examples
    /// ```
    /// assert!(larder::InlineArena::<u8, 8>::new().try_reserve(9).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let fits = additional <= self.remaining();
        if fits { Ok(()) } else { Err(TryReserveError::Full { capacity: self.capacity() }) }
    }

    /// How its slots are used; no bytes are its own. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::InlineArena::<_, 8>::from_iter(['a', 'b']);
    /// let stats = arena.stats();
    /// assert_eq!((stats.live, stats.slots, stats.bytes), (2, 2, 0));
    /// ```
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.rows.stats()
    }

    /// What its own bytes, and so its owner's, are used for. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::InlineArena;
    ///
    /// let usage = InlineArena::<_, 8>::from_iter([1_u64, 2]).memory_usage();
    /// assert_eq!((usage.values, usage.unused), (16, 6 * 16));
    /// assert_eq!(usage.committed, size_of::<InlineArena<u64, 8>>());
    /// ```
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.rows.memory_usage()
    }
}

impl<T, K: Key, const N: usize> Default for InlineArena<T, N, K> {
    /// An empty arena.
    fn default() -> Self {
        Self::with_key()
    }
}

/// The values lie in slots 0, 1, 2, … in their order.
///
/// For the default key only, so that it need not be named; with another, `with_key` and `extend`.
impl<T, const N: usize> FromIterator<T> for InlineArena<T, N> {
    /// # Panics
    /// If there are more than `N` values.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut arena = Self::new();
        arena.extend(values);
        arena
    }
}

macros::inserting! {
    [T, K: Key, const N: usize] [T, K, N] InlineArena<T, N, K>,
    "larder::InlineArena::<_, 8>::new()", "larder::InlineArena::<_, 1>::new()",
    moves: "no value moves", full: "all `N` slots are in use"
}
macros::entry! {
    [T, K: Key, const N: usize] [T, K, N] InlineArena, rows::Vacancy<'a, T, K, N>,
    &'a mut T, "larder::InlineArena::<_, 8>::new()"
}
macros::lookup! {
    [T, K: Key, const N: usize] InlineArena<T, N, K>, "larder::InlineArena::<_, 8>::new()",
    "larder::InlineArena::<_, 8>::from_iter", get: "O(1): one cache line.", key_of: "O(1)."
}
macros::removal! {
    [T, K: Key, const N: usize] [T, K, N] InlineArena<T, N, K>,
    "larder::InlineArena::<_, 8>::new()", "larder::InlineArena::<_, 100>::from_iter"
}
macros::iterating! {
    [T, K: Key, const N: usize] [T, K, N] InlineArena<T, N, K>,
    "larder::InlineArena::<_, 8>::new()", "larder::InlineArena::<_, 8>::from_iter"
}
macros::temporary! {
    [T, K: Key, const N: usize] InlineArena<T, N, K>, "larder::InlineArena::<_, 8>::new()",
    "in slot order"
}
macros::iterators! {
    [T, K: Key, const N: usize] [T, K, N] InlineArena, value: T, order: "in slot order",
    iter: rows::Iter<'a, T, K, N>, iter_mut: rows::IterMut<'a, T, K, N>,
    into_iter: rows::IntoIter<T, K, N>, drain: rows::Drain<'a, T, K, N>,
    extract_if: rows::ExtractIf<'a, T, K, F, N>
}
crate::macros::many::insert_many! { [T, K: Key, const N: usize] [T, K, N] InlineArena<T, N, K> }
macros::traits! { [T, K: Key, const N: usize] [T, K, N] InlineArena<T, N, K> }
macros::hidden! { [T, K: Key, const N: usize] InlineArena<T, N, K> }
