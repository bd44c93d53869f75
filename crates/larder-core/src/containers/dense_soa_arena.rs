//! Values in columns that lie side by side; the last one fills each gap.

mod columns;

use crate::containers::{dense, entry, pairs};
use crate::key::Handle;
use crate::macros::shows_type;
#[cfg(feature = "rayon")]
use crate::parallel::divided;
use crate::raw::packed as raw;
pub use crate::raw::packed::PackedBlocks;
#[cfg(feature = "rayon")]
use crate::soa::Lanes;
use crate::soa::Soa;
#[cfg(feature = "rayon")]
use crate::soa::raw::BorrowedColumns;
use crate::soa::raw::{Columns, InColumns};

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
/// After a spike it keeps as much memory, and [`capacity`](Self::capacity) says as much, as with
/// [`DenseArena`](crate::DenseArena#memory-after-a-spike).
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
pub type DenseSoaArena<T, K = Handle<T>> = dense::Dense<T, K, Columns<T>>;

/// Keys and values, in position order.
pub type Iter<'a, T, K> = raw::Iter<'a, T, K, InColumns<T>>;

/// Keys and mutable values, in position order.
pub type IterMut<'a, T, K> = raw::IterMut<'a, T, K, InColumns<T>>;

/// Keys, in position order.
pub type Keys<'a, T, K> = pairs::Keys<dense::DenseIter<'a, T, K, Columns<T>>>;

/// Values, in position order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in position order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Keys and owned values, in position order.
pub type IntoIter<T, K> = dense::IntoIter<T, K, Columns<T>, InColumns<T>>;

/// Values of a consumed container, in position order.
pub type IntoValues<T, K> = pairs::Values<IntoIter<T, K>>;

/// Removes all values and yields them, in position order.
pub type Drain<'a, T, K> = dense::Drain<'a, T, K, InColumns<T>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, K, F> = dense::ExtractIf<'a, T, K, F, Columns<T>>;

/// Room for one value.
pub type VacantEntry<'a, T, K> = entry::VacantEntry<'a, K, raw::Packed<T, K, Columns<T>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, K, I> = entry::InsertMany<'a, K, raw::Packed<T, K, Columns<T>>, I>;

/// Blocks of lanes, and which lanes have values. Made by [`DenseSoaArena::blocks`].
pub type Blocks<'a, T, const L: usize> = PackedBlocks<'a, T, L, &'a T>;

/// Mutable blocks of lanes, and which lanes have values. Made by [`DenseSoaArena::blocks_mut`].
pub type BlocksMut<'a, T, const L: usize> = PackedBlocks<'a, T, L, &'a mut T>;

shows_type! {
    [T: Soa, const L: usize, B] PackedBlocks<'_, T, L, B>;
}

#[cfg(feature = "rayon")]
divided! {
    [T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>] PackedBlocks<'_, T, L, B>;
}
