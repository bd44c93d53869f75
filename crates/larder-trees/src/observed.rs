//! Hierarchies, lists and buckets as observers of a table, and in its history: what each does when an object is
//! removed.

use alloc::vec::Vec;

use super::buckets::ReturningBuckets;
use super::nodes::ReturningNodes;
use super::{Buckets, InObjects, InsertionOrder, IntrusiveList, KeyList, Link, Links, Tree, edit};
use larder_core::TryReserveError;
use larder_core::containers::LinkStoreMut;
use larder_core::key::Key;
use larder_core::room::reserve;
use larder_core::track::{
    Blind, Change, Each, Edit, Objects, Observer, Refusal, Reversible, Subtrees, Track, TrackError,
};

impl<C: Track> Observer<C> for Tree<C::Key> {
    #[inline]
    fn ignores(&self, change: Change) -> bool {
        matches!(change, Change::Insertion)
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, key: C::Key) {
        self.forget(key);
    }

    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        self.retain_live(&**objects);
        Ok(())
    }
}

impl<C: Track> Observer<C> for KeyList<C::Key> {
    #[inline]
    fn ignores(&self, change: Change) -> bool {
        matches!(change, Change::Insertion)
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, key: C::Key) {
        self.forget(key);
    }

    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        self.retain_live(&**objects);
        Ok(())
    }
}

impl<C: Track, const N: usize> Observer<C> for Buckets<C::Key, N> {
    #[inline]
    fn ignores(&self, change: Change) -> bool {
        matches!(change, Change::Insertion)
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, key: C::Key) {
        self.remove(key);
    }

    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        self.retain_live(&**objects);
        Ok(())
    }
}

impl<C, K: Key> Observer<C> for InObjects
where
    C: Track<Key = K, Value: AsMut<Links<K>>> + LinkStoreMut<Links<K>, Key = K>,
{
    /// Lends the links of the neighbours, so that what a `Clone` of theirs does is done before anything changes.
    fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: K) {
        edit::record_family(objects, key);
    }

    fn remove(&mut self, objects: &mut Objects<'_, C>, key: K) {
        edit::unlink(objects, key);
    }

    /// Closes the gaps that objects left which were removed without it.
    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<K>> {
        let keys = keys(objects)?;
        Links::mend(objects, &keys);
        Ok(())
    }

    fn carry(&self, objects: &C, key: Option<K>, value: &mut C::Value) {
        *value.as_mut() = key.and_then(|key| objects.links(key)).cloned().unwrap_or_default();
    }
}

impl<C, K: Key> Observer<C> for IntrusiveList<K>
where
    C: Track<Key = K, Value: AsMut<Link<K>>> + LinkStoreMut<Link<K>, Key = K>,
{
    fn prepare_remove(&mut self, objects: &mut Objects<'_, C>, key: K) {
        self.head.record_around(objects, key);
    }

    fn remove(&mut self, objects: &mut Objects<'_, C>, key: K) {
        self.remove(objects, key);
    }

    /// Closes the gaps that objects left which were removed without it.
    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<K>> {
        let keys = keys(objects)?;
        self.mend(objects, &keys);
        Ok(())
    }

    fn carry(&self, objects: &C, key: Option<K>, value: &mut C::Value) {
        *value.as_mut() = key.and_then(|key| objects.links(key)).cloned().unwrap_or_default();
    }
}

impl<C: Track> Observer<C> for InsertionOrder<C::Key> {
    #[inline]
    fn prepare(&mut self, objects: &C, key: C::Key, _: &C::Value) -> Result<(), Refusal<C::Key>> {
        if !objects.contains_key(key) {
            self.prepare(key)?;
        }
        Ok(())
    }

    #[inline]
    fn commit(&mut self) {
        self.commit();
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, key: C::Key) {
        self.forget(key);
    }

    #[inline]
    fn settle(&mut self, _: Option<C::Key>) {
        self.cancel();
    }

    /// Forgets other objects. Those that it does not know of come last, in slot order.
    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        for key in keys(objects)? {
            if !self.contains(key) {
                self.prepare(key)?;
                self.commit();
            }
        }
        self.retain_live(&**objects);
        Ok(())
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)
    }
}

/// Returns the keys of all objects.
fn keys<C: Track>(objects: &Objects<'_, C>) -> Result<Vec<C::Key>, TryReserveError> {
    let (live, mut keys) = (objects.live_keys(), Vec::new());
    reserve(&mut keys, live.size_hint().1.unwrap_or(0))?;
    keys.extend(live);
    Ok(keys)
}

impl<C: Track> Blind<C> for Tree<C::Key> {}
impl<C: Track> Blind<C> for KeyList<C::Key> {}
impl<C: Track, const N: usize> Blind<C> for Buckets<C::Key, N> {}
impl<C: Track> Blind<C> for InsertionOrder<C::Key> {}
impl<C: Track> Blind<C> for InObjects where Self: Observer<C> {}
impl<C: Track> Blind<C> for IntrusiveList<C::Key> where Self: Observer<C> {}

impl<K: Key> Edit for Tree<K> {
    type Edited<'a>
        = &'a mut Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl<K: Key> Edit for KeyList<K> {
    type Edited<'a>
        = &'a mut Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl<K: Key, const N: usize> Edit for Buckets<K, N> {
    type Edited<'a>
        = &'a mut Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl<K: Key> Edit for InsertionOrder<K> {
    type Edited<'a>
        = &'a Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl Edit for InObjects {
    type Edited<'a>
        = &'a Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl<K: Key> Edit for IntrusiveList<K> {
    type Edited<'a>
        = &'a mut Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> Self::Edited<'_> {
        self
    }
}

impl<K: Key> Reversible for Tree<K> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut ReturningNodes { nodes: &mut self.nodes, head: &mut () })
    }
}

impl<K: Key> Reversible for KeyList<K> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut ReturningNodes { nodes: &mut self.nodes, head: &mut self.head })
    }
}

impl<K: Key, const N: usize> Reversible for Buckets<K, N> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut ReturningBuckets(self))
    }
}

impl<K: Key> Reversible for InsertionOrder<K> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        self.list_mut().members(each)
    }
}

/// Links in the objects go back with these.
impl Reversible for InObjects {
    fn members(&mut self, _: &mut Each<'_>) -> Result<(), TrackError> {
        Ok(())
    }
}

impl<K: Key> Subtrees<K> for Tree<K> {
    #[inline]
    fn leaf_below(&self, key: K) -> (K, Option<K>) {
        self.first_leaf_below(key)
    }
}
