//! Side data in a hash table.

use crate::containers::container::Container;
use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::key::Key;
use crate::key::refusal;
use crate::maps::entry::{Entries, Entry, OccupiedEntry, VacantEntry};
use crate::maps::methods::map;
use crate::raw::sparse::{self, Sparse};
use crate::stats::Stats;

/// Values under the keys of a container, for few of its objects.
///
/// It differs from [`SecondaryMap`](crate::SecondaryMap) in memory and speed only: entries lie side by side in a
/// slice, and are found by hash. Its memory is that of its entries, whatever slots keys name.
///
/// # Layout
/// ```text
/// entries  ┌ key, value ┬ key, value ┬ …     as inserted; the last entry fills a gap
/// table    ┌ position ┬ (free) ┬ …           by hash of the slot, at most seven eighths full
/// ```
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1) amortised |
/// | `get`, `remove` | O(1) on average: the table, then the entry |
/// | walk | O(entries): a slice |
/// | memory | an entry, and 6 to 12 bytes |
///
/// # Examples
/// ```
/// use larder::{Arena, maps::SparseSecondaryMap};
///
/// let mut birds = Arena::from_iter((0..10_000).map(|number| format!("wren {number}")));
/// let ringed = birds.key_of_slot(9_000).unwrap();
///
/// let mut rings = SparseSecondaryMap::new();
/// rings.insert(ringed, "GB 4711");
/// assert_eq!(rings[ringed], "GB 4711");
///
/// birds.remove(ringed);
/// rings.retain_live(&birds);
/// assert!(rings.is_empty());
/// ```
#[doc(alias("side table", "component", "sparse set", "hash map"))]
pub struct SparseSecondaryMap<K: Key, V> {
    pub(crate) map: Sparse<K, V>,
}

impl<K: Key, V> SparseSecondaryMap<K, V> {
    /// Makes an empty map. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, maps::SparseSecondaryMap};
    ///
    /// struct Bird;
    ///
    /// let rings: SparseSecondaryMap<Handle<Bird>, String> = SparseSecondaryMap::new();
    /// assert!(rings.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { map: Sparse::new() }
    }
}

map! {
    SparseSecondaryMap,
    order: "in order of insertion, except that the last entry fills the gap of a removed one",
    walk: "O(entries) for all.",
    capacity: "The capacity counts entries.",
    reserve: "Their keys may name any slots. O(capacity).",
    iter: sparse::Iter<'a, K, V>, iter_mut: sparse::IterMut<'a, K, V>,
    into_iter: sparse::IntoIter<K, V>, drain: sparse::Drain<'a, K, V>,
    extract_if: sparse::ExtractIf<'a, K, V, F>,
}

impl<K: Key, V> SparseSecondaryMap<K, V> {
    /// Returns how many groups of the table are looked at for the key that is hardest to find, for the project's own
    /// tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    #[must_use]
    pub fn longest_probe(&self) -> usize {
        self.map.longest_probe()
    }
}
