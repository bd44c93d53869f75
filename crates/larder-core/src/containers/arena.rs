//! Values that stay in their slot; removal leaves a hole. They lie in one block.

#[cfg(feature = "alloc")]
use alloc::collections::BTreeMap;

use crate::containers::slots::{self, Places};
use crate::containers::{entry, pairs};
#[cfg(feature = "alloc")]
use crate::key::BareHandle;
#[cfg(feature = "alloc")]
use crate::key::generation::Unversioned;
use crate::key::{Handle, Key};
use crate::memory::buffer::Buffer;
#[cfg(feature = "alloc")]
use crate::raw::book::Book;
use crate::raw::rows::{Row, Whole};
#[cfg(feature = "alloc")]
use crate::raw::slots::{ErasedSlots, Saved, SlotStore as _};
use crate::raw::store::Store;
use crate::room;

#[doc(no_inline)]
pub use slots::Inserter;
#[cfg(target_has_atomic = "ptr")]
#[doc(no_inline)]
pub use slots::SharedInserter;

/// Rows in one block.
pub(crate) type OneBlock<T, K> = Whole<Buffer<Row<T, K>>>;

/// Values in slots, accessed by handles that become stale when their value is removed.
///
/// A *generational arena* (or *slot map*), not a bump allocator: values are inserted and removed one by
/// one. A value stays in its slot until it is removed; the slot is then a hole, which a later value fills
/// under a new handle. A stale handle never refers to another value.
///
/// Use [`DenseArena`](crate::DenseArena) if the values must be a slice; its lookups and removals are slower.
///
/// # Layout
/// ```text
/// slots      ┌ value 0 │ gen ┬ value 1 │ gen ┬ (hole)  │ gen ┬ value 3 │ gen ┐   one allocation
/// occupancy  1 1 0 1 …                                                           one bit a slot
/// ```
/// A slot is the value and its generation (4 bytes for [`Handle`]), padded to the alignment of the value;
/// occupancy takes 0.13 bytes a slot. A lookup reads one slot. Iteration reads the occupancy of 64 slots at
/// once and reads no hole.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1); `insert` amortised if the arena grows |
/// | iteration | O(live + slots / 64), skipping empty stretches of 4,096 slots |
/// | `clear`, `retain` | O(live + slots / 64) |
///
/// Growing may move the values, except in a [fixed](Arena::fixed) arena and in reserved address space
/// (`Arena::reserved`, with the feature of that name). [`compact`](Arena::compact) moves them on request.
///
/// # Examples
/// ```
/// use larder::Arena;
///
/// let mut trees = Arena::new();
/// let oak = trees.insert("oak");
/// let elm = trees.insert("elm");
/// assert_eq!(trees[oak], "oak");
///
/// assert_eq!(trees.remove(oak), Some("oak"));
/// assert_eq!(trees.get(oak), None);
///
/// let ash = trees.insert("ash"); // in the oak's slot
/// assert_eq!(trees.get(oak), None); // the oak's handle stays stale
/// assert_eq!(trees.values().collect::<Vec<_>>(), [&"ash", &"elm"]);
/// # let _ = (elm, ash);
/// ```
#[doc(alias(
    "slot map",
    "slotmap",
    "pool",
    "slab",
    "colony",
    "hive",
    "free list",
    "generational arena",
    "generation pool"
))]
pub type Arena<T, K = Handle<T>> = slots::Slots<T, K, OneBlock<T, K>>;

/// Keys and values, in slot order.
pub type Iter<'a, T, K> = slots::Iter<'a, T, K, Places<T, K, OneBlock<T, K>>>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, K> = slots::IterMut<'a, T, K, Places<T, K, OneBlock<T, K>>>;

/// Keys, in slot order.
pub type Keys<'a, T, K> = pairs::Keys<Iter<'a, T, K>>;

/// Values, in slot order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in slot order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Keys and owned values, in slot order.
pub type IntoIter<T, K> = slots::IntoIter<T, K, OneBlock<T, K>>;

/// Values of a consumed container, in slot order.
pub type IntoValues<T, K> = pairs::Values<IntoIter<T, K>>;

/// Removes all values and yields them, in slot order.
pub type Drain<'a, T, K> = slots::Drain<'a, T, K, OneBlock<T, K>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, K, F> = slots::ExtractIf<'a, T, K, F, OneBlock<T, K>>;

/// Room for one value.
pub type VacantEntry<'a, T, K> = entry::VacantEntry<'a, K, Store<T, K, OneBlock<T, K>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, K, I> = entry::InsertMany<'a, K, Store<T, K, OneBlock<T, K>>, I>;

/// Makes a slab: each value is in the slot of its number; of several with one number the last one stays.
#[cfg(feature = "alloc")]
impl<T> FromIterator<(usize, T)> for Arena<T, BareHandle<T>> {
    /// O(n log n + slots).
    ///
    /// # Panics
    /// If a number is more than a key can have, or allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::BareHandle};
    ///
    /// let mut words: Arena<&str, BareHandle<&str>> = [(2, "ox"), (0, "wren")].into_iter().collect();
    /// assert!(words.iter().map(|(key, word)| (usize::from(key), *word)).eq([(0, "wren"), (2, "ox")]));
    /// assert_eq!(usize::from(words.insert("elk")), 1);
    /// ```
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = (usize, T)>>(values: I) -> Self {
        let values: BTreeMap<usize, T> = values.into_iter().collect();
        let slots = values.last_key_value().map_or(0, |(slot, _)| slot.saturating_add(1));
        let mut arena = Self::with_key();
        let restored = arena.store.try_reserve(slots).and_then(|()| {
            for (slot, value) in values {
                while arena.store.ledger().book.slots() < slot {
                    arena.store.restore(Saved::Free(Unversioned))?;
                }
                arena.store.restore(Saved::Live(Unversioned, value))?;
            }
            arena.store.ledger_mut().book.restore_order(&[], 0);
            Ok(())
        });
        room::granted::<Self, _>(restored);
        arena
    }
}

/// Memory that does not move.
impl<T, K: Key> Arena<T, K> {
    /// Makes a growing arena a [fixed](Self::fixed) one with its current room, so that no value moves
    /// any more. A fixed or reserved arena stays as it is. Allocates one bit a slot. O(1).
    ///
    /// For arenas that were loaded or collected and are to have [`PtrHandle`](crate::key::PtrHandle)s.
    /// Call [`reserve`](Self::reserve) first if more values are to come.
    ///
    /// # Panics
    /// If allocation of those bits fails.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::with_capacity(3);
    /// arena.insert('a');
    /// let mut arena = arena.into_fixed();
    /// arena.extend(['b', 'c']);
    /// assert!(arena.try_insert('d').is_err());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn into_fixed(mut self) -> Self {
        room::granted::<Self, _>(self.store.fix());
        self
    }
}
