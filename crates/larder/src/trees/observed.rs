//! Hierarchies, lists and buckets as observers of a table, and in its history: what each does when an object is removed.

use alloc::vec::Vec;

use super::links::LinksOf;
use super::{
    Buckets, InObjects, InsertionOrder, IntrusiveList, KeyList, Link, LinkStore, LinkStoreMut,
    Links, Tree, edit,
};
use crate::containers::Container;
use crate::error::{Refusal, TryReserveError};
use crate::key::Key;
use crate::scratch::reserve;
use crate::track::{Blind, Each, Edit, Objects, Observer, Reversible, Table, Track, TrackError};

impl<C: Track> Observer<C> for Tree<C::Key> {
    #[inline]
    fn ignores_insertions(&self) -> bool {
        true
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
    fn ignores_insertions(&self) -> bool {
        true
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
    fn ignores_insertions(&self) -> bool {
        true
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
        if objects.source(key).is_none() {
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
    fn settle(&mut self) {
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
    let mut keys = Vec::new();
    reserve(&mut keys, objects.places())?;
    keys.extend((0..objects.places()).filter_map(|place| objects.key_in(place)));
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
        each(self)
    }
}

impl<K: Key> Reversible for KeyList<K> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(self)
    }
}

impl<K: Key, const N: usize> Reversible for Buckets<K, N> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(self)
    }
}

impl<K: Key> Reversible for InsertionOrder<K> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(self.list_mut())
    }
}

/// Links in the objects go back with these.
impl Reversible for InObjects {
    fn members(&mut self, _: &mut Each<'_>) -> Result<(), TrackError> {
        Ok(())
    }
}

/// Removal with all that is below an object.
impl<C: Track, O: Observer<C>> Table<C, O> {
    /// Removes an object and everything below it in one of the trees, children before their parents, passes each to `each`, and
    /// returns how many there were. O(removed), without recursion or memory.
    ///
    /// If `each` panics, the objects that it was passed are removed, and the call can be repeated.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Tree, track::Table};
    ///
    /// let mut things = Table::with(Arena::new(), Tree::new());
    /// let [chest, purse, coin] = ["chest", "purse", "coin"].map(|thing| things.insert(thing));
    /// let (objects, inside) = things.edit();
    /// inside.append(objects, chest, purse).unwrap();
    /// inside.append(objects, purse, coin).unwrap();
    /// let mut order = Vec::new();
    /// assert_eq!(things.remove_subtree(|inside| inside, purse, |_, thing| order.push(thing)), 2);
    /// assert_eq!((order, things.len()), (vec!["coin", "purse"], 1));
    /// ```
    #[doc(alias("despawn_recursive"))]
    pub fn remove_subtree(
        &mut self,
        tree: impl Fn(&O) -> &Tree<C::Key>,
        key: C::Key,
        mut each: impl FnMut(C::Key, C::Value),
    ) -> usize {
        Tree::remove_subtree_of(
            self,
            key,
            |this| tree(this.observers()),
            |this, key| this.remove(key).map(|object| each(key, object)).is_some(),
        )
    }
}

impl<C: Track + LinkStore<L>, O, L> LinkStore<L> for Table<C, O> {
    type Key = <C as LinkStore<L>>::Key;

    #[inline]
    fn links(&self, key: Self::Key) -> Option<&L> {
        (**self).links(key)
    }
}

/// Links in the objects, whose changes are recorded.
impl<C, O, L> LinkStoreMut<L> for Table<C, O>
where
    C: Track + LinkStoreMut<L, Key = <C as Container>::Key>,
    L: LinksOf<<C as Container>::Key>,
{
    #[inline]
    fn links_mut(&mut self, key: Self::Key) -> Option<&mut L> {
        self.recorded_mut().lend_part(key, |objects| objects.links_mut(key))
    }

    const MAY_RECORD: bool = true;

    #[inline]
    fn records(&self) -> bool {
        self.recorded().has_checkpoints()
    }
}

impl<C: Track + LinkStore<L>, L> LinkStore<L> for Objects<'_, C> {
    type Key = <C as LinkStore<L>>::Key;

    #[inline]
    fn links(&self, key: Self::Key) -> Option<&L> {
        (**self).links(key)
    }
}

impl<C, L> LinkStoreMut<L> for Objects<'_, C>
where
    C: Track + LinkStoreMut<L, Key = <C as Container>::Key>,
    L: LinksOf<<C as Container>::Key>,
{
    #[inline]
    fn links_mut(&mut self, key: Self::Key) -> Option<&mut L> {
        self.0.lend_part(key, |objects| objects.links_mut(key))
    }

    const MAY_RECORD: bool = true;

    #[inline]
    fn records(&self) -> bool {
        self.0.has_checkpoints()
    }
}
