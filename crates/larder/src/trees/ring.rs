//! Circles of siblings and of list members: each knows the one before and the one after it.
//!
//! A neighbour is followed only if it links back. So a walk of a circle that is torn (an object was removed without
//! its links) or wrong (it was loaded) ends at the tear: only one key leads to each, so no walk enters a cycle.

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
pub(crate) fn next<K: Copy + Eq, L: HasRing<K>>(
    store: &impl LinkStore<L, Key = K>,
    key: K,
) -> Option<K> {
    let next = store.links(key)?.ring().next?;
    (store.links(next)?.ring().prev == Some(key)).then_some(next)
}

/// The one before, if it links back.
#[inline]
pub(crate) fn prev<K: Copy + Eq, L: HasRing<K>>(
    store: &impl LinkStore<L, Key = K>,
    key: K,
) -> Option<K> {
    let prev = store.links(key)?.ring().prev?;
    (store.links(prev)?.ring().next == Some(key)).then_some(prev)
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

/// Puts a key that is in no circle between two neighbours.
#[inline]
pub(crate) fn insert<K: Copy, L: HasRing<K>>(
    store: &mut impl LinkStoreMut<L, Key = K>,
    prev: K,
    key: K,
    next: K,
) {
    join(store, prev, key);
    join(store, key, next);
}

/// Takes a key out of its circle, where it has these neighbours, and returns one of them, the one after if there is
/// one; its own links stay. Where the circle is torn beside the key, it stays torn.
#[inline]
pub(crate) fn unlink<K: Copy + Eq, L: HasRing<K>>(
    store: &mut impl LinkStoreMut<L, Key = K>,
    key: K,
    ring: Ring<K>,
) -> Option<K> {
    if ring.next == Some(key) {
        return None;
    }
    let mut close = |neighbour: Option<K>, end: fn(&mut Ring<K>) -> &mut Option<K>, to| {
        let end = end(store.links_mut(neighbour?)?.ring_mut());
        let links_back = *end == Some(key);
        if links_back {
            *end = to;
        }
        neighbour.filter(|_| links_back)
    };
    let prev = close(ring.prev, |ring| &mut ring.next, ring.next);
    let next = close(ring.next, |ring| &mut ring.prev, ring.prev);
    next.or(prev).filter(|&other| other != key)
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
