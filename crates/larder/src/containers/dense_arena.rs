//! Values that lie side by side; the last one fills each gap.

use core::iter::{Copied, Zip};
use core::slice;

use crate::containers::builder::Builder;
use crate::containers::sorting::sorting;
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::packed;
use crate::raw::slots::{InMemory, Slots};
use crate::stats::{Reuse, Stats};

type Store<T, K> = packed::Packed<T, K>;

/// Values packed in a slice, accessed by handles that become stale when their value is removed.
///
/// A removal moves the last value into the gap. A table maps slots to positions, so handles stay valid. A
/// stale handle never refers to another value.
///
/// Use [`Arena`](crate::Arena) if lookups, insertions and removals matter more than the slice: it has no
/// table, and its values stay where they are.
///
/// # Layout
/// ```text
/// values     │ value │ value │ value │          one slice
/// keys       │ 3v1   │ 0v5   │ 4v1   │          8 bytes a value
/// table      │ 1 │ – │ – │ 0 │ 2 │              4 bytes a slot: position, or generation where free
/// occupancy  1 0 0 1 1                          one bit a slot
/// ```
/// With [`Handle`] that is 12.2 bytes beside each value, 12.3 in a fixed arena.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1); `insert` amortised if the arena grows |
/// | iteration | that of a slice |
/// | `sort_by` and variants | O(n log n), and 4 bytes a value meanwhile |
///
/// # Examples
/// ```
/// use larder::DenseArena;
///
/// let mut bullets = DenseArena::new();
/// let first = bullets.insert(1.0_f32);
/// let second = bullets.insert(2.0);
/// let third = bullets.insert(3.0);
///
/// bullets.remove(first);
/// assert_eq!(bullets.as_slice(), [3.0, 2.0]);
/// assert_eq!(bullets[third], 3.0);
/// assert_eq!(bullets.get(first), None);
/// # let _ = second;
/// ```
#[doc(alias(
    "slot map",
    "slotmap",
    "dense slot map",
    "sparse set",
    "packed",
    "pool",
    "slab",
    "colony",
    "hive",
    "free list",
    "generational arena",
    "generation pool"
))]
pub struct DenseArena<T, K: Key = Handle<T>> {
    pub(crate) store: Store<T, K>,
}

/// Access by position, for packed containers, and changing positions.
macro_rules! by_index {
    (
        {
            $container:ident [$($generics:tt)*] [$($args:tt)*] $kind:ident $order:ident $memory:ident
            $example:literal $one:literal
        }
    ) => {
        /// Access by position.
        impl<$($generics)*> $container<$($args)*> {
            /// Returns the value at a position; `None` if the position is not below `len()`. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let arena = Arena::from_iter(['a', 'b']);
            /// assert_eq!(arena.get_index(1), Some(&'b'));
            /// assert_eq!(arena.get_index(2), None);
            /// ```
            #[doc(alias = "get_at")]
            #[inline]
            #[must_use]
            pub fn get_index(&self, position: usize) -> Option<$crate::macros::shared!($kind '_)> {
                self.store.get_at(position)
            }

            /// Returns the value at a position for mutation; `None` if the position is not below
            /// `len()`. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter([1_u32, 2]);
            /// *arena.get_index_mut(1).unwrap() = 20;
            /// assert!(arena.values().eq(&[1, 20]));
            /// ```
            #[doc(alias = "get_at_mut")]
            #[inline]
            #[must_use]
            pub fn get_index_mut(
                &mut self,
                position: usize,
            ) -> Option<$crate::macros::exclusive!($kind '_)> {
                self.store.get_at_mut(position)
            }

            /// Returns the position of a key's value; `None` if the key is stale, foreign or dangling.
            /// It is the value's position until the next removal or rearrangement. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.get_index_of(b), Some(1));
            /// arena.remove(a); // `b` moves into the gap
            /// assert_eq!(arena.get_index_of(b), Some(0));
            /// ```
            #[doc(alias("iterator_of_id", "index_of", "dense_index", "position_of"))]
            #[inline]
            #[must_use]
            pub fn get_index_of(&self, key: K) -> Option<usize> {
                self.store.find(key)
            }

            /// Returns the keys as a slice, each at the position of its value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.keys_as_slice(), [a, b]);
            /// assert_eq!(arena.get_index_of(b), Some(1));
            /// ```
            #[doc(alias("key_at", "key_of_index"))]
            #[inline]
            #[must_use]
            pub fn keys_as_slice(&self) -> &[K] {
                self.store.keys()
            }

            /// Returns the key of the next value, in position order; `None` for the last, and for a key
            /// without a value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// assert_eq!(arena.next_key(a), Some(b));
            /// assert_eq!(arena.next_key(b), None);
            /// ```
            #[doc(alias = "first_key")]
            #[must_use]
            pub fn next_key(&self, key: K) -> Option<K> {
                self.keys_as_slice().get(self.get_index_of(key)? + 1).copied()
            }

            /// Removes a value and returns it with the key to visit next: that of the last value, which moved into
            /// the gap; `None` if it was the last, or the key has no value. So a loop over keys may remove values,
            /// and visits each once. All other keys stay valid. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["drop", "keep", "drop"]);
            /// let mut next = arena.keys().next();
            /// while let Some(key) = next {
            ///     next = match arena.get(key) {
            ///         Some(&"drop") => arena.remove_and_next(key).1,
            ///         _ => arena.next_key(key),
            ///     };
            /// }
            /// assert_eq!(arena.len(), 1);
            /// ```
            #[doc(alias = "erase")]
            pub fn remove_and_next(&mut self, key: K) -> (Option<T>, Option<K>) {
                let position = self.get_index_of(key);
                let removed = self.remove(key);
                (removed, position.and_then(|position| self.keys_as_slice().get(position).copied()))
            }

            /// Removes the value at a position and returns it with its key; `None` if the position is
            /// not below `len()`. The last value moves there; all other keys stay valid. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["a", "b", "c"]);
            /// assert_eq!(arena.swap_remove_index(0).map(|(_, value)| value), Some("a"));
            /// assert!(arena.values().eq(&["c", "b"]));
            /// ```
            #[doc(alias("swap_remove", "remove_at"))]
            pub fn swap_remove_index(&mut self, position: usize) -> Option<(K, T)> {
                self.store.remove_at(position)
            }

            /// Removes a value and returns it; the values after it move up by one, so the order is
            /// kept. `None` if the key is stale, foreign or dangling. O(len).
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::from_iter(["a", "b", "c"]);
            /// arena.remove_ordered(arena.keys_as_slice()[0]);
            /// assert!(arena.values().eq(&["b", "c"]));
            /// ```
            #[doc(alias = "shift_remove")]
            pub fn remove_ordered(&mut self, key: K) -> Option<T> {
                self.store.remove_ordered(key)
            }

            /// Swaps the values at two positions together with their keys, which stay valid. O(1).
            ///
            /// # Panics
            /// If a position is not below `len()`.
            ///
            /// # Examples
            /// ```
            #[doc = $example]
            /// let mut arena = Arena::new();
            /// let (a, b) = (arena.insert('a'), arena.insert('b'));
            /// arena.swap_indices(0, 1);
            /// assert!(arena.values().eq(&['b', 'a']));
            /// assert_eq!((arena.get(a), arena.get(b)), (Some(&'a'), Some(&'b')));
            /// ```
            #[doc(alias = "swap_positions")]
            #[track_caller]
            pub fn swap_indices(&mut self, a: usize, b: usize) {
                let len = self.len();
                assert!(
                    a < len && b < len,
                    "swap_indices: {a} and {b} must be below the length, {len}"
                );
                self.store.swap_positions(a, b);
            }
        }
    };
}
pub(super) use by_index;

/// The methods, by the macros of `macros`.
macro_rules! dense_arena {
    ($face:tt) => {
        macros::constructors! { $face, [] }
        macros::placing! { $face, [] }
        macros::inserting! { $face, store: packed::Packed<T, K> }
        macros::lookup! { $face, get: "O(1): three cache lines, two of them at once." }
        by_index! { $face }
        macros::by_address! { $face, key_of: "O(1).", |this, value| this.store.key_of_address(core::ptr::from_ref(value).addr()) }
        macros::capacity! { $face, reserve: |this, additional| this.store.try_reserve(additional) }
        macros::shrinking! { $face }
        macros::removal! { $face }
        sorting! { $face }
        macros::iterating! {
            $face,
            iter: Zip<Copied<slice::Iter<'a, K>>, slice::Iter<'a, T>> =
                |this| this.store.keys().iter().copied().zip(this.store.values()),
            iter_mut: Zip<Copied<slice::Iter<'a, K>>, slice::IterMut<'a, T>> = |this| {
                let (keys, values) = this.store.both_mut();
                keys.iter().copied().zip(values)
            },
            none: [].iter().copied().zip([].iter())
        }
        macros::taking! {
            $face, into_iter: packed::IntoIter<T, K>, drain: packed::Drain<'a, T, K>,
            extract_if: packed::ExtractIf<'a, T, K, F>
        }
        macros::traits! { $face }
        macros::row_traits! { $face }
        #[cfg(feature = "alloc")]
        macros::cloning! { $face, [T: Clone] clone_from }
    };
}

dense_arena! {
    {
        DenseArena [T, K: Key] [T, K] row positions block
        "# use larder::DenseArena as Arena;" "Arena::fixed(1)"
    }
}

/// The values as a slice.
impl<T, K: Key> DenseArena<T, K> {
    /// Returns the values as a slice, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// assert_eq!(arena.as_slice().iter().max(), Some(&3));
    /// ```
    #[doc(alias("values_as_slice", "data"))]
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self.store.values()
    }

    /// Returns the values as a mutable slice. Swapping values in it swaps them between keys; use
    /// [`swap_indices`](Self::swap_indices) to keep keys and values together. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// arena.as_mut_slice().fill(0);
    /// assert_eq!(arena.as_slice(), [0, 0, 0]);
    /// ```
    #[doc(alias = "values_as_mut_slice")]
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.store.values_mut()
    }
}
