//! The parts of an index of keys: its layout in memory, and the two phases of a change, by which several indices change
//! together or not at all.

use alloc::vec::Vec;

use super::IndexError;
use larder_core::TryReserveError;
use larder_core::containers::Container;
use larder_core::containers::MemoryUsage;
use larder_core::key::Key;
use larder_core::room::reserve;

/// Keys filed under properties: what can be done without comparing these.
#[expect(unnameable_types, reason = "the seal on `KeyIndex`")]
pub trait KeyLayout {
    /// The keys that are filed.
    type Key: Key;
    /// The properties under which keys are filed.
    type Property;
    /// The name of the type by which users know an index of it, for panics.
    type Shown;

    /// Returns the number of keys that are filed.
    fn len(&self) -> usize;

    fn contains_key(&self, key: Self::Key) -> bool;

    /// Removes the keys that a container does not have. If the container or the `Drop` of a property panics, the keys
    /// visited before the panic are kept or removed as requested.
    fn retain_live(&mut self, of: &impl Container<Key = Self::Key>);

    /// Removes all keys and keeps the memory.
    fn clear(&mut self);

    /// Makes room for this many more keys, which are filed then without memory. On an error nothing visible has
    /// changed.
    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError>;

    /// Gives back the memory that the keys do not need, as far as the allocator agrees. Runs no user code.
    fn shrink_to_fit(&mut self);

    /// Makes room for this many more keys, as [`try_reserve`](Self::try_reserve) does, but only the room that they need
    /// whatever their properties are.
    fn expect(&mut self, keys: usize) -> Result<(), TryReserveError>;

    /// Returns the use of its memory; `values` are keys (and points).
    fn memory_usage(&self) -> MemoryUsage;

    /// Panics if it is inconsistent.
    #[cfg(feature = "__test")]
    fn validate(&self);
}

/// A layout that is changed in two phases.
///
/// [`prepare`](Self::prepare) runs user code of the property (`Hash`, `Eq`, `Ord`) and allocates all memory;
/// [`file`](Self::file) and [`unfile`](Self::unfile) do neither, and so cannot fail. Leftovers are dropped by
/// [`settle`](Self::settle) when all indices are changed, because a property's `Drop` may panic too.
#[expect(unnameable_types, reason = "the seal on `IndexBy`")]
pub trait TwoPhase: KeyLayout {
    /// A prepared key.
    type Ticket;
    /// Values that have to be dropped.
    type Leftover;

    /// Prepares to file a key; `None` if it is filed under an equal property already, which stays. On an error or a
    /// panic nothing visible has changed.
    fn prepare(
        &mut self,
        key: Self::Key,
        property: Self::Property,
    ) -> Result<Option<Self::Ticket>, IndexError<Self::Key>>;

    /// Files what was prepared, if nothing was changed since.
    fn file(&mut self, ticket: Self::Ticket) -> Self::Leftover;

    /// Removes a key, if it is filed.
    fn unfile(&mut self, key: Self::Key) -> Self::Leftover;

    /// Drops what is left over, which runs user code.
    fn settle(&mut self, leftover: Self::Leftover) {
        drop(leftover);
    }

    /// Cancels what was prepared. Keys may have been removed since.
    fn cancel(&mut self, ticket: Self::Ticket) {
        drop(ticket);
    }

    /// Returns whether a pair may be filed after later ones. The index has no key in the slot of the pair's key.
    fn may_wait(&self, _property: &Self::Property) -> bool {
        false
    }

    /// Puts pairs that wait into the order in which an empty index is filled fastest.
    fn arrange(&self, _pairs: &mut Vec<(Self::Key, Self::Property)>) {}

    /// Files keys up to the first that is refused.
    fn extend(
        &mut self,
        pairs: impl IntoIterator<Item = (Self::Key, Self::Property)>,
    ) -> Result<(), IndexError<Self::Key>>
    where
        Self: Sized,
    {
        extend(self, pairs)
    }

    /// Both phases, for an index that stands alone.
    fn insert(
        &mut self,
        key: Self::Key,
        property: Self::Property,
    ) -> Result<(), IndexError<Self::Key>> {
        if let Some(ticket) = self.prepare(key, property)? {
            let leftover = self.file(ticket);
            self.settle(leftover);
        }
        Ok(())
    }
}

/// Files keys up to the first that is refused; in an empty index those first whose slots ascend, in the
/// index's own order: none of them replaces another.
pub(super) fn extend<I: TwoPhase>(
    index: &mut I,
    pairs: impl IntoIterator<Item = (I::Key, I::Property)>,
) -> Result<(), IndexError<I::Key>> {
    let mut pairs = pairs.into_iter();
    index.expect(pairs.size_hint().0)?;
    let (mut waiting, mut next) = (Vec::new(), None);
    if index.len() == 0 {
        let mut slots = 0;
        for (key, property) in pairs.by_ref() {
            let ascends = key.slot() >= slots && key.can_be_live();
            if !(ascends && index.may_wait(&property) && reserve(&mut waiting, 1).is_ok()) {
                next = Some((key, property));
                break;
            }
            slots = key.slot() + 1;
            waiting.push((key, property));
        }
        index.arrange(&mut waiting);
    }
    let mut pairs = waiting.into_iter().chain(next).chain(pairs);
    pairs.try_for_each(|(key, property)| index.insert(key, property))
}
