//! Changing rows where they are.

use super::Indexed;
use crate::containers::container::{Container, RowContainer};
use crate::indices::error::{IndexError, Rejected};
use crate::indices::row_index::RowIndex;

/// Changing in place.
impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Changes a row in place, for rows that are not `Clone`, files it, and returns what the closure returns. O(1), and
    /// the cost in the indices.
    ///
    /// A change in place cannot be undone: a changed row that an index refuses is removed from the container and all
    /// indices. So containers that keep their values, as a `Pool` does, have [`replace`](Self::replace) only. For rows
    /// that are `Clone`, [`modify`](Self::modify) changes all or nothing.
    ///
    /// # Errors
    /// If the key has no row: then nothing has changed, and the error has no value. If an index refuses the changed
    /// row, or memory is refused: the row is in the error, as the closure left it, its key is stale, and what the
    /// closure returned is dropped.
    ///
    /// # Panics
    /// If user code panics. A row that was not filed by then is removed and dropped; all others are unchanged.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{IndexError, Indexed, UniqueIndex}};
    ///
    /// struct Channel {
    ///     number: u32,
    ///     file: Option<std::fs::File>, // cannot be cloned
    /// }
    /// let by_number = UniqueIndex::by(|channel: &Channel| channel.number);
    /// let mut channels = Indexed::new(Arena::new(), by_number);
    /// let [a, b] = [1, 2].map(|number| channels.insert(Channel { number, file: None }).unwrap());
    ///
    /// channels.modify_in_place(a, |channel| channel.number = 3).unwrap();
    /// assert_eq!(channels.indices().get(&3), Some(a));
    ///
    /// let refused = channels.modify_in_place(a, |channel| channel.number = 2).unwrap_err();
    /// assert_eq!(refused.reason, IndexError::Duplicate { holder: b });
    /// let mut channel = refused.value.unwrap();
    /// assert!(!channels.contains_key(a) && channel.file.is_none());
    /// channel.number = 4;
    /// channels.insert(channel).unwrap(); // under another key
    /// ```
    #[doc(alias("get_mut", "update"))]
    pub fn modify_in_place<R>(
        &mut self,
        key: C::Key,
        change: impl FnOnce(&mut C::Value) -> R,
    ) -> Result<R, Rejected<Option<C::Value>, C::Key>>
    where
        C: Container<Removed = <C as RowContainer>::Value>,
    {
        self.indices.settle();
        let mut changing = Changing { indexed: self, key, is_done: false };
        match changing.change(change) {
            Ok(answer) => Ok(answer),
            Err(reason) => {
                changing.is_done = true;
                let value = changing.indexed.take(key);
                changing.indexed.indices.settle();
                Err(Rejected { value, reason })
            }
        }
    }
}

/// A row that is changed in place, and removed everywhere unless it is filed in the end.
struct Changing<'a, C: RowContainer, I: RowIndex<C::Key, C::Value>> {
    indexed: &'a mut Indexed<C, I>,
    key: C::Key,
    /// Nothing is left to do.
    is_done: bool,
}

impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Changing<'_, C, I> {
    fn change<R>(
        &mut self,
        change: impl FnOnce(&mut C::Value) -> R,
    ) -> Result<R, IndexError<C::Key>> {
        let Self { indexed: Indexed { container, indices, .. }, key, is_done } = self;
        let Some(value) = container.get_mut(*key) else {
            return Err(IndexError::Missing { key: *key });
        };
        let answer = change(value);
        if let Err(reason) = indices.prepare(*key, value) {
            indices.settle();
            return Err(reason);
        }
        indices.file();
        *is_done = true;
        indices.settle();
        Ok(answer)
    }
}

impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Drop for Changing<'_, C, I> {
    fn drop(&mut self) {
        if !self.is_done {
            self.indexed.take(self.key);
        }
    }
}
