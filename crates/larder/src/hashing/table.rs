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

use core::mem;

use hashbrown::HashTable;
use hashbrown::hash_table::{Entry, OccupiedEntry};

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

#[derive(Clone)]
pub(crate) struct Table<T> {
    entries: HashTable<T>,
    is_large: bool,
}

/// The number of an entry: valid until the table grows, or the entry is removed.
pub(crate) type Number = usize;

impl<T> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { entries: HashTable::new(), is_large: cfg!(not(target_pointer_width = "64")) }
    }

    #[inline]
    const fn position_of(&self, hash: u64) -> u64 {
        if self.is_large {
            cold_path();
            return self.position_of_kept(kept(hash));
        }
        hash
    }

    #[inline]
    const fn position_of_kept(&self, kept: u32) -> u64 {
        let kept = kept as u64;
        if self.is_large { kept.wrapping_mul(0x9E37_79B9_7F4A_7C15) } else { kept.rotate_right(7) }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        self.entries.find(self.position_of(hash), is_it)
    }

    #[inline]
    pub(crate) fn find_mut(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&mut T> {
        self.entries.find_mut(self.position_of(hash), is_it)
    }

    #[inline]
    pub(crate) fn find_number(&self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<Number> {
        self.entries.find_bucket_index(self.position_of(hash), is_it)
    }

    /// The entry of which this was kept.
    #[inline]
    pub(crate) fn find_kept(&self, kept: u32, is_it: impl FnMut(&T) -> bool) -> Option<Number> {
        self.entries.find_bucket_index(self.position_of_kept(kept), is_it)
    }

    /// The entry of a number, which was found.
    #[inline]
    pub(crate) fn get(&self, number: Number) -> &T {
        self.entries.get_bucket(number).unwrap_or_else(|| unreachable!("it was found"))
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: Number) -> &mut T {
        self.entries.get_bucket_mut(number).unwrap_or_else(|| unreachable!("it was found"))
    }

    /// To remove the entry of a number.
    #[inline]
    pub(crate) fn occupied(&mut self, number: Number) -> OccupiedEntry<'_, T> {
        self.entries.get_bucket_entry(number).unwrap_or_else(|_| unreachable!("it was found"))
    }

    /// To remove the entry of which this was kept.
    #[inline]
    pub(crate) fn occupied_kept(
        &mut self,
        kept: u32,
        is_it: impl FnMut(&T) -> bool,
    ) -> Option<OccupiedEntry<'_, T>> {
        self.entries.find_entry(self.position_of_kept(kept), is_it).ok()
    }

    /// The entry of that hash, or where it will be: there is room.
    #[inline]
    pub(crate) fn entry(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Entry<'_, T> {
        self.entries.entry(self.position_of(hash), is_it, |_| unreachable!("there is room"))
    }

    /// Adds an entry that is not there: there is room.
    #[inline]
    pub(crate) fn insert(&mut self, kept: u32, entry: T) {
        let position = self.position_of_kept(kept);
        self.entries.insert_unique(position, entry, |_| unreachable!("there is room"));
    }

    /// Makes room for so many more entries, by what was kept of the hash of each. On an error nothing has changed.
    #[inline]
    pub(crate) fn try_reserve(
        &mut self,
        additional: usize,
        kept: impl Fn(&T) -> u32,
    ) -> Result<(), TryReserveError> {
        let room = self.entries.capacity() - self.entries.len();
        if additional <= room { Ok(()) } else { self.grow(additional, kept) }
    }

    /// Moves all entries, to where they are in a table of another size.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize, kept: impl Fn(&T) -> u32) -> Result<(), TryReserveError> {
        let requested = self.len().saturating_add(additional);
        let is_large = self.is_large || requested.max(self.entries.capacity()) > MOST_SMALL;
        let was_large = mem::replace(&mut self.is_large, is_large);
        let rule = Self { entries: HashTable::new(), is_large };
        let reserved =
            self.entries.try_reserve(additional, |entry| rule.position_of_kept(kept(entry)));
        reserved.map_err(|refused| {
            self.is_large = was_large;
            no_room(refused, requested, isize::MAX as usize)
        })
    }

    pub(crate) fn retain(&mut self, keep: impl FnMut(&mut T) -> bool) {
        self.entries.retain(keep);
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn iter(&self) -> hashbrown::hash_table::Iter<'_, T> {
        self.entries.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> hashbrown::hash_table::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Entries are found by the hash and by what is kept of it, before and after the table is large.
    #[test]
    fn entries_are_found_by_hash_and_by_what_is_kept() {
        let mut table = Table::<(u64, u32)>::new();
        let mut hash = 1_u64;
        for value in 0..4 * MOST_SMALL as u32 {
            hash = hash.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(value.into());
            table.try_reserve(1, |entry| kept(entry.0)).expect("there is memory");
            match table.entry(hash, |entry| entry.0 == hash) {
                Entry::Vacant(entry) if value % 2 == 0 => drop(entry.insert((hash, value))),
                _ => table.insert(kept(hash), (hash, value)),
            }
            if value % 5 == 0 {
                let gone = table.occupied_kept(kept(hash), |entry| entry.1 == value);
                gone.expect("it was inserted").remove();
            }
            let found = |&(hash, value): &(u64, u32)| {
                let number = table.find_number(hash, |entry| entry.1 == value);
                number.is_some() && number == table.find_kept(kept(hash), |entry| entry.1 == value)
            };
            assert!(table.iter().all(found));
            assert_eq!(table.len(), (value - value / 5) as usize);
        }
        assert!(table.is_large && kept(0) != 0);
        let removed: Vec<_> = table.iter().map(|entry| entry.0).collect();
        for hash in removed {
            let number = table.find_number(hash, |entry| entry.0 == hash).expect("it is there");
            table.occupied(number).remove();
        }
        assert_eq!(table.len(), 0);
    }
}
