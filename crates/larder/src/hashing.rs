//! Hashes of 4 bytes that hash tables store, so that neither growing a table nor removing from it runs user code.

use core::hash::{BuildHasher, Hash};

use hashbrown::TryReserveError as TableError;

use crate::error::TryReserveError;

/// A stored hash for the table, which uses both ends of it.
pub(crate) fn wide(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// The error of a table that has no room for `requested` entries.
pub(crate) fn no_room(refused: TableError, requested: usize, max: usize) -> TryReserveError {
    match refused {
        TableError::AllocError { layout } => TryReserveError::AllocRefused { bytes: layout.size() },
        TableError::CapacityOverflow => TryReserveError::CapacityOverflow { requested, max },
    }
}

/// What an index keeps of a hash, by key and in its table, to find an entry again without user code. Never 0, which
/// stands for no hash.
#[cfg(feature = "indices")]
#[inline]
pub(crate) fn kept_hash(hasher: &impl BuildHasher, value: &(impl Hash + ?Sized)) -> u32 {
    hasher.hash_one(value) as u32 | 1 << 31
}

/// The hash by which a table has an entry, of what was kept. (The table looks at the lowest bits, which are as different
/// as those of the hash, and at the 7 highest, which depend on all.)
#[cfg(feature = "indices")]
#[inline]
pub(crate) const fn table_hash(kept: u32) -> u64 {
    (kept as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
