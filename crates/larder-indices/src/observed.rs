//! Indices as observers of a table, and in its history: they file objects by their values.

use super::index_by::PropertyOf;
use super::two_phase::TwoPhase;
use super::{IndexBy, IndexError, KeyIndex};
use larder_core::TryReserveError;
use larder_core::containers::{Container, ValueContainer};
use larder_core::past::Reverse;
use larder_core::track::{
    Changes, Each, Edit, Objects, Observer, Refresh, Refusal, Reversible, Track, TrackError,
};

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
    fn settle(&mut self, _: Option<L::Key>) {
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

impl<L: Reverse> Reversible for KeyIndex<L> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut self.layout)
    }
}

/// The index goes back. The function plays no part in it.
impl<L: TwoPhase + Reverse, F> Reversible for IndexBy<KeyIndex<L>, F> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.index_mut().members(each)
    }
}

impl<L: TwoPhase, F, C: ValueContainer<Key = L::Key>> Refresh<C> for IndexBy<KeyIndex<L>, F>
where
    F: PropertyOf<C::Value, L::Property>,
{
    fn refresh(
        &mut self,
        changes: &Changes<'_, L::Key>,
        container: &C,
    ) -> Result<(), IndexError<L::Key>> {
        self.settle();
        changes.removed().iter().chain(changes.changed()).for_each(|&key| self.unfile(key));
        self.settle();
        for &key in changes.changed().iter().chain(changes.inserted()) {
            let filed =
                container.with_value(key, |value| self.prepare(key, value).map(|()| self.commit()));
            self.settle();
            filed.unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}
