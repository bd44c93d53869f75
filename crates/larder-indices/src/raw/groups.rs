//! Groups of keys, each found by a property: a hash table whose entries have a list of keys each.
//! [`MultiIndex`](crate::MultiIndex) consists of it.
//!
//! **Invariant.** The list of each entry is one of `pieces`, and the lists of two entries are not the same. No list
//! is empty.
//!
//! Nothing in this module is `unsafe` for it, but [`pieces`] relies on it. It holds since only this module can name a
//! list, and does with it no more than this:
//! - *It begins beside its pieces.* Lists with room come from `pieces.first` and `pieces.copy`, and go into the table
//!   beside these `pieces` in the same function ([`begin`](Entries::begin), [`try_clone`](Entries::try_clone),
//!   [`shrink_to_fit`](Entries::shrink_to_fit), where they become the others' together).
//! - *It stays there.* The table is lent shared only ([`Entries::table`]), and an entry, like its list, is
//!   neither `Copy` nor `Clone`. So where `Groups` are swapped or moved, the table goes with its pieces.
//! - *It goes once.* A list leaves its entry when that is removed, or when [`EMPTY`](List::EMPTY) takes its
//!   place, and is given to these `pieces`, or lost.
//! - *It goes first.* Before all pieces are made free ones or dropped, `EMPTY` has taken the place of every list.
//!
//! A panic of user code (a property's `Eq`, `Clone` or `Drop`, a closure) changes none of this: it runs while
//! no list is out of its entry, and before `pieces` is called or after. A list that were lost would be memory
//! that is not used again.

#![expect(unnameable_types, missing_debug_implementations, reason = "an index has it")]

mod pieces;

use core::mem;

use alloc::vec::Vec;

use hashbrown::hash_table::OccupiedEntry;

use self::pieces::{List, Pieces};
use crate::hashing::{Entries, Entry, MultiIndex, NoRoom, Number, Removed, Table, kept};
use larder_core::TryReserveError;
use larder_core::containers::MemoryUsage;
use larder_core::room::reserve_exact;

pub struct Group<Q, K> {
    list: List<K>,
    /// The part of the property's hash that is [`kept`].
    kept: u32,
    property: Q,
}

/// Properties with several keys each, as those of a [`MultiIndex`](crate::MultiIndex).
///
/// # Examples
/// ```
/// use larder::{Handle, indices::{KeyIndex, MultiIndex, layout::{ByHash, Groups}}};
/// use std::hash::RandomState;
///
/// type Colours = ByHash<char, Handle<&'static str>, RandomState, Groups<char, Handle<&'static str>>, (u32, u32)>;
///
/// let by_colour: KeyIndex<Colours> = MultiIndex::with_hasher(RandomState::new());
/// assert!(by_colour.is_empty());
/// ```
pub struct Groups<Q, K: Copy> {
    table: Table<Group<Q, K>>,
    pieces: Pieces<K>,
}

// SAFETY: the lists and the pieces are owned alone, as a `Vec`'s elements are.
unsafe impl<Q: Send, K: Copy + Send> Send for Groups<Q, K> {}
// SAFETY: through a shared reference nothing is changed.
unsafe impl<Q: Sync, K: Copy + Sync> Sync for Groups<Q, K> {}

impl<Q, K: Copy> Entry<Q, K> for Group<Q, K> {
    #[inline]
    fn get(&self) -> (&Q, &[K]) {
        (&self.property, self.keys())
    }
}

impl<Q, K: Copy> Group<Q, K> {
    #[inline]
    fn keys(&self) -> &[K] {
        self.list.keys()
    }

    #[inline]
    fn push(&mut self, key: K) -> (u32, u32) {
        (self.kept, self.list.push(key))
    }

    /// Removes a key other than the only one.
    #[inline]
    fn swap_remove(&mut self, position: u32) -> Option<K> {
        self.list.swap_remove(position)
    }
}

#[inline]
fn kept_of<Q, K>(group: &Group<Q, K>) -> u32 {
    group.kept
}

impl<Q, K: Copy> Groups<Q, K> {
    #[inline]
    fn make_room_for_group(&mut self) -> Result<(), TryReserveError> {
        self.table.make_room(1, kept_of)?;
        self.pieces.make_room_for_list()
    }

    #[inline(always)]
    fn remove_from(
        pieces: &mut Pieces<K>,
        mut entry: OccupiedEntry<'_, Group<Q, K>>,
        position: u32,
    ) -> Removed<Q, K> {
        let group = entry.get_mut();
        match group.swap_remove(position) {
            Some(moved) => return Removed::Moved(moved),
            None if group.list.len() > 0 => return Removed::Last,
            None => {}
        }
        let (Group { list, property, .. }, _) = entry.remove();
        pieces.free(list);
        Removed::Entry(property)
    }

    #[inline]
    fn group_mut(&mut self, group: Number) -> &mut Group<Q, K> {
        self.table.get_bucket_mut(group).unwrap_or_else(|| unreachable!("it was found"))
    }

    /// Takes the lists from all groups, and frees those that have blocks of their own.
    fn forget_lists(&mut self) {
        for group in self.table.iter_mut() {
            let list = mem::replace(&mut group.list, List::EMPTY);
            if self.pieces.is_block(&list) {
                self.pieces.free(list);
            }
        }
    }
}

impl<Q, K: Copy> Entries<Q, K> for Groups<Q, K> {
    type Entry = Group<Q, K>;
    /// The kept part of the group's hash, and the position in the group.
    type Place = (u32, u32);
    type Shown<S> = MultiIndex<Q, K, S>;

    const NEW: Self = Self { table: Table::new(), pieces: Pieces::new() };

    #[inline]
    fn table(&self) -> &Table<Group<Q, K>> {
        &self.table
    }

    #[inline]
    fn add(
        &mut self,
        hash: u64,
        property: Q,
        key: K,
        place: &mut (u32, u32),
    ) -> Result<Option<Q>, NoRoom<K>>
    where
        Q: Eq,
    {
        let position = self.table.position_of(hash);
        if let Some(group) = self.table.find_mut(position, |group| group.property == property) {
            if group.list.is_full() {
                self.pieces.grow(&mut group.list)?;
            }
            *place = group.push(key);
            return Ok(Some(property));
        }
        self.make_room_for_group()?;
        *place = self.begin(kept(hash), property, key);
        Ok(None)
    }

    fn make_room(&mut self, group: Option<Number>, _: impl Fn(K) -> u32) -> Result<(), NoRoom<K>> {
        let Some(group) = group else { return Ok(self.make_room_for_group()?) };
        let Some(group) = self.table.get_bucket_mut(group) else { unreachable!("it was found") };
        if group.list.is_full() {
            self.pieces.grow(&mut group.list)?;
        }
        Ok(())
    }

    #[inline]
    fn begin(&mut self, kept: u32, property: Q, key: K) -> (u32, u32) {
        let list = self.pieces.first(key);
        self.table.insert(kept, Group { list, kept, property });
        (kept, 0)
    }

    #[inline]
    fn push(&mut self, group: Number, key: K) -> (u32, u32) {
        self.group_mut(group).push(key)
    }

    fn set(&mut self, group: Number, position: u32, key: K) {
        self.group_mut(group).list.keys_mut()[position as usize] = key;
    }

    fn remove(&mut self, group: Number, position: u32) -> Removed<Q, K> {
        let Ok(group) = self.table.get_bucket_entry(group) else { unreachable!("it was found") };
        Self::remove_from(&mut self.pieces, group, position)
    }

    #[inline]
    fn remove_at(
        &mut self,
        kept: u32,
        position: u32,
        is_it: impl Fn(&Group<Q, K>) -> bool,
    ) -> Option<Removed<Q, K>> {
        let at = self.table.position_of_kept(kept);
        let group = self.table.find_entry(at, is_it).ok()?;
        Some(Self::remove_from(&mut self.pieces, group, position))
    }

    fn clear(&mut self) {
        self.forget_lists();
        self.pieces.reset();
        self.table.clear();
    }

    fn try_reserve(&mut self, keys: usize, _: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        if keys == 0 {
            return Ok(());
        }
        self.table.try_reserve(keys, kept_of)?;
        // A list that has l keys, or has had them, has had pieces of 4, 8, … keys, the last of which has room for less
        // than 2 l; so all together had less than 4 l. (Lists may have had twice as many keys as they have.) Those of
        // lists that there are already become twice as large at least.
        let rooms: usize = self.table.iter().map(|group| group.list.room()).sum();
        self.pieces.try_reserve_for_lists(keys.saturating_mul(8).saturating_add(2 * rooms))
    }

    fn shrink_to_fit(&mut self, _: impl Fn(K) -> u32) {
        let (mut fitting, mut lists) = (Self::NEW, Vec::new());
        let has_room = fitting.table.make_room(self.table.len(), kept_of).is_ok()
            && reserve_exact(&mut lists, self.table.len()).is_ok();
        if !has_room {
            return;
        }
        for group in self.table.iter() {
            let Ok(list) = fitting.pieces.copy_fitting(&group.list) else {
                lists.into_iter().for_each(|list| fitting.pieces.free(list));
                return;
            };
            lists.push(list);
        }
        // (In the order in which they were just walked.)
        for (group, list) in mem::take(&mut *self.table).into_iter().zip(lists) {
            let Group { list: before, kept, property } = group;
            self.pieces.free(before);
            fitting.table.insert(kept, Group { list, kept, property });
        }
        *self = fitting;
    }

    fn expect(&mut self, keys: usize, _: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        self.pieces.try_reserve(keys)
    }

    fn try_clone(&self, _: impl Fn(K) -> u32) -> Result<Self, TryReserveError>
    where
        Q: Clone,
    {
        let mut copy = Self::NEW;
        copy.table.make_room(self.table.len(), kept_of)?;
        for group in self.table.iter() {
            let property = group.property.clone();
            let list = copy.pieces.copy(&group.list)?;
            copy.table.insert(group.kept, Group { list, kept: group.kept, property });
        }
        Ok(copy)
    }

    /// O(groups).
    fn memory_usage(&self) -> MemoryUsage {
        let large = self.table.iter().filter(|group| self.pieces.is_block(&group.list));
        let rooms = self.pieces.keys() + large.map(|group| group.list.room()).sum::<usize>();
        let keys = self.table.iter().map(|group| group.list.len()).sum::<usize>();
        let uncut = self.pieces.uncut();
        let bookkeeping = self.table.allocation_size() + self.pieces.bytes_beside();
        let [values, holes, unused] =
            [keys, rooms - keys - uncut, uncut].map(|count| count * size_of::<K>());
        MemoryUsage::new(values, holes, unused, bookkeeping)
    }

    /// O(keys log keys).
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    fn validate(&self) {
        let groups: Vec<_> = self.table.iter().collect();
        assert!(groups.iter().all(|group| group.list.len() > 0), "a group has no keys");
        self.pieces.validate(groups.iter().map(|group| &group.list));
    }
}

impl<Q, K: Copy> Drop for Groups<Q, K> {
    fn drop(&mut self) {
        // (The chunks are freed as they are.)
        self.forget_lists();
    }
}

#[cfg(test)]
mod tests {
    //! Faults that a check of groups finds.

    use super::Groups;
    use crate::hashing::Entries;

    #[test]
    #[should_panic(expected = "a group has no keys")]
    fn groups_without_keys_are_found() {
        let mut groups = Groups::<char, u32>::NEW;
        for (hash, property) in [(1, 'a'), (2, 'b')] {
            assert!(groups.add(hash, property, 7, &mut (0, 0)).is_ok());
        }
        groups.validate();
        if let Some(group) = groups.table.iter_mut().next() {
            group.swap_remove(0);
        }
        groups.validate();
    }
}
