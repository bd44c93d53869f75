//! Side data: values under keys that some other container hands out, in an array.

use crate::containers::container::Container;
use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::key::Key;
use crate::macros;
use crate::raw::keyed::Keyed;
use crate::raw::side::{self, Side};
use crate::stats::MemoryUsage;

/// Values under keys that someone else hands out: side data for the objects of a container.
///
/// The container knows nothing of it: when an object is removed, its entry stays, as a *stale* one.
/// It never answers for the next object in the slot, whose key is another; it is replaced when
/// something is inserted for that one, and [`retain_live`](Self::retain_live) drops all of them.
/// [`join`](crate::join()) walks over maps and containers together, and passes stale entries over.
///
/// Take [`SparseSecondaryMap`](crate::maps::SparseSecondaryMap) where few of the objects have an entry. The
/// values may be of any type, `()` too: then it is a set of keys.
///
/// # Layout
/// ```text
/// array      ┌ value 0 │ gen ┬ value 1 │ gen ┬ …     by slot; at least one in eight is in use when it grows
/// occupancy  1 0 1 1 …                               one bit a slot
/// far        (key, value) (key, value) …             those far from all others, found by hash
/// ```
/// As in [`Arena`](crate::Arena), a value lies beside its generation, in the slot that its key names.
/// The array does not grow to a slot far beyond the others: such an entry takes the memory, and a lookup
/// the time, that it would in a [`SparseSecondaryMap`](crate::maps::SparseSecondaryMap), until there are
/// enough entries before it. So memory is that of the entries, at most sixteen slots of the array for each
/// (when it last grew), whatever slots keys name: they may come from a file, from the network, from another
/// container. [`try_insert`](Self::try_insert) returns an error where memory is refused.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1) amortised |
/// | `get`, `remove` | O(1): one cache line; where the entry is far, a hash and two |
/// | walk | O(entries + capacity / 64): the array, 64 slots at a time, then what is far |
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
///
/// let mut speeds = SecondaryMap::new();
/// speeds.insert(wren, 8.5);
/// speeds.insert(kite, 12.0);
/// birds.remove(wren);
///
/// let robin = birds.insert("robin"); // in the wren's slot
/// assert_eq!(speeds.get(robin), None);
/// assert_eq!(speeds[kite], 12.0);
/// ```
#[doc(alias("side table", "component", "column", "EntityMap", "ArenaMap", "sparse set"))]
pub struct SecondaryMap<K: Key, V> {
    pub(crate) map: Side<K, V>,
}

impl<K: Key, V> SecondaryMap<K, V> {
    /// An empty map, for keys of any type. Allocates nothing. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, SecondaryMap};
    ///
    /// struct Bird;
    ///
    /// let speeds: SecondaryMap<Handle<Bird>, f32> = SecondaryMap::new();
    /// assert!(speeds.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { map: Side::new() }
    }
}

macros::secondary::map! {
    SecondaryMap in "secondary",
    order: "in slot order, then those far from all others",
    walk: "O(entries + capacity / 64) for all.",
    capacity: "Counted are the slots of the array: a key of a slot below has its place there.",
    iter: side::Iter<'a, K, V>, iter_mut: side::IterMut<'a, K, V>,
    into_iter: side::IntoIter<K, V>, drain: side::Drain<'a, K, V>,
    extract_if: side::ExtractIf<'a, K, V, F>,
}
