//! A container and its indices, changed together.

mod changing;

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::ops::Index;

use super::row_index::{OptionalAt, RowIndex, fill};
use super::{IndexError, Rejected};
use crate::containers::GradualSort;
use crate::containers::container::ValueContainer;
#[cfg(feature = "trees")]
use crate::containers::container::{Container, RowContainer};
use crate::containers::dense_arena::DenseArena;
use crate::explain;
use crate::key::Key;
use crate::scratch::reserve;
#[cfg(feature = "trees")]
use crate::trees::{AutoUnlink, Tree, Unlink};

/// Hidden lines of the examples: birds by their ring.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::{Indexed, MultiIndex, SortedIndex, UniqueIndex}};\n\
         # #[derive(Clone, Debug, PartialEq)]\n\
         # struct Bird { name: &'static str, ring: u32 }\n\
         # let mut birds = Indexed::new(Arena::new(), UniqueIndex::by(|bird: &Bird| bird.ring));"
    };
}
use example;

/// Hidden lines of the examples: three rows by number, and a tree of them.
#[cfg(feature = "trees")]
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

/// A container and its indices, which are updated by every change.
///
/// `C` is any container of rows or columns. `I` is a [`RowIndex`]: an [`IndexBy`](crate::indices::IndexBy), a
/// tuple of up to eight, an `Option`, which can be [filled](Self::add_index) and emptied at any time, or a
/// `Vec`. The container can be read ([`container`](Self::container)). There is no `&mut` to its values,
/// because a change has to reach the indices: use [`modify`](Self::modify), [`replace`](Self::replace) and,
/// for rows that are not `Clone`, [`modify_in_place`](Self::modify_in_place).
///
/// A change is made in the container and in all indices, or nowhere. If another row has a property in a
/// `UniqueIndex`, the error names that row and contains the refused value. If user code panics (a closure, the
/// function of an index, `Hash`, `Eq`, `Ord`), nothing has changed. (Properties must not depend on `Cell`s and the
/// like, which change without being filed.)
///
/// Each operation costs what it does in the container and in each index.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, indices::{Indexed, MultiIndex, UniqueIndex}};
///
/// #[derive(Clone)]
/// struct Bird {
///     name: String,
///     colour: &'static str,
/// }
///
/// let by_name = UniqueIndex::by(|bird: &Bird| bird.name.clone());
/// let by_colour = MultiIndex::by(|bird: &Bird| bird.colour);
/// let mut birds = Indexed::new(Arena::new(), (by_name, by_colour));
///
/// let wren = birds.insert(Bird { name: "wren".into(), colour: "brown" })?;
/// let kite = birds.insert(Bird { name: "kite".into(), colour: "red" })?;
/// birds.modify(kite, |bird| bird.colour = "brown").unwrap();
/// assert_eq!(birds.indices().1.get("brown"), [wren, kite]);
/// assert_eq!(birds.indices().0.get("kite"), Some(kite));
///
/// let refused = birds.insert(Bird { name: "wren".into(), colour: "blue" }).unwrap_err();
/// assert_eq!(refused.value.colour, "blue"); // nothing has changed
/// # Ok::<(), larder::indices::Rejected<Bird, Handle<Bird>>>(())
/// ```
#[doc(alias("table", "database", "multi_index", "secondary index"))]
#[derive(Clone)]
pub struct Indexed<C: ValueContainer, I> {
    container: C,
    indices: I,
    /// Keys of rows that are to be removed; empty between calls.
    scratch: Vec<C::Key>,
}

/// Making and reading.
impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Takes a container and its indices, and files all rows. O(rows).
    ///
    /// # Panics
    /// If an index refuses a row, or allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, SortedIndex}};
    ///
    /// let birds = Arena::from_iter(["wren", "robin"]);
    /// let birds = Indexed::new(birds, SortedIndex::by(|name: &&str| name.len()));
    /// assert_eq!(birds[birds.indices().last().unwrap().1], "robin");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn new(container: C, indices: I) -> Self {
        match Self::try_new(container, indices) {
            Ok(indexed) => indexed,
            Err(refused) => explain::not_filed::<Self>(&refused.reason),
        }
    }

    /// Like [`new`](Self::new), but returns the container in an error. O(rows).
    ///
    /// # Errors
    /// If an index refuses a row, or allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, UniqueIndex}};
    ///
    /// let birds = Arena::from_iter(["wren", "kite"]);
    /// let by_length = UniqueIndex::by(|name: &&str| name.len());
    /// let refused = Indexed::try_new(birds, by_length).unwrap_err();
    /// assert_eq!(refused.value.len(), 2); // the container
    /// ```
    pub fn try_new(container: C, mut indices: I) -> Result<Self, Rejected<C, C::Key>> {
        match fill(&mut indices, &container) {
            Ok(()) => Ok(Self { container, indices, scratch: Vec::new() }),
            Err(reason) => Err(Rejected { value: container, reason }),
        }
    }

    /// Returns whether a key has a row. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert!(birds.contains_key(wren));
    /// ```
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: C::Key) -> bool {
        self.container.contains_key(key)
    }

    /// Returns the row of a key; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.get(wren).unwrap().name, "wren");
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: C::Key) -> Option<C::Ref<'_>> {
        self.container.value(key)
    }

    /// Returns the container, for reading. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert!(birds.container().values().any(|bird| bird.name == "wren"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn container(&self) -> &C {
        &self.container
    }

    /// Returns the indices, for looking rows up. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.indices().get(&17), Some(wren));
    /// ```
    #[inline]
    #[must_use]
    pub const fn indices(&self) -> &I {
        &self.indices
    }

    /// Returns the container and the indices, which are independent from then on. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// let (mut birds, by_ring) = birds.into_parts();
    /// birds.remove(wren);
    /// assert_eq!(by_ring.get(&17), Some(wren));
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (C, I) {
        (self.container, self.indices)
    }
}

/// Optional indices.
impl<C: ValueContainer, I> Indexed<C, I> {
    /// Files all rows in an index and puts it into the `Option` at position `AT`, in place of any index there.
    /// O(rows).
    ///
    /// # Errors
    /// If the index refuses a row, or allocation fails. Then nothing has changed, and the index is in the error, with
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
    /// Fails as [`add_index`](Indexed::add_index) does.
    ///
    /// # Examples
    /// A number of indices that is chosen at run time, all of one type:
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

/// Linked rows: a row that is removed is removed from all indices and unlinked. (An [`Unlink`] of your own must not
/// change properties of rows, nor remove any.)
#[cfg(feature = "trees")]
impl<C: RowContainer, L: Unlink<C>, I: RowIndex<C::Key, C::Value>> Indexed<AutoUnlink<C, L>, I> {
    /// Returns the container, for reading, and the trees and lists, for linking. O(1).
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
    /// If `compare` panics, or allocation fails. Then nothing has changed.
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

impl<C: ValueContainer + Index<C::Key>, I> Index<C::Key> for Indexed<C, I> {
    type Output = C::Output;

    #[inline]
    #[track_caller]
    fn index(&self, key: C::Key) -> &C::Output {
        &self.container[key]
    }
}

impl<C: ValueContainer + fmt::Debug, I: fmt::Debug> fmt::Debug for Indexed<C, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed")
            .field("container", &self.container)
            .field("indices", &self.indices)
            .finish()
    }
}
