//! A dense arena in the caller's own memory.

use core::mem::MaybeUninit;

use super::DenseArena;
use crate::containers::builder::Builder;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::packed::Packed;
use crate::stats::Reuse;

/// In the caller's own memory.
impl<T> DenseArena<T> {
    /// Makes an empty arena in the caller's own block, with room for as many values as fit. Nothing is
    /// ever allocated, and no value moves to make room. When it is full, [`insert`](Self::insert) panics
    /// and [`try_insert`](Self::try_insert) gives the value back. O(capacity / 64).
    ///
    /// The block is the arena's for the rest of the program. [`bytes_for`](Self::bytes_for) says how
    /// large it has to be. This is all that is needed where there is no allocator: without the feature
    /// `alloc` larder asks for none.
    ///
    /// # Errors
    /// If not a single value fits: the error says how many bytes are missing, those included that
    /// come before the first aligned address.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use larder::DenseArena;
    ///
    /// const BYTES: usize = DenseArena::<u64>::bytes_for(100);
    /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES])); // or `static_cell`
    /// let mut arena = DenseArena::in_memory(block)?;
    /// assert!(arena.capacity() >= 100);
    /// let key = arena.insert(7_u64);
    /// assert_eq!(arena[key], 7);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn in_memory(block: &'static mut [MaybeUninit<u8>]) -> Result<Self, TryReserveError> {
        Builder::<Self>::new().in_memory(block).try_build()
    }
}

impl<T, K: Key> DenseArena<T, K> {
    /// How many bytes a block must have for `count` values to fit, at least one, whatever address it
    /// begins at. O(1).
    /// (`usize::MAX` where no block is so large. With another order of reuse than
    /// [`Packed`](crate::Reuse::Packed) it is 4 bytes a value more, rounded up to 64 values.)
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use larder::{DenseArena, TryReserveError};
    ///
    /// const BYTES: usize = DenseArena::<u64>::bytes_for(1);
    /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES / 2]));
    /// let refused = DenseArena::<u64>::in_memory(block).unwrap_err();
    /// assert!(matches!(refused, TryReserveError::BlockTooSmall { missing } if missing < BYTES));
    /// ```
    #[must_use]
    pub const fn bytes_for(count: usize) -> usize {
        match Packed::<T, K>::end_of(0, count, Reuse::Packed) {
            Some(bytes) => bytes.saturating_add(Packed::<T, K>::ALIGNMENT - 1),
            None => usize::MAX,
        }
    }
}
