//! A hash table of which 4 bytes of each hash are kept.
//!
//! ```text
//! kept   1 (there is an entry) │ the hash's 24 lowest bits │ its 7 highest bits
//! ```
//! **Invariant.** The table has an entry at [`position_of_kept`](Table::position_of_kept) of what is kept of its hash,
//! which is also [`position_of`](Table::position_of) the hash.
//!
//! hashbrown looks at the lowest bits of a hash, as many as there are of a bucket's number, and at the 7 highest. Up to
//! 2²⁴ buckets the hash itself is the position, so that a search has nothing to compute. In larger tables, and where a
//! word has 32 bits, the position is all kept bits, spread.

use core::ops::{Deref, DerefMut};

use hashbrown::HashTable;

use super::no_room;
use crate::error::TryReserveError;
use crate::raw::cold_path;

/// So many entries have at most 2²⁴ buckets, whichever way a table grows.
const MOST_SMALL: usize = if cfg!(test) { 50 } else { 1 << 22 };

/// What is kept of a hash. Never 0, which stands for no hash.
#[inline]
pub(crate) const fn kept(hash: u64) -> u32 {
    hash.rotate_left(7) as u32 | 1 << 31
}

pub(crate) struct Table<T> {
    entries: HashTable<T>,
    is_large: bool,
}

/// The number of an entry's bucket: valid until the table grows, or the entry is removed.
pub(crate) type Number = usize;

impl<T> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { entries: HashTable::new(), is_large: cfg!(not(target_pointer_width = "64")) }
    }

    /// The hash by which the table has an entry of this hash.
    #[inline]
    pub(crate) const fn position_of(&self, hash: u64) -> u64 {
        if self.is_large { self.position_of_kept(kept(hash)) } else { hash }
    }

    /// The hash by which the table has an entry of whose hash this was kept.
    #[inline]
    pub(crate) const fn position_of_kept(&self, kept: u32) -> u64 {
        if self.is_large {
            cold_path();
            return (kept as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        (kept as u64).rotate_right(7)
    }

    /// Adds an entry, for which there is room.
    #[inline]
    pub(crate) fn insert(&mut self, kept: u32, entry: T) {
        let position = self.position_of_kept(kept);
        self.entries.insert_unique(position, entry, |_| unreachable!("there is room"));
    }

    /// Whether there is room for another entry.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        // (The table has this difference, and only counts with it.)
        self.capacity() - self.len() != 0
    }

    /// Makes room for so many more entries, by what was kept of the hash of each. On an error nothing has changed.
    #[inline]
    pub(crate) fn make_room(
        &mut self,
        additional: usize,
        kept: impl Fn(&T) -> u32,
    ) -> Result<(), TryReserveError> {
        let room = self.capacity() - self.len();
        if additional <= room { Ok(()) } else { self.grow(additional, kept) }
    }

    /// Moves all entries to where they are in a table of another size.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize, kept: impl Fn(&T) -> u32) -> Result<(), TryReserveError> {
        let requested = self.len().saturating_add(additional);
        let is_large = self.is_large || requested.max(self.capacity()) > MOST_SMALL;
        let position = Self { entries: HashTable::new(), is_large };
        let reserved =
            self.entries.try_reserve(additional, |entry| position.position_of_kept(kept(entry)));
        reserved.map_err(|refused| no_room(refused, requested, isize::MAX as usize))?;
        self.is_large = is_large;
        Ok(())
    }
}

impl<T> Deref for Table<T> {
    type Target = HashTable<T>;

    #[inline]
    fn deref(&self) -> &HashTable<T> {
        &self.entries
    }
}

impl<T> DerefMut for Table<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut HashTable<T> {
        &mut self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries are found by the hash and by what is kept of it, before and after the table is large.
    #[test]
    fn entries_are_found_by_hash_and_by_what_is_kept() {
        let mut table = Table::<(u64, u32)>::new();
        let mut hash = 1_u64;
        for value in 0..4 * MOST_SMALL as u32 {
            hash = hash.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(value.into());
            table.make_room(1, |entry| kept(entry.0)).expect("there is memory");
            table.insert(kept(hash), (hash, value));
            if value % 5 == 0 {
                let position = table.position_of_kept(kept(hash));
                let gone = table.find_entry(position, |entry| entry.1 == value);
                gone.expect("it was inserted").remove();
            }
            let found = |&(hash, value): &(u64, u32)| {
                let positions = [table.position_of(hash), table.position_of_kept(kept(hash))];
                positions.map(|at| table.find(at, |entry| entry.1 == value).is_some()) == [true; 2]
            };
            assert!(table.iter().all(found));
            assert_eq!(table.len(), (value - value / 5) as usize);
        }
        assert!(table.is_large && kept(0) != 0);
    }
}
