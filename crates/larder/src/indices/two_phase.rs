//! Changes of an index in two phases, so that several indices change together or not at all.

use super::error::IndexError;
use crate::error::TryReserveError;
use crate::key::Key;

/// An index that is changed in two phases.
///
/// [`prepare`](Self::prepare) runs user code of the property (`Hash`, `Eq`, `Ord`) and allocates all memory;
/// [`file`](Self::file) and [`unfile`](Self::unfile) do neither, and so cannot fail. What is left over is dropped by
/// [`settle`](Self::settle) when all indices are changed, because a property's `Drop` may panic too.
#[expect(unnameable_types, reason = "the seal on `IndexBy`")]
pub trait TwoPhase {
    /// What is filed.
    type Key: Key;
    /// What it is filed under.
    type Property;
    /// A prepared key.
    type Ticket;
    /// What has to be dropped.
    type Leftover;

    /// Prepares to file a key. On an error or a panic nothing visible has changed.
    fn prepare(
        &mut self,
        key: Self::Key,
        property: Self::Property,
    ) -> Result<Self::Ticket, IndexError<Self::Key>>;

    /// Files what was prepared, if nothing was changed since.
    fn file(&mut self, ticket: Self::Ticket) -> Self::Leftover;

    /// Removes a key, if it is filed.
    fn unfile(&mut self, key: Self::Key) -> Self::Leftover;

    /// Drops what is left over, which runs user code.
    fn settle(&mut self, leftover: Self::Leftover) {
        drop(leftover);
    }

    /// Cancels what was prepared.
    fn cancel(&mut self, ticket: Self::Ticket) {
        drop(ticket);
    }

    /// How many keys are filed.
    fn len(&self) -> usize;

    /// Removes all keys.
    fn clear(&mut self);

    /// Makes room for this many more keys. On an error nothing visible has changed.
    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError>;

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
        pairs.try_for_each(|(key, property)| self.insert(key, property))
    }

    /// Both phases, for an index that stands alone.
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
