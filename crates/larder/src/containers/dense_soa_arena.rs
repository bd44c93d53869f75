//! Values in columns that lie side by side; the last one fills each gap.

use crate::containers::builder::Builder;
use crate::containers::dense_arena::by_index;
use crate::containers::soa_arena::{columns, soa_arena};
use crate::containers::sorting::sorting;
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
#[cfg(feature = "alloc")]
use crate::raw::columns::shape::CloneShape;
use crate::raw::columns::{Columns, InColumns};
use crate::raw::packed;
use crate::raw::slots::{InMemory, Slots};
use crate::soa::{Lanes, Live, Soa, Split, view};
use crate::stats::{Reuse, Stats};

type Store<T, K> = packed::Packed<T, K, Columns<T>>;

/// Packed values, each field in a column without holes, accessed by handles.
///
/// [`columns`](Self::columns) are plain slices of `len()` elements: for SIMD, a GPU, a file. A removal
/// moves the last value into the gap, field by field. A table maps slots to positions, so handles stay valid.
/// A stale handle never refers to another value.
///
/// Use [`SoaArena`](crate::SoaArena) if values should stay in place, or if lookups, insertions and removals
/// matter more than columns without holes.
///
/// # Layout
/// ```text
/// column x     │ x0 │ x1 │ x2 │        one allocation for all columns; each begins at a cache
/// column name  │ n0 │ n1 │ n2 │        line of its own modulo 4 KiB
/// keys         │ 3v1│ 0v5│ 4v1│        8 bytes a value
/// table        │ 1 │ – │ – │ 0 │ 2 │   4 bytes a slot: position, or generation where free
/// occupancy    1 0 0 1 1               one bit a slot
/// ```
/// With `#[soa(lanes = 8)]` groups of eight values lie together, each field an array: see
/// [`blocks`](Self::blocks).
///
/// It is invariant in `T`, since the [`Soa`] of `T` decides on the columns.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1), a cache line a field; `insert` amortised if it grows |
/// | a loop over a column | that of a slice |
/// | `sort_by` and variants | O(n log n), and 4 bytes a value meanwhile |
///
/// # Examples
/// ```
/// use larder::DenseSoaArena;
///
/// let mut bodies = DenseSoaArena::new();
/// let moon = bodies.insert((1.0_f32, 0.5_f32)); // place, speed
/// let comet = bodies.insert((9.0, -3.0));
/// bodies.remove(comet);
///
/// let (places, speeds) = bodies.columns_mut();
/// for (place, speed) in places.iter_mut().zip(speeds) {
///     *place += *speed;
/// }
/// assert_eq!(bodies.columns().0, [1.5]);
/// assert_eq!(bodies.get(moon), Some((&1.5, &0.5)));
/// ```
#[doc(alias("SoA", "structure of arrays", "struct of arrays", "MultiArrayList", "soa"))]
pub struct DenseSoaArena<T: Soa, K: Key = Handle<T>> {
    pub(crate) store: Store<T, K>,
}

/// The methods, by the macros of `macros`.
macro_rules! arena {
    ($face:tt) => {
        soa_arena! {
            $face, [Soa],
            store: Store<T, K>,
            iter: packed::Iter<'a, T, K, InColumns<T>>, iter_mut: packed::IterMut<'a, T, K, InColumns<T>>,
            into_iter: packed::IntoIter<T, K, Columns<T>, InColumns<T>>,
            drain: packed::Drain<'a, T, K, InColumns<T>>,
            extract_if: packed::ExtractIf<'a, T, K, F, Columns<T>>
        }
        by_index! { $face }
        sorting! { $face }
        columns! {
            $face, [], holes: "", columns_mut: |this| this.store.columns_mut().1,
            blocks: packed::Groups<'a, T, L>, blocks_mut: packed::GroupsMut<'a, T, L>, next_lanes
        }
    };
}

arena! {
    {
        DenseSoaArena [T: Soa, K: Key] [T, K] columns positions block
        "# use larder::DenseSoaArena as Arena;" "Arena::fixed(1)"
    }
}

/// Keys beside columns, for types without lanes.
impl<T: Soa<Arrangement = Split>, K: Key> DenseSoaArena<T, K> {
    /// Returns the keys as a slice, and each column as a mutable slice beside it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter(['a', 'b']);
    /// let (keys, letters) = arena.keys_and_columns_mut();
    /// assert_eq!(keys.len(), letters.len());
    /// letters[0] = 'x';
    /// ```
    #[inline]
    #[must_use]
    pub fn keys_and_columns_mut(&mut self) -> (&[K], view::ColumnsMut<'_, T>) {
        self.store.columns_mut()
    }
}
