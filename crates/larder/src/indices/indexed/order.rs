//! Packed rows in another order, of which indices need not know: they hold keys.

use core::cmp::Ordering;

use super::Indexed;
use crate::containers::dense_arena::DenseArena;
use crate::containers::gradual_sort::GradualSort;
use crate::key::Key;

/// Makes the examples short: three birds by the ring that they have, packed.
macro_rules! birds {
    () => {
        "# use larder::{DenseArena, indices::{Indexed, SortedIndex}};\n\
         # let rings = DenseArena::from_iter([9, 7, 8]);\n\
         # let mut rings = Indexed::new(rings, SortedIndex::by(|ring: &u32| *ring));\n\
         # let nine = rings.indices().last().unwrap().1;"
    };
}

/// Order.
impl<T, K: Key, I> Indexed<DenseArena<T, K>, I> {
    /// Sorts the rows, as [`DenseArena::sort_by`] does. Keys stay valid, and indices as they are. O(n log n).
    ///
    /// # Panics
    /// If `compare` does, or memory is refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// rings.sort_by(|a, b| a.cmp(b));
    /// assert_eq!(rings.container().as_slice(), [7, 8, 9]);
    /// assert_eq!((rings[nine], rings.indices().get(&9)), (9, &[nine][..]));
    /// ```
    #[track_caller]
    pub fn sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.container.sort_by(compare);
    }

    /// Sorts the rows a little, as [`DenseArena::sort_step`] does; `true` when a round has ended. Keys stay
    /// valid, and indices as they are. O(`budget`), without memory.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
    /// let mut sorting = larder::containers::GradualSort::new();
    /// while !rings.sort_step(&mut sorting, 2, |a, b| a.cmp(b)) {} // each frame, say
    /// assert_eq!(rings.container().as_slice(), [7, 8, 9]);
    /// assert_eq!(rings[nine], 9);
    /// ```
    pub fn sort_step(
        &mut self,
        sorting: &mut GradualSort,
        budget: usize,
        compare: impl FnMut(&T, &T) -> Ordering,
    ) -> bool {
        self.container.sort_step(sorting, budget, compare)
    }
}
