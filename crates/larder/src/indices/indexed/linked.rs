//! Rows that are in trees, lists and kinds, too.

use super::{Indexed, RowIndex};
use crate::containers::container::{Container, RowContainer};
use crate::trees::{self, AutoUnlink, Tree, Unlink};

/// Makes the examples short: three birds, by their ring, and a tree of them.
macro_rules! birds {
    () => {
        "# use larder::{Arena, Tree, indices::{Indexed, SortedIndex}, trees::AutoUnlink};\n\
         # let birds = AutoUnlink::new(Arena::new(), Tree::new());\n\
         # let mut birds = Indexed::new(birds, SortedIndex::by(|ring: &u32| *ring));\n\
         # let [a, b, c] = [7, 8, 9].map(|ring| birds.insert(ring).unwrap());"
    };
}

/// Rows that are linked: a row that is removed goes from all indices, and from all that it is linked in. An
/// `Unlink` of yours can reach the rows: what they are filed under it is not to change, nor to remove any.
impl<C: RowContainer, L: Unlink<C>, I: RowIndex<C::Key, C::Value>> Indexed<AutoUnlink<C, L>, I> {
    /// The container, and what is linked of it, to link more. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
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

    /// Removes a row and all below it in one of the trees, from everything that they are in; says how many.
    /// Children go before their parents. O(removed), and what the indices take; no recursion, no memory.
    ///
    /// If code of the user panics on the way, each row is there and in everything, or gone from everywhere.
    ///
    /// # Examples
    /// ```
    #[doc = birds!()]
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
        trees::remove_subtree(
            self,
            key,
            |this| tree(this.container.links()),
            |this, key| this.remove(key).is_some(),
        )
    }
}
