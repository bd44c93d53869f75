//! An arena in blocks, whose values never move.

use crate::containers::arena::arena;
use crate::containers::builder::{Build, Builder, Options};
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::rows::{self, ByBlock, InPages, Paged, Rows, Slots};
use crate::stats::{Reuse, Stats};

type Store<T, K> = Rows<T, K, Paged<T, K>>;

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
/// slots as fit ([`Builder::block_bytes`]), or 16 slots, 32, 64 and so on ([`Builder::doubling`]). Only the
/// table and the occupancy move when they grow; both double.
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
pub struct PagedArena<T, K: Key = Handle<T>> {
    pub(crate) store: Store<T, K>,
}

arena! {
    {
        PagedArena [T, K: Key] [T, K] row slots pages
        "# use larder::PagedArena as Arena;" "Arena::builder().fixed(1).build()"
    },
    store: Paged, finder: InPages,
    get: "O(1): an entry of the block table and one cache line.",
    key_of: "O(log(blocks)): the block is searched for."
}

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
        Blocks(self.store.blocks())
    }

    /// Iterates over the blocks that have values, in slot order: of each, over its keys and mutable values.
    ///
    /// As [`blocks`](Self::blocks). O(live + slots / 64) for all, with the values.
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
        BlocksMut(self.store.blocks_mut())
    }
}

/// Blocks that have values, each as an iterator over its keys and values, in slot order.
/// Made by [`PagedArena::blocks`].
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Blocks<'a, T, K: Key>(ByBlock<rows::Iter<'a, T, K, InPages<T, K>>>);

/// Blocks that have values, each as an iterator over its keys and mutable values, in slot order.
/// Made by [`PagedArena::blocks_mut`].
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct BlocksMut<'a, T, K: Key>(ByBlock<rows::IterMut<'a, T, K, InPages<T, K>>>);

impl<T, K: Key> Clone for Blocks<'_, T, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Implements the iterator traits of an iterator over blocks, whose items are iterators over values.
macro_rules! blocks {
    ($name:ident, $block:ident) => {
        impl<'a, T, K: Key> Iterator for $name<'a, T, K> {
            type Item = $block<'a, T, K>;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map($block)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<T, K: Key> core::iter::FusedIterator for $name<'_, T, K> {}

        macros::shows_type! { [T, K: Key] $name<'_, T, K>; }

        #[cfg(feature = "rayon")]
        crate::impls::rayon::divided! { ['a, T, K: Key] $name<'a, T, K>; }
        #[cfg(feature = "rayon")]
        crate::impls::rayon::parallel! { ['a, T, K: Key] $name<'a, T, K>; }
    };
}

blocks!(Blocks, Iter);
blocks!(BlocksMut, IterMut);

impl<T, K: Key> Build for PagedArena<T, K> {
    type Needs = ();

    #[track_caller]
    fn from_options(options: Options, (): ()) -> Result<Self, TryReserveError> {
        let (size, mark) = (options.block_size, options.mark::<K>()?);
        Ok(Self { store: Store::make_blocks(options.plan::<T>(), size)?.begun_at(mark) })
    }

    macros::mark_after! {}
}
