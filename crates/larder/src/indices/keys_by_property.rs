//! Members grouped by a property; those of a group lie side by side.
//!
//! ```text
//! table     property, hash, list │ …         a group, found by hash
//! lists     member member member · │ …       its members, a slice of a list pool
//! places    list, position │ …               by slot: where the key's member lies
//! ```
//! **Invariant.** The groups of the table and the lists with members are the same; a group's note is its hash. A group
//! is removed with its last member.
//!
//! Changes have the phases of [`TwoPhase`](super::two_phase::TwoPhase). Properties that are not needed any more are
//! returned, because their `Drop` may panic.

use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

use super::error::IndexError;
use super::group_members::{Group, Member, Members, Room};
use super::property_table::Table;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::pools::list_pool::ListHandle;
use crate::stats::MemoryUsage;

#[derive(Clone, Debug)]
pub(crate) struct KeysByProperty<Q, M: Member, S> {
    table: Table<Q, ListHandle<M>, S>,
    members: Members<M>,
}

/// A member for which there is room. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct Ticket<Q, M> {
    member: M,
    property: Q,
    hash: u32,
    /// The member will be the first with this property.
    is_first: bool,
    room: Room<M>,
}

/// Properties that are not needed any more: the new one, if the group has it already, and that of an emptied group.
pub(crate) type Leftover<Q> = [Option<Q>; 2];

/// With a hash.
impl<Q: Hash + Eq, M: Member, S: BuildHasher> KeysByProperty<Q, M, S> {
    /// The members with a property. O(1).
    #[inline]
    pub(crate) fn find<B: Hash + Eq + ?Sized>(&self, property: &B) -> &[M]
    where
        Q: Borrow<B>,
    {
        self.find_list(property).map_or(&[], |list| self.members.of(list))
    }

    #[inline]
    fn find_list<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<ListHandle<M>>
    where
        Q: Borrow<B>,
    {
        self.table.find(self.table.hash(property), property)
    }

    /// Prepares to file a member. On an error or a panic nothing has changed. O(1) amortised.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        member: M,
        property: Q,
    ) -> Result<Ticket<Q, M>, IndexError<M::Key>> {
        let hash = self.table.hash(&property);
        let list = self.table.find(hash, &property).unwrap_or_default();
        let room = self.members.make_room(member.key(), list)?;
        let is_first = list == ListHandle::EMPTY;
        if is_first {
            self.table.try_reserve(1)?;
        }
        Ok(Ticket { member, property, hash, is_first, room })
    }

    /// Removes all members with a property, the last one first, and passes each to `each`. O(members).
    pub(crate) fn remove_all_of<B: Hash + Eq + ?Sized>(
        &mut self,
        property: &B,
        mut each: impl FnMut(M),
    ) where
        Q: Borrow<B>,
    {
        let list = self.find_list(property).unwrap_or_default();
        while let Some(&last) = self.members.of(list).last() {
            let _property = self.remove(last.key());
            each(last);
        }
    }
}

/// Without a hash.
impl<Q, M: Member, S> KeysByProperty<Q, M, S> {
    pub(crate) const fn new(hasher: S) -> Self {
        Self { table: Table::new(hasher), members: Members::new() }
    }

    /// How many members there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// How many groups there are.
    #[inline]
    pub(crate) fn group_count(&self) -> usize {
        self.table.len()
    }

    /// Files what was prepared, without memory or user code. O(1).
    #[inline]
    pub(crate) fn file(&mut self, ticket: Ticket<Q, M>) -> Leftover<Q> {
        let Ticket { member, property, hash, is_first, room } = ticket;
        let (list, emptied) = self.members.put(member, room, hash);
        let unused = if is_first {
            self.table.insert(hash, property, list);
            None
        } else {
            Some(property)
        };
        [unused, self.strike(emptied)]
    }

    /// Removes a key's member, and an emptied group, without user code. O(1).
    #[inline]
    pub(crate) fn remove(&mut self, key: M::Key) -> Option<(M, Option<Q>)> {
        let (member, emptied) = self.members.take(key)?;
        Some((member, self.strike(emptied)))
    }

    fn strike(&mut self, emptied: Option<Group<M>>) -> Option<Q> {
        let Group { list, note } = emptied?;
        self.table.take(note, list)
    }

    pub(crate) fn contains_key(&self, key: M::Key) -> bool {
        self.members.contains_key(key)
    }

    /// The property that a key is filed under. O(1).
    pub(crate) fn property(&self, key: M::Key) -> Option<&Q> {
        let group = self.members.group(key)?;
        self.table.property(group.note, group.list)
    }

    /// Each property and its members, in no order. O(groups) in all.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, &[M])> + Clone {
        self.table.iter().map(|(property, list)| (property, self.members.of(list)))
    }

    /// Removes the members whose keys a container does not have. If the container or a property's `Drop` panics, the
    /// members visited before are decided. O(members).
    pub(crate) fn retain_live(&mut self, of: &impl Container<Key = M::Key>) {
        let members = &mut self.members;
        self.table.retain(|list| members.retain(list, |key| of.contains_key(key)));
    }

    /// Removes everything and keeps the memory. O(members).
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.table.clear();
    }

    /// Makes room for this many more members; groups may still need memory. O(members).
    pub(crate) fn try_reserve(&mut self, members: usize) -> Result<(), TryReserveError> {
        self.members.try_reserve(members)
    }

    /// What its memory is used for; `values` are members.
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let mut usage = self.members.memory_usage();
        let table = self.table.bytes();
        usage.bookkeeping += table;
        usage.committed += table;
        usage.reserved += table;
        usage
    }

    /// Panics if it is inconsistent.
    pub(crate) fn validate(&self) {
        self.members.validate();
        let mut met = 0;
        for (_, list) in self.table.iter() {
            let members = self.members.of(list);
            assert!(!members.is_empty(), "a group has no members");
            met += members.len();
            for member in members {
                let group = self.members.group(member.key());
                let is_found = group
                    .is_some_and(|group| group.list == list && self.table.has(group.note, list));
                assert!(is_found, "{:?} does not lead to its group", member.key());
            }
        }
        assert_eq!(met, self.len(), "members are in no group");
    }
}
