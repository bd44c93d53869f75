//! Saving the keys that were undone, so that none of them is issued again.

use alloc::vec::Vec;

use super::Table;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::key::sealed::Compose;
use crate::parts::{Encoder, FromParts, LoadError, Loaded, Pairs, Parts};
use crate::raw::rewind::Saved;
use crate::raw::slots::GenerationOf;
use crate::room::reserve;
use crate::track::trackable::Track;

/// The keys of a table whose slots had later keys, which were undone: what has to be saved beside the container, so
/// that none of these is issued again. Made by [`Table::spent_keys`], and taken by [`Table::spend`].
///
/// An undone key is stale, and stays so, as long as the table lives. Its slot may hold an object again that was removed
/// before, under an earlier key: after that object the container alone would issue the undone key a second time.
///
/// # Examples
/// ```
/// # #[cfg(feature = "snapshot")] {
/// use larder::snapshot::{Saver, Snapshot};
/// use larder::track::{Reversible, SpentKeys, Tracked};
/// use larder::{Arena, Handle};
///
/// let mut birds = Tracked::new(Arena::from_iter([1_u32]));
/// let wren = birds.keys().next().unwrap();
/// birds.checkpoint();
/// birds.remove(wren);
/// let undone = birds.insert(2); // in the slot of the first
/// birds.undo()?;
/// assert!(birds.contains_key(wren) && !birds.contains_key(undone));
///
/// let (mut file, spent) = (std::io::Cursor::new(Vec::new()), birds.spent_keys()?);
/// Saver::new().section("birds", &*birds).section("spent", &spent).write_to(&mut file)?;
///
/// let mut file = Snapshot::from_reader(file)?;
/// let mut loaded = Tracked::new(file.load::<Arena<u32>>("birds")?);
/// loaded.spend(&file.load::<SpentKeys<Handle<u32>>>("spent")?)?;
/// loaded.remove(wren);
/// assert_ne!(loaded.insert(3), undone);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SpentKeys<K> {
    /// Each key, and the generation in which its slot is free after it; [`RETIRED`] where it has none left.
    keys: Vec<(K, u64)>,
}

impl<K> SpentKeys<K> {
    /// Returns the number of keys. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// assert_eq!(Tracked::new(Arena::<u32>::new()).spent_keys()?.count(), 0);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.keys.len()
    }
}

/// The number of the generation of a slot that is not used again.
const RETIRED: u64 = u64::MAX;

impl<K: Key> Parts for SpentKeys<K> {
    const KIND: &'static str = "spent keys";
    type List = Pairs<K, u64>;

    fn save<E: Encoder<Pairs<K, u64>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(self.keys.iter().map(|(key, next)| (*key, next)))
    }
}

impl<K: Key> FromParts for SpentKeys<K> {
    fn load(parts: Loaded<Pairs<K, u64>>) -> Result<Self, LoadError> {
        let keys = parts.list.0;
        let can_be = |next| match next {
            RETIRED => GenerationOf::<K>::HAS_LAST,
            next => GenerationOf::<K>::free_from_u64(next).is_some(),
        };
        match keys.iter().find(|&&(_, next)| !can_be(next)) {
            Some((key, next)) => Err(LoadError::entry(format_args!(
                "the slot of {key:?} cannot be free in generation {next}"
            ))),
            None => Ok(Self { keys }),
        }
    }
}

impl<C: Track, O> Table<C, O> {
    /// The key that a slot has, or is detached from it.
    fn key_of_slot(&self, slot: u32) -> Option<C::Key> {
        let container = &self.objects.container;
        match container.state(Some(slot as usize).filter(|&slot| slot < container.slots())?) {
            Saved::Live(generation, ()) | Saved::Detached(generation) => {
                Some(C::Key::compose(slot, generation))
            }
            Saved::Free(_) | Saved::Retired => None,
        }
    }

    /// Returns the keys whose slots had later ones, which were undone: to be saved with the container. O(slots), or
    /// O(1) if nothing was undone.
    ///
    /// # Errors
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let birds = Tracked::new(Arena::from_iter(["wren"]));
    /// let none = birds.spent_keys()?; // nothing was undone
    /// assert_eq!(none, Tracked::new(Arena::<&str>::new()).spent_keys()?);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn spent_keys(&self) -> Result<SpentKeys<C::Key>, TryReserveError> {
        let (spent, mut keys) = (&self.objects.history.spent, Vec::new());
        reserve(&mut keys, spent.count)?;
        for slot in 0..if spent.is_empty() { 0 } else { spent.end } {
            if let (Some(next), Some(key)) = (spent.slots.get(slot), self.key_of_slot(slot)) {
                keys.push((key, next.map_or(RETIRED, Generation::to_u64)));
            }
        }
        Ok(SpentKeys { keys })
    }

    /// Has the keys that were undone before this container was saved not be issued again. Keys that it does not have
    /// are ignored. O(keys).
    ///
    /// # Errors
    /// If allocation fails: some keys are then not noted.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::from_iter(["wren"]));
    /// let spent = birds.spent_keys()?;
    /// birds.spend(&spent)?; // nothing was undone
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn spend(&mut self, keys: &SpentKeys<C::Key>) -> Result<(), TryReserveError> {
        for &(key, next) in &keys.keys {
            if C::ISSUES && self.key_of_slot(key.slot()) == Some(key) {
                let spent = &mut self.objects.history.spent;
                let next = spent.after(key.slot(), GenerationOf::<C::Key>::free_from_u64(next));
                spent.note(key.slot(), next)?;
            }
        }
        Ok(())
    }
}
