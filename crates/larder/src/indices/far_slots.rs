//! Values of slots far from all others, such as those of keys from a file: a sorted list in parts.
//!
//! **Invariant.** The first part has all slots below the second one's least, and so on; none has more than [`PART`].
//!
//! It needs no hash table, and its cost does not depend on which slots are chosen: a search is two binary searches, a
//! change moves one part of the list at most.

use alloc::vec::Vec;

use crate::error::TryReserveError;
use crate::scratch::{reserve, reserve_exact};

/// How many values a part has at most.
const PART: usize = 256;

#[derive(Clone, Debug)]
struct Part<T> {
    least: u32,
    values: Vec<(u32, T)>,
}

#[derive(Clone, Debug)]
pub(super) struct FarSlots<T> {
    parts: Vec<Part<T>>,
}

impl<T: Copy> FarSlots<T> {
    pub(super) const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    pub(super) fn get(&self, slot: u32) -> Option<T> {
        let part = &self.parts.get(self.part_of(slot))?.values;
        part.get(part.binary_search_by_key(&slot, |value| value.0).ok()?).map(|value| value.1)
    }

    /// Sets the value of a slot for which room was made.
    pub(super) fn set(&mut self, slot: u32, value: T) {
        let part = self.part_of(slot);
        let Some(Part { values, .. }) = self.parts.get_mut(part) else { return };
        match values.binary_search_by_key(&slot, |value| value.0) {
            Ok(at) => values[at].1 = value,
            Err(at) => values.insert(at, (slot, value)),
        }
    }

    /// Removes a slot's value. There is room for it afterwards.
    pub(super) fn remove(&mut self, slot: u32) {
        let part = self.part_of(slot);
        let Some(Part { values, .. }) = self.parts.get_mut(part) else { return };
        if let Ok(at) = values.binary_search_by_key(&slot, |value| value.0) {
            values.remove(at);
        }
    }

    /// Removes the values of all slots below a limit, and passes each to `each`.
    pub(super) fn remove_below(&mut self, limit: u32, mut each: impl FnMut(u32, T)) {
        for part in self.parts.iter_mut().take_while(|part| part.least < limit) {
            part.values.retain(|&(slot, value)| {
                if slot < limit {
                    each(slot, value);
                }
                slot >= limit
            });
        }
        if self.len() == 0 {
            self.parts = Vec::new();
        }
    }

    /// Makes room for one value. On an error nothing visible has changed.
    pub(super) fn make_room(&mut self, slot: u32) -> Result<(), TryReserveError> {
        let at = self.part_of(slot);
        match self.parts.get_mut(at) {
            None => {
                reserve(&mut self.parts, 1)?;
                self.parts.push(Part { least: 0, values: Vec::new() });
            }
            Some(part) if part.values.len() < PART => {}
            Some(_) => self.divide(at)?,
        }
        let at = self.part_of(slot);
        reserve(&mut self.parts[at].values, 1)
    }

    fn divide(&mut self, at: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.parts, 1)?;
        let mut upper = Vec::new();
        reserve_exact(&mut upper, PART)?;
        upper.extend(self.parts[at].values.drain(PART / 2..));
        self.parts.insert(at + 1, Part { least: upper[0].0, values: upper });
        Ok(())
    }

    /// Of the part that has a slot, or would have it. (The first one has the least slots there are.)
    fn part_of(&self, slot: u32) -> usize {
        self.parts.partition_point(|part| part.least <= slot).saturating_sub(1)
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.values.len()).sum()
    }

    /// Its memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let values: usize = self.parts.iter().map(|part| part.values.capacity()).sum();
        values * size_of::<(u32, T)>() + self.parts.capacity() * size_of::<Part<T>>()
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;

    use super::*;

    #[test]
    fn values_are_those_of_a_map() {
        let (mut far, mut map) = (FarSlots::new(), BTreeMap::new());
        let mut state = 1_u32;
        for step in 0..if cfg!(miri) { 700 } else { 20_000 } {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let slot = state >> 17 << 9;
            if step % 3 == 2 {
                far.remove(slot);
                map.remove(&slot);
            } else {
                far.make_room(slot).unwrap();
                far.set(slot, step);
                map.insert(slot, step);
            }
            assert_eq!(far.get(slot), map.get(&slot).copied());
        }
        assert_eq!(far.len(), map.len());
        assert!(map.iter().all(|(&slot, &value)| far.get(slot) == Some(value)));
        assert!(far.parts.iter().all(|part| part.values.len() <= PART) && far.parts.len() > 1);
        let mut below = Vec::new();
        far.remove_below(1 << 31, |slot, value| below.push((slot, value)));
        assert!(below.into_iter().eq(map.range(..1 << 31).map(|(&slot, &value)| (slot, value))));
        assert_eq!(far.len(), map.range(1 << 31..).count());
        far.remove_below(u32::MAX, |_, _| {});
        assert_eq!((far.len(), far.bytes()), (0, 0));
    }
}
