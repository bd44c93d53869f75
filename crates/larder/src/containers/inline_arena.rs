//! Values inside their owner.

#[cfg(target_has_atomic = "32")]
use crate::containers::builder;
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::inline::{Book, Inline, Inside};
use crate::raw::rows::{self, InBlock, RowOf, Slots};
use crate::stats::Stats;

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
pub struct InlineArena<T, const N: usize, K: Key = Handle<T>> {
    pub(crate) store: Inline<T, K, N>,
}

/// The methods, by the macros of `macros`.
macro_rules! inline_arena {
    ($face:tt) => {
        macros::inserting! { $face, store: Inline<T, K, N> }
        macros::lookup! { $face, get: "O(1): one cache line." }
        macros::by_slot! { $face }
        macros::by_address! {
            $face, key_of: "O(1).", |this, value| this.store.key_at(this.store.slot_of(value)?)
        }
        macros::capacity! {
            $face, reserve: |this, additional| this.store.try_reserve(additional)
        }
        macros::removal! { $face }
        macros::iterating! {
            $face,
            iter: rows::Iter<'a, T, K, InBlock<T, K>> = |this| this.store.iter(),
            iter_mut: rows::IterMut<'a, T, K, InBlock<T, K>> = |this| this.store.iter_mut(), none: Default::default()
        }
        #[cfg(feature = "rayon")]
        crate::impls::rayon::divided! { ['a, T, const N: usize, K: Key] Iter<'a, T, N, K>; ['a, T, const N: usize, K: Key] IterMut<'a, T, N, K>; }
        macros::taking! {
            $face,
            into_iter: rows::IntoIter<T, K, Inside<RowOf<T, K>, N>, Book<N>>,
            drain: rows::Drain<'a, T, K, Inside<RowOf<T, K>, N>, Book<N>>,
            extract_if: rows::ExtractIf<'a, T, K, F, Inside<RowOf<T, K>, N>, Book<N>>
        }
        macros::traits! { $face }
        macros::row_traits! { $face }
        macros::cloning! { $face, [T: Clone] clone_from }
    };
}

inline_arena! {
    {
        InlineArena [T, const N: usize, K: Key] [T, N, K] row slots inline
        "# type Arena<T> = larder::InlineArena<T, 100>;" "larder::InlineArena::<_, 1>::new()"
    }
}

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
        Self { store: Inline::inside().begun_at(builder::distinct_mark::<K>()) }
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

macros::collecting! {
    InlineArena [T, const N: usize] [T, N] [T, const N: usize, K: Key] [T, N, K]
    "# type Arena<T> = larder::InlineArena<T, 100>;"
}
