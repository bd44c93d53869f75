//! What every index does: keys are filed under properties, in steps.

use super::IndexError;
use crate::error::TryReserveError;
use crate::key::Key;

/// An index, as something that owns it together with others uses it.
///
/// [`prepare`](Self::prepare) runs the code of the user that a property has (`Hash`, `Eq`, `Ord`) and takes
/// all memory; [`file`](Self::file) and [`unfile`](Self::unfile) do neither, and so cannot fail between
/// those of two indices. What is left over is given to [`settle`](Self::settle) when all of them are done,
/// because a property's `Drop` may panic, too.
#[expect(unnameable_types, reason = "the seal on `IndexBy`")]
pub trait Filing {
    /// What is filed.
    type Key: Key;
    /// What it is filed under.
    type Property;
    /// What was found out about a property, and can be filed.
    type Ticket;
    /// What is not needed any more.
    type Leftover;
    /// What is collected to be filed at once; nothing where one by one is as quick.
    type Bulk: Default;

    /// Makes ready to file a key. On an error, or a panic, nothing has changed that can be seen.
    fn prepare(
        &mut self,
        key: Self::Key,
        property: Self::Property,
    ) -> Result<Self::Ticket, IndexError<Self::Key>>;

    /// Files what was prepared last, if nothing else was done since.
    fn file(&mut self, ticket: Self::Ticket) -> Self::Leftover;

    /// Takes a key out, if it is filed.
    fn unfile(&mut self, key: Self::Key) -> Self::Leftover;

    /// Drops what is left over, with the code of the user.
    fn settle(&mut self, leftover: Self::Leftover) {
        drop(leftover);
    }

    /// Forgets what was prepared.
    fn cancel(&mut self, ticket: Self::Ticket) {
        drop(ticket);
    }

    /// How many keys are filed.
    fn len(&self) -> usize;

    /// Takes everything out.
    fn clear(&mut self);

    /// Makes room for so many keys more. On an error nothing has changed that can be seen.
    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError>;

    /// Files a key, now or in [`finish`](Self::finish). On an error what came before is not affected.
    fn collect(
        &mut self,
        _: &mut Self::Bulk,
        key: Self::Key,
        property: Self::Property,
    ) -> Result<(), IndexError<Self::Key>> {
        self.insert(key, property)
    }

    /// Files what was collected, if nothing else was done since.
    fn finish(&mut self, bulk: Self::Bulk) -> Result<(), IndexError<Self::Key>> {
        drop(bulk);
        Ok(())
    }

    /// Files keys up to the first that is refused.
    fn extend(
        &mut self,
        pairs: impl IntoIterator<Item = (Self::Key, Self::Property)>,
    ) -> Result<(), IndexError<Self::Key>>
    where
        Self: Sized,
    {
        let mut pairs = pairs.into_iter();
        self.try_reserve(pairs.size_hint().0)?;
        let mut bulk = Self::Bulk::default();
        let collected =
            pairs.try_for_each(|(key, property)| self.collect(&mut bulk, key, property));
        self.finish(bulk)?;
        collected
    }

    /// All steps, for an index that stands alone.
    fn insert(
        &mut self,
        key: Self::Key,
        property: Self::Property,
    ) -> Result<(), IndexError<Self::Key>> {
        let ticket = self.prepare(key, property)?;
        let leftover = self.file(ticket);
        self.settle(leftover);
        Ok(())
    }
}
