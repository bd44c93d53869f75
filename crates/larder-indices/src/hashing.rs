//! A hash table of which 4 bytes of each hash are kept, and what an index has in it: an entry of each
//! property, with one key or several.
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

#![allow(
    unnameable_types,
    unreachable_pub,
    missing_debug_implementations,
    reason = "parts of the seal on `ByHash`, which is there with the indices"
)]

use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};

use hashbrown::HashTable;

use larder_core::TryReserveError;
use larder_core::containers::MemoryUsage;
use larder_core::room::of_table;

/// The number of entries that have at most 2²⁴ buckets, whichever way a table grows.
const MOST_SMALL: usize = if cfg!(test) { 50 } else { 1 << 22 };

/// Returns the part of a hash that is stored. Never 0, which stands for no hash.
#[inline]
pub(crate) const fn kept(hash: u64) -> u32 {
    hash.rotate_left(7) as u32 | 1 << 31
}

pub struct Table<T> {
    entries: HashTable<T>,
    is_large: bool,
}

/// The number of an entry's bucket: valid until the table grows, or the entry is removed.
pub(crate) type Number = usize;

/// Marks the current path as unlikely.
#[inline]
#[cold]
const fn cold_path() {}

/// The hash by which a table has an entry of whose hash this was kept.
#[inline]
const fn position_of_kept(kept: u32, is_large: bool) -> u64 {
    if is_large {
        cold_path();
        return (kept as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (kept as u64).rotate_right(7)
}

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
        position_of_kept(kept, self.is_large)
    }

    /// Adds an entry, for which there is room.
    #[inline]
    pub(crate) fn insert(&mut self, kept: u32, entry: T) {
        let position = self.position_of_kept(kept);
        self.entries.insert_unique(position, entry, |_| unreachable!("there is room"));
    }

    /// Returns whether there is room for another entry.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        // (The table has this difference, and only counts with it.)
        self.capacity() - self.len() != 0
    }

    /// Makes room for `additional` more entries, by the kept part of the hash of each. On an error nothing has changed.
    #[inline]
    pub(crate) fn make_room(
        &mut self,
        additional: usize,
        kept: impl Fn(&T) -> u32,
    ) -> Result<(), TryReserveError> {
        let room = self.capacity() - self.len();
        if additional <= room { Ok(()) } else { self.grow(additional, kept) }
    }

    /// Makes room for `additional` more entries, of which any may be removed and others added. On an error nothing has
    /// changed.
    pub(crate) fn try_reserve(
        &mut self,
        additional: usize,
        kept: impl Fn(&T) -> u32,
    ) -> Result<(), TryReserveError> {
        // (Deleted entries leave marks. A table that is half full of these is only put in order.)
        let doubled = self.len().saturating_add(additional).saturating_mul(2);
        let full = self.entries.num_buckets() / 8 * 7;
        if doubled <= full { Ok(()) } else { self.make_room(doubled - self.len(), kept) }
    }

    /// Moves all entries into a table that has room for them alone, if that is smaller and there is memory for it.
    pub(crate) fn shrink_to_fit(&mut self, kept: impl Fn(&T) -> u32) {
        let mut fitting = Self::new();
        let has_room = fitting.make_room(self.len(), |_| unreachable!("it is empty")).is_ok();
        if has_room && fitting.num_buckets() < self.num_buckets() {
            for entry in mem::take(&mut self.entries) {
                fitting.insert(kept(&entry), entry);
            }
            *self = fitting;
        }
    }

    /// Moves all entries to where they are in a table of another size.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize, kept: impl Fn(&T) -> u32) -> Result<(), TryReserveError> {
        let requested = self.len().saturating_add(additional);
        let is_large = self.is_large || requested.max(self.capacity()) > MOST_SMALL;
        let hash = move |entry: &T| position_of_kept(kept(entry), is_large);
        let reserved = self.entries.try_reserve(additional, hash);
        reserved.map_err(|refused| of_table(refused, requested, isize::MAX as usize))?;
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

/// Properties and their keys. User code runs only in the closures that callers pass, and while nothing is half changed.
///
/// `kept` answers what is [kept] of the hash under which a key is filed.
pub trait Entries<Q, K: Copy>: Sized {
    type Entry: Entry<Q, K>;
    type Place: Place;

    /// The name of the type by which users know an index of them, for panics.
    type Shown<S>;

    /// True if each entry has one key, so that there are as many keys as entries.
    const ONE_EACH: bool = false;

    const NEW: Self;

    fn table(&self) -> &Table<Self::Entry>;

    /// Returns whether a key can be added without [making room](Self::make_room) first. (Entries that keep their hashes
    /// make room when a key is added.)
    #[inline]
    fn has_room(&self) -> bool {
        true
    }

    /// Adds a key to the entry of that hash and property, or begins it where there [is room](Self::has_room).
    /// Sets the key's place, and returns the property where the entry has it already. On an error, or if `Eq`
    /// panics, nothing visible has changed.
    fn add(
        &mut self,
        hash: u64,
        property: Q,
        key: K,
        place: &mut Self::Place,
    ) -> Result<Option<Q>, NoRoom<K>>
    where
        Q: Eq;

    /// Makes room for one more key in an entry; for an entry, if there is none. On an error nothing visible
    /// has changed.
    fn make_room(
        &mut self,
        entry: Option<Number>,
        kept: impl Fn(K) -> u32,
    ) -> Result<(), NoRoom<K>>;

    /// Begins an entry, for which there is room, with a key. `kept` is what is [kept] of the property's hash.
    fn begin(&mut self, kept: u32, property: Q, key: K) -> Self::Place;

    /// Adds a key to an entry that has room for it.
    fn push(&mut self, entry: Number, key: K) -> Self::Place;

    /// Puts a key in place of another one.
    fn set(&mut self, entry: Number, position: u32, key: K);

    /// Removes the key at a position of an entry, which exist.
    fn remove(&mut self, entry: Number, position: u32) -> Removed<Q, K>;

    /// Removes the key at a position of the entry of which this was kept, if the entry is such a one.
    fn remove_at(
        &mut self,
        kept: u32,
        position: u32,
        is_it: impl Fn(&Self::Entry) -> bool,
    ) -> Option<Removed<Q, K>>;

    /// Removes everything and keeps the memory.
    fn clear(&mut self);

    /// Makes room for `keys` more keys, in any entries. On an error nothing visible has changed.
    fn try_reserve(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError>;

    /// Gives back the memory that the keys do not need, if there is memory for a copy of what they need.
    fn shrink_to_fit(&mut self, kept: impl Fn(K) -> u32);

    /// Makes room for this many more keys, as [`try_reserve`](Self::try_reserve) does, but only the room that they need
    /// whatever their entries are.
    fn expect(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError>;

    /// A copy in which all keys have the same places.
    fn try_clone(&self, kept: impl Fn(K) -> u32) -> Result<Self, TryReserveError>
    where
        Q: Clone;

    /// Returns the use of its memory; `values` are keys.
    fn memory_usage(&self) -> MemoryUsage;

    /// Panics if it is inconsistent.
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    fn validate(&self) {}
}

/// The name of an index whose entries have one key each.
#[derive(Debug)]
pub struct UniqueIndex<Q, K, S>(PhantomData<(Q, K, S)>);

/// The name of an index whose entries have several keys.
#[derive(Debug)]
pub struct MultiIndex<Q, K, S>(PhantomData<(Q, K, S)>);

pub trait Entry<Q, K> {
    /// The property and its keys.
    fn get(&self) -> (&Q, &[K]);
}

/// By the slot of a key: what is kept of its entry's hash, and the key's position there. The default stands for no key.
pub trait Place: Copy + Default + PartialEq + fmt::Debug {
    fn kept(self) -> u32;
    fn position(self) -> u32;
}

/// The position is 0: of the only key.
impl Place for u32 {
    #[inline]
    fn kept(self) -> u32 {
        self
    }

    #[inline]
    fn position(self) -> u32 {
        0
    }
}

impl Place for (u32, u32) {
    #[inline]
    fn kept(self) -> u32 {
        self.0
    }

    #[inline]
    fn position(self) -> u32 {
        self.1
    }
}

/// The effect of a removal on an entry.
pub enum Removed<Q, K> {
    /// The entry's last key has moved to where the removed one was.
    Moved(K),
    /// The removed key was the last of several.
    Last,
    /// It was the only one: the entry is removed.
    Entry(Q),
}

/// The reason why there is no room for a key.
pub enum NoRoom<K> {
    /// The entry has its only key.
    Unique(K),
    Memory(TryReserveError),
}

impl<K> From<TryReserveError> for NoRoom<K> {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
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
