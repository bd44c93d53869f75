//! Members of groups, those of one group side by side, and beside each key where its member lies.
//!
//! **Invariant.** Every place names a list, and in it the position of a member with the place's key; there
//! are as many places as members. No list is empty but `spare`.
//!
//! No code of the user runs here, apart from what [`retain`](Members::retain) is given.

use core::mem;

use super::IndexError;
use crate::key::Key;
use crate::list_pool::{List, ListPool};
use crate::secondary::SecondaryMap;
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

/// Where a member lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<M> {
    pub(super) list: List<M>,
    position: u32,
    /// By which whoever keeps the groups finds this one without asking its property.
    pub(super) note: u32,
}

/// A group that has lost its last member: its list was freed.
pub(crate) struct Emptied<M> {
    pub(super) list: List<M>,
    pub(super) note: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Members<M: Member> {
    lists: ListPool<M>,
    places: SecondaryMap<M::Key, Place<M>>,
    /// Without members, but with room for one: so that beginning a group cannot fail half-way.
    spare: List<M>,
}

impl<M: Member> Members<M> {
    pub(crate) const fn new() -> Self {
        Self { lists: ListPool::new(), places: SecondaryMap::new(), spare: List::EMPTY }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The members of a group; none of one that is gone.
    #[inline]
    pub(crate) fn of(&self, list: List<M>) -> &[M] {
        self.lists.get(list).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn place(&self, key: M::Key) -> Option<Place<M>> {
        self.places.get(key).copied()
    }

    pub(crate) fn get(&self, key: M::Key) -> Option<&M> {
        let place = self.places.get(key)?;
        self.of(place.list).get(place.position as usize)
    }

    /// Makes room for a member in a list, in a new one for `EMPTY`: [`put`](Self::put) needs no memory
    /// then. On an error nothing has changed.
    pub(crate) fn make_room(
        &mut self,
        key: M::Key,
        mut list: List<M>,
    ) -> Result<(), IndexError<M::Key>> {
        self.places.map.make_room_for(key)?;
        let list = if list == List::EMPTY { &mut self.spare } else { &mut list };
        Ok(self.lists.try_reserve(list, 1)?)
    }

    /// Files a member for which room was made. Whoever was filed in the key's slot is not any more: the
    /// same key, which changes its group, or a stale one. Answers with the group's list.
    pub(crate) fn put(
        &mut self,
        member: M,
        mut list: List<M>,
        note: u32,
    ) -> (List<M>, Option<Emptied<M>>) {
        let key = member.key();
        if let Some(place) = self.place(key).filter(|place| place.list == list) {
            self.lists[list][place.position as usize] = member;
            return (list, None);
        }
        let tenant = self.places.key_at(key.slot());
        let before = tenant.and_then(|tenant| self.place(tenant));
        if list == List::EMPTY {
            list = mem::take(&mut self.spare);
        }
        let position = self.lists[list].len() as u32;
        self.lists.push(&mut list, member);
        self.places.insert(key, Place { list, position, note });
        (list, before.and_then(|place| self.unlist(place)))
    }

    /// Takes a member out.
    pub(crate) fn take(&mut self, key: M::Key) -> Option<(M, Option<Emptied<M>>)> {
        let member = *self.get(key)?;
        let place = self.places.remove(key)?;
        Some((member, self.unlist(place)))
    }

    /// Takes what lies at a place out of its list, and mends the place of the member that fills the gap.
    fn unlist(&mut self, place: Place<M>) -> Option<Emptied<M>> {
        let Place { list, position, note } = place;
        self.lists.swap_remove(list, position as usize);
        if let Some(moved) = self.of(list).get(position as usize) {
            if let Some(place) = self.places.get_mut(moved.key()) {
                place.position = position;
            }
        }
        if !self.of(list).is_empty() {
            return None;
        }
        self.lists.free(list);
        Some(Emptied { list, note })
    }

    /// Takes the members of a list out that are not to be kept; whether any are left. If `keep` panics,
    /// what was decided before is done.
    pub(crate) fn retain(&mut self, list: List<M>, mut keep: impl FnMut(M::Key) -> bool) -> bool {
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
        self.lists.free_all();
        self.spare = List::EMPTY;
    }

    /// As values counts what members take in their lists.
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let lists = self.lists.stats();
        let places = self.places.memory_usage().committed;
        let bytes = lists.bytes + places;
        MemoryUsage {
            values: lists.used,
            holes: lists.wasted + lists.free,
            unused: lists.unused,
            bookkeeping: lists.heads + places,
            committed: bytes,
            reserved: bytes,
        }
    }

    /// Panics where members, lists and places contradict each other.
    pub(crate) fn validate(&self) {
        self.lists.validate();
        self.places.validate();
        assert!(self.of(self.spare).is_empty(), "the spare list has members");
        for (key, place) in &self.places {
            let member = self.of(place.list).get(place.position as usize);
            assert!(
                member.is_some_and(|member| member.key() == key),
                "{key:?} is not at its place"
            );
        }
        let listed: usize = self.lists.iter().map(|(_, members)| members.len()).sum();
        assert_eq!(listed, self.places.len(), "a member has no place");
        let empty = self.lists.iter().filter(|(_, members)| members.is_empty()).count();
        assert_eq!(empty, usize::from(self.spare != List::EMPTY), "a group has no members");
    }
}
