//! Values inside their owner.

#[cfg(target_has_atomic = "32")]
use crate::containers::builder;
use crate::containers::slots::{self, Places};
use crate::containers::{entry, pairs};
use crate::error::TryReserveError;
use crate::key::{Handle, Key};
use crate::raw::inline::{Inline, Inside, InsideBook};
use crate::raw::rows::{Row, Whole};
use crate::raw::slots::SlotStore as _;
use crate::raw::store::Store;

/// Rows inside their owner.
pub(crate) type InOwner<T, const N: usize, K> = Whole<Inside<Row<T, K>, N>>;

/// At most `N` values, stored inside the owner of the arena: a struct, the stack, a `static`. Never allocates.
///
/// Like a [fixed](crate::Arena::fixed) [`Arena`](crate::Arena), but its slots are part of it: moving it
/// moves the values, and memory that is all zero is an empty arena (so a `static` takes no room in the
/// program's file).
///
/// Suited to few values, since its owner contains all its slots. For many values in memory that does not
/// move, see [`Arena::in_memory`](crate::Arena::in_memory).
///
/// # Layout
/// ```text
/// book   counts │ 2 bits a slot, in a byte a slot and 16
/// slots  value 0 │ gen ┬ value 1 │ gen ┬ (hole)  │ gen ┬ …     N of them
/// ```
/// A slot is the value and its generation (4 bytes for [`Handle`]), padded to the alignment of the value.
/// (The book uses a byte per slot because Rust cannot yet compute the length of an array of bits from `N`.)
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1), and a step for each 64 slots in use before the first hole |
/// | `remove`, `get` | O(1) |
/// | iteration, `clear`, `retain` | O(live + slots / 64) |
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
pub type InlineArena<T, const N: usize, K = Handle<T>> =
    slots::Slots<T, K, InOwner<T, N, K>, InsideBook<N>>;

/// Keys and values, in slot order.
pub type Iter<'a, T, const N: usize, K> = slots::Iter<'a, T, K, Places<T, K, InOwner<T, N, K>>>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, const N: usize, K> =
    slots::IterMut<'a, T, K, Places<T, K, InOwner<T, N, K>>>;

/// Keys, in slot order.
pub type Keys<'a, T, const N: usize, K> = pairs::Keys<Iter<'a, T, N, K>>;

/// Values, in slot order.
pub type Values<'a, T, const N: usize, K> = pairs::Values<Iter<'a, T, N, K>>;

/// Mutable values, in slot order.
pub type ValuesMut<'a, T, const N: usize, K> = pairs::Values<IterMut<'a, T, N, K>>;

/// Keys and owned values, in slot order.
pub type IntoIter<T, const N: usize, K> = slots::IntoIter<T, K, InOwner<T, N, K>, InsideBook<N>>;

/// Values of a consumed container, in slot order.
pub type IntoValues<T, const N: usize, K> = pairs::Values<IntoIter<T, N, K>>;

/// Removes all values and yields them, in slot order.
pub type Drain<'a, T, const N: usize, K> = slots::Drain<'a, T, K, InOwner<T, N, K>, InsideBook<N>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, const N: usize, K, F> =
    slots::ExtractIf<'a, T, K, F, InOwner<T, N, K>, InsideBook<N>>;

/// Room for one value.
pub type VacantEntry<'a, T, const N: usize, K> =
    entry::VacantEntry<'a, K, Store<T, K, InOwner<T, N, K>, InsideBook<N>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, const N: usize, K, I> =
    entry::InsertMany<'a, K, Store<T, K, InOwner<T, N, K>, InsideBook<N>>, I>;

/// Constructors for the default key, so that it need not be named.
impl<T, const N: usize> InlineArena<T, N> {
    /// Makes an empty arena with room for `N` values. O(N / 8): two bits a slot are cleared, the
    /// slots are not written.
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
impl<T, const N: usize, K: Key> InlineArena<T, N, K> {
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
        Self { store: Inline::inside() }
    }

    /// Makes an empty arena whose keys are stale in all containers made before, as
    /// [`Builder::distinct`](crate::containers::Builder::distinct) says. O(N / 8).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, InlineArena};
    ///
    /// let [mut wounds, mut scars] = [(); 2].map(|()| InlineArena::<u8, 4>::distinct());
    /// let wound: Handle<u8> = wounds.insert(3);
    /// scars.insert(5);
    /// assert_eq!(scars.get(wound), None);
    /// ```
    #[cfg(target_has_atomic = "32")]
    #[must_use]
    pub fn distinct() -> Self {
        use crate::key::generation::Mark as _;
        use crate::raw::slots::MarkOf;

        let mark = MarkOf::<K>::apart(builder::next_distinct());
        Self { store: Inline::inside().begun_at(mark) }
    }

    /// Makes an empty arena that begins past all generations of `old`, which it is to replace, as
    /// [`Builder::continuing`](crate::containers::Builder::continuing) says. O(N).
    ///
    /// # Errors
    /// If a slot of `old` has fewer than two generations left.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, InlineArena};
    ///
    /// let mut wounds = InlineArena::<u8, 4>::new();
    /// let wound: Handle<u8> = wounds.insert(3);
    /// wounds = InlineArena::continuing(&wounds)?;
    /// wounds.insert(5);
    /// assert_eq!(wounds.get(wound), None);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn continuing(old: &Self) -> Result<Self, TryReserveError> {
        let mark = old.store.mark_after(|slot| old.store.key_at(slot));
        let mark = mark.ok_or(TryReserveError::GenerationsUsedUp)?;
        Ok(Self { store: Inline::inside().begun_at(mark) })
    }
}

impl<T, const N: usize, K: Key> Default for InlineArena<T, N, K> {
    /// An empty arena.
    fn default() -> Self {
        Self::with_key()
    }
}

/// Capacity.
impl<T, const N: usize, K: Key> InlineArena<T, N, K> {
    /// Returns the number of values. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::InlineArena::<_, 8>::from_iter(['a', 'b']);
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether there are no values. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::InlineArena::<_, 8>::new();
    /// assert!(arena.is_empty());
    /// arena.insert('a');
    /// assert!(!arena.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
