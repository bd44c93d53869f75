//! Values that lie side by side; the last one fills each gap.

use core::iter::{Copied, Zip};
use core::slice;

use crate::containers::builder::Builder;
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::packed as rows;
use crate::raw::slots::{InMemory, Slots};
use crate::stats::{Reuse, Stats};

type Rows<T, K> = rows::Packed<T, K>;

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
/// With [`Handle`] that is 12.2 bytes beside each value.
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
    pub(crate) rows: Rows<T, K>,
}

/// The methods, by the macros of `macros`.
macro_rules! dense_arena {
    ($face:tt) => {
        macros::constructors! { $face, [] }
        macros::placing! { $face, [] }
        macros::inserting! { $face, vacancy: rows::Vacancy<'a, T, K> }
        macros::lookup! { $face, get: "O(1): three cache lines, two of them at once." }
        macros::by_index! { $face }
        macros::by_address! { $face, key_of: "O(1).", |this, value| this.key_of_address(value) }
        macros::capacity! { $face, reserve: |this, additional| this.rows.try_reserve(additional) }
        macros::shrinking! { $face }
        macros::removal! { $face, retain: |spot| spot.into_mut() }
        macros::sorting! { $face }
        macros::iterating! {
            $face,
            iter: Zip<Copied<slice::Iter<'a, K>>, slice::Iter<'a, T>> =
                |this| this.rows.keys().iter().copied().zip(this.rows.values()),
            iter_mut: Zip<Copied<slice::Iter<'a, K>>, slice::IterMut<'a, T>> = |this| {
                let (keys, values) = this.rows.both_mut();
                keys.iter().copied().zip(values)
            },
            none: [].iter().copied().zip([].iter())
        }
        macros::taking! {
            $face, into_iter: rows::IntoIter<T, K>, drain: rows::Drain<'a, T, K>,
            extract_if: rows::ExtractIf<'a, T, K, F>
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
        self.rows.values()
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
        self.rows.values_mut()
    }

    fn key_of_address(&self, value: &T) -> Option<K> {
        let start = self.as_slice().as_ptr().addr();
        let offset = core::ptr::from_ref(value).addr().checked_sub(start)?;
        let position = offset.checked_div(size_of::<T>())?;
        (offset % size_of::<T>() == 0).then(|| self.key_of_index(position))?
    }
}
