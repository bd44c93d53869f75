//! What every index does: keys are filed under properties, in steps.

use super::IndexError;
use crate::key::Key;

/// An index, as something that owns it together with others uses it.
///
/// [`prepare`](Self::prepare) runs the code of the user that a property has (`Hash`, `Eq`, `Ord`) and takes
/// all memory; [`file`](Self::file) and [`unfile`](Self::unfile) do neither, and so cannot fail between
/// those of two indices. What is left over is given to [`settle`](Self::settle) when all of them are done,
/// because a property's `Drop` may panic, too.
#[expect(unnameable_types, reason = "the seal on `By`")]
pub trait Filing {
    /// What is filed.
    type Key: Key;
    /// What it is filed under.
    type Property;
    /// What was found out about a property, and can be filed.
    type Ticket;
    /// What is not needed any more.
    type Leftover;

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
