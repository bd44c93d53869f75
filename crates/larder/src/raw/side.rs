//! Values under keys that others hand out: an array for the slots that are in use together, and a
//! table of hashes for those far from all others. [`SecondaryMap`](crate::SecondaryMap) is made of it.
//!
//! **Invariant.** The keys of `near` have slots below `near.slots()`, those of `far` have none of
//! them. (So each slot is in one of them at most.)
//!
//! The array grows only where at least one in [`SPARSEST`] of its slots is in use then; whatever else
//! comes is far. So memory is that of the entries, whatever slots their keys name, and a walk over
//! the array looks at less than one word for each of them.

mod iter;
mod view;

pub(crate) use iter::{Chained, Drain, ExtractIf, IntoIter};
pub(crate) use view::SideView;

use core::mem;

use crate::error::{
    GetDisjointMutError, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError,
};
use crate::key::Key;
use crate::raw::disjoint;
use crate::raw::keyed::{Keyed, can_be_live};
use crate::raw::near::Near;
use crate::raw::rows;
use crate::raw::slots::most_slots;
use crate::raw::sparse::{self, Sparse};
use crate::stats::MemoryUsage;

/// The array grows to at most this many slots for each entry in it; rounded up to a power of two
/// that may be twice as many.
const SPARSEST: usize = 8;

/// An array of values, and those far from it. (What a lookup reads comes first.)
#[repr(C)]
pub(crate) struct Side<K: Key, V> {
    near: Near<K, V>,
    far: Sparse<K, V>,
}

impl<K: Key, V> Side<K, V> {
    pub(crate) const fn new() -> Self {
        Self { near: Near::new(), far: Sparse::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.near.len() + self.far.len()
    }

    /// The slots below this have their place in the array.
    pub(crate) const fn capacity(&self) -> usize {
        self.near.slots()
    }

    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let (near, far) = (self.near.memory_usage(), self.far.memory_usage());
        MemoryUsage {
            values: near.values + far.values,
            holes: near.holes + far.holes,
            unused: near.unused + far.unused,
            bookkeeping: near.bookkeeping + far.bookkeeping,
            committed: near.committed + far.committed,
            reserved: near.reserved + far.reserved,
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        if (key.slot() as usize) < self.near.slots() {
            self.near.get(key)
        } else {
            self.get_far(key)
        }
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        if (key.slot() as usize) < self.near.slots() {
            self.near.get_mut(key)
        } else {
            self.get_far_mut(key)
        }
    }

    /// (Out of line, so that a lookup in the array stays small.)
    #[inline(never)]
    fn get_far(&self, key: K) -> Option<&V> {
        self.far.get(key)
    }

    #[inline(never)]
    fn get_far_mut(&mut self, key: K) -> Option<&mut V> {
        self.far.get_mut(key)
    }

    #[inline(never)]
    fn remove_far(&mut self, key: K) -> Option<V> {
        self.far.remove(key)
    }

    /// As [`Keyed::try_insert`]: in place where the key's slot has its row, and that is the key's or
    /// free. (Always inlined, as one of the changes that took an index's add from 494
    /// instructions to 440.)
    #[inline(always)]
    pub(crate) fn try_insert(
        &mut self,
        key: K,
        value: V,
    ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        if let Some(there) = self.near.get_mut(key) {
            return Ok(Some(mem::replace(there, value)));
        }
        if can_be_live(key) && self.near.has_room(key.slot() as usize) {
            // SAFETY: just checked.
            unsafe { self.near.fill(key, value) };
            return Ok(None);
        }
        self.insert_slowly(key, value)
    }

    #[inline(never)]
    fn insert_slowly(&mut self, key: K, value: V) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        Keyed::try_insert(self, key, value)
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[&mut V; N], GetDisjointMutError> {
        disjoint::find_disjoint(keys, |key| self.get(key).map(|_| key.slot() as usize))?;
        // SAFETY: `self` is borrowed exclusively; the keys have values, and are of different slots.
        Ok(unsafe { self.view_mut().lend_mut(keys) })
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        if (key.slot() as usize) < self.near.slots() {
            self.near.remove(key)
        } else {
            self.remove_far(key)
        }
    }

    /// Makes the array larger where the slot, which is past its end, is to lie in it.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, slot: usize) -> Result<(), TryReserveError> {
        if slot / SPARSEST <= self.near.len() {
            return self.grow((slot + 1).checked_next_power_of_two().unwrap_or(slot + 1));
        }
        if self.far.len() < self.far.capacity() || self.far.key_at(slot as u32).is_some() {
            return Ok(());
        }
        // More room is needed for what is far: is it still far from all others?
        let far = self.far.entries().iter().map(|(key, _)| key.slot());
        let slots = Self::densest(self.near.len(), far.chain([slot as u32]));
        if slots > self.near.slots() { self.grow(slots) } else { Ok(()) }
    }

    /// Makes room for the value of a key: inserting it next needs no memory. Answers whose value is in the
    /// slot now. On an error nothing has changed.
    #[inline]
    pub(crate) fn make_room_for(
        &mut self,
        key: K,
    ) -> Result<Option<K>, SecondaryInsertErrorKind<K>> {
        if self.near.find(key).is_some() {
            return Ok(Some(key));
        }
        if can_be_live(key) && self.near.has_room(key.slot() as usize) {
            return Ok(None);
        }
        self.make_room_slowly(key)
    }

    /// Of a key without an entry whose slot is another key's or past the array, or that is none.
    #[inline(never)]
    fn make_room_slowly(&mut self, key: K) -> Result<Option<K>, SecondaryInsertErrorKind<K>> {
        if let Some(reason) = self.refusal(key) {
            return Err(reason);
        }
        let (slot, tenant) = (key.slot() as usize, self.key_at(key.slot()));
        if tenant.is_some() || slot < self.near.slots() {
            return Ok(tenant);
        }
        self.make_room(slot).map_err(SecondaryInsertErrorKind::NoMemory)?;
        if slot >= self.near.slots() {
            self.far.try_reserve(1).map_err(SecondaryInsertErrorKind::NoMemory)?;
        }
        Ok(None)
    }

    /// The largest power of two below which one slot in [`SPARSEST`] is in use, if these are, and so
    /// many others below all of them.
    fn densest(mut below: usize, slots: impl Iterator<Item = u32>) -> usize {
        // How many slots have so many bits.
        let mut counts = [0; u32::BITS as usize + 1];
        slots.for_each(|slot| counts[(u32::BITS - slot.leading_zeros()) as usize] += 1);
        let mut densest = 0;
        for (bits, count) in counts.into_iter().enumerate() {
            below += count;
            if count > 0 && 1 << bits <= below as u64 * SPARSEST as u64 {
                densest = 1 << bits;
            }
        }
        densest
    }

    /// Makes the array one of so many slots, and moves what was beyond it there. On an error nothing
    /// has changed.
    fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.near.resize(slots.min(most_slots::<K>()))?;
        let slots = self.near.slots();
        for position in (0..self.far.len()).rev() {
            if (self.far.entries()[position].0.slot() as usize) < slots {
                // The last entry, which fills the gap, was looked at before.
                let (key, value) = self.far.take(position);
                // SAFETY: the key had a value, and its slot is below the bound.
                unsafe { self.near.put(key, value) };
            }
        }
        if self.far.len() == 0 {
            self.far = Sparse::new();
        }
        Ok(())
    }

    /// Makes room for so many entries more, if the slots of all are side by side.
    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let entries = (self.near.len() + self.far.len()).saturating_add(additional);
        let most = entries.max(most_slots::<K>());
        let slots = entries.checked_next_power_of_two().map_or(entries, |slots| slots.min(most));
        self.try_set_capacity(slots)
    }

    /// Makes the array one of at least so many slots.
    pub(crate) fn try_set_capacity(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let max = most_slots::<K>();
        if slots > max {
            return Err(TryReserveError::CapacityOverflow { requested: slots, max });
        }
        if slots > self.near.slots() { self.grow(slots) } else { Ok(()) }
    }

    /// Gives back what memory the entries do not need. Where moving them needs memory that is
    /// refused, they stay where they are.
    pub(crate) fn shrink_to_fit(&mut self) {
        let slots = Self::densest(0, self.near.iter().map(|(key, _)| key.slot()));
        while let Some(last) = self.near.last().filter(|&last| last >= slots) {
            if self.far.try_reserve(1).is_err() {
                break;
            }
            // SAFETY: the slot has a value.
            let (key, value) = unsafe { self.near.take(last) };
            // Nothing is refused: there is room.
            let _ = self.far.try_put(key, value);
        }
        // Where the allocator refuses, the memory stays: nothing is lost.
        let _ = self.near.resize(self.near.last().map_or(0, |last| last + 1));
        self.far.shrink_to_fit();
    }

    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, K, V> {
        Chained::new(self.near.iter(), self.far.iter())
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        Chained::new(self.near.iter_mut(), self.far.iter_mut())
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    #[inline]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, &mut V) -> bool) {
        self.near.retain(&mut keep);
        self.far.retain(keep);
    }

    pub(crate) fn clear(&mut self) {
        self.near.retain(|_, _| false);
        self.far.clear();
    }

    /// A copy in which the same keys have equal values.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        V: Clone,
    {
        Ok(Self { near: self.near.try_clone()?, far: self.far.try_clone()? })
    }

    /// Panics where the map contradicts itself.
    pub(crate) fn validate(&self) {
        self.near.validate();
        self.far.validate();
        let slots = self.near.slots();
        let beyond = |(key, _): &(K, V)| key.slot() as usize >= slots;
        assert!(self.far.entries().iter().all(beyond), "what is far is not near");
        assert!(self.iter().all(|(key, _)| can_be_live(key)), "keys are those of values");
    }
}

impl<K: Key, V> Keyed<K, V> for Side<K, V> {
    #[inline]
    fn key_at(&self, slot: u32) -> Option<K> {
        if (slot as usize) < self.near.slots() {
            self.near.key_at(slot as usize)
        } else {
            self.far.key_at(slot)
        }
    }

    #[inline]
    unsafe fn put(&mut self, key: K, value: V) -> Result<Option<V>, (V, TryReserveError)> {
        let slot = key.slot() as usize;
        if slot >= self.near.slots() {
            if let Err(reason) = self.make_room(slot) {
                return Err((value, reason));
            }
            if slot >= self.near.slots() {
                return self.far.try_put(key, value);
            }
        }
        // SAFETY: the slot is below the bound, and the key as the caller says.
        Ok(unsafe { self.near.put(key, value) })
    }
}

/// Keys and values.
pub(crate) type Iter<'a, K, V> = Chained<rows::Iter<'a, V, K>, sparse::Iter<'a, K, V>>;

/// Keys and mutable values.
pub(crate) type IterMut<'a, K, V> = Chained<rows::IterMut<'a, V, K>, sparse::IterMut<'a, K, V>>;
