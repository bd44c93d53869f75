//! Circles of siblings and of list members: each knows the one before and the one after it.
//!
//! In objects, a neighbour is followed only if it links back. So a walk of a circle that is torn (an object was removed
//! without its links) or wrong (it was loaded) ends at the tear. Links beside a container always agree.

use super::link_store::{LinkStore, LinkStoreMut};

/// The neighbours in a circle; none outside of one, the key itself in a circle of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ring<K> {
    pub(crate) prev: Option<K>,
    pub(crate) next: Option<K>,
}

impl<K> Ring<K> {
    pub(crate) const OPEN: Self = Self { prev: None, next: None };
}

/// Links that have a ring in them.
pub(crate) trait HasRing<K> {
    fn ring(&self) -> &Ring<K>;
    fn ring_mut(&mut self) -> &mut Ring<K>;
}

/// The one after, if it links back.
#[inline]
pub(crate) fn next<K: Copy + Eq, L: HasRing<K>, S: LinkStore<L, Key = K>>(
    store: &S,
    key: K,
) -> Option<K> {
    let next = store.links(key)?.ring().next?;
    (!S::MAY_TEAR || store.links(next)?.ring().prev == Some(key)).then_some(next)
}

/// The one before, if it links back.
#[inline]
pub(crate) fn prev<K: Copy + Eq, L: HasRing<K>, S: LinkStore<L, Key = K>>(
    store: &S,
    key: K,
) -> Option<K> {
    let prev = store.links(key)?.ring().prev?;
    (!S::MAY_TEAR || store.links(prev)?.ring().next == Some(key)).then_some(prev)
}

/// Makes `prev` and `next` neighbours.
#[inline]
pub(crate) fn join<K: Copy, L: HasRing<K>>(
    store: &mut impl LinkStoreMut<L, Key = K>,
    prev: K,
    next: K,
) {
    if let Some(links) = store.links_mut(prev) {
        links.ring_mut().next = Some(next);
    }
    if let Some(links) = store.links_mut(next) {
        links.ring_mut().prev = Some(prev);
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
        links.ring_mut().next = Some(key);
    }
    if let Some(links) = store.links_mut(next) {
        links.ring_mut().prev = Some(key);
    }
    if let Some(links) = store.links_mut(key) {
        *links.ring_mut() = Ring { prev: Some(prev), next: Some(next) };
        link(links);
    }
}

/// Takes a key out of its circle, where it has these neighbours, and returns those that link back; none if it was
/// alone. Its own links stay. Where the circle is torn beside the key, it stays torn.
#[inline]
pub(crate) fn unlink<K: Copy + Eq, L: HasRing<K>, S: LinkStoreMut<L, Key = K>>(
    store: &mut S,
    key: K,
    ring: Ring<K>,
) -> Ring<K> {
    if ring.next == Some(key) {
        return Ring::OPEN;
    }
    let mut close = |neighbour: Option<K>, end: fn(&mut Ring<K>) -> &mut Option<K>, to| {
        let end = end(store.links_mut(neighbour?)?.ring_mut());
        let links_back = !S::MAY_TEAR || *end == Some(key);
        if links_back {
            *end = to;
        }
        neighbour.filter(|&neighbour| links_back && (!S::MAY_TEAR || neighbour != key))
    };
    let prev = close(ring.prev, |ring| &mut ring.next, ring.next);
    let next = close(ring.next, |ring| &mut ring.prev, ring.prev);
    Ring { prev, next }
}

/// What is left of a walk around a circle: the next from the front, with its neighbours where links may tear, and before
/// what the walk ends.
///
/// It ends whatever the links say: a step is made only to one that links back, so only one key leads to each, and the
/// first that is met again would be the one where the walk began.
pub(crate) struct Arc<K> {
    left: Option<(K, Ring<K>, K)>,
}

impl<K: Copy> Clone for Arc<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Copy> Copy for Arc<K> {}

/// `find` returns the neighbours of one that belongs to the circle.
impl<K: Copy + Eq> Arc<K> {
    /// The whole circle, from its first one on.
    #[inline]
    pub(crate) fn from(first: Option<K>, find: impl FnOnce(K) -> Option<Ring<K>>) -> Self {
        Self { left: first.and_then(|first| Some((first, find(first)?, first))) }
    }

    #[inline]
    pub(crate) const fn is_over(&self) -> bool {
        self.left.is_none()
    }

    #[inline]
    pub(crate) fn next(
        &mut self,
        may_tear: bool,
        find: impl Fn(K) -> Option<Ring<K>>,
    ) -> Option<K> {
        let (front, ring, end) = self.left.take()?;
        let ring = if may_tear { ring } else { find(front)? };
        if let Some(next) = ring.next.filter(|&next| next != end) {
            let found = if may_tear { find(next) } else { Some(Ring::OPEN) };
            let linked = found.filter(|found| !may_tear || found.prev == Some(front));
            self.left = linked.map(|ring| (next, ring, end));
        }
        Some(front)
    }

    #[inline]
    pub(crate) fn next_back(&mut self, find: impl Fn(K) -> Option<Ring<K>>) -> Option<K> {
        let (front, ring, end) = self.left.take()?;
        let back = find(end)?.prev?;
        find(back).filter(|back| back.next == Some(end))?;
        if back != front {
            self.left = Some((front, ring, back));
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
