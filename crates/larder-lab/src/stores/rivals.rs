//! The rivals, and the `Vec` that all are compared with.
//!
//! Each is used by its fastest documented way: an iterator of values alone or a slice where there is
//! one, and its own bulk insertion where it has one.

use slotmap::DefaultKey;

use super::store::{Element, Store};

store! {
    /// The yardstick: the live values packed in a `Vec`, without handles. The last value fills the gap of a
    /// removed one. A key is a position, valid only until something else is removed.
    Packed(Vec<T>), "Vec", usize, KNOWS_STALE = false, KEYS_ARE_POSITIONS = true:
    new with_capacity extend get len clear copy,
    walk |all| all.0.iter(), |all| all.0.iter_mut(), |value| value;
    fn insert(&mut self, value) {
        let position = self.0.len();
        self.0.push(value);
        position
    }
    fn remove(&mut self, key) { (key < self.0.len()).then(|| self.0.swap_remove(key)) }
    fn first(&self) { self.0.first() }
    fn retain(&mut self, keep) { self.0.retain_mut(keep); }
}
store! {
    /// `slotmap::SlotMap`: a version beside every value, a free list in the holes.
    SlotMap(slotmap::SlotMap<DefaultKey, T>), "SlotMap", DefaultKey:
    new with_capacity insert remove get len values first retain clear copy
}
store! {
    /// `slotmap::HopSlotMap`: as `SlotMap`, with the lengths of runs stored in the holes, which its walk
    /// skips. Deprecated, and measured for that walk.
    #[expect(deprecated, reason = "it is the rival that jumps over holes")]
    HopSlotMap(slotmap::HopSlotMap<DefaultKey, T>), "HopSlotMap", DefaultKey:
    new with_capacity insert remove get len values first retain clear copy
}
store! {
    /// `slotmap::DenseSlotMap`: values packed in a `Vec`, found through a table of slots. Walked as the
    /// slice that it is.
    DenseSlotMap(slotmap::DenseSlotMap<DefaultKey, T>), "DenseSlotMap", DefaultKey:
    new with_capacity insert remove get len first retain clear copy,
    walk |all| all.0.values_as_slice().iter(), |all| all.0.values_as_mut_slice().iter_mut(), |value| value
}
store! {
    /// `thunderdome::Arena`: an enum of value and hole in every slot. There is no iterator of values alone.
    Thunderdome(thunderdome::Arena<T>), "thunderdome", thunderdome::Index:
    new with_capacity insert remove get len pairs first retain clear copy
}
store! {
    /// `slab::Slab`: an enum of value and hole in every slot, keys without generations. A stale key finds
    /// the slot's next value.
    Slab(slab::Slab<T>), "slab", usize, KNOWS_STALE = false:
    new with_capacity insert get len pairs first retain clear copy;
    fn remove(&mut self, key) { self.0.try_remove(key) }
}
store! {
    /// `generational_arena::Arena`: an enum of value and hole in every slot, one generation counter for the
    /// whole container.
    GenerationalArena(generational_arena::Arena<T>), "generational-arena", generational_arena::Index:
    new with_capacity insert extend remove get len pairs first retain clear copy
}
store! {
    /// `gen_map::GenMap` with its default configuration: a generation beside every value, a free list in
    /// the holes, exhausted slots retired.
    GenMap(gen_map::GenMap<T>), "gen_map", gen_map::Key:
    new with_capacity insert remove get len values first retain clear copy
}
store! {
    /// `stable_vec::StableVec`: values in their slots, one occupancy bit each.
    ///
    /// It has no generations, and `push` never fills a hole. A list of freed indices beside it does what
    /// its users have to do; the list's time and memory count.
    StableVec(stable_vec::StableVec<T>, Vec<usize>), "stable-vec", usize, KNOWS_STALE = false: get values first;
    fn new() { Self(stable_vec::StableVec::new(), Vec::new()) }
    fn with_capacity(count) { Self(stable_vec::StableVec::with_capacity(count), Vec::new()) }
    fn insert(&mut self, value) {
        match self.1.pop() {
            Some(index) => {
                self.0.insert(index, value);
                index
            }
            None => self.0.push(value),
        }
    }
    fn extend(&mut self, mut values) {
        while let Some(index) = self.1.pop() {
            let Some(value) = values.next() else {
                self.1.push(index);
                return;
            };
            self.0.insert(index, value);
        }
        self.0.extend(values);
    }
    fn remove(&mut self, key) {
        // `StableVec::remove` panics past its capacity.
        if key >= self.0.capacity() {
            return None;
        }
        let value = self.0.remove(key)?;
        self.1.push(key);
        Some(value)
    }
    fn len(&self) { self.0.num_elements() }
    fn retain(&mut self, mut keep) {
        // `StableVec::retain` passes the value but not its index, which the list of freed indices
        // needs; `retain_indices` passes the index but not the value. So this walks the indices.
        for index in 0..self.0.next_push_index() {
            if self.0.get_mut(index).is_some_and(|value| !keep(value)) {
                self.0.remove(index);
                self.1.push(index);
            }
        }
    }
    fn clear(&mut self) {
        self.0.clear();
        self.1.clear();
    }
    fn copy(&self) { Self(self.0.clone(), self.1.clone()) }
}
