//! Groups of keys, each found by a property: a hash table whose entries have a list of keys each. What
//! [`MultiIndex`](crate::indices::MultiIndex) is made of.
//!
//! **Invariant.** The list of each entry is one of `pieces`, and the lists of two entries are not the same. No list
//! is empty.
//!
//! User code runs only in the closures that callers pass, and while nothing is half changed.

mod pieces;

use core::mem;

use alloc::vec::Vec;
use hashbrown::HashTable;
use hashbrown::hash_table::OccupiedEntry;

use self::pieces::{List, Pieces};
use crate::error::TryReserveError;
use crate::hashing::{no_room, table_hash};
use crate::stats::MemoryUsage;

struct Group<Q, K> {
    list: List<K>,
    /// As [`kept_hash`](crate::hashing::kept_hash) answered for the property.
    hash: u32,
    property: Q,
}

/// Where a key lies: the hash of its group, and its position there. Without a hash there is no key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) hash: u32,
    pub(crate) position: u32,
}

/// What a removal has done to the group.
pub(crate) enum Removed<Q, K> {
    /// The group's last key has moved to where the removed one was.
    Moved(K),
    /// The removed key was the last of several.
    Last,
    /// It was the only one: the group is removed.
    Group(Q),
}

/// The number of a group: valid until the table grows, or the group is removed.
pub(crate) type Number = usize;

pub(crate) struct Groups<Q, K: Copy> {
    table: HashTable<Group<Q, K>>,
    pieces: Pieces<K>,
}

// SAFETY: the lists and the pieces are owned alone, as a `Vec`'s elements are.
unsafe impl<Q: Send, K: Copy + Send> Send for Groups<Q, K> {}
// SAFETY: through a shared reference nothing is changed.
unsafe impl<Q: Sync, K: Copy + Sync> Sync for Groups<Q, K> {}

impl<Q, K: Copy> Group<Q, K> {
    /// The list is borrowed as long as the group, and so is whatever has it.
    #[inline]
    fn keys(&self) -> &[K] {
        // SAFETY: by the invariant the list is one of the pieces, which exist as long as the groups.
        unsafe { self.list.keys() }
    }

    #[inline]
    fn has(&self, at: Place, is_it: impl Fn(K) -> bool) -> bool {
        self.hash == at.hash && self.keys().get(at.position as usize).is_some_and(|&key| is_it(key))
    }

    #[inline]
    fn push(&mut self, key: K) -> Place {
        assert!(!self.list.is_full(), "room was made");
        // SAFETY: (1) by the invariant. (2) It was just checked.
        Place { hash: self.hash, position: unsafe { self.list.push(key) } }
    }

    /// Removes a key other than the only one.
    #[inline]
    fn swap_remove(&mut self, position: u32) -> Option<K> {
        // SAFETY: by the invariant.
        unsafe { self.list.swap_remove(position) }
    }
}

/// Where the table has a group.
#[inline]
fn hash_of<Q, K>(group: &Group<Q, K>) -> u64 {
    table_hash(group.hash)
}

impl<Q, K: Copy> Groups<Q, K> {
    pub(crate) const fn new() -> Self {
        Self { table: HashTable::new(), pieces: Pieces::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The keys of the group of that hash and property; none if there is no such group.
    #[inline]
    pub(crate) fn get(&self, hash: u32, is_it: impl Fn(&Q) -> bool) -> &[K] {
        match self.table.find(table_hash(hash), |group| is_it(&group.property)) {
            Some(group) => group.keys(),
            None => &[],
        }
    }

    #[inline]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(&Q) -> bool) -> Option<Number> {
        self.table.find_bucket_index(table_hash(hash), |group| {
            group.hash == hash && is_it(&group.property)
        })
    }

    /// The group that has such a key at this place.
    #[inline]
    pub(crate) fn find_at(&self, at: Place, is_it: impl Fn(K) -> bool) -> Option<Number> {
        self.table.find_bucket_index(table_hash(at.hash), |group| group.has(at, &is_it))
    }

    pub(crate) fn property_at(&self, at: Place, is_it: impl Fn(K) -> bool) -> Option<&Q> {
        let found = self.table.find(table_hash(at.hash), |group| group.has(at, &is_it));
        found.map(|group| &group.property)
    }

    /// The hash that was kept of a group's property; 0 if there is no such group.
    #[inline]
    pub(crate) fn hash(&self, group: Number) -> u32 {
        self.table.get_bucket(group).map_or(0, |group| group.hash)
    }

    #[inline]
    pub(crate) fn keys(&self, group: Number) -> &[K] {
        self.table.get_bucket(group).map_or(&[], Group::keys)
    }

    /// Finds the group of that hash and property, and makes room for one more key in it; if there is none, makes room
    /// for it. On an error nothing visible has changed.
    #[inline]
    pub(crate) fn make_room(
        &mut self,
        hash: u32,
        is_it: impl Fn(&Q) -> bool,
    ) -> Result<Option<Number>, TryReserveError> {
        let mut is_full = false;
        let found = self.table.find_bucket_index(table_hash(hash), |group| {
            is_full = group.list.is_full();
            group.hash == hash && is_it(&group.property)
        });
        match found {
            None => self.make_room_for_group()?,
            Some(group) if is_full => self.grow(group)?,
            Some(_) => {}
        }
        Ok(found)
    }

    fn grow(&mut self, group: Number) -> Result<(), TryReserveError> {
        let Some(group) = self.table.get_bucket_mut(group) else { return Ok(()) };
        // SAFETY: by the invariant the list is one of the pieces.
        unsafe { self.pieces.grow(&mut group.list) }
    }

    #[inline]
    fn make_room_for_group(&mut self) -> Result<(), TryReserveError> {
        let requested = self.table.len() + 1;
        self.table
            .try_reserve(1, hash_of)
            .map_err(|refused| no_room(refused, requested, isize::MAX as usize))?;
        self.pieces.make_room_for_list()
    }

    /// Adds a key to the group of that hash and property, or begins it. Returns the key's place, and the property where
    /// the group has it already. On an error, or if `Eq` panics, nothing visible has changed.
    #[inline]
    pub(crate) fn add(
        &mut self,
        hash: u32,
        property: Q,
        key: K,
    ) -> Result<(Place, Option<Q>), TryReserveError>
    where
        Q: Eq,
    {
        let is_it = |group: &Group<Q, K>| group.hash == hash && group.property == property;
        if let Some(group) = self.table.find_mut(table_hash(hash), is_it) {
            if group.list.is_full() {
                // SAFETY: by the invariant the list is one of the pieces.
                unsafe { self.pieces.grow(&mut group.list) }?;
            }
            return Ok((group.push(key), Some(property)));
        }
        self.make_room_for_group()?;
        Ok((self.begin(hash, property, key), None))
    }

    /// Adds a key to a group that has room for it.
    #[inline]
    pub(crate) fn push(&mut self, group: Number, key: K) -> Place {
        let Some(group) = self.table.get_bucket_mut(group) else { unreachable!("it was found") };
        group.push(key)
    }

    /// Puts a key in place of another one.
    pub(crate) fn set(&mut self, group: Number, position: u32, key: K) {
        if let Some(group) = self.table.get_bucket_mut(group) {
            // SAFETY: (1) by the invariant. (2) The group is borrowed exclusively.
            unsafe { group.list.keys_mut()[position as usize] = key };
        }
    }

    /// Begins a group, for which there is room, with a key.
    #[inline]
    pub(crate) fn begin(&mut self, hash: u32, property: Q, key: K) -> Place {
        let list = self.pieces.first(key);
        self.table.insert_unique(table_hash(hash), Group { list, hash, property }, hash_of);
        Place { hash, position: 0 }
    }

    /// Removes the key of this place, if such a one is there.
    #[inline]
    pub(crate) fn remove_at(
        &mut self,
        at: Place,
        is_it: impl Fn(K) -> bool,
    ) -> Option<Removed<Q, K>> {
        let found = self.table.find_entry(table_hash(at.hash), |group| group.has(at, &is_it));
        Some(Self::remove_from(&mut self.pieces, found.ok()?, at.position))
    }

    /// Removes the key at a position of a group.
    pub(crate) fn remove(&mut self, group: Number, position: u32) -> Option<Removed<Q, K>> {
        let group = self.table.get_bucket_entry(group).ok()?;
        Some(Self::remove_from(&mut self.pieces, group, position))
    }

    #[inline]
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
        // SAFETY: by the invariant the list is one of the pieces, and no entry has it now.
        unsafe { pieces.free(list) };
        Removed::Group(property)
    }

    /// Removes the keys for which `keep` returns `false`, and tells `removed` of each, of its place, and of the key that
    /// has moved there. If `keep` or a property's `Drop` panics, the keys visited before are decided.
    pub(crate) fn retain(
        &mut self,
        mut keep: impl FnMut(K) -> bool,
        mut removed: impl FnMut(K, Place, Option<K>),
    ) {
        self.table.retain(|group| {
            let mut kept = 0;
            while let Some(&key) = group.keys().get(kept as usize) {
                if keep(key) {
                    kept += 1;
                } else {
                    let moved = group.swap_remove(kept);
                    removed(key, Place { hash: group.hash, position: kept }, moved);
                }
            }
            if kept == 0 {
                let list = mem::replace(&mut group.list, List::EMPTY);
                // SAFETY: by the invariant the list is one of the pieces, and no entry has it now.
                unsafe { self.pieces.free(list) };
            }
            kept > 0
        });
    }

    /// Removes everything and keeps the memory, but that of large lists.
    pub(crate) fn clear(&mut self) {
        self.forget_lists();
        // SAFETY: no group has a list with room.
        unsafe { self.pieces.reset() };
        self.table.clear();
    }

    /// Takes the lists from all groups, and frees those that have blocks of their own.
    fn forget_lists(&mut self) {
        for group in &mut self.table {
            let list = mem::replace(&mut group.list, List::EMPTY);
            if list.is_large() {
                // SAFETY: by the invariant the list is one of the pieces, and no entry has it now.
                unsafe { self.pieces.free(list) };
            }
        }
    }

    /// Makes room for so many keys more, of groups that there are.
    pub(crate) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.pieces.try_reserve(keys)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, &[K])> + Clone {
        self.table.iter().map(|group| (&group.property, group.keys()))
    }

    /// A copy in which all keys have the same places.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        Q: Clone,
    {
        let mut copy = Self::new();
        let reserved = copy.table.try_reserve(self.len(), hash_of);
        reserved.map_err(|refused| no_room(refused, self.len(), isize::MAX as usize))?;
        for group in &self.table {
            let property = group.property.clone();
            // SAFETY: by the invariant the list is one of our pieces.
            let list = unsafe { copy.pieces.copy(&group.list) }?;
            let group = Group { list, hash: group.hash, property };
            copy.table.insert_unique(hash_of(&group), group, hash_of);
        }
        Ok(copy)
    }

    /// What its memory is used for; `values` are keys. O(groups).
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let large = self.table.iter().filter(|group| group.list.is_large());
        let rooms = self.pieces.keys() + large.map(|group| group.list.room()).sum::<usize>();
        let keys = self.table.iter().map(|group| group.list.len()).sum::<usize>();
        let uncut = self.pieces.uncut();
        let bookkeeping = self.table.allocation_size() + self.pieces.bytes_beside();
        let committed = bookkeeping + rooms * size_of::<K>();
        MemoryUsage {
            values: keys * size_of::<K>(),
            holes: (rooms - keys - uncut) * size_of::<K>(),
            unused: uncut * size_of::<K>(),
            bookkeeping,
            committed,
            reserved: committed,
        }
    }

    /// Panics if it is inconsistent. O(keys log keys).
    pub(crate) fn validate(&self) {
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
