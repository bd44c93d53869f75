//! Indices that come and go, and are filled with the rows that are there.

use alloc::vec::Vec;

use super::{Indexed, OptionalAt, Rejected, RowIndex};
use crate::containers::container::RowContainer;
use crate::indices::IndexError;
use crate::scratch::reserve;

/// Whether a row was filed.
type Outcome<K> = Result<(), IndexError<K>>;

/// The rows of a container, as an index is told them that is [filled](RowIndex::fill).
///
/// # Examples
/// An index of your own that makes room first:
/// ```
/// use larder::indices::indexed::{RowIndex, Rows};
/// use larder::{Arena, Handle, indices::{IndexError, Indexed}};
/// use std::collections::HashSet;
///
/// type Id = Handle<u32>;
///
/// #[derive(Default)]
/// struct Even {
///     filed: HashSet<Id>,
///     next: Option<(Id, bool)>,
/// }
///
/// impl RowIndex<Id, u32> for Even {
///     fn fill(&mut self, rows: &dyn Rows<Id, u32>) -> Result<(), IndexError<Id>> {
///         self.filed.reserve(rows.least() / 2);
///         rows.try_for_each(&mut |key, number| {
///             if number % 2 == 0 {
///                 self.filed.insert(key);
///             }
///             Ok(())
///         })
///     }
///     fn prepare(&mut self, key: Id, number: &u32) -> Result<(), IndexError<Id>> {
///         self.filed.reserve(1);
///         self.next = Some((key, number % 2 == 0));
///         Ok(())
///     }
///     fn file(&mut self) {
///         match self.next.take() {
///             Some((key, true)) => self.filed.insert(key),
///             Some((key, false)) => self.filed.remove(&key),
///             None => false,
///         };
///     }
///     fn unfile(&mut self, key: Id) {
///         self.filed.remove(&key);
///     }
///     fn settle(&mut self) {
///         self.next = None;
///     }
///     fn clear(&mut self) {
///         *self = Self::default();
///     }
/// }
///
/// let mut numbers = Indexed::new(Arena::from_iter(0..9), Even::default());
/// assert_eq!(numbers.indices().filed.len(), 5);
/// numbers.retain(|_, number| number % 4 != 0);
/// assert_eq!(numbers.indices().filed.len(), 2);
/// ```
pub trait Rows<K, V> {
    /// How many rows there are at least; there may be more. O(1).
    fn least(&self) -> usize;

    /// Tells each row once, up to the first error, which is the answer. O(rows).
    ///
    /// # Errors
    /// The first error of `each`.
    fn try_for_each(&self, each: &mut dyn FnMut(K, &V) -> Outcome<K>) -> Outcome<K>;
}

struct RowsOf<'a, C>(&'a C);

impl<C: RowContainer> Rows<C::Key, C::Value> for RowsOf<'_, C> {
    fn least(&self) -> usize {
        self.0.iter().size_hint().0
    }

    fn try_for_each(
        &self,
        each: &mut dyn FnMut(C::Key, &C::Value) -> Outcome<C::Key>,
    ) -> Outcome<C::Key> {
        self.0.iter().try_for_each(|(key, value)| each(key, value))
    }
}

/// Files all rows of a container in an index, and nothing else.
pub(super) fn fill<C: RowContainer, I: RowIndex<C::Key, C::Value> + ?Sized>(
    index: &mut I,
    container: &C,
) -> Result<(), IndexError<C::Key>> {
    index.clear();
    index.fill(&RowsOf(container))
}

/// Indices that come and go.
impl<C: RowContainer, I> Indexed<C, I> {
    /// Adds an index at a position where there may be one, and files all rows in it; one that is there is
    /// dropped. O(rows).
    ///
    /// # Errors
    /// If two rows have a property that only one may have, or memory is refused. Nothing has changed then,
    /// and the index comes back, with some of the rows.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, MultiIndex, UniqueIndex}};
    ///
    /// let by_name = UniqueIndex::by(|name: &&'static str| *name);
    /// let mut birds = Indexed::new(Arena::from_iter(["wren", "kite"]), (by_name, None));
    /// birds.add_index::<1>(MultiIndex::by(|name: &&'static str| name.len())).unwrap();
    /// let (_, by_length) = birds.indices();
    /// assert_eq!(by_length.as_ref().unwrap().len_of(&4), 2);
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

    /// Drops the index at a position where there may be one, and gives it out. Rows stay. O(1).
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
impl<C: RowContainer, X: RowIndex<C::Key, C::Value>> Indexed<C, Vec<X>> {
    /// Adds an index behind the others, and files all rows in it. O(rows).
    ///
    /// # Errors
    /// If two rows have a property that only one may have, or memory is refused. Nothing has changed then,
    /// and the index comes back, with some of the rows.
    ///
    /// # Examples
    /// As many indices as somebody chooses while the program runs, all of one type:
    /// ```
    /// use larder::indices::indexed::IndexBy;
    /// use larder::{Arena, Handle, indices::{Indexed, MultiIndex}};
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
    /// assert_eq!(rows.indices()[1].len_of("red"), 2);
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

    /// Drops the index at a position, and gives it out; those behind it move up. Rows stay. `None` if there
    /// are not so many. O(indices).
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
