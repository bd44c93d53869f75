//! Side data in an array.

use crate::containers::container::Container;
use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::key::Key;
use crate::key::refusal;
use crate::maps::entry::{Entries, Entry, OccupiedEntry, VacantEntry};
use crate::maps::methods::map;
use crate::raw::side::{self, Side};
use crate::stats::Stats;

/// Values under the keys of a container: side data for its objects, by slot.
///
/// The container is not linked to the map: when an object is removed, its entry stays, and is *stale*. A
/// stale entry is never returned for the next object in the slot, since the keys differ. It is replaced when
/// a value is inserted for that object, and [`retain_live`](Self::retain_live) drops all stale entries.
/// [`join`](crate::join()) walks maps and containers together and skips stale entries.
///
/// Use `SparseSecondaryMap` (feature `hashbrown`) if few of the objects have an entry. With values of type `()` a map
/// is a set of keys.
///
/// # Layout
/// ```text
/// array      ┌ value 0 │ gen ┬ value 1 │ gen ┬ …     by slot
/// occupancy  1 0 1 1 …                               one bit a slot
/// ```
/// As in [`Arena`](crate::Arena), a value lies beside its generation, in the slot that its key names.
///
/// # Memory
/// That of a value, its generation (4 bytes, padded to the value's alignment) and a bit for each slot up to
/// the largest that has had an entry; while the map grows, up to twice that, and up to 8 times that for the
/// bits, or 512 bytes. The keys of a container name slots of objects that it has or had, so the map is never
/// much larger than the container was. A key from a file, the network or another container can name any slot:
/// as with `Vec::resize`, inserting under it asks the allocator for all slots below it at once. Beyond 4 MiB
/// only the pages of used slots take memory, where these are few and the allocator has pages that the system
/// provides on first use. Where it refuses, [`try_insert`](Self::try_insert) returns an error,
/// [`insert`](Self::insert) panics, and nothing has changed. `SparseSecondaryMap` takes memory for its
/// entries only, whatever slots keys name.
///
/// A map that is loaded, with serde or from a snapshot, must not be much larger than its file: its array may have 16
/// KiB, and for each entry 2 KiB or 8 slots. A file whose slots are farther apart is an error, also if it is a map's
/// that had so few entries; it can be loaded as a `SparseSecondaryMap`, or with serde as a `Vec<(K, V)>`, and
/// [collected](Self::from_iter) into a map, which has no limit.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1) amortised |
/// | `get`, `remove` | O(1): one cache line |
/// | walk | O(entries + capacity / 64): 64 slots at a time |
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
    /// How many bytes the array has for each slot.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) const ROW_BYTES: usize = Side::<K, V>::ROW_BYTES;

    /// Makes an empty map. O(1): allocates nothing.
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

map! {
    SecondaryMap,
    order: "in slot order",
    walk: "O(entries + capacity / 64) for all.",
    capacity: "The capacity counts slots of the array, not entries.",
    reserve: "The slots of their keys have to be below the capacity, as those of a container of this capacity are. O(capacity).",
    iter: side::Iter<'a, K, V>, iter_mut: side::IterMut<'a, K, V>,
    into_iter: side::IntoIter<K, V>, drain: side::Drain<'a, K, V>,
    extract_if: side::ExtractIf<'a, K, V, F>,
}
