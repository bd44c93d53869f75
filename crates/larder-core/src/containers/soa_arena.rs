//! Values in columns that stay in their slot; removal leaves a hole.

mod columns;

use crate::containers::{entry, pairs, slots};
use crate::key::Handle;
use crate::macros::shows_type;
#[cfg(feature = "rayon")]
use crate::parallel::divided;
use crate::raw::split::{self, SplitWalk};
pub use crate::raw::split::{LendingBlocks, LendingGroups, LendingRuns};
use crate::raw::store::Store;
use crate::soa::Soa;
#[cfg(feature = "rayon")]
use crate::soa::raw::BorrowedColumns;
use crate::soa::raw::{Columns, InColumns};
#[cfg(feature = "rayon")]
use crate::soa::{Lanes, Split};

/// Each field in a column, and the generations in another.
pub(crate) type ByField<T, K> = split::Apart<T, K, Columns<T>>;

/// Walks over the slots of columns.
pub(crate) type ColumnWalk<T, K> = SplitWalk<T, K, InColumns<T>>;

/// Values in slots, each field in a column of its own, accessed by handles.
///
/// A loop over one field of many values reads nothing else, and [`columns`](Self::columns) are plain
/// slices: for SIMD, a GPU, a file. A value stays in its slot until it is removed; its fields are then what
/// [`Fill`](crate::soa::Fill) says, so a loop over whole columns may ignore which slots are holes. A stale handle
/// never refers to another value.
///
/// Use [`Arena`](crate::Arena) if whole values are looked up at random: a row is one cache line or two, a
/// value in columns one for each field. Use [`DenseSoaArena`](crate::DenseSoaArena) if columns must have no
/// holes.
///
/// # Layout
/// ```text
/// column x     │ x0 │ x1 │ 0.0 │ x3 │   one allocation for all columns; each begins at a cache
/// column name  │ n0 │ n1 │ ""  │ n3 │   line of its own modulo 4 KiB
/// generations  │ 1  │ 3  │ 2   │ 1  │   4 bytes a slot
/// occupancy    1 1 0 1 …               one bit a slot
/// ```
/// Beside the fields it takes 4.2 bytes a slot with [`Handle`], 4.3 in a fixed arena, and nothing for alignment
/// between fields.
/// With `#[soa(lanes = 8)]` groups of eight values lie together, each field an array: see
/// [`blocks`](Self::blocks).
///
/// It is invariant in `T`, since the [`Soa`] of `T` decides on the columns.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1), a cache line a field; `insert` amortised if it grows |
/// | iteration | O(live + slots / 64), for the columns that are read |
/// | a loop over a whole column | that of a slice |
///
/// # Examples
/// ```
/// use larder::SoaArena;
///
/// let mut bodies = SoaArena::new();
/// let moon = bodies.insert((1.0_f32, 0.5_f32)); // place, speed
/// let comet = bodies.insert((9.0, -3.0));
///
/// let (places, speeds) = bodies.columns_mut();
/// for (place, speed) in places.iter_mut().zip(speeds) {
///     *place += *speed;
/// }
/// assert_eq!(bodies.get(moon), Some((&1.5, &0.5)));
/// bodies.remove(comet);
/// assert_eq!(bodies.columns().0, [1.5, 0.0]); // holes are safe to compute with
/// ```
#[doc(alias("SoA", "structure of arrays", "struct of arrays", "MultiArrayList", "soa"))]
pub type SoaArena<T, K = Handle<T>> = slots::Slots<T, K, ByField<T, K>>;

/// Keys and values, in slot order.
pub type Iter<'a, T, K> = slots::Iter<'a, T, K, ColumnWalk<T, K>>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, K> = slots::IterMut<'a, T, K, ColumnWalk<T, K>>;

/// Keys, in slot order.
pub type Keys<'a, T, K> = pairs::Keys<Iter<'a, T, K>>;

/// Values, in slot order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in slot order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Keys and owned values, in slot order.
pub type IntoIter<T, K> = slots::IntoIter<T, K, ByField<T, K>>;

/// Values of a consumed container, in slot order.
pub type IntoValues<T, K> = pairs::Values<IntoIter<T, K>>;

/// Removes all values and yields them, in slot order.
pub type Drain<'a, T, K> = slots::Drain<'a, T, K, ByField<T, K>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, K, F> = slots::ExtractIf<'a, T, K, F, ByField<T, K>>;

/// Room for one value.
pub type VacantEntry<'a, T, K> = entry::VacantEntry<'a, K, Store<T, K, ByField<T, K>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, K, I> = entry::InsertMany<'a, K, Store<T, K, ByField<T, K>>, I>;

/// Blocks of lanes, and which lanes have values. Made by [`SoaArena::blocks`](crate::SoaArena::blocks).
pub type Blocks<'a, T, const L: usize> = LendingBlocks<'a, T, L, &'a T>;

/// Mutable blocks of lanes, and which lanes have values. Made by
/// [`SoaArena::blocks_mut`](crate::SoaArena::blocks_mut).
pub type BlocksMut<'a, T, const L: usize> = LendingBlocks<'a, T, L, &'a mut T>;

/// The columns of runs of live slots. Made by [`SoaArena::runs`](crate::SoaArena::runs).
pub type Runs<'a, T> = LendingRuns<'a, T, &'a T>;

/// The mutable columns of runs of live slots. Made by
/// [`SoaArena::runs_mut`](crate::SoaArena::runs_mut).
pub type RunsMut<'a, T> = LendingRuns<'a, T, &'a mut T>;

/// The columns of groups of 64 slots, and which are live. Made by
/// [`SoaArena::groups`](crate::SoaArena::groups).
pub type Groups<'a, T> = LendingGroups<'a, T, 64, &'a T>;

/// The mutable columns of groups of 64 slots, and which slots are live. Made by
/// [`SoaArena::groups_mut`](crate::SoaArena::groups_mut).
pub type GroupsMut<'a, T> = LendingGroups<'a, T, 64, &'a mut T>;

shows_type! {
    [T: Soa, const L: usize, B] LendingBlocks<'_, T, L, B>;
    [T: Soa, B] LendingRuns<'_, T, B>;
    [T: Soa, const L: usize, B] LendingGroups<'_, T, L, B>;
}

#[cfg(feature = "rayon")]
divided! {
    [T: Soa<Arrangement = Lanes<L>>, const L: usize, B: BorrowedColumns<Value = T>] LendingBlocks<'_, T, L, B>;
    [T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>] LendingRuns<'_, T, B>;
    [T: Soa<Arrangement = Split>, B: BorrowedColumns<Value = T>] LendingGroups<'_, T, 64, B>;
}
