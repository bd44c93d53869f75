//! A few bytes for each key that is filed, by the key's slot: in an array, and in a hash table for slots far from
//! all others.
//!
//! **Invariant.** Slots without a key have the default. The slots in the table are beyond the array.
//!
//! The array grows only where at least one in [`SPARSEST`] of its slots is in use then. So memory is that of the
//! keys, whatever slots they name.

use alloc::vec::Vec;
use core::mem;

use hashbrown::HashMap;

use crate::error::TryReserveError;
use crate::hashing::no_room;

/// Of so many slots one is in use when the array grows.
const SPARSEST: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct BySlot<T> {
    near: Vec<T>,
    far: Option<HashMap<u32, T>>,
}

impl<T: Copy + Default> BySlot<T> {
    pub(crate) const fn new() -> Self {
        Self { near: Vec::new(), far: None }
    }

    /// What the slot has; the default if it has no key.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> T {
        match self.near.get(slot as usize) {
            Some(value) => *value,
            None => self.get_far(slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn get_far(&self, slot: u32) -> T {
        self.far.as_ref().and_then(|far| far.get(&slot).copied()).unwrap_or_default()
    }

    /// Sets what a slot has, for which there is room.
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, value: T) {
        match self.near.get_mut(slot as usize) {
            Some(place) => *place = value,
            None => self.set_far(slot, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn set_far(&mut self, slot: u32, value: T) {
        if let Some(far) = &mut self.far {
            far.insert(slot, value);
        }
    }

    /// Takes what a slot has.
    #[inline]
    pub(crate) fn take(&mut self, slot: u32) -> T {
        match self.near.get_mut(slot as usize) {
            Some(place) => mem::take(place),
            None => self.take_far(slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn take_far(&mut self, slot: u32) -> T {
        self.far.as_mut().and_then(|far| far.remove(&slot)).unwrap_or_default()
    }

    /// Makes room for a slot, where so many are in use. On an error nothing visible has changed.
    #[inline]
    pub(crate) fn make_room(&mut self, slot: u32, used: usize) -> Result<(), TryReserveError> {
        if (slot as usize) < self.near.len() { Ok(()) } else { self.extend_to(slot, used) }
    }

    #[cold]
    #[inline(never)]
    fn extend_to(&mut self, slot: u32, used: usize) -> Result<(), TryReserveError> {
        let far = self.far.get_or_insert_default();
        let near = used - far.len();
        let least = slot as usize + 1;
        if slot as usize / SPARSEST <= near {
            return self.grow(least.checked_next_power_of_two().unwrap_or(least));
        }
        if far.len() == far.capacity() && !far.contains_key(&slot) {
            // More room is needed for what is far: is it still far from all others?
            let slots = densest(near, far.keys().copied().chain([slot]));
            far.try_reserve(1).map_err(|refused| no_room(refused, far.len() + 1, usize::MAX))?;
            return if slots > self.near.len() { self.grow(slots) } else { Ok(()) };
        }
        Ok(())
    }

    fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let additional = slots.saturating_sub(self.near.len());
        let bytes = additional.saturating_mul(size_of::<T>());
        let reserved = self.near.try_reserve_exact(additional);
        reserved.map_err(|_| TryReserveError::AllocRefused { bytes })?;
        self.near.resize(slots.max(self.near.len()), T::default());
        if let Some(far) = &mut self.far {
            far.retain(|&slot, value| match self.near.get_mut(slot as usize) {
                Some(place) => {
                    *place = *value;
                    false
                }
                None => true,
            });
        }
        Ok(())
    }

    /// Makes room for so many slots more, where `used` are in use, of `max` that keys can have.
    pub(crate) fn try_reserve(
        &mut self,
        additional: usize,
        used: usize,
        max: u32,
    ) -> Result<(), TryReserveError> {
        let (requested, max) = (used.saturating_add(additional), max as usize);
        if requested > max {
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        self.grow(requested.checked_next_power_of_two().unwrap_or(requested))
    }

    /// Forgets what all slots have, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.near.fill(T::default());
        if let Some(far) = &mut self.far {
            far.clear();
        }
    }

    /// Its memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let far = self.far.as_ref().map_or(0, HashMap::allocation_size);
        self.near.capacity() * size_of::<T>() + far
    }

    /// How many slots have a key.
    pub(crate) fn count(&self) -> usize
    where
        T: PartialEq,
    {
        let near = self.near.iter().filter(|&&value| value != T::default());
        near.count() + self.far.as_ref().map_or(0, HashMap::len)
    }
}

/// The largest power of two of which at least one in [`SPARSEST`] is in use: `below`, and those of `slots` that are
/// below it.
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
