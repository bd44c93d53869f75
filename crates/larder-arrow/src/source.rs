//! The containers that can be exported.

use larder::soa::{Fill, Split};
use larder::{DenseSoaArena, Key, Soa, SoaArena};

/// A container whose columns can be exported: [`SoaArena`], [`DenseSoaArena`]. Sealed.
pub trait Source: Send + Sync + 'static + sealed::Sealed {
    /// Returns the number of values in each column.
    #[doc(hidden)]
    fn rows(&self) -> usize;

    /// Returns whether there can be rows without a value.
    #[doc(hidden)]
    fn can_have_holes(&self) -> bool;

    /// A bit for each row, set if it has a value, and how many have none; `None` if all have one.
    #[doc(hidden)]
    fn validity(&self) -> Option<(Vec<u64>, usize)>;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: Soa + Fill, K: Key> sealed::Sealed for SoaArena<T, K> {}
impl<T: Soa, K: Key> sealed::Sealed for DenseSoaArena<T, K> {}

impl<T, K> Source for SoaArena<T, K>
where
    T: Soa<Arrangement = Split> + Fill + 'static,
    K: Key + 'static,
    Self: Send + Sync,
{
    fn rows(&self) -> usize {
        self.stats().slots
    }

    fn can_have_holes(&self) -> bool {
        true
    }

    fn validity(&self) -> Option<(Vec<u64>, usize)> {
        let rows = self.rows();
        // Arrow counts bits from the lowest of the first byte.
        let words = (0..rows.div_ceil(64)).map(|group| self.live_mask(group).to_le());
        let holes = rows - self.len();
        (holes > 0).then(|| (words.collect(), holes))
    }
}

impl<T, K> Source for DenseSoaArena<T, K>
where
    T: Soa<Arrangement = Split> + 'static,
    K: Key + 'static,
    Self: Send + Sync,
{
    fn rows(&self) -> usize {
        self.len()
    }

    fn can_have_holes(&self) -> bool {
        false
    }

    fn validity(&self) -> Option<(Vec<u64>, usize)> {
        None
    }
}
