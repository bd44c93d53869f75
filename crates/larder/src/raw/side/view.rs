//! Values under keys of others as a join sees them: the words of the array, and what is beyond them.
//!
//! **Invariant** of a [`FarView`]: `cells` and `multiplier` are an index of the first `count` of
//! `entries`, in which a slot is found once.

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
    /// # Safety
    /// `entries` are those of `far`.
    unsafe fn new(far: &Sparse<K, V>, entries: NonNull<(K, V)>) -> Self {
        let (cells, multiplier) = far.index();
        Self { cells: NonNull::from(cells), multiplier, entries, count: far.len() }
    }

    /// # Safety
    /// `number < count`, and the map is borrowed.
    #[inline]
    unsafe fn key(&self, number: usize) -> K {
        // SAFETY: by the contract.
        let entry = unsafe { self.entries.add(number) };
        // SAFETY: the entry is initialised, and its key is never lent to be changed.
        unsafe { (*entry.as_ptr()).0 }
    }

    /// # Safety
    /// The map is borrowed.
    #[inline]
    unsafe fn find(&self, key: K) -> Option<NonNull<V>> {
        // SAFETY: by the contract.
        let cells = unsafe { self.cells.as_ref() };
        let number = cells[probe(cells, self.multiplier, key.slot())?] as u32 as usize;
        // SAFETY: what is in the index is the number of an entry.
        if unsafe { self.key(number) } != key {
            return None;
        }
        // SAFETY: as above.
        Some(unsafe { self.value(number) })
    }

    /// Where the value of an entry lies.
    ///
    /// # Safety
    /// `number < count`, and the map is borrowed.
    #[inline]
    unsafe fn value(&self, number: usize) -> NonNull<V> {
        // SAFETY: by the contract.
        let entry = unsafe { self.entries.add(number) };
        // SAFETY: the entry is initialised.
        let value = unsafe { &raw mut (*entry.as_ptr()).1 };
        // SAFETY: what lies in an entry is not at null.
        unsafe { NonNull::new_unchecked(value) }
    }
}

impl<K: Key, V> SideView<K, V> {
    /// Where the value of a key lies.
    ///
    /// # Safety
    /// The map is borrowed.
    pub(super) unsafe fn find(&self, key: K) -> Option<NonNull<V>> {
        // SAFETY: by the contract.
        let near = unsafe { self.near.find(key) };
        // SAFETY: by the contract.
        near.or_else(|| unsafe { self.far.find(key) })
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
        // SAFETY: by the contract.
        unsafe { self.near.entry(slot) }
    }

    #[inline]
    fn far_len(&self) -> usize {
        self.far.count
    }

    #[inline]
    unsafe fn far_key(&self, number: usize) -> K {
        // SAFETY: by the contract.
        unsafe { self.far.key(number) }
    }

    #[inline]
    unsafe fn far_place(&self, number: usize) -> NonNull<V> {
        // SAFETY: by the contract.
        unsafe { self.far.value(number) }
    }

    #[inline]
    unsafe fn find_far(&self, key: K) -> Option<NonNull<V>> {
        // SAFETY: by the contract.
        unsafe { self.far.find(key) }
    }
}

impl<K: Key, V> Side<K, V> {
    pub(super) fn view_mut(&mut self) -> SideView<K, V> {
        let entries = NonNull::from(self.far.entries_mut()).cast();
        // SAFETY: the entries are those of `far`.
        SideView { near: self.near.view(), far: unsafe { FarView::new(&self.far, entries) } }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, SideView<K, V>> {
        let entries = NonNull::from(self.far.entries()).cast();
        // SAFETY: the entries are those of `far`.
        let far = unsafe { FarView::new(&self.far, entries) };
        // SAFETY: the map is borrowed.
        unsafe { Shared::new(SideView { near: self.near.view(), far }) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, SideView<K, V>> {
        let view = self.view_mut();
        // SAFETY: the map is borrowed exclusively.
        unsafe { Exclusive::new(view) }
    }
}

impl<K: Key, V> Sparse<K, V> {
    fn view_mut(&mut self) -> SideView<K, V> {
        let entries = NonNull::from(self.entries_mut()).cast();
        // SAFETY: the entries are those of `self`.
        SideView { near: Near::new().view(), far: unsafe { FarView::new(self, entries) } }
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, SideView<K, V>> {
        let entries = NonNull::from(self.entries()).cast();
        // SAFETY: the entries are those of `self`.
        let far = unsafe { FarView::new(self, entries) };
        // SAFETY: the map is borrowed.
        unsafe { Shared::new(SideView { near: Near::new().view(), far }) }
    }

    #[inline]
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_, SideView<K, V>> {
        let view = self.view_mut();
        // SAFETY: the map is borrowed exclusively.
        unsafe { Exclusive::new(view) }
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut V; N], GetDisjointMutError> {
        disjoint::find_disjoint(keys, |key| self.get(key).map(|_| key.slot() as usize))?;
        let view = self.view_mut();
        Ok(keys.map(|key| {
            // SAFETY: the view is that of `self`, which is borrowed exclusively.
            let Some(mut value) = (unsafe { view.far.find(key) }) else { unreachable!() };
            // SAFETY: the value is there, and the keys are of different slots.
            unsafe { value.as_mut() }
        }))
    }
}
