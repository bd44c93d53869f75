//! Putting entries into states that they had. The invariant is that of [`sparse`](super).
//!
//! As of [packed values](crate::raw::packed), a record has the position of its entry, too, and entries that
//! were moved by a removal have one. So those without a record are where they were, and it is enough to move
//! those with one.

use alloc::vec::Vec;
use core::mem;

use super::{Sparse, hash_of};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::Generation;
use crate::raw::rewind::{Move, Placed, Record, Saved};
use crate::scratch::reserve;

impl<K: Key, V> Sparse<K, V> {
    fn position_in(&self, slot: u32) -> Option<usize> {
        self.find(slot, |key| key.slot() == slot).map(|at| at as usize)
    }

    /// The position of a slot's entry.
    pub(crate) fn place_of(&self, slot: usize) -> usize {
        let place = u32::try_from(slot).ok().and_then(|slot| self.position_in(slot));
        debug_assert!(place.is_some(), "slot {slot} has an entry");
        place.unwrap_or(0)
    }

    /// The key of the entry at a position.
    #[inline]
    pub(crate) fn key_in(&self, position: usize) -> Option<K> {
        self.entries.get(position).map(|&(key, _)| key)
    }

    /// The slot of the last entry, which a removal moves, if it is not this slot's.
    pub(crate) fn moves_with(&self, slot: usize) -> Option<usize> {
        let last = self.entries.last().map(|(key, _)| key.slot() as usize);
        last.filter(|&last| last != slot)
    }

    /// Puts each slot into the state of its record, which then holds the state that the slot had. No slot has two
    /// records. On an error nothing has changed.
    ///
    /// What is put in comes first, at the end; then each of it goes where it was, so that what has to go is at the end.
    pub(crate) fn exchange(
        &mut self,
        records: &mut [Record<K, Placed<V>>],
    ) -> Result<(), TryReserveError> {
        let is_new = |record: &&Record<K, _>| {
            matches!(record.saved, Saved::Live(..)) && self.position_in(record.slot).is_none()
        };
        let new = records.iter().filter(is_new).count();
        let mut moves: Vec<Move> = Vec::new();
        reserve(&mut moves, records.len())?;
        self.try_reserve(new)?;
        moves.extend(records.iter_mut().map(|record| self.put_in(record)));
        for (record, (target, _)) in records.iter().zip(&moves) {
            let target = target.map(|at| at as usize).filter(|&at| at < self.len());
            if let Some((now, target)) = self.position_in(record.slot).zip(target) {
                self.swap(now, target);
            }
        }
        for (Record { slot, saved }, (target, before)) in records.iter_mut().zip(moves) {
            if let (None, Some(now)) = (target, self.position_in(*slot)) {
                let (key, value) = self.take(now);
                *saved = Saved::Live(key.generation(), Placed { at: before, value });
            }
        }
        Ok(())
    }

    /// Puts in what has a value, where its slot has one, or at the end, and says where it was. What is to go stays yet.
    fn put_in(&mut self, Record { slot, saved }: &mut Record<K, Placed<V>>) -> Move {
        let there = self.position_in(*slot);
        let before = there.unwrap_or(0) as u32;
        let then = mem::replace(saved, Saved::Free(Generation::RETIRED));
        let Saved::Live(generation, Placed { at, value }) = then else { return (None, before) };
        let entry = (K::compose(*slot, generation), value);
        if let Some(there) = there {
            let (key, value) = mem::replace(&mut self.entries[there], entry);
            *saved = Saved::Live(key.generation(), Placed { at: before, value });
        } else {
            let put = self.try_insert(entry.0, entry.1);
            debug_assert!(put.is_ok(), "slot {slot} has room, and no value");
        }
        (Some(at), before)
    }

    /// Two entries change places.
    fn swap(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
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
}
