//! What tables of hashes have in common: a hash is 4 bytes and kept, so that neither growing a table
//! nor taking something out of it runs code of the user.

use core::hash::{BuildHasher, Hash};

use hashbrown::TryReserveError as TableError;

use crate::error::TryReserveError;

/// The hash that is kept. The only place where code of the user runs.
pub(crate) fn hash_of(hasher: &impl BuildHasher, value: &(impl Hash + ?Sized)) -> u32 {
    let hash = hasher.hash_one(value);
    (hash >> 32) as u32 ^ hash as u32
}

/// A kept hash for the table, which looks at both ends of it.
pub(crate) fn wide(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// What a table says that has no room for `requested` entries, in the words of containers.
pub(crate) fn no_room(refused: TableError, requested: usize, max: usize) -> TryReserveError {
    match refused {
        TableError::AllocError { layout } => TryReserveError::AllocRefused { bytes: layout.size() },
        TableError::CapacityOverflow => TryReserveError::CapacityOverflow { requested, max },
    }
}
