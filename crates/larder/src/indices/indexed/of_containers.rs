//! Methods for particular containers: rows that are linked, and rows that can be sorted.

use core::cmp::Ordering;

use super::Indexed;
use crate::containers::container::{Container, RowContainer};
use crate::containers::dense_arena::DenseArena;
use crate::containers::gradual_sort::GradualSort;
use crate::indices::row_index::RowIndex;
use crate::key::Key;
use crate::trees::{AutoUnlink, Tree, Unlink};

/// Hidden lines of the examples: three rows by number, and a tree of them.
macro_rules! linked {
    () => {
        "# use larder::{Arena, Tree, indices::{Indexed, SortedIndex}, trees::AutoUnlink};\n\
         # let birds = AutoUnlink::new(Arena::new(), Tree::new());\n\
         # let mut birds = Indexed::new(birds, SortedIndex::by(|ring: &u32| *ring));\n\
         # let [a, b, c] = [7, 8, 9].map(|ring| birds.insert(ring).unwrap());"
    };
}

/// Hidden lines of the examples: three rows, packed, by number.
macro_rules! packed {
    () => {
        "# use larder::{DenseArena, indices::{Indexed, SortedIndex}};\n\
         # let rings = DenseArena::from_iter([9, 7, 8]);\n\
         # let mut rings = Indexed::new(rings, SortedIndex::by(|ring: &u32| *ring));\n\
         # let nine = rings.indices().last().unwrap().1;"
    };
}

/// Linked rows: a row that is removed is removed from all indices and unlinked. (An [`Unlink`] of your own must not
/// change properties of rows, nor remove any.)
impl<C: RowContainer, L: Unlink<C>, I: RowIndex<C::Key, C::Value>> Indexed<AutoUnlink<C, L>, I> {
    /// The container, for reading, and the trees and lists, for linking. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = linked!()]
    /// let (rows, tree) = birds.parts_mut();
    /// tree.append(rows, a, b).unwrap();
    /// birds.remove(b);
    /// assert_eq!(birds.container().links().first_child(a), None);
    /// assert!(birds.indices().get(&8).is_empty());
    /// ```
    #[must_use]
    pub const fn parts_mut(&mut self) -> (&C, &mut L) {
        self.container.parts_mut()
    }

    /// Removes a row and everything below it in one of the trees, children before their parents, and returns how many
    /// there were. O(removed), and the cost in the indices, without recursion or memory.
    ///
    /// If user code panics, each row is removed everywhere or nowhere.
    ///
    /// # Examples
    /// ```
    #[doc = linked!()]
    /// let (rows, tree) = birds.parts_mut();
    /// tree.append(rows, a, b).unwrap();
    /// tree.append(rows, b, c).unwrap();
    /// assert_eq!(birds.remove_subtree(|tree| tree, b), 2);
    /// assert!(birds.contains_key(a) && birds.indices().len() == 1);
    /// ```
    pub fn remove_subtree(
        &mut self,
        tree: impl Fn(&L) -> &Tree<<C as Container>::Key>,
        key: C::Key,
    ) -> usize {
        Tree::remove_subtree_of(
            self,
            key,
            |this| tree(this.container.links()),
            |this, key| this.remove(key).is_some(),
        )
    }
}

/// Sorting packed rows.
impl<T, K: Key, I> Indexed<DenseArena<T, K>, I> {
    /// Sorts the rows, as [`DenseArena::sort_by`] does. Keys and indices stay valid. O(n log n).
    ///
    /// # Panics
    /// If `compare` panics, or memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = packed!()]
    /// rings.sort_by(|a, b| a.cmp(b));
    /// assert_eq!(rings.container().as_slice(), [7, 8, 9]);
    /// assert_eq!((rings[nine], rings.indices().get(&9)), (9, &[nine][..]));
    /// ```
    #[track_caller]
    pub fn sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.container.sort_by(compare);
    }

    /// Sorts the rows gradually, as [`DenseArena::sort_step`] does, and returns whether a round has ended. Keys and
    /// indices stay valid. O(`budget`), without memory.
    ///
    /// # Examples
    /// ```
    #[doc = packed!()]
    /// let mut sorting = larder::containers::GradualSort::new();
    /// while !rings.sort_step(&mut sorting, 2, |a, b| a.cmp(b)) {} // in each frame
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
