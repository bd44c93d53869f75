//! Values that lie side by side; the last one fills each gap.

mod rows;

use core::ptr::NonNull;

use crate::containers::{dense, entry, pairs};
use crate::key::Handle;
use crate::memory::buffer::Buffer;
use crate::raw::packed as raw;

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
/// # Memory after a spike
/// [`shrink_to_fit`](Self::shrink_to_fit) keeps room for the values and keys that are left, whichever slots they
/// have, and 4 bytes and a bit for each slot up to the last one used. While the arena has more slots than room for
/// values, [`capacity`](Self::capacity) is a lower bound, like that of a `HashMap`: that many values fit, and up to
/// 63 more may. It may fall when a value is removed, and never rises when memory is given back.
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
pub type DenseArena<T, K = Handle<T>> = dense::Dense<T, K, Buffer<T>>;

/// Keys and values, in position order.
pub type Iter<'a, T, K> = dense::Iter<'a, T, K>;

/// Keys and mutable values, in position order.
pub type IterMut<'a, T, K> = dense::IterMut<'a, T, K>;

/// Keys, in position order.
pub type Keys<'a, T, K> = pairs::Keys<dense::DenseIter<'a, T, K, Buffer<T>>>;

/// Values, in position order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in position order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Keys and owned values, in position order.
pub type IntoIter<T, K> = dense::IntoIter<T, K, Buffer<T>, NonNull<T>>;

/// Values of a consumed container, in position order.
pub type IntoValues<T, K> = pairs::Values<IntoIter<T, K>>;

/// Removes all values and yields them, in position order.
pub type Drain<'a, T, K> = dense::Drain<'a, T, K, NonNull<T>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, K, F> = dense::ExtractIf<'a, T, K, F, Buffer<T>>;

/// Room for one value.
pub type VacantEntry<'a, T, K> = entry::VacantEntry<'a, K, raw::Packed<T, K, Buffer<T>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, K, I> = entry::InsertMany<'a, K, raw::Packed<T, K, Buffer<T>>, I>;
