//! Members of groups, those of one group side by side, and by key where each member lies.
//!
//! **Invariant.** Every place names the slot of a list and in that the position of a member with the place's
//! key; there are as many places as members. No list is empty but `spare`. `groups` has, at the slot of each
//! list with members, that list.
//!
//! No user code runs here, except in [`retain`](Members::retain).

use alloc::vec::Vec;
use core::mem;

use super::error::IndexError;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::maps::secondary::SecondaryMap;
use crate::pools::list_pool::{ListHandle, ListPool};
use crate::scratch::reserve;
use crate::stats::MemoryUsage;

/// What lies in a group: a key, or a key and what is read along with it.
pub(crate) trait Member: Copy {
    type Key: Key;

    /// Whose it is; always the same.
    fn key(self) -> Self::Key;
}

impl<K: Key> Member for K {
    type Key = K;

    #[inline]
    fn key(self) -> K {
        self
    }
}

/// Where a member lies. (8 bytes, since there is one for each member: the list is known by its slot.)
#[derive(Clone, Copy, Debug)]
struct Place {
    list: u32,
    position: u32,
}

/// A group: its list, and a number by which the index finds it without its property.
#[derive(Debug)]
pub(crate) struct Group<M> {
    pub(super) list: ListHandle<M>,
    pub(super) note: u32,
}

impl<M> Clone for Group<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Group<M> {}

/// Room for a member in a group.
#[derive(Debug)]
pub(crate) struct Room<M> {
    /// `EMPTY` for a new one.
    list: ListHandle<M>,
    /// Where in the list, behind its members.
    position: u32,
    /// The place of the member of the same slot, which is removed: of a stale key, or of the same one.
    before: Option<Place>,
}

#[derive(Clone, Debug)]
pub(crate) struct Members<M: Member> {
    lists: ListPool<M>,
    /// By the slot of the group's list.
    groups: Vec<Group<M>>,
    places: SecondaryMap<M::Key, Place>,
    /// Without members, but with room for one, so that starting a group cannot fail. An emptied group's list becomes the
    /// next spare.
    spare: ListHandle<M>,
}

/// How much room the spare list has at most.
const LARGEST_SPARE: usize = 16;

impl<M: Member> Members<M> {
    pub(crate) const fn new() -> Self {
        Self {
            lists: ListPool::private(),
            groups: Vec::new(),
            places: SecondaryMap::new(),
            spare: ListHandle::EMPTY,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub(crate) fn contains_key(&self, key: M::Key) -> bool {
        self.places.contains_key(key)
    }

    /// The members of a group; none if it was removed.
    #[inline]
    pub(crate) fn of(&self, list: ListHandle<M>) -> &[M] {
        self.lists.get(list).unwrap_or_default()
    }

    /// The group of a key.
    #[inline]
    pub(crate) fn group(&self, key: M::Key) -> Option<Group<M>> {
        let place = self.places.get(key)?;
        Some(self.groups[place.list as usize])
    }

    /// Makes room for this many more members, without spare room in lists. On an error nothing visible has changed.
    pub(crate) fn try_reserve(&mut self, members: usize) -> Result<(), TryReserveError> {
        self.places.map.try_reserve(members)?;
        self.lists.try_reserve_rooms(members)
    }

    /// Makes room for a member in a list (in a new one for `EMPTY`), so that [`put`](Self::put) needs no memory. On an
    /// error nothing visible has changed.
    #[inline]
    pub(crate) fn make_room(
        &mut self,
        key: M::Key,
        list: ListHandle<M>,
    ) -> Result<Room<M>, IndexError<M::Key>> {
        let tenant = self.places.map.make_room_for(key)?;
        let before = tenant.and_then(|tenant| self.places.get(tenant)).copied();
        let position = if list == ListHandle::EMPTY {
            self.make_spare()?;
            0
        } else {
            self.lists.make_room(&mut { list })? as u32
        };
        Ok(Room { list, position, before })
    }

    #[inline(never)]
    fn make_spare(&mut self) -> Result<(), TryReserveError> {
        self.lists.make_room(&mut self.spare)?;
        let slots = self.spare.slot() as usize + 1;
        if slots > self.groups.len() {
            let additional = slots - self.groups.len();
            reserve(&mut self.groups, additional)?;
            self.groups.resize(slots, Group { list: ListHandle::EMPTY, note: 0 });
        }
        Ok(())
    }

    /// Files a member for which room was made, in a group with this note. The member of the same slot is removed: of the
    /// same key, which changes its group, or of a stale one. Returns the list, and an emptied group.
    #[inline]
    pub(crate) fn put(
        &mut self,
        member: M,
        room: Room<M>,
        note: u32,
    ) -> (ListHandle<M>, Option<Group<M>>) {
        let key = member.key();
        let Room { mut list, position, before } = room;
        if list == ListHandle::EMPTY {
            list = mem::take(&mut self.spare);
            self.groups[list.slot() as usize] = Group { list, note };
        } else if let Some(place) = before.filter(|place| place.list == list.slot()) {
            // The same group: the member takes the place.
            self.lists[list][place.position as usize] = member;
            self.set_place(key, place);
            return (list, None);
        }
        self.lists.push(&mut list, member);
        self.set_place(key, Place { list: list.slot(), position });
        (list, before.and_then(|place| self.unlist(place).1))
    }

    /// Notes where a key's member lies; room was made for it.
    #[inline]
    fn set_place(&mut self, key: M::Key, place: Place) {
        // Nothing is refused: there is room.
        let _ = self.places.map.try_insert(key, place);
    }

    /// Removes a member.
    #[inline]
    pub(crate) fn take(&mut self, key: M::Key) -> Option<(M, Option<Group<M>>)> {
        let place = self.places.remove(key)?;
        Some(self.unlist(place))
    }

    /// Removes the member at a place from its list, and corrects the place of the member that fills the gap. Returns the
    /// member, and an emptied group.
    #[inline]
    fn unlist(&mut self, place: Place) -> (M, Option<Group<M>>) {
        let group = self.groups[place.list as usize];
        let members = &mut self.lists[group.list];
        // (A list that a place names has members.)
        let (position, last) = (place.position as usize, members.len() - 1);
        let moved = members[last];
        let member = mem::replace(&mut members[position], moved);
        self.lists.pop(group.list);
        if position < last {
            if let Some(mended) = self.places.get_mut(moved.key()) {
                mended.position = place.position;
            }
        }
        if last > 0 {
            return (member, None);
        }
        if self.spare == ListHandle::EMPTY && self.lists.room(group.list) <= LARGEST_SPARE {
            self.spare = group.list;
        } else {
            self.lists.free(group.list);
        }
        (member, Some(group))
    }

    /// Removes the members of a list for which `keep` returns `false`, and returns whether any are left. If `keep` panics,
    /// the members visited before are decided.
    pub(crate) fn retain(
        &mut self,
        list: ListHandle<M>,
        mut keep: impl FnMut(M::Key) -> bool,
    ) -> bool {
        let mut kept = 0;
        while let Some(member) = self.of(list).get(kept) {
            let key = member.key();
            if keep(key) {
                kept += 1;
            } else {
                self.take(key);
            }
        }
        kept > 0
    }

    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.groups.clear();
        self.lists.free_all();
        self.spare = ListHandle::EMPTY;
    }

    /// `values` are members in their lists.
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let lists = self.lists.stats();
        let groups = self.groups.capacity() * size_of::<Group<M>>();
        let beside = self.places.stats().memory.committed + groups;
        let bytes = lists.bytes + beside;
        MemoryUsage {
            values: lists.used,
            holes: lists.wasted + lists.free,
            unused: lists.unused,
            bookkeeping: lists.heads + beside,
            committed: bytes,
            reserved: bytes,
        }
    }

    /// Panics if it is inconsistent.
    pub(crate) fn validate(&self) {
        self.lists.validate();
        self.places.validate();
        assert!(self.of(self.spare).is_empty(), "the spare list has members");
        for (key, place) in &self.places {
            let group = self.groups[place.list as usize];
            assert_eq!(group.list.slot(), place.list, "a group is not where its list says");
            let member = self.of(group.list).get(place.position as usize);
            assert!(
                member.is_some_and(|member| member.key() == key),
                "{key:?} is not at its place"
            );
        }
        let listed: usize = self.lists.iter().map(|(_, members)| members.len()).sum();
        assert_eq!(listed, self.places.len(), "a member has no place");
        let empty = self.lists.iter().filter(|(_, members)| members.is_empty()).count();
        assert_eq!(empty, usize::from(self.spare != ListHandle::EMPTY), "a group has no members");
    }
}
