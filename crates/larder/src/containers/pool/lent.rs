//! A pool in the caller's own memory.

use core::mem::MaybeUninit;

use super::Pool;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::pool::Stock;
use crate::stats::Reuse;

/// In the caller's own memory.
impl<T> Pool<T> {
    /// As [`new`](Self::new), in the caller's own block, with room for as many values as fit; all of
    /// them are made now. No memory is ever allocated but what the values themselves ask for, and
    /// now what `empty` captures; no value moves. When it is full, [`insert`](Self::insert) panics and
    /// [`try_insert`](Self::try_insert) gives the value back. O(capacity).
    ///
    /// The block is the pool's for the rest of the program. [`bytes_for`](Self::bytes_for) says how
    /// large it has to be.
    ///
    /// # Errors
    /// If not a single value fits: the error says how many bytes are missing, those included that
    /// come before the first aligned address.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use larder::Pool;
    ///
    /// const BYTES: usize = Pool::<[f32; 4]>::bytes_for(100);
    /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES])); // or `static_cell`
    /// let mut pool = Pool::in_memory(block, || [0.0_f32; 4])?;
    /// assert!(pool.slots().len() >= 100);
    /// let key = pool.insert([1.0; 4]);
    /// assert_eq!(pool[key], [1.0; 4]);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn in_memory(
        block: &'static mut [MaybeUninit<u8>],
        empty: impl FnMut() -> T + Clone + Send + Sync + 'static,
    ) -> Result<Self, TryReserveError> {
        Self::builder(empty).in_memory(block).try_build()
    }
}

impl<T, K: Key> Pool<T, K> {
    /// How many bytes a block must have for `count` values to fit, at least one, whatever address it
    /// begins at. O(1).
    /// (`usize::MAX` where no block is so large. With another order of reuse than
    /// [`Packed`](crate::Reuse::Packed) it is 4 bytes a value more, rounded up to 64 values.)
    ///
    /// # Examples
    /// ```
    /// use larder::{Pool, key::BareHandle};
    ///
    /// assert!(Pool::<u64>::bytes_for(100) < 1_300);
    /// assert!(Pool::<u64, BareHandle<u64>>::bytes_for(100) < 900); // no generations
    /// ```
    #[must_use]
    pub const fn bytes_for(count: usize) -> usize {
        match Stock::<T, K>::end_of(0, count, Reuse::Packed) {
            Some(bytes) => bytes.saturating_add(Stock::<T, K>::ALIGNMENT - 1),
            None => usize::MAX,
        }
    }
}
