//! Adding and dropping indices.

use alloc::vec::Vec;

use super::Indexed;
use crate::containers::container::ValueContainer;
use crate::indices::error::{IndexError, Rejected};
use crate::indices::row_index::{OptionalAt, RowIndex, fill};
use crate::scratch::reserve;

/// Optional indices.
impl<C: ValueContainer, I> Indexed<C, I> {
    /// Files all rows in an index and puts it into the `Option` at position `AT`, in place of any index there.
    /// O(rows).
    ///
    /// # Errors
    /// If the index refuses a row, or memory is refused. Then nothing has changed, and the index is in the error, with
    /// some of the rows.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, MultiIndex, UniqueIndex}};
    ///
    /// let by_name = UniqueIndex::by(|name: &&'static str| *name);
    /// let mut birds = Indexed::new(Arena::from_iter(["wren", "kite"]), (by_name, None));
    /// birds.add_index::<1>(MultiIndex::by(|name: &&'static str| name.len())).unwrap();
    /// let (_, by_length) = birds.indices();
    /// assert_eq!(by_length.as_ref().unwrap().get(&4).len(), 2);
    ///
    /// birds.drop_index::<1>();
    /// assert!(birds.indices().1.is_none());
    /// ```
    pub fn add_index<const AT: usize>(
        &mut self,
        mut index: I::Index,
    ) -> Result<(), Rejected<I::Index, C::Key>>
    where
        I: OptionalAt<AT>,
        I::Index: RowIndex<C::Key, C::Value>,
    {
        match fill(&mut index, &self.container) {
            Ok(()) => {
                *self.indices.optional() = Some(index);
                Ok(())
            }
            Err(reason) => Err(Rejected { value: index, reason }),
        }
    }

    /// Removes the index in the `Option` at position `AT` and returns it. Rows stay. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, SortedIndex}};
    ///
    /// let by_length = SortedIndex::by(|name: &&str| name.len());
    /// let mut birds = Indexed::new(Arena::from_iter(["wren", "robin"]), Some(by_length));
    /// assert_eq!(birds.drop_index::<0>().unwrap().len(), 2);
    /// assert!(birds.drop_index::<0>().is_none());
    /// ```
    pub fn drop_index<const AT: usize>(&mut self) -> Option<I::Index>
    where
        I: OptionalAt<AT>,
    {
        self.indices.optional().take()
    }
}

/// Any number of indices.
impl<C: ValueContainer, X: RowIndex<C::Key, C::Value>> Indexed<C, Vec<X>> {
    /// Files all rows in an index and adds it after the others. O(rows).
    ///
    /// # Errors
    /// As [`add_index`](Indexed::add_index).
    ///
    /// # Examples
    /// As many indices as are chosen at run time, all of one type:
    /// ```
    /// use larder::{Arena, Handle, indices::{IndexBy, Indexed, MultiIndex}};
    ///
    /// type Row = Vec<String>;
    /// type ByColumn = IndexBy<MultiIndex<String, Handle<Row>>, Box<dyn Fn(&Row) -> String>>;
    ///
    /// let rows = [["wren", "brown"], ["robin", "red"], ["kite", "red"]];
    /// let rows = rows.map(|row| row.map(String::from).to_vec());
    /// let mut rows = Indexed::new(Arena::from_iter(rows), Vec::<ByColumn>::new());
    /// for column in [0, 1] {
    ///     let text = Box::new(move |row: &Row| row[column].clone());
    ///     rows.push_index(IndexBy::new(MultiIndex::new(), text)).unwrap();
    /// }
    /// assert_eq!(rows.indices()[1].get("red").len(), 2);
    /// assert_eq!(rows.remove_index(0).unwrap().len(), 3);
    /// ```
    pub fn push_index(&mut self, mut index: X) -> Result<(), Rejected<X, C::Key>> {
        let filled = fill(&mut index, &self.container);
        match filled.and_then(|()| reserve(&mut self.indices, 1).map_err(IndexError::from)) {
            Ok(()) => {
                self.indices.push(index);
                Ok(())
            }
            Err(reason) => Err(Rejected { value: index, reason }),
        }
    }

    /// Removes the index at a position and returns it; those after it move. Rows stay. O(indices).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, SortedIndex}};
    ///
    /// let by_length = SortedIndex::by(|name: &&str| name.len());
    /// let mut birds = Indexed::new(Arena::from_iter(["wren", "robin"]), vec![by_length]);
    /// assert_eq!(birds.remove_index(0).unwrap().len(), 2);
    /// assert!(birds.remove_index(0).is_none());
    /// ```
    pub fn remove_index(&mut self, at: usize) -> Option<X> {
        (at < self.indices.len()).then(|| self.indices.remove(at))
    }
}
