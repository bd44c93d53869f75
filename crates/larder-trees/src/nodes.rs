//! Links beside a container: nodes side by side that name each other by their place, and for each slot the place
//! of its node.
//!
//! **Invariant.** A place that an index entry or a link of a node in use names is that of a node in use. Every node in
//! use has one index entry, that of its key's slot. A vacant node has no key; its `next` is the vacant node after it,
//! and its other links are those of the key that it had. While the past is on, each change of a node is noted before.

use alloc::vec::Vec;
use core::mem;
use core::num::NonZeroU32;

use super::ring::HasRing;
use larder_core::TryReserveError;
use larder_core::containers::MemoryUsage;
use larder_core::containers::{LinkStore, LinkStoreMut};
use larder_core::key::Key;
use larder_core::maps::BySlot;
use larder_core::maps::SecondaryInsertErrorKind;
use larder_core::past::Past;
#[cfg(feature = "track")]
use larder_core::past::{Reverse, Way};
use larder_core::room::{reserve, shrink};

/// The position of a node, which is never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(unnameable_types, reason = "a walk of a `Tree` names its nodes by it")]
pub struct Place(NonZeroU32);

impl Place {
    #[inline]
    fn of(position: usize) -> Self {
        debug_assert!(u32::try_from(position).is_ok(), "there are no more nodes than slots");
        Self(NonZeroU32::new(position as u32).expect("the first node is never used"))
    }

    #[inline]
    const fn position(self) -> usize {
        self.0.get() as usize
    }
}

/// Links that can lie in a node.
pub(crate) trait Linkage: HasRing<Place> + Copy + Default + PartialEq {
    /// Changes all places that it names.
    fn relocate(&mut self, to: impl Fn(Place) -> Place);
}

/// The numbers of nodes, with the one that is never used, up to which the first four allocations have room.
const FIRST: [usize; 4] = [4, 16, 64, 256];

#[derive(Clone, Copy)]
struct Node<K, L> {
    /// The key of the object that has these links; dangling if the node is vacant.
    key: K,
    links: L,
}

/// The former contents of a node, or that there was no node.
#[derive(Clone, Copy)]
pub(crate) struct NodeChange<K, L> {
    position: u32,
    was: Option<Node<K, L>>,
}

/// The state recorded once a step, rather than once a change: the vacant nodes and the head of a list.
#[derive(Clone)]
pub(crate) struct NodesState<H> {
    vacant: Option<Place>,
    vacancies: u32,
    pub(super) head: H,
}

/// Links of type `L` for keys, at most one key of each slot; `H` is what else is noted in their past.
#[derive(Clone)]
pub(crate) struct Nodes<K: Key, L, H = ()> {
    /// Nothing, or nodes after one that is never used.
    nodes: Vec<Node<K, L>>,
    vacant: Option<Place>,
    vacancies: u32,
    index: BySlot<Option<Place>>,
    past: Past<NodeChange<K, L>, NodesState<H>>,
}

impl<K: Key, L, H> Nodes<K, L, H> {
    pub(crate) const fn new() -> Self {
        Self {
            nodes: Vec::new(),
            vacant: None,
            vacancies: 0,
            index: BySlot::new(),
            past: Past::new(),
        }
    }

    /// The node of a key.
    #[inline]
    pub(crate) fn place_of(&self, key: K) -> Option<Place> {
        let place = self.index.get(key.slot())?;
        self.nodes.get(place.position()).filter(|node| node.key == key).map(|_| place)
    }

    /// Returns the place of a key whose slot lies in the index's array, and `None` for one that lies far from all
    /// others. Otherwise like [`place_of`](Self::place_of).
    #[inline]
    pub(crate) fn place_nearby(&self, key: K) -> Option<Place> {
        let place = (*self.index.near(key.slot())?)?;
        self.nodes.get(place.position()).filter(|node| node.key == key).map(|_| place)
    }

    /// Returns the key of a node; a dangling key if it is vacant.
    #[inline]
    pub(crate) fn key_of(&self, place: Place) -> K {
        self.nodes[place.position()].key
    }

    /// Returns the key of a node, and its links.
    #[inline]
    pub(crate) fn entry(&self, place: Place) -> Option<(K, &L)> {
        self.nodes.get(place.position()).map(|node| (node.key, &node.links))
    }

    /// The key of a slot that has a node.
    pub(crate) fn tenant(&self, slot: u32) -> Option<K> {
        self.index.get(slot).map(|place| self.key_of(place))
    }

    /// Returns the number of keys that have a node.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len().saturating_sub(1) - self.vacancies as usize
    }

    /// Returns the number of keys that can have a node without allocating, if their slots are below this number.
    pub(crate) fn capacity(&self) -> usize {
        self.nodes.capacity().saturating_sub(1).min(self.index.capacity())
    }

    /// Nodes are in positions below this.
    pub(crate) fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// The key of the node in a position, if that is in use.
    pub(crate) fn key_in(&self, position: usize) -> Option<K> {
        self.nodes.get(position).map(|node| node.key).filter(|&key| key != K::DANGLING)
    }

    /// The nodes in use, by slot, then those far from all others.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.index.iter().filter_map(|(_, place)| place)
    }

    pub(crate) fn memory(&self) -> MemoryUsage {
        let node = size_of::<Node<K, L>>();
        let values = self.len() * node;
        let holes = self.nodes.len() * node - values;
        let unused = (self.nodes.capacity() - self.nodes.len()) * node;
        MemoryUsage::new(values, holes, unused, self.index.bytes())
    }
}

impl<K: Key, L: Linkage, H> Nodes<K, L, H> {
    /// The node of a key, which is given one; `None` if another key of its slot has one. On an error nothing has
    /// changed.
    #[inline]
    pub(crate) fn place(&mut self, key: K) -> Result<Option<Place>, SecondaryInsertErrorKind<K>> {
        match self.index.get(key.slot()) {
            Some(place) => Ok(Some(place).filter(|&place| self.key_of(place) == key)),
            None => self.place_new(key).map(Some),
        }
    }

    /// Gives a key that has none the node after the last, where there is room and nothing else to do; says
    /// whether there is. `link` leads to the node, and returns its links.
    #[inline]
    pub(crate) fn place_quickly(
        &mut self,
        key: K,
        link: impl FnOnce(&mut Self, Place) -> L,
    ) -> bool {
        // (The same comparison as in `Vec::push`, so that the compiler omits it there.)
        let is_full = self.nodes.len() == self.nodes.capacity();
        if is_full || self.vacant.is_some() || self.past.is_on() || !key.can_be_live() {
            return false;
        }
        let entry = self.index.near_mut(key.slot()).filter(|entry| entry.is_none());
        let Some(entry) = entry else { return false };
        let place = Place::of(self.nodes.len());
        *entry = Some(place);
        let links = link(self, place);
        self.nodes.push(Node { key, links });
        true
    }

    #[inline(never)]
    fn place_new(&mut self, key: K) -> Result<Place, SecondaryInsertErrorKind<K>> {
        if !key.can_be_live() {
            return Err(SecondaryInsertErrorKind::Dangling);
        }
        self.make_room(key).map_err(SecondaryInsertErrorKind::Memory)?;
        let node = Node { key, links: L::default() };
        let place = match self.vacant {
            Some(place) => {
                self.note(place.position());
                let vacant = mem::replace(&mut self.nodes[place.position()], node);
                self.vacant = vacant.links.ring().next;
                self.vacancies -= 1;
                place
            }
            None => {
                self.note(self.nodes.len());
                self.nodes.push(node);
                Place::of(self.nodes.len() - 1)
            }
        };
        self.index.set(key.slot(), Some(place));
        Ok(place)
    }

    /// Makes room for the node of a key. Nothing visible changes, nor what is recorded.
    #[inline]
    pub(crate) fn make_room(&mut self, key: K) -> Result<(), TryReserveError> {
        self.index.make_room(key.slot(), self.len())?;
        if self.vacant.is_none() && self.nodes.len() == self.nodes.capacity() {
            self.grow()?;
        }
        Ok(())
    }

    /// Makes room for one more node, and has the one that is never used.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), TryReserveError> {
        // (A few at once: to grow takes longer than to fill them.)
        let nodes = self.nodes.len();
        let first = FIRST.into_iter().find(|&first| nodes < first);
        reserve(&mut self.nodes, first.map_or(2, |first| (first - nodes).max(2)))?;
        self.begin();
        Ok(())
    }

    /// Has the node that is never used, for which there is room.
    fn begin(&mut self) {
        if self.nodes.is_empty() {
            self.nodes.push(Node { key: K::DANGLING, links: L::default() });
        }
    }

    /// Makes room for `additional` more keys, if their slots are below the number of keys then.
    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        if additional == 0 {
            return Ok(());
        }
        self.index.try_reserve(additional, self.len(), K::MAX_SLOTS)?;
        let more = (self.len() + additional + 1).saturating_sub(self.nodes.len());
        reserve(&mut self.nodes, more)?;
        self.begin();
        Ok(())
    }

    /// Frees a node, to which no link leads, and returns its former key. (If the past is on, it is called through
    /// [`Noted`].)
    #[inline]
    pub(crate) fn vacate(&mut self, place: Place) -> K {
        let vacant = &mut self.nodes[place.position()];
        vacant.links.set_next(self.vacant.replace(place));
        let key = mem::replace(&mut vacant.key, K::DANGLING);
        self.index.take(key.slot());
        self.vacancies += 1;
        key
    }

    /// Removes all links and keeps the memory.
    pub(crate) fn clear(&mut self) {
        if self.past.is_on() {
            return self.vacate_all();
        }
        self.nodes.truncate(1);
        self.index.clear();
        (self.vacant, self.vacancies) = (None, 0);
    }

    /// Clears while changes are recorded: vacates node by node, so that each vacated node is noted.
    #[cold]
    fn vacate_all(&mut self) {
        for position in 0..self.nodes.len() {
            if self.key_in(position).is_some() {
                Noted(self).vacate(Place::of(position));
            }
        }
    }

    /// Gives back the memory that is not needed for linked keys, unless their past names places. `outside` is a place
    /// that is named outside.
    pub(crate) fn shrink_to_fit(&mut self, outside: Option<&mut Place>) {
        if self.past.is_on() {
            return;
        }
        for position in 0..self.nodes.len() {
            if self.key_in(position).is_some() && self.nodes[position].links == L::default() {
                self.vacate(Place::of(position));
            }
        }
        self.close_up(outside);
        shrink(&mut self.nodes);
        self.index.shrink_to_fit();
    }

    /// Moves the last nodes into the vacant ones.
    fn close_up(&mut self, outside: Option<&mut Place>) {
        let (length, mut hole) = (self.len() + 1, 1);
        if self.len() == 0 {
            self.nodes.clear();
        }
        for position in length..self.nodes.len() {
            if self.key_in(position).is_some() {
                while self.key_in(hole).is_some() {
                    hole += 1;
                }
                self.nodes.swap(hole, position);
                // The vacant node that is left here says where the other is.
                self.nodes[position].links.set_next(Some(Place::of(hole)));
            }
        }
        let length = length.min(self.nodes.len());
        let (kept, left) = self.nodes.split_at_mut(length);
        let moved = |place: Place| match place.position().checked_sub(length) {
            Some(position) => left[position].links.ring().next.unwrap_or(place),
            None => place,
        };
        kept.iter_mut().for_each(|node| node.links.relocate(moved));
        let relocate = |place: &mut Option<Place>| *place = place.map(moved);
        self.index.for_each_mut(relocate);
        if let Some(place) = outside {
            *place = moved(*place);
        }
        self.nodes.truncate(length);
        (self.vacant, self.vacancies) = (None, 0);
    }

    /// Panics where the nodes and the index contradict each other.
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    pub(crate) fn validate(&self) {
        for place in self.places() {
            let key = self.key_of(place);
            assert!(key != K::DANGLING && self.place_of(key) == Some(place), "{key:?}");
        }
        let vacant = self.nodes.iter().skip(1).filter(|node| node.key == K::DANGLING).count();
        assert_eq!(self.places().count(), self.len(), "each has one entry");
        assert_eq!(self.vacancies as usize, vacant);
        let next = |place: &Place| self.nodes[place.position()].links.ring().next;
        let free = core::iter::successors(self.vacant, next).take(self.nodes.len() + 1);
        assert_eq!(free.count(), vacant, "each is found again");
    }
}

/// Recording changes, so that they can be reversed.
impl<K: Key, L: Copy, H> Nodes<K, L, H> {
    /// A node is about to change, or to be made.
    #[inline]
    fn note(&mut self, position: usize) {
        if self.past.is_on() {
            self.note_change(position);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_change(&mut self, position: usize) {
        let (was, position) = (self.nodes.get(position).copied(), position as u32);
        // (The first of two adjacent changes of a node says it all, unless there was no node then.)
        let says_it = |last: &NodeChange<K, L>| {
            last.position == position && (last.was.is_some() || was.is_none())
        };
        self.past.note_unless(says_it, NodeChange { position, was });
    }

    pub(crate) const fn past(&mut self) -> &mut Past<NodeChange<K, L>, NodesState<H>> {
        &mut self.past
    }

    /// Makes a node what it was, and of the change what it is. On an error nothing has changed.
    #[cfg(feature = "track")]
    fn reverse(&mut self, change: &mut NodeChange<K, L>) -> Result<(), TryReserveError> {
        let place = Place::of(change.position as usize);
        let key = |node: &Option<Node<K, L>>| node.map_or(K::DANGLING, |node| node.key);
        let is = self.nodes.get(place.position()).copied();
        let (key_then, key_now) = (key(&change.was), key(&is));
        if key_then != key_now {
            if key_then != K::DANGLING {
                self.index.make_room_again(key_then.slot())?;
            }
            if key_now != K::DANGLING {
                self.index.take(key_now.slot());
            }
            if key_then != K::DANGLING {
                self.index.set(key_then.slot(), Some(place));
            }
        }
        match (is, mem::replace(&mut change.was, is)) {
            (Some(_), Some(node)) => self.nodes[place.position()] = node,
            (None, Some(node)) => self.nodes.push(node), // in the room that it had
            _ => _ = self.nodes.pop(),
        }
        Ok(())
    }
}

/// Nodes and the head of a list as they go back: their past can be reached by the group that goes back, and from
/// nowhere else.
#[cfg(feature = "track")]
pub(super) struct ReturningNodes<'a, K: Key, L, H> {
    pub(super) nodes: &'a mut Nodes<K, L, H>,
    pub(super) head: &'a mut H,
}

#[cfg(feature = "track")]
impl<K: Key, L: Linkage, H: Clone> Reverse for ReturningNodes<'_, K, L, H> {
    type Change = NodeChange<K, L>;
    type State = NodesState<H>;
    type Kept = ();

    fn past(&mut self) -> &mut Past<Self::Change, Self::State> {
        &mut self.nodes.past
    }

    fn state(&mut self) -> Self::State {
        let Nodes { vacant, vacancies, .. } = *self.nodes;
        NodesState { vacant, vacancies, head: self.head.clone() }
    }

    fn exchange(&mut self, state: &mut Self::State) {
        mem::swap(&mut self.nodes.vacant, &mut state.vacant);
        mem::swap(&mut self.nodes.vacancies, &mut state.vacancies);
        mem::swap(self.head, &mut state.head);
    }

    fn reverse(
        &mut self,
        change: &mut Self::Change,
        (): &mut (),
        _: Way,
    ) -> Result<(), TryReserveError> {
        self.nodes.reverse(change)
    }
}

impl<K: Key, L, H> LinkStore<L> for Nodes<K, L, H> {
    type Key = Place;

    /// Nodes are changed by the functions of `edit` and of lists only, and each leaves them in agreement.
    const MAY_TEAR: bool = false;

    #[inline]
    fn links(&self, place: Place) -> Option<&L> {
        self.nodes.get(place.position()).map(|node| &node.links)
    }
}

impl<K: Key, L: Copy, H> LinkStoreMut<L> for Nodes<K, L, H> {
    #[inline]
    fn links_mut(&mut self, place: Place) -> Option<&mut L> {
        self.nodes.get_mut(place.position()).map(|node| &mut node.links)
    }
}

/// Nodes that are noted before they change. (So there is one check for all that an edit changes.)
pub(super) struct Noted<'a, K: Key, L, H>(pub(super) &'a mut Nodes<K, L, H>);

impl<K: Key, L: Linkage, H> Noted<'_, K, L, H> {
    pub(super) fn vacate(&mut self, place: Place) -> K {
        self.0.note_change(place.position());
        self.0.vacate(place)
    }
}

impl<K: Key, L, H> core::ops::Deref for Noted<'_, K, L, H> {
    type Target = Nodes<K, L, H>;

    #[inline]
    fn deref(&self) -> &Nodes<K, L, H> {
        self.0
    }
}

impl<K: Key, L, H> LinkStore<L> for Noted<'_, K, L, H> {
    type Key = Place;

    const MAY_TEAR: bool = false;

    fn links(&self, place: Place) -> Option<&L> {
        self.0.links(place)
    }
}

impl<K: Key, L: Copy, H> LinkStoreMut<L> for Noted<'_, K, L, H> {
    fn links_mut(&mut self, place: Place) -> Option<&mut L> {
        self.0.note_change(place.position());
        self.0.links_mut(place)
    }
}

/// Edits nodes, whose links are noted if their past is on.
macro_rules! editing_nodes {
    ($nodes:expr, |$store:ident| $edit:expr) => {
        if $nodes.past().is_on() {
            let $store = &mut $crate::nodes::Noted(&mut $nodes);
            $edit
        } else {
            let $store = &mut $nodes;
            $edit
        }
    };
}
pub(super) use editing_nodes;
