//! A few bytes for each key that is filed, linked or undone, by the key's slot: what indices and hierarchies find their
//! entries by.
//!
//! ```text
//! near   value │ value │ – │ …      by slot; – is the default
//! far    slot, value │ – │ …        a hash table of slots far from all others
//! ```
//! **Invariant.** A slot below the length of `near` is not in `far`. Slots without a key have the default.
//!
//! The array grows to a slot only if at least one in [`SPARSEST`] of its slots is in use then, so memory is that of
//! the keys, whatever slots they name. There are no generations: what is found says whose it is.

use alloc::vec::Vec;
use core::mem;

use crate::error::TryReserveError;
use crate::room::{reserve_exact, shrink};
use crate::scratch::Seldom;

/// The array grows to a slot only if at least one of this many of its slots is in use then.
const SPARSEST: usize = 8;

/// The least number of elements of the array, since to grow takes longer than to fill a few.
const LEAST: usize = 8;

/// The limit of adjacent entries in use: 2²⁰ slots that were not chosen to exceed it have fewer than 100. So every slot
/// is found, added and removed in bounded time.
const LONGEST: usize = 256;

/// A small value for each of some slots, such as the position of an index's entry: the slots of keys are found in an
/// array, those far from all others in a hash table, so that memory is in proportion to the values, whatever slots they
/// are of.
///
/// There are no generations: the value has to say whose it is. A slot without a value has the default. Slots in the
/// array are said to lie *near*. For values under keys see [`SecondaryMap`](super::SecondaryMap).
///
/// # Examples
/// ```
/// use larder::maps::BySlot;
/// use larder::{Arena, Key};
///
/// let birds = Arena::from_iter(["wren", "kite"]);
/// let last = birds.keys().next_back().unwrap();
/// let mut position = BySlot::<u32>::new();
/// position.make_room(last.slot(), 0)?;
/// position.set(last.slot(), 7);
/// assert!(birds.keys().map(|key| position.get(key.slot())).eq([0, 7]));
/// # Ok::<(), larder::TryReserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BySlot<T> {
    near: Vec<T>,
    /// Made by the first slot that is far from all others, which few structures have.
    far: Seldom<Far<T>>,
}

impl<T: Copy + Default + PartialEq> BySlot<T> {
    /// Makes a map without values. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// assert_eq!(BySlot::<u8>::new().get(3), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { near: Vec::new(), far: Seldom::none() }
    }

    /// Returns the value of a slot; the default if it has none. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert_eq!([ages.get(3), ages.get(4)], [7, 0]);
    /// ```
    #[inline]
    pub fn get(&self, slot: u32) -> T {
        match self.near.get(slot as usize) {
            Some(value) => *value,
            None => self.far.get().map_or_else(T::default, |far| far.get(slot)),
        }
    }

    /// Lends the value of a slot that lies near, if there is room for it. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert_eq!([ages.near(3), ages.near(1 << 30)], [Some(&7), None]);
    /// ```
    #[inline]
    pub fn near(&self, slot: u32) -> Option<&T> {
        self.near.get(slot as usize)
    }

    /// Like [`near`](Self::near), for writing. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// *ages.near_mut(3).unwrap() = 7;
    /// assert_eq!((ages.get(3), ages.near_mut(1 << 30)), (7, None));
    /// ```
    #[inline]
    pub fn near_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.near.get_mut(slot as usize)
    }

    /// Sets the value of a slot that has one, or for which [room was made](Self::make_room). O(1).
    ///
    /// # Panics
    /// If there is no room for the slot.
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert!(ages.iter().eq([(3, 7)]));
    /// ```
    #[inline]
    pub fn set(&mut self, slot: u32, value: T) {
        match self.near.get_mut(slot as usize) {
            Some(place) => *place = value,
            None => self.set_far(slot, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn set_far(&mut self, slot: u32, value: T) {
        if value == T::default() {
            self.take(slot);
        } else {
            self.far.get_mut().expect("room was made for the slot").set(slot, value);
        }
    }

    /// Takes the value of a slot, and leaves the default. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert_eq!([ages.take(3), ages.take(3)], [7, 0]);
    /// ```
    #[inline]
    pub fn take(&mut self, slot: u32) -> T {
        match self.near.get_mut(slot as usize) {
            Some(place) => mem::take(place),
            None => self.far.get_mut().map_or_else(T::default, |far| far.take(slot)),
        }
    }

    /// Makes room for a slot, if `used` slots have values. O(1), amortised.
    ///
    /// # Errors
    /// If allocation fails, or far slots were chosen so that their hashes meet. Nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::new();
    /// ages.make_room(1 << 30, 0).unwrap(); // one value, not an array
    /// ages.set(1 << 30, 7);
    /// assert!(ages.bytes() < 1_000);
    /// ```
    #[inline]
    pub fn make_room(&mut self, slot: u32, used: usize) -> Result<(), TryReserveError> {
        if (slot as usize) < self.near.len() { Ok(()) } else { self.make_room_beyond(slot, used) }
    }

    /// Makes room for a slot that had a value before, without memory unless the map [has shrunk](Self::shrink_to_fit)
    /// since. O(1), amortised.
    ///
    /// # Errors
    /// If allocation fails. Nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// ages.take(3);
    /// assert_eq!(ages.make_room_again(3), Ok(()));
    /// ```
    pub fn make_room_again(&mut self, slot: u32) -> Result<(), TryReserveError> {
        if (slot as usize) < self.near.len() { Ok(()) } else { self.make_room_far().map(drop) }
    }

    #[cold]
    #[inline(never)]
    fn make_room_beyond(&mut self, slot: u32, used: usize) -> Result<(), TryReserveError> {
        if slot == EMPTY {
            let (requested, max) = ((slot as usize).saturating_add(1), slot as usize);
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        if slot as usize / SPARSEST > used {
            return match self.make_room_far()?.run_with(slot) {
                0..=LONGEST => Ok(()),
                _ => Err(TryReserveError::HashesMeet),
            };
        }
        self.grow((slot as usize + 1).max(self.near.len() * 2).max(LEAST))
    }

    /// Makes the array, which has fewer elements, `slots` long.
    fn grow(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let additional = slots - self.near.len();
        reserve_exact(&mut self.near, additional)?;
        self.near.resize(slots, T::default());
        let near = &mut self.near;
        if let Some(far) = self.far.get_mut() {
            let is_near = |slot, _| (slot as usize) < slots;
            far.drain(is_near, |slot, value| near[slot as usize] = value);
        }
        Ok(())
    }

    /// Makes room for one more slot that is far from all others. On an error nothing visible has changed.
    fn make_room_far(&mut self) -> Result<&mut Far<T>, TryReserveError> {
        let far = self.far.get_or_make(Far::new)?;
        far.make_room()?;
        Ok(far)
    }

    /// Returns the number of slots that lie near, from the first on. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// assert!(ages.capacity() > 3);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.near.len()
    }

    /// Makes room for `additional` slots more, where `used` have values, of `max` that keys can have, if they are side
    /// by side. O(slots).
    ///
    /// # Errors
    /// If these are more than `max`, or allocation fails. Nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// assert!(ages.try_reserve(100, 0, 50).is_err());
    /// ages.try_reserve(50, 0, 50).unwrap();
    /// assert!(ages.capacity() >= 50);
    /// ```
    pub fn try_reserve(
        &mut self,
        additional: usize,
        used: usize,
        max: u32,
    ) -> Result<(), TryReserveError> {
        let (requested, max) = (used.saturating_add(additional), max as usize);
        if requested > max {
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        // (A few more, for callers that ask for keys that are filed already, too; where a word has 32 bits,
        // there may be none.)
        let slots = requested.checked_next_multiple_of(64).unwrap_or(requested);
        if requested > self.near.len() { self.grow(slots) } else { Ok(()) }
    }

    /// Returns a map of the same slots with other values. O(slots).
    ///
    /// # Errors
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert_eq!(ages.try_map(|age| 2 * age).unwrap().get(3), 14);
    /// ```
    pub fn try_map<U: Copy + Default>(
        &self,
        change: impl Fn(T) -> U,
    ) -> Result<BySlot<U>, TryReserveError> {
        let change = |value| if value == T::default() { U::default() } else { change(value) };
        let mut near = Vec::new();
        reserve_exact(&mut near, self.near.len())?;
        near.extend(self.near.iter().map(|&value| change(value)));
        let mut mapped = BySlot { near, far: Seldom::none() };
        if let Some(far) = self.far.get() {
            let mut entries = Vec::new();
            reserve_exact(&mut entries, far.entries.len())?;
            entries.extend(far.entries.iter().map(|&(slot, value)| (slot, change(value))));
            mapped.far.get_or_make(|| Far { entries, used: far.used })?;
        }
        Ok(mapped)
    }

    /// Walks the slots that have values other than the default, with these: by slot, then those far from all others.
    /// O(slots).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert!(ages.iter().eq([(3, 7)]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (u32, T)> {
        let near = self.near.iter().zip(0..).map(|(&value, slot)| (slot, value));
        let far = self.far.get().into_iter().flat_map(Far::iter);
        // (A far slot has the default only if a panic has left it so.)
        near.chain(far).filter(|(_, value)| *value != T::default())
    }

    /// Changes the values other than the default. O(slots).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// ages.for_each_mut(|age| *age += 1);
    /// assert_eq!(ages.get(3), 8);
    /// ```
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut T)) {
        let far = self.far.get_mut().into_iter().flat_map(|far| &mut far.entries);
        let far = far.filter(|entry| entry.0 != EMPTY).map(|entry| &mut entry.1);
        let near = self.near.iter_mut().filter(|value| **value != T::default());
        near.chain(far).for_each(&mut change);
        if let Some(far) = self.far.get_mut() {
            far.drain(|_, value| value == T::default(), |_, _| {});
        }
    }

    /// Forgets the values of all slots, and keeps the memory. O(slots).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// ages.clear();
    /// assert_eq!(ages.count(), 0);
    /// ```
    pub fn clear(&mut self) {
        self.near.fill(T::default());
        if let Some(far) = self.far.get_mut() {
            far.clear();
        }
    }

    /// Gives back the memory that is not worth its slots. If allocation fails, the array stays as it is. O(slots).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.shrink_to_fit();
    /// assert_eq!(ages.bytes(), 0);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        let used = self.count();
        while let Some(&last) = self.near.last() {
            let slot = self.near.len() - 1;
            if last != T::default() {
                if slot / (2 * SPARSEST) <= used {
                    break;
                }
                let Ok(far) = self.make_room_far() else { break };
                far.set(slot as u32, last);
            }
            self.near.pop();
        }
        shrink(&mut self.near);
        if self.far.get().is_some_and(|far| far.used == 0) {
            self.far = Seldom::none();
        }
    }

    /// Returns the number of slots that have values other than the default. O(slots).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// let mut ages = BySlot::<u8>::new();
    /// ages.make_room(3, 0).unwrap();
    /// ages.set(3, 7);
    /// assert_eq!(ages.count(), 1);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.iter().count()
    }

    /// Returns the size of its memory in bytes. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::maps::BySlot;
    ///
    /// assert_eq!(BySlot::<u8>::new().bytes(), 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.near.capacity() * size_of::<T>() + self.far.get().map_or(0, Far::bytes)
    }
}

/// No key that can be live has this slot.
const EMPTY: u32 = u32::MAX;

/// The values of slots that are far from all others: a hash table with linear probing.
///
/// **Invariant.** `entries` has no elements, or a power of two of them, at least half of which are empty. From
/// where a slot's hash says to where its entry is, no element is empty.
#[derive(Clone, Debug)]
struct Far<T> {
    entries: Vec<(u32, T)>,
    used: usize,
}

impl<T: Copy + Default + PartialEq> Default for BySlot<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default> Far<T> {
    const fn new() -> Self {
        Self { entries: Vec::new(), used: 0 }
    }

    /// The first position that may have the slot.
    fn home(&self, slot: u32) -> usize {
        // Multiplication carries bits upwards, shifts bring them down again: twice, so that slots at any regular
        // distance are spread.
        let half = (slot ^ slot >> 16).wrapping_mul(0x9E37_79B1);
        let whole = (half ^ half >> 15).wrapping_mul(0x85EB_CA77);
        (whole ^ whole >> 16) as usize & (self.entries.len() - 1)
    }

    fn next(&self, position: usize) -> usize {
        (position + 1) & (self.entries.len() - 1)
    }

    /// Counts the positions in a row that would be taken if the slot's entry came. There is room.
    fn run_with(&self, slot: u32) -> usize {
        let (last, home) = (self.entries.len() - 1, self.home(slot));
        let is_taken = |at: &usize| self.entries[*at & last].0 != EMPTY;
        let before = (1..).map(|back| home.wrapping_sub(back)).take_while(is_taken).count();
        let until = (home..).take_while(is_taken).count();
        let behind = (home + until + 1..).take_while(is_taken).count();
        before + until + 1 + behind
    }

    /// Returns the position of the slot's entry, or else of the empty element at which it would be; `None` without
    /// elements.
    fn find(&self, slot: u32) -> Option<Result<usize, usize>> {
        if self.entries.is_empty() {
            return None;
        }
        let mut position = self.home(slot);
        loop {
            match self.entries[position].0 {
                EMPTY => return Some(Err(position)),
                found if found == slot => return Some(Ok(position)),
                _ => position = self.next(position),
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn get(&self, slot: u32) -> T {
        match self.find(slot) {
            Some(Ok(position)) => self.entries[position].1,
            _ => T::default(),
        }
    }

    fn set(&mut self, slot: u32, value: T) {
        match self.find(slot) {
            Some(Ok(position)) => self.entries[position].1 = value,
            Some(Err(position)) if slot != EMPTY && self.used * 2 < self.entries.len() => {
                self.entries[position] = (slot, value);
                self.used += 1;
            }
            _ => panic!("BySlot: no room was made for slot {slot}"),
        }
    }

    #[cold]
    #[inline(never)]
    fn take(&mut self, slot: u32) -> T {
        match self.find(slot) {
            Some(Ok(position)) => self.remove(position),
            _ => T::default(),
        }
    }

    /// Empties a position, to which the entries after it move if they belong there.
    fn remove(&mut self, mut hole: usize) -> T {
        let removed = mem::take(&mut self.entries[hole].1);
        let mut position = self.next(hole);
        while self.entries[position].0 != EMPTY {
            let mask = self.entries.len() - 1;
            let from_home = position.wrapping_sub(self.home(self.entries[position].0)) & mask;
            if from_home >= position.wrapping_sub(hole) & mask {
                self.entries[hole] = self.entries[position];
                hole = position;
            }
            position = self.next(position);
        }
        self.entries[hole] = (EMPTY, T::default());
        self.used -= 1;
        removed
    }

    /// Makes room for one more. On an error nothing has changed.
    fn make_room(&mut self) -> Result<(), TryReserveError> {
        let length = self.entries.len();
        if (self.used + 1) * 2 <= length {
            return Ok(());
        }
        let mut larger = Self::new();
        reserve_exact(&mut larger.entries, (length * 2).max(8))?;
        larger.entries.resize((length * 2).max(8), (EMPTY, T::default()));
        self.iter().for_each(|(slot, value)| larger.set(slot, value));
        *self = larger;
        Ok(())
    }

    /// Removes the entries that `is_such` chooses, and tells of each.
    fn drain(&mut self, is_such: impl Fn(u32, T) -> bool, mut tell: impl FnMut(u32, T)) {
        let mut position = 0;
        while position < self.entries.len() {
            let (slot, value) = self.entries[position];
            if slot != EMPTY && is_such(slot, value) {
                tell(slot, value);
                // Another entry may move here; none moves to before.
                self.remove(position);
            } else {
                position += 1;
            }
        }
        if self.used == 0 {
            *self = Self::new();
        }
    }

    /// Its memory, in bytes.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.entries.capacity() * size_of::<(u32, T)>()
    }

    fn iter(&self) -> impl Iterator<Item = (u32, T)> {
        self.entries.iter().copied().filter(|entry| entry.0 != EMPTY)
    }

    fn clear(&mut self) {
        self.entries.fill((EMPTY, T::default()));
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec;

    use super::*;

    /// Numbers that look random.
    fn random(state: &mut u64) -> u64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn it_is_a_map_of_near_and_far_slots() {
        let mut state = 1;
        for span in [40, 3_000, u64::from(u32::MAX)] {
            let (mut map, mut model, mut most) = (BySlot::<u32>::new(), BTreeMap::new(), 0);
            for step in 1..if cfg!(miri) { 100 } else { 20_000 } {
                let slot = (random(&mut state) % span) as u32;
                let slot = if random(&mut state) % 4 == 0 { slot } else { slot % 500 };
                match random(&mut state) % 8 {
                    0..4 => {
                        map.make_room(slot, model.len()).expect("there is memory");
                        map.set(slot, step);
                        model.insert(slot, step);
                    }
                    4..7 => assert_eq!(map.take(slot), model.remove(&slot).unwrap_or(0)),
                    _ if step % 1_000 == 7 => {
                        map.clear();
                        model.clear();
                    }
                    _ if step % 100 == 7 => map.shrink_to_fit(),
                    _ if step % 100 == 8 => {
                        map.for_each_mut(|value| *value += 1);
                        model.values_mut().for_each(|value| *value += 1);
                    }
                    _ => {}
                }
                most = most.max(model.len());
                assert_eq!(map.get(slot), model.get(&slot).copied().unwrap_or(0));
                assert!(map.near.len() <= SPARSEST * (most + 1) * 2, "memory is that of the keys");
                if step % 128 == 0 {
                    assert_eq!(map.iter().collect::<BTreeMap<_, _>>(), model);
                }
            }
            assert_eq!(map.get(u32::MAX), 0);
            assert_eq!(map.take(u32::MAX), 0);
        }
    }

    /// (The table would be full, and a search without end.)
    #[test]
    #[should_panic(expected = "no room was made for slot 1048580")]
    fn far_slots_have_the_room_that_was_made() {
        let mut map = BySlot::new();
        map.make_room(1 << 20, 0).expect("there is memory");
        (0..9).for_each(|slot| map.set((1 << 20) + slot, 1));
    }

    #[test]
    fn far_slots_with_the_default_have_no_value() {
        let mut map = BySlot::new();
        for (slot, used) in [(5, 100), (1 << 20, 0), (1 << 21, 0)] {
            map.make_room(slot, used).expect("there is memory");
            map.set(slot, 7);
        }
        map.set(1 << 20, 0);
        assert!(map.iter().eq([(5, 7), (1 << 21, 7)]));
        map.for_each_mut(|value| *value = 0);
        assert_eq!((map.count(), map.get(1 << 21)), (0, 0));
        map.shrink_to_fit();
        assert_eq!(map.bytes(), 0);
        let max = u32::MAX as usize;
        let refused = TryReserveError::CapacityOverflow { requested: max.saturating_add(1), max };
        assert_eq!(map.make_room(u32::MAX, 0), Err(refused));
    }

    /// Slots whose hashes end in the same bits, or whose positions follow one another, as a file can have them: refused
    /// before each takes long.
    #[test]
    fn slots_that_were_chosen_to_meet_are_refused() {
        const COUNT: usize = if cfg!(miri) { 300 } else { 20_000 };
        let table = Far { entries: vec![(EMPTY, ()); 4 * COUNT.next_power_of_two()], used: 0 };
        let all = || SPARSEST as u32 * COUNT as u32..;
        let same = all().filter(|&slot| table.home(slot) < 64).take(COUNT).collect();
        let mut in_a_row = vec![EMPTY; COUNT];
        for slot in all().take(8 * table.entries.len()) {
            if let Some(free) = in_a_row.get_mut(table.home(slot)).filter(|free| **free == EMPTY) {
                *free = slot;
            }
        }
        in_a_row.retain(|&slot| slot != EMPTY);
        for chosen in [same, in_a_row] {
            let (mut map, mut filed, mut refused) = (BySlot::<u32>::new(), 0, 0);
            for slot in chosen {
                match map.make_room(slot, filed) {
                    Ok(()) => {
                        let far = map.far.get().expect("there is room for it");
                        let found = far.find(slot).and_then(Result::err).expect("it is new");
                        let last = far.entries.len() - 1;
                        assert!(found.wrapping_sub(far.home(slot)) & last < LONGEST);
                        map.set(slot, 1);
                        filed += 1;
                    }
                    Err(reason) => {
                        assert_eq!(reason, TryReserveError::HashesMeet);
                        refused += 1;
                    }
                }
            }
            assert!(refused > 0, "{filed} were filed");
            assert_eq!(map.count(), filed, "those before are there");
            // The former entry is put back, and once it has left there is room.
            assert!(map.make_room_again(u32::MAX - 1).is_ok());
            map.clear();
            assert!(map.make_room(u32::MAX - 1, 0).is_ok());
        }
    }

    #[test]
    fn others_never_meet_so_often() {
        let mut state = 5;
        let mut far = Far::<u8>::new();
        for _ in 0..if cfg!(miri) { 200 } else { 100_000 } {
            far.make_room().expect("there is memory");
            let slot = (random(&mut state) as u32).min(EMPTY - 1);
            assert!(far.run_with(slot) < 100, "{slot}");
            far.set(slot, 1);
        }
    }

    #[test]
    fn regular_distances_are_spread() {
        for stride in (1_u32..20_000).step_by(if cfg!(miri) { 5_000 } else { 37 }) {
            let mut far = Far::<u8>::new();
            for slot in (0..if cfg!(miri) { 50 } else { 300 }).map(|at| at * stride) {
                far.make_room().expect("there is memory");
                far.set(slot, 1);
            }
            let probes = |slot| {
                let mut position = far.home(slot);
                let mut count = 1;
                while far.entries[position].0 != slot {
                    position = far.next(position);
                    count += 1;
                }
                count
            };
            let longest = far.iter().map(|(slot, _)| probes(slot)).max();
            assert!(longest.is_some_and(|longest| longest <= 40), "{stride}: {longest:?}");
        }
    }
}
