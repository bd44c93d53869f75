//! Values under keys of others as a join sees them: the words of the array, and what is beyond them.
//!
//! **Invariant** of a [`SideView`], as long as the map that it was made of is borrowed:
//! 1. `cells` and `multiplier` of its far half are an index of the first `count` of `entries`, which are
//!    initialised, and whose keys do not change.
//! 2. A slot is found once, near or far.

#![expect(unnameable_types, missing_debug_implementations, reason = "no user sees a view")]

use core::ptr::NonNull;

use super::Side;
use crate::error::GetDisjointMutError;
use crate::key::Key;
use crate::raw::disjoint;
use crate::raw::join::{Exclusive, Shared, View, Words};
use crate::raw::near::{Near, NearView};
use crate::raw::slots::GenerationOf;
use crate::raw::sparse::{Sparse, probe};

/// An array, and what is far from it.
pub struct SideView<K: Key, V> {
    near: NearView<K, V>,
    far: FarView<K, V>,
}

/// Entries, and by what they are found.
struct FarView<K, V> {
    cells: NonNull<[u64]>,
    multiplier: u64,
    entries: NonNull<(K, V)>,
    count: usize,
}

impl<K: Key, V> FarView<K, V> {
    /// `entries` are those of `far`.
    fn new(far: &Sparse<K, V>, entries: NonNull<[(K, V)]>) -> Self {
        let (cells, multiplier) = far.index();
        let count = entries.len();
        Self { cells: NonNull::from(cells), multiplier, entries: entries.cast(), count }
    }

    /// The key of an entry, and where its value lies.
    ///
    /// # Safety
    /// `number < count`, and the map is borrowed.
    #[inline]
    unsafe fn entry(&self, number: usize) -> (K, NonNull<V>) {
        // SAFETY: by (1); what lies in an entry is not at null.
        unsafe {
            let entry = self.entries.add(number).as_ptr();
            ((*entry).0, NonNull::new_unchecked(&raw mut (*entry).1))
        }
    }

    /// # Safety
    /// The map is borrowed.
    #[inline]
    unsafe fn find(&self, key: K) -> Option<NonNull<V>> {
        // SAFETY: by (1): what is in the index is the number of an entry.
        unsafe {
            let cells = self.cells.as_ref();
            let number = cells[probe(cells, self.multiplier, key.slot())?] as u32;
            let (there, value) = self.entry(number as usize);
            (there == key).then_some(value)
        }
    }
}

impl<K: Key, V> SideView<K, V> {
    fn new(near: NearView<K, V>, far: &Sparse<K, V>, entries: NonNull<[(K, V)]>) -> Self {
        Self { near, far: FarView::new(far, entries) }
    }

    /// The values of several keys, to change them.
    ///
    /// # Safety
    /// 1. The map is borrowed exclusively for `'a`.
    /// 2. All keys have a value, and they are of different slots.
    pub(super) unsafe fn lend_mut<'a, const N: usize>(&self, keys: [K; N]) -> [&'a mut V; N] {
        // SAFETY: (1); by (2) of the caller and ours each value is lent once.
        keys.map(|key| unsafe {
            let there = self.near.find(key).or_else(|| self.far.find(key));
            let Some(mut value) = there else { unreachable!("{key:?} was found") };
            value.as_mut()
        })
    }
}

// SAFETY: the view of the array is one, and what is far has a slot beyond the array, one of its own.
unsafe impl<K: Key, V> View for SideView<K, V> {
    type Key = K;
    type Place = NonNull<V>;

    #[inline]
    fn words(&self) -> &Words {
        self.near.words()
    }

    #[inline]
    unsafe fn entry(&mut self, slot: usize) -> (GenerationOf<K>, NonNull<V>) {
        // SAFETY: the words, which are those of the array, have the slot.
        unsafe { self.near.entry(slot) }
    }

    #[inline]
    fn far_len(&self) -> usize {
        self.far.count
    }

    #[inline]
    unsafe fn far_key(&self, number: usize) -> K {
        // SAFETY: there is such an entry, and the map is borrowed.
        unsafe { self.far.entry(number).0 }
    }

    #[inline]
    unsafe fn far_place(&self, number: usize) -> NonNull<V> {
        // SAFETY: there is such an entry, and the map is borrowed.
        unsafe { self.far.entry(number).1 }
    }

    #[inline]
    unsafe fn find_far(&self, key: K) -> Option<NonNull<V>> {
        // SAFETY: the map is borrowed.
        unsafe { self.far.find(key) }
    }
}

impl<K: Key, V> Side<K, V> {
    pub(super) fn view_mut(&mut self) -> SideView<K, V> {
        let entries = NonNull::from(self.far.entries_mut());
        SideView::new(self.near.view(), &self.far, entries)
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, SideView<K, V>> {
        let entries = NonNull::from(self.far.entries());
        // SAFETY: the map is borrowed.
        unsafe { Shared::new(SideView::new(self.near.view(), &self.far, entries)) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, SideView<K, V>> {
        // SAFETY: the map is borrowed exclusively.
        unsafe { Exclusive::new(self.view_mut()) }
    }
}

/// A map that is a table only: all that it has is far.
impl<K: Key, V> Sparse<K, V> {
    fn view_mut(&mut self) -> SideView<K, V> {
        let entries = NonNull::from(self.entries_mut());
        SideView::new(Near::new().view(), self, entries)
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, SideView<K, V>> {
        let entries = NonNull::from(self.entries());
        // SAFETY: the map is borrowed.
        unsafe { Shared::new(SideView::new(Near::new().view(), self, entries)) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, SideView<K, V>> {
        // SAFETY: the map is borrowed exclusively.
        unsafe { Exclusive::new(self.view_mut()) }
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut V; N], GetDisjointMutError> {
        disjoint::find_disjoint(keys, |key| self.get(key).map(|_| key.slot() as usize))?;
        // SAFETY: `self` is borrowed exclusively; the keys have values, and are of different slots.
        Ok(unsafe { self.view_mut().lend_mut(keys) })
    }
}
