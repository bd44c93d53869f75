//! Changing, repairing and checking a hierarchy, with links in the objects or beside them.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::cmp::Ordering;

use super::error::{CheckError, LinkError, LinkErrorKind};
use super::link_store::{LinkStore, LinkStoreMut};
use super::links::Links;
use super::ring::{self, Ring, tail};
use super::walk::{self, first_leaf};
#[cfg(feature = "alloc")]
use crate::error::TryReserveError;
use crate::key::Key;

type Attached<K> = Result<(), LinkError<K>>;

/// Refuses a key that must not become a child of `parent`. O(depth); O(1) if the child has no children.
fn admit<K: Key>(store: &impl LinkStoreMut<K, Links<K>>, parent: K, child: K) -> Attached<K> {
    let reason = if store.links(parent).is_none() {
        LinkErrorKind::TargetMissing
    } else if store.links(child).is_none() {
        LinkErrorKind::Missing
    } else if parent == child {
        LinkErrorKind::Itself
    } else if walk::first_child(store, child).is_some() && walk::is_ancestor(store, child, parent) {
        LinkErrorKind::Descendant
    } else {
        return Ok(());
    };
    Err(LinkError { key: child, to: parent, reason })
}

/// The first and the last child, `None` if there are none; refuses where the children's circle is
/// torn at its ends.
fn ends<K: Key>(
    store: &impl LinkStoreMut<K, Links<K>>,
    parent: K,
    child: K,
) -> Result<Option<(K, K)>, LinkError<K>> {
    if store.links(parent).is_none_or(|links| links.first_child.is_none()) {
        return Ok(None);
    }
    let ends = walk::first_child(store, parent).zip(walk::last_child(store, parent));
    ends.map(Some).ok_or(torn(child, parent))
}

const fn torn<K>(key: K, to: K) -> LinkError<K> {
    LinkError { key, to, reason: LinkErrorKind::Torn }
}

/// Puts a child between two siblings, which are neighbours, wherever it was before.
fn put<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, parent: K, prev: K, child: K, next: K) {
    detach(store, child);
    ring::insert(store, prev, child, next);
    if let Some(links) = store.links_mut(child) {
        links.parent = Some(parent);
    }
}

fn set_first<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, parent: K, first: Option<K>) {
    if let Some(links) = store.links_mut(parent) {
        links.first_child = first;
    }
}

/// The only child of `parent`.
fn put_alone<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, parent: K, child: K) {
    detach(store, child);
    if let Some(links) = store.links_mut(child) {
        links.ring = Ring { prev: Some(child), next: Some(child) };
        links.parent = Some(parent);
    }
    set_first(store, parent, Some(child));
}

pub(crate) fn append<K: Key>(
    store: &mut impl LinkStoreMut<K, Links<K>>,
    parent: K,
    child: K,
) -> Attached<K> {
    admit(store, parent, child)?;
    let Some((first, last)) = ends(store, parent, child)? else {
        put_alone(store, parent, child);
        return Ok(());
    };
    if child == last {
        return Ok(());
    }
    if child == first {
        // In a circle the first comes after the last: the second becomes the first.
        let second = ring::next(store, first).ok_or(torn(child, parent))?;
        set_first(store, parent, Some(second));
    } else {
        put(store, parent, last, child, first);
    }
    Ok(())
}

pub(crate) fn prepend<K: Key>(
    store: &mut impl LinkStoreMut<K, Links<K>>,
    parent: K,
    child: K,
) -> Attached<K> {
    admit(store, parent, child)?;
    let Some((first, last)) = ends(store, parent, child)? else {
        put_alone(store, parent, child);
        return Ok(());
    };
    if child != first && child != last {
        put(store, parent, last, child, first);
    }
    set_first(store, parent, Some(child));
    Ok(())
}

/// The parent beside whose child another is to be put.
fn parent_beside<K: Key>(
    store: &impl LinkStoreMut<K, Links<K>>,
    sibling: K,
    child: K,
) -> Result<K, LinkError<K>> {
    let refuse = |reason| LinkError { key: child, to: sibling, reason };
    if store.links(sibling).is_none() {
        return Err(refuse(LinkErrorKind::TargetMissing));
    }
    if store.links(child).is_none() {
        return Err(refuse(LinkErrorKind::Missing));
    }
    if sibling == child {
        return Err(refuse(LinkErrorKind::Itself));
    }
    let parent = walk::parent(store, sibling).ok_or(refuse(LinkErrorKind::TargetIsRoot))?;
    admit(store, parent, child).map_err(|LinkError { reason, .. }| match reason {
        // The parent itself would hang below its own child.
        LinkErrorKind::Itself => refuse(LinkErrorKind::Descendant),
        reason => refuse(reason),
    })?;
    Ok(parent)
}

pub(crate) fn insert_before<K: Key>(
    store: &mut impl LinkStoreMut<K, Links<K>>,
    sibling: K,
    child: K,
) -> Attached<K> {
    let parent = parent_beside(store, sibling, child)?;
    if store.links(parent).is_some_and(|links| links.first_child == Some(sibling)) {
        return prepend(store, parent, child);
    }
    let prev = ring::prev(store, sibling).ok_or(torn(child, sibling))?;
    if prev != child {
        put(store, parent, prev, child, sibling);
    }
    Ok(())
}

pub(crate) fn insert_after<K: Key>(
    store: &mut impl LinkStoreMut<K, Links<K>>,
    sibling: K,
    child: K,
) -> Attached<K> {
    let parent = parent_beside(store, sibling, child)?;
    let next = ring::next(store, sibling).ok_or(torn(child, sibling))?;
    if store.links(parent).is_some_and(|links| links.first_child == Some(next)) {
        return append(store, parent, child);
    }
    if next != child {
        put(store, parent, sibling, child, next);
    }
    Ok(())
}

/// Detaches a key from its parent, with everything below it.
pub(crate) fn detach<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, key: K) -> bool {
    let Some(parent) = store.links(key).and_then(|links| links.parent) else {
        return false;
    };
    let neighbour = ring::unlink(store, key);
    if let Some(links) = store.links_mut(key) {
        links.parent = None;
    }
    if let Some(links) = store.links_mut(parent) {
        if links.first_child == Some(key) {
            links.first_child = neighbour;
        }
    }
    true
}

/// Detaches a key and makes roots of its children.
pub(crate) fn unlink<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, key: K) {
    orphan_children(store, key);
    detach(store, key);
}

/// Makes roots of all children.
pub(crate) fn orphan_children<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, key: K) {
    while let Some(child) = walk::first_child(store, key) {
        detach(store, child);
        if walk::first_child(store, key) == Some(child) {
            break; // what is read is not what was written: see `Field::new`
        }
    }
}

/// Puts the children directly before their parent; those of a root become roots.
pub(crate) fn promote_children<K: Key>(store: &mut impl LinkStoreMut<K, Links<K>>, key: K) {
    // Links from a file may make an object its own parent.
    let Some(parent) = walk::parent(store, key).filter(|&parent| parent != key) else {
        return orphan_children(store, key);
    };
    let was_first = store.links(parent).is_some_and(|links| links.first_child == Some(key));
    let mut eldest = None;
    while let Some(child) = walk::first_child(store, key) {
        match ring::prev(store, key) {
            Some(prev) => put(store, parent, prev, child, key),
            None => return orphan_children(store, key), // torn: there is no place beside it
        }
        if walk::first_child(store, key) == Some(child) {
            return; // what is read is not what was written: see `Field::new`
        }
        eldest = eldest.or(Some(child));
    }
    if was_first && eldest.is_some() {
        set_first(store, parent, eldest);
    }
}

/// Removes a key and everything below it from the owner of the links: leaves first, so that the hierarchy is
/// consistent after each removal, whose user code may panic. `remove` takes a leaf out, and returns whether there
/// was an object. Returns how many there were. O(removed).
pub(crate) fn remove_subtree<K: Key, O, S: LinkStore<K, Links<K>>>(
    owner: &mut O,
    root: K,
    links: impl Fn(&O) -> &S,
    mut remove: impl FnMut(&mut O, K) -> bool,
) -> usize {
    let (mut at, mut before, mut removed) = (Some(root), None, 0);
    while let Some(top) = at {
        let leaf = first_leaf(links(owner), root, top);
        if before == Some(leaf) {
            break; // it was not removed: user code is wrong
        }
        at = walk::parent(links(owner), leaf).filter(|_| leaf != root);
        removed += usize::from(remove(owner, leaf));
        before = Some(leaf);
    }
    removed
}

/// Sorts the children; stable. If `compare` panics, or memory is refused, nothing has changed.
#[cfg(feature = "alloc")]
pub(crate) fn sort_children<K: Key, S: LinkStoreMut<K, Links<K>>>(
    store: &mut S,
    parent: K,
    mut compare: impl FnMut(&S, K, K) -> Ordering,
) -> Result<(), TryReserveError> {
    let mut children: Vec<(u32, K)> = Vec::new();
    for (number, child) in (0..).zip(walk::Children::new(store, parent)) {
        if children.try_reserve(1).is_err() {
            let bytes = (children.len() + 1).saturating_mul(size_of::<(u32, K)>());
            return Err(TryReserveError::AllocRefused { bytes });
        }
        children.push((number, child));
    }
    // (A stable sort of the standard library would abort where memory is refused.)
    children.sort_unstable_by(|a, b| compare(store, a.1, b.1).then(a.0.cmp(&b.0)));
    for pair in children.windows(2) {
        ring::join(store, pair[0].1, pair[1].1);
    }
    if let [(_, first), .., (_, last)] = children[..] {
        ring::join(store, last, first);
        set_first(store, parent, Some(first));
    }
    Ok(())
}

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
