//! Putting entries into states that they had.
//!
//! **Invariant.** That of [`sparse`](super). (There is no book: an entry is all that a slot has.)

use alloc::vec::Vec;
use core::mem;

use super::{Sparse, hash_of};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::maps::side_layout::SideLayout;
use crate::raw::rewind::{Batch, Ordered, Placed, Record, Saved};
use crate::raw::slots::GenerationOf;
use crate::room::reserve;

impl<K: Key, V> Sparse<K, V> {
    /// Puts each slot into the state of its record, which then holds the state that the slot had. No slot has two
    /// records. On an error nothing has changed.
    pub(crate) fn exchange(
        &mut self,
        records: &mut Batch<'_, Record<K, Placed<V>>>,
    ) -> Result<(), TryReserveError> {
        let is_new = |record: &&Record<K, _>| {
            matches!(record.saved, Saved::Live(..)) && self.position_of(record.slot).is_none()
        };
        let (new, mut moves) = (records.iter().filter(is_new).count(), Vec::new());
        reserve(&mut moves, records.len())?;
        self.try_reserve(new)?;
        // SAFETY: 1, 3. there is no book, and nothing is a hole. 2. no slot has two records.
        unsafe { self.exchange_placed(records, &mut moves) };
        Ok(())
    }
}

impl<K: Key, V> Ordered<K> for Sparse<K, V> {
    type Value = V;

    #[inline]
    fn key_in(&self, position: usize) -> Option<K> {
        self.entries.get(position).map(|&(key, _)| key)
    }

    fn position_of(&self, slot: u32) -> Option<usize> {
        self.find(slot, |key| key.slot() == slot).map(|at| at as usize)
    }

    fn exchange_at(&mut self, position: usize, key: &mut K, value: &mut V) {
        let entry = &mut self.entries[position];
        mem::swap(&mut entry.0, key);
        mem::swap(&mut entry.1, value);
    }

    fn swap_positions(&mut self, one: usize, other: usize) {
        let bucket = |position: usize| {
            let hash = hash_of(self.entries[position].0.slot());
            self.positions.find_bucket_index(hash, |&at| at as usize == position)
        };
        let buckets = [(bucket(one), other), (bucket(other), one)];
        for (bucket, position) in buckets {
            if let Some(at) = bucket.and_then(|bucket| self.positions.get_bucket_mut(bucket)) {
                *at = position as u32;
            }
        }
        self.entries.swap(one, other);
    }

    unsafe fn put_in(&mut self, slot: u32, saved: &mut Saved<GenerationOf<K>, Placed<V>>) {
        let then = mem::replace(saved, Saved::Free(Generation::RETIRED));
        if let Saved::Live(generation, Placed { value, .. }) = then {
            let put = self.try_insert(K::compose(slot, generation), value);
            debug_assert!(put.is_ok(), "slot {slot} has room, and no value");
        }
    }

    unsafe fn take_out(
        &mut self,
        position: usize,
        _: &Saved<GenerationOf<K>, Placed<V>>,
    ) -> (K, V) {
        self.take(position)
    }
}
