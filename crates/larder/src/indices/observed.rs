//! Indices as observers of a table, and in its history: they file objects by their values.

use super::index_by::PropertyOf;
use super::two_phase::TwoPhase;
use super::{IndexBy, IndexError, KeyIndex};
use crate::containers::container::{Container, ValueContainer};
use crate::error::{Refusal, TryReserveError};
use crate::key::Key;
use crate::past::Reverse;
use crate::track::{Changes, Each, Edit, Objects, Observer, Reversible, Track, TrackError};

impl<C, L: TwoPhase, F> Observer<C> for IndexBy<KeyIndex<L>, F>
where
    C: Track + Container<Key = L::Key> + ValueContainer<Value = <C as Track>::Value>,
    F: PropertyOf<<C as Track>::Value, L::Property>,
{
    #[inline]
    fn prepare(
        &mut self,
        _: &C,
        key: L::Key,
        value: &<C as Track>::Value,
    ) -> Result<(), Refusal<L::Key>> {
        self.prepare(key, value)
    }

    #[inline]
    fn commit(&mut self) {
        self.commit();
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, key: L::Key) {
        self.unfile(key);
    }

    #[inline]
    fn settle(&mut self) {
        self.settle();
    }

    /// Files all objects anew.
    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<L::Key>> {
        self.fill(&**objects)
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)
    }
}

impl<L: TwoPhase, F> Edit for IndexBy<KeyIndex<L>, F> {
    type Edited<'a>
        = &'a Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl<L> Reversible for KeyIndex<L>
where
    Self: Reverse,
{
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(self)
    }
}

/// The index goes back. The function plays no part in it.
impl<L: TwoPhase, F> Reversible for IndexBy<KeyIndex<L>, F>
where
    KeyIndex<L>: Reverse,
{
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(self.index_mut())
    }
}

/// Changes that an index takes notice of.
impl<K: Key> Changes<'_, K> {
    /// Applies the changes to an index: keys without a value are removed, the others are filed by their
    /// current value. This updates an index after a [rollback](crate::track::Reversible::rollback), too. O(changes),
    /// each as an insertion.
    ///
    /// # Errors
    /// If a value cannot be filed, since another of a [`UniqueIndex`](crate::indices::UniqueIndex) is equal,
    /// or allocation fails. Some changes are then not filed; to rebuild the index from the container, call
    /// [`fill`](IndexBy::fill).
    ///
    /// # Panics
    /// If code of the index or of a property panics, `Drop` included. Some changes are not filed then, and
    /// keys that were removed may be found: the same call again does the rest.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "hashbrown")] {
    /// use larder::{Arena, indices::MultiIndex, track::{Reversible, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let mut by_length = MultiIndex::by(|bird: &&str| bird.len());
    /// let mut subscriber = birds.subscribe();
    /// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
    /// birds.poll(&mut subscriber)?.refresh(&mut by_length, &*birds)?;
    /// assert_eq!(by_length.get(&4), [wren, kite]);
    ///
    /// let before = birds.checkpoint();
    /// *birds.get_mut(kite).unwrap() = "red kite";
    /// birds.remove(wren);
    /// birds.poll(&mut subscriber)?.refresh(&mut by_length, &*birds)?;
    /// assert_eq!((by_length.get(&4), by_length.get(&8)), (&[][..], &[kite][..]));
    ///
    /// birds.rollback(before)?;
    /// birds.poll(&mut subscriber)?.refresh(&mut by_length, &*birds)?;
    /// assert_eq!((by_length.get(&4).len(), by_length.get(&8).len()), (2, 0));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh<C: ValueContainer<Key = K>, L: TwoPhase<Key = K>, F>(
        &self,
        index: &mut IndexBy<KeyIndex<L>, F>,
        container: &C,
    ) -> Result<(), IndexError<K>>
    where
        K: Key,
        F: PropertyOf<C::Value, L::Property>,
    {
        index.settle();
        self.removed().iter().chain(self.changed()).for_each(|&key| index.unfile(key));
        index.settle();
        for &key in self.changed().iter().chain(self.inserted()) {
            let filed = container
                .with_value(key, |value| index.prepare(key, value).map(|()| index.commit()));
            index.settle();
            filed.unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}
