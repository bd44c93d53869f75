//! An arena in blocks, whose values never move.

use crate::containers::builder::Builder;
use crate::containers::slots::{self, Places};
use crate::containers::{entry, pairs};
use crate::key::{Handle, Key};
pub use crate::raw::rows::ByBlock;
use crate::raw::rows::{self, BlockSize, Row, Whole};
use crate::raw::store::Store;

/// Rows in many blocks.
pub(crate) type ManyBlocks<T, K> = Whole<rows::Blocks<Row<T, K>>>;

/// Inserts into a borrowed arena through `&`.
pub type Inserter<'a, T, K> = slots::Inserter<'a, T, K, rows::Blocks<Row<T, K>>>;

/// Inserts into a borrowed arena from many threads at once.
#[cfg(target_has_atomic = "ptr")]
pub type SharedInserter<'a, T, K> = slots::SharedInserter<'a, T, K, rows::Blocks<Row<T, K>>>;

/// An arena in blocks, whose values never move however it grows.
///
/// Unlike [`Arena`](crate::Arena), whose values lie in one block (which may be reserved or the caller's), it
/// grows by adding a block and copies nothing, so a value's address stays valid until the value is removed.
///
/// If addresses need not be stable, use [`Arena`](crate::Arena), whose lookups and iteration are faster, or
/// `Arena::reserved` (a feature) if there is virtual memory and the arena is large.
///
/// # Layout
/// ```text
/// table      ┌ block 0 ┬ block 1 ┬ …                          8 bytes a block, 4 for their order
///              │         └─────────────────────────────┐
/// blocks     ┌ value 0 │ gen ┬ … ┬ value 53 │ gen ┐  ┌ value 54 │ gen ┬ …  16 KiB each
/// occupancy  1 1 0 1 …                                                     one bit a slot
/// ```
/// A slot is a value and its generation, as in `Arena`. Blocks have a fixed number of bytes, with as many
/// slots as fit ([`block_bytes`](crate::containers::Builder::block_bytes) of the builder), or 16 slots, 32, 64 and so
/// on ([`doubling`](crate::containers::Builder::doubling)). By default the first has four small slots, so that few
/// values take little memory. Only the table and the occupancy move when they grow; both double.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1): as in `Arena`, and a multiplication and an entry of the table; `insert` never copies a value, and allocates a block now and then |
/// | iteration | O(live + slots / 64): as in `Arena`, and a comparison a value |
/// | `key_of` | O(log(blocks)) |
/// | spare memory | at most one block, and what is left of each: less than a slot; doubling, up to half of all slots |
///
/// # Examples
/// ```
/// use larder::PagedArena;
///
/// let mut trees = PagedArena::new();
/// let oak = trees.insert("oak");
/// let before: *const &str = &trees[oak];
///
/// trees.extend((0..100_000).map(|_| "elm"));
/// assert_eq!(before, &trees[oak] as *const &str); // the oak did not move
///
/// assert_eq!(trees.remove(oak), Some("oak"));
/// assert_eq!(trees.get(oak), None);
/// ```
#[doc(alias(
    "permanent pointers",
    "stable addresses",
    "bucket array",
    "chunked",
    "deque",
    "colony",
    "hive",
    "block list"
))]
pub type PagedArena<T, K = Handle<T>> = slots::Slots<T, K, ManyBlocks<T, K>>;

/// Keys and values, in slot order.
pub type Iter<'a, T, K> = slots::Iter<'a, T, K, Places<T, K, ManyBlocks<T, K>>>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, K> = slots::IterMut<'a, T, K, Places<T, K, ManyBlocks<T, K>>>;

/// Keys, in slot order.
pub type Keys<'a, T, K> = pairs::Keys<Iter<'a, T, K>>;

/// Values, in slot order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in slot order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Keys and owned values, in slot order.
pub type IntoIter<T, K> = slots::IntoIter<T, K, ManyBlocks<T, K>>;

/// Values of a consumed container, in slot order.
pub type IntoValues<T, K> = pairs::Values<IntoIter<T, K>>;

/// Removes all values and yields them, in slot order.
pub type Drain<'a, T, K> = slots::Drain<'a, T, K, ManyBlocks<T, K>>;

/// Removes the values that a closure chooses, and yields them.
pub type ExtractIf<'a, T, K, F> = slots::ExtractIf<'a, T, K, F, ManyBlocks<T, K>>;

/// Room for one value.
pub type VacantEntry<'a, T, K> = entry::VacantEntry<'a, K, Store<T, K, ManyBlocks<T, K>>>;

/// The keys of values as they are inserted.
pub type InsertMany<'a, T, K, I> = entry::InsertMany<'a, K, Store<T, K, ManyBlocks<T, K>>, I>;

/// Iterating block by block.
impl<T, K: Key> PagedArena<T, K> {
    /// Iterates over the blocks that have values, in slot order: of each, over its keys and values.
    ///
    /// To process a part of the values at a time that fits into a cache, or to give parts to threads. Blocks without
    /// values are left out. O(live + slots / 64) for all, with the values.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::PagedArena::builder().doubling().build();
    /// arena.extend(1..=20_u64);
    /// let sums = arena.blocks().map(|block| block.map(|(_, number)| number).sum());
    /// assert_eq!(sums.collect::<Vec<u64>>(), [136, 74]); // of 16 values, and of the other 4
    /// ```
    #[inline]
    pub fn blocks(&self) -> Blocks<'_, T, K> {
        self.store.blocks()
    }

    /// Iterates over the blocks that have values, in slot order: of each, over its keys and mutable values.
    ///
    /// See [`blocks`](Self::blocks). O(live + slots / 64) for all, with the values.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::PagedArena::from_iter(0..10_000_u64);
    /// std::thread::scope(|threads| {
    ///     for block in arena.blocks_mut() {
    ///         threads.spawn(|| block.for_each(|(_, number)| *number += 1));
    ///     }
    /// });
    /// assert!(arena.values().copied().eq(1..=10_000));
    /// ```
    #[inline]
    pub fn blocks_mut(&mut self) -> BlocksMut<'_, T, K> {
        self.store.blocks_mut()
    }
}

/// Blocks that have values, each as an iterator over its keys and values, in slot order.
/// Made by [`PagedArena::blocks`].
pub type Blocks<'a, T, K> = ByBlock<Iter<'a, T, K>>;

/// Blocks that have values, each as an iterator over its keys and mutable values, in slot order.
/// Made by [`PagedArena::blocks_mut`].
pub type BlocksMut<'a, T, K> = ByBlock<IterMut<'a, T, K>>;

/// The division of a [`PagedArena`].
impl<T, K: Key> Builder<PagedArena<T, K>> {
    /// Makes blocks of at most `bytes` bytes: each has as many slots as fit, at least one. The default is 16
    /// KiB; multiples of the system's page size are best. O(1).
    ///
    /// Replaces [`doubling`](Self::doubling).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::PagedArena::builder().block_bytes(4096).build();
    /// arena.insert([0_u32; 74]); // with its generation 300 bytes
    /// assert_eq!(arena.capacity(), 13);
    /// ```
    pub const fn block_bytes(mut self, bytes: usize) -> Self {
        self.options.block_size = BlockSize::Bytes(bytes);
        self
    }

    /// Makes a first block of 16 slots, and each further block twice as large as the one before. There are few blocks
    /// then, and up to half of all slots are spare. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::PagedArena::builder().doubling().build();
    /// arena.extend(0..17);
    /// assert_eq!(arena.capacity(), 16 + 32);
    /// ```
    pub const fn doubling(mut self) -> Self {
        self.options.block_size = BlockSize::Doubling;
        self
    }
}
