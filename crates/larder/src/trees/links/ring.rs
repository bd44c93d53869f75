//! Circles of siblings, and of a list's members: each knows the one before and the one behind it.
//!
//! A neighbour is believed only if it links back. So a circle that is torn (an object was removed
//! without its links) or forged (it came from a file) is walked to its tear and no further: each key
//! has one that leads to it, and no walk can enter a loop.

use super::linked::{LinkStore, LinkStoreMut};

/// The neighbours in a circle; none outside of one, oneself where there is nobody else.
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

/// The one behind, if it links back.
#[inline]
pub(crate) fn next<K: Copy + Eq, L: HasRing<K>>(store: &impl LinkStore<K, L>, key: K) -> Option<K> {
    let next = store.links(key)?.ring().next?;
    (store.links(next)?.ring().prev == Some(key)).then_some(next)
}

/// The one before, if it links back.
#[inline]
pub(crate) fn prev<K: Copy + Eq, L: HasRing<K>>(store: &impl LinkStore<K, L>, key: K) -> Option<K> {
    let prev = store.links(key)?.ring().prev?;
    (store.links(prev)?.ring().next == Some(key)).then_some(prev)
}

/// Makes `prev` and `next` neighbours.
#[inline]
pub(crate) fn join<K: Copy, L: HasRing<K>>(store: &mut impl LinkStoreMut<K, L>, prev: K, next: K) {
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
    store: &mut impl LinkStoreMut<K, L>,
    prev: K,
    key: K,
    next: K,
) {
    join(store, prev, key);
    join(store, key, next);
}

/// Takes a key out of its circle; answers a neighbour it had, the one behind if there is one.
/// Where the circle is torn beside the key it stays torn at that place.
#[inline]
pub(crate) fn unlink<K: Copy + Eq, L: HasRing<K>>(
    store: &mut impl LinkStoreMut<K, L>,
    key: K,
) -> Option<K> {
    let (prev, next) = (prev(store, key), next(store, key));
    let links = store.links_mut(key)?;
    let ring = core::mem::replace(links.ring_mut(), Ring::OPEN);
    let [prev, next] = [prev, next].map(|neighbour| neighbour.filter(|&other| other != key));
    if let Some(links) = prev.and_then(|prev| store.links_mut(prev)) {
        links.ring_mut().next = ring.next;
    }
    if let Some(links) = next.and_then(|next| store.links_mut(next)) {
        links.ring_mut().prev = ring.prev;
    }
    next.or(prev)
}
