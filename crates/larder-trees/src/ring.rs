//! Circles of siblings and of list members: each knows the one before and the one after it.
//!
//! In objects, a neighbour is followed only if it links back. So a walk of a circle that is torn (an object
//! was removed without its links) or wrong (it was loaded) ends at the tear. Links beside a container are
//! always consistent.

use larder_core::containers::{LinkStore, LinkStoreMut};

/// The neighbours in a circle; none outside of one, the key itself in a circle of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub(crate) struct Ring<K> {
    pub(crate) prev: Option<K>,
    pub(crate) next: Option<K>,
}

impl<K> Ring<K> {
    pub(crate) const OPEN: Self = Self { prev: None, next: None };
}

impl<K> Default for Ring<K> {
    fn default() -> Self {
        Self::OPEN
    }
}

/// Links that have a ring in them. (It is copied: in a [`Link`](super::Link) it may not be aligned.)
pub(crate) trait HasRing<K> {
    fn ring(&self) -> Ring<K>;
    fn set_prev(&mut self, prev: Option<K>);
    fn set_next(&mut self, next: Option<K>);
}

impl<K: Copy> HasRing<K> for Ring<K> {
    #[inline]
    fn ring(&self) -> Self {
        *self
    }

    #[inline]
    fn set_prev(&mut self, prev: Option<K>) {
        self.prev = prev;
    }

    #[inline]
    fn set_next(&mut self, next: Option<K>) {
        self.next = next;
    }
}

/// The one after, if it links back.
#[inline]
pub(crate) fn next<K: Copy + Eq, L: HasRing<K>, S: LinkStore<L, Key = K>>(
    store: &S,
    key: K,
) -> Option<K> {
    let next = store.links(key)?.ring().next?;
    (!S::MAY_TEAR || store.links(next)?.ring().prev? == key).then_some(next)
}

/// The one before, if it links back.
#[inline]
pub(crate) fn prev<K: Copy + Eq, L: HasRing<K>, S: LinkStore<L, Key = K>>(
    store: &S,
    key: K,
) -> Option<K> {
    let prev = store.links(key)?.ring().prev?;
    (!S::MAY_TEAR || store.links(prev)?.ring().next? == key).then_some(prev)
}

/// Has links recorded that are about to change, where that may panic: then nothing has changed.
#[inline]
pub(crate) fn record<K: Copy, L, S: LinkStoreMut<L, Key = K>>(
    store: &mut S,
    keys: impl IntoIterator<Item = Option<K>>,
) {
    if S::MAY_RECORD && store.records() {
        keys.into_iter().flatten().for_each(|key| _ = store.links_mut(key));
    }
}

/// Leaves a key without neighbours; theirs stay.
pub(crate) fn open<K: Copy, L: HasRing<K>>(store: &mut impl LinkStoreMut<L, Key = K>, key: K) {
    if let Some(links) = store.links_mut(key) {
        links.set_prev(None);
        links.set_next(None);
    }
}

/// Makes `prev` and `next` neighbours.
#[inline]
pub(crate) fn join<K: Copy, L: HasRing<K>>(
    store: &mut impl LinkStoreMut<L, Key = K>,
    prev: K,
    next: K,
) {
    if let Some(links) = store.links_mut(prev) {
        links.set_next(Some(next));
    }
    if let Some(links) = store.links_mut(next) {
        links.set_prev(Some(prev));
    }
}

/// Puts a key that is in no circle between two neighbours, which are the key itself in a circle of one. `link` sets
/// what else its links say.
#[inline]
pub(crate) fn insert<K: Copy, L: HasRing<K>>(
    store: &mut impl LinkStoreMut<L, Key = K>,
    prev: K,
    key: K,
    next: K,
    link: impl FnOnce(&mut L),
) {
    if let Some(links) = store.links_mut(prev) {
        links.set_next(Some(key));
    }
    if let Some(links) = store.links_mut(next) {
        links.set_prev(Some(key));
    }
    if let Some(links) = store.links_mut(key) {
        links.set_prev(Some(prev));
        links.set_next(Some(next));
        link(links);
    }
}

/// Takes a key out of its circle, where it has these neighbours, and returns those that link back and belong there;
/// none if it was alone. Its own links stay. A circle that is torn beside the key stays torn.
#[inline]
pub(crate) fn unlink<K: Copy + Eq, L: HasRing<K>, S: LinkStoreMut<L, Key = K>>(
    store: &mut S,
    key: K,
    ring: Ring<K>,
    belongs: impl Fn(&L) -> bool,
) -> Ring<K> {
    if ring.next == Some(key) {
        return Ring::OPEN;
    }
    let mut close =
        |neighbour: Option<K>, end: fn(Ring<K>) -> Option<K>, set: fn(&mut L, _), to| {
            let links = store.links_mut(neighbour?)?;
            if S::MAY_TEAR && end(links.ring()) != Some(key) {
                return None;
            }
            set(links, to);
            neighbour.filter(|_| !S::MAY_TEAR || belongs(links))
        };
    let prev = close(ring.prev, |ring| ring.next, L::set_next, ring.next);
    let next = close(ring.next, |ring| ring.prev, L::set_prev, ring.prev);
    Ring { prev, next }
}

/// The rest of a walk around a circle.
///
/// It ends whatever the links say: a step is made only to one that links back, so only one key leads to each, and the
/// first that is met again would be the one where the walk began.
#[derive(Clone, Copy)]
pub(crate) struct Arc<K> {
    /// The next from the front, which is looked up when it is visited.
    front: Option<K>,
    /// The one visited before it.
    before: Option<K>,
    /// The key before which the walk from the front ends; the walk from the back continues before it.
    end: Option<K>,
}

/// `find` returns the neighbours of one that belongs to the circle.
impl<K: Copy + Eq> Arc<K> {
    /// The whole circle, from its first one on.
    #[inline]
    pub(crate) const fn from(first: Option<K>) -> Self {
        Self { front: first, before: None, end: first }
    }

    #[inline]
    pub(crate) fn next(
        &mut self,
        may_tear: bool,
        find: impl Fn(K) -> Option<Ring<K>>,
    ) -> Option<K> {
        let front = self.front.take()?;
        let ring = find(front)?;
        if may_tear && self.before.is_some() && self.before != ring.prev {
            return None;
        }
        self.before = Some(front);
        self.front = if ring.next == self.end { None } else { ring.next };
        Some(front)
    }

    /// Steps forward like `next`, in a walk that counts its steps. It compares with the end on arrival, not before, so
    /// that the load of the next neighbours does not wait for the comparison.
    #[inline]
    pub(crate) fn next_counted(&mut self, find: impl Fn(K) -> Option<Ring<K>>) -> Option<K> {
        let front = self.front.take()?;
        let ring = find(front)?;
        if let Some(before) = self.before {
            if self.end == Some(front) || ring.prev != Some(before) {
                return None;
            }
        }
        (self.before, self.front) = (Some(front), ring.next);
        Some(front)
    }

    #[inline]
    pub(crate) fn next_back(&mut self, find: impl Fn(K) -> Option<Ring<K>>) -> Option<K> {
        let front = self.front.take()?;
        if self.before.is_some() && self.end == Some(front) {
            return None;
        }
        let back = find(self.end?)?.prev?;
        find(back).filter(|back| back.next == self.end)?;
        if back != front {
            self.front = Some(front);
            self.end = Some(back);
        }
        Some(back)
    }
}

/// The last of a torn circle's piece that begins with `head`, and whether `wanted` is in the piece.
pub(crate) fn tail<K: Copy + Eq, L: HasRing<K>>(
    store: &impl LinkStore<L, Key = K>,
    head: K,
    wanted: Option<K>,
) -> (K, bool) {
    let (mut last, mut found) = (head, wanted == Some(head));
    while let Some(next) = next(store, last) {
        last = next;
        found |= wanted == Some(next);
    }
    (last, found)
}
