//! Repairing links of objects that were removed without them, and checking links that were loaded.

use super::error::CheckError;
use super::link_store::{LinkStore, LinkStoreMut};
use super::links::Links;
use super::ring::{self, Ring, tail};
use super::walk;
use crate::key::Key;

/// Removes links to missing objects, and closes the circles of siblings. O(keys).
pub(crate) fn mend<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, keys: &[K]) {
    keys.iter().for_each(|&key| forget_dead(store, key));
    // The piece with the first child is closed first, so that the others find where to join.
    keys.iter().for_each(|&key| close(store, key, true));
    keys.iter().for_each(|&key| close(store, key, false));
}

fn forget_dead<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, key: K) {
    let has_parent = walk::parent(store, key).is_some();
    let has_child = walk::first_child(store, key).is_some();
    if let Some(links) = store.links_mut(key) {
        if !has_parent {
            (links.parent, links.ring) = (None, Ring::OPEN);
        }
        if !has_child {
            links.first_child = None;
        }
    }
}

/// Closes the piece that begins with `head`, or joins it to the closed ones.
fn close<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, head: K, only_with_first: bool) {
    let Some(parent) = walk::parent(store, head) else {
        return;
    };
    if ring::prev(store, head).is_some() {
        return; // not a head
    }
    let first = walk::first_child(store, parent);
    let (tail, with_first) = tail(store, head, first);
    if first.is_none() || with_first {
        ring::join(store, tail, head);
    } else if let Some((first, last)) = first.zip(walk::last_child(store, parent)) {
        if !only_with_first {
            ring::join(store, last, head);
            ring::join(store, tail, first);
        }
    }
    if let (None, Some(links)) = (first, store.links_mut(parent)) {
        links.first_child = Some(head);
    }
}

pub(crate) fn check<K: Key>(
    store: &impl LinkStore<K, Links<K>>,
    keys: impl Iterator<Item = K>,
) -> Result<(), CheckError<K>> {
    // What has a parent must be met below a root: in a tree, or in a circle that no walk enters.
    let (mut linked, mut met) = (0_usize, 0_usize);
    for key in keys {
        if !agrees(store, key) {
            return Err(CheckError::Contradiction { key });
        }
        if walk::parent(store, key).is_some() {
            linked += 1;
        } else {
            met += walk::Descendants::new(store, key).count();
        }
    }
    match linked.abs_diff(met) {
        0 => Ok(()),
        count => Err(CheckError::Unreachable { count }),
    }
}

/// Whether the links of a key and of those it names fit.
fn agrees<K: Key>(store: &impl LinkStore<K, Links<K>>, key: K) -> bool {
    let Some(links) = store.links(key) else {
        return true;
    };
    let child_agrees = links.first_child == walk::first_child(store, key);
    let siblings_agree = match links.parent {
        None => links.ring == Ring::OPEN,
        Some(parent) => {
            let sibling = |key| store.links(key).is_some_and(|links| links.parent == Some(parent));
            store.links(parent).is_some()
                && ring::next(store, key).is_some_and(sibling)
                && ring::prev(store, key).is_some_and(sibling)
        }
    };
    child_agrees && siblings_agree
}
