//! Side data for few of a container's objects: values under keys that it hands out, in a table of
//! hashes.

use crate::containers::container::Container;
use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::key::Key;
use crate::macros;
use crate::raw::keyed::Keyed;
use crate::raw::sparse::{self, Sparse};
use crate::stats::MemoryUsage;

/// Values under keys that someone else hands out, for few of the objects of a container.
///
/// As [`SecondaryMap`](crate::SecondaryMap) in everything but memory and speed: this one takes memory for
/// its entries alone, side by side in a slice, and finds them by hash. It needs neither `std` nor another
/// crate.
///
/// # Layout
/// ```text
/// entries  ┌ key, value ┬ key, value ┬ …     as they came; the last one fills a gap
/// index    ┌ slot, position ┬ (free) ┬ …     by hash of the slot, at most three quarters full
/// ```
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert` | O(1) amortised |
/// | `get`, `remove` | O(1) on average: the index, then the entry |
/// | walk | O(entries): a slice |
/// | memory | an entry, and 11 to 22 bytes |
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
    /// An empty map, for keys of any type. Allocates nothing. O(1).
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

    /// Makes room for so many entries more. O(entries).
    ///
    /// # Panics
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, maps::SparseSecondaryMap};
    ///
    /// let mut rings = SparseSecondaryMap::<Handle<u8>, u8>::new();
    /// rings.reserve(100);
    /// assert!(rings.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(reason) = self.try_reserve(additional) {
            crate::explain::refused::<Self>(&reason);
        }
    }

    /// As [`reserve`](Self::reserve), or says why there is no room. O(entries).
    ///
    /// # Errors
    /// If memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, maps::SparseSecondaryMap};
    ///
    /// let mut rings = SparseSecondaryMap::<Handle<u8>, u8>::new();
    /// assert!(rings.try_reserve(100).is_ok());
    /// assert!(rings.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.map.try_reserve(additional)
    }
}

macros::secondary::map! {
    SparseSecondaryMap in "sparse_secondary",
    order: "in the order in which they came, but that the last one fills the gap of a removed one",
    walk: "O(entries) for all.",
    capacity: "Counted are entries.",
    iter: sparse::Iter<'a, K, V>, iter_mut: sparse::IterMut<'a, K, V>,
    into_iter: sparse::IntoIter<K, V>, drain: sparse::Drain<'a, K, V>,
    extract_if: sparse::ExtractIf<'a, K, V, F>,
}

/// For the project's own tests.
#[doc(hidden)]
impl<K: Key, V> SparseSecondaryMap<K, V> {
    /// How many cells are looked at, beyond the first, for the key that is hardest to find.
    #[must_use]
    pub fn longest_probe(&self) -> usize {
        self.map.longest_probe()
    }
}
