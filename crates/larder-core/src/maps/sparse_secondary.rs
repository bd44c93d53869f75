//! Side data in a hash table.

use alloc::vec;

use crate::key::Key;
use crate::maps::raw::sparse::{self, Sparse};
use crate::maps::secondary::{self, SideMap};

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
pub type SparseSecondaryMap<K, V> = SideMap<K, V, Sparse<K, V>>;

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

/// Keys and values: a [`secondary::Iter`].
pub type Iter<'a, K, V> = secondary::Iter<'a, K, V, sparse::Iter<'a, K, V>>;

/// Keys and mutable values: a [`secondary::IterMut`].
pub type IterMut<'a, K, V> = secondary::IterMut<'a, K, V, sparse::IterMut<'a, K, V>>;

/// Keys: a [`secondary::Keys`].
pub type Keys<'a, K, V> = secondary::Keys<'a, K, V, sparse::Iter<'a, K, V>>;

/// Values: a [`secondary::Values`].
pub type Values<'a, K, V> = secondary::Values<'a, K, V, sparse::Iter<'a, K, V>>;

/// Mutable values: a [`secondary::ValuesMut`].
pub type ValuesMut<'a, K, V> = secondary::ValuesMut<'a, K, V, sparse::IterMut<'a, K, V>>;

/// Keys and owned values: a [`secondary::IntoIter`].
pub type IntoIter<K, V> = secondary::IntoIter<K, V, vec::IntoIter<(K, V)>>;

/// Values of a consumed map: a [`secondary::IntoValues`].
pub type IntoValues<K, V> = secondary::IntoValues<K, V, vec::IntoIter<(K, V)>>;

/// Entries that are removed: a [`secondary::Drain`].
pub type Drain<'a, K, V> = secondary::Drain<'a, K, V, vec::Drain<'a, (K, V)>>;

/// Entries that a closure chooses: a [`secondary::ExtractIf`].
pub type ExtractIf<'a, K, V, F> = secondary::ExtractIf<'a, K, V, F, sparse::ExtractIf<'a, K, V, F>>;
