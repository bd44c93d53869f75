//! Observers that come and go while their table is in use.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use super::observer::{Edit, Objects, Observer};
use super::trackable::Track;
use crate::error::Rejected;
use crate::room::reserve;

/// An `Option` or a `Vec` of observers, as [`edit`](super::Table::edit) and [`linking`](super::Table::linking) of a
/// table lend it: observers are put into it and taken out while the table is in use. (To put one in takes the objects,
/// which `linking` lends.) It derefs to the `Option` or `Vec`, for reading.
///
/// A table with an observer that it did not have at a checkpoint does not go back to it:
/// [`TrackError::NotShared`](super::TrackError::NotShared). (But for `InObjects`, which has no state of its own:
/// objects that were removed without it are in the links again then, until `Links::mend` closes the gaps.)
///
/// # Examples
/// An index that is made when it is first needed:
/// ```
/// # #[cfg(all(feature = "indices", feature = "hashbrown"))] {
/// use larder::{Arena, indices::{MultiIndex, UniqueIndex}, track::Table};
///
/// let by_name = UniqueIndex::by(|name: &&'static str| *name);
/// let mut birds = Table::with(Arena::from_iter(["wren", "kite"]), (by_name, None));
///
/// let (mut objects, (_, mut by_length)) = birds.linking();
/// by_length.fill(&mut objects, MultiIndex::by(|name: &&'static str| name.len())).unwrap();
/// let (_, by_length) = birds.observers();
/// assert_eq!(by_length.as_ref().unwrap().get(&4).len(), 2);
///
/// let (_, (_, mut by_length)) = birds.linking();
/// assert!(by_length.take().is_some());
/// # }
/// ```
pub struct Holder<'a, H>(&'a mut H);

impl<'a, O> Holder<'a, Option<O>> {
    /// Has an observer take notice of all objects, and puts it in; returns the one that was there. The objects must be
    /// those that were lent with this: an observer of another table's would find objects that are not here. O(objects).
    ///
    /// # Errors
    /// If the observer refuses one of the objects, or allocation fails. Then nothing has changed, and the observer is
    /// in the error; it knows of some of the objects.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(all(feature = "indices", feature = "hashbrown"))] {
    /// use larder::{Arena, indices::UniqueIndex, track::Table};
    ///
    /// let mut birds = Table::with(Arena::from_iter(["wren", "kite"]), None);
    /// let (mut objects, mut by_length) = birds.linking();
    /// let refused = by_length.fill(&mut objects, UniqueIndex::by(|name: &&str| name.len())).unwrap_err();
    /// assert_eq!(refused.to_string(), "value refused: 0v1 is filed under this property already");
    /// assert!(by_length.is_none());
    /// # }
    /// ```
    pub fn fill<C: Track>(
        &mut self,
        objects: &mut Objects<'_, C>,
        mut observer: O,
    ) -> Result<Option<O>, Rejected<O, C::Key>>
    where
        O: Observer<C>,
    {
        match observer.rebuild(objects) {
            Ok(()) => Ok(self.0.replace(observer)),
            Err(reason) => Err(Rejected { value: observer, reason }),
        }
    }

    /// Takes the observer out. O(1).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let mut things = Table::with(Arena::from_iter(["chest"]), Some(Tree::new()));
    /// assert!(things.edit().1.take().is_some() && things.observers().is_none());
    /// # }
    /// ```
    pub const fn take(&mut self) -> Option<O> {
        self.0.take()
    }

    /// Borrows the observer to be edited, if there is one. O(1).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let mut things = Table::with(Arena::new(), Some(Tree::new()));
    /// let [chest, lamp] = ["chest", "lamp"].map(|thing| things.insert(thing));
    /// let (objects, inside) = things.edit();
    /// inside.edited().unwrap().append(objects, chest, lamp).unwrap();
    /// # }
    /// ```
    #[must_use]
    pub fn edited(self) -> Option<O::Edited<'a>>
    where
        O: Edit,
    {
        self.0.as_mut().map(|observer| observer.edited())
    }
}

impl<'a, O> Holder<'a, Vec<O>> {
    /// Has an observer take notice of all objects, which must be those that were lent with this, and adds it behind the
    /// others. O(objects).
    ///
    /// # Errors
    /// Fails as `fill` of an `Option` does.
    ///
    /// # Examples
    /// A number of indices that is chosen at run time, all of one type:
    /// ```
    /// # #[cfg(all(feature = "indices", feature = "hashbrown"))] {
    /// use larder::{Arena, Handle, indices::{IndexBy, MultiIndex}, track::Table};
    ///
    /// type Row = Vec<String>;
    /// type ByColumn = IndexBy<MultiIndex<String, Handle<Row>>, Box<dyn Fn(&Row) -> String>>;
    ///
    /// let rows = [["wren", "brown"], ["robin", "red"], ["kite", "red"]];
    /// let rows = rows.map(|row| row.map(String::from).to_vec());
    /// let mut rows = Table::with(Arena::from_iter(rows), Vec::<ByColumn>::new());
    /// let (mut objects, mut indices) = rows.linking();
    /// for column in [0, 1] {
    ///     let text = Box::new(move |row: &Row| row[column].clone());
    ///     indices.push(&mut objects, IndexBy::new(MultiIndex::new(), text)).unwrap();
    /// }
    /// assert_eq!(rows.observers()[1].get("red").len(), 2);
    /// assert_eq!(rows.linking().1.remove(0).unwrap().len(), 3);
    /// # }
    /// ```
    pub fn push<C: Track>(
        &mut self,
        objects: &mut Objects<'_, C>,
        mut observer: O,
    ) -> Result<(), Rejected<O, C::Key>>
    where
        O: Observer<C>,
    {
        let filled = observer.rebuild(objects);
        match filled.and_then(|()| Ok(reserve(self.0, 1)?)) {
            Ok(()) => {
                self.0.push(observer);
                Ok(())
            }
            Err(reason) => Err(Rejected { value: observer, reason }),
        }
    }

    /// Takes out the observer at a position; those behind it move. O(observers).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let mut things = Table::with(Arena::from_iter(["chest"]), vec![Tree::new()]);
    /// assert!(things.edit().1.remove(0).is_some());
    /// assert!(things.edit().1.remove(0).is_none());
    /// # }
    /// ```
    pub fn remove(&mut self, at: usize) -> Option<O> {
        (at < self.0.len()).then(|| self.0.remove(at))
    }

    /// Borrows the observer at a position to be edited, if there is one. O(1).
    ///
    /// # Examples
    /// ```
    /// # {
    /// use larder::{Arena, track::Table, trees::KeyList};
    ///
    /// let mut things = Table::with(Arena::new(), vec![KeyList::new(), KeyList::new()]);
    /// let lamp = things.insert("lamp");
    /// let (objects, lists) = things.edit();
    /// lists.edited(1).unwrap().push_back(objects, lamp).unwrap();
    /// assert_eq!(things.observers()[1].len(), 1);
    /// # }
    /// ```
    #[must_use]
    pub fn edited(self, at: usize) -> Option<O::Edited<'a>>
    where
        O: Edit,
    {
        self.0.get_mut(at).map(|observer| observer.edited())
    }
}

impl<H> Deref for Holder<'_, H> {
    type Target = H;

    #[inline]
    fn deref(&self) -> &H {
        self.0
    }
}

impl<H> fmt::Debug for Holder<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Holder").finish_non_exhaustive()
    }
}

impl<O> Edit for Option<O> {
    type Edited<'a>
        = Holder<'a, Self>
    where
        Self: 'a;

    fn edited(&mut self) -> Holder<'_, Self> {
        Holder(self)
    }
}

impl<O> Edit for Vec<O> {
    type Edited<'a>
        = Holder<'a, Self>
    where
        Self: 'a;

    fn edited(&mut self) -> Holder<'_, Self> {
        Holder(self)
    }
}
