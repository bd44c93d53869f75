//! The head that all operations on a list go through: [`IntrusiveList`] and [`KeyList`] are
//! a head each, with the links in the objects or beside them.
//!
//! ```text
//! head            ┌────────┐ next  ┌────────┐ next  ┌────────┐
//! ┌────────┐      │ object │ ────▶ │ object │ ────▶ │ object │ ──┐
//! │ first ─┼────▶ │        │ ◀──── │        │ ◀──── │        │   │
//! │ length │      └────────┘  prev └────────┘  prev └────────┘   │
//! └────────┘          ▲  └ prev of the first: the last           │
//!                     └──────────────────────────────────────────┘
//! ```
//! [`IntrusiveList`]: crate::IntrusiveList
//! [`KeyList`]: crate::KeyList

use core::mem;
use core::num::NonZeroU32;

use super::ListError;
use super::check::{CheckError, LinkKind};
#[cfg(feature = "alloc")]
use super::nodes::{Linkage, Place};
use super::ring::{self, HasRing, Ring, tail};
use larder_core::containers::{LinkStore, LinkStoreMut};

/// Links by which an object, or a node of one list, is a member.
pub(crate) trait ListLinks<K>: HasRing<K> + Default {
    fn is_listed(&self) -> bool;
    fn is_in(&self, number: NonZeroU32) -> bool;
    fn enlist(&mut self, number: NonZeroU32);
}

/// Serves nodes that only one list uses, which are members if they are in a circle.
#[cfg(feature = "alloc")]
impl ListLinks<Place> for Ring<Place> {
    #[inline]
    fn is_listed(&self) -> bool {
        self.next.is_some()
    }

    #[inline]
    fn is_in(&self, _: NonZeroU32) -> bool {
        self.next.is_some()
    }

    #[inline]
    fn enlist(&mut self, _: NonZeroU32) {}
}

/// The first member of a list, how many there are, and the number by which members know their list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "IntrusiveList"))]
pub(crate) struct ListHead<K> {
    pub(super) number: NonZeroU32,
    pub(super) length: u32,
    pub(super) first: Option<K>,
}

impl<K> ListHead<K> {
    #[track_caller]
    pub(super) const fn numbered(number: u32) -> Self {
        match NonZeroU32::MIN.checked_add(number) {
            Some(number) => Self { number, length: 0, first: None },
            None => panic!("IntrusiveList: a list cannot have the number u32::MAX"),
        }
    }

    /// The head of the only list that uses its links.
    #[cfg(feature = "alloc")]
    pub(super) const fn only() -> Self {
        Self { number: NonZeroU32::MIN, length: 0, first: None }
    }

    pub(super) const fn len(&self) -> usize {
        self.length as usize
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.length == 0
    }
}

/// Reading.
impl<K: Copy + Eq> ListHead<K> {
    pub(super) fn first<L: ListLinks<K>>(&self, objects: &impl LinkStore<L, Key = K>) -> Option<K> {
        let first = self.first?;
        self.member(objects, first).map(|_| first)
    }

    pub(super) fn last<L: ListLinks<K>>(&self, objects: &impl LinkStore<L, Key = K>) -> Option<K> {
        let last = ring::prev(objects, self.first?)?;
        self.member(objects, last).map(|_| last)
    }

    #[inline]
    pub(super) fn next<L: ListLinks<K>>(
        &self,
        objects: &impl LinkStore<L, Key = K>,
        key: K,
    ) -> Option<K> {
        self.after(objects, key, self.member(objects, key)?.next)
    }

    #[inline]
    pub(super) fn prev<L: ListLinks<K>>(
        &self,
        objects: &impl LinkStore<L, Key = K>,
        key: K,
    ) -> Option<K> {
        let Ring { prev, .. } = self.member(objects, key)?;
        let prev = prev.filter(|_| self.first != Some(key))?;
        (self.member(objects, prev)?.next == Some(key)).then_some(prev)
    }

    /// The walk over the members.
    pub(super) fn iter<'a, L: ListLinks<K>>(
        &'a self,
        objects: &'a impl LinkStore<L, Key = K>,
    ) -> impl Iterator<Item = K> {
        let next = |&key: &K| self.next(objects, key);
        core::iter::successors(self.first(objects), next).take(self.len())
    }

    /// The neighbours of a key that is a member. (A list of length 0 has none, whatever a file says of objects.)
    #[inline]
    pub(super) fn member<L: ListLinks<K>, S: LinkStore<L, Key = K>>(
        &self,
        objects: &S,
        key: K,
    ) -> Option<Ring<K>> {
        let link = self.link(objects, key)?;
        (!self.is_empty()).then_some(link.ring())
    }

    /// The link of a key by which it is in this list.
    #[inline]
    fn link<'a, L: ListLinks<K> + 'a>(
        &self,
        objects: &'a impl LinkStore<L, Key = K>,
        key: K,
    ) -> Option<&'a L> {
        objects.links(key).filter(|link| link.is_in(self.number))
    }

    /// `next`, which follows a member, if it is a member too and links back; `None` after the last one.
    #[inline]
    fn after<L: ListLinks<K>, S: LinkStore<L, Key = K>>(
        &self,
        objects: &S,
        key: K,
        next: Option<K>,
    ) -> Option<K> {
        let next = next.filter(|_| next != self.first)?;
        (!S::MAY_TEAR || self.member(objects, next)?.prev == Some(key)).then_some(next)
    }
}

/// Inserting.
impl<K: Copy + Eq> ListHead<K> {
    pub(super) fn push_back<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        match self.first {
            Some(first) => self.put_before(objects, first, key),
            None => {
                self.put(objects, key, key, key);
                self.first = Some(key);
                Ok(())
            }
        }
    }

    pub(super) fn push_front<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        // In a circle the place behind the last is that before the first.
        self.push_back(objects, key)?;
        self.first = Some(key);
        Ok(())
    }

    pub(super) fn insert_before<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.member(objects, member).ok_or(ListError::NotMember { key: member })?;
        self.put_before(objects, member, key)?;
        if self.first == Some(member) {
            self.first = Some(key);
        }
        Ok(())
    }

    pub(super) fn insert_after<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        self.admit(objects, key)?;
        self.member(objects, member).ok_or(ListError::NotMember { key: member })?;
        let next = ring::next(objects, member).ok_or(ListError::Torn { key: member })?;
        self.put(objects, member, key, next);
        Ok(())
    }

    pub(super) fn splice<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        before: Option<K>,
        other: &mut Self,
    ) -> Result<(), ListError<K>> {
        if let Some(key) = before {
            self.member(objects, key).ok_or(ListError::NotMember { key })?;
        }
        let Some(first) = other.first else {
            return Ok(());
        };
        let behind = before.or(self.first);
        let (last, met) =
            other.last_of_whole(objects, behind).ok_or(ListError::Torn { key: first })?;
        if objects.records() {
            let mut at = other.first(objects);
            while let Some(key) = at {
                ring::record(objects, [at]);
                at = other.next(objects, key);
            }
        }
        if let Some(behind) = behind {
            if met {
                return Err(ListError::InList { key: behind });
            }
            let prev = ring::prev(objects, behind).ok_or(ListError::Torn { key: behind })?;
            ring::record(objects, [Some(prev), Some(behind)]);
            ring::join(objects, prev, first);
            ring::join(objects, last, behind);
        }
        if before == self.first {
            self.first = Some(first);
        }
        self.adopt(objects, first, last);
        self.length = self.length.saturating_add(mem::take(&mut other.length));
        other.first = None;
        Ok(())
    }

    /// The last member, if a walk reaches it, and whether that walk meets `wanted`.
    fn last_of_whole<L: ListLinks<K>>(
        &self,
        objects: &impl LinkStore<L, Key = K>,
        wanted: Option<K>,
    ) -> Option<(K, bool)> {
        let mut met = false;
        let last = self.iter(objects).inspect(|&key| met |= wanted == Some(key)).last()?;
        (ring::next(objects, last) == self.first).then_some((last, met))
    }

    /// Gives the members from `first` to `last` the number of this list.
    fn adopt<L: ListLinks<K>>(
        &self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        first: K,
        last: K,
    ) {
        let mut at = Some(first);
        while let Some(key) = at {
            if let Some(link) = objects.links_mut(key) {
                link.enlist(self.number);
            }
            at = if key == last { None } else { ring::next(objects, key) };
        }
    }

    /// Refuses a key that cannot become a member.
    fn admit<L: ListLinks<K>>(
        &self,
        objects: &impl LinkStore<L, Key = K>,
        key: K,
    ) -> Result<(), ListError<K>> {
        match objects.links(key) {
            None => Err(ListError::Missing { key }),
            Some(link) if link.is_listed() => Err(ListError::InList { key }),
            Some(_) => Ok(()),
        }
    }

    fn put_before<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        member: K,
        key: K,
    ) -> Result<(), ListError<K>> {
        let prev = ring::prev(objects, member).ok_or(ListError::Torn { key: member })?;
        self.put(objects, prev, key, member);
        Ok(())
    }

    #[inline]
    fn put<L: ListLinks<K>, S: LinkStoreMut<L, Key = K>>(
        &mut self,
        objects: &mut S,
        prev: K,
        key: K,
        next: K,
    ) {
        if S::MAY_RECORD {
            ring::record(objects, [Some(prev), Some(key), Some(next)]);
        }
        ring::insert(objects, prev, key, next, |link| link.enlist(self.number));
        // A length may be forged; the members of a container are fewer than that.
        self.length = self.length.saturating_add(1);
    }
}

/// Removing. The objects stay in their container.
impl<K: Copy + Eq> ListHead<K> {
    /// Removes a member and returns the one after it, if there is one; `None` if it was no member.
    #[inline]
    pub(super) fn remove<L: ListLinks<K>, S: LinkStoreMut<L, Key = K>>(
        &mut self,
        objects: &mut S,
        key: K,
    ) -> Option<Option<K>> {
        if S::MAY_RECORD && objects.records() {
            self.record_around(objects, key);
        }
        let link = objects.links_mut(key).filter(|link| link.is_in(self.number))?;
        self.length = self.length.checked_sub(1)?;
        let ring = mem::take(link).ring();
        let beside = ring::unlink(objects, key, ring, |link| link.is_in(self.number));
        let next = beside.next.filter(|_| beside.next != self.first);
        if self.first == Some(key) {
            self.first = beside.next.or(beside.prev);
        }
        Some(next)
    }

    /// Has links recorded that a removal changes.
    pub(crate) fn record_around<L: ListLinks<K>>(
        &self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        key: K,
    ) {
        if let Some(Ring { prev, next }) = self.member(objects, key) {
            ring::record(objects, [prev, Some(key), next]);
        }
    }

    pub(super) fn pop_front<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
    ) -> Option<K> {
        let first = self.first?;
        self.pop(objects, first)
    }

    pub(super) fn pop_back<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
    ) -> Option<K> {
        let last = self.last(objects)?;
        self.pop(objects, last)
    }

    /// Removes a key if it is a member, and says so.
    fn pop<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        key: K,
    ) -> Option<K> {
        self.member(objects, key)?;
        self.remove(objects, key);
        self.member(objects, key).is_none().then_some(key)
    }

    pub(super) fn retain<L: ListLinks<K>, S: LinkStoreMut<L, Key = K>>(
        &mut self,
        objects: &mut S,
        mut keep: impl FnMut(&S, K) -> bool,
    ) {
        let (mut before, mut at) = (None, self.first);
        // No more than there are: what is read may not be what is written, see `Field::new`.
        for _ in 0..self.length {
            let Some(key) = at else { return };
            let Some(link) = objects.links(key) else { return };
            if S::MAY_TEAR {
                let is_back = before.is_some() && self.first == Some(key);
                let links_back = before.is_none() || link.ring().prev == before;
                if is_back || !links_back || !link.is_in(self.number) {
                    return;
                }
            }
            let next = link.ring().next;
            at = if keep(objects, key) {
                before = Some(key);
                next
            } else {
                self.remove(objects, key).flatten()
            };
        }
    }

    pub(super) fn clear<L: ListLinks<K>>(&mut self, objects: &mut impl LinkStoreMut<L, Key = K>) {
        while self.pop_front(objects).is_some() {}
        (self.first, self.length) = (None, 0);
    }
}

/// Links that were not told of a removal, or were loaded from a file.
impl<K: Copy + Eq> ListHead<K> {
    pub(super) fn mend<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        keys: impl Iterator<Item = K> + Clone,
    ) {
        self.first = self.first.filter(|&first| self.link(objects, first).is_some());
        let is_member = |key: &K| self.link(objects, *key).is_some();
        let count = |(any, members): (Option<K>, u32), key| (any.or(Some(key)), members + 1);
        let (any, members) = keys.clone().filter(is_member).fold((None, 0), count);
        self.length = members;
        // The piece with the first member is closed first, so that the others find where to join.
        keys.clone().for_each(|key| self.close(objects, key, true));
        keys.clone().for_each(|key| self.close(objects, key, false));
        self.first = self.first.or(any); // all are in a circle that no head leads to
        let (last, met) = self.iter(objects).fold((None, 0), |(_, met), key| (Some(key), met + 1));
        self.length = met;
        if met < members || last.is_some_and(|last| ring::next(objects, last) != self.first) {
            self.link_anew(objects, keys);
        }
    }

    /// Links all members in the order of `keys`: a file may have several circles of them, or one with members of other
    /// lists.
    fn link_anew<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        keys: impl Iterator<Item = K> + Clone,
    ) {
        for key in keys.clone() {
            if self.link(objects, key).is_some() {
                ring::open(objects, key);
            }
        }
        (self.first, self.length) = (None, 0);
        let mut last = None;
        for key in keys {
            if self.link(objects, key).is_some_and(|link| link.ring() == Ring::OPEN) {
                let first = *self.first.get_or_insert(key);
                ring::insert(objects, last.unwrap_or(key), key, first, |_| ());
                self.length += 1;
                last = Some(key);
            }
        }
    }

    /// Closes the piece that begins with `head`, or joins it to the closed ones.
    fn close<L: ListLinks<K>>(
        &mut self,
        objects: &mut impl LinkStoreMut<L, Key = K>,
        head: K,
        only_with_first: bool,
    ) {
        if self.link(objects, head).is_none() || ring::prev(objects, head).is_some() {
            return; // not a head
        }
        let (tail, with_first) = tail(objects, head, self.first);
        if self.first.is_none() || with_first {
            ring::join(objects, tail, head);
            self.first = self.first.or(Some(head));
        } else if let Some((first, last)) = self.first.zip(self.last(objects)) {
            if !only_with_first {
                ring::join(objects, last, head);
                ring::join(objects, tail, first);
            }
        }
    }

    pub(super) fn check<L: ListLinks<K>>(
        &self,
        objects: &impl LinkStore<L, Key = K>,
        keys: impl Iterator<Item = K>,
    ) -> Result<(), CheckError<K>> {
        let mut members = 0;
        for key in keys {
            let Some(link) = self.link(objects, key) else { continue };
            self.check_one(objects, key, link.ring())?;
            members += 1;
        }
        if let Some(first) = self.first.filter(|&first| self.link(objects, first).is_none()) {
            return Err(CheckError::FirstNotMember { first });
        }
        let met = self.iter(objects).count();
        if met == members && met == self.len() {
            Ok(())
        } else {
            Err(CheckError::Inconsistent { met, members, length: self.len() })
        }
    }

    /// Checks that the neighbours of a member are members that name it.
    fn check_one<L: ListLinks<K>>(
        &self,
        objects: &impl LinkStore<L, Key = K>,
        key: K,
        ring: Ring<K>,
    ) -> Result<(), CheckError<K>> {
        let sides = [
            (LinkKind::Prev, ring.prev, LinkKind::Next),
            (LinkKind::Next, ring.next, LinkKind::Prev),
        ];
        for (link, other, back) in sides {
            let other = other.ok_or(CheckError::Absent { key, link })?;
            let there = objects.links(other).ok_or(CheckError::Missing { key, link, other })?;
            if !there.is_in(self.number) {
                return Err(CheckError::NotMember { key, link, other });
            }
            let Ring { prev, next } = there.ring();
            let names = if back == LinkKind::Prev { prev } else { next };
            if names != Some(key) {
                return Err(CheckError::Contradiction { key, link, other, back, names });
            }
        }
        Ok(())
    }
}

#[cfg(feature = "alloc")]
impl Linkage for Ring<Place> {
    fn relocate(&mut self, to: impl Fn(Place) -> Place) {
        for place in [&mut self.prev, &mut self.next] {
            *place = place.map(&to);
        }
    }
}
