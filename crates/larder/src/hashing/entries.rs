//! What an index by hash has of each property: an entry of a table, with one key or several.

use core::fmt;

use super::table::{Number, Table};
use crate::error::TryReserveError;
use crate::stats::MemoryUsage;

/// Properties and their keys. User code runs only in the closures that callers pass, and while nothing is half changed.
///
/// `kept` answers what is [kept](super::table::kept) of the hash under which a key is filed.
pub(crate) trait Entries<Q, K: Copy>: Sized {
    type Entry: Entry<Q, K>;
    type Place: Place;

    const NEW: Self;

    fn table(&self) -> &Table<Self::Entry>;

    /// Whether room need not be [made](Self::make_room) before a key is added. (Where entries keep their hashes,
    /// adding makes room itself.)
    #[inline]
    fn has_room(&self) -> bool {
        true
    }

    /// Adds a key to the entry of that hash and property, or begins it where there [is room](Self::has_room). Returns the
    /// key's place, and the property where the entry has it already. On an error, or if `Eq` panics, nothing visible has
    /// changed.
    fn add(
        &mut self,
        hash: u64,
        property: Q,
        key: K,
    ) -> Result<(Self::Place, Option<Q>), NoRoom<K>>
    where
        Q: Eq;

    /// Makes room for one more key in an entry; for an entry, if there is none. On an error nothing visible has changed.
    fn make_room(
        &mut self,
        entry: Option<Number>,
        kept: impl Fn(K) -> u32,
    ) -> Result<(), NoRoom<K>>;

    /// Begins an entry, for which there is room, with a key.
    fn begin(&mut self, hash: u64, property: Q, key: K) -> Self::Place;

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

    /// Removes the keys for which `keep` returns `false`, and tells `removed` of each, and of the key that has moved to
    /// its place. If `keep` or a property's `Drop` panics, the keys visited before are decided.
    fn retain(
        &mut self,
        keep: impl FnMut(K) -> bool,
        removed: impl FnMut(K, Option<(K, Self::Place)>),
    );

    /// Removes everything and keeps the memory.
    fn clear(&mut self);

    /// Makes room for so many keys more. On an error nothing visible has changed.
    fn try_reserve(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError>;

    /// A copy in which all keys have the same places.
    fn try_clone(&self, kept: impl Fn(K) -> u32) -> Result<Self, TryReserveError>
    where
        Q: Clone;

    /// What its memory is used for; `values` are keys.
    fn memory_usage(&self) -> MemoryUsage;

    /// Panics if it is inconsistent.
    fn validate(&self) {}
}

pub(crate) trait Entry<Q, K> {
    /// The property and its keys.
    fn get(&self) -> (&Q, &[K]);
}

/// By the slot of a key: what is kept of its entry's hash, and the key's position there. The default stands for no key.
pub(crate) trait Place: Copy + Default + PartialEq + fmt::Debug {
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

/// What a removal has done to an entry.
pub(crate) enum Removed<Q, K> {
    /// The entry's last key has moved to where the removed one was.
    Moved(K),
    /// The removed key was the last of several.
    Last,
    /// It was the only one: the entry is removed.
    Entry(Q),
}

/// Why there is no room for a key.
pub(crate) enum NoRoom<K> {
    /// The entry has its only key.
    Unique(K),
    Memory(TryReserveError),
}

impl<K> From<TryReserveError> for NoRoom<K> {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}
